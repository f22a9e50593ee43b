"""What a solver of black boxes is: it asks, or moves, from what is shown, and never knows a box's name."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.wording import READY_TEXT


class Solver(ABC):
    """Plays one episode of a family's boxes; each family's ``solver.py`` has one as ``Solver``."""

    random: np.random.Generator

    def start(self, random: np.random.Generator) -> None:
        """Begin an episode, and use ``random`` for all draws."""
        self.random = random

    @abstractmethod
    def act(self, shown: BoxShown, turns_left: int) -> str:
        """The next text action, from what is shown to the player and the turns left to explore."""


class QuerySolver(Solver):
    """Solves boxes that are queried and then answered for."""

    def act(self, shown: BoxShown, turns_left: int) -> str:
        """Ask, or answer the item in question."""
        if shown.exploring:
            return self.ask(shown, turns_left) or READY_TEXT
        return f"<answer>{self.answer(shown)}</answer>"

    @abstractmethod
    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """The query to ask as a text action; None to be tested now."""

    @abstractmethod
    def answer(self, shown: BoxShown) -> str:
        """The inside of the answer's tag."""
