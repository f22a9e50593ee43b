"""Exact arithmetic that several generators use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any


def prime_factors(number: int) -> list[tuple[int, int]]:
    """Prime factors with exponents."""
    return [(p, multiplicity(number, p)) for p in (2, 3, 5, 7, 11, 13) if number % p == 0]


def multiplicity(number: int, prime: int) -> int:
    """Return how often a prime divides a number."""
    times = 0
    while number % prime == 0:
        number, times = number // prime, times + 1
    return times


def value_of_digits(digits: Sequence[int]) -> int:
    """Return the number that digits form."""
    return int("".join(map(str, digits)))


def sum_of_products(weights: Sequence[int], numbers: Sequence[int]) -> int:
    """Return the sum of products."""
    return sum(w * n for w, n in zip(weights, numbers, strict=True))


def least_passing(passes: Callable[[int], bool]) -> int:
    """Return the least number from 1 on that passes; 999 where none does."""
    return next((n for n in range(1, 999) if passes(n)), 999)


def meet(p: Any, q: Any, r: Any, s: Any) -> tuple[Fraction, Fraction]:
    """Where the line through p and q meets the one through r and s."""
    (px, py), (qx, qy), (rx, ry), (sx, sy) = p, q, r, s
    ux, uy, vx, vy = qx - px, qy - py, sx - rx, sy - ry
    t = Fraction((rx - px) * vy - (ry - py) * vx) / (ux * vy - uy * vx)
    return Fraction(px + t * ux), Fraction(py + t * uy)


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Return the solution of linear equations with exactly one; in fractions, as texts and claims name them exactly.

    SymPy solves them too, but importing it takes longer than making a problem.
    """
    rows = [[*map(Fraction, row), Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = next(j for j in range(i, size) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]
