"""``ibench train`` and ``ibench games`` as they are typed."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs.agent import resolve_agent
from interactive_envs.agents.rung import rung_spec
from interactive_envs.cli.games import SETTINGS
from interactive_envs.cli.main import main
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import own, own_names
from interactive_envs.training.trainer import TrainConfig
from tests.novel_games import small_games
from tests.novel_games.test_env import folder


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_game_folder_gets_opponents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.training.ladders.STRONG", 20)
    strange = tmp_path / "what? a=b&c%20"  # marks that mean something in a player's spec
    strange.mkdir()
    game, runs = folder(strange, small_games.TAKE), str(strange / "runs")
    small = ["--steps", "512", "--set", "every=256", "--set", "rollout=256", "--set", "games=4", "--set", "trunk=[8]"]
    done = ibench("train", game, "--out", runs, *small)
    assert done.exit_code == 0, done.output
    assert re.search(r"2 checkpoints in \d+ s, the last scores [01]\.\d\d against random moves", done.output)
    again = ibench("train", game, "--out", runs, *small)
    assert "2 checkpoints in 0 s" in again.output
    other = ibench("train", game, "--out", runs, *small, "--seed", "1")
    assert other.exit_code == 1
    assert "holds a run with seed=0" in other.output
    wrong = ibench("train", game, "--out", runs, "--set", "prioritised=no")
    assert (wrong.exit_code, wrong.output) == (2, "ibench: prioritised must be true or false, got 'no'\n")
    made = ibench("games", "ladder", game, "--runs", runs, "--games", "2")
    assert made.exit_code == 0, made.output
    assert "some-game: 4 rungs, " in made.output
    assert (Path(game) / "ladder.json").exists()
    for level in range(1, 5):
        resolve_agent(rung_spec(game, level))()
    for path in Path(runs).rglob("*"):  # but for what TensorBoard writes, in a folder that nobody else enters
        assert "tensorboard" in path.parts or stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_bad_words_are_one_line_with_a_remedy(tmp_path: Path) -> None:
    for arguments, reason in (
        (["train", "sum-shi"], "did you mean 'sum-shy'"),
        (["train", "sum-shy", "--preset", "papre"], "did you mean 'paper'"),
        (["train", "sum-shy", "--set", "step=3"], "did you mean 'steps'"),
        (["train", "sum-shy", "--set", "rate"], "--set needs NAME=VALUE, got 'rate'"),
        (["train", "sum-shy", "--backend", "rey"], "did you mean 'ray'"),
        (["games", "ladder", "sum-shy", "--runs", str(tmp_path)], "first: ibench train sum-shy"),
        (["games", "check", str(tmp_path)], f"no game can be read at {tmp_path}: the folder has no game.py"),
        (["games", "check", str(tmp_path / "none")], "there is no such file or folder"),
        (["games", "import", str(tmp_path / "none"), "--out", str(tmp_path)], "there is no release"),
    ):
        result = ibench(*arguments)
        assert result.exit_code, arguments
        assert reason in result.output, arguments


def test_a_run_has_the_name_of_its_game_however_that_is_given(tmp_path: Path) -> None:
    small = ["--steps", "256", "--set", "every=128", "--set", "rollout=128", "--set", "games=4", "--set", "trunk=[8]"]
    for name in ("sum-shy", "ibench/Game-sum-shy-v1", str(own("sum-shy").path) + "/"):
        assert ibench("train", name, "--out", str(tmp_path), *small).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["sum-shy"]


def test_an_interrupted_training_tells_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interactive_envs.training.jobs.train", stopped)
    result = ibench("train", "sum-shy", "--out", str(tmp_path))
    assert result.exit_code == 130
    assert result.stderr == f"ibench: interrupted; what is done lies in {tmp_path}, the same command goes on\n"


def test_games_are_listed() -> None:
    for arguments in (["games"], ["games", "list"]):
        header, *lines = ibench(*arguments).stdout.splitlines()
        assert header.split() == ["NAME", "CATEGORY", "INFORMATION", "STATES", "RUNGS", "TITLE"]
        assert [line.split()[0] for line in lines] == list(own_names())
        assert "sum-shy              number   open              714,069      8  Sum Shy" in lines


@pytest.mark.parametrize(
    ("game", "verdict"),
    [("extra-turns", "admit"), ("good-own", "flag"), ("does-not-build", "refuse"), ("a copy of sum-shy", "refuse")],
)
def test_a_check_ends_with_its_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, verdict: str
) -> None:
    monkeypatch.setattr(admission, "_QUICK", {"games": 200, "states": 1000, "seconds": 0.1})
    monkeypatch.setattr(admission, "own_names", lambda: ("sum-shy",))  # the others take seconds, too
    path = Path(__file__).parents[1] / "novel_games" / "fixtures" / game
    if game == "a copy of sum-shy":
        path = tmp_path / "copy.py"
        path.write_text(own("sum-shy").source)
    result = ibench("games", "check", str(path))
    assert result.exit_code == (verdict == "refuse")
    assert result.output.startswith(verdict)
    assert ("near-duplicate: " in result.output) == path.is_file()
    if game == "does-not-build":
        assert '"verdict"' in ibench("games", "check", str(path), "--json").stdout


def test_help_lists_every_setting() -> None:
    assert tuple(TrainConfig.__dataclass_fields__) == SETTINGS
