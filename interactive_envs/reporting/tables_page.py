"""A page of tables: what a run of many environments says, with its charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.page import as_bytes, spread, templates
from interactive_envs.reporting.records import RunStore, write_atomically
from interactive_envs.reporting.tables import Column, Table


@dataclass(frozen=True)
class Page:
    """What a page of tables says of itself.

    Attributes:
        name: of its file and of the file of numbers, without ending.
        title: what the run played.
        clusters: what intervals are clustered by.
        charts: the heading of its charts.
    """

    name: str
    title: str
    clusters: str
    charts: str


def write(store: RunStore, page: Page, tables: Sequence[Table], draw: Callable[[], list[Chart]]) -> Path:
    """Write a page into a run's folder, with its charts in ``charts/``; without matplotlib it says so.

    Args:
        store: the run.
        page: what it says of itself.
        tables: what it shows.
        draw: makes its charts.

    Returns:
        The page's path.
    """
    try:
        figures, no_charts = draw(), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(store.folder / "charts")
    path = store.folder / f"{page.name}.html"
    content = {
        "store": store,
        "page": page,
        "tables": tables,
        "players": len({row["player"] for row in tables[0].rows}) if tables else 0,
        "environments": len({cell.env_id for cell in store.config.cells}),
        "figures": figures,
        "no_charts": no_charts,
        "cell": cell,
    }
    write_atomically(path, as_bytes(templates(__package__).get_template("tables.html.j2").render(**content)))
    return path


def cell(row: Mapping[str, Any], column: Column) -> dict[str, Any]:
    """An estimate as the page writes it."""
    numbers = row[column.key]
    value = "" if numbers["value"] is None else _signed(column.show(numbers["value"]))
    return {"n": numbers["n"], "value": value, "interval": _signed(spread(column.show)(numbers))}


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")
