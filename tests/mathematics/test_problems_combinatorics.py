"""Numbers that are known from elsewhere, found by the second routes."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import Problem


def posed(name: str, difficulty: int, **parameters: Any) -> Problem:
    """A problem with parameters of our own."""
    made = load_generators()[name].make(np.random.default_rng(0), difficulty)
    return dataclasses.replace(made, parameters=parameters)


@pytest.mark.parametrize(("couples", "answer"), [(2, 2), (3, 32), (4, 1488)])
def test_couples_kept_apart_at_a_round_table(couples: int, answer: int) -> None:
    assert load_generators()["rows"].confirm(posed("rows", 5, kind="pairs", n=2 * couples, pairs=couples)) == answer


def test_a_block_and_guarded_ends_by_hand() -> None:
    # two reds as a block, blues x and y; y in the middle: (red red) y x and x y (red red), each block in two orders
    assert load_generators()["rows"].confirm(posed("rows", 2, kind="block", n=4, red=2)) == 4


@pytest.mark.parametrize(("n", "answer"), [(4, 14), (5, 42)])
def test_ways_below_the_diagonal_are_catalan_numbers(n: int, answer: int) -> None:
    problem = posed("paths", 5, a=n, b=n, through=[], closed=[], below=True)
    assert load_generators()["paths"].confirm(problem) == answer


def test_pavings_with_one_colour_are_fibonacci_and_lucas_numbers() -> None:
    assert load_generators()["pavings"].confirm(posed("pavings", 1, kind="strip", n=9, colours=[1, 1])) == 55
    assert load_generators()["pavings"].confirm(posed("pavings", 4, kind="ring", n=9, colours=[1, 1])) == 76


@pytest.mark.parametrize(("flips", "answer"), [(False, 14), (True, 13)])
def test_necklaces_and_bracelets_of_six_in_two_colours(flips: bool, answer: int) -> None:
    assert load_generators()["necklaces"].confirm(posed("necklaces", 3, n=6, c=2, flips=flips, proper=False)) == answer


def test_shares_where_one_gets_more() -> None:
    # 2 things, 4 people, at most 2 each, the first gets more than the second: 2000, 1010, 1001
    problem = posed("shares", 5, n=2, k=4, least=0, cap=2, odd=False, more=True)
    assert load_generators()["shares"].confirm(problem) == 3
