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
from interactive_envs.black_box.rules import READY_TEXT, BoxShown
from interactive_envs.black_box.solving import QuerySolver
from interactive_envs.black_box.strategy import solver as strategy
from interactive_envs.dialogue.view import DialogueView
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


class QueryPlayer(FamilyPlayer):
    """Plays boxes that are queried and answered for, with a solver."""

    solver: QuerySolver

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws and start the solver."""
        super().reset(seed=seed, info=info)
        self.solver.start(self.random)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask, or answer the item in question."""
        view: DialogueView = info["view"]
        shown: BoxShown = view.shown
        if shown.exploring:
            return self.solver.ask(shown, view.rounds_left) or READY_TEXT
        return f"<answer>{self.solver.answer(shown)}</answer>"


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


class ReferenceCircuit(QueryPlayer):
    """Asks what is most in doubt over all gates, then answers with the more likely value of each.

    With partial observability it goes by simple functions of the inputs that agree with what was told. A second try at
    an item takes the most doubtful gate the other way.
    """

    family = "circuit"
    name = "reference"

    def __init__(self) -> None:
        self.solver = circuit.Solver()


class ReferenceProgram(QueryPlayer):
    """Looks at every checkpoint once, at loops a few times, at what tells most again under other inputs.

    It has two kinds of hypotheses. The hidden program may be one of a textbook, the fixed ones: any with inputs of the
    same types and as many checkpoints, whose values agree with all looks. Else each variable at a checkpoint is an
    expression of at most two operations (``+ - * // % min max``, halved or not) of the inputs, simple figures of them
    (length, sum, products of two, the element of the visit's number and the like), the visit's number, small numbers,
    the variables listed before it, and the variables one visit earlier; or a part or a rearrangement of an input. It
    takes the shortest that explains most looks; where it has none it says what it saw there most often.

    Args:
        textbook: whether it knows the textbook.
    """

    family = "program"
    name = "reference"

    def __init__(self, *, textbook: bool = True) -> None:
        self.solver = program.Solver(textbook=textbook)


class ReferenceCipher(QueryPlayer):
    """Looks for a cipher among those that ``candidates`` lists; where none fits it gives the text back.

    Its texts: the alphabet with blanks, the same in capitals, a with every other letter (where only half is shown, in
    two texts, and the alphabet from h on), then random letters of all lengths, every second one a capital on average.
    It stops when a cipher has foretold three replies.
    """

    family = "cipher"
    name = "reference"

    def __init__(self) -> None:
        self.solver = cipher.Solver()


class ReferenceMechanics(QueryPlayer):
    """Asks at eight times that are spread like a geometric series, then where the motions that fit differ most.

    It knows uniform and accelerated motion, swings (damped, driven, in two directions), cycloids and crossed fields,
    pendulums in a plane, on a cone, on a sphere and double, bounces, slopes and wedges with round angles, dry friction
    and drag, a boat in a current, ellipses about a centre, coupled masses, a block that is shot through, and balls
    between walls: always with round parameters, see ``docs/black-boxes/mechanics.md``.
    """

    family = "mechanics"
    name = "reference"

    def __init__(self) -> None:
        self.solver = mechanics.Solver()


class ReferencePuzzle(QueryPlayer):
    """Keeps everything that agrees with the replies, asks what splits it best, answers with what is left.

    Machines: the best plan for the turns left, exactly. Coins under false replies: the best plan among even splits.
    """

    family = "puzzle"
    name = "reference"

    def __init__(self) -> None:
        self.solver = puzzle.Solver()


class ReferenceStrategy(FamilyPlayer):
    """Keeps a mixture of rules over all games of an episode, explores what they know least, then plays best against it.

    The rules: tables by the place in a cycle of up to 8 moves, by the move's number, by up to three last moves of
    either side or both, by classes of the player's last move, by differences on the circle; volleys; piles of cards,
    shuffled or sorted; cards outwards from the middle. It goes on learning in the test.
    """

    family = "strategy"
    name = "reference"

    def __init__(self) -> None:
        self.solver = strategy.Solver()

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws and start the solver."""
        super().reset(seed=seed, info=info)
        self.solver.start(self.random)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Move."""
        return self.solver.move(info["view"].shown)
