"""What the sandbox costs: a call against a bare fork of an equal process, and a worker's request against a pipe.

Each contestant takes turns in short rounds; printed are medians a call of wall time, of CPU time of all processes
together, and of the ratio of both to the bare fork within a round, with its range: ratios hold on a busy machine where
seconds do not.

    python benchmarks/sandbox.py [--rounds 9] [--calls 40]

The bare fork has as many modules loaded, reads its request from a pipe, computes and writes its answer, and is not
locked; nor is it checked or limited.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from interactive_envs.sandbox import Limits, Sandbox, best_level, zygote

SOURCE = "def double(x): return 2 * x"
BARE = """
import gc, importlib, json, os, sys
for name in sys.argv[1].split():
    importlib.import_module(name)
gc.freeze()
while line := sys.stdin.buffer.readline():
    requests, request = os.pipe()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        message = json.loads(os.read(requests, 65536))
        module = {}
        exec(compile(message["source"], "<bare>", "exec"), module)
        os.write(answer, json.dumps(module[message["function"]](*message["arguments"])).encode())
        os._exit(0)
    os.write(request, line)
    said = os.read(answers, 65536)
    os.waitpid(pid, 0)
    for descriptor in (requests, request, answers, answer):
        os.close(descriptor)
    sys.stdout.buffer.write(said + b"\\n")
    sys.stdout.buffer.flush()
"""


class Bare:
    """A warm interpreter that forks for every line, without any care."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-P", "-c", BARE, " ".join(["ctypes", "socket", "tempfile", *zygote.MODULES])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.pid = self.process.pid

    def call(self, source: str, function: str, arguments: list[int]) -> int:
        """The value, through a line in and a line out."""
        message = {"source": source, "function": function, "arguments": arguments}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return int(json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        """End it."""
        self.process.communicate()


def cpu_of_all(pids: list[int]) -> float:
    """CPU seconds of this process, and of others with the children that they have waited for."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    total = own.ru_utime + own.ru_stime
    ticks = os.sysconf("SC_CLK_TCK")
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            total += sum(map(int, stat.read().rpartition(")")[2].split()[11:15])) / ticks
    return total


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--calls", type=int, default=40)
    options = parser.parse_args()
    bare = Bare()
    sandboxes = {level: Sandbox(level, Limits(cpu_s=5, wall_s=30)) for level in range(1, int(best_level()) + 1)}
    workers = {level: sandbox.worker(SOURCE) for level, sandbox in sandboxes.items()}
    contestants: dict[str, Callable[[int], object]] = {"bare fork": lambda x: bare.call(SOURCE, "double", [x])}
    pids = {"bare fork": [bare.pid]}
    for level, sandbox in sandboxes.items():
        contestants[f"call, level {level}"] = lambda x, sandbox=sandbox: sandbox.call(SOURCE, "double", [x])
        contestants[f"request, level {level}"] = lambda x, level=level: workers[level].request("double", [x])
        # The zygote reaps its children; a worker's own time is added. Level 3 hides both in a namespace.
        if level < 3:
            pids[f"call, level {level}"] = [sandbox.zygote.process.pid]
            pids[f"request, level {level}"] = [sandbox.zygote.process.pid, workers[level].child.pid]
    wall: dict[str, list[float]] = {name: [] for name in contestants}
    cpu: dict[str, list[float]] = {name: [] for name in contestants}
    for name, contestant in contestants.items():
        assert contestant(21) == 42, name
    for _ in range(options.rounds):
        for name, contestant in contestants.items():
            start, used = time.perf_counter(), cpu_of_all(pids.get(name, []))
            for number in range(options.calls):
                contestant(number)
            wall[name].append((time.perf_counter() - start) / options.calls)
            cpu[name].append((cpu_of_all(pids.get(name, [])) - used) / options.calls)
    print(f"{'':<20} {'wall ms':>8} {'CPU ms':>8} {'wall / bare fork':>22} {'CPU / bare fork':>22}")
    for name in contestants:
        ratios = [ratio(figures[name], figures["bare fork"]) for figures in (wall, cpu)]
        known = name in pids
        print(
            f"{name:<20} {1000 * statistics.median(wall[name]):8.2f} "
            f"{format(1000 * statistics.median(cpu[name]), '8.2f') if known else '       -'} "
            f"{ratios[0]:>22} {ratios[1] if known else '-':>22}"
        )
    for sandbox in sandboxes.values():
        sandbox.close()
    bare.close()


def ratio(ours: list[float], theirs: list[float]) -> str:
    """The median of the ratios within a round, and their range; CPU time comes in steps of 10 ms a round."""
    found = sorted(mine / other for mine, other in zip(ours, theirs, strict=True) if other)
    return f"{statistics.median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f})" if found else "-"


if __name__ == "__main__":
    main()
