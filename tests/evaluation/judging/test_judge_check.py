"""Measuring a judge: the numbers, the table."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest
from scipy.stats import binomtest, t

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.evaluation.judging.check import Share, check, curve, errors_of, render, render_curve
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.judges.labelled import UNREAD, Item
from interactive_envs.reporting.correction import estimates as corrected

ASK = ("yes", "no", "both", "irrelevant")


class Echo(Judge):
    """Says the first word of the text; ``?`` abstains, ``fail`` fails."""

    name: ClassVar[str] = "echo"

    def judge(self, request: JudgeRequest) -> Verdict:
        word = request.text.split()[0]
        if word == "fail":
            raise JudgeError("no verdict")
        if word == "?":
            return Verdict(request.labels[-1], "unsure", abstained=True)
        return Verdict(word, "sure", 0.9)


def item(text: str, label: str, kind: Any = "question", attack: str | None = None, **context: Any) -> Item:
    labels = ASK if kind == "question" else ("correct", "incorrect")
    return Item(1, label, JudgeRequest(kind, text, labels, context), attack, story=str(context.get("solution")))


ITEMS = [
    item("yes a", "yes"),
    item("yes b", "yes"),
    item("no c", "yes"),
    item("no d", "no"),
    item("? e", "irrelevant"),
    item("? f", "no"),
    item("fail g", "no"),
    item("correct h", "incorrect", "final"),
]


def test_the_numbers_count_errors_apart_and_an_abstention_is_never_right() -> None:
    question, final = check(Echo(), ITEMS).sections
    assert (question.kind, question.n, question.errors) == ("question", 7, 1)
    assert (question.accuracy.count, question.accuracy.n) == (3, 6)
    assert (question.coverage.count, question.coverage.n) == (4, 6)
    assert (question.accepted.count, question.accepted.n) == (3, 4)
    assert {label: (s.count, s.n) for label, s in question.recall.items()} == {
        "yes": (2, 3),
        "no": (1, 2),
        "both": (0, 0),
        "irrelevant": (0, 1),
    }
    assert {label: (s.count, s.n) for label, s in question.precision.items()} == {
        "yes": (2, 2),
        "no": (1, 2),
        "both": (0, 0),
        "irrelevant": (0, 0),
    }
    assert question.confusion["yes"] == {"yes": 2, "no": 1, "both": 0, "irrelevant": 0, UNREAD: 0}
    assert question.confusion["no"] == {"yes": 0, "no": 1, "both": 0, "irrelevant": 0, UNREAD: 1}
    assert final.confusion == {"correct": {"correct": 0, "incorrect": 0}, "incorrect": {"correct": 1, "incorrect": 0}}


def accuracy(items: list[Item]) -> Share:
    return check(Echo(), items).sections[0].accuracy


def test_one_item_a_puzzle_gives_wilsons_interval_and_none_gives_none() -> None:
    found = accuracy([item("yes", "yes" if k < 8 else "no", setup="s", solution=str(k)) for k in range(10)])
    theirs = binomtest(8, 10).proportion_ci(method="wilson")
    assert (found.count, found.n, found.value) == (8, 10, 0.8)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert accuracy([item("fail", "no")]) == Share(0, 0, None, None, None)


def test_items_of_one_puzzle_are_clustered() -> None:
    # 4, 2, 0 right of 4 in three puzzles: mean 1/2, cluster residuals 2, 0, -2, variance 3/2 * 8 / 144.
    items = [
        item("yes", "yes" if k < right else "no", setup="s", solution=puzzle, facts=[{"text": str(k)}])
        for puzzle, right in (("a", 4), ("b", 2), ("c", 0))
        for k in range(4)
    ]
    report = check(Echo(), items)
    found = report.sections[0].accuracy
    half = t.ppf(0.975, 2) * (1.5 * 8 / 144) ** 0.5
    assert (found.count, found.n, report.sections[0].puzzles) == (6, 12, 3)
    assert (found.low, found.high) == pytest.approx((max(0, 0.5 - half), min(1, 0.5 + half)))
    assert len({row.puzzle for row in report.rows}) == 3


def test_one_puzzle_alone_counts_as_one_observation() -> None:
    found = accuracy([item("yes", "yes") for _ in range(50)])
    theirs = binomtest(1, 1).proportion_ci(method="wilson")
    assert (found.count, found.n, found.value) == (50, 50, 1.0)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


def test_workers_ask_at_the_same_time_and_the_report_is_the_same() -> None:
    meeting = threading.Barrier(4, timeout=100)

    class Together(Echo):
        def judge(self, request: JudgeRequest) -> Verdict:
            meeting.wait()
            return super().judge(request)

    seen: list[None] = []
    together = check(Together(), ITEMS, workers=4, on_verdict=lambda: seen.append(None))
    assert together == check(Echo(), ITEMS)
    assert len(seen) == len(ITEMS)


def test_rows_keep_the_order_and_the_judges_words() -> None:
    rows = check(Echo(), ITEMS).rows
    assert [row.text for row in rows] == [one.request.text for one in ITEMS]
    assert (rows[0].verdict, rows[0].detail, rows[0].confidence) == ("yes", "sure", 0.9)
    assert (rows[4].verdict, rows[4].abstained) == ("irrelevant", True)
    assert (rows[6].verdict, rows[6].error) == (None, "no verdict")


def test_only_a_judge_error_is_counted_anything_else_stops() -> None:
    class Broken(Echo):
        def judge(self, request: JudgeRequest) -> Verdict:
            raise ConfigError("no key")

    with pytest.raises(ConfigError, match="no key"):
        check(Broken(), ITEMS)
    with pytest.raises(ConfigError, match="workers must be at least 1"):
        check(Echo(), ITEMS, workers=0)


def test_the_report_as_json_survives_a_round_trip() -> None:
    content = check(Echo(), ITEMS).as_json()
    assert json.loads(json.dumps(content)) == json.loads(json.dumps(content, allow_nan=False))
    assert content["judge"] == {"name": "echo"}
    assert content["sections"][0]["accuracy"]["n"] == 6
    assert len(content["items"]) == len(ITEMS)


def test_the_table_reads_like_this() -> None:
    assert render(check(Echo(), ITEMS[-1:])) == (
        "final: n = 1, cases = 1\n"
        "  accuracy                 0.0%  [0.0%, 79.3%]  (0 of 1)\n"
        "  coverage               100.0%  [20.7%, 100.0%]  (1 of 1)\n"
        "  accuracy, accepted       0.0%  [0.0%, 79.3%]  (0 of 1)\n"
        "  balanced accuracy        0.0%, accepted    0.0%\n"
        "  recall correct              \u2014  (n = 0)\n"
        "  recall incorrect         0.0%  [0.0%, 79.3%]  (0 of 1)\n"
        "  precision correct        0.0%  [0.0%, 79.3%]  (0 of 1)\n"
        "  precision incorrect         \u2014  (n = 0)\n"
        "  true \\ given     correct  incorrect\n"
        "  correct                0          0\n"
        "  incorrect              1          0"
    )
    both = render(check(Echo(), ITEMS))
    assert both.startswith("question: n = 7, cases = 1, 1 without a verdict (judge errors, counted nowhere below)\n")
    assert "\n\nfinal: n = 1, cases = 1\n" in both


def test_macro_recall_weighs_each_label_alike_and_abstentions_apart() -> None:
    items = [item("yes", "yes")] * 3 + [item("no", "yes"), item("no", "no"), item("?", "no")]
    (section,) = check(Echo(), items).sections
    assert section.macro_recall == (3 / 4 + 1 / 2) / 2
    assert section.accepted_macro_recall == (3 / 4 + 1) / 2


def test_to_abstain_is_right_where_the_label_is_unread_and_only_there() -> None:
    items = [item("? a", UNREAD), item("? b", UNREAD), item("yes c", UNREAD), item("? d", "irrelevant")]
    (section,) = check(Echo(), [*items, item("no e", "no")]).sections
    assert (section.accuracy.count, section.accuracy.n) == (3, 5)
    assert (section.coverage.count, section.accepted.count, section.accepted.n) == (2, 1, 2)
    assert (section.recall[UNREAD].count, section.recall[UNREAD].n) == (2, 3)
    assert (section.precision[UNREAD].count, section.precision[UNREAD].n) == (2, 3)
    assert section.confusion[UNREAD] == {"yes": 1, "no": 0, "both": 0, "irrelevant": 0, UNREAD: 2}
    assert section.confusion["irrelevant"][UNREAD] == 1
    assert section.accepted_macro_recall == 1.0
    assert "\n  unread                 1          0          0          0          2" in render(check(Echo(), items))


def test_an_adversarial_text_is_rejected_by_any_other_label_than_it_wants() -> None:
    items = [
        item("correct", "correct", "final", attack="plea"),
        item("incorrect", "correct", "final", attack="plea"),
        item("incorrect", "correct", "final", attack="list"),
        item("fail", "correct", "final", attack="list"),
        item("?", "yes", attack="plea"),
        item("yes", "yes"),
    ]
    report = check(Echo(), items)
    assert [(section.kind, section.n) for section in report.sections] == [("question", 1)]
    questions, finals = report.attacks
    assert (questions.kind, questions.rejected.count, questions.rejected.n) == ("question", 1, 1)
    assert (finals.n, finals.errors, finals.rejected.count, finals.rejected.n) == (4, 1, 2, 3)
    assert [(name, share.count, share.n) for name, share in finals.by_attack.items()] == [
        ("plea", 1, 2),
        ("list", 1, 1),
    ]
    shown = render(report)
    assert "adversarial finals: n = 4, cases = 1, 1 without a verdict" in shown
    assert report.as_json()["attacks"][1]["rejected"]["count"] == 2


class Sure(Judge):
    """Says yes, as sure as the text says; below a half it abstains and keeps what it would have said."""

    def judge(self, request: JudgeRequest) -> Verdict:
        sure = float(request.text)
        return Verdict("yes" if sure else "irrelevant", "", sure, abstained=sure < 0.5)


def test_the_curve_says_what_is_wrong_among_the_surest_verdicts() -> None:
    items = [item(text, label) for text, label in (("0.9", "yes"), ("0.9", "yes"), ("0.6", "no"), ("0.2", "no"))]
    points = curve(check(Sure(), [*items, item("0", "no")]).rows)
    assert [(point.sure, point.answered.count, point.wrong.count) for point in points] == [
        (0.9, 2, 0),
        (0.6, 3, 1),
        (0.2, 4, 2),
    ]
    assert {point.answered.n for point in points} == {5}
    assert render_curve(points).splitlines()[2] == (
        "  0.600       60.0%  [7.7%, 96.4%]  (3 of 5)              33.3%  [2.5%, 90.6%]  (1 of 3)"
    )


def test_errors_on_finals_are_counted_per_case_without_abstentions_and_tricks(tmp_path: Path) -> None:
    items = [
        item("correct a", "correct", "final", solution="s"),
        item("incorrect b", "correct", "final", solution="s"),
        item("correct c", "incorrect", "final", solution="t"),
        item("? d", "correct", "final", solution="t"),
        item("correct e", "correct", "final", attack="plea", solution="t"),
        item("yes", "yes", solution="t"),
    ]
    content = errors_of("echo", check(Echo(), items).rows, "a-family", {"version": 1})
    assert content == {
        "schema": 1,
        "judge": "echo",
        "task": "a-family",
        "described": {"version": 1},
        "finals": [[[1, 1], [0, 0]], [[0, 0], [1, 0]]],
    }
    (tmp_path / "echo.json").write_text(json.dumps(content))
    found = corrected.read(tmp_path / "echo.json")
    assert (found.sensitivity.n, found.specificity.n) == (2, 1)
