"""The labelled requests that the package's own puzzles give."""

from __future__ import annotations

import pytest

from interactive_envs.errors import UnknownNameError
from interactive_envs.evaluation.judging import suites as judge_suites
from interactive_envs.evaluation.judging.suites import case_context, explanations, items, paraphrases
from interactive_envs.situation_puzzle.puzzles import Fact, NearMiss, Puzzle, Question

PUZZLE = Puzzle(
    "p",
    "P",
    "It is wet.",
    "It rains.",
    (Fact("It rains.", True),),
    (Question("Did it rain?", (0, 1), ("Was there rain?", "Has it rained?")), Question("Was it dark?", (3, 2))),
    ("Rain.", "A pipe."),
    ("It was rain.",),
    (NearMiss("It hails.", 0),),
)


def test_paraphrases_have_their_questions_label_and_are_not_told_to_the_judge() -> None:
    found = list(paraphrases([PUZZLE]))
    assert [(item.request.text, item.label) for item in found] == [
        ("Was there rain?", "yes"),
        ("Has it rained?", "yes"),
    ]
    assert all("paraphrases" not in str(item.request.context) for item in found)
    assert all(item.request.text not in str(item.request.context) for item in found)


def test_each_explanation_is_taken_out_of_what_the_judge_is_told() -> None:
    found = list(explanations([PUZZLE]))
    assert [(item.request.text, item.label) for item in found] == [
        ("Rain.", "correct"),
        ("It was rain.", "correct"),
        ("A pipe.", "incorrect"),
        ("It hails.", "incorrect"),
    ]
    for item in found:
        told = [*item.request.context["explanations"], *item.request.context["wrong"]]
        assert len(told) == 3
        assert item.request.text not in told


@pytest.mark.parametrize("suite", judge_suites.SUITES)
def test_every_suite_has_items_and_leaves_cases_out(suite: str) -> None:
    everything = items(suite)
    cases = sorted({str(item.case) for item in everything})
    some = set(cases[: len(cases) // 2])
    left = items(suite, without=some)
    assert 0 < len(left) < len(everything)
    assert {item.case for item in left} == set(cases) - some
    assert {item.label for item in everything} <= set(everything[0].request.labels) | {"correct", "yes", "no"}


def test_an_unknown_suite_or_case_is_named() -> None:
    with pytest.raises(UnknownNameError, match="suite 'parphrases'"):
        items("parphrases")
    with pytest.raises(UnknownNameError, match="case 'nothing'"):
        case_context("nothing", None)
