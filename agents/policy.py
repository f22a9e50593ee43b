"""Players that follow a trained policy: of ``ibench train``, or of any other library."""

from __future__ import annotations

import functools
import json
import math
import os
import zlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, SupportsInt

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from interactive_envs.agent import Agent
from interactive_envs.dialogue.task import Menu
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.rules import GeneratedGame, GeneratedView
from interactive_envs.novel_games.search.network import Network, draw
from interactive_envs.seeds import canonical_json


class PolicyAgent(Agent):
    """A player around a policy that chooses among the numbered actions of the numeric view.

    Subclass it, say what it plays, and choose. For a policy of Stable-Baselines3's ``MaskablePPO``::

        class Trained(PolicyAgent):
            env_id = "ibench/SituationPuzzle-v1"
            model = MaskablePPO.load("model.zip")

            def choose(self, observation, mask):
                return self.model.predict(observation, action_masks=mask, deterministic=True)[0]
    """

    env_id: ClassVar[str]
    """The environment in which it was trained."""
    arguments: ClassVar[Mapping[str, Any]] = {}
    """Arguments of that environment, where the numeric view depends on them."""

    @abstractmethod
    def choose(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> SupportsInt | Sequence[int] | NDArray[np.int64]:
        """Choose an action.

        Args:
            observation: as ``gym.make(env_id, view="numeric")`` gives it, of ``numeric_shape``.
            mask: 1 where an action may be played, as ``info["action_mask"]`` has it.

        Returns:
            The number of an action, a row of numbers where an action is one. What the mask forbids counts as a message
            that cannot be read.
        """

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The text of the chosen action.

        Raises:
            ConfigError: the environment has no numeric view, another one, or no action of that number.
        """
        view, task = info["view"], _task_of(self.env_id, canonical_json(self.arguments))
        if getattr(task, "numeric_actions", None) is None:
            raise ConfigError(f"{self.env_id} has no numeric view, so {type(self).__name__} cannot play it")
        try:
            mask, values = _mask(task, view), task.encode(view)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:  # the view of another family
            name = f"{type(self).__name__} plays {self.env_id} alone"
            raise ConfigError(f"{name}, or with other arguments: {type(error).__name__}: {error}") from error
        chosen: Any = self.choose(values, mask)
        if isinstance(task.numeric_actions, tuple):
            row = np.asarray(chosen).tolist()
            if not isinstance(row, list) or len(row) != len(task.numeric_actions):
                wanted = f"an action of {self.env_id} has {len(task.numeric_actions)} numbers"
                raise ConfigError(f"choose returned {chosen!r}; {wanted}")
            return str(task.decode(view, row))
        if not 0 <= int(chosen) < len(mask):
            raise ConfigError(f"choose returned {int(chosen)}; {self.env_id} has actions 0 to {len(mask) - 1}")
        return str(task.decode(view, int(chosen)))


def _mask(task: Any, view: Any) -> NDArray[np.int8]:
    """As ``info["action_mask"]`` of the numeric view."""
    if isinstance(task, Menu):
        return task.mask(view)
    return np.array([task.decode(view, index) != "" for index in range(task.numeric_actions)], np.int8)


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
def _task_of(env_id: str, arguments: str = "{}") -> Any:
    env = gym.make(f"interactive_envs:{env_id}", disable_env_checker=True, **json.loads(arguments))
    return env.unwrapped.task  # type: ignore[attr-defined]
