"""What can be asked about a hidden graph. A query is a function: the reply of every graph to one argument."""

from __future__ import annotations

import itertools

import numpy as np

from interactive_envs.query_games.base import (
    NO_ARGUMENT,
    NODE_OR_NONE,
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
from interactive_envs.query_games.structures.graph.worlds import GraphWorld


def _one(world: GraphWorld) -> list[Row]:
    return [(node,) for node in range(world.n)]


def _after_first(world: GraphWorld) -> list[Row]:
    return [(node,) for node in range(1, world.n)]


def _before_last(world: GraphWorld) -> list[Row]:
    return [(node,) for node in range(world.n - 1)]


def _two(world: GraphWorld) -> list[Row]:
    return list(itertools.combinations(range(world.n), 2))


def _ordered(world: GraphWorld) -> list[Row]:
    return list(itertools.permutations(range(world.n), 2))


def _three(world: GraphWorld) -> list[Row]:
    return list(itertools.combinations(range(world.n), 3))


def _counts(world: GraphWorld) -> list[Row]:
    return [(count,) for count in range(world.n)]


def _first_from(world: GraphWorld, node: int, start: int) -> Codes:
    """The first neighbour of a node from ``start`` on, or NOTHING."""
    later = world.edges[:, node, start:]
    return np.where(later.any(axis=1), later.argmax(axis=1) + start, NOTHING)


def _within(world: GraphWorld, nodes: int) -> Codes:
    """How many edges join two of the first so many nodes."""
    return np.asarray(world.edges[:, :nodes, :nodes].sum(axis=(1, 2)) // 2)


TWO_NODES = Arguments("any two different {nodes}, in any order", _two, nodes=True, unordered=True)
ANY_NODE = Arguments("any {node}", _one, nodes=True)
ORDERED_PAIR = Arguments("any two different {nodes}; their order matters", _ordered, nodes=True)
RISING_PAIR = Arguments("any two different {nodes}, in alphabetical order", _two, nodes=True)


@query("whether {0} and {1} are {joined} directly", TWO_NODES)
def adjacent(world: GraphWorld, x: int, y: int) -> Values:
    return world.edges[:, x, y]


@query("how many {neighbours} {0} has", ANY_NODE, NUMBER)
def degree(world: GraphWorld, x: int) -> Values:
    return world.degrees[:, x]


@query(
    "how many {edges} the shortest {way} from {0} to {1} has, or none if there is no {way}", TWO_NODES, NUMBER_OR_NONE
)
def distance(world: GraphWorld, x: int, y: int) -> Values:
    return world.distances[:, x, y]


@query("whether there is a {way} from {0} to {1} along any number of {edges}", TWO_NODES)
def connected(world: GraphWorld, x: int, y: int) -> Values:
    return world.distances[:, x, y] >= 0


@query("how many {nodes} are {neighbours} of both {0} and {1}", TWO_NODES, NUMBER)
def common(world: GraphWorld, x: int, y: int) -> Values:
    return np.asarray((world.edges[:, x] & world.edges[:, y]).sum(axis=1))


@query(
    "how many {edges} join two of the {nodes} from A to {0} in the alphabet (inclusive)",
    Arguments("any {node} but A", _after_first, nodes=True),
    NUMBER,
)
def within(world: GraphWorld, x: int) -> Values:
    return _within(world, x + 1)


@query(
    "how many {edges} join one of the {nodes} from A to {0} in the alphabet (inclusive) with a {node} after {0}",
    Arguments("any {node} but the last in the alphabet", _before_last, nodes=True),
    NUMBER,
)
def crossing(world: GraphWorld, x: int) -> Values:
    return np.asarray(world.edges[:, : x + 1, x + 1 :].sum(axis=(1, 2)))


@query(
    "how many of the {nodes} from A to {1} in the alphabet (inclusive) are {neighbours} of {0}",
    ORDERED_PAIR,
    NUMBER,
)
def upto(world: GraphWorld, x: int, y: int) -> Values:
    return np.asarray(world.edges[:, x, : y + 1].sum(axis=1))


@query("the first {neighbour} of {0} in the alphabet, or none if it has no {neighbours}", ANY_NODE, NODE_OR_NONE)
def smallest(world: GraphWorld, x: int) -> Values:
    return _first_from(world, x, 0)


@query(
    "the first {neighbour} of {0} that comes after {1} in the alphabet, or none if there is none",
    Arguments(
        "any two different {nodes}, of which the second is not the last in the alphabet; their order matters",
        lambda world: [pair for pair in _ordered(world) if pair[1] < world.n - 1],
        nodes=True,
    ),
    NODE_OR_NONE,
)
def next_(world: GraphWorld, x: int, y: int) -> Values:
    return _first_from(world, x, y + 1)


@query(
    "whether the number of {neighbours} of {0} is less than, equal to or greater than the number of "
    "{neighbours} of {1}",
    RISING_PAIR,
    ORDER,
)
def compare_(world: GraphWorld, x: int, y: int) -> Values:
    return compare(world.degrees[:, x], world.degrees[:, y])


@query("whether {0} has an odd number of {neighbours}", ANY_NODE)
def parity(world: GraphWorld, x: int) -> Values:
    return world.degrees[:, x] % 2


@query(
    "how many of the pairs {0} and {1}, {0} and {2}, {1} and {2} are {joined} directly",
    Arguments("any three different {nodes}, in any order", _three, nodes=True, unordered=True),
    NUMBER,
)
def trio(world: GraphWorld, x: int, y: int, z: int) -> Values:
    return world.edges[:, x, y] * 1 + world.edges[:, x, z] + world.edges[:, y, z]


@query("how many {edges} have {0}, {1} or both as ends", TWO_NODES, NUMBER)
def touching(world: GraphWorld, x: int, y: int) -> Values:
    return world.degrees[:, x] + world.degrees[:, y] - world.edges[:, x, y]


@query(
    "the number of {triangles} that contain {0} (a {triangle} is three {nodes} that are all {joined} to each other)",
    ANY_NODE,
    NUMBER,
)
def triangles(world: GraphWorld, x: int) -> Values:
    return world.triangles[:, x]


@query("how many other {nodes} can be reached from {0} along one or two {edges}", ANY_NODE, NUMBER)
def near(world: GraphWorld, node: int) -> Codes:
    distances = world.distances[:, node]
    return np.asarray(((distances == 1) | (distances == 2)).sum(axis=1))


@query("how many {nodes} can be reached from {0} along any number of {edges} ({0} itself counts)", ANY_NODE, NUMBER)
def part(world: GraphWorld, x: int) -> Values:
    return np.asarray((world.distances[:, x] >= 0).sum(axis=1))


@query(
    "how many {edges} the shortest {way} from {0} to the farthest {node} that can be reached from it has (0 "
    "if {0} has no {neighbours})",
    ANY_NODE,
    NUMBER,
)
def farthest(world: GraphWorld, x: int) -> Values:
    return np.asarray(world.distances[:, x].max(axis=1))


@query(
    "whether there are two other {nodes} with a {way} between them, and every such {way} goes through {0}",
    ANY_NODE,
)
def vital(world: GraphWorld, x: int) -> Values:
    return world.separates(x)


@query(
    "for how many {nodes} the number of {neighbours} is exactly {0}",
    Arguments("any whole number that is at least 0 and less than {n}", _counts),
    NUMBER,
)
def having(world: GraphWorld, count: int) -> Values:
    return np.asarray((world.degrees == count).sum(axis=1))


@query("how many {edges} the {graph} has", NO_ARGUMENT, NUMBER)
def edges(world: GraphWorld) -> Values:
    return world.size


@query("the greatest number of {neighbours} of any {node}", NO_ARGUMENT, NUMBER)
def most(world: GraphWorld) -> Values:
    return np.asarray(world.degrees.max(axis=1))


@query(
    "the number of {parts} of the {graph} (two {nodes} are in the same {part} if there is a {way} between "
    "them along {edges}; a {node} without {edges} is a {part} by itself)",
    NO_ARGUMENT,
    NUMBER,
)
def parts(world: GraphWorld) -> Values:
    return world.parts


@query(
    "how many {triangles} the {graph} has (a {triangle} is three {nodes} that are all {joined} to each other)",
    NO_ARGUMENT,
    NUMBER,
)
def trios(world: GraphWorld) -> Values:
    return np.asarray(world.triangles.sum(axis=1) // 3)
