"""Fixed problems, made of choices: ``python -m tools.freeze_problems`` writes them again after a change.

A choice is a generator, a seed and a difficulty under an id of its own. A ``text`` in it is shown instead of the
generated one; with ``hidden`` the problem has its generator's hidden part. Its ``quantities`` have what such a text
adds: more ``phrases`` for a quantity that is there, or a further one with its ``value``, and the ``fact`` and the
``claim`` that it follows from.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.mathematics.generators import hidden as conceal
from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import ANSWER, Fact, Problem, Quantity

DATA = Path(__file__).parent / "data"


def freeze(choices: Iterable[Mapping[str, Any]]) -> list[Problem]:
    """Return the problems that were chosen."""
    problems = []
    for choice in choices:
        name, rng, difficulty = choice["generator"], np.random.default_rng(choice["seed"]), choice["difficulty"]
        hidden = choice.get("hidden", False)
        made = conceal.make(name, rng, difficulty) if hidden else load_generators()[name].make(rng, difficulty)
        changes = {key: choice[key] for key in ("id", "text", "notes") if key in choice}
        problems.append(dataclasses.replace(_with(made, choice.get("quantities", ())), **changes))
    return problems


def _with(problem: Problem, additions: Iterable[Mapping[str, Any]]) -> Problem:
    """Return the problem with more phrases and quantities; the answer stays the last quantity."""
    quantities = {quantity.name: quantity for quantity in problem.quantities}
    facts = list(problem.facts)
    for each in additions:
        name, phrases = each["name"], tuple(each["phrases"])
        if name in quantities:
            known = quantities[name]
            quantities[name] = dataclasses.replace(known, phrases=(*known.phrases, *phrases))
        else:
            quantities[name] = Quantity(name, each["value"], phrases)
            facts.append(Fact(each["fact"], each["claim"], step=False))
    quantities[ANSWER] = quantities.pop(ANSWER)
    return dataclasses.replace(problem, quantities=tuple(quantities.values()), facts=tuple(facts))


def written(problems: Iterable[Problem]) -> str:
    """Return the text of a file of problems."""
    return json.dumps([problem.as_json() for problem in problems], indent=1, ensure_ascii=False) + "\n"


def read(path: Path) -> list[Problem]:
    """Return the problems of such a file."""
    return [Problem.from_json(record) for record in json.loads(path.read_text(encoding="utf-8"))]


def pairs(folder: Path = DATA) -> list[tuple[Path, Path]]:
    """Return the files of choices, each with its file of problems."""
    return [
        (path, path.with_name(path.name.replace("choices", "problems"))) for path in sorted(folder.glob("choices*"))
    ]
