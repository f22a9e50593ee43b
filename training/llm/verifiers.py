"""Our environments for Prime Intellect's verifiers, and so for prime-rl: tasks, one seat, two seats.

Tested with verifiers 0.4.0 (extra ``verifiers``). A package for ``vf-eval`` that exports what is here lies in
``examples/verifiers_ibench``; ``docs/training-language-models.md`` shows its use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.llm.base import Message
from interactive_envs.training.llm.dialogue import Dialogue, system_prompt
from interactive_envs.training.llm.rows import endless_rows, read_row
from interactive_envs.training.llm.table import Table
from interactive_envs.training.llm.threads import own_thread

try:
    import verifiers.v1 as vf
    from openai import AsyncOpenAI, OpenAIError
    from pydantic import Field
    from verifiers.v1.dialects.chat import message_to_wire
    from verifiers.v1.runtimes import ProgramResult
except ImportError as error:
    raise MissingExtraError("the adapter for verifiers", "verifiers") from error

__all__ = ["DialogueEnv", "Episodes", "Messages", "TableEnv"]

REWARD = "reward"
"""The name of the one reward of a trace."""


class EpisodeData(vf.TaskData):  # type: ignore[misc]  # verifiers is not installed where types are checked
    """What decides an episode; the columns of :func:`~interactive_envs.training.llm.rows.rows`."""

    env_id: str
    arguments: str
    """As JSON."""
    seed: int
    case: str | None = None


class EpisodeTask(vf.Task[EpisodeData]):  # type: ignore[misc]
    """An episode to play."""

    @property
    def key(self) -> str:
        """The episode, wherever it stands in the list."""
        data = self.data
        return json.dumps([data.env_id, data.arguments, data.seed, data.case])


class EpisodesConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which episodes: the arguments of :func:`~interactive_envs.training.llm.rows.rows`."""

    env_ids: list[str] = Field(default_factory=list)
    """Registered ids, by turns."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Of every environment, as ``gym.make`` takes them; ``reward`` among them."""
    seed: int = 0
    """Of the run whose episodes they are."""
    split: Literal["train", "held-out"] = "train"
    by: Literal["episode", "id"] = "episode"
    """What is in one split only."""


class Episodes(vf.Taskset[EpisodeTask, EpisodesConfig]):  # type: ignore[misc]
    """Episodes without end, the same for the same configuration; ``-n`` says how many."""

    INFINITE = True

    def load(self) -> Iterator[EpisodeTask]:
        """The episodes in order.

        Raises:
            ConfigError: the configuration names no environment, or one that cannot be made.
        """
        config = self.config
        if not config.env_ids:
            raise ConfigError("no environment is named; give --env.taskset.env-ids '[\"ibench/TrustGame-v1\"]'")
        for row in endless_rows(config.env_ids, config.seed, config.split, by=config.by, **config.arguments):
            name = f"{row['env_id']} {row['case'] or row['seed']}"
            about = {key: row[key] for key in ("env_id", "arguments", "seed", "case")}
            yield EpisodeTask(EpisodeData(name=name, system_prompt=system_prompt(), **about), config.task)


class Messages(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """An agent that writes messages and has no tools: the harness ``null`` without its process for each message.

    Packages that export this beside :class:`Episodes` have it as their default.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: Any,
        data: Any,
    ) -> ProgramResult:
        """Ask for one message; a provider that fails is asked again, twice."""
        system, said = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        messages += [message_to_wire(message) for message in said]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=messages)
            except OpenAIError as error:  # verifiers knows what it was
                return ProgramResult(1, "", str(error))
        return ProgramResult(0, "", "")


def _seat() -> Any:
    """An agent whose program runs beside this one: the default is a machine at Prime, and needs an account there."""
    return vf.AgentConfig(runtime={"type": "subprocess"})


class DialogueConfig(vf.EnvConfig):  # type: ignore[misc]
    """One seat."""

    player: vf.AgentConfig = _seat()


class DialogueEnv(vf.Env[DialogueConfig]):  # type: ignore[misc]
    """An episode of any environment with text actions; opponents and judges play inside it.

    The trace gets the reward that ``ibench run`` gives, the numbers of :attr:`Dialogue.metrics`, and in ``info`` the
    outcome. Where the provider, the program of the agent, the environment, a judge or an opponent failed, or time ran
    out, the trace has an error and no reward. A limit of turns or tokens leaves the episode: outcome ``unfinished``.
    """

    async def run(self, task: EpisodeTask, agents: Any) -> None:
        """Play the episode.

        Raises:
            FaultError: the environment, a judge or an opponent failed.
        """
        env_id, arguments, seed, case = read_row(task.data.model_dump())
        async with own_thread() as work:
            dialogue = await work(Dialogue, env_id, arguments)
            try:
                opening = await work(dialogue.begin, seed, case)
                async with agents.player.interaction(task) as talk:
                    messages = opening[1:]  # the system's stands in the task
                    while not dialogue.over and (text := await _answer(talk, messages)) is not None:
                        messages = [{"role": "user", "content": await work(dialogue.step, text)}]
                    if not _failed(talk.trace):
                        await work(dialogue.leave)
            finally:
                await work(dialogue.close)
        if not _closed_badly(talk.trace):
            _record(talk.trace, dialogue.paid, str(dialogue.outcome), dialogue.metrics)


class TableConfig(vf.EnvConfig):  # type: ignore[misc]
    """Two seats.

    Attributes:
        player: the agent that is trained.
        other: the agent on the other seat; ``--env.other.model`` and ``--env.other.client.base-url`` say who it is.
        frozen: whether ``other`` is left as it is; otherwise it is trained, too.
        seat: where ``player`` sits, None for each seat by turns, an episode each.
    """

    player: vf.AgentConfig = _seat()
    other: vf.AgentConfig = _seat()
    frozen: bool = True
    seat: Literal[0, 1] | None = None


class TableEnv(vf.Env[TableConfig]):  # type: ignore[misc]
    """A game for two, both seats played by agents: rewards, faults and limits as in :class:`DialogueEnv`.

    Where one seat fails, neither trace gets a reward. A seat that reaches a limit is silent from then on.
    """

    async def setup(self, agents: Any) -> None:
        """Say who is trained."""
        agents.other.trainable = not self.config.frozen

    async def run(self, task: EpisodeTask, agents: Any) -> None:
        """Play the episode.

        Raises:
            ConfigError: the game is not for two.
            FaultError: the game failed.
        """
        env_id, arguments, seed, _ = read_row(task.data.model_dump())
        table = Table(env_id, arguments)
        if table.seats != 2:
            raise ConfigError(f"{env_id} has {table.seats} seats, and here two agents play; play one seat of it")
        table.begin(seed)
        first = (task.data.idx or 0) % 2 if self.config.seat is None else self.config.seat
        async with agents.player.interaction(task) as player, agents.other.interaction(task) as other:
            talks = {first: player, 1 - first: other}
            while (seat := table.to_move) is not None:
                text = None
                if seat not in table.left:
                    text = await _answer(talks[seat], [{"role": "user", "content": table.observe(seat)}])
                    if text is None and _failed(talks[seat].trace):
                        break
                if text is None:
                    table.leave(seat)
                table.step(text or "")
        bad = [_closed_badly(talk.trace) for talk in talks.values()]
        for seat, talk in talks.items():
            if not any(bad):
                _record(talk.trace, table.reward(seat), table.outcome(seat), table.metrics(seat) | {"seat": seat})
            elif not _failed(talk.trace):
                talk.trace.record_error(FaultError("the agent on the other seat failed"))


async def _answer(talk: Any, messages: list[Message]) -> str | None:
    """What an agent writes; None where it failed or reached a limit."""
    segment = await talk.turn(messages)
    if segment.terminated or _failed(talk.trace):
        return None
    return next((str(said.content or "") for said in reversed(segment.messages) if said.role == "assistant"), "")


def _failed(trace: Any) -> bool:
    """Whether anything broke, so that nothing may be recorded: a trace without rewards reads as one with reward 0."""
    return bool(trace.errors) or trace.is_timeout


def _closed_badly(trace: Any) -> bool:
    """Whether a closed trace may not be recorded; time that ran out is no error to verifiers, so it is made one."""
    if trace.is_timeout and not trace.errors:
        trace.record_error(FaultError(f"time ran out ({trace.stop_condition}); that is no play"))
    return _failed(trace) or not trace.ok


def _record(trace: Any, reward: float, outcome: str, metrics: dict[str, float]) -> None:
    trace.record_reward(REWARD, reward)
    for name, value in metrics.items():
        trace.record_metric(name, value)
    trace.info["outcome"] = outcome
