"""The command line against wrong values, damaged files, strangers' folders and texts that would redraw a terminal."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs.black_box import code
from interactive_envs.cli.main import main
from interactive_envs.evaluation.run import pool
from interactive_envs.novel_games.folder import own
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.sandbox import level_in_use
from interactive_envs.sandbox.levels import VARIABLE
from interactive_envs.system.terminal import echo, error_line, printable

ENV = "ibench/SituationPuzzle-v1"
DIGITS = "1" * 5_000
NESTED = "[" * 100_000
CLOSED = "[" * 500 + "]" * 500
COMMAND = Path(sys.executable).with_name("ibench")


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without charts, as where matplotlib is not installed: drawing them takes longer than all the rest."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.fixture
def no_charts_elsewhere(tmp_path: Path) -> dict[str, str]:
    """The same for other processes: their environment."""
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    return os.environ | {"PYTHONPATH": str(tmp_path / "plain")}


@pytest.mark.parametrize("value", [DIGITS, NESTED, CLOSED], ids=["digits", "open lists", "closed lists"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("run", ENV, "--agent", "random", "-k", "budget={}"),
        ("run", ENV, "--agent", "random", "-k", "probes={}"),
        ("run", ENV, "--agent", "random?questions={}"),
        ("run", ENV, "--agent", "rule?questions={}"),
        ("sweep", ENV, "--agent", "random", "-x", "budget={}"),
        ("sweep", ENV, "--agent", "random", "-x", "budget=[{}]"),
        ("train", "sum-shy", "--set", "steps={}"),
        ("tournament", "{}"),
        ("validate", "{}"),
        ("run", ENV, "--agent", "random", "--seed", "{}x"),
    ],
    ids=" ".join,
)
def test_a_value_without_measure_is_one_line(arguments: tuple[str, ...], value: str) -> None:
    result = ibench(*(argument.format(value) for argument in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith("ibench: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 3_000


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "NaN"])
@pytest.mark.parametrize("option", ["--time-limit", "--limit-cost"])
@pytest.mark.parametrize("command", [("run", ENV), ("passk", ENV)], ids=["run", "passk"])
def test_no_limit_is_without_end(command: tuple[str, ...], option: str, value: str) -> None:
    result = ibench(*command, "--agent", "random", option, value)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert f"Invalid value for '{option}'" in result.stderr


def test_a_tournament_has_no_endless_cost_limit() -> None:
    result = ibench("tournament", "trust-rules", "--limit-cost", "nan")
    assert "Invalid value for '--limit-cost': 'nan' is not a finite number" in result.stderr


@pytest.mark.parametrize(
    "content",
    ["", NESTED, f'{{"schema": {DIGITS}}}', "[]", "{}", "null", '{"schema": 1}', '{"schema": 1, "cells": 3}'],
    ids=["empty", "nested", "digits", "list", "object", "null", "no cells", "wrong cells"],
)
def test_a_configuration_that_cannot_be_read_is_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(content, encoding="utf-8")
    for command in (
        ["report", "run"],
        ["replay", "run"],
        ["tables", "run"],
        ["rescore", "run", "--judge", "offline"],
        ["run", "--out", "run", "--resume"],
        ["passk", "--out", "run", "--resume"],
        ["tournament", "--out", "run", "--resume"],
    ):
        result = ibench(*command)
        assert result.exit_code == 2, command
        assert result.stderr.startswith("ibench: "), command
        assert result.stderr.count("\n") == 1, command


@pytest.mark.parametrize("content", [NESTED, f'{{"case": {DIGITS}}}'], ids=["nested", "digits"])
def test_a_labelled_file_that_cannot_be_read_is_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text(content + "\n", encoding="utf-8")
    result = ibench("judge-check", "labels.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith("ibench: labels.jsonl, line 1: ")
    assert result.stderr.count("\n") == 1


def test_a_tournament_file_that_is_nested_without_end_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(f"a = {NESTED}", encoding="utf-8")
    result = ibench("tournament", "deep.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith("ibench: ")
    assert result.stderr.count("\n") == 1


def test_half_a_surrogate_pair_is_one_line() -> None:
    result = ibench("run", "ibench/Game-v1", "-k", r'path="\ud800"', "--agent", "random")
    assert result.exit_code == 2
    assert result.stderr.startswith("ibench: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.usefixtures("no_charts")
def test_nothing_that_is_printed_can_redraw_the_terminal(tmp_path: Path) -> None:
    wild = "\x1b]0;title\x07\x1b[2J\x9b1mred\u202ehtap"
    fields = {"id": "one", "title": "A bar", "setup": "A man enters.", "solution": "He was thirsty."}
    puzzle = {name: text + wild for name, text in fields.items()} | {"facts": ["It was night."]}
    (tmp_path / f"data{wild}.jsonl").write_text(json.dumps(puzzle), encoding="utf-8")
    dataset = ["-k", f"dataset=data{wild}.jsonl", "-k", "mode=free"]
    words = ["--judge", "offline?embeddings=false"]
    shown = [
        ibench("run", ENV, *dataset, *words, "--agent", "random", "--episodes", "1", "--out", f"out{wild}"),
        ibench("report", f"out{wild}"),
        ibench("replay", f"out{wild}"),
        ibench("play", ENV, *dataset, *words, "--agent", "random"),
        ibench("run", ENV, *dataset, "--agent", f"random?{wild}=1"),
        ibench("report", f"nowhere{wild}"),
        ibench("games", "check", f"nowhere{wild}"),
        ibench(f"command{wild}"),
    ]
    for result in shown:
        assert printable(result.output) == result.output
    assert shown[0].exit_code == shown[1].exit_code == shown[2].exit_code == shown[3].exit_code == 0
    assert "out\ufffd]0;title" in shown[0].output


def test_a_traceback_cannot_redraw_the_terminal_either(tmp_path: Path) -> None:
    command = [str(COMMAND), "--debug", "report", "nowhere\x1b[2J"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "Traceback (most recent call last)" in done.stderr
    assert "nowhere\ufffd[2J holds no run" in done.stderr


WILD = """
import threading, warnings
from interactive_envs.system.terminal import guard

guard()
threading.Thread(target=lambda: 1 / len("\x1b"[1:])).start()
warnings.warn("a warning \x1b[2J")
raise ValueError("an error \x1b[2J")
"""


def test_warnings_and_tracebacks_of_any_thread_cannot_redraw_the_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", WILD], capture_output=True, text=True, check=False)
    assert printable(done.stderr) == done.stderr
    for part in ("a warning \ufffd[2J", "an error \ufffd[2J", "ZeroDivisionError"):
        assert part in done.stderr


def test_a_report_is_written_through_no_link(tmp_path: Path) -> None:
    assert ibench("run", ENV, "--agent", "random", "--episodes", "1", "--out", "run").exit_code == 0
    (tmp_path / "elsewhere").mkdir()
    for name in ("transcripts", "charts"):
        shutil.rmtree(tmp_path / "run" / name, ignore_errors=True)
        (tmp_path / "run" / name).symlink_to(tmp_path / "elsewhere")
        result = ibench("report", "run")
        assert result.exit_code == 2
        assert result.stderr == f"ibench: run/{name} is a link, and links are not followed; remove it\n"
        (tmp_path / "run" / name).unlink()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_settings_of_matplotlib_in_the_current_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_bytes(b"\xff\xfe")
    command = [str(COMMAND), "run", ENV, "--agent", "random", "--episodes", "2", "--out", "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "run" / "charts").iterdir())


def test_text_for_the_terminal_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    echo("a\tb\n\x1b[1mc\ud800")
    assert capsys.readouterr().out == "a\tb\n\ufffd[1mc\ufffd\n"
    assert error_line("a\nb\rc") == "a b\ufffdc"
    assert error_line("x" * 3_000) == "x" * 1_999 + "…"


@pytest.mark.parametrize("told", ["", "1"])
@pytest.mark.usefixtures("no_charts")
def test_a_run_says_at_which_level_foreign_code_ran(told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, told)
    code.sandbox.cache_clear()
    level = level_in_use()
    shown = f"level {int(level)} ({level.name.lower()})"
    box = ["ibench/BlackBox-program-random-v1", "-k", "answer_as=code", "--agent", "program/reference"]
    result = ibench("run", *box, "--episodes", "1", "--out", "code")
    code.sandbox.cache_clear()
    assert f"Foreign code ran in the sandbox at {shown}.\n" in result.stdout
    record = json.loads((tmp_path / "code" / "episodes.jsonl").read_text(encoding="utf-8"))
    assert record["versions"]["sandbox"] == shown
    assert f"sandbox {shown}" in (tmp_path / "code" / "report.html").read_text(encoding="utf-8")
    assert int(level) == 1 if told else int(level) > 1


@pytest.mark.usefixtures("no_charts")
def test_a_run_without_foreign_code_says_nothing_of_the_sandbox(tmp_path: Path) -> None:
    result = ibench("run", ENV, "--agent", "random", "--episodes", "1", "--out", "own")
    assert "sandbox" not in result.stdout
    assert "sandbox" not in json.loads((tmp_path / "own" / "episodes.jsonl").read_text(encoding="utf-8"))["versions"]


STRANGER = """
import pathlib
with open({canary!r}, "a") as file:
    file.write(__name__ + "\\n")
raise ImportError("not here")
"""
NAMES = (
    "uarray",
    "sparse",
    "cupy",
    "multiprocessing",
    "sitecustomize",
    "usercustomize",
    "pip",
    "json",
    "torch",
    "random",
    "numpy",
    "IPython",
    "ipywidgets",
    "pandas",
    "colorama",
    "chardet",
    "simplejson",
    "pygments",
    "trio",
    "brotli",
)
"""Modules that libraries import where they find them, and some that are found before."""


@pytest.fixture
def stranger(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of somebody else's, and the file that its modules write to when they are run."""
    folder, canary = tmp_path / "stranger", tmp_path / "canary"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(STRANGER.format(canary=str(canary)), encoding="utf-8")
    return folder, canary


OWN_GAME = ("ibench/Game-v1", "-k", "path=.", "-k", "unchecked=true")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("run", ENV, "--agent", "random", "--episodes", "1", "--backend", "process", "--out", "out"), 0),
        pytest.param(
            ("run", *OWN_GAME, "--agent", "random", "--episodes", "1", "--out", "out"), 0, marks=pytest.mark.long
        ),
        pytest.param(("report", "played"), 0, marks=pytest.mark.long),
        pytest.param(("replay", "played"), 0, marks=pytest.mark.long),
        pytest.param(("games", "check", "."), 1, marks=pytest.mark.long),  # it is the package's own game again
        pytest.param(("doctor",), 0, marks=pytest.mark.long),
    ],
)
def test_no_file_of_the_current_folder_is_run(
    arguments: tuple[str, ...], code: int, stranger: tuple[Path, Path], no_charts_elsewhere: dict[str, str]
) -> None:
    folder, canary = stranger
    for file in ("game.toml", "rules.md", "actions.md", "game.py"):
        shutil.copy(own("sum-shy").path / file, folder)
    if "played" in arguments:
        pool.run(RunConfig((Cell(ENV, {}, "random"),), 1), folder / "played")
    # One command draws charts, for matplotlib looks for modules that may be missing.
    env = None if {"process", "played"} & {*arguments} else no_charts_elsewhere
    command = [str(COMMAND), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=env)
    assert done.returncode == code, done.stderr
    assert not canary.exists(), canary.read_text(encoding="utf-8")


@pytest.mark.long
def test_workers_of_ray_run_no_file_of_the_current_folder(stranger: tuple[Path, Path]) -> None:
    folder, canary = stranger
    command = [str(COMMAND), "train", "sum-shy", "--steps", "128", "--out", "trained", "--backend", "ray"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "trained" / "sum-shy").is_dir()
    assert not canary.exists(), canary.read_text(encoding="utf-8")


PLAYER = """
from interactive_envs.agent import Agent


class First(Agent):
    name = "first"

    def act(self, observation, info):
        import beside

        return beside.WORD
"""


@pytest.mark.parametrize(
    ("explicit", "backend"),
    [
        (False, "process"),
        pytest.param(True, "thread", marks=pytest.mark.long),
        pytest.param(False, "thread", marks=pytest.mark.long),
        pytest.param(True, "process", marks=pytest.mark.long),
    ],
)
def test_an_own_player_comes_from_the_folder_that_is_named(
    explicit: bool, backend: str, stranger: tuple[Path, Path], tmp_path: Path, no_charts_elsewhere: dict[str, str]
) -> None:
    folder, canary = stranger
    (folder / "mine.py").write_text(PLAYER, encoding="utf-8")
    (folder / "beside.py").write_text('WORD = "<answer>A</answer>"\n', encoding="utf-8")
    for name in NAMES:  # what the player's own folder offers to its imports is its author's business
        (folder / f"{name}.py").unlink()
    (folder / "json.py").write_text(STRANGER.format(canary=str(canary)), encoding="utf-8")  # never before the library
    command = [str(COMMAND), *(["--path", str(folder)] if explicit else [])]
    arguments = ["run", ENV, "--agent", "mine:First", "--episodes", "2", "--backend", backend]
    done = subprocess.run(
        [*command, *arguments, "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path if explicit else folder,
        env=no_charts_elsewhere,
    )
    assert done.returncode == 0, done.stderr
    assert not canary.exists()


@pytest.mark.usefixtures("no_charts")
def test_replaying_a_strangers_run_imports_nothing_and_asks_no_opponent(tmp_path: Path) -> None:
    game = "ibench/TrustGame-v1"
    assert ibench("run", game, "--agent", "tft", "--episodes", "1", "--out", "run").exit_code == 0
    folder = tmp_path / "run"
    (folder / "index.jsonl").unlink()
    record = json.loads((folder / "episodes.jsonl").read_text(encoding="utf-8"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    # A name that no other test of this process has imported.
    (tmp_path / "opponent_of_mine.py").write_text("open('canary', 'w').close()\n", encoding="utf-8")
    mine = "opponent_of_mine:Player"
    for opponent, keys in ((mine, {"game"}), (mine, set()), ("os:mkdir?path=canary", {"game"})):
        told = {"opponents": opponent}
        changed = {name: value for name, value in record.items() if name not in keys}
        changed["env"] = record["env"] | {"arguments": record["env"]["arguments"] | told}
        (folder / "episodes.jsonl").write_text(json.dumps(changed) + "\n", encoding="utf-8")
        cells = [cell | {"arguments": told} for cell in config["cells"]]
        (folder / "config.json").write_text(json.dumps(config | {"cells": cells}), encoding="utf-8")
        for command in ("replay", "report", "tables"):
            assert ibench(command, "run").exit_code in (0, 1, 2)
            assert not (tmp_path / "canary").exists(), (command, opponent)


def test_a_command_that_reads_a_folder_runs_no_module_of_it_unless_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLAYER, encoding="utf-8")
    judge = "class Yes:\n    pass\nopen('canary', 'w').close()\n"
    (tmp_path / "judges.py").write_text(judge, encoding="utf-8")
    pool.run(RunConfig((Cell(ENV, {}, "random"),), 1), tmp_path / "out")
    command = [str(COMMAND), "rescore", "out", "--judge", "judges:Yes"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (
        "there is no module 'judges' here; install it, or add its folder to the path (ibench --path FOLDER"
        in done.stderr
    )
    assert not (tmp_path / "canary").exists()
    told = [command[0], "--path", ".", *command[1:]]
    done = subprocess.run(told, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "judge 'judges:Yes' is no class derived from" in done.stderr
    assert (tmp_path / "canary").exists()
    assert os.getcwd() == str(tmp_path)
