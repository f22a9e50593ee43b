"""Second routes of geometry, tried on figures that can be seen through."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import same


def confirmed(name: str, difficulty: int, **parameters: Any) -> Any:
    """The second route, with parameters of our own."""
    made = load_generators()[name].make(np.random.default_rng(0), difficulty)
    return load_generators()[name].confirm(dataclasses.replace(made, parameters=parameters))


def test_points_of_a_square() -> None:
    square = [[0, 0], [3, 0], [3, 3], [0, 3]]
    assert confirmed("lattice", 2, points=square, factor=1) == 4
    assert confirmed("lattice", 4, points=square, factor=2) == 25
    assert confirmed("lattice", 3, points=square, factor=1, inside=1, edge=10) == 124


def test_ways_on_surfaces() -> None:
    import sympy

    assert same(confirmed("surface", 1, turns=3, around=1, height=4), 5)
    # a room of 1 by 1 by 2: over the two short edges
    assert same(confirmed("surface", 2, sides=[1, 1, 2]), sympy.sqrt(8))
    assert same(confirmed("surface", 3, around=20, offset=17, outside=1, inside=3), 5)
    # a sector of 90 degrees: 3, 4, 5, and the foot of the height divides 5 into 9/5 and 16/5
    assert same(confirmed("surface", 4, ratio=4, slant=4, end=3), 5)
    assert same(confirmed("surface", 5, ratio=4, slant=4, end=3), sympy.Rational(9, 5))


def test_wires_of_equal_masts_cross_half_way_up() -> None:
    assert confirmed("wires", 1, a=6, b=6, gap=5) == 3
    assert confirmed("wires", 3, a=6, b=6, gap=5, number=2) == 2
    assert confirmed("wires", 4, a=6, b=6, gap=8, number=3) == 2


@pytest.mark.parametrize(("level", "answer"), [(1, 4), (2, Fraction(3, 2)), (3, Fraction(5, 4))])
def test_the_triangle_3_4_5(level: int, answer: object) -> None:
    # a = 3 is BC, b = 4 is CA: the height on BC is CA; R = 5/2, r = 1, R(R - 2r) = 5/4
    import sympy

    found = confirmed("triangle", level, sides=[3, 4, 5])
    assert same(found, sympy.sqrt(sympy.Rational(5, 4)) if level == 3 else answer)
