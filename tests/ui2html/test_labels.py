"""Labels of questions about pages: that they are whole and name what exists."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import interactive_envs.ui2html
from interactive_envs.judges.labelled import UNREAD
from interactive_envs.ui2html.judge.offline import PageJudge
from interactive_envs.ui2html.targets import designs as targets

LABELS = Path(interactive_envs.ui2html.__file__).parent / "judge" / "data" / "labels"


def lines(name: str) -> list[dict[str, str]]:
    files = [path.read_text("utf-8") for path in sorted(LABELS.glob(f"{name}_*.jsonl"))]
    return [json.loads(line) for text in files for line in text.splitlines()]


def test_every_target_has_questions_and_a_draft() -> None:
    questions = lines("questions")
    counts = Counter(line["target"] for line in questions)
    assert counts.keys() == {design.id for design in targets.fixed()}
    assert min(counts.values()) >= 7
    assert Counter(line["label"] for line in questions).keys() == {"yes", "no"}
    drafts = {path.stem for path in LABELS.glob("drafts_*/*.html")}
    assert {line["draft"] for line in [*questions, *lines("adversarial")]} == drafts


def test_no_question_stands_twice() -> None:
    for name in ("questions", "adversarial"):
        asked = [(line["target"], line["question"]) for line in lines(name)]
        assert len(set(asked)) == len(asked)


def test_played_questions_are_many_new_and_about_targets_that_the_judge_was_not_tuned_on() -> None:
    asked = [json.loads(line) for line in (LABELS / "played_questions.jsonl").read_text("utf-8").splitlines()]
    counts = Counter(line["target"] for line in asked)
    assert counts.keys() <= {design.id for design in targets.fixed()} - PageJudge.tuned_on
    assert len(counts) >= 25
    assert min(counts.values()) >= 8
    labels = Counter(line["label"] for line in asked)
    assert labels.keys() == {"yes", "no", UNREAD}
    assert min(labels.values()) >= 40
    assert {line["draft"] for line in asked} <= {path.stem for path in LABELS.glob("drafts_*/*.html")}
    said, older = (
        {(line["target"], line["question"].lower().removeprefix("compared with the target, ")) for line in some}
        for some in (asked, lines("questions"))
    )
    assert len(said) == len(asked)
    assert not said & older
