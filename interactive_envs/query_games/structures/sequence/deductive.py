"""Families of hidden sequences. A family is a function that builds all sequences of a level from its parameters."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import Codes, deductive, levels
from interactive_envs.query_games.structures.sequence.worlds import SequenceWorld, Truths, grown


def _last(rows: Codes) -> Codes:
    """The last value of each beginning as a column, 0 at the start."""
    return rows[:, -1:] if rows.shape[1] else np.zeros((len(rows), 1), dtype=np.int64)


def _absent(rows: Codes, numbers: Codes) -> Truths:
    return np.asarray((rows[:, :, None] != numbers).all(axis=1))


@deductive(
    "a {sequence} of {n} different {values} from 1 to {high}, in any order",
    levels(n=(3, 3, 4, 4, 4), high=(5, 6, 6, 7, 8)),
)
def distinct(n: int, high: int) -> SequenceWorld:
    return grown(n, high, _absent)


@deductive(
    "a {sequence} in which each of the {values} 1 to {n} occurs {at} exactly one of the {places} 1 to {n}, and "
    "no {value} differs from the number of its {place} by more than 2",
    levels(n=(6, 7, 8, 9, 10)),
)
def nearly_sorted(n: int) -> SequenceWorld:
    return grown(n, n, lambda rows, x: _absent(rows, x) & (np.abs(x - rows.shape[1] - 1) <= 2))


@deductive(
    "a {sequence} in which each of the {values} 1 to {n} occurs {at} exactly one of the {places} 1 to {n}, and "
    "whenever the {value} j occurs {at} {place} i, the {value} i occurs {at} {place} j; so some pairs of "
    "{values} have swapped their {places}, perhaps none, and every other {value} occurs {at} the {place} of "
    "its own number",
    levels(n=(5, 6, 7, 8, 9)),
)
def swapped(n: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        place = rows.shape[1] + 1
        # A value that stands earlier says by its place what must stand here.
        due = np.where(rows == place, np.arange(1, place), 0).sum(axis=1)[:, None]
        return np.asarray(np.where(due > 0, numbers == due, (numbers >= place) & _absent(rows, numbers)))

    return grown(n, n, allowed)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high}, in which no {value} is smaller than the one before it",
    levels(n=(4, 4, 4, 5, 5), high=(4, 5, 7, 7, 9)),
)
def never_falling(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x >= _last(rows))


@deductive(
    "a {sequence} of {n} {values} from 1 to {high}, in which any two {values} next to each other differ by exactly 1",
    levels(n=(5, 6, 7, 8, 9), high=(5, 6, 7, 8, 9)),
)
def walks(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: (np.abs(x - _last(rows)) == 1) | (rows.shape[1] == 0))


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} that goes up and down in turns: the {values} {at} "
    "even-numbered {places} are either all greater than the {values} next to them, or all smaller",
    levels(n=(4, 5, 6, 7, 8), high=4),
)
def zigzag(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        last = _last(rows)
        if rows.shape[1] < 2:
            return np.asarray(numbers != last)
        return np.where(rows[:, -2:-1] < last, numbers < last, numbers > last)

    return grown(n, high, allowed)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high}, in which no two {values} next to each other are equal",
    levels(n=(6, 7, 8, 9, 10), high=3),
)
def restless(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x != _last(rows))


@deductive(
    "a {sequence} of {n} {values}, each of them 1 or more, that add up to {s}",
    levels(n=(4, 4, 5, 5, 6), s=(8, 10, 11, 13, 14)),
)
def parts(n: int, s: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        to_come = n - rows.shape[1] - 1
        left = s - rows.sum(axis=1, keepdims=True) - numbers
        return np.asarray(left >= to_come if to_come else left == 0)

    return grown(n, s - n + 1, allowed, s=s)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} with a single peak, which may be {at} any {place}: up to it "
    "every {value} is greater than the one before, and after it every {value} is smaller than the one before",
    levels(n=(4, 4, 4, 6, 6), high=(5, 6, 7, 7, 8)),
)
def peaked(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        fell = (rows[:, 1:] < rows[:, :-1]).any(axis=1, keepdims=True)
        return np.where(fell, numbers < _last(rows), numbers != _last(rows))

    return grown(n, high, allowed)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} with one mistake: without it, the {values}, all of them "
    "from 1 to {high}, would go up by the same amount from each {place} to the next, or go down by the same "
    "amount, or be all equal; but {at} one {place} there is another {value} from 1 to {high} instead",
    levels(n=(4, 4, 5, 5, 5), high=(4, 6, 8, 11, 14)),
)
def mistaken(n: int, high: int) -> SequenceWorld:
    steps = [(first, first + (n - 1) * step, step) for first in range(1, high + 1) for step in range(-high, high)]
    even = np.array([[first + step * i for i in range(n)] for first, last, step in steps if 1 <= last <= high])
    series, place, wrong = np.meshgrid(np.arange(len(even)), np.arange(n), np.arange(1, high + 1), indexing="ij")
    kept = even[:, :, None] != np.arange(1, high + 1)
    rows = even[series[kept]]
    rows[np.arange(len(rows)), place[kept]] = wrong[kept]
    return SequenceWorld({"n": n, "high": high}, rows)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} that is the same when read backwards",
    levels(n=(5, 7, 9, 11, 13), high=3),
)
def mirrored(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        place = rows.shape[1]
        return numbers > 0 if 2 * place < n else numbers == rows[:, n - 1 - place, None]

    return grown(n, high, allowed)


@deductive(
    "a {sequence} of the {values} 1 to {n}, each of them once: it was made from 1, 2, 3 and so on up to {n} by "
    "moving some {values} from the front to the end without changing their order, perhaps none, and then "
    "swapping two {values}, whichever they are",
    levels(n=(5, 7, 9, 12, 15)),
)
def cut(n: int) -> SequenceWorld:
    """Every rotation of 1 to n, with every two places swapped."""
    rotated = (np.arange(n) + np.arange(n)[:, None]) % n + 1
    first, last = np.triu_indices(n, 1)
    order = np.tile(np.arange(n), (len(first), 1))
    swaps = np.arange(len(first))
    order[swaps, first], order[swaps, last] = last, first
    return SequenceWorld({"n": n, "high": n}, rotated[:, order].reshape(-1, n))


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} that begins with 1, and in which every {value} greater than "
    "1 has the {value} one smaller somewhere before it",
    levels(n=(5, 6, 7, 8, 9), high=3),
)
def newcomers(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x <= rows.max(axis=1, initial=0)[:, None] + 1)
