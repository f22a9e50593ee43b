"""Loggers of runs: what they get is what the records and the summary say, and none of them can disturb a run."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.errors import MissingExtraError, ProviderError, UnknownNameError
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.reporting.loggers import adapters, base
from interactive_envs.reporting.loggers.base import Loggers, slug
from interactive_envs.reporting.loggers.tallies import PlayLog
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.system import workers

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
CONFIG = RunConfig((Cell(PUZZLE, {}, "random"), Cell(TRUST, {}, "random"), Cell(PUZZLE, {}, "rule", name="=é/ü")), 4)
KEY = "sk-not-to-be-seen-123456"


class Notes:
    """Keeps what it is told; with another target than "" it breaks, or waits, at what that names."""

    all: list[Notes] = []  # noqa: RUF012
    wait = threading.Event()

    def __init__(self, target: str, folder: Path) -> None:
        self.target, self.folder, self.finished, self.abandoned = target, folder, False, threading.Event()
        self.points: list[tuple[int, Mapping[str, float]]] = []
        self.all.append(self)

    def start(self, name: str, config: Mapping[str, Any]) -> None:
        self._perhaps("start")
        self.name, self.config = name, config

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        self._perhaps("scalars")
        self.points.append((step, values))

    def finish(self) -> None:
        self._perhaps("finish")
        self.finished = True

    def abandon(self) -> None:
        self.abandoned.set()

    def last(self) -> dict[str, float]:
        return {name: value for _, values in self.points for name, value in values.items()}

    def _perhaps(self, place: str) -> None:
        if self.target == place:
            raise OSError(f"no way to https://me:{KEY}@somewhere/ at {place}")
        if self.target == f"hang-{place}":
            self.wait.wait()


@pytest.fixture(autouse=True)
def _notes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Notes, "all", [])
    monkeypatch.setitem(base.ADAPTERS, "notes", Notes)
    yield
    Notes.wait.set()
    Notes.wait.clear()


def tensorboard(folder: Path) -> Any:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    read = EventAccumulator(str(folder))
    read.Reload()
    return read


def test_tensorboard_reads_what_the_summary_says(tmp_path: Path) -> None:
    pool.run(CONFIG, tmp_path / "run", log=["tensorboard", f"tensorboard:{tmp_path}/all"])
    read = tensorboard(tmp_path / "run" / "tensorboard")
    assert [event.step for event in read.Scalars("run/done")] == list(range(1, 13))
    cells = json.loads((tmp_path / "run" / "summary.json").read_text())["cells"]
    last = {tag: read.Scalars(tag)[-1].value for tag in read.Tags()["scalars"]}
    assert last["reward/random/trust"] == pytest.approx(cells[1]["reward"]["value"])
    assert last["tokens_in/random/situation-puzzle"] == cells[0]["tokens"]["prompt"]["value"]
    for outcome, count in cells[2]["outcomes"].items():
        assert last[f"outcome_{outcome}/_é_ü/situation-puzzle"] == count / 4
    assert last["summary_accuracy/_é_ü/SituationPuzzle-v1"] == pytest.approx(cells[2]["accuracy"]["value"])
    assert "summary_accuracy/random/TrustGame-v1" not in last, "a game that is paid is not solved"
    (text,) = read.Tensors("config")[0].tensor_proto.string_val
    config = json.loads(text.decode().replace("\n\t", "\n"))
    assert config["players"]["=é/ü"]["name"] == "rule"
    assert tensorboard(tmp_path / "all" / "run").Tags()["scalars"] == read.Tags()["scalars"]


def test_a_resumed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run(CONFIG, tmp_path / "run", log=["notes"], progress=stop)
    begun = len((tmp_path / "run" / "episodes.jsonl").read_bytes().splitlines())
    pool.run(CONFIG, tmp_path / "run", log=["notes"], resume=True)
    pool.run(CONFIG, tmp_path / "whole", log=["notes"])
    first, second, whole = Notes.all
    assert first.finished
    assert second.points[0][0] == begun + 1
    untimed = [{n: v for n, v in notes.last().items() if "seconds" not in n} for notes in (second, whole)]
    assert {**first.last(), **untimed[0]}.keys() >= untimed[1].keys()
    assert {name: untimed[1][name] for name in untimed[0]} == pytest.approx(untimed[0])


@pytest.mark.parametrize("place", ["start", "scalars", "finish", "hang-start", "hang-finish"])
def test_a_logger_that_fails_changes_nothing_and_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(base, "PATIENCE", 0.2 if "hang" in place else 60.0)
    said: list[str] = []
    pool.run(CONFIG, tmp_path / "run", log=[f"notes:{place}", "tensorboard"], on_note=said.append)
    pool.run(CONFIG, tmp_path / "other")
    why = "OSError: no way to https://somewhere/ at" if "hang" not in place else "TimeoutError: it did not take"
    if "hang" in place:
        said = [line for line in said if line.startswith("notes")]
    assert len(said) == 1
    assert said[0].startswith(f"notes logs no more, all else goes on: {why}")
    assert KEY not in said[0]
    assert Notes.all[0].abandoned.wait(60)
    same = [(tmp_path / name / "summary.json").read_bytes() for name in ("run", "other")]
    assert same[0] == same[1]


def test_who_stops_a_run_waits_little_for_a_service_that_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workers.GRACE + pool.CLOSED + base.HURRY < 8, "two of the ten seconds are for all the rest"
    monkeypatch.setattr(base, "HURRY", 0.2)
    monkeypatch.setattr(base, "PATIENCE", 600.0)
    said: list[str] = []

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run(CONFIG, tmp_path / "run", log=["notes:hang-start"], progress=stop, on_note=said.append)
    assert said == ["notes logs no more, all else goes on: TimeoutError: it did not take everything within 0.2 s"]
    assert Notes.all[0].abandoned.wait(60)


def test_without_a_listener_a_failure_is_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="notes logs no more"):
        pool.run(CONFIG, tmp_path / "run", log=["notes:start"])


def test_broken_episodes_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ProviderError("the endpoint is down")

    monkeypatch.setattr(pool, "play_episode", broken)
    pool.run(RunConfig((Cell(PUZZLE, {}, "random"),), 2), tmp_path / "run", log=["notes"])
    last = Notes.all[0].last()
    assert (last["run/faults"], last["faults/random/situation-puzzle"]) == (6, 2)
    monkeypatch.setattr(tournaments, "play_match", broken)
    both = tournaments.Tournament(TRUST, tuple(tournaments.Player(n, "tft") for n in "ab"), "round-robin")
    tournaments.run(both, tmp_path / "league", log=["notes"])
    assert Notes.all[1].last()["faults/b/trust"] == 2


def test_a_tournament_is_logged_by_match(tmp_path: Path) -> None:
    names = {"tit": "tft", "bad": "all-d"}
    played = tournaments.Tournament(
        TRUST, tuple(tournaments.Player(name, spec) for name, spec in names.items()), "round-robin", repeats=2
    )
    tournaments.run(played, tmp_path / "league", log=["notes"])
    tournaments.run(played, tmp_path / "league", log=["notes"], resume=True)
    (setting,) = json.loads((tmp_path / "league" / "summary.json").read_text())["settings"]
    last = Notes.all[0].last()
    for player in setting["players"]:
        assert last[f"reward/{player['player']}/trust"] == pytest.approx(player["score"]["value"])
        assert last[f"summary_score/{player['player']}/0"] == player["score"]["value"]
    assert {step for step, _ in Notes.all[0].points} == {1, 2, 3, 4}
    assert Notes.all[0].config["format"] == "round-robin"
    assert Notes.all[1].points[-1][0] == 4


def test_no_key_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abc-Very-Private")
    loggers = Loggers(["notes"], tmp_path / "run")
    loggers.start({KEY: [f"Bearer {KEY}", {"deep": "my abc-Very-Private one"}], "n": 1})
    loggers.scalars(1, {"a": float("nan"), "b": 2})
    loggers.finish()
    assert Notes.all[0].config == {"***": ["***", {"deep": "my *** one"}], "n": 1}
    assert Notes.all[0].points == [(1, {"b": 2.0})]


def test_names_suit_every_service_and_stay_apart(tmp_path: Path) -> None:
    assert [slug(text) for text in ("a/b", "..", "", "ä b?c=1")] == ["a_b", "_", "_", "ä_b_c_1"]
    log = PlayLog(Loggers([], tmp_path), 5000)
    names = [log.name(text) for text in ("a?b", "a/b", "a?b", "a b")]
    assert names[0] == names[2]
    assert len(set(names)) == 3


def test_long_runs_have_about_a_thousand_points(tmp_path: Path) -> None:
    loggers = Loggers(["notes"], tmp_path)
    log = PlayLog(loggers, 5001)
    log.begin({})
    for _ in range(5001):
        log.add("p", "f", "success", cost=None, reward=1.0)
        log.done()
    log.finish({})
    assert [step for step, _ in Notes.all[0].points][-3:] == [5000, 5001, 5001]
    assert len(Notes.all[0].points) == 1002
    assert "cost/p/f" not in Notes.all[0].last(), "an unknown price is no cost"


def test_a_wrong_name_and_a_missing_package_are_one_line_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownNameError, match="unknown logger 'tensorbord'; did you mean 'tensorboard'"):
        Loggers(["tensorbord"], tmp_path)
    for name in ("wandb", "mlflow"):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingExtraError):
            Loggers([name], tmp_path)
    arguments = [
        "run",
        PUZZLE,
        "--agent",
        "random",
        "--episodes",
        "1",
        "--out",
        str(tmp_path / "run"),
        "--log",
        "wandb",
    ]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "logging to Weights & Biases needs an extra that is not installed: pip install" in result.output
    assert not (tmp_path / "run").exists()


def test_the_command_logs_and_resumes(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    done = CliRunner().invoke(
        main, ["sweep", PUZZLE, "--agent", "random", "--episodes", "1", "--out", out, "--log", "notes:scalars"]
    )
    assert done.exit_code == 0, done.output
    assert done.stderr.count("warning: notes logs no more, all else goes on: ") == 1
    assert CliRunner().invoke(main, ["run", "--out", out, "--resume", "--log", "notes"]).exit_code == 0
    assert Notes.all[1].finished


def test_a_folder_of_a_stranger_names_no_other_run(tmp_path: Path) -> None:
    (tmp_path / ".wandb-run").write_text("../../else\n")
    assert adapters.kept_run(tmp_path, "wandb") is None
    adapters.keep_run(tmp_path, "wandb", "0123abcd")
    assert adapters.kept_run(tmp_path, "wandb") == "0123abcd"
    assert adapters.kept_run(tmp_path, "mlflow") is None
