"""A judge without a model endpoint: annotations first, then sentence similarity, never a guess it hides.

First version. It matches texts; it does not understand them. What it cannot place it says so: ``abstained``.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from math import log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.core import JudgeRequest, Verdict
from interactive_envs.errors import JudgeError, MissingExtraError
from interactive_envs.judges.base import Judge

FLIPPED = {"yes": "no", "no": "yes"}
_SUFFIXES = ("ingly", "edly", "ness", "ment", "ing", "ied", "ies", "ed", "es", "ly", "s", "er", "e", "y")
_NEGATION = re.compile(
    r"\b(?:not|no|nobody|never|nothing|none|neither|nor|nowhere|cannot|unaware|unable|unimportant|irrelevant"
    r"|skip\w*|miss(?:ed|es|ing)?|fail\w*|lack\w*|refus\w+|forg[eo]t\w*|(?!un)\w{3,}less)\b|(?<=\w)n't\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\bnot only\b|\bwith no\b|\bnot\b[^,.;]*,?(?= but\b)|,(?: and)? not\b[^,.;?]*"
    r"|\b(?:rather than|instead of)\b[^,.;?]*",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(r"^\W*\w+n't\b", re.IGNORECASE)
_FRAME = re.compile(
    r"\b(?:matter\w*|important|importance|involved|relevant|significant|play\w* an? (?:\w+ )?(?:part|role)"
    r"|(?:part|point) of)\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(r"\b(?:or|maybe|perhaps|possibly|alternatively|either)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[a-z0-9\")][.!?:;])\s+")
_CLAUSE = re.compile(
    r",\s+(?:and|but|so|because|while|since|which|who)?\s*|;\s*|\s+(?:because|so that|but|while|and)\s+", re.IGNORECASE
)


@dataclass(frozen=True)
class Thresholds:
    """Where the judge is sure; calibrated on tests/judges/data/calibration.jsonl.

    Attributes:
        match: a labelled question this near settles the question before the facts are asked.
        near_match: one this near settles it after them.
        fact: similarity of a question to a fact that holds most of its words.
        held: share of the question's words which that fact must hold.
        far: nothing of the story is this near: irrelevant.
        covered: least similarity of each required fact to some clause of a final answer.
        covered_mean: least mean of those.
        words: share of the required facts' own words, those the story does not have, in a final answer.
        contradiction: lead of a clause of opposite polarity over the best of the fact's own.
        solution: similarity to the whole solution that is right where there are no facts.
        solution_words: least share of the solution's own words that it then also needs.
        not_solution: similarity below which it is surely wrong there.
    """

    match: float
    near_match: float
    fact: float
    held: float
    far: float
    covered: float
    covered_mean: float
    words: float
    contradiction: float
    solution: float
    solution_words: float
    not_solution: float


EMBEDDED = Thresholds(0.6, 0.4, 0.4, 0.7, 0.3, 0.28, 0.44, 0.2, 0.1, 0.66, 0.14, 0.5)
BY_WORDS = Thresholds(0.55, 0.35, 0.2, 0.7, 0.05, 0.15, 0.2, 0.25, 0.1, 0.37, 0.25, 0.12)
LONGEST_QUESTION = 1000
"""Characters of a question that are read."""
MOST_HEDGES = 2
"""Words like 'or' in a final answer that commits to something."""
LONGEST_ANSWER = 4
"""A final answer longer than this many solutions lists everything rather than commits to something."""


class OfflineJudge(Judge):
    """Answers from a puzzle's labelled questions and facts by sentence similarity; no network, no key.

    Questions: a near labelled question gives its label, turned round where one of the two is negated; else a
    fact that holds the question's words; nothing near the story is irrelevant; the rest is irrelevant with
    ``abstained``. Finals: every required fact must be covered by some clause, none contradicted, without a list of
    alternatives. Without facts a final is compared with the solution, and abstained where that is unclear.

    Args:
        embeddings: False compares by shared words only; None does so where the embeddings are not installed.
    """

    name: ClassVar[str] = "offline"
    approximate: ClassVar[bool] = True

    def __init__(self, *, embeddings: bool | None = None) -> None:
        installed = embeddings is not False and _embeddings_installed()
        if embeddings and not installed:
            raise MissingExtraError("the offline judge's sentence embeddings", "local")
        self._embedded = installed
        self._sure = EMBEDDED if installed else BY_WORDS

    def judge(self, request: JudgeRequest) -> Verdict:
        """Answer a question or grade a final answer.

        Raises:
            JudgeError: the request asks for other labels than those of situation puzzles.
        """
        grade = self._question if request.kind == "question" else self._final
        verdict = grade(request.text, request.context)
        if verdict.label not in request.labels:
            raise JudgeError(f"judge {self.name} says {verdict.label!r}, the task wants {', '.join(request.labels)}")
        return verdict

    def describe(self) -> dict[str, Any]:
        """What it compares by."""
        return {"name": self.name, "version": 1, "similarity": self._similarity}

    @property
    def _similarity(self) -> str:
        return "sentence embeddings" if self._embedded else "word overlap (sentence embeddings are not in use)"

    def _question(self, text: str, context: Mapping[str, Any]) -> Verdict:
        text = text[:LONGEST_QUESTION]
        sure, asked, negated = self._sure, _words(text), _negated(text, question=True)
        if not asked:
            return self._verdict("irrelevant", 0.0, "the question has no words of its own", abstained=True)
        labelled = [(str(q["text"]), str(q["label"])) for q in context.get("questions") or ()]
        facts = [str(fact["text"]) for fact in context.get("facts") or ()] + _sentences(context.get("solution", ""))
        story = _sentences(context.get("setup", ""))
        near, label, match = 0.0, "", ""
        if labelled:
            scores = self._match(text, [question for question, _ in labelled])
            best = int(scores.argmax())
            near, (match, label) = float(scores[best]), labelled[best]
            if negated != _negated(match, question=True) or _opposed(asked, _words(match)):
                label = FLIPPED.get(label, label)
        if near >= sure.match:
            return self._verdict(label, near, f"matches question {match!r}")
        to_facts = self._near(text, facts)
        holding = [
            (float(score), fact)
            for score, fact in zip(to_facts, facts, strict=True)
            if len(asked & _words(fact)) >= sure.held * len(asked) and score >= sure.fact
        ]
        if holding:
            score, fact = max(holding)
            # "Did X matter?" asks whether the explanation has X at all, whatever it says about it.
            agrees = not negated if _FRAME.search(text) else negated == _negated(fact)
            return self._verdict("yes" if agrees else "no", score, f"close to fact {fact!r}")
        if near >= sure.near_match:
            return self._verdict(label, near, f"near question {match!r}")
        everything = [match for match, _ in labelled] + facts + story
        nearest = float(self._near(text, everything).max(initial=0.0))
        if nearest < sure.far:
            return self._verdict("irrelevant", 1 - nearest, "nothing of the story is near")
        return self._verdict("irrelevant", 0.0, f"unsure; nearest question {match!r}", abstained=True)

    def _final(self, text: str, context: Mapping[str, Any]) -> Verdict:
        solution = str(context.get("solution", ""))
        hedges = len(_HEDGES.findall(text))
        longest = LONGEST_ANSWER * max(50, len(solution.split()))
        if hedges > MOST_HEDGES or len(text.split()) > longest or len(text) > longest * 20:
            return self._verdict("incorrect", 0.8, f"lists alternatives or everything ({hedges} words like 'or')")
        clauses = _clauses(text)
        if not _words(text):
            return self._verdict("incorrect", 1.0, "says nothing")
        facts = context.get("facts") or ()
        required = [str(fact["text"]) for fact in facts if fact.get("required")] or [str(f["text"]) for f in facts]
        known = _words(str(context.get("setup", "")))
        said = _words(text)
        if not required:
            return self._against_solution(text, said - known, context)
        sure = self._sure
        scores = np.array([self._near(fact, clauses) for fact in required])
        best = scores.max(axis=1)
        own = set[str]().union(*map(_words, required)) - known
        told = len(own & said) / len(own) if own else 1.0
        weakest = int(best.argmin())
        numbers = f"facts min {best.min():.2f}, mean {best.mean():.2f}; own words {told:.2f}"
        if best.min() < sure.covered:
            return self._verdict("incorrect", 1 - float(best.min()), f"misses {required[weakest]!r}; {numbers}")
        if best.mean() < sure.covered_mean or told < sure.words:
            return self._verdict("incorrect", 1 - min(float(best.mean()), told), f"too far from the facts; {numbers}")
        for fact in required:
            if self._contradicted(fact, _clauses(text, whole=False)):
                return self._verdict("incorrect", 0.6, f"contradicts {fact!r}; {numbers}")
        return self._verdict("correct", float(best.mean()), numbers)

    def _contradicted(self, fact: str, clauses: Sequence[str]) -> bool:
        """Whether a clause denies the fact, and none that agrees is about as near."""
        scores = self._near(fact, clauses)
        against = np.array([_denies(clause, fact) for clause in clauses])
        lead = np.where(against, scores, 0.0).max() - np.where(against, 0.0, scores).max()
        return bool(lead >= self._sure.contradiction)

    def _against_solution(self, text: str, said: Collection[str], context: Mapping[str, Any]) -> Verdict:
        """No facts: only whole texts can be compared, which says little; so the middle is left open."""
        references = [str(context.get("solution", "")), *map(str, context.get("explanations") or ())]
        near = float(self._near(text, references).max())
        own = _words(references[0]) - _words(str(context.get("setup", "")))
        told = len(own & set(said)) / len(own) if own else 1.0
        denials = sum(map(_negated, _clauses(text, whole=False)))
        denies = denials > sum(map(_negated, _clauses(references[0], whole=False))) + 1
        numbers = f"no facts given; like the solution {near:.2f}; own words {told:.2f}"
        if near < self._sure.not_solution:
            return self._verdict("incorrect", 1 - near, numbers)
        if near >= self._sure.solution and told >= self._sure.solution_words and not denies:
            return self._verdict("correct", near, numbers)
        return self._verdict("incorrect", 0.0, f"unsure; {numbers}", abstained=True)

    def _verdict(self, label: str, confidence: float, detail: str, *, abstained: bool = False) -> Verdict:
        bounded = round(min(1.0, max(0.0, confidence)), 4)
        return Verdict(label, f"{detail} [{self._similarity}]", bounded, self.name, abstained)

    def _near(self, text: str, others: Sequence[str]) -> NDArray[np.float64]:
        """Similarity of a text to each of others."""
        if not others:
            return np.zeros(0)
        if not self._embedded:
            mine = _words(text)
            return np.array([_overlap(mine, _words(other), {}) for other in others])
        likeness: NDArray[np.float64] = np.round(_vectors(others) @ _vectors((text,))[0], 4)
        return likeness

    def _match(self, text: str, questions: Sequence[str]) -> NDArray[np.float64]:
        """Likeness of a question to labelled ones of the same puzzle.

        Questions on one puzzle are all alike, so what they share is taken out: the mean vector, common words.
        """
        shared = Counter(word for question in questions for word in _words(question))
        weights = {word: log((len(questions) + 1) / (count + 1)) + 0.2 for word, count in shared.items()}
        rare = log(len(questions) + 1) + 0.2
        mine = _words(text)
        overlap = np.array([_overlap(mine, _words(question), weights, rare) for question in questions])
        if not self._embedded:
            return overlap
        vectors, vector = _vectors(questions), _vectors((text,))[0]
        centre = vectors.mean(axis=0) if len(questions) > 2 else np.zeros_like(vector)
        centred = _unit(vectors - centre) @ _unit(vector - centre)
        likeness: NDArray[np.float64] = np.round((vectors @ vector + centred + overlap) / 3, 4)
        return likeness


def _embeddings_installed() -> bool:
    from interactive_envs.llm import embeddings

    return embeddings.available()


def _vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    from interactive_envs.llm import embeddings

    return _unit(np.asarray(embeddings.embed(texts), dtype=np.float64))


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def _overlap(
    left: Collection[str], right: Collection[str], weights: Mapping[str, float], default: float = 1.0
) -> float:
    """Weighted share of words that two texts have in common (Dice)."""
    total = sum(weights.get(word, default) for text in (left, right) for word in sorted(text))
    common = sum(weights.get(word, default) for word in sorted(set(left) & set(right)))
    return 2 * common / total if total else 0.0


@functools.lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    plain = text.lower().replace("\u2019", "'").replace("'s", "")
    found = re.findall(r"[^\W\d_]+|\d+", re.sub(r"n't\b", " not", plain))
    return frozenset(_stem(word) for word in found if word not in _stop_words())


@functools.cache
def _stop_words() -> frozenset[str]:
    """Words that say nothing of a puzzle's content."""
    file = resources.files("interactive_envs.judges") / "data" / "stop-words.txt"
    return frozenset(file.read_text(encoding="utf-8").split())


def _stem(word: str) -> str:
    ending = next((ending for ending in _SUFFIXES if word.endswith(ending) and len(word) - len(ending) >= 3), "")
    word = word.removesuffix(ending)
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def _opposed(left: Collection[str], right: Collection[str]) -> bool:
    """Whether one text has a word and the other its opposite in un-: justly, unjustly."""
    ours, theirs = set(left) - set(right), set(right) - set(left)
    return any(f"un{word}" in theirs for word in ours) or any(f"un{word}" in ours for word in theirs)


def _denies(clause: str, fact: str) -> bool:
    """Whether a clause says the opposite in nearly the same words; other words say too little for that."""
    ours, theirs = _words(clause), _words(fact)
    common = len(ours & theirs)
    return _negated(clause) != _negated(fact) and common >= 2 and common >= 0.6 * min(len(ours), len(theirs))


@functools.lru_cache(maxsize=4096)
def _negated(text: str, question: bool = False) -> bool:
    """Whether an odd number of negations stands in a text.

    "Wasn't he alone?" asks the same as "Was he alone?"; "the gap, not the book" asserts the gap.
    """
    plain = text.replace("\u2019", "'")
    if question:
        plain = _TAG_QUESTION.sub("", plain)
    return len(_NEGATION.findall(_CONTRAST.sub("", plain))) % 2 == 1


def _sentences(text: object) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(str(text)) if part.strip()]


def _clauses(text: str, *, whole: bool = True) -> list[str]:
    """The clauses of a text, and with ``whole`` the sentences that have several."""
    found: list[str] = []
    for sentence in _sentences(text):
        parts = [part.strip() for part in _CLAUSE.split(sentence) if len(part.split()) > 3]
        found += ([sentence] if whole or len(parts) < 2 else []) + (parts if len(parts) > 1 else [])
    return list(dict.fromkeys(found))
