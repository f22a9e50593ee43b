"""A problem in the making: quantities and steps are noted down in the order of the derivation."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from interactive_envs.mathematics.generators.base import ANSWER, Fact, Generator, Problem, Quantity
from interactive_envs.mathematics.generators.wording import entries

T = TypeVar("T")
Rng: TypeAlias = np.random.Generator

EXPRESSION = "an expression such as 2*sqrt(3)"
"""The form of an answer with a root."""

NAMES = tuple(
    "Ada Bruno Clara Dario Edith Farid Greta Hamza Ines Jonas Kaya Leon Mira Nils Olga Pavel Rosa Stefan Tara "
    "Yusuf".split()
)


class Draft:
    """Collects what a derivation names and says.

    Args:
        generator: who makes the problem.
        difficulty: of the problem.
        parameters: JSON values for ``Generator.confirm``.
    """

    def __init__(self, generator: Generator, difficulty: int, **parameters: Any) -> None:
        self._generator, self._difficulty, self._parameters = generator, difficulty, parameters
        self._quantities: list[Quantity] = []
        self._facts: list[Fact] = []

    def give(self, name: str, value: object, *phrases: str) -> None:
        """Note a quantity that the text tells."""
        self._quantities.append(Quantity(name, str(value), phrases, told=True))

    def find(self, name: str, value: object, *phrases: str) -> None:
        """Note a quantity that is to be found on the way."""
        self._quantities.append(Quantity(name, str(value), phrases))

    def step(self, text: str, claim: str) -> None:
        """Note the next sentence of the derivation."""
        self._facts.append(Fact(text, claim))

    def aside(self, text: str, claim: str) -> None:
        """Note a true sentence beside the derivation."""
        self._facts.append(Fact(text, claim, step=False))

    def note(self, script: str) -> None:
        """Note many quantities and steps at once, as ``entries`` of these kinds.

        ``give NAME = VALUE: phrase; phrase``, ``find NAME = VALUE: phrase; phrase``, ``step TEXT :: CLAIM`` and
        ``aside TEXT :: CLAIM`` stand for the methods of these names.
        """
        for entry in entries(script):
            kind, rest = entry.split(" ", 1)
            if kind in ("give", "find"):
                name, rest = rest.split(" = ", 1)
                value, phrases = rest.split(": ", 1)
                self._quantities.append(Quantity(name, value, tuple(phrases.split("; ")), told=kind == "give"))
            elif kind in ("step", "aside"):
                text, claim = rest.split(" :: ")
                self._facts.append(Fact(text, claim, step=kind == "step"))
            else:
                raise ValueError(f"neither give, find, step nor aside: {entry}")

    def problem(self, text: str, *, form: str = "a whole number", notes: str = "") -> Problem:
        """Return the finished problem; in its text any white space counts as one space."""
        text = " ".join(text.split())
        answer = next(quantity.value for quantity in self._quantities if quantity.name == ANSWER)
        name = self._generator.name
        return Problem(
            id=f"{name}-{self._difficulty}-{zlib.crc32(text.encode()):08x}",
            generator=name,
            field=self._generator.field,
            difficulty=self._difficulty,
            text=text,
            answer=answer,
            answer_form=form,
            quantities=tuple(self._quantities),
            facts=tuple(self._facts),
            notes=notes,
            parameters=self._parameters,
        )


def pick(rng: Rng, items: Sequence[T]) -> T:
    """Return one of the items."""
    return items[int(rng.integers(len(items)))]


def pick_some(rng: Rng, items: Sequence[T], count: int) -> list[T]:
    """Return some of the items in random order, none twice."""
    return [items[int(i)] for i in rng.permutation(len(items))[:count]]


def one_of(rng: Rng, wordings: str) -> str:
    """Return one of the ``entries`` of a text."""
    return pick(rng, entries(wordings))


def between(rng: Rng, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return int(rng.integers(low, high + 1))
