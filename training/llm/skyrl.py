"""Our environments for SkyRL: a text environment of SkyRL-gym.

Tested with skyrl-gym 0.4.0 (extra ``skyrl``); its trainer, which needs GPUs, was not run. SkyRL reads a Parquet file
with the columns ``prompt`` and ``env_class`` and hands all others to the environment::

    Dataset.from_list([{**row, "env_class": "ibench"} for row in rows(…)]).to_parquet("train.parquet")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.llm.base import Message
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rows import read_row

try:
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
except ImportError as error:
    raise MissingExtraError("the adapter for SkyRL", "skyrl") from error

NAME = "ibench"
"""What the column ``env_class`` holds."""


class TextEnv(BaseTextEnv):  # type: ignore[misc]  # SkyRL-gym is not installed where types are checked
    """The episode of one row.

    A message pays what it pays in the environment, and the sum is the reward of ``ibench run``. SkyRL itself ends an
    episode that grows too long, and tells nobody: what was paid until then stays, and the metric ``unfinished`` is 1.

    Args:
        env_config: SkyRL's settings for the environment; none are used.
        extras: the row's columns, also those in a column ``extra_info``: ``env_id``, ``arguments``, ``seed``, ``case``.

    Raises:
        ConfigError: a column is missing, or the environment cannot be made.
    """

    def __init__(self, env_config: Any = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        columns = dict(extras or {})
        env_id, arguments, self._seed, self._case = read_row({**(columns.get("extra_info") or {}), **columns})
        self._dialogue = Dialogue(env_id, arguments)

    def init(self, prompt: list[Message]) -> tuple[list[Message], dict[str, Any]]:
        """Start the episode; the row's prompt is what it opens with.

        Raises:
            FaultError: the environment failed.
        """
        return self._dialogue.begin(self._seed, self._case), {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Play a message of the model.

        Raises:
            FaultError: the environment, its judge or an opponent failed. SkyRL cannot leave a rollout out, so it stops:
                better than to learn from a reward that nobody earned.
        """
        dialogue = self._dialogue
        before = dialogue.paid
        reply = dialogue.step(action)
        self.turns = dialogue.turns
        over = dialogue.over
        return BaseTextEnvStepOutput(
            observations=[] if over else [{"role": "user", "content": reply}],
            reward=dialogue.paid - before,
            done=over,
            metadata={"outcome": dialogue.outcome} if over else {},
        )

    def get_metrics(self) -> dict[str, Any]:
        """The numbers of :attr:`Dialogue.metrics`, and the outcome."""
        dialogue = self._dialogue
        outcome = dialogue.outcome or "unfinished"
        return {**dialogue.metrics, "unfinished": float(not dialogue.over), "outcome": outcome}

    def close(self) -> None:
        """Give back what the environment holds."""
        self._dialogue.close()


def register(name: str = NAME) -> None:
    """Make the environment known to SkyRL-gym, once or more; each process of a training must call it.

    Args:
        name: what rows call it in ``env_class``.
    """
    if name not in skyrl_gym.envs.registration.registry:
        skyrl_gym.register(id=name, entry_point=f"{TextEnv.__module__}:{TextEnv.__name__}")
