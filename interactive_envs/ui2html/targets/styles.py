"""Looks of a target: palette, type, density, corners, borders, shadows, alignment, dark or light.

A style has four palettes; its name and a draw decide a :class:`Look`, in which all lengths are whole pixels.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

from interactive_envs.ui2html.targets.words import Draw

SANS, SERIF, MONO = "sans-serif", "serif", "monospace"


@dataclass(frozen=True)
class Palette:
    """Eleven colours as ``#rrggbb``; ``on_accent`` and ``on_second`` are readable on the colour they name."""

    page: str
    surface: str
    sunken: str
    ink: str
    muted: str
    line: str
    accent: str
    on_accent: str
    second: str
    on_second: str
    tint: str


@dataclass(frozen=True)
class Style:
    """What a style fixes.

    Attributes:
        dark: whether the background is dark.
        heading: generic family of headings.
        body: generic family of everything else.
        base: font size of the text.
        ratio: from one size of heading to the next.
        unit: the step of all spacing.
        radius: of cards; buttons and fields have at most this.
        border: width of the border of cards and fields, 0 for none.
        shadow: of cards, as CSS, with ``{line}`` for the colour.
        align: of the heading of a section.
        header: ``line``, ``band``, ``stack`` or ``float``, see pieces.py.
        pill: whether buttons are round at the ends.
        caps: whether labels are in capitals.
        weight: of headings.
        palettes: those drawn from.
    """

    dark: bool
    heading: str
    body: str
    base: int
    ratio: float
    unit: int
    radius: int
    border: int
    shadow: str
    align: str
    header: str
    pill: bool
    caps: bool
    weight: int
    palettes: tuple[Palette, ...]


@dataclass(frozen=True)
class Look:
    """A style with a palette, ready for CSS."""

    name: str
    style: Style
    colours: Palette
    width: int
    unit: int

    @property
    def edge(self) -> str:
        """Border of a card or a field."""
        return f"{self.style.border}px solid {self.colours.line}" if self.style.border else "none"

    @property
    def field_edge(self) -> str:
        """Border of a field, which a borderless style needs too."""
        return f"{max(1, self.style.border)}px solid {self.colours.line}"

    @property
    def rule(self) -> str:
        """A line between two things."""
        return f"{max(1, self.style.border - 1)}px solid {self.colours.line}"

    @property
    def shadow(self) -> str:
        """Shadow of a card."""
        return self.style.shadow.replace("{line}", self.colours.line)

    @property
    def control_radius(self) -> int:
        """Corner of a button."""
        return 22 if self.style.pill else min(self.style.radius, 8)

    @property
    def field_radius(self) -> int:
        """Corner of a field."""
        return min(self.style.radius, 12)

    def size(self, step: int) -> int:
        """Font size so many steps over the text, or under it."""
        return round(self.style.base * self.style.ratio**step)

    def space(self, steps: float) -> int:
        """So many units of spacing."""
        return round(self.unit * steps)

    def label(self, text: str) -> str:
        """A short label, in capitals where the style has them."""
        return text.upper() if self.style.caps else text


def _palettes(text: str) -> tuple[Palette, ...]:
    return tuple(Palette(*(f"#{colour}" for colour in row.split())) for row in text.strip().splitlines())


# page surface sunken ink muted line accent on_accent second on_second tint
_PLAIN = _palettes("""
f6f7f9 ffffff eef1f5 1c2430 5b6675 d9dee6 2f5fd0 ffffff b9501f ffffff e4ebfb
f5f8f7 ffffff eaf1ef 17282a 55686a d3dedc 0f766c ffffff 8a4fb5 ffffff dcf1ee
f8f6fa ffffff f0ecf5 251d30 675b75 dfd8e6 7340b8 ffffff 0f7487 ffffff ede4f8
faf7f6 ffffff f4eeec 2b1f1e 6f605e e6dbd9 b3304f ffffff 2f6a4f ffffff f9e3e8
""")
_NIGHT = _palettes("""
12161f 1b2130 0d1017 e8ecf4 9aa6ba 2e3749 f2b84b 1a1405 5cc8d6 06181b 2b2a2a
101a1c 182629 0b1214 e4f1f0 93aeac 2a3f41 4fd1b5 04201a ff9f6b 2a1003 173433
191420 241d2e 120e18 f0eaf6 aa9dbb 3a3049 c79bff 1d0b33 ffd166 2a1d00 33264a
0f1726 172238 0a101c e6edf8 93a4c0 283753 6db3ff 04152a ff8f8f 2e0707 1b3050
""")
_PAPER = _palettes("""
f7f1e3 fdf9ef efe6d2 2d2419 6e5f4b cdbf9f 7d2b2b fdf6e8 3f5d4a fdf6e8 f1dfcf
f4f2e8 fbfaf3 e8e6d4 23281d 5d6350 c2c3a4 3f5d3a f8f8ea 8a4a1d fdf6e8 e1e8d0
f3efe9 fbf8f4 e8e1d7 1f2430 5f6270 c6beb2 2a3f63 f6f4ee 8c3b3b fdf6e8 dde2ea
f6efec fcf7f4 ede0db 2e1f2b 6e5a68 d0bdb8 5e2f57 fbf1f4 2f6062 f4faf8 ecdbe6
""")
_BOLD = _palettes("""
ffe45c ffffff fff6c4 111111 3d3d3d 111111 ff5c8a 111111 2ec4b6 111111 ffd0dd
b8f2e6 ffffff e2fbf5 111111 3a4442 111111 ff9f1c 111111 6d5dfc ffffff ffe6c2
ffc6d9 ffffff ffe7ef 111111 443a3e 111111 3a6df0 ffffff ffd23f 111111 d9e4ff
cdd7ff ffffff e8edff 111111 3c3e48 111111 c7f464 111111 ff6b57 111111 ecfbc9
""")
_TERMINAL = _palettes("""
0b0f0c 111813 070a08 c9f2cf 7fae88 2c4a33 59e07b 07130a f0c04c 1a1300 173020
120d06 1b140a 0a0703 f6deb0 bd9c68 4d3a1b ffb347 1c1000 7fd4c1 04160f 33240d
0a0f14 101821 06090d cfe6f7 7e9db5 28405a 5cc8ff 03141f ff9ac1 2a0614 12293b
100c14 19131f 0a070d e8d9f5 a48fb8 43325a d08cff 1a0629 9be564 0c1b02 2c1d3d
""")
_SOFT = _palettes("""
fdeef0 ffffff fbe1e6 46303a 7d616c f3cfd8 b0426a ffffff 3d6f8e ffffff fbdbe5
efeefb ffffff e4e1f7 2f2c4a 67638a d6d2f0 6550bd ffffff a8506b ffffff e2dcfa
e9f6f0 ffffff d9eee4 22403a 557069 c9e4d8 22745c ffffff 9a5a1c ffffff d3eee1
eaf4fb ffffff d9eaf7 21384c 566f85 c8dff0 2a6aa6 ffffff a0497d ffffff d3e7f7
""")
_OFFICE = _palettes("""
eef0f3 ffffff e3e7ed 20262e 56616e c5ccd6 1d3c6e ffffff 96600a ffffff dde5f1
eef1ef ffffff e1e8e4 1f2824 55625c c3cec8 1f4d3a ffffff 96482a ffffff d9e9e0
f2eff0 ffffff e9e2e4 2a2023 665a5d d2c6c9 6b1f33 ffffff 2d6274 ffffff f0dce1
f0f0f0 ffffff e5e5e5 242424 606060 cccccc 343b46 ffffff b3431f ffffff e0e3e8
""")
_INK = _palettes("""
ffffff ffffff f3f3f1 0a0a0a 5d5d5d 0a0a0a 0a0a0a ffffff c5331a ffffff f7e9e6
fafaf7 fafaf7 efefe8 101418 5b5f63 101418 1f3fd6 ffffff 101418 ffffff e4e8fb
f8f8f8 f8f8f8 ececec 141414 5e5e5e 141414 0d6b47 ffffff 141414 ffffff dff0e8
fffdf8 fffdf8 f4f0e6 12100c 615c52 12100c 12100c ffffff 8a5a00 ffffff f6ecd6
""")

STYLES = {
    "plain": Style(
        False, SANS, SANS, 15, 1.27, 8, 8, 1, "0 1px 3px rgba(20,30,50,0.08)", "left", "line", False, False, 700, _PLAIN
    ),
    "night": Style(
        True, SANS, SANS, 15, 1.28, 8, 12, 1, "0 8px 24px rgba(0,0,0,0.35)", "left", "line", False, False, 600, _NIGHT
    ),
    "paper": Style(False, SERIF, SERIF, 16, 1.30, 8, 0, 1, "none", "center", "stack", False, False, 400, _PAPER),
    "bold": Style(False, SANS, SANS, 15, 1.32, 8, 0, 3, "5px 5px 0 {line}", "left", "line", False, True, 900, _BOLD),
    "terminal": Style(True, MONO, MONO, 14, 1.22, 7, 2, 1, "none", "left", "line", False, False, 700, _TERMINAL),
    "soft": Style(
        False,
        SANS,
        SANS,
        15,
        1.27,
        9,
        20,
        0,
        "0 6px 20px rgba(60,40,80,0.08)",
        "center",
        "float",
        True,
        False,
        700,
        _SOFT,
    ),
    "office": Style(False, SANS, SANS, 14, 1.24, 7, 3, 1, "none", "left", "band", False, False, 700, _OFFICE),
    "ink": Style(False, SERIF, SANS, 15, 1.36, 9, 0, 1, "none", "left", "line", False, True, 400, _INK),
}


def draw_look(name: str, draw: Draw) -> Look:
    """A look of this style: palette, width of the content and density are drawn."""
    style = STYLES[name]
    return Look(name, style, draw.pick(style.palettes), draw.pick((896, 928, 960)), style.unit + draw.pick((-1, 0, 0)))


def rgb(colour: str) -> tuple[int, int, int]:
    """The parts of ``#rrggbb``, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """Relative luminance as in WCAG, 0 to 1."""
    parts = [c / 255 for c in rgb(colour)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as in WCAG, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


_HUES = (
    (15, "red"),
    (40, "orange"),
    (66, "yellow"),
    (165, "green"),
    (195, "teal"),
    (255, "blue"),
    (295, "purple"),
    (340, "pink"),
    (361, "red"),
)


def colour_name(colour: str) -> str:
    """A plain English name of ``#rrggbb``, such as ``dark blue``.

    >>> [colour_name(c) for c in ("#ffffff", "#1d3c6e", "#f2b84b", "#9aa6ba")]
    ['white', 'dark blue', 'orange', 'grey blue']
    """
    hue, light, _ = colorsys.rgb_to_hls(*(c / 255 for c in rgb(colour)))
    chroma = max(rgb(colour)) - min(rgb(colour))
    if light > 0.965:
        return "white"
    if light < 0.08:
        return "black"
    name = next(text for upper, text in _HUES if hue * 360 < upper)
    if chroma < 18:
        return "light grey" if light > 0.75 else "dark grey" if light < 0.3 else "grey"
    if name in ("orange", "red") and light < 0.35 and chroma < 110:
        return "brown"
    if light < 0.3:
        return f"dark {name}"
    if light > 0.8:
        return f"light {name}"
    return f"grey {name}" if chroma < 45 else name
