"""Sequences of whole numbers: their arrays, and what several modules compute of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NOTHING, Codes, World

Truths: TypeAlias = NDArray[np.bool_]
WORDS = {
    "sequence": "sequence",
    "sequences": "sequences",
    "value": "value",
    "values": "values",
    "place": "place",
    "places": "places",
    "at": "at",
}


@dataclass(frozen=True)
class SequenceWorld(World):
    """Sequences of equal length; the facts have their length ``n`` and the greatest value there may be, ``high``.

    Attributes:
        values: the values, from 1 on (in rules also 0), shape (sequences, n).
    """

    values: Codes
    per_state: ClassVar[tuple[str, ...]] = ("values",)

    @property
    def n(self) -> int:
        """How many places each sequence has."""
        return self.facts["n"]

    @property
    def high(self) -> int:
        """The greatest value there may be."""
        return self.facts["high"]

    def part(self, first: int, last: int) -> Codes:
        """The values at places ``first`` to ``last``."""
        return self.values[:, first - 1 : last]

    @functools.cached_property
    def sums(self) -> Codes:
        """The sums of the first 0, 1, … n values, shape (sequences, n + 1)."""
        return np.pad(self.values.cumsum(axis=1), ((0, 0), (1, 0)))

    @property
    def weighted(self) -> Codes:
        """The sum of each value multiplied by its place, shape (sequences,)."""
        return self.values @ np.arange(1, self.n + 1)

    @functools.cached_property
    def stands(self) -> Truths:
        """Which value is at which place, shape (sequences, n, high)."""
        return np.asarray(self.values[:, :, None] == np.arange(1, self.high + 1))

    @functools.cached_property
    def firsts(self) -> Codes:
        """The first place of each value, NOTHING where it is missing, shape (sequences, high)."""
        return np.where(self.stands.any(axis=1), self.stands.argmax(axis=1) + 1, NOTHING)

    @functools.cached_property
    def lasts(self) -> Codes:
        """The last place of each value, NOTHING where it is missing, shape (sequences, high)."""
        return np.where(self.stands.any(axis=1), self.n - self.stands[:, ::-1].argmax(axis=1), NOTHING)

    @functools.cached_property
    def earlier(self) -> Codes:
        """The nearest earlier place with the same value, 0 where there is none, shape (sequences, n)."""
        same = np.tril(self.values[:, :, None] == self.values[:, None, :], -1)
        return np.asarray((same * np.arange(1, self.n + 1)).max(axis=2))

    @functools.cached_property
    def ups(self) -> Codes:
        """How many of the places 2 to i have a greater value than the place before, for i from 1 to n."""
        return np.pad((self.values[:, 1:] > self.values[:, :-1]).cumsum(axis=1), ((0, 0), (1, 0)))

    @functools.cached_property
    def running(self) -> Codes:
        """The greatest value up to each place, shape (sequences, n)."""
        return np.maximum.accumulate(self.values, axis=1)

    @functools.cached_property
    def records(self) -> Truths:
        """Which values are greater than all before them, shape (sequences, n)."""
        return np.diff(self.running, axis=1, prepend=0) > 0

    @functools.cached_property
    def smaller_later(self) -> Codes:
        """How many later places have a smaller value than each place, shape (sequences, n)."""
        return np.asarray(np.triu(self.values[:, :, None] > self.values[:, None, :], 1).sum(axis=2))

    @functools.cached_property
    def longest(self) -> Codes:
        """How many places the longest stretch has in which each value but the first is greater than the one before."""
        stretch = best = np.ones(len(self), dtype=np.int64)
        for place in range(1, self.n):
            stretch = np.where(self.values[:, place] > self.values[:, place - 1], stretch + 1, 1)
            best = np.maximum(best, stretch)
        return best


def grown(n: int, high: int, allowed: Callable[[Codes, Codes], Truths], **facts: int) -> SequenceWorld:
    """All sequences that are grown place by place.

    Args:
        n: how many places.
        high: the greatest value.
        allowed: given beginnings of shape (beginnings, places) and the values 1 to high, which of the values may
            come next, to be broadcast to shape (beginnings, high).
        facts: more facts of the world.
    """
    numbers = np.arange(1, high + 1)
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(n):
        row, index = np.nonzero(np.broadcast_to(allowed(rows, numbers), (len(rows), high)))
        rows = np.column_stack([rows[row], index + 1])
    return SequenceWorld({"n": n, "high": high, **facts}, rows)


def neighbour_products(world: SequenceWorld) -> Codes:
    """The sum of the products of neighbours, shape (sequences,)."""
    return np.asarray((world.values[:, 1:] * world.values[:, :-1]).sum(axis=1))
