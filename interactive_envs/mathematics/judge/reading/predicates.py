"""What is said of a subject after ``is``: ``even``, ``divisible by 5``, ``one of 3 and 4``, ``703 or 704``."""

from __future__ import annotations

import itertools
import re

from interactive_envs.mathematics.judge import lexicon, notation
from interactive_envs.mathematics.judge.reading.comparisons import counted_in
from interactive_envs.mathematics.judge.reading.lists import read_set
from interactive_envs.mathematics.judge.reading.reader import BOTH, MOST_PARTS, NO_OTHER, Reader, first_reading


def digit(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``a 7``, of a digit."""
    texts = reader.texts[start:end]
    if len(texts) == 2 and texts[0] in ("a", "an") and texts[1].isdecimal():
        return f"Eq({subject}, {texts[1]})"
    return None


def negated(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``not 5``."""
    found = reader.predicate(subject, start + 1, end) if reader.texts[start] == "not" else None
    return f"Not({found})" if found else None


def half_formula(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Let no rule read ``+ 5``, the rest of a formula."""
    return NO_OTHER if reader.texts[start] in ("+", "*", "/", "^", "**", "\u00d7") else None


def simple(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``even``, ``a perfect square``, ``a whole number of mm``."""
    texts = reader.texts[start:end]
    if len(texts) > 3 and texts[-2] == "of" and texts[-1] in lexicon.UNITS and texts[-3] in ("number", "multiple"):
        texts = texts[:-2]
    kept = tuple(text for text in texts if text not in lexicon.ARTICLES)
    singular = (*kept[:-1], *(word.removesuffix("s") for word in kept[-1:]))
    form = lexicon.SIMPLE.get(kept) or lexicon.SIMPLE.get(singular)
    return form.format(subject) if form else None


def related(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read a relation to values by the first of the rules below that applies."""
    start += reader.texts[start] in ("exactly", "evenly", "precisely")
    return first_reading(RELATED, reader, subject, start, end)


def member(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``one of 702, 703 and 704``, ``in {702, 703}``."""
    members = None
    if reader.starts(start, end, ("one", "of")):
        members = read_set(reader, start + 2, end)
    elif reader.starts(start, end, ("in", "{")):
        members = read_set(reader, start + 1, end)
    return f"Contains({subject}, {{{', '.join(members)}}})" if members else None


def related_to(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``divisible by 5``, ``a divisor of A``, ``coprime to A``."""
    for lead, form in lexicon.LEADS:
        if reader.starts(start, end, lead) and (value := reader.value(start + len(lead), end)):
            return form.format(subject, value)
    return None


def congruent_to(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``congruent to 4 modulo 100``."""
    if not reader.starts(start, end, ("congruent", "to")):
        return None
    for at in range(start + 3, end - 1):
        if reader.texts[at] in ("mod", "modulo"):
            rest, modulus = reader.value(start + 2, at), reader.value(at + 1, end)
            if rest and modulus:
                return f"Eq(Mod({subject} - ({rest}), {modulus}), 0)"
    return None


def kind_with_more(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``a prime greater than 5``, ``an even number below 9``."""
    begin = start + (reader.texts[start:end][:1] in (("a",), ("an",)))
    for at in range(begin + 1, end):
        form = lexicon.SIMPLE.get(reader.texts[begin:at])
        if form and (rest := reader.predicate(subject, at, end)):
            return f"And({form.format(subject)}, {rest})"
    return None


def conjunction(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``divisible by 3 and by 5``, ``even and prime``, ``even but not prime``."""
    for cut in range(start + 1, end - 1):
        if reader.texts[cut] == "and" and reader.starts(start, end, ("divisible", "by")):
            after = cut + 1 + (reader.texts[cut + 1] == "by")
            left, right = reader.value(start + 2, cut), reader.value(after, end)
            if left and right:
                return f"{BOTH}(Divides({left}, {subject}), Divides({right}, {subject}))"
        if reader.texts[cut] == "and" or (reader.texts[cut] == "but" and reader.texts[cut + 1] == "not"):
            first, second = reader.predicate(subject, start, cut), reader.predicate(subject, cut + 1, end)
            if first and second:
                return f"{BOTH}({first}, {second})"
    return None


def number_of_digits(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``a four-digit number``."""
    texts = reader.texts[start:end]
    if len(texts) != 3 or texts[0] not in ("a", "an") or texts[2] not in ("number", "integer"):
        return None
    found = re.fullmatch(r"(\w+)-digit", texts[1])
    if not found:
        return None
    size = str(notation.UNITS.get(found[1], found[1]))
    return f"Eq(digits({subject}), {size})" if size.isdecimal() else NO_OTHER


def powers(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``a power of two times a power of three``."""
    texts, bases, at = reader.texts[start:end], [], 0
    while texts[at : at + 3] == ("a", "power", "of") and at + 3 < len(texts) and texts[at + 3].isdecimal():
        bases.append(texts[at + 3])
        at += 4
        if at == len(texts):
            return f"madeof({subject}, {', '.join(bases)})" if len(bases) > 1 else f"ispowerof({subject}, {bases[0]})"
        if texts[at] not in ("times", "*", "\u00d7"):
            return None
        at += 1
    return None


def alternatives(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``703 or 704``, ``either even or 5``."""
    start += reader.texts[start] == "either"
    cuts = [at for at in reader.cuts(start, end, "or") if start < at < end - 1]
    if not cuts or len(cuts) >= MOST_PARTS or reader.texts[end - 1] == "not":
        return None
    found = [reader.predicate(subject, a + 1, b) for a, b in itertools.pairwise([start - 1, *cuts, end])]
    return f"Or({', '.join(map(str, found))})" if all(found) else None


def equal(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read a value, or ``387 dancers`` where dancers are what is counted."""
    value = reader.value(start, end) or counted_in(reader, subject, start, end)
    if not value or value == subject or (value.startswith("{") and not reader.names.is_set(subject)):
        return None
    return f"Eq({subject}, {value})"


RELATED = (member, related_to, congruent_to, kind_with_more, conjunction, number_of_digits, powers)
"""In the order in which they are tried."""
