"""The rounds of a trust game as one seat sees them, drawn as SVG."""

from __future__ import annotations

from html import escape

from interactive_envs.trust_game.rules import TrustView

STEP, LEFT, ROW = 26, 96, 30
"""Pixels of a round, of the names before it, and of a line."""
MOST = 40
"""Rounds that are drawn; of longer matches the last."""
SHADES = {"C": "good", "D": "bad"}


def draw(view: TrustView) -> str:
    """The rounds of the match under way: above the seat's moves, below the other's."""
    rounds = list(zip(view.own, view.other, strict=True))[-MOST:]
    width = LEFT + STEP * max(8, len(rounds)) + 10
    before = len(view.own) - len(rounds)
    parts = [_text(0, 16, f"Match {view.match} of {view.matches}, round {view.round}", "muted")]
    for row, name in enumerate(("you", "the other")):
        parts.append(_text(0, 16 + ROW * (row + 1), name, "ink"))
    for place, moves in enumerate(rounds):
        x = LEFT + STEP * place + STEP / 2
        for row, move in enumerate(moves):
            y = 11 + ROW * (row + 1)
            parts.append(f'<circle cx="{x}" cy="{y}" r="10" class="{SHADES[move]}"/>')
            parts.append(_text(x, y + 5, move, "paper", "middle"))
        if not (before + place) % 5:
            parts.append(_text(x, 20 + ROW * 3, str(before + place + 1), "muted", "middle"))
    own, other = view.totals
    parts.append(_text(0, 20 + ROW * 3, f"{own:g} : {other:g}", "muted"))
    said = f"match {view.match}, your moves {view.own or 'none'}, the other's {view.other or 'none'}"
    return (
        f'<svg viewBox="0 0 {width} {ROW * 4}" role="img" aria-label="{escape(said)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, words: str, shade: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-size="14" text-anchor="{anchor}" class="{shade}">{escape(words)}</text>'
