"""Proves a query game at a level by computing all of its answer table. Exact, no sampling.

Every hidden state is played by the reference player; the random player's chance is one in the number of answers.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass

import numpy as np

from interactive_envs.query_games import solver
from interactive_envs.query_games.base import Codes, Level

BUDGET = 1.5
"""Times the reference player's 95th percentile."""


@dataclass(frozen=True)
class Proof:
    """One game at one level. All shares and means are over the hidden states, weighted as probable as they are.

    Attributes:
        sha256: of the answer table, the right answers and the weights, 16 digits.
        states: hidden states.
        queries: legal queries.
        answers: answers that some state has.
        bits: about the right answer before the first query, given the opening fact.
        guess: share of right answers of a player that reasons perfectly and asks nothing.
        decided: share of the states whose right answer all legal queries together decide; 1 is what is wanted.
        overruled: share of the states that are not the most probable among those that look the same to every query.
        turns: mean of the reference player's queries, with its answer.
        turns_95: 95th percentile of the same.
        budget: 1.5 times that, rounded up.
        reference: share that the reference player answers right within the budget.
        random: share that the random player answers right.
    """

    sha256: str
    states: int
    queries: int
    answers: int
    bits: float
    guess: float
    decided: float
    overruled: float
    turns: float
    turns_95: int
    budget: int
    reference: float
    random: float


def fingerprint(level: Level) -> str:
    """Of all that decides a level's proof: 16 digits."""
    digest = hashlib.sha256()
    for array in (level.table, level.opening, level.right, level.weights):
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()[:16]


def prove(level: Level, known: Proof | None = None) -> Proof:
    """Settle one game at one level; a known proof of the same table is returned as it is."""
    sha256 = fingerprint(level)
    if known is not None and known.sha256 == sha256:
        return known
    weights = level.weights / level.weights.sum()
    solution = solver.solve(level)
    turns_95 = _percentile(solution.turns, weights, 0.95)
    budget = math.ceil(BUDGET * turns_95)
    openings = [np.flatnonzero(level.opening == code) for code in np.unique(level.opening)]
    masses = [np.bincount(level.right[rows], weights[rows]) for rows in openings]
    return Proof(
        sha256=sha256,
        states=len(level.world),
        queries=len(level.queries),
        answers=len(level.answers),
        bits=_rounded(sum(mass.sum() * solver.entropy(mass) for mass in masses)),
        guess=_rounded(sum(mass.max() for mass in masses)),
        decided=_rounded(weights[decided(level)].sum()),
        overruled=_rounded(weights[level.modes != np.arange(len(level.world))].sum()) if _has_causes(level) else 0.0,
        turns=_rounded(weights @ solution.turns),
        turns_95=turns_95,
        budget=budget,
        reference=_rounded(weights[solution.right & (solution.turns <= budget)].sum()),
        random=_rounded(1 / len(level.answers)),
    )


def decided(level: Level) -> Codes:
    """Per state, whether all legal queries together decide its right answer.

    In an abductive game: whether all of the most probable states among those that look the same have one answer.
    """
    likely = level.weights == level.weights[level.modes] if _has_causes(level) else slice(None)
    values = level.values if _has_causes(level) else level.right
    pairs = np.unique(np.column_stack([level.classes, values])[likely], axis=0)[:, 0]
    return np.asarray(np.bincount(pairs)[level.classes] == 1)


def invariant(level: Level) -> str:
    """Equal for two levels that differ in the order and names of states, queries, replies and answers only.

    A query that says nothing, or the same as another one, changes nothing.
    """
    columns = partitions(level.table)
    singles = sorted((_sizes(column), _classes(column, level.right)) for column in columns.T)
    top = int(columns.max(initial=0)) + 1
    joint = [_count(columns[:, [i]] * top + columns[:, i + 1 :]) for i in range(columns.shape[1] - 1)]
    pairs = np.sort(np.concatenate(joint)) if joint else np.zeros(0, dtype=np.int64)
    content = [singles, pairs.tolist(), _sizes(level.right), _sizes(level.opening), sorted(level.weights.tolist())]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def partitions(table: Codes) -> Codes:
    """What the queries of a table tell apart, once each: the codes in the order in which they occur."""
    columns = []
    for column in table.T:
        _, first, codes = np.unique(column, return_index=True, return_inverse=True)
        if len(first) > 1:
            columns.append(np.argsort(np.argsort(first))[codes.reshape(-1)])
    return np.unique(np.array(columns, dtype=np.int64).reshape(len(columns), len(table)), axis=0).T


def _sizes(codes: Codes) -> list[int]:
    return sorted(np.unique(codes, return_counts=True)[1].tolist())


def _classes(first: Codes, second: Codes) -> int:
    return len(np.unique(np.column_stack([first, second]), axis=0))


def _count(columns: Codes) -> Codes:
    """Different values in each column."""
    ordered = np.sort(columns, axis=0)
    return np.asarray((np.diff(ordered, axis=0) != 0).sum(axis=0) + 1)


def _has_causes(level: Level) -> bool:
    return level.game.mode == "abductive"


def _percentile(values: Codes, weights: Codes, share: float) -> int:
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), share - 1e-12)
    return int(values[order][min(int(reached), len(values) - 1)])


def _rounded(value: float) -> float:
    return round(float(value), 4)
