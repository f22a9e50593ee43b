"""A tournament's charts, in the look of a run's: the papers' figures for poker and the trust game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interactive_envs.reporting import charts
from interactive_envs.reporting.charts import COLOURS, MUTED, PANELS, PAPER, WIDTH, Chart, Figure, Numbers
from interactive_envs.reporting.page import as_duration

if TYPE_CHECKING:
    from interactive_envs.evaluation.tournament.play import Tournament

POINTS = 400
"""Points of a curve at most."""
CURVES = 14
"""Curves of a panel at most: more colours and markers nobody tells apart."""
BASELINES = ("tft", "grim")
"""Specs of the rule players at which Interactive Benchmarks v2, figure 6, draws lines."""


@dataclass(frozen=True)
class Told:
    """What charts are drawn from.

    Attributes:
        tournament: what was played.
        settings: what the report says of each.
        played: for every setting the matches in the order of play, as (players, scores).
    """

    tournament: Tournament
    settings: Sequence[Mapping[str, Any]]
    played: Mapping[int, Sequence[tuple[Sequence[str], Sequence[float]]]]


class _Players:
    """Who took part, and how each looks in every chart."""

    def __init__(self, told: Told) -> None:
        self.names = [player.name for player in told.tournament.players]
        self.look = charts.looks(self.names)


@dataclass(frozen=True)
class _Row:
    """A player's estimate; ``beside`` is another of the same, drawn hollow."""

    player: str
    numbers: Numbers
    beside: Numbers | None = None


@dataclass(frozen=True)
class _Curve:
    """A player's points from left to right: (x, estimate)."""

    player: str
    points: Sequence[tuple[float, Numbers]]


@dataclass(frozen=True)
class _Axis:
    """How numbers are written beside rows and at ticks, where the axis ends, and where lines stand."""

    show: Callable[[float], str]
    limits: tuple[float, float] | None = None
    lines: Mapping[str, float] = field(default_factory=dict)
    bars: bool = False
    tick: Callable[[float], str] | None = None


def draw(family: str, told: Told) -> list[Chart]:
    """Every chart that the tournament has numbers for.

    Args:
        family: of the game.
        told: what is drawn.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    of_family = {"holdem": (_winnings, _cumulative, _style), "trust": (_payoffs, _manners)}
    with charts.style():
        players = _Players(told)
        makers = (*of_family.get(family, (_scores, _cumulative)), _sweep, _latency)
        return [chart for maker in makers for chart in maker(told, players)]


def _winnings(told: Told, players: _Players) -> Iterator[Chart]:
    groups = {
        _heading(setting, "Big blinds a hand"): [
            _Row(player["player"], player["told"]["reduced"], player["told"]["plain"]) for player in setting["players"]
        ]
        for setting in told.settings
        if "pairs" in setting
    }
    caption = "Winnings with the luck of the cards reduced; hollow: plain winnings of the same hands. n counts hands."
    yield from _estimates(players, "winnings", "Winnings", caption, groups, _Axis(_signed, lines={"": 0.0}, tick=_tick))


def _cumulative(told: Told, players: _Players) -> Iterator[Chart]:
    unit = "Big blinds" if any("pairs" in setting for setting in told.settings) else "Score"
    panels = {}
    for index, setting in enumerate(told.settings):
        totals: dict[str, list[float]] = defaultdict(list)
        for names, scores in told.played.get(index, ()):
            for name, score in zip(names, scores, strict=True):
                totals[name].append((totals[name] or [0.0])[-1] + score)
        panels[_heading(setting, f"{unit} won so far")] = [
            _Curve(
                player["player"],
                [(place + 1, _exact(totals[player["player"]][place])) for place in _thinned(totals[player["player"]])],
            )
            for player in setting["players"]
        ]
    caption = "Winnings added up in the order of play, plain."
    what = "hands played" if unit == "Big blinds" else "matches played"
    yield from _curves(players, "cumulative", "Winnings over time", caption, panels, what, _tick)


def _style(told: Told, players: _Players) -> Iterator[Chart]:
    titles = {"vpip": "VPIP", "fold_rate": "Fold rate"}
    groups = {
        _heading(setting, title): [_Row(player["player"], player["told"][rate]) for player in setting["players"]]
        for setting in told.settings
        if "pairs" in setting
        for rate, title in titles.items()
    }
    caption = "Shares of the hands dealt: entered before the flop by choice (VPIP), and folded. n counts hands."
    axis = _Axis(charts.percent, (0.0, 1.0), bars=True)
    yield from _estimates(players, "style", "Style of play", caption, groups, axis)


def _payoffs(told: Told, players: _Players) -> Iterator[Chart]:
    if _swept(told.tournament):
        return
    specs = {player.name: player.spec for player in told.tournament.players}
    groups, lines = {}, {}
    for setting in told.settings:
        groups[_heading(setting, "Payoff a round")] = [
            _Row(player["player"], player["told"]["payoff"]) for player in setting["players"]
        ]
        if len(told.settings) == 1:
            lines = {
                specs[player["player"]]: player["told"]["payoff"]["value"]
                for player in setting["players"]
                if specs[player["player"]] in BASELINES and player["told"]["payoff"]["value"] is not None
            }
    caption = "Payoff a round over all matches. n counts rounds." + (
        f" Dashed: {' and '.join(sorted(lines))}." if lines else ""
    )
    yield from _estimates(players, "payoff", "Payoff", caption, groups, _Axis(_decimals, lines=lines))


def _manners(told: Told, players: _Players) -> Iterator[Chart]:
    """Cooperation and betrayal (v2, figure 12), and how a player answers."""
    if len(told.settings) != 1:
        return
    rates = {"Cooperation": "cooperation_rate", "Betrayal": "betrayal_rate"}
    caption = "Shares of rounds with cooperation, and of defections right after the other cooperated. n counts rounds."
    axis = _Axis(charts.percent, (0.0, 1.0), bars=True)
    yield from _estimates(players, "cooperation", "Cooperation", caption, _measured(told.settings[0], rates), axis)
    answers = _measured(told.settings[0], {"Reciprocity": "reciprocity", "Forgiveness": "forgiveness"})
    caption = (
        "How much likelier a player cooperates after the other's cooperation than after a defection, and the share of "
        "cooperations right after the other came back to it. n counts rounds."
    )
    lows = [row.numbers[end] or 0.0 for rows in answers.values() for row in rows for end in ("value", "low")]
    axis = _Axis(_decimals, (min((-0.02, *lows)), 1.02), bars=True)
    yield from _estimates(players, "reciprocity", "Reciprocity", caption, answers, axis)


def _measured(setting: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, list[_Row]]:
    return {
        title: [_Row(player["player"], player["told"][kind]) for player in setting["players"]]
        for title, kind in kinds.items()
    }


def _scores(told: Told, players: _Players) -> Iterator[Chart]:
    groups = {
        _heading(setting, "Score a match"): [
            _Row(player["player"], player["told"]["score"]) for player in setting["players"]
        ]
        for setting in told.settings
    }
    yield from _estimates(players, "scores", "Scores", "Mean score a match.", groups, _Axis(_decimals))


def _sweep(told: Told, players: _Players) -> Iterator[Chart]:
    """Numbers along the first swept argument; for delta along the expected rounds (v2, figure 11)."""
    axis = _swept(told.tournament)
    if axis is None:
        return
    trust = all("expected_rounds" in setting for setting in told.settings)
    measures = {"Score a match": ("score", _decimals)}
    if trust:
        measures = {"Payoff a round": ("payoff", _decimals), "Cooperation": ("cooperation_rate", charts.percent)}
    elif all("pairs" in setting for setting in told.settings):
        measures = {"Big blinds a hand": ("reduced", _signed)}
    rounds = trust and axis == "delta"
    for title, (measure, show) in measures.items():
        panels: dict[str, dict[str, list[tuple[float, Numbers]]]] = defaultdict(lambda: defaultdict(list))
        for setting in told.settings:
            x = setting["expected_rounds"] if rounds else setting["point"][axis]
            others = ", ".join(f"{name} {value}" for name, value in setting["point"].items() if name != axis)
            for player in setting["players"]:
                panels[others or title][player["player"]].append((x, player["told"][measure]))
        lines = {
            heading: [
                _Curve(name, sorted(part[name], key=lambda point: point[0])) for name in players.names if name in part
            ]
            for heading, part in panels.items()
        }
        x_label = "expected rounds, 1 / (1 - delta)" if rounds else axis
        caption = f"{title} against {'the expected number of rounds' if rounds else charts._words(axis)}."
        yield from _curves(players, f"sweep_{measure}", f"{title}: sweep", caption, lines, x_label, show)


def _latency(told: Told, players: _Players) -> Iterator[Chart]:
    times: dict[str, list[Numbers]] = defaultdict(list)
    for setting in told.settings:
        for player in setting["players"]:
            times[player["player"]].append(player["time"]["seconds"])
    rows = [_Row(name, _together(times[name])) for name in players.names if times[name]]
    caption = "Mean time to answer. n counts texts."
    yield from _estimates(
        players, "latency", "Response time", caption, {"Seconds a text": rows}, _Axis(clock, bars=True)
    )


def _estimates(
    players: _Players, name: str, title: str, caption: str, groups: Mapping[str, Sequence[_Row]], axis: _Axis
) -> Iterator[Chart]:
    """A row a player under each heading: point, interval, and the numbers beside them."""
    full = {heading: [row for row in rows if row.numbers["value"] is not None] for heading, rows in groups.items()}
    full = {heading: rows for heading, rows in full.items() if rows}
    if not full:
        return
    kept = charts._capped(full)
    labels = {heading: [row.player for row in rows] for heading, rows in kept.items()}
    figure, axes, places = charts._row_axes(labels)
    axes.set_xlim(*(axis.limits or _reach(full, [*axis.lines.values(), *([0.0] if axis.bars else [])])))
    for line in axis.lines.values():
        axes.axvline(line, color=MUTED, linewidth=0.9, linestyle="--" if line else "-")
    for (heading, position), y in places.items():
        row = kept[heading][position]
        look, numbers = players.look(row.player), row.numbers
        if axis.bars:
            axes.barh(y, numbers["value"], 0.13, color=look["color"], alpha=0.4, linewidth=0)
        if numbers["low"] is not None:
            axes.plot((numbers["low"], numbers["high"]), (y, y), color=look["color"], linewidth=2.6, alpha=0.55)
        if row.beside is not None and row.beside["value"] is not None:
            axes.plot(row.beside["value"], y, **look, markerfacecolor=PAPER, markersize=6.5, clip_on=False)
        axes.plot(
            numbers["value"], y, **look, markersize=6.5, markeredgecolor=PAPER, markeredgewidth=0.6, clip_on=False
        )
        charts._right(axes, y, charts._told(numbers, axis.show).replace(" %,", ",").replace(" %]", "]"))
        axes.texts[-1].set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 0.6})
    axes.xaxis.set_major_formatter(lambda value, _: (axis.tick or axis.show)(value))
    table = [
        (heading, row.player, *(row.numbers[part] for part in charts.NUMBERS))
        for heading, rows in full.items()
        for row in rows
    ]
    left_out = charts.left_out_note(len(table), sum(map(len, kept.values())))
    yield charts.as_chart(name, title, caption + left_out, figure, (("measure", "player", *charts.NUMBERS), *table))


def _curves(
    players: _Players,
    name: str,
    title: str,
    caption: str,
    panels: Mapping[str, Sequence[_Curve]],
    x_label: str,
    show: Callable[[float], str],
) -> Iterator[Chart]:
    """Lines, a panel below the other."""
    known = {
        heading: [
            _Curve(line.player, [(x, numbers) for x, numbers in line.points if numbers["value"] is not None])
            for line in lines
        ]
        for heading, lines in panels.items()
    }
    full = {heading: [line for line in lines if line.points] for heading, lines in known.items()}
    full = {heading: lines for heading, lines in full.items() if lines}
    if not full:
        return
    shown = {heading: lines[:CURVES] for heading, lines in list(full.items())[:PANELS]}
    table = [
        (heading, line.player, x, *(numbers[part] for part in charts.NUMBERS))
        for heading, lines in full.items()
        for line in lines
        for x, numbers in line.points
    ]
    left_out = charts.left_out_note(sum(map(len, full.values())), sum(map(len, shown.values())))
    figure = _drawn(players, shown, x_label, show)
    yield charts.as_chart(name, title, caption + left_out, figure, (("panel", "player", "x", *charts.NUMBERS), *table))


def _drawn(
    players: _Players, panels: Mapping[str, Sequence[_Curve]], x_label: str, show: Callable[[float], str]
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
            look, count = players.look(line.player), len(line.points)
            (drawn,) = axes.plot(
                [x for x, _ in line.points],
                [numbers["value"] for _, numbers in line.points],
                **look,
                markersize=4.5,
                markevery=1 if count <= 12 else max(1, count // 6),
                linewidth=1.5,
                linestyle="-" if place < len(COLOURS) else "--",
            )
            seen.setdefault(line.player, drawn)
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


def _heading(setting: Mapping[str, Any], measure: str) -> str:
    return f"{measure}, {setting['label']}" if setting["label"] else measure


def _swept(tournament: Tournament) -> str | None:
    """The first swept argument whose values have places on an axis."""
    axes = (name for name, values in tournament.sweep.items() if len(values) > 1 and all(map(_is_number, values)))
    return next(axes, None)


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


def _reach(groups: Mapping[str, Sequence[_Row]], others: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis with room for every interval."""
    told = [numbers for rows in groups.values() for row in rows for numbers in (row.numbers, row.beside) if numbers]
    ends = [*others, *(one[end] for one in told for end in ("value", "low", "high") if one[end] is not None)]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _thinned(values: Sequence[float]) -> list[int]:
    """At most :data:`POINTS` places of a curve, the last among them."""
    step = max(1, -(-len(values) // POINTS))
    return sorted({*range(step - 1, len(values), step), len(values) - 1}) if values else []


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def clock(seconds: float) -> str:
    """Seconds for people; rule players take a fraction of a millisecond."""
    return f"{1000 * seconds:.2g} ms" if 0 < seconds < 0.01 else as_duration(seconds)


def _tick(value: float) -> str:
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def _decimals(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
