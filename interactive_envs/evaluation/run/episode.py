"""Plays one episode: the player acts, the judge decides, the record says all of it; faults are kept apart from play."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import math
import platform
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, CostLimitError, FaultError, IbenchError, JudgeError
from interactive_envs.evaluation.run.anytime import Forks
from interactive_envs.evaluation.run.stepping import Stack
from interactive_envs.judges.base import JudgeRequest, Verdict, ask
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.parsing import TIMEOUT_ACTION
from interactive_envs.registration import all_arguments, key_of
from interactive_envs.reporting.records import CallRecord, Cell, EnvRecord, EpisodeRecord, Step
from interactive_envs.sandbox import level_in_use

LATE_REPLY = 30.0
"""Seconds to wait, after an episode, for a reply that came too late: it was paid for, and belongs in the record."""


@dataclass(frozen=True)
class Job:
    """One episode to play; ``anytime`` says whether the player is asked for its answer between its turns, too."""

    cell_index: int
    cell: Cell
    case: str | None
    case_index: int
    epoch: int
    seed: int
    time_limit: float | None = None
    anytime: bool = False


class StoppedError(IbenchError):
    """The run is being stopped; the episode is left for when it is resumed."""


def check_limits(limit_cost: float | None, time_limit: float | None) -> None:
    """Refuse limits that no number reaches, or that every number is beyond.

    Raises:
        ConfigError: one is NaN, endless or negative.
    """
    if limit_cost is not None and not 0 <= limit_cost < math.inf:
        raise ConfigError(f"limit_cost must be a number of US dollars, or None for no limit; got {limit_cost!r}")
    if time_limit is not None and not 0 < time_limit <= threading.TIMEOUT_MAX:
        raise ConfigError(f"time_limit must be a positive number of seconds, or None for no limit; got {time_limit!r}")


class Spending:
    """What the run has cost so far, against a limit in US dollars, and whether to go on; thread-safe."""

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        check_limits(limit, None)
        self.limit = limit
        self.spent = spent
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Let every episode end before its next action."""
        self._stopped.set()

    def add(self, calls: Sequence[ModelCall]) -> float:
        """Count calls and return their cost; those read from the cache were paid before."""
        paid = sum(call.cost or 0.0 for call in calls if not call.from_cache)
        self.count(paid)
        return paid

    def count(self, dollars: float) -> None:
        """Count what was paid."""
        with self._lock:
            self.spent += dollars

    def check(self) -> None:
        """Refuse to go on once the run is stopped or the limit is reached.

        Raises:
            StoppedError: it is stopped.
            CostLimitError: the limit is reached.
        """
        if self._stopped.is_set():
            raise StoppedError("the run was stopped")
        if self.limit is not None and self.spent >= self.limit and self.spent > 0:
            raise CostLimitError(
                f"the cost limit of {self.limit:g} USD is reached ({self.spent:.4f} spent); "
                "resume with a higher limit_cost"
            )


def play_episode(
    env: Any,
    agent: Agent,
    job: Job,
    spending: Spending | None = None,
    on_step: Callable[[str, str, str], None] | None = None,
) -> EpisodeRecord:
    """Play one episode and return its record.

    Args:
        env: the environment, text view; wrappers around it take part.
        agent: a fresh agent.
        job: what to play.
        spending: the run's cost so far, checked before each action.
        on_step: called after each step with what the player saw, its action, and what it saw then.

    Raises:
        FaultError: infrastructure failed; nothing of the episode counts.
        StoppedError: the run is being stopped.
        CostLimitError: the limit is reached in the middle; nothing of the episode counts.
        ConfigError: the player or a wrapper failed.
    """
    started = time.perf_counter()
    stack, ledger = Stack(env), Ledger(spending or Spending(None))
    base = stack.base
    try:
        observation, info = stack.reset(job.seed, job.case)
    finally:
        ledger.pay(base.drain_calls())
    of_agent(job.cell.agent, job.case, lambda: agent.reset(seed=job.seed, info=info))
    thinking = Thinking(agent, job)
    forks = Forks(stack, agent, thinking, ledger) if job.anytime else None
    steps: list[Step] = []
    over, total = False, 0.0
    while not over:
        ledger.spending.check()
        if forks:
            forks.ask(observation, info, steps)
        info |= stack.told(agent)
        begun = time.perf_counter()
        try:
            action = thinking.act(observation, info)
        except FaultError as error:
            ledger.pay([*agent.drain_calls(), *error.calls])  # the calls before it broke were paid for
            raise
        calls = agent.drain_calls()
        ledger.pay(calls)
        seen, remember = observation, info.get("remember")
        try:
            observation, reward, terminated, truncated, info = stack.step(
                action, functools.partial(decide, base, ledger)
            )
        finally:
            ledger.pay(base.drain_calls())
        over = terminated or truncated
        total += float(reward)
        if on_step:
            on_step(str(seen), action, str(observation))
        if over and thinking.wait():
            late = agent.drain_calls()  # what a player was still saying when the game ended was paid for, too
            ledger.pay(late)
            calls = [*calls, *late]
        verdict = stack.judged.verdict
        steps.append(
            Step(
                observation=str(seen),
                action=action,
                kind=info["kind"],
                valid=info["valid"],
                reason=info["reason"],
                reply=str(observation),
                reward=float(reward),
                calls=ledger.note(calls),
                judge_calls=ledger.note_judge(verdict.calls if verdict else ()),
                seconds=round(time.perf_counter() - begun, 4),
                verdict=verdict and dataclasses.replace(verdict, calls=()),
                remember=remember,
                illegal=info.get("illegal") is True,
            )
        )
    of_agent(job.cell.agent, job.case, lambda: agent.finish(observation, total, info))
    kinds = [step.kind for step in steps]
    return EpisodeRecord(
        cell=job.cell_index,
        case=info.get("case", job.case or f"deal {job.case_index + 1}"),
        case_index=job.case_index,
        epoch=job.epoch,
        seed=job.seed,
        env=EnvRecord(job.cell.env_id, _all_arguments(job.cell), cell_key(job.cell), base.task.data_sha256()),
        wrappers=(*getattr(base, "probes", ()), *_wrappers(job.cell, stack)),
        agent={"spec": job.cell.agent, **agent.describe()},
        judge=_judge(job.cell, base, steps),
        steps=tuple(steps),
        final_observation=str(observation),
        solution=info.get("solution"),
        game=base.record(),
        outcome=info["outcome"],
        reward=total,
        turns=info.get("turns", len(steps)),
        won_by=info.get("won_by"),
        first_final=info.get("first_final"),
        queries=kinds.count("query") + kinds.count("move"),
        finals=kinds.count("final"),
        invalid=sum(not step.valid for step in steps),
        abstained=sum(bool(step.verdict and step.verdict.abstained) for step in steps),
        tokens=ledger.usage,
        judge_tokens=ledger.judge_usage,
        cost=ledger.cost,
        judge_cost=ledger.judge_cost,
        paid=ledger.paid + (forks.ledger.paid if forks else 0),
        seconds=round(time.perf_counter() - started - (forks.seconds if forks else 0.0), 4),
        models=tuple(sorted(ledger.models)),
        versions=installed_versions() | _sandbox(base.task),
        ended=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        anytime=forks.record() if forks else None,
    )


class Ledger:
    """What the model calls of an episode add up to.

    Attributes:
        spending: the run's.
        paid: US dollars of calls that were not read from the cache.
        usage: the player's tokens.
        judge_usage: the judge's.
        cost: the player's US dollars, None where a price is unknown.
        judge_cost: the judge's.
        models: names the providers answered with.
        sent: the messages of the player's last call, which the next call's record leaves out.
    """

    def __init__(self, spending: Spending) -> None:
        self.spending = spending
        self.paid: float = 0  # a whole 0 where nothing was paid: records have it so
        self.usage, self.judge_usage = Usage(), Usage()
        self.cost: float | None = 0.0
        self.judge_cost: float | None = 0.0
        self.models: set[str] = set()
        self.sent: Sequence[Any] = ()

    def pay(self, calls: Sequence[ModelCall]) -> None:
        """Count what was paid for calls."""
        self.paid += self.spending.add(calls)

    def note(self, calls: Sequence[ModelCall]) -> tuple[CallRecord, ...]:
        """Count the player's calls, and give what the record holds of them."""
        records = []
        for call in calls:
            records.append(CallRecord.of(call, self.sent))
            self.sent = call.messages
            self.usage, self.cost = self.usage + call.usage, _plus(self.cost, call.cost)
            self.models |= {call.model_version} if call.model_version else set()
        return tuple(records)

    def note_judge(self, calls: Sequence[ModelCall]) -> tuple[CallRecord, ...]:
        """Count the judge's calls."""
        for call in calls:
            self.judge_usage, self.judge_cost = self.judge_usage + call.usage, _plus(self.judge_cost, call.cost)
            self.models |= {call.model_version} if call.model_version else set()
        return tuple(map(CallRecord.of, calls))


class Thinking:
    """Calls an agent within a time limit; one per episode."""

    def __init__(self, agent: Agent, job: Job) -> None:
        self._agent = agent
        self._job = job
        self._late: threading.Thread | None = None

    def of(self, agent: Agent) -> Thinking:
        """The same of another agent in the same episode."""
        return Thinking(agent, self._job)

    @property
    def busy(self) -> bool:
        """Whether a late reply is still being thought of."""
        return self._late is not None

    def call(self, call: Callable[[], object]) -> Any:
        """Call the agent; its own exception stops the run."""
        return of_agent(self._job.cell.agent, self._job.case, call)

    def act(self, observation: str, info: dict[str, Any], *, final: bool = False) -> str:
        """The agent's action, or the literal time-out action; a late reply is thrown away.

        Args:
            observation: what it sees.
            info: that goes with it.
            final: whether it must conclude.
        """
        if self._job.time_limit is None:
            return self._ask(observation, info, final)
        if self._late is not None:
            self._late.join(self._job.time_limit)
            if self._late.is_alive():
                return TIMEOUT_ACTION
            self._agent.discard_last()
            self._late = None
        result: list[str | BaseException] = []

        def think() -> None:
            try:
                result.append(self._ask(observation, info, final))
            except BaseException as error:
                result.append(error)

        self._late = threading.Thread(target=think, daemon=True, name="thinking")
        self._late.start()
        self._late.join(self._job.time_limit)
        if not result:
            return TIMEOUT_ACTION
        self._late = None
        if isinstance(result[0], BaseException):
            raise result[0]
        return result[0]

    def wait(self) -> bool:
        """Wait for a late reply; whether there was one."""
        if self._late is None:
            return False
        self._late.join(LATE_REPLY)
        return True

    def _ask(self, observation: str, info: dict[str, Any], final: bool) -> str:
        spec, ask = self._job.cell.agent, self._agent.conclude if final else self._agent.act
        action = self.call(lambda: ask(observation, info))
        if not isinstance(action, str):
            raise ConfigError(f"agent {spec!r} returned a {type(action).__name__}, not a text: {action!r}")
        return str(action)


def of_agent(spec: str, case: str | None, call: Callable[[], object]) -> object:
    """An agent's own exception stops the run: it is a bug to mend, not play."""
    try:
        return call()
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        where = f" on case {case!r}" if case else ""
        raise ConfigError(f"agent {spec!r} failed{where}: {error!r}") from error


def cell_key(cell: Cell) -> str:
    """The env key of a cell."""
    return key_of(cell.env_id, cell.arguments)


@functools.cache
def installed_versions() -> dict[str, str]:
    """What a record says of the software."""
    return {
        "interactive_envs": version("interactive-envs"),
        "python": platform.python_version(),
        "gymnasium": version("gymnasium"),
        "platform": sys.platform,
    }


def decide(env: Any, ledger: Ledger, request: JudgeRequest) -> Verdict:
    """The judge's verdict, which is paid for even where what follows fails."""
    try:
        verdict: Verdict = ask(env.judge, request)
    except FaultError as error:
        ledger.pay(error.calls)  # tries that gave no verdict were paid for
        raise
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise JudgeError(f"the judge failed: {error!r}") from error
    ledger.pay(verdict.calls)
    return verdict


def _judge(cell: Cell, env: Any, steps: Sequence[Step]) -> dict[str, Any] | None:
    verdicts = [step.verdict for step in steps if step.verdict]
    if not verdicts:
        return None
    approximate = any(verdict.approximate for verdict in verdicts)
    return {"spec": cell.judge, "approximate": approximate, **env.judge.describe()}


def _wrappers(cell: Cell, stack: Stack) -> Sequence[str]:
    """Specs of the user's wrappers: as the cell names them, else as they name themselves."""
    given = cell.arguments.get("wrappers", ())
    return ([given] if isinstance(given, str) else given) or stack.wrappers


def _all_arguments(cell: Cell) -> dict[str, Any]:
    """The environment's arguments with their defaults: a default that changes later must not change the record."""
    everything = all_arguments(cell.env_id, cell.arguments)
    return {name: value for name, value in everything.items() if name not in ("judge", "render_mode")}


def _plus(total: float | None, cost: float | None) -> float | None:
    return None if total is None or cost is None else total + cost


def _sandbox(task: Any) -> dict[str, str]:
    """Where foreign code took part, the level of the sandbox that held it."""
    if not task.sandboxed:
        return {}
    level = level_in_use()
    return {"sandbox": f"level {int(level)} ({level.name.lower()})"}
