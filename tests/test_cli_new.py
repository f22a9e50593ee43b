"""``ibench new``: what it writes passes the checks at once, and a name that cannot work is one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs.cli.main import main
from interactive_envs.cli.new import KINDS, TEMPLATES

PUZZLE = "ibench/SituationPuzzle-v0"


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new(kind: str, name: str) -> str:
    result = ibench("new", kind, name)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_every_kind_has_templates_and_every_template_a_kind() -> None:
    assert {folder.name for folder in TEMPLATES.iterdir()} == set(KINDS)


def test_a_new_game_is_admitted_and_played(tmp_path: Path) -> None:
    told = new("game", "marble-race")
    assert "Try: ibench games check marble-race\n" in told
    checked = ibench("games", "check", "marble-race")
    assert (checked.exit_code, checked.stdout.split()[:2]) == (0, ["admit", "marble-race"])
    assert 'title = "Marble Race"' in (tmp_path / "marble-race" / "game.toml").read_text(encoding="utf-8")
    game = ["ibench/Game-v0", "-k", "path=marble-race", "-k", "opponents=random"]
    played = ibench("run", *game, "--agent", "random", "--episodes", "2", "--out", "run")
    assert played.exit_code == 0, played.stderr


def test_a_new_agent_plays() -> None:
    told = new("agent", "careful-reader")
    assert "--agent careful_reader:CarefulReader\n" in told
    spec = "careful_reader:CarefulReader?first=<ask>1</ask>"
    run = ["run", PUZZLE, "--agent", spec, "--episodes", "2", "--out", "run"]
    played = ibench("--path", "careful-reader", *run)
    assert (played.exit_code, ibench("replay", "run").stdout) == (0, "2 of 2 episodes replay exactly.\n")


@pytest.mark.parametrize(
    ("kind", "name", "line"),
    [
        ("agent", "Reader", "'Reader' is no name: use lower-case words joined by '-', such as marble-race"),
        ("agent", "../reader", "'../reader' is no name: "),
        ("agent", "a" * 41, f"'{'a' * 41}' is no name: "),
        ("agent", "json", "the name 'json' is taken: Python has a 'json' already; choose another"),
        ("agent", "class", "the name 'class' is taken: Python has a 'class' already"),
        ("game", "sum-shy", "the name 'sum-shy' is taken by a game of the package; choose another"),
        ("game", "there", "there exists already; choose another NAME, or another folder with --out"),
        ("wrapper", "there", "Invalid value for "),
    ],
)
def test_a_name_that_cannot_work_is_one_line(kind: str, name: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    result = ibench("new", kind, name)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith(f"ibench: {line}")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert not list((tmp_path / "there").iterdir())
