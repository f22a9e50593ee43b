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

import colorsys
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from interactive_envs.ui2html.judge.subjects import View, counted, textual, usual
from interactive_envs.ui2html.rendering.colour import Colour, read_colour
from interactive_envs.ui2html.rendering.tree import Box

COLOUR_MARGIN = 6.0
"""CIELAB distance from which two large areas look different; a just noticeable difference is 2.3."""
COLOUR_MATCH, PURE_MATCH = 14.0, 2.3
"""CIELAB distance within which a colour is the one that a hexadecimal number names, and of pure black and white."""
DARK, LIGHT = 42.0, 62.0
"""CIELAB lightness below which a colour is dark, and above which it is light."""
BOLD = 600
STRONG, FAINT = 28.0, 14.0
"""CIELAB chroma from which a colour may be an accent, and from which that of a button may."""
SMALL_MARK, BUTTON_MARK = 4000.0, 6.0
"""Area in square pixels of a small painted part, and how many of these a button counts for."""


class Part(NamedTuple):
    """Elements of one page that a question speaks of."""

    view: View
    role: str
    found: tuple[int, ...]


Value = float | str | Colour
Measure = Callable[[Part], Value | None]


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


def _styles(part: Part, name: str) -> list[str]:
    return [part.view.nodes[i].style.get(name, "") for i in part.found]


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _most(values: Sequence[str]) -> str | None:
    return Counter(values).most_common(1)[0][0] if values else None


def words_in(part: Part) -> list[int]:
    """The elements that hold the part's text; of a page, a section or a list those of the running text."""
    found = [i for index in part.found for i in part.view.texts(index)]
    if part.role in ("page", "main", "section", "text", "article"):
        sizes = Counter[float]()
        found = [i for i in found if part.view.nodes[i].tag not in ("input", "button", "textarea", "select")] or found
        for i in found:
            sizes[part.view.nodes[i].size] += len(part.view.nodes[i].text)
        usual = [i for i in found if sizes and part.view.nodes[i].size == sizes.most_common(1)[0][0]]
        return usual or found
    return list(dict.fromkeys(found))


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


def _edge_colour(part: Part) -> Colour | None:
    for index in part.found:
        for side in part.view.nodes[index].borders:
            if side.width > 0 and side.colour.alpha > 0:
                return Colour(*side.colour[:3])
    return None


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
        (colour, count) for colour, count in votes.items()
        if chroma(colour) > (FAINT if colour in pressed else STRONG) and 15 < lab(colour)[0] < 93
    ]  # fmt: skip
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


def _boxes(part: Part) -> list[Box]:
    return [part.view.nodes[i].box for i in part.found]


def _width(part: Part) -> float | None:
    if part.role in ("page", "container", "main"):
        return _content_width(part.view)
    if part.role in ("article", "text"):
        inside = [i for index in part.found for i in part.view.texts(index)]
        texts = [part.view.nodes[i].box.width for i in inside if part.view.nodes[i].lines > 1 or part.role == "text"]
        return _median(texts) or _median([box.width for box in _boxes(part)])
    if part.role in ("nav", "gallery"):
        return part.view.union(part.found).width if part.found else None
    return _median([box.width for box in _boxes(part)])


def _content_width(view: View) -> float:
    """From the leftmost to the rightmost text or picture that does not span the window."""
    edges = [
        (node.text_box if node.text else node.box)
        for i, node in enumerate(view.nodes)
        if view.shown[i]
        and node.box.width < 0.97 * view.width
        and (node.text or view.boxed(i) or node.tag in ("img", "svg"))
    ]
    return max(b.x + b.width for b in edges) - min(b.x for b in edges) if edges else view.width


def _height(part: Part) -> float | None:
    if part.role == "page":
        return _end(part.view)
    return _median([box.height for box in _boxes(part)])


def _end(view: View) -> float:
    """Where the last text or picture of a page ends; a picture of the page is never shorter than the window."""
    ends = [
        node.visible.y + node.visible.height for i, node in enumerate(view.nodes)
        if view.shown[i] and (node.text or node.tag in ("img", "svg") or node.tag in ("input", "button"))
    ]  # fmt: skip
    return max(ends, default=view.height)


def _font_size(part: Part) -> float | None:
    return _median([part.view.nodes[i].size for i in words_in(part)])


def _size(part: Part) -> float | None:
    if textual(part.role):
        return _font_size(part)
    if part.role == "page":
        return _end(part.view)
    return _median([math.sqrt(box.width * box.height) for box in _boxes(part)])


def _weight(part: Part) -> float | None:
    return _median([float(part.view.nodes[i].weight) for i in words_in(part)])


def _padding(part: Part) -> float | None:
    """The mean room between the edge and what lies in it, by the declared padding of the box or its only child."""
    return _median([_room(part.view, i) for i in part.found])


def _room(view: View, index: int) -> float:
    sides = ("padding-top", "padding-right", "padding-bottom", "padding-left")
    own = [float(view.nodes[index].style.get(side, "0px").removesuffix("px") or 0) for side in sides]
    if max(own) == 0 and len(view.children[index]) == 1:
        only = view.nodes[view.children[index][0]]
        own = [float(only.style.get(side, "0px").removesuffix("px") or 0) for side in sides]
    vertical, horizontal = (own[0] + own[2]) / 2, (own[1] + own[3]) / 2
    return vertical if view.nodes[index].box.width > 0.9 * view.width else (vertical + horizontal) / 2


def paddings(part: Part) -> set[float]:
    """All that may be called the padding of the parts: of each side, and the mean."""
    found = {value for value in (_padding(part),) if value is not None}
    for index in part.found:
        for at in (index, *part.view.children[index][:1]):
            style = part.view.nodes[at].style
            found |= {
                float(style.get(f"padding-{side}", "0px").removesuffix("px") or 0) for side in ("top", "left", "right")
            }
    return found


def declared(part: Part) -> tuple[float, Colour] | None:
    """Font size and text colour of a box itself, which texts in it may overrule."""
    if not part.found or textual(part.role):
        return None
    node = part.view.nodes[part.found[0]]
    return node.size, Colour(*node.colour[:3])


def _gap(part: Part) -> float | None:
    """The room between neighbours: of the parts, or of what lies in a single one."""
    view, found = part.view, list(part.found)
    if len(found) == 1:
        found = _members(view, found[0])
    boxes = [view.nodes[i].box for i in found]
    gaps = []
    for left, right in pairwise(boxes):
        if left.meet(right._replace(x=left.x)).height > 0.3 * min(left.height, right.height):
            gaps.append(right.x - left.x - left.width)
        else:
            gaps.append(right.y - left.y - left.height)
    return _median([gap for gap in gaps if gap >= 0])


def _members(view: View, index: int) -> list[int]:
    """What stands next to each other in an element, through wrappers with one child."""
    inside = [i for i in view.children[index] if view.shown[i]]
    while len(inside) == 1:
        inside = [i for i in view.children[inside[0]] if view.shown[i]]
    return inside


def _margin(part: Part) -> float | None:
    """The room above the part, up to what lies there."""
    if not part.found:
        return None
    view = part.view
    box = view.nodes[part.found[0]].box
    ends = [
        node.box.y + node.box.height for i, node in enumerate(view.nodes)
        if view.shown[i] and (node.text or view.boxed(i)) and node.box.y + node.box.height <= box.y + 1
        and node.box.meet(box._replace(y=node.box.y)).width > 0
    ]  # fmt: skip
    return box.y - max(ends, default=0.0)


def _spacing(part: Part) -> float | None:
    """Room in and between: of one box its padding, of several their distance, of a page that around its texts."""
    if part.role in ("page", "main"):
        return _airiness(part.view)
    if textual(part.role) and len(part.found) == 1:
        return _margin(part)
    if len(part.found) > 1:
        return _gap(part)
    return _padding(part)


def _airiness(view: View) -> float:
    """The mean distance of one line of text or picture from the next below it, in px."""
    boxes = sorted(
        (node.text_box if node.text else node.box for i, node in enumerate(view.nodes)
         if view.shown[i] and (node.text or (node.tag in ("img", "svg") and node.box.height > 40))),
        key=lambda box: box.y,
    )  # fmt: skip
    gaps, end = [], 0.0
    for box in boxes:
        if box.y > end:
            gaps.append(box.y - end)
        end = max(end, box.y + box.height)
    return sum(gaps) / len(gaps) if gaps else 0.0


def _radius(part: Part) -> float | None:
    view = part.view
    found = [
        min(max(view.nodes[i].radius), min(view.nodes[i].box.width, view.nodes[i].box.height) / 2) for i in part.found
    ]
    return _median(found)


def _edge(part: Part) -> float | None:
    """The width of the border where there is one on at least three sides; of one side alone half as much."""
    widths = []
    cells = [i for index in part.found for i in part.view.inside(index) if part.view.nodes[i].tag in ("td", "th")]
    for index in cells if part.role == "table" and cells else part.found:
        sides = [_seen(part.view, index, at) for at in range(4)]
        drawn = [side for side in sides if side > 0]
        widths.append(max(drawn, default=0.0) if len(drawn) >= 3 else max(drawn, default=0.0) / 2)
    return _median(widths)


def _seen(view: View, index: int, at: int) -> float:
    """The width of one border that differs from what is around it."""
    side, node = view.nodes[index].borders[at], view.nodes[index]
    if side.width <= 0 or side.colour.alpha < 0.05:
        return 0.0
    around = view.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
    colour = Colour(*side.colour[:3])
    return side.width if max(distance(colour, around), distance(colour, view.ground(index))) > 1.5 else 0.0


def _side(at: int) -> Measure:
    def measure(part: Part) -> float | None:
        return _median([_seen(part.view, i, at) for i in part.found])

    return measure


def _edge_style(part: Part) -> str | None:
    return _most([side.style for i in part.found for side in part.view.nodes[i].borders if side.width > 0])


def _shadow(part: Part) -> float | None:
    """How strong the shadow is: its reach in px times how opaque it is."""
    return _median([_cast(style)[0] for style in _styles(part, "box-shadow")])


def _cast(style: str) -> tuple[float, float]:
    """Strength and blur of a ``box-shadow``."""
    if style in ("none", "") or "inset" in style:
        return 0.0, 0.0
    colour = re.match(r"[a-z]+\([^()]*\)", style)
    alpha = read_colour(colour[0]).alpha if colour else 1.0
    lengths = [float(text) for text in re.findall(r"(-?[\d.]+)px", style)]
    x, y, blur, spread = (*lengths, 0.0, 0.0, 0.0, 0.0)[:4]
    return alpha * (abs(x) + abs(y) + blur + max(0.0, spread)), blur


def _shadow_kind(part: Part) -> str | None:
    style = _most(_styles(part, "box-shadow"))
    if style is None:
        return None
    strength, blur = _cast(style)
    return "none" if strength <= 0.05 else "hard" if blur <= 1 else "soft"


def _line_height(part: Part) -> float | None:
    found = []
    for i in words_in(part):
        node = part.view.nodes[i]
        line = node.style.get("line-height", "normal")
        found.append(1.15 if line == "normal" else float(line.removesuffix("px") or 0) / max(1.0, node.size))
    return _median(found)


def _letter_spacing(part: Part) -> float | None:
    values = [part.view.nodes[i].style.get("letter-spacing", "normal") for i in words_in(part)]
    return _median([0.0 if value == "normal" else float(value.removesuffix("px") or 0) for value in values])


def _opacity(part: Part) -> float | None:
    return _median([part.view.nodes[i].opacity for i in part.found])


def _count(part: Part) -> float:
    return float(len(part.found))


def _columns(part: Part) -> float | None:
    """How many stand beside each other in the fullest row."""
    view, found = part.view, list(part.found)
    if part.role in ("page", "main"):
        return float(_page_columns(view))
    if part.role == "table":
        rows = [[j for j in view.inside(f) if view.nodes[j].parent == i and view.nodes[j].tag in ("td", "th")]
                for f in found for i in view.inside(f) if view.nodes[i].tag == "tr"]  # fmt: skip
        return float(max(map(len, rows), default=0))
    if len(found) == 1:
        return float(max(map(len, lines([view.nodes[i].box for i in _widest(view, found[0])])), default=0))
    return float(max(map(len, lines([view.nodes[i].box for i in found])), default=0))


def _widest(view: View, index: int) -> list[int]:
    """Of the groups of siblings in an element, near its top, the one with the most beside each other."""
    best: list[int] = _members(view, index)
    for inner in view.inside(index):
        if view.nodes[inner].depth > view.nodes[index].depth + 2:
            continue
        group = [
            i for i in view.children[inner]
            if view.shown[i]
            and view.nodes[i].box.width > 0.12 * view.nodes[index].box.width
            and view.nodes[i].box.height > 12
        ]  # fmt: skip
        if max(map(len, lines([view.nodes[i].box for i in group])), default=0) > max(
            map(len, lines([view.nodes[i].box for i in best])), default=0
        ):
            best = group
    return best


def lines(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes that stand beside each other, from the top down."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.y, box.x)):
        row = next(
            (r for r in rows if box.meet(r[0]._replace(x=box.x)).height > 0.5 * min(box.height, r[0].height)), None
        )
        if row is None or any(box.meet(other).width > 0.2 * box.width for other in row):
            rows.append([box])
        else:
            row.append(box)
    return rows


def _page_columns(view: View) -> int:
    """Columns of the main layout: large blocks beside each other, found as high in the document as there are any."""
    skipped = {
        i for role in ("header", "footer", "card", "table", "calendar") for f in view.find(role) for i in view.inside(f)
    }
    best = 1
    for index, children in enumerate(view.children):
        if index in skipped or view.nodes[index].box.width < 0.5 * view.width:
            continue
        large = [
            view.nodes[i].box for i in children
            if view.shown[i] and view.nodes[i].box.height > 180 and view.nodes[i].box.width > 0.12 * view.width
        ]  # fmt: skip
        rows = lines(large)
        if rows and max(map(len, rows)) > 1:
            best = max(best, max(map(len, rows)))
            break
    return best


def _rows(part: Part) -> float | None:
    view, found = part.view, list(part.found)
    if part.role == "table":
        return float(len(view.find("tablerow")))
    if len(found) == 1:
        found = _members(view, found[0])
    return float(len(lines([view.nodes[i].box for i in found])))


def _arrangement(part: Part) -> str | None:
    view, found = part.view, list(part.found)
    if len(found) == 1:
        found = _members(view, found[0])
    rows = lines([view.nodes[i].box for i in found])
    if len(found) < 2:
        return None
    if len(rows) == 1:
        return "row"
    return "column" if max(map(len, rows)) == 1 else "grid"


def _family(part: Part) -> str | None:
    found = Counter[str]()
    for i in words_in(part):
        found[generic(part.view.nodes[i].font)] += len(part.view.nodes[i].text)
    return found.most_common(1)[0][0] if found else None


_FAMILIES = (
    ("monospace", ("mono", "courier", "consol", "menlo", "code", "typewriter")),
    (
        "sans-serif",
        ("sans", "arial", "helvetica", "verdana", "tahoma", "segoe", "roboto", "inter", "system-ui", "trebuchet"),
    ),
    (
        "serif",
        ("serif", "times", "georgia", "garamond", "palatino", "cambria", "baskerville", "playfair", "merriweather"),
    ),
)


def generic(families: str) -> str:
    """The generic family that a list of families is drawn in.

    >>> generic('Georgia, "Times New Roman", serif'), generic("system-ui, sans-serif"), generic("Unheard Of")
    ('serif', 'sans-serif', 'serif')
    """
    for name in families.lower().replace('"', "").split(","):
        for family, parts in _FAMILIES:
            if any(part in name for part in parts):
                return family
    return "serif"  # what the browser falls back to


def _slant(part: Part) -> str | None:
    styles = [part.view.nodes[i].style.get("font-style", "normal") for i in words_in(part)]
    return {None: None, "normal": "upright"}.get(_most(styles), "italic")


def _decoration(part: Part) -> str | None:
    found = []
    for i in words_in(part):
        above = [i, *part.view.above(i)[:2]]
        lines_ = " ".join(part.view.nodes[j].style.get("text-decoration-line", "") for j in above)
        edge = part.view.nodes[i].borders[2].width > 0 and part.view.nodes[i].style.get("display") == "inline"
        kind = "strike" if "line-through" in lines_ else "underline" if "underline" in lines_ or edge else "none"
        found.append(kind)
    return _most(found)


def _case(part: Part) -> str | None:
    found = []
    for i in words_in(part):
        node = part.view.nodes[i]
        text = re.sub(r"[^A-Za-z]", "", node.text)
        change = node.style.get("text-transform", "none")
        if len(text) > 1:
            upper = change == "uppercase" or (text.isupper() and change == "none")
            lower = change == "lowercase" or (text.islower() and change == "none")
            found.append("upper" if upper else "lower" if lower else "mixed")
    return _most(found)


def _alignment(part: Part) -> str | None:
    return _most([aligned(part.view, i, part.role) for i in part.found[:12]])


def aligned(view: View, index: int, role: str = "") -> str:
    """Where something stands in the room it has: left, center, right, or justify."""
    texts = view.texts(index)
    if role == "brand" and view.nodes[index].box.width < 0.5 * view.width:
        return _placed(view, index, view.nodes[index].box)
    if texts and (
        textual(role) or role in ("footer", "hero", "card", "plan", "feature", "notice", "stat", "main", "page")
    ):
        return _most([_text_aligned(view, i) for i in texts[:20]]) or "left"
    return _placed(view, index, view.nodes[index].box)


def _text_aligned(view: View, index: int) -> str:
    node = view.nodes[index]
    declared = {"start": "left", "-webkit-auto": "left", "end": "right"}.get(
        node.style.get("text-align", "left"), node.style.get("text-align", "left")
    ).replace("-webkit-", "")
    inline = node.style.get("display", "").startswith("inline")
    if not inline and node.box.width > node.text_box.width + 16:
        return _in_room(node.text_box, node.box) if node.lines == 1 else declared
    if node.lines > 1:
        return declared
    return _placed(view, index, node.text_box)


def _placed(view: View, index: int, own: Box) -> str:
    """By the nearest ancestor that leaves room beside it."""
    for ancestor in view.above(index):
        room = view.nodes[ancestor].box
        if room.width > own.width + 24:
            # A row of several: together they stand where their union stands.
            row = [i for i in view.children[ancestor] if view.shown[i] and index not in (i,)]
            beside = [
                view.nodes[i].box for i in row if view.nodes[i].box.meet(own._replace(x=view.nodes[i].box.x)).height > 4
            ]
            boxes = [own, *beside]
            left, right = min(b.x for b in boxes), max(b.x + b.width for b in boxes)
            if len(boxes) > 1 and right - left > 0.9 * room.width:
                return _in_room(own, room)
            return _in_room(Box(left, own.y, right - left, own.height), room)
    return "left"


def _in_room(own: Box, room: Box) -> str:
    left, right = own.x - room.x, room.x + room.width - own.x - own.width
    if abs(left - right) <= max(8.0, 0.08 * (left + right)):
        return "center"
    return "left" if left < right else "right"


def _spot(horizontal: bool) -> Measure:
    def measure(part: Part) -> float | None:
        if not part.found:
            return None
        box = part.view.union(part.found, text=textual(part.role))
        return box.x + box.width / 2 if horizontal else box.y + box.height / 2

    return measure


def _content(part: Part) -> str | None:
    return " \n ".join(part.view.text(i) for i in part.found) if part.found else None


def _text_length(part: Part) -> float | None:
    return float(sum(len(part.view.text(i)) for i in part.found)) if part.found else None


def _page_length(part: Part) -> float | None:
    if part.role == "page" or not part.found:
        return _end(part.view)
    return _text_length(part) if textual(part.role) else _height(part)


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


def _state(part: Part) -> str | None:
    """Whether switches and boxes to tick are on: by attribute, by class, or by the side on which the knob lies."""
    states = [switched(part.view, i) for i in part.found]
    if not any(states):
        return None
    return states[0] if states.count(states[0]) == len(states) else "mixed"


def switched(view: View, index: int) -> str:
    """``on`` or ``off`` of one switch; empty where it cannot be seen."""
    node = view.nodes[index]
    attributes = dict(node.attributes)
    if "aria-checked" in attributes:
        return "on" if attributes["aria-checked"] == "true" else "off"
    if node.tag == "input":
        return "on" if "checked" in attributes else "off"
    said = view.names[index] & {"on", "off", "active", "checked"}
    if said:
        return "off" if "off" in said else "on"
    knobs = [view.nodes[i].box for i in view.inside(index)[1:] if view.shown[i] and not view.nodes[i].text]
    if not knobs or knobs[0].width > 0.8 * node.box.width:
        return ""
    return "on" if knobs[0].x + knobs[0].width / 2 > node.box.x + node.box.width / 2 else "off"


def _contrast(part: Part) -> float | None:
    ink, ground = _ink(part), _background(part)
    return abs(lab(ink)[0] - lab(ground)[0]) if ink and ground else None


def _gradient(part: Part) -> str | None:
    images = [part.view.nodes[i].background_image for i in part.found]
    return "some" if any("gradient" in image for image in images) else "none"


def _stripes(part: Part) -> str | None:
    rows = [i for f in part.found for i in part.view.inside(f) if part.view.nodes[i].tag == "tr"] or list(part.found)
    grounds = [part.view.ground(_coloured(part.view, i)) for i in rows[1:]]
    changes = sum(a != b for a, b in pairwise(grounds))
    return "some" if len(grounds) > 2 and changes >= 0.7 * (len(grounds) - 1) else "none"


def _fill(part: Part) -> str | None:
    return _most(["filled" if part.view.own_ground(_coloured(part.view, i)) else "plain" for i in part.found])


def _wrapped(part: Part) -> str | None:
    """Whether the part is in a box that is smaller than the page."""
    view = part.view
    for index in part.found[:1]:
        for above in [index, *view.above(index)]:
            if (
                view.nodes[above].box.width < 0.97 * view.width
                and view.boxed(above)
                and view.nodes[above].box.height > 60
            ):
                return "some"
    return "none" if part.found else None


def _list_kind(part: Part) -> str | None:
    inside = [part.view.nodes[j] for i in part.found for j in part.view.inside(i)]
    kind = _most([node.style.get("list-style-type", "none") for node in inside if node.tag == "li"])
    return None if kind is None else {"none": "none", "decimal": "numbered"}.get(kind, "bulleted")


MEASURES: dict[str, Measure] = {
    "background": _background, "ink": _ink, "colour": _drawn, "edge colour": _edge_colour, "accent": _accent,
    "width": _width, "height": _height, "size": _size, "font size": _font_size, "weight": _weight,
    "padding": _padding, "gap": _gap, "margin": _margin, "spacing": _spacing, "radius": _radius, "edge": _edge,
    "edge top": _side(0), "edge right": _side(1), "edge bottom": _side(2), "edge left": _side(3),
    "edge style": _edge_style, "shadow": _shadow, "shadow kind": _shadow_kind, "line height": _line_height,
    "letter spacing": _letter_spacing, "opacity": _opacity, "count": _count, "columns": _columns, "rows": _rows,
    "arrangement": _arrangement, "family": _family, "slant": _slant, "decoration": _decoration, "case": _case,
    "alignment": _alignment, "x": _spot(True), "y": _spot(False), "content": _content, "length": _page_length,
    "lightness": _lightness_of(_drawn), "background lightness": _lightness_of(_background),
    "ink lightness": _lightness_of(_ink), "edge colour lightness": _lightness_of(_edge_colour),
    "accent lightness": _lightness_of(_accent), "saturation": _chroma_of(_drawn),
    "background saturation": _chroma_of(_background), "ink saturation": _chroma_of(_ink),
    "accent saturation": _chroma_of(_accent), "contrast": _contrast, "gradient": _gradient, "stripes": _stripes,
    "fill": _fill, "wrapped": _wrapped, "list": _list_kind, "state": _state,
}  # fmt: skip
HUES = {
    "red": Colour(220, 30, 30), "green": Colour(40, 160, 60), "blue": Colour(40, 80, 220), "pink": Colour(240, 90, 160),
    "yellow": Colour(250, 220, 0), "purple": Colour(130, 40, 180), "orange": Colour(250, 140, 20),
    "cyan": Colour(20, 140, 220),
}  # fmt: skip
"""What "redder" and its like point to; "cooler" to cyan, "warmer" to orange."""
MEASURES |= {
    f"{base}towards {name}": _towards(measure, hue)
    for name, hue in HUES.items()
    for base, measure in (
        ("", _drawn), ("background ", _background), ("ink ", _ink), ("edge colour ", _edge_colour), ("accent ", _accent)
    )
}  # fmt: skip
_MARGINS: dict[str, tuple[float, float]] = {
    "width": (4, 0.05), "height": (4, 0.05), "size": (3, 0.05), "font size": (0.75, 0.04), "weight": (90, 0),
    "padding": (2, 0.08), "gap": (2, 0.08), "margin": (2, 0.08), "spacing": (2, 0.08), "radius": (1.5, 0.1),
    "edge": (0.5, 0), "edge top": (0.5, 0), "edge right": (0.5, 0), "edge bottom": (0.5, 0), "edge left": (0.5, 0),
    "shadow": (0.3, 0.15), "line height": (0.08, 0), "letter spacing": (0.25, 0), "opacity": (0.08, 0),
    "count": (0.5, 0), "columns": (0.5, 0), "rows": (0.5, 0), "x": (24, 0), "y": (24, 0), "length": (12, 0.05),
    "contrast": (4, 0),
}  # fmt: skip


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


_HUES: dict[str, tuple[tuple[float, float], ...]] = {
    "red": ((338, 360), (0, 16)), "orange": ((12, 46),), "yellow": ((40, 68),), "green": ((68, 172),),
    "teal": ((155, 202),), "blue": ((188, 258),), "purple": ((250, 318),), "pink": ((300, 360), (0, 8)),
    "brown": ((8, 48),),
}  # fmt: skip
_NAMED: dict[str, tuple[str, float, float, float, float]] = {
    # base hue, lightness from and to, chroma from and to
    "navy": ("blue", 0, 34, 8, 140),
    "maroon": ("red", 0, 40, 15, 140),
    "burgundy": ("red", 0, 42, 15, 140),
    "turquoise": ("teal", 50, 92, 18, 140),
    "cyan": ("teal", 50, 96, 18, 140),
    "aqua": ("teal", 50, 96, 15, 140),
    "mint": ("green", 72, 98, 4, 70),
    "lavender": ("purple", 66, 97, 4, 60),
    "lilac": ("purple", 60, 95, 6, 65),
    "gold": ("gold", 45, 92, 30, 140),
    "amber": ("gold", 50, 90, 35, 140),
    "mustard": ("gold", 40, 85, 30, 140),
    "coral": ("coral", 48, 82, 25, 140),
    "salmon": ("coral", 55, 85, 15, 140),
    "peach": ("coral", 70, 96, 6, 70),
    "crimson": ("crimson", 15, 55, 30, 140),
    "rose": ("crimson", 30, 90, 10, 140),
    "magenta": ("magenta", 25, 75, 40, 160),
    "fuchsia": ("magenta", 25, 75, 40, 160),
    "indigo": ("indigo", 8, 55, 20, 140),
    "violet": ("purple", 15, 80, 15, 160),
    "plum": ("magenta", 12, 55, 10, 90),
    "olive": ("olive", 25, 65, 12, 90),
    "lime": ("lime", 60, 97, 40, 160),
    "emerald": ("emerald", 30, 80, 25, 140),
    "azure": ("blue", 45, 96, 8, 110),
    "blush": ("pinkish", 72, 97, 4, 45),
    "wine": ("crimson", 5, 42, 15, 90),
    "rust": ("rusty", 25, 55, 25, 110),
    "terracotta": ("rusty", 30, 65, 20, 90),
    "copper": ("rusty", 35, 70, 18, 90),
    "bronze": ("gold", 30, 65, 15, 80),
    "sage": ("green", 45, 88, 3, 35),
    "tan": ("tan", 55, 90, 8, 50),
    "beige": ("tan", 78, 97.5, 3, 32),
    "cream": ("tan", 86, 99.5, 2, 30),
    "ivory": ("tan", 92, 99.9, 0.8, 20),
    "sand": ("tan", 65, 95, 6, 45),
    "khaki": ("tan", 50, 90, 12, 60),
}
_EXTRA_HUES: dict[str, tuple[tuple[float, float], ...]] = {
    "gold": ((32, 58),), "coral": ((0, 36), (348, 360)), "crimson": ((325, 360), (0, 10)), "magenta": ((285, 335),),
    "indigo": ((222, 280),), "olive": ((48, 95),), "lime": ((65, 120),), "emerald": ((120, 175),),
    "pinkish": ((310, 360), (0, 25)), "rusty": ((5, 35),), "tan": ((18, 68),),
}  # fmt: skip


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
    ranges = _EXTRA_HUES.get(base) or _HUES.get(base, ())
    if base == "pink" and light > 70:
        ranges = (*ranges, (0.0, 20.0))
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
