"""Sets of whole numbers: their arrays, and what several modules compute of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import Codes, World, chosen

WORDS = {"set": "set", "sets": "sets", "number": "number", "numbers": "numbers"}


@dataclass(frozen=True)
class SetWorld(World):
    """Sets of numbers from 1 to n.

    Attributes:
        members: whether each number is in the set, booleans of shape (sets, n).
    """

    members: NDArray[np.bool_]
    per_state: ClassVar[tuple[str, ...]] = ("members",)

    @property
    def n(self) -> int:
        """The greatest number there may be."""
        return int(self.members.shape[1])

    @property
    def numbers(self) -> Codes:
        """1 to n."""
        return np.arange(1, self.n + 1)

    @property
    def size(self) -> Codes:
        """How many numbers each set has."""
        return np.asarray(self.members.sum(axis=1))

    @property
    def total(self) -> Codes:
        """The sum of each set."""
        return self.members @ self.numbers

    def part(self, first: int, last: int) -> NDArray[np.bool_]:
        """The members from ``first`` to ``last``."""
        return self.members[:, first - 1 : last]

    def ranked(self) -> Codes:
        """Each set's numbers in order, filled with NOTHING."""
        return chosen(self.members, range(1, self.n + 1))


def of_sizes(n: int, sizes: Iterable[int], **facts: int) -> SetWorld:
    """All sets of the given sizes of numbers from 1 to n."""
    numbers = range(1, n + 1)
    return listed(n, (some for size in sizes for some in itertools.combinations(numbers, size)), **facts)


def listed(n: int, sets: Iterable[Sequence[int]], **facts: int) -> SetWorld:
    """A world of the sets listed; its facts also say how much half of n is, and how many groups of three there are."""
    rows = list(sets)
    members = np.zeros((len(rows), n), dtype=bool)
    lengths = [len(row) for row in rows]
    members[np.repeat(np.arange(len(rows)), lengths), np.fromiter(itertools.chain(*rows), int) - 1] = True
    return SetWorld({"n": n, "half": n // 2, "thirds": -(-n // 3), **facts}, members)


def smallest_and_largest(world: SetWorld) -> Codes:
    """Each set's smallest and largest number, shape (sets, 2)."""
    smallest, largest = world.members.argmax(axis=1) + 1, world.n - world.members[:, ::-1].argmax(axis=1)
    return np.stack([smallest, largest], axis=1)
