"""The board of a generated game, drawn as SVG from its text: squares where it is a grid, lines where it is words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from html import escape

from interactive_envs.novel_games.rules import GeneratedView

SQUARE, LINE, MARGIN = 34, 22, 8
"""Pixels of a square, of a line of words, and around all."""
LETTER = 8.4
"""Pixels of a letter."""
EMPTY = frozenset("._-")
FIRST, SECOND = frozenset("FfXx1"), frozenset("SsOo2")
"""Signs that games use for what belongs to a player."""
MOST = 40
"""Lines that are drawn at most."""


def draw(view: GeneratedView) -> str:
    """The board as the seat sees it."""
    lines = view.board.splitlines()[:MOST]
    parts: list[str] = []
    y, width = float(MARGIN), 0.0
    for is_grid, group in itertools.groupby(lines, key=lambda line: len(_squares(line)) > 1):
        for line in group:
            if is_grid:
                parts += _row(line, y)
                width = max(width, len(line.split()) * SQUARE)
                y += SQUARE
            else:
                parts.append(f'<text x="{MARGIN}" y="{y + 16:.0f}" font-size="14" class="ink">{escape(line)}</text>')
                width = max(width, len(line) * LETTER)
                y += LINE
    return (
        f'<svg viewBox="0 0 {width + 2 * MARGIN:.0f} {y + MARGIN:.0f}" role="img" aria-label="The board" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _squares(line: str) -> list[str]:
    """The signs of a line of a grid, [] where it is words."""
    signs = line.split()
    return signs if signs and all(len(sign) == 1 for sign in signs[1:]) and len(signs[0]) <= 2 else []


def _row(line: str, y: float) -> Iterator[str]:
    signs = line.split()
    named = len(signs) > 2 and not any(sign in EMPTY for sign in signs[0])
    for place, sign in enumerate(signs):
        x = MARGIN + place * SQUARE
        is_name = named and place == 0 and (signs[0].isalnum() and signs[0] not in FIRST | SECOND)
        if not is_name:
            yield f'<rect x="{x}" y="{y:.0f}" width="{SQUARE}" height="{SQUARE}" class="line paper"/>'
        if sign in EMPTY:
            continue
        shade = "muted" if is_name else "good" if sign in FIRST else "bad" if sign in SECOND else "ink"
        middle = x + SQUARE / 2
        yield (
            f'<text x="{middle:.0f}" y="{y + 23:.0f}" font-size="17" text-anchor="middle" class="{shade}">'
            f"{escape(sign)}</text>"
        )
