"""What a page shows, element by element: read from a snapshot of Chromium's layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from interactive_envs.ui2html.rendering.colour import Colour, read_colour

ATTRIBUTES = frozenset(
    ["id", "class", "type", "role", "alt", "title", "placeholder", "value", "href", "checked", "disabled", "for"]
)
"""Attributes that are kept."""
ATTRIBUTE, TEXT = 200, 20_000
"""Characters of an attribute and of a text that are kept."""
STEPS = 64
"""Parts of a pixel: what Chromium's layout counts in."""


class Box(NamedTuple):
    """A rectangle of the page in CSS pixels, exact to 1/64."""

    x: float
    y: float
    width: float
    height: float

    def meet(self, other: Box) -> Box:
        """The part of it that is also in the other; without size if there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = (
            min(self.x + self.width, other.x + other.width),
            min(self.y + self.height, other.y + other.height),
        )
        return Box(left, top, max(0.0, right - left), max(0.0, bottom - top))


class Side(NamedTuple):
    """One of the four borders."""

    width: float
    style: str
    colour: Colour


class Node(NamedTuple):
    """An element that takes part in the layout, or a pseudo-element such as ``::before``.

    Attributes:
        tag: its name in lower case.
        parent: the place of the nearest ancestor in the tree; -1 for the first node.
        depth: number of its ancestors in the tree.
        text: its own visible text, without that of its children; of a form field what it shows.
        box: its border box, not clipped.
        visible: the part of the box that ancestors and the picture leave; without size if nothing is to be seen.
        text_box: what the lines of its own text cover; without size if there is no text.
        lines: number of those lines.
        colour: of its text.
        background: its background colour.
        background_image: ``none``, gradients or images.
        font: the families as the page asks for them.
        size: of the font, in px.
        weight: of the font, 1 to 1000.
        borders: top, right, bottom, left; one that is not drawn has no width.
        radius: the corner's x radius in px: top left, top right, bottom right, bottom left.
        opacity: with that of its ancestors.
        paint: when it is painted; of two that overlap, the larger lies above.
        style: other computed styles by their CSS names.
        attributes: those in :data:`ATTRIBUTES`, in the order of their names.
    """

    tag: str
    parent: int
    depth: int
    text: str
    box: Box
    visible: Box
    text_box: Box
    lines: int
    colour: Colour
    background: Colour
    background_image: str
    font: str
    size: float
    weight: int
    borders: tuple[Side, Side, Side, Side]
    radius: tuple[float, float, float, float]
    opacity: float
    paint: int
    style: Mapping[str, str]
    attributes: tuple[tuple[str, str], ...]


_BREAKS = frozenset(["BR", "WBR"])
EMPTY = Box(0.0, 0.0, 0.0, 0.0)
_SIDES = ("top", "right", "bottom", "left")
_CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
_REST = (
    "font-style",
    "line-height",
    "letter-spacing",
    "text-align",
    "text-decoration-line",
    "text-transform",
    "box-shadow",
    "visibility",
    "display",
    "position",
    "z-index",
    "overflow-x",
    "overflow-y",
    "padding-top",
    "padding-right",
    "padding-bottom",
    "padding-left",
    "list-style-type",
    "transform",
)


def read_tree(
    document: Mapping[str, Any], strings: Sequence[str], styles: Sequence[str], width: int, height: int
) -> tuple[Node, ...]:
    """The tree of one document of ``DOMSnapshot.captureSnapshot``, in the order of the document.

    Args:
        document: the snapshot's document.
        strings: the snapshot's table of strings.
        styles: names of the computed styles that were asked for.
        width: of the picture.
        height: of the picture.
    """
    return _Reader(document, strings, styles, Box(0.0, 0.0, float(width), float(height))).tree


class _Reader:
    """Walks the nodes once; a parent comes before its children."""

    def __init__(
        self, document: Mapping[str, Any], strings: Sequence[str], styles: Sequence[str], picture: Box
    ) -> None:
        self._nodes, self._layout = document["nodes"], document["layout"]
        self._strings, self._styles, self._picture = strings, styles, picture
        self._shown: dict[int, list[int]] = {}
        for index, node in enumerate(self._layout["nodeIndex"]):
            self._shown.setdefault(node, []).append(index)
        self._lines: dict[int, list[Box]] = {}
        texts = document["textBoxes"]
        for index, bounds in zip(texts["layoutIndex"], texts["bounds"], strict=True):
            self._lines.setdefault(index, []).append(_box(bounds))
        self._selected = set(self._nodes["optionSelected"]["index"])
        self._found: list[Node] = []
        self._clips: list[Box] = []
        self._texts: list[list[tuple[str, list[Box]]]] = []
        self._walk()
        self.tree = tuple(map(_with_text, self._found, self._texts))

    def _walk(self) -> None:
        place: dict[int, int] = {}  # where a node, or the nearest ancestor that takes part, is in the tree
        for node, (parent, kind) in enumerate(zip(self._nodes["parentIndex"], self._nodes["nodeType"], strict=True)):
            above = place[node] = place.get(parent, -1)
            shown = self._shown.get(node, [])
            if kind == 3 and above >= 0:
                self._texts[above] += self._laid_out(shown)
            elif kind == 1 and shown and self._string(self._nodes["nodeName"][node]) not in _BREAKS:
                place[node] = len(self._found)
                self._add(node, above, shown[0])
                self._texts.append(self._field(node) or self._laid_out(shown))
            elif kind == 1 and above >= 0 and node in self._selected:
                self._select(node, above)

    def _add(self, node: int, parent: int, shown: int) -> None:
        values = self._layout["styles"][shown]
        style = {name: self._strings[value] for name, value in zip(self._styles, values, strict=False)}
        box = _box(self._layout["bounds"][shown])
        above = self._found[parent] if parent >= 0 else None
        clip = self._clips[parent] if parent >= 0 else self._picture
        if style.get("position") == "fixed":
            clip = self._picture
        opacity = _number(style.get("opacity", "1")) * (above.opacity if above else 1.0)
        hidden = style.get("visibility", "visible") != "visible" or opacity <= 0
        tag = self._string(self._nodes["nodeName"][node]).lower()
        # The overflow of the root and of the body is the window's.
        cuts = tag not in ("html", "body") and style.get("display") != "inline"
        self._clips.append(box.meet(clip) if cuts and style.get("overflow-x", "visible") != "visible" else clip)
        self._found.append(
            Node(
                tag=tag,
                parent=parent,
                depth=above.depth + 1 if above else 0,
                text="",
                box=box,
                visible=EMPTY if hidden else box.meet(clip),
                text_box=EMPTY,
                lines=0,
                colour=read_colour(style.get("color", "")),
                background=read_colour(style.get("background-color", "")),
                background_image=style.get("background-image", "none"),
                font=style.get("font-family", ""),
                size=_number(style.get("font-size", "0")),
                weight=round(_number(style.get("font-weight", "400"))),
                borders=_borders(style),
                radius=_radius(style, box),
                opacity=round(opacity, 4),
                paint=self._layout["paintOrders"][shown] if "paintOrders" in self._layout else 0,
                style={name: style[name] for name in _REST if name in style},
                attributes=self._attributes(node),
            )
        )

    def _laid_out(self, shown: Sequence[int]) -> list[tuple[str, list[Box]]]:
        """The texts among these layout objects, each with a box a line or part of one."""
        texts = ((index, self._layout["text"][index]) for index in shown)
        return [(self._strings[text], self._lines.get(index, [])) for index, text in texts if text >= 0]

    def _field(self, node: int) -> list[tuple[str, list[Box]]]:
        """What a form field shows; Chromium keeps that in nodes of its own, which a snapshot lacks."""
        tag, box = self._found[-1].tag, self._found[-1].box
        if tag not in ("input", "textarea"):
            return []
        attributes = dict(self._found[-1].attributes)
        kind = attributes.get("type", "text").lower() if tag == "input" else "text"
        if kind in ("checkbox", "radio", "range", "color", "hidden", "image"):
            return []
        value = self._rare("inputValue", node) or self._rare("textValue", node)
        if kind == "password":
            value = "\u2022" * len(value)
        text = value or attributes.get("placeholder", "") or {"submit": "Submit", "reset": "Reset"}.get(kind, "")
        return [(text, [box])] if text else []

    def _select(self, node: int, above: int) -> None:
        parents, kinds = self._nodes["parentIndex"], self._nodes["nodeType"]
        if self._found[above].tag == "select":
            inside = (child for child in range(node + 1, len(parents)) if parents[child] == node and kinds[child] == 3)
            text = self._string(self._nodes["nodeValue"][next(inside, -1)]) if node + 1 < len(parents) else ""
            self._texts[above].append((text, [self._found[above].box]))

    def _rare(self, what: str, node: int) -> str:
        values = self._nodes[what]
        return next(
            (self._string(text) for index, text in zip(values["index"], values["value"], strict=True) if index == node),
            "",
        )

    def _attributes(self, node: int) -> tuple[tuple[str, str], ...]:
        flat = [self._string(index) for index in self._nodes["attributes"][node]]
        pairs = zip(flat[::2], flat[1::2], strict=True)
        return tuple(sorted((name, value[:ATTRIBUTE]) for name, value in pairs if name in ATTRIBUTES))

    def _string(self, index: int) -> str:
        return self._strings[index] if index >= 0 else ""


def _with_text(node: Node, texts: Sequence[tuple[str, Sequence[Box]]]) -> Node:
    # A text without a box is white space between others, or has no room.
    text = " ".join(" ".join(text for text, boxes in texts if boxes).replace("\xad", "").split())[:TEXT]
    if not text or node.style.get("visibility", "visible") != "visible" or node.opacity <= 0:
        return node
    boxes = [box for _, boxes in texts for box in boxes if box.width > 0]
    lines = len({box.y for box in boxes})
    return node._replace(text=text, text_box=_union(boxes), lines=lines)


def _union(boxes: Sequence[Box]) -> Box:
    if not boxes:
        return EMPTY
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _box(bounds: Sequence[float]) -> Box:
    x, y, width, height = (round(STEPS * value) / STEPS for value in bounds)
    return Box(x, y, width, height)


def _number(text: str) -> float:
    """The number that a computed length or number begins with."""
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0


def _borders(style: Mapping[str, str]) -> tuple[Side, Side, Side, Side]:
    top, right, bottom, left = (
        Side(
            _number(style.get(f"border-{side}-width", "0")),
            style.get(f"border-{side}-style", "none"),
            read_colour(style.get(f"border-{side}-color", "")),
        )
        for side in _SIDES
    )
    return top, right, bottom, left


def _radius(style: Mapping[str, str], box: Box) -> tuple[float, float, float, float]:
    def corner(name: str) -> float:
        first = (style.get(f"border-{name}-radius", "0px").split() or ["0px"])[0]
        return _number(first[:-1]) / 100 * box.width if first.endswith("%") else _number(first)

    first, second, third, fourth = map(corner, _CORNERS)
    return first, second, third, fourth
