"""The offline judge of situation puzzles: it answers what some text it knows says word by word, else it abstains.

Finals are compared with the required facts by weights fitted to labelled puzzles. It does not understand what it reads.
Its error is measured, see docs/judges.md.
"""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from math import prod
from typing import Any, ClassVar

import numpy as np

from interactive_envs.errors import JudgeError, MissingExtraError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.situation_puzzle.judge import language, likeness, matching
from interactive_envs.situation_puzzle.judge.likeness import Array, Truth

SOURCE = "offline"
LONGEST_QUESTION = 1000
"""Characters of a question that are read."""
MOST_HEDGES = 2
"""Words like 'or' in a final answer that commits to something."""
MOST_WORDS = 9
"""Content words of one question: of a longer one, some part is likely to be overlooked."""
SURE_OF_TWO = 0.8
"""How certain two questions in one must be together."""
LONGEST_ANSWER = 3
"""A final answer longer than this many solutions lists everything rather than commits to something."""
MOST_ASKED = 1
"""Question marks in a final answer."""
MOST_REPEATS = 2
"""Times that one clause says another again."""
MOST_OF_STORY = 0.65
"""Share of an answer's words that the story has."""
LEAST_WORDS = 0.24
"""How well the words of every required fact must be covered, whatever else speaks for an answer."""
NO_FACTS = "the puzzle gives no facts, so only a judge with a language model can grade explanations"


@dataclass(frozen=True)
class Logistic:
    """A fitted linear model: standardise, weigh, add up.

    Attributes:
        mean: of each feature.
        spread: of each feature.
        weights: one row a class, the bias last.
    """

    mean: Array
    spread: Array
    weights: Array

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Logistic:
        """Read a model of data/offline.json."""
        return cls(*(np.array(content[name], dtype=np.float64) for name in ("mean", "spread", "weights")))

    def __call__(self, features: Array) -> Array:
        """Scores, shape ``(..., classes)``."""
        standard = (features - self.mean) / self.spread
        scores: Array = standard @ self.weights[:, :-1].T + self.weights[:, -1]
        return scores


@dataclass(frozen=True)
class Final:
    """The weights that grade finals for one way to compare.

    Attributes:
        right: the score of right against wrong from the features of a final answer.
        accept: chance of being right from which an answer is accepted.
        refuse: chance below which it is refused; between the two the judge abstains.
    """

    right: Logistic
    accept: float
    refuse: float


class StoryJudge(Judge):
    """Compares with a puzzle's labelled questions, facts and explanations; no network, no key.

    Questions: answered where a labelled question asks just this or a text says just this, word by word (see
    :mod:`interactive_envs.situation_puzzle.judge.matching`), turned round where one of the two is negated; two
    questions in one are answered apart. Finals: correct where every required fact is surely covered and nothing in the
    answer stands out from the truth, incorrect where surely not. On all the rest it abstains: what it does not match,
    lists of alternatives, heaps of key words, praise, denials, and every final on a puzzle without facts.

    Args:
        embeddings: False compares finals by shared words only; None does so where the embeddings are not installed.
    """

    approximate: ClassVar[bool] = True
    caution: ClassVar[str] = (
        "the offline judge replies 'Not understood.' to nearly every question in free text, and what it decides is not "
        "scored: play -k mode=menu, or give a judge with a language model, such as --judge llm:xai/grok-4.1-fast"
    )

    def __init__(self, *, embeddings: bool | None = None) -> None:
        installed = embeddings is not False and _embeddings_installed()
        if embeddings and not installed:
            raise MissingExtraError("the offline judge's sentence embeddings", "local")
        self._vectors = likeness.EMBEDDED if installed else likeness.BY_WORDS
        self._fitted = fitted("embedded" if installed else "by_words")
        self._levels = confidences()
        self._said_no_facts = False
        self.tuned_on = frozenset(_data()["tuned_on"])

    def judge(self, request: JudgeRequest) -> Verdict:
        """Answer a question or grade a final answer.

        Raises:
            JudgeError: the request asks for other labels than those of situation puzzles.
        """
        grade = self._question if request.kind == "question" else self._final
        verdict = grade(request.text, likeness.truth(request.context))
        if verdict.label not in request.labels:
            raise JudgeError(f"judge {SOURCE} says {verdict.label!r}, the task wants {', '.join(request.labels)}")
        return verdict

    def describe(self) -> dict[str, Any]:
        """What it compares by."""
        return {"version": _data()["version"], "similarity": self._vectors.name}

    def _question(self, text: str, truth: Truth) -> Verdict:
        question = language.only_question(text[:LONGEST_QUESTION])
        if question is None:
            return self._verdict("irrelevant", 0.0, "says more than a question", abstained=True)
        word, parts = language.joined(question)
        if not word:
            return self._single(question, truth)
        verdicts = [self._single(part, truth) for part in parts]
        labels = [verdict.label for verdict in verdicts]
        unread = next((verdict for verdict in verdicts if verdict.abstained), None)
        if unread is not None or ("irrelevant" in labels and len(set(labels)) > 1):
            detail = unread.detail if unread else "one of them plays no part"
            return self._verdict("irrelevant", 0.0, f"one of two questions: {detail}", abstained=True)
        confidence = prod(verdict.confidence or 0.0 for verdict in verdicts)
        if confidence < SURE_OF_TWO:
            return self._verdict("irrelevant", 0.0, "two questions in one, not both certain", abstained=True)
        return self._verdict(_joined_label(word, labels), confidence, f"two questions: {' '.join(labels)}")

    def _single(self, text: str, truth: Truth) -> Verdict:
        found = matching.match(text, truth)
        why = None if found.level in matching.EXACT else self._unreadable(text)
        if why is not None:
            return self._verdict("irrelevant", 0.0, why, abstained=True)
        if found.label is None:
            return self._verdict("irrelevant", 0.0, found.source, abstained=True)
        # What it would have said is kept, for the curve of coverage against error.
        sure, unsure = self._levels[found.level], found.level not in answered_levels()
        return self._verdict(found.label, sure, f"{found.level}: {found.source!r}", abstained=unsure)

    @staticmethod
    def _unreadable(text: str) -> str | None:
        """Why a question that is not word for word a labelled one cannot be compared."""
        if not language.words(text):
            return "the question has no words of its own"
        if language.negations(text, question=True) > 1 or language.is_tagged(text) or language.denies_whole(text):
            return "more than one negation, a claim with a tag, or a claim about a claim"
        if len(language.words(text)) > MOST_WORDS:
            return "says more than one question asks"
        return None

    def _final(self, text: str, truth: Truth) -> Verdict:
        if not language.words(text):
            return self._verdict("incorrect", 1.0, "says nothing")
        if not truth.required and not self._said_no_facts:
            self._said_no_facts = True
            logging.getLogger(__name__).warning("judge %s: %s", SOURCE, NO_FACTS)
        why = NO_FACTS if not truth.required else self._ungradable(text, truth)
        if why is not None:
            return self._verdict("incorrect", 0.0, why, abstained=True)
        features = likeness.final(text, truth, self._vectors)
        chance = 1 / (1 + float(np.exp(-self._fitted.right(np.array(features))[0])))
        shown = ", ".join(f"{name} {value:.2f}" for name, value in zip(likeness.FINAL_FEATURES, features, strict=True))
        if chance >= self._fitted.accept and features[1] >= LEAST_WORDS:
            return self._verdict("correct", chance, shown)
        if chance < self._fitted.refuse:
            return self._verdict("incorrect", 1 - chance, shown)
        return self._verdict("incorrect", 0.0, f"neither surely right nor surely wrong; {shown}", abstained=True)

    @staticmethod
    def _ungradable(text: str, truth: Truth) -> str | None:
        """Why a final answer is not one plain explanation that can be compared with the facts."""
        many, count = language.hedges(text), len(text.split())
        longest = LONGEST_ANSWER * max(50, len(truth.solution.split()))
        known = " ".join((truth.setup, *truth.right)).lower()
        used = language.words(text)
        allowed = max(map(language.denials, truth.right), default=0) + 1
        if many > MOST_HEDGES or count > longest or len(text) > longest * 20:
            return f"lists alternatives or everything ({many} words like 'or')"
        if language.is_heap(text):
            return "a heap of key words"
        if text.count("?") > MOST_ASKED:
            return "asks rather than says"
        if language.enumerates(text):
            return "goes through several explanations, or contradicts itself"
        boast = next((words for words in language.praise(text) if words not in known), None)
        if boast is not None:
            return f"praises itself: {boast!r}"
        if language.repeats(text) >= MOST_REPEATS:
            return "says nearly the same again and again, as lists of alternatives do"
        if len(used & language.words(truth.setup)) > MOST_OF_STORY * len(used):
            return "tells the story back"
        if language.denies_whole(text) and not any(map(language.denies_whole, truth.right)):
            return "says of what it tells that it is not so"
        if language.denials(text) > allowed:
            return "denies more than the truth does"
        denied = next((fact for fact in truth.required if language.denies(text, fact)), None)
        return None if denied is None else f"contradicts {denied!r}"

    def _verdict(self, label: str, confidence: float, detail: str, *, abstained: bool = False) -> Verdict:
        bounded = round(min(1.0, max(0.0, confidence)), 4)
        return Verdict(label, f"{detail} [{self._vectors.name}]", bounded, SOURCE, abstained)


@functools.cache
def fitted(mode: str) -> Final:
    """The committed weights for ``embedded`` or ``by_words``."""
    content = _data()[mode]
    return Final(Logistic.of(content["final"]), content["accept"], content["refuse"])


def confidences() -> dict[str, float]:
    """How often each level of a match is right, from the counts on the tuning puzzles; one hit and one miss added."""
    counts: Mapping[str, Sequence[int]] = _data()["levels"]
    return {level: (right + 1) / (n + 2) for level, (right, n) in counts.items()} | {"verbatim": 1.0}


def answered_levels() -> tuple[matching.Level, ...]:
    """The levels of a match at which a question is answered."""
    return matching.LEVELS[: matching.LEVELS.index(_data()["answered"]) + 1]


@functools.cache
def _data() -> dict[str, Any]:
    file = resources.files("interactive_envs.situation_puzzle.judge") / "data" / "offline.json"
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _joined_label(word: str, labels: Sequence[str]) -> str:
    """The answer to two questions in one.

    >>> _joined_label("and", ["yes", "no"]), _joined_label("or", ["yes", "no"]), _joined_label("and", ["no", "no"])
    ('both', 'yes', 'no')
    """
    different = set(labels)
    if len(different) == 1:
        return labels[0]
    if word == "or" and "yes" in different:
        return "yes"
    return "both"


def _embeddings_installed() -> bool:
    from interactive_envs.llm import embeddings

    return embeddings.available()
