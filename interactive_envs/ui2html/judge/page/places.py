"""Where a part of a page lies: on the page, in another part, or beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interactive_envs.ui2html.judge.language.clauses import Unread
from interactive_envs.ui2html.judge.look.measures import BOLD
from interactive_envs.ui2html.judge.look.part import Part
from interactive_envs.ui2html.judge.page.view import View, textual
from interactive_envs.ui2html.rendering.tree import Box


def where(part: Part) -> str:
    """The place of parts, for the log."""
    if not part.found:
        return "none"
    box = part.view.union(part.found)
    return f"({box.x:.0f}, {box.y:.0f})"


def lies(part: Part, place: str, other: Part | None) -> bool:
    """Whether parts lie in a place, of the page or of another part."""
    view = part.view
    if not part.found or (other is not None and not other.found):
        return False
    own = view.union(part.found, text=textual(part.role))
    if other is None:
        return _in_page(view, part, own, place)
    if len(other.found) > 1:
        near = [_nearest(view, i, other.found) for i in part.found]
        boxes = [
            (view.union((i,), text=textual(part.role)), view.union((j,), text=textual(other.role)))
            for i, j in zip(part.found, near, strict=True)
            if i != j
        ]
        return 2 * sum(_beside(a, b, place) for a, b in boxes) > len(boxes)
    room = view.union(other.found, text=textual(other.role))
    holds = any(part.found[0] in view.inside(i) and part.found[0] != i for i in other.found)
    if holds:
        return _in_box(own, room, place)
    return _beside(own, room, place)


def _nearest(view: View, index: int, found: Sequence[int]) -> int:
    """Of these the one whose middle is nearest to that of an element."""
    own = view.nodes[index].box

    def away(other: int) -> float:
        box = view.nodes[other].box
        return abs(2 * (own.x - box.x) + own.width - box.width) + abs(2 * (own.y - box.y) + own.height - box.height)

    return min(found, key=away)


def _in_page(view: View, part: Part, own: Box, place: str) -> bool:
    above = [i for i in view.above(part.found[0]) if view.nodes[i].tag == "header"]
    room = Box(0, 0, view.width, view.height)
    if above and place in ("left", "right"):
        room = view.nodes[above[0]].box
    if "top" in place and own.y + own.height / 2 > max(0.3 * view.height, 120):
        return False
    if "bottom" in place and own.y + own.height / 2 < 0.6 * view.height:
        return False
    sides = [side for side in ("left", "right") if side in place]
    return _in_box(own, room, sides[0]) if sides else True


def _in_box(own: Box, room: Box, place: str) -> bool:
    x = (own.x + own.width / 2 - room.x) / max(1.0, room.width)
    y = (own.y + own.height / 2 - room.y) / max(1.0, room.height)
    found = {
        "left": x < 0.45,
        "right": x > 0.55,
        "top": y < 0.4,
        "bottom": y > 0.6,
        "left of": x < 0.45,
        "right of": x > 0.55,
    }
    found |= {"above": y < 0.4, "below": y > 0.6}
    return all(found.get(word, True) for word in ([place] if place in found else place.split()))


def _beside(own: Box, room: Box, place: str) -> bool:
    level = own.meet(room._replace(x=own.x, width=own.width)).height > 0.3 * min(own.height, room.height)
    middle = own.x + own.width / 2, own.y + own.height / 2, room.x + room.width / 2, room.y + room.height / 2
    match place:
        case "above" | "top":
            return middle[1] < middle[3] and own.y + own.height <= room.y + 0.3 * room.height + 2
        case "below" | "bottom":
            return middle[1] > middle[3] and own.y >= room.y + 0.7 * room.height - 2
        case "left of" | "left":
            return level and middle[0] < middle[2]
        case "right of" | "right":
            return level and middle[0] > middle[2]
        case "beside":
            return level
    raise Unread(f"where {place} is")


NEAR = 64.0
"""Pixels between a heading and what it stands over; half as many between a part and its caption."""


def headed(part: Part) -> bool:
    """Whether the text directly above parts, outside them, is a heading, perhaps with one line under it."""
    view = part.view
    if not part.found:
        return False
    room = view.union(part.found)
    inside = {i for index in part.found for i in view.inside(index)}
    top = room.y
    for step in range(2):
        over = [
            i
            for i in range(len(view.nodes))
            if view.nodes[i].text and view.shown[i] and i not in inside and _over(view.nodes[i].text_box, room, top)
        ]
        if not over:
            return False
        last = max(over, key=lambda i: view.nodes[i].text_box.y)
        node = view.nodes[last]
        if re.fullmatch("h[1-6]", node.tag) or (node.weight >= BOLD and len(node.text) < 80 and step == 0):
            return True
        top = node.text_box.y
    return False


def _over(text: Box, room: Box, top: float) -> bool:
    level = text.x < room.x + room.width and room.x < text.x + text.width
    return level and text.y + text.height <= top + 2 and top - text.y - text.height <= NEAR


def captioned(part: Part, place: str) -> bool:
    """Whether most of the parts have a text of their own close above or below them."""
    view = part.view
    texts = [i for i, node in enumerate(view.nodes) if node.text and view.shown[i] and i not in part.found]
    with_one = [[text for text in texts if _captions(view, i, text, part.role, place)][:1] for i in part.found]
    own = {found[0] for found in with_one if found}
    return 2 * len(own) > len(part.found)


def _captions(view: View, index: int, text: int, role: str, place: str) -> bool:
    own = view.union((index,), text=textual(role) and bool(view.nodes[index].text))
    box = view.nodes[text].text_box
    if text in view.inside(index) or box.x >= own.x + own.width or own.x >= box.x + box.width:
        return False
    gap = box.y - own.y - own.height if place == "below" else own.y - box.y - box.height
    return -4 <= gap <= NEAR / 2
