"""What several finders of parts need."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interactive_envs.ui2html.judge.page.view import View, finds

CONTROLS = ("input", "textarea", "select")


def is_wide(view: View, index: int, share: float = 0.6) -> bool:
    """Whether an element spans this share of the window."""
    return view.nodes[index].box.width >= share * view.width


def within(view: View, found: Iterable[int]) -> list[int]:
    """The elements and all below them."""
    return [i for index in found for i in view.inside(index)]


@finds("text")
def find_texts(view: View) -> list[int]:
    """The visible elements with text of their own."""
    return [i for i, node in enumerate(view.nodes) if node.text and view.shown[i]]


def is_cardlike(view: View, index: int) -> bool:
    """Whether an element looks like a card: a box of some size with something in it."""
    node = view.nodes[index]
    big = node.box.width >= 90 and node.box.height >= 50 and node.box.width < 0.97 * view.width
    if not big or node.tag in (
        "button",
        "svg",
        "img",
        "nav",
        "header",
        "footer",
        "td",
        "th",
        "tr",
        "aside",
        *CONTROLS,
    ):
        return False
    link = node.tag == "a" and not view.children[index]
    return view.boxed(index) and not link and len(view.inside(index)) > 1


def find_texts_like(pattern: re.Pattern[str], longest: int) -> Callable[[View], list[int]]:
    """A finder of texts of at most so many characters that match a pattern."""

    def find(view: View) -> list[int]:
        return [
            i for i in find_texts(view) if pattern.search(view.nodes[i].text) and len(view.nodes[i].text) <= longest
        ]

    return find
