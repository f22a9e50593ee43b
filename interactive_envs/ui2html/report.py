"""The page of a run's web pages: target, first and final draft side by side, scores by dimension and by round.

``pages.html`` lies in the run's folder with its pictures in ``pages/``. Pages are drawn again from the messages, so
records need no pictures. The scores of drafts between are the offline judge's, whoever judged the run; they are kept in
``pages.json`` and not computed twice.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError
from interactive_envs.parsing import Unreadable
from interactive_envs.reporting import charts, estimates
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.charts import COLOURS, MARKERS, NUMBERS, Chart
from interactive_envs.reporting.estimates import NOTHING, Estimate
from interactive_envs.reporting.page import as_bytes, file_name, templates
from interactive_envs.reporting.records import Cell, EpisodeRecord, EpisodeRow
from interactive_envs.reporting.run_tables import RunPage, write_cell
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import (
    Column,
    Group,
    Table,
    decimal,
    differing_arguments,
    fill_arguments,
    group_by,
    plain,
    row,
)
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder, read_bytes, read_json
from interactive_envs.ui2html.judge.offline import PageJudge
from interactive_envs.ui2html.rendering import drawing
from interactive_envs.ui2html.rendering.browser import HtmlError
from interactive_envs.ui2html.rules import BEST, DIMENSIONS, read_message
from interactive_envs.ui2html.targets.designs import find
from interactive_envs.ui2html.targets.sources import Given, Target, of_design

CACHE, PICTURES = "pages.json", "pages"
SHOWN = 60
"""Episodes that are shown with pictures, and whose drafts are scored."""
PICTURE_WIDTH = 512
COLOURS_KEPT = 128
"""Of a picture, so that a page of many stays small."""
CURVES = len(COLOURS)
BANDS = 3
STEPS = (0, 5, 10, 20)
"""Rounds after which the table tells how good the pages were; the first page is that of round 0."""


@dataclass(frozen=True)
class Turn:
    """One message.

    Attributes:
        page: the number of the page that stood after it, from 0; None before the first.
        question: what was asked, '' where nothing was.
        reply: the first line of the reply.
        valid: whether it was read.
        free: whether it cost no round.
    """

    page: int | None
    question: str
    reply: str
    valid: bool
    free: bool = False


@dataclass(frozen=True)
class Episode:
    """What the page tells of an episode.

    Attributes:
        group: its player and the condition it played under.
        row: of the index.
        request: what the player read first.
        target: what was to be rebuilt, None where a user's file is not there any more.
        pages: the documents sent, in order.
        turns: the messages.
        scores: of the final page by dimension, as judged in the run; None where no page was sent.
    """

    group: Group
    row: EpisodeRow
    request: str
    target: Target | None
    pages: tuple[str, ...]
    turns: tuple[Turn, ...]
    scores: Mapping[str, int] | None

    @property
    def total(self) -> int:
        """0 to 100."""
        return sum((self.scores or {}).values())

    @property
    def rounds(self) -> tuple[int, ...]:
        """The number of the page after each round, those before the first page and messages that were free left out."""
        return tuple(turn.page for turn in self.turns if turn.page is not None and not turn.free)


class UiPage(RunPage):
    """The page of web pages, ``pages.html``."""

    family = "ui2html"
    name, subject = "pages", "web pages"

    def write(self, store: RunStore, other: RunStore | None = None) -> Path | None:
        """Write the page into a run's folder; None where no episode was played.

        Without a browser the page has no pictures and no scores of drafts, and says so.

        Args:
            store: the run.
            other: not compared with.
        """
        return _write(store, self.holds, store.folder / self.file)


def _write(store: RunStore, holds: Callable[[Cell], bool], path: Path) -> Path | None:
    rows = [one for one in store.rows() if holds(store.config.cells[one.cell])]
    if not rows:
        return None
    names = _conditions({index: cell for index, cell in enumerate(store.config.cells) if holds(cell)})
    targets = _Targets()
    chosen = {one.key for one in choose(rows)}
    episodes: list[Episode] = []
    finals: list[tuple[Group, EpisodeRow, Mapping[str, int] | None]] = []
    for one in rows:
        record = store.episode(one)
        finals.append((names[one.cell], one, (record.game or {}).get("scores")))
        if one.key in chosen:
            episodes.append(read(record, one, names[one.cell], targets))
    episodes.sort(key=lambda one: (one.row.case_index, one.row.epoch, one.row.cell))
    drawn = _Drawn(store.folder)
    drawings = [drawn.episode(one) for one in tqdm(episodes, "drawing pages", unit="episode", delay=2, disable=None)]
    drawn.save()
    shown = list(zip(episodes, drawings, strict=True))
    made = [_by_dimension(finals), *_by_round(shown)]
    try:
        figures, no_charts = list(_charts(shown)), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(store.folder / "charts")
    content = {
        "store": store,
        "tables": made,
        "figures": figures,
        "no_charts": no_charts,
        "no_pictures": drawn.problem,
        "episodes": shown,
        "total": len(rows),
        "dimensions": DIMENSIONS,
        "cell": write_cell,
        "transcript": file_name,
        "players": len({name for name, _ in names.values()}),
        "curve": curve,
    }
    write_atomically(path, as_bytes(templates(__package__).get_template("pages.html.j2").render(**content)))
    return path


def choose(rows: Sequence[EpisodeRow], most: int = SHOWN) -> list[EpisodeRow]:
    """The episodes that are shown: as many of each cell, spread evenly over its cases, the same cases for all."""
    cells = group_by(rows, lambda one: one.cell)
    chosen: list[EpisodeRow] = []
    for of_cell in cells.values():
        share = max(1, most // len(cells))
        places = np.linspace(0, len(of_cell) - 1, min(share, len(of_cell))).round().astype(int)
        chosen += [of_cell[place] for place in dict.fromkeys(places.tolist())]
    return sorted(chosen[:most], key=lambda one: (one.case_index, one.epoch, one.cell))


def read(record: EpisodeRecord, one: EpisodeRow, group: Group, targets: _Targets) -> Episode:
    """Return what the page shows of a record."""
    pages: list[str] = []
    turns: list[Turn] = []
    for step in record.steps:
        found = read_message(step.action, closing=step.kind == "final") if step.valid else None
        message = None if found is None or isinstance(found, Unreadable) else found.message
        if message is not None and message.html is not None:
            pages.append(message.html)
        question = message.question or "" if message is not None else ""
        reply = step.reply.partition("\n")[0]
        free = reply.endswith(("It cost no round.", "this one is free."))
        turns.append(Turn(len(pages) - 1 if pages else None, question, reply, step.valid, free))
    game = record.game or {}
    target = targets.of(record.case, record.env.arguments)
    return Episode(group, one, game.get("request", ""), target, tuple(pages), tuple(turns), game.get("scores"))


def curve(totals: Sequence[int]) -> str:
    """A small chart of scores from 0 to 100 as SVG.

    >>> curve([10, 50]).count("<circle")
    2
    """
    width, height, left, foot = 300, 96, 26, 16
    step = (width - left - 8) / max(1, len(totals) - 1)
    points = [
        (round(left + index * step, 1), round(4 + (height - foot - 4) * (1 - total / 100), 1))
        for index, total in enumerate(totals)
    ]
    rules = "".join(
        f'<line x1="{left}" x2="{width - 4}" y1="{y}" y2="{y}" stroke="var(--rule)"/>'
        f'<text x="{left - 5}" y="{y + 4}" text-anchor="end">{value}</text>'
        for value in (0, 50, 100)
        for y in (round(4 + (height - foot - 4) * (1 - value / 100), 1),)
    )
    path = " ".join(f"{x},{y}" for x, y in points)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="2.2"/>' for x, y in points)
    ends = f'<text x="{left}" y="{height - 2}">1</text>'
    if len(totals) > 1:
        ends += f'<text x="{width - 8}" y="{height - 2}" text-anchor="middle">{len(totals)}</text>'
    label = f"Score after each message: {', '.join(map(str, totals))}"
    return (
        f'<svg class="curve" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{rules}'
        f'<polyline points="{path}" fill="none" stroke="{COLOURS[0]}" stroke-width="1.6"/>'
        f'<g fill="{COLOURS[0]}">{dots}</g>{ends}</svg>'
    )


# What is drawn and scored.


class Picture(NamedTuple):
    """A picture in the run's folder, and its size in pixels; ``file`` is '' where there is none."""

    title: str
    file: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Drawing:
    """What was drawn of an episode.

    Attributes:
        pictures: of the target, the first and the final page.
        totals: offline scores of the page after each message, from the first page on.
    """

    pictures: tuple[Picture, ...]
    totals: tuple[int, ...]


class _Targets:
    """Finds targets again by what records say."""

    def __init__(self) -> None:
        self._given: dict[str, Given | None] = {}

    def of(self, case: str, arguments: Mapping[str, Any]) -> Target | None:
        """The target of a case, None where it is not there any more."""
        path = arguments.get("targets")
        with contextlib.suppress(ConfigError):
            if path is None:
                return of_design(find(case))
            if path not in self._given:
                self._given[path] = None
                self._given[path] = Given(path)
            given = self._given[path]
            if given is not None and case in given.ids():
                return given.draw(np.random.default_rng(0), case)
        return None


class _Drawn:
    """Draws pages into a folder and scores them, each once."""

    def __init__(self, folder: Path) -> None:
        self.problem = ""
        self._folder = folder
        try:
            kept = read_json(folder / CACHE)
            self._scores: dict[str, list[int]] = kept["scores"] if kept["version"] == PageJudge.version else {}
        except (OSError, ValueError, KeyError, TypeError):
            self._scores = {}

    def episode(self, one: Episode) -> Drawing:
        """Its pictures, and the scores of its pages."""
        shown: list[tuple[str, Target | str | None]] = [("Target", one.target)]
        if one.pages:
            shown += [("First page", one.pages[0]), ("Final page", one.pages[-1])]
        pictures = tuple(self._picture(title, page) for title, page in shown)
        if one.target is None:
            return Drawing(pictures, ())
        totals = [self._total(one, one.target, one.pages[number]) for number in one.rounds]
        return Drawing(pictures, tuple(total for total in totals if total is not None))

    def save(self) -> None:
        """Keep the scores."""
        write_atomically(
            self._folder / CACHE, json.dumps({"version": PageJudge.version, "scores": self._scores}) + "\n"
        )

    def _total(self, one: Episode, target: Target, page: str) -> int | None:
        from interactive_envs.ui2html.judge import floor, scoring  # half a second, which every report would take

        known = target.for_judge()
        key = _digest(json.dumps([known, page, one.request]))
        if key not in self._scores:
            with self._without_browser():
                under = floor.floor_of(known, one.request)
                self._scores[key] = list(scoring.score(drawing.drawn_target(known), drawing.drawn(page), under))
        return sum(self._scores[key]) if key in self._scores else None

    def _picture(self, title: str, page: Target | str | None) -> Picture:
        if page is None:
            return Picture(title)
        source = {"html": page} if isinstance(page, str) else page.for_judge()
        name = f"{PICTURES}/{_digest(json.dumps(source))}.png"
        path = self._folder / name
        if _size(path) is None:
            with self._without_browser():
                small = _small(drawing.drawn_target(source).png)
                make_subfolder(self._folder, PICTURES)
                write_atomically(path, small)
        size = _size(path)
        return Picture(title, name, *size) if size else Picture(title)

    @contextlib.contextmanager
    def _without_browser(self) -> Iterator[None]:
        try:
            yield
        except (ConfigError, MissingExtraError, FaultError, HtmlError) as error:
            self.problem = self.problem or str(error)


def _small(png: bytes) -> bytes:
    """A picture of few colours, ``PICTURE_WIDTH`` wide."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        height = max(1, round(image.height * PICTURE_WIDTH / image.width))
        small = image.convert("RGB").resize((PICTURE_WIDTH, height), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.quantize(COLOURS_KEPT).save(out, "PNG", optimize=True)
    return out.getvalue()


def _size(path: Path) -> tuple[int, int] | None:
    """Of a picture in px; None where there is none that can be read."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(read_bytes(path)), formats=["PNG"]) as image:
            return image.size
    except (OSError, ValueError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]


# What is counted.


def _conditions(cells: Mapping[int, Cell]) -> dict[int, Group]:
    """The player and the condition of each cell: the rounds, and what else tells cells apart."""
    filled = {index: fill_arguments(cell) for index, cell in cells.items()}
    others = [
        name for name in differing_arguments(list(filled.values())) if name not in ("rounds", "no_interaction", "judge")
    ]
    judges = {run_summary.judge_spec(cell) for cell in cells.values()}
    found = {}
    for index, cell in cells.items():
        rounds = 0 if filled[index]["no_interaction"] else filled[index]["rounds"]
        parts = [f"{rounds} round{'' if rounds == 1 else 's'}"]
        parts += [f"{name}={plain(filled[index].get(name))}" for name in others]
        parts += [f"judge {run_summary.judge_spec(cell)}"] if len(judges) > 1 else []
        found[index] = (cell.player.removeprefix("ui2html/"), ", ".join(parts))
    return found


def _by_dimension(finals: Sequence[tuple[Group, EpisodeRow, Mapping[str, int] | None]]) -> Table:
    columns = (*(Column(name, name.capitalize(), decimal) for name in DIMENSIONS), Column("total", "Score", decimal))
    rows = []
    for group, mine in group_by(finals, lambda one: one[0]).items():
        cases = [one.case_index for _, one, _ in mine]
        values = {name: [float((scores or {}).get(name, 0)) for _, _, scores in mine] for name in DIMENSIONS}
        totals = np.sum(list(values.values()), axis=0)
        scores_by = {name: estimates.mean(of, cases, lowest=0.0, highest=BEST) for name, of in values.items()}
        rows.append(row(group, **scores_by, total=estimates.mean(totals, cases, lowest=0.0, highest=5.0 * BEST)))
    note = (
        "Scores of the final page as judged in the run, 0 to 20 a dimension and 0 to 100 in all; an episode without a "
        "page has 0."
    )
    return Table("scores", "Scores by dimension", note, ("player", "condition"), columns, tuple(rows))


def _by_round(episodes: Sequence[tuple[Episode, Drawing]]) -> list[Table]:
    scored = [(episode, drawn) for episode, drawn in episodes if drawn.totals]
    if not scored:
        return []
    longest = max(len(drawn.totals) for _, drawn in scored)
    steps = [step for step in STEPS if step < longest]
    columns = (
        *(Column(f"after_{step}", "First|page" if not step else f"After|{step} rounds", decimal) for step in steps),
        Column("final", "Final|page", decimal),
    )
    rows = []
    for group, mine in group_by(scored, lambda one: one[0].group).items():
        values = {f"after_{step}": _mean_at(mine, step) for step in steps}
        rows.append(row(group, **values, final=_mean_at(mine, longest)))
    note = (
        f"Offline scores of the pages of {len(scored)} episodes, those shown below. One that is over keeps its last "
        "page."
    )
    return [Table("rounds", "Scores by round", note, ("player", "condition"), columns, tuple(rows))]


def _mean_at(mine: Sequence[tuple[Episode, Drawing]], place: int) -> Estimate:
    if not mine:
        return NOTHING
    values = [float(drawn.totals[min(place, len(drawn.totals) - 1)]) for _, drawn in mine]
    return estimates.mean(values, [episode.row.case_index for episode, _ in mine], lowest=0.0, highest=5.0 * BEST)


def _charts(episodes: Sequence[tuple[Episode, Drawing]]) -> Iterator[Chart]:
    """Scores by round, a curve a player and condition."""
    scored = [(episode, drawn) for episode, drawn in episodes if drawn.totals]
    longest = max((len(drawn.totals) for _, drawn in scored), default=0)
    if longest < 2:
        return
    groups = group_by(scored, lambda one: one[0].group)
    several = len({condition for _, condition in groups}) > 1
    label = functools.partial(_label, several=several)
    points = {
        group: [(place + 1, _mean_at(mine, place).as_json()) for place in range(longest)]
        for group, mine in groups.items()
    }
    lines = [
        (label(group), {"color": COLOURS[place], "marker": MARKERS[place]}, of)
        for place, (group, of) in enumerate(list(points.items())[:CURVES])
    ]
    with charts.style():
        show = "{:.0f}".format
        figure = charts.line_figure({"All pages": lines}, "messages with a page", steps=True, bands=BANDS, show=show)
        header = ("player", "message", *NUMBERS)
        table = [
            (label(group), at, *(of[part] for part in NUMBERS)) for group, row_ in points.items() for at, of in row_
        ]
        caption = (
            "Mean offline score, 0 to 100, of the page after each message; an episode that is over keeps its last "
            "page. 95 % intervals, clustered by target, as bands, or as bars at the end of the curves."
            + charts.left_out_note(len(points), len(lines))
        )
        yield charts.as_chart("score_by_round", "Score by round", caption, figure, (header, *table))


def _label(group: Group, *, several: bool) -> str:
    return f"{group[0]}, {group[1]}" if several else group[0]
