"""Relays: who asks and who concludes, what passes between them, and where there is nothing to conclude."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import interactive_envs
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents import llm
from interactive_envs.agents.relay import NOT_SENT, RelayAgent
from interactive_envs.dialogue.protocol import UNREAD
from interactive_envs.errors import ConfigError, ProviderError
from interactive_envs.evaluation.run import pool, replay
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.reporting.asking import relays
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.specs import parse_spec, relay_parts
from tests.loopback import Loopback

PUZZLE = "ibench/SituationPuzzle-v1"
HERE = __name__
EPISODES = 12
Models = Callable[..., dict[str, list[CompletionRequest]]]


class Scripted(Agent):
    """Says its lines, one a turn; the last one again and again."""

    from_view = True
    lines: Sequence[str] = ()

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._left = list(self.lines)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return self._left.pop(0) if len(self._left) > 1 else self._left[0]


class AsksTwice(Scripted):
    """Asks two questions, thinking aloud, one of them unreadable, then would answer A."""

    lines = (
        "SECRET: <ask>1</ask>",
        "SECRET without an action",
        "<think>SECRET</think>ask 2",
        "SECRET <answer>A</answer>",
    )


class NeverAnswers(Scripted):
    """Asks the first question as long as it may."""

    lines = ("<ask>1</ask>",)


class OnlyAsks(Scripted):
    """Never answers, not even where it must conclude."""

    lines = ("<ask>2</ask>",)


class Keeps(Agent):
    """Keeps what it asked, and cannot see what another one did."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return "<answer>A</answer>"


class Listens(Agent):
    """Notes everything that it is shown."""

    heard: list[tuple[str, str]] = []  # noqa: RUF012 - the run makes the player, the test reads it
    infos: list[Mapping[str, Any]] = []  # noqa: RUF012

    def witness(self, observation: str, info: Mapping[str, Any], action: str) -> None:
        self.heard.append((observation, action))
        self.infos.append(info)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self.heard.append((observation, ""))
        self.infos.append(info)
        return "<answer>A</answer>"


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Models:
    """Replace the clients: ``models(a=["<ask>1</ask>"])`` gives the model ``a/m`` its lines, and keeps its requests."""

    def install(**lines: Sequence[str | Exception]) -> dict[str, list[CompletionRequest]]:
        requests: dict[str, list[CompletionRequest]] = {name: [] for name in lines}

        class Client:
            priced = True

            def __init__(self, model: str, **options: Any) -> None:
                self.model, self.name = model, model.partition("/")[0]
                self.left = list(lines[self.name])

            def complete(self, request: CompletionRequest) -> ModelCall:
                requests[self.name].append(request)
                line = self.left.pop(0)
                if isinstance(line, Exception):
                    raise line
                return ModelCall(self.model, tuple(request.messages), line, "stop", Usage(10, 2), 0.5)

        monkeypatch.setattr(llm, "client", Client)
        return requests

    return install


def play(agent: str, env_id: str = PUZZLE, seed: int = 3, **arguments: Any) -> EpisodeRecord:
    env = interactive_envs.make(env_id, **arguments)
    player = resolve_agent(agent, env_id)()
    try:
        return play_episode(env, player, Job(0, Cell(env_id, arguments, agent), None, 0, 0, seed))
    finally:
        player.close()
        env.close()


def actions(record: EpisodeRecord) -> list[tuple[str, str]]:
    return [(step.kind, step.action) for step in record.steps]


def sent(request: CompletionRequest) -> list[tuple[str, str]]:
    return [(message["role"], str(message["content"])) for message in request.messages[1:]]


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("relay:reference,rule", ("reference", "rule")),
        ("relay: rule , llm:x/y?temperature=0&top_p=1", ("rule", "llm:x/y?temperature=0&top_p=1")),
        ("relay:llm:a/b?temperature=0,llm:c/d?seed=1", ("llm:a/b?temperature=0", "llm:c/d?seed=1")),
        ('relay:llm:a/b?stop=["x,y",1],rule', ('llm:a/b?stop=["x,y",1]', "rule")),
        ("relay:ppo:/my%2Cfolder/net.npz?temperature=0,rule", ("ppo:/my,folder/net.npz?temperature=0", "rule")),
        ("llm:a/b?x=relay", None),
        ("rule", None),
    ],
)
def test_a_relay_s_spec_holds_two_players_with_options_of_their_own(spec: str, parts: Any) -> None:
    assert relay_parts(spec) == parts
    if parts:
        assert parse_spec(spec).name == "relay"
        assert parse_spec(spec).options == {}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("relay:rule", "two players"),
        ("relay", "needs a target"),
        ("relay:rule,", "two players"),
        ("relay:rule,random,rule", "two players"),
        ("relay:rule,relay:random,rule", "cannot hold another"),
        ("relay:rule,situation-puzzle/refrence", "did you mean"),
        ("relay:rule?questons=2,rule", "questions"),
    ],
)
def test_what_is_no_relay_is_said_in_one_sentence(spec: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        resolve_agent(spec, PUZZLE)()


def test_short_names_and_options_are_those_of_each_player() -> None:
    relay = resolve_agent("relay:reader?misread=0,rule?questions=2", PUZZLE)()
    assert isinstance(relay, RelayAgent)
    assert relay.describe() == {
        "name": "relay",
        "asker": {"spec": "reader?misread=0", "name": "reader"},
        "concluder": {"spec": "rule?questions=2", "name": "rule"},
    }
    assert relay.repeats
    assert relay.priced
    assert not relay.interactive


def test_the_asker_s_answer_is_never_sent_and_the_concluder_answers_instead() -> None:
    record = play(f"relay:{HERE}:AsksTwice,{HERE}:Keeps".replace("Keeps", "Listens"))
    assert actions(record) == [
        ("query", "<ask>1</ask>"),
        ("invalid", "SECRET without an action"),
        ("query", "<ask>2</ask>"),
        ("final", "<answer>A</answer>"),
    ]
    assert record.turns == 4, "invalid messages cost as always"


def test_of_the_asker_s_messages_the_action_alone_passes() -> None:
    Listens.heard.clear()
    Listens.infos.clear()
    record = play(f"relay:{HERE}:AsksTwice,{HERE}:Listens")
    assert [action for _, action in Listens.heard] == ["<ask>1</ask>", "", "<ask>2</ask>", ""]
    assert [text for text, _ in Listens.heard[:-1]] == [step.observation for step in record.steps[:-1]]
    request = "\nGive your final answer now: <answer>…</answer>. Nothing else is read."
    assert Listens.heard[-1][0] == record.steps[-1].observation + request
    assert "SECRET" not in repr(Listens.heard) + repr(Listens.infos)
    last = Listens.infos[-1]
    assert [exchange.text for exchange in last["view"].exchanges] == ["<ask>1</ask>", UNREAD, "<ask>2</ask>"]
    assert (last["action_tags"], last["view"].queries_allowed) == (("answer",), False)
    assert {text[:8] for text in last["legal_actions"]} == {"<answer>"}


def test_a_model_concludes_from_rules_and_exchanges_as_if_it_had_asked(models: Models) -> None:
    requests = models(a=["Hm, SECRET. <ask>1</ask>", "SECRET", "done: <answer>B</answer>"], b=["So <answer>C</answer>"])
    record = play("relay:llm:a/m,llm:b/m?temperature=1")
    first, second, third = record.steps
    assert actions(record) == [
        ("query", "<ask>1</ask>"),
        ("invalid", "SECRET"),
        ("final", "So <answer>C</answer>"),
    ]
    assert [sent(request) for request in requests["b"]] == [
        [
            ("user", first.observation),
            ("assistant", "<ask>1</ask>"),
            ("user", second.observation),
            ("assistant", "(no answer)"),
            ("user", f"{third.observation}\nGive your final answer now: <answer>…</answer>. Nothing else is read."),
        ]
    ]
    assert "SECRET" in str(sent(requests["a"][-1])), "who asks keeps its own words"
    assert [(call.part, call.model, call.cost) for step in record.steps for call in step.calls] == [
        ("asker", "a/m", 0.5),
        ("asker", "a/m", 0.5),
        ("asker", "a/m", 0.5),
        ("concluder", "b/m", 0.5),
    ]
    assert (record.cost, record.paid, record.tokens.prompt) == (2.0, 2.0, 40)
    assert EpisodeRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_a_model_without_history_reads_the_transcript_without_the_asker_s_words(models: Models) -> None:
    requests = models(a=["SECRET <ask>1</ask>", "SECRET", "A"], b=["A"])
    record = play("relay:llm:a/m,llm:b/m?history=none")
    (only,) = requests["b"]
    ((_, text),) = sent(only)
    assert "SECRET" not in text
    assert f"2. {UNREAD}\n   {record.steps[1].reply.partition(chr(10))[0]}" in text
    assert text.endswith("Rounds left: 6.\nGive your final answer now: <answer>…</answer>. Nothing else is read.")


def test_the_last_round_is_kept_for_the_answer() -> None:
    record = play(f"relay:{HERE}:NeverAnswers,reference", budget=4)
    assert [kind for kind, _ in actions(record)] == ["query", "query", "query", "final"]
    forced = play(f"relay:{HERE}:NeverAnswers,reference", budget=4, forced_final=True)
    assert [kind for kind, _ in actions(forced)] == ["query"] * 4 + ["final"]
    alone = play(f"relay:{HERE}:NeverAnswers,reference", no_interaction=True)
    assert [kind for kind, _ in actions(alone)] == ["final"]


def test_a_concluder_that_asks_loses_a_round_and_learns_nothing() -> None:
    record = play(f"relay:{HERE}:AsksTwice,{HERE}:OnlyAsks", budget=6)
    assert actions(record)[3:] == [("invalid", NOT_SENT)] * 3
    assert record.outcome == "timeout"
    assert record.queries == 2


def test_who_goes_by_its_own_questions_is_refused_as_concluder() -> None:
    with pytest.raises(ConfigError, match="cannot conclude, because it goes by what it asked itself"):
        play(f"relay:rule,{HERE}:Keeps")
    with pytest.raises(ConfigError, match="define witness"):
        Keeps().witness("", {}, "")


def test_the_rule_player_weighs_the_questions_of_another_as_its_own() -> None:
    """Asked the same questions, it answers the same, whoever asked."""
    alone = play("rule")
    assert actions(play("relay:rule,rule")) == actions(alone)
    script = [action for kind, action in actions(alone) if kind == "query"]
    other = type("Same", (Scripted,), {"lines": [*script, "<answer>A</answer>"]})
    env = interactive_envs.make(PUZZLE)
    relay = RelayAgent("random,rule")
    relay.settle("situation-puzzle")
    relay._players["asker"] = other()  # noqa: SLF001
    record = play_episode(env, relay, Job(0, Cell(PUZZLE, {}, "relay"), None, 0, 0, 3))
    assert actions(record) == actions(alone)


@pytest.mark.parametrize(
    ("env_id", "agent", "words"),
    [
        ("ibench/TrustGame-v1", "relay:tft,tft", "nothing to conclude"),
        ("ibench/Holdem-v1", "relay:random,random", "nothing to conclude"),
        ("ibench/Game-sum-shy-v1", "relay:random,random", "nothing to conclude"),
    ],
)
def test_where_there_is_nothing_to_conclude_the_run_is_refused_before_it_begins(
    tmp_path: Path, env_id: str, agent: str, words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        pool.run(RunConfig((Cell(env_id, {}, agent),), 1), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_tournament_refuses_a_relay(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to conclude"):
        interactive_envs.tournament("ibench/TrustGame-v1", ["relay:tft,tft", "tft"], out=tmp_path / "league")


def test_a_relay_looks_through_no_wrapper(tmp_path: Path) -> None:
    class Loud(gym.ObservationWrapper[Any, Any, Any]):
        def observation(self, observation: Any) -> Any:
            return str(observation).upper()

    env, player = Loud(interactive_envs.make(PUZZLE)), resolve_agent("relay:rule,reference", PUZZLE)()
    with pytest.raises(ConfigError, match="cannot look through wrapper"):
        play_episode(env, player, Job(0, Cell(PUZZLE, {}, "relay"), None, 0, 0, 3))


def test_calls_of_both_are_paid_for_where_the_second_one_fails(models: Models) -> None:
    models(a=["A"], b=[ProviderError("no")])
    from interactive_envs.evaluation.run.episode import Spending

    env, spending = interactive_envs.make(PUZZLE), Spending(None)
    player = resolve_agent("relay:llm:a/m,llm:b/m", PUZZLE)()
    with pytest.raises(ProviderError):
        play_episode(env, player, Job(0, Cell(PUZZLE, {}, "relay"), None, 0, 0, 3), spending)
    assert spending.spent == 0.5


def test_a_run_of_relays_repeats_replays_and_verifies(tmp_path: Path) -> None:
    from interactive_envs.evaluation.verify import verify

    config = RunConfig((Cell(PUZZLE, {}, "relay:rule?questions=3,reference"),), 2, 7)
    lines = []
    for name in ("one", "two"):
        store = pool.run(config, tmp_path / name, workers=2)
        lines.append([[step.to_json() | {"seconds": 0} for step in store.episode(row).steps] for row in store.rows()])
    assert lines[0] == lines[1]
    store = RunStore.read_only(tmp_path / "one")
    assert [replay.mismatch(store.episode(row)) for row in store.rows()] == [None, None]
    verified = verify(tmp_path / "one")
    assert (verified.findings, verified.notes) == ((), ())


def test_a_box_s_test_is_the_concluder_s_and_each_new_trial_the_asker_s() -> None:
    box = "ibench/BlackBox-puzzle-bandit-v1"
    relay, alone = play("relay:reference,random", box), play("reference", box)
    assert relay.reward < alone.reward == 1.0
    assert [kind for kind, _ in actions(relay)] == (["query"] * 10 + ["final"]) * 6
    assert actions(relay)[:10] == actions(alone)[:10], "the asker plays as it does alone"
    assert [step.kind for step in relay.steps if step.remember == 0] == ["query"] * 5


def test_a_late_action_is_forgotten_by_whoever_gave_it() -> None:
    env = interactive_envs.make(PUZZLE)
    observation, info = env.reset(seed=3)
    relay = resolve_agent(f"relay:{HERE}:AsksTwice,{HERE}:Listens", PUZZLE)()
    relay.reset(seed=3, info=info)
    Listens.heard.clear()
    assert relay.act(observation, info | {"handover": env.unwrapped.handover()}) == "<ask>1</ask>"
    relay.discard_last()
    observation, *_, info = env.step("<timeout/>")
    relay.act(observation, info | {"handover": env.unwrapped.handover()})
    relay.conclude(observation, info | {"handover": env.unwrapped.handover()})
    assert [action for _, action in Listens.heard] == ["", "", ""]
    relay.discard_last()


def test_the_tables_of_a_run_say_who_asks_who_concludes_and_what_each_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each number is worked out again from the records."""

    def mean(total: float) -> Any:
        return pytest.approx(total / EPISODES, abs=1e-6)

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Loopback(lambda messages: "<ask>1</ask>" if len(messages) < 6 else "<answer>B</answer>") as server:
        model = f"llm:openai/m?base_url={server.url}&cache=false"
        players = ["reference", f"relay:{model},reference", f"relay:reference,{model}"]
        run = interactive_envs.evaluate(PUZZLE, players, episodes=EPISODES, seed=3, out=tmp_path / "run")
    store = RunStore.read_only(run.folder)
    grid, differences, spending = relays.make(store, store.rows())
    won = [[float(one.outcome == "success") for one in run.episodes if one.cell == cell] for cell in range(3)]
    assert sum(won[0]) > sum(won[1]) > 0, "a question asked again and again tells less, and something"
    assert sum(won[0]) > sum(won[2]) > 0, "B is right now and then"
    names = [column.title.partition("|")[0] for column in grid.columns]
    assert names[0] == "reference"
    found = {
        (row["player"], place): row[f"by_{place}"]["value"]
        for row in grid.rows
        for place in range(2)
        if row[f"by_{place}"]["n"]
    }
    assert found == {
        ("reference", 0): mean(sum(won[0])),
        (model, 0): mean(sum(won[1])),
        ("reference", 1): mean(sum(won[2])),
    }
    gaps = {(row["as"], row["player"], row["minus"], row["with"]): row["difference"] for row in differences.rows}
    assert {key: one["value"] for key, one in gaps.items()} == {
        ("asker", model, "reference", "concluder reference"): mean(sum(won[1]) - sum(won[0])),
        ("concluder", model, "reference", "asker reference"): mean(sum(won[2]) - sum(won[0])),
    }
    assert {one["n"] for one in gaps.values()} == {EPISODES}
    spent = {(row["whole"], row["part"]): row for row in spending.rows}
    for cell, whole, part in (
        (1, f"{model} asks, reference concludes", "asker"),
        (2, f"reference asks, {model} concludes", "concluder"),
    ):
        mine = [one for one in run.episodes if one.cell == cell]
        calls = [call for one in mine for step in one.steps for call in step.calls]
        row = spent[whole, part]
        assert {call.part for call in calls} == {part}
        assert row["calls"]["value"] == mean(len(calls))
        assert row["tokens"]["value"] == mean(sum(one.tokens.prompt + one.tokens.completion for one in mine))
        assert row["cost"]["value"] is None, "the price of an endpoint of one's own is unknown, not 0"
        other = spent[whole, "concluder" if part == "asker" else "asker"]
        assert (other["calls"]["value"], other["tokens"]["value"], other["cost"]["value"]) == (0, 0, 0)
