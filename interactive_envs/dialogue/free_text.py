"""Dialogues in any words: closed questions and final answers that a judge decides, and where their cases come from."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import numpy as np

from interactive_envs.dialogue.datasets import Named
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Falsifiable, Terms, Vocabulary, up_to
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.parsing import Unreadable, is_open
from interactive_envs.seeds import canonical_json

LABELS = ("yes", "no", "both", "irrelevant")
"""What a judge may answer to a question (Interactive Benchmarks v2, sections 2.1 and 2.3)."""
FINALS = ("correct", "incorrect")
MAX_QUESTION = 1_000
"""Characters."""

CaseT = TypeVar("CaseT", bound=Named)
DrawnT = TypeVar("DrawnT", covariant=True)


class Source(Protocol[DrawnT]):
    """Where cases come from."""

    def ids(self) -> Sequence[str] | None:
        """The cases' ids in order, None where they have no end."""

    def draw(self, rng: np.random.Generator, case_id: str | None = None, /) -> DrawnT:
        """The case named, else one drawn; ``rng`` moves on alike in both cases."""

    def sha256(self) -> str:
        """Hash of what decides the cases' content."""


class Listed(Generic[CaseT]):
    """A fixed list of cases, which are frozen dataclasses."""

    def __init__(self, cases: Sequence[CaseT]) -> None:
        self.cases = tuple(cases)
        self._by_id = {case.id: case for case in cases}

    def ids(self) -> Sequence[str]:
        """The ids in the list's order."""
        return list(self._by_id)

    def draw(self, rng: np.random.Generator, case_id: str | None = None, /) -> CaseT:
        """The case named, else one of the list."""
        drawn = int(rng.integers(len(self.cases)))
        return self.cases[drawn] if case_id is None else self._by_id[case_id]

    def sha256(self) -> str:
        """Hash of the cases' content."""
        return sha256(self.cases)


@functools.lru_cache(maxsize=8)
def sha256(cases: tuple[Any, ...]) -> str:
    """Hash of the content of dataclasses."""
    return hashlib.sha256(canonical_json([dataclasses.asdict(case) for case in cases]).encode()).hexdigest()


class FreeTextTask(DialogueTask[CaseT, CaseT], Falsifiable[CaseT]):
    """Ask any closed question, answer in any words; a judge decides both.

    Subclasses say what is shown, and what a judge is asked.

    Args:
        source: the cases.
    """

    judged = True
    question: ClassVar[str] = "question"
    """What a query is called in messages."""
    answer: ClassVar[str] = "answer"
    """What a final answer is called in messages, after ``an``."""
    unparsed: ClassVar[str] = "no action, several actions, or an invalid format"
    """Examples of messages that cannot be parsed."""
    closed: ClassVar[str] = "Ask a question that can be answered with yes or no."
    """The reply to an open question."""

    def __init__(self, source: Source[CaseT]) -> None:
        self._source = source

    @abstractmethod
    def intro(self, case: CaseT) -> str:
        """What is shown of the case."""

    @abstractmethod
    def how_to(self, terms: Terms) -> tuple[str, str]:
        """How to ask, and how to answer."""

    @abstractmethod
    def judge_request(self, kind: Literal["question", "final"], text: str, case: CaseT) -> JudgeRequest:
        """What a judge is asked about a question or a final answer; its labels are ``LABELS`` or ``FINALS``."""

    def case_ids(self) -> Sequence[str] | None:
        """The cases' ids in order, None where they have no end."""
        return self._source.ids()

    def data_sha256(self) -> str:
        """Hash of the cases' content."""
        return self._source.sha256()

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> CaseT:
        """Draw a case if none is named."""
        return self._source.draw(rng, case_id)

    def case_id(self, case: CaseT) -> str:
        """The case's id."""
        return case.id

    def rules(self, case: CaseT, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The case and the protocol."""
        ask, answer = self.how_to(terms)
        closing = terms.closing(self.unparsed) if terms.interaction else terms.closing()
        costs = f"{_unclear(terms)}\n\n{closing}"
        score = f"If your {self.answer} is right you score 1, otherwise 0."
        blocks = [self.intro(case), *([ask] if terms.interaction else []), f"{answer} {_tries(terms)} {score}", costs]
        return "\n\n".join(blocks)

    def start(self, case: CaseT) -> CaseT:
        """Nothing changes in the case while it is asked about."""
        return case

    def case_of(self, state: CaseT) -> CaseT:
        """The state is the case."""
        return state

    def read_query(self, state: CaseT, body: str, tag: str = "ask") -> str | Unreadable:
        """Any closed question or claim."""
        if len(body) > MAX_QUESTION:
            return Unreadable(f"A {self.question} has at most {MAX_QUESTION} characters.")
        if not re.search(r"\w", body):
            return Unreadable(f"That is not a {self.question}.")
        return Unreadable(self.closed) if is_open(body) else body

    def read_answer(self, state: CaseT, body: str) -> str | Unreadable:
        """Any text that says something."""
        return body if re.search(r"\w", body) else Unreadable(f"That is not an {self.answer}.")

    def read_bare(self, state: CaseT, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """One line that ends with a question mark asks."""
        if re.fullmatch(r"[^<>:\n]{3,}\?", text.strip()):
            return "query", self.read_query(state, text.strip())
        return None

    def judge_query(self, state: CaseT, query: str) -> JudgeRequest | None:
        """Every question goes to the judge."""
        return self.judge_request("question", query, state)

    def judge_answer(self, state: CaseT, answer: str) -> JudgeRequest:
        """Every answer goes to the judge."""
        return self.judge_request("final", answer, state)

    def reply(
        self, state: CaseT, query: str, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[str, CaseT]:
        """The judge's word, nothing else of its verdict."""
        return _given(verdict).label, state

    def render(self, fact: str, vocabulary: Vocabulary = PLAIN) -> str:
        """The label's word."""
        return f"{fact.capitalize()}."

    def check(self, state: CaseT, answer: str, verdict: Verdict | None = None) -> bool:
        """Whether the judge says correct."""
        return _given(verdict).label == "correct"

    def wrong_fact(self, state: CaseT, query: str, rng: np.random.Generator) -> str:
        """Any label, since the true one is the judge's to say."""
        return str(rng.choice(LABELS))


_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def _tries(terms: Terms) -> str:
    """How many answers there are."""
    if not terms.interaction:
        return "You may answer only once, and you cannot ask anything."
    if terms.finals == 1:
        return "You may answer only once: your first answer ends the game."
    if terms.finals is None or terms.finals >= terms.budget:
        return "After a wrong answer the game goes on as long as you have rounds left."
    last = _ORDINALS.get(terms.finals, "last")
    return f"You may answer {up_to(terms.finals)}; the game is over after the {last} wrong answer."


def _unclear(terms: Terms) -> str:
    """What a message costs that is well-formed and that the judge does not understand."""
    if not terms.interaction:
        return 'If the judge does not understand your answer, the reply is "Not understood." You may rephrase it once.'
    return (
        'If the judge does not understand a question or an answer, the reply is "Not understood." It means neither yes '
        "nor no, and it does not count as an answer. This costs no round, "
        f"{up_to(terms.budget)} per game; after that it costs one."
    )


def _given(verdict: Verdict | None) -> Verdict:
    if verdict is None:
        raise ConfigError("what a judge decides needs a verdict; call env.step, or env.resolve(verdict)")
    return verdict
