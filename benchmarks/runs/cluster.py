"""What the one process that gives out a run's work spends on each thing it does, and how far that reaches.

Measures CPU milliseconds of that process: to write a record, to answer a worker at the desk (leave to pay, a call that
was paid before, one to keep), and to give out a task on Ray and take its record back. From these it says how many a
second a core can do, and what a hundred machines of sixteen workers would ask of it.

    python benchmarks/runs/cluster.py [--rounds 3] [--without-ray]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import resource
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

RECORDS, REQUESTS, TASKS = 2_000, 1_500, 300
WORKERS, SECONDS, CALLS = 1_600, 2.0, 10
"""Of the plan: workers, seconds that a model takes to reply, and calls an episode."""


def cpu() -> float:
    """Seconds of this process, its threads included."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def milliseconds(count: int, work: Callable[[], object]) -> float:
    """Of CPU for each of so many."""
    begun = cpu()
    work()
    return 1000 * (cpu() - begun) / count


def writing(folder: Path) -> tuple[dict[str, Any], Callable[[], object]]:
    """A record, and what writes it many times."""
    from interactive_envs.evaluation.run import episode, pool
    from interactive_envs.reporting.records import Cell, RunConfig
    from interactive_envs.reporting.store import RunStore

    config = RunConfig((Cell("ibench/TrustGame-v1", {"matches": 1}, "tft"),), RECORDS)
    job = next(pool.jobs_of(config, set()))
    record = pool.play_job(job, pool.Tables(), episode.Spending(None)).to_json()

    def write() -> None:
        with RunStore.create(folder, config) as store:
            for number in range(RECORDS):
                store.append(record | {"case_index": number})

    return record, write


def ask(address: Any, what: str, waiting: Any, ready: Any, content: dict[str, Any]) -> None:
    """A worker that asks the desk, in a process of its own."""
    from interactive_envs.evaluation.run.desk import Asking

    asking = Asking(address)
    asking(what, **content)  # the connection is there
    ready.release()
    waiting.acquire()
    for number in range(REQUESTS):
        asking(what, **(content | ({"total": float(number)} if what == "pay" else {})))
    ready.release()


@contextlib.contextmanager
def desk(folder: Path) -> Iterator[Any]:
    """A desk with a cache of its own."""
    from interactive_envs.evaluation.run.desk import Desk
    from interactive_envs.evaluation.run.episode import Spending
    from interactive_envs.llm.cache import CallCache

    made = Desk("127.0.0.1", Spending(None), CallCache(folder / "calls.sqlite"))
    try:
        yield made
    finally:
        made.close()


def call() -> dict[str, Any]:
    """A model call as the cache keeps it: a dialogue of 2,000 characters."""
    from interactive_envs.llm import cache
    from interactive_envs.llm.calls import ModelCall, Usage

    messages = ({"role": "user", "content": 2_000 * "x"},)
    made = ModelCall("openai/fake", messages, "<ask>1</ask>", "stop", Usage(500, 10), 0.001, 1.0, "fake-1")
    return dict(cache.stored(made))


def asked(folder: Path, what: str, content: dict[str, Any]) -> float:
    """CPU milliseconds of the desk for a request."""
    context = multiprocessing.get_context("spawn")
    with desk(folder) as made:
        waiting, ready = context.Semaphore(0), context.Semaphore(0)
        worker = context.Process(target=ask, args=(made.address, what, waiting, ready, content))
        worker.start()
        ready.acquire()

        def work() -> None:
            waiting.release()
            ready.acquire()

        found = milliseconds(REQUESTS, work)
        worker.join()
    return found


def returned(record: dict[str, Any]) -> dict[str, Any]:
    """A task that returns its record."""
    return record


def on_ray(record: dict[str, Any]) -> float:
    """CPU milliseconds of the process that gives out a task and takes its record back, Ray's threads included."""
    from interactive_envs.system.ray_workers import Ray

    with Ray(2) as cluster:
        for future in [cluster.submit(json.loads, json.dumps(record)) for _ in range(20)]:
            future.result()
        text = json.dumps(record)

        def work() -> None:
            for future in [cluster.submit(json.loads, text) for _ in range(TASKS)]:
                future.result()

        return milliseconds(TASKS, work)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without-ray", action="store_true")
    options = parser.parse_args()
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.environ["IBENCH_CACHE"] = str(folder / "calls.sqlite")
        kept = {"key": "a", "call": call()}
        for number in range(options.rounds):
            record, write = writing(folder / f"run{number}")
            found.setdefault("a record written", []).append(milliseconds(RECORDS, write))
            found.setdefault("leave to pay", []).append(asked(folder, "pay", {"attempt": 0, "total": 0.0}))
            found.setdefault("a call kept", []).append(asked(folder, "put", kept))
            found.setdefault("a call read", []).append(asked(folder, "get", {"key": "a"}))
            if not options.without_ray:
                found.setdefault("a task on Ray", []).append(on_ray(record))
    rates = {
        "a record written": WORKERS / SECONDS / CALLS,
        "a task on Ray": WORKERS / SECONDS / CALLS,
        **dict.fromkeys(("leave to pay", "a call kept", "a call read"), WORKERS / SECONDS),
    }
    print(f"a record of {len(json.dumps(record)):,} bytes; {options.rounds} rounds; CPU ms of one process")
    print(f"{'':18} {'ms':>7} {'range':>16} {'a core does':>13} {'the plan asks':>14} {'cores':>6}")
    total = 0.0
    for name, values in found.items():
        one = statistics.median(values)
        cores = one * rates[name] / 1000
        total += cores
        spread = f"{min(values):.3f} to {max(values):.3f}"
        print(f"{name:18} {one:7.3f} {spread:>16} {1000 / one:11,.0f}/s {rates[name]:12,.0f}/s {cores:6.2f}")
    print(f"{WORKERS:,} workers, a reply in {SECONDS:g} s, {CALLS} calls an episode: {total:.2f} cores in all")


if __name__ == "__main__":
    main()
