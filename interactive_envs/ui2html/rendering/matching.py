"""Which visible element of a page stands for which of the target, whatever tags and wrappers they are made of.

An :class:`Element` is what a reader sees: a run of text, or a box with a background, border or shadow of its own; a box
around nothing but one text is one element with it. What cannot be seen is no element: text in the colour of its ground,
smaller than :data:`SMALLEST`, outside the picture, clipped away or under something else.

>>> from interactive_envs.ui2html.rendering.browser import shared  # doctest: +SKIP
>>> tree = shared().render("<h1>Hello</h1><button>Go</button>").tree  # doctest: +SKIP
>>> [element.role for element in elements(tree)]  # doctest: +SKIP
['heading', 'button']
"""

from __future__ import annotations

import collections
import functools
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from interactive_envs.ui2html.rendering.browser import HEIGHT, WIDTH
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import EMPTY, Box, Node

Array = NDArray[np.float64]

SMALLEST = 5.0
"""Pixels of a line's height or a font's size below which nobody reads."""
LEGIBLE, DISTINCT = 12.0, 1.5
"""CIELAB distances from which a text is seen on its ground, and an area beside another."""
ALIKE = 0.38
"""Similarity below which two elements do not play the same part."""
MOST = 1200
"""Elements of a page that are compared, the largest; more stay unmatched."""
WHITE = Colour(255, 255, 255)


class Role(StrEnum):
    """What an element looks like, except that fields and images are known by their tags."""

    BUTTON = "button"
    FIELD = "field"
    CHOICE = "choice"
    HEADING = "heading"
    LINK = "link"
    TEXT = "text"
    BADGE = "badge"
    IMAGE = "image"
    SHAPE = "shape"
    RULE = "rule"
    PANEL = "panel"


class Element(NamedTuple):
    """Something that is seen as one.

    Attributes:
        role: what it looks like.
        node: the place in the tree of the box that is painted, or else of the text; -1 if there is no tree.
        box: the part of it that is seen.
        text: its words; empty without any.
        text_box: the part of the text that is seen; without size if there is no text.
        lines: of the text.
        size: of the font, in px.
        weight: of the font.
        italic: whether the text is.
        family: serif, sans-serif or monospace.
        colour: of the text as it is seen; of the ground if there is no text.
        background: behind the text, or of the box, as it is seen.
        border: the largest width of its borders in px.
        edge: the colour of that border; of the background if there is none.
        radius: of its corners in px.
        shadow: whether it has one.
        ink: what the text looks like, for a picture without a tree; else empty.
    """

    role: Role
    node: int
    box: Box
    text: str = ""
    text_box: Box = EMPTY
    lines: int = 0
    size: float = 0.0
    weight: int = 400
    italic: bool = False
    family: str = ""
    colour: Colour = WHITE
    background: Colour = WHITE
    border: float = 0.0
    edge: Colour = WHITE
    radius: float = 0.0
    shadow: bool = False
    ink: tuple[float, ...] = ()

    @property
    def painted(self) -> bool:
        """Whether it is more than bare text."""
        return self.role not in (Role.TEXT, Role.HEADING, Role.LINK)

    @property
    def has_text(self) -> bool:
        """Whether there is something to read, known word by word or only by its looks."""
        return bool(self.text or self.ink)


class Pair(NamedTuple):
    """An element of the target and the one of the page that stands for it.

    Attributes:
        target: place in :attr:`Matching.target`.
        page: place in :attr:`Matching.page`.
        similarity: 0 to 1, at least :data:`ALIKE`.
    """

    target: int
    page: int
    similarity: float


class Matching(NamedTuple):
    """The best assignment.

    Attributes:
        target: the elements of the target, in the order of the document.
        page: those of the page.
        pairs: who stands for whom, in the order of the target.
        missing: places of the target's elements for which nothing stands.
        extra: places of the page's elements that stand for nothing.
    """

    target: tuple[Element, ...]
    page: tuple[Element, ...]
    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


def match(target: Sequence[Node], page: Sequence[Node]) -> Matching:
    """Assign the visible elements of a page to those of a target.

    By role, place, turn among their kind, size, colours and, where they are the same, words; each element stands for at
    most one, and the sum of similarities is the largest there can be.
    """
    return assign(elements(target), elements(page))


def assign(target: Sequence[Element], page: Sequence[Element]) -> Matching:
    """:func:`match` for elements that are known."""
    rows, columns = _largest(target), _largest(page)
    found: list[Pair] = []
    if rows and columns:
        alike = similarity([target[i] for i in rows], [page[j] for j in columns])
        # What is unlike is worth nothing, or it would be preferred to leaving both alone.
        worth = np.where(alike >= ALIKE, alike, 0.0)
        for i, j in zip(*linear_sum_assignment(worth, maximize=True), strict=True):
            if worth[i, j] > 0:
                found.append(Pair(rows[i], columns[j], float(worth[i, j])))
    found.sort()
    taken, used = {pair.target for pair in found}, {pair.page for pair in found}
    return Matching(
        tuple(target),
        tuple(page),
        tuple(found),
        tuple(i for i in range(len(target)) if i not in taken),
        tuple(j for j in range(len(page)) if j not in used),
    )


def _largest(found: Sequence[Element]) -> list[int]:
    if len(found) <= MOST:
        return list(range(len(found)))
    return sorted(sorted(range(len(found)), key=lambda i: -found[i].box.width * found[i].box.height)[:MOST])


_KIN = {
    frozenset(pair): value
    for *pair, value in (
        (Role.TEXT, Role.LINK, 1.0),
        (Role.TEXT, Role.HEADING, 0.7),
        (Role.HEADING, Role.LINK, 0.7),
        (Role.BUTTON, Role.BADGE, 0.7),
        (Role.BUTTON, Role.FIELD, 0.5),
        (Role.BUTTON, Role.LINK, 0.4),
        (Role.BADGE, Role.TEXT, 0.5),
        (Role.BADGE, Role.LINK, 0.4),
        (Role.BADGE, Role.SHAPE, 0.5),
        (Role.IMAGE, Role.SHAPE, 0.8),
        (Role.IMAGE, Role.PANEL, 0.4),
        (Role.SHAPE, Role.PANEL, 0.5),
        (Role.FIELD, Role.PANEL, 0.5),
        (Role.CHOICE, Role.SHAPE, 0.5),
        (Role.PANEL, Role.BUTTON, 0.4),
        (Role.PANEL, Role.BADGE, 0.3),
        (Role.PANEL, Role.TEXT, 0.3),
        (Role.PANEL, Role.HEADING, 0.2),
        (Role.RULE, Role.SHAPE, 0.3),
        (Role.FIELD, Role.SHAPE, 0.4),
    )
}


def kinship(one: Role, other: Role) -> float:
    """How nearly two roles are the same, 0 to 1."""
    return 1.0 if one == other else _KIN.get(frozenset((one, other)), 0.0)


KINDS = {
    Role.BUTTON: "buttons",
    Role.BADGE: "buttons",
    Role.FIELD: "fields",
    Role.CHOICE: "fields",
    Role.HEADING: "headings",
    Role.LINK: "texts",
    Role.TEXT: "texts",
    Role.IMAGE: "images",
    Role.SHAPE: "images",
    Role.RULE: "lines",
    Role.PANEL: "panels",
}
"""What is counted together; among these an element has its turn."""


def similarity(target: Sequence[Element], page: Sequence[Element]) -> Array:
    """How nearly each element of the target and each of the page play the same part, 0 to 1; shape (target, page).

    Place, turn among its kind, size and colours, as far as the roles are akin; words help but are not needed.
    """
    roles = list(Role)
    table = np.array([[kinship(one, other) for other in roles] for one in roles])
    place = {role: index for index, role in enumerate(roles)}
    kin = table[np.ix_([place[e.role] for e in target], [place[e.role] for e in page])]
    one, other = boxes(target), boxes(page)
    inside = [
        np.array([lab(getattr(e, what)) for e in side]) for what in ("background", "colour") for side in (target, page)
    ]
    ground = np.exp(-_distances(inside[0], inside[1]) / 40)
    ink = np.exp(-_distances(inside[2], inside[3]) / 40)
    left, right = (np.array([e.has_text for e in side]) for side in (target, page))
    both = left[:, None] & right[None, :]
    near, size = _near(one, other), _same_size(target, page)
    part = 0.35 * near + 0.25 * _same_turn(target, page) + 0.20 * size + 0.10 * ground + 0.10 * ink
    # What has no words is known by how exactly it fits.
    known = np.where(both, _text_similarity(target, page), np.where(left[:, None] | right[None, :], 0.0, near * size))
    return np.where(kin > 0, 0.7 * (0.5 + 0.5 * kin) * part + 0.3 * known * (0.5 + 0.5 * kin), 0.0)


def _near(one: Array, other: Array) -> Array:
    """How near boxes are, in pixels or, on a page of another height, in parts of it; 0 to 1, shape (one, other)."""
    tall = [max(1.0, float((side[:, 1] + side[:, 3]).max())) for side in (one, other)]
    scaled = other * (1.0, tall[0] / tall[1], 1.0, tall[0] / tall[1])
    back = one * (1.0, tall[1] / tall[0], 1.0, tall[1] / tall[0])
    down = np.minimum(gap(one, other, 1), np.maximum(gap(one, scaled, 1), gap(back, other, 1)))
    return np.asarray(np.exp(-(gap(one, other, 0) + down) / 250))


def _same_turn(target: Sequence[Element], page: Sequence[Element]) -> Array:
    """Whether elements have the same turn among their kind, from the first or from the last; shape (target, page)."""
    (first, last), (others, others_last) = _turns(target), _turns(page)
    apart = np.minimum(np.abs(first[:, None] - others), np.abs(last[:, None] - others_last))
    return np.asarray(np.exp(-apart))


def _turns(side: Sequence[Element]) -> tuple[Array, Array]:
    """How many of its kind come before each in reading order, and how many after it."""
    first, last = np.zeros(len(side)), np.zeros(len(side))
    for kind in sorted(set(KINDS.values())):
        # Lines of text that are a few pixels apart are read as one.
        own = [i for i, e in enumerate(side) if KINDS[e.role] == kind]
        own.sort(key=lambda i: (round((side[i].box.y + side[i].box.height / 2) / 12), side[i].box.x))
        first[own] = np.arange(len(own))
        last[own] = np.arange(len(own))[::-1]
    return first, last


def _same_size(target: Sequence[Element], page: Sequence[Element]) -> Array:
    """Of boxes in both directions; of bare texts mostly that of their letters; shape (target, page)."""
    one, other = boxes(target), boxes(page)
    wide, tall = (np.sqrt(ratio(one[:, None, axis], other[None, :, axis])) for axis in (2, 3))
    letters = [np.array([e.size for e in side]) for side in (target, page)]
    bare = [np.array([not e.painted for e in side]) for side in (target, page)]
    written = 0.6 * ratio(letters[0][:, None], letters[1][None, :]) + 0.2 * wide + 0.2 * tall
    return np.where(bare[0][:, None] & bare[1][None, :], written, wide * tall)


def boxes(found: Sequence[Element]) -> Array:
    """Left, top, width and height of each; shape (n, 4)."""
    return np.array([e.box for e in found], float).reshape(-1, 4)


def gap(one: Array, other: Array, axis: int) -> Array:
    """How far apart boxes are along an axis, by the edge or middle that agrees best; shape (one, other)."""
    start = np.abs(one[:, None, axis] - other[None, :, axis])
    difference = one[:, None, axis + 2] - other[None, :, axis + 2]
    signed = one[:, None, axis] - other[None, :, axis]
    middle, end = np.abs(signed + difference / 2), np.abs(signed + difference)
    return np.minimum(np.minimum(start, middle), end)


def ratio(one: Array, other: Array) -> Array:
    """The smaller over the larger of two lengths, 1 if both are nothing."""
    high = np.maximum(np.maximum(one, other), 1e-9)
    return np.where(high > 1e-6, np.minimum(one, other) / high, 1.0)


@functools.lru_cache(8192)
def lab(colour: Colour) -> tuple[float, float, float]:
    """CIELAB under D65."""
    light, a, b = to_lab(np.array(colour[:3], float))
    return float(light), float(a), float(b)


def to_lab(rgb: Array) -> Array:
    """CIELAB under D65 of sRGB from 0 to 255; the last axis is the colour's."""
    part = rgb / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _XYZ
    root = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


# sRGB to XYZ, each row over the white of D65.
_XYZ = (
    np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
    / np.array([[0.95047], [1.0], [1.08883]])
).T


def _distances(one: Array, other: Array) -> Array:
    return np.asarray(np.linalg.norm(one.reshape(-1, 1, 3) - other.reshape(1, -1, 3), axis=2))


_WORDS = re.compile(r"[^\W_]+|[^\w\s]")


def words(text: str) -> list[str]:
    """Words and signs, in order.

    >>> words("Sign in - $4.50")
    ['Sign', 'in', '-', '$', '4', '.', '50']
    """
    return _WORDS.findall(text)


def _text_similarity(target: Sequence[Element], page: Sequence[Element]) -> Array:
    """Cosine of what texts are made of: words and parts of three letters, or ink where there are no words."""
    vocabulary: dict[str, int] = {}
    counts = [[_parts(e.text) for e in side] for side in (target, page)]
    for side in counts:
        for parts in side:
            for part in parts:
                vocabulary.setdefault(part, len(vocabulary))
    one, other = (_unit(_table(side, vocabulary)) for side in counts)
    cosine = one @ other.T
    if any(e.ink for e in target) and any(e.ink for e in page):
        length = max(len(e.ink) for e in (*target, *page))
        inks = [np.array([e.ink or (0.0,) * length for e in side]) for side in (target, page)]
        cosine = np.maximum(cosine, np.clip(_unit(inks[0]) @ _unit(inks[1]).T, 0, 1))
    return np.asarray(cosine)


def _parts(text: str) -> collections.Counter[str]:
    found = [word.casefold() for word in words(text)]
    padded = f" {' '.join(found)} "
    return collections.Counter(found) + collections.Counter(padded[i : i + 3] for i in range(len(padded) - 2))


def _table(counts: Sequence[collections.Counter[str]], vocabulary: dict[str, int]) -> Array:
    table = np.zeros((len(counts), max(1, len(vocabulary))))
    for row, parts in enumerate(counts):
        for part, count in parts.items():
            table[row, vocabulary[part]] = count
    return table


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))


def elements(tree: Sequence[Node]) -> tuple[Element, ...]:
    """What is seen of a tree, in the order of the document."""
    return _Viewer(tree).elements() if tree else ()


_IMAGES = frozenset(["img", "svg", "canvas", "video", "object"])
_TYPED = frozenset(["checkbox", "radio", "range", "color"])
_PUSHED = frozenset(["submit", "button", "reset", "image"])
_GROUND = 0.9
"""Share of the picture from which a box is the page's ground and no element."""
_COVERED = 0.8
"""Share of a text under a box above it from which nobody reads it."""


class _Viewer:
    """Looks at a tree once: what is painted over what, which texts can be read, what lies in which box."""

    def __init__(self, tree: Sequence[Node]) -> None:
        self._tree = tree
        height = max([float(HEIGHT), *(n.visible.y + n.visible.height for n in tree)])
        self._picture = Box(0.0, 0.0, float(WIDTH), height)
        self._fills = [i for i, node in enumerate(tree) if _fills(node)]
        seen = np.array([tree[i].visible for i in self._fills], float).reshape(-1, 4)
        self._areas = np.concatenate([seen[:, :2], seen[:, :2] + seen[:, 2:]], axis=1)
        self._layers = np.array([tree[i].paint for i in self._fills], int)
        self._places = np.array(self._fills, int)
        self._solid = np.array([_alpha(tree[i]) >= 0.99 for i in self._fills], bool)
        self._clips = self._find_clips()
        self._drawing = self._find_drawings()
        self._painted = [i for i in range(len(tree)) if self._is_painted(i)]
        self._texts = self._find_texts()
        sizes = sorted((tree[i].size, len(text)) for i, (text, _, _) in self._texts.items())
        half, self._usual = sum(length for _, length in sizes) / 2, 16.0
        for size, length in sizes:
            half -= length
            if half <= 0:
                self._usual = size
                break

    def elements(self) -> tuple[Element, ...]:
        """Boxes, those around one text with it, other texts, and lines."""
        painted = set(self._painted)
        contents: dict[int, list[int]] = collections.defaultdict(list)
        for i in self._texts:
            contents[i if i in painted else self._holder(i, painted)].append(i)
        boxed = collections.Counter(self._holder(i, painted) for i in self._painted)
        found: list[tuple[int, int, Element]] = []
        unique = set()
        for i in self._painted:
            only = contents[i][0] if len(contents[i]) == 1 and not boxed[i] else None
            unique |= {only}
            found.append((i, 0, self._boxed(i, only, empty=not contents[i] and not boxed[i])))
        found += [(i, 1, self._bare(i)) for i in self._texts if i not in unique]
        found += [(i, 2, line) for i in range(len(self._tree)) if i not in painted for line in self._line(i)]
        return tuple(element for *_, element in sorted(found, key=lambda row: row[:2]))

    def _find_clips(self) -> list[Box]:
        """The part of the picture in which each element's content is seen."""
        clips: list[Box] = []
        for node in self._tree:
            clip = clips[node.parent] if node.parent >= 0 else self._picture
            if node.style.get("position") == "fixed":
                clip = self._picture
            cuts = node.tag not in ("html", "body") and node.style.get("display") != "inline"
            clips.append(node.box.meet(clip) if cuts and node.style.get("overflow-x", "visible") != "visible" else clip)
        return clips

    def _find_drawings(self) -> list[bool]:
        """Whether each is a part of an inline SVG."""
        inside: list[bool] = []
        for node in self._tree:
            inside.append(node.parent >= 0 and (inside[node.parent] or self._tree[node.parent].tag == "svg"))
        return inside

    def _find_texts(self) -> dict[int, tuple[str, Box, int]]:
        """Words, box and lines of each text that can be read; emphasis within a text is a part of it."""
        found: dict[int, tuple[str, Box, int]] = {}
        owners: dict[int, int] = {}
        painted = set(self._painted)
        for i, node in enumerate(self._tree):
            within = owners.get(node.parent, -1) if node.style.get("display") == "inline" and i not in painted else -1
            if within >= 0:
                owners[i] = within
            box = self._readable(i)
            if box is None:
                continue
            if within >= 0:
                text, whole, lines = found[within]
                found[within] = (f"{text} {node.text}", _around(whole, box), max(lines, node.lines))
            else:
                owners[i] = i
                found[i] = (node.text, box, node.lines)
        return found

    def _readable(self, i: int) -> Box | None:
        """What is seen of an element's own text; None if nobody can read it."""
        node = self._tree[i]
        box = node.text_box.meet(self._clips[i])
        shown, whole = box.width * box.height, node.text_box.width * node.text_box.height
        if not node.text or shown < 0.5 * whole or shown <= 0:
            return None
        if min(node.size, node.text_box.height / max(1, node.lines)) < SMALLEST:
            return None
        below = self._below(i, box, text=True)
        if below is not None and _apart(_blend(node.colour, node.opacity, below), below) < LEGIBLE:
            return None
        return None if self._share_covered(box, self._layers > node.paint) >= _COVERED else box

    def _share_covered(self, box: Box, above: NDArray[np.bool_]) -> float:
        """The largest part of a box that one opaque box among these hides."""
        over = self._areas[above & self._solid]
        if not len(over):
            return 0.0
        width = np.minimum(over[:, 2], box.x + box.width) - np.maximum(over[:, 0], box.x)
        height = np.minimum(over[:, 3], box.y + box.height) - np.maximum(over[:, 1], box.y)
        return float((np.clip(width, 0, None) * np.clip(height, 0, None)).max() / (box.width * box.height))

    def _below(self, i: int, box: Box, *, text: bool = False) -> Colour | None:
        """The colour on which an element's box or text is painted, None if it is a picture."""
        x, y, layer = box.x + box.width / 2, box.y + box.height / 2, self._tree[i].paint
        under = (self._layers < layer) | ((self._layers == layer) & (text | (self._places < i)))
        here = (self._areas[:, 0] <= x) & (x <= self._areas[:, 2]) & (self._areas[:, 1] <= y) & (y <= self._areas[:, 3])
        stack = np.flatnonzero(under & here)
        order = sorted(stack, key=lambda k: (self._layers[k], self._places[k]), reverse=True)
        seen: list[Node] = []
        for k in order:
            node = self._tree[self._fills[k]]
            if node.background_image != "none" or node.tag in _IMAGES:
                return None
            seen.append(node)
            if self._solid[k]:
                break
        colour = WHITE
        for node in reversed(seen):
            colour = _blend(node.background, node.opacity, colour)
        return colour

    def _is_painted(self, i: int) -> bool:
        """Whether its box can be distinguished from what lies below it."""
        node, box = self._tree[i], self._tree[i].visible
        area = box.width * box.height
        whole = self._picture.width * self._picture.height
        if area <= 0 or node.tag == "html" or self._drawing[i] or min(box.width, box.height) < 1:
            return False
        if area >= _GROUND * whole or node.opacity < 0.05:
            return False
        later = (self._layers > node.paint) | ((self._layers == node.paint) & (self._places > i))
        if self._share_covered(box, later) >= 0.999:
            return False
        if node.tag in _IMAGES or _kind(node) in _TYPED or node.background_image != "none":
            return True
        below = self._below(i, box)
        shown = _blend(node.background, node.opacity, below or WHITE)
        if _alpha(node) > 0 and (below is None or _apart(shown, below) >= DISTINCT):
            return True
        ground = shown if below is None else below
        sides = [s for s in node.borders if s.width > 0 and _apart(_blend(s.colour, node.opacity, ground), ground) >= 3]
        return len(sides) >= 3 or (node.tag in _FIELDS and bool(sides)) or _shadowed(node)

    def _holder(self, i: int, painted: set[int]) -> int:
        """The nearest painted ancestor; -1 without one."""
        above = self._tree[i].parent
        while above >= 0 and above not in painted:
            above = self._tree[above].parent
        return above

    def _boxed(self, i: int, only: int | None, *, empty: bool) -> Element:
        node = self._tree[i]
        below = self._below(i, node.visible)
        ground = _blend(node.background, node.opacity, below or WHITE)
        side = max(node.borders, key=lambda border: border.width)
        element = Element(
            Role.PANEL,
            i,
            node.visible,
            colour=ground,
            background=ground,
            border=side.width,
            edge=_blend(side.colour, node.opacity, ground) if side.width else ground,
            radius=min(max(node.radius), min(node.box.width, node.box.height) / 2),
            shadow=_shadowed(node),
        )
        if only is not None:
            element = self._with_text(element, only, ground)
        return element._replace(role=self._box_role(node, element, empty))

    def _box_role(self, node: Node, element: Element, empty: bool) -> Role:
        kind, pushed = _kind(node), node.tag == "button" or _kind(node) in _PUSHED
        _, _, width, height = element.box
        if node.tag in _IMAGES:
            return Role.IMAGE
        if kind in _TYPED:
            return Role.CHOICE
        if node.tag in _FIELDS and not pushed:
            return Role.FIELD
        if empty or (not element.text and min(width, height) <= 4):
            return (
                Role.RULE if min(width, height) <= 4 else Role.IMAGE if "url(" in node.background_image else Role.SHAPE
            )
        if not element.text or element.lines > 2 or len(element.text) > 40 or width > 520 or height > 90:
            return Role.PANEL
        if (height < 25 and not pushed) or (width < 1.3 * height and len(element.text) <= 3):
            return Role.BADGE
        return Role.BUTTON

    def _with_text(self, element: Element, i: int, ground: Colour) -> Element:
        node, (text, box, lines) = self._tree[i], self._texts[i]
        return element._replace(
            text=text,
            text_box=box,
            lines=lines,
            size=node.size,
            weight=node.weight,
            family=family(node.font),
            italic=node.style.get("font-style", "normal") != "normal",
            colour=_blend(node.colour, node.opacity, ground),
        )

    def _bare(self, i: int) -> Element:
        node, box = self._tree[i], self._texts[i][1]
        ground = self._below(i, box, text=True) or WHITE
        element = self._with_text(Element(Role.TEXT, i, box, background=ground, edge=ground), i, ground)
        if node.size >= 1.15 * self._usual and len(element.text) <= 120:
            return element._replace(role=Role.HEADING)
        linked = node.tag == "a" or "underline" in node.style.get("text-decoration-line", "")
        return element._replace(role=Role.LINK) if linked else element

    def _line(self, i: int) -> list[Element]:
        """The line that a border on one side of an unpainted box without text makes."""
        node = self._tree[i]
        left, top, width, height = node.visible
        table = node.style.get("display", "").startswith("table")
        if width * height <= 0 or node.text or table or self._drawing[i] or node.opacity < 0.05:
            return []
        ground = self._below(i, node.visible) or WHITE
        right, bottom = (node.borders[side].width for side in (1, 2))
        top_side, left_side = node.borders[0].width, node.borders[3].width
        places = (
            Box(left, top, width, top_side),
            Box(left + width - right, top, right, height),
            Box(left, top + height - bottom, width, bottom),
            Box(left, top, left_side, height),
        )
        found = []
        for side, place in zip(node.borders, places, strict=True):
            shown = _blend(side.colour, node.opacity, ground)
            if side.width > 0 and _apart(shown, ground) >= 3:
                found.append(Element(Role.RULE, i, place, colour=shown, background=shown, edge=shown))
        return found


_FIELDS = frozenset(["input", "textarea", "select"])


def _fills(node: Node) -> bool:
    """Whether its box may hide what lies below."""
    shown = node.visible.width * node.visible.height > 0
    return shown and (_alpha(node) > 0 or node.background_image != "none" or node.tag in _IMAGES)


def _alpha(node: Node) -> float:
    return node.background.alpha * node.opacity


def _kind(node: Node) -> str:
    """The type of an input; empty for anything else."""
    return dict(node.attributes).get("type", "text").lower() if node.tag == "input" else ""


def _shadowed(node: Node) -> bool:
    shadow = node.style.get("box-shadow", "none")
    return shadow != "none" and "rgba(0, 0, 0, 0)" not in shadow


def _blend(colour: Colour, opacity: float, below: Colour) -> Colour:
    part = colour.alpha * opacity
    red, green, blue = (
        round(part * top + (1 - part) * under) for top, under in zip(colour[:3], below[:3], strict=True)
    )
    return Colour(red, green, blue)


@functools.lru_cache(8192)
def _apart(one: Colour, other: Colour) -> float:
    """Distance in CIELAB."""
    return float(np.linalg.norm(np.subtract(lab(one), lab(other))))


def _around(one: Box, other: Box) -> Box:
    left, top = min(one.x, other.x), min(one.y, other.y)
    right, bottom = max(one.x + one.width, other.x + other.width), max(one.y + one.height, other.y + other.height)
    return Box(left, top, right - left, bottom - top)


def family(font: str) -> str:
    """The generic family of a list of families, as far as its names tell.

    >>> family('"Courier New", serif'), family("Georgia"), family("Inter, sans-serif"), family("Nonesuch")
    ('monospace', 'serif', 'sans-serif', 'serif')
    """
    for name in font.casefold().split(","):
        if "mono" in name or "courier" in name or "consolas" in name or "menlo" in name:
            return "monospace"
        if "sans" in name or any(known in name for known in _SANS):
            return "sans-serif"
        if "serif" in name or any(known in name for known in _SERIF):
            return "serif"
    return "serif"  # what Chromium sets a page in that asks for nothing it knows


_SANS = (
    "arial",
    "helvetica",
    "verdana",
    "tahoma",
    "segoe",
    "roboto",
    "system-ui",
    "inter",
    "trebuchet",
    "calibri",
    "ubuntu",
    "lato",
    "blinkmac",
    "apple-system",
)
_SERIF = ("times", "georgia", "garamond", "palatino", "cambria", "baskerville", "book antiqua")
