"""What can be asked about a hidden rule, whatever its instances are."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import (
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
from interactive_envs.query_games.structures.induction.worlds import RuleWorld

APART = 4
"""How far apart in the pool two instances of one query may be."""


def _one(world: RuleWorld) -> list[Row]:
    return [(number,) for number in range(1, len(world.pool) + 1)]


def _two(world: RuleWorld) -> list[Row]:
    return [(i, j) for i in range(1, len(world.pool)) for j in range(i + 1, min(i + APART, len(world.pool)) + 1)]


def _gives(world: RuleWorld, number: int) -> Codes:
    return world.outputs[:, number - 1]


def _range(world: RuleWorld, first: int, last: int) -> Codes:
    return world.outputs[:, first - 1 : last]


ONE_INSTANCE = Arguments("any instance number from 1 to {pool}", _one)
TWO_INSTANCES = Arguments(
    f"any two different instance numbers from 1 to {{pool}}, at most {APART} apart, in any order", _two, unordered=True
)
RANGE = Arguments(
    f"any two different instance numbers from 1 to {{pool}}, at most {APART} apart, the smaller first", _two
)


@query("the rule's output for instance {0}", ONE_INSTANCE, NUMBER)
def test(world: RuleWorld, i: int) -> Values:
    return world.outputs[:, i - 1]


@query("whether the rule's outputs for instances {0} and {1} are equal", TWO_INSTANCES)
def same(world: RuleWorld, i: int, j: int) -> Values:
    return np.asarray(compare(_gives(world, i), _gives(world, j)) == 1)


@query(
    "whether the rule's output for instance {0} is less than, equal to or greater than its output for instance {1}",
    RANGE,
    ORDER,
)
def more(world: RuleWorld, i: int, j: int) -> Values:
    return compare(world.outputs[:, i - 1], world.outputs[:, j - 1])


@query("the sum of the rule's outputs for instances {0} to {1} inclusive", RANGE, NUMBER)
def sum_(world: RuleWorld, i: int, j: int) -> Values:
    return np.asarray(_range(world, i, j).sum(axis=1))


@query("whether at least one of the rule's outputs for instances {0} to {1} inclusive is greater than 0", RANGE)
def any_(world: RuleWorld, i: int, j: int) -> Values:
    return np.asarray(_range(world, i, j).max(axis=1) > 0)


@query("whether the sum of the rule's outputs for instances {0} to {1} inclusive is odd", RANGE)
def odd(world: RuleWorld, i: int, j: int) -> Values:
    return np.asarray(_range(world, i, j).sum(axis=1) % 2)


@query("whether the rule's outputs for instances {0} and {1} are both greater than 0", TWO_INSTANCES)
def both(world: RuleWorld, i: int, j: int) -> Values:
    return np.minimum(_gives(world, i), _gives(world, j)) > 0


@query(
    "the number of the first instance, from {0} on, whose output is greater than 0, or none if there is none",
    ONE_INSTANCE,
    NUMBER_OR_NONE,
)
def first(world: RuleWorld, i: int) -> Values:
    return _first_from(world.outputs, i)


def _first_from(outputs: Codes, start: int) -> Codes:
    found = outputs[:, start - 1 :] > 0
    return np.where(found.any(axis=1), found.argmax(axis=1) + start, NOTHING)
