"""The metrics of runs: each defined here alone, with its estimate, its name and how it is written.

To add one, add it to ``METRICS``: it then stands in ``summary.json`` (or ``timing.json``, where it depends on the
clock or on prices) and among the results of the report page.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.compact.rows import Rows
from interactive_envs.reporting.estimates import NOTHING, Estimate, Floats, mean, proportion
from interactive_envs.reporting.page import (
    as_dollars,
    as_duration,
    as_number,
    as_percent,
    as_points,
    as_score,
    spread,
)
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.words import Words

Estimates: TypeAlias = Estimate | Mapping[str, Estimate] | None
"""One number, several by name, or none where it is unknown."""
NOT_SCORED = "not scored (approximate judge)"
Numbers: TypeAlias = Mapping[str, Any]
"""An estimate as JSON: value, low, high, n."""


class CellRows:
    """The columns of one cell's rows, in sorted order.

    Args:
        cell: what was played.
        rows: its episodes, in any order.
    """

    def __init__(self, cell: Cell, rows: Iterable[EpisodeRow]) -> None:
        self.rows = rows if isinstance(rows, Rows) else Rows(rows)
        self.cell = cell
        self.n = len(self.rows)
        named, outcome = self.rows.values("outcome")
        counts = zip(named, np.bincount(outcome, minlength=len(named)).tolist(), strict=True)
        self.outcomes: Mapping[str, int] = {name: count for name, count in counts if count}
        """How many episodes ended in each way."""
        _, self.case = np.unique(self.rows.column("case_index").astype(int), return_inverse=True)
        self.solved = self.rows.equal("outcome", Outcome.SUCCESS)
        self.counted = ~self.rows.equal("outcome", Outcome.UNSCORED)
        """Which episodes are scored at all: not those that a judge decided whose verdicts are estimates."""
        self.scored = Outcome.SCORED in self.outcomes
        """Whether episodes are paid rather than solved; accuracy then means nothing."""
        self.in_rounds = self.solved & ~self.rows.equal("won_by", "forced")

    def column(self, name: str) -> Floats:
        """Return a field of the rows as numbers."""
        return self.rows.column(name).astype(float)

    def costs(self, name: str) -> Floats | None:
        """Return a field of prices, None where one is unknown."""
        prices = self.column(name)
        return None if np.isnan(prices).any() else prices

    def tokens(self) -> dict[str, Floats]:
        """Return the tokens of each episode; ``total`` is the player's, what it read and what it wrote."""
        kinds = {name: self.column(f"{name}_tokens") for name in ("prompt", "completion", "reasoning", "judge")}
        return kinds | {"total": kinds["prompt"] + kinds["completion"]}

    def first_finals(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Return whether each first final was right, and which episodes had one."""
        given = ~self.rows.equal("first_final", None)
        return self.rows.equal("first_final", True).astype(float), given

    def shared(self, other: CellRows) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return where the scored episodes are that two cells both have, by case and epoch, in each of them."""
        both = [[rows.rows.column(name) for rows in (self, other)] for name in ("case_index", "epoch")]
        case, epoch = (np.unique(np.concatenate(columns).astype(int), return_inverse=True)[1] for columns in both)
        key = case * (epoch.max(initial=0) + 1) + epoch
        _, mine, others = np.intersect1d(key[: self.n], key[self.n :], assume_unique=True, return_indices=True)
        (names, left), (other_names, right) = self.rows.values("case"), other.rows.values("case")
        places = {name: place for place, name in enumerate(names)}
        same = np.array([places.get(name, -1) for name in other_names], int)
        kept = self.counted[mine] & other.counted[others] & (left[mine] == same[right[others]])
        return mine[kept], others[kept]

    @property
    def case_index(self) -> NDArray[np.int_]:
        """The positions of the cases in the environment's order."""
        return self.rows.column("case_index").astype(int)


def reward_bounds(cell: Cell) -> tuple[float, float]:
    """Return the least and the greatest reward of an episode, infinite where a cell's arguments move them."""
    unit = catalog.load()["units"].get(cell.env_id, {})
    low, high = unit.get("reward_range", (-math.inf, math.inf))
    if high > 1:
        # Payoffs grow with hands, stacks and rounds.
        return -math.inf, math.inf
    if {**unit["defaults"], **cell.arguments}.get("turns") == "all":
        # Only turns that cost can bring a black box below 0.
        low = 0.0
    return low, high


@dataclass(frozen=True)
class Metric:
    """A number of a cell of a run.

    Attributes:
        key: in ``summary.json``, or in ``timing.json``.
        title: of its column; ``|`` breaks the line. Words of the run may stand in it, as ``{do}``.
        note: what it says, for below the table; with words as in the title.
        show: how numbers are written.
        estimate: from a cell's rows; None where it is made of several cells.
        interval: how intervals are written; as numbers are, where it is None.
        unit: behind the value.
        missing: what stands where a cell has none.
        part: of several numbers under the key, the one that is shown.
        timed: whether it depends on the clock or on prices.
        applies: whether a cell, as the files describe it, shows it.
        is_worth: whether a run with these cells shows it at all.
    """

    key: str
    title: str
    note: str
    show: Callable[[float], str]
    estimate: Callable[[CellRows], Estimates] | None = None
    interval: Callable[[Numbers], str] | None = None
    unit: str = ""
    missing: str = "\N{EN DASH}"
    part: str | None = None
    timed: bool = False
    applies: Callable[[Mapping[str, Any]], bool] = lambda cell: True
    is_worth: Callable[[Sequence[Mapping[str, Any]]], bool] = lambda cells: True

    def worded(self, words: Words) -> Metric:
        """Return it with the words of a run in its title and note."""
        texts = dataclasses.asdict(words)
        return dataclasses.replace(self, title=self.title.format(**texts), note=self.note.format(**texts))

    def read(self, cell: Mapping[str, Any]) -> Numbers | None:
        """Return a cell's numbers, None where it has none to show."""
        numbers: Numbers | None = cell[self.key] if self.applies(cell) else None
        return numbers[self.part] if numbers and self.part else numbers

    def why_missing(self, cell: Mapping[str, Any]) -> str:
        """Return what stands where a cell has no number."""
        unscored = self.key in ("accuracy", "reward") and cell["outcomes"].get(Outcome.UNSCORED)
        return NOT_SCORED if unscored else self.missing

    def show_interval(self, numbers: Numbers) -> str:
        """Return the interval of a cell's numbers as it is written."""
        return (self.interval or spread(self.show))(numbers)


def measure(rows: CellRows, *, timed: bool) -> dict[str, Any]:
    """Return the metrics of a cell by key, as JSON.

    Args:
        rows: of the cell.
        timed: those that depend on the clock or on prices, else the others.
    """
    return {
        metric.key: _as_json(metric.estimate(rows)) for metric in METRICS if metric.estimate and metric.timed is timed
    }


def _as_json(estimates: Estimates) -> Any:
    if estimates is None or isinstance(estimates, Estimate):
        return estimates and estimates.as_json()
    return {name: estimate.as_json() for name, estimate in estimates.items()}


def _is_solved(cell: Mapping[str, Any]) -> bool:
    return not cell["scored"]


def _accuracy(rows: CellRows) -> Estimate:
    return NOTHING if rows.scored else proportion(rows.in_rounds[rows.counted], rows.case[rows.counted])


def _accuracy_with_forced(rows: CellRows) -> Estimate:
    return NOTHING if rows.scored else proportion(rows.solved[rows.counted], rows.case[rows.counted])


def _reward(rows: CellRows) -> Estimate:
    return mean(rows.column("reward")[rows.counted], rows.case[rows.counted], *reward_bounds(rows.cell))


def _turns_solved(rows: CellRows) -> Estimate:
    return mean(rows.column("turns")[rows.in_rounds], rows.case[rows.in_rounds], 1.0)


def _first_final(rows: CellRows) -> Estimate:
    first, given = rows.first_finals()
    return proportion(first[given], rows.case[given])


def _invalid_share(rows: CellRows) -> Estimate:
    queries, finals, invalid = (rows.column(name) for name in ("queries", "finals", "invalid"))
    return proportion(invalid, rows.case, of=queries + finals + invalid)


def _illegal_share(rows: CellRows) -> Estimate:
    queries, finals, invalid, illegal = (rows.column(name) for name in ("queries", "finals", "invalid", "illegal"))
    return proportion(illegal, rows.case, of=queries + finals + invalid)


def _abstained_share(rows: CellRows) -> Estimate:
    return proportion(rows.column("abstained"), rows.case, of=rows.column("queries") + rows.column("finals"))


def _tokens(rows: CellRows) -> dict[str, Estimate]:
    return {name: mean(tokens, rows.case, 0.0) for name, tokens in rows.tokens().items()}


def _cost(rows: CellRows) -> Estimate | None:
    player, judge = rows.costs("cost"), rows.costs("judge_cost")
    return None if player is None or judge is None else mean(player + judge, rows.case, 0.0)


def _seconds(rows: CellRows) -> Estimate:
    return mean(rows.column("seconds"), rows.case, 0.0)


def _show_times(numbers: Numbers) -> str:
    """Return an interval of seconds, the unit once where both ends have the same."""
    ends = spread(as_duration)(numbers)
    unit = ends[:-1].rpartition(" ")[2]
    return ends if ends.count(f" {unit}") < 2 else ends.replace(f" {unit}", "", 1)


METRICS = (
    Metric("accuracy", "{share}", "{done}{within}", as_percent, _accuracy, unit=" %", applies=_is_solved),
    Metric(
        "accuracy_corrected",
        "Corrected|for the judge",
        "an estimate of the share with a right final answer, from how often the judge errs; its interval holds the "
        "uncertainty of that too",
        as_percent,
        unit=" %",
        applies=_is_solved,
        is_worth=lambda cells: any(cell["accuracy_corrected"] for cell in cells),
    ),
    Metric(
        "accuracy_with_forced",
        "with forced|final",
        "accuracy, an answer forced after the last round counted too",
        as_percent,
        _accuracy_with_forced,
        unit=" %",
        applies=_is_solved,
        is_worth=lambda cells: any(cell["forced_wins"] for cell in cells),
    ),
    Metric(
        "reward",
        "Reward",
        "mean an episode",
        as_score,
        _reward,
        applies=lambda cell: bool(cell["scored"] or cell["outcomes"].get(Outcome.DRAW)),
    ),
    Metric(
        "turns_solved",
        "Turns|to {do}",
        "mean over the episodes {done}{within}",
        as_number,
        _turns_solved,
        applies=_is_solved,
    ),
    Metric(
        "first_final",
        "First final|right",
        "of the episodes that gave a final answer",
        as_percent,
        _first_final,
        unit=" %",
        applies=_is_solved,
    ),
    Metric(
        "gain",
        "Gain by|interaction",
        "accuracy in percentage points over the same player without questions, paired by case",
        as_points,
    ),
    Metric(
        "invalid_share", "Invalid", "share of messages, unreadable or not legal", as_percent, _invalid_share, unit=" %"
    ),
    Metric(
        "illegal_share",
        "Illegal",
        "share of messages that could be read, and were not legal; the other invalid ones were unreadable",
        as_percent,
        _illegal_share,
        unit=" %",
        is_worth=lambda cells: any(cell.get("illegal_share", {}).get("value") for cell in cells),
    ),
    Metric(
        "abstained_share",
        "Judge|abstained",
        "share of messages that it could not read",
        as_percent,
        _abstained_share,
        unit=" %",
        applies=lambda cell: cell["judge"] is not None,
        is_worth=lambda cells: any(cell["abstained_share"]["value"] for cell in cells),
    ),
    Metric("tokens", "Tokens", "the player's, mean an episode", as_number, _tokens, part="total"),
    Metric(
        "cost_per_episode",
        "Cost",
        "player and judge, mean an episode",
        as_dollars,
        _cost,
        interval=spread(lambda value: as_dollars(value).replace("$", "")),
        missing="unknown",
        timed=True,
    ),
    Metric("seconds", "Time", "mean an episode", as_duration, _seconds, interval=_show_times, timed=True),
)
"""Every metric, in the order of the report's columns."""
