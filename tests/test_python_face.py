"""What is done from Python: evaluate, compare, tournaments; wrappers and environments of somebody else's."""

from __future__ import annotations

import csv
import functools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from click.testing import CliRunner

import interactive_envs
from interactive_envs import Agent, Run, catalog, evaluate, passk, suite, tournament
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.validate.check import validate
from interactive_envs.reporting.records import EpisodeRecord
from tests import foreign

PUZZLE = "ibench/SituationPuzzle-v1"
HERE = "tests.foreign"
GUESS = f"{HERE}:Guess"
HALF = f"{HERE}:Half"


@pytest.fixture(autouse=True)
def _units() -> Iterator[None]:
    """The catalogue keeps what it found; other tests must not see it."""
    units = catalog.load()["units"]
    own = dict(units)
    yield
    units.clear()
    units.update(own)


def lines(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run.folder / "episodes.jsonl").read_text().splitlines()]


# The face.


def test_the_public_list_is_there_and_lazy() -> None:
    assert all(getattr(interactive_envs, name) is not None for name in interactive_envs.__all__)
    assert set(interactive_envs.__all__) <= set(dir(interactive_envs))
    with pytest.raises(AttributeError, match="no attribute 'evaluat'"):
        interactive_envs.evaluat  # type: ignore[attr-defined] # noqa: B018
    code = "import sys, interactive_envs as i; i.Agent; i.make; print('interactive_envs.evaluation' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_records_read_back_are_the_records(tmp_path: Path) -> None:
    run = evaluate([PUZZLE, "ibench/TrustGame-v1"], ["random"], probes=(), episodes=2, out=tmp_path / "run")
    stored = sorted(lines(run), key=lambda record: (record["cell"], record["case_index"]))  # not as they end
    assert [EpisodeRecord.from_json(record).to_json() for record in stored] == stored
    assert len(run.episodes) == 4
    assert [json.dumps(record.to_json()) for record in run.episodes] == list(map(json.dumps, stored))
    assert run.missing == 0
    assert run.replay() == []
    assert repr(run).endswith("4 of 4 episodes")


def test_a_record_that_is_none_says_why(tmp_path: Path) -> None:
    run = evaluate(PUZZLE, "random", episodes=1, out=tmp_path / "run")
    record = lines(run)[0]
    for change, why in (
        ({"schema": 2}, "schema 2"),
        ({"steps": 3}, "no episode"),
        ({"tokens": {"x": 1}}, "no episode"),
    ):
        with pytest.raises(ConfigError, match=why):
            EpisodeRecord.from_json(record | change)
    with pytest.raises(ConfigError, match="it has no 'steps'"):
        EpisodeRecord.from_json({name: value for name, value in record.items() if name != "steps"})


def test_the_command_line_and_python_write_the_same(tmp_path: Path) -> None:
    out = tmp_path / "cli"
    done = CliRunner().invoke(main, ["run", PUZZLE, "--agent", "rule", "--agent", "random", "--out", str(out), "-k",
                                     "budget=5", "--episodes", "3"])  # fmt: skip
    assert done.exit_code == 0, done.output
    run = evaluate(PUZZLE, ["rule", "random"], arguments={"budget": 5}, episodes=3, out=tmp_path / "python")
    for name in ("config.json", "summary.json"):
        assert (out / name).read_bytes() == (run.folder / name).read_bytes()


def test_two_players_are_compared_on_the_same_cases(tmp_path: Path) -> None:
    run = evaluate(PUZZLE, ["rule", "random"], episodes=6, out=tmp_path / "run")
    difference = run.compare("rule", "random")
    mine = {(r.case, r.epoch): r.outcome == "success" for r in run.episodes if r.agent["spec"] == "rule"}
    others = {(r.case, r.epoch): r.outcome == "success" for r in run.episodes if r.agent["spec"] == "random"}
    gaps = [mine[key] - others[key] for key in mine]
    assert difference.estimate.value == pytest.approx(sum(gaps) / len(gaps))
    assert (difference.ahead, difference.behind) == (gaps.count(1), gaps.count(-1))
    assert difference.estimate.low is not None
    assert difference.estimate.low <= sum(gaps) / len(gaps) <= (difference.estimate.high or 0)
    assert run.compare("random", "rule").estimate.value == pytest.approx(-sum(gaps) / len(gaps))
    paired = run.summary["differences"]
    assert difference.estimate.as_json()["value"] == abs(paired[0]["value"]) or paired[0]["value"] is not None
    with pytest.raises(UnknownNameError, match="player of the run: 'rul'; did you mean 'rule'"):
        run.compare("rul", "random")


def test_rows_as_csv_and_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = evaluate(PUZZLE, ["rule", "random"], episodes=2, out=tmp_path / "run")
    with run.to_csv(tmp_path / "rows.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["agent"] for row in table] == ["rule", "rule", "random", "random"]
    assert [row["case"] for row in table] == [str(row["case"]) for row in run.to_rows()]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"to_pandas\(\) needs pandas: pip install pandas"):
        run.to_pandas()


def test_a_tournament_has_a_row_for_every_match_and_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    league = tournament(
        "ibench/TrustGame-v1",
        {"tit": "trust/tft", "bad": "trust/all-d"},
        sweep={"delta": [0.25, 0.5]},
        out=tmp_path / "league",
    )
    rows = league.to_rows()
    assert [(row["match"], row["seat"]) for row in rows] == sorted(
        (match.match, seat) for match in league.matches for seat in (0, 1)
    )
    known = {match.match: match for match in league.matches}
    for row in rows:
        match, seat = known[row["match"]], row["seat"]
        own = [text for text in match.texts if text.seat == seat]
        assert row["player"] == match.players[seat]
        assert json.loads(row["opponents"]) == [match.players[1 - seat]]
        assert row["agent"] == {"tit": "trust/tft", "bad": "trust/all-d"}[row["player"]]
        assert (row["score"], row["outcome"]) == (match.scores[seat], match.outcomes[seat])
        assert json.loads(row["arguments"])["delta"] == [0.25, 0.5][row["setting"]]
        assert (row["moves"], row["invalid"], row["time_outs"]) == (len(own), 0, 0)
        assert row["seconds"] == pytest.approx(sum(text.seconds for text in own))
    with league.to_csv(tmp_path / "rows.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [
            {name: "" if value is None else str(value) for name, value in row.items()} for row in rows
        ]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"to_pandas\(\) needs pandas: pip install pandas"):
        league.to_pandas()


def test_messages_of_a_tournament_are_counted_apart(tmp_path: Path) -> None:
    league = tournament(
        "ibench/TrustGame-v1",
        {"odd": f"{HERE}:Mumbles", "tit": "trust/tft"},
        arguments={"retries": 1},
        out=tmp_path / "x",
    )
    for row in league.to_rows():
        kinds = [text.kind for match in league.matches for text in match.texts
                 if (match.match, text.seat) == (row["match"], row["seat"])]  # fmt: skip
        assert (row["moves"], row["invalid"]) == (kinds.count("move"), len(kinds) - kinds.count("move"))
        assert (row["invalid"] > 0) == (row["player"] == "odd")


def test_resuming_plays_what_is_missing(tmp_path: Path) -> None:
    whole = evaluate(PUZZLE, "random", episodes=4, out=tmp_path / "run")
    path = whole.folder / "episodes.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    heard: list[str] = []
    again = evaluate(out=whole.folder, resume=True, on_episode=lambda job, record: heard.append(job.cell.agent))
    assert (len(heard), len(again.episodes)) == (2, 4)
    for call, why in (
        (functools.partial(evaluate, resume=True), "resume=True needs the folder"),
        (functools.partial(evaluate, out=tmp_path / "x"), "name at least one environment"),
        (functools.partial(evaluate, PUZZLE, out=tmp_path / "x"), "name at least one player"),
        (functools.partial(evaluate, PUZZLE, [lambda: None], out=tmp_path / "x"), "no name that a record could keep"),
        (functools.partial(evaluate, [gym.Env()], "random", out=tmp_path / "x"), "is an id or a class"),
    ):
        with pytest.raises(ConfigError, match=why):
            call()


def test_classes_are_named_in_the_record_even_local_ones(tmp_path: Path) -> None:
    class Local(Agent):
        def __init__(self, word: str = "No.") -> None:
            self.word = word

        def act(self, observation: str, info: Any) -> str:
            return self.word

    run = evaluate(PUZZLE, [Local, functools.partial(Local, word="Yes?")], episodes=1, out=tmp_path / "run")
    assert [record.agent["spec"] for record in run.episodes] == [
        "tests.test_python_face:Local",
        "tests.test_python_face:Local?word=%22Yes%3F%22",
    ]
    assert [record.steps[0].action for record in run.episodes] == ["No.", "Yes?"]


def test_a_tournament_and_a_comparison_by_pass_at_k(tmp_path: Path) -> None:
    league = tournament(
        "ibench/TrustGame-v1", {"A": "trust/tft", "B": "trust/grim"}, out=tmp_path / "league", repeats=2
    )
    assert len(league.matches) == 4
    assert "A" in league.table()
    assert league.missing == 0
    assert league.report().is_file()
    content = passk(PUZZLE, "rule", problems=2, samples=2, out=tmp_path / "passk")
    assert content["missing"] == 0
    assert (tmp_path / "passk" / "interactive" / "report.html").is_file()


def test_suites_are_lists_of_environments(tmp_path: Path) -> None:
    boxes = suite("qualification")
    run = evaluate(boxes[:1], "random", episodes=1, out=tmp_path / "run")
    assert run.config.cells[0].env_id == boxes[0][0]
    with pytest.raises(ConfigError):
        suite("qualificatio")


# A user's wrapper.


def test_a_wrapper_takes_part_and_is_named_and_replayed(tmp_path: Path) -> None:
    given = [foreign.Hint, functools.partial(foreign.Doubled, factor=3)]
    run = evaluate(PUZZLE, "rule", wrappers=given, episodes=3, out=tmp_path / "wrapped")
    plain = evaluate(PUZZLE, "rule", episodes=3, out=tmp_path / "plain")
    for record, bare in zip(run.episodes, plain.episodes, strict=True):
        assert record.wrappers == (f"{HERE}:Hint", f"{HERE}:Doubled?factor=3")
        assert record.seed == bare.seed
        assert [step.observation for step in record.steps] == [
            f"{step.observation}\nHint: think." for step in bare.steps
        ]
        assert record.reward == 3 * bare.reward
        assert record.outcome == bare.outcome
    assert run.replay() == []
    path = run.folder / "episodes.jsonl"
    path.write_text(path.read_text().replace("Hint: think.", "Hint: sleep.", 1))
    (run.folder / "index.jsonl").unlink()
    assert len(Run(run.folder).replay()) == 1


def test_a_judge_is_asked_once_below_wrappers(tmp_path: Path) -> None:
    judge = "offline?embeddings=false"
    with pytest.warns(UserWarning, match="replies 'Not understood.' to nearly every question"):
        run = evaluate(
            PUZZLE,
            "rule",
            wrappers=foreign.Hint,
            arguments={"mode": "free"},
            judges=judge,
            episodes=2,
            out=tmp_path / "run",
        )
    verdicts = [step.verdict for record in run.episodes for step in record.steps]
    assert any(verdict is not None for verdict in verdicts)
    assert run.replay() == []
    assert run.rescore(judge)["cells"][0]["judge_errors"] == 0


@pytest.mark.parametrize(
    ("wrapper", "why"),
    [
        (foreign.Broken, r"wrapper tests\.foreign:Broken failed: KeyError\('bug'\)"),
        (foreign.Blind, r"wrapper tests\.foreign:Blind gave a int as observation, where a text player needs a str"),
        (foreign.Eager, "stepped the environment twice for one action"),
        (functools.partial(foreign.Doubled, factor=float("inf")), "is no finite number"),
        (functools.partial(foreign.Doubled, size=2), "option of wrapper"),
        (foreign.Half, "is no class derived from"),
        ("tests.nowhere:Hint", "cannot be imported"),
        (lambda env: env, "has no name that a record could keep"),
    ],
)
def test_a_broken_wrapper_is_one_line_and_nothing_is_scored(wrapper: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=why):
        evaluate(PUZZLE, "rule", wrappers=wrapper, episodes=1, out=tmp_path / "run")
    assert not (tmp_path / "run").exists() or not Run(tmp_path / "run").episodes
    assert not (tmp_path / "run" / "faults.jsonl").exists()


def test_a_wrapper_may_end_an_episode(tmp_path: Path) -> None:
    run = evaluate(PUZZLE, "rule", wrappers=foreign.Short, episodes=2, out=tmp_path / "run")
    assert [(record.outcome, record.turns) for record in run.episodes] == [("timeout", 1)] * 2
    assert run.replay() == []
    assert run.report().is_file()


def test_a_wrapper_that_the_arguments_do_not_name_is_not_replayed(tmp_path: Path) -> None:
    run = evaluate(PUZZLE, "random", wrappers=foreign.Hint, episodes=1, out=tmp_path / "run")
    record = lines(run)[0] | {"wrappers": ["mine:Other"]}
    (run.folder / "episodes.jsonl").write_text(json.dumps(record) + "\n")
    (run.folder / "index.jsonl").unlink()
    with pytest.raises(ConfigError, match="played with the wrapper mine:Other"):
        Run(run.folder).replay()


# Environments of other packages.


def test_a_plain_environment_is_played_reported_and_replayed(tmp_path: Path) -> None:
    run = evaluate([GUESS, (foreign.Guess, {"largest": 4})], [HALF, "random", f"{HERE}:Silent"], episodes=4,
                   out=tmp_path / "run")  # fmt: skip
    outcomes = {record.agent["spec"]: set[str]() for record in run.episodes}
    for record in run.episodes:
        outcomes[record.agent["spec"]].add(record.outcome)
        assert record.env.id == GUESS
    assert outcomes[HALF] == {"success"}
    assert outcomes[f"{HERE}:Silent"] == {"format_error"}
    assert run.replay() == []
    assert run.report().is_file()
    command = CliRunner().invoke(main, ["run", GUESS, "-k", "largest=4", "--agent", HALF, "--episodes", "2", "--out",
                                        str(tmp_path / "cli")])  # fmt: skip
    assert command.exit_code == 0, command.output
    assert "100.0%" in command.output
    with pytest.raises(UnknownNameError, match=r"argument of tests\.foreign:Guess: 'larges'; did you mean 'largest'"):
        evaluate(GUESS, "random", arguments={"larges": 3}, out=tmp_path / "x")


def test_what_has_no_texts_or_is_no_environment_is_one_line(tmp_path: Path) -> None:
    for given, why in (
        (foreign.Numbers, r"has Discrete\(2\) as its observation space; a text player needs"),
        (foreign.Half, "is no class derived from gymnasium.Env"),
        ("tests.nowhere:Env", "there is no module 'tests.nowhere'|No module named"),
        ("mine/Nothing-v0", "unknown environment 'mine/Nothing-v0'"),
        ("CartPole-v1", "a text player needs"),
    ):
        with pytest.raises(ConfigError, match=why):
            evaluate(given, "random", episodes=1, out=tmp_path / "run")


def test_an_id_registered_with_gymnasium(tmp_path: Path) -> None:
    gym.register("mine/Guess-v0", entry_point=f"{HERE}:Guess", kwargs={"largest": 4}, max_episode_steps=3)
    try:
        run = evaluate(f"{HERE}:mine/Guess-v0", [HALF, "random"], episodes=5, out=tmp_path / "run")
        assert {record.outcome for record in run.episodes if record.agent["spec"] == HALF} <= {"success", "timeout"}
        assert max(record.turns - record.invalid for record in run.episodes) == 3
        assert "1 to 4" in run.episodes[0].steps[0].observation
        assert run.replay() == []
    finally:
        del gym.registry["mine/Guess-v0"]


def test_a_plain_environment_passes_every_property() -> None:
    findings = list(validate(GUESS))
    assert [f"{finding.check}: {finding.problem}" for finding in findings if not finding.ok] == []
    assert sum(not finding.skipped for finding in findings) >= 20
