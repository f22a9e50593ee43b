"""Harm done to the pages of targets, each kind in grades that grow: a ladder for scores to go down."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from interactive_envs.ui2html.targets.styles import rgb

_BODY = re.compile(r"(?s)^(.*?<body>)(.*)(</body>.*)$")
_LEAF = re.compile(r"(?s)<(\w+)(?: [^<>]*)?>[^<>]*</\1>|<input[^<>]*>|<svg.*?</svg>")
_EMPTIED = re.compile(r"<(\w+)(?: [^<>]*)?>\s*\0[\0\s]*</\1>")
_TEXT = re.compile(r'(?<=>)[^<>]+(?=<)|(?<=placeholder=")[^"]+')
_LENGTH = re.compile(r"(font-size|width|height|padding|margin|gap|flex-basis|grid-template-columns)(: [^;}]*)")
_ITEM = re.compile(
    r"(?s)<(li|article|section|div|tr)(?: class=\"(?:feature|card|product|post|panel|stat|plan|job)\b[^<>]*|(?<=tr))>"
    r"(?:(?!<\1\b).)*?</\1>"
)
_PIXELS = re.compile(r"(\d+)px")


def shift(html: str, pixels: float) -> str:
    """Move the blocks of the page down, each by so many pixels more than the one before."""
    moves = "\n".join(f"body > :nth-child({i}) {{ transform: translateY({i * pixels}px) }}" for i in range(1, 20))
    return html.replace("</style>", f"{moves}\n</style>")


def recolour(html: str, degrees: float) -> str:
    """Turn the hue of every colour, as the CSS filter hue-rotate does, and take a little light off or give it."""

    def turned(match: re.Match[str]) -> str:
        return _turn(match[0], degrees)

    return re.sub(r"#[0-9a-f]{6}\b", turned, html)


def drop(html: str, share: float) -> str:
    """Take away a share of the innermost elements and what is empty then; a larger share takes these and more."""
    head, body, foot = _parts(html)
    chosen = _chosen(sum(1 for _ in _LEAF.finditer(body)), share)
    turn = iter(range(len(body)))
    body, emptied = _LEAF.sub(lambda match: "\0" if next(turn) in chosen else match[0], body), 1
    while emptied:
        body, emptied = _EMPTIED.subn("\0", body)
    return head + body.replace("\0", "") + foot


def retype(html: str, share: float) -> str:
    """Put a share of the words into letters that say nothing, as many and as tall as before."""
    head, body, foot = _parts(html)
    words = [word for text in _TEXT.finditer(body) for word in re.finditer(r"\w+", text[0])]
    chosen = _chosen(len(words), share)
    turn = iter(range(len(words)))
    body = _TEXT.sub(
        lambda text: re.sub(r"\w+", lambda w: _other(w[0]) if next(turn) in chosen else w[0], text[0]), body
    )
    return head + body + foot


def cut(html: str, share: float) -> str:
    """Take a share of each text's words away, from its end; a larger share takes these and more."""
    head, body, foot = _parts(html)

    def shorter(text: re.Match[str]) -> str:
        words = text[0].split(" ")
        return " ".join(words[: max(1, round(len(words) * (1 - share)))])

    return head + _TEXT.sub(shorter, body) + foot


def resize(html: str, factor: float) -> str:
    """Scale fonts, boxes and the space between them."""
    head, body, foot = _parts(html)

    def scaled(match: re.Match[str]) -> str:
        return match[1] + _PIXELS.sub(lambda length: f"{int(length[1]) * factor:g}px", match[2])

    return _LENGTH.sub(scaled, head) + body + foot


LADDER: Mapping[str, tuple[Callable[[str, float], str], tuple[float, ...], str]] = {
    "shift": (shift, (4, 16, 48, 120), "layout"),
    "recolour": (recolour, (10, 30, 60, 100), "style"),
    "drop": (drop, (0.1, 0.25, 0.45, 0.7), "component"),
    "cut": (cut, (0.2, 0.4, 0.6, 0.8), "text"),
    "resize": (resize, (0.97, 0.9, 0.75, 0.55), "layout"),
}
"""Each harm, its grades and the dimension that it concerns."""


def move(html: str, pixels: float, factor: float) -> str:
    """Set everything lower, in larger or smaller letters."""
    larger = re.sub(r"(font-size: )(\d+)px", lambda match: f"{match[1]}{int(match[2]) * factor:g}px", html)
    return larger.replace("</style>", f"body {{ padding-top: {pixels}px }}\n</style>")


def _without_footer(html: str) -> str:
    return re.sub(r"(?s)<footer.*?</footer>", "", html)


def _without_last_item(html: str) -> str:
    items = list(_ITEM.finditer(html))
    return html[: items[-1].start()] + html[items[-1].end() :] if len(items) > 1 else html


def _with_other_accent(html: str) -> str:
    accent = re.search(r"\.mark \{[^}]*background: (#[0-9a-f]{6})", html)
    return html.replace(accent[1], _turn(accent[1], 150)) if accent else html


def _on_other_ground(html: str) -> str:
    return html.replace("</style>", "html, body { background: #d8ecd0 }\n</style>")


def _with_other_heading(html: str) -> str:
    return re.sub(r"(<h1[^<>]*>)[^<>]+", r"\1Welcome to our place", html)


def _aligned_otherwise(html: str) -> str:
    turned = {"left": "center", "center": "left"}
    return re.sub(r"(text-align: )(left|center)", lambda match: match[1] + turned[match[2]], html)


FLAWS: Mapping[str, Callable[[str], str]] = {
    "section": _without_footer,
    "items": _without_last_item,
    "accent": _with_other_accent,
    "ground": _on_other_ground,
    "heading": _with_other_heading,
    "alignment": _aligned_otherwise,
}
"""What a page of the right kind may have wrong; one that a page cannot have leaves it as it is."""


def flawed(html: str, without: str = "") -> str:
    """The page in other words with every flaw, or with all but one."""
    text = retype(html, 1.0)
    for name, harm in FLAWS.items():
        if name == without == "heading":
            own = re.search(r"<h1[^<>]*>[^<>]+", html)
            text = re.sub(r"<h1[^<>]*>[^<>]+", lambda _, h1=own: h1[0] if h1 else "", text)
        elif name != without:
            text = harm(text)
    return text


def _parts(html: str) -> tuple[str, str, str]:
    found = _BODY.match(html)
    if found is None:
        raise ValueError("the page has no body")
    return found[1], found[2], found[3]


def _chosen(count: int, share: float) -> set[int]:
    """A share of the numbers below a count, spread evenly; those of a smaller share are among them."""
    # Multiples of the golden ratio, without their whole part, lie evenly however many are taken.
    ranked = sorted(range(count), key=lambda i: i * 0.6180339887498949 % 1)
    return set(ranked[: round(share * count)])


def _other(word: str) -> str:
    return "".join(
        chr((ord(c) - base + 7) % span + base) if (base := _base(c)) and (span := 10 if c.isdigit() else 26) else c
        for c in word
    )


def _base(character: str) -> int:
    for first, last in ("az", "AZ", "09"):
        if first <= character <= last:
            return ord(first)
    return 0


def _turn(colour: str, degrees: float) -> str:
    """Hue turned about the grey axis, then a part of the way to a tint of the opposite hue, greys too."""
    red, green, blue = rgb(colour)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned = (
        (0.213 + cos * 0.787 - sin * 0.213) * red
        + (0.715 - cos * 0.715 - sin * 0.715) * green
        + (0.072 - cos * 0.072 + sin * 0.928) * blue,
        (0.213 - cos * 0.213 + sin * 0.143) * red
        + (0.715 + cos * 0.285 + sin * 0.140) * green
        + (0.072 - cos * 0.072 - sin * 0.283) * blue,
        (0.213 - cos * 0.213 - sin * 0.787) * red
        + (0.715 - cos * 0.715 + sin * 0.715) * green
        + (0.072 + cos * 0.928 + sin * 0.072) * blue,
    )
    part = degrees / 600
    tinted = [(1 - part) * tone + part * tint for tone, tint in zip(turned, (170, 60, 190), strict=True)]
    return "#" + "".join(f"{min(255, max(0, round(tone))):02x}" for tone in tinted)
