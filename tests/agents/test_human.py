"""What a person may type where a page is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from interactive_envs.agents.human import HumanAgent, by_number, help_text


def typed(lines: str, *, tags: tuple[str, ...] = ("ask", "answer")) -> tuple[str, str]:
    """What one act returns, and what the terminal showed."""
    said: list[Any] = []

    @click.command()
    def command() -> None:
        said.append(HumanAgent().act("Build it.", {"action_tags": tags}))

    shown = CliRunner().invoke(command, input=lines).output
    return said[0], shown


def test_a_document_is_read_to_its_end_and_then_the_question() -> None:
    page = "<!DOCTYPE html>\n<html>\n<p>Hi</p>\n</html>"
    assert typed(f"{page}\nQ: Should I add a footer?\n")[0] == f"{page}\nQ: Should I add a footer?"
    assert typed(f"{page}\n", tags=("answer",))[0] == page
    assert typed("<html></html> <ask>Should it be red?</ask>\n")[0] == "<html></html> <ask>Should it be red?</ask>"


def test_a_file_is_sent_and_one_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<html>Ä</html>", encoding="utf-8")
    said, shown = typed(f"@{tmp_path / 'none.html'}\n@{path}\n")
    assert said == "<html>Ä</html>"
    assert "none.html cannot be read: [Errno 2]" in shown


def test_an_earlier_dialogue_is_shown_as_if_it_had_been_played_here(capsys: pytest.CaptureFixture[str]) -> None:
    preface = [{"role": "user", "content": "An earlier game."}, {"role": "assistant", "content": "<answer>4</answer>"}]
    HumanAgent().reset(seed=1, info={"preface": preface})
    assert capsys.readouterr().out == "\nAn earlier game.\n> <answer>4</answer>\n"
    HumanAgent().reset(seed=1, info={})
    assert capsys.readouterr().out == ""


def test_help_costs_nothing_and_quit_leaves() -> None:
    said, shown = typed("help\n?\n<ask>1</ask>\n")
    assert said == "<ask>1</ask>"
    assert shown.count("Actions: <ask>…</ask>, <answer>…</answer>. The brackets may be left out: ask …") == 2
    with pytest.raises(IndexError):  # nothing was said
        typed("quit\n")


def test_help_lists_what_is_legal() -> None:
    shown = help_text({"legal_actions": ["a", "b"]})
    assert shown.startswith("You may say one of: 1 a, 2 b. A number alone picks that action. ")
    assert help_text({"legal_actions": list("ab") * 40}).count(" …") == 1


@pytest.mark.parametrize(
    ("said", "legal", "chosen"),
    [
        ("2", ["<move>COOPERATE</move>", "<move>DEFECT</move>"], "<move>DEFECT</move>"),
        (" 1 ", ["a", "b"], "a"),
        ("3", ["a", "b"], ""),
        ("0", ["a", "b"], ""),
        ("²", ["a", "b"], ""),
        ("a", ["a", "b"], ""),
        ("2", ["<ask>1</ask>", "<answer>A</answer>"], ""),
        ("1", ["7", "8"], ""),
        ("1", None, ""),
    ],
)
def test_a_number_picks_an_action_of_the_list_where_no_action_is_a_number(
    said: str, legal: list[str] | None, chosen: str
) -> None:
    assert by_number(said.strip(), {"legal_actions": legal} if legal else {}) == chosen
