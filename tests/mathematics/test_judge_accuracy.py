"""The offline judge of mathematics against labels that were written before it.

It was tuned on the first half; of the second half only totals were ever looked at.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.base import Problem
from interactive_envs.mathematics.claims import ClaimJudge
from interactive_envs.mathematics.grading import grade

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
READ_RIGHT = 0.9
UNREAD = 0.25
GRADED_RIGHT = 0.99


def judges(half: str) -> dict[str, ClaimJudge]:
    records = json.loads((DATA / f"problems_{half}.json").read_text("utf-8"))
    return {record["id"]: ClaimJudge(Problem.from_json(record)) for record in records}


def lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / "labels" / name).read_text("utf-8").splitlines()]


@functools.cache
def claims(half: str) -> tuple[float, float]:
    """The share of right answers to what was read, and the share of what was not."""
    by_id = judges(half)
    replies = [(by_id[line["problem"]].reply(line["claim"]), line["label"]) for line in lines(f"claims_{half}.jsonl")]
    read = [reply.label == label for reply, label in replies if not reply.abstained]
    return sum(read) / len(read), 1 - len(read) / len(replies)


@functools.cache
def answers(half: str) -> float:
    """The share of answers graded as labelled; what is left open counts as incorrect."""
    by_id = judges(half)
    right = [
        (grade(by_id[line["problem"]], line["answer"]).right is True) == (line["label"] == "correct")
        for line in lines(f"answers_{half}.jsonl")
    ]
    return sum(right) / len(right)


@pytest.mark.parametrize("half", ["1", "2"])
def test_claims_that_are_read_are_answered_as_labelled(half: str) -> None:
    assert claims(half)[0] >= READ_RIGHT


@pytest.mark.xfail(reason="27 % of the first half and 49 % of the second are left unread", strict=True)
@pytest.mark.parametrize("half", ["1", "2"])
def test_few_claims_are_left_unread(half: str) -> None:
    assert claims(half)[1] <= UNREAD


@pytest.mark.parametrize(
    "half",
    [
        "1",
        pytest.param(
            "2", marks=pytest.mark.xfail(reason="97 % of the second half are graded as labelled", strict=True)
        ),
    ],
)
def test_answers_are_graded_as_labelled(half: str) -> None:
    assert answers(half) >= GRADED_RIGHT
