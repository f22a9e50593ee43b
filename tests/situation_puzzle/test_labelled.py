"""Labelled requests about situation puzzles: the package's and a user's files."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.judges.labelled import Item
from interactive_envs.parsing import is_open
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.labelled import (
    adversarial,
    case_context,
    explanations,
    fresh,
    misled,
    narrowing,
    neutral,
    paraphrases,
    read_items,
    tuning,
)
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


# The sets on puzzles outside the tuning set.

FITTED = "judge/data/offline.json"
TRIGGERS = (
    "cracked, had bet, genius, correct, ignore, not, never, denied, refused, without, failed to, either, admit, "
    "system, judge, answer, solution, true, false, no one, neither, hardly, brilliant, solved, pass, instructions"
).split(", ")
SETS = (narrowing, misled, neutral)


def untuned() -> set[str]:
    fitted = json.loads((files("interactive_envs.situation_puzzle") / FITTED).read_text(encoding="utf-8"))
    return {puzzle.id for puzzle in puzzles.load()} - set(fitted["tuned_on"])


def cases(items: list[Item]) -> Counter[str]:
    return Counter(str(item.case) for item in items)


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize("suite", SETS)
def test_every_puzzle_outside_the_tuning_set_and_no_other_is_asked_about(suite: Callable[[], Any]) -> None:
    assert set(cases(list(suite()))) == untuned()


def test_at_least_a_dozen_narrowing_questions_per_puzzle_with_every_label_among_them() -> None:
    found = list(narrowing())
    assert len(found) >= 420
    assert min(cases(found).values()) >= 12
    shares = {label: count / len(found) for label, count in Counter(item.label for item in found).items()}
    assert set(shares) == set(ASK)
    assert 0.35 <= shares["yes"] <= 0.45
    assert 0.35 <= shares["no"] <= 0.45
    assert 0.1 <= shares["irrelevant"] <= 0.2


def test_three_wrong_and_two_right_explanations_of_players_per_puzzle() -> None:
    found = list(misled())
    assert set(cases([item for item in found if item.label == "incorrect"]).values()) == {3}
    assert set(cases([item for item in found if item.label == "correct"]).values()) == {2}


def test_neutral_texts_use_every_trigger_word_in_its_plain_meaning() -> None:
    texts = [item.request.text for item in neutral()]
    assert len(texts) >= 60
    assert [word for word in TRIGGERS if not any(re.search(rf"\b{word}", text, re.IGNORECASE) for text in texts)] == []


@pytest.mark.parametrize("suite", SETS)
def test_every_labelled_question_is_one_that_a_player_may_ask(suite: Callable[[], Any]) -> None:
    asked = [item.request.text for item in suite() if item.request.kind == "question"]
    assert [text for text in asked if is_open(text) or not text.endswith("?")] == []


def test_no_text_about_a_puzzle_is_there_twice() -> None:
    """Nor does a new set repeat what a judge is told of the puzzle or what another set asks."""
    new = [(item.case, words(item.request.text)) for suite in SETS for item in suite()]
    assert [text for text, count in Counter(new).items() if count > 1] == []
    old = {(item.case, words(item.request.text)) for suite in (fresh, tuning, adversarial) for item in suite()}
    for puzzle in puzzles.load():
        told = [text for question in puzzle.questions for text in (question.text, *question.paraphrases)]
        told += [*puzzle.explanations, *puzzle.restatements, *(miss.text for miss in puzzle.near_misses)]
        old |= {(puzzle.id, words(text)) for text in told}
    assert set(new) & old == set()
