"""A run's page for people: one self-contained HTML file, with every transcript as a file beside it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs import catalog
from interactive_envs.errors import MissingExtraError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import charts
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.asking import anytime, relays
from interactive_envs.reporting.compact.rows import Rows
from interactive_envs.reporting.metrics import METRICS, NOT_SCORED, Metric
from interactive_envs.reporting.page import (
    as_bytes,
    as_percent,
    as_score,
    file_name,
    glyph,
    settings_line,
    spread,
    templates,
)
from interactive_envs.reporting.records import EpisodeRow, RunConfig
from interactive_envs.reporting.run_tables import RunPage, all_tables, report_pages, write_cell
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import Table
from interactive_envs.reporting.words import Words, words_of
from interactive_envs.seeds import canonical_json
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder

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


@dataclass
class _Seen:
    """What the records say beyond the rows, each value once, in order of appearance."""

    values: dict[str, dict[str, None]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)  # the first of each kind of episode pages

    def note(self, record: Mapping[str, Any]) -> None:
        for name, version in (record.get("versions") or {}).items():
            self._add("versions", f"{name} {version}")
        for model in record.get("models") or ():
            self._add("models", str(model))
        for wrapper in record.get("wrappers") or ():
            self._add("wrappers", wrapper if isinstance(wrapper, str) else canonical_json(wrapper))
        agent, env = record.get("agent") or {}, record.get("env") or {}
        if said := _details(agent):
            self._add("players", f"{agent.get('spec')}: {said}")
        if env.get("data_sha256"):
            self._add("data", f"{env.get('id')} {env['data_sha256'][:12]}")
        judge = record.get("judge")
        if judge:
            known = {"spec", "name", "approximate"}
            details = {key: value for key, value in judge.items() if key not in known and value}
            approximate = ", approximate" if judge.get("approximate") else ""
            self._add(
                "judges",
                f"{judge.get('spec') or judge.get('name')}{approximate}"
                f"{': ' if details else ''}{settings_line(details)}",
            )

    def _add(self, kind: str, value: str) -> None:
        found = self.values.setdefault(kind, {})
        if len(found) < 50:
            found[value] = None


def _details(agent: Mapping[str, Any]) -> str:
    """What a player says of itself beyond its name, and what each of its parts does."""
    known = {key: value for key, value in agent.items() if key not in {"spec", "name"} and value}
    parts = {key: _details(value) for key, value in known.items() if isinstance(value, Mapping) and "spec" in value}
    own = settings_line({key: value for key, value in known.items() if key not in parts})
    return "; ".join(filter(None, [own, *(f"{part}: {line}" for part, line in parts.items() if line)]))


@dataclass(frozen=True)
class _Transcript:
    """A transcript that may go into the page."""

    row: EpisodeRow
    html: str
    page: tuple[str, str] | None


def write_with_pages(store: RunStore) -> Path:
    """Write the pages of families that the run plays, then the report page, which links to them; return its path."""
    for page in report_pages():
        if page.is_played(store.config):
            page.write(store)
    return write(store)


def write(store: RunStore) -> Path:
    """Write ``report.html`` into the run's folder, with ``charts/`` and ``transcripts/`` beside it.

    Works on unfinished runs, and says so. Without matplotlib the page has no charts, and says so.

    Args:
        store: the run.

    Returns:
        The page's path.
    """
    rows = store.rows()
    summary = run_summary.of_store(store, rows)
    timing = run_summary.timing(store.config, rows)
    names, words = run_summary.names(store.config, summary["cells"]), words_of(store.config)
    try:
        figures, no_charts = charts.draw(store.config, summary, timing), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    curves = anytime.read(store, rows)
    if curves:
        anytime.write(store, curves)
        figures += [] if no_charts else list(anytime.draw(store.config, curves))
    for figure in figures:
        figure.save(store.folder / "charts")
    seen, candidates = _Seen(), list[_Transcript]()
    beside: list[RunPage] = [*all_tables(), *report_pages()]
    written = _write_transcripts(store, rows, names, beside, seen, candidates)
    template = templates(__package__).get_template("report.html.j2")
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
        "reward_differences": _by_setting(run_summary.reward_differences(store.config, rows)[:TABLE_ROWS], names),
        "highlights": _highlights(summary, names, words),
        "cases": _case_tables(rows, names, written, words),
        "legend": _legend(rows, words),
        "left_out": len(rows) - len(written),
        "table_rows": TABLE_ROWS,
        "asking": asking_tables(store, rows, curves),
        "write_cell": write_cell,
        "tables": {page.file: page.subject for page in beside if (store.folder / page.file).exists()},
        "episode_pages": seen.pages,
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


def asking_tables(store: RunStore, rows: Sequence[EpisodeRow], curves: Sequence[anytime.Curve]) -> list[Table]:
    """The tables of answers between the turns and of relays, where there were some."""
    return [*([anytime.table(store.config, curves)] if curves else []), *relays.make(store, rows)]


def _write_transcripts(
    store: RunStore,
    rows: Rows,
    names: Sequence[run_summary.CellName],
    pages: Sequence[RunPage],
    seen: _Seen,
    candidates: list[_Transcript],
) -> set[tuple[int, int, int]]:
    """Write the files one record at a time, failures first; keep those that may go into the page."""
    folder = make_subfolder(store.folder, "transcripts")
    environment = templates(__package__)
    whole, part = environment.get_template("transcript.html.j2"), environment.get_template("episode.html.j2")
    written, room = set(), SIZE
    chosen = failures_first(rows, FILES)
    files = [None, *(file_name(row) for row in sorted(chosen, key=lambda row: row.key)), None]
    around = {file: {"before": files[at - 1], "after": files[at + 1]} for at, file in enumerate(files) if file}
    for row in chosen:
        record = store.record(row)
        seen.note(record)
        page = _episode_page(store, pages, row)
        if page:
            seen.pages.setdefault(*page)
        content = {"record": record, "row": row, "name": names[row.cell], "glyph": glyph(row), "file": file_name(row)}
        content["layout"] = layout_of(store.config.cells[row.cell].env_id)
        file = whole.render(**content, **around[file_name(row)], page=page, limit=CUT_FILE)
        write_atomically(folder / file_name(row), as_bytes(file))
        written.add(row.key)
        if len(candidates) < INLINE and room > 0:
            candidates.append(_Transcript(row, part.render(**content, limit=CUT_INLINE), page))
            room -= len(as_bytes(candidates[-1].html))
    return written


def _episode_page(store: RunStore, pages: Iterable[RunPage], row: EpisodeRow) -> tuple[str, str] | None:
    """The page that the episode's family wrote of it: what links call it, and its file."""
    told = [page.episode_page(row) for page in pages if page.holds(store.config.cells[row.cell])]
    return next((found for found in told if found and (store.folder / found[1]).exists()), None)


@functools.cache
def layout_of(env_id: str) -> Callable[[str], Mapping[str, str]] | None:
    """What splits the observations of an environment into parts, None where they are shown as they are."""
    unit = catalog.load()["units"].get(env_id)
    layout = unit and catalog.family(unit["family"]).layout
    return catalog.attribute(layout) if layout else None


def failures_first(rows: Rows, most: int) -> list[EpisodeRow]:
    """Failures, then the rest; within each the cells take turns, so that every player is seen early."""
    cell, solved = rows.column("cell").astype(int), rows.equal("outcome", Outcome.SUCCESS)
    _, group = np.unique(2 * cell + solved, return_inverse=True)
    turns = np.empty(len(rows), int)  # of an episode within its cell
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], group[order])
    turns[order] = np.arange(len(rows)) - begins
    return rows.rows_at(np.lexsort((cell, turns, solved))[:most])


def _fitting(candidates: Iterable[_Transcript], room: int) -> Iterator[_Transcript]:
    for transcript in candidates:
        room -= len(as_bytes(transcript.html)) + 200
        if room < 0:
            return
        yield transcript


def _settings(names: Sequence[run_summary.CellName]) -> dict[str, list[int]]:
    """The cells by setting, those with interaction first."""
    found: dict[str, list[int]] = {}
    for index in sorted(range(len(names)), key=lambda index: (not names[index].interactive, index)):
        found.setdefault(names[index].setting, []).append(index)
    return found


def _columns(summary: Mapping[str, Any], timing: Mapping[str, Any], words: Words) -> list[tuple[Metric, list[Any]]]:
    """The metrics that have a value in some row, each with the numbers of every cell."""
    gains = {gain["cell"]: gain for gain in summary["gains"]}
    cells = [
        {**cell, **clock, "gain": gains.get(index)}
        for index, (cell, clock) in enumerate(zip(summary["cells"], timing["cells"], strict=True))
    ]
    filled = [(metric.worded(words), list(map(metric.read, cells))) for metric in METRICS if metric.is_worth(cells)]
    return [
        (metric, numbers)
        for metric, numbers in filled
        if any(
            one and (one["n"] or metric.why_missing(cell) == NOT_SCORED)
            for one, cell in zip(numbers, cells, strict=True)
        )
    ]


def _by_setting(
    differences: Iterable[Mapping[str, Any]], names: Sequence[run_summary.CellName]
) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for pair in differences:
        found.setdefault(names[pair["left"]].setting, []).append(pair)
    return found


def _shared(config: RunConfig) -> list[str]:
    """What the names of cells leave out: the arguments that all have in common, and default opponents."""
    first, *others = (cell.arguments for cell in config.cells)
    shared = {
        name: canonical_json(value)
        for name, value in first.items()
        if all(canonical_json(other.get(name)) == canonical_json(value) for other in others)
    }
    units = [catalog.load()["units"].get(cell.env_id, {}) for cell in config.cells]
    for name in ("opponents", "seat", "legal"):
        values = {canonical_json(unit.get("defaults", {}).get(name)) for unit in units}
        if len(values) == 1 and values != {"null"} and not any(name in cell.arguments for cell in config.cells):
            shared[name] = f"{values.pop()} (the default)"
    return [f"{name}={value}" for name, value in sorted(shared.items())]


def _highlights(
    summary: Mapping[str, Any], names: Sequence[run_summary.CellName], words: Words
) -> list[dict[str, Any]]:
    """Who solved or scored most in each setting with interaction."""
    found: list[dict[str, Any]] = []
    for setting, cells in _settings(names).items():
        cells_here = [summary["cells"][index] for index in cells]
        played = [cell for cell in cells_here if cell["reward" if cell["scored"] else "accuracy"]["value"] is not None]
        if played and names[cells[0]].interactive and len(found) < 6:
            scored = any(cell["scored"] for cell in played)
            kind, show, unit = ("reward", as_score, "") if scored else ("accuracy", as_percent, " %")
            best = max(cell[kind]["value"] for cell in played)
            first = [cell for cell in played if cell[kind]["value"] == best]
            shown = {"verb": "scored" if scored else words.done, "value": show(best) + unit, "n": first[0][kind]["n"]}
            shown["interval"] = spread(show)(first[0][kind])
            found.append({"setting": setting, "best": first, "players": len(played), **shown})
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
        "·": NOT_SCORED,
    }
    return {sign: meaning for sign, meaning in meanings.items() if sign in used}


def _case_tables(
    rows: Rows, names: Sequence[run_summary.CellName], written: set[tuple[int, int, int]], words: Words
) -> list[dict[str, Any]]:
    """For each setting its cases by its players, as far as GLYPHS episodes reach."""
    played = np.unique(rows.column("cell")).tolist()
    tables = []
    settings = {setting: [c for c in cells if c in played] for setting, cells in _settings(names).items()}
    settings = {setting: cells for setting, cells in settings.items() if cells}
    room = GLYPHS // max(1, len(settings))
    for setting, cells in list(settings.items())[:TABLE_ROWS]:
        cells_shown = cells[:40]
        columns = [rows.part(index).column("case_index").astype(int) for index in cells]
        cases = np.unique(np.concatenate(columns)).tolist()
        epochs = max(int(np.unique(column, return_counts=True)[1].max()) for column in columns)
        shown = cases[: max(1, room // (len(cells_shown) * min(epochs, EPOCHS)))]
        by_cell: dict[int, dict[int, list[EpisodeRow]]] = {index: {} for index in cells}
        for index, column in zip(cells, columns, strict=True):
            for row in rows.part(index)[: int(np.searchsorted(column, shown[-1], "right"))]:
                by_cell[index].setdefault(row.case_index, []).append(row)
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
        "summary": f"{as_score(sum(scored) / len(scored))} in {len(rows)}"
        if scored
        else f"{solved} of {len(rows)} {words.done}",
        "episodes": [(glyph(row), row, file_name(row) if row.key in written else None) for row in rows[:EPOCHS]],
    }
