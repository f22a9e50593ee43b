"""Many episodes of one dialogue at once, as arrays: the numeric twin behind ``gym.make_vec``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from interactive_envs.dialogue.arrays import Batched, Flags, Ints
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.protocol import Rounds
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.seeds import vector_generators

_ROUNDS, _FORCED, _OVER = 0, 1, 2


class VectorDialogue(VectorEnv[NDArray[np.float32], NDArray[np.int64], Any]):
    """The numeric twin of several copies of a dialogue, stepped together.

    Observations, rewards, endings and masks are those of :class:`gymnasium.vector.SyncVectorEnv` with the same seeds; a
    copy that has ended begins its next episode with the next step, whose action it ignores. The info holds
    ``action_mask``, and where episodes ended ``outcome`` and ``turns``. There are no texts.

    Args:
        env: one copy, from which the rules are taken.
        num_envs: how many.

    Raises:
        ConfigError: its task or its arguments cannot be played as arrays.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - declared so by Gymnasium

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
        self.num_envs = num_envs
        self.terms = base.terms
        self._arrays = task.arrays(num_envs)
        known: Any = task
        self.single_observation_space = Box(0.0, 1.0, known.numeric_shape, np.float32)
        self.single_action_space = Discrete(known.numeric_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._n_queries = self._arrays.queries.shape[1]
        self._rows = np.arange(num_envs)
        self._generators = [np.random.default_rng() for _ in range(num_envs)]
        self._rounds, self._retries, self._stage = (np.zeros(num_envs, np.int64) for _ in range(3))
        self._masks = np.zeros((num_envs, known.numeric_actions), np.int8)

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
        self._look()
        return self._observe(), {"action_mask": self._masks.copy()}

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
        self._begin(np.flatnonzero(ended))
        self._look()
        info: dict[str, Any] = {"action_mask": self._masks.copy()}
        if over.any():
            turns = np.where(over, self.terms.budget - self._rounds, 0)
            info |= {"outcome": outcomes, "_outcome": over.copy(), "turns": turns, "_turns": over.copy()}
        rewards = (outcomes == Outcome.SUCCESS.value).astype(np.float64)
        return self._observe(), rewards, over, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> NDArray[np.int8]:
        """1 where an action may be played, shape (copies, actions)."""
        return self._masks.copy()

    def _begin(self, rows: Ints) -> None:
        for row in rows.tolist():
            self._arrays.draw(row, self._generators[row])
        self._rounds[rows], self._retries[rows], self._stage[rows] = self.terms.budget, self.terms.retries, _ROUNDS

    def _look(self) -> None:
        """What may be played now."""
        asks = (self._stage == _ROUNDS) & self.terms.interaction
        self._masks[:, : self._n_queries] = self._arrays.queries & asks[:, None]
        self._masks[:, self._n_queries :] = self._arrays.answers & (self._stage != _OVER)[:, None]

    def _observe(self) -> NDArray[np.float32]:
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
