"""The page of a run's query games: the tables, and what players knew by turn beside what they solved by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.evaluation import charts, report
from interactive_envs.evaluation.charts import Chart
from interactive_envs.evaluation.query_tables import Column, Table
from interactive_envs.evaluation.records import RunStore

CURVES = len(charts.COLOURS)
"""Curves of a chart at most: more colours nobody tells apart."""
BANDS = 4
"""Curves with bands at most: more hide one another."""


def write(store: RunStore, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> Path:
    """Write ``query.html`` into a run's folder, with its charts in ``charts/``.

    Args:
        store: the run.
        tables: what :func:`interactive_envs.evaluation.query_tables.tables` made of it.
        curves: what :func:`interactive_envs.evaluation.query_tables.curves` made of it.

    Returns:
        The page's path.
    """
    try:
        figures, no_charts = draw(curves), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(store.folder / "charts")
    template = report._templates().overlay().get_template("query.html.j2")
    path = store.folder / "query.html"
    fresh = path.with_name("query.html.new")
    content = {"store": store, "tables": tables, "figures": figures, "no_charts": no_charts, "cell": cell}
    fresh.write_bytes(report._bytes(template.render(**content)))
    fresh.replace(path)
    return path


def cell(row: Mapping[str, Any], column: Column) -> dict[str, Any]:
    """An estimate as the page writes it."""
    numbers = row[column.key]
    value = "" if numbers["value"] is None else _signed(column.show(numbers["value"]))
    return {"n": numbers["n"], "value": value, "interval": _signed(report._spread(column.show)(numbers))}


def draw(curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
    """Bits left by turn, and the share solved by turn.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    with charts._style():
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
        figure = charts._lines({"All games": lines}, "turns", steps=True, bands=BANDS, show=show)
        header = ("player", "turn", *charts._NUMBERS)
        table = [
            (label, *(point[part] for part in header[1:]))
            for label, curve in zip(labels, curves, strict=True)
            for point in curve[key]
        ]
        bounds = " 95 % intervals, clustered by game, as bands, or as bars at the end of the curves."
        left_out = charts._left_out(len(curves), len(shown))
        yield charts._chart(name, title, caption + bounds + left_out, figure, (header, *table))


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
