"""Training for many games: what fails is reported and stops nothing else."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.training import jobs
from interactive_envs.training.arena import Arena
from interactive_envs.training.jobs import Job, Trained, line, train_many
from interactive_envs.training.trainer import Progress, TrainConfig
from tests.processes import PATIENCE, descendants, lives, until
from tests.training.tiny_games import broken, dice, take

ROOT = Path(__file__).parents[2]

SMALL = TrainConfig(steps=256, every=100, games=16, rollout=128, batch=64, epochs=1, trunk=(8,))


def dies(games: int) -> Arena:
    os._exit(7)


def listed(folder: Path) -> list[Job]:
    return [
        Job(make, folder / name, SMALL, log=()) for name, make in (("dice", dice), ("broken", broken), ("take", take))
    ]


def test_one_failed_game_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0.0)
    said: list[str] = []
    results = train_many(listed(tmp_path), report=lambda job, told: said.append(line(job, told)))
    assert [len(result.checkpoints) for result in results] == [2, 0, 2]
    assert results[1].error == "GameError: no legal move before the end of the game"
    assert "broken: failed: GameError: no legal move before the end of the game" in said
    assert any(text.startswith("dice: 128 of 256 steps, ") for text in said)
    assert any(text.startswith("take: 2 checkpoints in ") for text in said)


COPIES = (
    "import multiprocessing; copying = multiprocessing.get_context('fork'); "
    "multiprocessing.get_context = lambda how: copying; "
)
"""Children that are copies of their parent: in new ones, importing torch takes longer than all the rest."""
OURS = "from tests.training.test_jobs import *; "


@pytest.mark.parametrize(
    "children", [pytest.param("", marks=pytest.mark.long, id="new"), pytest.param(COPIES, id="copies")]
)
def test_a_process_that_dies_stops_no_other(tmp_path: Path, children: str) -> None:
    jobs = "Job(dies, Path('dies'), SMALL), listed(Path())[-1]"
    code = f"told = train_many([{jobs}], workers=2); print(told[0].error, [len(one.checkpoints) for one in told])"
    command, variables = [sys.executable, "-c", children + OURS + code], os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "its process died with exit code 7 [0, 2]\n", done.stderr


def test_a_job_can_be_sent_to_a_process(tmp_path: Path) -> None:
    for told in (listed(tmp_path)[-1], Trained(listed(tmp_path)[-1], (tmp_path / "checkpoint-9.npz",), 0.5)):
        assert pickle.loads(pickle.dumps(told)) == told


def test_interrupting_leaves_every_game_to_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0.0)

    def stop(job: Job, told: Progress | Trained) -> None:
        if job.name == "take" and isinstance(told, Progress) and told.steps:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_many(listed(tmp_path), report=stop)
    assert [result.error is None for result in train_many(listed(tmp_path))] == [True, False, True]


def sleeps(games: int) -> Arena:
    (Path(os.environ["SLEEPY"]) / str(os.getpid())).touch()
    time.sleep(1000)
    return dice(games)


@pytest.mark.parametrize(
    ("how", "children"),
    [
        (signal.SIGTERM, COPIES),
        pytest.param(signal.SIGKILL, COPIES, marks=pytest.mark.long),
        *(pytest.param(how, "", marks=pytest.mark.long) for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)),
    ],
)
def test_training_that_is_ended_leaves_no_process(tmp_path: Path, how: int, children: str) -> None:
    code = children + OURS + "train_many([Job(sleeps, name, SMALL) for name in 'ab'], workers=2)"
    asleep = tmp_path / "asleep"
    asleep.mkdir()
    variables = os.environ | {"PYTHONPATH": str(ROOT), "SLEEPY": str(asleep)}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, env=variables, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        until(lambda: len(list(asleep.iterdir())) == 2, "two games in training")
        below = descendants(process.pid)
        process.send_signal(how)
        process.wait(PATIENCE)
    until(lambda: not any(map(lives, below)), "the end of all processes")
    assert len(below) >= 2


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_ray_trains_what_can_be_trained(tmp_path: Path) -> None:
    told = train_many([Job(dies, tmp_path / "dies", SMALL), *listed(tmp_path)], backend="ray", workers=2)
    assert [len(result.checkpoints) for result in told] == [0, 2, 0, 2]
    assert told[0].error is not None
    assert told[0].error.startswith("WorkerCrashedError")


def test_what_cannot_work_is_refused(tmp_path: Path) -> None:
    job = Job(dice, tmp_path, SMALL)
    with pytest.raises(UnknownNameError):
        train_many([job], backend="rya")
    with pytest.raises(ConfigError, match="workers"):
        train_many([job], workers=0)
    with pytest.raises(ConfigError, match="same folder"):
        train_many([job, job])
    with pytest.raises(ConfigError, match="address"):
        train_many([job], address="auto")
