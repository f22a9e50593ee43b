"""Who asks by who concludes: what relays say of asking and inferring apart."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import estimates, tables
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.records import EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.specs import relay_parts

PARTS = ("asker", "concluder")
TITLE = 22
"""Characters of a concluder's name at the head of its column."""
FIRST = "reference"
"""Whom others are compared with, where it plays."""

Key = tuple[str, int, int]


@dataclass
class Grid:
    """One setting: cells by who asks and who concludes; a player alone does both.

    Attributes:
        setting: its name.
        cells: the position of each combination's cell.
        alone: combinations that are a player alone.
    """

    setting: str
    cells: dict[tuple[str, str], int] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)

    def parts(self, axis: int) -> list[str]:
        """The players on an axis, 0 for askers, in order of appearance."""
        return list(dict.fromkeys(pair[axis] for pair in self.cells))


def grids(config: RunConfig) -> list[Grid]:
    """Find the settings in which relays play, with the players alone that take part in one of them."""
    by_setting: dict[str, list[tuple[int, tuple[str, str] | None]]] = defaultdict(list)
    for index, name in enumerate(run_summary.names(config)):
        by_setting[name.setting].append((index, _parts(config.cells[index].agent)))
    found = []
    for setting, cells in by_setting.items():
        grid, called = Grid(setting), dict[str, str]()
        taking_part = {part for _, pair in cells if pair for part in pair}
        for index, pair in cells:
            spec = config.cells[index].agent
            if pair is None and spec in taking_part:
                called[spec] = config.cells[index].player
        for index, pair in cells:
            if pair is not None:
                grid.cells[called.get(pair[0], pair[0]), called.get(pair[1], pair[1])] = index
        for index, pair in cells:
            player = called.get(config.cells[index].agent)
            if pair is None and player and (player, player) not in grid.cells:
                grid.cells[player, player] = index
                grid.alone.add(player)
        if grid.cells:
            found.append(grid)
    return found


def _parts(spec: str) -> tuple[str, str] | None:
    try:
        return relay_parts(spec)
    except ConfigError:  # a record may hold what nobody could play
        return None


def make(store: RunStore, rows: Sequence[EpisodeRow]) -> list[tables.Table]:
    """Make the tables of a run: none where no relay plays."""
    found = grids(store.config)
    if not found:
        return []
    worth: dict[int, dict[Key, float]] = defaultdict(dict)
    for row in rows:
        if row.outcome != Outcome.UNSCORED:
            won = row.reward if row.outcome == Outcome.SCORED else float(row.outcome == Outcome.SUCCESS)
            worth[row.cell][row.case, row.case_index, row.epoch] = won
    made = [_grid(found, worth), _differences(found, worth), _spent(store, found, rows)]
    return [table for table in made if table.rows]


def _grid(found: Sequence[Grid], worth: Mapping[int, Mapping[Key, float]]) -> tables.Table:
    names = list(dict.fromkeys(name for grid in found for name in grid.parts(1)))
    columns = tuple(tables.Column(f"by_{place}", _title(name), tables.percent) for place, name in enumerate(names))
    rows = [
        tables.row(
            (asker, grid.setting),
            **{
                f"by_{place}": _mean(worth.get(grid.cells.get((asker, one), -1), {})) for place, one in enumerate(names)
            },
        )
        for grid in found
        for asker in grid.parts(0)
    ]
    alone = sorted({player for grid in found for player in grid.alone})
    note = (
        "In percent: accuracy, or the score where episodes are scored; rows ask, columns conclude. Forced final "
        "answers count." + (f" Who asks and concludes for itself plays alone: {', '.join(alone)}." if alone else "")
    )
    return tables.Table("relays", "Who asks by who concludes", note, tables.LABELS, columns, tuple(rows))


def _differences(found: Sequence[Grid], worth: Mapping[int, Mapping[Key, float]]) -> tables.Table:
    rows = [
        {**tables.row((one, grid.setting), difference=_gap(worth.get(left, {}), worth.get(right, {}))), **labels}
        for grid in found
        for one, left, right, labels in _pairs(grid)
    ]
    note = (
        "In percentage points, over the cases that both met: as asker with the same concluder the players differ in "
        "what they ask, as concluder with the same asker in what they infer. Not corrected for the number of "
        "comparisons."
    )
    column = tables.Column("difference", "difference", tables.points)
    labels = (*tables.LABELS, "as", "minus", "with")
    return tables.Table("relay_differences", "Asking and inferring apart", note, labels, (column,), tuple(rows))


def _pairs(grid: Grid) -> Iterator[tuple[str, int, int, dict[str, str]]]:
    """Two players in the same place with the same other one."""
    for axis, part in enumerate(PARTS):
        for other in grid.parts(1 - axis):
            here = [name for name in grid.parts(axis) if _pair(axis, name, other) in grid.cells]
            ordered = sorted(here, key=lambda name: name.rpartition("/")[2] == FIRST)
            for one, two in itertools.combinations(ordered, 2):
                cells = [grid.cells[_pair(axis, name, other)] for name in (one, two)]
                yield one, cells[0], cells[1], {"as": part, "minus": two, "with": f"{PARTS[1 - axis]} {other}"}


def _pair(axis: int, name: str, other: str) -> tuple[str, str]:
    return (name, other) if axis == 0 else (other, name)


def _spent(store: RunStore, found: Sequence[Grid], rows: Sequence[EpisodeRow]) -> tables.Table:
    """Calls, tokens and US dollars of each part; read from the records of relays whose players ask models."""
    relays = {
        index: (asker, concluder, grid.setting)
        for grid in found
        for (asker, concluder), index in grid.cells.items()
        if not (asker == concluder and asker in grid.alone)
    }
    spent: dict[tuple[int, str], list[tuple[Key, int, int, float | None]]] = defaultdict(list)
    for row in rows:
        if row.cell not in relays or not row.prompt_tokens + row.completion_tokens:
            continue
        calls = [call for step in store.record(row)["steps"] for call in step["calls"]]
        for part in PARTS:
            mine = [call for call in calls if call.get("part") == part]
            tokens = sum(call["usage"]["prompt"] + call["usage"]["completion"] for call in mine)
            costs = [call["cost"] for call in mine]
            cost = None if None in costs else sum(costs)
            spent[row.cell, part].append(((row.case, row.case_index, row.epoch), len(mine), tokens, cost))
    made = []
    for (cell, part), each in sorted(spent.items()):
        asker, concluder, setting = relays[cell]
        known = {key: cost for key, _, _, cost in each if cost is not None}
        values = {
            "calls": _mean({key: float(calls) for key, calls, _, _ in each}, bounded=False),
            "tokens": _mean({key: float(tokens) for key, _, tokens, _ in each}, bounded=False),
            "cost": _mean(known, bounded=False) if len(known) == len(each) else estimates.NOTHING,
        }
        labels = {"part": part, "whole": f"{asker} asks, {concluder} concludes"}
        made.append({**tables.row((asker if part == PARTS[0] else concluder, setting), **values), **labels})
    columns = (
        tables.Column("calls", "calls", tables.decimal),
        tables.Column("tokens", "tokens", tables.whole),
        tables.Column("cost", "US dollars", "{:.4f}".format),
    )
    note = "Means an episode; answers between the turns, where they were asked for, are not counted."
    return tables.Table(
        "relay_spending", "Spent by each part", note, (*tables.LABELS, "part", "whole"), columns, tuple(made)
    )


def _mean(values: Mapping[Key, float], *, bounded: bool = True) -> Estimate:
    if not values:
        return estimates.NOTHING
    numbers, clusters = list(values.values()), _clusters(values)
    if set(numbers) <= {0.0, 1.0} and bounded:
        return estimates.proportion(numbers, clusters)
    return estimates.mean(numbers, clusters)


def _gap(left: Mapping[Key, float], right: Mapping[Key, float]) -> Estimate:
    both = [key for key in left if key in right]
    return estimates.paired([left[key] - right[key] for key in both], _clusters(both))


def _clusters(keys: Any) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(key[1], len(numbers)) for key in keys]


def _title(name: str) -> str:
    half = TITLE // 2
    short = name if len(name) <= TITLE else f"{name[: half - 1]}…{name[-half:]}"
    return f"{short.replace('|', '/')}|concludes"
