"""``ibench report`` on the folders that are no run, tournament or comparison: training, games, and folders of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs.cli.main import main
from interactive_envs.novel_games.folder import own


def report(folder: Path) -> Result:
    return CliRunner().invoke(main, ["report", str(folder)], catch_exceptions=False)


def trained(folder: Path) -> Path:
    folder.mkdir(parents=True)
    content = {"schema": 1, "game": {"name": "sum-shy", "sha256": "0"}, "config": {"steps": 4096}}
    (folder / "run.json").write_text(json.dumps(content))
    for steps in (20000, 3000):
        (folder / f"checkpoint-{steps}.npz").touch()
    return folder


def test_a_training_run_is_told_with_its_checkpoints(tmp_path: Path) -> None:
    told = report(trained(tmp_path / "train" / "sum-shy"))
    assert (told.exit_code, told.stdout.splitlines()) == (
        0,
        [
            "sum-shy: trained for 4,096 steps, 2 checkpoints",
            "  checkpoint-3000.npz",
            "  checkpoint-20000.npz",
            f"Rate them: ibench games ladder sum-shy --runs {tmp_path / 'train'}",
        ],
    )


def test_a_game_is_told_by_its_ladder() -> None:
    told = report(own("sum-shy").path)
    assert told.exit_code == 0
    first, _, *rungs = told.stdout.splitlines()
    assert first == "Sum Shy: 8 rungs, the weakest first"
    assert rungs[0].split() == ["1", "random", "-2.45", "-2.67", "to", "-2.28"]
    assert [line.split()[0] for line in rungs if line.endswith("models meet this one")] == ["5"]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("around", "holds training runs: name one of sum-shy"),
        ("damaged", "is not what ibench train writes"),
        ("no json", "run.json"),
        ("game", "holds the game Plank Feud and no results: ibench games check"),
        ("ladder", "ladder.json"),
        ("empty", "holds no run"),
    ],
)
def test_what_cannot_be_reported_is_one_line(made: str, words: str, tmp_path: Path) -> None:
    folder = tmp_path / "train"
    run = trained(folder / "sum-shy")
    if made in ("damaged", "no json"):
        folder, text = run, "{}" if made == "damaged" else "{"
        (run / "run.json").write_text(text)
    if made in ("game", "ladder"):
        folder = tmp_path / "some-game"
        folder.mkdir()
        for file in (Path(__file__).parent / "novel_games" / "fixtures" / "good-own").iterdir():
            (folder / file.name).write_text(file.read_text())
        if made == "ladder":
            (folder / "ladder.json").write_text('{"rungs": [{"agent": 3}], "opponent": {"level": 1}}')
    if made == "empty":
        folder = tmp_path / "empty"
        folder.mkdir()
    told = report(folder)
    assert told.exit_code == 2
    assert told.stderr.startswith("ibench: ")
    assert told.stderr.count("\n") == 1
    assert words in told.stderr


def test_a_report_needs_no_pytorch(tmp_path: Path) -> None:
    code = "import sys; sys.modules['torch'] = None; from interactive_envs.cli.main import main; main(sys.argv[1:])"
    folder = trained(tmp_path / "sum-shy")
    done = subprocess.run([sys.executable, "-c", code, "report", folder], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "sum-shy: trained for 4,096 steps, 2 checkpoints")
