"""The rules of mathematical problems, pure: claims and answers in any words, decided by a judge.

Interactive Benchmarks v2, section 2.3: the player tests steps of its own derivation against a judge that knows one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from interactive_envs.core import PLAIN, DialogueTask, JudgeRequest, Terms, Verdict, Vocabulary
from interactive_envs.errors import ConfigError
from interactive_envs.mathematics.base import Problem
from interactive_envs.mathematics.problems import Source, solution
from interactive_envs.parsing import Unreadable, is_open

LABELS = ("yes", "no", "both", "irrelevant")
FINALS = ("correct", "incorrect")
MAX_CLAIM = 1_000
MAX_ANSWER = 1_000
"""Characters."""
TASK = "math"


@dataclass(frozen=True)
class Shown:
    """What is shown of a problem: its text and the form its answer has."""

    problem: str
    answer_form: str


class MathTask(DialogueTask[Problem, Problem]):
    """Test claims, then answer; a judge decides.

    Args:
        source: the problems.
    """

    short_forms = {"ask": ("ask", "question", "claim", "q"), "answer": ("answer", "final")}  # noqa: RUF012
    judged = True
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

    def __init__(self, source: Source) -> None:
        self._source = source

    def case_ids(self) -> Sequence[str] | None:
        """The problems' ids, None where they have no end."""
        return self._source.ids()

    def data_sha256(self) -> str:
        """Hash of the problems' content."""
        return self._source.sha256()

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> Problem:
        """Draw a problem if none is named."""
        return self._source.draw(rng, case_id)

    def case_id(self, case: Problem) -> str:
        """The problem's id."""
        return case.id

    def rules(self, case: Problem, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The problem and the protocol."""
        blocks = [_PROBLEM.format(problem=case.text)]
        if case.answer_form:
            blocks[0] += f"\n(The answer is {case.answer_form}.)"
        if terms.interaction:
            blocks.append(_ASK.format(rounds=terms.opening()))
        tries = "A wrong answer costs a round; you may try again." if terms.interaction else "You have one answer."
        blocks.append(f"Give the exact answer and nothing else: <answer>…</answer>. {tries}")
        return "\n\n".join([*blocks, terms.closing()])

    def start(self, case: Problem) -> Problem:
        """Nothing changes in a problem while it is asked about."""
        return case

    def case_of(self, state: Problem) -> Problem:
        """The state is the case."""
        return state

    def read_query(self, state: Problem, body: str, tag: str = "ask") -> str | Unreadable:
        """Any claim or closed question."""
        if len(body) > MAX_CLAIM:
            return Unreadable(f"A claim has at most {MAX_CLAIM} characters.")
        if not re.search(r"\w", body):
            return Unreadable("That is not a claim.")
        if is_open(body):
            return Unreadable("Make a claim, or ask a question that can be answered with yes or no.")
        return body

    def read_answer(self, state: Problem, body: str) -> str | Unreadable:
        """Any text that says something."""
        if len(body) > MAX_ANSWER:
            return Unreadable(f"An answer has at most {MAX_ANSWER} characters.")
        return body if re.search(r"\w", body) else Unreadable("That is not an answer.")

    def read_bare(self, state: Problem, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """One line that ends with a question mark asks."""
        if re.fullmatch(r"[^<>:\n]{3,}\?", text.strip()):
            return "query", self.read_query(state, text.strip())
        return None

    def judge_query(self, state: Problem, query: str) -> JudgeRequest:
        """Every claim goes to the judge."""
        return JudgeRequest("question", query, LABELS, judge_context(state), TASK)

    def judge_answer(self, state: Problem, answer: str) -> JudgeRequest:
        """Every answer goes to the judge."""
        return JudgeRequest("final", answer, FINALS, judge_context(state), TASK)

    def reply(
        self, state: Problem, query: str, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[str, Problem]:
        """The judge's word, nothing else of its verdict."""
        return _verdict(verdict).label, state

    def render(self, fact: str, vocabulary: Vocabulary = PLAIN) -> str:
        """The label's word."""
        return f"{fact.capitalize()}."

    def check(self, state: Problem, answer: str, verdict: Verdict | None = None) -> bool:
        """Whether the judge says correct."""
        return _verdict(verdict).label == "correct"

    def show(self, state: Problem) -> Shown:
        """The problem's text."""
        return Shown(state.text, state.answer_form)

    def solution(self, case: Problem) -> str:
        """The answer with its derivation."""
        return f"{case.answer}. {solution(case)}"

    def secrets(self, state: Problem) -> list[str]:
        """The sentences of the derivation."""
        return [fact.text for fact in state.facts if len(fact.text.split()) > 3 and fact.text not in state.text]

    def wrong_fact(self, state: Problem, query: str, rng: np.random.Generator) -> str:
        """Any label, since the true one is the judge's to say."""
        return str(rng.choice(LABELS))


def judge_context(problem: Problem) -> dict[str, Any]:
    """What a judge may know of a problem, see :class:`interactive_envs.core.JudgeRequest`."""
    return {"problem": problem.as_json(), "solution": solution(problem)}


def _verdict(verdict: Verdict | None) -> Verdict:
    if verdict is None:
        raise ConfigError("claims and answers need a verdict; call env.step, or env.resolve(verdict)")
    return verdict


_PROBLEM = """A mathematical problem. You may test your steps before you answer.

Problem: {problem}"""

_ASK = """Test one claim a message: <ask>…</ask>. It may be about the answer or about anything on the way to it: an \
equation, a bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part is not) \
or irrelevant (it has no bearing on the problem, or could not be read). {rounds}"""
