"""Loggers with the services' own packages, which no lock file has: pip install "interactive-envs[mlflow,wandb]"."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("default")]  # of what these packages import

PUZZLE = "ibench/SituationPuzzle-v1"
KEY = "sk-not-to-be-seen-123456"


def ibench(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interactive_envs.cli.main", *arguments],
        cwd=folder,
        env=os.environ | {"SOME_API_KEY": KEY, "PYTHONPATH": str(Path(__file__).parents[2])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


RUN = ("run", PUZZLE, "--agent", "random", "--agent", "rule", "--episodes", "3", "--out", "runs/mine")


def test_mlflow_holds_a_run_and_a_resumed_run_goes_on_in_it(tmp_path: Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    uri = f"sqlite:///{tmp_path}/mlflow.db"
    done = ibench(tmp_path, *RUN, "--log", f"mlflow:{uri}")
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    again = ibench(tmp_path, "run", "--out", "runs/mine", "--resume", "--log", f"mlflow:{uri}")
    assert again.returncode == 0, again.stderr
    client = mlflow.MlflowClient(tracking_uri=uri)
    (run,) = client.search_runs([client.get_experiment_by_name("ibench").experiment_id])
    assert (run.info.run_name, run.info.status) == ("mine", "FINISHED")
    assert json.loads(run.data.params["environments"]) == [PUZZLE]
    summary = json.loads((tmp_path / "runs" / "mine" / "summary.json").read_text())
    assert run.data.metrics["reward/rule/situation-puzzle"] == pytest.approx(summary["cells"][1]["reward"]["value"])
    steps = {one.step for one in client.get_metric_history(run.info.run_id, "run/done")}
    assert steps == {1, 2, 3, 4, 5, 6}


def test_wandb_keeps_a_run_offline_and_nothing_of_this_machine(tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    done = ibench(tmp_path, *RUN, "--log", "wandb:team/proj", WANDB_MODE="offline")
    assert done.returncode == 0, done.stderr
    assert "wandb" not in done.stderr
    (path,) = (tmp_path / "runs" / "mine" / "wandb").glob("offline-run-*/run-*.wandb")
    content = path.read_bytes()
    for private in (KEY, "--episodes", str(tmp_path)):
        assert private.encode() not in content
    for logged in ("team", "proj", "mine", "run/done", "reward/rule/situation-puzzle"):
        assert logged.encode() in content
    turns = json.loads((tmp_path / "runs" / "mine" / "index.jsonl").read_text().splitlines()[0])[6]
    assert re.search(rb"turns/random/situation-puzzle\W{1,4}%d" % turns, content), "the first episode's turns"


def test_wandb_without_a_key_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    environment = {"WANDB_MODE": "online", "HOME": str(tmp_path), "WANDB_API_KEY": ""}
    done = ibench(tmp_path, *RUN, "--log", "wandb", **environment)
    assert done.returncode == 2
    assert "has no API key here: run wandb login, or set WANDB_MODE=offline" in done.stderr
    assert not (tmp_path / "runs").exists()
