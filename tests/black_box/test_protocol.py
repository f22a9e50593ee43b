"""The protocol of black boxes, by exact transcripts of boxes small enough to see through."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from interactive_envs.black_box import code as running
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.env import BlackBoxEnv, read_setting
from interactive_envs.black_box.numeric.fields import Numbers
from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.sandbox import Limits, Sandbox
from interactive_envs.wrappers.noise import IntraGameNoise
from interactive_envs.wrappers.numeric import NumericView
from interactive_envs.wrappers.revision import CounterfactualRevision
from tests.black_box import toys


@pytest.fixture(autouse=True)
def toy_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "family", lambda name: toys.FAMILY)
    monkeypatch.setattr(boxes, "numbers", lambda name: Numbers())


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
        "First, explore. You have 2 turns, and every <query> uses one, even if you have sent it before. "
        "<ready></ready> ends the exploration early.\n\n"
        "Then you are tested: up to 3 questions, one per message, about what you have not asked (unless nothing else "
        "is left). An item asks a value: <answer>12</answer>. You give 2 answers to each question, without being told "
        "whether one was right; the best one counts. At each question you see your exploration, but no "
        "earlier questions, and you are not told whether your answers were right. Your score is the mean over the "
        "questions.\n\n"
        "A message that cannot be read, or that breaks these rules, is refused with the reason. You have 2 retries per "
        "turn and per attempt. One more refused message uses up the turn, or the attempt, which then scores 0."
    )


def test_an_episode_explores_and_is_tested() -> None:
    said = told(
        make("sum"), "<query>0</query>", "query 1", "<answer>7</answer>", "<answer>1</answer>", "<answer>8</answer>"
    )
    assert said == [
        "f(0) = 5.\nTurns left: 1.",
        "f(1) = 6.\nThe exploration is over.\nQuestion 1 of 3: What is f(2)?",
        "f(1) = 6.\nThe exploration is over.\nQuestion 2 of 3: What is f(3)?",
        "f(1) = 6.\nThe exploration is over.\nQuestion 3 of 3: What is f(4)?",
        "Noted.\nThe test is over.",
    ]


def test_each_item_is_asked_as_if_none_had_been_before() -> None:
    """The player keeps the messages of the exploration; neither the View nor its text shows an item before."""
    env = make("sum", setting="2@2")
    env.reset(seed=0)
    for text in ("<query>0</query>", "x", "<query>1</query>"):
        info = env.step(text)[4]
        assert "remember" not in info
    before = info["view"]
    assert "remember" not in env.step("<answer>7</answer>")[4]
    observation, _, _, _, info = env.step("<answer>1</answer>")
    assert (info["remember"], observation) == (
        3,
        "f(1) = 6.\nThe exploration is over.\nQuestion 2 of 3, attempt 1 of 2: What is f(3)?",
    )
    after = info["view"]
    assert after.exchanges == before.exchanges
    assert (after.shown.observations, after.shown.given, after.shown.marks) == (before.shown.observations, (), ())
    assert env.view_text().endswith(
        "So far:\n1. <query>0</query>\n   f(0) = 5.\n"
        "2. x\n   Not accepted: I found no action; write <query>…</query> or <ready></ready>. Try again; retries "
        "left: 2.\n3. <query>1</query>\n   f(1) = 6.\nThe exploration is over.\n"
        "Question 2 of 3, attempt 1 of 2: What is f(3)?"
    )


def test_without_exploration_each_item_comes_with_the_rules() -> None:
    env = make("sum", no_interaction=True)
    rules, _ = env.reset(seed=0)
    assert rules.endswith("\nQuestion 1 of 3: What is f(0)?")
    observation, _, _, _, info = env.step("<answer>5</answer>")
    assert (info["remember"], info["view"].exchanges) == (0, ())
    assert observation == rules.replace("Question 1 of 3: What is f(0)?", "Question 2 of 3: What is f(1)?")
    assert env.view_text() == observation


def test_the_score_is_the_mean_of_the_marks() -> None:
    answers = ["<answer>7</answer>", "<answer>1</answer>", "<answer>8</answer>"]  # right, wrong, one beside
    _, reward, over, info = play(make("sum"), "<ready></ready>", "<answer>5</answer>", *answers[1:])
    assert (reward, over, info["outcome"], info["turns"]) == (pytest.approx(0.5), True, "scored", 0)
    assert info["marks"] == [1.0, 0.0, 0.5]
    env = make("sum", marks="exact")
    assert "An answer that is only partly right counts as wrong." in env.reset(seed=0)[0]
    assert play(env, "<ready></ready>", "<answer>5</answer>", *answers[1:])[3]["marks"] == [1.0, 0.0, 0.0]


def test_marks_are_shown_where_they_are_asked_for_and_the_items_are_one_dialogue() -> None:
    answers = ["<answer>5</answer>", "<answer>1</answer>", "<answer>8</answer>"]
    env = make("sum", test_feedback=True)
    assert "After each answer you are told whether it was right." in env.reset(seed=0)[0]
    loud = told(env, "<ready></ready>", *answers)
    assert loud[1:3] == ["Right.\nQuestion 2 of 3: What is f(1)?", "Wrong.\nQuestion 3 of 3: What is f(2)?"]
    assert loud[3] == "Partly right: 0.50 of 1.\nThe test is over."
    _, _, _, info = play(env, "<ready></ready>", *answers[:2])
    assert "remember" not in info
    assert [exchange.text for exchange in info["view"].exchanges] == ["<ready></ready>", *answers[:2]]
    assert info["view"].shown.marks == (1.0, 0.0)


def test_feedback_on_one_item_never_changes_the_next() -> None:
    seen = set()
    for first in ("<answer>5</answer>", "<answer>99</answer>", "<answer>6</answer>"):
        observation, _, _, info = play(make("sum"), "<ready></ready>", first)
        seen.add((observation, repr(info)))
    assert {observation for observation, _ in seen} == {"The exploration is over.\nQuestion 2 of 3: What is f(1)?"}
    assert len(seen) == 1


def test_of_two_attempts_the_better_counts_and_the_second_is_always_asked_for() -> None:
    """The first one's reply does not depend on whether it was right."""
    said = [f"<answer>{number}</answer>" for number in (6, 0, 6, 0, 7, 9)]
    env = make("sum", setting="1@2")
    _, reward, _, info = play(env, "<ready></ready>", *said)
    assert info["marks"] == [0.5, 1.0, 1.0]
    assert reward == pytest.approx(2.5 / 3)
    for first in ("<answer>5</answer>", "<answer>99</answer>"):
        assert told(env, "<ready></ready>", first)[-1] == "Noted.\nQuestion 1 of 3, attempt 2 of 2: What is f(0)?"
    loud = make("sum", setting="1@2", test_feedback=True)
    assert told(loud, "<ready></ready>", "<answer>5</answer>")[-1] == (
        "Right.\nQuestion 2 of 3, attempt 1 of 2: What is f(1)?"
    )
    assert told(loud, "<ready></ready>", "<answer>1</answer>")[-1] == (
        "Wrong.\nQuestion 1 of 3, attempt 2 of 2: What is f(0)?"
    )


def test_delayed_replies_come_together() -> None:
    said = told(make("sum", feedback="delayed"), "<query>0</query>", "<query>3</query>")
    assert said == [
        "Noted. The reply comes later.\nTurns left: 1.",
        "Noted. The reply comes later.\nThe replies:\n1. f(0) = 5.\n2. f(3) = 8.\n"
        "The exploration is over.\nQuestion 1 of 3: What is f(1)?",
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
        "Not accepted: I found no action; write <query>…</query> or <ready></ready>. Try again; retries left: 2.",
        "Not accepted: A query is a digit; that was '12'. Try again; retries left: 1.",
        "Not accepted: The message is empty. You lose this turn.",
        "f(0) = 5.",
    ]
    assert said[2].endswith("Turns left: 1.")
    assert said[3].endswith("Question 1 of 3: What is f(1)?")


def test_one_retry_then_the_try_is_lost() -> None:
    said = told(make("sum", retries=1), "<ready></ready>", "<answer>five</answer>", "<query>1</query>")
    assert said[1:] == [
        "Not accepted: An answer is a whole number. Try again; retries left: 1.\nQuestion 1 of 3: What is f(0)?",
        "The exploration is over.\nQuestion 2 of 3: What is f(1)?",
    ]


def test_an_answer_before_the_test_is_no_answer() -> None:
    assert told(make("sum"), "<answer>5</answer>")[0].startswith(
        "Not accepted: The test has not begun; explore, or write <ready></ready> to be tested now."
    )


def test_turns_may_be_saved() -> None:
    env = make("sum", turns="dynamic", turn_cost=0.25, setting="4@1")
    assert (
        "<ready></ready> ends the exploration early. Each turn that you use lowers the score by 0.25, lost turns too."
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
    assert told(make("sum", setting="10@1"), *texts)[-1].endswith("Question 1 of 3: What is f(0)?")


def test_each_part_is_a_dialogue_of_its_own() -> None:
    env = make("hidden")
    first, info = env.reset(seed=0)
    assert first.endswith("\n\nThis is part 1 of 2. A new number is added.")
    numbers = [trial.hidden for trial in env.state.task_state.case.trials]
    said = [env.step(text)[0] for text in ("<query>0</query>", "<ready></ready>")]
    assert said == [
        f"f(0) = {numbers[0]}.\nTurns left: 1.",
        "The exploration is over.\nThe question: Which number is added?",
    ]
    observation, _, _, _, info = env.step(f"<answer>{numbers[0]}</answer>")
    assert observation == first.replace("part 1 of 2", "part 2 of 2") + "\nTurns left: 2."
    assert (info["remember"], info["view"].exchanges, env.view_text()) == (0, (), observation)
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


def test_a_part_is_forgotten_even_where_marks_are_shown() -> None:
    """ORACLE takes the dialogue back after each hidden answer and each length of game, whatever it says of answers."""
    env = make("hidden", test_feedback=True)
    _, _, _, info = play(env, "<ready></ready>", "<answer>1</answer>")
    assert (info["remember"], info["view"].exchanges) == (0, ())


def test_a_game_is_explored_and_tested_by_playing() -> None:
    heads, tails = "<move>heads</move>", "<move>tails</move>"
    env = make("coin", setting="1@1")
    said = told(env, tails, heads, heads, heads, tails, heads, tails, heads, heads, heads)
    assert said[:3] == [
        "A miss.\nPractice game 1 of 1, move 2 of 2.",
        "A hit. The game is over.\nThe practice is over.\nGame that counts, move 1 of 2.",
        "Called.\nGame that counts, move 2 of 2.",
    ]
    assert said[3] == (
        "Call a coin: <move>heads</move> or <move>tails</move>.\n\nFirst you may play one practice game. "
        "<ready></ready> ends the practice early, also during a game.\n\nThen you play one game that counts. There you "
        "see neither the opponent's moves nor your points. The score is the share of right calls. There are 2 such "
        "parts, each with another game length, always against the same opponent. Each part begins with this text "
        "again, and nothing of the earlier parts is shown. Your score is the mean over the parts.\n\nA message that "
        "cannot be read, or that breaks these rules, is refused with the reason. You have 2 retries per move. One more "
        "refused message ends the game, whose points so far count.\n\nThis is part 2 of 2. A game has 3 "
        "calls.\nPractice game 1 of 1, move 1 of 3."
    )
    _, reward, over, info = play(
        make("coin", setting="1@1"), tails, heads, heads, heads, *[tails] * 3, heads, tails, heads
    )
    assert (over, info["marks"], info["turns"]) == (True, [1.0, pytest.approx(2 / 3)], 2)
    assert reward == pytest.approx(5 / 6)


def test_a_game_that_counts_is_forgotten_before_the_next_one() -> None:
    heads, tails = "<move>heads</move>", "<move>tails</move>"
    env = make("coin", setting="1@2", items=1)
    observation, _, _, info = play(env, tails, heads, heads, tails)
    assert observation == "A hit. The game is over.\nThe practice is over.\nGame 2 of 2 that counts, move 1 of 2."
    assert info["remember"] == 2
    assert [exchange.text for exchange in info["view"].exchanges] == [tails, heads]
    assert info["view"].shown.observations == (("tails", 0), ("heads", 1))
    env.step(heads)
    assert len(env.view().shown.observations) == 3
    env.step(heads)
    assert env.record()["heard"] == [
        [["tails", 0], ["heads", 1], ["heads", 1], ["tails", 0], ["heads", 1], ["heads", 1]]
    ]
    loud = make("coin", setting="1@2", items=1, test_feedback=True)
    observation, _, _, info = play(loud, tails, heads, heads, tails)
    assert observation == ("A miss. The game is over.\nPartly right: 0.50 of 1.\nGame 2 of 2 that counts, move 1 of 2.")
    assert len(info["view"].exchanges) == 4


def test_of_several_games_the_mean_counts() -> None:
    heads, tails = "<move>heads</move>", "<move>tails</move>"
    env = make("coin", setting="0@2", items=1)
    assert play(env, heads, heads, tails, heads)[3]["marks"] == [0.75]


def test_a_game_given_up_counts_what_it_has() -> None:
    env = make("coin", setting="0@1", items=1, retries=0)
    assert play(env, "<move>heads</move>", "")[3]["marks"] == [0.5]
    env = make("coin", setting="2@1", items=1, turns="dynamic", turn_cost=0.1)
    observation, *_ = play(env, "<move>heads</move>", "<ready></ready>")
    assert observation == "The practice is over.\nGame that counts, move 1 of 2."
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
        "It gave no value for 4 of 8 arguments, first with ZeroDivisionError: division by zero.\nNoted."
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


def test_a_wrong_answer_is_not_taken_twice_where_it_is_known_to_be_wrong() -> None:
    env = make("sum", setting="0@3", test_feedback=True)
    observation, *_ = play(env, "<answer>9</answer>", "<answer>9</answer>")
    assert observation.startswith("Not accepted: You have given this answer already, and it is not right. Try again")
    assert env.view().shown.given == ("<answer>9</answer>",)
    env = make("sum", setting="0@3")
    assert play(env, "<answer>9</answer>", "<answer>9</answer>")[3]["valid"]


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
        ({"marks": "some"}, "marks must be 'partial' or 'exact', got 'some'"),
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


def test_one_reply_is_false_and_is_corrected_some_turns_later() -> None:
    env = make("sum", setting="3@1", items=1, probes=[CounterfactualRevision(turn=1, after=2)])
    false, *said = told(env, *(f"<query>{digit}</query>" for digit in (0, 1, 2)), "<ready></ready>")
    assert re.fullmatch(r"f\(0\) = (\d+)\.\nTurns left: 4\.", false)
    assert "= 5." not in false
    assert said == [
        "f(1) = 6.\nTurns left: 3.",
        "f(2) = 7.\nCorrection: the reply to your query 1 was wrong. The right reply is: f(0) = 5.\nTurns left: 2.",
        "The exploration is over.\nThe question: What is f(3)?",
    ]
    env.step("<answer>8</answer>")
    assert env.record()["false_replies"] == [1]
    assert env.record()["marks"] == [1.0]


def test_a_false_reply_is_corrected_before_the_test_at_the_latest() -> None:
    env = make("sum", setting="3@1", probes=[CounterfactualRevision(turn=2, after=3)])
    *_, ready = told(env, "<query>0</query>", "<query>1</query>", "<ready></ready>")
    assert ready.startswith(
        "Correction: the reply to your query 2 was wrong. The right reply is: f(1) = 6.\nThe exploration is over.\n"
    )
    assert env.unwrapped.view().shown.observations == ((0, 5), (1, 6))
    lost = told(
        make("sum", setting="2@1", probes=[CounterfactualRevision(turn=2)]), "query 0", "query 1", "x", "x", "x"
    )
    assert "Correction: the reply to your query 2 was wrong. The right reply is: f(1) = 6.\nThe expl" in lost[-1]


def test_boxes_whose_replies_cannot_be_corrected_say_so() -> None:
    with pytest.raises(ConfigError, match="no reply of circuit boxes can be false for a while: replies come later"):
        make("sum", feedback="delayed", probes=[CounterfactualRevision()])


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
