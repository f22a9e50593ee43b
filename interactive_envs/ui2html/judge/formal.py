"""Decides formal questions from the measured trees of target and page: nothing is guessed.

Parts are the elements of :mod:`interactive_envs.ui2html.rendering.matching`, as the score sees them, in reading order:
from the top edge down, those within :data:`LINE` px from left to right. Lengths are whole pixels. Colours are equal
where nobody sees a difference. What the target does not have has no width, no text and no colour, so that every
relation about it is false, ``!=`` too; ``count`` is then 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from interactive_envs.ui2html.formulas import COLOURS, KINDS, MINE, TEXT, WORDS, Formula, Term
from interactive_envs.ui2html.judge.scoring import seen
from interactive_envs.ui2html.rendering.browser import WIDTH, Render
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.matching import WHITE, Element, Role, lab
from interactive_envs.ui2html.rendering.pictures import picture

EDGE = 0.5
"""Pixels by which the edge of a band may miss the edge of the window."""
LINE = 8.0
"""Pixels by which the top edges of parts may differ that stand in one line."""
SAME = 4.0
"""CIELAB distance below which two colours are the same."""
Measured = float | str | Colour

_ROLES = {
    Role.BUTTON: "button",
    Role.BADGE: "badge",
    Role.FIELD: "field",
    Role.CHOICE: "choice",
    Role.HEADING: "heading",
    Role.LINK: "text",
    Role.TEXT: "text",
    Role.IMAGE: "image",
    Role.SHAPE: "shape",
    Role.PANEL: "card",
    Role.RULE: "line",
}


class Decided(NamedTuple):
    """What is true.

    Attributes:
        truth: whether the relation holds; None where the target is a picture that does not tell.
        detail: what was compared.
    """

    truth: bool | None
    detail: str


class Sheet:
    """The parts of a page by their kinds, ready to be measured."""

    def __init__(self, render: Render) -> None:
        self._picture = picture(render.png)
        self._ground = _canvas(render) or Colour(*self._picture.ground)
        self.known = bool(render.tree)
        found: dict[str, list[Element]] = {kind: [] for kind in KINDS}
        for element in seen(render.tree, self._picture):
            found[_kind(element)].append(element)
        self.parts: Mapping[str, list[Element]] = {kind: in_reading_order(side) for kind, side in found.items()}

    def measure(self, term: Term) -> Measured | None:
        """The value of a term; None where the page has no such part, or the part no such property."""
        if term.property == "count":
            return float(len(self.parts[term.kind]))
        if term.kind == "page":
            height, width = self._picture.pixels.shape[:2]
            if term.property in ("width", "height"):
                return float(width if term.property == "width" else height)
            return _shade(self._ground, term.property)
        of_kind = self.parts[term.kind]
        if term.number > len(of_kind):
            return None
        if term.property == "gap":
            return _gap(of_kind[term.number - 1], of_kind[term.number]) if term.number < len(of_kind) else None
        return _measure(of_kind[term.number - 1], term.property)


def decide(formula: Formula, target: Sheet, page: Sheet | None) -> Decided:
    """Whether a formula is true of a target.

    Args:
        formula: the question.
        target: what it is about; where it is a picture only, all but ``page`` is unknown.
        page: the player's, for ``mine``.
    """
    terms = [term for term in (formula.left, formula.right) if isinstance(term, Term)]
    if not target.known and any(term.kind != "page" for term in terms):
        return Decided(None, "a screenshot has no parts that can be measured")
    left = target.measure(formula.left)
    right: Measured | None
    if isinstance(formula.right, Term):
        right = target.measure(formula.right)
    elif formula.right == MINE:
        right = None if page is None else page.measure(formula.left)
    elif isinstance(formula.right, str) and formula.left.property in COLOURS:
        right = Colour(*bytes.fromhex(formula.right[1:]))
    else:
        right = formula.right
    if left is None or right is None:
        return Decided(False, f"{formula}: target {left}, against {right}: there is nothing to compare")
    truth = compare(left, formula.relation, right)
    return Decided(truth, f"{formula}: target {left}, against {right} -> {'yes' if truth else 'no'}")


def compare(left: Measured, relation: str, right: Measured) -> bool:
    """Whether a relation holds between two values of one sort.

    >>> compare(12.0, ">", 11.0), compare("Fern & Co", "=", "fern  &  co"), compare("Menu", "<", "m")
    (True, True, False)
    """
    if isinstance(left, Colour) and isinstance(right, Colour):
        apart = float(np.linalg.norm(np.subtract(lab(left), lab(right))))
        return (apart < SAME) == (relation == "=")
    one, other = (_folded(side) if isinstance(side, str) else side for side in (left, right))
    return {
        "=": one == other,
        "!=": one != other,
        "<": one < other,  # type: ignore[operator]
        ">": one > other,  # type: ignore[operator]
        "<=": one <= other,  # type: ignore[operator]
        ">=": one >= other,  # type: ignore[operator]
    }[relation]


def in_reading_order(side: list[Element]) -> list[Element]:
    """Elements from the top down, those of one line from left to right."""
    order: list[list[Element]] = []
    for element in sorted(side, key=lambda e: (e.box.y, e.box.x)):
        if order and element.box.y - order[-1][0].box.y <= LINE:
            order[-1].append(element)
        else:
            order.append([element])
    return [element for line in order for element in sorted(line, key=lambda e: (e.box.x, e.box.y))]


def _kind(element: Element) -> str:
    """What an element is called; a box across the whole window is no card."""
    box, kind = element.box, _ROLES[element.role]
    across = box.x < EDGE and box.x + box.width > WIDTH - EDGE
    return "band" if kind == "card" and across else kind


def _canvas(render: Render) -> Colour | None:
    """The colour of the page itself; None for a picture, or where the page has a drawn ground."""
    for node in render.tree:
        if node.tag in ("html", "body") and node.background_image != "none":
            return None
        if node.tag in ("html", "body") and node.background.alpha == 1:
            return Colour(*node.background[:3])
    return WHITE if render.tree else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _gap(one: Element, other: Element) -> float:
    first, second = one.box, other.box
    across = max(second.x - first.x - first.width, first.x - second.x - second.width)
    down = max(second.y - first.y - first.height, first.y - second.y - second.height)
    return _whole(max(across, down))


def _whole(value: float) -> float:
    return float(int(value + 0.5)) if value >= 0 else -float(int(0.5 - value))


def _shade(colour: Colour, name: str) -> Measured:
    if name == "background":
        return colour
    return _whole(lab(colour)[0]) if name == "lightness" else float(getattr(colour, name))


def _measure(element: Element, name: str) -> Measured | None:
    box = element.box
    if name in _OF_BOX:
        return _whole(_OF_BOX[name](box))
    if name in ("background", "lightness", "red", "green", "blue"):
        return _shade(element.background, name)
    if name == "border":
        return _whole(element.border)
    if name == "radius":
        return _whole(element.radius)
    if name == "shadow":
        return _yes(element.shadow)
    return _measure_text(element, name) if element.has_text else None


_OF_BOX = {
    "left": lambda box: box.x,
    "right": lambda box: box.x + box.width,
    "top": lambda box: box.y,
    "bottom": lambda box: box.y + box.height,
    "middle": lambda box: box.x + box.width / 2,
    "width": lambda box: box.width,
    "height": lambda box: box.height,
}


def _measure_text(element: Element, name: str) -> Measured:
    """A property of letters."""
    known: dict[str, Measured] = {
        "size": _whole(element.size),
        "weight": float(element.weight),
        "words": float(len(element.text.split())),
        "lines": float(element.lines),
        "color": element.colour,
        "font": element.family,
        "italic": _yes(element.italic),
        "capitals": _yes(element.text.isupper()),
        TEXT: element.text,
    }
    return known[name]


def _yes(truth: bool) -> str:
    return WORDS["shadow"][0 if truth else 1]
