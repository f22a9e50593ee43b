"""Reports of several families, of what is paid, and of what was chosen by its number."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from interactive_envs.api import evaluate
from interactive_envs.evaluation.run import report
from interactive_envs.reporting import charts, summary
from interactive_envs.reporting.store import RunStore


def test_rewards_of_two_families_share_no_axis(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    evaluate(["ibench/BlackBox-circuit-add-v1", "ibench/TrustGame-v1"], ["random"], episodes=2, out=tmp_path)
    store = RunStore.read_only(tmp_path)
    rows = store.rows()
    drawn = charts.draw(store.config, summary.of_store(store, rows), summary.timing(store.config, rows))
    rewards = [chart for chart in drawn if chart.name.startswith("reward")]
    assert [(chart.name, len(chart.table)) for chart in rewards] == [("reward-circuit", 2), ("reward-trust", 2)]


def test_players_that_are_paid_are_compared_by_their_rewards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: [])
    evaluate(["ibench/TrustGame-v1"], ["tft", "all-d"], episodes=4, out=tmp_path)
    store = RunStore.read_only(tmp_path)
    rows = store.rows()
    mine, others = (np.array([row.reward for row in rows if row.cell == cell]) for cell in (0, 1))
    gaps = mine - others
    half = stats.t.ppf(0.975, 3) * gaps.std(ddof=1) / 2
    assert half > 1, "else an interval that ends at 1 would pass"
    (found,) = summary.reward_differences(store.config, rows)
    assert (found["value"], found["low"], found["high"]) == pytest.approx(
        (gaps.mean(), gaps.mean() - half, gaps.mean() + half)
    )
    assert (found["ahead"], found["behind"]) == ((gaps > 0).sum(), (gaps < 0).sum())
    assert "reward_differences" not in summary.of_store(store, rows), "runs that were published verify as before"
    page = report.write(store).read_text(encoding="utf-8")
    assert "Mean reward of the first minus the second" in page
    assert f"{gaps.mean():+.2f}" in page


def test_a_transcript_says_what_was_chosen_by_its_number_and_leads_to_its_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: [])
    evaluate(["ibench/SituationPuzzle-v1"], ["random", "reference"], episodes=3, out=tmp_path)
    store = RunStore.read_only(tmp_path)
    report.write(store)
    folder, walked, file = tmp_path / "transcripts", list[str](), "0-0-0.html"
    while file:
        walked.append(file)
        page = (folder / file).read_text(encoding="utf-8")
        file = next(iter(re.findall(r'rel="next" href="([^"]+)"', page)), "")
    assert walked == [f"{cell}-{case}-0.html" for cell in range(2) for case in range(3)]
    assert 'rel="prev" href="1-1-0.html"' in page
    record = store.record(store.rows()[0])
    page = html.unescape((folder / "0-0-0.html").read_text(encoding="utf-8"))
    menu = record["steps"][0]["observation"].splitlines()
    for step in record["steps"]:
        key = re.sub("<.*?>", "", step["action"])
        (line,) = [line for line in menu if line.startswith(f"{key}. ")]
        assert f'dir="auto">{line.removeprefix(f"{key}. ")[:200]}' in page
