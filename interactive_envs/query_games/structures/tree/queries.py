"""What can be asked about a hidden tree. A query is a function: the reply of every tree to one argument."""

from __future__ import annotations

import itertools

import numpy as np

from interactive_envs.query_games.base import (
    NO_ARGUMENT,
    NODE,
    NODE_OR_NONE,
    NOTHING,
    NUMBER,
    ORDER,
    Arguments,
    Codes,
    Row,
    Values,
    compare,
    query,
)
from interactive_envs.query_games.structures.tree.worlds import (
    DEPTH,
    DOWN,
    LEAVES,
    STEPS,
    TreeWorld,
    Truths,
    node_pairs,
)


def _one(world: TreeWorld) -> list[Row]:
    return [(node,) for node in range(world.n)]


def _both_ways(world: TreeWorld) -> list[Row]:
    return list(itertools.permutations(range(world.n), 2))


def _runs(world: TreeWorld) -> list[Row]:
    return list(itertools.combinations_with_replacement(range(world.n), 2))


def _numbers(world: TreeWorld) -> list[Row]:
    return [(number,) for number in range(1, world.n)]


_UP = " (its {parent}, the {parent} of that one and so on up to the {root})"
ANY_NODE = Arguments("any {node}", _one, nodes=True)
ORDERED_PAIR = Arguments("any two different {nodes}; their order matters", _both_ways, nodes=True)
TWO_NODES = Arguments("any two different {nodes}, in any order", node_pairs, nodes=True, unordered=True)
RISING_PAIR = Arguments("any two different {nodes}, in alphabetical order", node_pairs, nodes=True)
RUN = Arguments("any two {nodes} in alphabetical order, or the same {node} twice", _runs, nodes=True)
COUNT = Arguments("any whole number from 1 to {most}", _numbers)


@query("the {parent} of {0}, or none if {0} is the {root}", ANY_NODE, NODE_OR_NONE)
def parent(world: TreeWorld, x: int) -> Values:
    return world.parents[:, x]


@query("whether {0} is one of the {ancestors} of {1}" + _UP, ORDERED_PAIR)
def above(world: TreeWorld, x: int, y: int) -> Values:
    return world.above[:, x, y]


@query("the {depth} of {0}" + DEPTH, ANY_NODE, NUMBER)
def depth(world: TreeWorld, x: int) -> Values:
    return world.depth[:, x]


@query("how many {children} {0} has", ANY_NODE, NUMBER)
def children(world: TreeWorld, x: int) -> Values:
    return world.children[:, x]


@query("how many {descendants} {0} has" + DOWN, ANY_NODE, NUMBER)
def below(world: TreeWorld, x: int) -> Values:
    return world.size[:, x] - 1


@query(
    "the first {node} on the {path} from {0} up to the {root} that is also on the {path} from {1} up to the "
    "{root} (it may be {0} or {1} itself)",
    TWO_NODES,
    NODE,
)
def meet(world: TreeWorld, x: int, y: int) -> Values:
    return world.meet(x, y)


@query("the smallest number of steps from {0} to {1}" + STEPS, TWO_NODES, NUMBER)
def distance(world: TreeWorld, x: int, y: int) -> Values:
    return world.distance(x, y)


@query("whether the smallest number of steps from {0} to {1} is odd" + STEPS, TWO_NODES)
def parity(world: TreeWorld, x: int, y: int) -> Values:
    return world.distance(x, y) % 2


@query("whether {0} and {1} have the same {parent} (no if one of them is the {root})", TWO_NODES)
def siblings(world: TreeWorld, first: int, last: int) -> Truths:
    same: Truths = world.parents[:, first] == world.parents[:, last]
    return same


@query("whether one of {0} and {1} is the {parent} of the other", TWO_NODES)
def linked(world: TreeWorld, x: int, y: int) -> Values:
    return np.asarray((world.parents[:, x] == y) | (world.parents[:, y] == x))


@query("how many of the " + LEAVES + " are {0} itself or {descendants} of {0}" + DOWN, ANY_NODE, NUMBER)
def tips(world: TreeWorld, x: int) -> Values:
    return np.asarray((world.above[:, x] & world.leaves).sum(axis=1))


@query(
    "whether the {depth} of {0} is less than, equal to or greater than the {depth} of {1}" + DEPTH, RISING_PAIR, ORDER
)
def deeper(world: TreeWorld, x: int, y: int) -> Values:
    return compare(world.depth[:, x], world.depth[:, y])


@query(
    "whether the number of {descendants} of {0}"
    + DOWN
    + " is less than, equal to or greater than the number of {descendants} of {1}",
    RISING_PAIR,
    ORDER,
)
def heavier(world: TreeWorld, x: int, y: int) -> Values:
    return compare(world.size[:, x], world.size[:, y])


@query("whether {0} and {1} have the same {depth}" + DEPTH, TWO_NODES)
def peers(world: TreeWorld, x: int, y: int) -> Values:
    return np.asarray(world.depth[:, x] == world.depth[:, y])


@query("whether {0} has no {children}", ANY_NODE)
def leaf(world: TreeWorld, x: int) -> Values:
    return world.leaves[:, x]


@query(
    "which of the {root}'s {children} is {0} itself or has {0} among its {descendants}"
    + DOWN
    + ", or none if {0} is the {root}",
    ANY_NODE,
    NODE_OR_NONE,
)
def top(world: TreeWorld, node: int) -> Codes:
    """The child of the root that a node is or is below, NOTHING for the root."""
    found = world.below_root & world.above[:, :, node]
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


@query("the {parent} of the {parent} of {0}, or none if there is none", ANY_NODE, NODE_OR_NONE)
def grandparent(world: TreeWorld, node: int) -> Codes:
    found = world.above[:, :, node] & (world.depth == world.depth[:, node, None] - 2)
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


@query("which of the {children} of {0} comes first in the alphabet, or none if it has none", ANY_NODE, NODE_OR_NONE)
def eldest(world: TreeWorld, node: int) -> Codes:
    found = world.parents == node
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


@query(
    "the number of steps from {0} down to the farthest of its {descendants} (0 if it has none); each step "
    "goes to one of the {children}",
    ANY_NODE,
    NUMBER,
)
def reach(world: TreeWorld, node: int) -> Codes:
    deepest: Codes = np.where(world.above[:, node], world.depth, 0).max(axis=1)
    return deepest - world.depth[:, node]


@query("how many {nodes} from {0} to {1} in the alphabet (inclusive) have no {children}", RUN, NUMBER)
def bare(world: TreeWorld, x: int, y: int) -> Values:
    return np.asarray(world.leaves[:, x : y + 1].sum(axis=1))


@query("the sum of the {depth} of all {nodes} from {0} to {1} in the alphabet (inclusive)" + DEPTH, RUN, NUMBER)
def depths(world: TreeWorld, x: int, y: int) -> Values:
    return np.asarray(world.depth[:, x : y + 1].sum(axis=1))


@query("how many {nodes} have {depth} {0}" + DEPTH, COUNT, NUMBER)
def layer(world: TreeWorld, d: int) -> Values:
    return np.asarray((world.depth == d).sum(axis=1))


@query("for how many {nodes} the number of {children} is exactly {0}", COUNT, NUMBER)
def forks(world: TreeWorld, k: int) -> Values:
    return np.asarray((world.children == k).sum(axis=1))


@query("the greatest {depth} of all {nodes}" + DEPTH, NO_ARGUMENT, NUMBER)
def height(world: TreeWorld) -> Values:
    return np.asarray(world.depth.max(axis=1))


@query("how many " + LEAVES + " there are", NO_ARGUMENT, NUMBER)
def leaves(world: TreeWorld) -> Values:
    return np.asarray(world.leaves.sum(axis=1))


@query("how many {children} the {root} has", NO_ARGUMENT, NUMBER)
def branches(world: TreeWorld) -> Values:
    return np.asarray(world.below_root.sum(axis=1))
