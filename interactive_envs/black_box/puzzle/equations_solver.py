"""How the reference player of the puzzles finds equations that agree with its observations: it draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Observations
from interactive_envs.black_box.puzzle.base import letters, marks, marks_code, marks_codes, text_of
from interactive_envs.black_box.puzzle.equations import Equation, example, problem_of

SIGNS = "0123456789+-*/="
_DIGITS = np.array([sign.isdigit() for sign in SIGNS])
DRAWS, ROUNDS, ENOUGH = 3_000, 6, 60


@dataclass(frozen=True)
class Known:
    """What full marks tell of an equation; together it is all they tell.

    Attributes:
        allowed: which signs may stand in each place, of shape (length, signs).
        least: how often each sign occurs at least.
        most: how often at most.
    """

    allowed: NDArray[np.bool_]
    least: NDArray[np.int64]
    most: NDArray[np.int64]

    @property
    def widths(self) -> list[int]:
        """How many digits may stand after the =."""
        length = len(self.allowed)
        return [width for width in range(1, length - 3) if self.allowed[length - 1 - width, SIGNS.index("=")]]


def consistent(
    box: Equation, observations: Observations, known: Sequence[str], random: np.random.Generator
) -> tuple[list[str], list[str]]:
    """Up to some hundred different equations that agree, and some that need not.

    Args:
        box: its length, and whether marks are only counted.
        observations: guesses and their marks.
        known: equations that agreed before the last replies.
        random: the draws.
    """
    found, others = set(_agreeing(box, observations, known)), {example(box.length), *known}
    facts = _known(box, observations)
    # Where marks are only counted nothing guides the draws, and many help little.
    for _ in range(1 if box.partial else ROUNDS):
        before = len(found)
        for width in facts.widths:
            drawn = _drawn(box.length, width, facts, max(300, DRAWS // len(facts.widths)), random)
            found.update(one for one in _agreeing(box, observations, drawn) if not problem_of(one, box.length))
            others.update(drawn[:20])
        if len(found) >= ENOUGH or len(found) == before > 0:
            break
    # The order of a set of texts differs from run to run.
    ordered = sorted(found)
    tried = [one for one in sorted(others) if not problem_of(one, box.length)]
    return [ordered[i] for i in random.permutation(len(ordered))[: 5 * ENOUGH]], tried


def _agreeing(box: Equation, observations: Observations, several: Sequence[str]) -> list[str]:
    if not several:
        return []
    rows = np.array([letters(one) for one in several])
    for query, fact in observations:
        rows = rows[marks_codes(marks(rows, letters(query)), box.partial) == marks_code(fact)]
    return [text_of(row) for row in rows]


def _known(box: Equation, observations: Observations) -> Known:
    equals, count = SIGNS.index("="), len(SIGNS)
    allowed = np.ones((box.length, count), bool)
    allowed[:, equals] = False
    # Four digits after the = at most: longer ones are never hidden.
    allowed[max(0, box.length - 5) : box.length - 1, equals] = True
    least, most = np.zeros(count, np.int64), np.full(count, box.length)
    most[equals] = least[equals] = 1
    for query, marking in () if box.partial else observations:
        for sign in set(query):
            number, places = SIGNS.index(sign), [i for i in range(box.length) if query[i] == sign]
            marked = [marking[i] for i in places]
            least[number] = max(least[number], len(marked) - marked.count("X"))
            if "X" in marked:
                most[number] = min(most[number], len(marked) - marked.count("X"))
            for place, mark in zip(places, marked, strict=True):
                if mark == "A":
                    allowed[place] &= np.arange(count) == number
                else:
                    allowed[place, number] = False
    allowed[:, most == 0] = False
    return Known(allowed, least, most)


def _drawn(length: int, width: int, known: Known, count: int, random: np.random.Generator) -> list[str]:
    """Different texts: left sides drawn sign by sign within what is known, and their values, so many digits wide."""
    end, signs = length - 1 - width, len(SIGNS) - 1
    drawn, good, begins = np.zeros((count, end), np.int64), np.ones(count, bool), np.ones(count, bool)
    most = np.tile(known.most[:signs].astype(np.int8), (count, 1))
    missing = np.tile(known.least[:signs].astype(np.int8), (count, 1))
    starts = _DIGITS[:signs] & (np.arange(signs) > 0)
    rows = np.arange(count)
    for place in range(end):
        legal = (most > 0) & known.allowed[place, :signs] & np.where(begins[:, None], starts, True)
        if place == end - 1:
            legal &= _DIGITS[:signs]
        # Where every place left is needed for a sign that is missing, only those will do.
        legal &= (missing > 0) | (missing.sum(axis=1) < length - 1 - place)[:, None]
        steps = np.cumsum(legal * np.where(missing > 0, 3, 1), axis=1, dtype=np.float32)
        good &= steps[:, -1] > 0
        picks = (steps <= (random.random(count) * steps[:, -1])[:, None]).sum(axis=1).clip(0, signs - 1)
        drawn[:, place] = picks
        most[rows, picks] -= 1
        missing[rows, picks] = np.maximum(missing[rows, picks] - 1, 0)
        begins = picks >= 10
    values = _values(drawn)
    whole = np.rint(values)
    good &= (np.abs(values - whole) < 1e-6) & (whole >= (10 ** (width - 1) if width > 1 else 0)) & (whole < 10**width)
    # The right side is looked at early: it decides most.
    for i in range(width):
        digit = np.where(good, whole // 10 ** (width - 1 - i) % 10, 0).astype(np.int64)
        good &= known.allowed[end + 1 + i, digit] & (most[rows, digit] > 0)
    codes = np.array([ord(sign) for sign in SIGNS], np.uint8)
    several = {f"{text_of(codes[drawn[row]])}={int(whole[row])}" for row in np.flatnonzero(good)}
    return sorted(several)


def _values(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """The values of expressions given as numbers of signs, in floating point."""
    count = len(rows)
    total, term, sign = np.zeros(count), np.ones(count), np.ones(count)
    number, divide = np.zeros(count), np.zeros(count, bool)
    for column in [*rows.T, np.full(count, 10)]:
        digit = column < 10
        product = np.where(divide, term / np.maximum(number, 1.0), term * number)
        adds = (column == 10) | (column == 11)
        total = np.where(adds, total + sign * product, total)
        term = np.where(digit, term, np.where(adds, 1.0, product))
        sign = np.where(adds, np.where(column == 11, -1.0, 1.0), sign)
        divide = np.where(digit, divide, column == 13)
        number = np.where(digit, number * 10 + column, 0.0)
    return total
