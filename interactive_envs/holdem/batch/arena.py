"""All seats of many matches in lockstep, for self-play."""

from __future__ import annotations

import numpy as np

from interactive_envs.holdem.batch.engine import Ints
from interactive_envs.holdem.batch.matches import OVER, Matches
from interactive_envs.holdem.rules import HoldemGame


class HoldemArena:
    """Equal to matches that are played one by one, number by number; see ``Arena`` in ``training/arena.py``.

    Args:
        game: the rules.
        games: how many are stepped together.
        most: what pays 1, in big blinds.
    """

    def __init__(self, game: HoldemGame, games: int, *, most: float = 1.0) -> None:
        self._matches, self._most = Matches(game, games), most
        self.seats, self.seat = game.seats, self._matches.seat
        self.observations, self.masks = self._matches.observations, self._matches.masks
        self.scores = np.zeros((games, game.seats), np.float32)

    def start(self, rows: Ints, seeds: Ints) -> None:
        """Restart these games."""
        self._matches.begin(rows, seeds.tolist())
        self._show(rows)

    def play(self, rows: Ints, actions: Ints) -> None:
        """Play a legal action in each of these games."""
        self._matches.act(rows, *self._matches.moves(rows, actions))
        self._show(rows)

    def close(self) -> None:
        """Nothing is held."""

    def _show(self, rows: Ints) -> None:
        self.scores[rows] = self._matches.won[rows] / self._matches.game.big_blind / self._most
        rows = rows[self.seat[rows] != OVER]
        self._matches.look(rows, self.seat[rows])
