"""How many rounds a menu needs: what the reference player asks, and the budgets that follow from it.

The reference reads every label and asks the question that is worth the most bits. ``data/budgets.json`` has what it
needs for the package's own puzzles and for generated ones, by difficulty; ``python -m tools.menu_budgets`` (or
``make budgets``) computes it again.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.free_text import LABELS
from interactive_envs.situation_puzzle.puzzles import Puzzle

FREE = 20
"""Rounds in free text, as in the papers."""
FACTOR = 1.5
"""Times the reference player's 95th percentile; query games have the same."""
ALL = "all"
"""The key of all difficulties together."""
SAMPLE = 200
"""Puzzles of a user's data set that are played to find its budget, the first ones."""


@dataclass(frozen=True)
class Needed:
    """What the reference player needs, its answer included.

    Attributes:
        puzzles: that it played.
        median: of its rounds.
        percentile: the 95th.
        budget: 1.5 times that, rounded up.
    """

    puzzles: int
    median: float
    percentile: int
    budget: int


def best_question(labels: NDArray[np.int_], alive: Sequence[int]) -> int | None:
    """Return the question that is worth the most bits, the first of several; None where none tells any two apart.

    Args:
        labels: int [questions, explanations], the answer to each question if an explanation were right.
        alive: the explanations that are still possible.
    """
    left = labels[:, list(alive)]
    shares = np.stack([(left == label).mean(axis=1) for label in range(len(LABELS))])
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -np.nansum(shares * np.log2(shares), axis=0).round(9)
    best = int(np.argmax(bits))
    return best if bits[best] > 0 else None


def rounds_needed(labels: NDArray[np.int_], right: int) -> int:
    """Return the rounds after which the reference player has answered, where ``right`` is the right explanation."""
    alive, rounds = list(range(labels.shape[1])), 1
    while (best := best_question(labels, alive)) is not None:
        alive = [world for world in alive if labels[best, world] == labels[best, right]]
        rounds += 1
    return rounds


def measure(puzzles: Iterable[Puzzle], *, every_world: bool = False) -> list[int]:
    """Let the reference player play puzzles with a menu; return its rounds.

    Args:
        puzzles: each is played once.
        every_world: play each with every explanation as the right one instead: in a generated puzzle all are as likely.
    """
    found = []
    for puzzle in puzzles:
        labels = np.array([question.labels for question in puzzle.questions])
        found += [rounds_needed(labels, right) for right in range(labels.shape[1] if every_world else 1)]
    return found


def needed(rounds: Sequence[int], puzzles: int) -> Needed:
    """Return what follows from the reference player's rounds."""
    percentile = int(np.percentile(rounds, 95, method="inverted_cdf"))
    return Needed(puzzles, float(np.median(rounds)), percentile, math.ceil(FACTOR * percentile))


@functools.cache
def table() -> dict[str, dict[str, Needed]]:
    """What the reference player needs, by split and difficulty (``all``, ``1`` to ``5``)."""
    content = (files("interactive_envs.situation_puzzle") / "data" / "budgets.json").read_text(encoding="utf-8")
    return {
        split: {level: Needed(**entry) for level, entry in entries.items()}
        for split, entries in json.loads(content).items()
    }


def standard(split: str, difficulty: int | None) -> int:
    """Return the budget of a split of the package's at a difficulty, of all its difficulties for None."""
    return table()[split][ALL if difficulty is None else str(difficulty)].budget


def of_dataset(puzzles: Sequence[Puzzle]) -> int:
    """Return the budget of a user's puzzles, which all have a menu."""
    played = puzzles[:SAMPLE]
    return needed(measure(played), len(played)).budget
