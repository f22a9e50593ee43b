"""The command line: one readable line for a mistake, and each command used as its user would."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interactive_envs import catalog
from interactive_envs.cli import doctor
from interactive_envs.cli.main import main
from interactive_envs.evaluation.judging import suites
from interactive_envs.situation_puzzle.judge.story import StoryJudge

ENV = "ibench/SituationPuzzle-v1"


def ibench(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin, catch_exceptions=False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["info", "ibench/SituationPuzle-v1"],
            f"unknown environment 'ibench/SituationPuzle-v1'; did you mean '{ENV}'?",
        ),
        (["run", ENV, "--agent", "randon"], "unknown agent 'randon'; did you mean 'random'?"),
        (["run", ENV, "--agent", "rule", "--judge", "ofline"], "unknown judge 'ofline'; did you mean 'offline'?"),
        (["run", ENV, "--agent", "rule", "-k", "mod=free"], f"unknown argument of {ENV}: 'mod'; did you mean 'mode'?"),
        (
            ["run", ENV, "--agent", "rule?question=3"],
            "unknown option of agent 'rule': 'question'; did you mean 'questions'?",
        ),
        (["run", ENV, "--agent", "rule", "-k", "mode"], "argument 'mode' is not key=value"),
        (["run", ENV, "--agent", "rule", "-k", "budget=0"], "budget must be a whole number of at least 1, got 0"),
        (["run", ENV], "name at least one player (agent); ibench list --agents shows them"),
        (["run", "--agent", "rule"], "name at least one environment; see ibench list"),
        (
            ["run", "--resume", "--out", "x", "--agent", "rule"],
            "--resume without an environment plays what the run's config.json says",
        ),
        (
            ["run", ENV, "--agent", "rule", "-k", "judge=offline"],
            "judge is no argument: name one or several judges of the run",
        ),
        (["run", "--resume"], "--resume needs the run's folder: --out FOLDER"),
        (["play", ENV, "-k", "view=numeric"], "the command line plays the text view; leave -k view out"),
        (["run", ENV, "--agent", "nomod:Foo"], "agent nomod:Foo cannot be imported: there is no module 'nomod' here"),
        (["lst"], "unknown command 'lst'; did you mean 'list'?"),
        (
            ["run", "--agnet", "rule"],
            "No such option '--agnet'. (Did you mean one of: '--agent', '--anytime', '--gain'?) "
            "(see ibench run --help)",
        ),
        (["run", ENV, "--agent", "rule", "--seed", "x"], "Invalid value for '--seed'"),
        (
            ["sweep", ENV, "--agent", "rule", "-x", "budget=5"],
            "axis 'budget=5' is not NAME=JSON_LIST; write for instance",
        ),
        (["report", "nowhere"], "nowhere holds no run: config.json is missing"),
        (["run", ENV, "--agent", "llm"], "agent 'llm' needs a target: llm:…"),
        (["run", ENV, "--agent", "rule", "-k", "case=lamp"], "unknown case 'lamp'; known: "),
    ],
)
def test_a_mistake_is_one_line_with_the_remedy(
    arguments: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ibench(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ibench: {line}")
    assert result.stderr.count("\n") == 1


@pytest.fixture
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without charts, as where matplotlib is not installed: drawing them takes longer than all the rest."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


def test_without_a_command_there_is_help() -> None:
    assert "Commands:" in ibench().stdout


@pytest.mark.usefixtures("no_charts")
def test_a_judge_that_is_never_asked_is_left_out(tmp_path: Path) -> None:
    other = "panel:offline%3Fembeddings=false,offline%3Fembeddings=false"
    result = ibench(
        "sweep",
        ENV,
        "-x",
        'mode=["menu","free"]',
        "--agent",
        "random",
        "--judge",
        "offline?embeddings=false",
        "--judge",
        other,
        "--episodes",
        "1",
        "--out",
        str(tmp_path / "run"),
    )
    cells = json.loads((tmp_path / "run" / "config.json").read_text())["cells"]
    assert [cell["judge"] for cell in cells] == [None, "offline?embeddings=false", other]
    assert "asks no judge with these arguments, the judge is left out" in result.stderr


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["run", "ibench/Trust"], {"ibench/TrustGame-v1"}),
        (["play", "ibench/Holdem-v1", "--agent", "trust/g"], {"trust/generous-tft", "trust/gradual", "trust/grim"}),
        (["run", "ibench/Math-v1", "--judge", "off"], {"offline"}),
        (["run", "--suite", "games"], {"games", "games-v0", "games-v1"}),
        (["info", "nothing/begins/so"], set()),
    ],
)
def test_a_shell_completes_commands_ids_and_players(words: list[str], offered: set[str]) -> None:
    given = {
        "_IBENCH_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["ibench", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = CliRunner(env=given).invoke(main, [], prog_name="ibench")
    assert {line.partition(",")[2] for line in done.output.split()} == offered


def test_debug_shows_the_traceback() -> None:
    with pytest.raises(ValueError, match="unknown environment"):
        ibench("--debug", "info", "nothing")


def test_list_and_info_show_what_there_is() -> None:
    families = ibench("list").stdout
    assert ENV in families
    assert len(families.splitlines()) < 30
    assert ibench("list", "--all").stdout.count("\n") == len(catalog.ids())
    assert set(ibench("list", "--family", "cipher").stdout.split()) >= {"ibench/BlackBox-cipher-caesar-v1"}
    assert "cipher" in ibench("list", "--family", "black-box").stdout
    assert "did you mean 'trust'" in ibench("list", "--family", "trsut").output
    found = ibench("list", "--search", "tree parity", "--mode", "deductive").stdout.splitlines()
    assert found
    assert all("tree" in line and "parity" in line and "deductive" in line for line in found)
    assert ibench("list", "--search", "no such thing").stdout == "There is none.\n"
    assert "TrustGame" not in ibench("list", "--level").stdout
    assert "leave out --all" in ibench("list", "--agents", "--all").output
    assert "reference" in ibench("list", "--agents").stdout
    assert "offline" in ibench("list", "--judges").stdout
    assert json.loads(ibench("list", "--json").stdout)[ENV]["family"] == "situation-puzzle"
    shown = ibench("info", ENV).stdout
    assert '-k preset=paper stands for mode="free" budget=20 forced_final=true finals=null' in shown
    assert '-k mode="menu"' in shown
    assert "Version history" in shown


@pytest.mark.parametrize(
    ("variable", "value", "coloured"), [("", "", True), ("NO_COLOR", "1", False), ("TERM", "dumb", False)]
)
def test_a_terminal_that_has_colours_shows_them(
    variable: str, value: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    if variable:
        monkeypatch.setenv(variable, value)
    shown = CliRunner().invoke(main, ["list"], color=True).stdout
    assert shown.startswith("\x1b[1mFAMILY") == coloured
    assert ("\x1b" in shown) == coloured
    wrong = CliRunner().invoke(main, ["info", "red: \x1b[41m"], color=True).stderr
    assert wrong.startswith("\x1b[31mibench: ") == coloured
    assert "\x1b[41m" not in wrong, "the colour is ours"
    assert "\x1b" not in CliRunner().invoke(main, ["list"]).stdout, "no terminal"


def test_every_family_is_listed_with_an_environment_that_needs_nothing_of_the_user() -> None:
    lines = [line.split(maxsplit=3) for line in ibench("list").stdout.splitlines()[1:-2]]
    assert {line[0] for line in lines} == {entry["family"] for entry in catalog.load()["units"].values()}
    for _, _, env_id, hidden in lines:
        assert catalog.entry(env_id)["defaults"].get("path", "") is not None
        assert "any folder" not in hidden


def test_doctor_and_the_page_on_installing_know_every_extra() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].keys() - {"all", "dev", "site"}
    assert {extra for _, extra, _ in doctor.EXTRAS} | {"local"} == extras
    page = (Path(__file__).parents[1] / "docs" / "install.md").read_text("utf-8")
    assert [extra for extra in sorted(extras) if f"`{extra}`" not in page] == []


def test_a_person_plays_at_the_terminal() -> None:
    result = ibench("play", ENV, "--seed", "1", stdin="1\nwhat?\nB\n")
    assert re.search(r"Rounds left: 7\.", result.stdout)
    assert "Not read: " in result.stdout
    assert re.search(r"The solution: [A-H]\. ", result.stdout)
    assert result.stdout.rstrip().splitlines()[-1] in ("Outcome: success. Reward: 1.", "Outcome: failure. Reward: 0.")


def test_who_plays_free_text_with_the_offline_judge_is_told_once_how_little_it_understands() -> None:
    played = ibench("play", ENV, "--agent", "random", "-k", "mode=free", "--judge", "offline?embeddings=false")
    assert played.stderr == f"note: {StoryJudge.caution}\n"
    assert ibench("play", ENV, "--agent", "random").stderr == ""


def test_leaving_the_game_is_no_error() -> None:
    result = ibench("play", ENV, "--seed", "1", stdin="1\n")
    assert (result.exit_code, result.stderr) == (130, "ibench: interrupted\n")


def test_watching_a_player() -> None:
    result = ibench("play", ENV, "--agent", "reference", "--seed", "3")
    assert result.stdout.endswith("Outcome: success. Reward: 1.\n")
    assert "> <ask>" in result.stdout


@pytest.mark.usefixtures("no_charts")
def test_run_report_replay_resume(tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = ibench(
        "run", ENV, "--agent", "rule", "--agent", "reference", "--gain", "--episodes", "12", "--out", str(out)
    )
    assert result.exit_code == 0
    assert f"Report: {out / 'report.html'}" in result.stdout
    before = (out / "summary.json").read_bytes()
    assert ibench("replay", str(out)).stdout == "48 of 48 episodes replay exactly.\n"
    assert ibench("run", "--out", str(out), "--resume").exit_code == 0
    assert ibench("report", str(out)).exit_code == 0
    assert (out / "summary.json").read_bytes() == before
    changed = ibench("run", ENV, "--agent", "rule", "--out", str(out), "--resume")
    assert changed.exit_code == 2
    assert "the configuration changed: cells was" in changed.stderr
    gains = json.loads(before)["gains"]
    assert len(gains) == 2


@pytest.mark.usefixtures("no_charts")
def test_replay_finds_what_was_changed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    ibench("run", ENV, "--agent", "random", "--episodes", "2", "--out", str(out))
    file = out / "episodes.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("Rounds left: 7.", "Rounds left: 91."), encoding="utf-8")
    result = ibench("replay", str(out))
    assert result.exit_code == 2
    assert re.search(r"episodes\.jsonl, line [12] \(case '[\w-]+'\), is damaged: its bytes", result.stderr)
    (out / "index.jsonl").unlink()  # and with it the checksums, as who changes a run on purpose would
    result = ibench("replay", str(out))
    assert result.exit_code == 1
    assert "Rounds left: 91" in result.stdout


@pytest.mark.usefixtures("no_charts")
def test_a_sweep_plays_the_grid(tmp_path: Path) -> None:
    out = tmp_path / "sweep"
    result = ibench(
        "sweep",
        ENV,
        "--agent",
        "rule",
        "-x",
        "budget=[2,8]",
        "-x",
        "agent.questions=[1,5]",
        "--episodes",
        "4",
        "--out",
        str(out),
    )
    assert result.exit_code == 0
    cells = json.loads((out / "config.json").read_text())["cells"]
    assert [(cell["agent"], cell["arguments"]["budget"]) for cell in cells] == [
        ("rule?questions=1", 2),
        ("rule?questions=5", 2),
        ("rule?questions=1", 8),
        ("rule?questions=5", 8),
    ]
    assert cells[0]["axes"] == {"budget": 2, "agent.questions": 1}


@pytest.mark.usefixtures("no_charts")
def test_free_text_is_judged_and_rescored(tmp_path: Path) -> None:
    out = tmp_path / "free"
    arguments = ["-k", "mode=free", "-k", "budget=4", "--episodes", "2", "--out", str(out)]
    judge = ["--judge", "offline?embeddings=false"]
    played = ibench("run", ENV, "--agent", "rule", "--agent", "random", *judge, *arguments)
    assert played.exit_code == 0
    assert played.stderr.count("note: the offline judge replies 'Not understood.' to nearly every question") == 1
    result = ibench("rescore", str(out), *judge)
    assert "100% of" in result.stdout
    (rescored,) = out.glob("rescore-*.json")
    assert json.loads(rescored.read_text())


def test_judge_check_measures_a_judge_on_the_packages_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    every = suites.items
    monkeypatch.setattr(suites, "items", lambda suite, without=(): every(suite, without)[::40])
    result = ibench("judge-check", "--fresh", "--adversarial", "--judge", "offline?embeddings=false")
    assert "fresh\n-----\nquestion: n = " in result.stdout
    assert "adversarial finals: n = " in result.stdout
    assert "Left out" not in result.stderr
    own = ibench("judge-check", "--answers", "--judge", "offline?embeddings=false")
    assert re.search(r"Left out: the \d+ cases this judge was tuned on\.", own.stderr)
    assert "answers\n-------\nfinal: n = " in own.stdout
    missing = ibench("judge-check")
    assert missing.exit_code == 2
    assert "give a FILE, or one of --paraphrases" in missing.stderr


def test_judge_check_prints_the_figures(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    case = json.loads(ibench("list", "--json").stdout) and "ten-to-four"
    file.write_text(
        json.dumps({"kind": "question", "case": case, "text": "Was a child involved?", "label": "no"}) + "\n"
    )
    judge = ("--judge", "offline?embeddings=false")
    assert "accuracy" in ibench("judge-check", str(file), *judge).stdout
    assert json.loads(ibench("judge-check", str(file), *judge, "--json").stdout)
    file.write_text('{"kind": "question"}\n')
    broken = ibench("judge-check", str(file))
    assert broken.exit_code == 2
    assert "labels.jsonl, line 1, field" in broken.stderr


def test_models_and_doctor_say_what_is_there() -> None:
    assert "smollm2" in ibench("models").stdout.lower()
    shown = ibench("doctor").stdout
    assert "xllamacpp" in shown
    assert "keys set" in shown


def test_doctor_never_prints_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    shown = ibench("doctor").stdout
    assert "OPENAI_API_KEY" in shown
    assert "sk-secret" not in shown


@pytest.mark.usefixtures("no_charts")
def test_what_is_paid_is_not_called_solved(tmp_path: Path) -> None:
    result = ibench(
        "run",
        "ibench/TrustGame-v1",
        "--agent",
        "all-d",
        "-k",
        "opponents=all-c",
        "-k",
        "delta=0",
        "--episodes",
        "3",
        "--out",
        str(tmp_path / "run"),
    )
    header, row = result.stdout.splitlines()[:2]
    assert header.split() == ["reward", "n"]
    assert row.split() == ["all-d", "TrustGame-v1", "15.00", "3"]
    assert "solved" not in result.stdout + result.stderr
    assert ibench("replay", str(tmp_path / "run")).stdout.startswith("3 of 3 episodes replay exactly.")


def test_info_tells_the_views_of_both_libraries_and_no_judge_where_nothing_is_judged() -> None:
    shown = ibench("info", "ibench/Holdem-v1").stdout
    assert "Views (gym.make(…, view=…)): text, numeric\nPettingZoo (pettingzoo.make(…, id)): aec\n" in shown
    assert "Judges:" not in shown
    assert "Judges: llm, offline, panel" in ibench("info", ENV).stdout


def test_phh_check_names_what_differs_and_counts(tmp_path: Path) -> None:
    histories = sorted(str(path) for path in (Path(__file__).parent / "holdem" / "data").glob("*.phh*"))
    result = ibench("phh", "check", *histories)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        1,
        "10 hands: 9 ok (2 with a note), 1 differ, 0 unsupported",
    )
    result = ibench("phh", "check", "--rake", *histories)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        0,
        "10 hands: 10 ok (3 with a note), 0 differ, 0 unsupported",
    )
    wrong = tmp_path / "wrong.phh"
    wrong.write_text(Path(histories[-1]).read_text().replace('variant = "NT"', 'variant = "PO"'))
    result = ibench("phh", "check", str(wrong))
    assert result.exit_code == 1
    assert "unsupported" in result.stdout.splitlines()[0]
    assert ibench("phh", "check", "missing.phh").stderr.startswith("ibench: cannot read missing.phh: ")


@pytest.mark.usefixtures("no_charts")
def test_a_tournament_is_played_resumed_and_reported(tmp_path: Path) -> None:
    config = tmp_path / "small.toml"
    config.write_text('id = "ibench/TrustGame-v1"\nformat = "round-robin"\nplayers = ["tft", "all-d", "?"]\n')
    folder = tmp_path / "league"
    refused = ibench("tournament", str(config), "--out", str(folder))
    assert refused.exit_code == 2
    assert "name at least one player" in refused.stderr
    played = ibench("tournament", str(config), "--player", "kind=all-c", "--out", str(folder))
    assert played.exit_code == 0, played.stderr
    assert "kind" in played.stdout
    assert played.stdout.splitlines()[-1] == f"Report: {folder / 'report.html'}"
    before = (folder / "summary.json").read_bytes()
    again = ibench("tournament", "--out", str(folder), "--resume")
    assert (again.exit_code, (folder / "summary.json").read_bytes()) == (0, before)
    assert ibench("tournament", "--resume").stderr.startswith("ibench: --resume needs the tournament's folder: --out")
    assert ibench("tournament", "leage").stderr.startswith("ibench: unknown tournament 'leage'")
    assert "trust" in ibench("tournament").stdout


def test_output_that_nobody_reads_on_is_no_error() -> None:
    shell = f"{sys.executable} -m interactive_envs.cli.main list | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "0"
    assert done.stderr == ""


@pytest.mark.usefixtures("no_charts")
def test_the_report_of_a_comparison_or_a_tournament_is_written_again(tmp_path: Path) -> None:
    passk, league, config = tmp_path / "passk", tmp_path / "league", tmp_path / "small.toml"
    config.write_text('id = "ibench/TrustGame-v1"\nformat = "round-robin"\nplayers = ["tft", "all-d"]\n')
    few = ["--problems", "2", "--samples", "2"]
    for page, folder, played in (
        ("passk.html", passk, ibench("passk", ENV, "--agent", "rule", *few, "--out", str(passk))),
        ("report.html", league, ibench("tournament", str(config), "--out", str(league))),
    ):
        before = (folder / page).read_bytes()
        (folder / page).unlink()
        again = ibench("report", str(folder))
        assert (again.exit_code, again.stdout) == (0, played.stdout), again.stderr
        assert (folder / page).read_bytes() == before


@pytest.mark.usefixtures("no_charts")
def test_the_report_of_a_comparison_imports_no_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ibench("passk", ENV, "--agent", "rule", "--problems", "1", "--samples", "1", "--out", "out").exit_code == 0
    for file in (tmp_path / "out").rglob("*.json*"):
        file.write_text(file.read_text(encoding="utf-8").replace('"rule"', '"mine:Player"'), encoding="utf-8")
    (tmp_path / "mine.py").write_text("open('canary', 'w').close()\n", encoding="utf-8")
    for index in (tmp_path / "out").rglob("index.jsonl"):
        index.unlink()  # and with it the checksums, as who changes a run on purpose would
    result = ibench("report", "out")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "Page: out/passk.html"), result.stderr
    assert "mine:Player" in result.stdout
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize(("family", "player"), [("circuit", "circuit/random"), ("trust", "trust/tft")])
def test_players_are_listed_by_family(family: str, player: str) -> None:
    shown = CliRunner().invoke(main, ["list", "--agents", "--family", family]).output
    names = [line.split()[0] for line in shown.splitlines()]
    assert player in names
    assert {name.partition("/")[0] for name in names if "/" in name} == {family}
    assert "llm" in names, "plays every family"
    refused = CliRunner().invoke(main, ["list", "--judges", "--family", family, "--level"])
    assert (refused.exit_code, refused.output) == (
        2,
        "ibench: --judges lists no environments; leave out --level, --family\n",
    )
