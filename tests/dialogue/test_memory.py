"""Dialogues that begin anew, messages that a judge does not understand, and verdicts that are estimates."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.agents.llm import LLMAgent
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import episode
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.making import make
from interactive_envs.registration import checked
from interactive_envs.reporting.records import Cell, Step
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from tests.dialogue.test_dialogue import Remainder
from tests.scripted import ScriptedClient


class Fresh(Remainder):
    """Nothing before counts after a question about 7."""

    def reply(self, state: int, query: int, rng: Any, verdict: Verdict | None = None) -> tuple[int, int]:
        """The remainder; the state of 7 is negative."""
        return query % abs(state), -abs(state) if query == 7 else abs(state)

    def begins_anew(self, state: int) -> bool:
        """After 7."""
        return state < 0


class Script(Judge):
    """Gives its verdicts in order."""

    def __init__(self, *verdicts: Verdict, approximate: bool = False) -> None:
        self._verdicts = iter(verdicts)
        self.approximate = approximate  # type: ignore[misc]

    def judge(self, request: JudgeRequest) -> Verdict:
        return next(self._verdicts)


UNCLEAR = Verdict("irrelevant", abstained=True)
YES, RIGHT, WRONG = Verdict("yes"), Verdict("correct"), Verdict("incorrect")


def free(*verdicts: Verdict, approximate: bool = False, **arguments: Any) -> SituationPuzzleEnv:
    judge = Script(*verdicts, approximate=approximate)
    return SituationPuzzleEnv(mode="free", case="the-beet-manual", judge=judge, **arguments)


def play(env: DialogueEnv[Any, Any], *actions: str) -> tuple[list[str], float, dict[str, Any]]:
    env.reset(seed=1)
    heard, reward, info = [], 0.0, dict[str, Any]()
    for action in actions:
        observation, reward, _, _, info = env.step(action)
        heard.append(str(observation))
    return heard, reward, info


def test_a_dialogue_that_begins_anew_shows_nothing_of_what_was_before() -> None:
    env = DialogueEnv(Fresh(), case="3")
    _, _, info = play(env, "<ask>5</ask>", "<ask>7</ask>")
    assert info["remember"] == 0
    assert info["view"].exchanges == ()
    assert env.view_text() == "1.\nRounds left: 18."
    _, *_, info = env.step("<ask>8</ask>")
    assert "remember" not in info
    assert [exchange.text for exchange in info["view"].exchanges] == ["<ask>8</ask>"]
    assert env.view_text().splitlines() == [
        "1.",
        "Rounds left: 18.",
        "So far:",
        "1. <ask>8</ask>",
        "   2.",
        "Rounds left: 17.",
    ]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedClient:
    client = ScriptedClient("x/y", ["<ask>5</ask>", "<ask>7</ask>", "<ask>8</ask>", "<answer>3</answer>"])
    monkeypatch.setattr("interactive_envs.agents.llm.client", lambda target, **options: client)
    return client


def test_a_model_is_sent_nothing_of_what_it_is_to_forget(model: ScriptedClient) -> None:
    env, agent = DialogueEnv(Fresh(), case="3"), LLMAgent("x/y")
    observation, info = env.reset(seed=1)
    agent.reset(seed=1, info=info)
    over = False
    while not over:
        observation, _, over, _, info = env.step(agent.act(str(observation), info))
    sent = [[message["content"] for message in request.messages[1:]] for request in model.requests]
    assert sent[1][1:] == ["<ask>5</ask>", "2.\nRounds left: 19."]
    assert sent[2] == ["1.\nRounds left: 18."]
    assert sent[3] == ["1.\nRounds left: 18.", "<ask>8</ask>", "2.\nRounds left: 17."]


def test_what_a_judge_does_not_understand_is_told_and_free_as_often_as_there_are_rounds() -> None:
    env = free(UNCLEAR, dataclasses.replace(WRONG, abstained=True), YES, UNCLEAR, budget=2)
    heard, reward, info = play(env, "Q: Blorp?", "FINAL: it blorps", "Q: Was it dark?", "Q: Blorp?")
    assert heard == [
        "Not understood. Please rephrase. This cost no round (1 of 2 free attempts used).\nRounds left: 2.",
        "Not understood. Please rephrase. This cost no round (2 of 2 free attempts used).\nRounds left: 2.",
        "Yes.\nRounds left: 1.",
        "Not understood. Please rephrase. This cost a round, because no free attempts are left.\n"
        "No rounds left. The episode is over.",
    ]
    assert (reward, info["outcome"], info["first_final"]) == (0.0, "timeout", None)


def test_free_text_ends_with_the_third_wrong_answer() -> None:
    heard, reward, info = play(free(WRONG, WRONG, WRONG), "FINAL: a", "FINAL: b", "FINAL: c")
    assert heard == [
        "Incorrect. Answers left: 2.\nRounds left: 19.",
        "Incorrect. Answers left: 1.\nRounds left: 18.",
        "Incorrect.\nThe episode is over.",
    ]
    assert (reward, info["outcome"], info["first_final"]) == (0.0, "failure", False)


def test_the_published_protocol_caps_no_answers() -> None:
    env = free(*[WRONG] * 5, RIGHT, finals=None)
    assert play(env, *["FINAL: a"] * 6)[1:2] == (1.0,)


@pytest.mark.parametrize(("approximate", "ends"), [(False, (0.0, "unscored")), (True, (1.0, "success"))])
def test_estimates_score_only_who_asks_for_that(approximate: bool, ends: tuple[float, str]) -> None:
    env = SituationPuzzleEnv(
        mode="free", case="the-beet-manual", judge=Script(YES, RIGHT, approximate=True), approximate=approximate
    )
    heard, reward, info = play(env, "Q: Was it dark?", "FINAL: a")
    assert (reward, info["outcome"]) == ends
    note = "" if approximate else "\nThis episode is not scored, because the verdicts of its judge are estimates."
    assert heard[-1] == f"Correct.{note}"


def test_an_episode_that_no_estimate_touched_is_scored() -> None:
    env = free(approximate=True, budget=1)
    assert play(env, "hm hm")[2]["outcome"] == "timeout"


def test_wrong_numbers_of_answers_are_named() -> None:
    with pytest.raises(ConfigError, match="finals must be a whole number of at least 1, got 0"):
        SituationPuzzleEnv(finals=0)
    with pytest.raises(ConfigError, match="approximate must be true or false, got 1"):
        SituationPuzzleEnv(approximate=1)  # type: ignore[arg-type]


def test_a_record_says_what_the_player_forgot(model: ScriptedClient) -> None:
    env = DialogueEnv(Fresh(), case="3")
    job = episode.Job(0, Cell("ibench/SituationPuzzle-v1", {}, "llm:x/y"), "3", 0, 0, 1)
    record = episode.play_episode(env, LLMAgent("x/y"), job)
    assert [step.remember for step in record.steps] == [None, None, 0, None]
    written = [step.to_json() for step in record.steps]
    assert ["remember" in step for step in written] == [False, False, True, False]
    assert Step.from_json(written[2]).remember == 0


def test_a_preset_is_a_short_name_for_arguments_that_others_change() -> None:
    env_id = "ibench/SituationPuzzle-v1"
    published = catalog.entry(env_id)["presets"]["paper"]
    assert checked(env_id, {"preset": "paper"}) == published
    assert checked(env_id, {"preset": "paper", "budget": 7}) == published | {"budget": 7}
    assert make(env_id, preset="paper").unwrapped.terms.forced_final  # type: ignore[attr-defined]
    cell = Cell(env_id, {"preset": "paper"}, "rule")
    assert episode.cell_key(cell) == episode.cell_key(Cell(env_id, published, "rule"))
    with pytest.raises(ConfigError, match="unknown preset of ibench/SituationPuzzle-v1: 'papre'; did you mean 'paper'"):
        make(env_id, preset="papre")
