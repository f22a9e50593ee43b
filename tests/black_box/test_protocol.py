"""The protocol of black boxes, by exact transcripts of boxes small enough to see through."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from interactive_envs.black_box import code as running
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.env import BlackBoxEnv, read_setting
from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.sandbox import Limits, Sandbox
from interactive_envs.wrappers.noise import IntraGameNoise
from interactive_envs.wrappers.numeric import NumericView
from tests.black_box import toys


@pytest.fixture(autouse=True)
def toy_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "family", lambda name: toys.FAMILY)


def make(box: str, **arguments: Any) -> BlackBoxEnv:
    return BlackBoxEnv(family="circuit", box=box, **arguments)


def told(env: BlackBoxEnv, *texts: str) -> list[str]:
    """What comes back to each text of one episode."""
    env.reset(seed=0)
    return [str(env.step(text)[0]) for text in texts]


def play(env: BlackBoxEnv, *texts: str, seed: int = 0) -> tuple[Any, float, bool, dict[str, Any]]:
    """What the last of the texts returns."""
    observation, info = env.reset(seed=seed)
    reward, over = 0.0, False
    for text in texts:
        observation, reward, over, _, info = env.step(text)
    return observation, reward, over, info


def test_the_rules_say_everything_in_order() -> None:
    env = make("sum", setting="2@2")
    assert env.reset(seed=0)[0] == (
        "A function of the digits 0 to 9 is hidden.\n\n"
        "First explore: you have 2 turns; each <query> takes one, also if it was there before. <ready></ready> ends "
        "the exploration early.\n\n"
        "Then comes the test, up to 3 items, one a message, on what you have not asked as far as there is any. An "
        "item asks a value: <answer>12</answer>. You have 2 tries at each; the best one counts. The score is the mean "
        "over all items. A message that cannot be read may be repeated 2 times a turn or item; after that that turn "
        "or try is lost."
    )


def test_an_episode_explores_and_is_tested() -> None:
    said = told(
        make("sum"), "<query>0</query>", "query 1", "<answer>7</answer>", "<answer>1</answer>", "<answer>8</answer>"
    )
    assert said == [
        "f(0) = 5.\nTurns left: 1.",
        "f(1) = 6.\nThe exploration is over, the test begins.\nTest item 1 of 3: What is f(2)?",
        "Taken.\nTest item 2 of 3: What is f(3)?",
        "Taken.\nTest item 3 of 3: What is f(4)?",
        "Taken.\nThe test is over.",
    ]


def test_the_score_is_the_mean_of_the_marks() -> None:
    answers = ["<answer>7</answer>", "<answer>1</answer>", "<answer>8</answer>"]  # right, wrong, one beside
    _, reward, over, info = play(make("sum"), "<ready></ready>", "<answer>5</answer>", *answers[1:])
    assert (reward, over, info["outcome"], info["turns"]) == (pytest.approx(0.5), True, "scored", 0)
    assert info["marks"] == [1.0, 0.0, 0.5]


def test_nothing_is_told_of_marks_unless_asked_for() -> None:
    answers = ["<answer>5</answer>", "<answer>1</answer>", "<answer>8</answer>"]
    quiet = told(make("sum"), "<ready></ready>", *answers)
    assert {text.partition("\n")[0] for text in quiet[1:]} == {"Taken."}
    loud = told(make("sum", test_feedback=True), "<ready></ready>", *answers)
    assert [text.partition("\n")[0] for text in loud[1:]] == ["Right.", "Wrong.", "Partly right: 0.50 of 1."]


def test_feedback_on_one_item_never_changes_the_next() -> None:
    for first in ("<answer>5</answer>", "<answer>99</answer>", "<answer>6</answer>"):
        assert told(make("sum"), "<ready></ready>", first)[-1] == "Taken.\nTest item 2 of 3: What is f(1)?"


def test_of_two_tries_the_better_counts() -> None:
    said = [
        "<answer>6</answer>",
        "<answer>0</answer>",
        "<answer>6</answer>",
        "<answer>0</answer>",
        "<answer>7</answer>",
    ]
    env = make("sum", setting="1@2")
    _, reward, _, info = play(env, "<ready></ready>", *said)
    assert info["marks"] == [0.5, 1.0, 1.0]
    assert told(env, "<ready></ready>", said[0])[-1] == (
        "Not right. Try again.\nTest item 1 of 3, try 2 of 2: What is f(0)?"
    )
    assert reward == pytest.approx(2.5 / 3)


def test_delayed_replies_come_together() -> None:
    said = told(make("sum", feedback="delayed"), "<query>0</query>", "<query>3</query>")
    assert said == [
        "Noted; the reply comes later.\nTurns left: 1.",
        "Noted; the reply comes later.\nThe replies:\n1. f(0) = 5.\n2. f(3) = 8.\n"
        "The exploration is over, the test begins.\n"
        "Test item 1 of 3: What is f(1)?",
    ]


def test_what_is_delayed_is_in_no_view() -> None:
    env = make("sum", feedback="delayed")
    env.reset(seed=0)
    info = env.step("<query>3</query>")[4]
    assert (info["view"].shown.observations, info["view"].shown.waiting) == ((), (3,))
    assert info["view"].exchanges[-1].fact is None
    shown = env.step("<ready></ready>")[4]["view"].shown
    assert (shown.observations, shown.waiting) == (((3, 8),), ())


def test_two_retries_then_the_turn_is_lost() -> None:
    said = told(make("sum"), "x", "<query>12</query>", "", "<query>0</query>")
    assert [text.split("\n")[0] for text in said] == [
        "Not accepted: I found no action; write <query>…</query> or <ready></ready>. Try again; this one is free.",
        "Not accepted: A query is a digit; that was '12'. Try again; this one is free.",
        "Not accepted: The message is empty. It cost a turn.",
        "f(0) = 5.",
    ]
    assert said[2].endswith("Turns left: 1.")
    assert said[3].endswith("Test item 1 of 3: What is f(1)?")


def test_one_retry_then_the_try_is_lost() -> None:
    said = told(make("sum", retries=1), "<ready></ready>", "<answer>five</answer>", "<query>1</query>")
    assert said[1:] == [
        "Not accepted: An answer is a whole number. Try again; this one is free.\nTest item 1 of 3: What is f(0)?",
        "Not accepted: Only a final answer is allowed now: <answer>…</answer>. It cost a try.\n"
        "Test item 2 of 3: What is f(1)?",
    ]


def test_an_answer_before_the_test_is_no_answer() -> None:
    assert told(make("sum"), "<answer>5</answer>")[0].startswith(
        "Not accepted: The test has not begun; explore, or write <ready></ready> to be tested now."
    )


def test_turns_may_be_saved() -> None:
    env = make("sum", turns="dynamic", turn_cost=0.25, setting="4@1")
    assert (
        "Each turn used, lost ones too, takes 0.25 off the score in the end. <ready></ready> ends"
        in env.reset(seed=0)[0]
    )
    right = ["<answer>6</answer>", "<answer>7</answer>", "<answer>8</answer>"]
    assert play(env, "<query>0</query>", "<ready></ready>", *right)[1] == pytest.approx(0.75)
    assert play(env, "<ready></ready>", "<answer>5</answer>", "<answer>6</answer>", "<answer>7</answer>")[1] == 1.0
    wasted = ["<query>0</query>"] * 4 + ["<answer>0</answer>"] * 3
    assert play(env, *wasted)[1] == -1.0


def test_turns_cost_their_mean_over_what_is_explored() -> None:
    env = make("hidden", turns="dynamic", turn_cost=0.25, setting="2@1")
    env.reset(seed=0)
    first, second = (f"<answer>{trial.hidden}</answer>" for trial in env.state.task_state.case.trials)
    one, two = ["<query>0</query>", "<ready></ready>"], ["<query>0</query>", "<query>1</query>"]
    assert play(env, *one, first, *one, second)[1] == pytest.approx(0.75)
    assert play(env, *two, first, "<ready></ready>", second)[1] == pytest.approx(0.75)


def test_without_interaction_the_test_begins_at_once() -> None:
    for env in (make("sum", no_interaction=True), make("sum", setting="0@1")):
        observation, info = env.reset(seed=0)
        assert "explore" not in observation
        assert info["view"].stage == "test"
        assert info["action_tags"] == ("answer",)
        assert env.view_text() == observation


def test_who_asks_everything_is_tested_on_it() -> None:
    texts = [f"<query>{digit}</query>" for digit in range(10)]
    assert told(make("sum", setting="10@1"), *texts)[-1].endswith("Test item 1 of 3: What is f(0)?")


def test_each_trial_has_its_own_exploration() -> None:
    env = make("hidden")
    observation, info = env.reset(seed=0)
    assert observation.endswith("Part 1 of 2 begins. A new number is added.")
    numbers = [trial.hidden for trial in env.state.task_state.case.trials]
    said = [env.step(text)[0] for text in ("<query>0</query>", "<ready></ready>", f"<answer>{numbers[0]}</answer>")]
    assert said[0] == f"f(0) = {numbers[0]}.\nTurns left: 1."
    assert said[1] == "The exploration is over, the test begins.\nTest item 1 of 2: Which number is added?"
    assert said[2] == "Taken.\n\nPart 2 of 2 begins. Something new is hidden. A new number is added.\nTurns left: 2."
    shown = env.view().shown
    assert (shown.trial_number, shown.trials, shown.observations, shown.item_number) == (1, 2, (), 1)
    env.step("<ready></ready>")
    *_, info = env.step(f"<answer>{numbers[1]}</answer>")
    assert (info["marks"], info["turns"], info["solution"]) == (
        [1.0, 1.0],
        1,
        f"Adds a hidden number. Hidden: {numbers[0]}. Hidden: {numbers[1]}.",
    )
    assert env.record()["heard"] == [[[0, numbers[0]]], []]


def test_a_game_is_explored_and_tested_by_playing() -> None:
    heads, tails = "<move>heads</move>", "<move>tails</move>"
    said = told(make("coin", setting="1@1"), tails, heads, heads, heads, tails, heads, tails, heads, heads, heads)
    assert said[:4] == [
        "A miss.\nTurns left: 1.",
        "A hit. The game is over.\nThe exploration is over, the test begins.\nPart 1 of 2: a game that counts.",
        "A hit.\nPart 1 of 2: a game that counts.",
        "A hit. The game is over.\n\nPart 2 of 2 begins. A game has 3 calls.\nTurns left: 1.",
    ]
    _, reward, over, info = play(
        make("coin", setting="1@1"), tails, heads, heads, heads, *[tails] * 3, heads, tails, heads
    )
    assert (over, info["marks"], info["turns"]) == (True, [1.0, pytest.approx(2 / 3)], 2)
    assert reward == pytest.approx(5 / 6)


def test_of_several_games_the_mean_counts() -> None:
    heads, tails = "<move>heads</move>", "<move>tails</move>"
    env = make("coin", setting="0@2", items=1)
    assert play(env, heads, heads, tails, heads)[3]["marks"] == [0.75]


def test_a_game_given_up_counts_what_it_has() -> None:
    env = make("coin", setting="0@1", items=1, retries=0)
    assert play(env, "<move>heads</move>", "")[3]["marks"] == [0.5]
    env = make("coin", setting="2@1", items=1, turns="dynamic", turn_cost=0.1)
    observation, *_ = play(env, "<move>heads</move>", "<ready></ready>")
    assert observation.startswith("The exploration is over")
    assert env.state.task_state.turns == (1,)  # a game that was begun is a turn


def test_cases_are_numbers_that_decide_everything() -> None:
    env = make("random", difficulty=3)
    env.reset(seed=5)
    number, box = env.case_id, env.state.case.box
    env.reset(seed=99, options={"case": number})
    assert (env.case_id, env.state.case.box) == (number, box)
    assert make("random", difficulty=3, case=number).reset(seed=1)[1]["view"] == env.view()
    with pytest.raises(ConfigError, match=r"the cases of black boxes are the numbers 0 to 4294967295, got 'x'"):
        env.reset(options={"case": "x"})


def test_terms_do_not_change_the_case() -> None:
    numbers = set()
    for terms in (
        {},
        {"setting": "20@2"},
        {"feedback": "delayed"},
        {"observability": "partial"},
        {"answer_as": "code"},
    ):
        env = make("random", **terms)
        env.reset(seed=3)
        numbers.add((env.case_id, env.state.case.box.added))
    assert len(numbers) == 1


def test_code_is_run_on_every_argument_that_was_not_asked() -> None:
    env = make("sum", answer_as="code", setting="2@2")
    observation, info = env.reset(seed=0)
    assert "write a Python function solution(x: int) -> int in <answer>…</answer>. It gives f(x)." in observation
    half = "```python\ndef solution(x):\n    if x < 6:\n        return x + 5\n    return 1 / 0\n```"
    observation, _, over, info = play(env, "<query>0</query>", "<query>1</query>", half)
    assert observation.startswith(
        "It gave no value for 4 of 8 arguments, first with ZeroDivisionError: division by zero.\nNot right."
    )
    observation, reward, over, _, info = env.step("<answer>\ndef solution(x):\n    return x + 5\n</answer>")
    assert (reward, over, info["marks"]) == (1.0, True, [1.0])
    assert half in env.view_text()


@pytest.fixture(scope="module")
def quick() -> Iterator[Sandbox]:
    """A sandbox in which nothing takes long."""
    with Sandbox(limits=Limits(cpu_s=0.5, wall_s=60)) as made:
        yield made


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("def solution(x):\n    while True: pass", "The function could not be run: timeout"),
        ("import os\ndef solution(x): return os.listdir('/')", "It gave no value for 10 of 10 arguments, first with"),
        ("def solution(x): raise SystemExit", "It gave no value for 10 of 10 arguments, first with SystemExit"),
        ("BaseException = 3\ndef solution(x): return 1 / 0", "The function could not be run: exception"),
        ("def solution(x): return 'x' * 10**9", "It gave no value for 10 of 10 arguments, first with MemoryError"),
        ("solution = None", "It gave no value for 10 of 10 arguments, first with TypeError"),
    ],
)
def test_bad_code_costs_a_try_and_says_why(
    code: str, problem: str, quick: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "sandbox", lambda: quick)
    observation, reward, over, info = play(
        make("sum", answer_as="code"), "<ready></ready>", f"<answer>\n{code}\n</answer>"
    )
    assert (reward, over, info["outcome"]) == (0.0, True, "scored")
    assert observation.startswith(problem)


@pytest.mark.parametrize(
    "text",
    [
        "<think>so <answer>def solution(x): return 0</answer></think><answer>def solution(x): return x + 5</answer>",
        "I put it in <answer> tags:\n<answer>\n    def solution(x):\n        return x + 5\n</answer>",
        "```python\ndef solution(x):\n    return x + 5\n```\nAgain:\n```\ndef solution(x):\n    return x + 5\n```",
        "<answer>\n```python\ndef solution(x):\n    return x + 5\n",
    ],
)
def test_the_function_is_found_where_it_stands(text: str) -> None:
    assert play(make("sum", answer_as="code"), "<ready></ready>", text.removesuffix("\n") + "\n")[1] == 1.0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("answer: see below", "I found no function; write it in <answer>…</answer>."),
        ("", "I found no function; write it in <answer>…</answer>."),
        ("<answer>every digit goes 5 on</answer>", "This is not Python: invalid syntax, line 1."),
        ("<answer>def result(x): return x</answer>", "No function called solution is defined."),
        ("```\ndef solution(x): return 1\n```\n```\ndef solution(x): return 2\n```", "I found 2 different functions;"),
        ("<answer>" + "(" * 5000 + "</answer>", "This is not Python:"),
    ],
)
def test_what_is_no_function_is_no_answer(text: str, reason: str) -> None:
    _, _, over, info = play(make("sum", answer_as="code"), "<ready></ready>", text)
    assert (over, info["valid"]) == (False, False)
    assert info["reason"].startswith(reason)


def test_one_odd_value_loses_one_argument() -> None:
    for odd in ("float('nan')", "{1, 2}", "b''", "10 ** 5000", "'\\ud800'", "exit()", "object()"):
        code = f"def solution(x):\n    return {odd} if x == 3 else x + 5"
        assert play(make("sum", answer_as="code"), "<ready></ready>", f"<answer>\n{code}\n</answer>")[1] == 0.9


def test_chance_comes_from_the_case_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toys.Sum, "reply", lambda box, trial, memory, query, rng: (int(rng.integers(10**9)), memory))

    def reply(case: str, seed: int) -> str:
        return str(play(make("sum", case=case), "<query>1</query>", seed=seed)[0])

    assert reply("17", 1) == reply("17", 2) != reply("18", 1)


def test_a_wrong_answer_is_not_taken_twice() -> None:
    env = make("sum", setting="0@3")
    observation, *_ = play(env, "<answer>9</answer>", "<answer>9</answer>")
    assert observation.startswith("Not accepted: You have given this answer already, and it is not right. Try again")
    assert env.view().shown.wrong == ("<answer>9</answer>",)


def test_a_broken_sandbox_is_no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def call(self, *_: Any) -> Any:
            raise FaultError("the sandbox cannot start")

    monkeypatch.setattr(running, "sandbox", Broken)
    env = make("sum", answer_as="code")
    play(env, "<ready></ready>")
    monkeypatch.setattr(running, "problem_of", lambda source: "")
    with pytest.raises(FaultError):
        env.step("```\ndef solution(x): return x\n```")
    assert env.view().stage == "test"
    assert not env.view().exchanges[1:]


def test_the_numeric_twin_tells_what_the_view_tells() -> None:
    env = make("coin", setting="1@1")
    twin = NumericView(env)
    array, info = twin.reset(seed=0)
    assert array.shape == (11 + 2 * 3 * 2,)
    assert info["action_mask"].tolist() == [1, 1, 1]
    assert [twin.decode(index) for index in range(3)] == ["<move>heads</move>", "<move>tails</move>", "<ready></ready>"]
    twin.step(1)
    array = twin.step(0)[0]
    assert array[11:17].tolist() == [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    assert twin.action_masks().tolist() == [1, 1, 0]  # in the test nothing is to be ended
    with pytest.raises(ConfigError, match="no numeric view"):
        NumericView(make("sum"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"setting": "ten"}, "setting must be written like 10@1"),
        ({"setting": "10@0"}, "setting must be written like 10@1"),
        ({"setting": 10}, "setting must be written like 10@1"),
        ({"turns": "some"}, "turns must be 'all' or 'dynamic', got 'some'"),
        ({"feedback": "late"}, "feedback must be 'instant' or 'delayed', got 'late'"),
        ({"test_feedback": 1}, "test_feedback must be true or false, got 1"),
        ({"items": 0}, "items must be a whole number from 1 to 1000, got 0"),
        ({"turns": "dynamic", "turn_cost": 0.6}, "turn_cost must be from 0 to 1/2"),
        ({"difficulty": 2}, "difficulty is for generated boxes; circuit box 'sum' has none, got 2"),
        ({"case": "x"}, "the cases of black boxes are the numbers 0 to 4294967295, got 'x'"),
        ({"retries": -1}, "retries must be a whole number of at least 0, got -1"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        make("sum", **arguments)


def test_unknown_names_are_named() -> None:
    with pytest.raises(ConfigError, match="unknown circuit box 'sun'; did you mean 'sum'"):
        make("sun")
    with pytest.raises(ConfigError, match="difficulty must be a whole number from 1 to 5, got 9"):
        make("random", difficulty=9)
    with pytest.raises(ConfigError, match="black boxes cannot be played with the probe 'noise'"):
        make("sum", probes=[IntraGameNoise()])


def test_settings_are_read() -> None:
    assert [read_setting(text) for text in ("10@1", "0@2", "20@2")] == [(10, 1), (0, 2), (20, 2)]


def test_interleaved_episodes_do_not_meet() -> None:
    def line(env: BlackBoxEnv, step: int) -> str:
        return str(env.step("<query>1</query>")[0]) if step else str(env.reset(seed=1)[0])

    env = make("hidden")
    alone = [line(env, step) for step in range(3)]
    one, other = make("hidden"), make("hidden")
    mixed: list[list[str]] = [[], []]
    for step, (place, which) in itertools.product(range(3), enumerate((one, other))):
        mixed[place].append(line(which, step))
    assert mixed == [alone, alone]


def test_items_are_drawn_by_the_case_alone() -> None:
    env = make("random")
    env.reset(seed=4)
    state = env.np_random.bit_generator.state
    env.step("<ready></ready>")
    assert env.np_random.bit_generator.state == state
