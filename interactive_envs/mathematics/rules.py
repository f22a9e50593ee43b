"""The rules of mathematical problems, pure: claims and answers in any words, decided by a judge.

Interactive Benchmarks v2, section 2.3: the player tests steps of its own derivation against a judge that knows one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interactive_envs.dialogue.free_text import FreeTextTask
from interactive_envs.dialogue.task import Terms
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.requests import judge_request
from interactive_envs.mathematics.problems import solution


@dataclass(frozen=True)
class Shown:
    """What is shown of a problem: its text and the form its answer has."""

    problem: str
    answer_form: str


class MathTask(FreeTextTask[Problem]):
    """Test claims, then answer; a judge decides.

    Args:
        source: the problems.
    """

    short_forms = {"ask": ("ask", "question", "claim", "q"), "answer": ("answer", "final")}  # noqa: RUF012
    question = "claim"
    closed = "Make a claim, or ask a question that can be answered with yes or no."
    action_examples = (
        "<ask>Is the answer greater than 100?</ask>",
        "<ask>Is the answer even?</ask>",
        "<ask>Is the answer a whole number, and is it positive?</ask>",
        "<ask>Is the answer divisible by 3?</ask>",
        "<ask>The answer lies between 10 and 20.</ask>",
        "<answer>42</answer>",
    )
    grammar = {  # noqa: RUF012
        "ask": '"<ask>Is the answer " relation " " number "?</ask>"',
        "answer": '"<answer>" number "</answer>"',
        "": 'relation ::= "at least" | "at most" | "equal to" | "divisible by"\n'
        'number ::= [1-9] [0-9]{0,3} ("/" [1-9] [0-9]{0,2})?',
    }

    def intro(self, case: Problem) -> str:
        """The problem, and the form of its answer."""
        form = f"\n(The answer is {case.answer_form}.)" if case.answer_form else ""
        return _PROBLEM.format(problem=case.text) + form

    def how_to(self, terms: Terms) -> tuple[str, str]:
        """How to test a claim, and how to answer."""
        return _ASK.format(rounds=terms.opening()), "Give the exact answer and nothing else: <answer>…</answer>."

    def judge_request(self, kind: Literal["question", "final"], text: str, case: Problem) -> JudgeRequest:
        """What a judge that knows a derivation is asked; symbols decide most final answers."""
        return judge_request(kind, text, case)

    def show(self, state: Problem) -> Shown:
        """The problem's text."""
        return Shown(state.text, state.answer_form)

    def solution(self, case: Problem) -> str:
        """The answer with its derivation."""
        return f"{case.answer}. {solution(case)}"

    def secrets(self, state: Problem) -> list[str]:
        """The sentences of the derivation."""
        return [fact.text for fact in state.facts if len(fact.text.split()) > 3 and fact.text not in state.text]


_PROBLEM = """A mathematical problem. You may test your steps before you answer.

Problem: {problem}"""

_ASK = """Test one claim a message: <ask>…</ask>. It may be about the answer or about anything on the way to it: an \
equation, a bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part is not) \
or irrelevant (it has no bearing on the problem, or could not be read). {rounds}"""
