"""One seat of several matches of a game side by side, as arrays; the game's part of it. Pure: no Gymnasium."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.outcome import Outcome
from interactive_envs.seeds import GameSeeds

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class SeatArrays(ABC):
    """Several matches seen from one seat; players of this package sit on the others.

    Attributes:
        masks: which numeric actions may be played, zeros where a match is over, shape (matches, actions).
        over: which matches are over, shape (matches,).
        paid: what the seat has been paid since the start, shape (matches,).
    """

    masks: NDArray[np.int8]
    over: Flags
    paid: NDArray[np.float64]

    @abstractmethod
    def begin(self, rows: Ints, seeds: Sequence[GameSeeds]) -> None:
        """Begin matches, and play to the seat's first turn or to the end."""

    @abstractmethod
    def play(self, rows: Ints, actions: Ints) -> None:
        """Play legal actions in these matches, and the others' up to the seat's next turn."""

    @abstractmethod
    def punish(self, rows: Ints) -> None:
        """Apply the policy for a message that is no move, and play on in the same way."""

    @abstractmethod
    def observe(self) -> NDArray[np.float32]:
        """The seat's views as a new array, shape (matches, numbers)."""

    def legal(self, rows: Ints, actions: Ints) -> Flags:
        """Which of these actions may be played."""
        known = (actions >= 0) & (actions < self.masks.shape[1])
        legal: Flags = known & (self.masks[rows, np.where(known, actions, 0)] == 1)
        return legal

    def outcomes(self, rows: Ints) -> list[str]:
        """How these matches ended for the seat."""
        return [Outcome.SCORED.value] * len(rows)
