"""What all players of black boxes have in common: when to ask, when to answer, what they may know."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.black_box.rules import READY_TEXT, BoxShown
from interactive_envs.core import DialogueView
from interactive_envs.errors import ConfigError


class FamilyPlayer(Agent, ABC):
    """Plays one family of black boxes from its View; never knows a box's name. One object plays one episode."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws.

        Raises:
            ConfigError: it is another family, or no black box.
        """
        shown = getattr((info or {}).get("view"), "shown", None)
        if not isinstance(shown, BoxShown) or shown.family != type(self).family:
            raise ConfigError(f"agent {self.name!r} plays {self.family} black boxes only; try 'random'")
        # Another stream than the environment's, which draws what is hidden from the same seed.
        self.random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"box player")])


class BoxPlayer(FamilyPlayer, ABC):
    """Plays boxes that are asked and answered for."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask, or answer the item in question."""
        view: DialogueView = info["view"]
        shown: BoxShown = view.shown
        if shown.exploring:
            return self.ask(shown, view.rounds_left) or READY_TEXT
        return f"<answer>{self.answer(shown)}</answer>"

    @abstractmethod
    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """The query to ask as a text action; None to be tested now."""

    @abstractmethod
    def answer(self, shown: BoxShown) -> str:
        """The inside of the answer's tag."""


class RandomPlayer(FamilyPlayer):
    """Asks whatever is legal until the turns are spent, and answers whatever has the form of an answer."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws and keep the examples."""
        super().reset(seed=seed, info=info)
        self._examples: tuple[str, ...] = tuple((info or {})["action_examples"])

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Draw an action that does not end the exploration."""
        tags = tuple(f"<{tag}>" for tag in info["action_tags"])
        legal = [*info.get("legal_actions", ())] or [text for text in self._examples if text.startswith(tags)]
        legal = [text for text in legal if text != READY_TEXT] or [READY_TEXT]
        return str(legal[int(self.random.integers(len(legal)))])


class GamePlayer(FamilyPlayer, ABC):
    """Plays a black box that is a game: its moves while exploring and in the test."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Move."""
        return self.move(info["view"].shown)

    @abstractmethod
    def move(self, shown: BoxShown) -> str:
        """The next move as a text action, while exploring also ``<ready></ready>``."""


class RandomCircuit(RandomPlayer):
    """Tries any inputs."""

    family = "circuit"
    name = "random"


class RandomProgram(RandomPlayer):
    """Tries any inputs and looks."""

    family = "program"
    name = "random"


class RandomCipher(RandomPlayer):
    """Tries any texts."""

    family = "cipher"
    name = "random"


class RandomMechanics(RandomPlayer):
    """Tries any times."""

    family = "mechanics"
    name = "random"


class RandomPuzzle(RandomPlayer):
    """Tries any queries."""

    family = "puzzle"
    name = "random"


class RandomStrategy(RandomPlayer):
    """Tries any moves."""

    family = "strategy"
    name = "random"
