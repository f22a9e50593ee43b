"""Where problems come from: the package's fixed ones, generated ones without end, or a user's own."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import re
import zlib
from collections.abc import Callable, Sequence

import numpy as np

from interactive_envs.dialogue import datasets
from interactive_envs.dialogue.datasets import Entry
from interactive_envs.errors import UnknownNameError
from interactive_envs.mathematics import frozen
from interactive_envs.mathematics.generators import hidden as conceal
from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import ANSWER, LEVELS, Problem, Quantity
from interactive_envs.seeds import canonical_json

OWN = "own"
"""The ``generator`` of a user's problem."""
MAX_ANSWER = 500
"""Characters."""
_GENERATED = re.compile(r"([\w-]+)/([1-5])/(\d{1,10})")
_HIDDEN = "hidden-"
"""Before the generator's name in the id of a generated problem with a hidden part."""


class Generated:
    """Problems of the generators; an id such as ``hidden-bags/3/1234`` names generator, difficulty and seed.

    Args:
        difficulties: to draw from.
        hidden: draw problems with a hidden part, of the generators that have one; else problems told in full.
    """

    def __init__(self, difficulties: Sequence[int] = LEVELS, *, hidden: bool = True) -> None:
        self._difficulties = tuple(difficulties)
        self._makers: dict[str, Callable[[np.random.Generator, int], Problem]] = (
            {f"{_HIDDEN}{name}": functools.partial(conceal.make, name) for name in conceal.load_hidden()}
            if hidden
            else {name: generator.make for name, generator in load_generators().items()}
        )

    def ids(self) -> None:
        """They have no end."""

    def draw(self, rng: np.random.Generator, problem_id: str | None = None) -> Problem:
        """Return the problem named, else one of any generator.

        Raises:
            UnknownNameError: there is no such generator.
        """
        names = list(self._makers)
        name = names[int(rng.integers(len(names)))]
        difficulty = self._difficulties[int(rng.integers(len(self._difficulties)))]
        seed = int(rng.integers(2**32))
        if problem_id is not None:
            named = _GENERATED.fullmatch(problem_id)
            if named is None or named[1] not in names:
                raise UnknownNameError("case", problem_id, [f"{known}/1/0" for known in names])
            name, difficulty, seed = named[1], int(named[2]), int(named[3])
        made = self._makers[name](np.random.default_rng(seed), difficulty)
        return dataclasses.replace(made, id=f"{name}/{difficulty}/{seed}")

    def sha256(self) -> str:
        """Hash of the generators' names; their code is the package's version."""
        return hashlib.sha256(canonical_json(list(self._makers)).encode()).hexdigest()


def load(dataset: str | None = None, *, hidden: bool = False) -> tuple[Problem, ...]:
    """Return the problems of a data set, or the package's own; see :func:`interactive_envs.dialogue.datasets.load`.

    ``hidden`` chooses between the package's own with a hidden part and those told in full.

    A user's item has ``id``, ``problem``, ``answer`` (a number, an expression such as ``2*sqrt(3)``, ``{1, 2}``,
    ``(3, 4)``, or LaTeX) and ``solution`` (prose that judges may read); ``answer_form`` and ``difficulty`` may be
    given.
    """
    return fixed(hidden=hidden) if dataset is None else datasets.load(dataset, read_problem, "a problem")


@functools.cache
def fixed(*, hidden: bool = False) -> tuple[Problem, ...]:
    """Return the package's problems, with a hidden part or told in full; mixed, so that a few are of several fields."""
    found = [each for _, path in frozen.pairs() for each in frozen.read(path) if bool(each.hidden) == hidden]
    return tuple(sorted(found, key=lambda problem: zlib.crc32(problem.id.encode())))


def read_problem(entry: Entry) -> Problem:
    """Return a user's problem out of its JSON object.

    Raises:
        DatasetError: a field cannot be used.
    """
    given = entry.content.get("answer")
    number = isinstance(given, int) and not isinstance(given, bool)
    answer = str(given) if number else entry.text("answer", most=MAX_ANSWER)
    with contextlib.suppress(ValueError):  # prose, which a language model may compare
        answer = _exact(answer)
    return Problem(
        id=entry.text("id"),
        generator=OWN,
        field="",
        difficulty=entry.difficulty() or 0,
        text=entry.text("problem"),
        answer=answer,
        answer_form=entry.text("answer_form") if "answer_form" in entry.content else "",
        quantities=(Quantity(ANSWER, answer, ("answer", "result")),),
        facts=(),
        notes=entry.text("solution"),
    )


def _exact(answer: str) -> str:
    """Return an answer as exact text.

    Raises:
        ValueError: it has no exact value.
    """
    from interactive_envs.mathematics.judge.grading import read_answer  # the reader; only a user's problems need it

    return read_answer(answer)


def without_value(problems: Sequence[Problem]) -> Problem | None:
    """Return the first problem whose answer only a language model can compare."""
    for problem in problems:
        if problem.generator == OWN:
            try:
                _exact(problem.answer)
            except ValueError:
                return problem
    return None


def solution(problem: Problem) -> str:
    """Return the derivation in prose, as judges read it; a user's own text where there is one."""
    if problem.generator == OWN:
        return problem.notes
    return " ".join(fact.text for fact in problem.facts if fact.step)
