"""Second routes of probability, tried on cases known by heart."""

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


def test_walks_between_two_ends() -> None:
    assert confirmed("ruin", 1, up="1/2", down="1/2", size=10, start=3) == 21
    assert confirmed("ruin", 2, up="2/3", down="1/3", size=2, start=1) == Fraction(2, 3)
    # from 0 it takes two steps on average, from 1 then four
    assert confirmed("ruin", 5, up="1/2", down="1/2", size=2, start=0) == 6


@pytest.mark.parametrize(("word", "wait"), [("HH", 6), ("HT", 4), ("HTH", 10), ("HHH", 14)])
def test_coins(word: str, wait: int) -> None:
    assert confirmed("pattern", 1, words=[word], chances={"H": "1/2", "T": "1/2"}) == wait


def test_which_of_two_comes_first() -> None:
    # HH comes before TH only if the first two throws are heads
    assert confirmed("pattern", 5, words=["HH", "TH"], chances={"H": "1/2", "T": "1/2"}) == Fraction(1, 4)


def test_bags() -> None:
    assert confirmed("bags", 1, bags=[[1, 0], [1, 1]], weights=[1, 1], draws=1, red=1) == Fraction(2, 3)
    assert confirmed("bags", 5, first=[2, 0], second=[1, 2]) == 1


def test_two_things_in_two_places() -> None:
    case = {"things": 2, "places": 2, "exactly": 0, "empty": 1}
    assert confirmed("occupancy", 1, **case) == Fraction(1, 2)
    assert confirmed("occupancy", 3, **case) == Fraction(1, 4)
    assert confirmed("occupancy", 4, **case) == Fraction(1, 2)
    assert confirmed("occupancy", 5, **{**case, "exactly": 1}) == 1


def test_piles() -> None:
    assert confirmed("deck", 1, special=[4], total=52, rank=1) == Fraction(53, 5)
    assert confirmed("deck", 3, special=[1, 1], total=2, rank=1) == 2
    assert same(confirmed("deck", 5, special=[1, 1, 1], total=3, rank=1), 2)
