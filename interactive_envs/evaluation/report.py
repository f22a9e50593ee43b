"""A run's page for people: one self-contained HTML file, with every transcript as a file beside it."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import ChainableUndefined, Environment, FunctionLoader

from interactive_envs import catalog
from interactive_envs.core import canonical_json
from interactive_envs.errors import MissingExtraError
from interactive_envs.evaluation import charts, metrics
from interactive_envs.evaluation.records import EpisodeRow, RunConfig, RunStore, write_atomically
from interactive_envs.evaluation.words import Words, words_of
from interactive_envs.files import make_subfolder
from interactive_envs.outcome import Outcome

SIZE = 5_000_000
"""Bytes of the page at most."""
INLINE = 200
"""Transcripts inside the page at most; more than that nobody reads there."""
FILES = 20_000
"""Transcript files beside the page at most."""
GLYPHS = 6_000
"""Episodes in the per-case tables at most."""
TABLE_ROWS = 300
"""Rows of any other table at most."""
EPOCHS = 4
"""Episodes of one case and player that the per-case table shows one by one."""
CUT_INLINE, CUT_FILE = 6_000, 200_000
"""Characters of one message in the page, and in its own file."""
TABLES = {
    "query.html": "query games",
    "boxes.html": "black boxes",
    "games.html": "generated games",
    "pages.html": "web pages",
}
"""Pages of tables that may lie beside the page, and what they are about."""

_SITUATION = re.compile(
    r"""(?P<rules>.*?\nYou\ are\ (?:First|Second)\.[^\n]*\n\n)?
    (?P<notice>Not\ read:\ .*?\n\n)?
    (?P<moves>Moves\ so\ far:\n(?:[^\n]+\n)*\n)?
    (?P<board>.*?)
    (?P<rest>\n\nYou\ are\ (?:First|Second)\ and\ to\ move\.[^\n]*)?\Z""",
    re.DOTALL | re.VERBOSE,
)
"""What a generated game tells a player."""
_DOCUMENT = re.compile(r"<!doctype\s+html\b|<html\b", re.IGNORECASE | re.ASCII)
_DOCUMENT_END = re.compile(r"</html\s*>", re.IGNORECASE | re.ASCII)

GLYPH = {
    Outcome.SUCCESS: "✓",
    Outcome.FAILURE: "✗",
    Outcome.TIMEOUT: "○",
    Outcome.FORMAT_ERROR: "!",
    Outcome.FORFEIT: "⚑",
    Outcome.DRAW: "=",
    Outcome.SCORED: "◆",
}


@dataclass
class _Seen:
    """What the records say beyond the rows, each value once, in order of appearance."""

    values: dict[str, dict[str, None]] = field(default_factory=dict)

    def note(self, record: Mapping[str, Any]) -> None:
        for name, version in (record.get("versions") or {}).items():
            self._add("versions", f"{name} {version}")
        for model in record.get("models") or ():
            self._add("models", str(model))
        for wrapper in record.get("wrappers") or ():
            self._add("wrappers", wrapper if isinstance(wrapper, str) else canonical_json(wrapper))
        agent, env = record.get("agent") or {}, record.get("env") or {}
        details = {key: value for key, value in agent.items() if key not in {"spec", "name"} and value}
        if details:
            self._add("players", f"{agent.get('spec')}: {_details(details)}")
        if env.get("data_sha256"):
            self._add("data", f"{env.get('id')} {env['data_sha256'][:12]}")
        judge = record.get("judge")
        if judge:
            known = {"spec", "name", "approximate"}
            details = {key: value for key, value in judge.items() if key not in known and value}
            approximate = ", approximate" if judge.get("approximate") else ""
            self._add(
                "judges",
                f"{judge.get('spec') or judge.get('name')}{approximate}{': ' if details else ''}{_details(details)}",
            )

    def _add(self, kind: str, value: str) -> None:
        found = self.values.setdefault(kind, {})
        if len(found) < 50:
            found[value] = None


@dataclass(frozen=True)
class _Column:
    """A column of the results.

    Attributes:
        title: ``|`` breaks the line.
        note: what it says, for below the table.
        of: a cell's estimate; None where it has none to show.
        show: how numbers are written.
        interval: how intervals are.
        unit: behind the value.
        missing: what stands where a cell has none.
    """

    title: str
    note: str
    of: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
    show: Callable[[float], str]
    interval: Callable[[Mapping[str, Any]], str]
    unit: str = ""
    missing: str = "\N{EN DASH}"


@dataclass(frozen=True)
class _Transcript:
    """A transcript that may go into the page."""

    row: EpisodeRow
    html: str


def write(store: RunStore) -> Path:
    """Write ``report.html`` into the run's folder, with ``charts/`` and ``transcripts/`` beside it.

    Works on unfinished runs, and says so. Without matplotlib the page has no charts, and says so.

    Args:
        store: the run.

    Returns:
        The page's path.
    """
    rows = store.rows()
    summary = metrics.summarise(store.config, rows, metrics.judges_of(store, rows))
    timing = metrics.timing(store.config, rows)
    names, words = metrics.names(store.config, summary["cells"]), words_of(store.config)
    try:
        figures, no_charts = charts.draw(store.config, summary, timing), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(store.folder / "charts")
    seen, candidates = _Seen(), list[_Transcript]()
    written = _write_transcripts(store, rows, names, seen, candidates)
    template = templates().get_template("report.html.j2")
    content = {
        "store": store,
        "config": store.config,
        "summary": summary,
        "timing": timing,
        "names": names,
        "faults": store.faults(),
        "seen": {kind: list(values) for kind, values in seen.values.items()},
        "no_charts": no_charts,
        "settings": _settings(names),
        "columns": _columns(summary, timing, words),
        "words": words,
        "shared": _shared(store.config),
        "differences": _by_setting(summary["differences"][:TABLE_ROWS], names),
        "highlights": _highlights(summary, names, words),
        "cases": _case_tables(rows, names, written, words),
        "legend": _legend(rows, words),
        "left_out": len(rows) - len(written),
        "table_rows": TABLE_ROWS,
        "tables": {name: of for name, of in TABLES.items() if (store.folder / name).exists()},
    }

    def render(figures: Sequence[charts.Chart], transcripts: Sequence[_Transcript]) -> bytes:
        return as_bytes(template.render(**content, figures=figures, transcripts=transcripts, total=len(rows)))

    page = render(figures, ())
    while len(page) > SIZE and figures:
        figures = figures[:-1]
        page = render(figures, ())
    fitting = list(_fitting(candidates, SIZE - len(page) - 10_000))
    path = store.folder / "report.html"
    write_atomically(path, render(figures, fitting))
    return path


def _write_transcripts(
    store: RunStore,
    rows: Sequence[EpisodeRow],
    names: Sequence[metrics.CellName],
    seen: _Seen,
    candidates: list[_Transcript],
) -> set[tuple[int, int, int]]:
    """Write the files one record at a time, failures first; keep those that may go into the page."""
    folder = make_subfolder(store.folder, "transcripts")
    environment = templates()
    whole, part = environment.get_template("transcript.html.j2"), environment.get_template("episode.html.j2")
    written, room = set(), SIZE
    for row in _failures_first(rows)[:FILES]:
        record = store.record(row)
        seen.note(record)
        told = {"record": record, "row": row, "name": names[row.cell], "glyph": glyph(row), "file": file_name(row)}
        unit = catalog.read()["units"].get(store.config.cells[row.cell].env_id, {})
        told["has_board"] = unit.get("family") == "generated"
        write_atomically(folder / file_name(row), as_bytes(whole.render(**told, limit=CUT_FILE)))
        written.add(row.key)
        if len(candidates) < INLINE and room > 0:
            candidates.append(_Transcript(row, part.render(**told, limit=CUT_INLINE)))
            room -= len(as_bytes(candidates[-1].html))
    return written


def _failures_first(rows: Sequence[EpisodeRow]) -> list[EpisodeRow]:
    """Failures, then the rest; within each the cells take turns, so that every player is seen early."""
    place: Counter[tuple[bool, int]] = Counter()
    order = []
    for row in rows:
        solved = row.outcome == Outcome.SUCCESS
        order.append((solved, place[solved, row.cell], row.cell, row))
        place[solved, row.cell] += 1
    return [entry[-1] for entry in sorted(order, key=lambda entry: entry[:3])]


def _fitting(candidates: Iterable[_Transcript], room: int) -> Iterator[_Transcript]:
    for transcript in candidates:
        room -= len(as_bytes(transcript.html)) + 200
        if room < 0:
            return
        yield transcript


def file_name(row: EpisodeRow) -> str:
    """A transcript's file: numbers only, nothing a stranger wrote."""
    return f"{row.cell}-{row.case_index}-{row.epoch}.html"


def glyph(row: EpisodeRow) -> str:
    """The sign of an outcome, readable without colour."""
    return "(✓)" if row.won_by == "forced" else GLYPH.get(Outcome(row.outcome), "?")


def _settings(names: Sequence[metrics.CellName]) -> dict[str, list[int]]:
    """The cells by setting, those with interaction first."""
    found: dict[str, list[int]] = {}
    for index in sorted(range(len(names)), key=lambda index: (not names[index].interactive, index)):
        found.setdefault(names[index].setting, []).append(index)
    return found


def _columns(summary: Mapping[str, Any], timing: Mapping[str, Any], words: Words) -> list[tuple[_Column, list[Any]]]:
    """The columns of the results that have a value in some row, with the estimate of every cell."""
    gains = {gain["cell"]: gain for gain in summary["gains"]}
    rare = {
        "any_forced": any(cell["forced_wins"] for cell in summary["cells"]),
        "any_abstained": any(cell["abstained_share"]["value"] for cell in summary["cells"]),
    }
    told = [
        {**cell, **clock, **rare, "gain": gains.get(index)}
        for index, (cell, clock) in enumerate(zip(summary["cells"], timing["cells"], strict=True))
    ]
    filled = [(column, [column.of(cell) for cell in told]) for column in _columns_in(words)]
    return [(column, cells) for column, cells in filled if any(cell and cell["n"] for cell in cells)]


def _by_setting(
    differences: Iterable[Mapping[str, Any]], names: Sequence[metrics.CellName]
) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for pair in differences:
        found.setdefault(names[pair["left"]].setting, []).append(pair)
    return found


def _shared(config: RunConfig) -> list[str]:
    """What the names of cells leave out: the arguments that all have in common, and who is met where nobody said so."""
    first, *others = (cell.arguments for cell in config.cells)
    shared = {
        name: canonical_json(value)
        for name, value in first.items()
        if all(canonical_json(other.get(name)) == canonical_json(value) for other in others)
    }
    units = [catalog.read()["units"].get(cell.env_id, {}) for cell in config.cells]
    for name in ("opponents", "seat"):
        values = {canonical_json(unit.get("defaults", {}).get(name)) for unit in units}
        if len(values) == 1 and values != {"null"} and not any(name in cell.arguments for cell in config.cells):
            shared[name] = f"{values.pop()} (the default)"
    return [f"{name}={value}" for name, value in sorted(shared.items())]


def _highlights(summary: Mapping[str, Any], names: Sequence[metrics.CellName], words: Words) -> list[dict[str, Any]]:
    """Who solved or scored most in each setting with interaction."""
    found: list[dict[str, Any]] = []
    for setting, cells in _settings(names).items():
        played = [summary["cells"][index] for index in cells if summary["cells"][index]["n_valid"]]
        if played and names[cells[0]].interactive and len(found) < 6:
            scored = any(cell["scored"] for cell in played)
            kind, show, unit = ("reward", _score, "") if scored else ("accuracy", _percent, " %")
            best = max(cell[kind]["value"] for cell in played)
            first = [cell for cell in played if cell[kind]["value"] == best]
            told = {"verb": "scored" if scored else words.done, "value": show(best) + unit, "n": first[0][kind]["n"]}
            told["interval"] = spread(show)(first[0][kind])
            found.append({"setting": setting, "best": first, "players": len(played), **told})
    return found


def _legend(rows: Iterable[EpisodeRow], words: Words) -> dict[str, str]:
    used = {glyph(row) for row in rows}
    meanings = {
        "✓": words.done,
        "(✓)": "solved by the forced final answer",
        "✗": words.failed,
        "○": words.late,
        "!": "unreadable",
        "⚑": "forfeit",
        "=": "draw",
        "◆": "scored",
    }
    return {sign: meaning for sign, meaning in meanings.items() if sign in used}


def _case_tables(
    rows: Sequence[EpisodeRow], names: Sequence[metrics.CellName], written: set[tuple[int, int, int]], words: Words
) -> list[dict[str, Any]]:
    """For each setting its cases by its players, as far as GLYPHS episodes reach."""
    by_cell: dict[int, dict[int, list[EpisodeRow]]] = {}
    for row in rows:
        by_cell.setdefault(row.cell, {}).setdefault(row.case_index, []).append(row)
    tables = []
    settings = {setting: [c for c in cells if c in by_cell] for setting, cells in _settings(names).items()}
    settings = {setting: cells for setting, cells in settings.items() if cells}
    room = GLYPHS // max(1, len(settings))
    for setting, cells in list(settings.items())[:TABLE_ROWS]:
        cells_shown = cells[:40]
        cases = sorted({case for index in cells for case in by_cell[index]})
        epochs = max(len(by_cell[index][case]) for index in cells for case in by_cell[index])
        shown = cases[: max(1, room // (len(cells_shown) * min(epochs, EPOCHS)))]
        lines = [
            {
                "case": next(by_cell[index][case][0].case for index in cells if case in by_cell[index]),
                "cells": [_case_cell(by_cell[index].get(case, []), written, words) for index in cells_shown],
            }
            for case in shown
        ]
        players = [names[index].player for index in cells_shown]
        tables.append(
            {
                "setting": setting,
                "players": players,
                "lines": lines,
                "cases_left_out": len(cases) - len(shown),
                "players_left_out": len(cells) - len(cells_shown),
            }
        )
    return tables


def _case_cell(rows: Sequence[EpisodeRow], written: set[tuple[int, int, int]], words: Words) -> dict[str, Any]:
    scored = [row.reward for row in rows if row.outcome == Outcome.SCORED]
    solved = sum(row.outcome == Outcome.SUCCESS for row in rows)
    return {
        "n": len(rows),
        "told": f"{_score(sum(scored) / len(scored))} in {len(rows)}"
        if scored
        else f"{solved} of {len(rows)} {words.done}",
        "episodes": [(glyph(row), row, file_name(row) if row.key in written else None) for row in rows[:EPOCHS]],
    }


@functools.cache
def templates() -> Environment:
    """The pages' templates and filters; ``overlay()`` it before adding to it."""
    # Undefined names render as nothing: records of other environments may lack a field.
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= _FILTERS
    environment.globals["css"] = _source("report.css")
    return environment


def _source(name: str) -> str:
    return (resources.files("interactive_envs.evaluation") / "data" / name).read_text(encoding="utf-8")


def as_bytes(text: str) -> bytes:
    """UTF-8, whatever a stranger's JSON smuggled in as half a surrogate pair."""
    return text.encode("utf-8", "replace")


def _details(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} {value[:12] if key.endswith('sha256') and isinstance(value, str) else _plain(value)}"
        for key, value in values.items()
    )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _short(text: Any, width: int = 120) -> str:
    line = _visible(" ".join(str(text).split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def _visible(text: Any) -> str:
    """Control characters as their pictures: they would vanish, or end a line where there is none."""
    return "".join(char if char >= " " or char in "\n\t" else chr(0x2400 + ord(char)) for char in str(text))


def _situation(text: str) -> dict[str, str]:
    """What a generated game tells: its rules, the moves so far, the board, the legal moves; '' for what it does not."""
    parts = _SITUATION.match(text)
    return {name: part.strip("\n") for name, part in parts.groupdict("").items()} if parts else {"board": text}


def _pieces(text: str) -> list[tuple[str, bool]]:
    """A message in pieces: its HTML documents, and what is said around them; whether each is a document."""
    found: list[tuple[str, bool]] = []
    place = 0
    while opened := _DOCUMENT.search(text, place):
        closed = _DOCUMENT_END.search(text, opened.end())
        if closed is None:
            break
        found += [(text[place : opened.start()], False), (text[opened.start() : closed.end()], True)]
        place = closed.end()
    pieces = [(piece.strip("\n"), page) for piece, page in (*found, (text[place:], False))]
    return [(piece, page) for piece, page in pieces if piece]


def spread(show: Callable[[float], str]) -> Callable[[Mapping[str, Any]], str]:
    """The interval of an estimate in brackets."""

    def interval(numbers: Mapping[str, Any]) -> str:
        return "" if numbers["low"] is None else f"[{show(numbers['low'])}, {show(numbers['high'])}]"

    return interval


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"


def _points(value: float) -> str:
    points = f"{100 * value:+.0f}"
    return "0" if points in {"+0", "-0"} else points.replace("-", "\N{MINUS SIGN}")


def _score(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or not value else f"{value:.1f}"


def _seconds(value: float) -> str:
    if value >= 5400:
        return f"{value / 3600:.1f} h"
    if value >= 90:
        return f"{value / 60:.1f} min"
    return f"{value:.1f} s" if value >= 1 else f"{1000 * value:.0f} ms"


def _times(numbers: Mapping[str, Any]) -> str:
    """An interval of seconds, the unit once where both ends have the same."""
    ends = spread(_seconds)(numbers)
    unit = ends[:-1].rpartition(" ")[2]
    return ends if ends.count(f" {unit}") < 2 else ends.replace(f" {unit}", "", 1)


def _money(value: float | None) -> str:
    if value is None:
        return "unknown"
    if not value:
        return "$0"
    return f"${value:,.2f}" if value >= 1 else f"${float(f'{value:.2g}'):.7f}".rstrip("0")


def _paid(cell: Mapping[str, Any]) -> bool:
    return bool(cell["scored"] or cell["outcomes"].get(Outcome.DRAW))


def _columns_in(words: Words) -> tuple[_Column, ...]:
    """Every column of the results."""
    return (
        _Column(
            words.share, f"{words.done}{words.within}",
            lambda cell: None if cell["scored"] else cell["accuracy"], _percent, spread(_percent), " %",
        ),
        _Column(
            "with forced|final", "accuracy, an answer forced after the last round counted too",
            lambda cell: cell["accuracy_with_forced"] if cell["any_forced"] and not cell["scored"] else None,
            _percent, spread(_percent), " %",
        ),
        _Column(
            "Reward", "mean an episode",
            lambda cell: cell["reward"] if _paid(cell) else None, _score, spread(_score),
        ),
        _Column(
            f"Turns|to {words.do}", f"mean over the episodes {words.done}{words.within}",
            lambda cell: None if cell["scored"] else cell["turns_solved"], _number, spread(_number),
        ),
        _Column(
            "First final|right", "of the episodes that gave a final answer",
            lambda cell: None if cell["scored"] else cell["first_final"], _percent, spread(_percent), " %",
        ),
        _Column(
            "Gain by|interaction",
            "accuracy in percentage points over the same player without questions, paired by case",
            lambda cell: cell["gain"], _points, spread(_points),
        ),
        _Column(
            "Unreadable", "share of messages",
            lambda cell: cell["invalid_share"], _percent, spread(_percent), " %",
        ),
        _Column(
            "Judge|abstained", "share of messages that it could not read",
            lambda cell: cell["abstained_share"] if cell["any_abstained"] and cell["judge"] is not None else None,
            _percent, spread(_percent), " %",
        ),
        _Column(
            "Tokens", "the player's, mean an episode",
            lambda cell: cell["tokens"]["total"], _number, spread(_number),
        ),
        _Column(
            "Cost", "player and judge, mean an episode",
            lambda cell: cell["cost_per_episode"], _money, spread(lambda value: _money(value).replace("$", "")),
            missing="unknown",
        ),
        _Column(
            "Time", "mean an episode",
            lambda cell: cell["seconds"], _seconds, _times,
        ),
    )  # fmt: skip


_FILTERS: dict[str, Callable[..., Any]] = {
    "glyph": glyph,
    "short": _short,
    "visible": _visible,
    "pieces": _pieces,
    "situation": _situation,
    "plain": _plain,
    "score": _score,
    "points": _points,
    "seconds": _seconds,
    "money": _money,
    "point_interval": spread(_points),
}
