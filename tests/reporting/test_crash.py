"""kill -9 at any moment, then --resume: the summary is byte for byte that of a run nobody disturbed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.agent import resolve_agent
from interactive_envs.cli.main import main
from interactive_envs.evaluation.run import episode, pool, report
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system import parts

ENV = "ibench/SituationPuzzle-v1"
CONFIG = ["sweep", ENV, "-x", "budget=[8,20]", "--agent", "random", "--agent", "rule", "--agent", "reference"]
EPISODES = 240


def arguments(out: Path, episodes: int) -> list[str]:
    return [*CONFIG, "--episodes", str(episodes), "--out", str(out), "--resume"]


def killed_and_resumed(out: Path, episodes: int, kills: int, seed: int) -> int:
    """Start the run, kill it at a random moment, again and again, then let it end; how often it was killed at work."""
    draw, killed = random.Random(seed), 0
    command = [sys.executable, "-m", "interactive_envs.cli.main", *arguments(out, episodes)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            before = size(out)
            deadline = time.monotonic() + 60
            # The moment is drawn in bytes written, not in seconds: machines differ, and starting up is no crash test.
            while process.poll() is None and size(out) < before + draw.randrange(1, 2_500 * episodes):
                if time.monotonic() > deadline:
                    break
                time.sleep(0.001)
            killed += process.poll() is None
            process.send_signal(signal.SIGKILL)
    assert CliRunner().invoke(main, arguments(out, episodes), catch_exceptions=False).exit_code == 0
    return killed


def size(out: Path) -> int:
    path = out / "episodes.jsonl"
    return path.stat().st_size if path.exists() else 0


def undisturbed(out: Path, episodes: int) -> bytes:
    cells = [
        Cell(ENV, {"budget": b}, agent, "offline", {"budget": b})
        for b in (8, 20)
        for agent in ("random", "rule", "reference")
    ]
    pool.run(RunConfig(tuple(cells), episodes), out)
    return (out / "summary.json").read_bytes()


@pytest.mark.parametrize(("kills", "episodes"), [(1, 12), pytest.param(20, EPISODES, marks=pytest.mark.long)])
def test_a_killed_run_resumes_to_the_same_summary(
    tmp_path: Path, kills: int, episodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # charts and transcripts take longer than the episodes
    monkeypatch.setattr(report, "FILES", 2)
    killed = killed_and_resumed(tmp_path / "killed", episodes, kills, seed=kills)
    assert killed >= max(1, kills // 2), "the run ended before it could be killed: raise the episodes"
    assert (tmp_path / "killed" / "summary.json").read_bytes() == undisturbed(tmp_path / "whole", episodes)


@pytest.mark.long
def test_resuming_many_episodes_costs_the_same_however_long_their_transcripts_are(tmp_path: Path) -> None:
    seconds, kilobytes = zip(
        *(_resumed(tmp_path / str(padding), 100_000, padding) for padding in (0, 3_600)), strict=True
    )
    assert seconds[1] < 2 * seconds[0], seconds
    assert max(kilobytes) < 400_000, "memory grows with the transcripts"


def _resumed(folder: Path, count: int, padding: int) -> tuple[float, int]:
    """CPU seconds and kilobytes that it takes to see what is done of so many episodes with so long a text each."""
    config = RunConfig((Cell(ENV, {}, "random"),), count)
    with RunStore.create(folder, config) as store:
        job = episode.Job(0, config.cells[0], None, 0, 0, 0)
        record = episode.play_episode(make(ENV), resolve_agent("random")(), job).to_json()
        record["final_observation"] = padding * "x"
        for number in range(count - 1):
            record["epoch"], record["case_index"] = divmod(number, 12)
            store.append(record)
    with parts.Lines(folder / "episodes.jsonl").open() as lines:  # what is closed is compressed
        assert lines.seek(0, os.SEEK_END) > count * padding
    script = (
        "import time\n"
        "from pathlib import Path\n"
        "from interactive_envs.reporting.store import RunStore\n"
        "begun = time.process_time()\n"
        f"store = RunStore.open(Path({str(folder)!r}))\n"
        "keys = {row.key for row in store.iterate()}\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"  # getrusage counts the parent, too
        "print(len(keys), time.process_time() - begun, status['VmHWM'].split()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    keys, seconds, kilobytes = done.stdout.split()
    assert int(keys) == count - 1
    return float(seconds), int(kilobytes)
