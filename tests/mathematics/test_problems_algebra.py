"""Second routes of algebra, tried on numbers worked out by hand."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import Problem, same
from interactive_envs.mathematics.generators.draft import Draft
from interactive_envs.mathematics.generators.wording import counted, entries, listed, ordinal, root, signed, table, term


def posed(name: str, difficulty: int, **parameters: Any) -> Problem:
    """A problem with parameters of our own."""
    made = load_generators()[name].make(np.random.default_rng(0), difficulty)
    return dataclasses.replace(made, parameters=parameters)


def confirmed(name: str, difficulty: int, **parameters: Any) -> Any:
    return load_generators()[name].confirm(posed(name, difficulty, **parameters))


@pytest.mark.parametrize(
    ("level", "answer"),
    [
        (2, Fraction(1 + 8 + 27)),
        (3, Fraction(1 + 32 + 243)),
        (4, Fraction(5 * 8 * 13)),
        (5, Fraction(1, 9) + Fraction(1, 4) + 1),
    ],
)
def test_roots_one_two_three(level: int, answer: Fraction) -> None:
    found = confirmed("roots", level, coefficients=[1, -6, 11, -6], shift=4, level=level)
    assert same(found, answer)


def test_thresholds_in_small_steps() -> None:
    assert confirmed("threshold", 1, keep="2", start=1, bound=1000) == 10
    # half is lost, 8 come: 0, 8, 12, 14, 15
    assert confirmed("threshold", 2, keep="1/2", gain=8, start=0, bound=14) == 4
    # the same for three steps, then 7, 7/2, 7/4
    assert confirmed("threshold", 5, keep="1/2", gain=8, start=0, bound=2, phase=3) == 6


def test_telescopes() -> None:
    assert confirmed("telescope", 1, step=1, offset=0, scale=1, factors=2, terms=9) == Fraction(9, 10)
    assert confirmed("telescope", 4, step=1, offset=0, scale=1, factors=2, goal="9/10") == 10
    # 7/9 * 26/28 = 13/18
    assert confirmed("telescope", 5, first=2, goal="14/18") == 3


def test_a_parabola_through_three_squares() -> None:
    assert confirmed("interpolation", 1, points=[[0, 0], [1, 1], [2, 4]], at=9) == 81


def test_functions() -> None:
    assert confirmed("functional", 2, one=1, constant=0, mixed=2, at=12) == 144
    assert confirmed("functional", 4, constant=0, known=[[2, 1], [3, 5], [5, 9]], at=60) == 16


def test_wording() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 22, 113)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd", "113th"]
    assert [counted(1, "day"), counted(2, "day"), counted(2, "person", "people")] == ["1 day", "2 days", "2 people"]
    assert [listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert [root(Fraction(9, 4)), root(12), root(Fraction(1, 2)), root(7)] == [
        "3/2",
        "2*sqrt(3)",
        "sqrt(2)/2",
        "sqrt(7)",
    ]
    assert [term(-1, "x"), term(3, "x"), term(0, "x"), term(-1, ""), term(-2, "x", first=True)] == [
        *(" - x", " + 3x", "", " - 1", "-2x"),
    ]


def test_texts_are_read_in_entries_and_cells() -> None:
    assert entries("\n  a\n    b\n  c\n") == ["a b", "c"]
    assert (table("  a | b"), signed(-3)) == ([("a", "b")], "(-3)")
    with pytest.raises(ValueError, match="neither give, find"):
        Draft(load_generators()["roots"], 1).note("  guess a :: b")
