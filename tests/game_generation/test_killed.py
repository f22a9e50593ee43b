"""A run of the pipeline that is killed again and again, in the middle of whatever it does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import generate
from interactive_envs.game_generation.making import look
from tests.game_generation.test_making import broken, copied, own, read, replies
from tests.game_generation.test_three_pipelines import box, query_game
from tests.loopback import Loopback
from tests.processes import until

KILLS = 10


def start(kind: str, pool: Path, *options: str) -> subprocess.Popen[bytes]:
    """`ibench generate` as a user starts it, a session of its own, so that it can be killed with its children."""
    words = ["generate", kind, "--out", str(pool), "--workers", "2", *options]
    command = [sys.executable, "-m", "interactive_envs.cli.main", *words]
    own_cache = {**os.environ, "IBENCH_CACHE": f"{pool}.sqlite"}
    return subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=own_cache
    )


def ended(run: subprocess.Popen[bytes]) -> None:
    """Wait for a run that nobody kills."""
    _, errors = run.communicate()
    assert run.returncode == 0, errors.decode()


def content(pool: Path) -> dict[str, bytes]:
    """All that the pool keeps for good: its settings, its logs, and the games with their opponents."""
    kept = [pool / "pool.json", *(pool / "candidates").iterdir(), *(pool / "games").rglob("*")]
    return {str(path.relative_to(pool)): path.read_bytes() for path in kept if path.is_file()}


@pytest.mark.long
def test_a_run_that_is_killed_ten_times_ends_in_the_same_bytes(tmp_path: Path) -> None:
    written = replies(
        tmp_path / "written.jsonl",
        game_0001_write_0=own(broken),
        game_0001_repair_1=own(),
        game_0002_write_0=copied(),
        game_0003_write_0="I had rather not.",
        game_0003_repair_1=own(),
    )
    generate("games", tmp_path / "read", count=3, opponents=6_000, replies=[written])
    options = ["--count", "3", "--opponents", "6000", "--replies", str(written)]
    options += ["--replies", str(read(tmp_path / "read"))]

    began = time.monotonic()
    ended(start("games", tmp_path / "whole", *options))
    needed = time.monotonic() - began
    assert [end is not None and end.admitted for _, end in look(tmp_path / "whole").ends()] == [True, False, False]

    rng = random.Random(0)
    for _ in range(KILLS):
        run = start("games", tmp_path / "killed", *options)
        time.sleep(rng.uniform(0.1, 0.5) * needed)
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
    ended(start("games", tmp_path / "killed", *options))
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def lines(pool: Path) -> int:
    """What the logs of a pool have so far."""
    return sum(log.read_bytes().count(b"\n") for log in (pool / "candidates").glob("*.jsonl"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "said", "category"), [("boxes", box, "cipher"), ("query-games", query_game, "set")], ids=["box", "query"]
)
def test_a_run_with_a_model_that_is_killed_at_ten_entries_ends_in_the_same_bytes(
    tmp_path: Path, kind: str, said: Any, category: str
) -> None:
    """Such a run is short: it is killed a moment after each of ten of its entries, drawn at random."""

    def options(server: Loopback) -> Sequence[str]:
        ideas = [word for idea in ("good", "wrong code", "no code") for word in ("--idea", idea)]
        return [*ideas, "--category", category, "--model", f"llm:openai/fake?base_url={server.url}"]

    with Loopback(said, latency=0.1) as server:
        ended(start(kind, tmp_path / "whole", *options(server)))
        assert all(end is not None and end.admitted for _, end in look(tmp_path / "whole").ends())
        rng = random.Random(0)
        points = sorted(rng.sample(range(lines(tmp_path / "whole") - 4), KILLS))
        for point in points:
            run = start(kind, tmp_path / "killed", *options(server))
            until(lambda: lines(tmp_path / "killed") >= point or run.poll() is not None, f"entry {point}")  # noqa: B023
            time.sleep(rng.uniform(0.0, 0.1))
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
            assert run.returncode == -signal.SIGKILL, point
        ended(start(kind, tmp_path / "killed", *options(server)))
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
