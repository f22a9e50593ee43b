"""What a task of another harness plays through: its model as the client of our own language model player.

The runner plays the episode as ever (:func:`interactive_envs.evaluation.run.episode.play_episode`), so prompt, preface,
history, memory and faults are those of ``ibench run``, and a model is sent the same messages. Only who completes them
is another: a function that the harness gives.

A player without a model, such as ``rule``, reads the environment's info, which is no part of the messages. While a
model is called its :class:`Seat` is in :data:`SEAT`, a context variable, which follows the call into the provider:
there the player named by the model is asked instead, with the observation and info of this very turn.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.llm import LLMAgent
from interactive_envs.errors import ConfigError, FaultError, ProviderError
from interactive_envs.evaluation.run.cells import DEFAULT_EPISODES
from interactive_envs.evaluation.run.episode import Job, Spending, cell_key, play_episode
from interactive_envs.judges.base import Judge
from interactive_envs.llm.base import CompletionRequest, ModelClient
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, EpisodeRecord
from interactive_envs.seeds import episode_seed


class CarriedError(ProviderError):
    """The harness's model raised something: the cause is handed back to the harness, whose business it is."""


@dataclass(frozen=True)
class Reply:
    """What a player behind a provider said.

    Attributes:
        text: its message.
        calls: model calls that it made of its own.
    """

    text: str
    calls: tuple[ModelCall, ...] = ()


class Seat:
    """Where a player of ours sits while a harness's model is called: it has this turn's observation and info.

    Args:
        env_id: what is played.
        seed: the episode's.
        info: of the environment's reset.
    """

    def __init__(self, env_id: str, seed: int | None, info: Mapping[str, Any]) -> None:
        self._env_id, self._seed, self._info = env_id, seed, info
        self._turn: tuple[str, Mapping[str, Any]] = ("", info)
        self._player: Agent | None = None
        self._reply: Reply | None = None

    def show(self, observation: str, info: Mapping[str, Any]) -> None:
        """Begin a turn."""
        self._turn, self._reply = (observation, info), None

    def play(self, spec: str) -> Reply:
        """What the player that the spec names says in this turn; asked again, as a retry does, it says the same.

        Raises:
            ConfigError: there is no such player, or it is a person, or does not play this environment.
            ProviderError: its own model failed.
        """
        if self._player is None:
            self._player = resolve_agent(spec, self._env_id)()
            if self._player.interactive:
                raise ConfigError(f"player {spec!r} is a person, who has no keyboard here; use ibench play")
            self._player.reset(seed=self._seed, info=self._info)
        if self._reply is None:
            text = self._player.act(*self._turn)
            self._reply = Reply(text, tuple(self._player.drain_calls()))
        return self._reply

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Tell the player, if one sits here, how the episode ended."""
        if self._player is not None:
            self._player.finish(observation, reward, info)

    def close(self) -> None:
        """Close the player."""
        if self._player is not None:
            self._player.close()


SEAT: contextvars.ContextVar[Seat | None] = contextvars.ContextVar("ibench_seat", default=None)
"""The seat of the model call under way, None outside of one."""


def taken_seat(model: str) -> Seat:
    """The seat of the model call under way.

    Raises:
        ConfigError: the call is none of our task: there is no environment whose info a player could read.
    """
    seat = SEAT.get()
    if seat is None:
        raise ConfigError(
            f"ibench/{model} is a player of environments, no language model: it plays the task "
            "interactive_envs/ibench, and nothing else"
        )
    return seat


class HarnessAgent(LLMAgent):
    """Our language model player, whose messages a harness's model completes.

    Args:
        model: what the harness calls the model.
        complete: completes a dialogue; what it raises is carried back to the harness.
        env_id: what is played.
        history: see :class:`~interactive_envs.agents.llm.LLMAgent`.
        prompt: see there.
    """

    name = "harness"

    def __init__(
        self,
        model: str,
        complete: Callable[[CompletionRequest], ModelCall],
        env_id: str,
        *,
        history: str | None = None,
        prompt: str | None = None,
    ) -> None:
        self._complete, self._env_id = complete, env_id
        super().__init__(model, history=history, prompt=prompt)

    def connect(self, target: str, options: Mapping[str, Any]) -> tuple[ModelClient, dict[str, Any]]:
        """The harness's model; its parameters are the harness's business."""
        return _HarnessClient(target, self._complete), {}

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Begin a dialogue, at a seat of its own."""
        super().reset(seed=seed, info=info)
        self._seat = Seat(self._env_id, seed, info or {})

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Have the harness's model complete the dialogue."""
        self._seat.show(observation, info)
        token = SEAT.set(self._seat)
        try:
            return super().act(observation, info)
        finally:
            SEAT.reset(token)

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Pass on how the episode ended."""
        self._seat.finish(observation, reward, info)

    def close(self) -> None:
        """Close who sat there."""
        self._seat.close()


class _HarnessClient:
    """A harness's model as a client of ours."""

    priced = True

    def __init__(self, model: str, complete: Callable[[CompletionRequest], ModelCall]) -> None:
        self.model = model
        self._complete = complete

    def complete(self, request: CompletionRequest) -> ModelCall:
        try:
            return self._complete(request)
        except (FaultError, ContextOverflowError):
            raise
        except Exception as error:
            raise CarriedError(f"the harness's model failed: {error!r}") from error

    def close(self) -> None:
        """The harness closes its models."""


@dataclass(frozen=True)
class Table:
    """What a task plays: one environment, and the cases of a run with this seed.

    Attributes:
        cell: the environment, its arguments and its judge.
        cases: ids of those that are played, None for each where they have none.
        key: what its seeds follow from.
        seed: the run's.
    """

    cell: Cell
    cases: tuple[str | None, ...]
    key: str
    seed: int = 0

    @classmethod
    def lay(
        cls, env_id: str, arguments: Mapping[str, Any], *, judge: str | None, episodes: int | None, seed: int
    ) -> Table:
        """Look up the cases, and refuse what cannot be played before anything is.

        Args:
            env_id: of the environment.
            arguments: its arguments.
            judge: spec of the judge; None for the environment's own.
            episodes: cases, from the first; None for all, or :data:`DEFAULT_EPISODES` where they have no end.
            seed: the run's.

        Raises:
            ConfigError: an argument cannot work, or there are fewer cases.
        """
        if "view" in arguments:
            raise ConfigError("models play the text view; leave the argument view out")
        if episodes is not None and (isinstance(episodes, bool) or not isinstance(episodes, int) or episodes < 1):
            raise ConfigError(f"episodes must be a whole number from 1, got {episodes!r}")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ConfigError(f"seed must be a whole number from 0, got {seed!r}")
        cell = Cell(env_id, dict(arguments), "harness", judge)
        env = make_env(cell)
        cases = env.get_wrapper_attr("cases")
        env.close()
        if cases is None:
            return cls(cell, (None,) * (episodes or DEFAULT_EPISODES), cell_key(cell), seed)
        if episodes is not None and episodes > len(cases):
            raise ConfigError(
                f"{env_id} has {len(cases)} cases with these arguments, got episodes={episodes}; "
                "play them again with other seeds as epochs: --epochs 2"
            )
        return cls(cell, cases[:episodes], cell_key(cell), seed)

    def job(self, case_index: int, epoch: int) -> Job:
        """The episode of a case in an epoch, both from 0: the same that a run of this seed plays."""
        seed = episode_seed(self.seed, self.key, case_index, epoch)
        return Job(0, self.cell, self.cases[case_index], case_index, epoch, seed)


def make_env(cell: Cell, judge: Judge | None = None) -> Any:
    """The environment of a cell, with its judge: an instance, or else the cell's spec."""
    given = judge if judge is not None else cell.judge
    arguments: dict[str, Any] = {**cell.arguments, **({} if given is None else {"judge": given})}
    return make(cell.env_id, **arguments)


def play(job: Job, agent: Agent, judge: Judge | None = None, spending: Spending | None = None) -> EpisodeRecord:
    """Play an episode, and give back what it was played with.

    Raises:
        FaultError: infrastructure failed; a :class:`CarriedError` has what the harness's model raised as its cause.
    """
    env = make_env(job.cell, judge)
    try:
        return play_episode(env, agent, job, spending)
    finally:
        agent.close()
        env.close()
