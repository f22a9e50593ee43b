"""The numeric twin: the same game as arrays and integers, for agents that are not language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from numpy.typing import NDArray

from interactive_envs.dialogue.task import Menu
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError

Action = np.int64 | int | NDArray[np.int64] | Sequence[int]


class NumericView(gym.Wrapper[NDArray[np.float32], Any, str, str]):
    """Encode the View as a Box and decode a numeric action into the text action it stands for.

    An action is a number (``Discrete``); of tasks that have too many to list, a row of numbers (``MultiDiscrete``).
    ``decode(action)`` is exactly the text that is played, so both views give equal rewards. An action that the mask
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
        actions = getattr(self._task, "numeric_actions", None)
        if actions is None:
            raise ConfigError(f"{type(self._task).__name__} has no numeric view; leave out view='numeric'")
        self.observation_space = Box(0.0, 1.0, self._task.numeric_shape, np.float32)
        self.action_space = Discrete(actions) if isinstance(actions, int) else MultiDiscrete(actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start an episode; the info gains ``action_mask`` and ``text``, the observation in words."""
        text, info = self.env.reset(seed=seed, options=options)
        return self._encoded(text, info)

    def step(self, action: Action) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play the text action that the numeric one stands for."""
        text, reward, terminated, truncated, info = self.env.step(self.decode(action))
        return self._encoded(text, info)[0], reward, terminated, truncated, info

    def decode(self, action: Action) -> str:
        """The text action of a numeric one, '' for one that is masked out."""
        plain = np.asarray(action).tolist()  # an int, or a list of them
        return self._task.decode(self._view, plain)  # type: ignore[no-any-return]

    def action_masks(self) -> NDArray[np.int8]:
        """1 where a number may be chosen, int8 of the action space's size.

        Of a ``MultiDiscrete`` space it has the numbers of the first place, then those of the second, and so on, as
        ``sb3_contrib.MaskablePPO`` takes them. Every row of allowed numbers is legal.
        """
        if isinstance(self._task, Menu):
            return self._task.mask(self._view)
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


def drawn(space: gym.Space[Any], mask: NDArray[np.int8], rng: np.random.Generator) -> Any:
    """An action of a numeric view that its mask allows, every one as probable as any other.

    Args:
        space: the action space, ``Discrete`` or ``MultiDiscrete``.
        mask: as in ``info["action_mask"]``.
        rng: the draws.
    """
    if isinstance(space, Discrete):
        return int(rng.choice(np.flatnonzero(mask)))
    places = np.split(mask, np.cumsum(space.nvec)[:-1])  # type: ignore[attr-defined]
    return np.array([rng.choice(np.flatnonzero(place)) for place in places])
