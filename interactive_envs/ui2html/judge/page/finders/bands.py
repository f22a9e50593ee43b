"""Finders of what divides a page: header, menus, sidebar, sections, footer."""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.page.finders.common import find_texts, is_wide, within
from interactive_envs.ui2html.judge.page.view import HINTS, View, finds


@finds("header")
def _header(view: View) -> list[int]:
    named = [i for i in view.tagged("header") + view.roled("banner") if view.nodes[i].box.y < 160]
    named += [i for i in view.hinted("header") if view.nodes[i].box.y < 160 and is_wide(view, i)]
    named = [i for i in named if is_wide(view, i, 0.5) and view.nodes[i].box.height < 0.5 * view.height]
    named = named or [i for i in view.tagged("nav") if view.nodes[i].box.y < 60 and is_wide(view, i)]
    named = named or [
        i for i in view.hinted("nav", "navbar nav topnav") if view.nodes[i].box.y < 60 and is_wide(view, i)
    ]
    return view.outermost(named)[:1] or _top_band(view)


def _top_band(view: View) -> list[int]:
    """A wide low block at the top with a few short texts in it."""
    for index, node in enumerate(view.nodes):
        if node.tag in ("html", "body") or not view.shown[index] or not is_wide(view, index, 0.8) or node.box.y > 40:
            continue
        texts = view.texts(index)
        short = all(len(view.nodes[i].text) < 40 and view.nodes[i].size < 32 for i in texts)
        if 24 <= node.box.height <= 130 and 2 <= len(texts) <= 12 and short:
            return [index]
    return []


@finds("nav")
def _nav(view: View) -> list[int]:
    feet = set(within(view, view.find("footer")))
    found = [i for i in view.tagged("nav") + view.roled("navigation") if i not in feet and not _crumb(view, i)]
    found = found or [i for i in view.hinted("nav") if i not in feet and len(view.texts(i)) > 1]
    if not found:
        for header in view.find("header"):
            links = [i for i in view.inside(header) if view.nodes[i].tag == "a" and view.shown[i]]
            if len(links) > 1:
                common = [a for a in view.above(links[-1]) if links[-2] in view.inside(a)]
                found = common[:1]
    side = set(within(view, view.find("sidebar")))
    return view.outermost([i for i in found if i not in side] or found)


def _crumb(view: View, index: int) -> bool:
    return bool(view.names[index] & {"crumbs", "breadcrumb", "breadcrumbs"}) or "breadcrumb" in " ".join(
        view.names[index]
    )


@finds("navlink")
def _navlinks(view: View) -> list[int]:
    inside = within(view, view.find("nav")) or within(view, view.find("header"))
    brand = set(within(view, view.find("brand")))
    links = [i for i in inside if view.nodes[i].tag == "a" and view.shown[i] and i not in brand and view.texts(i)]
    links = [i for i in links if i not in view.find("button")]
    if links:
        return view.outermost(links)
    return [
        i for i in inside if view.nodes[i].text and view.shown[i] and i not in brand and i not in view.find("button")
    ]


@finds("sidelink")
def _sidelinks(view: View) -> list[int]:
    inside = within(view, view.find("sidebar"))
    links = view.outermost([i for i in inside if view.nodes[i].tag == "a" and view.shown[i]])
    links = links or [i for i in inside if view.nodes[i].tag == "li" and view.shown[i]]
    return links or [i for i in inside if view.nodes[i].text and view.shown[i]]


@finds("sidebar")
def _sidebar(view: View) -> list[int]:
    named = view.outermost([*view.tagged("aside"), *view.hinted("sidebar")])
    if not named:
        menus = [*view.tagged("nav"), *view.hinted("nav", "menu nav navigation")]
        named = view.outermost([i for i in menus if view.nodes[i].box.height > 2 * view.nodes[i].box.width / 3 > 60])
    return [i for i in named if view.nodes[i].box.width < 0.45 * view.width and view.nodes[i].box.height > 60]


@finds("footer")
def _footer(view: View) -> list[int]:
    named = [*view.tagged("footer"), *view.roled("contentinfo")] or view.hinted("footer")
    low = [i for i in named if view.nodes[i].box.y > 0.4 * view.height]
    return view.outermost(low)[-1:]


@finds("hero")
def _hero(view: View) -> list[int]:
    named = [i for i in view.hinted("hero") if view.nodes[i].box.height > 100 and is_wide(view, i)]
    if named:
        return named[:1]
    for title in view.find("title"):
        section = [
            i
            for i in view.above(title)
            if view.nodes[i].tag in ("section", "div", "header")
            and is_wide(view, i, 0.8)
            and view.nodes[i].box.height > 150
        ]
        section = [i for i in section if view.nodes[i].box.height < 0.6 * view.height and view.nodes[i].box.y < 250]
        content = [i for i in section if view.find("subtitle") and view.find("subtitle")[0] in view.inside(i)]
        pressed = set(view.find("button")) | set(view.find("image"))
        content = [i for i in content if pressed & set(view.inside(i)) and not view.find("field")]
        if content:
            return content[-1:]
    return []


@finds("main")
def _main(view: View) -> list[int]:
    found = view.tagged("main") + view.roled("main")
    return found[:1] or [i for i in view.hinted("main") if view.nodes[i].box.height > 0.3 * view.height][:1]


@finds("section")
def _sections(view: View) -> list[int]:
    found = view.outermost(view.tagged("section"))
    return found or list(view.hinted("section"))


@finds("notice")
def _notices(view: View) -> list[int]:
    found = [
        i for i in view.hinted("notice") if view.nodes[i].box.height <= 110 and is_wide(view, i, 0.4) and view.text(i)
    ]
    if found:
        return found
    head = set(within(view, view.find("header"))) | set(within(view, view.find("footer")))
    for index, node in enumerate(view.nodes):
        strip = 18 <= node.box.height <= 70 and is_wide(view, index, 0.8) and node.box.y < 260
        if strip and node.text and len(view.children[index]) == 0 and view.own_ground(index) and index not in head:
            return [index]
    return []


@finds("crumbs")
def _crumbs(view: View) -> list[int]:
    named = view.hinted("crumbs")
    trail = re.compile(r"^[\w &]+(\s*[/\u203a\u00bb>]\s*[\w &]+)+$")
    return named or [i for i in find_texts(view) if trail.match(view.nodes[i].text) and view.nodes[i].box.y < 250][:1]


@finds("closing")
def _closing(view: View) -> list[int]:
    return [
        i
        for i in view.hinted("closing")
        if is_wide(view, i) and 60 < view.nodes[i].box.height < 400 and view.nodes[i].box.y > 250
    ][-1:]


@finds("active")
def _active(view: View) -> list[int]:
    links = set(view.find("navlink")) | set(view.find("sidelink"))
    wanted = set(HINTS["active"].split()) | {"other"}
    return [i for i in links if view.names[i] & wanted]


@finds("navbar")
def _navbar(view: View) -> list[int]:
    nav = list(view.find("nav"))
    head = view.find("header")
    return list(head) if nav and any(nav[0] in view.inside(h) for h in head) else nav


@finds("page")
def _page(view: View) -> list[int]:
    return view.tagged("body")[:1] or [0] if view.nodes else []


@finds("container")
def _containers(view: View) -> list[int]:
    return view.hinted("container") or _main(view)


@finds("article")
def _article(view: View) -> list[int]:
    return view.tagged("article")[:1] or view.hinted("article", "article post story")[:1] or _main(view)
