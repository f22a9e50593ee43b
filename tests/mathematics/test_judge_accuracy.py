"""The offline judge of mathematics against labels that were written before it.

It was tuned on the problems of ``tuned_on.json``; of the others only totals were ever looked at. Where a goal is not
reached, the threshold is what is reached, rounded down.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.claims import ClaimJudge
from interactive_envs.mathematics.judge.grading import grade
from interactive_envs.mathematics.judge.offline import MathJudge

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
READ_RIGHT = 0.9
GRADED_RIGHT = 0.99
# the goal for the unread is 0.25 of all claims; the second half has the 21 problems that it was not tuned on
UNREAD = {"1": 0.2, "2": 0.33, "both": 0.25}
HELD_OUT_READ_RIGHT = 0.9
HELD_OUT_UNREAD = 0.42
REJECTED = 0.95


def judges(half: str) -> dict[str, ClaimJudge]:
    records = json.loads((DATA / f"problems_{half}.json").read_text("utf-8"))
    return {record["id"]: ClaimJudge(Problem.from_json(record)) for record in records}


@functools.cache
def every() -> dict[str, ClaimJudge]:
    return judges("1") | judges("2")


def lines(name: str) -> list[dict[str, str]]:
    return [
        json.loads(line) for line in (DATA.parent / "judge" / "data" / "labels" / name).read_text("utf-8").splitlines()
    ]


@functools.cache
def claims(half: str) -> list[tuple[str, bool | None]]:
    """For each claim its problem and whether the answer is right; None where it was not read."""
    found: list[tuple[str, bool | None]] = []
    for line in lines(f"claims_{half}.jsonl"):
        reply = every()[line["problem"]].reply(line["claim"])
        found.append((line["problem"], None if reply.abstained else reply.label == line["label"]))
    return found


def shares(half: str, *, held_out: bool = False) -> tuple[float, float]:
    """The share of right answers to what was read, and the share of what was not."""
    found = claims("1") + claims("2") if half == "both" else claims(half)
    verdicts = [verdict for problem, verdict in found if not held_out or problem not in MathJudge.tuned_on]
    read = [verdict for verdict in verdicts if verdict is not None]
    return sum(read) / len(read), 1 - len(read) / len(verdicts)


@functools.cache
def answers(half: str) -> list[bool]:
    """For each answer whether it is graded as labelled; what is left open counts as incorrect."""
    return [
        (grade(every()[line["problem"]], line["answer"]).right is True) == (line["label"] == "correct")
        for line in lines(f"answers_{half}.jsonl")
    ]


@pytest.mark.parametrize("half", ["1", "2", "both"])
def test_claims_that_are_read_are_answered_as_labelled(half: str) -> None:
    assert shares(half)[0] >= READ_RIGHT


@pytest.mark.parametrize("half", ["1", "2", "both"])
def test_few_claims_are_left_unread(half: str) -> None:
    assert shares(half)[1] <= UNREAD[half]


def test_claims_of_problems_it_was_not_tuned_on() -> None:
    right, unread = shares("2", held_out=True)
    assert right >= HELD_OUT_READ_RIGHT
    assert unread <= HELD_OUT_UNREAD


def test_answers_are_graded_as_labelled() -> None:
    graded = answers("1") + answers("2")
    assert sum(graded) / len(graded) >= GRADED_RIGHT


@pytest.mark.parametrize("kind", ["question", "final"])
def test_adversarial_texts_are_rejected(kind: str) -> None:
    rejected = [_verdict(line) != line["label"] for line in lines("adversarial.jsonl") if line["kind"] == kind]
    assert sum(rejected) / len(rejected) >= REJECTED


def _verdict(line: dict[str, str]) -> str:
    judge = every()[line["problem"]]
    if line["kind"] == "question":
        return judge.reply(line["text"]).label
    return "correct" if grade(judge, line["text"]).right else "incorrect"


def test_half_of_the_second_half_is_held_out() -> None:
    assert set(judges("1")) <= MathJudge.tuned_on
    assert set(judges("2")) & MathJudge.tuned_on == set(sorted(judges("2"))[::2])
