"""The package's own puzzles: their format, and what makes the menu fair."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.puzzles import Listed
from interactive_envs.situation_puzzle.rules import FreeTask

ROOT = Path(__file__).parents[2]
FOLDER = files("interactive_envs.situation_puzzle") / "data" / "puzzles"
CONTENT: dict[str, dict[str, Any]] = {
    entry.name: json.loads(entry.read_text(encoding="utf-8")) for entry in sorted(FOLDER.iterdir(), key=str)
}


def every_puzzle(test):
    """A few puzzles every day, all of them in ``make test-all``."""
    return pytest.mark.every(6)(pytest.mark.parametrize("name", CONTENT)(test))


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def columns(content: dict[str, Any]) -> list[str]:
    return ["".join(q["labels"][j] for q in content["questions"]) for j in range(len(content["explanations"]))]


def overlap(left: str, right: str) -> float:
    ours, theirs = set(words(left)), set(words(right))
    return len(ours & theirs) / len(ours | theirs)


def test_there_are_sixty_with_ids_and_titles_of_their_own() -> None:
    assert len(CONTENT) == 60
    assert len({content["title"] for content in CONTENT.values()}) == len(CONTENT)
    assert [puzzle.id for puzzle in puzzles.load()] == [content["id"] for content in CONTENT.values()]
    assert all(puzzle.has_menu for puzzle in puzzles.load())


@every_puzzle
def test_the_file_has_every_field_and_no_other(name: str) -> None:
    content = CONTENT[name]
    assert set(content) == {
        *("id", "title", "language", "licence", "source", "canary", "theme", "difficulty"),
        *("setup", "solution", "facts", "explanations", "restatements", "near_misses", "questions"),
    }
    assert name == f"{content['id']}.json"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", content["id"])
    assert (content["language"], content["licence"]) == ("en", "MIT")
    assert "original" in content["source"]
    assert content["difficulty"] in (1, 2, 3, 4, 5)
    assert content["theme"]
    assert content["canary"] in (ROOT / "docs" / "datasheet.md").read_text(encoding="utf-8")


@every_puzzle
def test_lengths_and_counts(name: str) -> None:
    content = CONTENT[name]
    assert 25 <= len(words(content["setup"])) <= 80
    assert 55 <= len(words(content["solution"])) <= 130
    assert 8 <= len(content["facts"]) <= 15
    assert 2 <= sum(fact["required"] for fact in content["facts"]) <= 4
    assert 30 <= len(content["questions"]) <= puzzles.MAX_QUESTIONS
    assert 8 <= len(content["explanations"]) <= puzzles.MAX_EXPLANATIONS


@every_puzzle
def test_explanations_are_alike_in_length(name: str) -> None:
    lengths = [len(words(text)) for text in CONTENT[name]["explanations"]]
    mean = sum(lengths) / len(lengths)
    assert all(0.8 * mean <= length <= 1.2 * mean for length in lengths)


@every_puzzle
def test_restatements_use_other_words_and_near_misses_name_a_required_fact(name: str) -> None:
    content = CONTENT[name]
    assert len(content["restatements"]) == len(content["near_misses"]) == 3
    right = [content["explanations"][0], *content["restatements"]]
    assert all(overlap(left, other) <= 0.45 for left, other in combinations(right, 2))
    assert all(content["facts"][miss["lacks"]]["required"] for miss in content["near_misses"])


@every_puzzle
def test_ten_questions_have_two_paraphrases_in_other_words(name: str) -> None:
    asked = [question for question in CONTENT[name]["questions"] if "paraphrases" in question]
    assert len(asked) == 10
    assert {label: [q["labels"][0] for q in asked].count(label) >= 2 for label in "ynbi"} == dict.fromkeys("ynbi", True)
    for question in asked:
        assert len(question["paraphrases"]) == 2
        assert all(overlap(text, question["text"]) <= 0.5 for text in question["paraphrases"])


@every_puzzle
def test_questions_are_closed_and_each_occurs_once(name: str) -> None:
    task = FreeTask(Listed(puzzles.load()))
    texts = [question["text"] for question in CONTENT[name]["questions"]]
    assert len({text.lower() for text in texts}) == len(texts)
    for text in texts:
        assert text.endswith("?")
        assert 4 <= len(words(text)) <= 20
        assert task.read_query(puzzles.load()[0], text) == text  # free text takes it too


@every_puzzle
def test_every_label_occurs_in_the_right_column(name: str) -> None:
    right = columns(CONTENT[name])[0]
    assert {letter: right.count(letter) >= least for letter, least in (("y", 6), ("n", 6), ("b", 3), ("i", 3))} == (
        dict.fromkeys("ynbi", True)
    )


@every_puzzle
def test_any_two_worlds_differ_by_yes_against_no(name: str) -> None:
    for left, right in combinations(columns(CONTENT[name]), 2):
        assert sum(pair == {"y", "n"} for pair in map(set, zip(left, right, strict=True))) >= 4
        assert sum(a != b for a, b in zip(left, right, strict=True)) >= 6


@every_puzzle
def test_every_world_has_questions_of_its_own_and_few_that_it_leaves_open(name: str) -> None:
    content = CONTENT[name]
    for j, column in enumerate(columns(content)):
        half = len(content["explanations"]) // 2
        own = [q for q in content["questions"] if q["labels"][j] == "y" and q["labels"].count("y") <= half]
        assert len(own) >= 3
        assert column.count("i") <= 0.4 * len(column)


@every_puzzle
def test_the_secrets_of_free_text_do_not_stand_in_the_story(name: str) -> None:
    puzzle = next(puzzle for puzzle in puzzles.load() if name == f"{puzzle.id}.json")
    secrets = FreeTask(Listed([puzzle])).secrets(puzzle)
    assert len(secrets) >= 4
    assert not [secret for secret in secrets if secret in puzzle.setup]
