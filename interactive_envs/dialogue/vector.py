"""Many episodes of one dialogue at once, as arrays: the numeric twin behind ``gym.make_vec``."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.arrays import Batched, Flags, Ints
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.protocol import Rounds
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.vector import VectorTwin

_ROUNDS, _FORCED, _OVER = 0, 1, 2


class VectorDialogue(VectorTwin):
    """See :class:`interactive_envs.vector.VectorTwin`.

    Args:
        env: one copy, from which the rules are taken.
        num_envs: how many.

    Raises:
        ConfigError: its task or its arguments cannot be played as arrays.
    """

    def __init__(self, env: gym.Env[Any, Any], num_envs: int) -> None:
        base: Any = env.unwrapped
        task: Any = base.task if isinstance(base, DialogueEnv) else None
        protocol: Any = type(getattr(base, "protocol", None))
        if not isinstance(task, Batched) or protocol is not Rounds:
            raise ConfigError(
                f"{type(base).__name__} cannot be played as arrays with these arguments; "
                "use vectorization_mode='sync' or 'async'"
            )
        if base.cases is not None and len(base.cases) == 1:
            raise ConfigError("a single case is not drawn; use vectorization_mode='sync'")
        known: Any = task
        super().__init__(num_envs, known.numeric_shape, known.numeric_actions)
        self.terms = base.terms
        self._arrays = task.arrays(num_envs)
        self._n_queries = self._arrays.queries.shape[1]
        self._rounds, self._retries, self._stage = (np.zeros(num_envs, np.int64) for _ in range(3))
        self._masks = np.zeros((num_envs, known.numeric_actions), np.int8)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Play one action in each copy, or begin the next episode where one has ended."""
        ended = self._stage == _OVER
        playing = np.flatnonzero(~ended)
        action = np.asarray(actions, np.int64)[playing]
        valid = (action >= 0) & (action < self._masks.shape[1])
        valid &= self._masks[playing, np.where(valid, action, 0)] == 1
        asked, answered = valid & (action < self._n_queries), valid & (action >= self._n_queries)
        outcomes = np.full(self.num_envs, None, dtype=object)

        rows = playing[answered]
        right = self._arrays.right(rows, action[answered] - self._n_queries)
        self._rounds[rows] -= self._stage[rows] == _ROUNDS
        outcomes[rows] = np.where(right, Outcome.SUCCESS.value, Outcome.FAILURE.value)

        wrong = playing[~valid]
        fatal = (self._stage[wrong] == _FORCED) & (self._retries[wrong] == 0) | self.terms.strict
        outcomes[wrong[fatal]] = Outcome.FORMAT_ERROR.value
        free = ~fatal & (self._retries[wrong] > 0)
        self._retries[wrong[free]] -= 1

        rows = playing[asked]
        self._arrays.ask(rows, action[asked])
        spent = np.concatenate([rows, wrong[~fatal & ~free]])
        self._rounds[spent] -= 1
        self._retries[spent] = self.terms.retries
        last = spent[self._rounds[spent] == 0]
        if self.terms.forced_final:
            self._stage[last] = _FORCED
        else:
            outcomes[last] = Outcome.TIMEOUT.value

        over = np.array([outcome is not None for outcome in outcomes]) if len(outcomes) else ended
        self._stage[over] = _OVER
        turns = self.terms.budget - self._rounds
        self.begin(np.flatnonzero(ended))
        rewards = (outcomes == Outcome.SUCCESS.value).astype(np.float64)
        return self.result(rewards, over, outcomes, turns)

    def action_masks(self) -> NDArray[np.int8]:
        """1 where an action may be played."""
        return self._masks.copy()

    def begin(self, rows: Ints) -> None:
        """Draw cases."""
        for row in rows.tolist():
            self._arrays.draw(row, self.generators[row])
        self._rounds[rows], self._retries[rows], self._stage[rows] = self.terms.budget, self.terms.retries, _ROUNDS
        self._look()

    def _look(self) -> None:
        """What may be played now."""
        asks = (self._stage == _ROUNDS) & self.terms.interaction
        self._masks[:, : self._n_queries] = self._arrays.queries & asks[:, None]
        self._masks[:, self._n_queries :] = self._arrays.answers & (self._stage != _OVER)[:, None]

    def observe(self) -> NDArray[np.float32]:
        """The views."""
        progress = np.stack(
            [
                self._rounds / self.terms.budget,
                np.minimum(1.0, self._rounds / 100),
                np.minimum(1.0, self._retries / 10),
                (self._stage == _ROUNDS) & self.terms.interaction,
                self._stage == _OVER,
                self._stage == _FORCED,
            ],
            axis=1,
        )
        return np.concatenate([self._arrays.features, progress.astype(np.float32)], axis=1)
