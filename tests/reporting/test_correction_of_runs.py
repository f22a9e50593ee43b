"""Which cells of a run are corrected, and by what."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interactive_envs.outcome import Outcome
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.correction import estimates
from interactive_envs.reporting.correction.runs import FOLDER, corrections, keep
from interactive_envs.reporting.records import Cell, EpisodeRow
from tests.reporting.test_metrics import configuration, row

CELL = Cell("ibench/SituationPuzzle-v1", {"mode": "free"}, "rule", judge="llm:x/y")
COUNTS = {str(case): [[9, 1], [1, 9]] for case in range(10)}
FORCED = {"forced_final": True, "budget": 4}


def final(label: str, *, abstained: bool = False, votes: list[str | None] | None = None) -> dict[str, Any]:
    verdict: dict[str, Any] = {"label": label, "abstained": abstained}
    return {"kind": "final", "verdict": verdict | ({"votes": votes} if votes else {})}


class Store(SimpleNamespace):
    """A run whose records say no more than what was decided."""

    def record(self, one: EpisodeRow) -> dict[str, Any]:
        common = {
            "outcome": one.outcome,
            "won_by": one.won_by,
            "turns": one.turns,
            "env": {"arguments": self.arguments},
        }
        return {"steps": self.steps[one.case_index], **common}


def store(folder: Path, steps: list[list[dict[str, Any]]], cell: Cell = CELL, **arguments: Any) -> Any:
    return Store(folder=folder, config=configuration(cell), steps=steps, arguments=arguments)


def write_errors(path: Path, judge: str = "llm:x/y", described: dict[str, Any] | None = None) -> Path:
    path.write_text(json.dumps(estimates.as_json(judge, "situation-puzzle", COUNTS, described or {})))
    return path


def rows(count: int, won: int) -> list[EpisodeRow]:
    played = [row(case=case, won="round" if case < won else None) for case in range(count)]
    return [dataclasses.replace(one, case_index=case) for case, one in enumerate(played)]


def test_measured_errors_that_are_kept_with_a_run_correct_it(tmp_path: Path) -> None:
    steps = [[final("correct")] for _ in range(8)] + [[final("incorrect", abstained=True), final("incorrect")]] * 12
    run = store(tmp_path, steps)
    played = rows(20, 8)
    assert corrections(run, played, {0: {"spec": "llm:x/y"}}) == {}
    found = keep(tmp_path, write_errors(tmp_path / "errors.json"))
    keep(tmp_path, write_errors(tmp_path / "errors.json"))
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["1.json"]
    (cell,) = corrections(run, played, {0: {"spec": "llm:x/y"}}).values()
    right, wrong = found.sensitivity.value, found.specificity.value
    assert cell["value"] == pytest.approx((0.4 - (1 - wrong)) / (right + wrong - 1), abs=1e-5)
    assert cell["by"] == "measured errors"
    summary = run_summary.summarise(run.config, played, {0: {"spec": "llm:x/y"}}, {0: cell})
    assert summary["cells"][0]["accuracy_corrected"] == cell
    assert summary["cells"][0]["accuracy"]["value"] == pytest.approx(0.4)


def test_the_errors_of_another_judge_or_another_version_of_it_correct_nothing(tmp_path: Path) -> None:
    run, played = store(tmp_path, [[final("correct")]] * 4), rows(4, 4)
    keep(tmp_path, write_errors(tmp_path / "a.json", "llm:other"))
    keep(tmp_path, write_errors(tmp_path / "b.json", described={"model": "y-2"}))
    assert corrections(run, played, {0: {"spec": "llm:x/y", "model": "y-1"}}) == {}
    assert set(corrections(run, played, {0: {"spec": "llm:x/y", "model": "y-2"}})) == {0}


def test_an_answer_forced_after_the_last_round_counts_neither_raw_nor_corrected(tmp_path: Path) -> None:
    keep(tmp_path, write_errors(tmp_path / "a.json"))
    one = dataclasses.replace(row(case=0, won="forced"), case_index=0)
    run = store(tmp_path, [[final("incorrect"), final("correct")]], **FORCED)
    (cell,) = corrections(run, [one], {0: {"spec": "llm:x/y"}}).values()
    assert cell["value"] == 0.0


def test_a_panel_of_three_is_corrected_by_its_own_votes_and_one_of_two_is_not(tmp_path: Path) -> None:
    cell = dataclasses.replace(CELL, judge="panel:a,b,c")
    yes, no = ["correct", "correct", "correct"], ["incorrect", "incorrect", "correct"]
    steps = [[final("correct", votes=list(yes))] for _ in range(10)] + [[final("incorrect", votes=list(no))]] * 10
    (found,) = corrections(store(tmp_path, steps, cell), rows(20, 10), {0: {"spec": "panel:a,b,c"}}).values()
    assert found["by"] == "votes of the panel"
    assert found["value"] == pytest.approx(0.5, abs=0.05)
    two = [[final("correct", votes=["correct", "correct"])]] * 4
    assert corrections(store(tmp_path, two, cell), rows(4, 4), {0: {"spec": "panel:a,b"}}) == {}


def test_the_package_knows_the_errors_of_its_own_judge_of_stories(tmp_path: Path) -> None:
    cell = dataclasses.replace(CELL, judge=None)
    judge = {"name": "offline", "approximate": True, "version": 4, "similarity": "sentence embeddings"}
    run, played = store(tmp_path, [[final("correct")]] * 4, cell), rows(4, 4)
    assert set(corrections(run, played, {0: judge})) == {0}
    assert corrections(run, played, {0: judge | {"similarity": "word overlap"}}) == {}
    unscored = [dataclasses.replace(one, outcome=Outcome.UNSCORED) for one in played]
    assert corrections(run, unscored, {0: judge}) == {}
