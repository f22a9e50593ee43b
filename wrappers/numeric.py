"""The numeric twin: the same game as arrays and integers, for agents that are not language models."""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError


class NumericView(gym.Wrapper[NDArray[np.float32], np.int64, str, str]):
    """Encode the View as a Box and decode a Discrete action into the text action it stands for.

    ``decode(i)`` is exactly the text that is played, so both views give equal rewards. An index that the mask
    excludes is played as an empty message: it costs what an unreadable message costs.

    Args:
        env: an environment of this package whose task has a numeric view.

    Raises:
        ConfigError: the task has none.
    """

    env: gym.Env[Any, Any]  # Gymnasium types it with the wrapper's own spaces

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        self._task = env.get_wrapper_attr("task")
        if getattr(self._task, "numeric_actions", None) is None:
            raise ConfigError(f"{type(self._task).__name__} has no numeric view; leave out view='numeric'")
        self.observation_space = Box(0.0, 1.0, self._task.numeric_shape, np.float32)
        self.action_space = Discrete(self._task.numeric_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start an episode; the info gains ``action_mask`` and ``text``, the observation in words."""
        text, info = self.env.reset(seed=seed, options=options)
        return self._encoded(text, info)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the text action that the index stands for."""
        text, reward, terminated, truncated, info = self.env.step(self.decode(int(action)))
        return self._encoded(text, info)[0], reward, terminated, truncated, info

    def decode(self, index: int) -> str:
        """The text action of an index, '' for one that is masked out."""
        return self._task.decode(self._view, index)  # type: ignore[no-any-return]

    def action_masks(self) -> NDArray[np.int8]:
        """1 where an index may be played, int8 of the action space's size."""
        view = self._view
        legal = (self._task.decode(view, index) != "" for index in range(self._task.numeric_actions))
        return np.fromiter(legal, dtype=np.int8, count=self._task.numeric_actions)

    @property
    def _view(self) -> DialogueView:
        return self.env.get_wrapper_attr("view")()  # type: ignore[no-any-return]

    def _encoded(self, text: str, info: dict[str, Any]) -> tuple[NDArray[np.float32], dict[str, Any]]:
        info["action_mask"] = self.action_masks()
        info["text"] = text
        return self._task.encode(info["view"]), info
