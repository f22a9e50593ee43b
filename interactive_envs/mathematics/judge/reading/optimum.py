"""Sentences about what is asked for: the least or the largest number, a place in a list, a number after steps."""

from __future__ import annotations

import re

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.reading.comparisons import comparatives, trailing_comparative
from interactive_envs.mathematics.judge.reading.reader import Reader
from interactive_envs.mathematics.judge.reading.values import with_unit
from interactive_envs.mathematics.judge.words import DECISIVE_STEMS, is_alike, stem, stems_of, weighty


def enough(reader: Reader, start: int, end: int) -> str | None:
    """Read ``12 hours are enough``, ``4034 would be too few``, where the least or the largest number is asked for."""
    texts = reader.texts
    if not reader.names.optimum:
        return None
    start += texts[start] in ("is", "are", "would", "will", "do", "does", "can")
    for at in range(start + 1, end):
        for phrase, relation in lexicon.ENOUGH[reader.names.optimum]:
            if not reader.starts(at, end, phrase) or not _is_end(reader, at + len(phrase), end):
                continue
            stop = at
            while stop > start and texts[stop - 1] in lexicon.BEFORE_ENOUGH:
                stop -= 1
            denied = any(text in ("not", "isn't", "aren't") for text in texts[stop:at])
            if value := _candidate(reader, start, stop):
                found = f"{relation}({ANSWER}, {value})"
                return f"Not({found})" if denied else found
    return None


def _is_end(reader: Reader, start: int, end: int) -> bool:
    """Return whether nothing follows, or an end in the problem's words: ``to exceed 96 coins``."""
    return start >= end or (reader.texts[start] in ("to", "for") and reader.names.knows(reader.stems(start, end)))


def _candidate(reader: Reader, start: int, end: int) -> str | None:
    """Read ``12 hours``, ``a wire of 12 mm``, ``L = 12``: a number that could be the answer."""
    while start < end and reader.texts[start] in ("after", "a", "an", "the", "length", "of", "already"):
        start += 1
    if end - start > 2 and reader.texts[start + 1] == "=" and reader.names.symbol(reader.texts[start]) == ANSWER:
        return reader.numeral(start + 2, end)
    for at in range(start, min(start + 4, end)):
        if reader.texts[at] == "of":
            known = reader.names.knows(reader.stems(start, at))
            return (with_unit(reader, at + 1, end) or reader.numeral(at + 1, end)) if known else None
    if value := with_unit(reader, start, end) or reader.numeral(start, end):
        return value
    if end - start >= 2 and reader.names.counts(reader.texts[end - 1]):
        return reader.numeral(start, end - 1)
    return None


def must(reader: Reader, start: int, end: int) -> str | None:
    """Read ``One must go more than 18 cm``, where the least number is asked for."""
    if reader.names.optimum != "least":
        return None
    for at in range(start + 1, end - 2):
        lead = next((phrase for phrase in lexicon.MUST if reader.starts(at, end, phrase)), None)
        if lead is None or reader.texts[at + len(lead)] not in lexicon.GOING:
            continue
        if not reader.names.knows(reader.stems(start, at)):
            continue
        for relation, after in comparatives(reader, at + len(lead) + 1, end):
            value = with_unit(reader, after, end) or reader.numeral(after, end)
            if value and relation in ("Gt", "Ge"):
                return f"{relation}({ANSWER}, {value})"
    return None


def place(reader: Reader, start: int, end: int) -> str | None:
    """Read ``The word is on line 12``, ``among the first 100``, where its place is asked for."""
    texts = reader.texts
    if not reader.names.places:
        return None
    start += texts[start] in ("is", "does", "the")
    for at in range(start + 1, end - 1):
        if texts[at] not in ("on", "at", "in", "among", "is"):
            continue
        stop = at
        while stop > start and texts[stop - 1] in ("is", "stands", "lies", "stand", "lie", "comes"):
            stop -= 1
        subject = weighty(reader.stems(start, stop))
        if not subject or any(one.lstrip("#=").isdecimal() or one not in reader.names.context for one in subject):
            continue
        if found := _place_at(reader, at + 1, end):
            return found
    return None


def _place_at(reader: Reader, start: int, end: int) -> str | None:
    """Read ``line 12``, ``the first 100``, ``the second half``."""
    names = reader.names
    texts = reader.texts[start:end]
    texts = texts[1:] if texts[:1] == ("the",) else texts
    if len(texts) == 3 and stem(texts[0]) in names.context:
        texts = texts[1:]  # "plate number 12"
    if len(texts) == 2 and stem(texts[0]) in names.places and texts[1].isdecimal():
        return f"Eq({ANSWER}, {texts[1]})"
    if texts[:1] == ("first",) and len(texts) in (2, 3) and texts[1].isdecimal():
        return f"Le({ANSWER}, {texts[1]})"
    whole = next((name for name in ("all", "total") if name in names.values), None)
    if whole and texts[1:2] == ("half",) and texts[0] in ("first", "second", "last"):
        return f"{'Le' if texts[0] == 'first' else 'Gt'}({ANSWER}, {whole}/2)"
    return None


def after_steps(reader: Reader, start: int, end: int) -> str | None:
    """Read ``After 9 hours there are 96 coins``: of a number that changes step by step, known from a fact."""
    texts = reader.texts
    if not reader.names.course:
        return None
    for at in range(start, end - 2):
        if texts[at] != "after":
            continue
        steps = "1" if texts[at + 1] == "one" else reader.numeral(at + 1, at + 2)
        if not steps or not is_alike(stem(texts[at + 2]), reader.names.asked):
            continue
        if at > start and at + 3 != end:
            return None
        begin, stop = (start, at) if at > start else (at + 3, end)
        for first in range(begin, stop):
            for last in range(stop, first, -1):
                value = with_unit(reader, first, last) or reader.numeral(first, last)
                if value and not re.search(r"[a-z]", value.replace("Rational", "")):
                    return _value_after(reader, steps, value, (begin, first), (last, stop))
    return None


def _value_after(reader: Reader, steps: str, value: str, before: tuple[int, int], after: tuple[int, int]) -> str | None:
    """Relate a value to that after some steps, if the words around it are of the question."""
    relation, stop = trailing_comparative(reader, *before)
    rest = [*reader.tokens[before[0] : stop], *reader.tokens[after[0] : after[1]]]
    terms = weighty(stems_of(rest))
    strange = [one for one in terms if one not in reader.names.question and not is_alike(one, reader.names.asked)]
    if any(len(one) == 1 or one[0] in "#=0123456789" or one in DECISIVE_STEMS for one in strange):
        return None
    if len(strange) > 1 + len(terms) // 3:
        return None
    return f"{relation}({reader.names.course.replace(ANSWER, f'({steps})')}, {value})"
