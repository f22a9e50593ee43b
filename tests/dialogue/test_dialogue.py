"""The budgeted protocol, on a task small enough to play by hand: find a hidden divisor by asking for remainders."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Sequence
from typing import Any, Literal

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.protocol import Rounds
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Inferable, Menu, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView, Exchange
from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.llm.calls import Usage
from interactive_envs.parsing import TIMEOUT_ACTION, Unreadable
from interactive_envs.spaces import TextObservation


@dataclasses.dataclass(frozen=True)
class Shown:
    largest: int


class Remainder(DialogueTask[int, int]):
    """The case is the divisor; the state is the same."""

    short_forms = {"ask": ("ask",)}  # noqa: RUF012
    action_examples = ("<ask>6</ask>", "<answer>3</answer>")

    def __init__(self, *, cases: Sequence[str] | None = ("2", "3", "5"), judged: bool = False, single: bool = False):
        self._cases, self._judged = cases, judged
        self.single_final = single

    def case_ids(self) -> Sequence[str] | None:
        return self._cases

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> int:
        return int(case_id) if case_id else int(rng.integers(2, 10))

    def case_id(self, case: int) -> str:
        return str(case)

    def rules(self, case: int, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        return f"A number from 2 to 9 is hidden. Rounds: {terms.budget}."

    def start(self, case: int) -> int:
        return case

    def case_of(self, state: int) -> int:
        return state

    def read_query(self, state: int, body: str, tag: str = "ask") -> int | Unreadable:
        return int(body) if body.isdecimal() else Unreadable("That is no number.")

    def read_answer(self, state: int, body: str) -> int | Unreadable:
        return self.read_query(state, body)

    def read_bare(self, state: int, text: str) -> tuple[Literal["query", "final"], Any] | None:
        return ("query", int(text)) if text.isdecimal() else None

    def judge_query(self, state: int, query: int) -> JudgeRequest | None:
        return JudgeRequest("question", str(query), ("0", "1"), {"secret": state}) if self._judged else None

    def reply(
        self, state: int, query: int, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, int]:
        return (query % state if verdict is None else verdict.label), state

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        return f"{fact}."

    def check(self, state: int, answer: int, verdict: Verdict | None = None) -> bool:
        return answer == state

    def show(self, state: int) -> Shown:
        return Shown(9)

    def solution(self, case: int) -> str:
        return f"It was {case}."


class Listing(Remainder, Menu[int]):
    """Can list its actions."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.questions = questions

    def queries(self, state: int) -> list[str]:
        return [f"<ask>{number}</ask>" for number in range(self.questions)]

    def answers(self, state: int) -> list[str]:
        return [f"<answer>{number}</answer>" for number in range(2, 10)]


class Resampling(Remainder, Inferable[int]):
    """Can list what would look the same."""

    def hypotheses(self, view: DialogueView) -> None:
        return None

    def resample(self, view: DialogueView, rng: np.random.Generator) -> int:
        heard = [(e.key, e.reply) for e in view.exchanges if e.kind == "query"]
        denied = [e.key for e in view.exchanges if e.kind == "final"]
        fit = [n for n in range(2, 10) if n not in denied and all(f"{key % n}." == reply for key, reply in heard)]
        return int(rng.choice(fit))


class CountingJudge(Judge):
    """Says 1, or fails."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[JudgeRequest] = []
        self.closed = False
        self.broken = False

    def judge(self, request: JudgeRequest) -> Verdict:
        self.asked.append(request)
        if self.broken:
            raise JudgeError("no verdict")
        return Verdict("1", detail="the secret is 3", source="counting")

    def close(self) -> None:
        self.closed = True


def env_of(**arguments: Any) -> DialogueEnv[int, int]:
    return DialogueEnv(arguments.pop("task", Remainder()), **({"case": "3"} | arguments))


def play(env: DialogueEnv[int, int], *actions: str) -> list[tuple[str, float, str | None]]:
    """What came back to each action: the words, the reward, the outcome."""
    env.reset(seed=1)
    heard = []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert terminated == ("outcome" in info)
        heard.append((str(observation), reward, info.get("outcome")))
    return heard


def test_questions_and_finals_each_cost_a_round() -> None:
    assert play(env_of(budget=4), "<ask>7</ask>", "ask 9", "<answer>9</answer>", "<answer>3</answer>") == [
        ("1.\nRounds left: 3.", 0.0, None),
        ("0.\nRounds left: 2.", 0.0, None),
        ("Incorrect.\nRounds left: 1.", 0.0, None),
        ("Correct.", 1.0, "success"),
    ]


def test_the_end_of_the_budget_is_a_timeout() -> None:
    assert play(env_of(budget=2), "7", "<answer>2</answer>") == [
        ("1.\nRounds left: 1.", 0.0, None),
        ("Incorrect.\nNo rounds left. The episode is over.", 0.0, "timeout"),
    ]


def test_a_single_final_ends_it_right_or_wrong() -> None:
    env = env_of(task=Remainder(single=True))
    assert play(env, "<answer>2</answer>") == [("Incorrect.\nThe episode is over.", 0.0, "failure")]
    assert play(env, "<answer>3</answer>") == [("Correct.", 1.0, "success")]


def test_a_forced_final_is_asked_for_outside_the_budget() -> None:
    env = env_of(budget=1, forced_final=True)
    asked = ("1.\nNo rounds left. Give one final answer now: <answer>…</answer>.", 0.0, None)
    assert play(env, "7", "<answer>3</answer>") == [asked, ("Correct.", 1.0, "success")]
    assert play(env, "7", "<answer>2</answer>") == [asked, ("Incorrect.\nThe episode is over.", 0.0, "failure")]
    words = "Not legal: Only a final answer is allowed now: <answer>…</answer>.\nThe episode is over."
    assert play(env, "7", "7") == [asked, (words, 0.0, "format_error")]


def test_the_info_tells_which_final_won() -> None:
    env = env_of(budget=1, forced_final=True)
    ends = []
    for actions in (["<answer>3</answer>"], ["7", "<answer>3</answer>"], ["<answer>2</answer>", "<answer>3</answer>"]):
        env.reset(seed=1)
        for action in actions:
            info = env.step(action)[-1]
        ends.append((info["won_by"], info["first_final"], info["outcome"], info["solution"], info["case"]))
    rest = ("success", "It was 3.", "3")
    assert ends == [("round", True, *rest), ("forced", True, *rest), ("forced", False, *rest)]


def test_retries_in_a_forced_final_are_free_too() -> None:
    env = env_of(budget=1, forced_final=True, retries=1)
    assert play(env, "7", "what", "what") == [
        ("1.\nNo rounds left. Give one final answer now: <answer>…</answer>.", 0.0, None),
        (
            "Not read: I found no action; write <answer>…</answer>. Try again; this one is free.\n"
            "No rounds left. Give one final answer now: <answer>…</answer>.",
            0.0,
            None,
        ),
        (
            "Not read: I found no action; write <answer>…</answer>.\nThe episode is over.",
            0.0,
            "format_error",
        ),
    ]


def test_without_interaction_there_is_one_answer() -> None:
    env = env_of(no_interaction=True, forced_final=True, budget=20)
    observation, info = env.reset(seed=1)
    assert observation == "A number from 2 to 9 is hidden. Rounds: 1."
    assert info["action_tags"] == ("answer",)
    assert play(env, "<answer>2</answer>") == [("Incorrect.\nThe episode is over.", 0.0, "failure")]
    words = (
        "Not legal: Only a final answer is allowed now: <answer>…</answer>. It cost a round.\n"
        "No rounds left. The episode is over."
    )
    assert play(env, "7") == [(words, 0.0, "timeout")]


def test_an_unreadable_message_costs_a_round_and_nothing_else() -> None:
    words = "Not read: That is no number. It cost a round.\nRounds left: 2."
    assert play(env_of(budget=3), "<ask>x</ask>", "7") == [(words, 0.0, None), ("1.\nRounds left: 1.", 0.0, None)]


def test_retries_are_counted_by_the_round() -> None:
    env = env_of(budget=2, retries=1)
    free = "Not read: That is no number. Try again; this one is free.\nRounds left: "
    paid = "Not read: That is no number. It cost a round.\n"
    assert [words for words, _, _ in play(env, "<ask>x</ask>", "7", "<ask>x</ask>", "<ask>x</ask>")] == [
        f"{free}2.",
        "1.\nRounds left: 1.",
        f"{free}1.",
        f"{paid}No rounds left. The episode is over.",
    ]


def test_strict_ends_at_the_first_unreadable_message() -> None:
    heard = play(env_of(strict=True, retries=3), "7", "<ask>x</ask>")
    assert heard[1] == ("Not read: That is no number.\nThe episode is over.", 0.0, "format_error")


def test_the_time_out_action_is_unreadable() -> None:
    words = "Not read: The time limit for this action was exceeded. It cost a round.\nRounds left: 19."
    assert play(env_of(), TIMEOUT_ACTION) == [(words, 0.0, None)]


def test_a_message_that_is_too_long_is_not_read() -> None:
    env = env_of()
    env.reset(seed=1)
    info = env.step("7" * (Rounds.max_action + 1))[-1]
    assert (info["valid"], info["kind"]) == (False, "invalid")
    assert info["reason"] == "The message is longer than 20000 characters."
    assert len(info["view"].exchanges[0].text) == Rounds.max_action


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    env = env_of()
    env.reset(seed=1)
    info = env.step("<ask>\udc80</ask>")[-1]
    assert info["view"].exchanges == (
        Exchange("invalid", "<ask>?</ask>", None, "Not read: That is no number. It cost a round."),
    )


def test_the_view_holds_everything_said() -> None:
    env = env_of(budget=9, retries=2)
    play(env, "so: <ASK> 7 </ASK>", "9", "x", "<answer>2</answer>")
    unread = "I found no action; write <ask>…</ask> or <answer>…</answer>."
    assert env.view() == DialogueView(
        shown=Shown(9),
        exchanges=(
            Exchange("query", "<ask>7</ask>", 7, "1.", 1),
            Exchange("query", "9", 9, "0.", 0),
            Exchange("invalid", "x", None, f"Not read: {unread} Try again; this one is free."),
            Exchange("final", "<answer>2</answer>", 2, "Incorrect."),
        ),
        budget=9,
        rounds_left=6,
        retries_left=2,
        stage="rounds",
        queries_allowed=True,
    )
    first = {"kind": "query", "text": "<ask>7</ask>", "key": 7, "reply": "1.", "fact": 1}
    assert env.view().as_json()["exchanges"][0] == first
    assert env.render() is None


def test_the_view_as_text_is_what_a_player_without_memory_needs() -> None:
    env = env_of(budget=4, render_mode="ansi")
    env.reset(seed=1)
    assert env.view_text() == "A number from 2 to 9 is hidden. Rounds: 4."
    env.step("7")
    env.step("x")
    assert env.render() == (
        "A number from 2 to 9 is hidden. Rounds: 4.\nSo far:\n1. 7\n   1.\n2. x\n"
        "   Not read: I found no action; write <ask>…</ask> or <answer>…</answer>. It cost a round.\nRounds left: 2."
    )


def test_observing_twice_changes_nothing() -> None:
    env = env_of()
    env.reset(seed=1)
    observation, *_, info = env.step("7")
    assert env.observe() == env.observe() == observation
    assert type(env.observe()) is TextObservation
    assert info["message_range"] == (1, 2)
    assert env.reset(seed=1)[1]["message_range"] == (0, 1)


def test_info_is_fresh_at_every_step() -> None:
    env = env_of()
    _, first = env.reset(seed=1)
    first["view"] = first["action_tags"] = None
    *_, second = env.step("7")
    assert second["view"].exchanges
    assert second["reason"] is None
    assert "outcome" not in second
    assert "solution" not in second
    assert first["history"] == "full"
    assert first["action_examples"] == Remainder.action_examples


def test_legal_actions_are_listed_where_they_can_be() -> None:
    answers = [f"<answer>{number}</answer>" for number in range(2, 10)]
    env = env_of(task=Listing(2), budget=1, forced_final=True)
    _, info = env.reset(seed=1)
    assert info["legal_actions"] == env.legal_actions() == ["<ask>0</ask>", "<ask>1</ask>", *answers]
    assert env.step("7")[-1]["legal_actions"] == answers
    assert env.step("<answer>3</answer>")[-1]["legal_actions"] == []
    env = env_of(task=Listing(249))
    assert "legal_actions" not in env.reset(seed=1)[1]
    assert len(env.legal_actions() or ()) == 257
    assert env_of().reset(seed=1)[1].get("legal_actions") is None


def test_cases_are_named_fixed_or_endless() -> None:
    assert env_of(case=None).cases == ("2", "3", "5")
    assert env_of().cases == ("3",)
    endless = env_of(task=Remainder(cases=None), case=None)
    assert endless.cases is None
    assert {endless.reset(seed=seed)[1] and endless.case_id for seed in range(60)} == set("23456789")
    endless.reset(seed=1, options={"case": "7"})
    assert endless.case_id == "7"


def test_wrong_cases_and_options_are_named() -> None:
    env = env_of(case=None)
    with pytest.raises(UnknownNameError, match="unknown case '4'; known: 2, 3, 5"):
        env.reset(options={"case": "4"})
    with pytest.raises(UnknownNameError, match=r"unknown reset option 'csae'; did you mean 'case'\?"):
        env.reset(options={"csae": "4"})
    with pytest.raises(UnknownNameError, match="unknown case '4'"):
        env_of(case="4")


def test_the_seed_decides_the_case_also_after_other_episodes() -> None:
    fresh, used = (env_of(task=Remainder(cases=None), case=None) for _ in range(2))
    fresh.reset(seed=5)
    for seed in range(20):
        used.reset(seed=seed)
        used.step("7")
    used.reset(seed=5)
    assert used.case_id == fresh.case_id


def test_calls_out_of_order_are_refused() -> None:
    env = env_of(task=Remainder(judged=True), budget=1)
    for call in (env.view, env.view_text, env.legal_actions, lambda: env.submit("7"), env.resolve):
        with pytest.raises(gym.error.ResetNeeded, match="no episode has begun"):
            call()
    env.reset(seed=1)
    with pytest.raises(gym.error.ResetNeeded, match="there is no submitted action"):
        env.resolve()
    with pytest.raises(TypeError, match="an action is a str, got int: 7"):
        env.step(7)  # type: ignore[arg-type]
    env.submit("7")
    with pytest.raises(gym.error.ResetNeeded, match="waits for its verdict"):
        env.submit("7")
    env.resolve(Verdict("1"))
    with pytest.raises(gym.error.ResetNeeded, match="the episode is over"):
        env.step("7")
    env.reset(seed=1)
    env.submit("7")
    env.reset(seed=1)
    assert env.step("<answer>3</answer>")[1] == 1.0


def test_only_the_label_of_a_verdict_goes_back() -> None:
    env = env_of(task=Remainder(judged=True))
    env.reset(seed=1)
    request = env.submit("7")
    assert request == JudgeRequest("question", "7", ("0", "1"), {"secret": 3})
    verdict = Verdict("0", detail="the secret is 3", confidence=0.1, source="me")
    observation, *_, info = env.resolve(verdict)
    assert observation == "0.\nRounds left: 19."
    assert "secret" not in repr(info)


@pytest.mark.parametrize("verdict", [None, Verdict("2"), Verdict(""), Verdict("yes")])
def test_an_unreadable_verdict_is_a_fault_and_the_action_stays(verdict: Verdict | None) -> None:
    env = env_of(task=Remainder(judged=True))
    env.reset(seed=1)
    env.submit("7")
    with pytest.raises(JudgeError, match="a verdict must be one of 0, 1; got "):
        env.resolve(verdict)
    assert env.resolve(Verdict("0"))[0] == "0.\nRounds left: 19."


def test_step_asks_the_judge_once_and_a_given_judge_is_not_closed() -> None:
    judge = CountingJudge()
    env = env_of(task=Remainder(judged=True), judge=judge)
    assert play(env, "7", "<answer>3</answer>")[0] == ("1.\nRounds left: 19.", 0.0, None)
    assert [request.text for request in judge.asked] == ["7"]
    env.close()
    assert not judge.closed
    judge.broken = True
    env.reset(seed=1)
    with pytest.raises(JudgeError, match="no verdict"):
        env.step("7")


def test_a_judge_made_from_a_spec_is_made_late_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[CountingJudge] = []

    def construct() -> Judge:
        made.append(CountingJudge())
        return made[-1]

    monkeypatch.setattr("interactive_envs.dialogue.env.resolve_judge", lambda spec: construct)
    env = env_of(task=Remainder(judged=True))
    env.reset(seed=1)
    assert not made
    env.step("7")
    env.step("8")
    assert len(made) == 1
    copy.deepcopy(env).step("9")
    assert len(made) == 2
    env.close()
    env.close()
    assert [judge.closed for judge in made] == [True, False]


def test_a_copy_goes_on_by_itself() -> None:
    env = env_of(task=Remainder())
    play(env, "7")
    for again in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert again.step("8")[0] == "2.\nRounds left: 18."
    assert env.view().rounds_left == 19


def test_the_official_checker_is_content() -> None:
    env = env_of()
    check_env(env, skip_render_check=True)


def test_a_task_has_defaults() -> None:
    task, view = Listing(2), DialogueView(Shown(9), (), 1, 1, 0, "rounds", True)
    assert (task.data_sha256(), task.secrets(3), task.n_actions(3)) == (None, (), 10)
    assert (task.numeric_actions, task.numeric_shape) == (None, None)
    assert DialogueTask.read_bare(task, 3, "7") is None
    for call in (lambda: task.encode(view), lambda: task.decode(view, 0)):
        with pytest.raises(ConfigError, match="Listing has no numeric view"):
            call()
    assert Usage(1, 2, 1, 0) + Usage(1, 1, 1, 1) == Usage(2, 3, 2, 1)


TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["7", "<ask>9</ask>", "<answer>2</answer>", "<answer>3</answer>", "<ask>", "ask 3", TIMEOUT_ACTION]
    ),
)
WRONG = TEXTS.filter(lambda text: "3" not in text)


@settings(max_examples=300)
@given(
    texts=st.lists(WRONG, max_size=60),
    budget=st.integers(1, 6),
    retries=st.integers(0, 3),
    forced_final=st.booleans(),
    no_interaction=st.booleans(),
    strict=st.booleans(),
)
def test_every_episode_ends_in_time_whatever_is_said(
    texts: list[str], budget: int, retries: int, forced_final: bool, no_interaction: bool, strict: bool
) -> None:
    env = env_of(
        budget=budget, retries=retries, forced_final=forced_final, no_interaction=no_interaction, strict=strict
    )
    env.reset(seed=1)
    rounds = 1 if no_interaction else budget
    forced = forced_final and not no_interaction
    longest = (rounds + forced) * (retries + 1)
    for number, text in enumerate([*texts, *["mumble"] * 60], 1):
        observation, reward, terminated, _, info = env.step(text)
        assert number <= longest
        assert observation in env.observation_space
        assert 0 <= info["rounds_left"] <= rounds
        assert len(info["view"].exchanges) == number
        if terminated:
            assert info["outcome"] in ("timeout", "failure", "format_error")
            assert reward == 0.0
            break
        assert observation.endswith((f"Rounds left: {info['rounds_left']}.", "<answer>…</answer>."))
    assert terminated


@given(texts=st.lists(TEXTS, max_size=12), seed=st.integers(0, 99))
def test_a_resampled_episode_looks_the_same_and_can_be_gone_on_with(texts: list[str], seed: int) -> None:
    env = env_of(task=Resampling(), retries=1, budget=6, forced_final=True)
    env.reset(seed=1)
    for text in texts:
        if env.step(text)[2]:
            with pytest.raises(ConfigError, match="the episode of this view is over"):
                env.resample(env.view(), np.random.default_rng(seed))
            return
    view, other = env.view(), env_of(task=Resampling(), retries=1, budget=6, forced_final=True, case="5")
    other.reset(seed=2)
    other.resample(view, np.random.default_rng(seed))
    assert other.view() == view
    info = other.step(f"<answer>{other.case_id}</answer>")[-1]
    assert info["outcome"] == "success"
    assert info["first_final"] is not any(e.kind == "final" for e in view.exchanges)


def test_resampling_needs_a_task_that_can() -> None:
    env = env_of()
    env.reset(seed=1)
    with pytest.raises(ConfigError, match="Remainder cannot resample a view"):
        env.resample(env.view(), np.random.default_rng(0))
