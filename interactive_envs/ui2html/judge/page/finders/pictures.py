"""Finders of pictures, icons, charts and lines."""

from __future__ import annotations

from interactive_envs.ui2html.judge.page.finders.common import CONTROLS, find_texts, within
from interactive_envs.ui2html.judge.page.view import View, finds
from interactive_envs.ui2html.rendering.tree import Node


@finds("mark")
def _mark(view: View) -> list[int]:
    inside = [i for b in view.find("brand") for i in view.inside(b)]
    around = [i for b in view.find("brand") for i in view.children[view.nodes[b].parent] if view.nodes[b].parent >= 0]
    return [i for i in (*inside, *around) if not view.texts(i) and view.nodes[i].box.width <= 60][:1]


@finds("image")
def _images(view: View) -> list[int]:
    found = [i for i in view.tagged("img", "svg", "picture", "canvas", "video") if view.nodes[i].box.width > 44]
    hinted = [i for i in view.hinted("image") if not view.text(i).strip() or len(view.text(i)) < 30]
    for index in hinted:
        box = view.nodes[index].box
        if box.width > 60 and box.height > 50 and view.own_ground(index):
            found.append(index)
    bars = set(within(view, view.find("chart")))
    empty = [i for i, node in enumerate(view.nodes) if i not in bars and _blank_box(view, i, node)]
    return view.outermost([*found, *empty])


def _blank_box(view: View, index: int, node: Node) -> bool:
    """A box that stands for a picture: coloured, with nothing or a word or two in it."""
    if node.tag in ("html", "body", "header", "footer", "button", "hr", "td", "th", "tr", "section", *CONTROLS):
        return False
    if node.box.width < 90 or node.box.height < 70 or not view.shown[index] or not view.own_ground(index):
        return False
    return len(view.inside(index)) <= 2 and len(view.text(index)) < 30 and node.box.width < 0.99 * view.width


@finds("icon")
def _icons(view: View) -> list[int]:
    small = [
        i for i in view.tagged("img", "svg", "i") if 8 <= view.nodes[i].box.width <= 64 and not view.text(i).strip()
    ]
    named = [i for i in view.hinted("icon") if view.nodes[i].box.width <= 80 and view.nodes[i].box.height <= 80]
    bars = set(within(view, view.find("chart")))
    glyphs = [i for i in find_texts(view) if len(view.nodes[i].text) <= 2 and ord(view.nodes[i].text[0]) > 0x2190]
    return view.outermost([i for i in (*small, *named, *glyphs) if i not in bars])


@finds("avatar")
def _avatars(view: View) -> list[int]:
    named = [i for i in view.hinted("avatar") if view.nodes[i].box.width <= 160]
    if named:
        return view.innermost(named)
    found = []
    for index, node in enumerate(view.nodes):
        square = abs(node.box.width - node.box.height) <= 3 and 24 <= node.box.width <= 130
        round_ = square and node.radius[0] >= 0.45 * node.box.width
        filled = node.tag == "img" or (view.own_ground(index) and 1 <= len(view.text(index)) <= 3)
        if round_ and filled and view.shown[index]:
            found.append(index)
    return found


@finds("thumbnail")
def _thumbnails(view: View) -> list[int]:
    return view.hinted("thumbnail") or [i for i in view.find("image") if 40 <= view.nodes[i].box.width <= 140]


@finds("divider")
def _dividers(view: View) -> list[int]:
    thin = [
        i
        for i, node in enumerate(view.nodes)
        if view.shown[i]
        and node.box.height <= 4
        and node.box.width >= 60
        and not node.text
        and (view.own_ground(i) or any(side.width for side in node.borders))
    ]
    return view.tagged("hr") + thin


@finds("chart")
def _charts(view: View) -> list[int]:
    return view.hinted("chart")[:1]


@finds("bar")
def _bars(view: View) -> list[int]:
    charts = set(within(view, view.find("chart")))
    return [
        i
        for i in charts
        if view.shown[i]
        and not view.texts(i)
        and view.own_ground(i)
        and not view.children[i]
        and view.nodes[i].box.width > 4
    ]
