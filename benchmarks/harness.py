"""What the harness costs: the runner against a bare loop on the same client, and a litellm loop beside.

64 episodes at once against a loopback model that takes 200 ms. Prints CPU milliseconds a call and calls a second,
median of several alternating rounds, as ratios that hold on a noisy machine.

    python benchmarks/harness.py [--episodes 192] [--rounds 3] [--latency 0.2] [--workers 64]
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = 7
"""Questions an episode; an answer follows, so an episode is eight calls."""

SERVER = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
from tests.loopback import Loopback

def reply(messages):
    asked = sum(message["role"] == "assistant" for message in messages)
    return f"<ask>{{asked + 1}}</ask>" if asked < {QUESTIONS} else "<answer>A</answer>"

with Loopback(reply, latency=float(sys.argv[1])) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", SERVER, str(options.latency)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as server,
    ):
        os.environ["IBENCH_CACHE"] = str(Path(folder) / "calls.sqlite")
        url = str(server.stdout.readline()).strip() if server.stdout else ""
        loops: dict[str, Callable[[str], int]] = {
            "bare loop": lambda name: bare_loop(url, options.episodes, options.workers, name),
            "harness": lambda name: harness(url, options.episodes, options.workers, Path(folder) / name),
            "litellm loop": lambda name: litellm_loop(url, options.episodes // 4, options.workers),
        }
        for warm_up in loops.values():
            warm_up("warm-up")
        measured: dict[str, list[tuple[float, float]]] = {name: [] for name in loops}
        for number in range(options.rounds):
            for name, loop in loops.items():
                measured[name].append(timed(loop, f"{name}-{number}"))
        server.communicate()
    report(measured, options)


def timed(loop: Callable[[str], int], name: str) -> tuple[float, float]:
    """CPU milliseconds a call, and calls a second."""
    before, begun = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    calls = loop(name)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * cpu / calls, calls / seconds


def harness(url: str, episodes: int, workers: int, folder: Path) -> int:
    """The runner: environment, agent, records, index, summary; everything but the report page."""
    from interactive_envs.evaluation.run import pool
    from interactive_envs.reporting.records import Cell, RunConfig

    # The name makes the cache key fresh, and changes nothing else.
    agent = f"llm:openai/fake?base_url={url}&user={folder.name}"
    config = RunConfig((Cell("ibench/SituationPuzzle-v1", {}, agent),), episodes)
    store = pool.run(config, folder, workers=workers)
    rows = store.rows()
    calls = sum(row.queries + row.finals for row in rows)
    if len(rows) != episodes or calls != episodes * (QUESTIONS + 1):
        raise SystemExit(f"the harness lost play: {len(rows)} episodes, {calls} calls")
    return calls


def dialogue() -> tuple[list[dict[str, Any]], str]:
    """The messages an episode begins with, and what follows each reply: the same text as the harness sends."""
    from interactive_envs.agents.llm import LLMAgent
    from interactive_envs.making import make

    env = make("ibench/SituationPuzzle-v1")
    rules, _ = env.reset(seed=0)
    reply, *_ = env.step("<ask>1</ask>")
    agent = LLMAgent("openai/fake", base_url="http://127.0.0.1:1/v1")
    return [{"role": "system", "content": agent.system_prompt}, {"role": "user", "content": str(rules)}], str(reply)


def bare_loop(url: str, episodes: int, workers: int, name: str) -> int:
    """The same dialogues on the same client, and nothing else."""
    from interactive_envs.llm.base import CompletionRequest
    from interactive_envs.llm.clients import client

    model = client("openai/fake", base_url=url)
    begin, heard = dialogue()

    def episode(number: int) -> None:
        messages = list(begin)
        for _ in range(QUESTIONS + 1):
            request = CompletionRequest(messages, {"temperature": 0, "user": name}, None, (number,))
            call = model.complete(request)
            messages = [*messages, {"role": "assistant", "content": call.text}, {"role": "user", "content": heard}]

    in_threads(episode, episodes, workers)
    return episodes * (QUESTIONS + 1)


def litellm_loop(url: str, episodes: int, workers: int) -> int:
    """The same dialogues through litellm."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    begin, heard = dialogue()

    def episode(_: int) -> None:
        messages = list(begin)
        for _ in range(QUESTIONS + 1):
            answer = litellm.completion("openai/fake", messages=messages, api_base=url, api_key="none", temperature=0)
            text = answer.choices[0].message.content
            messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": heard}]

    in_threads(episode, episodes, workers)
    return episodes * (QUESTIONS + 1)


def in_threads(episode: Callable[[int], None], episodes: int, workers: int) -> None:
    """Run the episodes, ``workers`` at once."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(episode, range(episodes)):
            pass


def report(measured: dict[str, list[tuple[float, float]]], options: argparse.Namespace) -> None:
    """Print the medians, and the two figures that matter: CPU added a call, and throughput kept."""
    cpu = {name: statistics.median(ms for ms, _ in rounds) for name, rounds in measured.items()}
    rate = {name: statistics.median(per_s for _, per_s in rounds) for name, rounds in measured.items()}
    added = statistics.median(h[0] - b[0] for h, b in zip(measured["harness"], measured["bare loop"], strict=True))
    kept = statistics.median(h[1] / b[1] for h, b in zip(measured["harness"], measured["bare loop"], strict=True))
    if options.json:
        print(json.dumps({"cpu_ms": cpu, "calls_per_s": rate, "added_cpu_ms": added, "throughput_kept": kept}))
        return
    print(f"{options.workers} episodes at once, model of {options.latency * 1000:.0f} ms, {options.rounds} rounds")
    for name in measured:
        share = rate[name] * options.latency / options.workers
        print(f"{name:<14} {cpu[name]:6.2f} CPU ms a call   {rate[name]:7.1f} calls/s   {share:5.0%} of the ideal")
    print(f"the harness adds {added:.2f} CPU ms a call and keeps {kept:.0%} of the bare loop's throughput")


if __name__ == "__main__":
    main()
