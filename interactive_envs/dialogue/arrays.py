"""Several episodes of a task side by side, as arrays; the task's part of it. Pure: no Gymnasium."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class Arrays(ABC):
    """What is hidden and known in several episodes of a task whose first answer is final.

    Attributes:
        queries: which queries each episode has, shape (episodes, queries).
        answers: which answers each episode has, shape (episodes, answers).
        features: the numeric view without its last six numbers, the progress, shape (episodes, features).
    """

    queries: Flags
    answers: Flags
    features: NDArray[np.float32]

    @abstractmethod
    def draw(self, row: int, rng: np.random.Generator) -> None:
        """Begin an episode with a case of its own."""

    @abstractmethod
    def ask(self, rows: Ints, queries: Ints) -> None:
        """Note the replies to queries."""

    @abstractmethod
    def right(self, rows: Ints, answers: Ints) -> Flags:
        """Which answers are right."""


class Batched(ABC):
    """What a task can do whose episodes can be played as arrays."""

    @abstractmethod
    def arrays(self, count: int) -> Arrays:
        """Room for so many episodes; each must be drawn before it is played."""
