"""A run of the pipeline that is killed again and again, in the middle of whatever it does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interactive_envs import generate
from interactive_envs.game_generation.making import look
from tests.game_generation.test_making import broken, copied, own, read, replies

KILLS = 10


def start(pool: Path, answers: list[Path], steps: int) -> subprocess.Popen[bytes]:
    """`ibench generate games` as a user starts it, a session of its own, so that it can be killed with its children."""
    told = [word for path in answers for word in ("--replies", str(path))]
    words = [
        "generate",
        "games",
        "--out",
        str(pool),
        "--count",
        "3",
        "--opponents",
        str(steps),
        "--workers",
        "2",
        *told,
    ]
    command = [sys.executable, "-m", "interactive_envs.cli.main", *words]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


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
    answers = [written, read(tmp_path / "read")]

    began = time.monotonic()
    whole = start(tmp_path / "whole", answers, 6_000)
    _, errors = whole.communicate()
    assert whole.returncode == 0, errors.decode()
    needed = time.monotonic() - began
    assert [end is not None and end.admitted for _, end in look(tmp_path / "whole").ends()] == [True, False, False]

    rng = random.Random(0)
    for _ in range(KILLS):
        run = start(tmp_path / "killed", answers, 6_000)
        time.sleep(rng.uniform(0.1, 0.5) * needed)
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
    last = start(tmp_path / "killed", answers, 6_000)
    _, errors = last.communicate()
    assert last.returncode == 0, errors.decode()
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
