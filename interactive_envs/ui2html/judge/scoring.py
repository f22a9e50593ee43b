"""How near a page comes to a target: five whole numbers from 0 to 20, from trees and pictures.

===========  ===========================================================================================
dimension    what it is made of
===========  ===========================================================================================
layout       where matched elements are, alone and beside their neighbours; their sizes; the page's height
component    how many elements of each kind both pages have, and how many of them stand for each other
style        palette; colours, type, borders, corners and shadows of matched elements
text         words of matched elements, and their order
polish       structural similarity of the pictures, gaps between neighbours, overlaps and overflow
===========  ===========================================================================================

The target itself has 20 in each, a page that shows nothing has 0 in each, whatever its colour. What is missing costs
as much as what is too much. Elements are those of :mod:`interactive_envs.ui2html.rendering.matching`, so tags and
wrappers do not count and what cannot be seen earns nothing. A target that is a screenshot has no tree; then both
pages are taken by their pictures alone, and text is compared by its looks.
"""

from __future__ import annotations

import collections
import difflib
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from interactive_envs.ui2html.rendering.browser import WIDTH, Render
from interactive_envs.ui2html.rendering.matching import (
    KINDS,
    Array,
    Element,
    Matching,
    Role,
    assign,
    boxes,
    elements,
    kinship,
    lab,
    ratio,
    to_lab,
    words,
)
from interactive_envs.ui2html.rendering.pictures import CELLS, Picture, palette, picture, regions, structure
from interactive_envs.ui2html.rendering.tree import Box, Node

FULL = 20
"""Of a dimension."""
NEIGHBOURS = 4
_OFFSET = 60.0
"""Pixels: by this a place is wrong when 1/e of its worth is left."""
_GAP = 24.0
"""The same of a gap between neighbours."""
_SHADE = 25.0
"""The same of a colour, in CIELAB."""
_GROUND = 0.4
"""Part of the style's worth that is lost on a ground of quite another colour."""
_HEAP, _CHANCE = 0.7, 0.3
"""What all words in one heap are worth, and how alike the words of two pages are by chance."""
_COUNTED = 0.7
"""Part of a kind's worth that its number has; the rest has who stands for whom."""
_LINE = 0.5
"""How much lines count beside other kinds."""


class Scores(NamedTuple):
    """Five whole numbers from 0 to :data:`FULL`."""

    layout: int
    component: int
    style: int
    text: int
    polish: int

    @property
    def total(self) -> int:
        """0 to 100."""
        return sum(self)


def score(target: Render, page: Render) -> Scores:
    """How near a page comes to the target.

    A target without a tree is a screenshot: then the page's tree is not looked at either.
    """
    raw = explain(target, page)
    layout, component, style, text, polish = (int(FULL * _number(raw[name]) + 0.5) for name in Scores._fields)
    return Scores(layout, component, style, text, polish)


def explain(target: Render, page: Render) -> Mapping[str, float | Mapping[str, float]]:
    """What a score is made of: each dimension from 0 to 1, and its parts under ``parts`` as ``dimension.part``."""
    pictures = picture(target.png), picture(page.png)
    if target.tree:
        found = assign(seen(target.tree, pictures[0]), seen(page.tree, pictures[1]))
    else:
        found = assign(regions(pictures[0]), regions(pictures[1]))
    compared = _Comparison(found, *pictures)
    raw: dict[str, float] = {}
    parts: dict[str, float] = {}
    for name in Scores._fields:
        value, of = getattr(compared, name)()
        raw[name] = min(1.0, max(0.0, float(value)))
        parts |= {f"{name}.{part}": float(number) for part, number in of.items()}
    parts |= {
        "matched": float(len(found.pairs)),
        "missing": float(len(found.missing)),
        "extra": float(len(found.extra)),
        "coverage": compared.coverage,
    }
    return {**raw, "parts": parts}


def seen(tree: Sequence[Node], of: Picture) -> tuple[Element, ...]:
    """The elements of a tree that its picture shows, too."""
    found = []
    for element in elements(tree):
        if not of.drawn(element.box, margin=4):
            continue
        if element.text and of.drawn(element.text_box) < 0.01:
            if not element.painted:
                continue
            element = element._replace(role=Role.SHAPE, text="", lines=0, colour=element.background)
        found.append(element)
    return tuple(found)


def _number(value: float | Mapping[str, float]) -> float:
    return value if isinstance(value, float) else 0.0


class _Comparison:
    """Two pages whose elements are matched; each dimension gives a number from 0 to 1 and its parts."""

    def __init__(self, found: Matching, target: Picture, page: Picture) -> None:
        self._found, self._target, self._page = found, target, page
        self._one = [found.target[pair.target] for pair in found.pairs]
        self._other = [found.page[pair.page] for pair in found.pairs]
        self._first, self._second = boxes(self._one), boxes(self._other)
        weights = [_weights(side) for side in (found.target, found.page)]
        own = weights[0][[pair.target for pair in found.pairs]]
        its = weights[1][[pair.page for pair in found.pairs]]
        self._weight = own + its
        whole = float(weights[0].sum() + weights[1].sum())
        self._near = self._find_near()
        self.coverage = float(self._weight.sum()) / whole if whole else 1.0

    def layout(self) -> tuple[float, dict[str, float]]:
        """Places and sizes of matched elements, and how tall the pages are."""
        tall = ratio(*(np.array([float(side.pixels.shape[0])]) for side in (self._target, self._page)))
        height = float(tall[0])
        across, down = (np.abs(_offsets(self._first, self._second, axis)) for axis in (0, 1))
        place = self._mean(np.exp(-(across + down) / _OFFSET))
        beside = self._beside()
        size = self._mean(self._sizes())
        raw = 0.45 * place + 0.2 * beside + 0.25 * size + 0.1 * height
        return raw * np.sqrt(self.coverage), {"place": place, "beside": beside, "size": size, "height": height}

    def component(self) -> tuple[float, dict[str, float]]:
        """Of each kind, how many there are on both pages, and how many of them stand for each other."""
        taken = {pair.page: _as_in(*both) for pair, both in zip(self._found.pairs, self._pairs(), strict=True)}
        page = [taken.get(j, element) for j, element in enumerate(self._found.page)]
        counts = [collections.Counter(KINDS[e.role] for e in side) for side in (self._found.target, page)]
        matched: dict[str, float] = collections.defaultdict(float)
        for one, other in zip(self._one, taken.values(), strict=True):
            credit = kinship(one.role, other.role)
            for element in (one, other):
                matched[KINDS[element.role]] += credit / 2
        parts: dict[str, float] = {}
        weights = []
        for name in sorted(counts[0] | counts[1]):
            least, most = sorted(count[name] for count in counts)
            # As if each pair were one thing: a half that is missing takes a half away.
            share = matched[name] / (least + most - matched[name])
            parts[name] = _COUNTED * least / most + (1 - _COUNTED) * share
            weights.append(math.sqrt(most) * (_LINE if name == KINDS[Role.RULE] else 1.0))
        if not parts:
            return 1.0, {}
        mean = float(np.average(list(parts.values()), weights=weights))
        # What is missing or too much is the fault of this dimension before it is one of the others.
        return mean**1.4, parts

    def style(self) -> tuple[float, dict[str, float]]:
        """Colours of the pictures; colours, type and edges of matched elements."""
        colours = palette(self._target, self._page)
        ground, ink, edge = (self._shades(what) for what in ("background", "colour", "edge"))
        paint = self._mean(0.6 * ground + 0.4 * ink)
        written = np.array([one.has_text or other.has_text for one, other in self._pairs()], bool)
        boxed = np.array([one.painted or other.painted for one, other in self._pairs()], bool)
        type_ = self._mean(np.array([_type(*pair) for pair in self._pairs()]), written)
        edges = self._mean(np.array([_edges(*pair) for pair in self._pairs()]) * (0.5 + 0.5 * edge), boxed)
        raw = 0.3 * colours + 0.35 * paint + 0.25 * type_ + 0.1 * edges
        under = np.linalg.norm(np.subtract(*(to_lab(np.array(p.ground)) for p in (self._target, self._page))))
        below = float(np.exp(-under / _SHADE))
        raw *= 1 - _GROUND * (1 - below)
        parts = {"palette": colours, "paint": paint, "type": type_, "edges": edges, "ground": below}
        return raw * np.sqrt(self.coverage), parts

    def text(self) -> tuple[float, dict[str, float]]:
        """Words that are the same among all words of both pages, and whether they come in the same order."""
        whole = sum(_length(element) for side in (self._found.target, self._found.page) for element in side)
        if not whole:
            return 1.0, {}
        read = [(one, other) for one, other in self._pairs() if one.has_text and other.has_text]
        alike = [_same_words(one, other) for one, other in read]
        same = sum(a * (_length(one) + _length(other)) for a, (one, other) in zip(alike, read, strict=True)) / whole
        order = _order([one.text_box for one, _ in read], [other.text_box for _, other in read])
        # The same words in one heap are still the same words, though nothing is where it belongs.
        flow = max(0.0, _flow(self._found.target, self._found.page) - _CHANCE) / (1 - _CHANCE)
        return max(same * (0.9 + 0.1 * order), _HEAP * flow), {"words": same, "order": order, "flow": flow}

    def polish(self) -> tuple[float, dict[str, float]]:
        """Structure of the pictures and of matched elements, gaps between neighbours, overlaps and overflow."""
        alike = structure(self._target, self._page)
        details, rhythm = self._mean(self._details()), self._rhythm()
        worse = max(0.0, _defects(self._found.page) - _defects(self._found.target))
        tidy = 1 - min(1.0, 3 * worse)
        raw = 0.15 * alike + 0.3 * details + 0.3 * rhythm + 0.25 * tidy
        parts = {"structure": alike, "details": details, "rhythm": rhythm, "tidy": tidy}
        return raw * np.sqrt(self.coverage), parts

    def _pairs(self) -> zip[tuple[Element, Element]]:
        return zip(self._one, self._other, strict=True)

    def _mean(self, values: Array, among: NDArray[np.bool_] | None = None) -> float:
        """Of pairs, or of those among which there is something to compare; of all if there are none."""
        if not len(values):
            return float(not self._found.target and not self._found.page)
        weight = self._weight if among is None or not among.any() else self._weight * among
        return float((weight * values).sum() / weight.sum())

    def _shades(self, what: str) -> Array:
        pairs = [(lab(getattr(one, what)), lab(getattr(other, what))) for one, other in self._pairs()]
        table = np.array(pairs, float).reshape(-1, 2, 3)
        return np.asarray(np.exp(-np.linalg.norm(table[:, 0] - table[:, 1], axis=1) / _SHADE))

    def _sizes(self) -> Array:
        """Of boxes in both directions; of bare text that of a line, and half of how wide it is."""
        wide, tall = (ratio(self._first[:, axis], self._second[:, axis]) for axis in (2, 3))
        lines = [_line_height(one) for one in self._one], [_line_height(other) for other in self._other]
        line = ratio(np.array(lines[0]), np.array(lines[1]))
        bare = np.array([not (one.painted or other.painted) for one, other in self._pairs()], bool)
        return np.where(bare, 0.6 * line + 0.2 * tall + 0.2 * wide, 0.5 * wide + 0.5 * tall)

    def _find_near(self) -> NDArray[np.intp]:
        """For each pair, the places of pairs that are its nearest neighbours in the target; -1 for one not matched.

        Shape (n, at most :data:`NEIGHBOURS`).
        """
        everything = boxes(self._found.target)
        middles = everything[:, :2] + everything[:, 2:] / 2
        places = [pair.target for pair in self._found.pairs]
        apart = np.abs(middles[places][:, None] - middles[None]).sum(axis=2)
        apart[np.arange(len(places)), places] = np.inf
        near = np.argsort(apart, axis=1, kind="stable")[:, : min(NEIGHBOURS, max(0, len(middles) - 1))]
        rank = np.full(len(middles), -1)
        rank[places] = np.arange(len(places))
        return np.asarray(rank[near])

    def _beside(self) -> float:
        """How well each keeps its place beside its neighbours."""
        moved = np.stack([_offsets(self._first, self._second, axis) for axis in (0, 1)], axis=1)
        return self._mean_near(np.exp(-np.abs(moved[:, None] - moved[self._near]).sum(axis=2) / _OFFSET))

    def _rhythm(self) -> float:
        """How well the gaps between each and its neighbours are kept."""
        apart = np.zeros(self._near.shape)
        for axis in (0, 1):
            one, other = (_gaps(side, self._near, axis) for side in (self._first, self._second))
            apart += np.abs(one - other)
        return self._mean_near(np.exp(-apart / (2 * _GAP)))

    def _mean_near(self, values: Array) -> float:
        """Of values of shape (n, neighbours); who has no matched neighbour has nothing to keep."""
        there = self._near >= 0
        known = there.any(axis=1) if there.size else np.zeros(len(there), bool)
        if not known.any():
            return self._mean(np.ones(len(there)))
        means = (values * there).sum(axis=1)[known] / there.sum(axis=1)[known]
        return float((self._weight[known] * means).sum() / self._weight[known].sum())

    def _details(self) -> Array:
        """How alike the drawings of matched elements are, wherever they lie."""
        grids = [(self._target.grid(one.box), self._page.grid(other.box)) for one, other in self._pairs()]
        table = np.array(grids, float).reshape(len(grids), 2, math.prod(CELLS))
        table -= table.mean(axis=2, keepdims=True)
        size = np.linalg.norm(table, axis=2)
        # Two flat areas are alike, a flat one and a drawn one are not; a few grey levels are flat.
        high = np.maximum(size.max(axis=1), 1e-9)
        alike = (table[:, 0] * table[:, 1]).sum(axis=1) / np.maximum(size.prod(axis=1), 1e-9)
        alike = np.clip(alike, 0, 1) * np.sqrt(size.min(axis=1) / high)
        flat = np.minimum(1.0, 12.0 / high)
        return np.where((table[:, 0] == table[:, 1]).all(axis=1), 1.0, np.maximum(alike, flat))


def _as_in(one: Element, other: Element) -> Element:
    """The other with the role of the one, if both are text as large: what is a heading hangs on the rest of a page."""
    alike = not (one.painted or other.painted) and min(one.size, other.size) >= 0.87 * max(one.size, other.size)
    return other._replace(role=one.role) if alike else other


def _weights(side: Sequence[Element]) -> Array:
    """How much each element counts: a picture more than a word, but not as much as it is larger."""
    return np.array([(e.box.width * e.box.height) ** 0.25 for e in side], float)


def _offsets(one: Array, other: Array, axis: int) -> Array:
    """How far each has moved along an axis, by the edge or middle that moved least."""
    start = other[:, axis] - one[:, axis]
    wider = other[:, axis + 2] - one[:, axis + 2]
    ways = np.stack([start, start + wider / 2, start + wider])
    return np.asarray(np.take_along_axis(ways, np.abs(ways).argmin(axis=0)[None], axis=0)[0])


def _gaps(side: Array, near: NDArray[np.intp], axis: int) -> Array:
    """Between each box and its neighbours along an axis, negative where they overlap; shape of ``near``."""
    start, end = side[:, axis], side[:, axis] + side[:, axis + 2]
    return np.asarray(np.maximum(start[near] - end[:, None], start[:, None] - end[near]))


def _line_height(element: Element) -> float:
    return element.text_box.height / max(1, element.lines) if element.has_text else element.box.height


def _type(one: Element, other: Element) -> float:
    """Family, weight, size and slant of text."""
    if not (one.has_text and other.has_text):
        return float(one.has_text == other.has_text)
    family = float(one.family == other.family)
    weight = 1 - min(1.0, abs(one.weight - other.weight) / 500)
    size = float(ratio(np.array([one.size]), np.array([other.size]))[0])
    return 0.45 * family + 0.25 * weight + 0.2 * size + 0.1 * (one.italic == other.italic)


def _edges(one: Element, other: Element) -> float:
    """Borders, corners and shadows."""
    border = 1 - min(1.0, abs(one.border - other.border) / 4)
    radius = 1 - min(1.0, abs(one.radius - other.radius) / 20)
    return 0.4 * border + 0.4 * radius + 0.2 * (one.shadow == other.shadow)


def _length(element: Element) -> float:
    """How much a text counts: the root of its number of words, or of about as many as fit, and more if it is large."""
    if element.text:
        return math.sqrt(max(1, len(words(element.text)))) * min(2.0, max(1.0, element.size / 16))
    box = element.text_box
    return math.sqrt(max(1.0, box.width / max(1.0, 3 * box.height))) if element.ink else 0.0


def _flow(target: Sequence[Element], page: Sequence[Element]) -> float:
    """How alike all words of two pages are, read from the top."""
    read = [
        [word.casefold() for e in sorted(side, key=lambda e: (e.text_box.y, e.text_box.x)) for word in words(e.text)]
        for side in (target, page)
    ]
    return _ratio(*read) if all(read) else 0.0


def _same_words(one: Element, other: Element) -> float:
    if one.ink and other.ink:
        first, second = np.array(one.ink), np.array(other.ink)
        size = float(np.linalg.norm(first) * np.linalg.norm(second))
        wide = float(ratio(np.array([one.text_box.width]), np.array([other.text_box.width]))[0])
        return wide * min(1.0, max(0.0, float(first @ second) / size)) if size and one.ink != other.ink else 1.0
    if one.text == other.text:
        return 1.0
    first_words, second_words = words(one.text), words(other.text)
    exact = _ratio(first_words, second_words)
    folded = _ratio([w.casefold() for w in first_words], [w.casefold() for w in second_words])
    return 0.2 * exact + 0.8 * folded


def _ratio(one: Sequence[str], other: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() if one or other else 1.0


def _order(one: Sequence[Box], other: Sequence[Box]) -> float:
    """Share of neighbours in reading order that keep their order."""
    if len(one) < 2:
        return 1.0
    turns = sorted(range(len(one)), key=lambda i: (one[i].y, one[i].x))
    kept = sum(_before(one[i], one[j]) == _before(other[i], other[j]) for i, j in itertools.pairwise(turns))
    return kept / (len(turns) - 1)


def _before(one: Box, other: Box) -> bool:
    """Whether one is read before the other: it is in a line above, or to the left in the same line."""
    shared = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    if shared > 0.5 * min(one.height, other.height):
        return one.x <= other.x
    return one.y <= other.y


def _defects(side: Sequence[Element]) -> float:
    """Share of elements that overlap another's text or touch the right edge with theirs."""
    if not side:
        return 0.0
    texts = np.array([e.text_box for e in side if e.has_text], float).reshape(-1, 4)
    if not len(texts):
        return 0.0
    left, top = texts[:, 0], texts[:, 1]
    right, bottom = left + texts[:, 2], top + texts[:, 3]
    width = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    height = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    over = np.clip(width, 0, None) * np.clip(height, 0, None)
    np.fill_diagonal(over, 0)
    area = np.maximum(1.0, (right - left) * (bottom - top))
    bad = (over.max(axis=1) > 0.2 * area) | (right > WIDTH - 1)
    return float(bad.mean())
