"""Sentences about hidden numbers and the steps on the way: answered right, or left open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from interactive_envs.mathematics import problems
from interactive_envs.mathematics.generators import hidden
from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge.claims import ClaimJudge
from interactive_envs.mathematics.judge.offline import MathJudge
from interactive_envs.mathematics.judge.requests import judge_request

Truth = Callable[[int, int, int], bool]
SENTENCES: tuple[tuple[str, Truth], ...] = (
    ("{a} is even.", lambda a, b, k: a % 2 == 0),
    ("Is {a} odd?", lambda a, b, k: a % 2 == 1),
    ("{a} is at least {k}.", lambda a, b, k: a >= k),
    ("Is {a} greater than {k}?", lambda a, b, k: a > k),
    ("{a} is no more than {k}", lambda a, b, k: a <= k),
    ("{a} is divisible by 3", lambda a, b, k: a % 3 == 0),
    ("Is {a} a multiple of 4?", lambda a, b, k: a % 4 == 0),
    ("{a} leaves remainder 1 when divided by 4", lambda a, b, k: a % 4 == 1),
    ("The last digit of {a} is 4.", lambda a, b, k: abs(a) % 10 == 4),
    ("{a} has two digits", lambda a, b, k: 10 <= abs(a) <= 99),
    ("{a} is larger than {b}.", lambda a, b, k: a > b),
    ("Is {a} the same as {b}?", lambda a, b, k: a == b),
    ("{a} is twice {b}", lambda a, b, k: a == 2 * b),
    ("The sum of {a} and {b} is {k}.", lambda a, b, k: a + b == k),
    ("{a} plus {b} is at most {k}", lambda a, b, k: a + b <= k),
    ("The product of {a} and {b} exceeds {k}", lambda a, b, k: a * b > k),
    ("{a} - {b} is positive", lambda a, b, k: a > b),
    ("Is the value of {a} equal to {k}?", lambda a, b, k: a == k),
    ("{a} is not {k}", lambda a, b, k: a != k),
    ("I think {a} is {k}", lambda a, b, k: a == k),
)
every_part = pytest.mark.parametrize("name", sorted(hidden.load_hidden()))


@pytest.fixture(scope="module")
def judge() -> MathJudge:
    return MathJudge()


def given(judge: MathJudge, problem: Problem, text: str) -> str:
    """The label; ``open`` where it is not understood."""
    verdict = judge.judge(judge_request("question", text, problem, answer_claims=False))
    return "open" if verdict.abstained else verdict.label


@every_part
def test_a_sentence_about_hidden_numbers_is_answered_right_or_left_open(judge: MathJudge, name: str) -> None:
    rng = np.random.default_rng(1)
    problem = hidden.make(name, np.random.default_rng(3), 3)
    found: Counter[str] = Counter()
    for sentence, truth in SENTENCES:
        first, second = (problem.hidden[int(i)] for i in rng.permutation(len(problem.hidden))[:2])
        bound = int(rng.integers(first.low, first.high + 1))
        text = sentence.format(a=first.name, b=second.name, k=bound)
        label = "yes" if truth(first.value, second.value, bound) else "no"
        verdict = given(judge, problem, text)
        assert verdict in (label, "open"), text
        found[verdict] += 1
    assert found["open"] <= 2


@pytest.mark.every(3)
@every_part
def test_a_quantity_called_by_any_of_its_phrases_is_never_taken_for_another(judge: MathJudge, name: str) -> None:
    problem = hidden.make(name, np.random.default_rng([9, 4]), 4)
    found: Counter[str] = Counter()
    for quantity in problem.quantities:
        if quantity.name == ANSWER or not re.fullmatch(r"-?\d+", quantity.value):
            continue
        for phrase in quantity.phrases:
            for value, label in ((int(quantity.value), "yes"), (int(quantity.value) + 3, "no")):
                for text in (f"The {phrase} is {value}.", f"Is the {phrase} equal to {value}?"):
                    verdict = given(judge, problem, text)
                    assert verdict in (label, "open", "refused"), text
                    found[verdict] += 1
    assert found["yes"] + found["no"] >= 0.85 * found.total()


STEPS: tuple[tuple[str, Truth], ...] = (
    ("The {a} is {k}.", lambda a, b, k: a == k),
    ("Is the {a} equal to {k}?", lambda a, b, k: a == k),
    ("The {a} is divisible by 3.", lambda a, b, k: a % 3 == 0),
    ("4 divides the {a}.", lambda a, b, k: a % 4 == 0),
    ("Is the {a} even?", lambda a, b, k: a % 2 == 0),
    ("The last digit of the {a} is 4.", lambda a, b, k: abs(a) % 10 == 4),
    ("The {a} ends in 2.", lambda a, b, k: abs(a) % 10 == 2),
    ("The {a} is at least {k}.", lambda a, b, k: a >= k),
    ("The {a} leaves remainder 1 when divided by 5.", lambda a, b, k: a % 5 == 1),
    ("The {a} plus the {b} is {k}.", lambda a, b, k: a + b == k),
    ("The sum of the {a} and the {b} equals {k}.", lambda a, b, k: a + b == k),
    ("The {a} is 2 times the {b}.", lambda a, b, k: a == 2 * b),
    ("The {a} exceeds the {b}.", lambda a, b, k: a > b),
)


@pytest.mark.every(12)
@pytest.mark.parametrize("problem", problems.fixed(), ids=lambda problem: problem.id)
def test_last_digits_divisors_and_sums_of_named_steps_are_decided_right(problem: Problem) -> None:
    rng, asked = np.random.default_rng(7), ClaimJudge(problem)
    steps = [each for each in problem.quantities if re.fullmatch(r"-?\d{1,12}", each.value) and each.name != ANSWER]
    found: Counter[str] = Counter()
    for first in steps:
        second = steps[int(rng.integers(len(steps)))]
        a, b = int(first.value), int(second.value)
        for sentence, truth in STEPS:
            if "{b}" in sentence and second is first:
                continue
            bound = (a + b if "{b}" in sentence else a) + int(rng.integers(2))
            phrases = [each.phrases[int(rng.integers(len(each.phrases)))] for each in (first, second)]
            reply = asked.reply(sentence.format(a=phrases[0], b=phrases[1], k=bound))
            right = reply.label == ("yes" if truth(a, b, bound) else "no")
            found["open" if reply.abstained else "right" if right else "wrong"] += 1
    assert found["wrong"] <= 0.03 * found.total()
    assert found["open"] <= 0.25 * found.total()
