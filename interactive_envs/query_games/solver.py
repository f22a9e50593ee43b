"""The reference player: it knows all hidden states that are left, asks what tells most, answers when decided.

It plays every hidden state of a level at once as one decision tree, so its success and its turns are exact. Bits are
about the right answer, those about the hidden state decide between equals.

Source of the measure: expected information of a query is the entropy of the answers minus its expectation after the
reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import Codes, Level

Floats = NDArray[np.float64]

CELLS = 1 << 22
"""Entries of a table of counts that is computed at once."""
DIGITS = 9
"""Bits are compared to so many digits, so that rounding never decides which query is asked."""


def entropy(weights: NDArray[Any]) -> float:
    """Bits of a distribution given as weights."""
    positive = weights[weights > 0].astype(np.float64)
    share = positive / positive.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0


def information(table: Codes, values: Codes, weights: Codes) -> Floats:
    """What each query is expected to tell about the value, in bits.

    Args:
        table: replies of the states that are left, shape (states, queries).
        values: the value of each state.
        weights: how probable each state is.

    Returns:
        Bits, shape (queries,), never below 0.
    """
    states, queries = table.shape
    low = table.min(axis=0)
    replies = int((table.max(axis=0) - low).max()) + 1
    value = np.unique(values, return_inverse=True)[1].reshape(-1)
    kinds = int(value.max()) + 1
    mass = weights.astype(np.float64)
    total = mass.sum()
    bits: Floats = np.empty(queries)
    step = max(1, CELLS // max(replies * kinds, states))
    for begin in range(0, queries, step):
        part = table[:, begin : begin + step] - low[begin : begin + step]
        width = part.shape[1]
        cell = (np.arange(width) * replies + part) * kinds + value[:, None]
        joint = np.bincount(cell.ravel(), np.repeat(mass, width), width * replies * kinds)
        joint = joint.reshape(width, replies, kinds) / total
        bits[begin : begin + step] = _bits(joint.sum(axis=2), 1) - _bits(joint, (1, 2))
    bits += entropy(np.bincount(value, mass))
    return np.asarray(np.maximum(bits, 0.0).round(DIGITS), dtype=np.float64)


def _bits(share: Floats, axis: int | tuple[int, ...]) -> Floats:
    result: Floats = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=axis)
    return result


def choose(level: Level, left: Codes) -> int | None:
    """The query that tells most about the answer, None when the answer is decided.

    Args:
        level: the game at its level.
        left: the states that are left.
    """
    right = level.right[left]
    if (right == right[0]).all():
        return None
    table, weights = level.table[left], level.weights[left]
    about_answer = information(table, right, weights)
    best = np.flatnonzero(about_answer == about_answer.max())
    if len(best) == 1:
        return int(best[0])
    # No more than the states' own classes can be distinguished: two that nothing separates are one.
    about_state = information(table[:, best], level.classes[left], weights)
    if not about_answer.any() and not about_state.any():
        return None
    return int(best[about_state.argmax()])


@dataclass(frozen=True)
class Solution:
    """How the reference fares in every state of a level.

    Attributes:
        turns: queries and the answer, one number a state.
        right: whether it answers right, one truth a state.
    """

    turns: Codes
    right: NDArray[np.bool_]


def solve(level: Level) -> Solution:
    """Play the reference against every hidden state, sharing what they share."""
    turns = np.zeros(len(level.world), dtype=np.int64)
    right = np.zeros(len(level.world), dtype=bool)
    waiting = [(np.flatnonzero(level.opening == code), 1) for code in np.unique(level.opening)]
    while waiting:
        left, turn = waiting.pop()
        query = choose(level, left)
        if query is None:
            turns[left] = turn
            right[left] = level.right[left] == best_answer(level, left)
            continue
        replies = level.table[left, query]
        waiting += [(left[replies == code], turn + 1) for code in np.unique(replies)]
    return Solution(turns, right)


def best_answer(level: Level, left: Codes) -> int:
    """The most probable right answer among the states that are left, the first of equals."""
    mass = np.bincount(level.right[left], level.weights[left])
    return int(mass.argmax())


def remaining(level: Level, opening: int, observations: Sequence[tuple[int, int]]) -> Codes:
    """The states that agree with the opening fact and with every reply; where one was false, with the most.

    Args:
        level: the game at its level.
        opening: the code of the opening fact.
        observations: indices of queries and codes of replies.
    """
    left, false = disagreements(level, opening, observations)
    fitting: Codes = left[false == false.min()]
    return fitting


def disagreements(level: Level, opening: int, observations: Sequence[tuple[int, int]]) -> tuple[Codes, Codes]:
    """The states that agree with the opening fact, and with how many replies each disagrees."""
    left = np.flatnonzero(level.opening == opening)
    false = np.zeros(len(left), dtype=np.int64)
    for query, code in observations:
        false += level.table[left, query] != code
    return left, false
