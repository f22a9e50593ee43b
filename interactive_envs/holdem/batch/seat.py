"""One seat of many hold'em matches: players that decide for many tables at once sit on the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError
from interactive_envs.holdem.batch.draws import Bits, Streams
from interactive_envs.holdem.batch.engine import FOLD, PASS, Flags, Ints, Legal
from interactive_envs.holdem.batch.matches import OVER, Matches
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.multiplayer.arrays import SeatArrays
from interactive_envs.seeds import GameSeeds


class Spots:
    """Decisions at several tables; each attribute has one number a table, and is computed when it is asked for.

    Args:
        matches: where they are.
        rows: in which of the matches.
        streams: what their players draw.
    """

    def __init__(self, matches: Matches, rows: Ints, streams: Streams) -> None:
        self._matches, self._rows, self._streams = matches, rows, streams

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def seeds(self) -> Ints:
        """Of the players, as :meth:`interactive_envs.agent.Agent.reset` gets them."""
        seeds: Ints = self._streams.seeds[self._rows, self._matches.seat[self._rows]]
        return seeds

    @property
    def hands(self) -> Ints:
        """Which hand of the match it is, from 0."""
        return self._matches.hand[self._rows]

    @property
    def actions(self) -> Ints:
        """How many actions the hand has so far, blinds and antes included."""
        return self._matches.noted[self._rows]

    @cached_property
    def legal(self) -> Legal:
        """What may be done."""
        return self._matches.tables.legal(self._rows)

    def bits(self, key: int) -> Bits:
        """See :meth:`interactive_envs.holdem.batch.draws.Streams.bits`."""
        return self._streams.bits(key, self._rows, self._matches.seat[self._rows], self.hands, self.actions)


class BatchPlayer(ABC):
    """A player of hold'em that can decide at many tables at once, as ``act`` does at each of them."""

    @abstractmethod
    def choose_all(self, spots: Spots) -> tuple[Ints, Ints]:
        """Kinds of actions, and the totals of raises; see :class:`interactive_envs.holdem.batch.engine.Tables`."""


def batch_player(agent: Agent) -> BatchPlayer:
    """The agent, if it can decide at many tables at once.

    Raises:
        ConfigError: it cannot, or a subclass of one that can has its own way to choose for a single table.
    """
    kinds = [{"choose", "choose_all"} & set(vars(kind)) for kind in type(agent).__mro__]
    if isinstance(agent, BatchPlayer) and next(filter(None, kinds)) == {"choose", "choose_all"}:
        return agent
    raise ConfigError(
        f"opponent {agent.name or type(agent).__name__!r} decides at one table at a time and cannot be played as "
        "arrays; use vectorization_mode='sync' or 'async'"
    )


class HoldemSeat(SeatArrays):
    """See :class:`interactive_envs.multiplayer.arrays.SeatArrays`.

    Args:
        game: the rules.
        count: of matches.
        seat: ours.
        others: who sits on the other seats, in order from the seat after ours on.

    Raises:
        ConfigError: one of them decides at one table at a time.
    """

    def __init__(self, game: HoldemGame, count: int, seat: int, others: Sequence[Agent]) -> None:
        self._matches, self._me = Matches(game, count), seat
        known: dict[tuple[type[Agent], str], int] = {}
        self._players: list[BatchPlayer] = []
        self._who = np.zeros(game.seats, np.int64)
        """Which of the players sits on each seat; players that are alike are one."""
        for place, agent in enumerate(others, start=1):
            player = batch_player(agent)
            key = type(agent), repr(agent.describe())
            if key not in known:
                known[key] = len(self._players)
                self._players.append(player)
            self._who[(seat + place) % game.seats] = known[key]
        self._streams = Streams(count, game.seats, game.match)
        self.masks = np.zeros(self._matches.masks.shape, np.int8)
        self.over, self.paid = np.ones(count, np.bool_), np.zeros(count)

    def begin(self, rows: Ints, seeds: Sequence[GameSeeds]) -> None:
        """Deal, and play to the seat's first turn."""
        self._streams.begin(rows, np.array([one.players for one in seeds]))
        self._matches.begin(rows, [one.game for one in seeds])
        self._play_on(rows)

    def play(self, rows: Ints, actions: Ints) -> None:
        """Play numeric actions."""
        if len(rows):
            self._matches.act(rows, *self._matches.moves(rows, actions))
            self._play_on(rows)

    def punish(self, rows: Ints) -> None:
        """Check where that is free, else fold."""
        if len(rows):
            free = self._matches.tables.legal(rows).to_call == 0
            self._matches.act(rows, np.where(free, PASS, FOLD), np.zeros(len(rows), np.int64))
            self._play_on(rows)

    def observe(self) -> NDArray[np.float32]:
        """What the seat sees in all matches."""
        return self._matches.observations.copy()

    def legal(self, rows: Ints, actions: Ints) -> Flags:
        """Which actions may be played.

        Raises:
            ConfigError: there is no such action.
        """
        most = self.masks.shape[1] - 1
        if len(actions) and not (actions.min() >= 0 and actions.max() <= most):
            wrong = actions[(actions < 0) | (actions > most)][0]
            raise ConfigError(f"a numeric action is a whole number from 0 to {most}, got {wrong}")
        return super().legal(rows, actions)

    def _play_on(self, rows: Ints) -> None:
        """Let the others act until it is the seat's turn, and look."""
        matches, left = self._matches, rows
        while len(left := left[(matches.seat[left] != self._me) & (matches.seat[left] != OVER)]):
            who = self._who[matches.seat[left]]
            for number, player in enumerate(self._players):
                its = left if len(self._players) == 1 else left[who == number]
                if len(its):
                    matches.act(its, *player.choose_all(Spots(matches, its, self._streams)))
        matches.look(rows, np.full(len(rows), self._me))
        self.masks[rows] = matches.masks[rows]
        self.over[rows] = matches.seat[rows] == OVER
        self.paid[rows] = matches.won[rows, self._me] / matches.game.big_blind
