"""Finders of what is filled in and pressed."""

from __future__ import annotations

import re
from collections.abc import Callable

from interactive_envs.ui2html.judge.page.finders.common import CONTROLS, within
from interactive_envs.ui2html.judge.page.view import FINDERS, View, finds
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box

_NO_TEXT_KINDS = ("checkbox", "radio", "submit", "button", "reset", "hidden", "range", "color", "file", "image")


@finds("form")
def _form(view: View) -> list[int]:
    found = view.outermost(view.tagged("form"))
    if found:
        return found
    fields = view.find("field")
    if len(fields) < 2:
        return []
    return [next((a for a in view.above(fields[0]) if all(f in view.inside(a) for f in fields)), fields[0])]


@finds("field")
def _fields(view: View) -> list[int]:
    found = []
    for index in view.tagged(*CONTROLS):
        kind = view.attribute(index, "type") or "text"
        if view.nodes[index].tag != "input" or kind not in _NO_TEXT_KINDS:
            found.append(index)
    search = set(_search_fields(view))
    return [i for i in found if i not in search] or found


@finds("search")
def _search_fields(view: View) -> list[int]:
    found = []
    for index in view.tagged("input"):
        hints = f"{view.attribute(index, 'placeholder')} {view.attribute(index, 'class')} {view.attribute(index, 'id')}"
        if view.attribute(index, "type") == "search" or re.search(r"search|find|look up|what for", hints, re.I):
            found.append(index)
    return found or [i for i in view.hinted("search") if view.nodes[i].box.height < 80]


def _typed(*kinds: str) -> Callable[[View], list[int]]:
    def find(view: View) -> list[int]:
        return [i for i in view.tagged("input") if view.attribute(i, "type") in kinds]

    return find


@finds("checkbox")
def _checkbox(view: View) -> list[int]:
    return _typed("checkbox")(view) or view.hinted("checkbox", "check checkbox tick")


@finds("button")
def _buttons(view: View) -> list[int]:
    found = view.tagged("button") + view.roled("button")
    found += [i for i in view.tagged("input") if view.attribute(i, "type") in ("submit", "button", "reset")]
    for index in [*view.tagged("a"), *view.hinted("button")]:
        node = view.nodes[index]
        small = 18 <= node.box.height <= 80 and node.box.width <= 0.97 * view.width and len(view.text(index)) <= 40
        padded = node.box.width - node.text_box.width >= 12 and node.text_box.height > 0
        side = set(view.above(index)) & (set(view.tagged("aside", "nav")))
        filled = view.own_ground(index) or view.edged(index)
        if (
            small
            and node.text
            and filled
            and padded
            and not (side and not view.names[index] & {"btn", "button", "cta"})
        ):
            found.append(index)
    return view.outermost(
        [i for i in found if not view.names[i] & {"toggle", "switch"} and view.nodes[i].box.width > 20]
    )


@finds("submit")
def _main_button(view: View) -> list[int]:
    """The most coloured of the buttons in the content."""
    head = set(within(view, view.find("header")))
    buttons = [i for i in view.find("button") if i not in head] or list(view.find("button"))
    filled = [i for i in buttons if view.own_ground(i)] or buttons
    return sorted(filled, key=lambda i: (-_chroma(view.ground(i)), i))[:1]


def _chroma(colour: Colour) -> int:
    return (max(colour[:3]) - min(colour[:3])) // 16


@finds("secondbutton")
def _second_button(view: View) -> list[int]:
    first = view.find("submit")
    return [i for i in view.find("button") if i not in first][:1]


@finds("placeholder")
def _placeholders(view: View) -> list[int]:
    return [i for i in view.find("field") if view.attribute(i, "placeholder")]


@finds("textarea")
def _textareas(view: View) -> list[int]:
    return view.tagged("textarea")


@finds("toggle")
def _toggles(view: View) -> list[int]:
    named = [i for i in view.hinted("toggle") if view.nodes[i].box.width <= 80] + view.roled("switch")
    return named or [i for i in range(len(view.nodes)) if view.shown[i] and _pill(view, i)]


def _pill(view: View, index: int) -> bool:
    """A small fully rounded box with nothing but a round knob in it."""
    box, knobs = view.nodes[index].box, [i for i in view.inside(index)[1:] if view.shown[i]]
    small = 26 <= box.width <= 66 and 13 <= box.height <= 36 and box.width >= 1.4 * box.height
    return small and len(knobs) == 1 and not view.texts(index) and _rounded(view, index) and _knob(view, knobs[0], box)


def _knob(view: View, index: int, pill: Box) -> bool:
    box = view.nodes[index].box
    square = abs(box.width - box.height) <= 2 and 0.4 * pill.height <= box.height <= pill.height
    return square and _rounded(view, index)


def _rounded(view: View, index: int) -> bool:
    node = view.nodes[index]
    return max(node.radius) >= 0.42 * min(node.box.width, node.box.height)


@finds("select")
def _selects(view: View) -> list[int]:
    return view.tagged("select")


FINDERS["radio"] = _typed("radio")
