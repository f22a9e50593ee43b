"""Whole sentences: questions, statements, openings and closings, alternatives, sums in words."""

from __future__ import annotations

import itertools

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.notation import Token
from interactive_envs.mathematics.judge.reading.lists import list_members
from interactive_envs.mathematics.judge.reading.reader import MOST_PARTS, NO_OTHER, Reader, join_all
from interactive_envs.mathematics.judge.reading.remainders import modular
from interactive_envs.mathematics.judge.reading.several import several

_SUM_OF = (Token("word", "sum"), Token("word", "of"))


def opening(reader: Reader, start: int, end: int) -> str | None:
    """Read a claim behind ``is it true that``, ``therefore`` and the like."""
    for phrase in lexicon.OPENINGS:
        if reader.starts(start, end, phrase) and (found := reader.claim(start + len(phrase), end)):
            return found
    return None


def by_reason(reader: Reader, start: int, end: int) -> str | None:
    """Read a claim behind ``By symmetry,``."""
    if reader.texts[start] != "by" or "," not in reader.texts[start + 2 : start + 4]:
        return None
    return reader.claim(reader.texts.index(",", start) + 1, end) or NO_OTHER


def denial(reader: Reader, start: int, end: int) -> str | None:
    """Read a claim behind ``it is not true that``, ``not``."""
    for phrase in lexicon.NEGATIONS:
        if reader.starts(start, end, phrase) and (found := reader.claim(start + len(phrase), end)):
            return f"Not({found})"
    return None


def closing(reader: Reader, start: int, end: int) -> str | None:
    """Read a claim before ``in total``, ``right`` and the like."""
    for phrase in lexicon.CLOSINGS:
        if reader.ends(start, end, phrase) and (found := reader.claim(start, end - len(phrase))):
            return found
    return None


def chain(reader: Reader, start: int, end: int) -> str | None:
    """Read ``a < b <= c``, and ``a = b mod m``."""
    cuts = reader.cuts(start, end, *lexicon.RELATIONS)
    if not cuts:
        return None
    relations = [reader.texts[cut] for cut in cuts]
    left = reader.value(start, cuts[0]) if relations == ["="] else None
    if left and (found := modular(reader, left, cuts[0] + 1, end)):
        return found
    edges = [start, *(at + 1 for at in cuts), end + 1]
    sides = [reader.value(a, b - 1) for a, b in itertools.pairwise(edges)]
    if not all(sides):
        return None
    return join_all(
        [
            f"{lexicon.RELATIONS[relation]}({left}, {right})"
            for relation, (left, right) in zip(relations, itertools.pairwise(sides), strict=True)
        ]
    )


def described_again(reader: Reader, start: int, end: int) -> str | None:
    """Read ``A = B, a multiple of C``: the value before the comma is described once more."""
    for at in reader.cuts(start, end, ","):
        if start + 2 <= at < end - 2 and reader.texts[at + 1] in ("a", "an"):
            first = reader.claim(start, at)
            number = next((value for begin in range(start, at) if (value := reader.numeral(begin, at))), None)
            if first and number and (second := reader.predicate(number, at + 1, end)):
                return f"And({first}, {second})"
    return None


def adds_up(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the rows add up to A``, ``adding the squares gives A``: of the quantity that is called their sum."""
    if list_members(reader, start, next((at for at in range(start, end) if reader.texts[at] in ("add", "sum")), start)):
        return None
    adding = reader.texts[start] in ("adding", "summing")
    for at in range(start + 1, end - 1):
        for phrase in lexicon.SUM_TO:
            if reader.starts(at, end, phrase):
                nouns = [token for token in _without_number(reader, start, at) if token.kind != "number"]
                if subject := reader.names.resolve([*_SUM_OF, *nouns]):
                    return reader.predicate(subject, at + len(phrase), end)
        if adding and reader.texts[at] in ("gives", "yields", "makes"):
            begin = start + 1 + (reader.texts[start + 1] == "up")
            if subject := reader.names.resolve([*_SUM_OF, *_without_number(reader, begin, at)]):
                return reader.predicate(subject, at + 1, end)
    return None


def _without_number(reader: Reader, start: int, end: int) -> tuple[Token, ...]:
    """Return a noun phrase without its number: ``the three roots`` as ``the roots``."""
    first = next((at for at in range(start, end) if reader.texts[at] not in ("the", "all")), end)
    return reader.tokens[first + 1 if first < end and reader.tokens[first].kind == "number" else start : end]


def either(reader: Reader, start: int, end: int) -> str | None:
    """Read ``either A is 3 or B is 5``."""
    cuts = _alternatives(reader, start, end)
    if not cuts:
        return None
    found = []
    for begin, after in itertools.pairwise([start, *(at + 1 for at in cuts), end + 1]):
        found.append(reader.claim(begin + (reader.texts[begin] == "either"), after - 1))
    return f"Or({', '.join(map(str, found))})" if all(found) else None


def is_either(reader: Reader, start: int, end: int) -> str | None:
    """Read ``is the answer even or odd``."""
    cuts = _alternatives(reader, start, end)
    if not cuts or reader.texts[start] not in ("is", "are"):
        return None
    for at in range(start + 1, cuts[0]):
        if subject := reader.noun(start + 1, at):
            begins = [at + (reader.texts[at] == "either"), *(cut + 1 for cut in cuts)]
            found = [reader.predicate(subject, a, b) for a, b in zip(begins, [*cuts, end], strict=True)]
            if all(found):
                return f"Or({', '.join(map(str, found))})"
    return None


def _alternatives(reader: Reader, start: int, end: int) -> list[int]:
    """Return where ``or`` stands between claims; nowhere if it does too often."""
    cuts = [at for at in reader.cuts(start, end, "or") if start < at < end - 1]
    return cuts if len(cuts) < MOST_PARTS else []


def question(reader: Reader, start: int, end: int) -> str | None:
    """Read ``Is A B?``, ``Does A divide B?``, ``Is the answer not 5?``."""
    verb = reader.texts[start]
    negative = verb in lexicon.CONTRACTED
    verb = lexicon.CONTRACTED.get(verb, verb)
    if verb in ("is", "are", "was", "were"):
        read = reader.predicate
    elif verb in ("does", "do", "did", "can", "will", "must", "would", "could", "should"):
        read = reader.verb_phrase
    else:
        return None
    for at in range(end - 1, start + 1, -1):
        subject = reader.noun(start + 1, at)
        formula = reader.names.formula(reader.texts[start + 1 : at])
        exact = formula or reader.names.called(reader.texts[start + 1 : at])
        numbered = reader.tokens[at - 1].kind == "number" and not exact
        if not subject or (numbered and reader.is_weighty(at) and reader.names_quantity(subject)):
            continue
        denied = reader.texts[at] == "not"
        found = read(subject, at + denied, end)
        if found is None and verb not in ("is", "are") and reader.starts(at + denied, end, ("be",)):
            found = reader.predicate(subject, at + denied + 1, end)
        if found:
            return _state(reader, subject, found, denied=negative != denied)
    return several(reader, start + 1, end, asked=verb in ("is", "are"), denied=negative)


def statement(reader: Reader, start: int, end: int) -> str | None:
    """Read ``A is B``, ``A can be B``, ``A divides B``, and what is said of several."""
    for at in range(start + 1, end):
        if reader.texts[at - 1] == "that":
            continue
        for form in (_with_be, _with_auxiliary, _with_verb):
            if found := form(reader, start, at, end):
                return found
    return several(reader, start, end)


def _with_be(reader: Reader, start: int, at: int, end: int) -> str | None:
    """Read ``A is B``, ``A is not B``, ``A comes to B`` with the verb at a place."""
    for phrase in lexicon.BE:
        if reader.starts(at, end, phrase):
            subject = reader.noun(start, at)
            if not subject:
                return None
            after = at + len(phrase)
            denied = reader.texts[after : after + 1] == ("not",)
            if found := reader.predicate(subject, after + denied, end):
                return _state(reader, subject, found, denied=denied)
    return None


def _with_auxiliary(reader: Reader, start: int, at: int, end: int) -> str | None:
    """Read ``A isn't B``, ``A does not divide B`` with the first verb at a place."""
    verb = reader.texts[at]
    denied = verb in lexicon.CONTRACTED
    if not denied and verb not in ("does", "do", "can", "must", "will", "may"):
        return None
    subject, after = reader.noun(start, at), at + 1
    if not subject:
        return None
    if reader.texts[after : after + 1] == ("not",):
        denied, after = True, after + 1
    is_be = lexicon.CONTRACTED.get(verb, verb) in ("is", "are", "was", "were")
    found = reader.predicate(subject, after, end) if is_be else reader.verb_phrase(subject, after, end)
    return _state(reader, subject, found, denied=denied) if found else None


def _with_verb(reader: Reader, start: int, at: int, end: int) -> str | None:
    """Read ``A divides B`` with the verb at a place."""
    if reader.tokens[at].kind != "word" or reader.texts[at] not in lexicon.VERBS:
        return None
    subject = reader.noun(start, at)
    found = reader.verb_phrase(subject, at, end) if subject else None
    return _state(reader, subject, found, denied=False) if subject and found else None


def _state(reader: Reader, subject: str, relation: str, *, denied: bool) -> str:
    """Return a relation, and keep its subject for ``it``."""
    reader.subject = subject
    return f"Not({relation})" if denied else relation


def operation(reader: Reader, start: int, end: int) -> str | None:
    """Read ``subtracting A from B gives C``, ``if you add A to B you get C``."""
    texts = reader.texts
    at = start + (texts[start] in ("if", "when"))
    at += at < end and texts[at] in ("you", "we", "one", "i")
    if at >= end or texts[at] not in lexicon.OPERATIONS:
        return None
    link, sign = lexicon.OPERATIONS[texts[at]]
    for middle in range(at + 2, end - 2):
        if texts[middle] != link or not (first := reader.value(at + 1, middle)):
            continue
        for after in range(middle + 2, end - 1):
            begin = after + (texts[after] == ",")
            begin += texts[begin : begin + 1] in (("you",), ("one",), ("we",), ("it",), ("this",))
            if texts[begin : begin + 1] in (("get",), ("gets",), ("gives",), ("yields",), ("makes",)):
                second, third = reader.value(middle + 1, after), reader.value(begin + 1, end)
                if second and third:
                    left, right = (second, first) if link == "from" else (first, second)
                    return f"Eq(({left}) {sign} ({right}), {third})"
    return None
