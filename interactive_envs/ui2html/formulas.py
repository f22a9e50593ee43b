"""Formal questions about a target: which there are, and how one is read.

============  ================================================================================================
formula       ``term relation value``, for instance ``width(card 2) > mine``
term          ``property(part)``, or ``count(kind)``
part          ``page``, or a kind and its number in reading order: ``card 2``; ``card`` is the first
relation      ``=`` ``!=`` ``<`` ``>`` ``<=`` ``>=``
value         ``mine`` (the same term of the page that was sent), a number, ``#rrggbb``, a word, ``"a text"``, a term
============  ================================================================================================

What a formula means is decided in :mod:`interactive_envs.ui2html.judge.formal`.

>>> read_formula("width(card 2) > mine")
Formula(left=Term(property='width', kind='card', number=2), relation='>', right='mine')
>>> read_formula("count(button) >= 3").right
3.0
>>> read_formula("weight(card 1) > heavy")
Unreadable(reason='weight needs a number, not heavy.')
>>> read_formula("Should I make the cards wider?") is None
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from interactive_envs.parsing import Unreadable

KINDS = {
    "button": "a box around one text of at most 2 lines and 40 characters, at most 520 px wide and 90 px high",
    "badge": "a box like a button that is either less than 25 px high and no <button>, or has at most 3 characters and "
    "is less than 1.3 times as wide as high",
    "field": "an <input> for text, a <textarea> or a <select>",
    "choice": "a checkbox, a radio button, a slider or a colour <input>",
    "band": "any other box with something in it that reaches from the left to the right edge of the window",
    "card": "any other box with something in it",
    "shape": "a box with nothing in it",
    "line": "a box with nothing in it that is at most 4 px thick, or a border on one or two sides only (not in tables)",
    "image": "a picture: <img>, <svg>, <canvas>, <video>, <object> or an empty box with a url() background",
    "heading": "a text of at most 120 characters in letters at least 1.15 times as large as usual on the page (the "
    "median of all its characters); the site name often is heading 1",
    "text": "any other text, links too",
}
"""What can be named, and what counts as such, by what it looks like."""
NUMBERS = {
    "left": "px from the left edge of the window",
    "right": "px of the right edge from the left edge of the window",
    "top": "px from the top of the page",
    "bottom": "px of the lower edge from the top of the page",
    "middle": "px of the middle from the left edge of the window",
    "width": "px",
    "height": "px",
    "gap": "px to the next of its kind",
    "size": "px of its letters",
    "weight": "of its letters, 400 is ordinary, 700 bold",
    "words": "how many words it has, as spaces part them",
    "lines": "how many its text has",
    "border": "px of its widest border",
    "radius": "px of its corners",
    "lightness": "of its background, 0 black to 100 white",
    "red": "of its background, 0 to 255",
    "green": "of its background, 0 to 255",
    "blue": "of its background, 0 to 255",
}
COLOURS = {"background": "behind it", "color": "of its letters"}
WORDS = {
    "font": ("serif", "sans-serif", "monospace"),
    "shadow": ("yes", "no"),
    "italic": ("yes", "no"),
    "capitals": ("yes", "no"),
}
"""Properties that are one of a few words."""
OF_PAGE = ("width", "height", "background", "lightness", "red", "green", "blue")
"""What the page itself has."""
TEXT = "text"
"""The property that is a text; ``<`` and ``>`` go by the alphabet."""
MINE = "mine"
EXAMPLES = (
    "width(card 2) > mine",
    "lightness(page) > 90",
    "background(button 1) = #336699",
    'text(heading 1) < "m"',
    "font(heading 1) = serif",
    "count(card) >= 4",
)


@dataclass(frozen=True)
class Term:
    """What is measured.

    Attributes:
        property: a key of the tables above, or ``count``.
        kind: a key of ``KINDS``, or ``page``.
        number: its place in reading order, from 1.
    """

    property: str
    kind: str
    number: int = 1

    def __str__(self) -> str:
        if self.property == "count" or self.kind == "page":
            return f"{self.property}({self.kind})"
        return f"{self.property}({self.kind} {self.number})"


@dataclass(frozen=True)
class Formula:
    """A relation between a term and a value: ``mine``, a number, a colour, a word, a text in quotes or a term."""

    left: Term
    relation: str
    right: Term | float | str

    def __str__(self) -> str:
        right = f"{self.right:g}" if isinstance(self.right, float) else str(self.right)
        return f"{self.left} {self.relation} {right}"


RULES = """A question can also be a formula, property(part) relation value, which is measured exactly.

A part is the page, or a kind and a number, such as card 2. The parts of a kind are numbered from the top of the page \
down, and from left to right where their top edges differ by at most 8 px. What counts is what can be seen, whatever \
the tags. A box is an area that stands out from what is behind it by its background, by a border on at least three \
sides, or by a shadow; the background of the page itself, which fills at least 90 % of it, is no box. The kinds are:
{kinds}
A text that is alone in its box belongs to the box and is no heading or text. In a box with more in it, each text is a \
part of its own.

- property with a number (lengths in px): {numbers}, and count(kind). middle is the horizontal centre; gap is the \
distance between this part and the next one of its kind, and the last one has none; size and weight are those of the \
letters (400 is regular, 700 bold); words is the number of words between spaces; lightness (0 to 100), red, green and \
blue (0 to 255) are those of the background.
- property with a colour: {colours}. background is behind the part, color is that of its letters. Colours that hardly \
anybody can tell apart are equal (less than 4 apart in CIELAB).
- property with a word: font (serif, sans-serif, monospace); shadow, italic, capitals (yes, no).
- property with a text in quotes: text. < and > compare by the alphabet; upper and lower case are the same.
- The page has only {page}.
- relation: = != < > <= >=. Colours and words have only = and !=.
- value: mine (what your page has there), a number, #rrggbb, a word, "a text", or another property(part) of the target.
A question holds one formula, without "and" and "or". If the target has no such part, the reply is "No.", whatever the \
relation. mine cannot be read if your page has no such part.
Examples: {examples}.""".format(
    kinds="\n".join(f"- {kind}: {what}" for kind, what in KINDS.items()),
    numbers=", ".join(NUMBERS),
    colours=", ".join(COLOURS),
    page=", ".join(OF_PAGE),
    examples="; ".join(f"<ask>{example}</ask>" for example in EXAMPLES),
)
"""What players read about formulas."""

_SIGNS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!="}
_RELATION = r"<=|>=|<>|!=|==|=|<|>|≤|≥|≠"
_TERM = re.compile(r"([a-z-]+)\s*\(\s*([a-z]+)\s*(?:#?\s*(\d{1,3}))?\s*\)", re.IGNORECASE)
_BEGINS = re.compile(rf"\W*[a-z-]+\s*\([^()]*\)\s*(?:{_RELATION}|$)", re.IGNORECASE)
_WHOLE = re.compile(rf"([^<>=!≤≥≠\"]*?)\s*({_RELATION})\s*(.+)", re.DOTALL)
_NUMBER = re.compile(r"(-?\d{1,6}(?:\.\d{1,3})?)\s*(?:px|%)?", re.IGNORECASE)
_COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})", re.IGNORECASE)
_QUOTED = re.compile(r"[\"'\u201c]([^\"\u201c\u201d]{0,200})[\"'\u201d]")
_SYNONYMS = {
    "colour": "color",
    "box": "card",
    "panel": "card",
    "strip": "band",
    "link": "text",
    "input": "field",
    "picture": "image",
}


def read_formula(text: str) -> Formula | Unreadable | None:
    """Read a formal question.

    Args:
        text: a player's question.

    Returns:
        None where it is no formula; what is wrong with one that is none of the grammar's.
    """
    plain = text.strip().strip("`").strip().removesuffix("?").strip()
    if not _BEGINS.match(plain):
        return None
    whole = _WHOLE.fullmatch(plain)
    if whole is None:
        return Unreadable(f"A formula needs a relation and a value, for example {EXAMPLES[0]}.")
    left = _term(whole[1].strip())
    if isinstance(left, Unreadable):
        return left
    relation = _SIGNS.get(whole[2], whole[2])
    right = _value(left, whole[3].strip())
    if isinstance(right, Unreadable):
        return right
    if relation not in ("=", "!=") and (left.property in COLOURS or left.property in WORDS):
        return Unreadable(f"{left.property} can only be compared with = and !=.")
    return Formula(left, relation, right)


def _term(text: str) -> Term | Unreadable:
    found = _TERM.fullmatch(text)
    if found is None:
        return Unreadable(f"A formula begins with property(part), for example {EXAMPLES[0]}.")
    name, kind = (_SYNONYMS.get(word.lower(), word.lower()) for word in found.group(1, 2))
    kind = kind if kind in KINDS or kind == "page" else _SYNONYMS.get(kind.removesuffix("s"), kind.removesuffix("s"))
    if kind != "page" and kind not in KINDS:
        return Unreadable(f"There is no kind {kind!r}; the kinds are page, {', '.join(KINDS)}.")
    if name == "count":
        return (
            Unreadable("count needs a kind, such as count(card).") if kind == "page" or found[3] else Term(name, kind)
        )
    if name not in (*NUMBERS, *COLOURS, *WORDS, TEXT):
        known = ", ".join((*NUMBERS, *COLOURS, *WORDS, TEXT, "count"))
        return Unreadable(f"There is no property {name!r}; the properties are {known}.")
    if kind == "page" and name not in OF_PAGE:
        return Unreadable(f"The page has no {name}; it has {', '.join(OF_PAGE)}.")
    number = int(found[3] or 1)
    return Term(name, kind, number) if number else Unreadable("Parts are counted from 1.")


def _value(left: Term, text: str) -> Term | float | str | Unreadable:
    if text.lower() == MINE:
        return MINE
    if _TERM.fullmatch(text):
        right = _term(text)
        if isinstance(right, Term) and _sort(right) != _sort(left):
            return Unreadable(f"{left.property} and {right.property} cannot be compared.")
        return right
    sort = _sort(left)
    if sort == "number":
        number = _NUMBER.fullmatch(text)
        return float(number[1]) if number else Unreadable(f"{left.property} needs a number, not {text[:40]}.")
    if sort == "colour":
        return _long(text.lower()) if _COLOUR.fullmatch(text) else Unreadable(f"{left.property} needs #rrggbb or mine.")
    if sort == TEXT:
        quoted = _QUOTED.fullmatch(text)
        return quoted[1] if quoted else Unreadable('text needs a text in quotes, such as text(button 1) = "Send".')
    word = text.strip("\"'").lower()
    return word if word in WORDS[sort] else Unreadable(f"{left.property} is one of {', '.join(WORDS[sort])}.")


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


def _sort(term: Term) -> str:
    """What a term's values are: ``number``, ``colour``, ``text``, or the property of a few words."""
    if term.property in COLOURS:
        return "colour"
    return term.property if term.property in (*WORDS, TEXT) else "number"
