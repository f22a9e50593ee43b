"""Labelled requests about situation puzzles: the package's and a user's files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.situation_puzzle.labelled import case_context, explanations, paraphrases, read_items
from interactive_envs.situation_puzzle.puzzles import Fact, NearMiss, Puzzle, Question

Write = Callable[..., Path]
LINE = {"kind": "question", "text": "Was it dark?", "label": "yes", "setup": "A story.", "solution": "It was dark."}
ASK = ("yes", "no", "both", "irrelevant")
PUZZLE = Puzzle(
    "p",
    "P",
    "It is wet.",
    "It rains.",
    (Fact("It rains.", True),),
    (Question("Did it rain?", (0, 1), ("Was there rain?", "Has it rained?")), Question("Was it dark?", (3, 2))),
    ("Rain.", "A pipe."),
    ("It was rain.",),
    (NearMiss("It hails.", 0),),
)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def lines(*content: Any) -> Path:
        path = tmp_path / "items.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in content))
        return path

    return lines


def test_paraphrases_have_their_questions_label_and_are_not_told_to_the_judge() -> None:
    found = list(paraphrases([PUZZLE]))
    assert [(item.request.text, item.label) for item in found] == [
        ("Was there rain?", "yes"),
        ("Has it rained?", "yes"),
    ]
    assert all("paraphrases" not in str(item.request.context) for item in found)
    assert all(item.request.text not in str(item.request.context) for item in found)


def test_each_explanation_is_taken_out_of_what_the_judge_is_told() -> None:
    found = list(explanations([PUZZLE]))
    assert [(item.request.text, item.label) for item in found] == [
        ("Rain.", "correct"),
        ("It was rain.", "correct"),
        ("A pipe.", "incorrect"),
        ("It hails.", "incorrect"),
    ]
    for item in found:
        told = [*item.request.context["explanations"], *item.request.context["wrong"]]
        assert len(told) == 3
        assert item.request.text not in told


def test_an_unknown_case_of_the_package_is_named() -> None:
    with pytest.raises(UnknownNameError, match="case 'nothing'"):
        case_context("nothing", None)


def test_lines_about_one_story_share_it(write: Write) -> None:
    first, second, third = read_items(write(LINE, LINE | {"text": "Was it wet?"}, LINE | {"solution": "It rained."}))
    assert first.story == second.story != third.story


def test_a_line_with_its_context_is_read(write: Write) -> None:
    facts, questions = [{"text": "Dark.", "required": True}], [{"text": "Was it?", "label": "no"}]
    path = write(
        LINE | {"facts": facts, "questions": questions, "explanations": ["It was."]},
        "",
        LINE | {"kind": "final", "label": "incorrect"},
    )
    first, second = read_items(path)
    assert (first.line, first.label, first.request.kind, first.request.labels) == (1, "yes", "question", ASK)
    assert first.request.context == {
        "setup": "A story.",
        "solution": "It was dark.",
        "facts": facts,
        "questions": questions,
        "explanations": ["It was."],
    }
    assert (second.line, second.request.labels) == (3, ("correct", "incorrect"))
    assert second.request.context == {"setup": "A story.", "solution": "It was dark."}


def test_a_case_is_looked_up_and_its_dataset_lies_beside_the_file(write: Write, tmp_path: Path) -> None:
    asked: list[tuple[str, Path | None]] = []

    def look_up(case_id: str, dataset: Path | None) -> Mapping[str, Any]:
        asked.append((case_id, dataset))
        return {"setup": case_id}

    named = {"kind": "final", "text": "x", "label": "correct", "case": "a"}
    items = read_items(write(named, named | {"dataset": "mine.json"}), look_up)
    assert asked == [("a", None), ("a", tmp_path / "mine.json")]
    assert items[0].request.context == {"setup": "a"}


@pytest.mark.parametrize(
    ("line", "field", "problem"),
    [
        ("{", None, "is not JSON"),
        ("[1]", None, "is not a JSON object"),
        ("[" * 100_000, None, "the line is nested too deeply to be read"),
        ('{"a":' * 100_000, None, "the line is nested too deeply to be read"),
        ('{"text": ' + "1" * 5_000 + "}", None, "the line holds a number of too many digits"),
        ("\xff", None, "is not JSON"),
        (LINE | {"kind": "riddle"}, "kind", "must be one of question, final, got 'riddle'"),
        (LINE | {"kind": ["question"]}, "kind", "must be text that is not empty"),
        (LINE | {"label": "correct"}, "label", "must be one of yes, no, both, irrelevant, got 'correct'"),
        (LINE | {"label": None}, "label", "is missing"),
        (LINE | {"text": " "}, "text", "must be text that is not empty"),
        (LINE | {"solution": None}, "solution", "is missing"),
        (LINE | {"lable": "yes"}, "lable", "is unknown; known are kind, text, label"),
        (LINE | {"dataset": "x.json"}, "dataset", "needs a 'case' beside it"),
        (LINE | {"case": "a"}, "setup", "stands beside 'case'; give one of them"),
        (LINE | {"facts": "Dark."}, "facts", "must be a list of objects"),
        (LINE | {"facts": ["Dark."]}, "facts", "must be a list of objects"),
        (LINE | {"facts": [{"text": "a"}, {"txt": "b"}]}, "facts[1].text", "must be text"),
        (LINE | {"facts": [{"text": "a", "required": 1}]}, "facts[0].required", "must be true or false"),
        (LINE | {"questions": [{"text": "a?"}]}, "questions[0].label", "must be text"),
        (LINE | {"questions": [{"text": "a?", "label": "y"}]}, "questions[0].label", "must be one of yes, no"),
        (LINE | {"explanations": [1]}, "explanations", "must be a list of texts"),
        ({"kind": "final", "text": "x", "label": "correct", "case": "a"}, "case", "cannot be looked up here"),
    ],
)
def test_a_bad_line_names_file_line_and_field(write: Write, line: Any, field: str | None, problem: str) -> None:
    path = write(LINE, line)
    with pytest.raises(DatasetError) as caught:
        read_items(path, None)
    assert (caught.value.line, caught.value.field) == (2, field)
    assert str(caught.value).startswith(f"{path}, line 2")
    assert problem in str(caught.value)


def test_an_unknown_case_names_the_line(write: Write) -> None:
    def look_up(case_id: str, dataset: Path | None) -> Mapping[str, Any]:
        if dataset is not None:
            raise DatasetError(dataset, None, None, "cannot be read")
        raise ConfigError(f"unknown case {case_id!r}")

    named = {"kind": "final", "text": "x", "label": "correct", "case": "a"}
    with pytest.raises(DatasetError, match="line 1, field 'case': unknown case 'a'"):
        read_items(write(named), look_up)
    with pytest.raises(DatasetError, match=r"line 1, field 'dataset': .*mine.json: cannot be read"):
        read_items(write(named | {"dataset": "mine.json"}), look_up)


def test_a_missing_or_empty_file_is_refused(write: Write, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read: No such file"):
        read_items(tmp_path / "none.jsonl")
    with pytest.raises(DatasetError, match="holds no items"):
        read_items(write(""))


def test_a_line_may_be_an_attack(write: Write) -> None:
    (found,) = read_items(write(LINE | {"attack": "plea"}))
    assert (found.attack, found.case) == ("plea", None)
