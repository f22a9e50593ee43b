"""Whole episodes of Math-v1, word for word, with a judge that only says what it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs.dialogue.view import facts_of
from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.judges.base import Judge
from interactive_envs.making import make
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
        "Test one claim per message: <ask>…</ask>. It may be about anything on the way to the answer: an equation, a "
        "bound, the value of something, divisibility. The reply is yes, no, both (part of it is true, part is not) or "
        "irrelevant (it has no bearing on the problem). Claims that name the answer, such as about its size, digits, "
        "parity or divisors, are refused. A refusal costs no round; it is counted together with what is not "
        "understood. You have 5 rounds. Each question uses one, and so does each answer.\n\n"
        "Give the exact answer and nothing else: <answer>…</answer>. After a wrong answer the game goes on as long as "
        "you have rounds left. If your answer is right you score 1, otherwise 0.\n\n"
        'If the judge does not understand a question or an answer, the reply is "Not understood." It means neither '
        "yes nor no, and it does not count as an answer. This costs no round, up to 5 times per game; after that it "
        "costs one.\n\n"
        "A message that cannot be parsed (no action, several actions, or an invalid format) costs a round."
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
    env = MathEnv(hidden=False, answer_claims=True, judge=table, case="number-theory-dancers")
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


@pytest.mark.parametrize("hidden", [True, False])
def test_generated_problems_are_named_by_generator_difficulty_and_seed(hidden: bool) -> None:
    env = MathEnv(split="generated", difficulty=3, hidden=hidden)
    assert env.cases is None
    seen = set()
    for seed in range(8):
        env.reset(seed=seed)
        name, difficulty, _ = env.case_id.split("/")
        assert name.startswith("hidden-") == hidden
        assert name.removeprefix("hidden-") in load_generators()
        assert difficulty == "3"
        seen.add(name)
        again = problems.Generated(hidden=hidden).draw(np.random.default_rng(0), env.case_id)
        assert env.task.show(again).problem in str(env.observe())
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"split": "hard"}, UnknownNameError, "split 'hard'"),
        ({"difficulty": 0}, ConfigError, "difficulty must be a whole number from 1 to 5, or None, got 0"),
        ({"hidden": 1}, ConfigError, "hidden must be true or false, got 1"),
        ({"answer_claims": "no"}, ConfigError, "answer_claims must be true or false, got 'no'"),
        ({"dataset": 3}, ConfigError, "dataset must be a path as text, got 3"),
        ({"dataset": "x", "split": "generated"}, ConfigError, "not both"),
        ({"dataset": "nowhere.jsonl"}, ConfigError, "'nowhere.jsonl' is neither a .jsonl file nor a folder"),
        ({"case": "number-theory-dancer", "hidden": False}, UnknownNameError, "number-theory-dancers"),
    ],
)
def test_arguments_that_cannot_work_are_named(arguments: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        MathEnv(**arguments)


def test_a_generated_case_that_does_not_exist_names_the_form() -> None:
    with pytest.raises(UnknownNameError, match="case 'hidden-bag/1/0'"):
        MathEnv(split="generated").reset(seed=1, options={"case": "hidden-bag/1/0"})


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


HIDDEN = "hidden-bags/5/8255"
RULES = (
    "A mathematical problem with hidden numbers. Find out what you need, then answer.\n"
    "\n"
    "Problem: There are 3 drawers. The drawer number k holds white(k) white and black(k) black socks; these "
    "numbers are hidden. One drawer is chosen at random, each with the same probability, and two socks are drawn "
    "from it at random, one after another and without putting any back. Both are white. What is the probability "
    "that the chosen drawer is number 1?\n"
    "(The answer is a fraction.)\n"
    "\n"
    "Hidden whole numbers:\n"
    "- black(1), black(2): from 3 to 18. You may ask for the value.\n"
    "- white(1), white(2), white(3), black(3): from 3 to 18. You cannot ask for the value; make claims.\n"
    "\n"
    "Send one question or claim per message.\n"
    "- Ask for a value: <ask>black(1) = ?</ask>.\n"
    "- Make a formal claim with these names: <ask>white(1) < 11</ask>, <ask>white(1) + 2*black(1) > 32</ask>, "
    "<ask>black(1) mod 3 = 1</ask>. You may use numbers, + - * / ^ mod ( ), gcd, lcm, min, max, abs and floor, "
    "the relations = != < <= > >= and divides, and the words and, or and not. The reply is yes, no, or "
    "undefined if, for example, you divide by zero.\n"
    "- Or make a claim in words, about the hidden numbers or about a step of your derivation. The reply is yes, "
    "no, both (part of it is true, part is not) or irrelevant (it has no bearing on the problem).\n"
    "\n"
    "Claims that name the answer, such as about its size, digits, parity or divisors, are refused. A refusal costs no "
    "round; it is counted together with what is not understood. A formula in the names above is always decided.\n"
    "\n"
    "A formula that has a mistake, or a name that the problem does not have, is a message that cannot be parsed.\n"
    "\n"
    "You have 20 rounds. Each question uses one, and so does each answer.\n"
    "\n"
    "Give the exact answer and nothing else: <answer>…</answer>. After a wrong answer the game goes on as long as you "
    "have rounds left. If your answer is right you score 1, otherwise 0.\n"
    "\n"
    'If the judge does not understand a question or an answer, the reply is "Not understood." It means neither yes '
    "nor no, and it does not count as an answer. This costs no round, up to 20 times per game; after that it costs "
    "one.\n"
    "\n"
    "A message that cannot be parsed (no action, several actions, or an invalid format) costs a round."
)
HIDDEN_EPISODE = [
    ("<ask>black(1) = ?</ask>", "black(1) = 13.\nRounds left: 19."),
    ("What is black(2)?", "black(2) = 6.\nRounds left: 18."),
    ("white(1) < 11", "No.\nRounds left: 17."),
    ("<ask>10 < white(1) <= 14 and white(2) mod 7 = 0</ask>", "Yes.\nRounds left: 16."),
    (
        "<ask>white(3) = ?</ask>",
        "Not legal: The value of white(3) cannot be asked for. Test claims about it, such as "
        "white(3) < 11. It cost a round.\nRounds left: 15.",
    ),
    (
        "<ask>ripe(1) = 3</ask>",
        "Not read: The problem has no number named ripe(1). The names are: white(1), black(1), white(2), black(2), "
        "white(3), black(3). It cost a round.\nRounds left: 14.",
    ),
    (
        "<ask>black(1) + black(2) = ?</ask>",
        "Not legal: Only a single hidden number can be asked for: black(1), black(2). It cost a round.\n"
        "Rounds left: 13.",
    ),
    ("<ask>white(1)/(white(2) - 7) = 1</ask>", "Undefined.\nRounds left: 12."),
    ("<ask>P(white white | drawer 1) = 7/27</ask>", "Yes.\nRounds left: 11."),
    ("<ask>Is white(3) at least 14?</ask>", "Yes.\nRounds left: 10."),
    ("<ask>black(3) is even, and it is 13.</ask>", "Both.\nRounds left: 9."),
    ("<ask>The total probability of the draws is below one half.</ask>", "Yes.\nRounds left: 8."),
    ("<answer>1/3</answer>", "Incorrect.\nRounds left: 7."),
    ("<answer>650/2027</answer>", "Correct."),
]


def test_a_hidden_problem_word_for_word() -> None:
    env = MathEnv(split="generated", case=HIDDEN)
    observation, info = env.reset(seed=1)
    assert str(observation) == RULES
    assert info["action_examples"][0] in str(observation)
    heard, rewards, info = play(env, *(action for action, _ in HIDDEN_EPISODE))
    assert list(zip((action for action, _ in HIDDEN_EPISODE), heard, strict=True)) == HIDDEN_EPISODE
    assert (rewards[-1], info["outcome"]) == (1.0, "success")


def test_claims_about_the_answer_are_refused_free_as_often_as_there_are_rounds() -> None:
    env = MathEnv(split="generated", case=HIDDEN, budget=2)
    asked = ["<ask>Is the answer at least 1/2?</ask>", "answer < 1/2", "<ask>the answer is even</ask>", "Q: Is it 1/3?"]
    refused = (
        "Refused: this claim is about the answer itself. Ask about a hidden number, or about a step that comes before "
        "the answer."
    )
    heard, _, info = play(env, *asked)
    assert heard == [
        f"{refused} This cost no round (1 of 2 free attempts used).\nRounds left: 2.",
        f"{refused} This cost no round (2 of 2 free attempts used).\nRounds left: 2.",
        f"{refused} This cost a round, because no free attempts are left.\nRounds left: 1.",
        f"{refused} This cost a round, because no free attempts are left.\nNo rounds left. The episode is over.",
    ]
    assert info["outcome"] == "timeout"


@pytest.mark.parametrize(
    "claim",
    [
        *("The answer is divisible by 3.", "the last digit of the answer is 7", "Is it even?", "It is less than 500."),
        *("Does the answer have three digits?", "answer mod 7 = 2", "answer > 300", "2*answer = 774"),
        *("The smallest number is 387.", "Is the smallest positive number a multiple of 9?"),
        "Is the result prime, and is it odd?",
    ],
)
def test_any_relation_on_the_answer_is_refused_unless_it_is_the_papers_way(claim: str) -> None:
    env = MathEnv(hidden=False, case="number-theory-dancers")
    assert play(env, f"<ask>{claim}</ask>")[0][0].startswith("Refused: this claim is about the answer itself.")
    paper = MathEnv(hidden=False, case="number-theory-dancers", answer_claims=True)
    assert play(paper, f"<ask>{claim}</ask>")[0][0].splitlines()[0] in ("Yes.", "No.", "Both.")


def test_a_sentence_that_is_not_understood_is_free_and_not_called_irrelevant() -> None:
    env = MathEnv(split="generated", case=HIDDEN)
    heard, _, info = play(env, "<ask>The flumph is 12.</ask>", "<ask>Flumphs are 12.</ask>")
    assert heard == [
        f"Not understood. Please rephrase. This cost no round ({used} of 20 free attempts used).\nRounds left: 20."
        for used in (1, 2)
    ]
    assert [exchange.fact for exchange in info["view"].exchanges] == [None, None]


def test_the_papers_preset_is_the_published_protocol() -> None:
    env: Any = gym.make("ibench/Math-v1", preset="paper").unwrapped
    assert env.cases == MathEnv(hidden=False).cases
    assert (env.terms.budget, env.terms.forced_final, env.terms.finals) == (20, True, None)
    assert "It may be about the answer or about anything on the way to it" in env.reset(seed=1)[0]


def test_the_view_has_the_setting_but_no_hidden_value() -> None:
    env = MathEnv(split="generated", case=HIDDEN)
    shown = env.reset(seed=1)[1]["view"].shown
    assert json.loads(shown.setting) == {
        "bags": [["white(1)", "black(1)"], ["white(2)", "black(2)"], ["white(3)", "black(3)"]],
        "weights": [1, 1, 1],
        "draws": 2,
        "red": 2,
    }
    assert {each.name for each in shown.hidden} == {
        f"{colour}({k})" for colour in ("white", "black") for k in (1, 2, 3)
    }
    assert not any(hasattr(each, "value") for each in shown.hidden)


def test_a_false_value_is_corrected_some_turns_later() -> None:
    env: Any = make("ibench/Math-v1", split="generated", case=HIDDEN, probes="revision?turn=1&after=2")
    heard, _, info = play(env, "<ask>black(1) = ?</ask>", "<ask>black(2) = ?</ask>", "<ask>white(1) < 11</ask>")
    assert heard[0].startswith("black(1) = ")
    assert not heard[0].startswith("black(1) = 13.")
    correction = "Correction: the reply to your query 1 was wrong. The right reply is: black(1) = 13."
    assert heard[1:] == ["black(2) = 6.\nRounds left: 20.", f"No.\n{correction}\nRounds left: 19."]
    assert facts_of(info["view"])[0] == ("black(1) = ?", "black(1) = 13")


def test_a_false_reply_is_well_formed() -> None:
    env = MathEnv(split="generated", case=HIDDEN)
    env.reset(seed=1)
    task, state, rng = env.task, env.state.task_state, np.random.default_rng(0)
    number = next(each for each in state.hidden if each.askable)
    false = {task.wrong_fact(state, f"{number.name} = ?", rng) for _ in range(200)}
    span = range(number.low, number.high + 1)
    assert false == {f"{number.name} = {value}" for value in span if value != number.value}
    assert task.wrong_fact(state, f"{number.name} = {number.value}", rng) == "no"
    assert task.wrong_fact(state, f"{number.name} < {number.low}", rng) == "yes"


STEPS = [
    ("<ask>c1 = ?</ask>", "c(1) = 34.\nRounds left: 19."),
    ("<ask>There are c(1)^2 + c(2) coverings of a ribbon of length 2.</ask>", "Yes.\nRounds left: 18."),
    ("<ask>There are c(1)^2 coverings of a ribbon of length 2.</ask>", "No.\nRounds left: 17."),
    ("<ask>c(1), c(2) and c(3) are all different.</ask>", "Yes.\nRounds left: 16."),
    ("<ask>c_{1} < c_2</ask>", "Yes.\nRounds left: 15."),
    *(
        (
            f"<ask>{step}</ask>",
            f"Not understood. Please rephrase. This cost no round ({used} of 20 free attempts used).\nRounds left: 15.",
        )
        for used, step in (
            (1, "a(n) = c(1) a(n-1) + c(2) a(n-2) + c(3) a(n-3) for n > 2, with a(0) = 1."),
            (2, "The number of coverings satisfies a linear recurrence of order 3."),
            (3, "The coverings of a ribbon of length 3 number c(1)^3 + c(1)*c(2) + c(3)."),
        )
    ),
    (
        "<ask>The number of coverings is at least 1000.</ask>",
        "Refused: this claim is about the answer itself. Ask about a hidden number, or about a step that comes before "
        "the answer. This cost no round (4 of 20 free attempts used).\nRounds left: 15.",
    ),
]


def test_smaller_cases_and_recurrences_are_not_refused_as_claims_about_the_answer() -> None:
    env = MathEnv(case="combinatorics-hidden-pavings-2")
    heard, _, _ = play(env, *(action for action, _ in STEPS))
    assert list(zip((action for action, _ in STEPS), heard, strict=True)) == STEPS
