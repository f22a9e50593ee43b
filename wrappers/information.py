"""A dense reward: bits gained about the right answer, where they can be computed exactly.

Let H0 be the entropy of the answer before the first query and H that of what is still possible. The potential of a
state is what is known, H0 - H, and that of the end is 0; a step pays the change of the potential, and the end also
H0 times what the environment pays. Such a reward has the same best policies as the environment's own (Ng, Harada and
Russell, Policy invariance under reward transformations, 1999, theorem 1): with a discount of 1 and no costs, an episode
pays H0 times what the environment pays, whatever was asked. A won episode pays the entropy of the prior.
"""

from __future__ import annotations

import math
from typing import Any

import gymnasium as gym

from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.task import Informed
from interactive_envs.errors import ConfigError


class InformationReward(gym.Wrapper[str, str, str, str]):
    """Pay queries by the bits that they give about the right answer.

    Where an episode has several things to find out, one after another, each has its own prior and H0 is their sum.
    The info gains ``bits``, those still missing about the present one, and at the end ``own_reward``, what the
    environment paid.

    Args:
        env: a dialogue whose task is :class:`~interactive_envs.dialogue.task.Informed`, without probes.
        round_cost: taken off for each round that is spent; above 0 it favours short episodes.
        format_cost: taken off for each message that cannot be read; above 0 it changes what is best only for players
            that send such messages.
        discount: of the learner, for the theorem.

    Raises:
        ConfigError: nobody can list the answers that are still possible, or a number cannot work.
    """

    env: gym.Env[str, str]

    def __init__(
        self, env: gym.Env[str, str], *, round_cost: float = 0.0, format_cost: float = 0.0, discount: float = 1.0
    ) -> None:
        super().__init__(env)
        numbers = {"round_cost": round_cost, "format_cost": format_cost, "discount": discount}
        for name, value in numbers.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise ConfigError(f"{name} must be a number of at least 0, got {value!r}")
        if not 0 < discount <= 1:
            raise ConfigError(f"discount must be above 0 and at most 1, got {discount!r}")
        self._round_cost, self._format_cost, self._discount = round_cost, format_cost, discount
        base: Any = env.unwrapped
        if not isinstance(base, DialogueEnv):
            raise ConfigError("reward='information' needs an environment that is asked; games pay their own rewards")
        if base.probes:
            raise ConfigError(
                f"reward='information' goes with no probe, and {base.probes[0]} is one: its replies are no plain facts"
            )
        self._base = base
        if isinstance(base.task, Informed):
            base.introduce()
        if self._missing() is None:
            raise ConfigError(
                f"reward='information' needs answers that can be listed, and those of {type(base).__name__} cannot be, "
                "with these arguments; use reward='outcome'"
            )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode; the info gains ``bits``."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._before = self._prior = self._all = self._missing() or 0.0
        self._closed = self._known = 0.0
        self._rounds_left = info["rounds_left"]
        return observation, info | {"bits": self._before}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play an action; the reward is that of this module's head."""
        observation, own, terminated, truncated, info = self.env.step(action)
        over = terminated or truncated
        missing = self._missing() or 0.0
        if over:
            known = 0.0
        elif info.get("remember") == 0:  # the next thing to find out
            self._closed += self._prior - self._before
            self._prior = missing
            self._all += missing
            known = self._closed
        else:
            known = self._closed + self._prior - missing
        reward = self._discount * known - self._known + self._all * float(own)
        self._before, self._known = missing, known
        if not info["valid"]:
            reward -= self._format_cost
        if info["rounds_left"] != self._rounds_left:
            reward -= self._round_cost
        self._rounds_left = info["rounds_left"]
        return (
            observation,
            reward,
            terminated,
            truncated,
            info | {"bits": missing} | ({"own_reward": own} if over else {}),
        )

    def _missing(self) -> float | None:
        task = self._base.task
        if not isinstance(task, Informed):
            return None
        return task.bits(self._base.state.task_state, self._base.view())
