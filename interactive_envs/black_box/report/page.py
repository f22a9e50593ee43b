"""The page of a run's black boxes: the tables, what was left by query, scores against turns and by family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interactive_envs.black_box.report import episodes as reading
from interactive_envs.black_box.report import tables
from interactive_envs.black_box.report.episodes import Episode
from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import COLOURS, MUTED, PAPER, WIDTH, Chart, Figure, Line, Row
from interactive_envs.reporting.run_tables import RunTables
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table

CURVES = len(COLOURS)
"""Curves of a panel at most: more colours nobody tells apart."""
BANDS = 4
"""Curves with bands at most: more hide one another."""
PLAYERS = 2 * len(COLOURS)
"""Players of the frontier at most."""


class BoxTables(RunTables[Episode]):
    """The tables of black boxes, ``boxes.json`` and ``boxes.html``."""

    family = "black-box"
    name, subject = "boxes", "black boxes"
    title, one = "Black boxes", "a black box"
    clusters = "box"

    def read(self, stores: Sequence[RunStore]) -> list[list[Episode]]:
        """Read the episodes of black boxes, run by run."""
        return reading.read(stores, self.holds)

    def tables(self, episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
        """Make every table; ``others`` may hold twins, and the players that others are measured by."""
        return tables.tables(episodes, others)

    def curves(self, episodes: Sequence[Episode]) -> list[dict[str, Any]]:
        """Return the bits left by query."""
        return tables.curves(episodes)

    def draw(self, tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
        """Draw scores by family and against turns, and the bits left by query."""
        return draw(tables, curves)


def draw(tables: Sequence[Table], curves: Sequence[Mapping[str, Any]]) -> list[Chart]:
    """Scores by family, scores against turns, bits left by query.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    rows = {table.name: table.rows for table in tables}
    with charts.style():
        return [
            *_families(rows.get("grades", ())),
            *_frontier(rows.get("overall", ())),
            *_bits(curves),
        ]


def dominant(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Which points (turns, score) no other beats: none has as few turns, as high a score, and one of both better."""
    return [
        not any(x <= turns and y >= score and (x, y) != (turns, score) for x, y in points) for turns, score in points
    ]


def _families(rows: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    """A row a player and condition over all families, then under each."""
    several = _several(rows)
    groups: dict[str, list[Row]] = {}
    # What is drawn is cut at its end: the whole comes first.
    for row in sorted(rows, key=lambda row: row["family"] != "all"):
        if row["every"]["n"]:
            label = _label(row, several)
            groups.setdefault(row["family"].capitalize(), []).append(Row(label, row["player"], row["every"]))
    table = [
        (heading, row.label, *(row.numbers[part] for part in charts.NUMBERS))
        for heading, shown in groups.items()
        for row in shown
    ]
    yield from charts.intervals(
        charts.looks([row["player"] for row in rows]),
        "score_by_family",
        "Score by family",
        "Mean of the marks with 95 % intervals, clustered by box.",
        groups,
        (("family", "player", *charts.NUMBERS), *table),
        (0, 1),
        charts.percent,
    )


def _frontier(rows: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    """Scores against turns: the conditions of a player joined, what nobody beats ringed."""
    shown = [row for row in rows if row["score"]["n"] and row["turns"]["n"]]
    players = list(dict.fromkeys(row["player"] for row in shown))
    if len(shown) < 2:
        return
    best = dominant([(row["turns"]["value"], row["score"]["value"]) for row in shown])
    table = [
        (
            row["player"],
            row["condition"],
            row["turns"]["value"],
            *(row["score"][part] for part in charts.NUMBERS),
            first,
        )
        for row, first in zip(shown, best, strict=True)
    ]
    kept = [(row, first) for row, first in zip(shown, best, strict=True) if row["player"] in players[:PLAYERS]]
    caption = (
        "Mean of the marks against turns spent an exploration. Conditions of a player are joined; ringed is what no "
        "other point beats in both. 95 % intervals, clustered by box." + charts.left_out_note(len(shown), len(kept))
    )
    header = ("player", "condition", "turns", *charts.NUMBERS, "not_dominated")
    figure = _against_turns(kept, charts.looks(players))
    yield charts.as_chart("score_by_turns", "Score against turns", caption, figure, (header, *table))


def _against_turns(
    points: Sequence[tuple[Mapping[str, Any], bool]], look_of: Callable[[str], dict[str, Any]]
) -> Figure:
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.lines import Line2D

    players = list(dict.fromkeys(row["player"] for row, _ in points))
    legend = 0.2 * (len(players) + 1) + 0.1
    height = 2.8 + legend
    figure = NewFigure(figsize=(WIDTH, height))
    axes = figure.add_axes((0.12, (legend + 0.5) / height, 0.85, 2.15 / height))
    for player in players:
        mine = sorted(((row, first) for row, first in points if row["player"] == player), key=_turns)
        look = look_of(player)
        xs = [row["turns"]["value"] for row, _ in mine]
        axes.plot(xs, [row["score"]["value"] for row, _ in mine], color=look["color"], linewidth=1.2, alpha=0.6)
        for x, (row, first) in zip(xs, mine, strict=True):
            numbers = row["score"]
            if numbers["low"] is not None:
                ends = (numbers["low"], numbers["high"])
                axes.plot((x, x), ends, color=look["color"], linewidth=1.6, alpha=0.5)
            if first:
                axes.plot(x, numbers["value"], "o", markersize=12, markeredgecolor=MUTED, **_HOLLOW)
            axes.plot(x, numbers["value"], **look, markersize=6.5, markeredgecolor=PAPER, clip_on=False)
    axes.set_xlim(left=0)
    axes.margins(x=0.08)
    axes.set_ylim(-0.04, 1.06)
    axes.set_yticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axes.yaxis.set_major_formatter(lambda value, _: charts.percent(value))
    axes.set_xlabel("turns an exploration")
    handles = [Line2D([], [], **look_of(player), linestyle="") for player in players]
    ring = Line2D([], [], marker="o", linestyle="", markersize=9, markeredgecolor=MUTED, markerfacecolor="none")
    figure.legend(
        [*handles, ring],
        [*(charts.fit(player, 46) for player in players), "not beaten in both"],
        loc="lower left",
        bbox_to_anchor=(0.02, 0.0),
    )
    return figure


_HOLLOW: dict[str, Any] = {"markerfacecolor": "none", "markeredgewidth": 1.0, "clip_on": False}


def _turns(point: tuple[Mapping[str, Any], bool]) -> float:
    return float(point[0]["turns"]["value"])


def _bits(curves: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    """Bits left by query, a panel a family."""
    if not curves:
        return
    several = _several(curves)
    labels = list(dict.fromkeys(_label(curve, several) for curve in curves))
    look_of = charts.looks(labels)
    panels: dict[str, list[Line]] = {}
    for curve in curves:
        label = _label(curve, several)
        if label in labels[:CURVES]:
            points = [(point["turn"], point) for point in curve["bits_left"]]
            panels.setdefault(curve["family"].capitalize(), []).append((label, look_of(label), points))
    figure = charts.line_figure(panels, "queries", steps=True, bands=BANDS, show=lambda value: f"{value:g}")
    table = [
        (curve["family"], _label(curve, several), *(point[part] for part in ("turn", *charts.NUMBERS)))
        for curve in curves
        for point in curve["bits_left"]
    ]
    caption = (
        "log2 of the hypotheses of the family's class that agree with what was told, the mean over episodes; an "
        "exploration that is over keeps what was left. 95 % intervals, clustered by box, as bands, or as bars at the "
        "end of the curves." + charts.left_out_note(len(curves), sum(map(len, panels.values())))
    )
    header = ("family", "player", "query", *charts.NUMBERS)
    yield charts.as_chart("bits_by_query", "Bits left by query", caption, figure, (header, *table))


def _several(rows: Sequence[Mapping[str, Any]]) -> bool:
    return len({row["condition"] for row in rows}) > 1


def _label(row: Mapping[str, Any], several: bool) -> str:
    return f"{row['player']}, {row['condition']}" if several else str(row["player"])
