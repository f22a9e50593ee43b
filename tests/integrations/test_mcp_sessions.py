"""Episodes by tool calls: ordinary records, endings, leaving and faults, all without the protocol."""

from __future__ import annotations

import importlib.util
import re
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.evaluation.run.replay import mismatch
from interactive_envs.evaluation.verify import verify
from interactive_envs.integrations.mcp.sessions import NEXT, RULES, Reply, Run, Session
from interactive_envs.making import make
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.registration import key_of
from interactive_envs.reporting.records import EpisodeRecord
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed
from interactive_envs.training.llm.tools import actions_of

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
SHORT = {"delta": 0.0, "matches": 2}


def make_run(tmp_path: Path, env_id: str = TRUST, arguments: dict[str, Any] | None = None, **more: Any) -> Run:
    return Run(env_id, SHORT if arguments is None else arguments, folder=tmp_path / "run", **more)


def records(tmp_path: Path) -> list[EpisodeRecord]:
    return list(RunStore.read_only(tmp_path / "run").episodes())


def test_an_episode_by_calls_is_an_ordinary_record_that_replays_and_verifies(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    session = Session(run, "Some Agent")
    rules = session.call(RULES, {})
    assert "COOPERATE" in rules.text
    assert session.call(RULES, {}) == rules
    assert not session.call("move", {"name": "COOPERATE"}).is_error
    last = session.call("move", {"name": "DEFECT"})
    assert last.text.endswith("\n\nThe episode is over. Outcome: scored. Reward: 5.")
    session.close()
    run.close()
    (record,) = records(tmp_path)
    assert [step.action for step in record.steps] == ["<move>COOPERATE</move>", "<move>DEFECT</move>"]
    assert record.agent == {"spec": "mcp:Some-Agent", "name": "mcp", "client": "Some-Agent"}
    assert record.cost is None
    assert mismatch(record) is None
    assert verify(tmp_path / "run").findings == ()


def test_the_episodes_are_those_of_a_run_and_a_second_server_goes_on_with_them(tmp_path: Path) -> None:
    run = make_run(tmp_path, episodes=3, seed=7)
    session = Session(run, "x")
    for _ in range(2):
        session.call("move", {"name": "DEFECT"})
        assert session.call("move", {"name": "DEFECT"}).text.endswith(f"Call {NEXT} for the next one.")
        assert session.call("move", {"name": "DEFECT"}).is_error
        session.call(NEXT, {})
    session.close()  # nothing was done in the third
    run.close()
    run = make_run(tmp_path, episodes=3, seed=7)
    session = Session(run, "x")
    for _ in range(2):
        last = session.call("move", {"name": "DEFECT"})
    assert NEXT not in last.text
    assert session.call(NEXT, {}) == Reply("no episode is left: 3 of 3 are over", True)
    session.close()
    run.close()
    played = records(tmp_path)
    from interactive_envs import evaluate

    same = list(evaluate((TRUST, SHORT), "trust/all-d", episodes=3, seed=7, out=tmp_path / "other").episodes)
    assert [(one.case, one.seed, one.reward) for one in played] == [(one.case, one.seed, one.reward) for one in same]
    assert [[step.reply for step in one.steps] for one in played] == [
        [step.reply for step in one.steps] for one in same
    ]


def test_sessions_at_once_play_episodes_of_their_own(tmp_path: Path) -> None:
    run = make_run(tmp_path, PUZZLE, {"budget": 3}, episodes=2)
    first, second = Session(run, "x"), Session(run, "x")
    assert first.call(RULES, {}) != second.call(RULES, {})
    threads = [
        threading.Thread(target=lambda one=one: [one.call("ask", {"question": "1"}) for _ in range(3)])
        for one in (first, second)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Session(run, "x").call(RULES, {}).text == "no episode is left: 2 of 2 are over"
    run.close()
    assert [mismatch(record) for record in records(tmp_path)] == [None, None]


def test_who_leaves_in_the_middle_plays_silence_and_that_counts(tmp_path: Path) -> None:
    run = make_run(tmp_path, PUZZLE, {"budget": 3}, episodes=2)
    session = Session(run, "x")
    session.call("ask", {"question": "1"})
    assert "3 rounds" in session.call(NEXT, {}).text
    session.close()
    run.close()
    (record,) = records(tmp_path)
    assert [step.action for step in record.steps] == ["<ask>1</ask>", "", ""]
    assert (str(record.outcome), record.agent["left"]) == ("timeout", 1)
    assert mismatch(record) is None


def test_reading_the_rules_alone_leaves_nothing_behind(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    session = Session(run, "x")
    session.call(RULES, {})
    assert (tmp_path / "run").exists()
    session.close()
    run.close()
    run.close()
    assert not (tmp_path / "run").exists()


def test_a_fault_is_an_error_and_no_score_and_the_episode_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(tmp_path)
    session = Session(run, "x")
    rules = session.call(RULES, {})

    def fails(*_: object) -> None:
        raise JudgeError("the judge is down")

    with monkeypatch.context() as patched:
        patched.setattr(SeatGame, "submit", fails)
        broken = session.call("move", {"name": "DEFECT"})
    assert broken.is_error
    assert "not counted" in broken.text
    assert "the judge is down" in broken.text
    assert session.call("move", {"name": "DEFECT"}).is_error
    assert session.call(NEXT, {}) == rules
    store = RunStore.read_only(tmp_path / "run")
    assert (store.rows(), store.faults()) == ([], 1)
    session.close()
    run.close()
    assert (tmp_path / "run").exists()


def test_a_failure_of_ours_reaches_the_client_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(tmp_path)
    session = Session(run, "x")
    session.call("move", {"name": "DEFECT"})
    monkeypatch.setattr("interactive_envs.evaluation.run.pool.finish", lambda _: 1 / 0)
    assert "ZeroDivisionError" in session.call("move", {"name": "DEFECT"}).text
    run.close()


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("mov", {}, "there is no tool 'mov'; the tools are rules, new_episode, move"),
        ("move", {}, "the argument 'name' is missing; call move(name). Nothing was played."),
        ("move", {"name": "DEFECT", "why": "x"}, "there is no argument 'why'; call move(name). Nothing was played."),
        ("move", {"name": ["DEFECT"]}, "the argument 'name' must be a text. Nothing was played."),
        ("move", {"name": "x" * 200_001}, "an argument has at most 200,000 characters. Nothing was played."),
    ],
)
def test_a_call_that_no_tool_takes_plays_nothing(tmp_path: Path, name: str, given: dict[str, Any], said: str) -> None:
    run = make_run(tmp_path)
    session = Session(run, "x")
    assert session.call(name, given) == Reply(said, True)
    assert not (tmp_path / "run").exists()
    assert not session.call("move", {"name": 7}).is_error  # a number is a text: the environment says what is wrong
    session.close()
    run.close()


def test_a_folder_belongs_to_one_player(tmp_path: Path) -> None:
    run = make_run(tmp_path, episodes=2)
    first = Session(run, "one")
    first.call(RULES, {})
    said = Session(run, "two").call(RULES, {})
    assert said.is_error
    assert "is played by mcp:one, and this client is mcp:two" in said.text
    first.close()
    run.close()
    named = make_run(tmp_path, episodes=2, player="us")
    for client in ("one", "two"):
        assert not Session(named, client).call(RULES, {}).is_error
    named.close()


def test_what_cannot_be_played_is_refused_before_a_client_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(catalog.load(), "units", {**catalog.load()["units"]})  # a stranger's is not remembered
    with pytest.raises(ConfigError, match="leave -k view out"):
        make_run(tmp_path, arguments={"view": "numeric"})
    with pytest.raises(ConfigError, match="did you mean"):
        make_run(tmp_path, "ibench/TrustGam-v1")
    with pytest.raises(ConfigError, match="no text actions with tags"):
        make_run(tmp_path, "tests.foreign:Guess", {})


def test_the_instructions_hold_the_rules_that_the_first_episode_has(tmp_path: Path) -> None:
    run = make_run(tmp_path, PUZZLE, {})
    told = run.instructions(opening=True)
    assert told.startswith("You are taking part in a game")
    session = Session(run, "x")
    assert told.endswith(f"\n\n{session.call(RULES, {}).text}")
    assert run.instructions(opening=False) == told.partition("\n\nThe rules of the first episode:")[0]
    session.close()
    run.close()
    among_people = make_run(tmp_path, TRUST, SHORT | {"opponents": ["human"]})
    assert "COOPERATE" not in among_people.instructions(opening=True)  # another opening each time


def test_a_probe_that_has_the_player_forget_is_no_game_for_a_client(tmp_path: Path) -> None:
    game = next(env_id for env_id in catalog.ids() if env_id.startswith("ibench/Query-set-deductive"))
    run = make_run(tmp_path, game, {"probes": ["necessity"]})
    session = Session(run, "x")
    reference = resolve_agent("query-games/reference", game)()
    env: Any = make(game, probes=["necessity"])
    observation, info = env.reset(seed=episode_seed(0, key_of(game, {"probes": ["necessity"]}), 0, 0))
    reference.reset(seed=1, info=info)
    for _ in range(100):
        text = reference.act(observation, info)
        observation, _, _, _, info = env.step(text)
        found = re.fullmatch(r"<(\w+)>(.*)</\w+>", text)
        assert found
        (field,) = next(action.fields for action in run.actions if action.name == found[1])
        reply = session.call(found[1], {field: found[2]})
        if reply.is_error:
            break
        assert reply.text.startswith(str(observation))
    assert reply.text.startswith("a probe begins the dialogue anew")
    assert session.call(RULES, {}).text
    session.close()
    run.close()
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("env_id", [PUZZLE, TRUST, "ibench/BlackBox-cipher-01248-counts-v1"])
def test_every_action_is_a_tool_with_a_schema(tmp_path: Path, env_id: str) -> None:
    tools = make_run(tmp_path, env_id, {}).tools
    assert len({tool.name for tool in tools}) == len(tools) > 2
    for tool in tools:
        assert tool.about.endswith(".")
        assert tool.schema["required"] == list(tool.schema["properties"])
        assert all(one["type"] == "string" and one["description"] for one in tool.schema["properties"].values())


@pytest.mark.long
def test_no_action_is_called_as_a_tool_that_is_none() -> None:
    ids = {catalog.entry(env_id)["entry_point"]: env_id for env_id in catalog.load()["units"]}.values()
    names = {action.name for env_id in ids if env_id.startswith("ibench/") for action in actions_of(env_id)}
    assert {"ask", "answer", "move"} <= names
    assert not names & {RULES, NEXT}


def test_a_client_plays_through_the_server_alone() -> None:
    agent = resolve_agent("mcp:x", TRUST)()
    assert (agent.repeats, agent.priced, agent.describe()) == (False, False, {"name": "mcp", "client": "x"})
    with pytest.raises(ConfigError, match="start it with: ibench mcp ID"):
        agent.act("", {})


def test_the_command_says_how_to_get_the_extra_where_it_is_missing() -> None:
    if importlib.util.find_spec("mcp_types"):
        pytest.skip("the extra mcp is installed")
    result = CliRunner().invoke(main, ["mcp", PUZZLE])
    assert result.exit_code == 2
    assert "ibench mcp needs an extra that is not installed: pip install 'interactive-envs[mcp]'" in result.output


def test_a_folder_that_cannot_be_written_is_said_to_the_client(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = Run(TRUST, SHORT, folder=tmp_path / "file" / "run")
    said = Session(run, "x").call(RULES, {})
    assert said.is_error
    assert "file" in said.text
    run.close()
