"""The page of a run's query games: the tables, and what players knew by turn beside what they solved by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interactive_envs.query_games.report import tables
from interactive_envs.query_games.report.tables import Episode
from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.run_tables import RunTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table

CURVES = len(charts.COLOURS)
"""Curves of a chart at most: more colours nobody tells apart."""
BANDS = 4
"""Curves with bands at most: more hide one another."""


class QueryTables(RunTables[Episode]):
    """The tables of query games, ``query.json`` and ``query.html``."""

    family = "query-games"
    name, subject = "query", "query games"
    title, one = "Query games", "a query game"
    clusters, charts = "game", "By turn"
    prefix = "query-games/"

    def read(self, stores: Sequence[RunStore]) -> list[list[Episode]]:
        """Read the episodes of query games, run by run."""
        return tables.read(stores, self.holds)

    def tables(self, episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
        """Make every table; ``others`` may hold the clean or the probed twins."""
        return tables.tables(episodes, others)

    def curves(self, episodes: Sequence[Episode]) -> list[dict[str, Any]]:
        """Return the bits left and the share solved by turn."""
        return tables.curves(episodes)

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw the curves."""
        return draw(curves)


def draw(curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
    """Bits left by turn, and the share solved by turn.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    with charts.style():
        return list(_by_turn(curves))


def _by_turn(curves: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    if not curves:
        return
    several = len({curve["condition"] for curve in curves}) > 1
    labels = [curve["player"] + (f", {curve['condition']}" if several else "") for curve in curves]
    shown = list(zip(range(CURVES), labels, curves, strict=False))
    for key, name, title, caption, show in (
        (
            "bits_left",
            "bits_by_turn",
            "Bits left by turn",
            "What was still missing of the right answer, in bits by what was true: the mean over all episodes; "
            "those that are over keep what was left.",
            lambda value: f"{value:.1f}",
        ),
        ("solved", "solved_by_turn", "Solved by turn", "Share of the same episodes solved by each turn.", None),
    ):
        lines = [
            (
                label,
                {"color": charts.COLOURS[place], "marker": charts.MARKERS[place]},
                [(point["turn"], point) for point in curve[key]],
            )
            for place, label, curve in shown
        ]
        figure = charts.line_figure({"All games": lines}, "turns", steps=True, bands=BANDS, show=show)
        header = ("player", "turn", *charts.NUMBERS)
        table = [
            (label, *(point[part] for part in header[1:]))
            for label, curve in zip(labels, curves, strict=True)
            for point in curve[key]
        ]
        bounds = " 95 % intervals, clustered by game, as bands, or as bars at the end of the curves."
        left_out = charts.left_out_note(len(curves), len(shown))
        yield charts.as_chart(name, title, caption + bounds + left_out, figure, (header, *table))
