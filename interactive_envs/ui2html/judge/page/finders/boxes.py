"""Finders of cards and of what stands in groups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from interactive_envs.ui2html.judge.page.finders.common import is_cardlike, within
from interactive_envs.ui2html.judge.page.finders.texts import MONEY
from interactive_envs.ui2html.judge.page.view import FINDERS, View, finds


def _groups(view: View) -> list[list[int]]:
    """Boxes of about the same size that are siblings."""
    groups = []
    for children in view.children:
        boxes = [i for i in children if view.shown[i] and is_cardlike(view, i)]
        if len(boxes) > 1:
            groups.append(boxes)
    return groups


@finds("card")
def _cards(view: View) -> list[int]:
    grouped = [i for group in _groups(view) for i in group]
    grouped = [i for i in grouped if not set(view.above(i)) & set(view.find("calendar"))]
    named = [i for i in view.hinted("card") if is_cardlike(view, i)]
    found = grouped or named
    return view.innermost(found) if grouped else view.outermost(found)


@finds("stat")
def _stats(view: View) -> list[int]:
    named = [i for i in view.hinted("stat") if is_cardlike(view, i)]
    return named or [i for i in view.find("card") if re.search(r"\d", view.text(i))]


@finds("plan")
def _plans(view: View) -> list[int]:
    named = [i for i in view.hinted("plan", "plan tier") if is_cardlike(view, i)]
    return named or [i for i in view.find("card") if MONEY.search(view.text(i))]


@finds("feature")
def _features(view: View) -> list[int]:
    return [i for i, names in enumerate(view.names) if "feature" in names and view.shown[i]] or list(view.find("card"))


@finds("product")
def _products(view: View) -> list[int]:
    return [i for i in view.hinted("product", "related product item") if is_cardlike(view, i)] or list(
        view.find("card")
    )


@finds("lane")
def _lanes(view: View) -> list[int]:
    named = [i for i in view.hinted("lane", "lane column col list") if view.nodes[i].box.height > 100]
    narrow = [i for i in named if view.nodes[i].box.width < 0.6 * view.width]
    return narrow or _beside(view)


def _beside(view: View) -> list[int]:
    """The large blocks that stand beside each other, as high in the document as there are any."""
    skipped = set(within(view, (*view.find("header"), *view.find("footer"), *view.find("card"), *view.find("table"))))
    for index, children in enumerate(view.children):
        if index in skipped or view.nodes[index].box.width < 0.5 * view.width:
            continue
        large = [
            i
            for i in children
            if view.shown[i] and view.nodes[i].box.height > 150 and 0.12 < view.nodes[i].box.width / view.width < 0.85
        ]
        if len(large) > 1:
            return large
    return []


@finds("person")
def _persons(view: View) -> list[int]:
    found = view.tagged("address") or view.hinted("person")
    return found or [i for i in view.find("sidebar") if re.search(r"\d", view.text(i))]


@finds("highlighted")
def _highlighted(view: View) -> list[int]:
    cards = set(view.find("card")) | set(view.find("plan"))
    named = [i for i in view.hinted("highlighted") if i in cards or is_cardlike(view, i)]
    if named:
        return named[:1]
    grounds = Counter(view.ground(i) for i in cards)
    return [i for i in cards if len(cards) > 2 and grounds[view.ground(i)] == 1][:1]


def _members_of(role: str) -> Callable[[View], list[int]]:
    """The parts that a class names, or those of the one list that it names."""

    def find(view: View) -> list[int]:
        found = view.hinted(role)
        while len(found) == 1 and view.children[found[0]] and not view.nodes[found[0]].text:
            found = [i for i in view.children[found[0]] if view.shown[i]]
        return found

    return find


FINDERS.update({role: _members_of(role) for role in ("filter", "size", "course", "swatch", "suggestion")})
