"""Small change of sentences: ordinals, counted nouns, lists, and settings written as indented texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``13th``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: ``1 day``, ``3 days``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def entries(text: str) -> list[str]:
    """Return a text's lines without their indentation; a line that is indented further goes on with the one before.

    What an f-string fills in must not hold line breaks.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    edge = min(len(line) - len(line.lstrip()) for line in lines)
    found: list[str] = []
    for line in lines:
        if line[edge] == " ":
            found[-1] += f" {line.strip()}"
        else:
            found.append(line.strip())
    return found


def table(text: str) -> list[tuple[str, ...]]:
    """Return the ``entries`` of a text, each cut into cells at `` | ``."""
    return [tuple(entry.split(" | ")) for entry in entries(text)]


def root(square: int | Fraction) -> str:
    """Return the square root of a number as sympy text in lowest terms: ``3*sqrt(2)/5``."""
    square = Fraction(square)
    inner, outer = square.numerator * square.denominator, Fraction(1, square.denominator)
    for factor in range(math.isqrt(inner), 1, -1):
        if inner % factor**2 == 0:
            inner, outer = inner // factor**2, outer * factor
            break
    if inner == 1:
        return str(outer)
    front = "" if outer.numerator == 1 else f"{outer.numerator}*"
    back = "" if outer.denominator == 1 else f"/{outer.denominator}"
    return f"{front}sqrt({inner}){back}"


def term(factor: int, what: str, *, first: bool = False) -> str:
    """Return a summand of a polynomial: `` - 3x``, `` + x``; nothing for a factor of zero."""
    if not factor:
        return ""
    size = "" if abs(factor) == 1 and what else str(abs(factor))
    sign = ("-" if factor < 0 else "") if first else (" - " if factor < 0 else " + ")
    return f"{sign}{size}{what}"


def signed(number: int) -> str:
    """Return a number as a factor or summand in a claim: in brackets where it is negative."""
    return f"({number})" if number < 0 else str(number)


def weighted_sum(weights: Sequence[int], numbers: Sequence[int]) -> str:
    """Return a sum of products as a claim's text."""
    return " + ".join(f"{w}*{n}" for w, n in zip(weights, numbers, strict=True))
