"""Many episodes of one seat of a game at once, as arrays: the numeric twin behind ``gym.make_vec``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.arrays import Flags, Ints
from interactive_envs.multiplayer.single_seat import MAX_DEALS, SeatGame
from interactive_envs.seeds import game_seeds, vector_generators


class VectorSeat(VectorEnv[NDArray[np.float32], NDArray[np.int64], Any]):
    """The numeric twin of several copies of a seat, stepped together.

    Observations, rewards, endings and masks are those of :class:`gymnasium.vector.SyncVectorEnv` with the same seeds; a
    copy that has ended begins its next episode with the next step, whose action it ignores. The info holds
    ``action_mask``, and where episodes ended ``outcome`` and ``turns``. There are no texts.

    Args:
        env: one copy, from which rules, seat and opponents are taken.
        num_envs: how many.

    Raises:
        ConfigError: its game or its opponents cannot be played as arrays.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - declared so by Gymnasium

    def __init__(self, env: SeatGame, num_envs: int) -> None:
        self._arrays = env.arrays(num_envs)
        self.num_envs = num_envs
        self._seats, self._seat, self._retries = env.game.seats, env.seat, env.retries
        self.single_observation_space = Box(0.0, 1.0, env.game.numeric_shape, np.float32)
        self.single_action_space = Discrete(env.game.numeric_actions or 1)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators = [np.random.default_rng() for _ in range(num_envs)]
        self._tries, self._turns = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self._paid = np.zeros(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all episodes.

        Args:
            seed: of the first copy, the others count on from it; or one for each; None to draw on.
            options: ``{"reset_mask": flags}`` begins only those.

        Raises:
            ConfigError: there is another option.
        """
        self._begin(vector_generators(self._generators, seed, options))
        return self._arrays.observe(), {"action_mask": self._arrays.masks.copy()}

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
        info: dict[str, Any] = {}
        if over.any():
            outcomes = np.full(self.num_envs, None, dtype=object)
            outcomes[over] = arrays.outcomes(np.flatnonzero(over))
            turns = np.where(over, self._turns, 0)
            info |= {"outcome": outcomes, "_outcome": over.copy(), "turns": turns, "_turns": over.copy()}
        self._begin(np.flatnonzero(ended))
        info["action_mask"] = arrays.masks.copy()
        return arrays.observe(), rewards, over, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> NDArray[np.int8]:
        """1 where an action may be played, shape (copies, actions)."""
        return self._arrays.masks.copy()

    def _begin(self, rows: Ints) -> None:
        """Begin episodes; one that ends before the seat has anything to decide is drawn again."""
        self._tries[rows], self._turns[rows], self._paid[rows] = 0, 0, 0.0
        for _ in range(MAX_DEALS):
            if not len(rows):
                return
            self._arrays.begin(rows, [game_seeds(self._generators[row], self._seats) for row in rows.tolist()])
            rows = rows[self._arrays.over[rows]]
        if len(rows):
            raise ConfigError(f"seat {self._seat} had nothing to decide in {MAX_DEALS} episodes; change the opponents")
