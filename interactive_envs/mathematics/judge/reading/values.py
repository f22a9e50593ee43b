"""What stands for a number, a point or a set: formulas, numbers with units, digits, noun phrases."""

from __future__ import annotations

from collections.abc import Sequence

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon, notation
from interactive_envs.mathematics.judge.notation import Token
from interactive_envs.mathematics.judge.reading.reader import NO_OTHER, Reader
from interactive_envs.mathematics.judge.words import is_ambiguous, stem, stems_of, weighty

_STOPS = (",", ".", "?", ";", ":")
_BARE_NOUNS = ((), ("number",), ("value",), ("integer",), ("prime",), ("complete", "number"))


def called(reader: Reader, start: int, end: int) -> str | None:
    """Read a quantity by the very words of one of its phrases, also behind ``the last digit of`` or ``the sum of``."""
    texts, names = reader.texts, reader.names
    if found := names.called(texts[start:end]):
        return found
    begin = reader.after_article(start)
    for lead, form in lexicon.OF_ONE:
        if reader.starts(begin, end, lead) and (inner := names.called(texts[begin + len(lead) : end])):
            return form.format(inner) if form != "Abs({})" else None
    if reader.starts(begin, end, ("sum", "of")):
        for at in reader.cuts(begin + 2, end, "and"):
            first, second = names.called(texts[begin + 2 : at]), names.called(texts[at + 1 : end])
            if first and second:
                return f"({first} + {second})"
    return None


def no_value(reader: Reader, start: int, end: int) -> str | None:
    """Let no rule read a span with a stop at an end, a relation or an odd number of bars."""
    texts = reader.texts[start:end]
    if texts[0] in _STOPS or texts[-1] in _STOPS:
        return NO_OTHER
    relates = any(text in lexicon.RELATIONS or text in ("==", ";", "?") for text in texts)
    return NO_OTHER if relates or texts.count("|") % 2 else None


def formula(reader: Reader, start: int, end: int) -> str | None:
    """Read a formula that is the name of a quantity: ``r + s + t``."""
    return reader.names.formula(reader.texts[start:end])


def numeral(reader: Reader, start: int, end: int) -> str | None:
    """Read arithmetic of numbers, symbols, signs and functions, and ``the f(3)``."""
    if end - start == 2 and reader.texts[start] == "the" and "_" in reader.texts[start + 1]:
        start += 1
    return reader.numeral(start, end)


def one(reader: Reader, start: int, end: int) -> str | None:
    """Read ``one``, which stays a word among other words."""
    return "1" if reader.texts[start:end] == ("one",) else None


def with_unit(reader: Reader, start: int, end: int) -> str | None:
    """Read ``13 m``, ``1/5 per second``, in a unit that the problem knows."""
    last = reader.texts[end - 1]
    if last in ("long", "high", "apart", "away", "wide") and end - start > 2:
        return with_unit(reader, start, end - 1)
    if last not in lexicon.UNITS:
        return None
    if stem(last) not in reader.names.vocabulary and reader.names.problem.facts:
        return None  # of a problem without facts not all words are known
    stop = end - 1 - (end - start > 2 and reader.texts[end - 2] == "per")
    return reader.numeral(start, stop) if stop > start else None


def coordinates(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the vector (1, 2, 3)``."""
    texts = reader.texts[start:end]
    opened = texts.index("(") if texts[-1] == ")" and "(" in texts else 0
    if 0 < opened <= 3 and lexicon.POINTS.issuperset(texts[:opened]):
        return reader.numeral(start + opened, end) or NO_OTHER
    return None


def last_digits(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the last two digits``, ``its tens digit``, where no digits of another number are spoken of."""
    texts = reader.texts[start:end]
    kept = [text for text in texts if text not in ("the", "its", "shown", "only", "answer's")]
    if kept[-2:] == ["of", "answer"]:
        kept = [text for text in kept[:-2] if text != "of"]
    if len(kept) not in (2, 3) or kept[-1] not in ("digit", "digits"):
        return None
    most = reader.names.digits
    if not most and "answer" not in " ".join(texts) and "its" not in texts and "digit" in reader.names.vocabulary:
        return None
    value = reader.names.values[ANSWER]
    most = most or (len(value) if value.isdecimal() else 0)
    if kept[0] in ("last", "final"):
        count = 1 if len(kept) == 2 else int(kept[1]) if kept[1].isdecimal() else 0
        return f"Mod({ANSWER}, {10**count})" if 0 < count <= most else None
    place = lexicon.DIGITS.get(kept[0], 0) if len(kept) == 2 else 0
    return f"digit({ANSWER}, {place})" if place and place <= most else None


def own_digit_sum(reader: Reader, start: int, end: int) -> str | None:
    """Read ``its digit sum``, ``the sum of its digits``, of the answer."""
    texts = reader.texts[start:end]
    kept = [text for text in texts if text not in ("the", "its")]
    if kept not in (["sum", "of", "digits"], ["digit", "sum"]) or "its" not in texts:
        return None
    return None if "digit" in reader.names.vocabulary else f"digit_sum({ANSWER})"


def result(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the product 5 * 7``: a result with its formula behind it."""
    if reader.texts[start] == "the" and end - start > 2 and reader.texts[start + 1] in lexicon.RESULTS:
        return reader.numeral(start + 2, end)
    return None


def exactly(reader: Reader, start: int, end: int) -> str | None:
    """Read ``exactly A``."""
    if reader.texts[start] in ("exactly", "precisely", "just", "only"):
        return reader.value(start + 1, end)
    return None


def mixed(reader: Reader, start: int, end: int) -> str | None:
    """Read arithmetic of noun phrases: the last sign of the lowest rank first."""
    for rank in lexicon.RANKS:
        for at in range(end - 2, start, -1):
            for phrase, sign in rank:
                if reader.starts(at, end, phrase) and not reader.depth(start, at):
                    left = reader.value(start, at)
                    right = reader.value(at + len(phrase), end) if left else None
                    if left == right and phrase == ("over",):
                        return None  # "the sum over the rotations"
                    if left and right:
                        return f"{sign}({left}, {right})" if sign.isalpha() else f"({left}) {sign} ({right})"
    closed = reader.texts[start] == "(" and reader.texts[end - 1] == ")"
    if closed and all(reader.depth(start, at) for at in range(start + 1, end - 1)):
        return reader.value(start + 1, end - 1)
    return None


def postfix(reader: Reader, start: int, end: int) -> str | None:
    """Read ``A squared``, ``A cubed``, ``A!``."""
    forms = {"squared": "({})**2", "cubed": "({})**3", "!": "factorial({})"}
    form = forms.get(reader.texts[end - 1])
    inner = reader.value(start, end - 1) if form else None
    return form.format(inner) if form and inner else None


def named(reader: Reader, start: int, end: int) -> str | None:
    """Read a noun phrase, the name of a quantity."""
    tokens = [token for token in reader.tokens[start:end] if token.text not in ("(", ")")]
    if any(token.kind in ("sign", "stop") for token in tokens) or not tokens:
        return None
    if len(tokens) > 2 and tokens[0].text == "the" and tokens[1].kind == "number" and tokens[2].text.endswith("s"):
        tokens = [tokens[0], *tokens[2:]]  # "the two drawers"
    if not _may_name(tokens):
        return None
    if found := _with_value_behind(reader, start, end):
        return found
    stems = stems_of(tokens)
    if found := _elliptic(reader, stems, start, end):
        return found
    name = reader.names.resolve(tokens)
    kept = [token.text for token in tokens if token.text not in lexicon.ARTICLES]
    if name is None and kept in (["denominator"], ["numerator"]):
        return f"{kept[0]}({ANSWER})"
    if name is None or (not reader.names.knows(stems) and name != ANSWER):
        return None
    return name


def _may_name(tokens: Sequence[Token]) -> bool:
    """Return whether words can be the name of a quantity."""
    texts = [token.text for token in tokens]
    if any(text in lexicon.NEVER or text in lexicon.NO_NAME for text in texts) or texts[-1] in lexicon.NO_END:
        return False
    if texts[0] in lexicon.NO_START or is_ambiguous(tokens):
        return False
    if texts[0] in ("a", "an") and ("with" in texts or len(texts) < 3):
        return False
    return tokens[0].kind != "number" and texts[0] not in ("those", "that", "each", "every", "some")


def _with_value_behind(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the modulus 125``, ``the number 387``: a noun with its value behind it."""
    last = reader.tokens[end - 1]
    if last.kind != "number" or end - start < 2:
        return None
    if tuple(text for text in reader.texts[start : end - 1] if text not in lexicon.ARTICLES) in _BARE_NOUNS:
        return last.text
    name = reader.value(start, end - 1)
    return name if name and reader.names.values.get(name) == last.text else None


def _elliptic(reader: Reader, stems: Sequence[str], start: int, end: int) -> str | None:
    """Read ``the second`` after ``the third smeared digit`` as the second smeared digit."""
    ordinals = [at for at in range(start) if reader.texts[at] in notation.ORDINALS]
    mine = next((reader.texts[at] for at in range(start, end) if reader.texts[at] in notation.ORDINALS), None)
    if mine is None or len(weighty(stems)) != 1 or len(ordinals) != 1:
        return None
    place = ordinals[0]
    for stop in range(min(start, place + 5), place, -1):
        tokens = list(reader.tokens[place:stop])
        if reader.names.resolve(tokens):
            return reader.names.resolve([Token("word", mine), *tokens[1:]])
    return None
