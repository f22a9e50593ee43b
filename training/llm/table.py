"""A game as the agents on all its seats meet it: whose turn it is, what they read, and what they are paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gymnasium.utils import seeding

from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.multiplayer.match import Match
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.training.llm.dialogue import UNFINISHED, guarded


class Table:
    """One episode of a game, each seat played by somebody outside: PettingZoo's view of it, message by message.

    Args:
        env_id: a registered id of a game for several seats.
        arguments: of the environment, besides ``opponents`` and ``seat``.

    Attributes:
        seats: how many play.
        left: seats that were left before the end; the rest is played as silence for them.

    Raises:
        ConfigError: the environment cannot be made, or has one seat only.
    """

    def __init__(self, env_id: str, arguments: Mapping[str, Any] | None = None) -> None:
        given = dict(arguments or {})
        taken = next((name for name in ("opponents", "seat") if name in given), None)
        if taken:
            raise ConfigError(f"{taken} belongs to the view of one seat; here every seat is played")
        env = make(env_id, **given)
        if env.unwrapped is not env or not isinstance(env, SeatGame):
            env.close()
            raise ConfigError(f"{env_id} as it is made here is no game between seats; play it as a dialogue")
        self.seats = env.game.seats
        self.left: set[int] = set()
        self._match: Match[Any] = Match(env.game, retries=env.retries, on_invalid=env.on_invalid)
        self._counts: list[dict[str, int]] = []

    def begin(self, seed: int) -> None:
        """Start an episode; equal seeds give PettingZoo's view and this one the same deal.

        Raises:
            FaultError: the game failed.
        """
        guarded(lambda: self._match.begin(seeding.np_random(seed)[0]))
        self.left = set()
        self._counts = [{"move": 0, "invalid": 0} for _ in range(self.seats)]

    @property
    def to_move(self) -> int | None:
        """The seat that acts now, None when the episode is over."""
        return self._match.to_move

    def observe(self, seat: int) -> str:
        """The messages to a seat since its own last action; before its first with the rules."""
        return guarded(lambda: self._match.observe(seat))

    def step(self, text: str) -> None:
        """Let the seat that is to move play a text.

        Raises:
            FaultError: the game failed.
        """
        seat = self._match.to_move
        played = guarded(lambda: self._match.act(text))
        if seat is not None and seat not in self.left:
            self._counts[seat]["move" if played.valid else "invalid"] += 1

    def leave(self, seat: int) -> None:
        """Say that nobody plays a seat any more; its outcome will be ``unfinished``, its reward that of silence."""
        self.left.add(seat)

    def reward(self, seat: int) -> float:
        """What a seat has been paid so far."""
        return float(self._match.game.returns(self._match.state)[seat])

    def outcome(self, seat: int) -> str:
        """How the episode ended for a seat.

        Raises:
            ConfigError: it is not over.
        """
        if self.to_move is not None:
            raise ConfigError("the episode is not over; play it to the end first")
        return UNFINISHED if seat in self.left else str(self._match.game.outcomes(self._match.state)[seat].value)

    def metrics(self, seat: int) -> dict[str, float]:
        """Numbers beside the reward, as :attr:`Dialogue.metrics` has them."""
        counts = self._counts[seat]
        return {"turns": sum(counts.values()), **counts, "unfinished": float(seat in self.left)}
