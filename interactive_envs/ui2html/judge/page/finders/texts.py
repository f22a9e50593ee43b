"""Finders of texts: headings, links, prices, badges and so on."""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.page.finders.common import find_texts, find_texts_like, within
from interactive_envs.ui2html.judge.page.view import HINTS, View, finds

MONEY = re.compile(r"(?:[$\u20ac\u00a3\u00a5]\s?\d|\d\s?[\u20ac$\u00a3]|\bfree\b)", re.I)


@finds("title", "name")
def _title(view: View) -> list[int]:
    named = view.tagged("h1")
    if named:
        return named[:1]
    brand = set(within(view, view.find("header")))
    texts = [i for i in find_texts(view) if len(view.nodes[i].text) > 3 and view.nodes[i].size >= 20 and i not in brand]
    texts = [i for i in texts if view.nodes[i].tag in ("h2", "h3") or view.nodes[i].size >= 24]
    return sorted(texts, key=lambda i: (-view.nodes[i].size, i))[:1]


@finds("heading")
def _headings(view: View) -> list[int]:
    found = view.tagged("h1", "h2", "h3", "h4") + view.roled("heading")
    return found or view.find("title")  # type: ignore[return-value]


@finds("subheading")
def _subheadings(view: View) -> list[int]:
    title = view.find("title")
    return [i for i in view.tagged("h2") if i not in title] or [i for i in view.tagged("h3") if i not in title]


@finds("subtitle")
def _subtitle(view: View) -> list[int]:
    """The text that follows the main heading."""
    for title in view.find("title"):
        box = view.nodes[title].box
        texts = [i for i in find_texts(view) if i > view.inside(title)[-1]]
        for index in texts[:2]:
            own = view.nodes[index]
            plain = own.tag not in ("a", "button", "label", "h2", "h3", "th", "td", "b", "strong")
            near = own.text_box.y - (box.y + box.height) < 80 and abs(own.box.x - box.x) < 300
            if plain and near and len(own.text.split()) > 3:
                return [index]
    return [i for i in view.hinted("subtitle") if view.nodes[i].text][:1]


@finds("link")
def _links(view: View) -> list[int]:
    buttons = set(view.find("button"))
    return [i for i in view.outermost(view.tagged("a")) if i not in buttons and view.texts(i)]


@finds("brand")
def _brand(view: View) -> list[int]:
    head = within(view, view.find("header"))
    named = [i for i in view.hinted("brand") if view.texts(i)]
    named = [i for i in named if i in head] or [i for i in named if view.nodes[i].box.y < 200]
    if named:
        return named[:1]
    nav = set(within(view, [i for i in view.find("nav") if i not in view.find("header")]))
    return [i for i in head if view.nodes[i].text and view.shown[i] and i not in nav][:1]


@finds("label")
def _labels(view: View) -> list[int]:
    return view.tagged("label") or view.hinted("label", "label")


@finds("badge")
def _badges(view: View) -> list[int]:
    buttons = set(within(view, view.find("button"))) | set(within(view, view.find("nav")))
    found = []
    for index in find_texts(view):
        node = view.nodes[index]
        small = node.box.height <= 34 and node.box.width <= 200 and node.box.width - node.text_box.width <= 40
        named = view.names[index] & set(HINTS["badge"].split())
        looks = view.own_ground(index) or (named and view.boxed(index))
        plain = node.tag not in ("td", "th", "label", "input", "h1", "h2", "h3", "button", "a")
        if small and index not in buttons and looks and (plain or named):
            found.append(index)
    avatars = set(view.find("avatar"))
    return [i for i in found if i not in avatars]


@finds("price")
def _prices(view: View) -> list[int]:
    named = [
        i
        for i in view.hinted("price", "price cost")
        if re.search(r"\d|free", view.text(i), re.I) and len(view.text(i)) < 30
    ]
    return named or find_texts_like(MONEY, 16)(view)


@finds("quote")
def _quotes(view: View) -> list[int]:
    return view.outermost(view.tagged("blockquote", "q")) or view.hinted("quote")


@finds("copyright")
def _copyright(view: View) -> list[int]:
    return find_texts_like(re.compile(r"\u00a9|copyright|\(c\)", re.I), 120)(view)


@finds("rating")
def _rating(view: View) -> list[int]:
    return view.hinted("rating") or find_texts_like(re.compile(r"[\u2605\u2606]"), 60)(view)


@finds("code")
def _code(view: View) -> list[int]:
    return (
        find_texts_like(re.compile(r"^\s*(?:404|410|500|4\s?0\s?4)\s*$"), 5)(view)
        or find_texts_like(re.compile("404"), 30)(view)[:1]
    )


@finds("total")
def _total(view: View) -> list[int]:
    rows = [i for i in view.hinted("total", "total grand") if view.text(i)]
    named = [i for i in find_texts(view) if re.match(r"(?:grand )?total", view.nodes[i].text, re.I)]
    around = [view.nodes[i].parent for i in named]
    return rows or [p if p >= 0 and 1 < len(view.texts(p)) <= 4 else i for i, p in zip(named, around, strict=True)]


@finds("forgot")
def _forgot(view: View) -> list[int]:
    return find_texts_like(re.compile(r"forg[oe]t|lost|reset|key\?", re.I), 40)(view)


@finds("cardtitle")
def _card_titles(view: View) -> list[int]:
    inside = within(view, view.find("card"))
    title = view.find("title")
    found = [i for i in inside if view.nodes[i].tag in ("h2", "h3", "h4", "h5") and view.shown[i] and i not in title]
    return (
        found
        or [i for i in view.tagged("h3", "h4") if i not in title]
        or [i for i in view.tagged("h2") if i not in title]
    )


@finds("opening")
def _opening(view: View) -> list[int]:
    """The first long text below the main heading."""
    skipped = set(within(view, (*view.find("header"), *view.find("sidebar"), *view.find("footer"))))
    after = max((view.inside(i)[-1] for i in view.find("title")), default=-1)
    found = [i for i in find_texts(view) if i > after and i not in skipped and len(view.nodes[i].text) > 60]
    return [i for i in found if view.nodes[i].tag in ("p", "div", "span")][:1]


@finds("question")
def _questions(view: View) -> list[int]:
    inside = within(view, view.find("faq"))
    asked = [i for i in inside if view.nodes[i].tag in ("h3", "h4", "dt", "summary", "strong", "b") and view.shown[i]]
    return asked or [i for i in inside if view.nodes[i].text.endswith("?")]
