"""Train for many games: one after the other, in processes, or on a Ray cluster; one that fails stops no other."""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, IbenchError, UnknownNameError
from interactive_envs.novel_games.search.network import Network
from interactive_envs.system.ray_workers import connect
from interactive_envs.system.terminal import echo
from interactive_envs.system.workers import end_with
from interactive_envs.training.arena import Source, generated_game, open_arena
from interactive_envs.training.selfplay import duel
from interactive_envs.training.trainer import Progress, TrainConfig, train

REPORT_SECONDS = 1.0
"""Time between two reports of a game."""
FINAL = 512
"""Games that the last checkpoint of a run plays against random moves."""


@dataclass(frozen=True)
class Job:
    """One game to train for; the arguments of :func:`interactive_envs.training.trainer.train`.

    With processes and Ray, the source must be picklable, and with a cluster, the folder be seen by every machine.
    """

    source: Source
    folder: str | Path
    config: TrainConfig
    log: tuple[str, ...] = ("tensorboard",)

    @property
    def name(self) -> str:
        """The game, for people."""
        return str(self.source) if isinstance(self.source, str | Path) else Path(self.folder).name


@dataclass(frozen=True)
class Trained:
    """What became of a job.

    Attributes:
        job: the job.
        checkpoints: its checkpoints, the earliest first; () when it failed.
        score: of the last checkpoint against random moves, 0 to 1, a draw ½, :data:`FINAL` games, both seats alike;
            None where the environment is no generated game.
        error: why it failed, None when it did not.
        seconds: how long it took, this time.
    """

    job: Job
    checkpoints: tuple[Path, ...] = ()
    score: float | None = None
    error: str | None = None
    seconds: float = 0.0


Report = Callable[[Job, Progress | Trained], None]


def train_many(
    jobs: Sequence[Job],
    *,
    backend: str = "local",
    workers: int = 1,
    address: str | None = None,
    report: Report | None = None,
) -> list[Trained]:
    """Train for every game; what is interrupted goes on when called again with the same jobs.

    Args:
        jobs: a folder each.
        backend: ``local`` for this machine, ``ray`` for a cluster.
        workers: games trained at a time; with 1, ``local`` uses this process.
        address: of a running Ray cluster; None starts one here.
        report: called here, about once a second for each game, and when it is through.

    Returns:
        What became of each job, in their order.

    Raises:
        UnknownNameError: there is no such backend.
        ConfigError: two jobs share a folder, or ``workers`` is less than 1.
    """
    if backend not in _BACKENDS:
        raise UnknownNameError("backend", backend, _BACKENDS)
    if workers < 1:
        raise ConfigError(f"workers must be at least 1, got {workers}")
    if len({os.path.abspath(job.folder) for job in jobs}) < len(jobs):
        raise ConfigError("two games would be trained in the same folder")
    through: dict[int, Trained] = {}

    def tell(index: int, update: Progress | Trained) -> None:
        if isinstance(update, Trained):
            through[index] = update
        if report is not None:
            report(jobs[index], update)

    _BACKENDS[backend](jobs, workers, address, tell)
    return [through[index] for index in range(len(jobs))]


def run_name(game: str) -> str:
    """The folder of a game's run, whether the game is given by name, path or id."""
    from interactive_envs.novel_games.rules import find_folder

    try:
        return find_folder(game).name
    except ConfigError:  # of another environment, or it cannot be used, which its job will say
        return Path(game).name


def line(job: Job, update: Progress | Trained) -> str:
    """A report as a line of text."""
    if isinstance(update, Progress):
        score = "" if update.score is None else f", score {update.score:.2f}"
        at = f"{update.steps:,} of {update.total:,} steps, {update.rate:,.0f}/s{score}"
        return f"{job.name}: {at}, {_counted(update.checkpoints)}"
    if update.error is not None:
        return f"{job.name}: failed: {update.error}"
    score = "" if update.score is None else f", the last scores {update.score:.2f} against random moves"
    return f"{job.name}: {_counted(len(update.checkpoints))} in {update.seconds:.0f} s{score}"


def _counted(checkpoints: int) -> str:
    return f"{checkpoints} checkpoint{'s' * (checkpoints != 1)}"


Tell = Callable[[int, Progress | Trained], None]
"""Takes the place of a job and what is new about it."""


def _work(job: Job, tell: Callable[[Progress], None]) -> Trained:
    begun = reported = time.monotonic()

    def progress(now: Progress) -> None:
        nonlocal reported
        if time.monotonic() - reported >= REPORT_SECONDS:
            reported = time.monotonic()
            tell(now)

    def note(text: str) -> None:
        echo(f"warning: {job.name}: {text}", err=True)

    try:
        paths = train(job.source, job.folder, job.config, progress=progress, log=job.log, on_note=note)
        seconds = time.monotonic() - begun
        score = _final(job.source, paths[-1])
    except Exception as error:  # whatever a game does is its own failure
        message = str(error) if isinstance(error, IbenchError) else f"{type(error).__name__}: {error}"
        return Trained(job, error=message, seconds=time.monotonic() - begun)
    return Trained(job, tuple(paths), score=score, seconds=seconds)


def _final(source: Source, checkpoint: Path) -> float | None:
    """What :attr:`Trained.score` tells."""
    if not isinstance(source, str | Path) or generated_game(source) is None:
        return None
    with contextlib.closing(open_arena(source, FINAL // 4)) as arena:
        return duel(arena, Network.load(checkpoint), None, FINAL, seed=0)


def _local(jobs: Sequence[Job], workers: int, address: str | None, tell: Tell) -> None:
    if address is not None:
        raise ConfigError("address belongs to the backend ray")
    if workers > 1:
        _in_processes(jobs, workers, tell)
        return
    for index, job in enumerate(jobs):
        tell(index, _work(job, functools.partial(tell, index)))


def _in_processes(jobs: Sequence[Job], workers: int, tell: Tell) -> None:
    """A process for each job: one that is killed takes no other with it."""
    context = multiprocessing.get_context("spawn")
    waiting = list(enumerate(jobs))[::-1]
    running: dict[Any, tuple[int, Any]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                index, job = waiting.pop()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(job, theirs, os.getpid()), daemon=True)
                process.start()
                theirs.close()
                running[ours] = index, process
            for news in multiprocessing.connection.wait(list(running)):
                index, process = running[news]
                received = _received(news, jobs[index], process)
                if isinstance(received, Trained):
                    process.join()
                    running.pop(news)
                tell(index, received)
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()


def _received(news: Any, job: Job, process: Any) -> Progress | Trained:
    try:
        received: Progress | Trained = news.recv()
    except EOFError:
        process.join()
        received = Trained(job, error=f"its process died with exit code {process.exitcode}")
    if isinstance(received, Trained):
        news.close()
    return received


def _child(job: Job, news: Any, parent: int) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent sees Ctrl-C, too, and ends its children
    news.send(_work(job, news.send))


def _ray(jobs: Sequence[Job], workers: int, address: str | None, tell: Tell) -> None:
    ray, ours = connect(workers, address)
    queues = importlib.import_module("ray.util.queue")
    here = os.getcwd()
    path = [folder or here for folder in sys.path]
    running: dict[Any, int] = {}
    try:
        queue = queues.Queue(actor_options={"num_cpus": 0})
        remote = ray.remote(num_cpus=1, max_retries=0)(_task)
        waiting = list(enumerate(jobs))[::-1]
        while waiting or running:
            while waiting and len(running) < workers:
                index, job = waiting.pop()
                running[remote.remote(index, ray.cloudpickle.dumps(job), queue, here, path)] = index
            ready, _ = ray.wait(list(running), timeout=REPORT_SECONDS)
            for index, now in queue.get_nowait_batch(queue.qsize()):
                if index in running.values():
                    tell(index, now)
            for task in ready:
                index = running.pop(task)
                try:
                    tell(index, ray.get(task))
                except ray.exceptions.RayError as error:  # its machine or process was lost
                    tell(index, Trained(jobs[index], error=f"{type(error).__name__}: {error}"))
    finally:
        for task in running:
            ray.cancel(task, force=True)
        if ours:
            ray.shutdown()


def _task(index: int, pickled: bytes, queue: Any, folder: str, path: list[str]) -> Trained:
    """Work where the caller is; modules that this machine has not itself are looked for where the caller finds them."""
    os.chdir(folder)  # a job's paths may be relative
    sys.path += [entry for entry in path if entry not in sys.path]
    job: Job = pickle.loads(pickled)  # noqa: S301
    return _work(job, lambda now: queue.put((index, now)))


_BACKENDS: dict[str, Callable[[Sequence[Job], int, str | None, Tell], None]] = {"local": _local, "ray": _ray}
