"""Players around a policy: what it is shown, what its numbers say, and what cannot be played."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import interactive_envs  # noqa: F401  registers the ids
from interactive_envs.agents.policy import PolicyAgent
from interactive_envs.errors import ConfigError

PUZZLE, TRUST, MATHS = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1", "ibench/Math-v1"


class First(PolicyAgent):
    """Plays the first legal action, and keeps what it was shown."""

    name = "first"
    env_id = PUZZLE

    def __init__(self) -> None:
        self.shown: list[tuple[Any, Any]] = []

    def choose(self, observation: Any, mask: Any) -> Any:
        self.shown.append((observation, mask))
        return mask.argmax()


class Wild(First):
    def choose(self, observation: Any, mask: Any) -> Any:
        return len(mask)


class Calculating(First):
    env_id = MATHS


def test_a_policy_plays_as_it_does_in_the_numeric_view() -> None:
    text, numeric = gym.make(PUZZLE), gym.make(PUZZLE, view="numeric")
    observation, info = text.reset(seed=4)
    values, told = numeric.reset(seed=4)
    agent, over = First(), False
    while not over:
        observation, reward, over, _, info = text.step(agent.act(observation, info))
        shown, mask = agent.shown[-1]
        np.testing.assert_array_equal(shown, values)
        np.testing.assert_array_equal(mask, told["action_mask"])
        values, same, ended, _, told = numeric.step(int(told["action_mask"].argmax()))
        assert (same, ended) == (reward, over)
    assert len(agent.shown) > 1


@pytest.mark.parametrize(
    ("agent", "env_id", "told"),
    [
        (Wild, PUZZLE, "choose returned 76; ibench/SituationPuzzle-v1 has actions 0 to 75"),
        (Calculating, MATHS, "ibench/Math-v1 has no numeric view, so Calculating cannot play it"),
        (First, TRUST, "First plays ibench/SituationPuzzle-v1 alone"),
    ],
)
def test_what_a_policy_cannot_play_is_said_in_a_line(agent: type[First], env_id: str, told: str) -> None:
    env: gym.Env[Any, Any] = gym.make(env_id)
    observation, info = env.reset(seed=1)
    with pytest.raises(ConfigError, match=told):
        agent().act(observation, info)
