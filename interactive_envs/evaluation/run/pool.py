"""Plays many episodes at once, crash-safe: what infrastructure breaks is tried again, what is done stays done."""

from __future__ import annotations

import concurrent.futures
import concurrent.futures.process
import dataclasses
import functools
import operator
import threading
import time
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.dialogue.handover import check_concludes
from interactive_envs.errors import ConfigError, CostLimitError, FaultError
from interactive_envs.evaluation.run import anytime, listing
from interactive_envs.evaluation.run.episode import Job, Spending, cell_key, check_limits, of_agent, play_episode
from interactive_envs.evaluation.run.live import Live
from interactive_envs.evaluation.run.log import RunLog
from interactive_envs.judges.base import Judge, resolve_judge
from interactive_envs.making import make
from interactive_envs.outcome import Fault
from interactive_envs.reporting import estimates
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.compact.keys import Keys
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json, episode_seed
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.workers import Processes, Stopping, Threads

if TYPE_CHECKING:
    from interactive_envs.evaluation.run.on_ray import Cluster

MAX_CONSECUTIVE_FAULTS = 12
"""Broken attempts in a row, one more a worker, after which the run stops instead of trying every episode against a
dead endpoint."""
LOOK = 0.2
"""Seconds between two looks whether the run is to stop."""
CLOSED = 1.0
"""Seconds that an episode has to end once the clients are closed."""
EPISODE_RETRIES = 2
"""How often an episode that infrastructure broke is played again before it is left for a resumed run."""

ItemT = TypeVar("ItemT")
RecordT = TypeVar("RecordT")
Pending: TypeAlias = "concurrent.futures.Future[RecordT]"
Progress: TypeAlias = Callable[[Job, EpisodeRecord | None], None]
"""Hears of each episode that ended; of no record where infrastructure broke it for good."""


def run(
    config: RunConfig,
    folder: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    limit_cost: float | None = None,
    backend: str = "thread",
    address: str | None = None,
    progress: Progress | None = None,
    begin: Callable[[RunStore], None] | None = None,
    on_fault: Callable[[str], None] | None = None,
    log: Sequence[str] = (),
    on_note: Callable[[str], None] | None = None,
) -> RunStore:
    """Play what is missing of a run, then write ``summary.json`` and ``timing.json``.

    Args:
        config: what to play.
        folder: the run's folder.
        workers: episodes at once.
        resume: go on with the run in the folder.
        limit_cost: stop when this many US dollars are spent.
        backend: ``thread`` (language models), ``process`` (players that compute) or ``ray`` (many machines).
        address: of a running Ray cluster, None to start one on this machine.
        progress: called after each episode with its record, or None where infrastructure broke it for good.
        on_fault: called with the message of every attempt that infrastructure broke.
        begin: called once before playing, with what is there already.
        log: specs of loggers, see :class:`interactive_envs.reporting.loggers.base.Loggers`.
        on_note: called with a line for each logger that failed; by default it is a warning.

    Returns:
        The store, closed for writing.

    Raises:
        ConfigError: the configuration cannot be played, or differs from the stored one.
        CostLimitError: the limit is reached, or cannot be kept because a price is unknown.
    """
    check_backend(workers, backend, address)
    loggers = Loggers(log, folder, on_note)
    config = check(config, limit_cost=limit_cost)
    logged = RunLog(loggers, config)
    if any(_interactive(config)):
        workers = for_a_person(backend)
    exists = (folder / "config.json").exists()
    store = RunStore.open(folder, config) if resume and exists else RunStore.create(folder, config)
    with store:
        done = Keys(row.key for row in store.iterate())
        if begin:
            begin(store)
        logged.begin(store)
        spending = Spending(limit_cost, store.spent())
        try:
            ended, broke = both(logged.advance, progress), both(logged.fault, on_fault)
            _play_all(jobs_of(config, done), store, spending, workers, backend, ended, broke, address)
        finally:
            store.end_writing()
            logged.finish(finish(store))
    return store


def check_backend(workers: int, backend: str, address: str | None) -> None:
    """Refuse what cannot play.

    Raises:
        ConfigError: it says what.
    """
    if workers < 1:
        raise ConfigError(f"workers must be at least 1, got {workers}")
    if backend not in ("thread", "process", "ray"):
        raise ConfigError(f"backend must be thread, process or ray, got {backend!r}")
    if address is not None and backend != "ray":
        raise ConfigError("address belongs to the backend ray")


def for_a_person(backend: str) -> int:
    """How many may play at once where a person plays: there is one keyboard.

    Raises:
        ConfigError: it is not where the game is.
    """
    if backend == "ray":
        raise ConfigError("a person plays at this terminal, not on a cluster; leave the backend ray out")
    return 1


def cluster_for(config: RunConfig, spending: Spending, workers: int, address: str | None) -> Cluster:
    """What gives out episodes or matches on a Ray cluster."""
    from interactive_envs.evaluation.run.on_ray import Cluster

    return Cluster(config, spending, workers, address)


def both(first: Callable[..., object], second: Callable[..., object] | None) -> Callable[..., None]:
    """Return what calls the one, then the other if there is one."""

    def call(*arguments: Any) -> None:
        first(*arguments)
        if second:
            second(*arguments)

    return call


def finish(store: RunStore) -> dict[str, Any]:
    """Write ``summary.json`` and ``timing.json`` of what is there, and for a large run what lists it soon.

    Returns:
        The content of ``summary.json``.
    """
    rows = store.rows()
    summary = run_summary.of_store(store, rows)
    write_atomically(store.folder / "summary.json", estimates.dump(summary))
    write_atomically(store.folder / "timing.json", estimates.dump(run_summary.timing(store.config, rows)))
    if len(rows) >= listing.KEPT:
        listing.read(store)
    return summary


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
                if player.wants_handover and role == "agent":
                    check_concludes(env, f"agent {spec!r}")
                of_agent(spec, None, functools.partial(player.reset, seed=0, info=info))
                if config.anytime and role == "agent":
                    anytime.check(env, player, bool(cell.arguments.get("wrappers")))
            seen[key] = player.describe()
            priced = player.priced
            player.close()
            if limit_cost is not None and not priced:
                raise CostLimitError(
                    f"limit_cost cannot be kept: the price of {role} {spec!r} is unknown; "
                    "give it in a price file (see IBENCH_PRICES), or leave the limit out"
                )
        arguments = canonical_json(cell.arguments)
        described = {
            "data_sha256": env.task.data_sha256(),
            "agent": seen["agent", cell.agent, cell.env_id, arguments],
            "judge": seen.get(("judge", cell.judge, cell.env_id, arguments)),
        }
        if env.opponents:
            described["opponents"] = [seen["opponent", spec, cell.env_id, arguments] for spec in env.opponents]
        content.append(described)
        env.close()
    return dataclasses.replace(config, content=tuple(content))


def jobs_of(config: RunConfig, done: Container[tuple[int, int, int]]) -> Iterator[Job]:
    """The episodes still to play, cell by cell, cases in order, then further epochs."""
    for index, cell in enumerate(config.cells):
        cases = case_ids(cell)
        key = cell_key(cell)
        for number in range(config.planned(index)):
            epoch, case_index = divmod(number, len(cases)) if cases else (0, number)
            if (index, case_index, epoch) not in done:
                case = cases[case_index] if cases else None
                seed = episode_seed(config.seed, key, case_index, epoch)
                yield Job(index, cell, case, case_index, epoch, seed, config.time_limit, config.anytime)


def case_ids(cell: Cell) -> tuple[str, ...] | None:
    """The cases of a cell's environment, None where they have no end."""
    env = make(cell.env_id, **cell.arguments)
    try:
        return env.get_wrapper_attr("cases")  # type: ignore[no-any-return]
    finally:
        env.close()


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


def _play_all(
    jobs: Iterator[Job],
    store: RunStore,
    spending: Spending,
    workers: int,
    backend: str,
    progress: Progress | None,
    on_fault: Callable[[str], None] | None,
    address: str | None = None,
) -> None:
    tables, live = Tables(), Live(store.folder)
    cluster = cluster_for(store.config, spending, workers, address) if backend == "ray" else None

    def submit(pool: concurrent.futures.Executor, job: Job) -> Pending[EpisodeRecord]:
        if cluster:
            return cluster.submit(functools.partial(play_job, job), [job.cell_index])
        if backend == "thread":
            return pool.submit(play_job, job, tables, spending, live)
        return pool.submit(_play_in_process, job)

    def keep(job: Job, record: EpisodeRecord) -> None:
        store.append(record.to_json())
        if progress:
            progress(job, record)

    def give_up(job: Job) -> None:
        if progress:
            progress(job, None)

    try:
        play_all(
            jobs,
            store,
            spending,
            workers,
            backend,
            submit=submit,
            keep=keep,
            give_up=give_up,
            close=tables.close,
            fault_of=_fault,
            on_fault=on_fault,
            paid=operator.attrgetter("paid"),
            pool=cluster.pool if cluster else None,
        )
    finally:
        live.close()
        if cluster:
            cluster.close()


def play_all(
    items: Iterator[ItemT],
    store: RunStore,
    spending: Spending,
    workers: int,
    backend: str,
    *,
    submit: Callable[[concurrent.futures.Executor, ItemT], Pending[RecordT]],
    keep: Callable[[ItemT, RecordT], ItemT | None],
    give_up: Callable[[ItemT], None],
    close: Callable[[], None],
    fault_of: Callable[[ItemT], dict[str, Any]],
    on_fault: Callable[[str], None] | None,
    paid: Callable[[RecordT], float],
    pool: concurrent.futures.Executor | None = None,
) -> None:
    """Play items in a pool: what infrastructure breaks is tried again, then left for a resumed run.

    On Ctrl-C or SIGTERM no item is begun any more, and what does not end within ``workers.GRACE`` is left for a
    resumed run; on a second signal, what has not ended.

    Args:
        items: what to play.
        store: hears of faults and money.
        spending: the cost so far.
        workers: items at once.
        backend: ``thread`` or ``process``.
        submit: starts an item in the pool.
        keep: stores a record, and says what follows the item, None for nothing.
        give_up: hears of an item that was broken ``EPISODE_RETRIES`` times more.
        close: frees what items are played with; not called where one does not end.
        fault_of: what a fault's line says of an item.
        on_fault: called with the message of every fault.
        paid: US dollars that a record tells were paid.
        pool: where items are played; None for what the backend says.

    Raises:
        ConfigError: a worker process died, or ``MAX_CONSECUTIVE_FAULTS`` attempts in a row were broken.
        CostLimitError: the limit is reached.
    """
    if pool is None:
        pool = Threads(workers, "playing") if backend == "thread" else Processes(workers)
    waiting: dict[Pending[RecordT], tuple[ItemT, int]] = {}
    ready: list[tuple[ItemT, int]] = []
    in_a_row, kept = 0, spending.spent

    def fill() -> None:
        # A short queue beyond the workers: enough to keep them busy, little to throw away on an interrupt.
        while len(waiting) < 2 * workers:
            item, tries = ready.pop(0) if ready else (next(items, None), 0)
            if item is None:
                return
            spending.check()
            waiting[submit(pool, item)] = (item, tries)

    def take(item: ItemT, record: RecordT) -> ItemT | None:
        spending.spent += paid(record) if backend == "process" else 0.0  # the others count every call
        following = keep(item, record)
        keep_spent()
        return following

    def keep_spent() -> None:
        """What episodes under way paid outlives this process, too."""
        nonlocal kept
        if spending.spent != kept:
            kept = spending.spent
            store.set_spent(kept)

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
                        line = {"fault": Fault(error.fault).value, "message": str(error), "attempt": tries + 1}
                        store.append_fault(fault_of(item) | line)
                        in_a_row += 1
                        if on_fault:
                            on_fault(str(error))
                        if in_a_row >= MAX_CONSECUTIVE_FAULTS + workers - 1:
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
                keep_spent()
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


def _all_ended(waiting: Collection[Pending[Any]], stopping: Stopping) -> bool:
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


def play_job(job: Job, tables: Tables, spending: Spending, live: Live | None = None) -> EpisodeRecord:
    """Play one episode with a fresh player at one of the tables."""
    agent = resolve_agent(job.cell.agent, job.cell.env_id)()
    if live is not None:
        live.begin(job)
    try:
        watch = functools.partial(live.step, job) if live is not None else None
        return play_episode(tables.env(job.cell), agent, job, spending, watch)
    finally:
        if live is not None:
            live.end(job)
        agent.close()


_process_tables: Tables | None = None


def _play_in_process(job: Job) -> EpisodeRecord:
    global _process_tables
    if _process_tables is None:
        _process_tables = Tables()
    return play_job(job, _process_tables, Spending(None))


def _interactive(config: RunConfig) -> Iterator[bool]:
    """Of every player, opponents included, whether a person plays."""
    specs = {(cell.agent, cell.env_id) for cell in config.cells}
    for cell in config.cells:
        env = make(cell.env_id, **cell.arguments)
        specs |= {(spec, cell.env_id) for spec in env.get_wrapper_attr("opponents")}
        env.close()
    for spec, env_id in specs:
        agent = resolve_agent(spec, env_id)()
        yield agent.interactive
        agent.close()


def _fault(job: Job) -> dict[str, Any]:
    return {"cell": job.cell_index, "case": job.case, "case_index": job.case_index, "epoch": job.epoch}
