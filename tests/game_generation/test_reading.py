"""What a reader of the rules says of positions, compared with the code."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import generate
from interactive_envs.game_generation.answers import read_files
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.pool import Ruling, write_files
from interactive_envs.game_generation.reading import (
    INSTRUCTIONS,
    TRACES,
    asked_for_traces,
    differences,
    disagreements,
    positions,
    question,
)
from interactive_envs.novel_games.folder import SETS
from tests.game_generation.plays import plays
from tests.game_generation.spaced import Rules, read, spaced
from tests.game_generation.test_making import FILES
from tests.loopback import Loopback

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
ONE, TWO = (f"position {number}, after First: take 5: " for number in (1, 2))


def test_who_says_the_same_differs_nowhere() -> None:
    assert differences(ASKED, f"{{so}} I think:\n```json\n{RIGHT}\n```") == []


@pytest.mark.parametrize(
    ("was", "now", "difference"),
    [
        ("Second", "first", f"{ONE}by the rules first is to move, in the code second"),
        ('"Take 1"', '"take 1", "take 5"', f"{ONE}by the rules take 5 is legal, in the code it is not"),
        ('["Take 1"]', "[]", f"{ONE}by the rules take 1 is not legal, in the code it is"),
        ('"winner": "first"', '"winner": "draw"', f"{TWO}by the rules draw wins, in the code first"),
        (
            'true, "winner": "first"',
            'false, "to_move": "first", "legal": []',
            f"{TWO}by the rules the game goes on, in the code it is over",
        ),
        ('"winner": "first"', '"winner": null', f"{TWO}by the rules draw wins, in the code first"),
    ],
)
def test_each_difference_is_a_sentence(was: str, now: str, difference: str) -> None:
    assert differences(ASKED, RIGHT.replace(was, now)) == [difference]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('["Take 1"]', "null"),
        ('["Take 1"]', '"Take 1"'),
        ('"Second"', '"me"'),
        ('"winner": "first"', '"winner": "first player"'),
        (', "winner": "first"', ""),
        ("false", '"false"'),
    ],
)
def test_a_slip_of_form_is_no_answer_and_no_fault_of_the_game(was: str, now: str) -> None:
    assert was in RIGHT
    assert differences(ASKED, RIGHT.replace(was, now)) is None


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


RULES = Rules(numbers=10, gap=2, bane=9)
OTHERS = {
    "moves": (dataclasses.replace(RULES, gap=3), r"by the rules take \d+ is (not )?legal, in the code it is"),
    "winner": (dataclasses.replace(RULES, bane=7), "by the rules (first|second) wins, in the code (first|second)"),
    "end": (dataclasses.replace(RULES, total=15), "by the rules .* (goes on|wins), in the code (it is over|first)"),
}
"""Rules that are wrong in one thing, and what a reader says of it. The examples hold in all of them."""


@pytest.mark.parametrize("what", OTHERS)
def test_a_reader_that_follows_the_text_differs_where_the_code_does_something_else(tmp_path: Path, what: str) -> None:
    other, sentence = OTHERS[what]
    for number, (text, code) in enumerate([(other, other), (other, RULES), (RULES, other)]):
        files = dict(read_files(spaced(text, code), FILES).files)
        write_files(tmp_path / str(number), files)
        asked = positions(tmp_path / str(number))
        found = differences(asked, read(question(files["rules.md"], asked)))
        assert found is not None
        assert bool(found) == (text != code)
        assert all(re.search(sentence, one) for one in found)


@pytest.mark.long
def test_a_text_or_a_code_that_is_wrong_is_refused_by_the_reading_and_the_right_pair_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))

    def said(messages: Sequence[Any]) -> str:
        if messages[0]["content"] in (INSTRUCTIONS, TRACES):
            return read(messages[1]["content"])
        side, what = messages[1]["content"].split()[-2:]
        other = OTHERS.get(what, (RULES, ""))[0]
        return spaced(other, RULES) if side == "text" else spaced(RULES, other)

    ideas = ["nothing wrong", *(f"{side} {what}" for what in OTHERS for side in ("text", "code"))]
    with Loopback(said) as server:
        model = f"llm:openai/fake?base_url={server.url}&temperature=0.5"
        made = generate("games", tmp_path / "pool", ideas=ideas, repairs=0, model=model, workers=2)
    (_, right), *wrong = made.ends()
    assert right == Done(admitted=True)
    for (candidate, end), idea in zip(wrong, ideas[1:], strict=True):
        assert end == Done(False, "reading"), idea
        last = candidate.entries[-1]
        assert isinstance(last, Ruling)
        assert {kind for kind, _ in last.reasons} == {"rules and code"}
        assert all(re.search(OTHERS[idea.split()[1]][1], text) for _, text in last.reasons), last


def test_a_move_that_the_text_allows_and_the_code_never_does_is_found_by_the_plays_alone(tmp_path: Path) -> None:
    def fault(name: str, text: str) -> str:
        free = "return [n for n in free"
        assert name != "game.py" or free in text
        return text.replace(free, f"free = [n for n in free if n != 8] or free\n        {free}")

    files = {name: fault(name, text) for name, text in read_files(spaced(RULES), FILES).files}
    game = tmp_path / "game"
    write_files(game, files)
    asked = positions(game)
    assert differences(asked, read(question(files["rules.md"], asked))) == []
    found = disagreements(game, read(asked_for_traces(files["rules.md"], files["actions.md"])))
    sentence = (
        r"in the play that a reader wrote from the rules, seed 1 / .*(first|second): take 9: line \d+: "
        r"'take 9' is not legal; legal are take .*"
    )
    assert found
    assert all(re.fullmatch(sentence, one) for one in found)


BOTH = "```trace\nseed 1\nfirst: take 5\nsecond: take 1\n{illegal}```\nand\n```trace\nseed 1\nfirst: take 2\n{end}```"
FORBIDDEN = "illegal: first: take 5\nillegal: first: take 1\n" * 2


@pytest.mark.parametrize(
    ("illegal", "end", "said"),
    [
        (FORBIDDEN, "winner: first\n", "line 3: the text says 'first', the game None"),
        (FORBIDDEN, "second: take 2\n" * 40, "line 3: 'take 2' is not legal"),
        (FORBIDDEN, "winner: first\nfirst: take 3\n", "line 3: the text says 'first'"),
        (FORBIDDEN, "", None),
        (FORBIDDEN[:40], "winner: first\n", None),
    ],
)
def test_plays_that_test_too_little_are_no_answer(tmp_path: Path, illegal: str, end: str, said: str | None) -> None:
    game = tmp_path / "game"
    write_files(game, dict(read_files(spaced(Rules()), FILES).files))
    found = disagreements(game, BOTH.format(illegal=illegal, end=end))
    assert (found is None) if said is None else (found is not None and len(found) == 1 and said in found[0])
    assert disagreements(game, "no") is None


def test_plays_may_be_written_in_other_ways() -> None:
    game = SETS["games-v0"] / "sum-shy"
    files = {file.name: file.read_text("utf-8") for file in game.iterdir() if file.suffix != ".npz"}
    said = plays(files).replace("first: ", "First:").replace("illegal: ", "Illegal: ").replace("seed 1\n", "# mine\n")
    said = re.sub(r"winner: (\w+)", r"Winner: \1.  // the end", said).replace("# mine", "# mine\nBoard: 1")
    assert disagreements(game, said) == []
    assert disagreements(game, said.replace("First:", "I: ", 1)) is None


@pytest.mark.parametrize("name", ["sum-shy", "undertow-tricks"])
def test_plays_of_the_code_itself_are_followed(name: str) -> None:
    folder = SETS["games-v0"] / name
    files = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.suffix != ".npz"}
    assert disagreements(folder, plays(files)) == []
