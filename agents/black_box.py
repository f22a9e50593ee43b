"""Players of black boxes: the reference of each family, which asks its solver, and one that draws its actions."""

from __future__ import annotations

import zlib
from abc import ABC
from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.black_box.cipher import solver as cipher
from interactive_envs.black_box.circuit import solver as circuit
from interactive_envs.black_box.mechanics import solver as mechanics
from interactive_envs.black_box.program import solver as program
from interactive_envs.black_box.puzzle import solver as puzzle
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import Solver
from interactive_envs.black_box.strategy import solver as strategy
from interactive_envs.black_box.wording import READY_TEXT
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError


class FamilyPlayer(Agent, ABC):
    """Plays one family of black boxes from its View; never knows a box's name. One object plays one episode."""

    from_view = True

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


class ReferencePlayer(FamilyPlayer, ABC):
    """Plays as its family's solver says."""

    solver: Solver

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws and start the solver."""
        super().reset(seed=seed, info=info)
        self.solver.start(self.random)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Explore, answer or move."""
        view: DialogueView = info["view"]
        return self.solver.act(view.shown, view.rounds_left)


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


class ReferenceCircuit(ReferencePlayer):
    """Asks what is most in doubt over all gates, then answers with the more likely value of each.

    How: :class:`interactive_envs.black_box.circuit.solver.Solver`.
    """

    family = "circuit"
    name = "reference"

    def __init__(self) -> None:
        self.solver = circuit.Solver()


class ReferenceProgram(ReferencePlayer):
    """Looks at every checkpoint once, at loops a few times, at what tells most again under other inputs.

    How: :class:`interactive_envs.black_box.program.solver.Solver`.

    Args:
        textbook: whether it knows the textbook.
    """

    family = "program"
    name = "reference"

    def __init__(self, *, textbook: bool = True) -> None:
        self.solver = program.Solver(textbook=textbook)


class ReferenceCipher(ReferencePlayer):
    """Looks for a cipher among those that ``candidates`` lists; where none fits it gives the text back.

    How: :class:`interactive_envs.black_box.cipher.solver.Solver`.
    """

    family = "cipher"
    name = "reference"

    def __init__(self) -> None:
        self.solver = cipher.Solver()


class ReferenceMechanics(ReferencePlayer):
    """Asks at eight times that are spread like a geometric series, then where the motions that fit differ most.

    How, and which motions it knows: :class:`interactive_envs.black_box.mechanics.solver.Solver`.
    """

    family = "mechanics"
    name = "reference"

    def __init__(self) -> None:
        self.solver = mechanics.Solver()


class ReferencePuzzle(ReferencePlayer):
    """Keeps everything that agrees with the replies, asks what splits it best, answers with what is left.

    How: :class:`interactive_envs.black_box.puzzle.solver.Solver`.
    """

    family = "puzzle"
    name = "reference"

    def __init__(self) -> None:
        self.solver = puzzle.Solver()


class ReferenceStrategy(ReferencePlayer):
    """Keeps a mixture of rules over all games of an episode, explores what they know least, then plays best against it.

    How, and which rules it weighs: :class:`interactive_envs.black_box.strategy.solver.Solver`.
    """

    family = "strategy"
    name = "reference"

    def __init__(self) -> None:
        self.solver = strategy.Solver()
