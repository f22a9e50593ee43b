"""``ibench puzzles check``: what is wrong with each puzzle of a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.situation_puzzle import checking, puzzles

LAMP: dict[str, Any] = {
    "id": "lamp",
    "title": "The Lamp",
    "setup": "At noon a keeper lit the lamp.",
    "solution": "It was a signal.",
    "explanations": ["It was a signal.", "It was a test run.", "It was a mistake."],
    "questions": [{"text": "Was it meant?", "labels": "yyn"}, {"text": "Did anybody watch?", "labels": "ynn"}],
}


def written(folder: Path, *contents: dict[str, Any]) -> Path:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(content) + "\n" for content in contents))
    return path


def checked(path: Path, *options: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["puzzles", "check", str(path), *options])
    return result.exit_code, result.output


def test_a_sound_set_is_summed_up(tmp_path: Path) -> None:
    path = written(tmp_path, LAMP)
    assert checked(path) == (0, "1 puzzle read, 1 with a menu (2 questions); 0 errors, 0 notes.\n")


def test_every_puzzle_is_looked_at_whatever_is_wrong_with_those_before(tmp_path: Path) -> None:
    lost = LAMP | {"id": "lost", "setup": "Another.", "questions": [{"text": "Was it meant?", "labels": "yyn"}]}
    short = LAMP | {"id": "short", "setup": "A third.", "questions": [{"text": "Was it meant?", "labels": "yy"}]}
    bare = {"id": "bare", "title": "Bare", "setup": "A fourth.", "solution": "None."}
    path = written(
        tmp_path, short, lost, LAMP, LAMP, bare, LAMP | {"id": "again"}, LAMP | {"id": "no", "questions": []}
    )
    path.write_text(path.read_text() + "{\n")
    assert checked(path) == (
        1,
        f"error: {path}, line 1, field 'questions[0].labels': needs 3 letters of ynbi, one per explanation, got 'yy'\n"
        "error: lost: no question tells explanation 2 from the right one\n"
        f"error: {path}, line 4, field 'id': 'lamp' is taken already by line 3\n"
        "note: bare: has no menu: only -k mode=free plays it, with a judge\n"
        "note: bare: has no required fact: the offline judge has little to go by\n"
        "error: no: has explanations but no questions, so it has no menu\n"
        "note: no: has no required fact: the offline judge has little to go by\n"
        f"error: {path}, line 8: not JSON: Expecting property name enclosed in double quotes at column 2\n"
        "note: lamp: another puzzle has the same story\n"
        "note: again: another puzzle has the same story\n"
        "note: no: another puzzle has the same story\n"
        "5 puzzles read, 3 with a menu (5 questions); 5 errors, 6 notes.\n",
    )
    code, text = checked(path, "--json")
    assert code == 1
    assert json.loads(text)["findings"][1] == {
        "where": "lost",
        "problem": "no question tells explanation 2 from the right one",
        "fatal": True,
    }


def test_what_gives_the_answer_away_is_noted() -> None:
    def puzzle(number: int, right: str, labels: tuple[int, ...] = (0, 1)) -> puzzles.Puzzle:
        asked = tuple(puzzles.Question(f"Q{at}", given) for at, given in enumerate(((0, 1), labels, labels)))
        return puzzles.Puzzle(f"p{number}", "T", f"S{number}", right, questions=asked, explanations=(right, "Not so."))

    assert not list(checking.of_puzzle(puzzle(1, "So it is.")))
    (long,) = checking.of_puzzle(puzzle(1, "So it is, and for a very long reason."))
    assert "much longer" in long.problem
    (dull,) = checking.of_puzzle(puzzle(1, "So it is.", (0, 0)))
    assert dull.problem == "most questions tell nothing: 2, 3 have one reply for all explanations"
    (hint,) = checking.of_set([puzzle(number, "So it is.") for number in range(9)] + [puzzle(9, "So.")])
    assert hint.problem == "the right explanation is the longest one in 9 of 10 puzzles, a hint"


def test_the_packages_own_puzzles_are_sound() -> None:
    own = puzzles.load()
    assert not [finding for puzzle in own for finding in checking.of_puzzle(puzzle)]
    assert not list(checking.of_set(own))


def test_what_is_no_set_is_refused_in_a_line(tmp_path: Path) -> None:
    code, text = checked(tmp_path / "none.jsonl")
    assert (code, text.count("\n")) == (2, 1)
    (tmp_path / "empty").mkdir()
    assert checked(tmp_path / "empty") == (2, f"ibench: dataset '{tmp_path / 'empty'}' holds no puzzle\n")
