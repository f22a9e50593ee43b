"""Many games of one program stepped together: what self-play learns from."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import EXTRAS, Program, Table

OVER = -1
"""The acting seat of a game that is over."""


class Batch:
    """Games side by side; each row of the arrays is one game (see :class:`interactive_envs.training.arena.Arena`).

    Args:
        program: the game.
        games: how many.
        reuse: whether a game begins on the table of the one before, which is faster; code that nobody has vetted may
            leave something there.
    """

    def __init__(self, program: Program, games: int, *, reuse: bool = True) -> None:
        self.seats = 2
        self.observations = np.zeros((games, program.size + EXTRAS), np.float32)
        self.observations[:, program.size] = 1
        self.masks = np.zeros((games, program.actions), np.bool_)
        self.seat = np.full(games, OVER)
        self.scores = np.zeros((games, 2), np.float32)
        self._program, self._reuse = program, reuse
        self._tables = [program.new(0) for _ in range(games)]

    def start(self, rows: Any, seeds: Any) -> None:
        """Restart these games."""
        program = self._program
        for row, seed in zip(rows.tolist(), seeds.tolist(), strict=True):
            if self._reuse:
                env = self._tables[row].env  # building a new one costs more than a whole short game
                self._tables[row] = Table(program, env, env.reset(seed=seed)[0])
            else:
                self._tables[row] = program.new(seed)
        self._show(rows)

    def play(self, rows: Any, actions: Any) -> None:
        """Play a legal action in each of these games."""
        tables = self._tables
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            tables[row].play(action)
        self._show(rows)

    def close(self) -> None:
        """Nothing is held."""

    def _show(self, rows: Any) -> None:
        program = self._program
        tables = [self._tables[row] for row in rows.tolist()]
        moves = [table.legal() for table in tables]
        self.masks[rows] = False
        self.masks[np.repeat(rows, [len(legal) for legal in moves]), list(chain.from_iterable(moves))] = True
        seat = np.array([table.seat for table in tables])
        self.observations[rows, : program.size] = [program.scale(table.observation) for table in tables]
        self.observations[rows, program.size + 1] = seat
        self.observations[rows, program.size + 2] = np.array([table.turns for table in tables]) / program.max_turns
        over = np.array([table.result is not None for table in tables])
        self.seat[rows] = np.where(over, OVER, seat)
        self.scores[rows] = 0
        for place in np.flatnonzero(over).tolist():
            first = tables[place].score(0)
            self.scores[rows[place]] = first, -first
