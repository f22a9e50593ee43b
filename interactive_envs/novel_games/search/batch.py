"""Many games of one program stepped together: what self-play learns from.

A game folder may have, beside ``game.py``, a ``batch.py`` with a class ``CustomBatch``, the same game as arrays:

- ``CustomBatch(games)``, so many games, a row each. ``player`` and ``winner``, (games,) whole numbers, say who is to
  move and who has won: -1 while the game goes on, 0, 1, or 2 for a draw.
- ``reset_batch(rows, seeds)`` begins these games as ``reset(seed=)`` does.
- ``step_batch(rows, actions)`` plays a legal action in each of these games, none of which is over.
- ``legal_batch(rows)``, (rows, actions) bool, what may be played; of games that are over it may be anything.
- ``observe_batch(rows, seats)``, (rows, size), what ``step`` returned; after the end ``seats`` holds who moved last.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import EXTRAS, Program, Table

OVER = -1
"""The acting seat of a game that is over."""


class _Arrays:
    """What is seen of so many games; see :class:`interactive_envs.training.arena.Arena`."""

    def __init__(self, program: Program, games: int) -> None:
        self.seats = 2
        self.observations = np.zeros((games, program.size + EXTRAS), np.float32)
        self.observations[:, program.size] = 1
        self.masks = np.zeros((games, program.actions), np.bool_)
        self.seat = np.full(games, OVER)
        self.scores = np.zeros((games, 2), np.float32)
        self._program = program

    def close(self) -> None:
        """Nothing is held."""


class Batch(_Arrays):
    """Games side by side; each row of the arrays is one game (see :class:`interactive_envs.training.arena.Arena`).

    Args:
        program: the game.
        games: how many.
        reuse: whether a game begins on the table of the one before, which is faster; code that nobody has vetted may
            leave something there.
    """

    def __init__(self, program: Program, games: int, *, reuse: bool = True) -> None:
        super().__init__(program, games)
        self._reuse = reuse
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

    def _show(self, rows: Any) -> None:
        program = self._program
        tables = [self._tables[row] for row in rows.tolist()]
        moves = [table.legal() for table in tables]
        self.masks[rows] = False
        self.masks[np.repeat(rows, [len(legal) for legal in moves]), list(chain.from_iterable(moves))] = True
        seat = np.array([table.seat for table in tables])
        seen = np.array([table.observation for table in tables], np.float32).reshape(len(tables), program.size)
        self.observations[rows, : program.size] = program.scale.rows(seen)
        self.observations[rows, program.size + 1] = seat
        self.observations[rows, program.size + 2] = np.array([table.turns for table in tables]) / program.max_turns
        over = np.array([table.result is not None for table in tables])
        self.seat[rows] = np.where(over, OVER, seat)
        self.scores[rows] = 0
        for place in np.flatnonzero(over).tolist():
            first = tables[place].score(0)
            self.scores[rows[place]] = first, -first


class ArrayBatch(_Arrays):
    """Like :class:`Batch`, of a game that is written as arrays.

    Args:
        program: the game.
        source: text of ``batch.py``, which is trusted.
        games: how many.
    """

    def __init__(self, program: Program, source: str, games: int) -> None:
        super().__init__(program, games)
        self._turns = np.zeros(games, np.int64)
        module: dict[str, Any] = {"__name__": "batch"}
        exec(compile(source, "batch.py", "exec"), module)  # noqa: S102  of the package
        self._games = module["CustomBatch"](games)

    def start(self, rows: Any, seeds: Any) -> None:
        """Restart these games."""
        self._turns[rows] = 0
        self._games.reset_batch(rows, seeds)
        self._show(rows, self.seat[rows])

    def play(self, rows: Any, actions: Any) -> None:
        """Play a legal action in each of these games."""
        movers = self.seat[rows]
        self._turns[rows] += 1
        self._games.step_batch(rows, actions)
        self._show(rows, movers)

    def _show(self, rows: Any, movers: Any) -> None:
        program, games = self._program, self._games
        winner, turns = games.winner[rows], self._turns[rows]
        over = (winner >= 0) | (turns >= program.max_turns)
        player = games.player[rows]
        seen = games.observe_batch(rows, np.where(winner >= 0, movers, player))
        seats = np.where(over, movers, player)
        self.masks[rows] = games.legal_batch(rows) & ~over[:, None]
        self.observations[rows, : program.size] = program.scale.rows(seen)
        self.observations[rows, program.size + 1] = seats
        self.observations[rows, program.size + 2] = turns / program.max_turns
        self.seat[rows] = np.where(over, OVER, seats)
        first = (winner == 0) * 1.0 - (winner == 1)
        self.scores[rows, 0], self.scores[rows, 1] = first, -first
