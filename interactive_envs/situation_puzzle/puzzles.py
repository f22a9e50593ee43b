"""Puzzle files: their format, and what reads it.

A puzzle needs ``id``, ``title``, ``setup`` and ``solution``. ``facts`` (with the ones a final answer must
contain), labelled ``questions``, ``restatements`` of the right explanation and ``near_misses`` help the offline
judge; ``explanations`` with a label for each question make the menu mode possible.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Protocol

from interactive_envs.dialogue import datasets, free_text
from interactive_envs.dialogue.datasets import Entry
from interactive_envs.dialogue.free_text import LABELS

LETTERS = {label[0]: index for index, label in enumerate(LABELS)}
MAX_QUESTIONS = 64
MAX_EXPLANATIONS = 12
MAX_EXPLANATION = 5_000
MAX_QUESTION = 1_000
"""Characters; together they keep the longest menu within an observation."""


@dataclass(frozen=True)
class Fact:
    """A fact of the hidden story; ``required`` ones must be in a right final answer."""

    text: str
    required: bool


@dataclass(frozen=True)
class Question:
    """A labelled question; ``labels[j]`` indexes :data:`LABELS` for explanation ``j``.

    Without explanations there is one label, the hidden story's. ``paraphrases`` ask the same in other words: they
    test judges, which never see them.
    """

    text: str
    labels: tuple[int, ...]
    paraphrases: tuple[str, ...] = ()


@dataclass(frozen=True)
class NearMiss:
    """A wrong answer that has most of the explanation right; ``lacks`` indexes the fact it has wrong."""

    text: str
    lacks: int


@dataclass(frozen=True)
class Puzzle:
    """A situation puzzle; the first explanation is the right one, ``restatements`` put it in other words."""

    id: str
    title: str
    setup: str
    solution: str
    facts: tuple[Fact, ...] = ()
    questions: tuple[Question, ...] = ()
    explanations: tuple[str, ...] = ()
    restatements: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    difficulty: int | None = None

    @property
    def right(self) -> tuple[str, ...]:
        """The right explanation in every wording there is, the solution apart."""
        return self.explanations[:1] + self.restatements

    @property
    def wrong(self) -> tuple[str, ...]:
        """Explanations that are not right, near misses last."""
        return self.explanations[1:] + tuple(miss.text for miss in self.near_misses)

    @property
    def has_menu(self) -> bool:
        """Whether it can be played in menu mode."""
        return bool(self.explanations and self.questions)

    def judge_context(self) -> dict[str, Any]:
        """What a judge may know of it, see :func:`interactive_envs.situation_puzzle.judge.requests.judge_request`."""
        return {
            "setup": self.setup,
            "solution": self.solution,
            "facts": [{"text": fact.text, "required": fact.required} for fact in self.facts],
            "questions": [{"text": q.text, "label": LABELS[q.labels[0]]} for q in self.questions],
            "explanations": list(self.right),
            "wrong": list(self.wrong),
        }


class Source(free_text.Source[Puzzle], Protocol):
    """Where puzzles come from."""

    def without_menu(self) -> Sequence[str]:
        """Ids of puzzles that the menu mode cannot play."""


class Listed(free_text.Listed[Puzzle]):
    """A fixed list of puzzles."""

    def without_menu(self) -> Sequence[str]:
        """Ids of puzzles without labelled explanations."""
        return [puzzle.id for puzzle in self.cases if not puzzle.has_menu]


def load(dataset: str | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a data set, see :func:`interactive_envs.dialogue.datasets.load`; the package's own without one."""
    return _own() if dataset is None else datasets.load(dataset, read_puzzle, "a puzzle")


@functools.cache
def _own() -> tuple[Puzzle, ...]:
    folder = files("interactive_envs.situation_puzzle") / "data" / "puzzles"
    with_names = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir())
    entries = (Entry(json.loads(text), name, None, "a puzzle") for name, text in with_names if name.endswith(".json"))
    return tuple(map(read_puzzle, entries))


def read_puzzle(entry: Entry) -> Puzzle:
    """A puzzle out of its JSON object.

    Raises:
        DatasetError: a field cannot be used.
    """

    def line_of(holder: Mapping[str, Any], name: str, place: str, most: int) -> str:
        # Menus give each item one line.
        return " ".join(entry.text(name, within=holder, place=place, most=most).split())

    def lines(values: list[Any], name: str, most: int) -> list[str]:
        texts: list[str] = []
        for position, value in enumerate(values):
            place = f"{name}[{position}]"
            texts.append(line_of({place: value}, place, place, most))
            if texts[-1] in texts[:-1]:
                entry.refuse(place, f"repeats {name}[{texts.index(texts[-1])}]")
        return texts

    explanations = lines(entry.items("explanations", MAX_EXPLANATIONS), "explanations", MAX_EXPLANATION)
    if len(explanations) == 1:
        entry.refuse("explanations", "has one item; give the right one and at least one wrong one, or none")

    facts = []
    for position, fact in enumerate(entry.items("facts", MAX_QUESTIONS)):
        place = f"facts[{position}]"
        if isinstance(fact, str):
            fact = {"text": fact, "required": True}
        if not isinstance(fact, dict) or not isinstance(fact.get("required", False), bool):
            entry.refuse(place, f"needs a text, or an object with text and required (true or false), got {fact!r}")
        facts.append(Fact(entry.text("text", within=fact, place=f"{place}.text"), fact.get("required", False)))

    questions = []
    wanted = max(1, len(explanations))
    for position, question in enumerate(entry.items("questions", MAX_QUESTIONS)):
        place = f"questions[{position}]"
        if not isinstance(question, dict):
            entry.refuse(place, f"needs an object with text and label or labels, got {question!r}")
        letters = question.get("labels", str(question.get("label", ""))[:1])
        if "label" in question and question["label"] not in LABELS:
            entry.refuse(f"{place}.label", f"must be one of {', '.join(LABELS)}, got {question['label']!r}")
        if not isinstance(letters, str) or len(letters) != wanted or set(letters) - set(LETTERS):
            need = f"needs {wanted} letters of {''.join(LETTERS)}, one per explanation"
            entry.refuse(f"{place}.labels", f"{need}, got {letters!r}")
        labels = tuple(LETTERS[letter] for letter in letters)
        again = question.get("paraphrases", [])
        if not isinstance(again, list):
            entry.refuse(f"{place}.paraphrases", f"needs a list, got {type(again).__name__}")
        paraphrases = tuple(lines(again, f"{place}.paraphrases", MAX_QUESTION))
        questions.append(Question(line_of(question, "text", f"{place}.text", MAX_QUESTION), labels, paraphrases))

    near_misses = []
    for position, miss in enumerate(entry.items("near_misses", MAX_EXPLANATIONS)):
        place = f"near_misses[{position}]"
        if not isinstance(miss, dict):
            entry.refuse(place, f"needs an object with text and lacks, got {miss!r}")
        lacks = miss.get("lacks")
        if not isinstance(lacks, int) or isinstance(lacks, bool) or not 0 <= lacks < len(facts):
            entry.refuse(f"{place}.lacks", f"must be the index of a fact, 0 to {len(facts) - 1}, got {lacks!r}")
        near_misses.append(NearMiss(line_of(miss, "text", f"{place}.text", MAX_EXPLANATION), lacks))

    return Puzzle(
        id=entry.text("id"),
        title=entry.text("title"),
        setup=entry.text("setup"),
        solution=entry.text("solution"),
        facts=tuple(facts),
        questions=tuple(questions),
        explanations=tuple(explanations),
        restatements=tuple(lines(entry.items("restatements", MAX_EXPLANATIONS), "restatements", MAX_EXPLANATION)),
        near_misses=tuple(near_misses),
        difficulty=entry.difficulty(),
    )
