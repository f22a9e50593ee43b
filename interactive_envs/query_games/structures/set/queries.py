"""What can be asked about a hidden set. A query is a function: the reply of every set to one argument."""

from __future__ import annotations

import itertools

import numpy as np

from interactive_envs.query_games.base import (
    NO_ARGUMENT,
    NOTHING,
    NUMBER,
    NUMBER_OR_NONE,
    ORDER,
    Arguments,
    Codes,
    Row,
    Values,
    compare,
    query,
)
from interactive_envs.query_games.structures.set.worlds import SetWorld, smallest_and_largest


def _one(world: SetWorld) -> list[Row]:
    return [(number,) for number in range(1, world.n + 1)]


def _pairs(world: SetWorld) -> list[Row]:
    return list(itertools.combinations(range(1, world.n + 1), 2))


def _thirds(world: SetWorld) -> list[Row]:
    return [(block,) for block in range(1, -(-world.n // 3) + 1)]


def _two_thirds(world: SetWorld) -> list[Row]:
    return list(itertools.combinations([block for (block,) in _thirds(world)], 2))


def _third_sum(world: SetWorld, block: int) -> Codes:
    chosen_block = slice(3 * block - 3, 3 * block)
    return world.members[:, chosen_block] @ world.numbers[chosen_block]


def _divisors(world: SetWorld) -> list[Row]:
    return [(divisor,) for divisor in range(2, max(3, world.n // 2) + 1)]


_GROUPS = (
    "where 1 to {n} is split into groups of three: group 1 is 1 to 3, group 2 is 4 to 6 and so on (the last "
    "group may be smaller)"
)
ANY_NUMBER = Arguments("any {number} from 1 to {n}", _one)
RANGE = Arguments("any two different {numbers} from 1 to {n}, the smaller first", _pairs)
TWO_NUMBERS = Arguments("any two different {numbers} from 1 to {n}, in any order", _pairs, unordered=True)
DIVISOR = Arguments("any whole number from 2 to {half}", _divisors)


@query("whether {0} is in the {set}", ANY_NUMBER)
def contains(world: SetWorld, x: int) -> Values:
    return world.members[:, x - 1]


@query("how many {numbers} of the {set} are from {0} to {1} inclusive", RANGE, NUMBER)
def count(world: SetWorld, a: int, b: int) -> Values:
    return np.asarray(world.part(a, b).sum(axis=1))


@query("whether at least one {number} of the {set} is from {0} to {1} inclusive", RANGE)
def some(world: SetWorld, a: int, b: int) -> Values:
    return np.asarray(world.part(a, b).any(axis=1))


@query("whether {0} and {1} are both in the {set}", TWO_NUMBERS)
def pair(world: SetWorld, a: int, b: int) -> Values:
    return world.members[:, a - 1] & world.members[:, b - 1]


@query("whether exactly one of {0} and {1} is in the {set}", TWO_NUMBERS)
def one(world: SetWorld, a: int, b: int) -> Values:
    return world.members[:, a - 1] ^ world.members[:, b - 1]


@query(
    "the smallest {number} of the {set} that is {0} or greater, or none if there is none", ANY_NUMBER, NUMBER_OR_NONE
)
def next_(world: SetWorld, number: int) -> Codes:
    later = world.part(number, world.n)
    return np.where(later.any(axis=1), later.argmax(axis=1) + number, NOTHING)


@query("the sum of the {numbers} of the {set} that are {0} or smaller (0 if there are none)", ANY_NUMBER, NUMBER)
def upto(world: SetWorld, x: int) -> Values:
    return world.part(1, x) @ world.numbers[:x]


@query(
    "whether the count of the {set}'s {numbers} below {0} is less than, equal to or greater than the count above {0}",
    ANY_NUMBER,
    ORDER,
)
def balance(world: SetWorld, x: int) -> Values:
    return compare(world.members[:, : x - 1].sum(axis=1), world.members[:, x:].sum(axis=1))


@query("how many {numbers} of the {set} are divisible by {0}", DIVISOR, NUMBER)
def multiples(world: SetWorld, d: int) -> Values:
    return np.asarray(world.members[:, d - 1 :: d].sum(axis=1))


@query("the remainder when the sum of the {set}'s {numbers} is divided by {0}", DIVISOR, NUMBER)
def remainder(world: SetWorld, d: int) -> Values:
    return world.total % d


@query("whether the {set} has an odd number of {numbers} from {0} to {1} inclusive", RANGE)
def parity(world: SetWorld, a: int, b: int) -> Values:
    return np.asarray(world.part(a, b).sum(axis=1) % 2)


@query(
    "how many {numbers} of the {set} are in group {0}, " + _GROUPS,
    Arguments("any group from 1 to {thirds}", _thirds),
    NUMBER,
)
def third(world: SetWorld, i: int) -> Values:
    return np.asarray(world.members[:, 3 * i - 3 : 3 * i].sum(axis=1))


@query(
    "whether the sum of the {set}'s {numbers} in group {0} is less than, equal to or greater than the sum in "
    "group {1}, " + _GROUPS,
    Arguments("any two different groups from 1 to {thirds}, the smaller first", _two_thirds),
    ORDER,
)
def heavier(world: SetWorld, i: int, j: int) -> Values:
    return compare(_third_sum(world, i), _third_sum(world, j))


@query(
    "how many {numbers} of the {set} have the remainder {1} when divided by {0}",
    Arguments(
        "a divisor (2, 3 or 4), then a remainder from 0 to the divisor minus 1",
        lambda world: [(d, r) for d in (2, 3, 4) for r in range(d)],
    ),
    NUMBER,
)
def residue(world: SetWorld, d: int, r: int) -> Values:
    return np.asarray(world.members[:, world.numbers % d == r].sum(axis=1))


@query(
    "whether {0} and its mirror ({n} + 1 - {0}) are both in the {set} or both missing from it",
    Arguments("any {number} from 1 to {half}", lambda world: [(x,) for x in range(1, world.n // 2 + 1)]),
)
def mirror(world: SetWorld, x: int) -> Values:
    return np.asarray(world.members[:, x - 1] == world.members[:, -x])


@query(
    "how many pairs of consecutive {numbers} from 1 to {0} (such as 1 and 2) are in the {set}",
    ANY_NUMBER,
    NUMBER,
)
def neighbours(world: SetWorld, x: int) -> Values:
    return np.asarray((world.members[:, : x - 1] & world.members[:, 1:x]).sum(axis=1))


@query("the difference between the largest and the smallest {number} of the {set}", NO_ARGUMENT, NUMBER)
def span(world: SetWorld) -> Values:
    return np.asarray(smallest_and_largest(world) @ np.array([-1, 1]))


@query("how many {numbers} the {set} has", NO_ARGUMENT, NUMBER)
def size(world: SetWorld) -> Values:
    return world.size


@query("the smallest {number} of the {set}", NO_ARGUMENT, NUMBER)
def smallest(world: SetWorld) -> Values:
    return np.asarray(world.members.argmax(axis=1) + 1)


@query("the largest {number} of the {set}", NO_ARGUMENT, NUMBER)
def largest(world: SetWorld) -> Values:
    return smallest_and_largest(world)[:, 1]
