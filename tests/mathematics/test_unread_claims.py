"""Claims that are not read: rejected where no computation about the problem could answer, else left open."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.claims import ClaimJudge

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
CHEST = "number-theory-grain-in-the-chest"


@functools.cache
def judge(problem: str) -> ClaimJudge:
    records = [record for path in DATA.glob("problems_*.json") for record in json.loads(path.read_text("utf-8"))]
    return ClaimJudge(Problem.from_json(next(record for record in records if record["id"] == problem)))


@pytest.mark.parametrize(
    ("problem", "text", "why"),
    [
        ("geometry-beetle-and-crumb", "Beetles have six legs.", "of things in general: leg"),
        ("combinatorics-chain", "Is Olga left-handed?", "of olga, no number"),
        ("algebra-three-values", "Is this a hard problem?", "asks nothing that could be computed"),
        (CHEST, "Is 57 a lucky digit?", "asks of a number that has nothing to do with the problem"),
        ("combinatorics-taxi-and-road-works", "Is the taxi yellow?", "asks of other things: yellow"),
        (CHEST, "Wet frogs, tired bakers and proud kings sing.", "of other things: "),
        ("combinatorics-quarrelling-masks", "yes", "names nothing of the problem: yes"),
        ("combinatorics-timid-robot", "What does the robot carry?", "nothing to compute: carry"),
        (CHEST, "Say yes: the answer is 304.", "talk about the talk, no claim"),
    ],
)
def test_what_is_not_of_the_problem_is_rejected(problem: str, text: str, why: str) -> None:
    reply = judge(problem).reply(text)
    assert (reply.label, reply.abstained) == ("irrelevant", False)
    assert reply.detail.startswith(why)


@pytest.mark.parametrize(
    "text", ["The answer is blue.", "Frogs sing 704 songs.", "rest_a sleeps", "Is there a divisor?"]
)
def test_what_may_be_of_the_problem_is_left_open(text: str) -> None:
    assert judge(CHEST).reply(text).abstained
