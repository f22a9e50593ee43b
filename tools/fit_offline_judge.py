"""Fit the offline judge's weights to a third of the puzzles.

``make judge`` writes them to situation_puzzle/judge/data/offline.json.

Everything here is logistic regression with a ridge. A cross-validation over the puzzles fitted to is printed; what
counts is ``ibench judge-check``, which leaves those puzzles out.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from interactive_envs.evaluation.judging import suites as judge_suites
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.judge import language, likeness, story
from interactive_envs.situation_puzzle.judge.likeness import Array, Truth, Vectors
from interactive_envs.situation_puzzle.judge.story import FLIPPED, LABELS, Fitted, Logistic
from interactive_envs.situation_puzzle.puzzles import Puzzle

TARGET = Path("interactive_envs/situation_puzzle/judge/data/offline.json")
VERSION = 3
RIDGE = {"pair": 1.0, "label": 3.0, "final": 0.3}
ACCEPTED = 0.8
"""Share of the paraphrases fitted to that the judge is to accept."""
UNLISTED_WEIGHT = 0.15
"""What a labelled question counts that stands for one nobody labelled, against a paraphrase."""
KINDS = {"right": 1.0, "honest": 0.3, "verbatim": 0.15, "near": 1.0, "wrong": 1.0, "adversarial": 0.3, "foreign": 0.3}
"""What each kind of final answer counts: other words for the truth, players' own, the very words that the judge knows;
near misses, wrong worlds, tricks, and the truth or the story of another puzzle."""
RIGHT_KINDS = ("right", "honest", "verbatim")
RIGHT_WEIGHT = 0.52
"""What right answers count together, wrong ones counting the rest."""


@dataclass(frozen=True)
class Asked:
    """A question to fit to.

    Attributes:
        puzzle: its puzzle's number.
        text: the question.
        label: its answer.
        truth: what the judge knows.
        same: index of the labelled question that it paraphrases, None where that one was taken out.
        pairs: see :func:`interactive_envs.situation_puzzle.judge.likeness.pairs`.
        about: see :func:`interactive_envs.situation_puzzle.judge.likeness.about`.
    """

    puzzle: int
    text: str
    label: str
    truth: Truth
    same: int | None
    pairs: Array
    about: Sequence[float]


@dataclass(frozen=True)
class Answered:
    """A final answer to fit to, ``kind`` one of :data:`KINDS`."""

    puzzle: int
    features: Sequence[float]
    kind: str


def tuned_on(own: Sequence[Puzzle]) -> list[Puzzle]:
    """A third of the puzzles, by their ids' hashes."""
    return [puzzle for puzzle in own if zlib.crc32(puzzle.id.encode()) % 3 == 0]


def asked(own: Sequence[Puzzle], vectors: Vectors) -> Iterator[Asked]:
    """Every paraphrase; and every labelled question taken out of the list, as one that nobody labelled."""
    for number, puzzle in enumerate(own):
        context = puzzle.judge_context()
        truth = likeness.truth(context)
        for index, question in enumerate(puzzle.questions):
            label = LABELS[question.labels[0]]
            for text in question.paraphrases:
                rows = likeness.pairs(text, truth, vectors)
                yield Asked(number, text, label, truth, index, rows, likeness.about(text, truth, vectors))
            text = question.text
            without = likeness.truth(context | {"questions": [q for q in context["questions"] if q["text"] != text]})
            # The list's mean hardly moves when one goes: its rows are taken from the whole list, the bank is made once.
            rows = np.delete(likeness.pairs(text, truth, vectors), index, axis=0)
            yield Asked(number, text, label, without, None, rows, likeness.about(text, without, vectors))


def answered(own: Sequence[Puzzle], vectors: Vectors) -> Iterator[Answered]:
    """Every explanation left out of what the judge knows; and the truth as the judge knows it."""
    for number, puzzle in enumerate(own):
        context = puzzle.judge_context()
        near = {miss.text for miss in puzzle.near_misses}
        for name in ("explanations", "wrong"):
            for text in context[name]:
                truth = likeness.truth(context | {name: [other for other in context[name] if other != text]})
                kind = "right" if name == "explanations" else "near" if text in near else "wrong"
                yield Answered(number, likeness.final(text, truth, vectors), kind)
        truth = likeness.truth(context)
        for text in (puzzle.solution, *puzzle.right[:2], " ".join(truth.required)):
            yield Answered(number, likeness.final(text, truth, vectors), "verbatim")
        other = own[(number + 1) % len(own)]
        for text in (*other.right[:2], other.setup, puzzle.setup):
            yield Answered(number, likeness.final(text, truth, vectors), "foreign")
        for item in judge_suites.items("tuning"):
            if item.case == puzzle.id and item.request.kind == "final":
                kind = "adversarial" if item.attack else "honest"
                yield Answered(number, likeness.final(item.request.text, truth, vectors), kind)


def fit(own: Sequence[Puzzle], vectors: Vectors) -> tuple[Fitted, dict[str, Any]]:
    """The weights for one way to compare, and what cross-validation says of them."""
    questions, finals = list(asked(own, vectors)), list(answered(own, vectors))
    final, final_checked = _fit_final(finals)
    checked = []
    for held in range(len(own)):
        trial = _fit_questions([item for item in questions if item.puzzle != held], final)
        checked += [_tried(item, trial) for item in questions if item.puzzle == held]
    result = _fit_questions(questions, final)
    sure = float(np.quantile([chance for same, chance, _, _ in checked if same], 1 - ACCEPTED))
    fitted = Fitted(result.pair, result.label, round(sure, 4), final)
    return fitted, final_checked | _summary(checked, sure)


def _fit_questions(items: Sequence[Asked], final: Logistic) -> Fitted:
    pair = _fit_pairs([(item.pairs, item.same) for item in items if item.same is not None])
    features = np.array([_features(item, pair) for item in items])
    meant = np.array([LABELS.index(_meant(item)) for item in items])
    weights = np.where([item.same is None for item in items], UNLISTED_WEIGHT, 1.0)
    return Fitted(pair, _logistic(features, meant, weights, RIDGE["label"], len(LABELS)), 0.0, final)


def _features(item: Asked, pair: Logistic) -> Array:
    return story.question_features(item.text, item.truth, pair(item.pairs)[:, 0], item.about)


def _meant(item: Asked) -> str:
    """The label of the question's un-negated sense."""
    return FLIPPED[item.label] if language.negated(item.text, question=True) else item.label


def _tried(item: Asked, trial: Fitted) -> tuple[bool, float, int, int]:
    chances = story.softmax(trial.label(_features(item, trial.pair)))
    return item.same is not None, float(chances.max()), LABELS.index(_meant(item)), int(chances.argmax())


def _fit_final(items: Sequence[Answered]) -> tuple[Logistic, dict[str, Any]]:
    features = np.array([item.features for item in items])
    kinds, owners = np.array([item.kind for item in items]), np.array([item.puzzle for item in items])
    scores = np.zeros(len(items))
    for held in np.unique(owners):
        kept = owners != held
        scores[~kept] = _signed(features[kept], kinds[kept])(features[~kept])[:, 0]
    found = {kind: float((scores[kinds == kind] > 0).mean()) for kind in KINDS}
    wrong = float((scores[np.isin(kinds, ("near", "wrong"))] <= 0).mean())
    return _signed(features, kinds), {"called right": found, "balanced accuracy": (found["right"] + wrong) / 2}


def _signed(features: Array, kinds: NDArray[np.str_]) -> Logistic:
    """Right against wrong, weighed by :data:`KINDS` and :data:`RIGHT_WEIGHT`, no weight against its feature's sign."""
    right, each = np.isin(kinds, RIGHT_KINDS), np.array([KINDS[str(kind)] for kind in kinds])
    weights = each * np.where(right, RIGHT_WEIGHT / each[right].sum(), (1 - RIGHT_WEIGHT) / each[~right].sum())
    weights = weights * len(kinds)
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    rows = np.column_stack([(features - mean) / spread, np.ones(len(features))])
    sign = np.where(right, 1.0, -1.0)

    def loss(vector: Array) -> tuple[float, Array]:
        margin = sign * (rows @ vector)
        slope = -(rows.T @ (weights * sign / (1 + np.exp(margin))))
        value = float((weights * np.logaddexp(0, -margin)).sum() + RIDGE["final"] * (vector[:-1] ** 2).sum() / 2)
        return value, slope + RIDGE["final"] * np.append(vector[:-1], 0)

    bounds = [(0, None) if direction > 0 else (None, 0) for direction in likeness.FINAL_SIGNS]
    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    return _rounded(mean, spread, found[None, :])


def _fit_pairs(items: Sequence[tuple[Array, int]]) -> Logistic:
    """Which labelled question a paraphrase belongs to: a softmax over the list, weights at least 0."""
    everything = np.concatenate([rows for rows, _ in items])
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-9
    standard = [((rows - mean) / spread, same) for rows, same in items]

    def loss(vector: Array) -> tuple[float, Array]:
        total, slope = RIDGE["pair"] * float((vector**2).sum()) / 2, RIDGE["pair"] * vector
        for rows, same in standard:
            chances = story.softmax(rows @ vector)
            total -= float(np.log(chances[same] + 1e-12))
            slope = slope + chances @ rows - rows[same]
        return total, slope

    width = everything.shape[1]
    found = minimize(loss, np.zeros(width), jac=True, method="L-BFGS-B", bounds=[(0, None)] * width).x
    return _rounded(mean, spread, np.append(found, 0.0)[None, :])


def _logistic(features: Array, labels: NDArray[np.int_], weights: Array, ridge: float, classes: int) -> Logistic:
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    rows = np.column_stack([(features - mean) / spread, np.ones(len(features))])
    wanted = np.eye(classes)[labels]

    def loss(vector: Array) -> tuple[float, Array]:
        table = vector.reshape(classes, -1)
        scores = rows @ table.T
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = powers / powers.sum(axis=1, keepdims=True)
        penalty = np.column_stack([table[:, :-1], np.zeros(classes)])
        value = -float((weights * np.log((chances * wanted).sum(axis=1) + 1e-12)).sum())
        slope = ((chances - wanted) * weights[:, None]).T @ rows + ridge * penalty
        return value + ridge * float((penalty**2).sum()) / 2, slope.ravel()

    found = minimize(loss, np.zeros(classes * rows.shape[1]), jac=True, method="L-BFGS-B").x
    return _rounded(mean, spread, found.reshape(classes, -1))


def _rounded(mean: Array, spread: Array, weights: Array) -> Logistic:
    return Logistic(mean.round(5), np.maximum(spread.round(5), 1e-5), weights.round(5))


def _summary(checked: Sequence[tuple[bool, float, int, int]], sure: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, same in (("paraphrases", True), ("not in the list", False)):
        rows = [(chance >= sure, meant, said) for is_same, chance, meant, said in checked if is_same is same]
        accepted = [(meant, said) for taken, meant, said in rows if taken]
        recalls = [
            np.mean([said == label for meant, said in accepted if meant == label]) for label in range(len(LABELS))
        ]
        found[name] = {
            "accepted": len(accepted) / len(rows),
            "right among accepted": float(np.mean([meant == said for meant, said in accepted])),
            "recalls": [round(float(recall), 3) for recall in recalls],
            "macro recall": float(np.mean(recalls)),
        }
    return found


def _as_json(fitted: Fitted) -> dict[str, Any]:
    def model(found: Logistic) -> dict[str, Any]:
        return {name: getattr(found, name).tolist() for name in ("mean", "spread", "weights")}

    parts = {name: model(getattr(fitted, name)) for name in ("pair", "label", "final")}
    return parts | {"sure": fitted.sure}


def main() -> None:
    """Fit both ways to compare and write the weights."""
    own = tuned_on(puzzles.load())
    content: dict[str, Any] = {"version": VERSION, "tuned_on": [puzzle.id for puzzle in own]}
    for name, vectors in (("embedded", likeness.EMBEDDED), ("by_words", likeness.BY_WORDS)):
        fitted, checked = fit(own, vectors)
        content[name] = _as_json(fitted)
        print(name, json.dumps(checked, indent=1))
    TARGET.write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
