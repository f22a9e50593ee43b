"""Numbers that are known from elsewhere, and second routes that are second ones."""

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


def test_the_general_with_1000_soldiers() -> None:
    problem = posed("remainders", 2, moduli=[3, 5, 7], remainders=[2, 3, 2], low=0, limit=105, least=True)
    assert load_generators()["remainders"].confirm(problem) == 23


def test_two_of_three_counts_numbers_with_all_three_once() -> None:
    problem = posed("remainders", 5, moduli=[2, 3, 5], remainders=[0, 0, 0], low=0, limit=30, least=False)
    assert load_generators()["remainders"].confirm(problem) == len({6, 12, 18, 24, 30, 10, 20, 15})


@pytest.mark.parametrize(("n", "base", "zeros"), [(100, 10, 24), (10, 12, 4), (16, 16, 3)])
def test_zeros_of_known_factorials(n: int, base: int, zeros: int) -> None:
    problem = posed("zeros", 1, kind="factorial", base=base, n=n, low=0, wanted=0)
    assert load_generators()["zeros"].confirm(problem) == zeros


def test_triples_of_divisors_listed_by_hand() -> None:
    # lcm 4 and gcd 2: each of three is 2 or 4, and both occur
    assert load_generators()["divisors"].confirm(posed("divisors", 5, n=4, common=2)) == 6


@pytest.mark.parametrize(
    ("difficulty", "sizes", "answer"), [(1, [3, 5], 7), (2, [3, 5], 4), (4, [6, 9, 20], 43), (5, [6, 9, 20], 22)]
)
def test_amounts_that_cannot_be_made(difficulty: int, sizes: list[int], answer: int) -> None:
    assert load_generators()["coins"].confirm(posed("coins", difficulty, sizes=sizes, total=0)) == answer


def test_a_tower_is_read_from_the_top() -> None:
    assert load_generators()["towers"].confirm(posed("towers", 3, parts=[[2, 3, 2]], digits=3)) == 2**9
