"""``ibench new``: what it writes passes the checks at once, and a name that cannot work is one line."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs import catalog
from interactive_envs.cli.main import main
from interactive_envs.cli.new import KINDS, TEMPLATES
from interactive_envs.evaluation.validate import check
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import own_names

PUZZLE = "ibench/SituationPuzzle-v1"


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    units = catalog.load()["units"]
    known = {*units}
    yield
    for env_id in {*units} - known:  # environments of other packages stay in the catalog of a process
        del units[env_id]


def new(kind: str, name: str) -> str:
    result = ibench("new", kind, name)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_every_kind_has_templates_and_every_template_a_kind() -> None:
    assert {folder.name for folder in TEMPLATES.iterdir()} == set(KINDS)


@pytest.mark.parametrize(
    "known", [slice(0, 2), pytest.param(slice(None), marks=pytest.mark.long)], ids=["beside two games", "beside all"]
)
def test_a_new_game_is_admitted_and_played(known: slice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = own_names()[known]
    monkeypatch.setattr(admission, "own_names", lambda: names)
    told = new("game", "marble-race")
    assert "Try: ibench games check marble-race\n" in told
    checked = ibench("games", "check", "marble-race")
    assert (checked.exit_code, checked.stdout.split()[:2]) == (0, ["admit", "marble-race"])
    assert 'title = "Marble Race"' in (tmp_path / "marble-race" / "game.toml").read_text(encoding="utf-8")
    game = ["ibench/Game-v1", "-k", "path=marble-race", "-k", "opponents=random"]
    played = ibench("run", *game, "--agent", "random", "--episodes", "2", "--out", "run")
    assert played.exit_code == 0, played.stderr


ENVIRONMENTS = [
    ("task", "deep-well", "DeepWell"),
    ("box", "tin-box", "TinBox"),
    ("query-game", "six-pebbles", "SixPebbles"),
]


@pytest.mark.parametrize(
    ("kind", "name", "cls", "few"),
    [
        *(pytest.param(*env, True, marks=[pytest.mark.long] * (env[0] != "task")) for env in ENVIRONMENTS),
        *(
            pytest.param(kind, f"{name}-c", f"{cls}C", False, marks=pytest.mark.long, id=f"{kind}-all")
            for kind, name, cls in ENVIRONMENTS
        ),
    ],
)
def test_a_new_environment_keeps_its_promises(
    kind: str, name: str, cls: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if few:
        subject_of = check.subject_of
        monkeypatch.setattr(
            check, "subject_of", lambda *given, **how: replace(subject_of(*given, **how), seeds=1, cases=3)
        )
    told = new(kind, name)
    env = f"{name.replace('-', '_')}.env:{cls}Env"
    assert f"Try: ibench --path {name} validate {env}\n" in told
    result = ibench("--path", name, "validate", env)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "All properties hold."), result.stdout


@pytest.mark.parametrize(("kind", "name", "cls"), [(kind, f"{name}-b", f"{cls}B") for kind, name, cls in ENVIRONMENTS])
def test_a_new_environment_is_played_replayed_and_reported(kind: str, name: str, cls: str) -> None:
    new(kind, name)
    env = f"{name.replace('-', '_')}.env:{cls}Env"
    played = ibench(
        "--path", name, "run", env, "--agent", "random", "-k", "retries=1", "--episodes", "3", "--out", "run"
    )
    assert played.exit_code == 0, played.stderr
    assert ibench("--path", name, "replay", "run").stdout == "3 of 3 episodes replay exactly.\n"
    assert ibench("--path", name, "report", "run").stdout == played.stdout


def test_a_new_package_that_is_installed_is_known_by_name(tmp_path: Path) -> None:
    new("task", "salt-mine")
    new("agent", "quiet-guest")
    for name in ("salt-mine", "quiet-guest"):  # as if by pip, which needs the network
        project = tomllib.loads((tmp_path / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        installed = tmp_path / name / f"{name.replace('-', '_')}-{project['version']}.dist-info"
        installed.mkdir()
        (installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {project['version']}\n")
        (point, module), *_ = project["entry-points"]["interactive_envs"].items()
        (installed / "entry_points.txt").write_text(f"[interactive_envs]\n{point} = {module}\n")
    paths = os.pathsep.join(str(tmp_path / name) for name in ("salt-mine", "quiet-guest"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [paths, os.environ.get("PYTHONPATH")]))}

    def run(*arguments: str) -> str:
        command = [str(Path(sys.executable).with_name("ibench")), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    played = run("run", "salt-mine/SaltMine-v0", "--agent", "quiet-guest", "--episodes", "2", "--out", "run")
    assert "quiet-guest" in played
    assert "salt-mine/SaltMine-v0 " in run("list")
    assert "quiet-guest " in run("list", "--agents")


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
