"""Sentences that say a number of what their words describe: ``There are 3000 beads``, ``the mast is 5 m high``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon, naming
from interactive_envs.mathematics.judge.notation import FUNCTIONS, PARTS, Token, canonical, is_rare
from interactive_envs.mathematics.judge.reading.comparisons import leading_comparative, trailing_comparative
from interactive_envs.mathematics.judge.reading.functions import share
from interactive_envs.mathematics.judge.reading.reader import Reader, join_all
from interactive_envs.mathematics.judge.reading.values import named, with_unit
from interactive_envs.mathematics.judge.words import ASKED, SOFT_STEMS, is_alike, is_ambiguous, stems_of, weighty

SURE = 0.85
"""Likeness of words that is demanded of a sentence about nothing: no ways, none of the balls."""
_LONGEST_NUMBER = 24
"""Tokens."""
_COUNT_WORDS = {"no": "0", "none": "0", "neither": "0", "one": "1"}


# -- a noun and its owner ---------------------------------------------------------------------------------------


def owns(reader: Reader, start: int, end: int) -> str | None:
    """Read ``The polygon has the area 40``, ``the mast is 5 m high``, ``the eigenvalue 3 contributes 9``."""
    for at in range(start + 1, end - 1):
        for noun, span in _nouns_with_values(reader, at, end):
            if found := _owned(reader, noun, (start, at), span):
                return found
    return None


def _nouns_with_values(reader: Reader, at: int, end: int) -> Iterator[tuple[Sequence[Token], tuple[int, int]]]:
    """Yield the noun that the verb at a place speaks of, and where its value stands, in each way to read it."""
    texts = reader.texts
    if texts[at] in ("has", "have"):
        for middle in range(at + 2, min(at + 5, end)):
            noun = [token for token in reader.tokens[at + 1 : middle] if token.text not in lexicon.ARTICLES]
            if noun and all(token.kind == "word" and token.text not in lexicon.NO_END for token in noun):
                yield noun, (middle + (texts[middle] == "of"), end)
    if texts[at] == "with" and texts[at + 1] in ("probability", "chance") and end - at > 2:
        yield reader.tokens[at + 1 : at + 2], (at + 2 + (texts[at + 2] == "of"), end)
    if texts[at] in ("occurs", "appears") and texts[end - 1] == "times":
        yield [Token("word", "multiplicity")], (at + 1, end - 1)
    if texts[at] in lexicon.NOUN_OF:
        yield [Token("word", lexicon.NOUN_OF[texts[at]])], (at + 1, end)
    if texts[at] in ("is", "are") and texts[end - 1] in lexicon.NOUN_OF and end - at > 2:
        yield [Token("word", lexicon.NOUN_OF[texts[end - 1]])], (at + 1, end - 1)


def _owned(reader: Reader, noun: Sequence[Token], owner: tuple[int, int], span: tuple[int, int]) -> str | None:
    """Relate the value in a span to the quantity called by the noun of the owner."""
    end = span[1]
    relation, begin = leading_comparative(reader, *span)
    value = with_unit(reader, begin, end) or reader.numeral(begin, end)
    unit = reader.texts[end - 1] in lexicon.UNITS and len(reader.texts[end - 1]) <= 2
    if value is None and unit and end - begin > 1:
        value = reader.numeral(begin, end - 1)
    tokens = reader.tokens[owner[0] : owner[1]]
    stems = stems_of([*noun, Token("word", "of"), *tokens])
    if is_ambiguous(tokens) or value is None or re.search(r"[a-z]|Mod", value.replace("sqrt", "")):
        return None
    if not reader.names.knows(stems):
        return None
    exact = canonical(value) if relation == "Eq" else ""
    name = reader.names.match(stems, exact)
    if name == ANSWER and noun[0].text in ("probability", "chance") and exact != reader.names.values[ANSWER]:
        return None  # of another event, in words of the question
    return f"{relation}({name}, {value})" if name else None


def called_count(reader: Reader, start: int, end: int) -> str | None:
    """Read ``There are c(1)^2 + c(2) coverings of length 2``: a formula before the very words of a phrase."""
    lead = next((phrase for phrase in lexicon.THERE if reader.starts(start, end, phrase)), None)
    if lead is None:
        return None
    relation, begin = leading_comparative(reader, start + len(lead), end)
    for at in range(begin + 1, end - 1):
        if name := reader.names.called(reader.texts[at:end]):
            words = [token.text for token in reader.tokens[begin:at] if token.kind == "word"]
            if any(len(word) > 1 and "_" not in word and word not in FUNCTIONS for word in words):
                return None  # "42 good ways from B"
            value = reader.numeral(begin, at)
            return f"{relation}({name}, {value})" if value else None
    return None


# -- a count without a condition, and a share of a count --------------------------------------------------------


def unconditioned(reader: Reader, start: int, end: int) -> str | None:
    """Read ``Without the cap of 7 there would be C(26, 3) = 2600 ways``, of the count without the condition."""
    texts, name = reader.texts, reader.names.without_condition()
    if texts[start] != "without" or not name or not reader.names.asked:
        return None
    for at in range(start + 2, end - 2):
        lead = next((phrase for phrase in lexicon.THERE if reader.starts(at, end, phrase)), None)
        if lead is None:
            continue
        relation, begin = leading_comparative(reader, at + len(lead), end)
        stop = end - 1 - (texts[end - 2] in ("possible", "different"))
        edges = [begin, *(k + 1 for k in range(begin, stop) if texts[k] == "="), stop + 1]
        sides = [reader.numeral(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
        if sides and all(sides) and reader.names.counts(texts[end - 1]):
            return _with_steps(sides, f"{relation}({name}, {sides[-1]})")
    return None


def portion(reader: Reader, start: int, end: int) -> str | None:
    """Read ``More than half of A are B``: B compared to a share of A."""
    relation, begin = leading_comparative(reader, start, end)
    texts = reader.texts
    if not any(text.removesuffix("s") in PARTS for text in texts[begin : begin + 2]):
        return None
    for at in range(begin + 3, end - 1):
        if texts[at] not in lexicon.FINITE or not (part := share(reader, begin, at)):
            continue
        noun = [token for token in reader.tokens[at - 1 : at] if token.kind == "word"]
        name = named(reader, at + 1, end) or reader.names.resolve([*noun, *reader.tokens[at + 1 : end]])
        if "/" in part and name:
            return f"{relation}({name}, {part})"
    return None


# -- one number among words -------------------------------------------------------------------------------------


def counted(reader: Reader, start: int, end: int) -> str | None:
    """Read ``There are at least 3000 beads in the jar``: one number, and words that describe it."""
    if not _may_describe(reader, start, end):
        return None
    found, clear = [], []
    for number in _number_spans(reader, start, end):
        if reading := _described(reader, start, number, end):
            found.append(reading)
            if not _is_label(reader, start, number, end):
                clear.append(reading)
    if len(set(found)) != 1:
        found = found[:1] if all(_is_exact(reader, reading) for reading in found) else clear
    return found[0] if len(set(found)) == 1 else None


def _may_describe(reader: Reader, start: int, end: int) -> bool:
    """Return whether a span is a sentence whose words may describe its number."""
    texts, tokens = reader.texts[start:end], reader.tokens[start:end]
    if start != reader.first and texts[0] in ("of", "at", "in", "for", "by", "with", "from", "to", "none"):
        return False  # the rest of a sentence whose verb is in the part before
    if texts[0] in ("can", "could", "may", "might", "should", "must") or "possible to" in " ".join(texts):
        return False
    if any(token.kind == "sign" and token.text in "|<>=" for token in tokens) and "=" not in texts:
        return False
    stops = [text for text in texts if text in (";", "?", ".", "if", "because")]
    if stops and not (stops == ["if"] and texts[0] == "if"):
        return False
    if any(text in lexicon.CONTRACTED or text in ASKED for text in texts):
        return False
    for before, token in itertools.pairwise(tokens):
        if (before.text, token.text) == ("multiple", "of"):
            return False  # said of something, not the name of it
        if token.text == "(" and token.glued and before.kind == "word":
            return False  # a function that is not known
        if before.text in lexicon.VAGUE and token.kind == "number":
            return False
    return True


def _is_exact(reader: Reader, reading: str) -> bool:
    """Return whether a reading says of a description just what it describes."""
    sides = re.fullmatch(r"Eq\(([\w/]+), (.+)\)", reading)
    return sides is not None and reader.names.values.get(sides[1], sides[1]) == canonical(sides[2])


def _is_label(reader: Reader, start: int, number: tuple[int, int], end: int) -> bool:
    """Return whether a number tells which one, as in ``letter 3``: behind a noun and not before one."""
    begin, stop = number
    return begin > start and reader.is_weighty(begin - 1) and not (stop < end and reader.is_weighty(stop))


def _number_spans(reader: Reader, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield spans of plain numbers and arithmetic, the longest first; ``no`` counts as zero."""
    at = start
    while at < end:
        stops = range(min(end, at + _LONGEST_NUMBER), at, -1)
        stop = next((k for k in stops if reader.texts[k - 1] not in (",", "and") and _is_numeric(reader, at, k)), at)
        if stop > at:
            yield at, stop
            at = stop
        else:
            if reader.texts[at] in _COUNT_WORDS:
                yield at, at + 1
            at += 1


def _is_numeric(reader: Reader, start: int, end: int) -> bool:
    """Return whether a span is a number, arithmetic of numbers, or an equation of such."""
    words = (token.text for token in reader.tokens[start:end] if token.kind == "word")
    return all(word in FUNCTIONS for word in words) and all(_sides(reader, start, end))


def _sides(reader: Reader, start: int, end: int) -> list[str | None]:
    """Return the sides of an equation as arithmetic; the whole span where there is no sign of equality."""
    edges = [start, *(at + 1 for at in range(start, end) if reader.texts[at] == "="), end + 1]
    return [reader.numeral(a, b - 1) for a, b in itertools.pairwise(edges)]


def _with_steps(sides: Sequence[str | None], relation: str) -> str:
    """Return a relation and the equations that lead to its number."""
    return join_all([*(f"Eq({left}, {right})" for left, right in itertools.pairwise(sides)), relation])


def _described(reader: Reader, start: int, number: tuple[int, int], end: int) -> str | None:
    """Relate a number to what the other words of the sentence describe."""
    relation, before, after = _bounds(reader, start, number, end)
    follows = reader.texts[after : after + 2]
    if follows[:1] in (("more",), ("fewer",), ("less",), ("larger",)) or follows in (("times", "as"), ("times", "the")):
        return None
    around = [*reader.tokens[start:before], *reader.tokens[after:end]]
    if is_ambiguous(around) or any(token.kind == "sign" and token.text not in ",()" for token in around):
        return None
    rest = [token for token in around if token.kind in ("number", "word")]
    joined = any(token.text in ("and", "or") for token in rest)
    if joined and ("," in reader.texts[start:end] or any(token.kind == "number" for token in rest)):
        return None  # of more than one thing
    word = reader.texts[number[0]]
    if word == "one" and relation == "Eq" and reader.texts[before : before + 1] == ("one",):
        return None
    sides = [_COUNT_WORDS[word]] if word in _COUNT_WORDS else _sides(reader, *number)
    if not all(sides):
        return None
    value = str(sides[-1])
    name = _name_described(reader, rest, reader.stems(after, after + 2), relation, value)
    return _with_steps(sides, f"{relation}({name}, {value})") if name else None


def _bounds(reader: Reader, start: int, number: tuple[int, int], end: int) -> tuple[str, int, int]:
    """Return the relation that stands around a number, and where it begins and ends, the unit with it."""
    begin, after = number
    relation, before = trailing_comparative(reader, start, begin)
    if before < begin and reader.texts[before - 1] in ("add", "adds", "sum", "sums", "come", "comes"):
        relation, before = "Eq", begin
    if reader.texts[after : after + 2] in (("or", "more"), ("or", "fewer"), ("or", "less")):
        relation, after = ("Ge" if reader.texts[after + 1] == "more" else "Le"), after + 2
    after += after < end and reader.texts[after] in lexicon.UNITS and len(reader.texts[after]) <= 2
    return relation, before, after


def _name_described(
    reader: Reader, rest: Sequence[Token], behind: Sequence[str], relation: str, value: str
) -> str | None:
    """Return what the words around a number describe.

    Args:
        reader: the text.
        rest: the words around the number.
        behind: the stems of those just behind it: one says what is counted.
        relation: of the number to what is described.
        value: the number.
    """
    names, stems, exact = reader.names, stems_of(rest), canonical(value)
    counted_stems = sorted(weighty(behind) - SOFT_STEMS)
    if not (names.knows(stems) or (relation == "Eq" and _nearly_known(reader, stems, exact))):
        return None
    if not weighty(stems) - SOFT_STEMS - lexicon.MEASURES and not names.has(exact):
        return None  # "the total is below 13 ohms" may be of anything
    if _is_such(reader, rest, counted_stems):
        return ANSWER
    # "no X" and "X and Y" are easily of something else
    least = SURE if value == "0" or any(token.text in ("and", "or") for token in rest) else naming.ENOUGH
    return names.match(stems, exact if relation == "Eq" else "", least=least, counted=counted_stems)


def _is_such(reader: Reader, rest: Sequence[Token], counted_stems: Sequence[str]) -> bool:
    """Return whether words are ``such sequences``, where sequences are asked for."""
    if not any(token.text == "such" for token in rest) or not counted_stems:
        return False
    terms = weighty(stems_of(rest)) - SOFT_STEMS
    return bool(terms) and terms <= {*counted_stems} and terms <= reader.names.asked


def _nearly_known(reader: Reader, stems: Sequence[str], value: str) -> bool:
    """Return whether a number hardly met by chance stands among words of which at most a half are strange."""
    terms = weighty(stems) - SOFT_STEMS
    strange = [one for one in terms if not is_alike(one, reader.names.vocabulary)]
    return is_rare(value) and reader.names.has(value) and 2 * len(strange) <= len(terms)
