"""Episodes one after another, by reset and step with plain values, and the tasks to choose from."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.seeds import canonical_json
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rows import SPLITS, Split, read_row, rows

SPLIT_TYPES: Mapping[str, str] = {"train": "train", "held-out": "test"}
"""What OpenEnv calls our splits."""
TASKS = 256
"""Tasks of a split, unless another number is wanted."""


@dataclass(frozen=True)
class Served:
    """What a server offers.

    Args:
        ids: registered ids; an episode is of the first, unless a client names another.
        arguments: of every environment; clients cannot give any, for some name files, models or modules.
        seed: of the run whose episodes the tasks are.
        tasks: of each split, the ids by turns.

    Raises:
        ConfigError: there is no id, or an environment cannot be made.
    """

    ids: tuple[str, ...]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    tasks: int = TASKS

    def __post_init__(self) -> None:
        if not self.ids:
            raise ConfigError("name at least one environment to serve")
        for env_id in self.ids:
            Dialogue(env_id, self.arguments).close()

    def task(self, split: str, index: int) -> dict[str, Any]:
        """A task: its id, and the id, seed, case and arguments of its environment.

        Raises:
            UnknownNameError: there is no such split.
            IndexError: there is no such task.
        """
        if not 0 <= index < self.tasks:
            raise IndexError(f"{split} has the tasks 0 to {self.tasks - 1}, got {index}")
        return self.all_tasks(split)[index]

    def all_tasks(self, split: str) -> list[dict[str, Any]]:
        """The tasks of a split; no episode is in both.

        Raises:
            UnknownNameError: there is no such split.
        """
        if split not in SPLITS:
            raise UnknownNameError("split", split, SPLITS)
        found = _rows(self.ids, self.tasks, self.seed, split, canonical_json(dict(self.arguments)))
        return [{"id": f"{split}-{index}", "index": index, "split": split, **row} for index, row in enumerate(found)]


@functools.lru_cache(maxsize=32)
def _rows(ids: tuple[str, ...], n: int, seed: int, split: Split, arguments: str) -> list[dict[str, Any]]:
    _, given, _, _ = read_row({"env_id": "", "seed": 0, "arguments": arguments})
    found = rows(ids, n, seed, split, **given)
    return [{name: row[name] for name in ("env_id", "seed", "case", "arguments")} for row in found]


class Play:
    """Plays the episodes of one session.

    Args:
        served: what may be played.

    Attributes:
        env_id: of the episode.
        seed: of the episode.
    """

    def __init__(self, served: Served) -> None:
        self._served = served
        self._dialogues: dict[str, Dialogue] = {}
        self._dialogue: Dialogue | None = None
        self.env_id, self.seed = served.ids[0], 0

    def reset(
        self,
        seed: int | None = None,
        *,
        env_id: str | None = None,
        case: str | None = None,
        split: str | None = None,
        index: int | None = None,
    ) -> dict[str, Any]:
        """Begin an episode.

        Args:
            seed: decides everything but the model's choices; None for any.
            env_id: one of those that are served.
            case: the case to play, where the environment has a list of cases.
            split: with ``index`` a task, in place of all else.
            index: of the task.

        Returns:
            ``text`` (the rules and the case), ``messages`` (all that opens the episode, the system's first),
            ``env_id`` and ``seed``.

        Raises:
            ConfigError: a value cannot be used.
            IndexError: there is no such task.
            FaultError: the environment failed.
        """
        if (split is None) != (index is None):
            raise ConfigError("a task is named by its split and its index; give both")
        if split is not None and index is not None:
            if any(value is not None for value in (seed, env_id, case)):
                raise ConfigError("a task has its own seed, env_id and case; leave them out, or split and index")
            task = self._served.task(split, index)
            env_id, seed, case = task["env_id"], task["seed"], task["case"]
        env_id = self._served.ids[0] if env_id is None else env_id
        if env_id not in self._served.ids:
            raise UnknownNameError("environment of this server", env_id, self._served.ids)
        if env_id not in self._dialogues:
            self._dialogues[env_id] = Dialogue(env_id, self._served.arguments)
        self._dialogue = self._dialogues[env_id]
        self.env_id, self.seed = env_id, secrets.randbelow(2**32) if seed is None else seed
        messages = [dict(message) for message in self._dialogue.begin(self.seed, case)]
        return {"text": messages[-1]["content"], "messages": messages, "env_id": env_id, "seed": self.seed}

    def step(self, text: str) -> dict[str, Any]:
        """Play a message of the model.

        Returns:
            ``text`` (the reply), ``reward`` (of this message alone), ``done``, ``outcome`` (None before the end),
            ``metrics``, ``env_id`` and ``seed``.

        Raises:
            ConfigError: no episode is under way.
            FaultError: the environment, its judge or an opponent failed: the episode has no reward.
        """
        dialogue = self.dialogue
        before = dialogue.paid
        reply = dialogue.step(text)
        return {
            "text": reply,
            "reward": dialogue.paid - before,
            "done": dialogue.over,
            "outcome": dialogue.outcome,
            "metrics": dialogue.metrics,
            "env_id": self.env_id,
            "seed": self.seed,
        }

    @property
    def dialogue(self) -> Dialogue:
        """The episode.

        Raises:
            ConfigError: none has begun.
        """
        if self._dialogue is None:
            raise ConfigError("no episode has begun; call reset first")
        return self._dialogue

    @property
    def begun(self) -> bool:
        """Whether an episode has."""
        return self._dialogue is not None

    @property
    def turns(self) -> int:
        """Messages of the model in this episode."""
        return self._dialogue.turns if self._dialogue else 0

    def close(self) -> None:
        """Give back what the environments hold."""
        for dialogue in self._dialogues.values():
            dialogue.close()
