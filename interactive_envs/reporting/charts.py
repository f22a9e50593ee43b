"""A run's charts as in a paper: SVG, PNG and the numbers as CSV, the same bytes for the same summary."""

from __future__ import annotations

import csv
import functools
import io
import os
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from interactive_envs.errors import MissingExtraError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.words import words_of
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder

if TYPE_CHECKING:
    from interactive_envs.reporting.records import RunConfig

Figure: TypeAlias = Any
Axes: TypeAlias = Any
Numbers: TypeAlias = Mapping[str, Any]
"""An estimate as JSON: value, low, high, n."""

WIDTH = 4.5
"""Inches: one column of a paper; the letters stay readable when a phone shrinks it to 330 pixels."""
ROWS = 40
"""Rows a chart shows at most; the CSV holds all."""
PANELS = 6

# Okabe and Ito's colours, without the yellow that paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A6FBF")
MARKERS = ("o", "s", "D", "^", "v", "P", "X")
# Colours of the page; in the inlined SVG they become its CSS variables, so that charts follow light and dark.
INK, MUTED, RULE, PAPER = "#1b1e23", "#666c75", "#dcdfe3", "#fffffe"
VARIABLES = {INK: "var(--ink)", MUTED: "var(--muted)", RULE: "var(--rule)", PAPER: "var(--paper)"}
OUTCOME_STYLES = {
    "success": ("#009E73", ""),
    "success, forced": ("#7FCEB9", ""),
    "failure": ("#D55E00", "///"),
    "timeout": ("#E69F00", "|||"),
    "format_error": ("#CC79A7", "xxx"),
    "forfeit": ("#8A6FBF", "---"),
    "draw": ("#56B4E9", ""),
    "scored": ("#0072B2", ""),
}


@dataclass(frozen=True)
class Chart:
    """One chart: what the page shows, and what is saved beside it.

    Attributes:
        name: file name without ending.
        title: what it shows.
        caption: how to read it.
        svg: the standalone file.
        png: the same as pixels.
        table: header and rows of its numbers.
    """

    name: str
    title: str
    caption: str
    svg: str
    png: bytes
    table: tuple[tuple[Any, ...], ...]

    @functools.cached_property
    def inline(self) -> str:
        """The SVG for a page: no prolog, its own ids, the page's colours."""
        svg = re.sub(r"<!--.*?-->", "", self.svg[self.svg.index("<svg") :], flags=re.DOTALL)
        svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{self.name}-", svg)
        svg = re.sub(r'\bd="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), svg)
        # Without a size of its own the page decides.
        root, rest = svg.split(">", 1)
        svg = re.sub(r' (?:width|height)="[^"]*"', "", root) + ">" + rest
        for colour, variable in VARIABLES.items():
            svg = svg.replace(colour, variable)
        return svg.replace("<svg", f'<svg role="img" aria-label="{self.title}"', 1)

    @property
    def csv(self) -> str:
        """The numbers; no cell can start a spreadsheet formula."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([_harmless(cell) for cell in row] for row in self.table)
        return out.getvalue()

    def save(self, folder: Path) -> None:
        """Write NAME.svg, NAME.png and NAME.csv."""
        make_subfolder(folder.parent, folder.name)
        for kind, content in (("svg", self.svg), ("png", self.png), ("csv", self.csv)):
            write_atomically(folder / f"{self.name}.{kind}", content)


def draw(config: RunConfig, summary: Mapping[str, Any], timing: Mapping[str, Any]) -> list[Chart]:
    """Every chart that the run has numbers for.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    with style():
        run = _Run(config, summary, timing)
        makers: list[Callable[[_Run], Iterator[Chart]]] = [
            *(_accuracy, _rewards, _turns, _gain, _by_round, _outcomes, _against_effort, _sweeps, _heatmaps)
        ]
        return [chart for maker in makers for chart in maker(run)]


@contextmanager
def style() -> Iterator[None]:
    """Our settings alone, whatever the user's matplotlibrc says; names are never read as formulas."""
    try:
        # When it is imported, it reads a matplotlibrc of the current folder, which may be anybody's.
        with nullcontext() if "matplotlib" in sys.modules else chdir(os.sep):
            import matplotlib
    except ImportError as error:
        raise MissingExtraError("charts", "report") from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                **{"font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 10, "legend.fontsize": 9},
                **{"text.parse_math": False, "text.usetex": False, "svg.fonttype": "path"},
                **{"text.color": INK, "axes.labelcolor": MUTED, "axes.edgecolor": MUTED},
                **{"xtick.color": MUTED, "ytick.color": MUTED, "grid.color": RULE, "hatch.color": PAPER},
                **{"figure.facecolor": PAPER, "axes.facecolor": PAPER, "savefig.facecolor": PAPER},
                **{"axes.spines.top": False, "axes.spines.right": False, "axes.titlelocation": "left"},
                **{"axes.grid": True, "axes.axisbelow": True, "hatch.linewidth": 0.6, "legend.frameon": False},
            }
        )
        yield


def looks(names: Iterable[str]) -> Callable[[str], dict[str, Any]]:
    """Colour and marker of each name, the same wherever the function is used."""
    order = list(dict.fromkeys(names))

    def look_of(name: str) -> dict[str, Any]:
        place = order.index(name)
        return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}

    return look_of


class _Run:
    """What every chart needs: the cells by name, in the order in which they are shown."""

    def __init__(self, config: RunConfig, summary: Mapping[str, Any], timing: Mapping[str, Any]) -> None:
        self.config, self.summary, self.timing, self.words = config, summary, timing, words_of(config)
        self.cells: Sequence[Mapping[str, Any]] = summary["cells"]
        self.names = run_summary.names(config, self.cells)
        self.look = looks([name.player for name in self.names])
        self.settings: dict[str, list[int]] = defaultdict(list)
        self.paid: dict[str, list[int]] = defaultdict(list)
        """Cells whose episodes are paid rather than solved."""
        order = sorted(range(len(self.names)), key=lambda index: (not self.names[index].interactive, index))
        for index in order:
            cell = self.cells[index]
            if cell["reward" if cell["scored"] else "accuracy"]["n"]:  # none where no episode is scored
                group = self.paid if cell["scored"] else self.settings
                group[self.names[index].setting].append(index)

    def header(self, index: int) -> tuple[Any, ...]:
        """The columns of a CSV that name a cell."""
        name = self.names[index]
        return (name.env, name.player, self.cells[index]["judge"] or "", name.interactive)


_CELL = ("environment", "player", "judge", "interaction")
NUMBERS = ("value", "low", "high", "n")
"""The columns of a CSV that are an estimate."""


@dataclass(frozen=True)
class Row:
    """One line of a chart of intervals."""

    label: str
    player: str
    numbers: Numbers
    hollow: Numbers | None = None


def _accuracy(run: _Run) -> Iterator[Chart]:
    forced = any(cell["forced_wins"] for cell in run.cells)
    groups = {
        setting: [
            Row(
                run.names[index].player,
                run.names[index].player,
                run.cells[index]["accuracy"],
                run.cells[index]["accuracy_with_forced"] if run.cells[index]["forced_wins"] else None,
            )
            for index in indices
        ]
        for setting, indices in run.settings.items()
    }
    table = [
        (*run.header(index), *(run.cells[index][key][part] for key in _ACCURACIES for part in NUMBERS))
        for indices in run.settings.values()
        for index in indices
    ]
    header = (*_CELL, *(f"{key}_{part}" for key in _ACCURACIES for part in NUMBERS))
    words = run.words
    caption = f"Share of episodes {words.done}{words.within}." + (
        " Hollow: forced final answers after the last round counted too." if forced else ""
    )
    yield from intervals(run.look, "accuracy", words.share, caption, groups, (header, *table), (0, 1), percent)


_ACCURACIES = ("accuracy", "accuracy_with_forced")


def _rewards(run: _Run) -> Iterator[Chart]:
    """A chart a family, for rewards of two have no common unit."""
    families: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for setting, indices in run.paid.items():
        families[run_summary.family_of(run.config.cells[indices[0]].env_id)][setting] = indices
    for family, settings in families.items():
        groups = {
            setting: [
                Row(run.names[index].player, run.names[index].player, run.cells[index]["reward"]) for index in indices
            ]
            for setting, indices in settings.items()
        }
        numbers = [row.numbers for group in groups.values() for row in group]
        ends = [end for part in numbers for end in (part["value"], part["low"], part["high"]) if end is not None]
        low, high = min(ends, default=0.0), max(ends, default=1.0)
        margin = 0.05 * (high - low) or 1.0
        yield from intervals(
            run.look,
            f"reward-{family}" if len(families) > 1 else "reward",
            f"Reward: {family}" if len(families) > 1 else "Reward",
            "Mean reward an episode.",
            groups,
            (
                (*_CELL, *NUMBERS),
                *(
                    (*run.header(index), *(run.cells[index]["reward"][part] for part in NUMBERS))
                    for indices in settings.values()
                    for index in indices
                ),
            ),
            (low - margin if low < 0 else 0.0, max(high + margin, 0.0)),
            lambda value: f"{value:.2f}",
        )


def _turns(run: _Run) -> Iterator[Chart]:
    rows = {
        setting: [
            Row(run.names[index].player, run.names[index].player, run.cells[index]["turns_solved"])
            for index in indices
            if run.cells[index]["turns_solved"]["n"]
        ]
        for setting, indices in run.settings.items()
        if run.names[indices[0]].interactive
    }
    table = [
        (*run.header(index), *(run.cells[index]["turns_solved"][part] for part in NUMBERS))
        for indices in run.settings.values()
        for index in indices
    ]
    means = [row.numbers["value"] for group in rows.values() for row in group]
    # Two episodes give intervals far beyond any budget: those are cut, the numbers beside them are not.
    ends = [_top(row.numbers) for group in rows.values() for row in group]
    reach = min(2.5 * max(means), 1.04 * max(ends)) if means else 1.0
    yield from intervals(
        run.look,
        "turns",
        f"Turns to {run.words.do}",
        f"Mean turns of the episodes {run.words.done}{run.words.within}; n counts those.",
        rows,
        ((*_CELL, *NUMBERS), *table),
        (0, reach),
        lambda value: f"{value:.1f}",
    )


def _gain(run: _Run) -> Iterator[Chart]:
    groups: dict[str, list[Row]] = defaultdict(list)
    table = []
    for gain in run.summary["gains"]:
        table.append((*run.header(gain["cell"]), *(gain[part] for part in NUMBERS), gain["ahead"], gain["behind"]))
        if gain["n"]:
            name = run.names[gain["cell"]]
            groups[name.setting].append(Row(name.player, name.player, gain))
    ends = [abs(gain[part] or 0) for gain in run.summary["gains"] for part in ("low", "high")]
    reach = min(1.0, max(0.2, *ends) * 1.05) if ends else 1.0
    yield from intervals(
        run.look,
        "gain",
        "Gain by interaction",
        "Accuracy with questions minus accuracy without, paired by case; n counts cases.",
        groups,
        ((*_CELL, *NUMBERS, "ahead", "behind"), *table),
        (-reach, reach),
        _points,
    )


def _by_round(run: _Run) -> Iterator[Chart]:
    settings = {
        setting: indices[: len(COLOURS) * 2]
        for setting, indices in run.settings.items()
        if run.names[indices[0]].interactive and any(len(run.cells[i]["success_by_round"]) > 1 for i in indices)
    }
    if not settings:
        return
    table = [
        (*run.header(index), point["round"], *(point[part] for part in NUMBERS))
        for indices in settings.values()
        for index in indices
        for point in run.cells[index]["success_by_round"]
    ]
    shown = dict(list(settings.items())[:PANELS])
    lines = {
        setting: [
            (
                run.names[index].player,
                run.look(run.names[index].player),
                [(point["round"], point) for point in run.cells[index]["success_by_round"]],
            )
            for index in indices
        ]
        for setting, indices in shown.items()
    }
    figure = line_figure(lines, "rounds spent", steps=True)
    caption = (
        f"Share of episodes {run.words.done} by each round; 95 % intervals as bands, or as bars at the end of the "
        "curves." + left_out_note(len(settings), len(shown))
    )
    yield as_chart("success_by_round", "Success by round", caption, figure, ((*_CELL, "round", *NUMBERS), *table))


def _outcomes(run: _Run) -> Iterator[Chart]:
    shares = {index: _shares(run.cells[index]) for indices in run.settings.values() for index in indices}
    if not shares:
        return
    present = [kind for kind in OUTCOME_STYLES if any(kind in part for part in shares.values())]
    table = [(*run.header(index), *(part.get(kind, 0) for kind in present)) for index, part in shares.items()]
    groups = cap(run.settings)
    figure, axes, places = row_axes({k: [run.names[i].player for i in v] for k, v in groups.items()}, legend=True)
    for (setting, position), y in places.items():
        index = groups[setting][position]
        total, left = run.cells[index]["n_valid"], 0.0
        for kind in present:
            share = shares[index].get(kind, 0) / total
            colour, hatch = OUTCOME_STYLES[kind]
            axes.barh(y, share, 0.17, left, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0.5)
            left += share
        write_right(axes, y, f"n = {total}")
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda value, _: percent(value))
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=OUTCOME_STYLES[kind][0], hatch=OUTCOME_STYLES[kind][1], edgecolor=PAPER, label=words(kind))
        for kind in present
    ]
    figure.legend(
        handles=patches, loc="lower left", ncols=3, columnspacing=1.2, bbox_to_anchor=(0.0, 0.0), handlelength=1.4
    )
    caption = "How the valid episodes ended; infrastructure faults are no outcomes." + left_out_note(
        sum(map(len, run.settings.values())), sum(map(len, groups.values()))
    )
    yield as_chart("outcomes", "Outcomes", caption, figure, ((*_CELL, *present), *table))


def _against_effort(run: _Run) -> Iterator[Chart]:
    """Accuracy against tokens, US dollars and seconds an episode."""
    spent: dict[str, dict[int, Numbers]] = {"tokens": {}, "cost": {}, "seconds": {}}
    for indices in run.settings.values():
        for index in indices:
            tokens, clock = run.cells[index]["tokens"], run.timing["cells"][index]
            spent["tokens"][index] = tokens["total"]
            spent["seconds"][index] = clock["seconds"]
            if clock["cost_per_episode"] is not None:
                spent["cost"][index] = clock["cost_per_episode"]
    labels = {
        "tokens": "the player's tokens an episode",
        "cost": "US dollars an episode",
        "seconds": "seconds an episode",
    }
    for kind, points in spent.items():
        if len(points) < 2 or not any(numbers["value"] for numbers in points.values()):
            continue
        table = [
            (*run.header(index), *(run.cells[index]["accuracy"][part] for part in NUMBERS), numbers["value"])
            for index, numbers in points.items()
        ]
        unknown = sum(map(len, run.settings.values())) - len(points)
        caption = (
            f"{run.words.share} against {labels[kind]}."
            + ("" if all(run.names[index].interactive for index in points) else " Small marks: without interaction.")
            + (f" Left out: {unknown} of unknown price." if unknown else "")
        )
        figure = _scatter(run, points, labels[kind])
        header = (*_CELL, *NUMBERS, f"{kind}_per_episode")
        yield as_chart(f"accuracy_{kind}", f"{run.words.share} against {kind}", caption, figure, (header, *table))


def _sweeps(run: _Run) -> Iterator[Chart]:
    for number, (axis, series) in enumerate(run_summary.sweeps(run.config).items()):
        if number == PANELS:
            return
        table = [
            (one.label, value, *(run.cells[index]["accuracy"][part] for part in NUMBERS))
            for one in series
            for value, index in one.points
        ]
        kept = [one for one in series if any(run.cells[index]["accuracy"]["n"] for _, index in one.points)]
        if not kept:
            continue
        look_of = looks(one.player for one in kept)
        panels: dict[str, list[Line]] = defaultdict(list)
        for one in kept:
            look = look_of(one.player)
            points = [(value, run.cells[index]["accuracy"]) for value, index in one.points]
            panels[one.label.removeprefix(one.player).strip(" ·")].append((one.player, look, points))
        shown = {label: lines[: len(COLOURS)] for label, lines in list(panels.items())[:PANELS]}
        figure = line_figure(shown, axis, steps=False)
        caption = f"{run.words.share} along {words(axis)}, with 95 % intervals." + left_out_note(
            len(kept), sum(map(len, shown.values()))
        )
        yield as_chart(f"sweep_{number + 1}", "Sweep", caption, figure, (("series", axis, *NUMBERS), *table))


def _heatmaps(run: _Run) -> Iterator[Chart]:
    panels = run_summary.judge_panels(run.config, run.cells)
    for number, panel in enumerate(panels[:PANELS]):
        kind = "reward" if any(run.cells[index]["scored"] for index in panel.cells.values()) else "accuracy"
        letter = dict(zip(panel.judges, _LETTERS, strict=False))
        agreement = [
            f"{letter[left]}–{letter[right]} {'undefined' if pair['tau'] is None else format(pair['tau'], '.2f')}"  # noqa: RUF001
            f" (n = {pair['n']})"
            for pair in run.summary["rank_agreement"]
            for left, right in [pair["judges"]]
            if pair["env"] == panel.env and left in letter and right in letter
        ]
        caption = f"{kind.capitalize()} of each player (rows) by each judge (columns). Kendall's τ between judges: " + (
            "; ".join(agreement[:6]) + (" …" if len(agreement) > 6 else "") + "."
        )
        yield from _heatmap(run, panel, kind, f"judges_{number + 1}", "Players by judges", caption, percent)
        # figure 10b of Interactive Benchmarks v2
        caption = f"Mean turns of the episodes {run.words.done}, by player (rows) and judge (columns)."
        name, title = f"judges_turns_{number + 1}", f"Turns to {run.words.do}, players by judges"
        yield from _heatmap(run, panel, "turns_solved", name, title, caption, "{:.1f}".format)


def _heatmap(
    run: _Run, panel: run_summary.Panel, kind: str, name: str, title: str, caption: str, show: Callable[[float], str]
) -> Iterator[Chart]:
    """The chart of one number of all cells of a panel, none where no cell has it."""
    cells = {place: run.cells[index][kind] for place, index in panel.cells.items()}
    values = [[cells.get((player, judge), {"value": None}) for judge in panel.judges] for player in panel.players]
    known = [numbers["value"] for numbers in cells.values() if numbers["value"] is not None]
    if known or kind != "turns_solved":
        table = [
            (player, judge, *(numbers.get(part) for part in NUMBERS))
            for player, line in zip(panel.players, values, strict=True)
            for judge, numbers in zip(panel.judges, line, strict=True)
        ]
        figure = _grid(panel, values, show, max([1.0, *known]))
        yield as_chart(name, title, caption, figure, (("player", "judge", *NUMBERS), *table))


def intervals(
    look_of: Callable[[str], dict[str, Any]],
    name: str,
    title: str,
    caption: str,
    groups: Mapping[str, Sequence[Row]],
    table: tuple[tuple[Any, ...], ...],
    limits: tuple[float, float],
    show: Callable[[float], str],
) -> Iterator[Chart]:
    """Points with intervals, one row a cell, its name above its line: long names cost no width.

    Args:
        look_of: colour and marker of a player.
        name: of the chart's files.
        title: what it shows.
        caption: how to read it.
        groups: the rows by heading.
        table: header and rows of its numbers.
        limits: where the axis ends.
        show: how numbers are written.
    """
    full = {setting: list(rows) for setting, rows in groups.items() if rows}
    if not full:
        return
    kept = cap(full)
    figure, axes, places = row_axes({setting: [row.label for row in rows] for setting, rows in kept.items()})
    axes.set_xlim(*limits)
    if limits[0] < 0:
        axes.axvline(0, color=MUTED, linewidth=0.9)
    for (setting, position), y in places.items():
        row = kept[setting][position]
        look, numbers = look_of(row.player), row.numbers
        if numbers["low"] is not None:
            axes.plot((numbers["low"], numbers["high"]), (y, y), color=look["color"], linewidth=2.6, alpha=0.55)
        if row.hollow is not None:
            axes.plot(row.hollow["value"], y, **look, markerfacecolor=PAPER, markersize=6.5, clip_on=False)
        axes.plot(
            numbers["value"], y, **look, markersize=6.5, markeredgecolor=PAPER, markeredgewidth=0.6, clip_on=False
        )
        write_right(axes, y, write_numbers(numbers, show).replace(" %,", ",").replace(" %]", "]"))
    axes.xaxis.set_major_formatter(lambda value, _: show(value))
    left_out = left_out_note(sum(map(len, full.values())), sum(map(len, kept.values())))
    yield as_chart(name, title, caption + left_out, figure, table)


def row_axes(
    groups: Mapping[str, Sequence[str]], *, legend: bool = False
) -> tuple[Figure, Axes, dict[tuple[str, int], float]]:
    """Axes whose y unit is an inch, with a place for each row, its label above it, under its setting's heading."""
    from matplotlib.figure import Figure as NewFigure

    heading, row, foot = 0.3, 0.4, 0.38 + (0.5 if legend else 0.0)
    height = sum(heading + row * len(labels) for labels in groups.values()) + 0.05
    figure = NewFigure(figsize=(WIDTH, height + foot))
    axes = figure.add_axes((0.2 / WIDTH, foot / (height + foot), (WIDTH - 0.45) / WIDTH, height / (height + foot)))
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="x", length=0)
    axes.locator_params(axis="x", nbins=6)
    places, y = {}, 0.0
    across = axes.get_yaxis_transform()
    for setting, labels in groups.items():
        axes.text(0, y + 0.2, fit(setting, 52), transform=across, fontsize=9.5, fontweight="bold", va="center")
        y += heading
        for position, label in enumerate(labels):
            axes.text(0, y + 0.1, fit(label, 30), transform=across, fontsize=9.5, va="center")
            places[setting, position] = y + 0.27
            y += row
    return figure, axes, places


def write_right(axes: Axes, y: float, text: str) -> None:
    """Write at the right end of a row."""
    axes.text(1, y - 0.17, text, transform=axes.get_yaxis_transform(), ha="right", va="center", fontsize=9, color=MUTED)


Line: TypeAlias = tuple[str, dict[str, Any], Sequence[tuple[float, Numbers]]]
"""Label, colour and marker, points."""


def line_figure(
    panels: Mapping[str, Sequence[Line]],
    x_label: str,
    *,
    steps: bool,
    bands: int = 2,
    show: Callable[[float], str] | None = None,
) -> Figure:
    """Curves with bands, a panel a setting below one another, one legend.

    Args:
        panels: the lines by setting.
        x_label: what goes to the right.
        steps: values hold until the next point.
        bands: lines of a panel at most that have bands.
        show: how values are written that are no shares; their axis ends where they do.
    """
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.ticker import MaxNLocator

    labels = list(dict.fromkeys(label for lines in panels.values() for label, _, _ in lines))
    legend = 0.2 * len(labels) + 0.1
    height = 2.5 * len(panels) + legend + 0.1
    figure = NewFigure(figsize=(WIDTH, height))
    grid = figure.add_gridspec(
        len(panels), 1, left=0.12, right=0.97, top=1 - 0.3 / height, bottom=(legend + 0.5) / height, hspace=0.42
    )
    seen: dict[str, Any] = {}
    for panel, (setting, lines) in enumerate(panels.items()):
        axes = figure.add_subplot(grid[panel])
        axes.set_title(fit(setting, 52), fontsize=9.5, fontweight="bold")
        xs = sorted({x for _, _, points in lines for x, _ in points})
        span = (xs[-1] - xs[0]) or 1.0
        for place, (label, look, points) in enumerate(lines):
            known = [(x, numbers) for x, numbers in points if numbers["value"] is not None]
            # A step at the last round needs some room to be seen.
            end = [(xs[-1] + 0.02 * span, numbers) for _, numbers in known[-1:] if steps]
            (line,) = axes.plot(
                [x for x, _ in known + end],
                [numbers["value"] for _, numbers in known + end],
                drawstyle="steps-post" if steps else "default",
                marker=look["marker"],
                markersize=4.5,
                markevery=list(range(0, len(known), max(1, len(known) // 8))),
                linewidth=1.7,
                color=look["color"],
            )
            seen.setdefault(label, line)
            sure = [(x, numbers["low"], numbers["high"]) for x, numbers in known if numbers["low"] is not None]
            if len(lines) <= bands:
                lows, highs = [low for _, low, _ in sure], [high for _, _, high in sure]
                step: Literal["post"] | None = "post" if steps else None
                axes.fill_between(
                    [x for x, _, _ in sure], lows, highs, color=look["color"], alpha=0.13, linewidth=0, step=step
                )
                continue
            # More bands than two hide one another: intervals stand side by side instead, on a curve at its end.
            shift = span * 0.014 * (place + 2 if steps else place - (len(lines) - 1) / 2)
            ends = [(xs[-1], low, high) for x, low, high in sure[-1:] if x == known[-1][0]]
            for x, low, high in ends if steps else sure:
                axes.plot((x + shift,) * 2, (low, high), color=look["color"], linewidth=1.6, alpha=0.5)
        if show is None:
            axes.set_ylim(-0.02, 1.02)
        else:
            axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: (show or percent)(value))
        if steps:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        elif len(xs) <= 8:
            axes.set_xticks(xs)
            axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_xlabel(fit(x_label, 46))
    figure.legend(list(seen.values()), [fit(label, 46) for label in seen], loc="lower left", bbox_to_anchor=(0.02, 0.0))
    return figure


def _scatter(run: _Run, points: Mapping[int, Numbers], label: str) -> Figure:
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.lines import Line2D

    players = list(dict.fromkeys(run.names[index].player for index in points))[: len(COLOURS) * 2]
    legend = 0.2 * len(players) + 0.1
    height = 2.8 + legend
    figure = NewFigure(figsize=(WIDTH, height))
    axes = figure.add_axes((0.12, (legend + 0.5) / height, 0.85, 2.15 / height))
    for index, numbers in points.items():
        look, accuracy = run.look(run.names[index].player), run.cells[index]["accuracy"]
        colour = look["color"]
        axes.plot((numbers["value"],) * 2, (accuracy["low"], accuracy["high"]), color=colour, linewidth=1.6, alpha=0.5)
        if numbers["low"] is not None:
            ends = (max(numbers["low"], 0.0), numbers["high"])
            axes.plot(ends, (accuracy["value"],) * 2, color=colour, linewidth=1.6, alpha=0.5)
        size = 7 if run.names[index].interactive else 4
        axes.plot(numbers["value"], accuracy["value"], **look, markersize=size, markeredgecolor=PAPER, clip_on=False)
    values = [numbers["value"] for numbers in points.values()]
    lowest = min((value for value in values if value > 0), default=1.0)
    if max(values) > 20 * lowest or (min(values) == 0 and max(values) > 20):
        if min(values) > 0:
            axes.set_xscale("log")
        else:
            axes.set_xscale("symlog", linthresh=lowest, linscale=0.4)
    else:
        axes.set_xlim(left=0)
        axes.locator_params(axis="x", nbins=5)
    axes.margins(x=0.08)
    axes.minorticks_off()
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(lambda value, _: percent(value))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.set_xlabel(label)
    handles = [Line2D([], [], **run.look(player), linestyle="") for player in players]
    figure.legend(handles, [fit(player, 46) for player in players], loc="lower left", bbox_to_anchor=(0.02, 0.0))
    return figure


def _grid(
    panel: run_summary.Panel, values: Sequence[Sequence[Numbers]], show: Callable[[float], str], most: float
) -> Figure:
    """A heatmap in vectors from 0 to ``most``, with its numbers; judges are lettered: long names cost no width."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure as NewFigure

    players, judges = panel.players[:ROWS], panel.judges[: len(_LETTERS)]
    shades = LinearSegmentedColormap.from_list("accuracy", ("#EAF2F8", "#5BA3CF", "#08306B"))
    legend, top = 0.2 * len(judges) + 0.1, 0.6
    height = 0.52 * len(players) + legend + top
    figure = NewFigure(figsize=(WIDTH, height))
    axes = figure.add_axes((0.14 / WIDTH, legend / height, (WIDTH - 0.28) / WIDTH, (height - legend - top) / height))
    axes.grid(visible=False)
    axes.set_xlim(0, len(judges))
    axes.set_ylim(len(players), 0)
    for row, player in enumerate(players):
        axes.text(0, row + 0.2, fit(player, 52), fontsize=9.5, va="center")
        for column in range(len(judges)):
            value = values[row][column]["value"]
            colour = RULE if value is None else shades(value / most)
            axes.fill_between((column + 0.02, column + 0.98), row + 0.4, row + 0.95, color=colour, linewidth=0)
            text, ink = (
                ("no data", MUTED) if value is None else (show(value), "#ffffff" if value > 0.45 * most else "#10243a")
            )
            axes.text(column + 0.5, row + 0.69, text, ha="center", va="center", fontsize=9.5, color=ink)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_yticks([])
    axes.xaxis.tick_top()
    axes.set_xticks([column + 0.5 for column in range(len(judges))], _LETTERS[: len(judges)])
    axes.tick_params(axis="x", length=0)
    figure.text(0.14 / WIDTH, 1 - 0.15 / height, fit(panel.env, 52), fontsize=9.5, fontweight="bold", va="center")
    for place, judge in enumerate(judges):
        y = (legend - 0.12 - 0.2 * place) / height
        figure.text(0.14 / WIDTH, y, f"{_LETTERS[place]}  {fit(judge, 46)}", fontsize=9, va="center", color=MUTED)
    return figure


_LETTERS = "ABCDEFGHIJKLMNOPQRST"


def as_chart(name: str, title: str, caption: str, figure: Figure, table: tuple[tuple[Any, ...], ...]) -> Chart:
    """A figure as a chart; ``table`` is the header and the rows of its numbers."""
    import matplotlib

    svg, png = io.StringIO(), io.BytesIO()
    matplotlib.rcParams["svg.hashsalt"] = name
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(svg, format="svg", metadata=nothing)
    figure.savefig(png, format="png", dpi=200, metadata={"Software": None})
    return Chart(name, title, caption, svg.getvalue(), png.getvalue(), table)


def _shares(cell: Mapping[str, Any]) -> dict[str, int]:
    """Outcome counts with the forced successes apart."""
    counts = dict(cell["outcomes"])
    if cell["forced_wins"]:
        counts["success, forced"] = cell["forced_wins"]
        counts[Outcome.SUCCESS] -= cell["forced_wins"]
    return {kind: count for kind, count in counts.items() if count}


def cap(groups: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The first ROWS rows over all groups."""
    kept: dict[str, Sequence[Any]] = {}
    room = ROWS
    for setting, rows in groups.items():
        if room > 0:
            kept[setting] = rows[:room]
            room -= len(rows)
    return kept


def left_out_note(total: int, shown: int) -> str:
    """What a caption adds where not everything is drawn."""
    return f" The first {shown} of {total} are drawn; the CSV holds all." if shown < total else ""


def write_numbers(numbers: Numbers, show: Callable[[float], str]) -> str:
    """Write an estimate with its interval and n."""
    if numbers["low"] is None:
        return f"{show(numbers['value'])}   n = {numbers['n']}"
    return f"{show(numbers['value'])} [{show(numbers['low'])}, {show(numbers['high'])}]   n = {numbers['n']}"


def _top(numbers: Numbers) -> float:
    return float(numbers["high"] if numbers["high"] is not None else numbers["value"])


def percent(value: float) -> str:
    """A share."""
    return f"{100 * value:.0f} %"


def _points(value: float) -> str:
    points = f"{100 * value:+.0f}".replace("-", "−")  # noqa: RUF001 - a real minus sign
    return "0" if points in {"+0", "−0"} else points  # noqa: RUF001


def words(name: str) -> str:
    """Return an argument's name as words."""
    return name.replace("_", " ")


def fit(text: str, width: int) -> str:
    """One line of drawable characters, cut in the middle: specs differ at both ends."""
    from matplotlib.font_manager import findfont, get_font

    drawable = get_font(findfont("DejaVu Sans")).get_charmap()
    line = "".join(char if ord(char) in drawable and char.isprintable() else "·" for char in text)
    return line if len(line) <= width else f"{line[: width // 2]}…{line[-(width // 2 - 1) :]}"


def _harmless(cell: Any) -> Any:
    """A quote before text that a spreadsheet would run."""
    if cell is None:
        return ""
    return "'" + cell if isinstance(cell, str) and cell.lstrip()[:1] in {"=", "+", "-", "@"} else cell
