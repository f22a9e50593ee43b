"""What can be measured of parts of a page, how much of a difference can be seen, and which words describe a value.

A *visible* difference is one beyond the margin of its property:

====================================  ==========================================
property                              margin, the larger of the two
====================================  ==========================================
width, height, size, length           4 px (length 16 px), 5 %
font size                             0.75 px, 4 %
weight                                90
padding, gap, margin                  2 px, 8 %
radius                                1.5 px, 10 %
border and its sides                  0.5 px
lightness                             2.5 of CIELAB L
saturation                            4 of CIELAB chroma
colour                                6 of CIELAB distance
place                                 24 px
number of parts, columns, lines       1
====================================  ==========================================
"""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.look.colours import distance
from interactive_envs.ui2html.judge.look.part import Value
from interactive_envs.ui2html.judge.tables import load
from interactive_envs.ui2html.rendering.colour import Colour

COLOUR_MARGIN = 6.0
"""CIELAB distance from which two large areas look different; a just noticeable difference is 2.3."""


BOLD = 600


_MARGINS: dict[str, tuple[float, float]] = {name: tuple(pair) for name, pair in load("margins.toml").items()}
"""By property, the smallest difference that is seen, and the share of the value that is."""


def margin(name: str, value: float) -> float:
    """From which on a difference to ``value`` is seen."""
    if name.endswith("lightness"):
        return 2.5
    if name.endswith("saturation") or "towards " in name:
        return 4.0
    least, share = _MARGINS.get(name, (0.5, 0.05))
    return max(least, share * abs(value))


def differs(name: str, target: Value, page: Value) -> bool:
    """Whether two values of a property look different."""
    if isinstance(target, Colour) and isinstance(page, Colour):
        return distance(target, page) > COLOUR_MARGIN
    if isinstance(target, float) and isinstance(page, float):
        return abs(target - page) > margin(name, max(abs(target), abs(page)))
    return squeezed(target) != squeezed(page)


def squeezed(text: object) -> str:
    """Letters and figures of a text in lower case."""
    return " ".join(re.findall(r"[^\W_]+", str(text).lower()))


def shown(value: Value | None) -> str:
    """A value as logs have it."""
    if isinstance(value, Colour):
        return "#" + "".join(f"{part:02x}" for part in value[:3])
    return f"{value:.4g}" if isinstance(value, float) else "none" if value is None else f"{value[:60]!r}"
