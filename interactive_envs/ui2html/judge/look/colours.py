"""Colours as eyes see them, and the English words that describe them."""

from __future__ import annotations

import colorsys
import math
from typing import Any

from interactive_envs.ui2html.judge.tables import load
from interactive_envs.ui2html.rendering.colour import Colour, read_colour

COLOUR_MATCH = 14.0
"""CIELAB distance within which a colour is the one that a hexadecimal number names."""


PURE_MATCH = 2.3
"""The same of pure black and white."""


DARK = 42.0
"""CIELAB lightness below which a colour is dark."""


LIGHT = 62.0
"""CIELAB lightness above which a colour is light."""


_TABLES = load("colours.toml")
_RANGES: dict[str, list[list[float]]] = _TABLES["hues"]
"""Degrees of hue that a colour word covers."""
_NAMED: dict[str, list[Any]] = _TABLES["named"]
"""By colour word: the hue that it is a kind of, lightness from and to, chroma from and to."""
HUES = {name: Colour(*parts) for name, parts in _TABLES["pure"].items()}
"""What "redder" and its like point to; "cooler" to cyan, "warmer" to orange."""


def lab(colour: Colour) -> tuple[float, float, float]:
    """CIELAB under D65.

    >>> [round(part) for part in lab(Colour(255, 255, 255))], [round(part) for part in lab(Colour(255, 0, 0))]
    ([100, 0, 0], [53, 80, 67])
    """
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour[:3])
    )
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(left: Colour, right: Colour) -> float:
    """CIELAB distance of two colours."""
    return math.dist(lab(left), lab(right))


def chroma(colour: Colour) -> float:
    """How colourful a colour is."""
    _, a, b = lab(colour)
    return math.hypot(a, b)


def is_colour(colour: Colour, name: str, shade: str = "") -> bool:
    """Whether an English colour word, a hexadecimal number or ``rgb()`` describes a colour.

    Args:
        colour: what is described.
        name: such as ``blue``, ``#1d3c6e``.
        shade: ``dark``, ``light`` or nothing.

    >>> is_colour(Colour(29, 60, 110), "blue", "dark"), is_colour(Colour(29, 60, 110), "green")
    (True, False)
    """
    meant = parse_colour(name)
    if meant is not None:
        ends = meant[:3] in ((0, 0, 0), (255, 255, 255))
        return distance(colour, meant) <= (PURE_MATCH if ends else COLOUR_MATCH)
    light, strength = lab(colour)[0], chroma(colour)
    shaded = name not in ("white", "black", "cream", "ivory", "off-white", "charcoal", "navy")
    if shaded and ((shade == "dark" and light > 52) or (shade == "light" and light < 55)):
        return False
    if name in ("white", "black", "grey", "off-white", "charcoal", "silver", "slate"):
        return _neutral(name, shade, light, strength)
    base, low, high, faint, strong = _NAMED.get(_stem(name), (_stem(name), 0, 100, _faintest(light), 200))
    if base == "brown" and not (light < 58 and strength < 65):
        return False
    if (base == "yellow" and light < 55) or (base == "orange" and light < 35):
        return False
    if base == "pink" and light < 40:
        return False
    hue = colorsys.rgb_to_hls(*(c / 255 for c in colour[:3]))[0] * 360
    ranges = _RANGES.get(base, [])
    if base == "pink" and light > 70:
        ranges = [*ranges, [0, 20]]
    return low <= light <= high and faint <= strength <= strong and any(a <= hue <= b for a, b in ranges)


def _faintest(light: float) -> float:
    """The chroma from which a hue is seen: less in very light and very dark colours."""
    return 3.0 if light > 88 or light < 16 else 6.0 if light < 25 else 9.0


def _neutral(name: str, shade: str, light: float, strength: float) -> bool:
    if name == "white":
        return light > 97.4 and strength < 4
    if name == "off-white":
        return 90 < light < 99.9 and strength < 10
    if name == "black":
        return light < 14 and strength < 16
    if name == "charcoal":
        return 5 < light < 36 and strength < 12
    if name == "silver":
        return 65 < light < 90 and strength < 8
    if name == "slate":
        return 20 < light < 65 and 2 < strength < 22
    if shade == "dark":
        return 8 < light < 52 and strength < 13
    if shade == "light":
        return 72 < light < 97.5 and strength < 8
    return 18 < light < 97.4 and strength < 11


def _stem(name: str) -> str:
    for stem in ("green", "blue", "red", "yellow", "pink", "purpl", "grey", "brown", "orang"):
        if name.startswith(stem) and name.endswith(("ish", "y")) and name != "grey":
            return {"purpl": "purple", "orang": "orange"}.get(stem, stem)
    return "red" if name == "reddish" else name


def parse_colour(name: str) -> Colour | None:
    """The colour of ``#rgb``, ``#rrggbb`` or ``rgb(...)``; None for a word."""
    if name.startswith("#"):
        digits = name[1:]
        digits = "".join(2 * digit for digit in digits[:3]) if len(digits) in (3, 4) else digits[:6]
        return Colour(*(int(digits[at : at + 2], 16) for at in (0, 2, 4))) if len(digits) == 6 else None
    return read_colour(name) if name.startswith("rgb") else None
