"""The quality gates: what they measure, and that the puzzles pass them today."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from interactive_envs.llm.embeddings import available
from interactive_envs.situation_puzzle import puzzles
from tools import gates as puzzle_gates
from tools.gates import Gate, failures, kappa, labelling, measure, render

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


embedded = pytest.mark.skipif(not available(), reason="the sentence embeddings are not installed")


@pytest.fixture(scope="module")
def gates() -> list[Gate]:
    """The first and the last puzzle measured."""
    return measure(puzzles.load()[:: len(puzzles.load()) - 1])


@embedded
def test_the_page_says_of_a_puzzle_what_it_is_today_and_a_few_of_them_pass(gates: list[Gate]) -> None:
    def without_the_nearest(row: str) -> list[str]:  # of which there are only few here
        cells = row.split(" | ")
        return cells[:-2] + cells[-1:]

    said = {row.split()[1]: row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")}
    measured = {row.split()[1]: row for row in render(gates).splitlines() if row.startswith("| ")}
    first, last = (gate.puzzle.id for gate in gates)
    for name in (first, last):
        assert without_the_nearest(measured[name]) == without_the_nearest(said[name])
    assert [gate.nearest[0] for gate in gates] == [last, first]
    assert [gate.won["reference"] for gate in gates] == [1.0, 1.0]
    assert all(0 <= gate.won["random"] <= 0.5 for gate in gates)


@pytest.mark.long
@embedded
def test_the_page_says_what_the_puzzles_are_today_and_no_gate_fails() -> None:
    gates = measure(puzzles.load())
    assert failures(gates) == []
    assert render(gates) == PAGE.read_text(encoding="utf-8")


@embedded
def test_a_gate_that_fails_is_named(gates: list[Gate]) -> None:
    first, second = gates
    won = dict.fromkeys(first.won, 1.0) | {"reference": 0.0}
    bad = dataclasses.replace(first, won=won, solved_by_readers=(1, 0, 3), relative="same")
    words = failures([bad, second])
    assert any(word.startswith("longest wins") for word in words)
    assert any(word.startswith("the reference wins") for word in words)
    assert f"{first.puzzle.id} is known already" in words
    assert f"{first.puzzle.id} is solved without asking" in words
