"""Tables of estimates: what every kind of run's tables have in common, how they are printed, and what is stored."""

from __future__ import annotations

import itertools
import json
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from interactive_envs.registration import all_arguments
from interactive_envs.reporting.estimates import Estimate, proportion
from interactive_envs.seeds import canonical_json

if TYPE_CHECKING:
    from interactive_envs.reporting.records import Cell

SCHEMA = 1
WIDTH = 100
"""Columns of a terminal."""
NAME = (12, 30)
"""Characters of a name in a printed table, at least and at most."""
ROWS = 40
"""Rows of a printed table at most; the page and the file hold all."""

T = TypeVar("T")

Group: TypeAlias = tuple[str, str]
"""A player, and under which condition it played."""
LABELS = ("player", "condition")
"""The labels that every row has; they share the first column."""


@dataclass(frozen=True)
class Column:
    """One column of estimates: its key in a row, its title (``|`` breaks the line), and how numbers are written."""

    key: str
    title: str
    show: Callable[[float], str]


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes:
        name: its key in the file.
        title: what it shows.
        note: what its columns mean.
        labels: the keys of a row that are texts, ``LABELS`` first.
        columns: the keys of a row that are estimates.
        rows: the texts and the estimates as JSON.
    """

    name: str
    title: str
    note: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]


# How numbers are written.


def percent(value: float) -> str:
    """Write a share in percent, without the sign."""
    return f"{100 * value:.0f}"


def tenths(value: float) -> str:
    """Write a share in percent with one digit after the point, without the sign."""
    return f"{100 * value:.1f}"


def points(value: float) -> str:
    """Write a difference of shares in percentage points."""
    text = f"{100 * value:+.0f}"
    return "0" if text in {"+0", "-0"} else text


def decimal(value: float) -> str:
    """Write a number with one digit after the point."""
    return f"{value:.1f}"


def bits(value: float) -> str:
    """Write bits with two digits after the point."""
    return f"{value:.2f}"


def whole(value: float) -> str:
    """Write a score as a whole number."""
    return f"{value:.0f}"


# How rows are made.


def group_by(items: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    """Group items by a key, groups and items in order of appearance."""
    found: dict[Any, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def row(group: Group, **values: Estimate | str) -> dict[str, Any]:
    """Make a row: texts as they are, estimates as JSON."""
    cells = {name: value if isinstance(value, str) else value.as_json() for name, value in values.items()}
    return {"player": group[0], "condition": group[1], **cells}


def share(counted: Sequence[tuple[float, float, int]]) -> Estimate:
    """Estimate a share from triples: hits, of how many, in which cluster."""
    hits, of, clusters = zip(*counted, strict=True) if counted else ((), (), ())
    return proportion(hits, clusters, of)


def differing_arguments(filled: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the names of the arguments that differ between cells.

    Args:
        filled: the arguments of every cell, with defaults.
    """
    values: dict[str, set[str]] = defaultdict(set)
    for name in {name for arguments in filled for name in arguments}:
        values[name] = {canonical_json(arguments.get(name)) for arguments in filled}
    return sorted(name for name, found in values.items() if len(found) > 1)


def fill_arguments(cell: Cell) -> dict[str, Any]:
    """Return the arguments of a cell as they are in force: those of its preset and defaults, too."""
    return all_arguments(cell.env_id, cell.arguments)


def plain(value: Any) -> str:
    """Write the value of an argument, as conditions show it."""
    return value if isinstance(value, str) else canonical_json(value)


# What is stored and printed.


def as_json(made: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the content of a file of tables."""
    content = {table.name: {"title": table.title, "note": table.note, "rows": list(table.rows)} for table in made}
    return {"schema": SCHEMA, "tables": content, "curves": list(curves)}


def dump(content: Mapping[str, Any]) -> str:
    """Return the text of a file of tables."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def render(made: Iterable[Table], hide: str = "") -> str:
    """Write tables for a terminal of ``WIDTH`` columns: under each value its interval, then how much is behind it.

    Args:
        made: the tables.
        hide: what players' names may begin with that says nothing.
    """
    return "\n\n".join(_rendered(table, hide) for table in made)


def _rendered(table: Table, hide: str) -> str:
    extra, shown = table.labels[len(LABELS) :], table.rows[:ROWS]
    header = [*([label] for label in extra), *(column.title.split("|") for column in table.columns)]
    rows = [
        [*([row[label]] for label in extra), *(_cell(row[column.key], column.show) for column in table.columns)]
        for row in shown
    ]
    widths = [max(len(line) for cells in [header, *rows] for line in cells[place]) for place in range(len(header))]
    room = min(max(WIDTH - sum(widths) - 2 * len(widths), NAME[0]), NAME[1])
    names = [[_cut(row[label].removeprefix(hide), room) for label in LABELS] for row in shown]
    widths = [max(len(line) for cell in [LABELS, *names] for line in cell), *widths]
    sides = [str.ljust] * (1 + len(extra)) + [str.rjust] * len(table.columns)
    lines = [
        "  ".join(side(text, width) for side, text, width in zip(sides, line, widths, strict=True)).rstrip()
        for name, cells in zip([LABELS, *names], [header, *rows], strict=True)
        for line in itertools.zip_longest(name, *cells, fillvalue="")
    ]
    more = len(table.rows) - len(shown)
    lines += [f"and {more:,} more row{'s' if more > 1 else ''} on the page"] if more else []
    return "\n".join([table.title, "-" * len(table.title), *lines, *textwrap.wrap(table.note, WIDTH)])


def _cell(numbers: Mapping[str, Any], show: Callable[[float], str]) -> list[str]:
    if not numbers["n"]:
        return ["-"]
    spread = "" if numbers["low"] is None else f" [{show(numbers['low'])}, {show(numbers['high'])}]"
    return [show(numbers["value"]) + spread, f"n {numbers['n']:,}"]


def _cut(text: str, width: int) -> str:
    """Cut in the middle: specs differ at both ends."""
    half = width // 2
    return text if len(text) <= width else f"{text[: half - 1]}…{text[-half:]}"
