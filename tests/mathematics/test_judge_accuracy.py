"""The offline judge of mathematics against labels that were written before it.

It was tuned on the problems of ``tuned_on.json``; of the others only totals were ever looked at. Where a goal is not
reached, the threshold is what is reached, rounded down.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.claims import ClaimJudge
from interactive_envs.mathematics.judge.grading import grade
from interactive_envs.mathematics.judge.offline import MathJudge
from interactive_envs.mathematics.labelled import played

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
READ_RIGHT = 0.97
GRADED_RIGHT = 0.99
# nine in ten of the claims that are read must be right; how many are left unread follows from that
UNREAD = {"1": 0.41, "2": 0.58, "both": 0.46}
HELD_OUT_READ_RIGHT = 0.95
HELD_OUT_UNREAD = 0.78
PLAYED_READ_RIGHT = 0.9
PLAYED_UNREAD = 0.78
REJECTED = 0.95
each_second_and_all = pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.long)])


def problems(half: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / f"problems_{half}.json").read_text("utf-8"))
    return found


@functools.cache
def records() -> dict[str, Any]:
    return {record["id"]: record for half in "12" for record in problems(half)}


@functools.cache
def judge(problem: str) -> ClaimJudge:
    return ClaimJudge(Problem.from_json(records()[problem]))


def lines(name: str, step: int) -> list[dict[str, str]]:
    """All labels, or each step-th of a quarter of the problems: a judge takes longer to make than to ask."""
    told = (DATA.parent / "judge" / "data" / "labels" / name).read_text("utf-8").splitlines()
    found: list[dict[str, str]] = [json.loads(line) for line in told]
    quarter = set(sorted(records())[::4])
    return found if step == 1 else [line for line in found if line["problem"] in quarter][::step]


@functools.cache
def claims(half: str, step: int) -> list[tuple[str, bool | None]]:
    """For each claim its problem and whether the answer is right; None where it was not read."""
    found: list[tuple[str, bool | None]] = []
    for line in lines(f"claims_{half}.jsonl", step):
        reply = judge(line["problem"]).reply(line["claim"])
        found.append((line["problem"], None if reply.abstained else reply.label == line["label"]))
    return found


def shares(half: str, step: int, *, held_out: bool = False) -> tuple[float, float]:
    """The share of right answers to what was read, and the share of what was not."""
    found = claims("1", step) + claims("2", step) if half == "both" else claims(half, step)
    verdicts = [verdict for problem, verdict in found if not held_out or problem not in MathJudge.tuned_on]
    read = [verdict for verdict in verdicts if verdict is not None]
    return sum(read) / len(read), 1 - len(read) / len(verdicts)


@functools.cache
def answers(half: str, step: int) -> list[bool]:
    """For each answer whether it is graded as labelled; what is left open counts as incorrect."""
    return [
        (grade(judge(line["problem"]), line["answer"]).right is True) == (line["label"] == "correct")
        for line in lines(f"answers_{half}.jsonl", step)
    ]


@each_second_and_all
@pytest.mark.parametrize("half", ["1", "2", "both"])
def test_claims_that_are_read_are_answered_as_labelled(half: str, step: int) -> None:
    assert shares(half, step)[0] >= READ_RIGHT


@each_second_and_all
@pytest.mark.parametrize("half", ["1", "2", "both"])
def test_few_claims_are_left_unread(half: str, step: int) -> None:
    assert shares(half, step)[1] <= UNREAD[half]


@each_second_and_all
def test_claims_of_problems_it_was_not_tuned_on(step: int) -> None:
    right, unread = shares("2", step, held_out=True)
    assert right >= HELD_OUT_READ_RIGHT
    assert unread <= HELD_OUT_UNREAD


def test_claims_as_players_send_them_are_answered_right_or_left_open() -> None:
    """Only totals were looked at; what an honest reader could not decide must be left open, too."""
    items = list(played())
    asked = MathJudge()
    verdicts = [(asked.judge(item.request), item.label) for item in items]
    read = [verdict.label == label for verdict, label in verdicts if not verdict.abstained]
    assert sum(read) / len(read) >= PLAYED_READ_RIGHT
    assert 1 - len(read) / len(items) <= PLAYED_UNREAD


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
def test_answers_are_graded_as_labelled(step: int) -> None:
    graded = answers("1", step) + answers("2", step)
    assert sum(graded) / len(graded) >= GRADED_RIGHT


@each_second_and_all
@pytest.mark.parametrize("kind", ["question", "final"])
def test_adversarial_texts_are_rejected(kind: str, step: int) -> None:
    rejected = [_verdict(line) != line["label"] for line in lines("adversarial.jsonl", step) if line["kind"] == kind]
    assert sum(rejected) / len(rejected) >= REJECTED


def _verdict(line: dict[str, str]) -> str:
    asked = judge(line["problem"])
    if line["kind"] == "question":
        return asked.reply(line["text"]).label
    return "correct" if grade(asked, line["text"]).right else "incorrect"


def test_half_of_the_second_half_is_held_out() -> None:
    first, second = ([problem["id"] for problem in problems(half)] for half in "12")
    assert set(first) <= MathJudge.tuned_on
    assert set(second) & MathJudge.tuned_on == set(sorted(second)[::2])
