"""Measures of borders, corners and shadows."""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.look.colours import distance
from interactive_envs.ui2html.judge.look.part import MEASURES, Measure, Part, measures, median_of, most_frequent, styles
from interactive_envs.ui2html.judge.page.view import View
from interactive_envs.ui2html.rendering.colour import Colour, read_colour


@measures("radius")
def _radius(part: Part) -> float | None:
    view = part.view
    found = [
        min(max(view.nodes[i].radius), min(view.nodes[i].box.width, view.nodes[i].box.height) / 2) for i in part.found
    ]
    return median_of(found)


@measures("edge")
def _edge(part: Part) -> float | None:
    """The width of the border where there is one on at least three sides; of one side alone half as much."""
    widths = []
    cells = [i for index in part.found for i in part.view.inside(index) if part.view.nodes[i].tag in ("td", "th")]
    for index in cells if part.role == "table" and cells else part.found:
        sides = [_seen(part.view, index, at) for at in range(4)]
        drawn = [side for side in sides if side > 0]
        widths.append(max(drawn, default=0.0) if len(drawn) >= 3 else max(drawn, default=0.0) / 2)
    return median_of(widths)


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
        return median_of([_seen(part.view, i, at) for i in part.found])

    return measure


MEASURES.update({f"edge {side}": _side(at) for at, side in enumerate(("top", "right", "bottom", "left"))})


@measures("edge style")
def _edge_style(part: Part) -> str | None:
    return most_frequent([side.style for i in part.found for side in part.view.nodes[i].borders if side.width > 0])


@measures("shadow")
def _shadow(part: Part) -> float | None:
    """How strong the shadow is: its reach in px times how opaque it is."""
    return median_of([_cast(style)[0] for style in styles(part, "box-shadow")])


def _cast(style: str) -> tuple[float, float]:
    """Strength and blur of a ``box-shadow``."""
    if style in ("none", "") or "inset" in style:
        return 0.0, 0.0
    colour = re.match(r"[a-z]+\([^()]*\)", style)
    alpha = read_colour(colour[0]).alpha if colour else 1.0
    lengths = [float(text) for text in re.findall(r"(-?[\d.]+)px", style)]
    x, y, blur, spread = (*lengths, 0.0, 0.0, 0.0, 0.0)[:4]
    return alpha * (abs(x) + abs(y) + blur + max(0.0, spread)), blur


@measures("shadow kind")
def _shadow_kind(part: Part) -> str | None:
    style = most_frequent(styles(part, "box-shadow"))
    if style is None:
        return None
    strength, blur = _cast(style)
    return "none" if strength <= 0.05 else "hard" if blur <= 1 else "soft"


@measures("opacity")
def _opacity(part: Part) -> float | None:
    return median_of([part.view.nodes[i].opacity for i in part.found])


@measures("wrapped")
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
