"""The English in which pages are spoken of, as units: subjects, properties, directions, values, verbs.

The tables in ``data/english`` have lines ``meaning: phrase, phrase``; of equal phrases the last counts. A phrase is
matched in the spelling of :func:`plain`; the longest match wins, and a word that is in none is looked up again without
a plural ending.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from interactive_envs.ui2html.judge.tables import read_text

_TABLES = {
    "verb": "verbs",
    "place": "places",
    "value": "values",
    "direction": "directions",
    "property": "properties",
    "subject": "subjects",
    "": "frame",
}
"""The tables by the kind of their units, in the order in which they are read; the lines of the last name their kind."""


class Unit(NamedTuple):
    """A word or phrase with a meaning.

    Attributes:
        kind: ``subject``, ``property``, ``direction``, ``value``, ``verb``, ``place``, ``number``, ``length``,
            ``quote``, ``negation``, ``ordinal``, ``skip``, ``word``, or a kind of ``frame.txt``.
        meaning: by kind.
        text: as it stands in the question.
        plural: of a subject.
    """

    kind: str
    meaning: Any
    text: str
    plural: bool = False


_NUMBERS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(),
        range(17),
        strict=True,
    )
) | {"single": 1, "triple": 3, "couple": 2, "dozen": 12}
_NUMBER = rf"(?:\d+|{'|'.join(_NUMBERS)})"
_ORDINALS = {
    "middle": 1000,
    "central": 1000,
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "sixth": 5,
    "seventh": 6,
    "eighth": 7,
    "last": -1,
    "final": -1,
    "topmost": 0,
    "leftmost": 0,
    "rightmost": -1,
    "lowest": -1,
    "uppermost": 0,
}


def _bound(match: re.Match[str]) -> str:
    """Turn "three or more" into "at least three"."""
    number = match[1]
    if number not in _NUMBERS and not number.isdigit():
        return match[0]
    return f"{'at least' if match[2] == 'more' else 'at most'} {number}"


_SPELLING: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bcolor", "colour"),
    (r"\bcenter", "centre"),
    (r"\bgray", "grey"),
    (r"\bcapitaliz", "capitalis"),
    (r"\bitaliciz", "italicis"),
    (r"\bemphasiz", "emphasis"),
    (r"\bcentrali[sz]ed", "centralised"),
    (r"\u2019", "'"),
    (r"\bcentering", "centring"),
    (r"(?<=\w\ws)'(?=\s)", ""),
    (r"\b(is|are|do|does|should|did|was|has|have|must|need|could|would)n't\b", r"\1 not"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"(\d)\s*(?:px|pixels?)\b", r"\1px"),
    (r"(\d)\s+%", r"\1%"),
    (r"\b(\w+) or (more|fewer|less)\b(?! \w+ than)", _bound),
    (rf"\b(have|has|use|uses|show|shows|contain|contains|there|are) over (?={_NUMBER}\b)", r"\1 more than "),
    (rf"\b(have|has|use|uses|show|shows|contain|contains|there|are) under (?={_NUMBER}\b)", r"\1 fewer than "),
    (r"\bpure black\b", "#000000"),
    (r"\bpure white\b", "#ffffff"),
    (r"\bpure (?=\w)", ""),
    (r"\bbutton's\b", "button"),
    (r"(?<=[a-z])'s\b", "'s"),
    (r"\b(\d)(?:-| )col(?:umn)?s?\b", r"\1 column"),
    (r"\b(one|two|three|four|five|six|single)-(column|row|line)", r"\1 \2"),
    (r"\bdrop-shadow", "drop shadow"),
    (r"\b(\w+)-colou?red\b", r"\1"),
    (r"\bsign-(in|up|out)\b", r"sign \1"),
    (r"\blog-(in|out)\b", r"log \1"),
)
_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]([^\"\u201c\u201d\u00ab\u00bb]{1,200})[\"\u201c\u201d\u00ab\u00bb]")
_SINGLY = re.compile(r"(?<![\w])['\u2018`]([^'\u2018`\n]{0,120}?(?:\w'\w[^'\u2018`\n]{0,120}?)*)['\u2019`](?![\w])")
_TOKEN = re.compile(
    r"\x00\d+\x00|#[0-9a-f]{3,8}\b|rgba?\([\d\s.,%]+\)|\d+(?:\.\d+)?(?:px|rem|em|pt|%)|\d+(?:\.\d+)?|[^\W\d_]+(?:[-'/][^\W\d_]+)*"
    r"|[,;:?!]|[^\s]"
)
LONGEST = 7
_LIMITS = frozenset(["over", "under", "at most"])
"""Phrases that bound a number, and mean something else where none follows."""
_LIMITED = _LIMITS | {"at least", "not alone"}
_DETERMINERS = frozenset("a an the my another each every extra".split()) | {
    "a second",
    "a third",
    "a fourth",
    "a fifth",
}


def plain(text: str) -> str:
    """Lower case, British spelling, straight apostrophes.

    >>> plain("Isn\u2019t the Color gray?")
    'is not the colour grey?'
    """
    text = text.lower().replace("\u2019", "'").replace("\u2011", "-")
    for pattern, by in _SPELLING:
        text = re.sub(pattern, by, text)
    return text


def _phrases(table: str) -> Iterator[tuple[str, str]]:
    for line in table.strip().splitlines():
        meaning, _, phrases = line.partition(": ")
        for phrase in phrases.split(", "):
            yield meaning, phrase.strip()


@functools.cache
def lexicon() -> dict[tuple[str, ...], Unit]:
    """All phrases, as tuples of words."""
    found: dict[tuple[str, ...], Unit] = {
        (word,): Unit("skip", None, word) for word in read_text("english/skip.txt").split()
    }
    for kind, table in _TABLES.items():
        for meaning, phrase in _phrases(read_text(f"english/{table}.txt")):
            value: Any = tuple(meaning.rsplit(" ", 1)) if kind == "value" else meaning
            unit = Unit(kind or meaning, value, phrase)
            found[tuple(_TOKEN.findall(plain(phrase)))] = unit
    for word, number in _NUMBERS.items():
        found[(word,)] = Unit("number", number, word)
    for word, place in _ORDINALS.items():
        found[(word,)] = Unit("ordinal", place, word)
    for name in read_text("english/colours.txt").split():
        found[(name,)] = Unit("value", ("colour", name), name)
    return found


def read_units(question: str) -> list[Unit]:
    """The units of a question, with words that mean nothing here as ``word``.

    >>> [(unit.kind, unit.meaning) for unit in read_units("darker cards, 16px")]
    [('direction', 'lightness -'), ('subject', 'card'), ('comma', None), ('length', 16.0)]
    """
    quotes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quotes.append(match[1].strip())
        return f" \x00{len(quotes) - 1}\x00 "

    text = _SINGLY.sub(hide, _QUOTED.sub(hide, question))
    tokens = [part for token in _TOKEN.findall(plain(text)) for part in _split(token)]
    units: list[Unit] = []
    at = 0
    while at < len(tokens):
        size, unit = _longest(tokens, at, quotes)
        units.append(unit)
        at += size
    return [_in_context(units, at) for at in range(len(units))]


def _in_context(units: list[Unit], at: int) -> Unit:
    """A unit with the meaning that the units beside it give it."""
    unit = units[at]
    before = units[at - 1] if at else Unit("stop", None, "")
    rest = [after for after in units[at + 1 :] if after.kind != "stop"]
    if unit.text == "one":
        # "The one on the left" is no number; "one column" and "more than one" are.
        counted = (rest and rest[0].meaning in ("columns", "rows", "+", "-")) or before.kind in _LIMITED
        return unit if counted else unit._replace(kind="skip")
    if unit.text == "switch" and (before.kind in ("ordinal", "number", "each", "value") or before.text in _DETERMINERS):
        return Unit("subject", "toggle", unit.text)
    if unit.text in ("on", "off") and (not rest or before.text in ("turn", "switch", "turned", "switched")):
        return Unit("value", ("state", unit.text), unit.text)
    return unit


def _split(token: str) -> list[str]:
    """A possessive as two tokens, and a joined word that is not known as its parts."""
    if token.endswith("'s") and len(token) > 2:
        return [token[:-2], "'s"]
    if "-" in token and (token,) not in lexicon() and len(token) > 1:
        return [part for part in token.split("-") if part]
    return [token]


def _longest(tokens: list[str], at: int, quotes: list[str]) -> tuple[int, Unit]:
    for size in range(min(LONGEST, len(tokens) - at), 0, -1):
        phrase = tuple(tokens[at : at + size])
        unit = lexicon().get(phrase)
        if unit is not None and not (unit.kind in _LIMITS and not _counts(tokens[at + size : at + size + 1])):
            return size, unit._replace(text=" ".join(phrase))
        single = _singular(phrase[-1])
        if single:
            unit = lexicon().get((*phrase[:-1], single))
            if unit is not None and unit.kind in ("subject", "property", "value"):
                return size, unit._replace(text=" ".join(phrase), plural=True)
    return 1, _other(tokens[at], quotes)


def _counts(following: list[str]) -> bool:
    """Whether what follows is a number, so that "more than" bounds it."""
    return bool(following) and (following[0] in _NUMBERS or following[0][0].isdigit())


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "sses")) else word[:-1]


def _other(token: str, quotes: list[str]) -> Unit:
    if token.startswith("\x00"):
        quote = quotes[int(token.strip("\x00"))]
        if re.fullmatch(r"#[0-9a-fA-F]{3,8}", quote):
            return Unit("value", ("colour", quote.lower()), quote)
        return Unit("quote", quote, quote)
    if token.startswith(("#", "rgb")):
        return Unit("value", ("colour", token), token)
    if token in (",", ";", ":"):
        return Unit("comma", None, token)
    if token in ("?", "!", ".", "(", ")"):
        return Unit("stop", None, token)
    if token == "'s":  # noqa: S105, a token of language
        return Unit("possessive", None, token)
    number = re.fullmatch(r"(\d+(?:\.\d+)?)(px|rem|em|pt|%)?", token)
    if number is not None:
        value = float(number[1])
        if number[2] is None:
            return Unit("number", value, token)
        scale = {"px": 1.0, "rem": 16.0, "em": 16.0, "pt": 4 / 3, "%": -0.01}[number[2]]
        return Unit("length", value * scale, token)
    return Unit("word", token, token)
