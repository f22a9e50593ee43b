"""The judge of pages as environments ask it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.ui2html.judge.offline import DIMENSIONS, PageJudge
from interactive_envs.ui2html.rendering import drawing

TARGET = "<body style='background:#102030;color:#fff'><h1>Tide tables</h1><p>High water at nine.</p><button>Go</button>"
PAGE = "<body><h1>Tides</h1>"


def ask(kind: Any, text: str = "", **context: Any) -> Any:
    labels = ("scored",) if kind == "score" else ("yes", "no")
    context = {"target": {"html": TARGET}, "page": PAGE, "request": "a page of tide tables"} | context
    return PageJudge().judge(JudgeRequest(kind, text, labels, context, task="ui2html"))


def test_a_question_is_answered_with_how_it_was_read(chromium: str) -> None:
    verdict = ask("question", "Should I make the page background darker?")
    assert (verdict.label, verdict.abstained, verdict.source) == ("yes", False, "offline")
    assert verdict.detail == "read: page.background lightness less; target 11.66, page 100 -> yes"


def test_what_it_cannot_read_is_answered_no_and_said_so(chromium: str) -> None:
    verdict = ask("question", "Should I feed the cat?")
    assert (verdict.label, verdict.abstained) == ("no", True)
    assert verdict.detail.startswith("unread: ")


def test_the_target_itself_scores_full_marks_and_a_blank_page_none(chromium: str) -> None:
    full, none = ask("score", page=TARGET), ask("score", page="")
    assert (full.label, full.scores) == ("scored", dict.fromkeys(DIMENSIONS, 20))
    assert none.scores == dict.fromkeys(DIMENSIONS, 0)


def test_a_screenshot_can_be_the_target(chromium: str) -> None:
    picture = base64.b64encode(drawing.drawn(TARGET).png).decode()
    assert ask("question", "Should the page be dark?", target={"png": picture}).label == "yes"
    assert ask("question", "Should I add a table?", target={"png": picture}).abstained


def test_a_page_that_cannot_be_drawn_has_nothing_and_scores_nothing(chromium: str) -> None:
    page = "<p>" * 6000
    verdict = ask("question", "Should I add a button?", page=page)
    assert (verdict.label, verdict.abstained) == ("no", True)
    assert ask("score", page=page).scores == dict.fromkeys(DIMENSIONS, 0)


@pytest.mark.parametrize(("kind", "context"), [("final", {}), ("question", {"target": {}}), ("score", {"page": None})])
def test_requests_without_what_they_need_are_errors(chromium: str, kind: str, context: dict[str, Any]) -> None:
    with pytest.raises(JudgeError):
        ask(kind, **context)
