"""Problems with a hidden part: the text names numbers that it does not tell, and the answer depends on them.

A generator's hidden part is one function of its field's ``hidden.py``: it draws a
:class:`~interactive_envs.mathematics.generators.setting.Setting`, all that the
player reads, and says how the answer follows from the hidden numbers. This module draws these numbers, and decides
which of them may be asked for.

The *need* of a problem is the number of rounds in which its hidden numbers can be found one by one: one round for a
number whose value may be asked, and the binary logarithm of the number of its possible values for one about which only
claims are answered. It grows with the difficulty. Who combines several hidden numbers in one claim needs fewer.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError
from interactive_envs.mathematics.generators import fields, load_generators
from interactive_envs.mathematics.generators.base import LEVELS, TRIES, Generator, Hidden, Problem, identifier
from interactive_envs.mathematics.generators.draft import Draft, Rng
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values

NEED = {1: (7.0, 23.0), 2: (9.0, 23.6), 3: (11.5, 24.3), 4: (13.5, 25.2), 5: (15.0, 25.7)}
"""The least and the greatest need that is aimed at, by difficulty; the default budget is 20 rounds."""


@functools.cache
def load_hidden() -> dict[str, HiddenPart]:
    """Return all hidden parts by the name of their generator; the first call imports their modules.

    Seeds of generated problems depend on the order.
    """
    return {name: part for each in fields() for name, part in each.HIDDEN.items()}


def make(name: str, rng: Rng, difficulty: int) -> Problem:
    """Return a problem with a hidden part.

    Args:
        name: of its generator.
        rng: two numbers are drawn: the seed of what the player reads, and the seed of what is hidden.
        difficulty: 1 to 5.
    """
    return conceal(name, int(rng.integers(2**32)), int(rng.integers(2**32)), difficulty)


def conceal(name: str, seed: int, secret: int, difficulty: int) -> Problem:
    """Return the problem that the player reads of one seed, with the hidden numbers of another.

    Raises:
        ConfigError: the difficulty is none, or no hidden numbers fit.
    """
    if difficulty not in LEVELS:
        raise ConfigError(f"difficulty must be 1 to 5, got {difficulty}")
    rng, chance = np.random.default_rng(seed), np.random.default_rng(secret)
    setting = load_hidden()[name].draw(rng, difficulty)
    sealed = _seal(setting.ranges, rng, difficulty)
    for _ in range(TRIES):
        found = {key: int(chance.integers(low, high + 1)) for key, (low, high) in setting.ranges.items()}
        if setting.fits(found):
            return _write(load_generators()[name], difficulty, setting, found, sealed)
    raise ConfigError(f"{name} found no hidden numbers that fit in {TRIES} tries")


def bits(low: int, high: int) -> float:
    """Return how many claims it takes to find a number between two others, both included."""
    return math.log2(high - low + 1)


def need(hidden: tuple[Hidden, ...]) -> float:
    """Return in how many rounds hidden numbers can be found one by one."""
    return sum(1 if each.askable else bits(each.low, each.high) for each in hidden)


def fill(setting: Any, values: Values) -> Any:
    """Return JSON values in which the names of hidden numbers are replaced by their values."""
    if isinstance(setting, str):
        return values.get(setting, setting)
    if isinstance(setting, Mapping):
        return {key: fill(value, values) for key, value in setting.items()}
    return [fill(value, values) for value in setting] if isinstance(setting, list | tuple) else setting


def _seal(ranges: Mapping[str, tuple[int, int]], rng: Rng, difficulty: int) -> set[str]:
    """Return the names whose values cannot be asked: as many as the need that is aimed at allows."""
    least, most = NEED[difficulty]
    aim, reached = float(rng.uniform(least, most)), float(len(ranges))
    sealed = set()
    names = list(ranges)
    for i in rng.permutation(len(names)):
        more = bits(*ranges[names[i]]) - 1
        if reached + more <= aim:
            reached += more
            sealed.add(names[i])
    return sealed


def _write(generator: Generator, difficulty: int, setting: Setting, found: Values, sealed: set[str]) -> Problem:
    draft = Draft(generator, difficulty, **fill(setting.parameters, found))
    for name, value in found.items():
        word = identifier(name)
        draft.find(word, value, name.lower(), f"value of {word.lower()}", *setting.phrases.get(name, ()))
    setting.derive(draft, found)
    hidden = tuple(Hidden(name, *setting.ranges[name], value, name not in sealed) for name, value in found.items())
    made = draft.problem(setting.text, form=setting.form)
    return dataclasses.replace(made, hidden=hidden, setting=dict(setting.parameters))
