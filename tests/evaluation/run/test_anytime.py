"""Answers between the turns: asked for without a trace, judged exactly, paid for apart; what reports say of them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from click.testing import CliRunner

import interactive_envs
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents import llm
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, CostLimitError, ProviderError
from interactive_envs.evaluation.export import export
from interactive_envs.evaluation.run import pool, replay
from interactive_envs.evaluation.run.anytime import STILL_THINKING, UNCLEAR
from interactive_envs.evaluation.run.episode import Job, Spending, play_episode
from interactive_envs.judges.asking import VerdictError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.reporting.asking import anytime
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from tests.loopback import Loopback

PUZZLE = "ibench/SituationPuzzle-v1"
HERE = __name__
SEED = 8
"""Of an episode in which B is right and the random player asks five questions."""
REQUEST = "\nGive your final answer now: <answer>…</answer>. Nothing else is read."


class Counts(Agent):
    """Asks the first question four times; says how often it has acted, which a fork must not change."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self.acted = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self.acted += 1
        letter = "ABCDE"[(self.acted - 1) % 5]
        return f"<answer>{letter}</answer>" if "ask" not in info["action_tags"] or self.acted > 4 else "<ask>1</ask>"


class Unreadable(Counts):
    """Sends nothing readable at its second turn, and never concludes when it is asked to."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        text = super().act(observation, info)
        return "hm" if self.acted == 2 else text

    def conclude(self, observation: str, info: Mapping[str, Any]) -> str:
        return "<ask>2</ask>"


class Holds(Counts):
    """Holds what no copy can."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        super().reset(seed=seed, info=info)
        self.held = (one for one in ())


class Breaks(Counts):
    """Its endpoint fails when it is asked to conclude."""

    def conclude(self, observation: str, info: Mapping[str, Any]) -> str:
        error = ProviderError("down")
        error.calls = (ModelCall("fake/model", (), "", cost=0.25),)
        raise error


class Slow(Counts):
    """Is late with its second turn only."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        import time

        text = super().act(observation, info)
        if self.acted == 2 and "ask" in info["action_tags"]:
            time.sleep(0.6)
        return text


class Loud(gym.ObservationWrapper[Any, Any, Any]):
    """Shouts."""

    def observation(self, observation: Any) -> Any:
        return str(observation).upper()


class Moody(Judge):
    """Says yes to questions; of final answers the first breaks, the second is unclear, the others are wrong."""

    name = "moody"
    finals = 0

    def judge(self, request: JudgeRequest) -> Verdict:
        call = ModelCall("fake/judge", (), "no", usage=Usage(3, 1), cost=0.125)
        if request.kind == "question":
            return Verdict(request.labels[0], calls=(call,))
        type(self).finals += 1
        if self.finals == 1:
            raise VerdictError("no idea", (call,))
        return Verdict(request.labels[-1], abstained=self.finals == 2, calls=(call,))


def play(agent: str, env_id: str = PUZZLE, *, forked: bool = True, **arguments: Any) -> EpisodeRecord:
    env = interactive_envs.make(env_id, **arguments)
    player = resolve_agent(agent, env_id)()
    try:
        return play_episode(env, player, Job(0, Cell(env_id, arguments, agent), None, 0, 0, SEED, anytime=forked))
    finally:
        player.close()
        env.close()


def trace(record: EpisodeRecord) -> str:
    """All of an episode but the clock, the money and the answers between its turns.

    What a server found in its cache is money: it may remember the questions in between.
    """
    content = record.to_json()
    content["tokens"] = {**content["tokens"], "cached": None}
    for name in ("anytime", "seconds", "ended", "paid"):
        content.pop(name, None)
    for step in content["steps"]:
        step.pop("seconds")
        for call in step["calls"]:
            call.pop("latency")
            call["usage"] = {**call["usage"], "cached": None}
    return json.dumps(content)


@pytest.mark.parametrize(
    ("env_id", "agent"),
    [
        (PUZZLE, f"{HERE}:Counts"),
        (PUZZLE, "rule"),
        (PUZZLE, "random"),
        (PUZZLE, "reader"),
        (PUZZLE, "relay:random,rule"),
        ("ibench/BlackBox-cipher-01248-counts-v1", "reference"),
    ],
)
def test_the_episode_is_the_same_to_the_byte(env_id: str, agent: str) -> None:
    record = play(agent, env_id)
    assert trace(record) == trace(play(agent, env_id, forked=False))
    assert record.anytime
    assert len(record.anytime.answers) > 1
    assert EpisodeRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert "anytime" not in play(agent, env_id, forked=False).to_json()
    assert replay.mismatch(record) is None


def test_every_turn_has_an_answer_which_the_rules_decide() -> None:
    record = play(f"{HERE}:Counts")
    assert record.anytime
    assert record.anytime.most == 7
    assert record.solution.startswith("B. ")
    found = [(one.steps, one.questions, one.spent, one.said, one.outcome, one.reward) for one in record.anytime.answers]
    assert found == [
        (turn, turn, turn, (f"<answer>{letter}</answer>",), outcome, float(outcome == "success"))
        for turn, letter in enumerate("ABCDE")
        for outcome in ["success" if letter == "B" else "failure"]
    ]


def test_what_cannot_be_read_is_wrong_and_costs_no_round_but_spends_where_it_was_played() -> None:
    record = play(f"{HERE}:Unreadable")
    assert record.anytime
    found = [(one.questions, one.spent, one.valid, one.outcome, one.reward) for one in record.anytime.answers]
    assert found[:3] == [
        (0, 0, False, "format_error", 0.0),
        (1, 1, False, "format_error", 0.0),
        (1, 2, False, *found[2][3:]),
    ]
    assert [step.kind for step in record.steps][:3] == ["query", "invalid", "query"]


def test_a_changed_answer_is_found_by_replaying() -> None:
    record = play(f"{HERE}:Counts")
    content = record.to_json()
    answer = next(one for one in content["anytime"]["answers"] if one["outcome"] == "failure")
    answer.update(outcome="success", reward=1.0)
    assert replay.mismatch(EpisodeRecord.from_json(content)) == (
        f"before step {answer['steps'] + 1}: the answer asked for was success, now failure"
    )


class Client:
    """A model that asks, and answers where it must; it notes what it is sent."""

    priced = True
    requests: list[CompletionRequest] = []  # noqa: RUF012 - agents make the client, the test reads it

    def __init__(self, model: str, **options: Any) -> None:
        self.model = model

    def complete(self, request: CompletionRequest) -> ModelCall:
        self.requests.append(request)
        text = reply_to(request.messages)
        return ModelCall(self.model, tuple(request.messages), text, "stop", Usage(10, 2), 0.5)

    def close(self) -> None:
        """Nothing to close."""


def reply_to(messages: Sequence[Any]) -> str:
    """Ask three questions, then answer; asked for a final answer, give one that depends on the dialogue's length."""
    asked = sum(message["role"] == "assistant" for message in messages)
    if "Nothing else is read" in str(messages[-1]["content"]):
        return f"Well: <answer>{'ABCDE'[asked % 5]}</answer>"
    return f"<think>hm</think>Let me see. <ask>{asked + 1}</ask>" if asked < 3 else "<answer>B</answer>"


def test_a_model_is_asked_in_a_copy_of_its_dialogue_and_the_bill_is_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "client", Client)
    Client.requests.clear()
    record, spending = play("llm:fake/model"), Spending(None)
    asked = [request.messages for request in Client.requests]
    assert len(asked) == 8
    forks, own = asked[0::2], asked[1::2]
    for fork, turn in zip(forks, own, strict=True):
        assert [*fork[:-1], {**fork[-1], "content": fork[-1]["content"].removesuffix(REQUEST)}] == turn
        assert fork[-1]["content"].endswith(REQUEST)
    Client.requests.clear()
    assert trace(play("llm:fake/model", forked=False)) == trace(record)
    assert [request.messages for request in Client.requests] == own
    assert record.anytime
    assert (record.cost, record.anytime.cost, record.paid) == (2.0, 2.0, 4.0)
    assert (record.tokens, record.anytime.tokens) == (Usage(40, 8), Usage(40, 8))
    assert [len(one.calls[0].messages) for one in record.anytime.answers] == [2, 2, 2, 2], "only what is new is kept"
    env, player = interactive_envs.make(PUZZLE), resolve_agent("llm:fake/model", PUZZLE)()
    play_episode(env, player, Job(0, Cell(PUZZLE, {}, "x"), None, 0, 0, 3, anytime=True), spending)
    assert spending.spent == 4.0


def test_the_cost_limit_counts_what_is_asked_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "client", Client)
    env, player, spending = interactive_envs.make(PUZZLE), resolve_agent("llm:fake/model", PUZZLE)(), Spending(2.0)
    with pytest.raises(CostLimitError):
        play_episode(env, player, Job(0, Cell(PUZZLE, {}, "x"), None, 0, 0, 3, anytime=True), spending)
    assert spending.spent == 2.0


@pytest.mark.parametrize("history", ["full", "last:1", "none"])
def test_an_endpoint_s_run_is_the_same_with_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, history: str
) -> None:
    with Loopback(reply_to) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        agent = f"llm:openai/m?base_url={server.url}&cache=false&history={history}"
        traces = []
        for forked in (False, True):
            config = RunConfig((Cell(PUZZLE, {}, agent),), 2, 3, anytime=forked)
            store = pool.run(config, tmp_path / str(forked), workers=2)
            traces.append([trace(store.episode(row)) for row in store.rows()])
            assert ("anytime" in json.loads((tmp_path / str(forked) / "config.json").read_text())) is forked
    assert traces[0] == traces[1]
    answered = store.episode(store.rows()[0]).anytime
    assert answered
    assert [one.missing for one in answered.answers] == [""] * len(answered.answers)


def test_a_fault_in_between_is_a_missing_answer_and_is_paid_for() -> None:
    record = play(f"{HERE}:Breaks")
    assert record.anytime
    assert {one.missing for one in record.anytime.answers} == {"provider_error: down"}
    assert {(one.outcome, one.reward) for one in record.anytime.answers} == {(None, None)}
    assert record.paid == 0.25 * len(record.anytime.answers)
    assert trace(record).replace("Breaks", "Counts") == trace(play(f"{HERE}:Counts", forked=False))
    assert replay.mismatch(record) is None


def test_a_judge_s_fault_or_doubt_is_a_missing_answer_and_its_bill_is_apart() -> None:
    Moody.finals = 0
    record = play("rule?questions=3", mode="free", judge=Moody(), approximate=True)
    assert record.anytime
    first, second, third, *_ = record.anytime.answers
    assert first.missing == "judge_error: no idea"
    assert (second.missing, second.reward) == (UNCLEAR, None)
    assert (third.missing, third.outcome, third.reward) == ("", "failure", 0.0)
    assert [call.cost for call in third.judge_calls] == [0.125]
    told = sum(len(one.judge_calls) for one in record.anytime.answers)
    assert record.anytime.judge_tokens == Usage(3 * told, told)
    assert record.judge_cost == 0.125 * sum(bool(step.verdict) for step in record.steps)


def test_nobody_is_asked_while_a_late_turn_is_still_being_thought_of() -> None:
    env, player = interactive_envs.make(PUZZLE), Slow()
    cell = Cell(PUZZLE, {}, f"{HERE}:Slow")
    record = play_episode(env, player, Job(0, cell, None, 0, 0, 3, time_limit=0.4, anytime=True))
    assert record.anytime
    assert STILL_THINKING in [one.missing for one in record.anytime.answers]
    assert "<timeout/>" in [step.action for step in record.steps]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (Cell("ibench/TrustGame-v1", {}, "tft"), "nothing to conclude"),
        (Cell("ibench/Game-sum-shy-v1", {}, "random"), "nothing to conclude"),
        (Cell("ibench/BlackBox-puzzle-bandit-v1", {}, "reference"), "begins anew"),
        (Cell(PUZZLE, {}, "human"), "a person cannot be asked in between"),
        (Cell(PUZZLE, {}, f"{HERE}:Holds"), "cannot be copied"),
        (Cell(PUZZLE, {"wrappers": [f"{HERE}:Loud"]}, "rule"), "wrappers of your own"),
    ],
)
def test_what_cannot_be_asked_in_between_is_refused_before_the_run(tmp_path: Path, cell: Cell, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        pool.run(RunConfig((cell,), 1, anytime=True), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_where_no_question_is_allowed_nobody_is_asked() -> None:
    record = play("random", no_interaction=True)
    assert record.anytime
    assert (record.anytime.most, record.anytime.answers) == (0, ())


def test_values_go_on_with_what_the_player_earned_by_itself() -> None:
    answers = [
        {"spent": 0, "reward": 0.0},
        {"spent": 1, "reward": None},
        {"spent": 1, "reward": 1.0},
        {"spent": 3, "reward": 0.5},
    ]
    assert anytime.values_of({"most": 5, "answers": answers}, 0.25) == [0.0, 1.0, None, 0.5, 0.25, 0.25]
    assert anytime.values_of({"most": 1, "answers": answers[:1]}, None) == [0.0, None]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a player that asks well and concludes badly, one that does the reverse, and both with the reference."""
    asks, infers = "reader?misread=0.3", "random"
    agents = ["reference", f"relay:reference,{asks}", f"relay:{infers},reference"]
    folder = tmp_path_factory.mktemp("anytime") / "run"
    given = [option for agent in agents for option in ("--agent", agent)]
    told = CliRunner().invoke(main, ["run", PUZZLE, *given, "--anytime", "--episodes", "8", "--out", str(folder)])
    assert told.exit_code == 0, told.output
    (folder / "told.txt").write_text(told.output)
    return folder


def test_a_run_prints_and_keeps_the_curve(played: Path) -> None:
    told = (played / "told.txt").read_text()
    assert "Accuracy by budget\n---" in told
    assert "area under" in told
    assert "Who asks by who concludes\n---" in told
    content = json.loads((played / "anytime.json").read_text())
    reference = content["cells"][0]
    values = [point["value"] for point in reference["points"]]
    assert values == sorted(values), "the reference only learns"
    assert values[-1] == reference["own"]["value"] == 1.0
    assert reference["area"]["value"] == pytest.approx(sum(values) / len(values))
    assert {point["n"] for point in reference["points"]} == {8}
    assert [point["share"] for point in reference["at"]] == [0.0, 0.25, 0.5, 1.0]
    assert reference["at"][-1]["value"] == values[-1]


def test_the_page_shows_curve_tables_and_answers(played: Path) -> None:
    page = (played / "report.html").read_text()
    assert 'id="figure-anytime"' in page
    assert 'href="#anytime"' in page
    assert 'id="relays"' in page
    assert len(re.findall("asked now: ", page)) > 8
    chart = list(csv.DictReader((played / "charts" / "anytime.csv").read_text().splitlines()))
    assert [row["questions_spent"] for row in chart[:3]] == ["0", "1", "2"]


def test_answers_are_exported_a_row_each(played: Path, tmp_path: Path) -> None:
    path, count = export([played], tmp_path / "answers.csv", "csv", anytime=True)
    rows = list(csv.DictReader(path.read_text().splitlines()))
    store = RunStore.read_only(played)
    answers = [one for row in store.iterate() for one in (store.episode(row).anytime or pytest.fail("none")).answers]
    assert len(rows) == count == len(answers)
    assert [row["answer"] for row in rows] == [one.said[-1] for one in answers]
    assert {row["most"] for row in rows} == {"7"}
    told = CliRunner().invoke(main, ["export", "csv", str(played), "--anytime"])
    assert told.output.split() == [f"{count:,}", "rows:", str(played / "anytime.csv")]


def test_a_run_without_them_has_none_to_export(tmp_path: Path) -> None:
    pool.run(RunConfig((Cell(PUZZLE, {}, "random"),), 1), tmp_path / "run")
    with pytest.raises(ConfigError, match="play it with --anytime"):
        export([tmp_path / "run"], None, "csv", anytime=True)


def test_a_resumed_run_asks_in_between_as_before_or_says_what_differs(played: Path, tmp_path: Path) -> None:
    config = RunStore.read_only(played).config
    assert config.anytime
    assert RunConfig.from_json(config.as_json()) == config
    with pytest.raises(ConfigError, match="anytime"):
        RunConfig.from_json(config.as_json() | {"anytime": 1})


def test_the_suite_core_is_played_as_it_is() -> None:
    told = CliRunner().invoke(main, ["run", "--suite", "core", "--agent", "random", "--anytime"])
    assert "leave out --anytime" in told.output


def test_python_asks_in_between_too(tmp_path: Path) -> None:
    run = interactive_envs.evaluate(PUZZLE, "reference", episodes=2, out=tmp_path / "run", anytime=True)
    assert all(one.anytime and one.anytime.answers for one in run.episodes)
    assert "Accuracy by budget" in run.report().read_text()


@pytest.mark.long
def test_the_local_model_asks_concludes_and_answers_in_between(tmp_path: Path) -> None:
    """End to end, with a real model on either side: the episodes are the same with and without answers in between."""
    agents = [
        "local",
        "relay:local,reference",
        "relay:reference,local?temperature=0.3",
        "relay:local,local?history=none",
    ]
    traces = []
    for forked in (False, True):
        folder = tmp_path / str(forked)
        run = interactive_envs.evaluate((PUZZLE, {"budget": 3}), agents, episodes=1, out=folder, anytime=forked)
        traces.append([trace(record) for record in run.episodes])
    assert traces[0] == traces[1]
    assert [replay.mismatch(record) for record in run.episodes] == [None] * 4
    for record in run.episodes:
        assert record.anytime
        assert all(not one.missing and one.valid for one in record.anytime.answers)
        parts = {call.part for step in record.steps for call in step.calls}
        assert parts <= ({"asker", "concluder"} if "relay" in record.agent["spec"] else {""})
    page = run.report().read_text()
    assert "Who asks by who concludes" in page
    assert "Spent by each part" in page
