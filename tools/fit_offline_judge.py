"""Fit the offline judge's weights to a third of the puzzles.

``make judge`` writes them to situation_puzzle/judge/data/offline.json.

Finals are graded by logistic regression with a ridge; which chances accept and refuse comes from a cross-validation
over the puzzles. Questions are matched by rules; how often each of their levels is right is counted on a calibration
set. What counts is ``ibench judge-check``, which leaves those puzzles out.
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

from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.evaluation.judging import suites as judge_suites
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.judge import likeness, matching, story
from interactive_envs.situation_puzzle.judge.likeness import Array, Truth, Vectors
from interactive_envs.situation_puzzle.judge.story import Final, Logistic
from interactive_envs.situation_puzzle.puzzles import Puzzle

TARGET = Path("interactive_envs/situation_puzzle/judge/data/offline.json")
VERSION = 4
RIDGE = 0.3
WRONG_ACCEPTED = 0.02
"""Share of near misses, the wrong answers most like right ones, that may be accepted on puzzles not fitted to."""
RIGHT_REFUSED = 0.02
"""Share of right explanations that may be refused; between the two the judge abstains."""
ANSWERED_RIGHT = 0.9
"""Share of the questions answered that must be right."""
KINDS = {"right": 1.0, "honest": 0.3, "verbatim": 0.15, "near": 1.0, "wrong": 1.0, "adversarial": 0.3, "foreign": 0.3}
"""What each kind of final answer counts: other words for the truth, players' own, the very words that the judge knows;
near misses, wrong worlds, tricks, and the truth or the story of another puzzle."""
RIGHT_KINDS = ("right", "honest", "verbatim")
RIGHT_WEIGHT = 0.52
"""What right answers count together, wrong ones counting the rest."""


@dataclass(frozen=True)
class Answered:
    """A final answer to fit to, ``kind`` one of :data:`KINDS`."""

    puzzle: int
    features: Sequence[float]
    kind: str


def tuned_on(own: Sequence[Puzzle]) -> list[Puzzle]:
    """A third of the puzzles, by their ids' hashes."""
    return [puzzle for puzzle in own if zlib.crc32(puzzle.id.encode()) % 3 == 0]


def asked(own: Sequence[Puzzle]) -> Iterator[tuple[str, str, Truth]]:
    """Questions with their labels and what the judge knows.

    The calibration set, every paraphrase, and every labelled question taken out of the list, as one nobody labelled.
    """
    held = {puzzle.id: puzzle for puzzle in own}
    for item in judge_suites.items("calibration"):
        yield item.request.text, item.label, likeness.truth(held[str(item.case)].judge_context())
    for puzzle in own:
        context = puzzle.judge_context()
        truth = likeness.truth(context)
        for question in puzzle.questions:
            label = LABELS[question.labels[0]]
            yield from ((text, label, truth) for text in question.paraphrases)
            others = [other for other in context["questions"] if other["text"] != question.text]
            yield question.text, label, likeness.truth(context | {"questions": others})


def measure_levels(own: Sequence[Puzzle]) -> tuple[dict[str, tuple[int, int]], str]:
    """How often each level of a match is right, as counts, and the last level at which questions are answered."""
    counts = {level: [0, 0] for level in matching.LEVELS[:-1]}
    for text, label, truth in asked(own):
        found = matching.match(text, truth)
        if found.label is not None:
            counts[found.level][0] += found.label == label
            counts[found.level][1] += 1
    right, n, last = 0, 0, "same"
    for level, (hits, total) in counts.items():
        right, n = right + hits, n + total
        last = level if (right + 1) / (n + 2) >= ANSWERED_RIGHT else last
    return {level: (hits, total) for level, (hits, total) in counts.items()}, last


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


def fit(items: Sequence[Answered]) -> tuple[Final, dict[str, Any]]:
    """The weights for one way to compare, the chances that accept and refuse, and what cross-validation says of them.

    The chances are those that each puzzle's answers get from weights fitted to the other puzzles.
    """
    features = np.array([item.features for item in items])
    kinds, owners = np.array([item.kind for item in items]), np.array([item.puzzle for item in items])
    chances = np.zeros(len(items))
    for held in np.unique(owners):
        kept = owners != held
        chances[~kept] = 1 / (1 + np.exp(-_signed(features[kept], kinds[kept])(features[~kept])[:, 0]))
    covered = features[:, 1] >= story.LEAST_WORDS
    wrong, right = kinds == "near", np.isin(kinds, ("right", "honest"))
    accept = max(0.5, float(np.quantile(np.where(covered, chances, 0.0)[wrong], 1 - WRONG_ACCEPTED)))
    refuse = min(0.5, float(np.quantile(chances[right], RIGHT_REFUSED)))
    shares = {
        kind: {
            "accepted": float(((chances >= accept) & covered)[kinds == kind].mean()),
            "refused": float((chances < refuse)[kinds == kind].mean()),
        }
        for kind in KINDS
    }
    return Final(_signed(features, kinds), round(accept, 4), round(refuse, 4)), shares


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
        value = float((weights * np.logaddexp(0, -margin)).sum() + RIDGE * (vector[:-1] ** 2).sum() / 2)
        return value, slope + RIDGE * np.append(vector[:-1], 0)

    bounds = [(0, None) if direction > 0 else (None, 0) for direction in likeness.FINAL_SIGNS]
    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    return _rounded(mean, spread, found[None, :])


def _rounded(mean: Array, spread: Array, weights: Array) -> Logistic:
    return Logistic(mean.round(5), np.maximum(spread.round(5), 1e-5), weights.round(5))


def _as_json(fitted: Final) -> dict[str, Any]:
    model = {name: getattr(fitted.right, name).tolist() for name in ("mean", "spread", "weights")}
    return {"final": model, "accept": fitted.accept, "refuse": fitted.refuse}


def main() -> None:
    """Fit both ways to compare, measure the levels of a match, and write all that."""
    own = tuned_on(puzzles.load())
    levels, last = measure_levels(own)
    print("questions", json.dumps(levels), "answered until", last)
    content: dict[str, Any] = {"version": VERSION, "tuned_on": [puzzle.id for puzzle in own]}
    content |= {"levels": levels, "answered": last}
    for name, vectors in (("embedded", likeness.EMBEDDED), ("by_words", likeness.BY_WORDS)):
        fitted, shares = fit(list(answered(own, vectors)))
        content[name] = _as_json(fitted)
        print(name, json.dumps(shares, indent=1))
    TARGET.write_text(json.dumps(content) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
