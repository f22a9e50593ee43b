"""What vector environments of numeric twins have in common; see ``gym.make_vec``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError


class VectorTwin(VectorEnv[NDArray[np.float32], NDArray[np.int64], Any]):
    """The numeric twin of several copies of an environment, stepped together.

    Observations, rewards, endings and masks are those of :class:`gymnasium.vector.SyncVectorEnv` with the same seeds; a
    copy that has ended begins its next episode with the next step, whose action it ignores. The info holds
    ``action_mask``, and where episodes ended ``outcome`` and ``turns``. There are no texts.

    Args:
        num_envs: how many copies.
        shape: of a copy's observation.
        actions: how many a copy has.

    Attributes:
        generators: random numbers of each copy.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - declared so by Gymnasium

    def __init__(self, num_envs: int, shape: tuple[int, ...], actions: int) -> None:
        self.num_envs = num_envs
        self.single_observation_space = Box(0.0, 1.0, shape, np.float32)
        self.single_action_space = Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.generators = [np.random.default_rng() for _ in range(num_envs)]

    @abstractmethod
    def begin(self, rows: NDArray[np.int64]) -> None:
        """Begin an episode in these copies."""

    @abstractmethod
    def observe(self) -> NDArray[np.float32]:
        """The observations as a new array, shape (copies, numbers)."""

    @abstractmethod
    def action_masks(self) -> NDArray[np.int8]:
        """1 where an action may be played, as a new array, shape (copies, actions)."""

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
        options = options or {}
        if unknown := sorted({*options} - {"reset_mask"}):
            raise ConfigError(f"reset option {unknown[0]!r} is not for vector environments; known: reset_mask")
        rows = np.flatnonzero(np.asarray(options.get("reset_mask", np.ones(self.num_envs)), np.bool_))
        seeds = [seed + row for row in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        for row in rows.tolist():
            if seeds is not None and seeds[row] is not None:
                self.generators[row] = np.random.default_rng(seeds[row])
        self.begin(rows)
        return self.observe(), {"action_mask": self.action_masks()}

    def result(
        self,
        rewards: NDArray[np.float64],
        over: NDArray[np.bool_],
        outcomes: NDArray[np.object_],
        turns: NDArray[np.int64],
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """What :meth:`step` returns.

        Args:
            rewards: of this step, shape (copies,).
            over: where an episode ended with it, shape (copies,).
            outcomes: of these episodes, None elsewhere, shape (copies,).
            turns: of all episodes, shape (copies,).
        """
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if over.any():
            turns = np.where(over, turns, 0)
            info |= {"outcome": outcomes, "_outcome": over.copy(), "turns": turns, "_turns": over.copy()}
        return self.observe(), rewards, over, np.zeros(self.num_envs, np.bool_), info
