"""Many episodes of one seat of a game at once, as arrays: the numeric twin behind ``gym.make_vec``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.arrays import Flags, Ints
from interactive_envs.multiplayer.single_seat import MAX_DEALS, SeatGame
from interactive_envs.seeds import game_seeds
from interactive_envs.vector import VectorTwin


class VectorSeat(VectorTwin):
    """See :class:`interactive_envs.vector.VectorTwin`.

    Args:
        env: one copy, from which rules, seat and opponents are taken.
        num_envs: how many.

    Raises:
        ConfigError: its game or its opponents cannot be played as arrays.
    """

    def __init__(self, env: SeatGame, num_envs: int) -> None:
        self._arrays = env.arrays(num_envs)
        super().__init__(num_envs, env.game.numeric_shape or (), env.game.numeric_actions or 1)
        self._seats, self._seat, self._retries = env.game.seats, env.seat, env.retries
        self._tries, self._turns = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self._paid = np.zeros(num_envs)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Play one action in each copy, or begin the next episode where one has ended."""
        arrays, ended = self._arrays, self._arrays.over.copy()
        playing = np.flatnonzero(~ended)
        action = np.asarray(actions, np.int64)[playing]
        legal = arrays.legal(playing, action)
        wrong = playing[~legal]
        again = self._tries[wrong] < self._retries
        self._tries[wrong[again]] += 1
        turned = np.concatenate([playing[legal], wrong[~again]])
        self._tries[turned] = 0
        self._turns[turned] += 1
        arrays.play(playing[legal], action[legal])
        arrays.punish(wrong[~again])
        over = arrays.over & ~ended
        rewards = np.where(ended, 0.0, arrays.paid - self._paid)
        self._paid[playing] = arrays.paid[playing]
        outcomes = np.full(self.num_envs, None, dtype=object)
        outcomes[over] = arrays.outcomes(np.flatnonzero(over))
        turns = self._turns.copy()
        self.begin(np.flatnonzero(ended))
        return self.result(rewards, over, outcomes, turns)

    def observe(self) -> NDArray[np.float32]:
        """The seat's views."""
        return self._arrays.observe()

    def action_masks(self) -> NDArray[np.int8]:
        """1 where an action may be played."""
        return self._arrays.masks.copy()

    def begin(self, rows: Ints) -> None:
        """Begin episodes; one that ends before the seat has anything to decide is drawn again."""
        self._tries[rows], self._turns[rows], self._paid[rows] = 0, 0, 0.0
        for _ in range(MAX_DEALS):
            if not len(rows):
                return
            self._arrays.begin(rows, [game_seeds(self.generators[row], self._seats) for row in rows.tolist()])
            rows = rows[self._arrays.over[rows]]
        if len(rows):
            raise ConfigError(f"seat {self._seat} had nothing to decide in {MAX_DEALS} episodes; change the opponents")
