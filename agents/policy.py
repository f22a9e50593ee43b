"""The player that follows a trained policy."""

from __future__ import annotations

import functools
import math
import os
import zlib
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.rules import GeneratedGame, GeneratedView
from interactive_envs.novel_games.search.network import Network, draw


class PPOAgent(Agent):
    """Follows a network that ``ibench train`` made, in any environment with a numeric twin.

    Args:
        target: path of a checkpoint (npz).
        temperature: 1 draws from the policy, 0 plays its most probable action.

    Raises:
        ConfigError: there is no such file, it is no checkpoint, or it was made for another game.
    """

    name = "ppo"
    from_view = True

    def __init__(self, target: str, temperature: float = 1.0) -> None:
        if type(temperature) not in (int, float) or not 0 <= temperature < math.inf:
            raise ConfigError(f"temperature must be a number, at least 0, got {temperature!r}")
        self.network, self.temperature = load_network(target), temperature
        self.reset()

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws."""
        self._task: Any = None
        self._random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"ppo")])

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The policy's action for the View."""
        view = info["view"]
        task = self._task = self._task or _task(view, str(self.network.about.get("source")))
        values = task.encode(view).ravel()
        if (values.size, task.numeric_actions) != (self.network.inputs, self.network.actions):
            raise ConfigError(
                f"the checkpoint has {self.network.inputs} inputs and {self.network.actions} actions, the game "
                f"{values.size} and {task.numeric_actions}; it was trained on {self.network.about.get('source')}"
            )
        texts = {index: text for index in range(task.numeric_actions) if (text := task.decode(view, index))}
        logits = self.network.logits(values)
        return str(texts[draw(logits, [*texts], self.temperature, self._random)])


def load_network(path: str) -> Network:
    """Read a checkpoint; nothing in it is ever unpickled.

    Raises:
        ConfigError: there is none, or the file is no checkpoint.
    """
    try:
        return _network(path, os.stat(path).st_mtime_ns)
    except FileNotFoundError:
        raise ConfigError(f"there is no checkpoint {path!r}; ibench train makes one") from None
    except (OSError, ValueError) as error:
        raise ConfigError(str(error)) from error


@functools.lru_cache(maxsize=64)
def _network(path: str, written: int) -> Network:
    """Read once for all episodes, and again when the file has changed."""
    return Network.load(path)


def _task(view: Any, source: str) -> Any:
    """The pure rules of what is played: a generated game's, or those of the environment that was trained on."""
    if isinstance(view, GeneratedView):
        return GeneratedGame(view.game)
    return _task_of(source)


@functools.lru_cache(maxsize=32)
def _task_of(env_id: str) -> Any:
    return gym.make(f"interactive_envs:{env_id}", disable_env_checker=True).unwrapped.task  # type: ignore[attr-defined]
