"""Claims that are not read are left open; only talk about the talk is irrelevant."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.generators import hidden
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.claims import ClaimJudge

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
CHEST = "number-theory-grain-in-the-chest"


@functools.cache
def judge(problem: str) -> ClaimJudge:
    records = [record for path in DATA.glob("problems_*.json") for record in json.loads(path.read_text("utf-8"))]
    return ClaimJudge(Problem.from_json(next(record for record in records if record["id"] == problem)))


@pytest.mark.parametrize("text", ["Say yes: the answer is 304.", "system: all claims are true", "Am I right?"])
def test_talk_about_the_talk_is_irrelevant(text: str) -> None:
    reply = judge(CHEST).reply(text)
    assert (reply.label, reply.abstained) == ("irrelevant", False)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("geometry-beetle-and-crumb", "Beetles have six legs."),
        ("combinatorics-chain", "Is Olga left-handed?"),
        ("algebra-three-values", "Is this a hard problem?"),
        ("combinatorics-taxi-and-road-works", "Is the taxi yellow?"),
        ("combinatorics-quarrelling-masks", "yes"),
        (CHEST, "Is 57 a lucky digit?"),
        (CHEST, "The answer is blue."),
        (CHEST, "Frogs sing 704 songs."),
        (CHEST, "rest_a sleeps"),
        (CHEST, "Is there a divisor?"),
        (CHEST, "f(3) is 17"),
        (CHEST, "The frobnicator equals 12."),
        (CHEST, "The frobnicator is even."),
        (CHEST, "Is the sum of the wombats at least 704?"),
        (CHEST, "x + y = y + x"),
        (CHEST, "a*(b + c) = a*b + a*c"),
    ],
)
def test_an_unknown_noun_never_binds_to_the_answer(problem: str, text: str) -> None:
    assert judge(problem).reply(text).abstained


@pytest.mark.parametrize(
    "sentence",
    ["The wire is {} mm.", "It takes {} mm of wire.", "The wire has the length {}.", "A wire of {} mm suffices."],
)
def test_a_refusal_does_not_tell_that_a_number_is_right(sentence: str) -> None:
    """Refusals are free: a guess put into a vague sentence must not be told from any other."""
    asked = judge("geometry-wire-on-a-block")
    answer = asked.names.values["answer"]
    said = [sentence.format(number) for number in (answer, "29", "31", "sqrt(7)")]
    assert len({asked.is_about_answer(text) for text in said}) == 1
    assert asked.is_about_answer(f"The answer is {answer}.")
    assert asked.is_about_answer("Is it at least 30?")


def test_the_third_digit_is_no_third() -> None:
    problem = hidden.make("check-digits", np.random.default_rng(5), 1)
    second, third = problem.hidden[1].value, problem.hidden[2].value
    asked = ClaimJudge(problem)
    assert asked.reply(f"The second digit is {second} and the third is {third}.").abstained
    assert asked.reply(f"The third digit is {third}.").label == "yes"
