"""Measures of colours: of grounds, letters, edges, pictures and the page's accent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from interactive_envs.ui2html.judge.look.colours import HUES, chroma, distance, lab
from interactive_envs.ui2html.judge.look.part import MEASURES, Measure, Part, measures, most_frequent, words_in
from interactive_envs.ui2html.judge.page.view import View, counted, textual, usual
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box

STRONG = 28.0
"""CIELAB chroma from which a colour may be an accent."""


FAINT = 14.0
"""CIELAB chroma from which the colour of a button may be one."""


SMALL_MARK = 4000.0
"""Area in square pixels of a small painted part."""


BUTTON_MARK = 6.0
"""How many small painted parts a button counts for."""


@measures("background")
def _background(part: Part) -> Colour | None:
    view = part.view
    if not part.found:
        return None
    if not view.nodes:
        return view.dominant(Box(0, 0, view.width, view.height))
    if part.role == "page":
        return view.ground(part.found[0])
    colours = Counter(view.ground(_coloured(view, i)) for i in part.found)
    return colours.most_common(1)[0][0]


def _coloured(view: View, index: int) -> int:
    """The element itself, or the only one in it that paints all of it."""
    area = view.nodes[index].box.width * view.nodes[index].box.height
    for inner in view.inside(index)[1:4]:
        box = view.nodes[inner].box
        if view.own_ground(inner) and not view.own_ground(index) and box.width * box.height >= 0.8 * area:
            return inner
    children = [i for i in view.inside(index)[1:] if view.nodes[i].tag in ("td", "th") and view.shown[i]]
    if children and not view.own_ground(index) and all(view.own_ground(i) for i in children):
        return children[0]
    return index


@measures("ink")
def _ink(part: Part) -> Colour | None:
    view = part.view
    letters = Counter[Colour]()
    for i in words_in(part):
        node = view.nodes[i]
        under = view.ground(i)
        alpha = node.colour.alpha * node.opacity
        mixed = (round(alpha * a + (1 - alpha) * b) for a, b in zip(node.colour[:3], under[:3], strict=True))
        letters[Colour(*mixed)] += len(node.text)
    return letters.most_common(1)[0][0] if letters else None


@measures("colour")
def _drawn(part: Part) -> Colour | None:
    """The colour of a part as one speaks of it: of text its ink, of pictures what prevails, of all else the ground."""
    if textual(part.role):
        return _ink(part)
    if part.role in ("icon", "mark", "image", "bar", "divider", "chart", "thumbnail", "progress", "toggle"):
        return _figure(part)
    return _background(part)


def _figure(part: Part) -> Colour | None:
    """The colour that stands out most in a picture, an icon or a line."""
    view = part.view
    if not part.found:
        return None
    index = part.found[0]
    node = view.nodes[index]
    if part.role == "divider" and not view.own_ground(index):
        return _edge_colour(part)
    if view.own_ground(index) and node.background_image in ("none", "") and node.tag not in ("svg", "img"):
        return view.ground(index)
    if node.text:
        return _ink(part)
    around = view.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
    return _striking(view, node.visible, around)


def _striking(view: View, box: Box, around: Colour) -> Colour:
    top, left = int(box.y), int(box.x)
    flat = view.picture[top : int(top + box.height) + 1, left : int(left + box.width) + 1].reshape(-1, 3)[::7]
    found = counted(flat, 3)
    return max(found, key=lambda pair: pair[1] * (5 + min(distance(pair[0], around), 60)))[0] if found else around


@measures("edge colour")
def _edge_colour(part: Part) -> Colour | None:
    for index in part.found:
        for side in part.view.nodes[index].borders:
            if side.width > 0 and side.colour.alpha > 0:
                return Colour(*side.colour[:3])
    return None


@measures("accent")
def _accent(part: Part) -> Colour | None:
    """The colour of buttons, links, marks and other small painted parts; of a screenshot that of most pixels."""
    if not part.view.accents:
        view = part.view
        part.view.accents.append(_pressed(view) if view.nodes else _strongest(view))
    return part.view.accents[0]


def _pressed(view: View) -> Colour | None:
    """The strong colour on most of the small parts, buttons first; pictures do not count."""
    pictures = {i for index in view.find("image") for i in view.inside(index)}
    buttons, links = set(view.find("button")), set(view.find("link"))
    votes: dict[Colour, float] = {}
    for index in range(len(view.nodes)):
        if view.shown[index] and index not in pictures:
            for colour, weight in _marks(view, index, index in buttons, index in links):
                votes[colour] = votes.get(colour, 0.0) + weight
    pressed = {Colour(*view.ground(i)[:3]) for i in buttons if view.own_ground(i)}
    strong = [
        (colour, count)
        for colour, count in votes.items()
        if chroma(colour) > (FAINT if colour in pressed else STRONG) and 15 < lab(colour)[0] < 93
    ]
    if strong:
        return max(strong, key=lambda pair: pair[1])[0]
    main = [view.ground(i) for i in view.find("submit") if view.own_ground(i)]
    return main[0] if main and lab(main[0])[0] < 93 else _strongest(view)


def _marks(view: View, index: int, pressed: bool, linked: bool) -> Iterator[tuple[Colour, float]]:
    """The colours with which an element marks something, and how much each says of the page's accent."""
    node = view.nodes[index]
    if view.own_ground(index) and node.background_image in ("none", ""):
        small = node.box.width * node.box.height <= SMALL_MARK
        yield Colour(*view.ground(index)[:3]), BUTTON_MARK if pressed else 1.0 if small else 0.5
    sides = Counter(Colour(*side.colour[:3]) for side in node.borders if side.width >= 2 and side.colour.alpha > 0)
    for colour in sides:
        yield colour, BUTTON_MARK if pressed else 1.0
    if node.text and (linked or pressed):
        yield Colour(*node.colour[:3]), 1.0


def _strongest(view: View) -> Colour | None:
    """The most frequent of the strong colours of the picture."""
    for colour, _ in view.palette:
        middle = Colour(*(c + 8 for c in colour[:3]))
        if chroma(middle) > STRONG and 15 < lab(middle)[0] < 93:
            return usual(view.picture.reshape(-1, 3)[::17], colour, 4)
    return None


def _lightness_of(measure: Measure) -> Measure:
    def measured(part: Part) -> float | None:
        colour = measure(part)
        return lab(colour)[0] if isinstance(colour, Colour) else None

    return measured


def _chroma_of(measure: Measure) -> Measure:
    def measured(part: Part) -> float | None:
        colour = measure(part)
        return chroma(colour) if isinstance(colour, Colour) else None

    return measured


def _towards(measure: Measure, hue: Colour) -> Measure:
    """How far a colour lies in the direction of a hue, in CIELAB."""
    _, a, b = lab(hue)
    length = math.hypot(a, b)

    def measured(part: Part) -> float | None:
        colour = measure(part)
        if not isinstance(colour, Colour):
            return None
        _, own_a, own_b = lab(colour)
        return (own_a * a + own_b * b) / length

    return measured


@measures("contrast")
def _contrast(part: Part) -> float | None:
    ink, ground = _ink(part), _background(part)
    return abs(lab(ink)[0] - lab(ground)[0]) if ink and ground else None


@measures("gradient")
def _gradient(part: Part) -> str | None:
    images = [part.view.nodes[i].background_image for i in part.found]
    return "some" if any("gradient" in image for image in images) else "none"


@measures("stripes")
def _stripes(part: Part) -> str | None:
    rows = [i for f in part.found for i in part.view.inside(f) if part.view.nodes[i].tag == "tr"] or list(part.found)
    grounds = [part.view.ground(_coloured(part.view, i)) for i in rows[1:]]
    changes = sum(a != b for a, b in pairwise(grounds))
    return "some" if len(grounds) > 2 and changes >= 0.7 * (len(grounds) - 1) else "none"


@measures("fill")
def _fill(part: Part) -> str | None:
    return most_frequent(["filled" if part.view.own_ground(_coloured(part.view, i)) else "plain" for i in part.found])


_COLOURS = {"": _drawn, "background ": _background, "ink ": _ink, "edge colour ": _edge_colour, "accent ": _accent}
MEASURES |= {f"{base}lightness": _lightness_of(measure) for base, measure in _COLOURS.items()}
MEASURES |= {f"{base}saturation": _chroma_of(_COLOURS[base]) for base in ("", "background ", "ink ", "accent ")}
MEASURES |= {
    f"{base}towards {name}": _towards(measure, hue) for name, hue in HUES.items() for base, measure in _COLOURS.items()
}
