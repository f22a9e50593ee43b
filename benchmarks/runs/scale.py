"""What runs of a thousand to a million episodes cost: an episode, to resume, memory, the report, and bytes.

Each size is a run of its own in --out, played, resumed and reported by processes of their own, whose CPU time and
memory are measured. Ctrl-C is no loss: the same command goes on, and what was measured stands in measured.json. Prints
a line a size as soon as it is there; --again measures all but the play once more.

The player is a rule (tit-for-tat in one match of the trust game, about 1 ms an episode) or, with --model, a language
model on a loopback server, which asks one question and answers. With --copies, what is missing is not played: records
that are there are written again as the episodes that are missing, which costs a fifth; all else is as it was.

    python benchmarks/runs/scale.py --out /tmp/scale [--upto 100000] [--model] [--copies] [--again]
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1_000, 10_000, 100_000, 1_000_000)
SERVER = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.loopback import Loopback

def reply(messages):
    asked = any(message["role"] == "assistant" for message in messages)
    return "<answer>A</answer>" if asked else "<ask>1</ask>"

with Loopback(reply) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--upto", type=int, default=10_000)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--copies", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--size", type=int)
    parser.add_argument("--url", default="")
    options = parser.parse_args()
    if options.step:
        STEPS[options.step](options)
        return
    options.out.mkdir(parents=True, exist_ok=True)
    print(
        f"{'episodes':>9} {'play':>9} {'bare':>7} {'RSS at 1/10, 9/10':>18} {'resume':>8} {'summary':>8} {'peak':>7} "
        f"{'report':>8} {'peak':>7} {'page':>7} {'beside':>8} {'record':>7} {'kept':>6} {'index':>6} {'read':>6}\n"
        f"{'':>9} {'ms/ep':>9} {'ms/ep':>7} {'MB':>18} {'us/ep':>8} {'us/ep':>8} {'MB':>7} {'s':>8} {'MB':>7} "
        f"{'MB':>7} {'MB':>8} {'B/ep':>7} {'B/ep':>6} {'B/ep':>6} {'ms':>6}",
        flush=True,
    )
    for size in SIZES:
        if size <= options.upto:
            print(line(size, dict(measured(options, size))), flush=True)


def line(size: int, found: dict[str, Any]) -> str:
    """A size's line of the table."""
    played, resumed, reported, kept = (found[step] for step in ("play", "resume", "report", "bytes"))
    early, late = played["rss"]
    copied = played.get("copied", 0)
    mark = f"  {copied:,} of the episodes are copies, {1e3 * played['copying'] / copied:.2f} ms each" if copied else ""
    return (
        f"{size:>9,} {1e3 * played['cpu'] / (size - copied):>9.2f} {1e3 * found['bare']['cpu'] / 500:>7.2f} "
        f"{early:>9.0f}, {late:>7.0f} {1e6 * resumed['open'] / size:>8.1f} {1e6 * resumed['finish'] / size:>8.1f} "
        f"{resumed['peak']:>7.0f} {reported['cpu']:>8.1f} {reported['peak']:>7.0f} {reported['page'] / 1e6:>7.2f} "
        f"{reported['beside'] / 1e6:>8.1f} {kept['raw'] / size:>7.0f} {kept['kept'] / size:>6.0f} "
        f"{kept['index'] / size:>6.0f} {1e3 * kept['read']:>6.2f}{mark}"
    )


def measured(options: argparse.Namespace, size: int) -> Iterator[tuple[str, Any]]:
    """What each step took; what was measured before is read."""
    folder = options.out / f"{'model' if options.model else 'rule'}-{size}"
    folder.mkdir(exist_ok=True)
    notes = folder / "measured.json"
    known = json.loads(notes.read_text()) if notes.exists() else {}
    if options.again:
        known = {name: value for name, value in known.items() if name == "play"}
    for step in STEPS:
        if step not in known or step == "play":
            known[step] = apart(options, step, size, folder, known.get(step, {}))
            notes.write_text(json.dumps(known, indent=1))
        yield step, known[step]


def apart(options: argparse.Namespace, step: str, size: int, folder: Path, before: dict[str, Any]) -> dict[str, Any]:
    """Take a step in a process of its own."""
    if step == "play" and before.get("done"):
        return before
    command = [sys.executable, __file__, "--step", step, "--size", str(size), "--out", str(folder)]
    command += ["--copies"] if options.copies else []
    environment = os.environ | {"IBENCH_CACHE": str(folder / "calls.sqlite"), "OMP_NUM_THREADS": "1"}
    if not options.model:
        return dict(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout))
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        url = str(server.stdout.readline()).strip() if server.stdout else ""
        # One address in every process: it is part of the configuration.
        command += ["--model", "--url", url]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
        server.communicate()
    return dict(json.loads(done.stdout))


def config(options: argparse.Namespace) -> Any:
    """What is played."""
    from interactive_envs.reporting.records import Cell, RunConfig

    if options.model:
        agent = f"llm:openai/fake?base_url={options.url}"
        return RunConfig((Cell("ibench/SituationPuzzle-v1", {}, agent),), options.size)
    return RunConfig((Cell("ibench/TrustGame-v1", {"matches": 1}, "tft"),), options.size)


def cpu() -> float:
    """Seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def memory(name: str) -> float:
    """Megabytes: ``VmRSS`` now, ``VmHWM`` at most."""
    with open("/proc/self/status") as file:
        status = dict(one.split(":", 1) for one in file)
    return int(status[name].split()[0]) / 1024


def play(options: argparse.Namespace) -> None:
    """Play what is missing; what an interrupted process took is kept, too."""
    from interactive_envs.evaluation.run import pool

    notes, ended, rss = options.out / "played.json", 0, [0.0, 0.0]
    before = json.loads(notes.read_text()) if notes.exists() else {"cpu": 0.0, "rss": rss, "episodes": 0}
    marks = {options.size // 10: 0, options.size * 9 // 10: 1}
    begun = 0.0

    def keep() -> None:
        spent = {"cpu": before["cpu"] + cpu() - begun, "rss": rss, "episodes": before["episodes"] + ended}
        notes.write_text(json.dumps(spent))

    def progress(*_: object) -> None:
        nonlocal ended
        ended += 1
        done = before["episodes"] + ended
        if done in marks:
            rss[marks[done]] = memory("VmRSS")
        if done % 1_000 == 0:
            keep()

    def begin(_: object) -> None:
        nonlocal begun
        begun = cpu()

    rss[:] = before["rss"]
    run = options.out / "run"
    if options.copies and (run / "config.json").exists():
        print(json.dumps(before | copy(run, marks, rss) | {"rss": rss, "done": True}))
        return
    workers = 16 if options.model else 1
    # The summary is measured by itself.
    finish, pool.finish = pool.finish, lambda store: {}
    store = pool.run(config(options), run, resume=True, workers=workers, progress=progress, begin=begin)
    pool.finish = finish
    keep()
    spent = json.loads(notes.read_text())
    print(json.dumps(spent | {"done": len(store.rows()) == options.size}))


def copy(run: Path, marks: dict[int, int], rss: list[float]) -> dict[str, Any]:
    """Write records of the run again as the episodes that it lacks."""
    from interactive_envs.reporting.compact.keys import Keys
    from interactive_envs.reporting.store import RunStore
    from interactive_envs.seeds import episode_seed

    begun, copied = cpu(), 0
    with RunStore.open(run) as store:
        done = Keys(row.key for row in store.iterate())
        records = [record for _, (*_, record) in zip(range(500), store.records(), strict=False)]
        for number in range(store.config.total):
            if (0, number, 0) not in done:
                record = records[number % len(records)] | {"case_index": number, "case": f"deal {number}"}
                record["seed"] = episode_seed(store.config.seed, record["env"]["key"], number, 0)
                store.append(record)
                copied += 1
            if number + 1 in marks:
                rss[marks[number + 1]] = memory("VmRSS")
    return {"copied": copied, "copying": cpu() - begun}


def bare(options: argparse.Namespace) -> None:
    """Play 500 of the episodes, and write nothing."""
    from interactive_envs.evaluation.run import episode, pool

    tables, jobs = pool.Tables(), pool.jobs_of(config(options), set())
    pool.play_job(next(jobs), tables, episode.Spending(None))
    begun = cpu()
    for _, job in zip(range(500), jobs, strict=False):
        pool.play_job(job, tables, episode.Spending(None))
    print(json.dumps({"cpu": cpu() - begun}))


def resume(options: argparse.Namespace) -> None:
    """See what there is, as a resumed run does; then write the summary."""
    from interactive_envs.evaluation.run import pool
    from interactive_envs.reporting.compact.keys import Keys
    from interactive_envs.reporting.store import RunStore

    begun = cpu()
    with RunStore.open(options.out / "run") as store:
        left = sum(1 for _ in pool.jobs_of(store.config, Keys(row.key for row in store.iterate())))
        opened, at_open = cpu() - begun, memory("VmHWM")
        store.end_writing()
        pool.finish(store)
    found = {"open": opened, "finish": cpu() - begun - opened, "left": left}
    print(json.dumps(found | {"opened_at": at_open, "peak": memory("VmHWM")}))


def report(options: argparse.Namespace) -> None:
    """Write the report."""
    from interactive_envs.evaluation.run import report as run_report
    from interactive_envs.reporting.store import RunStore

    begun, clock = cpu(), time.monotonic()
    page = run_report.write_with_pages(RunStore.read_only(options.out / "run"))
    found = {"cpu": cpu() - begun, "seconds": time.monotonic() - clock, "peak": memory("VmHWM")}
    beside = sum(path.stat().st_size for path in (page.parent / "transcripts").iterdir())
    print(json.dumps(found | {"page": page.stat().st_size, "beside": beside}))


def sizes(options: argparse.Namespace) -> None:
    """The bytes of the records, as they were written and as they are kept; and what it takes to read any of them."""
    from interactive_envs.reporting.store import RunStore

    store = RunStore.read_only(options.out / "run")
    with store.lines.open() as file:
        raw = file.seek(0, os.SEEK_END)
    kept = sum(path.stat().st_size for path in store.lines.files())
    rows = list(itertools.islice(store.iterate(), 20_000))
    rows = random.Random(1).sample(rows, 300)
    begun = cpu()
    for row in rows:
        store.record(row)
    found = {"raw": raw, "kept": kept, "read": (cpu() - begun) / len(rows)}
    print(json.dumps(found | {"index": (options.out / "run" / "index.jsonl").stat().st_size}))


STEPS = {"play": play, "bare": bare, "resume": resume, "report": report, "bytes": sizes}


if __name__ == "__main__":
    main()
