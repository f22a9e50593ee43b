"""What a solver of black boxes is: it asks, or moves, from what is shown, and never knows a box's name."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from interactive_envs.black_box.rules import BoxShown


class QuerySolver(ABC):
    """Solves boxes that are queried and answered for; one object solves one episode."""

    random: np.random.Generator

    def start(self, random: np.random.Generator) -> None:
        """Begin an episode with these draws."""
        self.random = random

    @abstractmethod
    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """The query to ask as a text action; None to be tested now."""

    @abstractmethod
    def answer(self, shown: BoxShown) -> str:
        """The inside of the answer's tag."""


class MoveSolver(ABC):
    """Solves boxes that are games; one object solves one episode."""

    random: np.random.Generator

    def start(self, random: np.random.Generator) -> None:
        """Begin an episode with these draws."""
        self.random = random

    @abstractmethod
    def move(self, shown: BoxShown) -> str:
        """The next move as a text action, while exploring also ``<ready></ready>``."""
