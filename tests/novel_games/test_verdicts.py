"""Foreign games are checked before they are played, once for each content."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.making import make
from interactive_envs.novel_games import admission, verdicts
from tests.novel_games.test_admission import foreign

RACE = (Path(__file__).parent / "fixtures" / "counting-race" / "game.py").read_text()
GAME = "ibench/Game-v1"


@pytest.fixture(autouse=True)
def _small(monkeypatch, tmp_path):
    """A cache of this test's own, and a quick check."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(admission, "_QUICK", {"games": 60, "states": 1000, "seconds": 0.1})
    verdicts._refused.cache_clear()  # noqa: SLF001


def run(*arguments: str):
    return CliRunner().invoke(main, ["run", GAME, *arguments, "--agent", "random", "--episodes", "1"])


def test_a_run_refuses_a_refused_folder_unless_unchecked_which_the_record_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    foreign(tmp_path / "race", RACE)
    told = run("-k", "path=race", "-k", "opponents=random", "--out", "run")
    assert told.exit_code == 2
    assert "the check refuses the game race: formula: count modulo 5 tells who wins" in told.stderr
    assert "unchecked=true" in told.stderr
    assert not (tmp_path / "run" / "episodes.jsonl").exists()
    done = run("-k", "path=race", "-k", "opponents=random", "-k", "unchecked=true", "--out", "run")
    assert done.exit_code == 0, done.stderr
    (line,) = (tmp_path / "run" / "episodes.jsonl").read_text().splitlines()
    assert json.loads(line)["env"]["arguments"]["unchecked"] is True


def test_a_verdict_is_kept_by_the_content(tmp_path, monkeypatch):
    asked = []
    check = admission.check
    monkeypatch.setattr(admission, "check", lambda path: asked.append(path) or check(path))
    path = foreign(tmp_path / "race", RACE)
    for _ in range(2):
        with pytest.raises(ConfigError, match="formula"):
            make(GAME, path=str(path))
        verdicts._refused.cache_clear()  # noqa: SLF001 - as another process finds it
    assert len(asked) == 1
    (path / "game.py").write_text(RACE + "\n# another day\n")
    with pytest.raises(ConfigError, match="formula"):
        make(GAME, path=str(path))
    assert len(asked) == 2


def test_what_a_busy_machine_may_say_is_not_kept(tmp_path, monkeypatch):
    found = admission.Admission(tmp_path, (admission.Finding("hangs", "refuse", "too slow"),), {})
    monkeypatch.setattr(admission, "check", lambda path: found)
    path = foreign(tmp_path / "race", RACE)
    with pytest.raises(ConfigError, match="hangs: too slow"):
        make(GAME, path=str(path))
    assert not list((tmp_path / "cache").rglob("*.json"))


def test_a_cache_that_cannot_be_written_or_read_costs_time_alone(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file")
    path = foreign(tmp_path / "race", RACE)
    with pytest.raises(ConfigError, match="formula"):
        make(GAME, path=str(path))


def test_games_of_the_package_are_not_checked_again(monkeypatch):
    monkeypatch.setattr(admission, "check", None)
    make(GAME, path="sum-shy").close()
    with pytest.raises(ConfigError, match="unchecked must be true or false, got 'yes'"):
        make(GAME, path="sum-shy", unchecked="yes")
