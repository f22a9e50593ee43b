"""A tournament's pages for people: ``report.html``, and in ``matches/`` every match to be read or replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment

from interactive_envs import catalog
from interactive_envs.errors import MissingExtraError
from interactive_envs.evaluation.tournament.play import Tournament, TournamentStore
from interactive_envs.reporting.charts import Chart, style
from interactive_envs.reporting.match_charts import League, clock, draw_latency
from interactive_envs.reporting.matches import CUT, MatchRecord, MatchReport
from interactive_envs.reporting.page import as_bytes, plain, spread, templates
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder, parse_json, read_json

PAGE_MATCHES = 500
"""Matches of a page at most."""
PAGE_BYTES = 3_000_000
"""Bytes of matches in a page at most, unless a single match is longer."""
TABLE_ROWS = 300
"""Pairs that a table shows at most."""
RATINGS = {"Bradley\N{EN DASH}Terry": "bradley_terry", "Elo": "elo", "OpenSkill": "openskill"}


@dataclass(frozen=True)
class _Row:
    """Where a match lies in ``matches.jsonl``, and what the report needs of it at once."""

    offset: int
    size: int
    match: str
    setting: int
    table: str
    players: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class _Page:
    """A file with matches of one table, or of one pair."""

    file: str
    setting: int
    table: str
    players: tuple[str, ...]
    rows: tuple[_Row, ...]
    first: int
    of: int
    previous: str | None
    next: str | None


def write(folder: Path) -> Path:
    """Write ``report.html`` into a tournament's folder, with ``matches/`` and ``charts/`` beside it.

    Works on unfinished tournaments, and says so. Without matplotlib the page has no charts, and says so.

    Args:
        folder: holds ``config.json``, ``matches.jsonl`` and ``summary.json``.

    Returns:
        The page's path.

    Raises:
        ConfigError: the folder holds no tournament.
    """
    store = TournamentStore.read_only(folder)
    tournament = store.tournament
    summary, timing = read_json(folder / "summary.json"), read_json(folder / "timing.json")
    rows = _rows(store)
    pages = _pages(rows)
    _write_pages(store, pages)
    settings = _settings(tournament, summary, timing, pages)
    try:
        figures, no_charts = draw(tournament, settings, rows), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(folder / "charts")
    content = {
        "tournament": tournament,
        "report": tournament.report,
        "sections": tournament.report.sections(settings),
        "settings": settings,
        "legal": _default_legal(tournament),
        "timing": timing,
        "ratings": RATINGS,
        "played": summary["n_valid"],
        "planned": summary["n_planned"],
        "faults": store.faults(),
        "figures": figures,
        "no_charts": no_charts,
        "pages": [
            {**vars(page), "count": len(page.rows), "label": _setting(tournament, page.setting)} for page in pages
        ],
        "table_rows": TABLE_ROWS,
    }
    path = folder / "report.html"
    write_atomically(path, as_bytes(_templates(tournament).get_template("tournament.html.j2").render(**content)))
    return path


def _default_legal(tournament: Tournament) -> str | None:
    """Whether a turn lists the legal moves, where the game has a default for that and the tournament says nothing."""
    given = any("legal" in arguments for arguments in tournament.settings)
    default: str | None = catalog.load()["units"].get(tournament.id, {}).get("defaults", {}).get("legal")
    return None if given else default


def draw(tournament: Tournament, settings: Sequence[Mapping[str, Any]], rows: Sequence[_Row]) -> list[Chart]:
    """Draw every chart that the tournament has numbers for.

    Args:
        tournament: what was played.
        settings: what the page says of each.
        rows: the matches in the order of play.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    played: dict[int, list[Any]] = {}
    for row in rows:
        played.setdefault(row.setting, []).append((row.players, row.scores))
    specs = {player.name: player.spec for player in tournament.players}
    league, report = League(specs, tournament.sweep, settings, played), tournament.report
    with style():
        swept = report.sweep(league, league.swept) if league.swept else ()
        return [*report.figures(league), *swept, *draw_latency(league)]


def _settings(
    tournament: Tournament, summary: Mapping[str, Any], timing: Mapping[str, Any], pages: Sequence[_Page]
) -> list[dict[str, Any]]:
    """What the page says of each setting: its part of the summary, in the order in which it is shown."""
    files = {(page.setting, frozenset(page.players)): page.file for page in reversed(pages)}
    found = []
    report = tournament.report
    for setting, times in zip(summary["settings"], timing["settings"], strict=True):
        index, first = setting["setting"], report.ranking[0][1]
        heads_up = tournament.games[index].seats == 2
        players = sorted(
            _players(report, setting, times), key=lambda player: -(player["numbers"][first]["value"] or 0.0)
        )
        names = [player["player"] for player in players]
        pairs = [(left, right) for left in names for right in names]
        linked = {pair: files.get((index, frozenset(pair))) if heads_up else None for pair in pairs}
        cells = setting["cross_table"] if heads_up else both_ways(setting["differences"])
        found.append(
            {
                **setting,
                "label": _setting(tournament, index),
                "players": players,
                "cross": {"names": names, "lines": colour_cells(names, cells, linked)},
                "linked": any(linked.values()),
                "differences": setting["differences"] if report.differences else [],
            }
        )
    return found


def _players(report: MatchReport, setting: Mapping[str, Any], clock: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every player with all its numbers under one roof, ``numbers``."""
    ratings = {name: {one["player"]: one for one in part} for name, part in setting["ratings"].items()}
    times = {one["player"]: one for one in clock["players"]}
    for player in setting["players"]:
        name = player["player"]
        yield {
            **player,
            "numbers": report.numbers(player, setting),
            "ratings": {kind: part.get(name) for kind, part in ratings.items()},
            "time": times[name],
        }


def both_ways(differences: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Differences as a matrix."""
    found = []
    for pair in differences:
        low, high = (None if pair[end] is None else -pair[end] for end in ("high", "low"))
        found.append(dict(pair))
        found.append(
            {
                "left": pair["right"],
                "right": pair["left"],
                "value": -pair["value"],
                "low": low,
                "high": high,
                "n": pair["n"],
            }
        )
    return found


def colour_cells(
    names: Sequence[str], cells: Sequence[Mapping[str, Any]], files: Mapping[tuple[str, str], str | None]
) -> list[list[dict[str, Any] | None]]:
    """The cross-table's lines, every number with its colour: how far it is from the middle."""
    values = [cell["value"] for cell in cells]
    middle = sum(values) / len(values) if values else 0.0
    reach = max((abs(value - middle) for value in values), default=0.0) or 1.0
    lines: list[list[dict[str, Any] | None]] = [[None] * len(names) for _ in names]
    for cell in cells:
        pair = (cell["left"], cell["right"])
        away = (cell["value"] - middle) / reach
        row, column = (names.index(name) for name in pair)
        lines[row][column] = {
            **cell,
            "tone": "up" if away >= 0 else "down",
            "share": round(55 * abs(away)),
            "file": files.get(pair),
        }
    return lines


def _rows(store: TournamentStore) -> list[_Row]:
    """The matches in the order of play, each once."""
    rows: dict[str, _Row] = {}
    offset = 0
    if not store.lines.files():
        return []
    with store.lines.open() as file:
        for line in file:
            # A line without its end was being written when the tournament broke off.
            if line.endswith(b"\n"):
                match = parse_json(line, store.path)
                where = (match["match"], match["setting"], match["table"])
                row = _Row(offset, len(line), *where, tuple(match["players"]), tuple(match["scores"]))
                rows.setdefault(row.match, row)
            offset += len(line)
    return [rows[match] for match in sorted(rows)]


def _pages(rows: Sequence[_Row]) -> list[_Page]:
    """Matches of one table together, in files that a browser opens at once."""
    tables: dict[tuple[int, str], list[_Row]] = {}
    for row in rows:
        tables.setdefault((row.setting, row.table), []).append(row)
    pages = []
    for number, ((setting, table), played) in enumerate(tables.items()):
        parts = list(_parts(played))
        files = [f"{number}-{part}.html" for part in range(len(parts))]
        players = tuple(dict.fromkeys(name for row in played for name in row.players))
        first = 1
        for part, mine in enumerate(parts):
            around = ([None, *files][part], [*files, None][part + 1])
            pages.append(_Page(files[part], setting, table, players, tuple(mine), first, len(played), *around))
            first += len(mine)
    return pages


def _parts(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    part: list[_Row] = []
    for row in rows:
        if part and (len(part) == PAGE_MATCHES or sum(one.size for one in part) + row.size > PAGE_BYTES):
            yield part
            part = []
        part.append(row)
    yield part


def _write_pages(store: TournamentStore, pages: Sequence[_Page]) -> None:
    folder, tournament = make_subfolder(store.folder, "matches"), store.tournament
    report = tournament.report
    template = _templates(tournament).get_template(report.page)
    for page in pages:
        matches = [_read(store, row) for row in page.rows]
        shared = {"page": page, "setting": _setting(tournament, page.setting), "limit": CUT, "nouns": report.nouns}
        html = template.render(**shared, **report.page_content(page.players, matches))
        write_atomically(folder / page.file, as_bytes(html))


def _read(store: TournamentStore, row: _Row) -> MatchRecord:
    return MatchRecord.from_json(parse_json(store.lines.read(row.offset, row.size), store.path))


def _setting(tournament: Tournament, index: int) -> str:
    """What is special about a setting, '' where there is but one."""
    return ", ".join(f"{name} {plain(tournament.settings[index][name])}" for name in tournament.sweep)


def _amount(value: float) -> str:
    """A score with as few digits as it needs, with a real minus sign."""
    return f"{round(value, 2):,.10g}".replace("-", "\N{MINUS SIGN}")


def _gain(value: float) -> str:
    return ("+" if value > 0 else "") + _amount(value)


def _chance(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


STYLES: dict[str, Callable[[float], str]] = {
    "score": lambda value: f"{value:,.2f}".replace("-", "\N{MINUS SIGN}"),
    "gap": lambda value: f"{value:+,.2f}".replace("-", "\N{MINUS SIGN}"),
    "rating": lambda value: f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
    "ratio": lambda value: f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
    "count": lambda value: f"{value:,.0f}",
    "percent": lambda value: f"{100 * value:.0f} %",
    "seconds": clock,
}
"""How a number of each kind is written for people."""


def format_number(value: float, kind: str) -> str:
    """Write a number as one of :data:`STYLES`."""
    return STYLES[kind](value)


def _ends(numbers: Mapping[str, Any], kind: str) -> str:
    return spread(STYLES[kind])(numbers).replace(" %", "")


_FILTERS: dict[str, Callable[..., Any]] = {
    "amount": _amount,
    "gain": _gain,
    "chance": _chance,
    "written": format_number,
    "ends": _ends,
}


def _templates(tournament: Tournament) -> Environment:
    """Return the templates of tournaments, and of the game's family."""
    environment = templates(__package__).overlay()
    if tournament.report.package:
        loaders = [templates(package).loader for package in (tournament.report.package, __package__)]
        environment.loader = ChoiceLoader([loader for loader in loaders if loader])
    environment.filters = environment.filters | _FILTERS
    return environment
