"""Sequences of whole numbers: hidden sequences, sequences as causes, and rules about sequences."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import (
    NOTHING,
    NUMBER,
    NUMBERS_IN_ORDER,
    ONE_NUMBER,
    ORDER,
    WORDS_IN_ORDER,
    Codes,
    Family,
    Form,
    Kind,
    Prior,
    Reply,
    Row,
    Structure,
    Target,
    World,
    abductive,
    compare,
    no_argument,
)
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.induction import inductive

Truths: TypeAlias = NDArray[np.bool_]

WORDS = {
    "sequence": "sequence", "sequences": "sequences", "value": "value", "values": "values", "place": "place",
    "places": "places", "at": "at",
}  # fmt: skip


@dataclass(frozen=True)
class SequenceWorld(World):
    """Sequences of equal length; the facts have their length ``n`` and the greatest value there may be, ``high``.

    Attributes:
        values: the values, from 1 on (in rules also 0), shape (sequences, n).
    """

    values: Codes
    per_state: ClassVar[tuple[str, ...]] = ("values",)

    @property
    def n(self) -> int:
        """How many places each sequence has."""
        return self.facts["n"]

    @property
    def high(self) -> int:
        """The greatest value there may be."""
        return self.facts["high"]

    def part(self, first: int, last: int) -> Codes:
        """The values at places ``first`` to ``last``."""
        return self.values[:, first - 1 : last]

    @functools.cached_property
    def sums(self) -> Codes:
        """The sums of the first 0, 1, … n values, shape (sequences, n + 1)."""
        return np.pad(self.values.cumsum(axis=1), ((0, 0), (1, 0)))

    @property
    def weighted(self) -> Codes:
        """The sum of each value multiplied by its place, shape (sequences,)."""
        return self.values @ np.arange(1, self.n + 1)

    @functools.cached_property
    def stands(self) -> Truths:
        """Which value is at which place, shape (sequences, n, high)."""
        return np.asarray(self.values[:, :, None] == np.arange(1, self.high + 1))

    @functools.cached_property
    def firsts(self) -> Codes:
        """The first place of each value, NOTHING where it is missing, shape (sequences, high)."""
        return np.where(self.stands.any(axis=1), self.stands.argmax(axis=1) + 1, NOTHING)

    @functools.cached_property
    def lasts(self) -> Codes:
        """The last place of each value, NOTHING where it is missing, shape (sequences, high)."""
        return np.where(self.stands.any(axis=1), self.n - self.stands[:, ::-1].argmax(axis=1), NOTHING)

    @functools.cached_property
    def earlier(self) -> Codes:
        """The nearest earlier place with the same value, 0 where there is none, shape (sequences, n)."""
        same = np.tril(self.values[:, :, None] == self.values[:, None, :], -1)
        return np.asarray((same * np.arange(1, self.n + 1)).max(axis=2))

    @functools.cached_property
    def ups(self) -> Codes:
        """How many of the places 2 to i have a greater value than the place before, for i from 1 to n."""
        return np.pad((self.values[:, 1:] > self.values[:, :-1]).cumsum(axis=1), ((0, 0), (1, 0)))

    @functools.cached_property
    def running(self) -> Codes:
        """The greatest value up to each place, shape (sequences, n)."""
        return np.maximum.accumulate(self.values, axis=1)

    @functools.cached_property
    def records(self) -> Truths:
        """Which values are greater than all before them, shape (sequences, n)."""
        return np.diff(self.running, axis=1, prepend=0) > 0

    @functools.cached_property
    def smaller_later(self) -> Codes:
        """How many later places have a smaller value than each place, shape (sequences, n)."""
        return np.asarray(np.triu(self.values[:, :, None] > self.values[:, None, :], 1).sum(axis=2))

    @functools.cached_property
    def longest(self) -> Codes:
        """How many places the longest stretch has in which each value but the first is greater than the one before."""
        stretch = best = np.ones(len(self), dtype=np.int64)
        for place in range(1, self.n):
            stretch = np.where(self.values[:, place] > self.values[:, place - 1], stretch + 1, 1)
            best = np.maximum(best, stretch)
        return best


def grown(n: int, high: int, allowed: Callable[[Codes, Codes], Truths], **facts: int) -> SequenceWorld:
    """All sequences that are grown place by place.

    Args:
        n: how many places.
        high: the greatest value.
        allowed: given beginnings of shape (beginnings, places) and the values 1 to high, which of the values may
            come next, to be broadcast to shape (beginnings, high).
        facts: more facts of the world.
    """
    numbers = np.arange(1, high + 1)
    rows = np.zeros((1, 0), dtype=np.int64)
    for _ in range(n):
        row, index = np.nonzero(np.broadcast_to(allowed(rows, numbers), (len(rows), high)))
        rows = np.column_stack([rows[row], index + 1])
    return SequenceWorld({"n": n, "high": high, **facts}, rows)


def _last(rows: Codes) -> Codes:
    """The last value of each beginning as a column, 0 at the start."""
    return rows[:, -1:] if rows.shape[1] else np.zeros((len(rows), 1), dtype=np.int64)


def _absent(rows: Codes, numbers: Codes) -> Truths:
    return np.asarray((rows[:, :, None] != numbers).all(axis=1))


def _distinct(n: int, high: int) -> SequenceWorld:
    return grown(n, high, _absent)


def _nearly_sorted(n: int) -> SequenceWorld:
    return grown(n, n, lambda rows, x: _absent(rows, x) & (np.abs(x - rows.shape[1] - 1) <= 2))


def _swapped(n: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        place = rows.shape[1] + 1
        # A value that stands earlier says by its place what must stand here.
        due = np.where(rows == place, np.arange(1, place), 0).sum(axis=1)[:, None]
        return np.asarray(np.where(due > 0, numbers == due, (numbers >= place) & _absent(rows, numbers)))

    return grown(n, n, allowed)


def _never_falling(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x >= _last(rows))


def _walks(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: (np.abs(x - _last(rows)) == 1) | (rows.shape[1] == 0))


def _zigzag(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        last = _last(rows)
        if rows.shape[1] < 2:
            return np.asarray(numbers != last)
        return np.where(rows[:, -2:-1] < last, numbers < last, numbers > last)

    return grown(n, high, allowed)


def _restless(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x != _last(rows))


def _parts(n: int, s: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        to_come = n - rows.shape[1] - 1
        left = s - rows.sum(axis=1, keepdims=True) - numbers
        return np.asarray(left >= to_come if to_come else left == 0)

    return grown(n, s - n + 1, allowed, s=s)


def _peaked(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        fell = (rows[:, 1:] < rows[:, :-1]).any(axis=1, keepdims=True)
        return np.where(fell, numbers < _last(rows), numbers != _last(rows))

    return grown(n, high, allowed)


def _mistaken(n: int, high: int) -> SequenceWorld:
    steps = [(first, first + (n - 1) * step, step) for first in range(1, high + 1) for step in range(-high, high)]
    even = np.array([[first + step * i for i in range(n)] for first, last, step in steps if 1 <= last <= high])
    series, place, wrong = np.meshgrid(np.arange(len(even)), np.arange(n), np.arange(1, high + 1), indexing="ij")
    kept = even[:, :, None] != np.arange(1, high + 1)
    rows = even[series[kept]]
    rows[np.arange(len(rows)), place[kept]] = wrong[kept]
    return SequenceWorld({"n": n, "high": high}, rows)


def _mirrored(n: int, high: int) -> SequenceWorld:
    def allowed(rows: Codes, numbers: Codes) -> Truths:
        place = rows.shape[1]
        return numbers > 0 if 2 * place < n else numbers == rows[:, n - 1 - place, None]

    return grown(n, high, allowed)


def _cut(n: int) -> SequenceWorld:
    """Every rotation of 1 to n, with every two places swapped."""
    rotated = (np.arange(n) + np.arange(n)[:, None]) % n + 1
    first, last = np.triu_indices(n, 1)
    order = np.tile(np.arange(n), (len(first), 1))
    swaps = np.arange(len(first))
    order[swaps, first], order[swaps, last] = last, first
    return SequenceWorld({"n": n, "high": n}, rotated[:, order].reshape(-1, n))


def _newcomers(n: int, high: int) -> SequenceWorld:
    return grown(n, high, lambda rows, x: x <= rows.max(axis=1, initial=0)[:, None] + 1)


DISTINCT = Family(
    "distinct", "deductive", "a {sequence} of {n} different {values} from 1 to {high}, in any order",
    ({"n": 3, "high": 5}, {"n": 3, "high": 6}, {"n": 4, "high": 6}, {"n": 4, "high": 7}, {"n": 4, "high": 8}),
    _distinct,
)  # fmt: skip
NEARLY_SORTED = Family(
    "nearly-sorted", "deductive",
    "a {sequence} in which each of the {values} 1 to {n} occurs {at} exactly one of the {places} 1 to {n}, and no "
    "{value} differs from the number of its {place} by more than 2",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _nearly_sorted,
)  # fmt: skip
SWAPPED = Family(
    "swapped", "deductive",
    "a {sequence} in which each of the {values} 1 to {n} occurs {at} exactly one of the {places} 1 to {n}, and "
    "whenever the {value} j occurs {at} {place} i, the {value} i occurs {at} {place} j; so some pairs of {values} "
    "have swapped their {places}, perhaps none, and every other {value} occurs {at} the {place} of its own number",
    ({"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}), _swapped,
)  # fmt: skip
NEVER_FALLING = Family(
    "never-falling", "deductive",
    "a {sequence} of {n} {values} from 1 to {high}, in which no {value} is smaller than the one before it",
    ({"n": 4, "high": 4}, {"n": 4, "high": 5}, {"n": 4, "high": 7}, {"n": 5, "high": 7}, {"n": 5, "high": 9}),
    _never_falling,
)  # fmt: skip
WALKS = Family(
    "walks", "deductive",
    "a {sequence} of {n} {values} from 1 to {high}, in which any two {values} next to each other differ by exactly 1",
    ({"n": 5, "high": 5}, {"n": 6, "high": 6}, {"n": 7, "high": 7}, {"n": 8, "high": 8}, {"n": 9, "high": 9}), _walks,
)  # fmt: skip
ZIGZAG = Family(
    "zigzag", "deductive",
    "a {sequence} of {n} {values} from 1 to {high} that goes up and down in turns: the {values} {at} even-numbered "
    "{places} are either all greater than the {values} next to them, or all smaller",
    ({"n": 4, "high": 4}, {"n": 5, "high": 4}, {"n": 6, "high": 4}, {"n": 7, "high": 4}, {"n": 8, "high": 4}), _zigzag,
)  # fmt: skip
RESTLESS = Family(
    "restless", "deductive",
    "a {sequence} of {n} {values} from 1 to {high}, in which no two {values} next to each other are equal",
    ({"n": 6, "high": 3}, {"n": 7, "high": 3}, {"n": 8, "high": 3}, {"n": 9, "high": 3}, {"n": 10, "high": 3}),
    _restless,
)  # fmt: skip
PARTS = Family(
    "parts", "deductive", "a {sequence} of {n} {values}, each of them 1 or more, that add up to {s}",
    ({"n": 4, "s": 8}, {"n": 4, "s": 10}, {"n": 5, "s": 11}, {"n": 5, "s": 13}, {"n": 6, "s": 14}), _parts,
)  # fmt: skip
PEAKED = Family(
    "peaked", "deductive",
    "a {sequence} of {n} {values} from 1 to {high} with a single peak, which may be {at} any {place}: up to it every "
    "{value} is greater than the one before, and after it every {value} is smaller than the one before",
    ({"n": 4, "high": 5}, {"n": 4, "high": 6}, {"n": 4, "high": 7}, {"n": 6, "high": 7}, {"n": 6, "high": 8}), _peaked,
)  # fmt: skip
MISTAKEN = Family(
    "mistaken", "deductive",
    "a {sequence} of {n} {values} from 1 to {high} with one mistake: without it, the {values}, all of them from 1 to "
    "{high}, would go up by the same amount from each {place} to the next, or go down by the same amount, or be all "
    "equal; but {at} one {place} there is another {value} from 1 to {high} instead",
    ({"n": 4, "high": 4}, {"n": 4, "high": 6}, {"n": 5, "high": 8}, {"n": 5, "high": 11}, {"n": 5, "high": 14}),
    _mistaken,
)  # fmt: skip
MIRRORED = Family(
    "mirrored", "deductive",
    "a {sequence} of {n} {values} from 1 to {high} that is the same when read backwards",
    ({"n": 5, "high": 3}, {"n": 7, "high": 3}, {"n": 9, "high": 3}, {"n": 11, "high": 3}, {"n": 13, "high": 3}),
    _mirrored,
)  # fmt: skip
CUT = Family(
    "cut", "deductive",
    "a {sequence} of the {values} 1 to {n}, each of them once: it was made from 1, 2, 3 and so on up to {n} by moving "
    "some {values} from the front to the end without changing their order, perhaps none, and then swapping two "
    "{values}, whichever they are",
    ({"n": 5}, {"n": 7}, {"n": 9}, {"n": 12}, {"n": 15}), _cut,
)  # fmt: skip
NEWCOMERS = Family(
    "newcomers", "deductive",
    "a {sequence} of {n} {values} from 1 to {high} that begins with 1, and in which every {value} greater than 1 has "
    "the {value} one smaller somewhere before it",
    ({"n": 5, "high": 3}, {"n": 6, "high": 3}, {"n": 7, "high": 3}, {"n": 8, "high": 3}, {"n": 9, "high": 3}),
    _newcomers,
)  # fmt: skip


def _place(world: SequenceWorld) -> list[Row]:
    return [(place,) for place in range(1, world.n + 1)]


def _pair(world: SequenceWorld) -> list[Row]:
    return list(itertools.combinations(range(1, world.n + 1), 2))


def _value(world: SequenceWorld) -> list[Row]:
    return [(value,) for value in range(1, world.high + 1)]


def _place_and_value(world: SequenceWorld) -> list[Row]:
    return list(itertools.product(range(1, world.n + 1), range(2, world.high + 1)))


def _value_pair(world: SequenceWorld) -> list[Row]:
    return list(itertools.permutations(range(1, world.high + 1), 2))


def _divisors(world: SequenceWorld) -> list[Row]:
    return [(divisor,) for divisor in range(2, 8)]


_PLACE = "any {place} from 1 to {n}"
_PAIR = "any two different {places} from 1 to {n}, in any order"
_RANGE = "any two different {places} from 1 to {n}, the smaller first"
_VALUE = "any {value} from 1 to {high}"
_PLACE_VALUE = "any {place} from 1 to {n}, then any {value} from 2 to {high}"
_PLACES = Reply("a {place} or none")

KINDS = (
    Kind("look", "the {value} {at} {place} {0}", _PLACE, _place, lambda w, i: w.values[:, i - 1], NUMBER),
    Kind(
        "compare", "whether the {value} {at} {place} {0} is less than, equal to or greater than the one {at} {place} "
        "{1}",
        _RANGE, _pair, lambda w, i, j: compare(w.values[:, i - 1], w.values[:, j - 1]), ORDER,
    ),
    Kind(
        "reaches", "whether the {value} {at} {place} {0} is at least {1}", _PLACE_VALUE, _place_and_value,
        lambda w, i, x: w.values[:, i - 1] >= x,
    ),
    Kind(
        "large", "how many of the {values} {at} {places} 1 to {0} are at least {1}", _PLACE_VALUE, _place_and_value,
        lambda w, i, x: (w.part(1, i) >= x).sum(axis=1), NUMBER,
    ),
    Kind(
        "times", "{at} how many {places} the {value} is {0}", _VALUE, _value,
        lambda w, x: w.stands[:, :, x - 1].sum(axis=1), NUMBER,
    ),
    Kind(
        "where", "the first {place} {at} which the {value} is {0}, or none if there is none", _VALUE, _value,
        lambda w, x: w.firsts[:, x - 1], _PLACES,
    ),
    Kind(
        "latest", "the last {place} {at} which the {value} is {0}, or none if there is none", _VALUE, _value,
        lambda w, x: w.lasts[:, x - 1], _PLACES,
    ),
    Kind(
        "before", "whether the first {place} {at} which the {value} is {0} comes before the last {place} {at} which it "
        "is {1} (no if {0} or {1} does not occur)",
        "any two different {values} from 1 to {high}; their order matters", _value_pair,
        lambda w, x, y: (w.firsts[:, x - 1] != NOTHING) & (w.firsts[:, x - 1] < w.lasts[:, y - 1]),
    ),
    Kind(
        "total", "the sum of the {values} {at} {places} {0} to {1}, both included", _RANGE, _pair,
        lambda w, i, j: w.sums[:, j] - w.sums[:, i - 1], NUMBER,
    ),
    Kind(
        "parity", "whether the sum of the {values} {at} {places} 1 to {0} is odd", _PLACE, _place,
        lambda w, i: w.sums[:, i] % 2,
    ),
    Kind(
        "rises", "how many of the {places} after {place} {0} up to {place} {1}, the latter included, have a greater "
        "{value} than the {place} just before them", _RANGE, _pair,
        lambda w, i, j: w.ups[:, j - 1] - w.ups[:, i - 1], NUMBER,
    ),
    Kind(
        "variety", "how many different {values} there are {at} {places} {0} to {1}, both included", _RANGE, _pair,
        lambda w, i, j: (w.earlier[:, i - 1 : j] < i).sum(axis=1), NUMBER,
    ),
    Kind(
        "greatest", "the greatest {value} {at} {places} {0} to {1}, both included", _RANGE, _pair,
        lambda w, i, j: w.part(i, j).max(axis=1), NUMBER,
    ),
    Kind(
        "smallest", "the smallest {value} {at} {places} {0} to {1}, both included", _RANGE, _pair,
        lambda w, i, j: w.part(i, j).min(axis=1), NUMBER,
    ),
    Kind(
        "overtaken", "how many {places} after {place} {0} have a smaller {value} than {place} {0} has", _PLACE, _place,
        lambda w, i: w.smaller_later[:, i - 1], NUMBER,
    ),
    Kind(
        "repeat", "whether the {value} {at} {place} {0} is the same as {at} some earlier {place}", _PLACE, _place,
        lambda w, i: w.earlier[:, i - 1] > 0,
    ),
    Kind(
        "gap", "the difference between the {values} {at} {places} {0} and {1}, the smaller taken from the larger",
        _PAIR, _pair, lambda w, i, j: np.abs(w.values[:, i - 1] - w.values[:, j - 1]), NUMBER, unordered=True,
    ),
    Kind(
        "plus", "the sum of the {values} {at} {places} {0} and {1}", _PAIR, _pair,
        lambda w, i, j: w.values[:, i - 1] + w.values[:, j - 1], NUMBER, unordered=True,
    ),
    Kind(
        "alike", "whether the {values} {at} {places} {0} and {1} are both even or both odd", _PAIR, _pair,
        lambda w, i, j: (w.values[:, i - 1] + w.values[:, j - 1]) % 2 == 0, unordered=True,
    ),
    Kind(
        "evens", "how many of the {values} {at} {places} {0} to {1}, both included, are even", _RANGE, _pair,
        lambda w, i, j: (w.part(i, j) % 2 == 0).sum(axis=1), NUMBER,
    ),
    Kind(
        "home", "how many of the {places} 1 to {0} have the number of the {place} itself as their {value}",
        _PLACE, _place,
        lambda w, i: (w.part(1, i) == np.arange(1, i + 1)).sum(axis=1), NUMBER,
    ),
    Kind(
        "remainder", "the remainder when the sum of all {values}, each multiplied by the number of its {place}, is "
        "divided by {0}", "any divisor from 2 to 7", _divisors, lambda w, d: w.weighted % d, NUMBER,
    ),
    Kind(
        "peaks", "how many {places}, the first and the last left aside, have a greater {value} than both the {place} "
        "just before and the {place} just after them", "", no_argument,
        lambda w: ((w.values[:, 1:-1] > w.values[:, :-2]) & (w.values[:, 1:-1] > w.values[:, 2:])).sum(axis=1), NUMBER,
    ),
    Kind(
        "spread", "the difference between the greatest and the smallest {value} of the {sequence}", "", no_argument,
        lambda w: np.ptp(w.values, axis=1), NUMBER,
    ),
    Kind(
        "summit", "the first {place} that has the greatest {value} of the {sequence}", "", no_argument,
        lambda w: w.values.argmax(axis=1) + 1, Reply("a {place}"),
    ),
    Kind(
        "longest", "how many {places} the longest stretch of consecutive {places} has in which each {value} but the "
        "stretch's first is greater than the one just before it; a single {place} counts as such a stretch", "",
        no_argument, lambda w: w.longest, NUMBER,
    ),
    Kind(
        "records", "how many {values} are greater than every {value} before them, the first {value} included", "",
        no_argument, lambda w: w.records.sum(axis=1), NUMBER,
    ),
)  # fmt: skip


def _half(world: SequenceWorld) -> int:
    return (world.n + 1) // 2


def _products(world: SequenceWorld) -> Codes:
    """The sum of the products of neighbours, shape (sequences,)."""
    return np.asarray((world.values[:, 1:] * world.values[:, :-1]).sum(axis=1))


def _records(world: SequenceWorld) -> Codes:
    """The records rise, so sorting moves them to the front in their order."""
    absent = world.high + 1
    found = np.sort(np.where(world.records, world.values, absent), axis=1)
    return np.where(found == absent, NOTHING, found)


TARGETS = (
    Target("everything", "all {values} of the {sequence}", lambda w: w.values, Form("the {values} in their order")),
    Target(
        "weighted", "the sum of all {values}, each multiplied by the number of its {place}", lambda w: w.weighted,
        ONE_NUMBER,
    ),
    Target(
        "products", "the sum of all products of two {values} next to each other: the first times the second, the "
        "second times the third and so on",
        _products, ONE_NUMBER,
    ),
    Target(
        "beginning", "the {values} {at} the {places} of the first half; the middle {place}, if there is one, belongs "
        "to that half",
        lambda w: w.values[:, : _half(w)], Form("the {values} in their order"),
    ),
    Target(
        "alternate", "the {values} {at} {places} 1, 3, 5 and so on", lambda w: w.values[:, ::2],
        Form("the {values} in their order"),
    ),
    Target(
        "outline", "the {value} {at} the first {place}, the {value} {at} the last {place}, the greatest {value}, and "
        "the number of the first {place} that has it",
        lambda w: np.stack(
            [w.values[:, 0], w.values[:, -1], w.values.max(axis=1), w.values.argmax(axis=1) + 1], axis=1
        ), Form("four numbers in this order"),
    ),
    Target(
        "ranking", "the numbers of all {places}, ordered by their {values}, the smallest {value} first; of {places} "
        "with equal {values} the earlier one first",
        lambda w: np.argsort(w.values, axis=1, kind="stable") + 1, NUMBERS_IN_ORDER,
    ),
    Target(
        "running", "for each {place} in turn the greatest {value} from the first {place} up to and including this one",
        lambda w: w.running, NUMBERS_IN_ORDER,
    ),
    Target(
        "places", "for each {value} from 1 to {high} in turn the number of the first {place} that has it, or 0 if "
        "there is none",
        lambda w: np.maximum(w.firsts, 0), NUMBERS_IN_ORDER,
    ),
    Target(
        "parities", "for each {place} in turn whether its {value} is even",
        lambda w: w.values % 2 == 0, WORDS_IN_ORDER,
    ),
    Target(
        "heights", "those {values} that are greater than every {value} before them, beginning with the first {value} "
        "of all",
        _records, Form("these {values} in their order"),
    ),
    Target(
        "inversions", "for each {place} in turn how many later {places} have a smaller {value}",
        lambda w: w.smaller_later, NUMBERS_IN_ORDER,
    ),
    Target(
        "neighbours", "for each {place} but the last, one after the other, the sum of its {value} and the {value} "
        "just after it",
        lambda w: w.values[:, 1:] + w.values[:, :-1], NUMBERS_IN_ORDER,
    ),
    Target(
        "halves", "the sum of the {values} {at} {places} 1, 3, 5 and so on, the sum of the {values} {at} the other "
        "{places}, and the {value} {at} the first {place}",
        lambda w: np.stack(
            [w.values[:, ::2].sum(axis=1), w.values[:, 1::2].sum(axis=1), w.values[:, 0]], axis=1
        ), Form("three numbers in this order"),
    ),
)  # fmt: skip

WEIGHTED_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of all its {values}, each multiplied by the number of "
    "its {place}.",
    lambda w: w.weighted,
)
SQUARES_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of all its {values}, each multiplied by the square of "
    "the number of its {place}.",
    lambda w: w.values @ np.arange(1, w.n + 1) ** 2,
)
PRODUCTS_PRIOR = Prior(
    "The probability of a {sequence} is proportional to the sum of all products of two {values} next to each other: "
    "the first times the second, the second times the third and so on.",
    _products,
)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


CAUSES = (
    abductive(DISTINCT, "likely-distinct", _kind("summit"), SQUARES_PRIOR),
    abductive(NEARLY_SORTED, "likely-nearly-sorted", _kind("peaks"), SQUARES_PRIOR),
    abductive(SWAPPED, "likely-swapped", _kind("peaks"), PRODUCTS_PRIOR),
    abductive(NEVER_FALLING, "likely-never-falling", _kind("spread"), SQUARES_PRIOR),
    abductive(WALKS, "likely-walks", _kind("spread"), SQUARES_PRIOR),
    abductive(ZIGZAG, "likely-zigzag", _kind("remainder"), PRODUCTS_PRIOR, 3),
    abductive(RESTLESS, "likely-restless", _kind("longest"), SQUARES_PRIOR),
    abductive(PARTS, "likely-parts", _kind("records"), WEIGHTED_PRIOR),
    abductive(PEAKED, "likely-peaked", _kind("summit"), SQUARES_PRIOR),
    abductive(MISTAKEN, "likely-mistaken", _kind("remainder"), SQUARES_PRIOR, 2),
)


def _dealt(rng: np.random.Generator, count: int, n: int, high: int, **_: int) -> SequenceWorld:
    """Different sequences of values from 1 to high."""
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, high**n):
        drawn[tuple(rng.integers(1, high + 1, n).tolist())] = None
    return SequenceWorld({"n": n, "high": high}, np.array(list(drawn)))


def _residues(rng: np.random.Generator, count: int, n: int, m: int, **_: int) -> SequenceWorld:
    """Different sequences of values from 0 to m - 1."""
    return SequenceWorld({"n": n, "high": m - 1}, _dealt(rng, count, n, m).values - 1)


def _written(world: SequenceWorld) -> list[str]:
    return ["{sequence} " + " ".join(map(str, row)) for row in world.values.tolist()]


def _mixed(made: SequenceWorld, m: int, **_: int) -> Codes:
    first, last = np.triu_indices(made.n, 1)
    pairs, a, b, c = np.meshgrid(np.arange(len(first)), np.arange(1, m), np.arange(1, m), np.arange(m))
    a, b, c, pair = (part.reshape(-1, 1) for part in (a, b, c, pairs))
    values = made.values.T
    return (a * values[first[pair[:, 0]]] + b * values[last[pair[:, 0]]] + c) % m


def _contained(made: SequenceWorld, k: int, **_: int) -> Codes:
    """Whether each pattern occurs: its earliest occurrence, grown value by value, must end within the sequence."""
    rows, n = np.arange(len(made)), made.n
    # next_end[row, value - 1, p]: where the value's first occurrence after the first p places ends; n + 1 is never.
    next_end = np.full((len(made), made.high, n + 2), n + 1)
    for place in range(n, 0, -1):
        next_end[:, :, place - 1] = np.where(made.stands[:, place - 1], place, next_end[:, :, place])
    ends = np.zeros((1, len(made)), dtype=np.int64)
    found = []
    for _length in range(k):
        ends = next_end[rows, :, ends].transpose(0, 2, 1).reshape(-1, len(made))
        found.append(ends <= n)
    return np.concatenate(found)


def _switched(made: SequenceWorld, high: int, **_: int) -> Codes:
    places = np.array(list(itertools.permutations(range(made.n), 3)))
    asked, then, other = (made.values.T[places[:, part]] for part in range(3))
    return np.concatenate([np.where(asked >= least, then, other) for least in range(2, high + 1)])


def _tallied(made: SequenceWorld, high: int, **_: int) -> Codes:
    counts = np.pad(
        (made.values[None] >= np.arange(2, high + 1)[:, None, None]).cumsum(axis=2), ((0, 0), (0, 0), (1, 0))
    )
    first, last = np.triu_indices(made.n + 1, 1)
    return np.asarray((counts[:, :, last] - counts[:, :, first]).transpose(0, 2, 1).reshape(-1, len(made)))


def _stepped(made: SequenceWorld, high: int, **_: int) -> Codes:
    step = (made.values[:, :-1] - 1) * high + made.values[:, 1:] - 1
    taken = (step[None] == np.arange(high**2)[:, None, None]).sum(axis=2)
    first, last = np.triu_indices(high**2, 1)
    return np.asarray(taken[first] + taken[last])


def _counted(made: SequenceWorld, high: int, **_: int) -> Codes:
    """The counter after all values, for every value that resets it and every choice of values that add 1."""
    choices = np.array(list(itertools.product((0, 1), repeat=high - 1)))[1:]
    # The value that resets stands at its own index; what it would add is never asked for.
    adds = np.concatenate([np.insert(choices, reset, 0, axis=1) for reset in range(high)]).T.astype(np.int16)
    resets = np.repeat(np.arange(high), len(choices))
    counter = np.zeros((len(made), len(resets)), dtype=np.int16)
    for value in made.values.T - 1:
        counter = np.where(value[:, None] == resets, 0, counter + adds[value])
    return counter.T.astype(np.int64)


def _continued(made: SequenceWorld, m: int, **_: int) -> Codes:
    a, b, c = (part.reshape(-1, 1) for part in np.meshgrid(*[np.arange(m)] * 3))
    return np.asarray((a * made.values[:, -1] + b * made.values[:, -2] + c * made.values[:, -3]) % m)


def _leads(made: SequenceWorld, e: int, **_: int) -> Codes:
    first, last = np.array(list(itertools.permutations(range(made.n), 2))).T
    lead = made.values.T[first] - made.values.T[last]
    return np.concatenate([lead >= least for least in range(e)])


RULES = (
    inductive(
        "mixed", "a rule of two secret {places} i and j, i smaller than j, and of three secret whole numbers, a and "
        "b each at least 1, c at least 0, all less than {m}: it gives a {sequence} the remainder when a times the "
        "{value} {at} {place} i plus b times the {value} {at} {place} j plus c is divided by {m}",
        ({"n": 4, "high": 6, "m": 3, "pool": 13, "shown": 2}, {"n": 6, "high": 6, "m": 3, "pool": 15, "shown": 2},
         {"n": 5, "high": 6, "m": 4, "pool": 21, "shown": 2}, {"n": 5, "high": 6, "m": 5, "pool": 21, "shown": 2},
         {"n": 7, "high": 6, "m": 5, "pool": 21, "shown": 2}), _dealt, _written, _mixed,
    ),
    inductive(
        "contained", "a rule of a secret pattern, which is 1 to {k} {values} from 1 to {high} in some order, "
        "repetitions allowed: it gives a {sequence} 1 if leaving out some of its {values}, perhaps none, can turn it "
        "into the pattern, otherwise 0",
        ({"n": 6, "high": 3, "k": 3, "pool": 25, "shown": 3}, {"n": 8, "high": 3, "k": 4, "pool": 41, "shown": 3},
         {"n": 11, "high": 4, "k": 4, "pool": 52, "shown": 3}, {"n": 14, "high": 5, "k": 4, "pool": 60, "shown": 3},
         {"n": 17, "high": 6, "k": 4, "pool": 50, "shown": 3}), _dealt, _written, _contained,
    ),
    inductive(
        "switched", "a rule of three different secret {places} i, j and k and a secret least {value} from 2 to "
        "{high}: it gives a {sequence} the {value} {at} {place} j if the {value} {at} {place} i is at least the least "
        "{value}, otherwise the {value} {at} {place} k",
        ({"n": 4, "high": 4, "pool": 20, "shown": 2}, {"n": 4, "high": 8, "pool": 23, "shown": 2},
         {"n": 5, "high": 8, "pool": 27, "shown": 2}, {"n": 6, "high": 8, "pool": 30, "shown": 2},
         {"n": 7, "high": 9, "pool": 30, "shown": 2}), _dealt, _written, _switched,
    ),
    inductive(
        "tallied", "a rule of a secret stretch of one or more {places}, a to b within 1 to {n}, and a secret least "
        "{value} from 2 to {high}: it gives a {sequence} as many points as there are {values} {at} {places} a to b, "
        "both included, that are the least {value} or more",
        ({"n": 5, "high": 4, "pool": 22, "shown": 2}, {"n": 7, "high": 5, "pool": 24, "shown": 2},
         {"n": 9, "high": 7, "pool": 23, "shown": 2}, {"n": 12, "high": 9, "pool": 31, "shown": 2},
         {"n": 15, "high": 12, "pool": 33, "shown": 2}), _dealt, _written, _tallied,
    ),
    inductive(
        "stepped", "a rule of two different secret steps, where a step is any {value} from 1 to {high} and the {value} "
        "just after it, perhaps the same: it gives a {sequence} a point each time that one of the two steps is taken "
        "in it from a {place} to the next",
        ({"n": 7, "high": 3, "pool": 19, "shown": 2}, {"n": 9, "high": 4, "pool": 22, "shown": 2},
         {"n": 11, "high": 5, "pool": 28, "shown": 2}, {"n": 13, "high": 6, "pool": 37, "shown": 2},
         {"n": 15, "high": 7, "pool": 44, "shown": 2}), _dealt, _written, _stepped,
    ),
    inductive(
        "counted", "a rule of a counter that starts at 0 and meets the {values} one after another: one secret {value} "
        "from 1 to {high} sets it back to 0, a secret choice of one or more of the other {values} adds 1 to it, and "
        "the rest leave it as it is; the rule gives a {sequence} what the counter shows at the end",
        ({"n": 6, "high": 5, "pool": 19, "shown": 2}, {"n": 7, "high": 6, "pool": 23, "shown": 2},
         {"n": 8, "high": 7, "pool": 25, "shown": 2}, {"n": 9, "high": 8, "pool": 30, "shown": 2},
         {"n": 10, "high": 9, "pool": 29, "shown": 2}), _dealt, _written, _counted,
    ),
    inductive(
        "continued", "a rule of three secret whole numbers a, b and c, each at least 0 and less than {m}, that "
        "continues a {sequence}: it gives the {value} to come next, which is the remainder when a times the last "
        "{value} plus b times the last but one plus c times the one before these two is divided by {m}",
        ({"n": 4, "m": 4, "pool": 15, "shown": 2}, {"n": 4, "m": 5, "pool": 15, "shown": 2},
         {"n": 4, "m": 7, "pool": 18, "shown": 2}, {"n": 4, "m": 9, "pool": 18, "shown": 2},
         {"n": 4, "m": 12, "pool": 24, "shown": 2}), _residues, _written, _continued,
    ),
    inductive(
        "ahead", "a rule of two different secret {places} i and j and a secret lead, a whole number at least 0 and "
        "less than {e}: it gives a {sequence} 1 if the {value} {at} {place} i minus the {value} {at} {place} j "
        "is at least the lead, otherwise 0",
        ({"n": 6, "high": 6, "e": 2, "pool": 30, "shown": 3}, {"n": 8, "high": 6, "e": 3, "pool": 37, "shown": 3},
         {"n": 11, "high": 6, "e": 3, "pool": 46, "shown": 3}, {"n": 14, "high": 12, "e": 4, "pool": 59, "shown": 3},
         {"n": 20, "high": 12, "e": 4, "pool": 59, "shown": 3}), _dealt, _written, _leads,
    ),
)  # fmt: skip
"""Rules about sequences."""

TABLE = """
distinct | where rises | alternate
distinct | latest total smallest | products
distinct | before evens | running
nearly-sorted | reaches smallest records | heights
nearly-sorted | total alike peaks | inversions
nearly-sorted | large home remainder | products
swapped | look parity evens | neighbours
swapped | latest overtaken remainder | places
swapped | before rises records | running
never-falling | times before evens | everything
never-falling | reaches gap remainder | parities
never-falling | times variety longest | places
walks | times rises repeat | heights
walks | parity greatest longest | outline
walks | compare total home | products
zigzag | parity rises plus | halves
zigzag | reaches variety alike | outline
zigzag | large total summit | parities
zigzag | large before spread | weighted
restless | look repeat gap | beginning
restless | where gap longest | inversions
restless | overtaken spread summit | ranking
parts | look large alike | everything
parts | look plus longest | neighbours
parts | compare where remainder | outline
peaked | total parity spread | heights
peaked | greatest smallest remainder | running
peaked | greatest gap summit | weighted
mistaken | where variety home | alternate
mistaken | latest overtaken repeat | halves
mistaken | rises plus peaks | neighbours
mirrored | large latest smallest | beginning
mirrored | compare variety | inversions
mirrored | latest smallest peaks | places
cut | reaches where peaks | alternate
cut | reaches alike records | outline
cut | total greatest peaks | ranking
newcomers | compare smallest evens | everything
newcomers | times overtaken spread | parities
newcomers | compare repeat records | ranking
mixed | same more any | first-and-last
mixed | same more both | first-and-last
mixed | more any odd | first-and-sum
mixed | more odd first | some-that-get-more
mixed | same more odd | some-that-get-more
contained | test odd first | all-eight
contained | more sum | equal-neighbours
contained | sum | first-and-sum
contained | sum any | five
contained | same | some-that-get-more
contained | same sum | thirds
switched | same sum odd | all-eight
switched | test same sum | equal-neighbours
switched | test more odd | even-ones
switched | test | five
switched | sum odd | thirds
tallied | sum both | all-eight
tallied | test sum | first-and-sum
tallied | test same any | five
tallied | same sum both | thirds
tallied | sum odd both | thirds
stepped | same more first | equal-neighbours
stepped | any odd first | even-ones
stepped | more both first | first-and-last
stepped | test any | first-and-sum
stepped | test same both | five
stepped | test any odd | some-that-get-more
stepped | test any both | thirds
counted | more odd | all-eight
counted | more any | equal-neighbours
counted | more any first | even-ones
counted | same more | first-and-sum
counted | more first | five
counted | more both | thirds
ahead | test first | all-eight
ahead | test sum first | equal-neighbours
ahead | test same first | first-and-sum
ahead | test both | five
ahead | test both first | some-that-get-more
ahead | test any first | thirds
likely-distinct | greatest alike home | everything
likely-distinct | compare evens home | weighted
likely-nearly-sorted | rises home | alternate
likely-nearly-sorted | parity alike summit | beginning
likely-nearly-sorted | rises home remainder | everything
likely-nearly-sorted | greatest longest records | ranking
likely-swapped | parity greatest alike | heights
likely-swapped | greatest alike records | ranking
likely-never-falling | repeat evens | everything
likely-never-falling | variety gap evens | halves
likely-never-falling | repeat gap alike | neighbours
likely-never-falling | alike evens | places
likely-walks | compare parity overtaken | alternate
likely-walks | latest evens home | inversions
likely-walks | compare rises home | places
likely-walks | overtaken evens peaks | ranking
likely-walks | where evens records | weighted
likely-zigzag | compare overtaken | halves
likely-zigzag | smallest overtaken summit | neighbours
likely-zigzag | compare overtaken summit | products
likely-zigzag | greatest overtaken spread | weighted
likely-restless | latest parity alike | alternate
likely-restless | variety repeat home | beginning
likely-restless | before alike | parities
likely-restless | where greatest repeat | products
likely-restless | where rises peaks | running
likely-parts | times before parity | everything
likely-parts | greatest home | halves
likely-parts | before smallest spread | inversions
likely-parts | where before repeat | outline
likely-peaked | times greatest | heights
likely-peaked | gap evens spread | neighbours
likely-peaked | compare overtaken gap | places
likely-mistaken | compare alike | beginning
likely-mistaken | smallest spread summit | inversions
likely-mistaken | smallest repeat peaks | parities
likely-mistaken | where parity evens | places
likely-mistaken | latest evens longest | ranking
likely-mistaken | where parity | running
likely-mistaken | before home spread | weighted
"""

STRUCTURE = Structure(
    "sequence",
    WORDS,
    (
        DISTINCT, NEARLY_SORTED, SWAPPED, NEVER_FALLING, WALKS, ZIGZAG, RESTLESS, PARTS, PEAKED, MISTAKEN, MIRRORED,
        CUT, NEWCOMERS, *CAUSES, *RULES,
    ),
    KINDS + induction.KINDS,
    TARGETS + induction.TARGETS,
    TABLE,
)  # fmt: skip
