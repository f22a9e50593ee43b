"""What a noun phrase means on each of two pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from interactive_envs.ui2html.judge.language.clauses import Phrase, Unread
from interactive_envs.ui2html.judge.look.measures import squeezed
from interactive_envs.ui2html.judge.look.part import Part
from interactive_envs.ui2html.judge.page.view import View

_QUALIFIERS = frozenset(
    "pricing price main feature product number small big top page primary secondary content user site form input "
    "hero header body text item whole central middle upper lower outer inner individual different decorative thin "
    "horizontal vertical coloured image picture event task contact article login profile calendar board".split()
)
"""Words before a subject that need not be found on a page."""
_CHOSEN = frozenset(
    "chosen selected active current highlighted differing marked recommended popular odd featured special "
    "emphasised".split()
)
_CHOSEN_CLASSES = frozenset(
    "active here current selected on chosen hot featured highlight highlighted popular other recommended".split()
)


@dataclass(frozen=True)
class Pages:
    """The two pages that a question compares."""

    target: View
    page: View


def find(phrase: Phrase, pages: Pages, lenient: bool = False) -> tuple[Part, Part]:
    """What a phrase means in the target and in the page.

    Raises:
        Unread: its words are on neither page.
    """
    target, page = _candidates(phrase, pages.target, pages), _candidates(phrase, pages.page, pages)
    words = [word for word in phrase.words if word not in _QUALIFIERS] if phrase.role != "?" else phrase.words
    wanted = [*words, *squeezed(phrase.quote).split()]
    if phrase.role == "?":
        target, page = _searched(pages.target, target, words), _searched(pages.page, page, words)
        if not target and not page:
            raise Unread(f"no such subject {' '.join(phrase.words)!r}")
    elif wanted:
        there, here = _named(pages.target, target, wanted), _named(pages.page, page, wanted)
        if not there and not here:
            there, here = _searched(pages.target, (), wanted), _searched(pages.page, (), wanted)
            if not there and not here and not phrase.quote and not lenient:
                raise Unread(f"no such subject {phrase}")
        target, page = there, here
    return (
        Part(pages.target, phrase.role, _chosen(phrase, pages.target, target)),
        Part(pages.page, phrase.role, _chosen(phrase, pages.page, page)),
    )


def _candidates(phrase: Phrase, view: View, pages: Pages) -> tuple[int, ...]:
    found = tuple(range(len(view.nodes))) if phrase.role == "?" else view.find(phrase.role)
    if phrase.within is None and phrase.role == "figure" and not found:
        return _headings_in(view, view.find("stat"), tagged=False)
    if phrase.within is None:
        return found
    if phrase.role in ("entry", "item", "link") and phrase.within.role in ("nav", "navbar", "header", "sidebar"):
        side = "sidelink" if phrase.within.role == "sidebar" else "navlink"
        return view.find(side) if phrase.role != "link" or view.find(side) else found
    if phrase.role == "label" and phrase.within.role in ("field", "form"):
        return found
    outer = find(phrase.within, pages)[0 if view is pages.target else 1].found
    inside = {i for index in outer for i in view.inside(index)}
    if phrase.within.role == "?" and not any(i in inside for i in found):
        # Words name a heading: what is meant lies beside it.
        around = {view.nodes[i].parent for i in outer if view.nodes[i].parent > 1}
        inside |= {i for index in around for i in view.inside(index)}
    if phrase.role == "text":
        return tuple(i for i in sorted(inside) if view.nodes[i].text and view.shown[i])
    chosen = tuple(i for i in found if i in inside)
    together = len(outer) > 1 or phrase.within.role in (
        "table",
        "list",
        "chart",
        "faq",
        "calendar",
        "question",
        "gallery",
    )
    if (
        phrase.role in ("title", "name", "heading", "subheading", "cardtitle")
        and not phrase.plural
        and outer
        and together
    ):
        headed = [i for i in view.inside(outer[0]) if re.fullmatch("h[1-4]", view.nodes[i].tag) and view.shown[i]]
        above = tuple(headed[:1]) if headed and len(outer) == 1 else _heading_above(view, outer)
        if above:
            return above
    if phrase.role == "figure":
        return _headings_in(view, outer, tagged=False)
    if not chosen and phrase.role in ("title", "name", "heading", "subheading", "cardtitle", "subtitle"):
        return _headings_in(view, outer)
    if not chosen and phrase.role in ("label", "placeholder"):
        return tuple(i for i in sorted(inside) if view.nodes[i].text and view.shown[i])
    if not chosen and phrase.role in ("image", "avatar", "icon"):
        return tuple(i for i in view.hinted(phrase.role) if i in inside)
    return chosen


def _headings_in(view: View, outer: Sequence[int], tagged: bool = True) -> tuple[int, ...]:
    """The heading of each: a heading element, or the first of its largest texts."""
    found = []
    for index in outer:
        inside = [i for i in view.inside(index) if view.shown[i]]
        headed = [i for i in inside if tagged and re.fullmatch("h[1-6]", view.nodes[i].tag)]
        largest = sorted(
            (i for i in inside if view.nodes[i].text), key=lambda i: (-view.nodes[i].size, -view.nodes[i].weight, i)
        )
        found += headed[:1] or largest[:1]
    return tuple(found)


def _heading_above(view: View, outer: Sequence[int]) -> tuple[int, ...]:
    """The heading of several together: the last before them in what holds them all."""
    for ancestor in view.above(outer[0])[:3]:
        if view.nodes[ancestor].tag == "body":
            break
        heads = [i for i in view.inside(ancestor) if i < outer[0] and re.fullmatch("h[1-4]", view.nodes[i].tag)]
        if heads and outer[-1] in view.inside(ancestor):
            return (heads[-1],)
    return ()


def _named(view: View, found: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
    """Those of which text, class or another attribute has the words, or which stand under a heading that has."""
    chosen = [word for word in words if word in _CHOSEN]
    stems = [_stem(word) for word in words if word not in _CHOSEN]
    named = tuple(i for i in found if all(stem in words_of(view, i) for stem in stems))
    return _odd(view, named) if chosen else named


def _odd(view: View, found: Sequence[int]) -> tuple[int, ...]:
    """The one that differs from the others by its class or its look."""
    named = tuple(i for i in found if view.names[i] & _CHOSEN_CLASSES)
    if named:
        return named[:1]
    looks = [(view.ground(i), view.nodes[i].colour[:3], view.nodes[i].weight, view.edged(i)) for i in found]
    return tuple(i for i, look in zip(found, looks, strict=True) if len(looks) > 2 and looks.count(look) == 1)[:1]


def words_of(view: View, index: int) -> str:
    """What an element is called: its text, and its class and other attributes."""
    node = view.nodes[index]
    attributes = " ".join(
        value
        for name, value in node.attributes
        if name in ("class", "id", "alt", "title", "placeholder", "value", "type")
    )
    text = view.text(index)
    if node.tag in ("input", "textarea", "select") and node.parent >= 0:
        # A field is called by the label beside it.
        around = [words for above in view.above(index)[:3] if len(words := view.text(above)) < 60]
        text += " " + " ".join(around)
    return f" {squeezed(attributes)} {squeezed(text[:400])}"


def _stem(word: str) -> str:
    """The beginning that the forms of a word share, after a space."""
    word = squeezed(word)
    return " " + (word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word)


def _searched(view: View, found: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
    """The smallest elements whose class or text has the words."""
    named = [
        i for i in (found or range(len(view.nodes))) if view.shown[i] and view.nodes[i].tag not in ("html", "body")
    ]
    stems = [_stem(word) for word in words]
    by_class = [i for i in named if all(stem in " " + " ".join(sorted(view.names[i])) + " " for stem in stems)]
    if by_class:
        return tuple(view.outermost(by_class))
    by_text = [
        i for i in named if view.nodes[i].text and all(stem in f" {squeezed(view.nodes[i].text)}" for stem in stems)
    ]
    return tuple(by_text)


def _chosen(phrase: Phrase, view: View, found: Sequence[int]) -> tuple[int, ...]:
    if phrase.ordinal is not None and found:
        if phrase.ordinal == 1000:
            return (found[len(found) // 2],)
        at = phrase.ordinal if phrase.ordinal >= 0 else len(found) + phrase.ordinal
        return (found[at],) if 0 <= at < len(found) else ()
    if phrase.side and len(found) > 1:
        key: Callable[[int], float] = {
            "left": lambda i: view.nodes[i].box.x,
            "right": lambda i: -view.nodes[i].box.x - view.nodes[i].box.width,
            "top": lambda i: view.nodes[i].box.y,
            "bottom": lambda i: -view.nodes[i].box.y - view.nodes[i].box.height,
        }[phrase.side]
        return (min(found, key=key),)
    return tuple(found)


def _counterpart(there: Part, here: Part) -> Part:
    """Of several parts on one page the one that lies where the other page has its only one."""
    if len(there.found) != 1 or len(here.found) < 2:
        return here
    box = there.view.nodes[there.found[0]].box
    best = min(
        here.found,
        key=lambda i: abs(here.view.nodes[i].box.x - box.x) + abs(here.view.nodes[i].box.y - box.y),
    )
    return here._replace(found=(best,))


def pair(phrase: Phrase, pages: Pages) -> tuple[Part, Part]:
    """The parts in both; where only the page has what is named, what the target has in its place."""
    there, here = find(phrase, pages)
    if (phrase.words or phrase.quote) and bool(there.found) != bool(here.found) and phrase.role != "?":
        bare = replace(phrase, words=[], quote="")
        other_there, other_here = find(bare, pages)
        if not there.found:
            there = _counterpart(here, other_there)
        else:
            here = _counterpart(there, other_here)
    return there, here
