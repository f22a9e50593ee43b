"""The tables of runs: what players earn, lose to the best reply, and learn from match to match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.evaluation.run import pool, report
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.trust_game.tables import TrustTables

TRUST = "ibench/TrustGame-v1"


def run(folder: Path, *opponents: str, agent: str = "all-d", episodes: int = 3) -> RunStore:
    cells = tuple(Cell(TRUST, {"opponents": opponent}, agent) for opponent in opponents)
    return pool.run(RunConfig(cells, episodes), folder, workers=1)


def test_the_tables_have_a_row_for_each_opponent_and_one_for_each_match(tmp_path: Path) -> None:
    store = run(tmp_path, "all-c", "coin?p=0.5")
    _, content = TrustTables().write(store)
    overall = {row["condition"]: row for row in content["tables"]["overall"]["rows"]}
    known, played = overall["against all-c"], overall["against coin?p=0.5"]
    assert (known["score"]["value"], known["mean_regret"]["value"]) == (3, 0)
    assert known["betrayal_rate"]["value"] == 1
    assert (played["mean_regret"]["value"], played["mean_regret"]["n"]) == (0, played["score"]["n"])
    matches = content["tables"]["matches"]["rows"]
    assert [row["match"] for row in matches if row["condition"] == "against all-c"] == list("12345")
    assert sum(row["score"]["n"] for row in matches if row["condition"] == "against all-c") == known["score"]["n"]


def test_where_the_best_reply_is_not_known_there_is_no_regret(tmp_path: Path) -> None:
    store = run(tmp_path, "tests.trust_game.test_best_reply:Silent")
    made, content = TrustTables().write(store)
    (row,) = content["tables"]["overall"]["rows"]
    assert row["mean_regret"] == {"value": None, "low": None, "high": None, "n": 0}
    assert "Regret" in TrustTables().render(made)


def test_a_runs_report_links_to_the_tables_and_the_command_prints_them(tmp_path: Path) -> None:
    store = run(tmp_path, "tft")
    path = report.write_with_pages(store)
    assert '<a href="trust.html">The tables of the trust games</a>' in path.read_text(encoding="utf-8")
    page = (tmp_path / "trust.html").read_text(encoding="utf-8")
    assert "Match by match" in page
    assert "Regret" in page
    printed = CliRunner().invoke(main, ("tables", str(tmp_path)), catch_exceptions=False).output
    assert "against tft" in printed
    assert json.loads((tmp_path / "trust.json").read_text(encoding="utf-8"))["tables"]["overall"]["rows"]


def test_a_run_without_episodes_has_a_report_without_them(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", RunConfig((Cell(TRUST, {}, "tft"),), 1)) as store:
        pass
    page = report.write_with_pages(store).read_text(encoding="utf-8")
    assert "trust.html" not in page


@pytest.mark.parametrize(("opponents", "suite"), [(("tft",), False), (("tft", "grim"), True)])
def test_several_opponents_make_a_suite(opponents: tuple[str, ...], suite: bool) -> None:
    cells = tuple(Cell(TRUST, {"opponents": opponent}, "tft") for opponent in opponents)
    assert TrustTables().is_suite(RunConfig(cells, 1)) == suite
