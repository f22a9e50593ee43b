"""Computed CSS colours as sRGB."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255, and how opaque it is from 0 to 1."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0


CLEAR = Colour(0, 0, 0, 0.0)
_FORM = re.compile(r"(rgba?|color|oklab|oklch|lab|lch)\(([^()]*)\)")


@lru_cache(4096)
def read_colour(text: str) -> Colour:
    """A colour as Chromium serialises computed values; what is none of them is transparent.

    >>> read_colour("rgba(255, 0, 10, 0.5)")
    Colour(red=255, green=0, blue=10, alpha=0.5)
    >>> read_colour("oklch(0.628 0.2577 29.23)")
    Colour(red=255, green=0, blue=0, alpha=1.0)
    >>> read_colour("color(srgb 1 0.5 0)")
    Colour(red=255, green=128, blue=0, alpha=1.0)
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        return CLEAR
    form, inside = match.groups()
    words = inside.replace(",", " ").replace("/", " ").split()
    space = words.pop(0) if form == "color" and words else ""
    try:
        numbers = [0.0 if word == "none" else float(word) for word in words]
    except ValueError:
        return CLEAR
    if len(numbers) not in (3, 4) or not all(map(math.isfinite, numbers)):
        return CLEAR
    first, second, third = numbers[:3]
    alpha = min(1.0, max(0.0, numbers[3])) if len(numbers) == 4 else 1.0
    if form in ("oklch", "lch"):
        turn = math.radians(third)
        second, third = second * math.cos(turn), second * math.sin(turn)
    if form in ("rgb", "rgba"):
        channels = [first / 255, second / 255, third / 255]
    elif form == "color":
        channels = [_gamma(part) for part in numbers[:3]] if space == "srgb-linear" else numbers[:3]
    elif form in ("oklab", "oklch"):
        channels = _oklab(first, second, third)
    else:
        channels = _lab(first, second, third)
    red, green, blue = (math.floor(255 * min(1.0, max(0.0, part)) + 0.5) for part in channels)
    return Colour(red, green, blue, round(alpha, 4))


def _gamma(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def _oklab(lightness: float, a: float, b: float) -> list[float]:
    # https://bottosson.github.io/posts/oklab/
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return [
        _gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    ]


def _lab(lightness: float, a: float, b: float) -> list[float]:
    # CSS Color 4: CIE Lab under D50, adapted to D65.
    middle = (lightness + 16) / 116
    x, y, z = (
        white * (root**3 if root > 6 / 29 else 3 * (6 / 29) ** 2 * (root - 4 / 29))
        for white, root in ((0.96429567, middle + a / 500), (1.0, middle), (0.82510460, middle - b / 200))
    )
    return [
        _gamma(3.1341359 * x - 1.6173863 * y - 0.4906622 * z),
        _gamma(-0.9787954 * x + 1.9162544 * y + 0.0334428 * z),
        _gamma(0.0719453 * x - 0.2289759 * y + 1.4052127 * z),
    ]
