"""Accuracy by what was spent of the budget, out of the answers that players gave between their turns."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.outcome import Outcome
from interactive_envs.reporting import charts, estimates, tables
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.records import EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically

NAME = "anytime"
"""The files' name, without ending."""
SHARES = (0.0, 0.25, 0.5, 1.0)
"""Of the questions that an episode allows, where the table looks."""

Values = list[float | None]


@dataclass(frozen=True)
class Curve:
    """A cell's answers between the turns.

    Attributes:
        cell: its position.
        points: accuracy, or mean score, by questions' worth of budget spent, from 0.
        at: the same at each of ``SHARES`` of what an episode allows.
        area: the mean over all points of an episode: the area under its curve, from 0 to 1.
        own: of the answers that the players gave by themselves.
        answers: how often it was asked.
        missing: how often there was no answer, which counts in no point.
        tokens: that its answers took.
        cost: of them in US dollars, None where a price is unknown.
    """

    cell: int
    points: tuple[Estimate, ...]
    at: tuple[Estimate, ...]
    area: Estimate
    own: Estimate
    answers: int
    missing: int
    tokens: int
    cost: float | None

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded."""
        return vars(self) | {
            "points": [{"spent": spent, **point.as_json()} for spent, point in enumerate(self.points)],
            "at": [{"share": share, **point.as_json()} for share, point in zip(SHARES, self.at, strict=True)],
            "area": self.area.as_json(),
            "own": self.own.as_json(),
            "cost": estimates.rounded(self.cost),
        }


def values_of(forked: Mapping[str, Any], own: float | None) -> Values:
    """What an episode's player would have earned with each budget, from no question to as many as there may be.

    Where it had concluded before by itself, that is what it earned; where an answer is missing, None.

    Args:
        forked: of the episode's record.
        own: what the episode paid, None where it is not scored.
    """
    given = {answer["spent"]: answer["reward"] for answer in forked["answers"]}
    last = max(given, default=-1)
    return [given.get(spent) if spent <= last else own for spent in range(forked["most"] + 1)]


def read(store: RunStore, rows: Sequence[EpisodeRow]) -> list[Curve]:
    """Read the curve of every cell whose players were asked between their turns; records are read one by one."""
    found: dict[int, list[tuple[EpisodeRow, Mapping[str, Any]]]] = defaultdict(list)
    for row in rows if store.config.anytime else ():
        forked = store.record(row).get("anytime")
        if forked and forked["answers"]:
            kept = {name: forked[name] for name in ("most", "tokens", "cost")}
            answers = [{name: one[name] for name in ("spent", "reward", "missing")} for one in forked["answers"]]
            found[row.cell].append((row, kept | {"answers": answers}))
    return [_curve(cell, episodes) for cell, episodes in sorted(found.items())]


def _curve(cell: int, episodes: Sequence[tuple[EpisodeRow, Mapping[str, Any]]]) -> Curve:
    own = [None if row.outcome == Outcome.UNSCORED else row.reward for row, _ in episodes]
    values = [values_of(forked, paid) for (_, forked), paid in zip(episodes, own, strict=True)]
    clusters = _clusters([row.case_index for row, _ in episodes])
    most = max(map(len, values))
    known = [[value for value in one if value is not None] for one in values]
    costs = [forked["cost"] for _, forked in episodes]
    answers = [answer for _, forked in episodes for answer in forked["answers"]]
    return Curve(
        cell,
        tuple(
            _estimate([one[spent] if spent < len(one) else one[-1] for one in values], clusters)
            for spent in range(most)
        ),
        tuple(_estimate([one[math.floor(share * (len(one) - 1))] for one in values], clusters) for share in SHARES),
        _estimate([sum(one) / len(one) if one else None for one in known], clusters),
        _estimate(own, clusters),
        len(answers),
        sum(bool(answer["missing"]) for answer in answers),
        sum(forked["tokens"]["prompt"] + forked["tokens"]["completion"] for _, forked in episodes),
        None if None in costs else sum(costs),
    )


def _clusters(cases: Sequence[int]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(case, len(numbers)) for case in cases]


def _estimate(values: Sequence[float | None], clusters: Sequence[int]) -> Estimate:
    """A share where all values are 0 or 1, else a mean; both clustered by case."""
    known = [(value, cluster) for value, cluster in zip(values, clusters, strict=True) if value is not None]
    if not known:
        return estimates.NOTHING
    numbers, cases = [value for value, _ in known], _clusters([cluster for _, cluster in known])
    if set(numbers) <= {0.0, 1.0}:
        return estimates.proportion(numbers, cases)
    inside = min(numbers) >= 0 and max(numbers) <= 1
    return estimates.score(numbers, cases) if inside else estimates.mean(numbers, cases)


def table(config: RunConfig, curves: Sequence[Curve]) -> tables.Table:
    """The accuracy at some budgets, a row a player and setting."""
    names = run_summary.names(config)
    columns = [
        *(tables.Column(_key(share), f"{100 * share:.0f} % of|the budget", tables.percent) for share in SHARES),
        tables.Column("area", "area under|the curve", tables.percent),
        tables.Column("own", "by|itself", tables.percent),
    ]
    rows = [
        tables.row(
            (names[curve.cell].player, names[curve.cell].setting),
            **{_key(share): point for share, point in zip(SHARES, curve.at, strict=True)},
            area=curve.area,
            own=curve.own,
        )
        for curve in curves
    ]
    note = (
        "In percent: accuracy, or the score where episodes are scored, had the player been asked for its answer after "
        "so much of the questions that an episode allows; the area is the mean over all budgets; by itself: the answer "
        f"of the episode. {_bill(curves)}"
    )
    return tables.Table(NAME, "Accuracy by budget", note, tables.LABELS, tuple(columns), tuple(rows))


def _key(share: float) -> str:
    return f"at_{100 * share:.0f}"


def _bill(curves: Sequence[Curve]) -> str:
    """What the answers took, and how many are missing."""
    asked, missing = sum(curve.answers for curve in curves), sum(curve.missing for curve in curves)
    tokens, known = sum(curve.tokens for curve in curves), [c.cost for c in curves if c.cost is not None]
    cost = f"${sum(known):,.4f}" if len(known) == len(curves) else "of unknown price"
    took = f", which took {tokens:,} tokens ({cost}) more than the other tables count" if tokens else ""
    gone = f" {missing:,} of them are missing and count nowhere." if missing else ""
    return f"It was asked {asked:,} times in between{took}.{gone}"


def draw(config: RunConfig, curves: Sequence[Curve]) -> Iterator[charts.Chart]:
    """The curves, a panel a setting.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    if not curves:
        return
    names = run_summary.names(config)
    look = charts.looks(name.player for name in names)
    panels: dict[str, list[charts.Line]] = defaultdict(list)
    for curve in curves:
        name = names[curve.cell]
        points = [(spent, point.as_json()) for spent, point in enumerate(curve.points)]
        panels[name.setting].append((name.player, look(name.player), points))
    shown = {setting: lines[: 2 * len(charts.COLOURS)] for setting, lines in list(panels.items())[: charts.PANELS]}
    header = ("environment", "player", "interaction", "questions_spent", *charts.NUMBERS)
    rows = [
        (names[curve.cell].env, names[curve.cell].player, names[curve.cell].interactive, spent, *_numbers(point))
        for curve in curves
        for spent, point in enumerate(curve.points)
    ]
    caption = (
        "Accuracy, or mean score, had the player been asked for its answer after so many questions; an unreadable "
        "message counts as one. 95 % intervals, clustered by case, as bands, or as bars at the end of the curves."
        + charts.left_out_note(len(panels), len(shown))
    )
    with charts.style():
        figure = charts.line_figure(shown, "questions asked", steps=True)
        yield charts.as_chart(NAME, "Accuracy by questions asked", caption, figure, (header, *rows))


def _numbers(point: Estimate) -> tuple[Any, ...]:
    numbers = point.as_json()
    return tuple(numbers[part] for part in charts.NUMBERS)


def write(store: RunStore, curves: Sequence[Curve]) -> None:
    """Write the numbers into the run's folder, as ``anytime.json``."""
    content = {"schema": tables.SCHEMA, "shares": list(SHARES), "cells": [curve.as_json() for curve in curves]}
    write_atomically(store.folder / f"{NAME}.json", tables.dump(content))
