"""Whole episodes of Math-v1, word for word, with a judge that only says what it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs.dialogue.view import facts_of
from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.judges.base import Judge
from interactive_envs.mathematics import problems
from interactive_envs.mathematics.env import MathEnv
from interactive_envs.mathematics.generators import load_generators


def play(env: MathEnv, *actions: str) -> tuple[list[str], list[float], dict[str, Any]]:
    """What was said back, the rewards and the last info."""
    env.reset(seed=5)
    heard, rewards, info = [], [], {}
    for action in actions:
        observation, reward, _, _, info = env.step(action)
        heard.append(str(observation))
        rewards.append(reward)
    return heard, rewards, info


@pytest.fixture
def dataset(tmp_path: Path) -> str:
    lines = [
        {"id": "six", "problem": "What is 2 times 3?", "answer": "6", "solution": "Twice three is six."},
        {
            "id": "root",
            "problem": "Which number squared is 2?",
            "answer": r"\sqrt{2}",
            "solution": "Its root.",
            "answer_form": "a positive expression",
            "difficulty": 4,
        },
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def test_an_episode_word_for_word(dataset: str, table: Judge) -> None:
    env = MathEnv(dataset=dataset, case="six", judge=table, budget=5)
    observation, info = env.reset(seed=1)
    assert str(observation) == (
        "A mathematical problem. You may test your steps before you answer.\n\n"
        "Problem: What is 2 times 3?\n\n"
        "Test one claim a message: <ask>…</ask>. It may be about the answer or about anything on the way to it: an "
        "equation, a bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part "
        "is not) or irrelevant (it has no bearing on the problem, or could not be read). You have 5 rounds; a question "
        "costs one, and so does an answer.\n\n"
        "Give the exact answer and nothing else: <answer>…</answer>. A wrong answer costs a round; you may try "
        "again. A message that is not understood costs nothing, up to 5 times.\n\n"
        "A message that cannot be read costs a round."
    )
    assert info["action_tags"] == ("ask", "answer")
    heard, rewards, info = play(env, "Is it even?", "Q: Is it even and 4?", "<answer>4</answer>", "FINAL: 6")
    assert heard == [
        "Yes.\nRounds left: 4.",
        "Both.\nRounds left: 3.",
        "Incorrect.\nRounds left: 2.",
        "Correct.",
    ]
    assert rewards == [0.0, 0.0, 0.0, 1.0]
    assert (info["outcome"], info["won_by"], info["turns"], info["first_final"]) == ("success", "round", 4, False)
    assert info["solution"] == "6. Twice three is six."
    assert facts_of(info["view"]) == [("Is it even?", "yes"), ("Is it even and 4?", "both")]


def test_what_is_no_claim_costs_a_round_and_asks_nobody(dataset: str, table: Any) -> None:
    env = MathEnv(dataset=dataset, case="six", judge=table, budget=6)
    heard, _, info = play(
        env, "What is the answer?", "<ask>!!</ask>", "six, I think", f"<ask>{'x' * 1001}</ask>", "<answer>?</answer>"
    )
    assert [line.splitlines()[0] for line in heard] == [
        "Not read: Make a claim, or ask a question that can be answered with yes or no. It cost a round.",
        "Not read: That is not a claim. It cost a round.",
        "Not read: I found no action; write <ask>…</ask> or <answer>…</answer>. It cost a round.",
        "Not read: A claim has at most 1000 characters. It cost a round.",
        "Not read: That is not an answer. It cost a round.",
    ]
    assert info["rounds_left"] == 1
    assert not table.requests


def test_without_interaction_there_is_one_answer(dataset: str, table: Judge) -> None:
    env = MathEnv(dataset=dataset, case="six", judge=table, no_interaction=True)
    observation, _ = env.reset(seed=1)
    assert "<ask>" not in str(observation)
    heard, _, info = play(env, "<answer>5</answer>")
    assert (heard, info["outcome"]) == (["Incorrect.\nThe episode is over."], "failure")


def test_a_forced_final_comes_after_the_last_round(dataset: str, table: Judge) -> None:
    env = MathEnv(dataset=dataset, case="six", judge=table, budget=1, forced_final=True)
    heard, rewards, info = play(env, "Is it even?", "<answer>6</answer>")
    assert heard == ["Yes.\nNo rounds left. Give one final answer now: <answer>…</answer>.", "Correct."]
    assert (rewards[-1], info["won_by"]) == (1.0, "forced")


def test_the_judge_is_told_everything_and_the_player_nothing(table: Any) -> None:
    env = MathEnv(judge=table, case="number-theory-dancers")
    env.reset(seed=1)
    env.step("Is it even?")
    (request,) = table.requests
    assert (request.kind, request.task, request.labels) == ("question", "math", ("yes", "no", "both", "irrelevant"))
    assert request.context["problem"]["answer"] == "387"
    assert request.context["solution"].endswith("The smallest number is 387.")
    assert "387" not in env.view_text()


def test_a_users_problems_keep_their_order_and_their_fields(dataset: str, table: Judge) -> None:
    env = MathEnv(dataset=dataset, judge=table)
    assert env.cases == ("six", "root")
    observation, _ = env.reset(options={"case": "root"})
    assert "(The answer is a positive expression.)" in str(observation)
    assert MathEnv(dataset=dataset, difficulty=4, judge=table).cases == ("root",)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"id": "a", "problem": "x", "solution": "y"}, "line 1, field 'answer': is missing"),
        ({"id": "a", "problem": 3, "answer": "1", "solution": "y"}, "line 1, field 'problem': needs a text, got 3"),
        ({"id": "a", "problem": "x", "answer": "1" * 501, "solution": "y"}, "field 'answer': is longer than 500"),
        ({"id": "a", "problem": "x", "answer": "1", "solution": "y", "difficulty": 6}, "a whole number from 1 to 5"),
        (["a"], "a problem is a JSON object, got list"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line: object, says: str, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(DatasetError, match=says):
        MathEnv(dataset=str(path))


def test_generated_problems_are_named_by_generator_difficulty_and_seed() -> None:
    env = MathEnv(split="generated", difficulty=3)
    assert env.cases is None
    seen = set()
    for seed in range(8):
        env.reset(seed=seed)
        name, difficulty, _ = env.case_id.split("/")
        assert name in load_generators()
        assert difficulty == "3"
        seen.add(name)
        again = problems.Generated().draw(np.random.default_rng(0), env.case_id)
        assert env.task.show(again).problem in str(env.observe())
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"split": "hard"}, UnknownNameError, "split 'hard'"),
        ({"difficulty": 0}, ConfigError, "difficulty must be a whole number from 1 to 5, or None, got 0"),
        ({"dataset": 3}, ConfigError, "dataset must be a path as text, got 3"),
        ({"dataset": "x", "split": "generated"}, ConfigError, "not both"),
        ({"dataset": "nowhere.jsonl"}, ConfigError, "'nowhere.jsonl' is neither a .jsonl file nor a folder"),
        ({"case": "number-theory-dancer"}, UnknownNameError, "number-theory-dancers"),
    ],
)
def test_arguments_that_cannot_work_are_named(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        MathEnv(**arguments)


def test_a_generated_case_that_does_not_exist_names_the_form() -> None:
    with pytest.raises(UnknownNameError, match="case 'remainder/1/0'"):
        MathEnv(split="generated").reset(seed=1, options={"case": "remainder/1/0"})


@pytest.mark.parametrize(
    ("answer", "finals"),
    [
        (6, ["6", "6.0", "x = 6"]),
        (r"\boxed{6}", ["6"]),
        ("6 cm", ["6", "6 cm"]),
        (r"\frac{6}{7}", ["6/7", r"\dfrac{6}{7}", "$6/7$"]),
        (r"$9\pi$", ["9*pi", "9\u03c0"]),
        (r"2\sqrt{5}", ["2*sqrt(5)", "sqrt(20)"]),
        ("{0, 1}", ["{1, 0}"]),
    ],
)
def test_a_users_answer_may_be_dressed(answer: object, finals: list[str], tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"id": "a", "problem": "x?", "solution": "y", "answer": answer}), encoding="utf-8")
    env = MathEnv(dataset=str(path))
    for final in finals:
        assert play(env, f"<answer>{final}</answer>")[2]["outcome"] == "success", final
    assert play(env, "<answer>5</answer>")[0] == ["Incorrect.\nRounds left: 19."]


def test_an_answer_in_prose_needs_a_language_model(tmp_path: Path, table: Judge) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text('{"id": "a", "problem": "x?", "solution": "y", "answer": "purple elephants"}', encoding="utf-8")
    with pytest.raises(ConfigError, match="problem 'a': the offline judge cannot compare"):
        MathEnv(dataset=str(path))
    assert MathEnv(dataset=str(path), judge=table).cases == ("a",)
