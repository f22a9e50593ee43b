"""The player that narrows a number down without doing mathematics."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from interactive_envs.agents.mathematics import Bisect
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.mathematics.rules import Shown


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
