"""What compares a subject with a value: ``at most 5``, ``between 3 and 7``, ``twice as large as A``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.arithmetic import number_text
from interactive_envs.mathematics.judge.reading.reader import NO_OTHER, Reader, first_reading, join_all

_BOUNDS = {"more": "Ge", "greater": "Ge", "above": "Ge", "less": "Le", "fewer": "Le", "below": "Le"}


def compared(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read a comparison by the first of the rules below that applies."""
    return first_reading(COMPARISONS, reader, subject, start, end) if start < end else None


def approximate(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``about 0.57``: a decimal that differs by less than one in its last place."""
    if reader.texts[start] not in lexicon.VAGUE:
        return None
    if not re.fullmatch(r"\d*\.\d+", "".join(reader.texts[start + 1 : end])):
        return None
    decimal = reader.texts[end - 1]
    places = len(decimal.split(".")[1])
    return f"Lt(Abs({subject} - {number_text(decimal)}), Rational(1, {10**places}))"


def sign_of_relation(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``< 5``."""
    relation = lexicon.RELATIONS.get(reader.texts[start])
    if relation is None:
        return None
    other = reader.value(start + 1, end)
    return f"{relation}({subject}, {other})" if other else NO_OTHER


def equal_chain(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``2 * 352 = 704``."""
    cuts = reader.cuts(start, end, "=")
    edges = [start, *(at + 1 for at in cuts), end + 1]
    sides = [reader.value(a, b - 1) for a, b in itertools.pairwise(edges)] if cuts else []
    if not sides or not all(sides):
        return None
    return join_all([f"Eq({a}, {b})" for a, b in itertools.pairwise([subject, *map(str, sides)])])


def comparative(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``at most 5``, ``more than 387 dancers``, ``exactly divisible by 5``."""
    for relation, after in comparatives(reader, start, end):
        if value := reader.value(after, end) or counted_in(reader, subject, after, end):
            return f"{relation}({subject}, {value})"
        if relation == "Eq" and (found := reader.predicate(subject, after, end)):
            return found
    return None


def between(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``between 3 and 7``, ``strictly between 3 and 7``, ``between 3 and 7, exclusive``."""
    first, last = reader.texts[start], reader.texts[end - 1]
    if first not in ("between", "strictly"):
        return None
    begin = start + 1 + (first == "strictly")
    for at in range(begin + 1, end - 1):
        if reader.texts[at] == "and" and (low := reader.value(begin, at)):
            stop = end - (last in ("inclusive", "exclusive"))
            stop -= reader.texts[stop - 1] == ","
            if high := reader.value(at + 1, stop):
                above, below = ("Gt", "Lt") if first == "strictly" or last == "exclusive" else ("Ge", "Le")
                return f"And({above}({subject}, {low}), {below}({subject}, {high}))"
    return None


def larger_by(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``larger than A by B``."""
    if reader.texts[start] not in lexicon.MORE:
        return None
    sign = _sign(reader.texts[start])
    for by in range(start + 3, end - 1):
        if reader.texts[by] == "by" and reader.texts[start + 1] == "than":
            other, gap = reader.value(start + 2, by), reader.value(by + 1, end)
            if other and gap:
                return f"Eq({subject}, {other} {sign} ({gap}))"
    return None


def by_so_much(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``3 more than B``, ``3 more than a multiple of B``, ``twice as large as B``."""
    for at in range(start + 1, end - 1):
        if found := _more_than(reader, subject, (start, at, end)) or _as_large_as(reader, subject, (start, at, end)):
            return found
    return None


def _more_than(reader: Reader, subject: str, span: tuple[int, int, int]) -> str | None:
    start, at, end = span
    if reader.texts[at] not in lexicon.MORE or reader.texts[at + 1] != "than":
        return None
    sign = _sign(reader.texts[at])
    gap = reader.value(start, at)
    multiple = reader.starts(at + 2, end, ("a", "multiple", "of"))
    other = reader.value(at + 5, end) if multiple else reader.value(at + 2, end)
    if not gap or not other:
        return None
    if multiple:
        return f"Eq(Mod({subject} - {'' if sign == '+' else '-'}({gap}), {other}), 0)"
    return f"Eq({subject}, {other} {sign} ({gap}))"


def _as_large_as(reader: Reader, subject: str, span: tuple[int, int, int]) -> str | None:
    start, at, end = span
    if reader.texts[at] != "as" or reader.texts[at + 1] not in lexicon.AS_LARGE:
        return None
    other = reader.value(at + 2 + (reader.texts[at + 2 : at + 3] == ("as",)), end)
    factor = _factor(reader, start, at)
    return f"Eq({subject}, {factor}*({other}))" if factor and other else None


def _factor(reader: Reader, start: int, end: int) -> str | None:
    """Read ``twice``, ``half``, ``three times`` before ``as large as``."""
    texts = reader.texts[start:end]
    if texts in (("twice",), ("half",)):
        return "2" if texts == ("twice",) else "(1/2)"
    if not texts:
        return "1"
    return reader.value(start, end - 1) if texts[-1] == "times" else None


def _sign(word: str) -> str:
    return "+" if lexicon.MORE[word] == "Gt" else "-"


def or_more(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``704 or more``."""
    if end - start < 3 or reader.texts[end - 2] != "or" or reader.texts[end - 1] not in _BOUNDS:
        return None
    value = reader.value(start, end - 2) or counted_in(reader, subject, start, end - 2)
    return f"{_BOUNDS[reader.texts[end - 1]]}({subject}, {value})" if value else NO_OTHER


def comparatives(reader: Reader, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the relation of each comparative that a span begins with, and where it ends; the longest first."""
    for phrase, relation in lexicon.COMPARATIVES:
        if reader.starts(start, end, phrase):
            yield relation, start + len(phrase)


def leading_comparative(reader: Reader, start: int, end: int) -> tuple[str, int]:
    """Return the relation that a span begins with, and where it ends; equality where there is none."""
    return next(comparatives(reader, start, end), ("Eq", start))


def trailing_comparative(reader: Reader, start: int, end: int) -> tuple[str, int]:
    """Return the relation that a span ends with, and where it begins; equality where there is none."""
    for phrase, relation in lexicon.COMPARATIVES:
        begin = end - len(phrase)
        if begin >= start and reader.texts[begin:end] == phrase:
            return relation, begin
    return "Eq", end


def amount(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``at least 3`` or ``3`` of a subject."""
    for relation, after in comparatives(reader, start, end):
        if value := reader.value(after, end):
            return f"{relation}({subject}, {value})"
    value = reader.value(start, end)
    return f"Eq({subject}, {value})" if value else None


def counted_in(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read the value ``387 dancers`` of the answer where dancers are what is counted."""
    if subject != ANSWER or end - start < 2 or not reader.names.counts(reader.texts[end - 1]):
        return None
    return reader.numeral(start, end - 1)


COMPARISONS = (approximate, sign_of_relation, equal_chain, comparative, between, larger_by, by_so_much)
"""In the order in which they are tried."""
