"""Rule players for UI2Html: two that ask nothing, one that improves a first draft by asking, and the reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.ui2html.reference_page import Draft, draft_of

if TYPE_CHECKING:
    from interactive_envs.ui2html.solver import Designer

Asking = Generator[str, bool, None]
"""Yields questions, hears whether the answer was yes, and changes the draft."""

EMPTY = "<!DOCTYPE html>\n<html><head><title></title></head><body></body></html>"


class Blank(Agent):
    """Sends an empty page, which is worth nothing: the floor."""

    name = "blank"
    family = "ui2html"
    from_view = True

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """End at once."""
        return f"<answer>{EMPTY}</answer>"


class Template(Agent):
    """Turns the request's own words into a page of an ordinary kind, and asks nothing."""

    name = "template"
    family = "ui2html"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """End at once."""
        return f"<answer>\n{draft_of(request_in(observation)).html()}</answer>"


class Rule(Agent):
    """Begins with the template's page and asks about one choice after another: typeface, colours, counts, sizes.

    Reads the text only. A size moves step by step as long as the answer is yes; what stays unclear stays as it is.
    """

    name = "asker"
    family = "ui2html"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Forget the last page."""
        self._draft: Draft | None = None
        self._asking: Asking | None = None
        self._asked = False

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Draw the reply's consequence, then ask the next question, or end when there is none."""
        if self._draft is None or self._asking is None:
            self._draft = draft_of(request_in(observation))
            self._asking = questions(self._draft)
        question = self._next(observation.startswith("Yes."))
        if question is None or "ask" not in info.get("action_tags", ("ask",)):
            return f"<answer>\n{self._draft.html()}</answer>"
        return f"```html\n{self._draft.html()}```\n<ask>{question}</ask>"

    def _next(self, yes: bool) -> str | None:
        if self._asking is None:
            return None
        try:
            if self._asked:
                return self._asking.send(yes)
            self._asked = True
            return next(self._asking)
        except StopIteration:
            return None


class Reference(Agent):
    """Knows how the package's targets are drawn, and asks formulas that halve what the target may be.

    It does not know which targets there are. A request for a page of another kind it leaves to ``ui2html/asker``.
    """

    name = "reference"
    family = "ui2html"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Forget what was learnt."""
        self._designer: Designer | None = None
        self._rng = np.random.default_rng(seed)
        self._rule = Rule()
        self._rule.reset()

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Learn from the reply, then ask the next question about the best page so far, or send that page."""
        from interactive_envs.ui2html.solver import Designer  # NumPy's and SciPy's half second, which others save

        if self._designer is None:
            self._designer = Designer(request_in(observation), self._rng)
        elif observation.startswith(("Yes.", "No.")):
            self._designer.learn(observation.startswith("Yes."))
        if not self._designer.knows:
            return self._rule.act(observation, info)
        asks = "ask" in info.get("action_tags", ("ask",))
        question = self._designer.question() if asks else None
        if question is None:
            return f"<answer>\n{self._designer.page()}</answer>"
        return f"```html\n{self._designer.page()}```\n<ask>{question}</ask>"


def request_in(rules: str) -> str:
    """The request in the first message of an episode."""
    found = re.search(r"^What is wanted: (.+?)\n\n", rules, re.MULTILINE | re.DOTALL)
    return found[1] if found else rules


def questions(page: Draft) -> Asking:
    """All that is asked, the choices that change most first."""
    for ask in TOPICS:
        yield from ask(page)


def _compared(what: str) -> str:
    return f"Compared with the target, should I {what}?"


def _adjust(values: Sequence[Any], start: int, more: str, less: str, choose: Callable[[Any], None]) -> Asking:
    """Move a value along a rising list as long as the answer is yes, up or else down.

    Args:
        values: rising.
        start: index of the value that the page has now.
        more: what to do for a larger value.
        less: what to do for a smaller one.
        choose: gives the page another value.
    """
    for what, way in ((more, 1), (less, -1)):
        place = start
        while 0 <= place + way < len(values) and (yield _compared(what)):
            place += way
            choose(values[place])
        if place != start:
            return


def _set(page: Draft, name: str) -> Callable[[Any], None]:
    return lambda value: setattr(page, name, value)


def _typeface(page: Draft) -> Asking:
    if (yield _compared("use a serif typeface for the main heading")):
        page.titles = "serif"
        if (yield _compared("use a serif typeface for the body text")):
            page.family = "serif"
    elif (yield _compared("use a monospaced typeface for the body text")):
        page.family = page.titles = "monospace"


def _brand(page: Draft) -> Asking:
    if (yield "Is the site name above the navigation in the target?"):
        page.stacked = True


def _ground(page: Draft) -> Asking:
    if 0.2 < page.ground[1] < 0.6:
        return  # a full colour that the request named
    if page.dark:
        levels = [0.03, 0.05, 0.07, 0.085, 0.11, 0.14]
        choose = _light(page)
        yield from _adjust(levels, 3, *_LIGHTNESS, choose)
        return
    if (yield _compared("make the page background more saturated")):
        for hues in (("yellow", "orange"), ("blue", "purple"), ("green", "teal"), ("red", "pink")):
            if (yield _compared(f"make the page background {hues[0]} or {hues[1]}")):
                page.ground = (HUES[hues[0]], page.ground[1] - 0.02, 0.75)
                break
    levels = [0.62, 0.74, 0.82, 0.88, 0.92, 0.95, 0.965, 0.985, 1.0]
    start = min(range(len(levels)), key=lambda index: abs(levels[index] - page.ground[1]))
    yield from _adjust(levels, start, *_LIGHTNESS, _light(page))


_LIGHTNESS = ("make the page background lighter", "make the page background darker")


def _light(page: Draft) -> Callable[[float], None]:
    def choose(light: float) -> None:
        page.ground = (page.ground[0], light, page.ground[2])

    return choose


HUES = {
    "red": 0.98,
    "orange": 0.08,
    "yellow": 0.14,
    "green": 0.4,
    "teal": 0.49,
    "blue": 0.61,
    "purple": 0.74,
    "pink": 0.92,
}


def _accent(page: Draft) -> Asking:
    for name in ("blue", "green", "red", "orange", "purple", "teal", "pink", "yellow"):
        if (yield f"Is the accent colour in the target {name}?"):
            page.accent = (HUES[name], page.accent[1], page.accent[2])
            break
    if (yield _compared("make the accent colour darker")):
        page.accent = (page.accent[0], page.accent[1] - 0.15, page.accent[2])


NOUNS = {
    "features": "feature cards",
    "plans": "plan cards",
    "numbers": "number cards",
    "table": "table rows",
    "form": "input fields",
    "side": "sidebar links",
    "board": "board columns",
    "gallery": "pictures",
    "questions": "questions",
    "quotes": "quotes",
    "switches": "switches",
    "related": "related products",
    "details": "table rows",
    "chart": "bars in the chart",
}
ORDINARY = {
    "features": 3,
    "plans": 3,
    "numbers": 4,
    "table": 4,
    "form": 3,
    "side": 5,
    "board": 3,
    "gallery": 6,
    "questions": 3,
    "quotes": 2,
    "switches": 4,
    "related": 3,
    "details": 4,
    "chart": 7,
}
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def _counts(page: Draft) -> Asking:
    for part in [part for part in page.parts if part in NOUNS and part not in page.count]:
        count = 2 if part == "form" and "sign" in page.kind else ORDINARY[part]
        found = count
        while found < count + 3 and (yield f"Does the target have at least {NUMBERS[found + 1]} {NOUNS[part]}?"):
            found += 1
        while found == count > 1 and not (yield f"Does the target have at least {NUMBERS[count]} {NOUNS[part]}?"):
            found = count = count - 1
        page.count[part] = found


def _heading(page: Draft) -> Asking:
    if (yield _compared("centre the main heading")):
        page.align = "center"
    sizes = (24, 29, 34, 38, 43, 48, 56)
    yield from _adjust(sizes, 3, "make the main heading larger", "make the main heading smaller", _set(page, "heading"))


def _weight(page: Draft) -> Asking:
    if (yield _compared("use a lighter font weight for the main heading")):
        page.bold = False


def _corners(page: Draft) -> Asking:
    if (yield _compared("make the corners of the cards square")):
        page.square = True


def _borders(page: Draft) -> Asking:
    if (yield _compared("make the borders of the cards thicker")):
        page.border = 3
    elif (yield _compared("remove the borders of the cards")):
        page.border = 0


def _shadow(page: Draft) -> Asking:
    if (yield _compared("add a shadow to the cards")):
        page.shadow = True


DETAILS = (
    ("form", "remember", "a checkbox"),
    ("form", "forgot", "a forgot password link"),
    ("form", "area", "a text area"),
    ("hero", "second", "a secondary button"),
    ("plans", "hot", "a highlighted plan"),
    ("plans", "badge", "a badge"),
    ("article", "pull", "a pull quote"),
    ("switches", "save", "a button"),
    ("board", "badge", "badges"),
    ("board", "faces", "avatars"),
    ("picture", "second", "a secondary button"),
)
"""What a part sometimes has: the part, the thing, and how it is asked for."""


def _details(page: Draft) -> Asking:
    for part, thing, words in DETAILS:
        there = part in page.parts and (part != "picture" or "product" in page.kind)
        if there and (yield f"Does the target have {words}?"):
            page.has.add(thing)


def _links(page: Draft) -> Asking:
    if (yield "Does the target have at least five navigation links?"):
        page.links = 5
    elif not (yield "Does the target have at least four navigation links?"):
        page.links = 3


def _extras(page: Draft) -> Asking:
    if "side" in page.parts and (yield _compared("move the sidebar to the right")):
        page.side = "right"
    if "notice" not in page.parts and (yield "Does the target have a notice strip?"):
        page.parts.insert(0, "notice")
    if (yield "Does the target have a search field?"):
        page.search = True
    if "hero" not in page.parts and (yield "Does the target have breadcrumbs?"):
        page.has.add("crumbs")


def _text_size(page: Draft) -> Asking:
    if (yield _compared("make the body text smaller")):
        page.base, page.small = 14, 12
    elif (yield _compared("make the body text larger")):
        page.base, page.small = 16, 15


def _place(page: Draft) -> Asking:
    tops = (8, 22, 40, 64, 90, 120)
    down, up = "move the main heading further down", "move the main heading higher up"
    yield from _adjust(tops, 2, down, up, _set(page, "top"))


def _cards(page: Draft) -> Asking:
    yield from _adjust((8, 14, 20, 28, 36), 2, "make the cards taller", "make the cards shorter", _set(page, "padding"))


TOPICS: tuple[Callable[[Draft], Asking], ...] = (
    _brand,
    _extras,
    _counts,
    _links,
    _place,
    _accent,
    _typeface,
    _borders,
    _shadow,
    _corners,
    _weight,
    _heading,
    _details,
    _ground,
    _text_size,
    _cards,
)
"""What is asked about, in this order, found by playing generated targets."""
