"""What a run's rows say: ``summary.json``, a function of the rows, and ``timing.json``, which depends on the clock.

Cells that met the same cases are compared case by case.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.compact.rows import Rows
from interactive_envs.reporting.correction import runs as judge_errors
from interactive_envs.reporting.estimates import Floats, kendall, mean, paired, proportion, rounded
from interactive_envs.reporting.metrics import CellRows, measure
from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json
from interactive_envs.specs import parse_spec

SCHEMA = 1
ROUNDS_SHOWN = 100
"""Points of a success-by-round curve at most; longer games are thinned out evenly."""
RECORDS_READ = 50
"""Records a cell that are read to find its judge."""


@dataclass(frozen=True)
class CellName:
    """The name of a cell in reports.

    Attributes:
        env: the environment with the arguments that tell it from the run's others.
        player: the agent's spec.
        judge: the judge's spec, None for the environment's own.
        interactive: whether the player may ask.
    """

    env: str
    player: str
    judge: str | None
    interactive: bool

    @property
    def setting(self) -> str:
        """All but the player."""
        judge = f", judge {self.judge}" if self.judge else ""
        return f"{self.env}{judge}{'' if self.interactive else ', no interaction'}"


def names(config: RunConfig, cells: Sequence[Mapping[str, Any]] | None = None) -> list[CellName]:
    """Name every cell, shortly and so that no two are alike.

    Args:
        config: the run's configuration.
        cells: their summaries; with them no judge is named where nothing was judged.
    """
    judged = [cells is None or cells[index]["judge"] is not None for index in range(len(config.cells))]
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    judges: dict[str, set[str | None]] = defaultdict(set)
    for cell, was_judged in zip(config.cells, judged, strict=True):
        # Every environment gets its entry; only what was judged adds to it.
        judges[cell.env_id] |= {judge_spec(cell)} if was_judged else set()
        for name in {name for other in config.cells if other.env_id == cell.env_id for name in other.arguments}:
            values[cell.env_id, name].add(canonical_json(cell.arguments.get(name)))
    found = []
    for cell, was_judged in zip(config.cells, judged, strict=True):
        parts = [
            f"{name}={value if isinstance(value, str) else canonical_json(value)}"
            for name, value in sorted(cell.arguments.items())
            if name not in {"judge", "no_interaction"} and len(values[cell.env_id, name]) > 1
        ]
        # One environment needs no name to be distinguished from others; its arguments do.
        env = cell.env_id.removeprefix("ibench/")
        if parts:
            env = ", ".join(parts) if len(judges) == 1 else f"{env} ({', '.join(parts)})"
        judge = judge_spec(cell) if was_judged and len(judges[cell.env_id]) > 1 else None
        found.append(CellName(env, cell.player, judge, not cell.arguments.get("no_interaction")))
    return found


def judge_spec(cell: Cell) -> str | None:
    """Return the judge a cell asks for, None where it leaves the choice to the environment."""
    spec = cell.judge if cell.judge is not None else cell.arguments.get("judge")
    return None if spec is None else str(spec)


def judges_of(store: RunStore, rows: Iterable[EpisodeRow]) -> dict[int, dict[str, Any] | None]:
    """Return what the records say of each cell's judge, None where nothing was judged, for :func:`summarise`.

    A record names its judge only where a verdict was given. Episodes without a readable action have none and are
    not read; of the others at most ``RECORDS_READ`` a cell are, in sorted order, those whose row tells of a
    verdict (an abstention, the judge's tokens) first.
    """
    all_rows = rows if isinstance(rows, Rows) else Rows(rows)
    found: dict[int, dict[str, Any] | None] = {}
    for cell in np.unique(all_rows.column("cell")).tolist():
        mine = all_rows.part(cell)
        readable = np.flatnonzero((mine.column("queries") > 0) | (mine.column("finals") > 0))
        judged = (mine.column("abstained") > 0) | (mine.column("judge_tokens") > 0)
        first = readable[np.argsort(~judged[readable], kind="stable")][:RECORDS_READ]
        described = (store.record(row).get("judge") for row in mine.rows_at(first))
        found[cell] = next((judge for judge in described if judge), None)
    return found


def of_store(store: RunStore, rows: Sequence[EpisodeRow]) -> dict[str, Any]:
    """Return the content of ``summary.json`` for a stored run: see :func:`summarise`."""
    judges = judges_of(store, rows)
    return summarise(store.config, rows, judges, judge_errors.corrections(store, rows, judges))


def summarise(
    config: RunConfig,
    rows: Iterable[EpisodeRow],
    judges: Mapping[int, Mapping[str, Any] | None] | None = None,
    corrections: Mapping[int, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the content of ``summary.json``: a function of the sorted rows, without times and cost.

    Args:
        config: the run's configuration.
        rows: its episodes, in any order.
        judges: the judge of each cell as the records describe it, see :func:`judges_of`.
        corrections: the accuracy of cells corrected for their judges' errors, see
            :func:`interactive_envs.reporting.correction.runs.corrections`.
    """
    tables = _rows_by_cell(config, rows)
    described = {index: judge or {} for index, judge in (judges or {}).items()}
    cells = [
        _cell_summary(config, index, table, described.get(index))
        | {"accuracy_corrected": (corrections or {}).get(index)}
        for index, table in enumerate(tables)
    ]
    valid = sum(cell["n_valid"] for cell in cells)
    planned = config.total
    approximate = [cell for cell in cells if cell["approximate_judge"]]
    return {
        "schema": SCHEMA,
        "seed": config.seed,
        "n_planned": planned,
        "n_valid": valid,
        "n_missing": planned - valid,
        "cells": cells,
        "gains": list(_gains(config, tables)),
        "differences": list(_differences(config, tables)),
        "rank_agreement": list(_rank_agreement(config, cells)),
        "notes": list(_approximate(approximate)),
        **({"tools": apart} if (apart := list(_by_tools(config, tables))) else {}),
    }


def _by_tools(config: RunConfig, tables: Sequence[CellRows]) -> Iterator[dict[str, Any]]:
    """Each player's mean reward by the tag ``tools`` of what it played; nothing where nothing has that tag.

    What nobody plays well without a computer is not to be mixed with what is played by reasoning.
    """
    tags = [tools_of(cell.env_id) for cell in config.cells]
    groups: dict[tuple[str, str | None], list[CellRows]] = defaultdict(list)
    for cell, tag, table in zip(config.cells, tags, tables, strict=True):
        groups[cell.player, tag].append(table)
    for (agent, tag), parts in sorted(groups.items(), key=lambda group: (group[0][0], group[0][1] or "")):
        if any(tags):
            rewards = np.concatenate([part.column("reward") for part in parts])
            clusters = [f"{number} {case}" for number, part in enumerate(parts) for case in part.case.tolist()]
            numbers = np.unique(np.array(clusters), return_inverse=True)[1]
            yield {"agent": agent, "tools": tag, "n_cells": len(parts), "reward": mean(rewards, numbers).as_json()}


def tools_of(env_id: str) -> str | None:
    """The tag ``tools`` of an environment, such as ``with code``; None where it has none."""
    tag: str | None = catalog.load()["units"].get(env_id, {}).get("tags", {}).get("tools")
    return tag


def family_of(env_id: str) -> str:
    """The family of an environment, "other" where the catalogue does not have it."""
    return str(catalog.load()["units"].get(env_id, {}).get("family", "other"))


def timing(config: RunConfig, rows: Iterable[EpisodeRow]) -> dict[str, Any]:
    """Return the content of ``timing.json``: seconds and US dollars; one unknown price makes a total unknown."""
    cells: list[dict[str, Any]] = []
    for index, table in enumerate(_rows_by_cell(config, rows)):
        seconds = table.column("seconds")
        player, judge = table.costs("cost"), table.costs("judge_cost")
        spent = None if player is None or judge is None else player + judge
        cells.append(
            {
                "cell": index,
                "median_seconds": rounded(float(np.median(seconds))) if seconds.size else None,
                "total_seconds": rounded(float(seconds.sum())),
                "player_cost": None if player is None else rounded(float(player.sum())),
                "judge_cost": None if judge is None else rounded(float(judge.sum())),
                "cost": None if spent is None else rounded(float(spent.sum())),
                **measure(table, timed=True),
            }
        )
    costs: list[float | None] = [cell["cost"] for cell in cells]
    known = [cost for cost in costs if cost is not None]
    return {
        "schema": SCHEMA,
        "total_seconds": rounded(sum(cell["total_seconds"] for cell in cells)),
        "cost": rounded(sum(known)) if len(known) == len(costs) else None,
        "cells": cells,
    }


@dataclass(frozen=True)
class Series:
    """Cells that differ only in one numeric axis of a sweep: ``points`` are (value, cell)."""

    label: str
    player: str
    points: tuple[tuple[float, int], ...]


def sweeps(config: RunConfig) -> dict[str, list[Series]]:
    """Return for every numeric axis with several values the series of cells along it."""
    found: dict[str, list[Series]] = {}
    for axis in sorted({name for cell in config.cells for name in cell.axes}):
        groups: dict[str, dict[float, int]] = defaultdict(dict)
        for index, cell in enumerate(config.cells):
            if _is_number(cell.axes.get(axis)):
                groups[_without(cell, axis)].setdefault(float(cell.axes[axis]), index)
        lines = [tuple(sorted(points.items())) for points in groups.values() if len(points) > 1]
        if lines:
            found[axis] = [_series(config, axis, line, lines) for line in lines]
    return found


@dataclass(frozen=True)
class Panel:
    """Players by judges in one setting; ``cells[player, judge]`` is a cell's position."""

    env: str
    players: tuple[str, ...]
    judges: tuple[str, ...]
    cells: Mapping[tuple[str, str], int]


def judge_panels(config: RunConfig, cells: Sequence[Mapping[str, Any]]) -> list[Panel]:
    """Return the settings that several judges scored; ``cells`` are summaries, which know where nothing was judged."""
    groups: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    called = names(config)
    for index, cell in enumerate(config.cells):
        if cells[index]["judge"] is not None:
            key = canonical_json([cell.env_id, _arguments(cell, "judge")])
            groups[key].setdefault((cell.player, cells[index]["judge"]), index)
    found = []
    for group in groups.values():
        players, judges = (tuple(dict.fromkeys(pair[side] for pair in group)) for side in (0, 1))
        if len(judges) > 1:
            name = called[next(iter(group.values()))]
            env = name.env + ("" if name.interactive else ", no interaction")
            found.append(Panel(env, players, judges, group))
    return found


def _rows_by_cell(config: RunConfig, rows: Iterable[EpisodeRow]) -> list[CellRows]:
    all_rows = rows if isinstance(rows, Rows) else Rows(rows)
    return [CellRows(cell, all_rows.part(index)) for index, cell in enumerate(config.cells)]


def _cell_summary(config: RunConfig, index: int, rows: CellRows, judge: Mapping[str, Any] | None) -> dict[str, Any]:
    cell, case = config.cells[index], rows.case
    named = judge_spec(cell)
    if judge is not None:  # the records tell: {} where nothing was judged
        named = (named or judge.get("spec") or judge.get("name")) if judge else None
    return {
        "cell": index,
        "env": cell.env_id,
        "arguments": dict(cell.arguments),
        "agent": cell.player,
        "judge": named,
        "approximate_judge": bool(judge and judge.get("approximate")),
        "axes": dict(cell.axes),
        "n_planned": config.planned(index),
        "n_valid": rows.n,
        "n_missing": config.planned(index) - rows.n,
        "n_cases": int(case.max()) + 1 if rows.n else 0,
        "scored": rows.scored,
        "forced_wins": int((rows.solved & ~rows.in_rounds).sum()),
        "outcomes": {str(outcome): rows.outcomes[outcome] for outcome in Outcome if outcome in rows.outcomes},
        "success_by_round": []
        if rows.scored
        else list(_curve(rows.column("turns")[rows.counted], rows.in_rounds[rows.counted], case[rows.counted])),
        **measure(rows, timed=False),
    }


def _approximate(cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What to know of cells with a judge whose verdicts are estimates."""
    unscored = [cell for cell in cells if cell["outcomes"].get(Outcome.UNSCORED)]
    scored = [cell for cell in cells if cell not in unscored]
    if scored:
        yield f"Scores depend on {_judges(scored)}, whose verdicts are estimates."
    if unscored:
        count = sum(cell["outcomes"][Outcome.UNSCORED] for cell in unscored)
        what = "1 episode is" if count == 1 else f"{count:,} episodes are"
        yield (
            f"{what} not scored, because the verdicts of {_judges(unscored)} are estimates. "
            "Choose another judge, or score them all the same with approximate=true."
        )


def _judges(cells: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(str(cell["judge"]) for cell in cells))
    return f"the judge{'s' if len(names) > 1 else ''} {', '.join(names)}"


def _curve(turns: Floats, won: NDArray[np.bool_], case: NDArray[np.intp]) -> Iterator[dict[str, Any]]:
    last = int(turns.max()) if turns.size else 0
    for turn in sorted({round(x) for x in np.linspace(1, last, min(last, ROUNDS_SHOWN))}):
        yield {"round": turn, **proportion(won & (turns <= turn), case).as_json()}


def _gains(config: RunConfig, tables: Sequence[CellRows]) -> Iterator[dict[str, Any]]:
    """Each cell minus its twin without interaction."""
    twins: dict[str, int] = {}
    for index, cell in enumerate(config.cells):
        if cell.arguments.get("no_interaction"):
            twins.setdefault(_twin_key(cell), index)
    for index, cell in enumerate(config.cells):
        twin = twins.get(_twin_key(cell))
        if twin is not None and not cell.arguments.get("no_interaction"):
            yield {"cell": index, "without": twin, **_gap(tables[index], tables[twin])}


def reward_differences(config: RunConfig, rows: Iterable[EpisodeRow]) -> list[dict[str, Any]]:
    """Players against one another where episodes are paid rather than solved, as ``differences`` are of the others.

    Reports compute it; ``summary.json`` keeps what it always had, so that runs that were published still verify.
    """
    return list(_differences(config, _rows_by_cell(config, rows), scored=True))


def _differences(config: RunConfig, tables: Sequence[CellRows], *, scored: bool = False) -> Iterator[dict[str, Any]]:
    """Players against one another, in every setting they share."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(config.cells):
        groups[canonical_json([cell.env_id, _arguments(cell, "judge"), judge_spec(cell)])].append(index)
    for group in groups.values():
        for left, right in itertools.combinations(group, 2):
            one, two = config.cells[left], config.cells[right]
            other = (one.player, one.agent) != (two.player, two.agent)  # of one name, a sweep varies the options
            if other and tables[left].scored == tables[right].scored == scored:
                yield {"left": left, "right": right, **_gap(tables[left], tables[right])}


def _gap(left: CellRows, right: CellRows) -> dict[str, Any]:
    """The difference of accuracy, or of rewards, over the episodes both played; on how many cases each was ahead."""
    mine, others = left.shared(right)
    one, two = ((side.column("reward") if side.scored else side.in_rounds.astype(int)) for side in (left, right))
    gaps, cases = one[mine] - two[others], left.case_index[mine]
    by_case = np.bincount(cases, gaps)
    ahead, behind = int((by_case > 0).sum()), int((by_case < 0).sum())
    estimate = mean(gaps, cases) if left.scored else paired(gaps, cases)  # rewards have no bounds
    return {**estimate.as_json(), "ahead": ahead, "behind": behind}


def _rank_agreement(config: RunConfig, cells: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for panel in judge_panels(config, cells):
        scores: dict[str, dict[str, float]] = {judge: {} for judge in panel.judges}
        for (player, judge), index in panel.cells.items():
            if cells[index]["n_valid"]:
                scores[judge][player] = cells[index]["reward" if cells[index]["scored"] else "accuracy"]["value"]
        for left, right in itertools.combinations(panel.judges, 2):
            tau, n = kendall(scores[left], scores[right])
            yield {"env": panel.env, "judges": [left, right], "tau": rounded(tau), "n": n}


def _arguments(cell: Cell, *without: str) -> dict[str, Any]:
    kept = {name: value for name, value in cell.arguments.items() if name not in without}
    if not kept.get("no_interaction"):
        kept.pop("no_interaction", None)
    return kept


def _twin_key(cell: Cell) -> str:
    return canonical_json([cell.env_id, _arguments(cell, "judge", "no_interaction"), cell.player, judge_spec(cell)])


def _without(cell: Cell, axis: str) -> str:
    """All of a cell but one axis, which may sit in its arguments or in a spec's options."""
    name = axis.rpartition(".")[2]
    specs = [_spec_without(spec, name) for spec in (cell.agent, judge_spec(cell))]
    axes = {other: value for other, value in cell.axes.items() if other != axis}
    for other in ("agent", "judge"):
        if other in axes:
            axes[other] = _spec_without(str(axes[other]), name)
    return canonical_json([cell.env_id, _arguments(cell, "judge", name), specs, axes])


def _spec_without(spec: str | None, option: str) -> Any:
    if spec is None:
        return None
    try:
        parsed = parse_spec(spec)
    except ConfigError:
        return spec
    return [parsed.name, parsed.target, {key: value for key, value in parsed.options.items() if key != option}]


def _series(
    config: RunConfig, axis: str, line: tuple[tuple[float, int], ...], lines: Sequence[tuple[tuple[float, int], ...]]
) -> Series:
    """Name a series by what tells it from the others: player, environment, judge."""
    option = axis.rpartition(".")[2]
    described: list[dict[str, Any]] = []
    for points in lines:
        cell = config.cells[points[0][1]]
        labels = {"player": _spec_text(cell.agent, option), "env": cell.env_id, "judge": judge_spec(cell)}
        described.append(_arguments(cell, "judge", option) | labels)
    mine = described[lines.index(line)]
    telling = sorted({name for other in described for name in other if other[name] != mine.get(name)} - {"player"})
    others = [f"{name}={mine[name]}" for name in telling if mine.get(name) is not None]
    return Series(" · ".join([mine["player"], *others]), mine["player"], line)


def _spec_text(spec: str, option: str) -> str:
    head, mark, query = spec.partition("?")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != option]
    return head + (mark + "&".join(kept) if kept else "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
