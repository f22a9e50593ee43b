"""A text cut into the claims that it makes, each read as a whole.

Each word of a claim has a place in its relation or is a word without weight. What is left over makes it unreadable; no
part of a sentence is ever taken for the whole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from interactive_envs.mathematics.judge import lexicon, notation
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import Token, UnreadableError
from interactive_envs.mathematics.judge.pronouns import tokens_with_answer
from interactive_envs.mathematics.judge.reading.grammar import ENGLISH
from interactive_envs.mathematics.judge.reading.reader import BOTH, MOST_PARTS, Reader


@dataclass(frozen=True)
class Part:
    """A part of a claim.

    Attributes:
        relation: in the language of :mod:`deciding`.
        named: whether it names a quantity of the problem; else it is arithmetic of numbers.
        reason: whether a reason is given for it that is not read: it may be called false, but not true.
    """

    relation: str
    named: bool
    reason: bool = False


def read(names: Names, text: str) -> list[Part]:
    """Return the parts of a claim, one to three.

    Raises:
        UnreadableError: some of it is not understood.
    """
    tokens = tokens_with_answer(names, text)
    while tokens and tokens[-1].kind == "stop":
        tokens.pop()
    tokens = [Token("sign", "/") if _is_ratio(tokens, at) else token for at, token in enumerate(tokens)]
    tokens = _unify(token for token in tokens if token.text not in lexicon.EMPTY)
    if not tokens:
        raise UnreadableError("nothing is said")
    reader = Reader(ENGLISH, names, tokens)
    spans = _cut(reader, 0, len(tokens), lambda at: int(reader.texts[at] in (";", ".", "?", ":")))
    parts = [part for span in spans for part in read_sentence(reader, *span)]
    if len(parts) > MOST_PARTS:
        raise UnreadableError(f"more than {MOST_PARTS} claims at once")
    if len({part.relation for part in parts}) < len(parts):
        raise UnreadableError("different words, read as the same")
    return parts


def read_arithmetic(names: Names, tokens: Sequence[Token]) -> str | None:
    """Return arithmetic in words, ``the square root of 46``, ``two thirds``; None where quantities are named."""
    value = Reader(ENGLISH, names, tokens).value(0, len(tokens))
    return value if value and not any(word in names.values for word in re.findall(r"[A-Za-z_]\w*", value)) else None


def read_sentence(reader: Reader, start: int, end: int) -> list[Part]:
    """Return the claims that a sentence makes: as halves, as a whole, or cut wherever that helps.

    Raises:
        UnreadableError: some of it is not understood.
    """
    for cut in (_halves, _whole, _clauses):
        spans = cut(reader, start, end)
        reader.subject = None
        reader.first = spans[0][0] if spans else 0
        relations = [reader.claim(*span) for span in spans]
        if all(relations):
            return _parts(reader, relations)
    for read_otherwise in (with_verb_left_out, with_likewise, with_reason):
        if found := read_otherwise(reader, start, end):
            return found
    missed = " ".join(reader.texts[start:end])
    raise UnreadableError(f"not understood: {missed[:120]}")


# -- sentences that are not cut into claims ---------------------------------------------------------------------


def with_verb_left_out(reader: Reader, start: int, end: int) -> list[Part]:
    """Read ``18 are fixed by A, and 24 by B``: the verb of the first half holds for the second."""
    for at in reader.cuts(start, end, ","):
        if not start + 3 <= at < end - 2 or reader.texts[at + 1] not in ("and", "but"):
            continue
        first = reader.claim(start, at)
        tokens = _filled(reader.tokens[start:at], reader.tokens[at + 2 : end]) if first else None
        if tokens and (second := _read_alone(reader, tokens)):
            return _parts(reader, (first, second))
    return []


def with_likewise(reader: Reader, start: int, end: int) -> list[Part]:
    """Read ``A divides B and so does C``."""
    for at in range(start + 3, end - 3):
        if reader.texts[at : at + 2] == ("and", "so") and reader.texts[at + 2] in ("does", "do", "is", "are", "has"):
            first = reader.claim(start, at - (reader.texts[at - 1] == ","))
            verb = next((k for k in range(start, at) if reader.texts[k] in lexicon.VERBS | lexicon.FINITE), None)
            if first and verb is not None:
                second = _read_alone(reader, [*reader.tokens[at + 3 : end], *reader.tokens[verb:at]])
                if second:
                    return [Part(one, reader.names_quantity(one)) for one in (first, second)]
    return []


def with_reason(reader: Reader, start: int, end: int) -> list[Part]:
    """Read ``A is 5, because of B``: a reason that is not read does not save what is false."""
    texts = reader.texts
    for at in (comma + 1 for comma in reader.cuts(start, end, ",")):
        if not start + 3 <= at < end - 1:
            continue
        aside = not any(text in lexicon.FINITE or text == "," for text in texts[at:end]) and texts[at] != "and"
        if texts[at] in ("because", "since", "as") or aside:
            if relation := reader.claim(start, at - 1):
                return _parts(reader, (relation,), reason=True)
        elif texts[at] in ("so", "hence") and texts[start:end].count(",") == 1:
            premise = reader.claim(start, at - 1)
            reader.forget(at + 1, end)
            relation = reader.claim(at + 1, end)
            if relation:
                return _parts(reader, (premise, relation) if premise else (relation,), reason=not premise)
    return []


def _read_alone(reader: Reader, tokens: Sequence[Token]) -> str | None:
    """Return the relation that other tokens state, of the same problem."""
    return Reader(ENGLISH, reader.names, tokens).claim(0, len(tokens))


def _parts(reader: Reader, relations: Iterable[str | None], *, reason: bool = False) -> list[Part]:
    """Return the parts of what some relations say; what ``and`` says of one subject are several."""
    each = [one for relation in relations if relation for one in _separate(relation)]
    return [Part(one, reader.names_quantity(one), reason) for one in each]


def _separate(relation: str) -> list[str]:
    """Return the parts of ``is even and prime``; elsewhere such a pair is a single claim."""
    if not relation.startswith(f"{BOTH}("):
        return [relation.replace(f"{BOTH}(", "And(")]
    tree = ast.parse(relation, mode="eval").body
    parts = tree.args if isinstance(tree, ast.Call) else []
    return [one for part in parts for one in _separate(ast.unparse(part))]


def _filled(first: Sequence[Token], second: Sequence[Token]) -> list[Token] | None:
    """Return the second half with the words that the first has and it lacks."""
    texts = [token.text for token in first]
    numbers = [at for at, token in enumerate(second) if token.kind == "number"]
    if not numbers or any(token.text in lexicon.FINITE for token in second):
        return None
    if numbers[0] == 0 and len(second) > 2 and second[1].text in texts[1:] and first[0].kind == "number":
        again = len(texts) - 1 - texts[::-1].index(second[1].text)
        return [second[0], *first[1:again], *second[1:]]
    verb = next((at for at, text in enumerate(texts) if text in lexicon.FINITE), None)
    value = next((at for at, token in enumerate(first) if at > (verb or 0) and token.kind == "number"), None)
    if verb is None or value is None:
        return _turned(first, second)
    last = next((at for at in numbers if at and second[at - 1].text not in ("/", "^", "*", "+", "-")), None)
    if last is None:
        return None
    link = last - (second[last - 1].text in ("at", "in", "with", "by", "for"))
    return [*second[:link], *first[verb:value], *second[last:]] if link else None


def _turned(first: Sequence[Token], second: Sequence[Token]) -> list[Token] | None:
    """Return ``at the fourth 36`` filled after ``at the third letter 144 are skipped``."""
    value = next((at for at, token in enumerate(first) if token.kind == "number"), 0)
    if not value or second[-1].kind != "number" or len(second) < 2 or second[0].text != first[0].text:
        return None
    lead = list(second[:-1])
    if lead[-1].text in notation.ORDINALS:
        lead.append(first[value - 1])
    return [*lead, second[-1], *first[value + 1 :]]


# -- cuts -------------------------------------------------------------------------------------------------------


def _halves(reader: Reader, start: int, end: int) -> list[tuple[int, int]]:
    """Cut at a comma before ``and`` or ``but``."""
    joins = (("and",), ("but",), ("while",), ("whereas",))
    return _cut(reader, start, end, lambda at: 2 * (reader.texts[at] == "," and reader.texts[at + 1 : at + 2] in joins))


def _whole(reader: Reader, start: int, end: int) -> list[tuple[int, int]]:
    """Leave the sentence whole."""
    return [(start, end)]


def _clauses(reader: Reader, start: int, end: int) -> list[tuple[int, int]]:
    """Cut at ``and`` and ``but``, wherever what follows is a claim of its own."""
    for at in reader.cuts(start, end, "and", "but", "while", "whereas"):
        spans = [(start, at), (at + 1, end)]
        if start < at < end - 1 and all(reader.claim(*span) for span in spans):
            return spans
    return [(start, end)]


def _cut(reader: Reader, start: int, end: int, width: Callable[[int], int]) -> list[tuple[int, int]]:
    """Cut where the width of what separates two spans is not zero, outside of brackets."""
    found, begin, at = [], start, start
    while at < end:
        step = 0 if reader.depth(start, at) else width(at)
        if step:
            found.append((begin, at))
            begin = at = at + step
        else:
            at += 1
    found.append((begin, end))
    return [span for span in found if span[0] < span[1]]


# -- tokens -----------------------------------------------------------------------------------------------------


def _is_ratio(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token is a colon that divides numbers, as in ``3 : 2``."""
    if tokens[at].text != ":" or not 0 < at < len(tokens) - 1:
        return False
    return tokens[at - 1].kind == tokens[at + 1].kind == "number"


def _unify(tokens: Iterable[Token]) -> list[Token]:
    """Return ``with no`` and ``ignoring`` as ``without``, ``the first component`` as ``the x component``."""
    result: list[Token] = []
    for token in tokens:
        if token.text == "no" and result and result[-1].text == "with":
            result[-1] = Token("word", "without")
            continue
        result.append(Token("word", "without") if token.text in ("ignoring", "disregarding") else token)
        if token.text in ("component", "coordinate") and len(result) > 1 and result[-2].text in lexicon.AXES:
            result[-2] = Token("word", lexicon.AXES[result[-2].text])
    return result
