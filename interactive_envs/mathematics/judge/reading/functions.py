"""Functions of values in words: ``the sum of A and B``, ``the remainder of A divided by B``, ``half of A``."""

from __future__ import annotations

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.notation import PARTS
from interactive_envs.mathematics.judge.reading.reader import NO_OTHER, Reader, first_reading
from interactive_envs.mathematics.judge.words import is_alike, stem

_COUNTS = {"divisors": "divisor_count", "factors": "divisor_count", "digits": "digits"}


def of_modulus(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the order of 3 modulo 100``, ``the inverse of 9 mod 17``."""
    begin = start + (reader.texts[start] == "the")
    begin += reader.texts[begin : begin + 1] in (("multiplicative",), ("modular",))
    form = {"order": "n_order({}, {})", "inverse": "Mod(1/({}), {})"}.get(reader.texts[begin]) if begin < end else ""
    if not form or not reader.starts(begin + 1, end, ("of",)):
        return None
    bracket = reader.texts[end - 1] == ")"
    for at in range(end - 2, begin + 2, -1):
        if reader.texts[at] in ("mod", "modulo"):
            opened = bracket and reader.texts[at - 1] == "("
            number, modulus = reader.value(begin + 2, at - opened), reader.value(at + 1, end - opened)
            return form.format(number, modulus) if number and modulus else None
    return None


def of_formula(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the last two digits of 3^8``: of the whole formula, not of its first number."""
    begin = reader.after_article(start)
    for lead, form in lexicon.OF_ONE:
        if lead[-1] != "of" or not reader.starts(begin, end, lead) or form.startswith(("Abs", "component")):
            continue
        inner = begin + len(lead)
        sums = any(reader.texts[at] in ("+", "-") and not reader.depth(inner, at) for at in range(inner + 1, end))
        number = None if sums and "digit" not in " ".join(lead) else reader.numeral(inner, end)
        if number:
            return form.format(number)
    return None


def function(reader: Reader, start: int, end: int) -> str | None:
    """Read a function of values by the first of the rules below that applies."""
    return first_reading(FUNCTIONS, reader, start, end)


def of_two(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the sum of A and B``, ``the vector from A to B``."""
    begin = reader.after_article(start)
    for lead, form in lexicon.OF_TWO:
        if not reader.starts(begin, end, lead):
            continue
        inner = begin + len(lead)
        for at in range(inner + 1, end - 1):
            if reader.texts[at] in ("and", "to", "by", "from", "with"):
                left = reader.value(inner, at)
                right = reader.value(at + 1, end) if left else None
                if left and right:
                    return form.format(left, right)
    return None


def square_of(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the squared A``."""
    begin = reader.after_article(start)
    whole = reader.value(begin + 1, end) if begin < end and reader.texts[begin] == "squared" else None
    return f"({whole})**2" if whole else None


def of_one(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the square root of A``, ``twice A``; a length only of vectors."""
    begin = reader.after_article(start)
    for lead, form in lexicon.OF_ONE:
        if reader.starts(begin, end, lead) and (inner := reader.value(begin + len(lead), end)):
            if form == "Abs({})" and lead[0] != "absolute" and not reader.names.is_vector(inner):
                return NO_OTHER
            return form.format(inner)
    return None


def remainder_of(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the remainder of A divided by B``, ``the remainder when A is divided by B``."""
    begin = reader.after_article(start)
    if not any(reader.starts(begin, end, ("remainder", link)) for link in ("of", "when", "if")):
        return None
    for at in range(begin + 3, end - 1):
        for link in lexicon.DIVIDED:
            skip = reader.texts[at] in ("is", "are")
            if reader.starts(at + skip, end, link):
                left, right = reader.value(begin + 2, at), reader.value(at + skip + len(link), end)
                if left and right:
                    return f"Mod({left}, {right})"
    return None


def number_of(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the number of divisors of A``, ``the number of digits in A``."""
    begin = reader.after_article(start)
    texts = reader.texts[begin:end]
    if len(texts) < 5 or texts[:2] != ("number", "of") or texts[2] not in _COUNTS or texts[3] not in ("of", "in"):
        return None
    inner = reader.value(begin + 4, end)
    return f"{_COUNTS[texts[2]]}({inner})" if inner else NO_OTHER


def multiplicity_of(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the exponent of 2 in A``, ``the power of 2 in the prime factorization of A``."""
    begin = reader.after_article(start)
    if not any(reader.starts(begin, end, (noun, "of")) for noun in ("exponent", "power", "multiplicity")):
        return None
    for at in range(begin + 3, end - 1):
        if reader.texts[at] == "in" and (prime := reader.numeral(begin + 2, at)):
            rest = at + 1
            for phrase in (("the", "prime", "factorization", "of"), ("the", "factorization", "of")):
                rest = rest + len(phrase) if reader.starts(rest, end, phrase) else rest
            if number := reader.value(rest, end):
                return f"multiplicity({prime}, {number})"
    return None


def share_of(reader: Reader, start: int, end: int) -> str | None:
    """Read ``the fifth of A``, ``two thirds``, ``a third``: a share, with an article or without."""
    begin = reader.after_article(start)
    return share(reader, begin, end, alone=reader.texts[start] in ("a", "an"))


def share(reader: Reader, start: int, end: int, *, alone: bool = False) -> str | None:
    """Read ``one fifth of A``, ``two thirds``, ``a quarter of A``, ``half of A``, ``25 percent of A``.

    Args:
        reader: the text.
        start: where the share begins, after an article.
        end: where it ends.
        alone: whether ``third`` without a number is a share; else it is an ordinal.
    """
    texts = reader.texts
    for at in range(start, min(start + 4, end)):
        word = texts[at] if texts[at] in PARTS else texts[at].removesuffix("s")
        many = texts[start:at]
        if word in PARTS and (at == end - 1 or texts[at + 1] == "of"):
            count = "1" if many in ((), ("one",), ("a",), ("an",)) else reader.numeral(start, at)
            if count and at == end - 1:
                return f"({count})/{PARTS[word]}" if many or word == "half" or alone else None
            if count and end - at == 4 and texts[at + 2] in ("a", "an") and texts[at + 3] in lexicon.UNITS:
                return f"({count})/{PARTS[word]}"
            if count and (whole := reader.value(at + 2, end) or _counted_things(reader, at + 2, end)):
                return f"{count}*({whole})/{PARTS[word]}"
        if word in ("percent", "%") and at < end - 1 and texts[at + 1] == "of":
            count, whole = reader.numeral(start, at), reader.value(at + 2, end)
            if count and whole:
                return f"({count})*({whole})/100"
    return None


def _counted_things(reader: Reader, start: int, end: int) -> str | None:
    """Read ``all 6^5 passwords``, ``the 4^6 cords``: a number of what the problem counts."""
    start += reader.texts[start : start + 1] == ("all",)
    start += reader.texts[start : start + 1] == ("the",)
    if end - start < 2 or not is_alike(stem(reader.texts[end - 1]), reader.names.vocabulary):
        return None
    return reader.numeral(start, end - 1)


FUNCTIONS = (of_two, square_of, of_one, remainder_of, number_of, multiplicity_of, share_of)
"""In the order in which they are tried."""
