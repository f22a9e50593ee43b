"""A rendered page as questions see it: its elements, their texts, grounds and names."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import MissingExtraError
from interactive_envs.ui2html.judge.tables import load
from interactive_envs.ui2html.rendering.browser import Render
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box, Node

try:
    from PIL import Image
except ImportError as error:  # without it nothing of UI2Html can be asked or scored
    raise MissingExtraError("UI2Html", "ui") from error


BANDS = {"header": Box(0, 0, 1024, 48), "sidebar": Box(0, 120, 150, 480), "page": Box(0, 0, 1024, 768)}
"""Where a part lies in a picture of which there is no tree; the footer is the last 40 px."""


_TEXTUAL = frozenset(
    "text title name subtitle opening heading subheading cardtitle link navlink sidelink brand price total "
    "label copyright byline meta "
    "item quote code placeholder forgot month weekday amount faq active crumbs cell".split()
)
"""Roles whose colour is that of their text, and whose size is that of their font."""


HINTS: dict[str, str] = load("names.toml")
"""Words of classes and ids that name a part, by its role."""


Finder = Callable[["View"], Sequence[int]]
FINDERS: dict[str, Finder] = {}
"""How the parts of a role are found; the modules of :mod:`.finders` fill it."""


FinderT = TypeVar("FinderT", bound=Finder)


def finds(*roles: str) -> Callable[[FinderT], FinderT]:
    """Register what finds the parts of these roles."""

    def register(finder: FinderT) -> FinderT:
        FINDERS.update(dict.fromkeys(roles, finder))
        return finder

    return register


class View:
    """A render with what questions need of it."""

    def __init__(self, render: Render) -> None:
        self.render = render
        self.nodes: tuple[Node, ...] = render.tree
        self.width, self.height = float(render.width), float(render.height)
        self.children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent >= 0:
                self.children[node.parent].append(index)
        self.shown = [node.visible.width >= 1 and node.visible.height >= 1 for node in self.nodes]
        self.names = [_class_words(node) for node in self.nodes]
        self._found: dict[str, tuple[int, ...]] = {}
        self._grounds: dict[int, Colour] = {}
        self._inside: dict[int, tuple[int, ...]] = {}
        self.accents: list[Colour | None] = []

    @functools.cached_property
    def picture(self) -> NDArray[np.uint8]:
        """Pixels, (height, width, 3)."""
        return _decoded(self.render.png)

    def inside(self, index: int) -> tuple[int, ...]:
        """An element and all below it, in the order of the document."""
        if index not in self._inside:
            found = [index]
            for child in self.children[index]:
                found += self.inside(child)
            self._inside[index] = tuple(found)
        return self._inside[index]

    def above(self, index: int) -> list[int]:
        """The ancestors, the nearest first."""
        found = []
        while (index := self.nodes[index].parent) >= 0:
            found.append(index)
        return found

    def text(self, index: int) -> str:
        """The text of an element and of all below it."""
        return " ".join(self.nodes[i].text for i in self.inside(index) if self.nodes[i].text)

    def texts(self, index: int) -> list[int]:
        """The elements with own visible text in it."""
        return [i for i in self.inside(index) if self.nodes[i].text and self.shown[i]]

    def dominant(self, box: Box) -> Colour:
        """The most frequent colour of a part of the picture."""
        left, top = max(0, int(box.x)), max(0, int(box.y))
        part = self.picture[top : max(top + 1, int(box.y + box.height)), left : max(left + 1, int(box.x + box.width))]
        flat = part.reshape(-1, 3)[:: max(1, part.shape[0] * part.shape[1] // 20000)]
        return usual(flat, counted(flat, 2)[0][0], 2) if len(flat) else Colour(255, 255, 255)

    @functools.cached_property
    def palette(self) -> list[tuple[Colour, int]]:
        """The colours of the picture in steps of 16, the most frequent first, with how often they occur."""
        return counted(self.picture.reshape(-1, 3)[::17], 4)

    def ground(self, index: int) -> Colour:
        """The colour behind an element's content."""
        if index not in self._grounds:
            node = self.nodes[index]
            below = self.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
            if node.background_image not in ("none", "") and self.shown[index]:
                below = self.dominant(node.visible)
            elif node.background.alpha > 0:
                below = _blend(node.background, below, node.opacity)
            self._grounds[index] = below
        return self._grounds[index]

    def own_ground(self, index: int) -> bool:
        """Whether an element's background differs from what surrounds it."""
        node = self.nodes[index]
        if node.background_image not in ("none", ""):
            return True
        parent = self.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
        return (
            node.background.alpha > 0
            and max(abs(a - b) for a, b in zip(self.ground(index)[:3], parent[:3], strict=True)) > 2
        )

    def edged(self, index: int) -> bool:
        """Whether an element has a visible border on all sides."""
        return sum(side.width > 0 and side.colour.alpha > 0 for side in self.nodes[index].borders) == 4

    def boxed(self, index: int) -> bool:
        """Whether an element is seen as a box: own background, border all round or shadow."""
        shadow = self.nodes[index].style.get("box-shadow", "none") != "none"
        return self.own_ground(index) or self.edged(index) or shadow

    def find(self, role: str) -> tuple[int, ...]:
        """The visible elements of a role, in the order of the document."""
        if role not in self._found:
            finder = FINDERS.get(role)
            found = finder(self) if finder is not None else self.hinted(role)
            self._found[role] = tuple(sorted({i for i in found if self.shown[i]}))
        return self._found[role]

    def hinted(self, role: str, words: str = "") -> list[int]:
        """The outermost visible elements with a class or id that names the role."""
        wanted = set((words or HINTS.get(role, role)).split())
        found = [
            i for i, names in enumerate(self.names) if self.shown[i] and (names & wanted or _plural(names) & wanted)
        ]
        # A grid of cards is named in the plural and is no card.
        single = [i for i in found if self.names[i] & wanted]
        return self.outermost(single or found)

    def outermost(self, found: Iterable[int]) -> list[int]:
        """Those that lie in no other."""
        chosen = set(found)
        return [i for i in sorted(chosen) if not chosen & set(self.above(i))]

    def innermost(self, found: Iterable[int]) -> list[int]:
        """Those in which no other lies."""
        chosen = set(found)
        return [i for i in sorted(chosen) if not chosen & set(self.inside(i)[1:])]

    def tagged(self, *tags: str) -> list[int]:
        """The visible elements with one of these tags."""
        return [i for i, node in enumerate(self.nodes) if node.tag in tags and self.shown[i]]

    def roled(self, *roles: str) -> list[int]:
        """The visible elements with one of these ARIA roles."""
        return [i for i in range(len(self.nodes)) if self.shown[i] and self.attribute(i, "role") in roles]

    def attribute(self, index: int, name: str) -> str:
        """An attribute, empty where there is none."""
        return dict(self.nodes[index].attributes).get(name, "")

    def union(self, found: Sequence[int], text: bool = False) -> Box:
        """The box around elements, or around their texts."""
        boxes = [self.nodes[i].text_box if text and self.nodes[i].text_box.width else self.nodes[i].box for i in found]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
        return Box(left, top, right - left, bottom - top)


@functools.lru_cache(maxsize=4)
def _decoded(png: bytes) -> NDArray[np.uint8]:
    # A target is asked about in every round.
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def counted(pixels: NDArray[np.uint8], shift: int) -> list[tuple[Colour, int]]:
    """The colours of pixels without their last ``shift`` bits, the most frequent first."""
    kept = pixels.astype(np.int64) >> shift << shift
    codes, counts = np.unique(kept @ np.array([65536, 256, 1]), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [
        (Colour(int(c) >> 16, int(c) >> 8 & 255, int(c) & 255), int(n))
        for c, n in zip(codes[order], counts[order], strict=True)
    ]


def usual(pixels: NDArray[np.uint8], colour: Colour, shift: int) -> Colour:
    """The most frequent exact colour of those that :func:`counted` takes for one."""
    near = pixels[(pixels >> shift << shift == np.array(colour[:3], dtype=np.uint8)).all(axis=1)]
    return counted(near, 0)[0][0]


def textual(role: str) -> bool:
    """Whether a role is text rather than a box."""
    return role in _TEXTUAL


def _class_words(node: Node) -> frozenset[str]:
    attributes = dict(node.attributes)
    text = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    whole = {re.sub(r"[^a-z]", "", word.lower()) for word in text.split()}
    return frozenset(re.findall(r"[a-z]+", split)) | frozenset(filter(None, whole))


def _plural(names: Iterable[str]) -> set[str]:
    return {name[:-1] for name in names if name.endswith("s")}


def _blend(over: Colour, under: Colour, opacity: float) -> Colour:
    alpha = over.alpha * opacity
    return Colour(*(round(alpha * a + (1 - alpha) * b) for a, b in zip(over[:3], under[:3], strict=True)))
