"""What a player asked of a hidden circuit, drawn as SVG: a row a query, inputs on the left, gates as lamps."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from interactive_envs.black_box.rules import BoxShown
from interactive_envs.dialogue.view import DialogueView

ROW, MARGIN = 24, 10
"""Pixels of a row, and around all."""
STEPS = (24, 13)
"""Pixels of a column, and of each where there are many: those have no digits in their lamps, and every fifth a head."""
MANY = 26
GAP = 16
"""Pixels between inputs and gates."""
MOST = 16
"""Queries that are drawn; of more the last."""


def draw(view: DialogueView) -> str:
    """The queries of the present trial with the gates that each lit, and the question, if one is open.

    Boxes of other families are words or numbers, which their text shows as well.
    """
    shown = view.shown
    if not isinstance(shown, BoxShown) or shown.family != "circuit":
        return ""
    inputs, gates, outputs = shown.public
    lamps = outputs if shown.partial else gates
    rows: list[tuple[Sequence[int], Sequence[int] | None]] = [
        *shown.observations,
        *((one, None) for one in shown.waiting),
    ]
    earlier = len(rows) - MOST
    rows = rows[-MOST:]
    if isinstance(shown.item, tuple) and len(shown.item) == inputs:
        rows.append((shown.item, None))
    heads = [f"x{number}" for number in range(1, inputs + 1)]
    # Which gates a partial box shows is not known: they are numbered as they come.
    heads += [f"{'' if shown.partial else 'g'}{number}" for number in range(1, lamps + 1)]
    is_dense = len(heads) > MANY
    step = STEPS[is_dense]
    places = [MARGIN + step * (column + 0.5) + (GAP if column >= inputs else 0) for column in range(inputs + lamps)]
    parts = [
        _text(x, MARGIN + 10, head, "muted")
        for x, head in zip(places, heads, strict=True)
        if not is_dense or head.lstrip("xg") == "1" or int(head.lstrip("xg")) % 5 == 0
    ]
    for row, (bits, lit) in enumerate(rows):
        y = MARGIN + ROW * (row + 1.3)
        parts += [_text(x, y + 5, str(bit), "ink") for x, bit in zip(places, bits, strict=False)]
        parts += [_lamp(x, y, lit[lamp] if lit else None, is_dense) for lamp, x in enumerate(places[inputs:])]
    width, height = places[-1] + step / 2 + MARGIN, MARGIN * 2 + ROW * (len(rows) + 1)
    if earlier > 0:
        parts.append(_text(MARGIN, height + 4, f"{earlier} earlier ones are not shown", "muted", "start"))
        height += ROW
    said = "; ".join(f"{_bits(bits)} gives {'?' if lit is None else _bits(lit)}" for bits, lit in rows)
    return (
        f'<svg class="{"wide" if is_dense else "narrow"}" viewBox="0 0 {max(width, 320):.0f} {height:.0f}" role="img" xmlns="http://www.w3.org/2000/svg">'
        f"<title>Queries and the gates they light</title><desc>{escape(said or 'Nothing was asked yet')}.</desc>"
        f"{''.join(parts)}</svg>"
    )


def _lamp(x: float, y: float, value: int | None, is_dense: bool) -> str:
    if value is None:
        return _text(x, y + 5, "?", "muted")
    shade = "lit" if value else "unlit"
    circle = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{5 if is_dense else 9}" class="{shade}"/>'
    return circle if is_dense else circle + _text(x, y + 4, str(value), "paper" if value else "muted")


def _bits(bits: Sequence[int]) -> str:
    return " ".join(map(str, bits))


def _text(x: float, y: float, words: str, shade: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="12" text-anchor="{anchor}" class="{shade}">{escape(words)}</text>'
