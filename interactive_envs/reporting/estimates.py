"""What a run's rows say: every mean with n and a 95 % interval, and nothing that depends on the clock.

Intervals treat the *case* as the unit of sampling: further epochs of a case are clustered with it, and cells
that met the same cases are compared case by case.
"""

from __future__ import annotations

import heapq
import itertools
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.seeds import canonical_json
from interactive_envs.specs import parse_spec

if TYPE_CHECKING:
    from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig
    from interactive_envs.reporting.store import RunStore

SCHEMA = 1
LEVEL = 0.95
ROUNDS_SHOWN = 100
"""Points of a success-by-round curve at most; longer games are thinned out evenly."""
RECORDS_READ = 50
"""Records a cell that are read to find its judge."""

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        value: the mean, None without observations.
        low: lower end, None where the observations say nothing of the spread.
        high: upper end.
        n: observations behind it.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded so that equal runs give equal bytes."""
        return {"value": rounded(self.value), "low": rounded(self.low), "high": rounded(self.high), "n": self.n}


NOTHING = Estimate(None, None, None, 0)


def wilson(hits: float, n: int) -> Estimate:
    """A proportion with Wilson's score interval; ``hits`` may be fractional where cases are averages."""
    if n == 0:
        return NOTHING
    share, z2 = hits / n, _normal() ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Estimate(share, 0.0 if hits <= 0 else centre - half, 1.0 if hits >= n else centre + half, n)


def proportion(hits: ArrayLike, cases: ArrayLike, of: ArrayLike | None = None) -> Estimate:
    """A share of observations: Wilson with one a case, clustered by case with several.

    Args:
        hits: hits of each episode (0 or 1, or a count where ``of`` is given).
        cases: which case each episode played, a small non-negative integer.
        of: observations of each episode, 1 where left out.
    """
    counts, case = np.asarray(hits, float), np.asarray(cases, int)
    sizes = np.ones_like(counts) if of is None else np.asarray(of, float)
    n = int(sizes.sum())
    if n == 0:
        return NOTHING
    value, half, clusters = _clustered(counts, sizes, case)
    if clusters == n:
        return wilson(float(counts.sum()), n)
    if not half:
        plain = wilson(value * clusters, clusters)
        return Estimate(value, plain.low, plain.high, n)
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), n)


def mean(values: ArrayLike, cases: ArrayLike, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """A mean with a Student t interval, clustered by case; no interval where nothing varies.

    Args:
        values: one value an episode.
        cases: which case each episode played, a small non-negative integer.
        lowest: no value can be lower, so the interval ends there.
        highest: no value can be higher.
    """
    numbers, case = np.asarray(values, float), np.asarray(cases, int)
    if numbers.size == 0:
        return NOTHING
    value, half, _ = _clustered(numbers, np.ones_like(numbers), case)
    if not half:
        return Estimate(value, None, None, numbers.size)
    return Estimate(value, max(lowest, value - half), min(highest, value + half), numbers.size)


def paired(differences: ArrayLike, cases: ArrayLike) -> Estimate:
    """The mean of differences in [-1, 1] with a Student t interval clustered by case; n counts cases.

    Every episode weighs the same, as in :func:`proportion`: the mean is the difference of two accuracies.
    Where all n cases differ alike, t would claim certainty. Then Wilson bounds the share of cases that
    could differ (0 of n seen), and the interval lets those lie at -1 or 1.

    Args:
        differences: one value a pair of episodes.
        cases: which case each pair played, a small non-negative integer.
    """
    gaps = np.asarray(differences, float)
    if gaps.size == 0:
        return NOTHING
    value, half, n = _clustered(gaps, np.ones_like(gaps), np.asarray(cases, int))
    if half:
        return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n)
    others = wilson(0, n).high or 0.0
    rest = value * (1 - others)
    return Estimate(value, max(-1.0, rest - others), min(1.0, rest + others), n)


def score(values: ArrayLike, clusters: ArrayLike) -> Estimate:
    """A mean of numbers from 0 to 1 with its clustered interval; Wilson's over clusters where nothing varies."""
    told = mean(values, clusters, 0.0, 1.0)
    return proportion(values, clusters) if told.low is None else told


def ratio(parts: ArrayLike, wholes: ArrayLike, clusters: ArrayLike) -> Estimate:
    """A sum over another sum, with the interval of its linearisation; nothing where the other is not positive."""
    x, y = np.asarray(parts, float), np.asarray(wholes, float)
    if not x.size or y.sum() <= 0:
        return NOTHING
    value = x.sum() / y.sum()
    return mean(value + (x - value * y) / y.mean(), clusters)


def reward_bounds(cell: Cell) -> tuple[float, float]:
    """The least and the greatest reward of an episode, infinite where a cell's arguments move them."""
    unit = catalog.load()["units"].get(cell.env_id, {})
    low, high = unit.get("reward_range", (-math.inf, math.inf))
    if high > 1:
        # Payoffs grow with hands, stacks and rounds.
        return -math.inf, math.inf
    if {**unit["defaults"], **cell.arguments}.get("turns") == "all":
        # Only turns that cost can bring a black box below 0.
        low = 0.0
    return low, high


def kendall(left: Mapping[str, float], right: Mapping[str, float]) -> tuple[float | None, int]:
    """How far two judges rank the players alike: Kendall's tau-b over the players both have, and their number."""
    players = sorted(left.keys() & right.keys())
    if len(players) < 2:
        return None, len(players)
    from scipy.stats import kendalltau

    tau = float(kendalltau([left[p] for p in players], [right[p] for p in players]).statistic)
    return (None if math.isnan(tau) else tau), len(players)


@dataclass(frozen=True)
class CellName:
    """How people call a cell.

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
    """A short, distinguishing name for every cell.

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
        told = [
            f"{name}={value if isinstance(value, str) else canonical_json(value)}"
            for name, value in sorted(cell.arguments.items())
            if name not in {"judge", "no_interaction"} and len(values[cell.env_id, name]) > 1
        ]
        # One environment needs no name to be told from others; its arguments do.
        env = cell.env_id.removeprefix("ibench/")
        if told:
            env = ", ".join(told) if len(judges) == 1 else f"{env} ({', '.join(told)})"
        judge = judge_spec(cell) if was_judged and len(judges[cell.env_id]) > 1 else None
        found.append(CellName(env, cell.agent, judge, not cell.arguments.get("no_interaction")))
    return found


def judge_spec(cell: Cell) -> str | None:
    """The judge a cell asks for, None where it leaves the choice to the environment."""
    spec = cell.judge if cell.judge is not None else cell.arguments.get("judge")
    return None if spec is None else str(spec)


def judges_of(store: RunStore, rows: Iterable[EpisodeRow]) -> dict[int, dict[str, Any] | None]:
    """What the records say of each cell's judge, None where nothing was judged, for :func:`summarise`.

    A record names its judge only where a verdict was given. Episodes without a readable action have none and are
    not read; of the others at most ``RECORDS_READ`` a cell are, in sorted order, those whose row tells of a
    verdict (an abstention, the judge's tokens) first.
    """
    readable: dict[int, list[EpisodeRow]] = defaultdict(list)
    for row in rows:
        readable[row.cell] += [row] if row.queries or row.finals else []
    found: dict[int, dict[str, Any] | None] = {}
    for cell, mine in sorted(readable.items()):
        first = heapq.nsmallest(RECORDS_READ, mine, lambda row: (not (row.abstained or row.judge_tokens), row.key))
        told = (store.record(row).get("judge") for row in first)
        found[cell] = next((judge for judge in told if judge), None)
    return found


def summarise(
    config: RunConfig,
    rows: Iterable[EpisodeRow],
    judges: Mapping[int, Mapping[str, Any] | None] | None = None,
) -> dict[str, Any]:
    """The content of ``summary.json``: a function of the sorted rows, without times and cost.

    Args:
        config: the run's configuration.
        rows: its episodes, in any order.
        judges: the judge of each cell as the records describe it, see :func:`judges_of`.
    """
    tables = _tables(config, rows)
    described = {index: judge or {} for index, judge in (judges or {}).items()}
    cells = [_cell_summary(config, index, table, described.get(index)) for index, table in enumerate(tables)]
    valid = sum(cell["n_valid"] for cell in cells)
    planned = config.total
    judges_told = list(dict.fromkeys(str(cell["judge"]) for cell in cells if cell["approximate_judge"]))
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
        "notes": [_approximate(judges_told)] if judges_told else [],
    }


def timing(config: RunConfig, rows: Iterable[EpisodeRow]) -> dict[str, Any]:
    """The content of ``timing.json``: seconds and US dollars; one unknown price makes a total unknown."""
    tables = _tables(config, rows)
    cells: list[dict[str, Any]] = []
    for index, table in enumerate(tables):
        seconds = table.column("seconds")
        player, judge = table.costs("cost"), table.costs("judge_cost")
        spent = None if player is None or judge is None else player + judge
        cells.append(
            {
                "cell": index,
                "seconds": mean(seconds, table.case, 0.0).as_json(),
                "median_seconds": rounded(float(np.median(seconds))) if seconds.size else None,
                "total_seconds": rounded(float(seconds.sum())),
                "cost_per_episode": None if spent is None else mean(spent, table.case, 0.0).as_json(),
                "player_cost": None if player is None else rounded(float(player.sum())),
                "judge_cost": None if judge is None else rounded(float(judge.sum())),
                "cost": None if spent is None else rounded(float(spent.sum())),
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
    """For every numeric axis with several values: the series of cells along it."""
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
    """The settings that several judges scored; ``cells`` are the summaries, which know where nothing was judged."""
    groups: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    called = names(config)
    for index, cell in enumerate(config.cells):
        if cells[index]["judge"] is not None:
            key = canonical_json([cell.env_id, _arguments(cell, "judge")])
            groups[key].setdefault((cell.agent, cells[index]["judge"]), index)
    found = []
    for group in groups.values():
        players, judges = (tuple(dict.fromkeys(pair[side] for pair in group)) for side in (0, 1))
        if len(judges) > 1:
            name = called[next(iter(group.values()))]
            env = name.env + ("" if name.interactive else ", no interaction")
            found.append(Panel(env, players, judges, group))
    return found


class _Table:
    """The columns of one cell's rows, in sorted order."""

    fields = (
        *("case_index", "epoch", "outcome", "won_by", "first_final", "turns", "queries", "finals", "invalid"),
        *("abstained", "prompt_tokens", "completion_tokens", "reasoning_tokens", "judge_tokens", "reward", "seconds"),
        *("cost", "judge_cost", "case"),
    )
    read = staticmethod(attrgetter(*fields))

    def __init__(self, rows: Sequence[EpisodeRow]) -> None:
        columns = list(zip(*map(self.read, rows), strict=True)) or [()] * len(self.fields)
        self._columns: dict[str, Sequence[Any]] = dict(zip(self.fields, columns, strict=True))
        self.n = len(rows)
        self.outcomes: Sequence[str] = self._columns["outcome"]
        _, self.case = np.unique(np.array(self._columns["case_index"], int), return_inverse=True)
        self.solved = np.array([outcome == Outcome.SUCCESS for outcome in self.outcomes], bool)
        self.scored = Outcome.SCORED in self.outcomes
        """Whether episodes are paid rather than solved; accuracy then means nothing."""
        self.in_rounds = self.solved & np.array([by != "forced" for by in self._columns["won_by"]], bool)

    def column(self, name: str) -> Floats:
        return np.array(self._columns[name], float)

    def costs(self, name: str) -> Floats | None:
        """A column of prices, None where one is unknown."""
        return None if None in self._columns[name] else self.column(name)

    def tokens(self) -> dict[str, Floats]:
        """Tokens an episode; ``total`` is the player's, what it read and what it wrote."""
        kinds = {name: self.column(f"{name}_tokens") for name in ("prompt", "completion", "reasoning", "judge")}
        return kinds | {"total": kinds["prompt"] + kinds["completion"]}

    def first_finals(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Whether each first final was right, and which episodes had one."""
        given = np.array([value is not None for value in self._columns["first_final"]], bool)
        return np.array([value is True for value in self._columns["first_final"]], float), given

    def wins(self) -> dict[tuple[str, int, int], int]:
        """Solved in the rounds or not, by what identifies a case and epoch across cells."""
        keys = zip(self._columns["case"], self._columns["case_index"], self._columns["epoch"], strict=True)
        return dict(zip(keys, self.in_rounds.astype(int).tolist(), strict=True))


def _tables(config: RunConfig, rows: Iterable[EpisodeRow]) -> list[_Table]:
    by_cell: list[list[EpisodeRow]] = [[] for _ in config.cells]
    for row in rows:
        by_cell[row.cell].append(row)
    order = attrgetter("case_index", "epoch")
    return [_Table(sorted(part, key=order)) for part in by_cell]


def _cell_summary(config: RunConfig, index: int, table: _Table, judge: Mapping[str, Any] | None) -> dict[str, Any]:
    cell, case = config.cells[index], table.case
    named = judge_spec(cell)
    if judge is not None:  # the records tell: {} where nothing was judged
        named = (named or judge.get("spec") or judge.get("name")) if judge else None
    turns, queries, finals, invalid = (table.column(name) for name in ("turns", "queries", "finals", "invalid"))
    first, given = table.first_finals()
    return {
        "cell": index,
        "env": cell.env_id,
        "arguments": dict(cell.arguments),
        "agent": cell.agent,
        "judge": named,
        "approximate_judge": bool(judge and judge.get("approximate")),
        "axes": dict(cell.axes),
        "n_planned": config.planned(index),
        "n_valid": table.n,
        "n_missing": config.planned(index) - table.n,
        "n_cases": int(case.max()) + 1 if table.n else 0,
        "scored": table.scored,
        "accuracy": (NOTHING if table.scored else proportion(table.in_rounds, case)).as_json(),
        "accuracy_with_forced": (NOTHING if table.scored else proportion(table.solved, case)).as_json(),
        "forced_wins": int((table.solved & ~table.in_rounds).sum()),
        "first_final": proportion(first[given], case[given]).as_json(),
        "turns_solved": mean(turns[table.in_rounds], case[table.in_rounds], 1.0).as_json(),
        "reward": mean(table.column("reward"), case, *reward_bounds(cell)).as_json(),
        "outcomes": {str(outcome): table.outcomes.count(outcome) for outcome in Outcome if outcome in table.outcomes},
        "success_by_round": [] if table.scored else list(_curve(turns, table.in_rounds, case)),
        "invalid_share": proportion(invalid, case, of=queries + finals + invalid).as_json(),
        "abstained_share": proportion(table.column("abstained"), case, of=queries + finals).as_json(),
        "tokens": {name: mean(tokens, case, 0.0).as_json() for name, tokens in table.tokens().items()},
    }


def _approximate(judges: Sequence[str]) -> str:
    plural = "s" if len(judges) > 1 else ""
    return f"Scores depend on the judge{plural} {', '.join(judges)}, whose verdicts are estimates."


def _curve(turns: Floats, won: NDArray[np.bool_], case: NDArray[np.intp]) -> Iterator[dict[str, Any]]:
    last = int(turns.max()) if turns.size else 0
    for turn in sorted({round(x) for x in np.linspace(1, last, min(last, ROUNDS_SHOWN))}):
        yield {"round": turn, **proportion(won & (turns <= turn), case).as_json()}


def _gains(config: RunConfig, tables: Sequence[_Table]) -> Iterator[dict[str, Any]]:
    """Each cell minus its twin without interaction."""
    twins: dict[str, int] = {}
    for index, cell in enumerate(config.cells):
        if cell.arguments.get("no_interaction"):
            twins.setdefault(_twin_key(cell), index)
    for index, cell in enumerate(config.cells):
        twin = twins.get(_twin_key(cell))
        if twin is not None and not cell.arguments.get("no_interaction"):
            yield {"cell": index, "without": twin, **_gap(tables[index], tables[twin])}


def _differences(config: RunConfig, tables: Sequence[_Table]) -> Iterator[dict[str, Any]]:
    """Players against one another, in every setting they share."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(config.cells):
        groups[canonical_json([cell.env_id, _arguments(cell, "judge"), judge_spec(cell)])].append(index)
    for group in groups.values():
        for left, right in itertools.combinations(group, 2):
            other = config.cells[left].agent != config.cells[right].agent
            if other and not (tables[left].scored or tables[right].scored):
                yield {"left": left, "right": right, **_gap(tables[left], tables[right])}


def _gap(left: _Table, right: _Table) -> dict[str, Any]:
    """The difference of accuracy over the episodes both played, and on how many cases each was ahead."""
    mine, others = left.wins(), right.wins()
    both = [key for key in mine if key in others]
    gaps, cases = [mine[key] - others[key] for key in both], [key[1] for key in both]
    by_case = np.bincount(np.array(cases, int), gaps)
    ahead, behind = int((by_case > 0).sum()), int((by_case < 0).sum())
    return {**paired(gaps, cases).as_json(), "ahead": ahead, "behind": behind}


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
    return canonical_json([cell.env_id, _arguments(cell, "judge", "no_interaction"), cell.agent, judge_spec(cell)])


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
        told = {"player": _spec_text(cell.agent, option), "env": cell.env_id, "judge": judge_spec(cell)}
        described.append(_arguments(cell, "judge", option) | told)
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


def _clustered(totals: Floats, sizes: Floats, case: NDArray[np.intp]) -> tuple[float, float | None, int]:
    """A ratio of sums, half its interval, and the number of cases behind it.

    The standard error is cluster-robust (linearised, with the G / (G - 1) correction); with one
    observation a case that is the ordinary one. None where one case alone says nothing of the spread.
    """
    value = float(totals.sum() / sizes.sum())
    clusters = int(np.count_nonzero(np.bincount(case, sizes)))
    if clusters < 2:
        return value, None, clusters
    residuals = np.bincount(case, totals - value * sizes)
    error = math.sqrt(clusters / (clusters - 1) * float((residuals**2).sum())) / float(sizes.sum())
    # Rounding may leave a trace of an error where every case has the same mean.
    return value, (_student(clusters - 1) * error if error > 1e-12 * max(1.0, abs(value)) else 0.0), clusters


def _student(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def _normal() -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + LEVEL) / 2))


def rounded(value: float | None) -> float | None:
    """To six digits, so that equal runs give equal bytes."""
    # Adding zero turns -0.0 into 0.0.
    return None if value is None else round(float(value), 6) + 0.0


def dump(content: Mapping[str, Any]) -> str:
    """The text of ``summary.json`` and ``timing.json``."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
