"""Measures of how parts stand: in columns, in rows, to which side."""

from __future__ import annotations

from collections.abc import Sequence

from interactive_envs.ui2html.judge.look.part import Part, measures, most_frequent
from interactive_envs.ui2html.judge.look.sizes import members
from interactive_envs.ui2html.judge.page.view import View, textual
from interactive_envs.ui2html.rendering.tree import Box


@measures("columns")
def _columns(part: Part) -> float | None:
    """How many stand beside each other in the fullest row."""
    view, found = part.view, list(part.found)
    if part.role in ("page", "main"):
        return float(_page_columns(view))
    if part.role == "table":
        rows = [
            [j for j in view.inside(f) if view.nodes[j].parent == i and view.nodes[j].tag in ("td", "th")]
            for f in found
            for i in view.inside(f)
            if view.nodes[i].tag == "tr"
        ]
        return float(max(map(len, rows), default=0))
    if len(found) == 1:
        return float(max(map(len, lines([view.nodes[i].box for i in _widest(view, found[0])])), default=0))
    return float(max(map(len, lines([view.nodes[i].box for i in found])), default=0))


def _widest(view: View, index: int) -> list[int]:
    """Of the groups of siblings in an element, near its top, the one with the most beside each other."""
    best: list[int] = members(view, index)
    for inner in view.inside(index):
        if view.nodes[inner].depth > view.nodes[index].depth + 2:
            continue
        group = [
            i
            for i in view.children[inner]
            if view.shown[i]
            and view.nodes[i].box.width > 0.12 * view.nodes[index].box.width
            and view.nodes[i].box.height > 12
        ]
        if max(map(len, lines([view.nodes[i].box for i in group])), default=0) > max(
            map(len, lines([view.nodes[i].box for i in best])), default=0
        ):
            best = group
    return best


def lines(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes that stand beside each other, from the top down."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.y, box.x)):
        row = next(
            (r for r in rows if box.meet(r[0]._replace(x=box.x)).height > 0.5 * min(box.height, r[0].height)), None
        )
        if row is None or any(box.meet(other).width > 0.2 * box.width for other in row):
            rows.append([box])
        else:
            row.append(box)
    return rows


def _page_columns(view: View) -> int:
    """Columns of the main layout: large blocks beside each other, found as high in the document as there are any."""
    skipped = {
        i for role in ("header", "footer", "card", "table", "calendar") for f in view.find(role) for i in view.inside(f)
    }
    best = 1
    for index, children in enumerate(view.children):
        if index in skipped or view.nodes[index].box.width < 0.5 * view.width:
            continue
        large = [
            view.nodes[i].box
            for i in children
            if view.shown[i] and view.nodes[i].box.height > 180 and view.nodes[i].box.width > 0.12 * view.width
        ]
        rows = lines(large)
        if rows and max(map(len, rows)) > 1:
            best = max(best, max(map(len, rows)))
            break
    return best


@measures("rows")
def _rows(part: Part) -> float | None:
    view, found = part.view, list(part.found)
    if part.role == "table":
        return float(len(view.find("tablerow")))
    if len(found) == 1:
        found = members(view, found[0])
    return float(len(lines([view.nodes[i].box for i in found])))


@measures("arrangement")
def _arrangement(part: Part) -> str | None:
    view, found = part.view, list(part.found)
    if len(found) == 1:
        found = members(view, found[0])
    rows = lines([view.nodes[i].box for i in found])
    if len(found) < 2:
        return None
    if len(rows) == 1:
        return "row"
    return "column" if max(map(len, rows)) == 1 else "grid"


@measures("alignment")
def _alignment(part: Part) -> str | None:
    return most_frequent([aligned(part.view, i, part.role) for i in part.found[:12]])


def aligned(view: View, index: int, role: str = "") -> str:
    """Where something stands in the room it has: left, center, right, or justify."""
    texts = view.texts(index)
    if role == "brand" and view.nodes[index].box.width < 0.5 * view.width:
        return _placed(view, index, view.nodes[index].box)
    if texts and (
        textual(role) or role in ("footer", "hero", "card", "plan", "feature", "notice", "stat", "main", "page")
    ):
        return most_frequent([_text_aligned(view, i) for i in texts[:20]]) or "left"
    return _placed(view, index, view.nodes[index].box)


def _text_aligned(view: View, index: int) -> str:
    node = view.nodes[index]
    declared = {"start": "left", "-webkit-auto": "left", "end": "right"}.get(
        node.style.get("text-align", "left"), node.style.get("text-align", "left")
    ).replace("-webkit-", "")
    inline = node.style.get("display", "").startswith("inline")
    if not inline and node.box.width > node.text_box.width + 16:
        return _in_room(node.text_box, node.box) if node.lines == 1 else declared
    if node.lines > 1:
        return declared
    return _placed(view, index, node.text_box)


def _placed(view: View, index: int, own: Box) -> str:
    """By the nearest ancestor that leaves room beside it."""
    for ancestor in view.above(index):
        room = view.nodes[ancestor].box
        if room.width > own.width + 24:
            # A row of several: together they stand where their union stands.
            row = [i for i in view.children[ancestor] if view.shown[i] and index not in (i,)]
            beside = [
                view.nodes[i].box for i in row if view.nodes[i].box.meet(own._replace(x=view.nodes[i].box.x)).height > 4
            ]
            boxes = [own, *beside]
            left, right = min(b.x for b in boxes), max(b.x + b.width for b in boxes)
            if len(boxes) > 1 and right - left > 0.9 * room.width:
                return _in_room(own, room)
            return _in_room(Box(left, own.y, right - left, own.height), room)
    return "left"


def _in_room(own: Box, room: Box) -> str:
    left, right = own.x - room.x, room.x + room.width - own.x - own.width
    if abs(left - right) <= max(8.0, 0.08 * (left + right)):
        return "center"
    return "left" if left < right else "right"


@measures("list")
def _list_kind(part: Part) -> str | None:
    inside = [part.view.nodes[j] for i in part.found for j in part.view.inside(i)]
    kind = most_frequent([node.style.get("list-style-type", "none") for node in inside if node.tag == "li"])
    return None if kind is None else {"none": "none", "decimal": "numbered"}.get(kind, "bulleted")
