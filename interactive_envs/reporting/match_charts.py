"""Charts of matches, in the look of a run's: a row a player with its interval, and curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import COLOURS, MUTED, PANELS, PAPER, WIDTH, Chart, Figure, Numbers
from interactive_envs.reporting.page import as_duration

POINTS = 400
"""Points of a curve at most."""
CURVES = 14
"""Curves of a panel at most: more colours and markers nobody tells apart."""


@dataclass(frozen=True)
class League:
    """What charts are drawn from.

    Attributes:
        players: specs by name.
        sweep: arguments with several values.
        settings: what the page says of each: ``label``, ``point``, ``players`` with ``numbers``, and the summary's.
        played: for every setting the matches in the order of play, as (players, scores).
    """

    players: Mapping[str, str]
    sweep: Mapping[str, Sequence[Any]]
    settings: Sequence[Mapping[str, Any]]
    played: Mapping[int, Sequence[tuple[Sequence[str], Sequence[float]]]]

    @cached_property
    def look(self) -> Callable[[str], dict[str, Any]]:
        """A player's colour and marker, the same in every chart."""
        return charts.looks(self.players)

    @cached_property
    def swept(self) -> str | None:
        """The first argument whose values have places on an axis."""
        axes = (name for name, values in self.sweep.items() if len(values) > 1 and all(map(_is_number, values)))
        return next(axes, None)

    def groups(self, title: str, number: str, beside: str | None = None) -> dict[str, list[Row]]:
        """Return a row a player for each setting, under its heading.

        Args:
            title: what the number is.
            number: its name among the players' numbers.
            beside: name of another of the same, drawn hollow.
        """
        return {
            heading(setting, title): [
                Row(player["player"], player["numbers"][number], player["numbers"][beside] if beside else None)
                for player in setting["players"]
            ]
            for setting in self.settings
        }


@dataclass(frozen=True)
class Row:
    """A player's estimate; ``beside`` is another of the same, drawn hollow."""

    player: str
    numbers: Numbers
    beside: Numbers | None = None


@dataclass(frozen=True)
class Curve:
    """A player's points from left to right: (x, estimate)."""

    player: str
    points: Sequence[tuple[float, Numbers]]


@dataclass(frozen=True)
class Axis:
    """How numbers are written beside rows and at ticks, where the axis ends, and where lines stand."""

    show: Callable[[float], str]
    limits: tuple[float, float] | None = None
    lines: Mapping[str, float] = field(default_factory=dict)
    bars: bool = False
    tick: Callable[[float], str] | None = None


def draw_cumulative(league: League, unit: str, nouns: str) -> Iterator[Chart]:
    """Draw scores added up in the order of play; ``unit`` is what they count, ``nouns`` what is played."""
    panels = {}
    for index, setting in enumerate(league.settings):
        totals: dict[str, list[float]] = defaultdict(list)
        for names, scores in league.played.get(index, ()):
            for name, score in zip(names, scores, strict=True):
                totals[name].append((totals[name] or [0.0])[-1] + score)
        panels[heading(setting, f"{unit} won so far")] = [
            Curve(
                player["player"],
                [(place + 1, _exact(totals[player["player"]][place])) for place in thin(totals[player["player"]])],
            )
            for player in setting["players"]
        ]
    caption = "Winnings added up in the order of play, plain."
    yield from draw_curves(league, "cumulative", "Winnings over time", caption, panels, f"{nouns} played", tick)


def draw_scores(league: League) -> Iterator[Chart]:
    """Draw the mean score a match."""
    groups = league.groups("Score a match", "score")
    yield from draw_estimates(league, "scores", "Scores", "Mean score a match.", groups, Axis(decimals))


def draw_sweep(
    league: League,
    argument: str,
    measures: Mapping[str, tuple[str, Callable[[float], str]]],
    place: Callable[[Mapping[str, Any]], float] | None = None,
    label: str | None = None,
    words: str | None = None,
) -> Iterator[Chart]:
    """Draw numbers along an argument, a chart each.

    Args:
        league: what is drawn.
        argument: its name.
        measures: by title the name of a number, and how it is written.
        place: where a setting stands on the axis, None for the argument's value.
        label: of the axis, None for the argument's name.
        words: what the caption calls it, None for the argument's name.
    """
    for title, (measure, show) in measures.items():
        panels: dict[str, dict[str, list[tuple[float, Numbers]]]] = defaultdict(lambda: defaultdict(list))
        for setting in league.settings:
            x = place(setting) if place else setting["point"][argument]
            others = ", ".join(f"{name} {value}" for name, value in setting["point"].items() if name != argument)
            for player in setting["players"]:
                panels[others or title][player["player"]].append((x, player["numbers"][measure]))
        lines = {
            panel: [
                Curve(name, sorted(part[name], key=lambda point: point[0])) for name in league.players if name in part
            ]
            for panel, part in panels.items()
        }
        caption = f"{title} against {words or charts.words(argument)}."
        yield from draw_curves(league, f"sweep_{measure}", f"{title}: sweep", caption, lines, label or argument, show)


def draw_latency(league: League) -> Iterator[Chart]:
    """Draw how long players took."""
    times: dict[str, list[Numbers]] = defaultdict(list)
    for setting in league.settings:
        for player in setting["players"]:
            times[player["player"]].append(player["time"]["seconds"])
    rows = [Row(name, _together(times[name])) for name in league.players if times[name]]
    caption = "Mean time to answer. n counts texts."
    groups = {"Seconds a text": rows}
    yield from draw_estimates(league, "latency", "Response time", caption, groups, Axis(clock, bars=True))


def draw_estimates(
    league: League, name: str, title: str, caption: str, groups: Mapping[str, Sequence[Row]], axis: Axis
) -> Iterator[Chart]:
    """Draw a row a player under each heading: point, interval, and the numbers beside them."""
    full = {heading: [row for row in rows if row.numbers["value"] is not None] for heading, rows in groups.items()}
    full = {heading: rows for heading, rows in full.items() if rows}
    if not full:
        return
    kept = charts.cap(full)
    labels = {heading: [row.player for row in rows] for heading, rows in kept.items()}
    figure, axes, places = charts.row_axes(labels)
    axes.set_xlim(*(axis.limits or _reach(full, [*axis.lines.values(), *([0.0] if axis.bars else [])])))
    for line in axis.lines.values():
        axes.axvline(line, color=MUTED, linewidth=0.9, linestyle="--" if line else "-")
    for (heading, position), y in places.items():
        row = kept[heading][position]
        look, numbers = league.look(row.player), row.numbers
        if axis.bars:
            axes.barh(y, numbers["value"], 0.13, color=look["color"], alpha=0.4, linewidth=0)
        if numbers["low"] is not None:
            axes.plot((numbers["low"], numbers["high"]), (y, y), color=look["color"], linewidth=2.6, alpha=0.55)
        if row.beside is not None and row.beside["value"] is not None:
            axes.plot(row.beside["value"], y, **look, markerfacecolor=PAPER, markersize=6.5, clip_on=False)
        axes.plot(
            numbers["value"], y, **look, markersize=6.5, markeredgecolor=PAPER, markeredgewidth=0.6, clip_on=False
        )
        charts.write_right(axes, y, charts.write_numbers(numbers, axis.show).replace(" %,", ",").replace(" %]", "]"))
        axes.texts[-1].set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})
    axes.xaxis.set_major_formatter(lambda value, _: (axis.tick or axis.show)(value))
    table = [
        (heading, row.player, *(row.numbers[part] for part in charts.NUMBERS))
        for heading, rows in full.items()
        for row in rows
    ]
    left_out = charts.left_out_note(len(table), sum(map(len, kept.values())))
    yield charts.as_chart(name, title, caption + left_out, figure, (("measure", "player", *charts.NUMBERS), *table))


def draw_curves(
    league: League,
    name: str,
    title: str,
    caption: str,
    panels: Mapping[str, Sequence[Curve]],
    x_label: str,
    show: Callable[[float], str],
) -> Iterator[Chart]:
    """Draw lines, a panel below the other; ``x_label`` is what goes to the right."""
    known = {
        panel: [
            Curve(line.player, [(x, numbers) for x, numbers in line.points if numbers["value"] is not None])
            for line in lines
        ]
        for panel, lines in panels.items()
    }
    full = {panel: [line for line in lines if line.points] for panel, lines in known.items()}
    full = {panel: lines for panel, lines in full.items() if lines}
    if not full:
        return
    shown = {panel: lines[:CURVES] for panel, lines in list(full.items())[:PANELS]}
    table = [
        (panel, line.player, x, *(numbers[part] for part in charts.NUMBERS))
        for panel, lines in full.items()
        for line in lines
        for x, numbers in line.points
    ]
    left_out = charts.left_out_note(sum(map(len, full.values())), sum(map(len, shown.values())))
    figure = _curve_figure(league, shown, x_label, show)
    yield charts.as_chart(name, title, caption + left_out, figure, (("panel", "player", "x", *charts.NUMBERS), *table))


def _curve_figure(
    league: League, panels: Mapping[str, Sequence[Curve]], x_label: str, show: Callable[[float], str]
) -> Figure:
    from matplotlib.figure import Figure as NewFigure

    names = list(dict.fromkeys(line.player for lines in panels.values() for line in lines))
    legend = 0.2 * len(names) + 0.1
    height = 2.5 * len(panels) + legend + 0.1
    figure = NewFigure(figsize=(WIDTH, height))
    grid = figure.add_gridspec(
        len(panels), 1, left=0.15, right=0.97, top=1 - 0.3 / height, bottom=(legend + 0.5) / height, hspace=0.42
    )
    seen: dict[str, Any] = {}
    for panel, (heading, lines) in enumerate(panels.items()):
        axes = figure.add_subplot(grid[panel])
        axes.set_title(charts.fit(heading, 52), fontsize=9.5, fontweight="bold")
        xs = sorted({x for line in lines for x, _ in line.points})
        for place, line in enumerate(lines):
            look, count = league.look(line.player), len(line.points)
            (line_drawn,) = axes.plot(
                [x for x, _ in line.points],
                [numbers["value"] for _, numbers in line.points],
                **look,
                markersize=4.5,
                markevery=1 if count <= 12 else max(1, count // 6),
                linewidth=1.5,
                linestyle="-" if place < len(COLOURS) else "--",
            )
            seen.setdefault(line.player, line_drawn)
            # Intervals stand side by side, for bands would hide one another.
            shift = 0.008 * ((xs[-1] - xs[0]) or 1.0) * (place - (len(lines) - 1) / 2)
            for x, numbers in line.points:
                if numbers["low"] is not None:
                    ends = (numbers["low"], numbers["high"])
                    axes.plot((x + shift,) * 2, ends, color=look["color"], linewidth=1.4, alpha=0.4)
        axes.yaxis.set_major_formatter(lambda value, _: show(value))
        axes.locator_params(axis="y", nbins=6)
        axes.locator_params(axis="x", nbins=6)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axes.set_xlabel(charts.fit(x_label, 46))
    figure.legend(
        list(seen.values()), [charts.fit(name, 46) for name in seen], loc="lower left", bbox_to_anchor=(0.02, 0.0)
    )
    return figure


def heading(setting: Mapping[str, Any], measure: str) -> str:
    """Return what stands above a setting's part of a chart."""
    return f"{measure}, {setting['label']}" if setting["label"] else measure


def _together(parts: Sequence[Numbers]) -> Numbers:
    """The mean over several settings; of one setting its own estimate."""
    if len(parts) == 1:
        return parts[0]
    known = [part for part in parts if part["n"]]
    count = sum(part["n"] for part in known)
    value = sum(part["n"] * part["value"] for part in known) / count if count else None
    return {"value": value, "low": None, "high": None, "n": count}


def _exact(value: float) -> dict[str, Any]:
    return {"value": value, "low": None, "high": None, "n": 1}


def _reach(groups: Mapping[str, Sequence[Row]], others: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis with room for every interval."""
    shown = [numbers for rows in groups.values() for row in rows for numbers in (row.numbers, row.beside) if numbers]
    ends = [*others, *(one[end] for one in shown for end in ("value", "low", "high") if one[end] is not None)]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def thin(values: Sequence[float]) -> list[int]:
    """Return at most :data:`POINTS` places of a curve, the last among them."""
    step = max(1, -(-len(values) // POINTS))
    return sorted({*range(step - 1, len(values), step), len(values) - 1}) if values else []


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def clock(seconds: float) -> str:
    """Write seconds for people; rule players take a fraction of a millisecond."""
    return f"{1000 * seconds:.2g} ms" if 0 < seconds < 0.01 else as_duration(seconds)


def tick(value: float) -> str:
    """Write a number at an axis."""
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def decimals(value: float) -> str:
    """Write a number with two decimals."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def signed(value: float) -> str:
    """Write a number with two decimals and its sign."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
