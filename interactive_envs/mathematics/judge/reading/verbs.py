"""What a subject does: divides, exceeds, leaves, ends in, has."""

from __future__ import annotations

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.notation import Token
from interactive_envs.mathematics.judge.reading.comparisons import compared, leading_comparative
from interactive_envs.mathematics.judge.reading.reader import Reader, SubjectRule, first_reading
from interactive_envs.mathematics.judge.reading.remainders import rest

_FACTORS = (("the", "prime", "factor"), ("the", "prime"), ("the", "factor"), ("a", "factor"))
_FACTOR_IN_COMMON = ("a", "factor", "greater", "than", "1", "in", "common", "with")


def divides(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``divides A``."""
    value = reader.value(start + 1, end)
    return f"Divides({subject}, {value})" if value else None


def exceeds(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``exceeds A``, ``exceeds A by B``."""
    if value := reader.value(start + 1, end):
        return f"Gt({subject}, {value})"
    for at in range(start + 2, end - 1):
        if reader.texts[at] == "by" and (gap := reader.value(at + 1, end)) and (other := reader.value(start + 1, at)):
            return f"Eq({subject}, {other} + ({gap}))"
    return None


def equals(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``equal A``, ``come to A``."""
    return reader.predicate(subject, start + 1 + reader.starts(start + 1, end, ("to",)), end)


def lies(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``lies between A and B``, ``stays below A``."""
    return compared(reader, subject, start + 1, end)


def leaves(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``leaves a remainder of 4 when divided by 10``."""
    for at in range(start + 2, end - 1):
        for link in lexicon.DIVIDED:
            if reader.starts(at, end, link):
                remainder, modulus = rest(reader, start + 1, at), reader.value(at + len(link), end)
                if remainder and modulus and not reader.names_quantity(remainder):
                    return f"Eq(Mod({subject}, {modulus}), {remainder})"
    return None


def ends_in(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``ends in 04``, ``ends with the digit 4``."""
    if not any(reader.starts(start + 1, end, (link,)) for link in ("in", "with")):
        return None
    begin = start + 2
    if reader.texts[begin : begin + 2] in (("the", "digit"), ("the", "digits")):
        begin += 2
    if begin + 1 != end or not reader.texts[begin].isdecimal():
        return None
    tail = reader.texts[begin]
    return f"Eq(Mod(Abs({subject}), {10 ** len(tail)}), {int(tail)})"


def goes_into(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``goes into A``, ``goes into A without remainder``."""
    if not reader.starts(start + 1, end, ("into",)):
        return None
    value = reader.value(start + 2, end - 2 if reader.ends(start, end, ("without", "remainder")) else end)
    return f"Divides({subject}, {value})" if value else None


def contains(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``contains the prime factor 5``."""
    for lead in _FACTORS:
        factor = reader.value(start + 1 + len(lead), end) if reader.starts(start + 1, end, lead) else None
        if factor:
            return f"Divides({factor}, {subject})"
    return None


def has(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``has a remainder of 4 modulo 10``, or what a subject has by the first of the rules below that applies."""
    if found := leaves(reader, subject, start, end):
        return found
    start += 1
    start += any(reader.starts(start, end, (word,)) for word in ("exactly", "just", "only"))
    return first_reading(HAS, reader, subject, start, end)


def has_digits(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``three digits``, ``at least 3 digits``."""
    if start >= end or reader.texts[end - 1] not in ("digits", "digit"):
        return None
    relation, begin = leading_comparative(reader, start, end)
    value = reader.value(begin, end - 1)
    return f"{relation}(digits({subject}), {value})" if value else None


def has_divisors(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``12 divisors``."""
    if start >= end or reader.texts[end - 1] not in ("divisors", "factors"):
        return None
    value = reader.value(start, end - 1)
    return f"Eq(divisor_count({subject}), {value})" if value else None


def has_prime_factors(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``two distinct prime factors``."""
    texts = reader.texts[start:end]
    if texts[-2:] not in (("prime", "factors"), ("prime", "divisors")):
        return None
    value = reader.value(start, end - 2 - (texts[-3:-2] in (("distinct",), ("different",))))
    return f"Eq(size(primes({subject})), {value})" if value else None


def has_property(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``the digit sum 11``, ``the factor 5``, ``length 3``, of any value."""
    for lead, form in lexicon.HAS:
        if reader.starts(start, end, lead) and (value := reader.value(start + len(lead), end)):
            return form.format(subject, value)
    return None


def has_quantity(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``the area 40``, ``a height of 5 m``, of what the problem calls the subject's area or height."""
    for at in range(start + 1, min(start + 5, end)):
        value = reader.value(at + (reader.texts[at] == "of"), end)
        if value and not value.startswith("Mod("):
            noun = [token for token in reader.tokens[start:at] if token.text not in lexicon.ARTICLES]
            name = reader.names.resolve([*noun, Token("word", "of"), Token("word", subject)]) if noun else None
            if name:
                return f"Eq({name}, {value})"
    return None


def has_nothing_in_common(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``no common factor with A``."""
    for lead in lexicon.NOTHING_COMMON_WITH:
        if reader.starts(start, end, lead) and (value := reader.value(start + len(lead), end)):
            return f"coprime({subject}, {value})"
    return None


def has_factor_in_common(reader: Reader, subject: str, start: int, end: int) -> str | None:
    """Read ``a factor greater than 1 in common with A``."""
    if not reader.starts(start, end, _FACTOR_IN_COMMON):
        return None
    value = reader.value(start + len(_FACTOR_IN_COMMON), end)
    return f"Not(coprime({subject}, {value}))" if value else None


HAS = (
    has_digits,
    has_divisors,
    has_prime_factors,
    has_property,
    has_quantity,
    has_nothing_in_common,
    has_factor_in_common,
)
"""In the order in which they are tried."""

_FORMS = (
    (divides, "divide divides"),
    (exceeds, "exceed exceeds"),
    (equals, "equal equals make give total yield come"),
    (lies, "lie lies stay stays remain remains"),
    (leaves, "leave leaves"),
    (has, "has have"),
    (ends_in, "end ends"),
    (goes_into, "go goes"),
    (contains, "contain contains"),
)
VERBS: dict[str, SubjectRule] = {verb: rule for rule, verbs in _FORMS for verb in verbs.split()}
"""The rule of each verb."""
