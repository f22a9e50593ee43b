"""Plays episodes: many at once, crash-safe, with faults kept apart from play."""

from __future__ import annotations

import concurrent.futures
import concurrent.futures.process
import dataclasses
import datetime
import functools
import math
import platform
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError, CostLimitError, FaultError, IbenchError, JudgeError
from interactive_envs.judges.base import Judge, Verdict, resolve_judge
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.making import make
from interactive_envs.outcome import Fault
from interactive_envs.parsing import TIMEOUT_ACTION
from interactive_envs.registration import checked
from interactive_envs.reporting import estimates as metrics
from interactive_envs.reporting.records import SCHEMA, Cell, RunConfig, RunStore, write_atomically
from interactive_envs.sandbox import level_in_use
from interactive_envs.seeds import canonical_json, env_key, episode_seed
from interactive_envs.system.workers import Processes, Stopping, Threads

LATE_REPLY = 30.0
"""Seconds to wait, after an episode, for a reply that came too late: it was paid for, and belongs in the record."""
HOPELESS = 12
"""Broken attempts in a row, one more a worker, after which the run stops instead of trying every episode against a
dead endpoint."""
LOOK = 0.2
"""Seconds between two looks whether the run is to stop."""
CLOSED = 1.0
"""Seconds that an episode has to end once the clients are closed."""
EPISODE_RETRIES = 2
"""How often an episode that infrastructure broke is played again before it is left for --resume."""


ItemT = TypeVar("ItemT")
Playing: TypeAlias = "concurrent.futures.Future[dict[str, Any]]"


@dataclass(frozen=True)
class Job:
    """One episode to play."""

    cell_index: int
    cell: Cell
    case: str | None
    case_index: int
    epoch: int
    seed: int
    time_limit: float | None = None


class StoppedError(IbenchError):
    """The run is being stopped; the episode is left for --resume."""


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
        with self._lock:
            self.spent += paid
        return paid

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
                "go on with --resume and a higher --limit-cost"
            )


class Tables:
    """Environments are kept per thread and cell, judges per process and cell."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._envs: list[Any] = []
        self._judges: dict[str, Judge] = {}
        self._lock = threading.Lock()

    def env(self, cell: Cell) -> Any:
        """This thread's environment of a cell."""
        envs = self._local.__dict__.setdefault("envs", {})
        key = (cell.env_id, canonical_json(cell.arguments), cell.judge)
        if key not in envs:
            arguments = dict(cell.arguments)
            if cell.judge is not None:
                arguments["judge"] = self.judge(cell.judge)
            envs[key] = make(cell.env_id, **arguments)
            self._envs.append(envs[key])
        return envs[key]

    def judge(self, spec: str) -> Judge:
        """This process's judge of a spec."""
        with self._lock:
            if spec not in self._judges:
                self._judges[spec] = resolve_judge(spec)()
            return self._judges[spec]

    def close(self) -> None:
        """Close everything that was made."""
        with self._lock:
            for held in (*self._envs, *self._judges.values()):
                held.close()
            self._envs.clear()
            self._judges.clear()


def check_limits(limit_cost: float | None, time_limit: float | None) -> None:
    """Refuse limits that no number reaches, or that every number is beyond.

    Raises:
        ConfigError: one is NaN, endless or negative.
    """
    if limit_cost is not None and not 0 <= limit_cost < math.inf:
        raise ConfigError(f"limit_cost must be a number of US dollars, or None for no limit; got {limit_cost!r}")
    if time_limit is not None and not 0 < time_limit <= threading.TIMEOUT_MAX:
        raise ConfigError(f"time_limit must be a positive number of seconds, or None for no limit; got {time_limit!r}")


def check(config: RunConfig, *, limit_cost: float | None = None) -> RunConfig:
    """Refuse a configuration that cannot be played, before anything is: every player and judge is made once.

    Args:
        config: what is to be played.
        limit_cost: where given, every price must be known.

    Returns:
        The configuration with ``content``: hashes of the data, and what the players and judges say of themselves.

    Raises:
        ConfigError: an id, argument, agent, judge or limit cannot be used.
        CostLimitError: a price is unknown and there is a limit.
    """
    check_limits(limit_cost, config.time_limit)
    content: list[dict[str, Any]] = []
    seen: dict[tuple[str, str | None, str, str], dict[str, Any]] = {}
    for cell in config.cells:
        if "judge" in cell.arguments:
            raise ConfigError(f"the judge of a cell is its judge, not an argument: {cell.arguments['judge']!r}")
        env: Any = make(cell.env_id, **cell.arguments).unwrapped
        info = env.introduce()
        for role, spec in (("agent", cell.agent), ("judge", cell.judge), *(("opponent", o) for o in env.opponents)):
            key = (role, spec, cell.env_id, canonical_json(cell.arguments))
            if spec is None or key in seen:
                continue
            player = (resolve_judge(spec) if role == "judge" else resolve_agent(spec, cell.env_id))()
            if isinstance(player, Agent):
                of_agent(spec, None, functools.partial(player.reset, seed=0, info=info))
            seen[key] = player.describe()
            priced = player.priced
            player.close()
            if limit_cost is not None and not priced:
                raise CostLimitError(
                    f"--limit-cost cannot be kept: the price of {role} {spec!r} is unknown; "
                    "give it in a price file (see IBENCH_PRICES), or leave the limit out"
                )
        arguments = canonical_json(cell.arguments)
        told = {
            "data_sha256": env.task.data_sha256(),
            "agent": seen["agent", cell.agent, cell.env_id, arguments],
            "judge": seen.get(("judge", cell.judge, cell.env_id, arguments)),
        }
        if env.opponents:
            told["opponents"] = [seen["opponent", spec, cell.env_id, arguments] for spec in env.opponents]
        content.append(told)
        env.close()
    return dataclasses.replace(config, content=tuple(content))


def jobs_of(config: RunConfig, done: frozenset[tuple[int, int, int]] | set[tuple[int, int, int]]) -> Iterator[Job]:
    """The episodes still to play, cell by cell, cases in order, then further epochs."""
    for index, cell in enumerate(config.cells):
        cases = case_ids(cell)
        key = cell_key(cell)
        for number in range(config.planned(index)):
            epoch, case_index = divmod(number, len(cases)) if cases else (0, number)
            if (index, case_index, epoch) not in done:
                case = cases[case_index] if cases else None
                seed = episode_seed(config.seed, key, case_index, epoch)
                yield Job(index, cell, case, case_index, epoch, seed, config.time_limit)


def case_ids(cell: Cell) -> tuple[str, ...] | None:
    """The cases of a cell's environment, None where they have no end."""
    env = make(cell.env_id, **cell.arguments)
    try:
        return env.get_wrapper_attr("cases")  # type: ignore[no-any-return]
    finally:
        env.close()


def cell_key(cell: Cell) -> str:
    """The env key of a cell: arguments at their default do not change the game."""
    entry = catalog.entry(cell.env_id)
    arguments = checked(cell.env_id, cell.arguments)
    changed = {name: value for name, value in arguments.items() if value != entry["defaults"].get(name)}
    return env_key(cell.env_id, changed, tuple(entry["not_key"]))


def play_episode(env: Any, agent: Agent, job: Job, spending: Spending | None = None) -> dict[str, Any]:
    """Play one episode and return its record.

    Args:
        env: the environment, text view, without further wrappers.
        agent: a fresh agent.
        job: what to play.
        spending: the run's cost so far, checked before each action.

    Raises:
        FaultError: infrastructure failed; nothing of the episode counts.
        StoppedError: the run is being stopped.
        CostLimitError: the limit is reached in the middle; nothing of the episode counts.
    """
    spending = spending or Spending(None)
    started = time.perf_counter()
    env = env.unwrapped
    try:
        observation, info = guarded(lambda: env.reset(seed=job.seed, options={"case": job.case} if job.case else None))
    finally:
        paid = spending.add(env.drain_calls())
    of_agent(job.cell.agent, job.case, lambda: agent.reset(seed=job.seed, info=info))
    thinking = Thinking(agent, job)
    steps: list[dict[str, Any]] = []
    usage, judge_usage = Usage(), Usage()
    cost: float | None = 0.0
    judge_cost: float | None = 0.0
    versions: set[str] = set()
    sent: tuple[Any, ...] = ()
    over, total = False, 0.0
    while not over:
        spending.check()
        if agent.wants_view_text:
            info["view_text"] = env.view_text()
        begun = time.perf_counter()
        try:
            action = thinking.act(observation, info)
        except FaultError as error:
            spending.add([*agent.drain_calls(), *error.calls])  # what was said before it broke was paid for
            raise
        calls = agent.drain_calls()
        paid += spending.add(calls)
        verdict = _judged(env, action, spending)
        judge_calls = verdict.calls if verdict else ()
        paid += spending.add(judge_calls)
        seen = observation
        try:
            observation, reward, terminated, truncated, info = guarded(functools.partial(env.resolve, verdict))
        finally:
            paid += spending.add(env.drain_calls())
        over = terminated or truncated
        total += float(reward)
        if over and thinking.wait():
            late = agent.drain_calls()  # what a player was still saying when the game ended was paid for, too
            paid += spending.add(late)
            calls = [*calls, *late]
        shown_calls = []
        for call in calls:
            shown_calls.append(call_record(call, sent))
            sent = call.messages
            usage, cost = usage + call.usage, _plus(cost, call.cost)
            versions |= {call.model_version} if call.model_version else set()
        for call in judge_calls:
            judge_usage, judge_cost = judge_usage + call.usage, _plus(judge_cost, call.cost)
            versions |= {call.model_version} if call.model_version else set()
        steps.append(
            {
                "observation": str(seen),
                "action": action,
                "kind": info["kind"],
                "valid": info["valid"],
                "reason": info["reason"],
                "reply": str(observation),
                "reward": float(reward),
                "seconds": round(time.perf_counter() - begun, 4),
                "verdict": _verdict(verdict),
                "calls": shown_calls,
                "judge_calls": [call_record(call, ()) for call in judge_calls],
            }
        )
    of_agent(job.cell.agent, job.case, lambda: agent.finish(observation, total, info))
    kinds = [step["kind"] for step in steps]
    judge = env.judge if any(step["verdict"] for step in steps) else None
    return {
        "schema": SCHEMA,
        "cell": job.cell_index,
        "case": info.get("case", f"deal {job.case_index + 1}"),
        "case_index": job.case_index,
        "epoch": job.epoch,
        "seed": job.seed,
        "env": {
            "id": job.cell.env_id,
            "arguments": _all_arguments(job.cell),
            "key": cell_key(job.cell),
            "data_sha256": env.task.data_sha256(),
        },
        "wrappers": list(getattr(env, "probes", ())),
        "agent": {"spec": job.cell.agent, **agent.describe()},
        "judge": None
        if judge is None
        else {"spec": job.cell.judge, "approximate": judge.approximate, **judge.describe()},
        "steps": steps,
        "final_observation": str(observation),
        "solution": info.get("solution"),
        "game": env.record(),
        "outcome": info["outcome"],
        "reward": total,
        "turns": info["turns"],
        "won_by": info.get("won_by"),
        "first_final": info.get("first_final"),
        "queries": kinds.count("query") + kinds.count("move"),
        "finals": kinds.count("final"),
        "invalid": sum(not step["valid"] for step in steps),
        "abstained": sum(bool(step["verdict"] and step["verdict"]["abstained"]) for step in steps),
        "tokens": _tokens(usage),
        "judge_tokens": _tokens(judge_usage),
        "cost": cost,
        "judge_cost": judge_cost,
        "paid": paid,
        "seconds": round(time.perf_counter() - started, 4),
        "models": sorted(versions),
        "versions": installed_versions() | _sandbox(env.task),
        "ended": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def run(
    config: RunConfig,
    folder: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    limit_cost: float | None = None,
    backend: str = "thread",
    progress: Callable[[Job, Mapping[str, Any] | None], None] | None = None,
    begin: Callable[[RunStore], None] | None = None,
    on_fault: Callable[[str], None] | None = None,
) -> RunStore:
    """Play what is missing of a run, then write ``summary.json`` and ``timing.json``.

    Args:
        config: what to play.
        folder: the run's folder.
        workers: episodes at once.
        resume: go on with the run in the folder.
        limit_cost: stop when this many US dollars are spent.
        backend: ``thread`` (language models) or ``process`` (players that compute).
        progress: called after each episode with its record, or None where infrastructure broke it for good.
        on_fault: called with the message of every attempt that infrastructure broke.
        begin: called once before playing, with what is there already.

    Returns:
        The store, closed for writing.

    Raises:
        ConfigError: the configuration cannot be played, or differs from the stored one.
        CostLimitError: the limit is reached, or cannot be kept because a price is unknown.
    """
    if workers < 1:
        raise ConfigError(f"workers must be at least 1, got {workers}")
    if backend not in ("thread", "process"):
        raise ConfigError(f"backend must be thread or process, got {backend!r}")
    config = check(config, limit_cost=limit_cost)
    if any(cell_agent.interactive for cell_agent in _agents(config)):
        workers = 1  # one keyboard
    exists = (folder / "config.json").exists()
    store = RunStore.open(folder, config) if resume and exists else RunStore.create(folder, config)
    with store:
        done = {row.key for row in store.iterate()}
        if begin:
            begin(store)
        spending = Spending(limit_cost, store.spent())
        try:
            _play_all(jobs_of(config, done), store, spending, workers, backend, progress, on_fault)
        finally:
            finish(store)
    return store


def finish(store: RunStore) -> None:
    """Write ``summary.json`` and ``timing.json`` of what is there."""
    rows = store.rows()
    judges = metrics.judges_of(store, rows)
    write_atomically(store.folder / "summary.json", metrics.dump(metrics.summarise(store.config, rows, judges)))
    write_atomically(store.folder / "timing.json", metrics.dump(metrics.timing(store.config, rows)))


def _play_all(
    jobs: Iterator[Job],
    store: RunStore,
    spending: Spending,
    workers: int,
    backend: str,
    progress: Callable[[Job, Mapping[str, Any] | None], None] | None,
    on_fault: Callable[[str], None] | None,
) -> None:
    tables = Tables()

    def submit(pool: concurrent.futures.Executor, job: Job) -> Playing:
        if backend == "thread":
            return pool.submit(_play_job, job, tables, spending)
        return pool.submit(_play_in_process, job)

    def keep(job: Job, record: dict[str, Any]) -> None:
        store.append(record)
        if progress:
            progress(job, record)

    def give_up(job: Job) -> None:
        if progress:
            progress(job, None)

    play_all(
        jobs, store, spending, workers, backend,
        submit=submit, keep=keep, give_up=give_up, close=tables.close, fault_of=_fault, on_fault=on_fault,
    )  # fmt: skip


def play_all(
    items: Iterator[ItemT],
    store: RunStore,
    spending: Spending,
    workers: int,
    backend: str,
    *,
    submit: Callable[[concurrent.futures.Executor, ItemT], Playing],
    keep: Callable[[ItemT, dict[str, Any]], ItemT | None],
    give_up: Callable[[ItemT], None],
    close: Callable[[], None],
    fault_of: Callable[[ItemT], dict[str, Any]],
    on_fault: Callable[[str], None] | None,
) -> None:
    """Play items in a pool: what infrastructure breaks is tried again, then left for --resume.

    On Ctrl-C or SIGTERM no item is begun any more, and what does not end within ``workers.GRACE`` is left for --resume;
    on a second signal, what has not ended.

    Args:
        items: what to play.
        store: hears of faults and money.
        spending: the cost so far.
        workers: items at once.
        backend: ``thread`` or ``process``.
        submit: starts an item in the pool; its record has ``paid``.
        keep: stores a record, and says what follows the item, None for nothing.
        give_up: hears of an item that was broken ``EPISODE_RETRIES`` times more.
        close: frees what items are played with; not called where one does not end.
        fault_of: what a fault's line says of an item.
        on_fault: called with the message of every fault.

    Raises:
        ConfigError: a worker process died, or ``HOPELESS`` attempts in a row were broken.
        CostLimitError: the limit is reached.
    """
    pool = Threads(workers, "playing") if backend == "thread" else Processes(workers)
    waiting: dict[Playing, tuple[ItemT, int]] = {}
    ready: list[tuple[ItemT, int]] = []
    in_a_row = 0

    def fill() -> None:
        # A short queue beyond the workers: enough to keep them busy, little to throw away on an interrupt.
        while len(waiting) < 2 * workers:
            item, tries = ready.pop(0) if ready else (next(items, None), 0)
            if item is None:
                return
            spending.check()
            waiting[submit(pool, item)] = (item, tries)

    def take(item: ItemT, record: dict[str, Any]) -> ItemT | None:
        spending.spent += record["paid"] if backend == "process" else 0.0  # threads count what they pay themselves
        following = keep(item, record)
        store.set_spent(spending.spent)
        return following

    with Stopping() as stopping, pool:
        try:
            fill()
            while waiting:
                finished, _ = concurrent.futures.wait(waiting, LOOK, concurrent.futures.FIRST_COMPLETED)
                stopping.check()
                for future in finished:
                    item, tries = waiting.pop(future)
                    try:
                        record = future.result()
                    except FaultError as error:
                        told = {"fault": Fault(error.fault).value, "message": str(error), "attempt": tries + 1}
                        store.append_fault(fault_of(item) | told)
                        in_a_row += 1
                        if on_fault:
                            on_fault(str(error))
                        if in_a_row >= HOPELESS + workers - 1:
                            broken = f"{in_a_row} attempts in a row were broken, the last by: {error}"
                            raise ConfigError(broken) from error
                        if tries < EPISODE_RETRIES:
                            ready.append((item, tries + 1))
                        else:
                            give_up(item)
                    else:
                        in_a_row = 0
                        following = take(item, record)
                        ready += [] if following is None else [(following, 0)]
                fill()
        except concurrent.futures.process.BrokenProcessPool:
            stopping.check()  # who stops the run may stop its workers, too
            raise
        finally:
            spending.stop()
            try:
                ended = _all_ended(waiting, stopping)
            finally:
                for future, (item, _) in waiting.items():
                    if future.done() and not future.cancelled() and future.exception() is None:
                        take(item, future.result())
                store.set_spent(spending.spent)
            if ended:
                close()


def _all_ended(waiting: Collection[Playing], stopping: Stopping) -> bool:
    """Begin nothing any more and let what is under way end; whether it did, in the time that a signal leaves."""
    for future in waiting:
        future.cancel()
    left = waiting
    try:
        while (left := [future for future in left if not future.done()]) and time.monotonic() < stopping.deadline:
            concurrent.futures.wait(left, LOOK)
    finally:
        if left:
            from interactive_envs.llm import clients

            clients.close_all()  # calls under way end, of which some are in threads that the process waits for
    return not concurrent.futures.wait(left, CLOSED).not_done


def _play_job(job: Job, tables: Tables, spending: Spending) -> dict[str, Any]:
    agent = resolve_agent(job.cell.agent, job.cell.env_id)()
    try:
        return play_episode(tables.env(job.cell), agent, job, spending)
    finally:
        agent.close()


_process_tables: Tables | None = None


def _play_in_process(job: Job) -> dict[str, Any]:
    global _process_tables
    if _process_tables is None:
        _process_tables = Tables()
    return _play_job(job, _process_tables, Spending(None))


class Thinking:
    """Calls an agent within a time limit; one per episode."""

    def __init__(self, agent: Agent, job: Job) -> None:
        self._agent = agent
        self._job = job
        self._late: threading.Thread | None = None

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """The agent's action, or the literal time-out action; a late reply is thrown away."""
        if self._job.time_limit is None:
            return self._ask(observation, info)
        if self._late is not None:
            self._late.join(self._job.time_limit)
            if self._late.is_alive():
                return TIMEOUT_ACTION
            self._agent.discard_last()
            self._late = None
        result: list[str | BaseException] = []

        def think() -> None:
            try:
                result.append(self._ask(observation, info))
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

    def _ask(self, observation: str, info: dict[str, Any]) -> str:
        spec = self._job.cell.agent
        action = of_agent(spec, self._job.case, lambda: self._agent.act(observation, info))
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


def _judged(env: Any, action: str, spending: Spending) -> Verdict | None:
    request = guarded(lambda: env.submit(action))
    if request is None:
        return None
    try:
        return env.judge.judge(request)  # type: ignore[no-any-return]
    except FaultError as error:
        spending.add(error.calls)  # tries that gave no verdict were paid for
        raise
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise JudgeError(f"the judge failed: {error!r}") from error


def _all_arguments(cell: Cell) -> dict[str, Any]:
    """The environment's arguments with their defaults: a default that changes later must not change the record."""
    everything = {**catalog.entry(cell.env_id)["defaults"], **cell.arguments}
    return {name: value for name, value in everything.items() if name not in ("judge", "render_mode")}


def _agents(config: RunConfig) -> Iterator[type[Agent]]:
    """The class of every player, opponents included."""
    specs = {(cell.agent, cell.env_id) for cell in config.cells}
    for cell in config.cells:
        env = make(cell.env_id, **cell.arguments)
        specs |= {(spec, cell.env_id) for spec in env.get_wrapper_attr("opponents")}
        env.close()
    for spec, env_id in specs:
        agent = resolve_agent(spec, env_id)()
        yield type(agent)
        agent.close()


def guarded(call: Callable[[], Any]) -> Any:
    """An environment's own exception is a fault of ours, not the player's."""
    try:
        return call()
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise FaultError(f"the environment failed: {error!r}") from error


def _fault(job: Job) -> dict[str, Any]:
    return {"cell": job.cell_index, "case": job.case, "case_index": job.case_index, "epoch": job.epoch}


def call_record(call: ModelCall, sent: tuple[Any, ...]) -> dict[str, Any]:
    """A call for the record; messages that the last call sent already are not repeated."""
    known = 0
    while known < min(len(sent), len(call.messages)) and sent[known] == call.messages[known]:
        known += 1
    return {
        "model": call.model,
        "messages": [dict(message) for message in call.messages[known:]],
        "messages_before": known,
        "text": call.text,
        "finish_reason": call.finish_reason,
        "usage": _tokens(call.usage),
        "cost": call.cost,
        "latency": round(call.latency, 4),
        "model_version": call.model_version,
        "refused_parameters": list(call.refused_parameters),
        "attempts": call.attempts,
        "from_cache": call.from_cache,
    }


def _verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return {
        "label": verdict.label,
        "detail": verdict.detail,
        "confidence": verdict.confidence,
        "source": verdict.source,
        "abstained": verdict.abstained,
        **({"scores": dict(verdict.scores)} if verdict.scores is not None else {}),
    }


def _tokens(usage: Usage) -> dict[str, int]:
    return {
        "prompt": usage.prompt,
        "completion": usage.completion,
        "reasoning": usage.reasoning,
        "cached": usage.cached,
    }


def _plus(total: float | None, cost: float | None) -> float | None:
    return None if total is None or cost is None else total + cost


def _sandbox(task: Any) -> dict[str, str]:
    """Where foreign code took part, the level of the sandbox that held it."""
    if not task.sandboxed:
        return {}
    level = level_in_use()
    return {"sandbox": f"level {int(level)} ({level.name.lower()})"}


@functools.cache
def installed_versions() -> dict[str, str]:
    """What a record says of the software."""
    return {
        "interactive_envs": version("interactive-envs"),
        "python": platform.python_version(),
        "gymnasium": version("gymnasium"),
        "platform": sys.platform,
    }
