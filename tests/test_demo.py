"""What the demo plans; ``make demo`` plays it."""

from __future__ import annotations

from pathlib import Path

import pytest

from interactive_envs import catalog
from interactive_envs.api import evaluate
from interactive_envs.cli import demo
from interactive_envs.evaluation.run import pool
from interactive_envs.reporting.store import RunStore


def test_the_tour_visits_every_family_with_players_that_exist() -> None:
    config, notes = demo.tour()
    seen = {catalog.family(catalog.entry(cell.env_id)["family"]).name for cell in config.cells}
    assert seen == {*catalog.load()["families"]} - ({"ui2html"} if notes else set())
    assert len(pool.check(config).content) == len(config.cells)


def test_without_a_browser_pages_are_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_lacking", lambda: "no Chromium")
    config, notes = demo.tour()
    assert notes == ["web pages are left out: no Chromium"]
    assert not any("UI2Html" in cell.env_id for cell in config.cells)


def test_the_benchmark_is_the_suite_with_two_players() -> None:
    config, _ = demo.benchmark()
    assert config.suite == "core-v1 small"
    assert {cell.name for cell in config.cells} == {"rule", "random"}


def test_the_transcript_to_read_first_is_the_models_longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "MODEL", "rule")
    evaluate([demo.READ_FIRST], ["rule", "reference"], episodes=3, out=tmp_path / "run")
    store = RunStore.read_only(tmp_path / "run")
    longest = max((row for row in store.rows() if row.cell == 0), key=lambda row: row.turns)
    assert demo.read_first(store) == tmp_path / "run" / "transcripts" / f"0-{longest.case_index}-0.html"
    monkeypatch.setattr(demo, "MODEL", "nobody")
    assert demo.read_first(store) is None
