"""The server: OpenEnv's environment, action and observation, and its application."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.training.llm.openenv.play import SPLIT_TYPES, TASKS, Play, Served

try:
    from openenv.core.env_server.http_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field
except ModuleNotFoundError as missing:
    raise MissingExtraError("a server of OpenEnv", "openenv") from missing

NAME = "ibench"
SESSIONS = 64
"""Sessions at once, at most."""


class IbenchAction(Action):
    """A message of the model."""

    text: str
    """With the action in its tag, as the rules write it: ``<ask>7</ask>``."""


class IbenchObservation(Observation):
    """What the environment says. ``reward`` is of the last message alone, and ``done`` says whether it was the last."""

    text: str = ""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    """At reset: all that opens the episode, in the form of a chat, the system's message first."""
    outcome: str | None = None
    """How the episode ended; None before."""
    metrics: dict[str, float] = Field(default_factory=dict)
    env_id: str = ""
    seed: int = 0


class IbenchState(State):
    """Where the episode stands; ``step_count`` counts the model's messages."""

    env_id: str = ""
    seed: int = 0
    reward: float | None = None
    """What the episode has paid so far; None where infrastructure broke it."""
    outcome: str | None = None


class IbenchEnvironment(Environment):
    """A session with an environment of this suite.

    A fault of the environment, its judge or an opponent is an error for the client, and no reward.

    Args:
        served: what may be played.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, served: Served) -> None:
        super().__init__()
        self._served, self._play = served, Play(served)
        self._episode: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        env_id: str | None = None,
        case: str | None = None,
        split: str | None = None,
        index: int | None = None,
    ) -> IbenchObservation:
        """Begin an episode; see :meth:`Play.reset`."""
        begun = self._play.reset(seed, env_id=env_id, case=case, split=split, index=index)
        self._episode = episode_id
        return IbenchObservation(**begun)

    def step(self, action: IbenchAction, timeout_s: float | None = None, **_: Any) -> IbenchObservation:
        """Play a message; see :meth:`Play.step`."""
        return IbenchObservation(**self._play.step(action.text))

    @property
    def state(self) -> IbenchState:
        """Where the episode stands."""
        play = self._play
        known = {"env_id": play.env_id, "seed": play.seed}
        if play.begun:
            known |= {"reward": play.dialogue.reward, "outcome": play.dialogue.outcome}
        return IbenchState(episode_id=self._episode, step_count=play.turns, **known)

    def get_metadata(self) -> EnvironmentMetadata:
        """The name, what is served, and the version."""
        about = f"Interactive reasoning: {', '.join(self._served.ids[:5])}"
        return EnvironmentMetadata(name=NAME, description=about, version=version("interactive-envs"))

    def list_splits(self) -> list[dict[str, str]]:
        """The splits."""
        return [{"name": name, "type": kind} for name, kind in SPLIT_TYPES.items()]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(self._served.all_tasks(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """All tasks of a split."""
        return self._served.all_tasks(split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """A task."""
        return self._served.task(split, index)

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Some tasks, as Python's slices count."""
        return self._served.all_tasks(split)[start:stop]

    def close(self) -> None:
        """Give back what the session holds."""
        self._play.close()


def make_app(
    ids: Sequence[str], arguments: Mapping[str, Any] | None = None, *, seed: int = 0, tasks: int = TASKS
) -> Any:
    """The application of a server, for uvicorn.

    Args:
        ids: registered ids.
        arguments: of every environment.
        seed: of the run whose episodes the tasks are.
        tasks: of each split.

    Raises:
        ConfigError: an environment cannot be made.
    """
    served = Served(tuple(ids), dict(arguments or {}), seed, tasks)
    return create_fastapi_app(
        lambda: IbenchEnvironment(served),
        IbenchAction,
        IbenchObservation,
        max_concurrent_envs=SESSIONS,
        env_name=NAME,
        state_cls=IbenchState,
    )
