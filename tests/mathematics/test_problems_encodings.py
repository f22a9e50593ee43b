"""Numbers that are known from elsewhere, and codes worked out by hand."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import Problem

GENERATORS = load_generators()


def posed(name: str, difficulty: int, **parameters: Any) -> Problem:
    """A problem with parameters of our own."""
    made = GENERATORS[name].make(np.random.default_rng(0), difficulty)
    return dataclasses.replace(made, parameters=parameters)


def test_the_example_of_the_paper() -> None:
    # section 2.2: 10000 Roman numerals of seven kinds carry 5904 letters of 27 kinds
    problem = posed("capacity", 1, s=27, c=7, length=10000, apart=False, even=False)
    assert GENERATORS["capacity"].confirm(problem) == 5904


def test_messages_of_all_lengths_and_an_even_number() -> None:
    # 2 of 2 kinds, evenly many of one: 2 codes; the empty message and one of two letters do not fit
    problem = posed("capacity", 4, s=3, c=4, length=3, apart=False, even=True)
    assert (
        GENERATORS["capacity"].confirm(problem) == 2
    )  # (64 + 8)/2 = 36 codes; 1 + 3 + 9 = 13 messages, 40 with length 3


@pytest.mark.parametrize(
    ("counts", "arity", "limit", "total"),
    [([5, 9, 12, 13, 16, 45], 2, 0, 224), ([1, 1, 1, 1], 2, 0, 8), ([1, 1, 1, 1], 3, 0, 6), ([1, 1, 2, 4], 2, 2, 16)],
)
def test_shortest_codes(counts: list[int], arity: int, limit: int, total: int) -> None:
    problem = posed("prefix-codes", 1, counts=counts, arity=arity, limit=limit)
    assert GENERATORS["prefix-codes"].confirm(problem) == total


def test_smeared_digits_stay_out_of_the_parameters() -> None:
    problem = GENERATORS["check-digits"].make(np.random.default_rng(3), 4)
    assert [problem.parameters["digits"][place] for place in problem.parameters["places"]] == [0, 0]
    assert "?" in problem.text


def test_the_last_word_has_the_rank_of_the_whole_list() -> None:
    assert GENERATORS["word-ranks"].confirm(posed("word-ranks", 2, kind="orders", letters="ABCD", words=["DCBA"])) == 24
    assert GENERATORS["word-ranks"].confirm(posed("word-ranks", 3, kind="orders", letters="AB", words=["BBAA"])) == 6
    assert GENERATORS["word-ranks"].confirm(posed("word-ranks", 4, kind="apart", letters="AB", words=["BAB"])) == 2


def test_counters_that_leave_numbers_out() -> None:
    assert GENERATORS["counters"].confirm(posed("counters", 3, digit="4", shown=15, start=0)) == 13
    assert GENERATORS["counters"].confirm(posed("counters", 5, digit="13", shown=140, start=0)) == 128
    assert GENERATORS["counters"].confirm(posed("counters", 2, used=192)) == 100


def test_parameters_are_json_values() -> None:
    for name in ("capacity", "prefix-codes", "check-digits", "word-ranks", "counters"):
        for level in range(1, 6):
            parameters = GENERATORS[name].make(np.random.default_rng(1), level).parameters
            assert json.loads(json.dumps(parameters)) == parameters
