"""A hold'em table as one seat sees it, drawn as SVG."""

from __future__ import annotations

import math
from html import escape

from interactive_envs.holdem.view import HoldemView

WIDTH, HEIGHT = 640, 360
SUITS = {
    "s": "\N{BLACK SPADE SUIT}",
    "h": "\N{BLACK HEART SUIT}",
    "d": "\N{BLACK DIAMOND SUIT}",
    "c": "\N{BLACK CLUB SUIT}",
}
RED = "hd"
CARD = (34, 46)
"""Width and height of a card."""


def draw(view: HoldemView) -> str:
    """The table, the seat whose view it is below; shown cards of a finished hand are not drawn."""
    parts = [f'<ellipse cx="{WIDTH / 2}" cy="{HEIGHT / 2}" rx="215" ry="105" class="soft" stroke-width="2"/>']
    parts += _cards(view.board, WIDTH / 2, HEIGHT / 2 - 12)
    parts.append(_text(WIDTH / 2, HEIGHT / 2 + 34, f"pot {view.pot:,}", "ink", 15))
    for seat in range(view.seats):
        parts += _seat(view, seat)
    said = f"{view.street}, pot {view.pot:,}; you hold {' '.join(view.hole)}; board {' '.join(view.board) or 'empty'}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _seat(view: HoldemView, seat: int) -> list[str]:
    """A seat with its chips, and its bet towards the middle."""
    angle = math.pi / 2 + 2 * math.pi * ((seat - view.seat) % view.seats) / view.seats
    x, y = WIDTH / 2 + 262 * math.cos(angle), HEIGHT / 2 + 142 * math.sin(angle)
    shade = "mark" if seat == view.to_move else "paper"
    name = ("you, " if seat == view.seat else "") + view.positions[seat]
    status = view.statuses[seat]
    below = f"{view.stacks[seat]:,}" if status == "in" else status
    parts = [
        f'<rect x="{x - 46:.0f}" y="{y - 20:.0f}" width="92" height="40" rx="8" class="{shade} line"/>',
        _text(x, y - 3, name, "muted" if status == "folded" else "ink", 13),
        _text(x, y + 14, below, "muted", 13),
    ]
    if seat == view.button:
        parts.append(f'<circle cx="{x + 46:.0f}" cy="{y - 18:.0f}" r="9" class="ink"/>')
        parts.append(_text(x + 46, y - 14, "D", "paper", 11))
    if view.bets[seat]:
        near_x, near_y = WIDTH / 2 + 165 * math.cos(angle), HEIGHT / 2 + 84 * math.sin(angle)
        parts.append(_text(near_x, near_y + 4, f"{view.bets[seat]:,}", "ink", 13))
    if seat == view.seat:
        parts += _cards(view.hole, x + 92, y - 6)
    return parts


def _cards(cards: tuple[str, ...], x: float, y: float) -> list[str]:
    """Cards in a row, their middle at a place."""
    width, height = CARD
    left = x - (len(cards) * (width + 5) - 5) / 2
    parts = []
    for place, card in enumerate(cards):
        at = left + place * (width + 5)
        parts.append(
            f'<rect x="{at:.0f}" y="{y - height / 2:.0f}" width="{width}" height="{height}" rx="4" fill="#fff" '
            'stroke="#777"/>'
        )
        ink = "#b3261e" if card[1] in RED else "#1b1e23"
        shown = escape(card[0].replace("T", "10") + SUITS[card[1]])
        parts.append(
            f'<text x="{at + width / 2:.0f}" y="{y + 6:.0f}" text-anchor="middle" font-size="16" fill="{ink}">'
            f"{shown}</text>"
        )
    return parts


def _text(x: float, y: float, words: str, shade: str, size: int) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" font-size="{size}" class="{shade}">{escape(words)}</text>'
    )
