"""A run against an endpoint that breaks three times in ten: nothing is lost, and nothing is scored wrongly."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.run import pool
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from tests.loopback import FAULTS, Loopback

ENV = "ibench/SituationPuzzle-v1"


def reply(messages: Sequence[Any]) -> str:
    """Ask three questions, say something unreadable, then answer: a function of the dialogue alone."""
    asked = sum(str(message["role"]) == "assistant" for message in messages)
    return ["<ask>1</ask>", "Q: 2", "7", "Hm, let me think.", "<answer>B</answer>"][min(asked, 4)]


def both_roles(messages: Sequence[Any]) -> str:
    """A player of free text, or the judge of one: the system message tells which."""
    if messages[0]["content"].startswith("You are the judge"):
        request = str(messages[1]["content"])
        labels = ("correct", "incorrect") if "player's answer" in request else ("yes", "no", "both", "irrelevant")
        return json.dumps({"verdict": labels[zlib.crc32(request.encode()) % len(labels)]})
    asked = sum(str(message["role"]) == "assistant" for message in messages)
    return ["Q: Was it dark?", "Hm, let me think.", f"FINAL: it was number {asked}"][min(asked, 2)]


def free_text(server: Loopback, options: str, episodes: int) -> RunConfig:
    """Player and judge at one endpoint."""
    player, judge = (f"llm:openai/{name}?base_url={server.url}&cache=false&{options}" for name in ("player", "judge"))
    return RunConfig((Cell(ENV, {"mode": "free", "budget": 4}, player, judge),), episodes)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))


def test_thirty_percent_faults_change_nothing_but_the_time(tmp_path: Path) -> None:
    with Loopback(reply, fault_rate=0.3, seed=1, hang=3.0) as server:
        agent = f"llm:openai/fake?base_url={server.url}&timeout=1&backoff=0.005&cache=false"
        cells = (Cell(ENV, {}, agent), Cell(ENV, {"mode": "menu", "retries": 1}, agent))
        broken = pool.run(RunConfig(cells, 12), tmp_path / "broken", workers=8)
        served = dict(server.served)
        server.fault_rate = 0.0
        clean = pool.run(RunConfig(cells, 12), tmp_path / "clean", workers=8)
    assert set(FAULTS) <= set(served), f"not every fault was met: {served}"
    assert len(broken.rows()) == len(clean.rows()) == 24
    summaries = [(store.folder / "summary.json").read_bytes() for store in (broken, clean)]
    assert summaries[0] == summaries[1]
    assert json.loads(summaries[0])["n_missing"] == 0
    tries = [
        call["attempts"] for row in broken.rows() for step in broken.record(row)["steps"] for call in step["calls"]
    ]
    assert max(tries) > 1


def test_faults_of_player_and_judge_change_nothing_but_the_time(tmp_path: Path) -> None:
    with Loopback(both_roles, fault_rate=0.3, seed=1, hang=3.0) as server:
        config = free_text(server, "timeout=1&backoff=0.005", 20)
        broken = pool.run(config, tmp_path / "broken", workers=8)
        served = dict(server.served)
        server.fault_rate = 0.0
        clean = pool.run(config, tmp_path / "clean", workers=8)
    assert set(FAULTS) <= set(served), f"not every fault was met: {served}"
    summaries = [(store.folder / "summary.json").read_bytes() for store in (broken, clean)]
    assert summaries[0] == summaries[1]
    assert json.loads(summaries[0])["n_missing"] == 0
    assert len({row.outcome for row in broken.rows()}) > 1, "the judge takes everything, or nothing"
    steps = [step for row in broken.rows() for step in broken.record(row)["steps"]]
    for calls in ("calls", "judge_calls"):
        assert max(call["attempts"] for step in steps for call in step[calls]) > 1, calls


def test_episodes_that_faults_end_are_all_played_after_resuming(tmp_path: Path) -> None:
    with Loopback(both_roles, fault_rate=0.3, seed=2, hang=3.0) as server:
        config = free_text(server, "timeout=0.6&max_wait=0.6&backoff=0.4", 12)
        store = pool.run(config, tmp_path / "broken", workers=6)
        left = [12 - len(store.rows())]
        while left[-1] and len(left) < 40:
            store = pool.run(config, tmp_path / "broken", workers=6, resume=True)
            left.append(12 - len(store.rows()))
        server.fault_rate = 0.0
        clean = pool.run(config, tmp_path / "clean", workers=6)
        while len(clean.rows()) < 12:  # a busy machine may be late, too
            clean = pool.run(config, tmp_path / "clean", workers=6, resume=True)
    assert left[0] > 0, "no episode needed a resume"
    assert left[-1] == 0
    lines = (store.folder / "faults.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = Counter(json.loads(line)["fault"] for line in lines)
    assert set(kinds) == {"provider_error", "judge_error"}, kinds
    summaries = [(one.folder / "summary.json").read_bytes() for one in (store, clean)]
    assert summaries[0] == summaries[1]


def test_an_endpoint_that_only_breaks_leaves_everything_for_resume(tmp_path: Path) -> None:
    with Loopback(reply, fault_rate=1.0, faults=("500",)) as server:
        agent = f"llm:openai/fake?base_url={server.url}&max_wait=20&backoff=60"
        config = RunConfig((Cell(ENV, {}, agent),), 3)
        store = pool.run(config, tmp_path / "run", workers=3)
        assert (len(store.rows()), store.faults()) == (0, 9)
        server.fault_rate = 0.0
        assert len(pool.run(config, tmp_path / "run", workers=3, resume=True).rows()) == 3


def test_a_resumed_run_reads_what_was_paid_for_from_the_cache(tmp_path: Path) -> None:
    with Loopback(reply) as server:
        agent = f"llm:openai/fake?base_url={server.url}"
        config = RunConfig((Cell(ENV, {}, agent),), 2)
        pool.run(config, tmp_path / "one")
        asked = sum(server.served.values())
        pool.run(config, tmp_path / "two")
        assert sum(server.served.values()) == asked
    summaries = [(tmp_path / name / "summary.json").read_bytes() for name in ("one", "two")]
    assert summaries[0] == summaries[1]
    store = RunStore.read_only(tmp_path / "two")
    assert all(call["from_cache"] for step in store.record(store.rows()[0])["steps"] for call in step["calls"])
