"""What can be asked about a hidden sequence. A query is a function: the reply of every sequence to one argument."""

from __future__ import annotations

import itertools

import numpy as np

from interactive_envs.query_games.base import (
    NO_ARGUMENT,
    NOTHING,
    NUMBER,
    ORDER,
    Arguments,
    Reply,
    Row,
    Values,
    compare,
    query,
)
from interactive_envs.query_games.structures.sequence.worlds import SequenceWorld


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


_PLACES = Reply("a {place} or none")
ANY_PLACE = Arguments("any {place} from 1 to {n}", _place)
RANGE = Arguments("any two different {places} from 1 to {n}, the smaller first", _pair)
PLACE_AND_VALUE = Arguments("any {place} from 1 to {n}, then any {value} from 2 to {high}", _place_and_value)
ANY_VALUE = Arguments("any {value} from 1 to {high}", _value)
TWO_PLACES = Arguments("any two different {places} from 1 to {n}, in any order", _pair, unordered=True)


@query("the {value} {at} {place} {0}", ANY_PLACE, NUMBER)
def look(world: SequenceWorld, i: int) -> Values:
    return world.values[:, i - 1]


@query(
    "whether the {value} {at} {place} {0} is less than, equal to or greater than the {value} {at} {place} {1}",
    RANGE,
    ORDER,
)
def compare_(world: SequenceWorld, i: int, j: int) -> Values:
    return compare(world.values[:, i - 1], world.values[:, j - 1])


@query("whether the {value} {at} {place} {0} is {1} or greater", PLACE_AND_VALUE)
def reaches(world: SequenceWorld, i: int, x: int) -> Values:
    return world.values[:, i - 1] >= x


@query("how many of the {values} {at} {places} 1 to {0} are {1} or greater", PLACE_AND_VALUE, NUMBER)
def large(world: SequenceWorld, i: int, x: int) -> Values:
    return np.asarray((world.part(1, i) >= x).sum(axis=1))


@query("how often the {value} {0} occurs", ANY_VALUE, NUMBER)
def times(world: SequenceWorld, x: int) -> Values:
    return np.asarray(world.stands[:, :, x - 1].sum(axis=1))


@query("the first {place} with the {value} {0}, or none if there is none", ANY_VALUE, _PLACES)
def where(world: SequenceWorld, x: int) -> Values:
    return world.firsts[:, x - 1]


@query("the last {place} with the {value} {0}, or none if there is none", ANY_VALUE, _PLACES)
def latest(world: SequenceWorld, x: int) -> Values:
    return world.lasts[:, x - 1]


@query(
    "whether the first {place} with the {value} {0} comes before the last {place} with the {value} {1} (no "
    "if {0} or {1} does not occur)",
    Arguments("any two different {values} from 1 to {high}; their order matters", _value_pair),
)
def before(world: SequenceWorld, x: int, y: int) -> Values:
    return np.asarray((world.firsts[:, x - 1] != NOTHING) & (world.firsts[:, x - 1] < world.lasts[:, y - 1]))


@query("the sum of the {values} {at} {places} {0} to {1} inclusive", RANGE, NUMBER)
def total(world: SequenceWorld, i: int, j: int) -> Values:
    return world.sums[:, j] - world.sums[:, i - 1]


@query("whether the sum of the {values} {at} {places} 1 to {0} is odd", ANY_PLACE)
def parity(world: SequenceWorld, i: int) -> Values:
    return world.sums[:, i] % 2


@query(
    "how often the {value} rises from one {place} to the next between {place} {0} and {place} {1}",
    RANGE,
    NUMBER,
)
def rises(world: SequenceWorld, i: int, j: int) -> Values:
    return world.ups[:, j - 1] - world.ups[:, i - 1]


@query("how many different {values} occur {at} {places} {0} to {1} inclusive", RANGE, NUMBER)
def variety(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray((world.earlier[:, i - 1 : j] < i).sum(axis=1))


@query("the greatest {value} {at} {places} {0} to {1} inclusive", RANGE, NUMBER)
def greatest(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray(world.part(i, j).max(axis=1))


@query("the smallest {value} {at} {places} {0} to {1} inclusive", RANGE, NUMBER)
def smallest(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray(world.part(i, j).min(axis=1))


@query("how many {places} after {place} {0} have a smaller {value} than {place} {0}", ANY_PLACE, NUMBER)
def overtaken(world: SequenceWorld, i: int) -> Values:
    return world.smaller_later[:, i - 1]


@query("whether the {value} {at} {place} {0} also occurs {at} an earlier {place}", ANY_PLACE)
def repeat(world: SequenceWorld, i: int) -> Values:
    return world.earlier[:, i - 1] > 0


@query(
    "the difference between the {values} {at} {places} {0} and {1}, the larger minus the smaller",
    TWO_PLACES,
    NUMBER,
)
def gap(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray(np.abs(world.values[:, i - 1] - world.values[:, j - 1]))


@query("the sum of the {values} {at} {places} {0} and {1}", TWO_PLACES, NUMBER)
def plus(world: SequenceWorld, i: int, j: int) -> Values:
    return world.values[:, i - 1] + world.values[:, j - 1]


@query("whether the {values} {at} {places} {0} and {1} are both even or both odd", TWO_PLACES)
def alike(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray((world.values[:, i - 1] + world.values[:, j - 1]) % 2 == 0)


@query("how many of the {values} {at} {places} {0} to {1} inclusive are even", RANGE, NUMBER)
def evens(world: SequenceWorld, i: int, j: int) -> Values:
    return np.asarray((world.part(i, j) % 2 == 0).sum(axis=1))


@query("how many of the {places} 1 to {0} have a {value} equal to the number of the {place}", ANY_PLACE, NUMBER)
def home(world: SequenceWorld, i: int) -> Values:
    return np.asarray((world.part(1, i) == np.arange(1, i + 1)).sum(axis=1))


@query(
    "the remainder when the sum of each {value} times the number of its {place} is divided by {0}",
    Arguments("any divisor from 2 to 7", _divisors),
    NUMBER,
)
def remainder(world: SequenceWorld, d: int) -> Values:
    return world.weighted % d


@query(
    "how many {places}, not counting the first and the last, have a greater {value} than both {places} next to them",
    NO_ARGUMENT,
    NUMBER,
)
def peaks(world: SequenceWorld) -> Values:
    return np.asarray(
        ((world.values[:, 1:-1] > world.values[:, :-2]) & (world.values[:, 1:-1] > world.values[:, 2:])).sum(axis=1)
    )


@query("the difference between the greatest and the smallest {value} of the {sequence}", NO_ARGUMENT, NUMBER)
def spread(world: SequenceWorld) -> Values:
    return np.asarray(np.ptp(world.values, axis=1))


@query("the first {place} with the greatest {value} of the {sequence}", NO_ARGUMENT, Reply("a {place}"))
def summit(world: SequenceWorld) -> Values:
    return np.asarray(world.values.argmax(axis=1) + 1)


@query(
    "how many {places} the longest rising run has (a run of consecutive {places} in which each {value} is greater than "
    "the one before it; a single {place} is a run, too)",
    NO_ARGUMENT,
    NUMBER,
)
def longest(world: SequenceWorld) -> Values:
    return world.longest


@query("how many {values} are greater than every {value} before them (the first {value} counts)", NO_ARGUMENT, NUMBER)
def records(world: SequenceWorld) -> Values:
    return np.asarray(world.records.sum(axis=1))
