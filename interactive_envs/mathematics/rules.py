"""The rules of mathematical problems, pure: claims and answers, decided by fractions or by a judge.

Interactive Benchmarks v2, section 2.3: the player tests steps of its own derivation against a judge that knows one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from interactive_envs.dialogue.free_text import FreeTextTask, Source
from interactive_envs.dialogue.task import PLAIN, Terms, Vocabulary
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.mathematics import formal
from interactive_envs.mathematics.formal import Formal
from interactive_envs.mathematics.generators.base import Hidden, Problem
from interactive_envs.mathematics.judge.requests import judge_request
from interactive_envs.mathematics.problems import solution
from interactive_envs.parsing import Unreadable
from interactive_envs.seeds import canonical_json


@dataclass(frozen=True)
class ShownNumber:
    """What is shown of a hidden number: its name, its least and greatest value, and whether it may be asked for."""

    name: str
    low: int
    high: int
    askable: bool


@dataclass(frozen=True)
class Shown:
    """What is shown of a problem.

    Attributes:
        problem: its text.
        answer_form: the form its answer has.
        hidden: the hidden numbers.
        generator: of a problem with hidden numbers, what kind it is of.
        setting: its text in numbers: a JSON object in which hidden numbers stand by their names, as text.
    """

    problem: str
    answer_form: str
    hidden: tuple[ShownNumber, ...] = ()
    generator: str = ""
    setting: str = ""


class MathTask(FreeTextTask[Problem]):
    """Ask for hidden numbers, test claims, then answer; formal claims are decided here, all else by a judge.

    Args:
        source: the problems.
        answer_claims: whether claims about the answer itself are decided; else they are refused.
    """

    short_forms = {"ask": ("ask", "question", "claim", "q"), "answer": ("answer", "final")}  # noqa: RUF012
    question = "claim"
    closed = "Make a claim, or ask a question that can be answered with yes or no."
    action_examples = (
        "<ask>The number of ways is divisible by 3.</ask>",
        "<ask>The total probability is less than 1/2.</ask>",
        "<ask>f(3) = ?</ask>",
        "<ask>f(1) + f(2) < 20</ask>",
        "<answer>42</answer>",
    )
    grammar = {  # noqa: RUF012
        "ask": '"<ask>" name " " relation "</ask>"',
        "answer": '"<answer>" number "</answer>"',
        "": 'relation ::= "= ?" | "< " number | "> " number | "= " number\n'
        'name ::= [a-zA-Z] [a-z]{0,6} ("(" [A-Z0-9] ("," [A-Z0-9])? ")")?\n'
        'number ::= "-"? [0-9] [0-9]{0,6} ("/" [1-9] [0-9]{0,4})?',
    }

    def __init__(self, source: Source[Problem], *, answer_claims: bool = False) -> None:
        super().__init__(source)
        self._answer_claims = answer_claims

    def intro(self, case: Problem) -> str:
        """The problem, the form of its answer, and its hidden numbers."""
        form = f"\n(The answer is {case.answer_form}.)" if case.answer_form else ""
        if not case.hidden:
            return _PROBLEM.format(problem=case.text) + form
        return f"{_PROBLEM_HIDDEN.format(problem=case.text)}{form}\n\n{_hidden_lines(case.hidden)}"

    def how_to(self, terms: Terms) -> tuple[str, str]:
        """How to test a claim, and how to answer, without examples of a case."""
        ask = _ASK_ANY if self._answer_claims else _ASK
        return ask.format(rounds=terms.opening()), _ANSWER

    def rules(self, case: Problem, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The case and the protocol, with examples of the case's own names."""
        text = super().rules(case, terms, vocabulary)
        if not terms.interaction:
            return text
        ask = self.how_to(terms)[0]
        if not case.hidden:
            named = ""
            if (names := formal.names_of(case)).shown:
                equal = [f"{name} = {names.values[formal.key(name)]}" for name in names.shown]
                named = _FORMULA_TOLD.format(names=formal.listed(equal), name=names.shown[-1])
            return text.replace(ask, f"{ask}{named}")
        about = _ANY_SENTENCES if self._answer_claims else _SENTENCES
        return text.replace(ask, f"{_formula(case)}\n{about}\n\n{terms.opening()}")

    def examples(self, case: Problem) -> tuple[str, ...]:
        """Texts that play well in this case."""
        if not case.hidden:
            return (*self.action_examples[:2], self.action_examples[-1])
        asks = [f"<ask>{text}</ask>" for text in _example_claims(case.hidden)]
        return (*asks, "<answer>42</answer>")

    def read_query(self, state: Problem, body: str, tag: str = "ask") -> str | Unreadable:
        """A formal message, else any closed question or claim."""
        found = formal.read(state, body)
        if isinstance(found, Unreadable):
            return found
        return super().read_query(state, body, tag) if found is None else body

    def read_bare(self, state: Problem, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """One line that ends with a question mark asks, and so does a formal message."""
        line = text.strip()
        found = None if re.search(r"\n|</?\w+>", line) else formal.read(state, line)
        if found is not None:
            return "query", line if isinstance(found, Formal) else found
        return super().read_bare(state, text)

    def judge_query(self, state: Problem, query: str) -> JudgeRequest | None:
        """None for what is decided here; a sentence, or what is to be refused, goes to the judge."""
        found = formal.read(state, query)
        if isinstance(found, Formal) and (found.kind != "answer" or (self._answer_claims and found.reply)):
            return None
        return self.judge_request("question", query, state)

    def reply(
        self, state: Problem, query: str, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[str, Problem]:
        """What is so, or the judge's word."""
        found = formal.read(state, query) if verdict is None else None
        return (found.reply, state) if isinstance(found, Formal) else super().reply(state, query, rng, verdict)

    def render(self, fact: str, vocabulary: Vocabulary = PLAIN) -> str:
        """A value as an equation, a label as its word."""
        return f"{fact}." if "=" in fact else super().render(fact, vocabulary)

    def wrong_fact(self, state: Problem, query: str, rng: np.random.Generator) -> str:
        """Another value of a hidden number, the other word to a formal claim, any label to a sentence."""
        found = formal.read(state, query)
        if not isinstance(found, Formal):
            return super().wrong_fact(state, query, rng)
        if found.hidden is None:
            return "no" if found.reply == "yes" else "yes"
        low, high, value = found.hidden.low, found.hidden.high, found.hidden.value
        other = int(rng.integers(low, high))
        return f"{found.hidden.name} = {other + (other >= value)}"

    def judge_request(self, kind: Literal["question", "final"], text: str, case: Problem) -> JudgeRequest:
        """What a judge that knows a derivation is asked; symbols decide most final answers."""
        return judge_request(kind, text, case, answer_claims=self._answer_claims)

    def show(self, state: Problem) -> Shown:
        """The problem's text, and what it says in numbers."""
        hidden = tuple(ShownNumber(each.name, each.low, each.high, each.askable) for each in state.hidden)
        if not hidden:
            return Shown(state.text, state.answer_form)
        return Shown(state.text, state.answer_form, hidden, state.generator, canonical_json(state.setting))

    def solution(self, case: Problem) -> str:
        """The answer with the hidden numbers and the derivation."""
        hidden = "".join(f" {each.name} = {each.value}." for each in case.hidden)
        return f"{case.answer}.{hidden} {solution(case)}"

    def secrets(self, state: Problem) -> list[str]:
        """The sentences of the derivation."""
        return [fact.text for fact in state.facts if len(fact.text.split()) > 3 and fact.text not in state.text]


def _hidden_lines(hidden: tuple[Hidden, ...]) -> str:
    """Return which numbers are hidden, between which values they lie, and which may be asked for."""
    lines = ["Hidden whole numbers:"]
    groups: dict[tuple[bool, int, int], list[str]] = {}
    for each in hidden:
        groups.setdefault((not each.askable, each.low, each.high), []).append(each.name)
    for (sealed, low, high), names in sorted(groups.items()):
        may = "You cannot ask for the value; make claims." if sealed else "You may ask for the value."
        lines.append(f"- {', '.join(names)}: from {low} to {high}. {may}")
    return "\n".join(lines)


def _formula(case: Problem) -> str:
    """Return how to ask for values and to test formal claims, with examples of the case."""
    claims = _example_claims(case.hidden)
    value = claims.pop(0) if claims[0].endswith("?") else ""
    lines = [f"- Ask for a value: <ask>{value}</ask>."] if value else []
    examples = ", ".join(f"<ask>{claim}</ask>" for claim in claims)
    return "\n".join(["Send one question or claim per message.", *lines, _FORMULA.format(examples=examples)])


def _example_claims(hidden: tuple[Hidden, ...]) -> list[str]:
    """Return a query for a value, where one may be asked, and three formal claims; they tell nothing."""
    asked = next((each for each in hidden if each.askable), None)
    first = next((each for each in hidden if not each.askable), hidden[0])
    second = next(each for each in hidden if each is not first)
    middle = (first.low + first.high + 1) // 2
    return [
        *([f"{asked.name} = ?"] if asked else []),
        f"{first.name} < {middle}",
        f"{first.name} + 2*{second.name} > {middle + second.low + second.high}",
        f"{second.name} mod 3 = 1",
    ]


_PROBLEM = """A mathematical problem. You may test your steps before you answer.

Problem: {problem}"""
_PROBLEM_HIDDEN = """A mathematical problem with hidden numbers. Find out what you need, then answer.

Problem: {problem}"""
_FORMULA = """- Make a formal claim with these names: {examples}. You may use numbers, + - * / ^ mod ( ), gcd, lcm, \
min, max, abs and floor, the relations = != < <= > >= and divides, and the words and, or and not. The reply is yes, \
no, or undefined if, for example, you divide by zero."""
_SENTENCES = """- Or make a claim in words, about the hidden numbers or about a step of your derivation. The reply is \
yes, no, both (part of it is true, part is not) or irrelevant (it has no bearing on the problem).

Claims that name the answer, such as about its size, digits, parity or divisors, are refused. A refusal costs no \
round; it is counted together with what is not understood. A formula in the names above is always decided.

A formula that has a mistake, or a name that the problem does not have, is a message that cannot be parsed."""
_ANY_SENTENCES = """- Or make a claim in words, about the hidden numbers, a step of your derivation or the answer. The \
reply is yes, no, both (part of it is true, part is not) or irrelevant (it has no bearing on the problem).

A formula that has a mistake, or a name that the problem does not have, is a message that cannot be parsed."""
_ASK_ANY = """Test one claim per message: <ask>…</ask>. It may be about the answer or about anything on the way to it: \
an equation, a bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part is \
not) or irrelevant (it has no bearing on the problem). {rounds}"""
_ASK = """Test one claim per message: <ask>…</ask>. It may be about anything on the way to the answer: an equation, a \
bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part is not) or \
irrelevant (it has no bearing on the problem). Claims that name the answer, such as about its size, digits, parity or \
divisors, are refused. A refusal costs no round; it is counted together with what is not understood. {rounds}"""
_FORMULA_TOLD = """ A formula may use these names: {names}. For example: <ask>{name} mod 4 = 1</ask>."""
_ANSWER = "Give the exact answer and nothing else: <answer>…</answer>."
