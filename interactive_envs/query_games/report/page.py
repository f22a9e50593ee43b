"""The page of a run's query games: the tables, and what players knew by turn beside what they solved by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.reporting import charts, tables_page
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.records import RunStore
from interactive_envs.reporting.tables import Table
from interactive_envs.reporting.tables_page import Page

CURVES = len(charts.COLOURS)
"""Curves of a chart at most: more colours nobody tells apart."""
BANDS = 4
"""Curves with bands at most: more hide one another."""


def write(store: RunStore, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> Path:
    """Write ``query.html`` into a run's folder, with its charts in ``charts/``.

    Args:
        store: the run.
        tables: what :func:`interactive_envs.query_games.report.tables.tables` made of it.
        curves: what :func:`interactive_envs.query_games.report.tables.curves` made of it.

    Returns:
        The page's path.
    """
    page = Page("query", "Query games", clusters="game", charts="By turn")
    return tables_page.write(store, page, tables, lambda: draw(curves))


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
