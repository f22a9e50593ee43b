"""Pure rules of a game for several seats, and the match that plays them action by action.

Nothing here knows of Gymnasium or PettingZoo: ``multiplayer.py`` shows a match as an AEC, a parallel and a
single-seat environment, and search, rule players and tournaments use the rules themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable, action_forms
from interactive_envs.view import View

StateT = TypeVar("StateT")


LEGAL = ("listed", "hidden")
"""Whether a game's text names the legal moves."""


def read_legal(value: object) -> str:
    """Read the argument ``legal``.

    Raises:
        UnknownNameError: it is neither ``listed`` nor ``hidden``.
    """
    if value not in LEGAL:
        raise UnknownNameError("legal", str(value), LEGAL)
    return str(value)


class Game(ABC, Generic[StateT]):
    """The rules of one game; an instance holds its arguments, never a state.

    States are mutable: :meth:`play` changes one in place, :meth:`clone` copies one. Everything a seat may know is in
    its View; texts, arrays and rule players are functions of the View alone. All randomness of an episode is drawn in
    :meth:`start`.
    """

    invalid_policies: ClassVar[Mapping[str, str]] = {"forfeit": "you lose the game"}
    """What may happen to a seat whose retries are unreadable too, and how it is told; the first is the default."""
    reset_options: ClassVar[tuple[str, ...]] = ()
    """Names that ``reset(options=…)`` knows."""
    simultaneous: ClassVar[bool] = False
    """Whether all seats choose at once, each before it knows the others' choice."""
    action_tags: ClassVar[tuple[str, ...]] = ("move",)
    action_examples: tuple[str, ...] = ()
    """Texts that play well in most states."""
    history: str = "full"
    """How much of its past observations a language model should keep: ``full``, ``last:N`` or ``none``."""
    numeric_actions: int | None = None
    """Size of the numeric twin's Discrete action space, None where there is no twin."""
    numeric_shape: tuple[int, ...] | None = None
    """Shape of the numeric twin's observation: Box float32 in [0, 1]."""
    legal: str = "listed"
    """Whether the text names the legal moves, ``listed``, or leaves them to the rules, ``hidden``."""
    sandboxed: bool = False
    """Whether code that is not trusted takes part, so that records say at which level of the sandbox it ran."""
    seats: int
    """How many play; set by the constructor."""

    @property
    def action_forms(self) -> Mapping[str, str]:
        """By tag a message that uses it, with what stands inside as a field in braces; for models that call tools."""
        return action_forms(self.action_tags)

    @abstractmethod
    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> StateT:
        """The state before the first action.

        Args:
            rng: draws everything random of the episode.
            options: of ``reset``, keys among :attr:`reset_options`.

        Raises:
            ConfigError: an option has a value that cannot work.
        """

    @abstractmethod
    def clone(self, state: StateT) -> StateT:
        """An independent copy."""

    @abstractmethod
    def to_move(self, state: StateT) -> int | None:
        """The seat that acts now, None when the episode is over. With simultaneous choices: the next that has none."""

    @abstractmethod
    def read(self, state: StateT, seat: int, text: str) -> Any | Unreadable:
        """Read a text as a legal move of the seat, or say why it is none, in a sentence for the player.

        An :class:`~interactive_envs.parsing.Illegal` is a move that could be read, and that is not legal now.
        """

    @abstractmethod
    def play(self, state: StateT, seat: int, move: Any) -> None:
        """Play a legal move, in place."""

    @abstractmethod
    def punish(self, state: StateT, seat: int, policy: str) -> None:
        """Apply one of :attr:`invalid_policies` to the seat that is to move, in place."""

    @abstractmethod
    def returns(self, state: StateT) -> tuple[float, ...]:
        """What each seat has been paid since the start; rewards are the differences."""

    @abstractmethod
    def outcomes(self, state: StateT) -> tuple[Outcome, ...]:
        """How the episode ended, a seat each; asked only when it is over."""

    @abstractmethod
    def view(self, state: StateT, seat: int) -> View:
        """All that the seat may know: a frozen record of JSON values."""

    @abstractmethod
    def rules(self, view: Any) -> str:
        """The rules and how to answer, for the first message of a dialogue."""

    @abstractmethod
    def situation(self, view: Any) -> str:
        """The View in words: what the seat observes whenever it is to act, and at the end."""

    def begins_anew(self, view: Any) -> bool:
        """Whether a fresh dialogue begins here, in which the seat knows nothing of what came before."""
        return False

    def legal_actions(self, view: Any) -> list[str] | None:
        """Every legal text action of the View's seat now; None where there is no short list, [] where it waits."""
        return None

    def legal_now(self, state: StateT, seat: int) -> list[str] | None:
        """The same of a state; overridden where it takes less than a whole View."""
        return self.legal_actions(self.view(state, seat))

    def resample(self, view: Any, rng: np.random.Generator) -> StateT:
        """A state drawn among those whose view is this one: what search may look at, and no more."""
        raise ConfigError(f"{type(self).__name__} cannot resample a view; search needs a game that can")

    def secrets(self, state: StateT, seat: int) -> Sequence[str]:
        """Texts that must not occur in the messages to the seat before the end."""
        return ()

    def record(self, state: StateT) -> dict[str, Any]:
        """What a finished episode leaves for metrics and replays, JSON values; may hold every secret."""
        return {}

    def data_sha256(self) -> str | None:
        """Hash of the data the game reads, None where it reads none."""
        return None

    def encode(self, view: Any) -> NDArray[np.float32]:
        """The complete View as an array of :attr:`numeric_shape`."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")

    def decode(self, view: Any, index: int) -> str:
        """The text action of a numeric one; '' for an index that is masked out."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")
