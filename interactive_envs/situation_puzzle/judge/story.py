"""The offline judge of situation puzzles: it compares texts, is fitted to labelled puzzles, and abstains when unsure.

It does not understand what it reads. Its error is measured, see docs/judges.md.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from math import prod
from typing import Any, ClassVar

import numpy as np

from interactive_envs.errors import JudgeError, MissingExtraError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.situation_puzzle.judge import language, likeness
from interactive_envs.situation_puzzle.judge.likeness import Array, Truth

SOURCE = "offline"
LABELS = ("yes", "no", "both", "irrelevant")
FLIPPED = {"yes": "no", "no": "yes", "both": "both", "irrelevant": "irrelevant"}
SMALLEST_SHARE = 0.02
"""Added to each label's share, whose logarithm is a feature."""
NO_SCORE = -5.0
"""The best score where no question is labelled: as low as scores of fitted puzzles come."""
LONGEST_QUESTION = 1000
"""Characters of a question that are read."""
MOST_HEDGES = 2
"""Words like 'or' in a final answer that commits to something."""
MOST_WORDS = 7
"""Content words of one question: 98 % of the labelled ones have no more, and of a longer one a part goes uncompared."""
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
ALIKE, COVERED, UNLIKE = 0.66, 0.14, 0.5
"""Without facts: likeness to the solution that is right, share of its own words needed, likeness that is wrong."""


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
class Fitted:
    """The weights for one way to compare.

    Attributes:
        pair: how likely a labelled question asks the same as the player's.
        label: the four labels of a question, from :func:`question_features`.
        sure: probability of a label below which the judge abstains.
        final: right against wrong from the features of a final answer.
    """

    pair: Logistic
    label: Logistic
    sure: float
    final: Logistic


class StoryJudge(Judge):
    """Compares with a puzzle's labelled questions, facts and worlds; no network, no key.

    Questions: which labelled ones ask the same, turned round where one of the two is negated, and whether the truth
    or a wrong world speaks of the matter; two questions in one are answered apart. Below a certainty it says irrelevant
    with ``abstained``. Finals: whether every required fact is covered and nothing in the answer stands out from the
    truth. Lists of alternatives, heaps of key words and denials are wrong. Without facts a final is compared with the
    solution, and abstained where that is unclear.

    Args:
        embeddings: False compares by shared words only; None does so where the embeddings are not installed.
    """

    approximate: ClassVar[bool] = True

    def __init__(self, *, embeddings: bool | None = None) -> None:
        installed = embeddings is not False and _embeddings_installed()
        if embeddings and not installed:
            raise MissingExtraError("the offline judge's sentence embeddings", "local")
        self._vectors = likeness.EMBEDDED if installed else likeness.BY_WORDS
        self._fitted = fitted("embedded" if installed else "by_words")
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
        if not language.words(text):
            return self._verdict("irrelevant", 0.0, "the question has no words of its own", abstained=True)
        same = next((label for asked, label in truth.questions if _plain(asked) == _plain(text)), None)
        if same is not None:
            return self._verdict(same, 1.0, "a labelled question word for word")
        alike = [(asked, label) for asked, label in truth.questions if _same_words(asked, text)]
        if len(alike) == 1:
            asked, label = alike[0]
            return self._verdict(_turned(label, _contrary(asked, text)), 0.95, f"has the words of {asked!r}")
        if language.negations(text, question=True) > 1 or language.is_tagged(text) or language.denies_whole(text):
            why = "more than one negation, a claim with a tag, or a claim about a claim"
            return self._verdict("irrelevant", 0.0, why, abstained=True)
        if len(language.words(text)) > MOST_WORDS:
            return self._verdict("irrelevant", 0.0, "says more than one question asks", abstained=True)
        scores, nearest, near = np.zeros(0), "", "no labelled questions"
        if truth.questions:
            scores = self._fitted.pair(likeness.pairs(text, truth, self._vectors))[:, 0]
            nearest = truth.questions[int(scores.argmax())][0]
            near = f"nearest question {nearest!r}"
        about = likeness.about(text, truth, self._vectors)
        chances = softmax(self._fitted.label(question_features(text, truth, scores, about)))
        choice = int(chances.argmax())
        label = _turned(LABELS[choice], language.negated(text, question=True))
        if chances[choice] < self._fitted.sure or (language.couples(text) and not language.couples(nearest)):
            return self._verdict("irrelevant", 0.0, f"unsure; {near}", abstained=True)
        return self._verdict(label, float(chances[choice]), near)

    def _final(self, text: str, truth: Truth) -> Verdict:
        if not language.words(text):
            return self._verdict("incorrect", 1.0, "says nothing")
        many, count = language.hedges(text), len(text.split())
        longest = LONGEST_ANSWER * max(50, len(truth.solution.split()))
        if many > MOST_HEDGES or count > longest or len(text) > longest * 20:
            return self._verdict("incorrect", 0.8, f"lists alternatives or everything ({many} words like 'or')")
        if language.is_heap(text):
            return self._verdict("incorrect", 0.8, "a heap of key words")
        if text.count("?") > MOST_ASKED:
            return self._verdict("incorrect", 0.8, "asks rather than says")
        if language.enumerates(text):
            return self._verdict("incorrect", 0.8, "goes through several explanations, or contradicts itself")
        known = " ".join((truth.setup, *truth.right)).lower()
        boast = next((words for words in language.praise(text) if words not in known), None)
        if boast is not None:
            return self._verdict("incorrect", 0.8, f"praises itself: {boast!r}")
        if language.repeats(text) >= MOST_REPEATS:
            return self._verdict("incorrect", 0.8, "says nearly the same again and again, as lists of alternatives do")
        used = language.words(text)
        if len(used & language.words(truth.setup)) > MOST_OF_STORY * len(used):
            return self._verdict("incorrect", 0.8, "tells the story back")
        if not truth.required:
            return self._against_solution(text, truth)
        allowed = max(map(language.denials, truth.right), default=0) + 1
        if language.denies_whole(text) and not any(map(language.denies_whole, truth.right)):
            return self._verdict("incorrect", 0.7, "says of what it tells that it is not so")
        if language.denials(text) > allowed:
            return self._verdict("incorrect", 0.7, "denies more than the truth does")
        denied = next((fact for fact in truth.required if language.denies(text, fact)), None)
        if denied is not None:
            return self._verdict("incorrect", 0.7, f"contradicts {denied!r}")
        features = likeness.final(text, truth, self._vectors)
        chance = 1 / (1 + float(np.exp(-self._fitted.final(np.array(features))[0])))
        shown = ", ".join(f"{name} {value:.2f}" for name, value in zip(likeness.FINAL_FEATURES, features, strict=True))
        right = chance >= 0.5 and features[1] >= LEAST_WORDS
        return self._verdict("correct" if right else "incorrect", chance if right else max(1 - chance, 0.5), shown)

    def _against_solution(self, text: str, truth: Truth) -> Verdict:
        """No facts: only whole texts can be compared, which says little; so the middle is left open."""
        mine = self._vectors.text(text)
        near = max(float(self._vectors.text(right) @ mine) for right in truth.right)
        known = language.words(truth.setup)
        own = language.words(truth.solution) - known
        shared = len(own & language.words(text)) / len(own) if own else 1.0
        denies = language.denials(text) > language.denials(truth.solution) + 1
        numbers = f"no facts given; like the solution {near:.2f}; own words {shared:.2f}"
        if near < UNLIKE:
            return self._verdict("incorrect", 1 - near, numbers)
        if near >= ALIKE and shared >= COVERED and not denies:
            return self._verdict("correct", near, numbers)
        return self._verdict("incorrect", 0.0, f"unsure; {numbers}", abstained=True)

    def _verdict(self, label: str, confidence: float, detail: str, *, abstained: bool = False) -> Verdict:
        bounded = round(min(1.0, max(0.0, confidence)), 4)
        return Verdict(label, f"{detail} [{self._vectors.name}]", bounded, SOURCE, abstained)


def question_features(text: str, truth: Truth, scores: Array, about: Sequence[float]) -> Array:
    """What decides the label of a question in its un-negated sense.

    How the labels share the chances that a labelled question asks the same, how like the likeliest is, and where the
    question's matter is found.

    Args:
        text: the question.
        truth: what the judge knows.
        scores: of each labelled question, how likely it asks the same.
        about: see :func:`interactive_envs.situation_puzzle.judge.likeness.about`.
    """
    shares = np.log(shares_of(text, truth, scores) + SMALLEST_SHARE)
    return np.array([*shares, scores.max(initial=NO_SCORE), *about])


def shares_of(text: str, truth: Truth, scores: Array) -> Array:
    """What share of the likely same questions has each label, in their un-negated sense."""
    if not len(scores):
        return np.full(len(LABELS), 1 / len(LABELS))
    shares, mine = np.zeros(len(LABELS)), language.words(text)
    for chance, (asked, label) in zip(softmax(scores), truth.questions, strict=True):
        turned = language.negated(asked, question=True) != language.opposed(mine, language.words(asked))
        shares[LABELS.index(_turned(label, turned))] += chance
    return shares


def softmax(scores: Array) -> Array:
    """Scores as chances."""
    powers = np.exp(scores - scores.max())
    chances: Array = powers / powers.sum()
    return chances


@functools.cache
def fitted(mode: str) -> Fitted:
    """The committed weights for ``embedded`` or ``by_words``."""
    content = _data()[mode]
    return Fitted(
        Logistic.of(content["pair"]),
        Logistic.of(content["label"]),
        content["sure"],
        Logistic.of(content["final"]),
    )


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


def _same_words(left: str, right: str) -> bool:
    """Whether two questions have the same content words, un- apart.

    >>> _same_words("Was he justly punished?", "Wasn't he punished unjustly?")
    True
    """
    bare = [{word.removeprefix("un") for word in language.words(text)} for text in (left, right)]
    return bare[0] == bare[1]


def _contrary(left: str, right: str) -> bool:
    """Whether of two questions in the same words one asks the opposite."""
    negation = language.negated(left, question=True) != language.negated(right, question=True)
    return negation != language.opposed(language.words(left), language.words(right))


def _turned(label: str, turned: bool) -> str:
    return FLIPPED[label] if turned else label


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(" ?.!")


def _embeddings_installed() -> bool:
    from interactive_envs.llm import embeddings

    return embeddings.available()
