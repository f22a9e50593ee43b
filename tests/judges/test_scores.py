"""Scores of a model: read tolerantly, never guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.judges import scores
from interactive_envs.parsing import Unreadable

DIMENSIONS = ("layout", "component", "style", "text", "polish")
FIVE = {"layout": 12, "component": 9, "style": 20, "text": 0, "polish": 3}
GOOD = json.dumps(FIVE)


def read_scores(reply: str) -> dict[str, int] | Unreadable:
    return scores.read_scores(reply, DIMENSIONS, 20)


def test_names_and_highest_are_the_requests() -> None:
    form = scores.score_form(("wit", "rigour"), 3)
    assert form.read('{"wit": "2/3", "rigour": 0}') == {"wit": 2, "rigour": 0}
    assert form.read('{"wit": "2/20", "rigour": 0}') == Unreadable("'wit' is 2/20, not a whole number from 0 to 3.")
    assert form.read("fine") == Unreadable("I found no JSON with the two scores.")
    assert '{"wit": N, "rigour": N} only, where each N is a whole number from 0 to 3' in form.again
    schema: Any = form.constraint and form.constraint.json_schema
    assert schema["properties"]["wit"] == {"type": "integer", "enum": [0, 1, 2, 3]}


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f'{{"scores": {GOOD}, "total": 44}}',
        f"The layout is close.\n{GOOD}\nThat makes 44.",
        f"<think>{GOOD.replace('12', '5')}</think>{GOOD}",
        f"{GOOD} {GOOD}",
        GOOD.replace("12", "12.0").replace("9", '"9"').replace("3", '"3 / 20"'),
        GOOD.replace("layout", "Layout").replace("text", " TEXT "),
        GOOD.replace("}", ', "total": 44, "comment": "good"}'),
        GOOD.replace('"style": 20', '"style": 20, "style": 20'),
    ],
)
def test_a_reply_with_five_scores_is_read(reply: str) -> None:
    assert read_scores(reply) == FIVE


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "It is empty."),
        (f"<think>{GOOD}", "It is empty."),
        ("12, 9, 20, 0, 3", "I found no JSON"),
        ("44", "I found no JSON"),
        ('{"total": 44}', "I found no JSON"),
        (GOOD.replace("12", "21"), "'layout' is 21"),
        (GOOD.replace("12", "-1"), "'layout' is -1"),
        (GOOD.replace("12", "12.5"), "'layout' is 12.5"),
        (GOOD.replace("12", "1e999"), "'layout' is inf"),
        (GOOD.replace("12", "NaN"), "'layout' is nan"),
        (GOOD.replace("12", "true"), "'layout' is True"),
        (GOOD.replace("12", "null"), "'layout' is None"),
        (GOOD.replace("12", '"12%"'), "'layout' is 12%"),
        (GOOD.replace("12", '"12/100"'), "'layout' is 12/100"),
        (GOOD.replace("12", "[12]"), "'layout' is [12]"),
        (GOOD.replace('"text": 0, ', ""), "There is no 'text'."),
        (GOOD.replace('"style": 20', '"style": 20, "style": 19'), "'style' is given twice."),
        (f"{GOOD} {GOOD.replace('12', '13')}", "two different sets"),
        (f'{GOOD} {{"layout": 13, "comp', "outside a complete flat JSON object"),
        (GOOD.replace("12", '{"score": 12}'), "outside a complete flat JSON object"),
        (GOOD.replace("12", "1" * 5000), "I found no JSON"),
    ],
)
def test_a_reply_without_five_scores_in_range_is_unreadable(reply: str, reason: str) -> None:
    read = read_scores(reply)
    assert isinstance(read, Unreadable)
    assert reason in read.reason


@given(
    st.text() | st.dictionaries(st.sampled_from(DIMENSIONS), st.integers() | st.floats() | st.text()).map(json.dumps)
)
def test_any_reply_is_five_scores_in_range_or_unreadable(reply: str) -> None:
    read = read_scores(reply)
    assert isinstance(read, Unreadable) or (tuple(read) == DIMENSIONS and all(0 <= n <= 20 for n in read.values()))


@pytest.mark.parametrize("filler", ["{", '"layout": ', '{"layout": 1}', " ", "{}", '{"a":'])
def test_a_huge_reply_is_read_in_no_time(filler: str) -> None:
    assert isinstance(read_scores("Scores: " + filler * 20_000), Unreadable)
