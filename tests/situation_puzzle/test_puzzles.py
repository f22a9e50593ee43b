"""Puzzle files: what is read, and which file, line and field is named when it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.dialogue import free_text
from interactive_envs.dialogue.datasets import Entry
from interactive_envs.errors import ConfigError, DatasetError
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.puzzles import Fact, NearMiss, Puzzle, Question

PLAIN = {"id": "a", "title": "A", "setup": "It is wet.", "solution": "It rains."}
WHOLE = PLAIN | {
    "facts": ["It rains.", {"text": "It is night."}, {"text": "The roof leaks.", "required": True}],
    "questions": [
        {"text": "Did it rain?", "labels": "yn", "paraphrases": ["Was there\train?"]},
        {"text": "Was it\n dark?", "labels": "ib"},
    ],
    "explanations": [" It rains. ", "A pipe\tbroke."],
    "restatements": ["Rain\nfalls."],
    "near_misses": [{"text": "It hails.", "lacks": 2}],
    "difficulty": 2,
}


def write(path: Path, *lines: Any) -> str:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return str(path)


def test_a_line_with_four_texts_is_a_puzzle(tmp_path: Path) -> None:
    (puzzle,) = puzzles.load(write(tmp_path / "p.jsonl", PLAIN))
    assert puzzle == Puzzle("a", "A", "It is wet.", "It rains.")
    assert not puzzle.has_menu
    assert puzzle.judge_context() == {
        "setup": "It is wet.",
        "solution": "It rains.",
        "facts": [],
        "questions": [],
        "explanations": [],
        "wrong": [],
    }


def test_everything_that_a_puzzle_can_have(tmp_path: Path) -> None:
    (puzzle,) = puzzles.load(write(tmp_path / "p.jsonl", WHOLE))
    assert puzzle.facts == (Fact("It rains.", True), Fact("It is night.", False), Fact("The roof leaks.", True))
    assert puzzle.questions == (
        Question("Did it rain?", (0, 1), ("Was there rain?",)),
        Question("Was it dark?", (3, 2)),
    )
    assert puzzle.near_misses == (NearMiss("It hails.", 2),)
    assert puzzle.difficulty == 2
    assert puzzle.explanations == ("It rains.", "A pipe broke.")
    assert puzzle.has_menu
    context = puzzle.judge_context()
    assert context["explanations"] == ["It rains.", "Rain falls."]
    assert context["wrong"] == ["A pipe broke.", "It hails."]
    assert context["questions"] == [
        {"text": "Did it rain?", "label": "yes"},
        {"text": "Was it dark?", "label": "irrelevant"},
    ]
    assert context["facts"][1] == {"text": "It is night.", "required": False}


def test_labels_as_words_serve_where_there_is_no_menu(tmp_path: Path) -> None:
    questions = [{"text": "Did it rain?", "label": label} for label in free_text.LABELS]
    (puzzle,) = puzzles.load(write(tmp_path / "p.jsonl", PLAIN | {"questions": questions}))
    assert [question.labels for question in puzzle.questions] == [(0,), (1,), (2,), (3,)]
    assert not puzzle.has_menu


def test_lines_keep_their_order_and_blank_ones_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    lines = ["\ufeff" + json.dumps(PLAIN | {"id": "z"}), "", json.dumps(PLAIN | {"id": "ü"}), ""]
    path.write_bytes("\r\n".join(lines).encode())
    assert [puzzle.id for puzzle in puzzles.load(str(path))] == ["z", "ü"]


def test_a_folder_gives_its_json_files_by_name(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(PLAIN | {"id": name}, indent=1).encode())
    (tmp_path / "notes.txt").write_text("not read", encoding="utf-8")
    assert [puzzle.id for puzzle in puzzles.load(str(tmp_path))] == ["a", "b"]


def test_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "p.jsonl", PLAIN)
    assert len(puzzles.load("~/p.jsonl")) == 1


def test_no_file_and_no_puzzle_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'nowhere' is neither a .jsonl file nor a folder of .json files"):
        puzzles.load("nowhere")
    with pytest.raises(ConfigError, match="holds no puzzle"):
        puzzles.load(str(tmp_path))
    with pytest.raises(ConfigError, match="holds no puzzle"):
        puzzles.load(write(tmp_path / "p.jsonl", "", " "))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"title": None}, ", field 'title': needs a text, got None"),
        ({"title": " "}, ", field 'title': needs a text, got ' '"),
        ({"id": 3}, ", field 'id': needs a text, got 3"),
        ({"setup": "x" * 20_001}, ", field 'setup': is longer than 20000 characters"),
        ({"solution": "\ud83d"}, ", field 'solution': holds half a surrogate pair, which is no character"),
        ({"facts": {}}, ", field 'facts': needs a list, got dict"),
        ({"facts": ["f"] * 65}, ", field 'facts': has 65 items, at most 64 are allowed"),
        (
            {"facts": [3]},
            ", field 'facts[0]': needs a text, or an object with text and required (true or false), got 3",
        ),
        (
            {"facts": ["f", {"text": "f", "required": 1}]},
            ", field 'facts[1]': needs a text, or an object with text and required (true or false), "
            "got {'text': 'f', 'required': 1}",
        ),
        ({"facts": [{"required": True}]}, ", field 'facts[0].text': is missing"),
        (
            {"explanations": ["x"]},
            ", field 'explanations': has one item; give the right one and at least one wrong one,",
        ),
        ({"explanations": ["x"] * 13}, ", field 'explanations': has 13 items, at most 12 are allowed"),
        ({"explanations": ["x", 3]}, ", field 'explanations[1]': needs a text, got 3"),
        ({"explanations": ["x", "y", " x "]}, ", field 'explanations[2]': repeats explanations[0]"),
        ({"explanations": ["x", "y" * 5001]}, ", field 'explanations[1]': is longer than 5000 characters"),
        ({"restatements": ["x", 3]}, ", field 'restatements[1]': needs a text, got 3"),
        ({"restatements": ["x", "x"]}, ", field 'restatements[1]': repeats restatements[0]"),
        ({"near_misses": ["x"]}, ", field 'near_misses[0]': needs an object with text and lacks, got 'x'"),
        (
            {"facts": ["f"], "near_misses": [{"text": "x", "lacks": 1}]},
            ", field 'near_misses[0].lacks': must be the index of a fact, 0 to 0, got 1",
        ),
        ({"difficulty": 6}, ", field 'difficulty': must be a whole number from 1 to 5, got 6"),
        ({"difficulty": True}, ", field 'difficulty': must be a whole number from 1 to 5, got True"),
        (
            {"questions": [{"text": "?", "label": "yes", "paraphrases": "Rain?"}]},
            ", field 'questions[0].paraphrases': needs a list, got str",
        ),
        (
            {"questions": [{"text": "?", "label": "yes", "paraphrases": [1]}]},
            ", field 'questions[0].paraphrases[0]': needs a text, got 1",
        ),
        (
            {"questions": ["Did it rain?"]},
            ", field 'questions[0]': needs an object with text and label or labels, got '",
        ),
        (
            {"questions": [{"text": "?"}]},
            ", field 'questions[0].labels': needs 1 letters of ynbi, one per explanation, got",
        ),
        (
            {"questions": [{"text": "?", "label": "maybe"}]},
            ", field 'questions[0].label': must be one of yes, no, both, irrelevant, got 'maybe'",
        ),
        (
            {"questions": [{"text": "?", "label": ["yes"]}]},
            ", field 'questions[0].label': must be one of yes, no, both,",
        ),
        (
            {"questions": [{"text": "?", "labels": "x"}]},
            ", field 'questions[0].labels': needs 1 letters of ynbi, one per",
        ),
        (
            {"questions": [{"text": "?", "labels": 3}]},
            ", field 'questions[0].labels': needs 1 letters of ynbi, one per",
        ),
        ({"questions": [{"labels": "y"}]}, ", field 'questions[0].text': is missing"),
        ({"questions": [{"text": "x" * 1001, "labels": "y"}]}, ", field 'questions[0].text': is longer than 1000 char"),
        (
            {"explanations": ["x", "y"], "questions": [{"text": "?", "labels": "yn"}, {"text": "?", "labels": "y"}]},
            ", field 'questions[1].labels': needs 2 letters of ynbi, one per explanation, got 'y'",
        ),
    ],
)
def test_a_wrong_field_is_named_with_file_and_line(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    path = write(tmp_path / "p.jsonl", "", PLAIN | {"id": "first"}, PLAIN | change)
    with pytest.raises(DatasetError) as raised:
        puzzles.load(path)
    assert str(raised.value).startswith(f"{path}, line 3{problem}")
    assert raised.value.line == 3


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[]", ": a puzzle is a JSON object, got list"),
        ("null", ": a puzzle is a JSON object, got NoneType"),
        ('{"id": "a"', ": not JSON: Expecting ',' delimiter at column 11"),
        ("{}", ", field 'id': is missing"),
        ("[" * 100_000, ": not JSON that can be read: maximum recursion depth exceeded"),
        ("9" * 5_000, ": not JSON that can be read: Exceeds the limit"),
        (json.dumps(PLAIN | {"id": "first"}), ", field 'id': 'first' is taken already by line 1"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = write(tmp_path / "p.jsonl", PLAIN | {"id": "first"}, line)
    with pytest.raises(DatasetError) as raised:
        puzzles.load(path)
    assert str(raised.value).startswith(f"{path}, line 2{problem}")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(json.dumps(PLAIN).encode() + b'\n{"id": "\xff"}\n')
    with pytest.raises(DatasetError, match=r"p.jsonl, line 2: not UTF-8: invalid start byte$"):
        puzzles.load(str(path))


def test_a_wrong_file_of_a_folder_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(PLAIN), encoding="utf-8")
    bad = tmp_path / "b.json"
    for content, problem in (
        (b'{\n "id": "b",\n "title" "B"\n}', ", line 3: not JSON: Expecting ':' delimiter at column 10"),
        (b'{\n "id": "\xff"}', ", line 2: not UTF-8: invalid start byte"),
        (json.dumps(PLAIN).encode(), f", field 'id': 'a' is taken already by {tmp_path / 'a.json'}"),
        (json.dumps(PLAIN | {"title": 1}).encode(), ", field 'title': needs a text, got 1"),
    ):
        bad.write_bytes(content)
        with pytest.raises(DatasetError) as raised:
            puzzles.load(str(tmp_path))
        assert str(raised.value) == f"{bad}{problem}"


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)


@given(field=st.sampled_from(sorted(WHOLE)), value=JSON_VALUES)
def test_whatever_stands_in_a_field_it_is_a_puzzle_or_a_dataset_error(field: str, value: Any) -> None:
    try:
        said: object = puzzles.read_puzzle(
            Entry(json.loads(json.dumps(WHOLE | {field: value})), "p.jsonl", 7, "a puzzle")
        )
    except DatasetError as error:
        said = str(error)
    assert isinstance(said, Puzzle) or str(said).startswith("p.jsonl, line 7, field '")


def test_the_hash_is_of_the_content(tmp_path: Path) -> None:
    one = puzzles.load(write(tmp_path / "p.jsonl", WHOLE))
    spaced = puzzles.load(write(tmp_path / "q.jsonl", "", json.dumps(WHOLE | {"comment": "ignored"})))
    other = puzzles.load(write(tmp_path / "r.jsonl", WHOLE | {"title": "B"}))
    assert free_text.sha256(one) == free_text.sha256(spaced) != free_text.sha256(other)
