"""Query games made by a scripted model: what the tables, the proof, the reader and the comparison find."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import evaluate, generate
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.game_generation import query_games
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import Made, look
from interactive_envs.game_generation.pool import Ruling
from interactive_envs.query_games import made as made_games
from tests.game_generation.folders import Change, in_file, last, replies, reply
from tests.query_games.fixtures import TIDE_MARKS

FILES = made_games.FILES


def write(tmp_path: Path, *changes: Change, **options: Any) -> Made:
    """A pool with a candidate for each change, as far as it comes without a reader."""
    texts = {
        f"query_game_{number:04d}_write_0": reply(TIDE_MARKS, FILES, change) for number, change in enumerate(changes, 1)
    }
    answers = replies(tmp_path / "written.jsonl", **texts)
    options = {"repairs": 0, "replies": [answers], "count": len(changes)} | options
    return generate("query-games", tmp_path / "pool", **options)


def read(tmp_path: Path, change: Callable[[dict[str, Any]], None] = lambda said: None) -> Made:
    """The pool after a reader computed everything right, but for a change of what it said."""
    answers = {}
    for candidate in look(tmp_path / "pool").pool.candidates():
        for entry in candidate.entries:
            if isinstance(entry, Ruling) and "questions" in entry.facts:
                said = {str(number): one["truth"] for number, one in enumerate(entry.facts["questions"], 1)}
                change(said)
                name = f"query_game_{candidate.number:04d}_reading_{candidate.rounds}"
                answers[name] = f"Computed by hand:\n```json\n{json.dumps(said)}\n```"
    return generate("query-games", tmp_path / "pool", replies=[replies(tmp_path / "read.jsonl", **answers)])


def same(name: str, text: str) -> str:
    return text


def test_a_query_game_is_made_read_released_and_played(tmp_path: Path) -> None:
    (asked,) = write(tmp_path, same).waiting
    assert (asked.custom_id, asked.reader) == ("query-game-0001-reading-0", True)
    question = asked.messages[1]["content"]
    assert question.startswith("Hidden: a set of 2 different numbers from 1 to 8.")
    assert re.search(r"1. Hidden: the set is \d, \d. What is the reply to <query_distance>\d</query_dis", question)
    assert re.search(
        r"24. Hidden: .*of the rules: the sum of the squares of all numbers of the set\. Write one number", question
    )
    assert "def " not in question
    assert "rounds" not in question
    made = read(tmp_path)
    assert made.ends()[0][1] == Done(admitted=True)
    assert made.funnel().splitlines()[:7] == [
        "candidates        1",
        "parse             1",
        "tables            1",
        "proof             1",
        "reading           1",
        "novelty           1",
        "admitted          1",
    ]
    (folder,) = made.release(tmp_path / "suite")
    assert folder.name == "tide-marks"
    env = ("ibench/Query-v1", {"path": str(folder)})
    run = evaluate(env, "query-games/reference", episodes=2, out=tmp_path / "run")
    assert [episode.reward for episode in run.episodes] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("A-B C-D", True),
        ("D-C, B-A", True),
        ("A\u2013B; C\u2013D", True),
        ([["A", "B"], ["C", "D"]], True),
        ("<answer>(C,D) (A,B)</answer>", True),
        ("A-C B-D", False),
        ("A-B", False),
        ("none", False),
    ],
)
def test_edges_are_compared_as_pairs_without_an_order(said: Any, same: bool) -> None:
    asked = [{"hidden": "h", "asks": "a", "truth": "A-B C-D", "answer": True, "ordered": False}]
    assert (query_games.differences(asked, json.dumps({"1": said})) == []) is same


def test_what_a_reader_may_write_is_understood(tmp_path: Path) -> None:
    write(tmp_path, same)

    def otherwise(said: dict[str, Any]) -> None:
        for name, value in said.items():
            said[name] = {"yes": True, "no": "No."}.get(value, int(value) if value.isdecimal() else value)
        said["24"] = f"<answer>{said['24']}</answer>"

    assert read(tmp_path, otherwise).ends()[0][1] == Done(admitted=True)


@pytest.mark.parametrize(
    ("change", "stage", "kind", "why"),
    [
        (in_file("game.toml", "{set} of {k}", "set of {k}"), "tables", "word", "write {set} in braces"),
        (in_file("game.toml", "of the {set} (0", "of the {heap} (0"), "tables", "template", "{heap}, which stands for"),
        (
            in_file("game.toml", "of the {set} (0", "of the {1} (0"),
            "tables",
            "template",
            "braces that stand for nothing",
        ),
        (in_file("game.py", "return sum", "return 1 / 0 + sum"), "tables", "no tables", "ZeroDivisionError"),
        (in_file("game.py", "from iter", "open('/etc/passwd')\nfrom iter"), "tables", "no tables", "failed"),
        pytest.param(
            *(in_file("game.py", "from iter", "while True: pass\nfrom iter"), "tables", "no tables", "time"),
            marks=pytest.mark.long,
        ),
        (
            in_file("game.py", "    return sum", "    import random\n    return random.randrange(9) + sum"),
            "tables",
            "no tables",
            "does not return the same each time",
        ),
        (in_file("game.py", "x < argument[1]", "x < argument[2]"), "tables", "no tables", "IndexError"),
        (
            in_file("game.py", "min(abs(argument[0] - x) for x in state)", "len(state)"),
            "proof",
            "ill-posed",
            "no query tells these apart: the set is",
        ),
        (in_file("game.py", "sum(x * x for x in state)", "sum(state) % 2"), "proof", "guessing", "2 different answers"),
        (in_file("game.toml", "{n = 8, k = 2}", "{n = 6, k = 2}"), "proof", "levels", "level 2 has 15 hidden objects"),
        (
            in_file("game.py", "min(abs(argument[0] - x) for x in state)", "sum(x * x for x in state)"),
            "proof",
            "too easy",
            "level 1: one query decides the answer",
        ),
        # The first query tells the answer, but for 15 of 330 sets, which one yes or no after the other tells apart.
        (
            in_file(
                "game.py",
                "return min(",
                "return sum(x * x for x in state if state[0] < 6) if level['n'] == 11 else min(",
            ),
            "proof",
            "unsolved",
            "level 5: the reference player answers 95.5% right",
        ),
    ],
)
def test_what_a_person_could_not_win_or_read_is_refused(
    tmp_path: Path, change: Change, stage: str, kind: str, why: str
) -> None:
    found = last(write(tmp_path, change))
    assert found[:2] == (stage, "fail")
    assert kind in found[2]
    assert why in found[3]


def test_a_kind_of_query_that_tells_nothing_is_refused(tmp_path: Path) -> None:
    idle = in_file("game.py", "return any(argument[0] < x < argument[1] for x in state)", "return True")
    assert last(write(tmp_path, idle))[2:] == (
        ["useless"],
        "between has the same reply whatever is hidden, at level 3",
    )


def test_a_reader_that_differs_is_a_reason_to_mend_texts_or_code(tmp_path: Path) -> None:
    write(tmp_path, same, repairs=1)
    (mend,) = read(tmp_path, lambda said: said.update({"1": 7, "24": "99"})).waiting
    assert mend.custom_id == "query-game-0001-repair-1"
    wanted = mend.messages[3]["content"]
    assert re.search(
        r"- texts and code: hidden the set is \d, \d: What is the reply to .* By the texts 7, by the", wanted
    )
    assert "By the texts 99, by the code " in wanted


def test_a_reader_that_gives_no_answer_leaves_it_to_a_person(tmp_path: Path) -> None:
    write(tmp_path, same)
    fine = "A fine game."
    answers = replies(tmp_path / "read.jsonl", query_game_0001_reading_0=fine, query_game_0001_reading_again_0=fine)
    made = generate("query-games", tmp_path / "pool", replies=[answers])
    assert "admitted 1, 0 without a flag A person should look at 1 of the admitted: not read 1." in " ".join(
        made.funnel().split()
    )


def test_a_game_in_other_words_is_told_from_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = in_file("game.toml", "Tide Marks", "Shore Lines")

    def renamed(name: str, text: str) -> str:
        return other(name, text).replace("distance", "reach").replace("between", "inside")

    write(tmp_path, same, renamed)
    made = read(tmp_path)
    assert made.ends()[0][1] == Done(admitted=True)
    assert last(made, 2) == ("novelty", "fail", ["duplicate"], "its tables are those of candidate 1, in other words")


def test_a_game_of_the_package_in_other_words_is_refused_by_its_name(tmp_path: Path) -> None:
    known = tmp_path / "known"
    known.mkdir()
    (known / "game.toml").write_text(
        """
title = "Herd"
structure = "set"
mode = "deductive"
hides = "a {set} of {k} different {numbers} from 1 to {n}"
levels = [{n = 7, k = 3}, {n = 10, k = 3}, {n = 11, k = 4}, {n = 14, k = 4}, {n = 14, k = 5}]
[[query]]
name = "after"
asks = "the smallest {number} of the {set} that is {0} or more, or none"
takes = "number"
legal = "any {number} from 1 to {n}"
reply = "number or none"
[[query]]
name = "rest"
asks = "how many {numbers} of the {set} have the remainder {1} when divided by {0}"
takes = "two numbers"
legal = "a divisor (2, 3 or 4) and a remainder"
reply = "number"
[[query]]
name = "width"
asks = "the difference of the largest and the smallest {number}"
takes = "none"
reply = "number"
[target]
name = "all"
asks = "the sum of all {numbers} of the {set}"
form = "one number"
""",
        encoding="utf-8",
    )
    (known / "game.py").write_text(
        """
from itertools import combinations
def states(level):
    return [list(one) for one in combinations(range(1, level["n"] + 1), level["k"])]
def arguments(query, level):
    if query == "after":
        return [[x] for x in range(1, level["n"] + 1)]
    return [[d, r] for d in (2, 3, 4) for r in range(d)] if query == "rest" else [[]]
def reply(query, argument, state, level):
    if query == "after":
        return min((x for x in state if x >= argument[0]), default=None)
    return sum(x % argument[0] == argument[1] for x in state) if query == "rest" else max(state) - min(state)
def answer(state, level):
    return sum(state)
def show(state, level):
    return str(state)
""",
        encoding="utf-8",
    )
    answers = replies(tmp_path / "written.jsonl", query_game_0001_write_0=reply(known, FILES))
    generate("query-games", tmp_path / "pool", replies=[answers], repairs=0)
    found = last(read(tmp_path))
    assert found[:3] == ("novelty", "fail", ["duplicate"])
    assert "set/deductive/choice-total-by-next-residue-span" in found[3]


def test_wishes_differ_and_name_a_structure_and_a_mode(tmp_path: Path) -> None:
    made = generate("query-games", tmp_path / "pool", count=12, vary=True)
    wishes = [ask.messages[1]["content"] for ask in made.waiting]
    assert len(set(wishes)) == 12
    assert wishes[0].startswith("Write a new query game. Its structure is set. Its mode is deductive. Make it of these")
    assert wishes[2].startswith("Write a new query game. Its structure is tree. Its mode is abductive.")
    own = generate("query-games", tmp_path / "own", ideas=["a row of lamps"]).waiting
    assert own[0].messages[1]["content"] == "Write this query game: a row of lamps"


@pytest.mark.parametrize(
    ("options", "error", "why"),
    [
        ({"category": "card"}, UnknownNameError, "card"),
        ({"turns": 9}, ConfigError, "turns is for games; query-games are of no length that can be asked for"),
        ({"opponents": 9}, ConfigError, "a query-game has no opponents to train; leave opponents out"),
        ({"calls": "three"}, ConfigError, "calls of a query-game must be one, got 'three'"),
    ],
)
def test_options_of_games_are_refused(
    tmp_path: Path, options: dict[str, Any], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        generate("query-games", tmp_path / "pool", **options)


def test_answers_in_any_order_are_compared_as_such() -> None:
    asked = [{"hidden": "x", "asks": "What?", "truth": "3 5", "answer": True, "ordered": False}]
    assert query_games.differences(asked, '{"1": "5, 3"}') == []
    assert query_games.differences([asked[0] | {"ordered": True}], '{"1": [5, 3]}') == [
        "hidden x: What? By the texts 5 3, by the code 3 5"
    ]
    assert query_games.differences(asked, "no JSON") is None
