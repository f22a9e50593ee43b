"""How near a page comes to a target: five whole numbers from 0 to 20, from trees and pictures.

===========  ===========================================================================================
dimension    what it is made of
===========  ===========================================================================================
layout       where matched elements are, alone and beside their neighbours; their sizes; the page's height
component    how many elements of each kind both pages have, and how many of them stand for each other
style        palette; colours, type, borders, corners and shadows of matched elements
text         how much text matched elements have, in words, lines and capitals; of short texts also the words
polish       gaps between neighbours, edges that lie in one line, overlaps and overflow
===========  ===========================================================================================

All of it can be asked for: no sentence counts word by word, and no drawing stroke by stroke. The target itself has 20
in each, a page that shows nothing has 0 in each, whatever its colour, and so has what the request alone gives where a
:mod:`.floor` is given. What is missing costs as much as what is too much. Elements are those of
:mod:`interactive_envs.ui2html.rendering.matching`, so tags and wrappers do not count and what cannot be seen earns
nothing. A target that is a screenshot has no tree; then both pages are taken by their pictures alone, and text is
compared by its looks.
"""

from __future__ import annotations

import collections
import difflib
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
from interactive_envs.ui2html.rendering.pictures import Picture, palette, picture, regions
from interactive_envs.ui2html.rendering.tree import Node

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
_IN_LINE = 2.0
"""Pixels by which edges may differ that lie in one line."""
SHORT = 3
"""Words of a text that can be asked for as they are: a label, a link, a short heading."""
_SETTING = {"amount": 0.5, "lines": 0.2, "case": 0.15, "words": 0.15}
"""What text is made of: how many words, how many lines, whether in capitals, and of short texts which words."""
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


Floor = tuple[float, ...]
"""What is worth nothing in each dimension, 0 to 1."""
GROUND: Floor = (0.0,) * len(Scores._fields)
"""The floor under a page that shows nothing."""
_HIGHEST_FLOOR = 0.95


def score(target: Render, page: Render, floor: Floor = GROUND) -> Scores:
    """How near a page comes to the target, above a floor.

    A target without a tree is a screenshot: then the page's tree is not looked at either.

    Args:
        target: what is to be rebuilt.
        page: the player's.
        floor: what is worth nothing, see :mod:`.floor`; without it nothing but an empty page is.
    """
    raw = explain(target, page)
    known = [above(_number(raw[name]), under) for name, under in zip(Scores._fields, floor, strict=True)]
    layout, component, style, text, polish = (int(FULL * value + 0.5) for value in known)
    return Scores(layout, component, style, text, polish)


def above(value: float, floor: float) -> float:
    """The part of what there is above a floor, 0 to 1.

    >>> above(0.4, 0.5), above(0.75, 0.5), above(1.0, 1.0)
    (0.0, 0.5, 1.0)
    """
    under = min(floor, _HIGHEST_FLOOR)
    return max(0.0, (value - under) / (1 - under))


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


def _same_ground(target: Picture, page: Picture) -> float:
    """How nearly two pictures have the same ground, 0 to 1.

    Of two colours that cover nearly as much, such as the page and its cards, either is the ground: which of them covers
    a little more is nothing that anybody sees.
    """
    apart = np.linalg.norm(np.subtract(to_lab(np.array(target.ground)), to_lab(np.array(page.ground))))
    below = float(np.exp(-apart / _SHADE))
    sides = ((target, target.ground, page.ground), (page, page.ground, target.ground))
    ties = [one.share(its) / max(one.share(own), 1e-9) for one, own, its in sides]
    return below + (1 - below) * min(1.0, *ties)


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
        below = _same_ground(self._target, self._page)
        raw *= 1 - _GROUND * (1 - below)
        parts = {"palette": colours, "paint": paint, "type": type_, "edges": edges, "ground": below}
        return raw * np.sqrt(self.coverage), parts

    def text(self) -> tuple[float, dict[str, float]]:
        """How much stands where, in how many lines and in which case; of short texts also which words.

        Nobody can ask for a sentence word by word, so of longer texts the words do not count.
        """
        whole = sum(_length(element) for side in (self._found.target, self._found.page) for element in side)
        if not whole:
            return 1.0, {}
        read = [(one, other) for one, other in self._pairs() if one.has_text and other.has_text]
        counted = np.array([_length(one) + _length(other) for one, other in read])
        table = np.array([_setting(one, other) for one, other in read]).reshape(-1, len(_SETTING))
        shares = (counted[:, None] * table).sum(axis=0) / whole
        parts = {name: float(share) for name, share in zip(_SETTING, shares, strict=True)}
        return sum(weight * parts[name] for name, weight in _SETTING.items()), parts

    def polish(self) -> tuple[float, dict[str, float]]:
        """Gaps between neighbours, edges and middles that lie in one line, overlaps and overflow."""
        rhythm, lines = self._rhythm(), self._lines()
        worse = max(0.0, _defects(self._found.page) - _defects(self._found.target))
        tidy = 1 - min(1.0, 3 * worse)
        raw = 0.45 * rhythm + 0.35 * lines + 0.2 * tidy
        return raw * np.sqrt(self.coverage), {"rhythm": rhythm, "lines": lines, "tidy": tidy}

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

    def _lines(self) -> float:
        """How many of the edges and middles that are in line with a neighbour's are so on both pages."""
        if not self._near.size:
            return self._mean(np.ones(len(self._near)))
        one, other = (_in_line(side, self._near) for side in (self._first, self._second))
        either = (one | other).sum(axis=2)
        return self._mean_near(np.where(either > 0, (one & other).sum(axis=2) / np.maximum(1, either), 1.0))

    def _mean_near(self, values: Array) -> float:
        """Of values of shape (n, neighbours); who has no matched neighbour has nothing to keep."""
        there = self._near >= 0
        known = there.any(axis=1) if there.size else np.zeros(len(there), bool)
        if not known.any():
            return self._mean(np.ones(len(there)))
        means = (values * there).sum(axis=1)[known] / there.sum(axis=1)[known]
        return float((self._weight[known] * means).sum() / self._weight[known].sum())


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


def _in_line(side: Array, near: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of three places along each axis a box shares with each neighbour; shape of ``near``, and six."""
    shared = []
    for axis in (0, 1):
        for part in (0.0, 0.5, 1.0):
            at = side[:, axis] + part * side[:, axis + 2]
            shared.append(np.abs(at[near] - at[:, None]) <= _IN_LINE)
    return np.stack(shared, axis=2)


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


def _setting(one: Element, other: Element) -> tuple[float, float, float, float]:
    """How alike two texts are, each from 0 to 1: the parts in :data:`_SETTING`."""
    if one.ink or other.ink:
        amount = float(ratio(np.array([one.text_box.width]), np.array([other.text_box.width]))[0])
        return amount, amount, 1.0, _same_ink(one, other)
    long = [max(1, len(words(side.text))) for side in (one, other)]
    lines = [max(1, side.lines) for side in (one, other)]
    same = 1.0 if max(long) > SHORT else _same_words(one, other)
    return min(long) / max(long), min(lines) / max(lines), float(one.text.isupper() == other.text.isupper()), same


def _same_ink(one: Element, other: Element) -> float:
    first, second = np.array(one.ink), np.array(other.ink)
    if first.shape != second.shape:
        return 0.0
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return min(1.0, max(0.0, float(first @ second) / size)) if size and one.ink != other.ink else 1.0


def _same_words(one: Element, other: Element) -> float:
    if one.text == other.text:
        return 1.0
    first, second = words(one.text), words(other.text)
    folded = _ratio([w.casefold() for w in first], [w.casefold() for w in second])
    return 0.2 * _ratio(first, second) + 0.8 * folded


def _ratio(one: Sequence[str], other: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() if one or other else 1.0


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
