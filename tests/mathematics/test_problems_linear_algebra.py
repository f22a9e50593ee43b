"""Second routes of linear algebra, tried on cases worked out by hand."""

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


def test_determinants() -> None:
    assert confirmed("determinant", 1, size=2, a=3, b=1) == 8
    assert confirmed("determinant", 3, size=3, a=2, b=1, c=1) == 4
    assert confirmed("determinant", 4, size=2, c=1) == 20
    assert confirmed("determinant", 5, n=6, power=1, c=1, size=4) == 4
    assert confirmed("determinant", 1, size=2, a=0, b=1) == -1


def test_lamps_in_a_row_and_in_a_square() -> None:
    assert confirmed("lamps", 1, lamps=4, lit=2, switches=[[0, 1], [1, 2], [2, 3]]) == 6
    square = [[0, 1], [2, 3], [0, 2], [1, 3]]
    assert confirmed("lamps", 3, lamps=4, lit=2, switches=square) == 6
    assert confirmed("lamps", 5, lamps=4, lit=2, switches=square, corner=True) == 3


@pytest.mark.parametrize(
    ("level", "points", "answer"),
    [
        (1, [[0, 0], [1, 0], [5, 3], [9, 9]], 3),
        (2, [[0, 0, 2], [1, 0, 2], [0, 1, 2], [7, 8, 9]], 7),
        (3, [[0, 0, 0], [1, 0, 0], [5, 3, 4], [9, 9, 9]], 5),
        (4, [[0, 0, 0], [1, 0, 0], [5, 0, 4], [5, 1, 4]], 4),
        (5, [[0, 0, 0], [1, 0, 0], [5, 0, 4], [5, 1, 4]], 5),
    ],
)
def test_distances_along_the_axes(level: int, points: list[list[int]], answer: int) -> None:
    assert same(confirmed("nearest", level, points=points), answer)


def test_walks() -> None:
    # three people, two passes: from Anna over the third to Ben
    assert confirmed("walks", 1, sizes=[3], steps=2, goals=[[1]]) == 1
    assert confirmed("walks", 2, sizes=[2, 3], steps=2, goals=[[0, 1]]) == 3
    assert confirmed("walks", 4, sizes=[2, 2], steps=2, goals=[[1, 1]]) == 2
    assert confirmed("walks", 5, sizes=[3, 3], steps=2, goals=[[1, 1]]) == 2


def test_the_edge_of_a_cube_of_resistors() -> None:
    # 12 edges of 1 ohm, 8 corners: between neighbours 7/12 ohm
    edges = [[i, i | bit, "1"] for i in range(8) for bit in (1, 2, 4) if not i & bit]
    assert confirmed("resistors", 1, edges=edges, terminals=[0, 1]) == Fraction(7, 12)
