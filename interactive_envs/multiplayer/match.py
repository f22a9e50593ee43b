"""A match: one game between seats, with what invalid text costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple

import numpy as np

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.game import Game, StateT
from interactive_envs.parsing import TIMEOUT_ACTION, Illegal, Unreadable
from interactive_envs.seeds import GameSeeds, game_seeds
from interactive_envs.view import View

MAX_ACTION = 20_000
"""Longest text of an action, in characters; a longer one is unreadable."""
NOT_BEGUN = "no episode has begun; call reset() first"
TIME_LIMIT = Unreadable("The time limit for this action was exceeded.")


class Played(NamedTuple):
    """What became of one text.

    Attributes:
        seat: whose text it was.
        text: the text.
        kind: ``move``; ``retry``, no legal move and asked for again; ``punished``, none or too late for good.
        reason: why it is no move, None for one.
        illegal: whether it could be read, and is not legal now.
    """

    seat: int
    text: str
    kind: str
    reason: str | None = None
    illegal: bool = False

    @property
    def valid(self) -> bool:
        """Whether the text was read as a legal move."""
        return self.kind == "move"


class Match(Generic[StateT]):
    """One episode of a game: who is to move, what each seat observes, and what an unreadable text costs.

    Attributes:
        seeds: of the game that was begun last.
        texts: what became of every text of the game, in order.
        last: what became of each seat's last text, None before its first.

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
        self.on_invalid = on_invalid or next(iter(game.invalid_policies))
        self.seeds = GameSeeds(0)
        self.texts: list[Played] = []
        self.last: list[Played | None] = []
        self._state: StateT | None = None
        self._views: dict[int, View] = {}
        self._to_move: int | None = None

    def begin(self, seed: int | np.random.Generator | GameSeeds, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: what :func:`~interactive_envs.seeds.game_seeds` draws the seeds from, or the seeds themselves.
            options: what the game's ``reset_options`` name.

        Raises:
            UnknownNameError: the game has no such option.
        """
        for name in options or {}:
            if name not in self.game.reset_options:
                raise UnknownNameError("reset option", str(name), self.game.reset_options)
        self.seeds = seed if isinstance(seed, GameSeeds) else game_seeds(seed, self.game.seats)
        self.replace(self.game.start(np.random.default_rng(self.seeds.game), options or {}))
        self.texts, self.last = [], [None] * self.game.seats
        self._tries = 0
        self._acted = [0] * self.game.seats
        self._notices: dict[int, str] = {}

    def replace(self, state: StateT) -> None:
        """Go on from another state that looks the same to whoever is to move."""
        self._state = state
        self._changed()

    def _changed(self) -> None:
        """What was built from the state before is of no use any more."""
        self._views = {}
        self._to_move = self.game.to_move(self.state)

    @property
    def started(self) -> bool:
        """Whether an episode has begun."""
        return self._state is not None

    @property
    def state(self) -> StateT:
        """The game's state; only rules and records may look at it."""
        if self._state is None:
            raise ConfigError(NOT_BEGUN)
        return self._state

    @property
    def to_move(self) -> int | None:
        """The seat that acts now, None when the episode is over."""
        if self._state is None:
            raise ConfigError(NOT_BEGUN)
        return self._to_move

    def view(self, seat: int) -> Any:
        """All that the seat may know."""
        if seat not in self._views:
            self._views[seat] = self.game.view(self.state, seat)
        return self._views[seat]

    def observe(self, seat: int) -> str:
        """Return the messages to the seat since its own last action; calling it changes nothing."""
        view = self.view(seat)
        text = self.game.situation(view)
        notice = self._notices.get(seat) if self.to_move == seat else None
        if (self._acted[seat] == 0 and not notice) or self.begins_anew(seat):
            text = f"{self._rules(view)}\n\n{text}"
        return f"{notice}\n\n{text}" if notice else text

    def begins_anew(self, seat: int) -> bool:
        """Whether the seat acted before, and what it now observes begins a fresh dialogue."""
        return bool(self._acted[seat]) and self.game.begins_anew(self.view(seat))

    def view_text(self, seat: int) -> str:
        """The seat's View as one text, rules included, for players that keep no history."""
        view = self.view(seat)
        return f"{self._rules(view)}\n\n{self.game.situation(view)}"

    def _rules(self, view: Any) -> str:
        """The game's rules, and what a message costs that is no move."""
        cost = self.game.invalid_policies[self.on_invalid]
        bad = "If a message of yours cannot be read, or is not legal"
        if not self.retries:
            return f"{self.game.rules(view)}\n{bad}, {cost}."
        often = {1: "once", 2: "twice"}.get(self.retries, f"{self.retries} times")
        return f"{self.game.rules(view)}\n{bad}, you may try again, {often} per turn. If that fails too, {cost}."

    def messages(self, seat: int) -> tuple[int, int]:
        """First and one past the last of the seat's messages that :meth:`observe` gives."""
        return self._acted[seat], self._acted[seat] + 1

    def act(self, text: str) -> Played:
        """Let the seat that is to move play a text."""
        seat = self.to_move
        if seat is None:
            raise ConfigError("the episode is over; call reset() first")
        if not isinstance(text, str):
            raise TypeError(f"an action is a str, got {type(text).__name__}: {text!r}")
        move = self._read(seat, text)
        self._acted[seat] += 1
        try:
            played = self._apply(seat, text, move)
        finally:
            self._changed()
        self.texts.append(played)
        self.last[seat] = played
        return played

    def _apply(self, seat: int, text: str, move: Any | Unreadable) -> Played:
        """Play a move, ask again, or punish."""
        if not isinstance(move, Unreadable):
            self.game.play(self.state, seat, move)
            self._tries = 0
            self._notices.pop(seat, None)
            return Played(seat, text, "move")
        illegal = isinstance(move, Illegal)
        if move is not TIME_LIMIT and self._tries < self.retries:
            self._tries += 1
            self._notices[seat] = f"Not {'legal' if illegal else 'read'}: {move.reason} Try again; {self._left()}."
            return Played(seat, text, "retry", move.reason, illegal)
        self.game.punish(self.state, seat, self.on_invalid)
        cost = self.game.invalid_policies[self.on_invalid]
        self._tries = 0
        was = "not legal" if illegal else "not read"
        self._notices[seat] = f"Your last message was {was}: {move.reason} In such a case {cost}."
        return Played(seat, text, "punished", move.reason, illegal)

    def _left(self) -> str:
        """What the tries that are left mean."""
        if self._tries < self.retries:
            return f"tries left: {self.retries - self._tries + 1}"
        return f"if that fails too, {self.game.invalid_policies[self.on_invalid]}"

    def _read(self, seat: int, text: str) -> Any | Unreadable:
        if text.strip() == TIMEOUT_ACTION:
            return TIME_LIMIT
        if len(text) > MAX_ACTION:
            return Unreadable(f"The message is longer than {MAX_ACTION} characters.")
        if not text.isascii():  # half a surrogate pair, which JSON can carry, would break who writes or sends it later
            text = text.encode("utf-8", "replace").decode()
        return self.game.read(self.state, seat, text)
