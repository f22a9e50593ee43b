"""Tables of a family that the package does not know: found by its card, written, printed and linked to."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs import catalog
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import pool
from interactive_envs.family import Family
from interactive_envs.reporting import run_tables
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.estimates import mean
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.run_tables import RunTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import LABELS, Column, Table, decimal, row

GAME = "ibench/TrustGame-v1"


class ToyTables(RunTables[float]):
    """The rewards of trust games, in other tables than their own."""

    family = "toys"
    name, subject = "toys", "toy games"
    title, one = "Toys", "a toy game"
    clusters = "case"

    def read(self, stores: Sequence[RunStore]) -> list[list[float]]:
        """Read rewards."""
        return [[one.reward for one in store.rows() if self.holds(store.config.cells[one.cell])] for store in stores]

    def tables(self, episodes: Sequence[float], others: Sequence[float] = ()) -> list[Table]:
        """Make a table of one row."""
        rewards = {"reward": mean(episodes, range(len(episodes))), "other": mean(others, range(len(others)))}
        columns = tuple(Column(key, key.capitalize(), decimal) for key in rewards)
        return [Table("rewards", "Rewards", "Means.", LABELS, columns, (row(("all", "played"), **rewards),))]

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw nothing."""
        return []


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its card, under which the trust game goes here."""
    module = types.ModuleType("toy_tables")
    module.ToyTables = ToyTables  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_tables", module)
    cards = {"toys": Family("toys", prefixes=("trust",), tables="toy_tables:ToyTables")}
    monkeypatch.setattr(catalog, "families", lambda: cards)
    monkeypatch.setattr(catalog, "family", lambda _: cards["toys"])


def play(folder: Path, *env_ids: str, **arguments: Any) -> RunStore:
    cells = tuple(Cell(env_id, arguments, "random") for env_id in env_ids)
    return pool.run(RunConfig(cells, 2), folder, workers=1)


@pytest.mark.usefixtures("toys")
def test_tables_of_another_family_are_written_printed_and_linked_to(tmp_path: Path) -> None:
    store, other = play(tmp_path / "run", GAME), play(tmp_path / "other", GAME)
    arguments = ("tables", str(store.folder), "--against", str(other.folder))
    printed = CliRunner().invoke(main, arguments, catch_exceptions=False).output
    assert "Rewards" in printed
    assert f"Tables: {store.folder / 'toys.html'}" in printed
    told = json.loads((store.folder / "toys.json").read_text(encoding="utf-8"))
    (line,) = told["tables"]["rewards"]["rows"]
    assert (line["reward"]["n"], line["other"]["n"], told["curves"]) == (2, 2, [])
    assert "<h1>Toys</h1>" in (store.folder / "toys.html").read_text(encoding="utf-8")
    CliRunner().invoke(main, ("report", str(store.folder)), catch_exceptions=False)
    page = (store.folder / "report.html").read_text(encoding="utf-8")
    assert '<a href="toys.html">The tables of the toy games</a>' in page


def test_a_suite_is_a_run_of_several_settings_of_the_family_alone() -> None:
    for made in run_tables.all_tables():
        own = [env_id for env_id in catalog.ids() if made.holds(Cell(env_id, {}, "random"))]
        if len(own) == 1:
            continue  # its arguments are the settings
        first, second = own[:2]
        for ids, suite in (((first,), False), ((first, first), False), ((first, second), True), ((*own, GAME), False)):
            config = RunConfig(tuple(Cell(env_id, {}, "random") for env_id in ids), 1)
            assert (made.is_suite(config), made.is_played(config)) == (suite, True)


def test_a_run_without_episodes_of_a_family_is_refused(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", RunConfig((Cell("ibench/Math-v1", {}, "random"),), 1)) as store:
        for tables in run_tables.all_tables():
            assert not tables.is_played(store.config)
            with pytest.raises(ConfigError, match=f"holds no episode of {tables.one}"):
                tables.write(store)


def test_an_id_that_is_registered_no_more_is_of_no_family() -> None:
    pages = [*run_tables.all_tables(), *run_tables.report_pages()]
    assert pages
    assert not any(page.holds(Cell("ibench/Gone-v9", {}, "random")) for page in pages)
