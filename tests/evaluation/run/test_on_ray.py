"""Runs on a Ray cluster whose workers, machines and driver die: everything is there, once, as in one process.

One cluster serves all tests: it takes half a minute to start on a busy machine.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.errors import CostLimitError
from interactive_envs.evaluation.run import on_ray, pool
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from tests.loopback import Loopback
from tests.processes import PATIENCE, until
from tests.ray_cluster import NODE, cluster

__all__ = ["cluster"]

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

ENV = "ibench/SituationPuzzle-v1"
ROOT = Path(__file__).parents[3]


class Fragile(Agent):
    """Kills the process that plays it, the first time that it plays one of three seeds.

    Args:
        folder: where it notes whom it has killed.
    """

    name = "fragile"

    def __init__(self, folder: str) -> None:
        self._folder, self._seed = Path(folder), 0

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._seed = seed or 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        killed = self._folder / str(self._seed)
        if self._seed % 3 == 0 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "<answer>A</answer>"


def reply(messages: Sequence[Any]) -> str:
    """Ask three questions, say something unreadable, then answer: a function of the dialogue alone."""
    asked = sum(str(message["role"]) == "assistant" for message in messages)
    return ["<ask>1</ask>", "Q: 2", "7", "Hm, let me think.", "<answer>B</answer>"][min(asked, 4)]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    prices = tmp_path / "prices.json"
    prices.write_text('{"openai/fake": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}}')
    monkeypatch.setenv("IBENCH_PRICES", str(prices))


def summary(store: RunStore) -> bytes:
    return (store.folder / "summary.json").read_bytes()


def paid_calls(path: Path) -> list[float]:
    """The price of every call that was completed, each of which was paid for once."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT value FROM calls").fetchall()
    connection.close()
    return [json.loads(value)["cost"] for (value,) in rows]


def model(server: Loopback, episodes: int) -> RunConfig:
    agent = f"llm:openai/fake?base_url={server.url}&timeout=2&backoff=0.005"
    return RunConfig((Cell(ENV, {}, agent), Cell(ENV, {"mode": "menu", "retries": 1}, agent)), episodes)


def in_one_process(config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "other.sqlite"))
    return summary(pool.run(config, tmp_path / "whole", workers=4))


def test_workers_that_are_killed_change_nothing(cluster: Any, tmp_path: Path) -> None:
    agent = f"tests.evaluation.run.test_on_ray:Fragile?folder={tmp_path / 'killed'}"
    (tmp_path / "killed").mkdir()
    config = RunConfig((Cell(ENV, {}, agent), Cell(ENV, {}, "random")), 10)
    store = pool.run(config, tmp_path / "run", workers=2, backend="ray", address=cluster.address)
    killed = len(list((tmp_path / "killed").iterdir()))
    assert 0 < killed == store.faults()
    faults = (store.folder / "faults.jsonl").read_text()
    assert "the worker or its machine was lost (WorkerCrashedError" in faults
    assert len((store.folder / "episodes.jsonl").read_text().splitlines()) == 20
    assert summary(store) == summary(pool.run(config, tmp_path / "whole"))


def test_a_machine_that_is_lost_and_an_endpoint_that_breaks_change_nothing(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = itertools.count(1)

    def progress(*_: object) -> None:
        if next(ended) == 5:
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
            cluster.add_node(**NODE)

    with Loopback(reply, fault_rate=0.3, seed=1, hang=4.0, latency=0.1) as server:
        config = model(server, 12)
        store = pool.run(config, tmp_path / "run", workers=2, backend="ray", address=cluster.address, progress=progress)
        tries = 0
        while len(store.rows()) < 24 and (tries := tries + 1) < 5:
            store = pool.run(config, tmp_path / "run", workers=2, resume=True, backend="ray", address=cluster.address)
        server.fault_rate = 0.0
        whole = in_one_process(config, tmp_path, monkeypatch)
    assert summary(store) == whole
    assert len((store.folder / "episodes.jsonl").read_text().splitlines()) == 24
    costs = paid_calls(tmp_path / "calls.sqlite")
    assert store.spent() == pytest.approx(sum(costs), abs=2 * max(costs)), "a call at most of each worker is not told"


def run_apart(cluster: Any, config: RunConfig, out: Path) -> subprocess.Popen[bytes]:
    """The command line in a process of its own."""
    (agent,) = {cell.agent for cell in config.cells}
    command = [sys.executable, "-c", "from interactive_envs.cli.main import main; main()", "run", ENV, "--agent", agent]
    command += ["--episodes", str(config.episodes), "--workers", "2", "--backend", "ray"]
    command += ["--address", cluster.address, "--out", str(out), "--limit-cost", "1000"]
    with (out.parent / "said").open("wb") as said:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=ROOT)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_driver_that_ends_leaves_the_rest_to_be_resumed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    out = tmp_path / "run"
    with Loopback(reply, fault_rate=0.3, seed=2, hang=4.0, latency=0.1) as server:
        config = RunConfig((model(server, 14).cells[0],), 14)
        with run_apart(cluster, config, out) as process:
            lines: Callable[[], int] = lambda: (out / "episodes.jsonl").read_bytes().count(b"\n")  # noqa: E731
            until(lambda: (out / "episodes.jsonl").exists() and lines() >= 4, "four episodes")
            process.send_signal(how)
            code = process.wait(PATIENCE)
        said = (tmp_path / "said").read_text()
        assert code == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[how], said
        assert "Traceback" not in said
        before = lines()
        assert 4 <= before < 14
        store = pool.run(config, out, workers=2, resume=True, backend="ray", address=cluster.address)
        tries = 0
        while len(store.rows()) < 14 and (tries := tries + 1) < 5:
            store = pool.run(config, out, workers=2, resume=True, backend="ray", address=cluster.address)
        server.fault_rate = 0.0
        whole = in_one_process(config, tmp_path, monkeypatch)
    assert summary(store) == whole
    assert len((out / "episodes.jsonl").read_text().splitlines()) == 14
    costs = paid_calls(tmp_path / "calls.sqlite")
    assert store.spent() == pytest.approx(sum(costs), abs=4 * max(costs)), "of what was paid only the last is untold"


def test_the_cost_limit_holds_over_workers(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(reply, latency=0.05) as server:
        config = model(server, 6)
        how: dict[str, Any] = {"workers": 2, "backend": "ray", "address": cluster.address}
        with pytest.raises(CostLimitError, match="limit of 3 USD is reached"):
            pool.run(config, tmp_path / "run", limit_cost=3.0, **how)
        costs = paid_calls(tmp_path / "calls.sqlite")
        spent = RunStore.read_only(tmp_path / "run").spent()
        assert 3.0 <= spent == pytest.approx(sum(costs))
        assert spent <= 3.0 + 2 * max(costs)
        store = pool.run(config, tmp_path / "run", limit_cost=1000.0, resume=True, **how)
        assert store.spent() == pytest.approx(sum(paid_calls(tmp_path / "calls.sqlite")))
        assert summary(store) == in_one_process(config, tmp_path, monkeypatch)


def test_pages_are_played_where_there_is_a_chromium(cluster: Any, tmp_path: Path) -> None:
    bare = cluster.add_node(**NODE, env_vars={"IBENCH_CHROMIUM": "/nowhere/chromium"})
    try:
        config = RunConfig((Cell("ibench/UI2Html-v1", {}, "template"), Cell(ENV, {}, "random")), 6)
        places: list[tuple[str, ...]] = []
        asked = on_ray.Places.of

        def of(self: on_ray.Places, env_id: str) -> tuple[str, ...]:
            places.append(asked(self, env_id))
            return places[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(on_ray.Places, "of", of)
            how: dict[str, Any] = {"workers": 3, "backend": "ray", "address": cluster.address}
            store = pool.run(config, tmp_path / "run", **how)
    finally:
        cluster.remove_node(bare, allow_graceful=False)
    assert store.faults() == 0, (store.folder / "faults.jsonl").read_text()
    assert [bare.node_id in nodes for nodes in places] == [False] * 12
    assert [len(nodes) for nodes in places] == [2] * 6 + [0] * 6
    assert summary(store) == summary(pool.run(config, tmp_path / "whole"))
