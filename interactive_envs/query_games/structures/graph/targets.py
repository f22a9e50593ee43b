"""What is to be found out about a hidden graph. A target is a function: the answer of every graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import (
    EDGE,
    NODES_IN_ORDER,
    ONE_NUMBER,
    SOME_EDGES,
    SOME_NODES,
    WORDS_IN_ORDER,
    Codes,
    Form,
    Values,
    chosen,
    target,
)
from interactive_envs.query_games.structures.graph.worlds import (
    GraphWorld,
    Truths,
    all_pairs,
    edge_products,
    gap_counts,
)


def _edges_of(world: GraphWorld, keep: NDArray[Any]) -> Codes:
    """Per graph its edges among the pairs that are kept, booleans of shape (n, n) or (graphs, n, n)."""
    pairs = all_pairs(world.n)
    one, other = pairs[:, 0], pairs[:, 1]
    return chosen((world.edges & keep)[:, one, other], (one * EDGE + other).tolist())


def _some(world: GraphWorld, mask: NDArray[Any]) -> Codes:
    return chosen(mask, range(world.n))


def _touching(world: GraphWorld, first: int) -> Truths:
    """Pairs of which at least one is of the first so many nodes."""
    early = np.arange(world.n) < first
    return early[:, None] | early


_ONE_EACH = Form("one number for each, in this order")


@target("all {edges} of the {graph}", SOME_EDGES)
def everything(world: GraphWorld) -> Values:
    return _edges_of(world, world.edges)


@target("how many {neighbours} each {node} has, in alphabetical order from A on", _ONE_EACH)
def degrees(world: GraphWorld) -> Values:
    return world.degrees


@target(
    "all {neighbours} of the {node} with the most {neighbours} (of the first such {node} in the alphabet if "
    "there are several)",
    SOME_NODES,
)
def hub(world: GraphWorld) -> Codes:
    """The neighbours of the first node with the most neighbours."""
    return _some(world, world.edges[np.arange(len(world)), world.degrees.argmax(axis=1)])


@target("all {edges} that have A, B or both as ends", SOME_EDGES)
def edges_of_two(world: GraphWorld) -> Values:
    return _edges_of(world, _touching(world, 2))


@target(
    "how many {edges} the shortest {way} from A to each other {node} has, in alphabetical order from B on (0 "
    "where there is no {way})",
    _ONE_EACH,
)
def distances(world: GraphWorld) -> Values:
    return np.maximum(world.distances[:, 0, 1:], 0)


@target(
    "the {nodes} farthest from A: of all {nodes} that can be reached from A, those whose shortest {way} from "
    "A has the most {edges}; none if A has no {neighbours}",
    SOME_NODES,
)
def farthest_ones(world: GraphWorld) -> Codes:
    distances = world.distances[:, 0]
    greatest = distances.max(axis=1, keepdims=True)
    return _some(world, (distances == greatest) & (greatest > 0))


@target("all {nodes} with an odd number of {neighbours}", SOME_NODES)
def odd_ones(world: GraphWorld) -> Values:
    return _some(world, world.degrees % 2 == 1)


@target("all {nodes} with the most {neighbours}", SOME_NODES)
def busiest(world: GraphWorld) -> Values:
    return _some(world, world.degrees == world.degrees.max(axis=1, keepdims=True))


@target("all {nodes} with the fewest {neighbours}", SOME_NODES)
def quietest(world: GraphWorld) -> Values:
    return _some(world, world.degrees == world.degrees.min(axis=1, keepdims=True))


@target(
    "all {nodes} that are in at least one {triangle} (a {triangle} is three {nodes} that are all {joined} to "
    "each other)",
    SOME_NODES,
)
def corners(world: GraphWorld) -> Values:
    return _some(world, world.triangles > 0)


@target(
    "for each {node}, in alphabetical order from A on, the first {node} in the alphabet that can be reached "
    "from it along any number of {edges} (a {node} can always be reached from itself)",
    NODES_IN_ORDER,
)
def first_in_part(world: GraphWorld) -> Values:
    return world.first_in_part


@target(
    "for each {node}, in alphabetical order from A on, its first {neighbour} in the alphabet, or the {node} "
    "itself if it has no {neighbours}",
    NODES_IN_ORDER,
)
def first_neighbours(world: GraphWorld) -> Codes:
    """The first neighbour of each node, itself where it has none."""
    return np.where(world.degrees > 0, world.edges.argmax(axis=2), np.arange(world.n))


@target("all {edges} that do not have A as an end", SOME_EDGES)
def edges_without_a(world: GraphWorld) -> Values:
    return _edges_of(world, ~_touching(world, 1))


@target(
    "for each {node} except the last in the alphabet, in alphabetical order from A on, how many of its "
    "{neighbours} come after it in the alphabet",
    _ONE_EACH,
)
def later_neighbours(world: GraphWorld) -> Values:
    return np.asarray(np.triu(world.edges).sum(axis=2)[:, :-1])


@target(
    "for each {node} except the last in the alphabet, in alphabetical order from A on, how many {edges} join "
    "it or a {node} before it with a {node} after it",
    _ONE_EACH,
)
def cuts(world: GraphWorld) -> Codes:
    """How many edges join the nodes up to each with those after it, shape (graphs, n - 1)."""
    early = np.tri(world.n, dtype=bool)[:-1]
    across = early[:, :, None] & ~early[:, None, :]
    return np.asarray(np.tensordot(world.edges.astype(np.int64), across, ((1, 2), (1, 2))))


@target(
    "how many {edges} join {nodes} that are 1 place apart in the alphabet, how many join {nodes} that are 2 places "
    "apart, and so on up to the number of places between A and the last {node}",
    _ONE_EACH,
)
def gaps(world: GraphWorld) -> Values:
    return gap_counts(world)


@target(
    "a sum over all {edges}: the place of one end in the alphabet times the place of the other end (A's "
    "place is 1, B's is 2 and so on)",
    ONE_NUMBER,
)
def products(world: GraphWorld) -> Values:
    return edge_products(world)


@target(
    "whether A and B are {joined} directly, whether B and C are, and so on up to the last two {nodes} in the alphabet",
    WORDS_IN_ORDER,
)
def consecutive(world: GraphWorld) -> Values:
    return np.diagonal(world.edges, 1, 1, 2)
