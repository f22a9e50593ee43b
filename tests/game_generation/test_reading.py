"""What a reader of the rules says of positions, compared with the code."""

from __future__ import annotations

from typing import Any

import pytest

from interactive_envs.game_generation.reading import differences, positions, question
from interactive_envs.novel_games.folder import SETS

ASKED: list[dict[str, Any]] = [
    {
        "log": ["First: take 5"],
        "board": "1 2 3",
        "moves": ["take 1", "take 5"],
        "truth": {"over": False, "to_move": "second", "legal": ["take 1"]},
    },
    {"log": ["First: take 5"], "board": "1 2", "moves": [], "truth": {"over": True, "winner": "first"}},
]
RIGHT = '{"1": {"over": false, "to_move": "Second", "legal": ["Take 1"]}, "2": {"over": true, "winner": "first"}}'
ONE, TWO = (f"position {number}, after move 1, 'First: take 5': " for number in (1, 2))


def test_who_says_the_same_differs_nowhere() -> None:
    assert differences(ASKED, f"{{so}} I think:\n```json\n{RIGHT}\n```") == []


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        ("Second", "first", f"{ONE}by the rules first is to move, in the code second"),
        ('"Take 1"', '"take 1", "take 5"', f"{ONE}by the rules take 5 is legal, in the code it is not"),
        ('["Take 1"]', "null", f"{ONE}by the rules take 1 is not legal, in the code it is"),
        ('"winner": "first"', '"winner": "draw"', f"{TWO}by the rules draw wins, in the code first"),
        ("true", "false", f"{TWO}by the rules the game goes on, in the code it is over"),
    ],
)
def test_each_difference_is_a_sentence(was: str, now: str, difference: str) -> None:
    assert differences(ASKED, RIGHT.replace(was, now)) == [difference]


@pytest.mark.parametrize("reply", ["", "no", "[1]", '{"1": {"over": true}}', '{"1": 3, "2": 4}', "{{{{", "{" * 5000])
def test_a_reply_without_every_position_is_no_answer(reply: str) -> None:
    assert differences(ASKED, reply) is None


@pytest.mark.parametrize("name", ["sum-shy", "undertow-tricks", "spillway"])
def test_positions_are_of_real_games_and_the_question_tells_no_truth(name: str) -> None:
    asked = positions(SETS["games-v0"] / name)
    assert len(asked) == 8
    assert [one["truth"]["over"] for one in asked] == [False, True] * 4
    for one in asked:
        if not one["truth"]["over"]:
            assert one["truth"]["legal"]
            assert set(one["truth"]["legal"]) <= set(one["moves"])
    text = question("# Rules", asked)
    assert text.count("## Position") == 8
    assert "truth" not in text
    assert positions(SETS["games-v0"] / name) == asked
