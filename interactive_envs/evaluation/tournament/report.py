"""A tournament's pages for people: ``report.html``, and in ``matches/`` every match to be read or replayed."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from jinja2 import Environment

from interactive_envs import catalog
from interactive_envs.errors import MissingExtraError
from interactive_envs.evaluation.tournament import charts as tournament_charts
from interactive_envs.evaluation.tournament.play import Tournament, TournamentStore
from interactive_envs.holdem.evaluator import NUMBER, strength
from interactive_envs.holdem.statistics import contributions, read_hand
from interactive_envs.reporting.estimates import NOTHING
from interactive_envs.reporting.page import as_bytes, plain, source, spread, templates, visible
from interactive_envs.reporting.records import write_atomically
from interactive_envs.system.files import make_subfolder, parse_json, read_json

PAGE_MATCHES = 500
"""Matches of a page at most."""
PAGE_BYTES = 3_000_000
"""Bytes of matches in a page at most, unless a single match is longer."""
TABLE_ROWS = 300
"""Pairs that a table shows at most."""
CUT = 6_000
"""Characters of one text that a page shows."""


@dataclass(frozen=True)
class _Unit:
    """How a family's matches are called and what is told of them; a column is its title, a number's name and style."""

    family: str = ""
    one: str = "match"
    many: str = "matches"
    score: str = "Score a match"
    ranking: tuple[tuple[str, str, str], ...] = (("Score|a match", "score", "score"),)
    columns: tuple[tuple[str, str, str], ...] = ()
    note: str = ""


_UNITS = {
    "holdem": _Unit(
        family="holdem",
        one="hand",
        many="hands",
        score="Big blinds a hand",
        ranking=(("Big blinds a hand,|luck reduced", "reduced", "gap"), ("Plain", "plain", "gap")),
        columns=(
            ("Chips|a hand", "chips_per_hand", "score"),
            ("Big blinds|in 100 hands", "bb_per_100", "score"),
            ("VPIP", "vpip", "percent"),
            ("Fold rate", "fold_rate", "percent"),
            ("PFR", "pfr", "percent"),
            ("Aggression", "aggression", "ratio"),
            ("Showdowns", "showdown_rate", "percent"),
            ("Paid of the|others' gains", "share_of_gains", "percent"),
        ),
        note="VPIP: hands entered before the flop by choice; fold rate: hands folded; PFR: hands raised before the "
        "flop; all of the hands dealt. Aggression: bets and raises a call. Showdowns: of the flops seen. "
        "Paid of the others' gains: a loser's loss as a share of all that others won.",
    ),
    "trust": _Unit(
        family="trust",
        score="Payoff a match",
        ranking=(("Payoff|a round", "payoff", "score"), ("Payoff|a match", "score", "score")),
        columns=(
            ("Cooperation", "cooperation_rate", "percent"),
            ("Betrayal", "betrayal_rate", "percent"),
            ("Reciprocity", "reciprocity", "ratio"),
            ("Forgiveness", "forgiveness", "percent"),
        ),
        note="n counts rounds. Betrayal: defections in the rounds right after the other cooperated. Reciprocity: how "
        "much likelier a player cooperates after the other's cooperation than after a defection, from \N{MINUS SIGN}1 "
        "to 1. Forgiveness: cooperations right after the other went back to cooperating.",
    ),
}
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
    rows = _rows(folder / "matches.jsonl")
    pages = _pages(rows)
    unit = _UNITS.get(catalog.entry(tournament.id)["family"], _Unit())
    _write_pages(folder, tournament, unit.family, pages)
    settings = _settings(tournament, unit, summary, timing, pages)
    try:
        played: dict[int, list[Any]] = {}
        for row in rows:
            played.setdefault(row.setting, []).append((row.players, row.scores))
        told = tournament_charts.Told(tournament, settings, played)
        figures, no_charts = tournament_charts.draw(unit.family, told), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(folder / "charts")
    content = {
        "tournament": tournament,
        "unit": unit,
        "settings": settings,
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
    write_atomically(path, as_bytes(_templates().get_template("tournament.html.j2").render(**content)))
    return path


def _settings(
    tournament: Tournament, unit: _Unit, summary: Mapping[str, Any], timing: Mapping[str, Any], pages: Sequence[_Page]
) -> list[dict[str, Any]]:
    """What the page says of each setting: its part of the summary, in the order in which it is shown."""
    files = {(page.setting, frozenset(page.players)): page.file for page in reversed(pages)}
    found = []
    for told, clock in zip(summary["settings"], timing["settings"], strict=True):
        index, first = told["setting"], unit.ranking[0][1]
        heads_up = tournament.games[index].seats == 2
        players = sorted(_players(unit, told, clock), key=lambda player: -(player["told"][first]["value"] or 0.0))
        names = [player["player"] for player in players]
        pairs = [(left, right) for left in names for right in names]
        linked = {pair: files.get((index, frozenset(pair))) if heads_up else None for pair in pairs}
        cells = told["cross_table"] if heads_up else _both_ways(told["differences"])
        found.append(
            {
                **told,
                "label": _setting(tournament, index),
                "players": players,
                "cross": {"names": names, "lines": _heat(names, cells, linked)},
                "linked": any(linked.values()),
                # Those of hold'em stand beside the estimates without luck.
                "differences": [] if "pairs" in told else told["differences"],
            }
        )
    return found


def _players(unit: _Unit, setting: Mapping[str, Any], clock: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every player with all its numbers under one roof, ``told``."""
    ratings = {name: {one["player"]: one for one in part} for name, part in setting["ratings"].items()}
    winnings = {one["player"]: one["reductions"] for one in setting.get("winnings", ())}
    times = {one["player"]: one for one in clock["players"]}
    for player in setting["players"]:
        name, own = player["player"], player["statistics"]
        told = {**own, "score": player["score"], "unreadable": player["unreadable"]}
        if unit.family == "trust":
            told["payoff"] = own["score"]
        if unit.family == "holdem":
            told |= {"share_of_gains": own["share_of_gains"] or None}
            # Who only met itself has none.
            estimates = winnings.get(name, [NOTHING.as_json()])
            told |= {"plain": estimates[0], "reduced": estimates[-1]}
        yield {
            **player,
            "told": told,
            "ratings": {kind: part.get(name) for kind, part in ratings.items()},
            "time": times[name],
        }


def _both_ways(differences: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
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


def _heat(
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


def _rows(path: Path) -> list[_Row]:
    """The matches in the order of play, each once."""
    rows: dict[str, _Row] = {}
    offset = 0
    if not path.exists():
        return []
    with path.open("rb") as file:
        for line in file:
            # A line without its end was being written when the tournament broke off.
            if line.endswith(b"\n"):
                match = parse_json(line, path)
                told = (match["match"], match["setting"], match["table"])
                row = _Row(offset, len(line), *told, tuple(match["players"]), tuple(match["scores"]))
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


def _write_pages(folder: Path, tournament: Tournament, family: str, pages: Sequence[_Page]) -> None:
    make_subfolder(folder, "matches")
    for page in pages:
        with (folder / "matches.jsonl").open("rb") as file:
            matches = [_read(file, row) for row in page.rows]
        told = {"page": page, "setting": _setting(tournament, page.setting), "limit": CUT}
        kind, content = _content(family, page, matches)
        html = _templates().get_template(f"tournament_{kind}.html.j2").render(**told, **content)
        write_atomically(folder / "matches" / page.file, as_bytes(html))


def _read(file: BinaryIO, row: _Row) -> dict[str, Any]:
    file.seek(row.offset)
    match: dict[str, Any] = json.loads(file.read(row.size))
    return match


def _content(family: str, page: _Page, matches: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """Which template shows the matches, and what it needs."""
    if family == "holdem":
        names = {name: place for place, name in enumerate(page.players)}
        hands = [hand for match in matches for hand in _hands(match, names)]
        return "hands", {"hands": {"names": [visible(name) for name in names], "hands": hands}}
    if family == "trust":
        return "rounds", {"matches": [{**match, "lines": _lines(match)} for match in matches]}
    return "talk", {"matches": matches}


def _setting(tournament: Tournament, index: int) -> str:
    """What is special about a setting, '' where there is but one."""
    return ", ".join(f"{name} {plain(tournament.settings[index][name])}" for name in tournament.sweep)


def _hands(match: Mapping[str, Any], names: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """The hands of a match as the replayer wants them, every action with the texts that led to it."""
    said = iter(match["texts"])
    several = len(match["game"]["hands"]) > 1
    for record in match["game"]["hands"]:
        hand, hole = read_hand(record)
        texts = [
            None if action.act in ("ante", "small blind", "big blind") else _until_move(said) for action in hand.actions
        ]
        yield {
            "match": visible(match["match"]) + (f", hand {record['number'] + 1}" if several else ""),
            "players": [names[name] for name in match["players"]],
            "button": hand.button,
            "stacks": record["stacks"],
            "hole": hole,
            "board": hand.board,
            "actions": [(one.street, one.seat, one.act, one.to, one.all_in) for one in hand.actions],
            "said": texts,
            "shown": hand.shown,
            "net": hand.net,
            "pot": sum(contributions(hand)),
            "end": hand.actions[-1].street,
            "ranks": [_called(cards, hand.board) for cards in hand.shown],
        }


def _lines(match: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """The rounds of a trust match, a cell for each seat; a last one that a forfeit broke off is not paid."""
    game = match["game"]
    said = [iter([text for text in match["texts"] if text["seat"] == seat]) for seat in range(2)]
    totals, lines = [0.0, 0.0], []
    for own, other, paid in zip(*game["histories"], game["payments"], strict=True):
        totals = [before + now for before, now in zip(totals, paid, strict=True)]
        cells = zip((own, other), paid, totals, said, strict=True)
        lines.append(
            [{"move": m, "paid": p, "total": total, "texts": _until_move(texts)} for m, p, total, texts in cells]
        )
    rest: list[dict[str, Any]] = [{"move": None, "texts": _until_move(texts)} for texts in said]
    return [*lines, rest] if any(cell["texts"] for cell in rest) else lines


def _until_move(said: Iterator[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The texts up to one that was played: those that could not be read before it, and itself."""
    texts = []
    for text in said:
        shown = visible(text["text"])
        shown = shown if len(shown) <= CUT else f"{shown[:CUT]} … (cut here)"
        texts.append({"text": shown, **{name: text.get(name) for name in ("kind", "reason", "seconds")}})
        if text["kind"] != "retry":
            break
    return texts


_RANKS = (
    (1277, "high card"),
    (4137, "a pair"),
    (4995, "two pair"),
    (5853, "three of a kind"),
    (5863, "a straight"),
    (7140, "a flush"),
    (7296, "a full house"),
    (7452, "four of a kind"),
    (7462, "a straight flush"),
)
"""The strongest hand of each kind."""


def _called(hole: Sequence[str], board: Sequence[str]) -> str:
    """What a hand that was shown down is called, '' for one that was not."""
    if not hole or len(board) < 5:
        return ""
    worth = strength([NUMBER[card] for card in (*hole, *board)])
    return next(name for most, name in _RANKS if worth <= most)


def _amount(value: float) -> str:
    """A score as short as it can be said, with a real minus sign."""
    return f"{round(value, 2):,.10g}".replace("-", "\N{MINUS SIGN}")


def _gain(value: float) -> str:
    return ("+" if value > 0 else "") + _amount(value)


def _chance(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


_STYLES: dict[str, Callable[[float], str]] = {
    "score": lambda value: f"{value:,.2f}".replace("-", "\N{MINUS SIGN}"),
    "gap": lambda value: f"{value:+,.2f}".replace("-", "\N{MINUS SIGN}"),
    "rating": lambda value: f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
    "ratio": lambda value: f"{value:.2f}".replace("-", "\N{MINUS SIGN}"),
    "count": lambda value: f"{value:,.0f}",
    "percent": lambda value: f"{100 * value:.0f} %",
    "seconds": tournament_charts.clock,
}


def _written(value: float, style: str) -> str:
    return _STYLES[style](value)


def _ends(numbers: Mapping[str, Any], style: str) -> str:
    return spread(_STYLES[style])(numbers).replace(" %", "")


_FILTERS: dict[str, Callable[..., Any]] = {
    "amount": _amount,
    "gain": _gain,
    "chance": _chance,
    "written": _written,
    "ends": _ends,
}


@functools.cache
def _templates() -> Environment:
    environment = templates(__package__).overlay()
    script = source(__package__, "hand_replayer.js")
    environment.filters = environment.filters | _FILTERS
    environment.globals = {
        **environment.globals,
        "tournament_css": source(__package__, "tournament.css"),
        "script": script,
        # The one script that the page's policy lets run; jinja writes it with a line end less than the file.
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }
    return environment
