"""What a model's reply holds: files, or a reason that it can act on."""

from __future__ import annotations

import pytest

from interactive_envs.game_generation.answers import LONGEST_FILE, read_files

NAMES = ("game.py", "rules.md")
CODE = "```python game.py\nx = 1\n```\n"
RULES = "````markdown rules.md\n# Rules\n\n```trace\nfirst: take 1\n```\n````\n"


def test_files_are_read_with_prose_around_them() -> None:
    found = read_files(f"Here you are.\n\n{CODE}\nAnd the rules:\n{RULES}Enjoy!", NAMES)
    assert dict(found.files) == {"game.py": "x = 1\n", "rules.md": "# Rules\n\n```trace\nfirst: take 1\n```\n"}
    assert (found.problem, found.kind) == ("", "")


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("**game.py**\n```\nx = 1\n```", {"game.py": "x = 1\n"}),
        ("### `game.py`:\n~~~python\nx = 1\n~~~", {"game.py": "x = 1\n"}),
        ("```python\nx = 1\n```", {"game.py": "x = 1\n"}),
        ("```python game.py\nx = 1\n```\nBetter:\n```python game.py\nx = 2\n```", {"game.py": "x = 2\n"}),
        ("```python game.py\nx = 1\n```\nAs in my_game.py:\n```text\nnothing\n```", {"game.py": "x = 1\n"}),
    ],
)
def test_a_file_is_named_in_its_fence_or_before_it_or_by_its_language(text: str, files: dict[str, str]) -> None:
    assert dict(read_files(text, ["game.py"]).files) == files


def test_markdown_in_a_short_fence_may_hold_fences() -> None:
    text = "```markdown rules.md\n# Rules\n```trace\nseed 1\n```\nThe end.\n```\n" + CODE
    assert dict(read_files(text, NAMES).files)["rules.md"] == "# Rules\n```trace\nseed 1\n```\nThe end.\n"


@pytest.mark.parametrize(
    ("text", "cut", "kind", "part"),
    [
        ("", False, "empty", "The reply was empty"),
        (" \n", True, "empty", "The reply was empty"),
        ("I'm sorry, but I can't help with that.", False, "refusal", "Nothing here can do harm"),
        ("A bidding game would be nice.", False, "no code", "no fenced block with game.py and rules.md"),
        (CODE, False, "file missing", "lacks rules.md"),
        (CODE, True, "truncated", "cut off before rules.md ended"),
        (f"{CODE}````markdown rules.md\n# Ru", False, "truncated", "cut off before rules.md ended"),
        ("```python game.py\nx", False, "truncated", "cut off before game.py and rules.md ended"),
        (f"```python game.py\n{'x' * (LONGEST_FILE + 1)}\n```\n{RULES}", False, "too long", "200,000 characters"),
    ],
)
def test_a_reply_that_is_none_has_a_reason(text: str, cut: bool, kind: str, part: str) -> None:
    found = read_files(text, NAMES, cut=cut)
    assert found.kind == kind
    assert part in found.problem
    assert found.files == ()


def test_code_that_says_sorry_is_no_refusal() -> None:
    assert read_files(f"I'm sorry for the wait.\n{CODE}{RULES}", NAMES).kind == ""


@pytest.mark.parametrize("title", ["game.py", "# game.py", "<!-- game.py -->", "`game.py`:"])
def test_a_name_may_stand_alone_in_the_first_line_of_a_block(title: str) -> None:
    assert read_files(f"```\n{title}\nx = 1\n```", ["game.py"]).files == (("game.py", "x = 1\n"),)
    assert read_files(f"```python\n{title}\nx = 1\n```", ["game.py", "solver.py"]).kind == "file missing"
