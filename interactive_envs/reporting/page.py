"""What pages share: templates, filters, and numbers as people read them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from jinja2 import ChainableUndefined, ChoiceLoader, Environment, FunctionLoader

from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.seeds import canonical_json

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
    Outcome.UNSCORED: "·",
}


def file_name(row: EpisodeRow) -> str:
    """Return the name of a transcript's file: numbers only, nothing a stranger wrote."""
    return f"{row.cell}-{row.case_index}-{row.epoch}.html"


def glyph(row: EpisodeRow) -> str:
    """Return the sign of an outcome, readable without colour."""
    return "(✓)" if row.won_by == "forced" else GLYPH.get(Outcome(row.outcome), "?")


@functools.cache
def templates(package: str) -> Environment:
    """Return a package's templates, with the shared ones and all filters; ``overlay()`` it before adding to it.

    Args:
        package: whose folder ``data`` holds the templates, as ``__package__`` names it.
    """
    # Undefined names render as nothing: records of other environments may lack a field.
    environment = Environment(
        loader=ChoiceLoader([FunctionLoader(functools.partial(_found, place)) for place in (package, __package__)]),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= _FILTERS
    environment.globals |= {"css": source(__package__, "report.css"), "matches_css": source(__package__, "matches.css")}
    return environment


def source(package: str, name: str) -> str:
    """Return the text of a file in the folder ``data`` of a package."""
    return (resources.files(package) / "data" / name).read_text(encoding="utf-8")


def _found(package: str, name: str) -> str | None:
    """Return a template's text, or None so that the next place is looked in."""
    return source(package, name) if (resources.files(package) / "data" / name).is_file() else None


def as_bytes(text: str) -> bytes:
    """Encode as UTF-8, whatever a stranger's JSON smuggled in as half a surrogate pair."""
    return text.encode("utf-8", "replace")


def settings_line(values: Mapping[str, Any]) -> str:
    """Return settings as one line: each name with its value, hashes cut short."""
    return ", ".join(
        f"{key} {value[:12] if key.endswith('sha256') and isinstance(value, str) else plain(value)}"
        for key, value in values.items()
    )


def plain(value: Any) -> str:
    """Return text as it is, and anything else as JSON."""
    return value if isinstance(value, str) else canonical_json(value)


def short(text: Any, width: int = 120) -> str:
    """Return the text as one line of at most `width` characters."""
    line = visible(" ".join(str(text).split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def visible(text: Any) -> str:
    """Show control characters as their pictures: they would vanish, or end a line where there is none."""
    return "".join(char if char >= " " or char in "\n\t" else chr(0x2400 + ord(char)) for char in str(text))


_LISTED = re.compile(r"^(\d{1,3}|[A-Z])\. (\S.*)$", re.MULTILINE)
_NAMED = re.compile(r"<(\w+)>\s*(\d{1,3}|[A-Z])\s*</\1>")


def pieces(text: str) -> list[tuple[str, bool]]:
    """Split a message into its HTML documents and the text around them; say of each whether it is a document."""
    found: list[tuple[str, bool]] = []
    place = 0
    while opened := _DOCUMENT.search(text, place):
        closed = _DOCUMENT_END.search(text, opened.end())
        if closed is None:
            break
        found += [(text[place : opened.start()], False), (text[opened.start() : closed.end()], True)]
        place = closed.end()
    texts = [(piece.strip("\n"), page) for piece, page in (*found, (text[place:], False))]
    return [(piece, page) for piece, page in texts if piece]


def chosen(message: str, menu: str) -> str:
    r"""What a message names by its number or letter in a menu that the first observation listed; "" for another one.

    >>> chosen("<ask>2</ask>", "1. Is it day?\n2. Is it night?")
    'Is it night?'
    """
    named = _NAMED.findall(message)
    listed = [text for key, text in _LISTED.findall(menu) if len(named) == 1 and key == named[0][1]]
    return listed[0] if len(listed) == 1 else ""


def spread(show: Callable[[float], str]) -> Callable[[Mapping[str, Any]], str]:
    """Return what writes the interval of an estimate, in brackets."""

    def interval(numbers: Mapping[str, Any]) -> str:
        return "" if numbers["low"] is None else f"[{show(numbers['low'])}, {show(numbers['high'])}]"

    return interval


def as_percent(value: float) -> str:
    """Return a share as whole percent, without the sign."""
    return f"{100 * value:.0f}"


def as_points(value: float) -> str:
    """Return a difference of shares as percentage points with a sign."""
    points = f"{100 * value:+.0f}"
    return "0" if points in {"+0", "-0"} else points.replace("-", "\N{MINUS SIGN}")


def as_score(value: float) -> str:
    """Return a number with two decimals."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def as_number(value: float) -> str:
    """Return a count or a mean: whole from 100 on, else with one decimal."""
    return f"{value:,.0f}" if abs(value) >= 100 or not value else f"{value:.1f}"


def as_duration(value: float) -> str:
    """Return a duration in the unit that people would use."""
    if value >= 5400:
        return f"{value / 3600:.1f} h"
    if value >= 90:
        return f"{value / 60:.1f} min"
    return f"{value:.1f} s" if value >= 1 else f"{1000 * value:.0f} ms"


def as_dollars(value: float | None) -> str:
    """Return US dollars; ``unknown`` where a price is missing."""
    if value is None:
        return "unknown"
    if not value:
        return "$0"
    return f"${value:,.2f}" if value >= 1 else f"${float(f'{value:.2g}'):.7f}".rstrip("0")


_FILTERS: dict[str, Callable[..., Any]] = {
    "glyph": glyph,
    "file": file_name,
    "short": short,
    "visible": visible,
    "pieces": pieces,
    "plain": plain,
    "score": as_score,
    "points": as_points,
    "seconds": as_duration,
    "money": as_dollars,
    "point_interval": spread(as_points),
    "score_interval": spread(as_score),
    "chosen": chosen,
}
