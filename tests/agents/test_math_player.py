"""The player that narrows a number down without doing mathematics, and the one that asks for hidden numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from interactive_envs.agents.mathematics import Asker, Bisect, Reference, Trial
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.mathematics.env import MathEnv
from interactive_envs.mathematics.rules import Shown

ZEROS = [
    "<ask>high < 1025</ask>",
    "<ask>low < 257</ask>",
    "<ask>high < 769</ask>",
    "<ask>low < 385</ask>",
    "<ask>high < 897</ask>",
    "<ask>low < 321</ask>",
    "<ask>high < 961</ask>",
    "<ask>low < 353</ask>",
    "<ask>high < 929</ask>",
    "<ask>low < 337</ask>",
    "<ask>high < 913</ask>",
    "<ask>low < 329</ask>",
    "<ask>high < 905</ask>",
    "<ask>low < 325</ask>",
    "<ask>high < 901</ask>",
    "<ask>low < 327</ask>",
    "<ask>high < 899</ask>",
    "<ask>low < 328</ask>",
    "<ask>high < 898</ask>",
    "<answer>142</answer>",
]


def found(answer: Fraction | int, form: str = "a whole number", rounds: int = 60) -> tuple[Fraction, int]:
    """What it answers where the replies are true, and after how many questions."""
    view = DialogueView(Shown("?", form), (), rounds, rounds, 0, "rounds", True)
    player, said, asked = Bisect(), "", 0
    info: dict[str, Any] = {"view": view, "action_tags": ("ask", "answer")}
    player.reset(seed=1, info=info)
    while True:
        text = player.act(said, info | {"rounds_left": rounds - asked})
        if text.startswith("<answer>"):
            return Fraction(text.removeprefix("<answer>").removesuffix("</answer>")), asked
        asked += 1
        bound = Fraction(text.removeprefix("<ask>Is the answer at least ").removesuffix("?</ask>"))
        said = "Yes." if answer >= bound else "No."


@pytest.mark.parametrize("number", [0, 1, -1, 2, 7, -8, 387, -1515, 1024, 10**9])
def test_it_finds_whole_numbers(number: int) -> None:
    assert found(number)[0] == number


def test_small_numbers_take_few_rounds() -> None:
    assert found(12)[1] <= 10
    assert found(3306, rounds=20)[0] == 3306


def test_it_goes_down_the_stern_brocot_tree_for_fractions() -> None:
    assert found(Fraction(3, 7), "a fraction", rounds=20)[0] == Fraction(3, 7)


def test_with_the_last_round_it_answers() -> None:
    assert found(3306, rounds=1) == (Fraction(0), 0)


def play(player: Asker | Bisect, env: MathEnv, **options: Any) -> tuple[list[str], dict[str, Any]]:
    """What a player says in an episode, and the last info."""
    observation, info = env.reset(seed=1, **options)
    player.reset(seed=1, info=info)
    said, over = [], False
    while not over:
        said.append(player.act(observation, info))
        observation, _, over, _, info = env.step(said[-1])
    return said, info


def test_the_reference_asks_for_values_then_halves_ranges_then_answers() -> None:
    said, info = play(Reference(), MathEnv(split="generated", case="hidden-zeros/1/8121"))
    assert said == ZEROS
    assert (info["outcome"], info["turns"]) == ("success", len(said))


def test_the_trial_player_asks_for_values_then_tries_numbers_one_by_one_then_answers() -> None:
    said, info = play(Trial(), MathEnv(split="generated", case="hidden-walks/1/3"))
    asked = [f"w({name}) = ?" for name in "1,2 1,3 1,4 2,1 2,3 3,2 3,4 4,1 4,2".split()]
    tried = [f"w({name}" for name in "2,4) = 0; 2,4) = 1; 3,1) = 0; 3,1) = 1; 4,3) = 0; 4,3) = 1; 4,3) = 2".split("; ")]
    assert said == [*(f"<ask>{text}</ask>" for text in asked + tried), "<answer>3</answer>"]
    assert info["outcome"] == "success"


def test_the_reference_is_right_wherever_its_rounds_suffice() -> None:
    env = MathEnv(budget=60)
    for case in env.cases or ():
        assert play(Reference(), env, options={"case": case})[1]["outcome"] == "success", case


def test_without_a_question_the_reference_guesses_wrong() -> None:
    env = MathEnv(no_interaction=True)
    won = [play(Reference(), env, options={"case": case})[1]["outcome"] == "success" for case in env.cases or ()]
    assert (sum(won), len(won)) == (0, 110)


@pytest.mark.parametrize("player", [Reference(), Trial()])
def test_who_asks_for_hidden_numbers_needs_some(player: Asker) -> None:
    with pytest.raises(ConfigError, match=f"agent '{player.name}' of mathematics needs hidden numbers"):
        play(player, MathEnv(hidden=False))


def test_bounds_on_the_answer_solve_nothing_where_claims_about_it_are_refused() -> None:
    cases = ("number-theory-dancers", "combinatorics-packets", "probability-which-bag")
    for refused, outcome in ((False, "success"), (True, "timeout")):
        env = MathEnv(hidden=False, answer_claims=not refused)
        assert {play(Bisect(), env, options={"case": case})[1]["outcome"] for case in cases} == {outcome}


@pytest.mark.long
def test_the_references_score_falls_from_level_to_level_and_stays_in_the_range() -> None:
    """Of the fixed problems, 22 a level, at the default setting; without questions it has none right."""
    scores = []
    for level in range(1, 6):
        env = MathEnv(difficulty=level)
        cases = env.cases or ()
        won = [play(Reference(), env, options={"case": case})[1]["outcome"] == "success" for case in cases]
        scores.append(sum(won) / len(won))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 5
    assert scores[0] <= 0.98
    assert scores[-1] >= 0.6


def test_a_claim_that_combines_hidden_numbers_needs_fewer_rounds_than_the_reference() -> None:
    """Two check digits depend on a number of seven hidden digits only by its remainder: seven claims find it."""
    env = MathEnv(split="generated", case="hidden-check-digits/5/1")
    _, info = env.reset(seed=1)
    shown = info["view"].shown
    modulus, digits = json.loads(shown.setting)["modulus"], [each.name for each in shown.hidden]
    number = " + ".join(f"{10 ** (len(digits) - k)}*{name}" for k, name in enumerate(digits, 1))
    low, high = 0, modulus - 1
    while low < high:
        middle = (low + high + 1) // 2
        reply = env.step(f"<ask>({number}) mod {modulus} < {middle}</ask>")[0]
        low, high = (low, middle - 1) if reply.startswith("Yes") else (middle, high)
    _, reward, _, _, info = env.step(f"<answer>{-100 * low % modulus}</answer>")
    assert (reward, info["turns"] <= 8) == (1.0, True)
