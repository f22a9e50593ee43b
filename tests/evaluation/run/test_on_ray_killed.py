"""Runs and tournaments on a Ray cluster that is killed at five random moments, under faults and a cost limit.

After --resume the summary is byte for byte that of one process, every record is there once, and no call is paid twice.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.reporting.records import Cell, RunConfig
from tests.loopback import Loopback
from tests.processes import PATIENCE, descendants
from tests.ray_cluster import NODE, cluster

__all__ = ["cluster"]

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

ROOT = Path(__file__).parents[3]
PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
EPISODES, REPEATS, KILLS = 40, 20, 5


def reply(messages: Sequence[Any]) -> str:
    """A function of the dialogue alone: three questions and an answer, or a move."""
    asked = sum(str(message["role"]) == "assistant" for message in messages)
    if "COOPERATE" in str(messages[0]) + str(messages[1]):
        return f"<move>{('COOPERATE', 'DEFECT', 'COOPERATE')[asked % 3]}</move>"
    return ["<ask>1</ask>", "Q: 2", "Hm, let me think.", "<answer>B</answer>"][min(asked, 3)]


class RunOf:
    """A run of one player."""

    lines = "episodes.jsonl"
    total = EPISODES
    limit = 0.45
    """Of what all of it costs."""

    def __init__(self, url: str, folder: Path) -> None:
        self.agent = f"llm:openai/fake?base_url={url}&timeout=2&backoff=0.005"
        self.command = ["run", PUZZLE, "--agent", self.agent, "--episodes", str(EPISODES)]

    def whole(self, out: Path) -> None:
        """Play it in this process."""
        pool.run(RunConfig((Cell(PUZZLE, {}, self.agent),), EPISODES), out, workers=4)


class TournamentOf:
    """A round robin of a model, twice, and a rule."""

    lines = "matches.jsonl"
    total = 3 * 2 * REPEATS
    limit = 0.45

    def __init__(self, url: str, folder: Path) -> None:
        spec = f"llm:openai/fake?base_url={url}&timeout=2&backoff=0.005"
        players = f'[{{name = "a", spec = "{spec}&user=a"}}, {{name = "b", spec = "{spec}&user=b"}}, "tft"]'
        self.file = folder / "league.toml"
        self.file.write_text(
            f'id = "{TRUST}"\nformat = "round-robin"\nplayers = {players}\nrepeats = {REPEATS}\n'
            "[arguments]\nmatches = 1\ndelta = 0.5\n"
        )
        self.command = ["tournament", str(self.file)]

    def whole(self, out: Path) -> None:
        """Play it in this process."""
        tournaments.run(tournaments.load(self.file), out, workers=4)


def kill_worker(cluster: Any, driver: subprocess.Popen[bytes], draw: random.Random) -> bool:
    """kill -9 a process that plays."""
    playing = []
    for pid in descendants(os.getpid()):
        try:
            if re.match(rb"ray::_work", Path(f"/proc/{pid}/cmdline").read_bytes()):
                playing.append(pid)
        except OSError:
            continue
    if playing:
        os.kill(draw.choice(sorted(playing)), signal.SIGKILL)
    return bool(playing)


def kill_node(cluster: Any, driver: subprocess.Popen[bytes], draw: random.Random) -> bool:
    """A machine goes at once, and another one comes."""
    cluster.remove_node(draw.choice(sorted(cluster.worker_nodes, key=lambda node: node.node_id)), allow_graceful=False)
    cluster.add_node(**NODE)
    return True


def kill_driver(cluster: Any, driver: subprocess.Popen[bytes], draw: random.Random) -> bool:
    """kill -9 the process that gives out the work."""
    driver.kill()
    return True


def started(what: RunOf | TournamentOf, cluster: Any, out: Path, limit: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from interactive_envs.cli.main import main; main()", *what.command]
    command += ["--workers", "2", "--backend", "ray", "--address", cluster.address, "--out", str(out), "--resume"]
    with (out.parent / "said").open("ab") as said:
        return subprocess.Popen(
            [*command, "--limit-cost", f"{limit:.6f}"], stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=ROOT
        )


def count(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def prices(path: Path) -> list[float]:
    """The price of every call that was completed; each is there once."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT value FROM calls").fetchall()
    connection.close()
    return [json.loads(value)["cost"] for (value,) in rows]


@pytest.mark.parametrize("kill", [kill_worker, kill_node, kill_driver])
@pytest.mark.parametrize("kind", [RunOf, TournamentOf])
def test_whatever_is_killed_it_is_as_in_one_process(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, kill: Callable[..., bool]
) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    (tmp_path / "prices.json").write_text(
        '{"openai/fake": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}}'
    )
    monkeypatch.setenv("IBENCH_PRICES", str(tmp_path / "prices.json"))
    draw, out, killed, capped, starts = random.Random(f"{kind.__name__} {kill.__name__}"), tmp_path / "run", 0, 0, 0
    with Loopback(reply, fault_rate=0.3, seed=3, hang=4.0, latency=0.05) as server:
        what = kind(server.url, tmp_path)
        with monkeypatch.context() as patch:
            patch.setenv("IBENCH_CACHE", str(tmp_path / "other.sqlite"))
            server.fault_rate = 0.0
            what.whole(tmp_path / "whole")
            server.fault_rate = 0.3
        paid = sum(prices(tmp_path / "other.sqlite"))
        lines = out / what.lines
        while count(lines) < what.total:
            starts += 1
            assert starts < 25, (tmp_path / "said").read_text()[-3000:]
            limit = what.limit * paid if not capped else 100 * paid
            with started(what, cluster, out, limit) as driver:
                wanted, end = count(lines) + draw.randrange(1, 5), time.monotonic() + 2 * PATIENCE
                while driver.poll() is None:
                    assert time.monotonic() < end, (tmp_path / "said").read_text()[-3000:]
                    if killed < KILLS and count(lines) >= wanted and kill(cluster, driver, draw):
                        killed += 1
                        wanted = count(lines) + draw.randrange(1, 5)
                    time.sleep(0.01)
            capped += b"cost limit" in (tmp_path / "said").read_bytes().lower() and not capped
        assert killed == KILLS
        assert capped, "the limit was never met"
    assert (out / "summary.json").read_bytes() == (tmp_path / "whole" / "summary.json").read_bytes()
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    keys = [record.get("match") or (record["cell"], record["case_index"], record["epoch"]) for record in records]
    assert len(keys) == len(set(keys)) == what.total
    costs = prices(tmp_path / "calls.sqlite")
    spent = json.loads((out / "spent.json").read_text())
    assert sum(costs) == pytest.approx(paid), "the same calls, each once"
    assert spent <= sum(costs) + 1e-9 + 2 * killed * max(costs), "nothing is counted twice"
    assert spent >= sum(costs) - 2 * (killed + 1) * max(costs), "of what was paid only the last calls are untold"
