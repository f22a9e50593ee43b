"""What a generator says of its hidden part: the text that names hidden numbers, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng

Values: TypeAlias = Mapping[str, int]
"""Hidden numbers by name."""


@dataclass(frozen=True)
class Setting:
    """What the player reads of a problem with a hidden part, and what follows from the hidden numbers.

    Attributes:
        text: the problem; it names every hidden number.
        parameters: JSON values for the second computation; a hidden number's name stands for its value.
        ranges: the least and the greatest value of each hidden number, by name.
        derive: notes the quantities and the steps of the derivation, the answer last, given the hidden numbers.
        form: of the answer.
        fits: whether hidden numbers make a good problem; what it asks for, the text must say.
        phrases: further phrases of a hidden number, by name.
    """

    text: str
    parameters: Mapping[str, Any]
    ranges: Mapping[str, tuple[int, int]]
    derive: Callable[[Draft, Values], None]
    form: str = "a whole number"
    fits: Callable[[Values], bool] = lambda _: True
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class HiddenPart:
    """The hidden part of a generator's problems.

    Attributes:
        draw: draws a setting of a difficulty from 1 to 5.
        second: finds the answer by another route, from the filled parameters.
    """

    draw: Callable[[Rng, int], Setting]
    second: Callable[[Mapping[str, Any]], Any]


def by(generator: Generator, difficulty: int, **parameters: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Return the second computation that a generator has for its problems of a difficulty."""

    def second(given: Mapping[str, Any]) -> Any:
        blank = Problem("", generator.name, "", difficulty, "", "", "", (), (), parameters={**parameters, **given})
        return generator.confirm(blank)

    return second
