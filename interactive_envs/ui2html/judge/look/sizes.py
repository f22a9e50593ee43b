"""Measures of sizes, distances and places."""

from __future__ import annotations

import math
from itertools import pairwise

from interactive_envs.ui2html.judge.look.part import MEASURES, Measure, Part, measures, median_of, words_in
from interactive_envs.ui2html.judge.page.view import View, textual
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box


def _boxes(part: Part) -> list[Box]:
    return [part.view.nodes[i].box for i in part.found]


@measures("width")
def _width(part: Part) -> float | None:
    if part.role in ("page", "container", "main"):
        return _content_width(part.view)
    if part.role in ("article", "text"):
        inside = [i for index in part.found for i in part.view.texts(index)]
        texts = [part.view.nodes[i].box.width for i in inside if part.view.nodes[i].lines > 1 or part.role == "text"]
        return median_of(texts) or median_of([box.width for box in _boxes(part)])
    if part.role in ("nav", "gallery"):
        return part.view.union(part.found).width if part.found else None
    return median_of([box.width for box in _boxes(part)])


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


@measures("height")
def _height(part: Part) -> float | None:
    if part.role == "page":
        return _end(part.view)
    return median_of([box.height for box in _boxes(part)])


def _end(view: View) -> float:
    """Where the last text or picture of a page ends; a picture of the page is never shorter than the window."""
    ends = [
        node.visible.y + node.visible.height
        for i, node in enumerate(view.nodes)
        if view.shown[i] and (node.text or node.tag in ("img", "svg") or node.tag in ("input", "button"))
    ]
    return max(ends, default=view.height)


@measures("font size")
def _font_size(part: Part) -> float | None:
    return median_of([part.view.nodes[i].size for i in words_in(part)])


@measures("size")
def _size(part: Part) -> float | None:
    if textual(part.role):
        return _font_size(part)
    if part.role == "page":
        return _end(part.view)
    return median_of([math.sqrt(box.width * box.height) for box in _boxes(part)])


@measures("weight")
def _weight(part: Part) -> float | None:
    return median_of([float(part.view.nodes[i].weight) for i in words_in(part)])


@measures("padding")
def _padding(part: Part) -> float | None:
    """The mean room between the edge and what lies in it, by the declared padding of the box or its only child."""
    return median_of([_room(part.view, i) for i in part.found])


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


@measures("gap")
def _gap(part: Part) -> float | None:
    """The room between neighbours: of the parts, or of what lies in a single one."""
    view, found = part.view, list(part.found)
    if len(found) == 1:
        found = members(view, found[0])
    boxes = [view.nodes[i].box for i in found]
    gaps = []
    for left, right in pairwise(boxes):
        if left.meet(right._replace(x=left.x)).height > 0.3 * min(left.height, right.height):
            gaps.append(right.x - left.x - left.width)
        else:
            gaps.append(right.y - left.y - left.height)
    return median_of([gap for gap in gaps if gap >= 0])


def members(view: View, index: int) -> list[int]:
    """What stands next to each other in an element, through wrappers with one child."""
    inside = [i for i in view.children[index] if view.shown[i]]
    while len(inside) == 1:
        inside = [i for i in view.children[inside[0]] if view.shown[i]]
    return inside


@measures("margin")
def _margin(part: Part) -> float | None:
    """The room above the part, up to what lies there."""
    if not part.found:
        return None
    view = part.view
    box = view.nodes[part.found[0]].box
    ends = [
        node.box.y + node.box.height
        for i, node in enumerate(view.nodes)
        if view.shown[i]
        and (node.text or view.boxed(i))
        and node.box.y + node.box.height <= box.y + 1
        and node.box.meet(box._replace(y=node.box.y)).width > 0
    ]
    return box.y - max(ends, default=0.0)


@measures("spacing")
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
        (
            node.text_box if node.text else node.box
            for i, node in enumerate(view.nodes)
            if view.shown[i] and (node.text or (node.tag in ("img", "svg") and node.box.height > 40))
        ),
        key=lambda box: box.y,
    )
    gaps, end = [], 0.0
    for box in boxes:
        if box.y > end:
            gaps.append(box.y - end)
        end = max(end, box.y + box.height)
    return sum(gaps) / len(gaps) if gaps else 0.0


@measures("count")
def _count(part: Part) -> float:
    return float(len(part.found))


def _spot(horizontal: bool) -> Measure:
    def measure(part: Part) -> float | None:
        if not part.found:
            return None
        box = part.view.union(part.found, text=textual(part.role))
        return box.x + box.width / 2 if horizontal else box.y + box.height / 2

    return measure


MEASURES |= {"x": _spot(True), "y": _spot(False)}


@measures("content")
def _content(part: Part) -> str | None:
    return " \n ".join(part.view.text(i) for i in part.found) if part.found else None


def _text_length(part: Part) -> float | None:
    return float(sum(len(part.view.text(i)) for i in part.found)) if part.found else None


@measures("length")
def _page_length(part: Part) -> float | None:
    if part.role == "page" or not part.found:
        return _end(part.view)
    return _text_length(part) if textual(part.role) else _height(part)
