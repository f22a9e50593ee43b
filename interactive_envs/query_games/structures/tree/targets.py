"""What is to be found out about a hidden tree. A target is a function: the answer of every tree."""

from __future__ import annotations

import numpy as np

from interactive_envs.query_games.base import (
    EDGE,
    NODES_IN_ORDER,
    NOTHING,
    NUMBERS_IN_ORDER,
    Codes,
    Form,
    Values,
    chosen,
    target,
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


def _ranked(mask: Truths, keys: Codes) -> Codes:
    """Per state the nodes that a mask chooses, the smallest key first, equal ones by the alphabet."""
    last = np.iinfo(np.int64).max
    order = np.where(mask, keys, last).argsort(axis=1, kind="stable")
    width = max(1, int(mask.sum(axis=1).max(initial=0)))
    return np.where(np.take_along_axis(mask, order, axis=1), order, NOTHING)[:, :width]


def _codes(above: Codes) -> Codes:
    """The edge to each node from what is above it, NOTHING where nothing is, shape (trees, n)."""
    return np.where(above == NOTHING, NOTHING, above * EDGE + np.arange(above.shape[1]))


def _some(mask: Truths, codes: Codes) -> Codes:
    """Per state those codes that a mask chooses, sorted, filled with NOTHING."""
    last = np.iinfo(np.int64).max
    some = np.sort(np.where(mask, codes, last), axis=1)[:, : max(1, int(mask.sum(axis=1).max(initial=0)))]
    return np.where(some == last, NOTHING, some)


_PAIRS = Form("pairs such as A-B in any order", "arrow", ordered=False)


@target(
    "the whole {tree}: one pair for each {node} except the {root}, first its {parent}, then the {node} itself", _PAIRS
)
def everything(world: TreeWorld) -> Codes:
    """All edges; the root's is the least before it is cut off."""
    codes = _codes(world.parents)
    codes.sort(axis=1)
    return codes[:, 1:]


@target(
    "the {nodes} on the {path} from the {root} down to the last {node} in the alphabet, including both ends",
    NODES_IN_ORDER,
)
def way_down(world: TreeWorld) -> Values:
    return _ranked(world.above[:, :, world.n - 1], world.depth)


@target("the {depth} of each {node}, in alphabetical order" + DEPTH, NUMBERS_IN_ORDER)
def all_depths(world: TreeWorld) -> Values:
    return world.depth


@target("how many {descendants} each {node} has" + DOWN + ", in alphabetical order", NUMBERS_IN_ORDER)
def all_sizes(world: TreeWorld) -> Values:
    return world.size - 1


@target("how many {children} each {node} has, in alphabetical order", NUMBERS_IN_ORDER)
def all_children(world: TreeWorld) -> Values:
    return world.children


@target(
    "all {nodes}, sorted by the number of {descendants} of each"
    + DOWN
    + ", the most first (where the numbers are equal, in alphabetical order)",
    NODES_IN_ORDER,
)
def by_size(world: TreeWorld) -> Values:
    return _ranked(np.ones_like(world.leaves), -world.size)


@target(
    "all pairs of different {nodes} with the same {parent}, each pair once",
    Form("pairs such as B-C in any order, either end first", "edge", ordered=False),
)
def sibling_pairs(world: TreeWorld) -> Codes:
    pairs = np.array(node_pairs(world))
    return chosen(world.parents[:, pairs[:, 0]] == world.parents[:, pairs[:, 1]], (pairs @ [EDGE, 1]).tolist())


@target(
    "all {nodes} in pre-order, beginning with the {root}: a {node} comes first, then each of its "
    "{children} in alphabetical order, each followed directly by all of its own {descendants}"
    + DOWN
    + " in the same way",
    NODES_IN_ORDER,
)
def tour(world: TreeWorld) -> Codes:
    """Nodes come by the letters on their way from the root, read as the digits of a number."""
    ways = np.arange(1, world.n + 1) * (world.n + 1) ** (world.n - 1 - world.depth)
    return _ranked(np.ones_like(world.leaves), (ways[:, :, None] * world.above).sum(axis=1))


@target(
    "all " + LEAVES + ", the greatest {depth} first" + DEPTH + "; where it is equal, in alphabetical order",
    NODES_IN_ORDER,
)
def leaves_by_depth(world: TreeWorld) -> Values:
    return _ranked(world.leaves, -world.depth)


@target("one pair for each of the " + LEAVES + ", first its {parent}, then the {node} itself", _PAIRS)
def leaf_pairs(world: TreeWorld) -> Values:
    return _some(world.leaves, _codes(world.parents))


@target(
    "one pair for each {node} that is neither the {root} nor one of its {children}, first the {parent} of "
    "its {parent}, then the {node} itself",
    _PAIRS,
)
def grand_pairs(world: TreeWorld) -> Codes:
    up = np.where(world.parents == NOTHING, NOTHING, np.take_along_axis(world.parents, world.parents, axis=1))
    return _some(up != NOTHING, _codes(up))


@target(
    "for each {node} in alphabetical order, the smallest number of steps to the last {node} in the alphabet "
    "(0 for that {node} itself)" + STEPS,
    NUMBERS_IN_ORDER,
)
def distances(world: TreeWorld) -> Values:
    return np.stack([world.distance(x, world.n - 1) for x in range(world.n)], axis=1)


@target(
    "the {depth} of each of the "
    + LEAVES
    + ", in alphabetical order; the {root} has {depth} 0, its {children} 1 and so on",
    NUMBERS_IN_ORDER,
)
def leaf_depths(world: TreeWorld) -> Codes:
    """The depth of each leaf, the leaves in the order of the alphabet."""
    leaves = _ranked(world.leaves, np.zeros_like(world.depth))
    return np.where(leaves == NOTHING, NOTHING, np.take_along_axis(world.depth, leaves, axis=1))
