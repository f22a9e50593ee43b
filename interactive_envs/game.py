"""Pure rules of a game for several seats, and the match that plays them action by action.

Nothing here knows of Gymnasium or PettingZoo: ``multiplayer.py`` shows a match as an AEC, a parallel and a
single-seat environment, and search, rule players and tournaments use the rules themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.core import View
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import TIMEOUT_ACTION, Unreadable

MAX_ACTION = 20_000
"""Longest text of an action, in characters; a longer one is unreadable."""
TIME_LIMIT = Unreadable("The time limit for this action was exceeded.")

StateT = TypeVar("StateT")


class Game(ABC, Generic[StateT]):
    """The rules of one game; an instance holds its arguments, never a state.

    States are mutable: :meth:`play` changes one in place, :meth:`clone` copies one. Everything a seat may know is in
    its View; texts, arrays and rule players are functions of the View alone. All randomness of an episode is drawn in
    :meth:`start`.
    """

    invalid_policies: ClassVar[tuple[str, ...]] = ("forfeit",)
    """What may happen to a seat whose retry is unreadable too; the first is the default."""
    reset_options: ClassVar[tuple[str, ...]] = ()
    """Names that ``reset(options=…)`` knows."""
    simultaneous: ClassVar[bool] = False
    """Whether all seats choose at once, each before it knows the others' choice."""
    action_tags: ClassVar[tuple[str, ...]] = ("move",)
    action_examples: tuple[str, ...] = ()
    """Texts that play well in most states."""
    history: str = "full"
    """How much of its past observations a language model should keep: ``full``, ``hand``, ``last:N`` or ``none``."""
    numeric_actions: int | None = None
    """Size of the numeric twin's Discrete action space, None where there is no twin."""
    numeric_shape: tuple[int, ...] | None = None
    """Shape of the numeric twin's observation: Box float32 in [0, 1]."""
    sandboxed: bool = False
    """Whether code that is not trusted takes part, so that records say at which level of the sandbox it ran."""
    seats: int
    """How many play; set by the constructor."""

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
        """Read a text as a legal move of the seat, or say why it is none, in a sentence for the player."""

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
        """The rules and how to answer, for the seat's first message."""

    @abstractmethod
    def situation(self, view: Any) -> str:
        """The View in words: what the seat reads whenever it is to act, and at the end."""

    def legal_actions(self, view: Any) -> list[str] | None:
        """Every legal text action of the View's seat now; None where there is no short list, [] where it waits."""
        return None

    def resample(self, view: Any, rng: np.random.Generator) -> StateT:
        """A state drawn among those whose view is this one: what search may look at, and no more."""
        raise ConfigError(f"{type(self).__name__} cannot resample a view; search needs a game that can")

    def secrets(self, state: StateT, seat: int) -> Sequence[str]:
        """Texts that must not occur in what the seat is told before the end."""
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


@dataclass(frozen=True)
class Played:
    """What became of one text.

    Attributes:
        seat: whose text it was.
        text: the text.
        kind: ``move``; ``retry``, unreadable and asked for again; ``punished``, unreadable or too late for good.
        reason: why it could not be read, None for a move.
    """

    seat: int
    text: str
    kind: str
    reason: str | None = None

    @property
    def valid(self) -> bool:
        """Whether the text was read as a legal move."""
        return self.kind == "move"


class Match(Generic[StateT]):
    """One episode of a game: who is to move, what each seat is told, and what an unreadable text costs.

    Args:
        game: the rules.
        retries: unreadable texts a decision that are asked for again.
        on_invalid: what happens after them, one of the game's ``invalid_policies``; None takes the first.

    Raises:
        ConfigError: ``retries`` is no whole number of at least 0.
        UnknownNameError: the game has no such policy.
    """

    def __init__(self, game: Game[StateT], *, retries: int = 1, on_invalid: str | None = None) -> None:
        if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
            raise ConfigError(f"retries must be a whole number of at least 0, got {retries!r}")
        if on_invalid is not None and on_invalid not in game.invalid_policies:
            raise UnknownNameError("on_invalid", str(on_invalid), game.invalid_policies)
        self.game = game
        self.retries = retries
        self.on_invalid = on_invalid or game.invalid_policies[0]
        self._state: StateT | None = None
        self._views: dict[int, View] = {}

    def start(self, rng: np.random.Generator, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Raises:
            UnknownNameError: the game has no such option.
        """
        for name in options or {}:
            if name not in self.game.reset_options:
                raise UnknownNameError("reset option", str(name), self.game.reset_options)
        self.resume(self.game.start(rng, options or {}))

    def resume(self, state: StateT) -> None:
        """Go on from a state, as if nobody had been told anything yet."""
        self.replace(state)
        self._tries = 0
        self._acted = [0] * self.game.seats
        self._notice: str | None = None

    def replace(self, state: StateT) -> None:
        """Go on from another state that looks the same to whoever is to move."""
        self._state = state
        self._views = {}

    @property
    def started(self) -> bool:
        """Whether an episode has begun."""
        return self._state is not None

    @property
    def state(self) -> StateT:
        """The game's state; only rules and records may look at it."""
        if self._state is None:
            raise ConfigError("no episode has begun; call reset() first")
        return self._state

    @property
    def to_move(self) -> int | None:
        """The seat that acts now, None when the episode is over."""
        return self.game.to_move(self.state)

    def view(self, seat: int) -> Any:
        """All that the seat may know."""
        if seat not in self._views:
            self._views[seat] = self.game.view(self.state, seat)
        return self._views[seat]

    def observe(self, seat: int) -> str:
        """What the seat is told since its own last action; calling it changes nothing."""
        view = self.view(seat)
        text = self.game.situation(view)
        if self._notice is not None and self.to_move == seat:
            text = f"{self._notice}\n\n{text}"
        elif not self._acted[seat]:
            text = f"{self.game.rules(view)}\n\n{text}"
        return text

    def view_text(self, seat: int) -> str:
        """The seat's View as one text, rules included, for players that keep no history."""
        view = self.view(seat)
        return f"{self.game.rules(view)}\n\n{self.game.situation(view)}"

    def messages(self, seat: int) -> tuple[int, int]:
        """First and one past the last of the seat's messages that :meth:`observe` gives."""
        return self._acted[seat], self._acted[seat] + 1

    def act(self, text: str) -> Played:
        """Let the seat that is to move say a text."""
        seat = self.to_move
        if seat is None:
            raise ConfigError("the episode is over; call reset() first")
        if not isinstance(text, str):
            raise TypeError(f"an action is a str, got {type(text).__name__}: {text!r}")
        move = self._read(seat, text)
        self._acted[seat] += 1
        self._views = {}
        if not isinstance(move, Unreadable):
            self.game.play(self.state, seat, move)
            self._tries, self._notice = 0, None
            return Played(seat, text, "move")
        if move is not TIME_LIMIT and self._tries < self.retries:
            self._tries += 1
            self._notice = f"Not read: {move.reason} Try again."
            return Played(seat, text, "retry", move.reason)
        self.game.punish(self.state, seat, self.on_invalid)
        self._tries, self._notice = 0, None
        return Played(seat, text, "punished", move.reason)

    def _read(self, seat: int, text: str) -> Any | Unreadable:
        if text.strip() == TIMEOUT_ACTION:
            return TIME_LIMIT
        if len(text) > MAX_ACTION:
            return Unreadable(f"The message is longer than {MAX_ACTION} characters.")
        # Half a surrogate pair, which JSON can carry, would break whoever writes or sends the text later.
        return self.game.read(self.state, seat, text.encode("utf-8", "replace").decode())
