"""The quality gates: what they measure, and that the puzzles pass them today."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from interactive_envs.llm.embeddings import available
from interactive_envs.situation_puzzle import puzzles
from tools import gates as puzzle_gates
from tools.gates import failures, kappa, labelling, measure, render

PAGE = Path(__file__).parents[2] / "docs" / "puzzle-gates.md"


def test_two_labellings_are_compared_column_by_column() -> None:
    pairs = [["a?", 0, "y", "y"], ["b?", 0, "n", "y"], ["a?", 3, "n", "n"]]
    found = labelling(puzzles.load()[0], {"pairs": pairs})
    assert (found.right, found.rest) == ((2, 1), (1, 0))
    assert found.kappa == pytest.approx(kappa([("y", "y"), ("n", "y"), ("n", "n")]))
    assert kappa([("y", "y")]) == 1.0


def test_every_right_column_was_labelled_twice_whole_and_a_tenth_of_the_rest() -> None:
    second = puzzle_gates.quality_data("second-labels")
    for puzzle in puzzles.load():
        pairs = second[puzzle.id]["pairs"]
        right = {text for text, column, _, _ in pairs if column == 0}
        assert {question.text for question in puzzle.questions} <= right
        rest = [column for _, column, _, _ in pairs if column]
        assert len(rest) >= 0.095 * len(puzzle.questions) * (len(puzzle.explanations) - 1)


@pytest.mark.no_cover
@pytest.mark.skipif(not available(), reason="the sentence embeddings are not installed")
def test_the_page_says_what_the_puzzles_are_today_and_no_gate_fails() -> None:
    gates = measure(puzzles.load())
    assert failures(gates) == []
    assert render(gates) == PAGE.read_text(encoding="utf-8")


@pytest.mark.skipif(not available(), reason="the sentence embeddings are not installed")
def test_a_gate_that_fails_is_named() -> None:
    first, second = measure(puzzles.load()[:2])
    won = dict.fromkeys(first.won, 1.0) | {"reference": 0.0}
    bad = dataclasses.replace(first, won=won, solved_by_readers=(1, 0, 3), relative="same")
    words = failures([bad, second])
    assert any(word.startswith("longest wins") for word in words)
    assert any(word.startswith("the reference wins") for word in words)
    assert f"{first.puzzle.id} is known already" in words
    assert f"{first.puzzle.id} is solved without asking" in words
