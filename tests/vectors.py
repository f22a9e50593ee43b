"""Vector environments held against Gymnasium's SyncVectorEnv with the same seeds."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode


def pair(env_id: str, count: int, **arguments: Any) -> tuple[Any, Any]:
    """Ours, and Gymnasium's of the numeric twin."""
    ours = gym.make_vec(env_id, num_envs=count, vectorization_mode="vector_entry_point", **arguments)
    kwargs = {"autoreset_mode": AutoresetMode.NEXT_STEP}
    arguments = {"view": "numeric", **arguments}
    return ours, gym.make_vec(env_id, num_envs=count, vectorization_mode="sync", vector_kwargs=kwargs, **arguments)


def compare(env_id: str, count: int, steps: int, seed: int, *, out_of_range: float = 0.0, **arguments: Any) -> int:
    """Step both with the same actions, legal ones and a few others; return how many episodes ended.

    ``out_of_range`` is the share of actions that do not exist.
    """
    ours, theirs = pair(env_id, count, **arguments)
    n_actions = int(ours.single_action_space.n)
    rng, ended = np.random.default_rng(seed), 0
    array, info = ours.reset(seed=seed)
    other, other_info = theirs.reset(seed=seed)
    for _ in range(steps):
        assert array.dtype == other.dtype == np.float32
        np.testing.assert_array_equal(array, other)
        np.testing.assert_array_equal(info["action_mask"], np.stack(list(other_info["action_mask"])))
        draw = rng.random((count, n_actions)) * (info["action_mask"] + 1e-9)
        wild = rng.integers(0, n_actions, count)
        actions = np.where(rng.random(count) < 0.1, wild, draw.argmax(axis=1))
        actions = np.where(rng.random(count) < out_of_range, n_actions, actions)
        array, reward, terminated, truncated, info = ours.step(actions)
        other, other_reward, other_terminated, other_truncated, other_info = theirs.step(actions)
        np.testing.assert_array_equal(reward, other_reward)
        np.testing.assert_array_equal(terminated, other_terminated)
        assert not truncated.any()
        assert not other_truncated.any()
        for row in np.flatnonzero(terminated):
            assert (info["outcome"][row], info["turns"][row]) == (other_info["outcome"][row], other_info["turns"][row])
            ended += 1
    ours.close()
    theirs.close()
    return ended
