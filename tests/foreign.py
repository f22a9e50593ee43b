"""A package of somebody else's: a plain environment, a game, a black box, a query game, players, judges, wrappers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from interactive_envs.agent import Agent


class Guess(gym.Env[str, str]):
    """Guess a number from 1 to ``largest``; knows nothing of this package.

    Args:
        largest: of the numbers.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - declared so by Gymnasium

    def __init__(self, largest: int = 8, render_mode: str | None = None) -> None:
        self.largest, self.render_mode = largest, render_mode
        self.observation_space = gym.spaces.Text(200)
        self.action_space = gym.spaces.Text(4, charset="0123456789")
        self._hidden = self._turns = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Hide a number."""
        super().reset(seed=seed)
        self._hidden, self._turns = int(self.np_random.integers(1, self.largest + 1)), 0
        return f"A number from 1 to {self.largest}.", {"legal_actions": [str(n + 1) for n in range(self.largest)]}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Compare."""
        self._turns += 1
        number = int(action)
        right = number == self._hidden
        said = "Right." if right else "Higher." if number < self._hidden else "Lower."
        return said, float(right), right, self._turns >= 6, {}


class Numbers(gym.Env[int, int]):
    """No texts at all."""

    observation_space = gym.spaces.Discrete(2)
    action_space = gym.spaces.Discrete(2)


class Half(Agent):
    """Halves the numbers that are left."""

    name = "half"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """All numbers up to 8 are left."""
        self.low, self.high, self.said = 1, 8, 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The middle of what is left."""
        if observation.startswith("Higher"):
            self.low = self.said + 1
        elif observation.startswith("Lower"):
            self.high = self.said - 1
        self.said = (self.low + self.high) // 2
        return str(self.said)


class Silent(Agent):
    """Says what no action space holds."""

    name = "silent"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Nothing readable."""
        return "Hm?"


class Doubled(gym.RewardWrapper[Any, Any]):
    """Pays ``factor`` times as much."""

    def __init__(self, env: gym.Env[Any, Any], factor: float = 2.0) -> None:
        super().__init__(env)
        self.factor = factor

    def reward(self, reward: Any) -> float:
        """Multiply."""
        return float(reward) * self.factor


class Hint(gym.ObservationWrapper[Any, Any, Any]):
    """Adds a hint to every observation."""

    def observation(self, observation: str) -> str:
        """Append it."""
        return f"{observation}\nHint: think."


class Broken(gym.Wrapper[Any, Any, Any, Any]):
    """Has a bug in its step."""

    def step(self, action: Any) -> Any:
        """Fail."""
        return {}["bug"]  # type: ignore[var-annotated]


class Blind(gym.ObservationWrapper[Any, Any, Any]):
    """Gives no text."""

    def observation(self, observation: str) -> int:
        """A number."""
        return len(observation)


class Eager(gym.Wrapper[Any, Any, Any, Any]):
    """Steps twice."""

    def step(self, action: Any) -> Any:
        """Twice."""
        self.env.step(action)
        return self.env.step(action)


class Short(gym.Wrapper[Any, Any, Any, Any]):
    """Truncates after the first action."""

    def step(self, action: Any) -> Any:
        """Stop."""
        observation, reward, terminated, _, info = self.env.step(action)
        return observation, reward, terminated, not terminated, info


class Mumbles(Agent):
    """Gives every other message something that is no move."""

    def __init__(self) -> None:
        self.messages = 0

    def act(self, observation: Any, info: dict[str, Any]) -> str:
        self.messages += 1
        return "..." if self.messages % 2 else str(info["legal_actions"][0])
