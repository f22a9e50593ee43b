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
    "a {sequence} with the {values} 1 to {n} {at} the {places} 1 to {n}, each {value} once. No {value} "
    "differs from the number of its {place} by more than 2",
    levels(n=(6, 7, 8, 9, 10)),
)
def nearly_sorted(n: int) -> SequenceWorld:
    return grown(n, n, lambda rows, x: _absent(rows, x) & (np.abs(x - rows.shape[1] - 1) <= 2))


@deductive(
    "a {sequence} with the {values} 1 to {n} {at} the {places} 1 to {n}, each {value} once. It is made from "
    "1, 2, 3 and so on up to {n} by swapping some pairs of {values}, perhaps none; no {value} is swapped "
    "more than once",
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
    "a {sequence} of {n} {values} from 1 to {high}, in which each {value} differs from the next one by exactly 1",
    levels(n=(5, 6, 7, 8, 9), high=(5, 6, 7, 8, 9)),
)
def walks(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: (np.abs(x - _last(rows)) == 1) | (rows.shape[1] == 0))


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} that goes up and down in turns: either every {value} {at} "
    "an even-numbered {place} is greater than the {values} next to it, or every one of them is smaller",
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
    "a {sequence} of {n} {values} from 1 to {high}, in which no {value} equals the next one",
    levels(n=(6, 7, 8, 9, 10), high=3),
)
def restless(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x != _last(rows))


@deductive(
    "a {sequence} of {n} {values}, each 1 or greater, whose sum is {s}",
    levels(n=(4, 4, 5, 5, 6), s=(8, 10, 11, 13, 14)),
)
def parts(n: int, s: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        to_come = n - rows.shape[1] - 1
        left = s - rows.sum(axis=1, keepdims=True) - numbers
        return np.asarray(left >= to_come if to_come else left == 0)

    return grown(n, s - n + 1, allowed, s=s)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} with a single peak. Up to the peak, every {value} is "
    "greater than the one before it; after the peak, every {value} is smaller than the one before it. The "
    "peak may be {at} any {place}",
    levels(n=(4, 4, 4, 6, 6), high=(5, 6, 7, 7, 8)),
)
def peaked(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        fell = (rows[:, 1:] < rows[:, :-1]).any(axis=1, keepdims=True)
        return np.where(fell, numbers < _last(rows), numbers != _last(rows))

    return grown(n, high, allowed)


@deductive(
    "a {sequence} of {n} {values} from 1 to {high} with one mistake. Without the mistake, all {values} are "
    "from 1 to {high} and change by the same amount from each {place} to the next (up, down or not at all). "
    "One {place} then has a different {value} from 1 to {high} instead",
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
    "a {sequence} with the {values} 1 to {n}, each once. It is made from 1, 2, 3 and so on up to {n} in two "
    "steps: first some {values}, perhaps none, move from the front to the end in the same order; then any "
    "two {values} are swapped",
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
    "a {sequence} of {n} {values} from 1 to {high} that begins with 1. For every {value} greater than 1, the "
    "{value} that is smaller by 1 occurs somewhere before it",
    levels(n=(5, 6, 7, 8, 9), high=3),
)
def newcomers(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x <= rows.max(axis=1, initial=0)[:, None] + 1)
