"""Divisibility, congruences and remainders: ``A = B mod m``, ``dividing A by B leaves C``, ``5 divides A 3 times``."""

from __future__ import annotations

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.reading.comparisons import amount
from interactive_envs.mathematics.judge.reading.reader import Reader

_NOTHING = (("no", "remainder"), ("nothing",), ("nothing", "over"), ("no", "rest"))
_REMAINDER_IS = (("the", "remainder", "is"), ("it", "leaves"), ("the", "rest", "is"))


def modular(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``= B mod m``, ``equal to B (mod m)``: the congruence of a value with B."""
    start += len(next((lead for lead in lexicon.EQUAL_TO if reader.starts(start, end, lead)), ()))
    texts = reader.texts
    bracket = end - start > 3 and texts[end - 1] == ")"
    for at in range(end - 2, start, -1):
        if texts[at] not in ("mod", "modulo"):
            continue
        opened = bracket and texts[at - 1] == "("
        if not opened and reader.depth(start, at):
            return None
        begin = reader.after_article(start)
        if texts[begin] in lexicon.OF_MODULUS or texts[begin : begin + 2] == ("multiplicative", "order"):
            return None
        right = reader.value(start, at - opened)
        modulus = reader.value(at + 1, end - opened)
        return f"Eq(Mod({subject} - ({right}), {modulus}), 0)" if right and modulus else None
    return None


def congruence(reader: Reader, start: int, end: int) -> str | None:
    """Read ``a | b``, ``a == b mod m``, ``a is congruent to b modulo m``; no chain of relations."""
    if reader.cuts(start, end, *lexicon.RELATIONS):
        return None
    for at in range(start + 1, end - 1):
        if reader.texts[at] == "|" and (left := reader.value(start, at)) and (right := reader.value(at + 1, end)):
            return f"Divides({left}, {right})"
        if reader.texts[at] == "==" and (found := _congruent(reader, (start, at), (at + 1, end))):
            return found
        if reader.starts(at, end, ("congruent", "to")):
            before = at - 1 if reader.texts[at - 1] in ("is", "are") else at
            if found := _congruent(reader, (start, before), (at + 2, end)):
                return found
    return None


def _congruent(reader: Reader, left_span: tuple[int, int], right_span: tuple[int, int]) -> str | None:
    """Read ``b mod m``, ``b (mod m)`` behind a value, perhaps with words that say again what the value is."""
    start, end = right_span
    left = reader.value(*left_span)
    for at in range(start + 1, end) if left else ():
        if reader.texts[at] in ("mod", "modulo"):
            stop, opened = end, reader.texts[at - 1] == "("
            if opened:
                stop = next((k for k in range(at, end) if reader.texts[k] == ")"), end)
            right, modulus = reader.value(start, at - opened), reader.value(at + 1, stop)
            rest_at = stop + opened
            again = not reader.texts[rest_at:end] or (
                reader.texts[rest_at] == "for" and reader.value(rest_at + 1, end) == left
            )  # "for the number n of beads"
            if right and modulus and again:
                return f"Eq(Mod({left} - ({right}), {modulus}), 0)"
    return None


def dividing(reader: Reader, start: int, end: int) -> str | None:
    """Read ``dividing A by B leaves C``."""
    texts = reader.texts
    if texts[start] not in ("dividing", "divide"):
        return None
    for by in range(start + 2, end - 1):
        if texts[by] != "by":
            continue
        for at in range(by + 2, end):
            if texts[at] in ("leaves", "leave", "gives", "yields", "has"):
                number, divisor = reader.value(start + 1, by), reader.value(by + 1, at)
                if number and divisor and (remainder := rest(reader, at + 1, end)):
                    return f"Eq(Mod({number}, {divisor}), {remainder})"
    return None


def when_divided(reader: Reader, start: int, end: int) -> str | None:
    """Read ``when A is divided by B, the remainder is C``."""
    texts = reader.texts
    if texts[start] not in ("when", "if"):
        return None
    for at in range(start + 2, end - 3):
        number = reader.value(start + 1, at) if texts[at : at + 3] == ("is", "divided", "by") else None
        for after in range(at + 4, end - 1) if number else ():
            divisor = reader.value(at + 3, after)
            begin = after + (texts[after] == ",")
            begin += texts[begin : begin + 1] == ("then",)
            lead = next((lead for lead in _REMAINDER_IS if reader.starts(begin, end, lead)), None)
            if divisor and lead and (remainder := rest(reader, begin + len(lead), end)):
                return f"Eq(Mod({number}, {divisor}), {remainder})"
    return None


def rest(reader: Reader, start: int, end: int) -> str | None:
    """Read the value of ``a remainder of 3``, ``3 over``, ``no remainder``."""
    texts = reader.texts[start:end]
    if texts in _NOTHING:
        return "0"
    stop = end - (texts[-1:] in (("over",), ("left",), ("remaining",)))
    stop = end - 2 if texts[-2:] == ("left", "over") else stop
    for lead in lexicon.REST:
        if texts[: len(lead)] == lead and (found := reader.value(start + len(lead), stop)):
            return found
    return None


def so_often(reader: Reader, start: int, end: int) -> str | None:
    """Read ``5 divides A exactly 3 times``, ``A has at least 3 factors 5``."""
    start += reader.texts[start] in ("does", "do")
    for at in range(start + 1, end - 2):
        if found := _divides_times(reader, start, at, end) or _has_factors(reader, start, at, end):
            return found
    return None


def _divides_times(reader: Reader, start: int, at: int, end: int) -> str | None:
    if reader.texts[at] not in ("divides", "divide") or reader.texts[end - 1] != "times":
        return None
    for after in range(at + 2, end - 1):
        prime, number = reader.value(start, at), reader.value(at + 1, after)
        if prime and number and (found := amount(reader, f"multiplicity({prime}, {number})", after, end - 1)):
            return found
    return None


def _has_factors(reader: Reader, start: int, at: int, end: int) -> str | None:
    if reader.texts[at] not in ("has", "have", "contains", "contain"):
        return None
    for after in range(at + 2, end - 1):
        if reader.texts[after] in ("factors", "factor") and (number := reader.value(start, at)):
            prime = reader.value(after + 1 + (reader.texts[after + 1] in ("of", "equal")), end)
            if prime and (found := amount(reader, f"multiplicity({prime}, {number})", at + 1, after)):
                return found
    return None
