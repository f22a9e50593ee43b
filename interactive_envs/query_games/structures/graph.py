"""Graphs of named nodes and undirected edges: hidden graphs, graphs as causes, and rules about graphs."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import (
    EDGE,
    NODE_OR_NONE,
    NODES,
    NODES_IN_ORDER,
    NOTHING,
    NUMBER,
    NUMBER_OR_NONE,
    ONE_NUMBER,
    ORDER,
    SOME_EDGES,
    SOME_NODES,
    WORDS_IN_ORDER,
    Codes,
    Family,
    Form,
    Kind,
    Prior,
    Row,
    Structure,
    Target,
    World,
    abductive,
    chosen,
    compare,
    no_argument,
)
from interactive_envs.query_games.structures import induction
from interactive_envs.query_games.structures.induction import inductive

Truths = NDArray[np.bool_]

WORDS = {
    word: word
    for word in (
        "graph graphs node nodes edge edges joined neighbour neighbours way part parts triangle triangles ring".split()
    )
}
_FAR = 60
"""Stands for 'no way' while distances are computed: twice it still fits a byte."""


@dataclass(frozen=True)
class GraphWorld(World):
    """Undirected graphs on the same n nodes.

    Attributes:
        edges: whether two nodes are joined, booleans of shape (graphs, n, n), symmetric, with an empty diagonal.
    """

    edges: Truths
    per_state: ClassVar[tuple[str, ...]] = ("edges",)

    @property
    def n(self) -> int:
        """How many nodes there are."""
        return int(self.edges.shape[1])

    @property
    def places(self) -> Codes:
        """Each node's place in the alphabet, from 1 on."""
        return np.arange(1, self.n + 1)

    @functools.cached_property
    def degrees(self) -> Codes:
        """How many neighbours each node has, shape (graphs, n)."""
        return np.asarray(self.edges.sum(axis=2), dtype=np.int64)

    @functools.cached_property
    def size(self) -> Codes:
        """How many edges each graph has."""
        return np.asarray(self.degrees.sum(axis=1) // 2, dtype=np.int64)

    @functools.cached_property
    def distances(self) -> NDArray[np.int8]:
        """The fewest edges from node to node, shape (graphs, n, n); NOTHING where there is no way."""
        far = np.where(self.edges, np.int8(1), np.int8(_FAR))
        far[:, range(self.n), range(self.n)] = 0
        for via in range(self.n):
            np.minimum(far, far[:, :, via, None] + far[:, via, None, :], out=far)
        return np.where(far == _FAR, np.int8(NOTHING), far)

    @functools.cached_property
    def first_in_part(self) -> Codes:
        """The first node of each node's part, shape (graphs, n)."""
        return np.asarray((self.distances >= 0).argmax(axis=2), dtype=np.int64)

    @property
    def parts(self) -> Codes:
        """How many parts each graph has."""
        return np.asarray((self.first_in_part == range(self.n)).sum(axis=1))

    @functools.cached_property
    def triangles(self) -> Codes:
        """How many triangles go through each node, shape (graphs, n)."""
        edges = self.edges.astype(np.float32)
        return np.asarray(((edges @ edges) * edges).sum(axis=2) / 2, dtype=np.int64)

    def without(self, gone: int) -> GraphWorld:
        """The graphs without one node."""
        rest = [node for node in range(self.n) if node != gone]
        return GraphWorld(self.facts, self.edges[:, rest][:, :, rest])

    def separates(self, node: int) -> Truths:
        """Whether two other nodes are connected through this one alone."""
        separated: Truths = self.without(node).parts > self.parts
        return separated


def of_pairs(n: int, pairs: NDArray[Any], **facts: int) -> GraphWorld:
    """Graphs of equally many edges.

    Args:
        n: how many nodes.
        pairs: the ends of the edges, shape (graphs, edges, 2).
        facts: other parameters.
    """
    edges = np.zeros((len(pairs), n, n), dtype=bool)
    rows = np.arange(len(pairs))[:, None]
    edges[rows, pairs[:, :, 0], pairs[:, :, 1]] = True
    return GraphWorld({"n": n, **facts}, edges | edges.swapaxes(1, 2))


def listed(n: int, graphs: Iterable[Iterable[int]]) -> GraphWorld:
    """A world of the graphs listed, each as the indices of its edges in ``all_pairs``."""
    rows = list(map(list, graphs))
    chosen_edges = np.zeros((len(rows), n * (n - 1) // 2), dtype=bool)
    for row, indices in enumerate(rows):
        chosen_edges[row, indices] = True
    return GraphWorld({"n": n}, _unfolded(n, chosen_edges))


def all_pairs(n: int) -> Codes:
    """All pairs of different nodes, in order, shape (pairs, 2)."""
    return np.array(list(itertools.combinations(range(n), 2)))


def _unfolded(n: int, chosen_edges: NDArray[Any]) -> Truths:
    edges = np.zeros((len(chosen_edges), n, n), dtype=bool)
    pairs = all_pairs(n)
    edges[:, pairs[:, 0], pairs[:, 1]] = chosen_edges
    edges[:, pairs[:, 1], pairs[:, 0]] = chosen_edges
    return edges


def _combinations(things: int, size: int) -> Codes:
    found = itertools.chain.from_iterable(itertools.combinations(range(things), size))
    return np.fromiter(found, np.int64).reshape(math.comb(things, size), size)


def _one_way(size: int, first: int) -> Codes:
    """Orders of so many things whose ``first`` thing comes before their last one: each of the others is a mirror's."""
    orders = np.array([order for order in itertools.permutations(range(size)) if order[first] < order[-1]])
    return orders[orders[:, 0] == 0] if first else orders


def _bits(width: int) -> Codes:
    """All rows of so many zeros and ones."""
    return np.arange(1 << width)[:, None] >> np.arange(width) & 1


def _labels(n: int, most: int) -> Codes:
    """All ways to put n things into at most so many groups: the group of each, groups numbered as they first occur."""
    labels = np.zeros((1, 1), dtype=np.int64)
    for _ in range(1, n):
        groups = labels.max(axis=1) + 1
        grown = [(labels[groups >= group], group) for group in range(most)]
        labels = np.concatenate([np.column_stack([rows, np.full(len(rows), group)]) for rows, group in grown])
    return labels


def _alike(labels: Codes) -> Truths:
    """Which two different things have the same label."""
    same: Truths = (labels[:, :, None] == labels[:, None, :]) & ~np.eye(labels.shape[1], dtype=bool)
    return same


def _ring(n: int, k: int) -> GraphWorld:
    rings = _combinations(n, k)[:, _one_way(k, 1)].reshape(-1, k)
    return of_pairs(n, np.stack([rings, np.roll(rings, 1, axis=1)], axis=2), k=k)


def _line(n: int, k: int) -> GraphWorld:
    lines = _combinations(n, k)[:, _one_way(k, 0)].reshape(-1, k)
    return of_pairs(n, np.stack([lines[:, 1:], lines[:, :-1]], axis=2), k=k)


def _pairs(n: int) -> GraphWorld:
    partner = np.arange(n)[None, :]
    for late in range(1, n):
        grown = [partner]
        for early in range(late):
            free = partner[partner[:, early] == early]
            free[:, [early, late]] = late, early
            grown.append(free)
        partner = np.concatenate(grown)
    return GraphWorld({"n": n}, (partner[:, :, None] == np.arange(n)) & ~np.eye(n, dtype=bool))


def _teams(n: int, k: int) -> GraphWorld:
    labels = _labels(n, k)
    return GraphWorld({"n": n, "k": k}, _alike(labels[labels.max(axis=1) == k - 1]))


def _sides(n: int) -> Codes:
    """All splits of n things into two sides, neither empty: the side of each thing, 0 for that of the first."""
    return _labels(n, 2)[1:]


def _split(n: int) -> GraphWorld:
    sides = _sides(n)
    return GraphWorld({"n": n}, sides[:, :, None] != sides[:, None, :])


def _bridge(n: int) -> GraphWorld:
    sides = _sides(n)
    row, one, other = np.nonzero(sides[:, :, None] < sides[:, None, :])
    return GraphWorld({"n": n}, _alike(sides)[row] | of_pairs(n, np.stack([one, other], axis=1)[:, None]).edges)


def _few_edges(n: int, k: int) -> GraphWorld:
    pairs = all_pairs(n)
    return of_pairs(n, pairs[_combinations(len(pairs), k)], k=k)


def _chords(n: int) -> GraphWorld:
    ring = [[node, (node + 1) % n] for node in range(n)]
    others = [pair for pair in itertools.combinations(range(n), 2) if 1 < pair[1] - pair[0] < n - 1]
    chords = np.array(others)[_combinations(len(others), 2)]
    return of_pairs(n, np.concatenate([np.broadcast_to(ring, (len(chords), n, 2)), chords], axis=1))


def _roads(m: int, k: int) -> GraphWorld:
    streets = [[node, node + 1] for node in range(2 * m) if (node + 1) % m]
    roads = np.array(streets + [[node, node + m] for node in range(m)])
    closed = (of_pairs(2 * m, roads[_combinations(len(roads), size)]).edges for size in range(k + 1))
    all_roads = of_pairs(2 * m, roads[None]).edges
    world = GraphWorld({"n": 2 * m, "m": m, "k": k}, all_roads & ~np.concatenate(list(closed)))
    return world.take(world.parts == 1)


def _hubs(n: int) -> GraphWorld:
    choices = np.array(list(itertools.product(range(3), repeat=n - 2)))
    edges = np.zeros((len(choices), n, n), dtype=bool)
    for hub in range(2):
        edges[:, hub, 2:] = edges[:, 2:, hub] = choices != hub
    return GraphWorld({"n": n}, edges)


def _loops(n: int) -> GraphWorld:
    """Sums of triangles of three nodes in a row: these are all graphs of even degrees on the edges there may be."""
    pairs = all_pairs(n)
    triangles = np.array(
        [[(pair >= first).all() and (pair <= first + 2).all() for pair in pairs] for first in range(n - 2)]
    )
    return GraphWorld({"n": n}, _unfolded(n, _bits(n - 2) @ triangles.astype(np.int64) % 2))


def _steps(a: int, b: int) -> GraphWorld:
    counts = np.array(list(itertools.combinations_with_replacement(range(b, -1, -1), a)))
    edges = np.zeros((len(counts), a + b, a + b), dtype=bool)
    edges[:, :a, a:] = np.arange(b) < counts[:, :, None]
    return GraphWorld({"n": a + b, "a": a, "b": b}, edges | edges.swapaxes(1, 2))


def _all_or_none(n: int) -> GraphWorld:
    joins = _bits(n - 1)
    edges = np.zeros((len(joins), n, n), dtype=bool)
    for late in range(1, n):
        edges[:, late, :late] = joins[:, late - 1, None]
    return GraphWorld({"n": n}, edges | edges.swapaxes(1, 2))


RING = Family(
    "ring", "deductive",
    "a {graph} of {n} {nodes} in which {k} {nodes}, in any order, form one {ring}: each is {joined} to the next and "
    "the last to the first; there are no other {edges}",
    ({"n": 6, "k": 4}, {"n": 7, "k": 4}, {"n": 7, "k": 5}, {"n": 8, "k": 5}, {"n": 9, "k": 5}), _ring,
)  # fmt: skip
LINE = Family(
    "line", "deductive",
    "a {graph} of {n} {nodes} in which {k} {nodes}, in any order, form one line: each but the last is {joined} to the "
    "next; there are no other {edges}",
    ({"n": 5, "k": 3}, {"n": 6, "k": 3}, {"n": 6, "k": 4}, {"n": 7, "k": 4}, {"n": 7, "k": 5}), _line,
)  # fmt: skip
PAIRS = Family(
    "pairs", "deductive", "a {graph} of {n} {nodes} in which no {node} has more than one {neighbour}; there may be no "
    "{edges} at all",
    ({"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}), _pairs,
)  # fmt: skip
TEAMS = Family(
    "teams", "deductive",
    "a {graph} whose {n} {nodes} form exactly {k} teams, each of one or more {nodes}: two {nodes} are {joined} if they "
    "are in the same team, and only then",
    ({"n": 6, "k": 2}, {"n": 6, "k": 3}, {"n": 7, "k": 3}, {"n": 8, "k": 3}, {"n": 9, "k": 3}), _teams,
)  # fmt: skip
SPLIT = Family(
    "split", "deductive",
    "a {graph} whose {n} {nodes} are on two sides, at least one on each: two {nodes} are {joined} if they are on "
    "different sides, and only then",
    ({"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}, {"n": 11}), _split,
)  # fmt: skip
BRIDGE = Family(
    "bridge", "deductive",
    "a {graph} whose {n} {nodes} are on two sides, at least one on each: any two {nodes} on the same side are "
    "{joined}, and exactly one pair of {nodes} from different sides is {joined}",
    ({"n": 4}, {"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}), _bridge,
)  # fmt: skip
FEW_EDGES = Family(
    "few-edges", "deductive", "a {graph} of {n} {nodes} with exactly {k} {edges}",
    ({"n": 5, "k": 2}, {"n": 6, "k": 2}, {"n": 7, "k": 2}, {"n": 6, "k": 3}, {"n": 7, "k": 3}), _few_edges,
)  # fmt: skip
CHORDS = Family(
    "chords", "deductive",
    "a {graph} of {n} {nodes} that form one {ring}, each {joined} to the next in the alphabet and the last to A; "
    "besides, exactly two more pairs of {nodes} are {joined}, whichever they are, and there are no other {edges}",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 10}, {"n": 12}), _chords,
)  # fmt: skip
ROADS = Family(
    "roads", "deductive",
    "a {graph} of two rows of {m} {nodes}, named in the order of the alphabet, from left to right, the upper row "
    "first: to begin with, each {node} is {joined} to the ones on its right and left and to the one above or below it "
    "in the other row; then 0 to {k} of these {edges} are taken away, but so that there is still a {way} from every "
    "{node} to every other",
    ({"m": 4, "k": 2}, {"m": 4, "k": 3}, {"m": 5, "k": 3}, {"m": 6, "k": 3}, {"m": 6, "k": 4}), _roads,
)  # fmt: skip
HUBS = Family(
    "hubs", "deductive",
    "a {graph} of {n} {nodes} in which every {node} but A and B is {joined} to A alone, to B alone or to both A and B, "
    "and there are no other {edges}",
    ({"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}), _hubs,
)  # fmt: skip
LOOPS = Family(
    "loops", "deductive",
    "a {graph} of {n} {nodes} in which every {node} has an even number of {neighbours}, and {nodes} are only {joined} "
    "to {nodes} one or two places away in the alphabet; there may be no {edges} at all",
    ({"n": 8}, {"n": 9}, {"n": 10}, {"n": 11}, {"n": 12}), _loops,
)  # fmt: skip
STEPS = Family(
    "steps", "deductive",
    "a {graph} of an upper row, the first {a} {nodes} in the alphabet, and a lower row, the next {b}: each {node} of "
    "the upper row is {joined} to none, some or all of those in the lower row, and if to one of them, also to all "
    "that come before that one in the lower row; none is {joined} to more {nodes} than the {node} before it in the "
    "upper row; within a row there are no {edges}",
    ({"a": 3, "b": 4}, {"a": 3, "b": 6}, {"a": 5, "b": 5}, {"a": 5, "b": 7}, {"a": 6, "b": 7}), _steps,
)  # fmt: skip
ALL_OR_NONE = Family(
    "all-or-none", "deductive",
    "a {graph} of {n} {nodes} in which every {node} but A is {joined} either to all {nodes} before it in the alphabet "
    "or to none of them",
    ({"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}, {"n": 11}), _all_or_none,
)  # fmt: skip


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


_NODE = "any {node}"
_PAIR = "any two different {nodes}, in any order"
_IN_ORDER = "any two different {nodes}; their order matters"
_RISING = "any two different {nodes}, in the order of the alphabet"


def _first_from(world: GraphWorld, node: int, start: int) -> Codes:
    """The first neighbour of a node from ``start`` on, or NOTHING."""
    later = world.edges[:, node, start:]
    return np.where(later.any(axis=1), later.argmax(axis=1) + start, NOTHING)


def _within(world: GraphWorld, nodes: int) -> Codes:
    """How many edges join two of the first so many nodes."""
    return np.asarray(world.edges[:, :nodes, :nodes].sum(axis=(1, 2)) // 2)


def _near(world: GraphWorld, node: int) -> Codes:
    distances = world.distances[:, node]
    return np.asarray(((distances == 1) | (distances == 2)).sum(axis=1))


KINDS = (
    Kind(
        "adjacent", "whether {0} and {1} are {joined} directly", _PAIR, _two, lambda w, x, y: w.edges[:, x, y],
        nodes=True, unordered=True,
    ),
    Kind("degree", "how many {neighbours} {0} has", _NODE, _one, lambda w, x: w.degrees[:, x], NUMBER, nodes=True),
    Kind(
        "distance", "how many {edges} the shortest {way} from {0} to {1} has, or none if there is no {way}", _PAIR,
        _two, lambda w, x, y: w.distances[:, x, y], NUMBER_OR_NONE, nodes=True, unordered=True,
    ),
    Kind(
        "connected", "whether there is a {way} along any number of {edges} from {0} to {1}", _PAIR, _two,
        lambda w, x, y: w.distances[:, x, y] >= 0, nodes=True, unordered=True,
    ),
    Kind(
        "common", "how many {nodes} are {neighbours} of both {0} and {1}", _PAIR, _two,
        lambda w, x, y: (w.edges[:, x] & w.edges[:, y]).sum(axis=1), NUMBER, nodes=True, unordered=True,
    ),
    Kind(
        "within", "how many {edges} join two of the {nodes} from A to {0} in the alphabet, both included",
        "any {node} but A", _after_first, lambda w, x: _within(w, x + 1), NUMBER, nodes=True,
    ),
    Kind(
        "crossing", "how many {edges} join one of the {nodes} from A to {0} in the alphabet, both included, with a "
        "{node} after {0}", "any {node} but the last in the alphabet", _before_last,
        lambda w, x: w.edges[:, : x + 1, x + 1 :].sum(axis=(1, 2)), NUMBER, nodes=True,
    ),
    Kind(
        "upto", "how many of the {nodes} from A to {1} in the alphabet, both included, are {neighbours} of {0}",
        _IN_ORDER, _ordered, lambda w, x, y: w.edges[:, x, : y + 1].sum(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "smallest", "which {neighbour} of {0} is the first in the alphabet, or none if it has no {neighbours}", _NODE,
        _one, lambda w, x: _first_from(w, x, 0), NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "next", "which {neighbour} of {0} is the first after {1} in the alphabet, or none if no {neighbour} of {0} "
        "comes after {1}",
        "any two different {nodes}, the second not the last in the alphabet; their order matters",
        lambda w: [pair for pair in _ordered(w) if pair[1] < w.n - 1],
        lambda w, x, y: _first_from(w, x, y + 1), NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "compare", "whether the number of {neighbours} of {0} is less than, equal to or greater than that of {1}",
        _RISING, _two,
        lambda w, x, y: compare(w.degrees[:, x], w.degrees[:, y]), ORDER, nodes=True,
    ),
    Kind(
        "parity", "whether {0} has an odd number of {neighbours}", _NODE, _one, lambda w, x: w.degrees[:, x] % 2,
        nodes=True,
    ),
    Kind(
        "trio", "how many of the pairs {0} and {1}, {0} and {2}, {1} and {2} are {joined} directly",
        "any three different {nodes}, in any order", _three,
        lambda w, x, y, z: w.edges[:, x, y] * 1 + w.edges[:, x, z] + w.edges[:, y, z], NUMBER, nodes=True,
        unordered=True,
    ),
    Kind(
        "touching", "how many {edges} have {0} or {1} or both as ends", _PAIR, _two,
        lambda w, x, y: w.degrees[:, x] + w.degrees[:, y] - w.edges[:, x, y], NUMBER, nodes=True, unordered=True,
    ),
    Kind(
        "triangles", "of how many {triangles} {0} is a corner (a {triangle} is three {nodes} that are all {joined} to "
        "one another)", _NODE, _one, lambda w, x: w.triangles[:, x], NUMBER, nodes=True,
    ),
    Kind(
        "near", "how many other {nodes} can be reached from {0} along at most two {edges}", _NODE, _one, _near, NUMBER,
        nodes=True,
    ),
    Kind(
        "part", "how many {nodes} can be reached from {0} along any number of {edges}, {0} itself included", _NODE,
        _one, lambda w, x: (w.distances[:, x] >= 0).sum(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "farthest", "how many {edges} the shortest {way} has from {0} to the {node} farthest from it, of those that "
        "can be reached from {0}; 0 if it has no {neighbours}", _NODE, _one,
        lambda w, x: w.distances[:, x].max(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "vital", "whether there are two other {nodes} with a {way} from the one to the other, and every such {way} "
        "goes through {0}", _NODE, _one, GraphWorld.separates, nodes=True,
    ),
    Kind(
        "having", "how many {nodes} there are whose number of {neighbours} is exactly {0}",
        "any whole number from 0 on that is smaller than {n}", _counts,
        lambda w, count: (w.degrees == count).sum(axis=1), NUMBER,
    ),
    Kind("edges", "how many {edges} the {graph} has", "", no_argument, lambda w: w.size, NUMBER),
    Kind(
        "most", "how many {neighbours} the {node} with the most {neighbours} has", "", no_argument,
        lambda w: w.degrees.max(axis=1), NUMBER,
    ),
    Kind(
        "parts", "into how many {parts} the {graph} falls (two {nodes} are in the same {part} if there is a {way} "
        "along {edges} from the one to the other; a {node} without {edges} is a {part} by itself)", "", no_argument,
        lambda w: w.parts, NUMBER,
    ),
    Kind(
        "trios", "how many {triangles} the {graph} has (a {triangle} is three {nodes} that are all {joined} to one "
        "another)",
        "", no_argument, lambda w: w.triangles.sum(axis=1) // 3, NUMBER,
    ),
)  # fmt: skip


def _edges_of(world: GraphWorld, keep: NDArray[Any]) -> Codes:
    """Per graph its edges among the pairs that are kept, booleans of shape (n, n) or (graphs, n, n)."""
    pairs = all_pairs(world.n)
    one, other = pairs[:, 0], pairs[:, 1]
    return chosen((world.edges & keep)[:, one, other], (one * EDGE + other).tolist())


def _some(world: GraphWorld, mask: NDArray[Any]) -> Codes:
    return chosen(mask, range(world.n))


def _hub(world: GraphWorld) -> Codes:
    """The neighbours of the first node with the most neighbours."""
    return _some(world, world.edges[np.arange(len(world)), world.degrees.argmax(axis=1)])


def _touching(world: GraphWorld, first: int) -> Truths:
    """Pairs of which at least one is of the first so many nodes."""
    early = np.arange(world.n) < first
    return early[:, None] | early


def _farthest(world: GraphWorld) -> Codes:
    distances = world.distances[:, 0]
    greatest = distances.max(axis=1, keepdims=True)
    return _some(world, (distances == greatest) & (greatest > 0))


def _first_neighbours(world: GraphWorld) -> Codes:
    """The first neighbour of each node, itself where it has none."""
    return np.where(world.degrees > 0, world.edges.argmax(axis=2), np.arange(world.n))


def _gaps(world: GraphWorld) -> Codes:
    """How many edges join nodes 1, 2, … places apart, shape (graphs, n - 1)."""
    return np.stack([np.trace(world.edges, gap, 1, 2) for gap in range(1, world.n)], axis=1)


def _cuts(world: GraphWorld) -> Codes:
    """How many edges join the nodes up to each with those after it, shape (graphs, n - 1)."""
    early = np.tri(world.n, dtype=bool)[:-1]
    across = early[:, :, None] & ~early[:, None, :]
    return np.asarray(np.tensordot(world.edges.astype(np.int64), across, ((1, 2), (1, 2))))


def _products(world: GraphWorld, power: int = 1) -> Codes:
    """The sum over the edges of the product of the places of both ends, or of a power of it."""
    worth = np.outer(world.places, world.places) ** power
    return np.asarray(np.tensordot(world.edges.astype(np.int64), worth, 2) // 2)


_ONE_EACH = Form("one number for each, in this order")

TARGETS = (
    Target("everything", "all {edges} of the {graph}", lambda w: _edges_of(w, w.edges), SOME_EDGES),
    Target(
        "degrees", "how many {neighbours} each {node} has, from A on in the order of the alphabet", lambda w: w.degrees,
        _ONE_EACH,
    ),
    Target(
        "hub", "the {neighbours} of the {node} with the most {neighbours} (of the first one in the alphabet if several "
        "have the most)", _hub, SOME_NODES,
    ),
    Target(
        "edges-of-two", "all {edges} that have A or B or both as ends", lambda w: _edges_of(w, _touching(w, 2)),
        SOME_EDGES,
    ),
    Target(
        "distances", "how many {edges} the shortest {way} has from A to each other {node}, from B on in the order of "
        "the alphabet; 0 where there is no {way}", lambda w: np.maximum(w.distances[:, 0, 1:], 0), _ONE_EACH,
    ),
    Target(
        "farthest-ones", "of the {nodes} that can be reached from A, all those for which the shortest {way} from A "
        "has the most {edges}; none if A has no {neighbours}", _farthest, SOME_NODES,
    ),
    Target(
        "odd-ones", "all {nodes} with an odd number of {neighbours}", lambda w: _some(w, w.degrees % 2 == 1),
        SOME_NODES,
    ),
    Target(
        "busiest", "all {nodes} with the most {neighbours}",
        lambda w: _some(w, w.degrees == w.degrees.max(axis=1, keepdims=True)), SOME_NODES,
    ),
    Target(
        "quietest", "all {nodes} with the fewest {neighbours}",
        lambda w: _some(w, w.degrees == w.degrees.min(axis=1, keepdims=True)), SOME_NODES,
    ),
    Target(
        "corners", "all {nodes} that are corners of at least one {triangle} (a {triangle} is three {nodes} that are "
        "all {joined} to one another)", lambda w: _some(w, w.triangles > 0), SOME_NODES,
    ),
    Target(
        "first-in-part", "for each {node}, from A on in the order of the alphabet, the first {node} in the alphabet "
        "that can be reached from it along any number of {edges}; a {node} counts as reached from itself",
        lambda w: w.first_in_part, NODES_IN_ORDER,
    ),
    Target(
        "first-neighbours", "for each {node}, from A on in the order of the alphabet, its first {neighbour} in the "
        "alphabet; the {node} itself if it has no {neighbours}", _first_neighbours, NODES_IN_ORDER,
    ),
    Target(
        "edges-without-a", "all {edges} of which A is not one of the ends",
        lambda w: _edges_of(w, ~_touching(w, 1)), SOME_EDGES,
    ),
    Target(
        "later-neighbours", "for each {node} but the last in the alphabet, from A on in the order of the alphabet, "
        "how many of its {neighbours} come after it in the alphabet", lambda w: np.triu(w.edges).sum(axis=2)[:, :-1],
        _ONE_EACH,
    ),
    Target(
        "cuts", "for each {node} but the last in the alphabet, from A on in the order of the alphabet, how many "
        "{edges} join it or a {node} before it with a {node} after it", _cuts, _ONE_EACH,
    ),
    Target(
        "gaps", "how many {edges} join {nodes} that are 1 place apart in the alphabet, how many join {nodes} that are "
        "2 places apart, and so on, up to as many places as A and the last {node} are apart", _gaps, _ONE_EACH,
    ),
    Target(
        "products", "the sum, over all {edges}, of the product of the places of both ends in the alphabet (A's place "
        "is 1, B's is 2 and so on)", _products, ONE_NUMBER,
    ),
    Target(
        "consecutive", "whether A and B are {joined} directly, whether B and C are, whether C and D are, and so on to "
        "the last two {nodes} in the alphabet", lambda w: np.diagonal(w.edges, 1, 1, 2), WORDS_IN_ORDER,
    ),
)  # fmt: skip


def _spread(world: GraphWorld) -> Codes:
    """The sum over the edges of the square of how many places both ends are apart."""
    return np.asarray(_gaps(world) @ np.arange(1, world.n) ** 2)


_EDGE_PRIOR = "The probability of a {graph} is proportional to 1 plus the sum, over its {edges}, of "
_PLACE = "(A's place is 1, B's is 2 and so on)"
PRODUCT_PRIOR = Prior(
    f"{_EDGE_PRIOR}the product of the places of both ends in the alphabet {_PLACE}.",
    lambda w: 1 + _products(w),
)
SQUARES_PRIOR = Prior(
    f"{_EDGE_PRIOR}the square of the product of the places of both ends in the alphabet {_PLACE}.",
    lambda w: 1 + _products(w, 2),
)
SPREAD_PRIOR = Prior(
    f"{_EDGE_PRIOR}the square of the difference between the places of both ends in the alphabet {_PLACE}.",
    lambda w: 1 + _spread(w),
)
CROWD_PRIOR = Prior(
    "The probability of a {graph} is proportional to 1 plus the sum, over its {nodes}, of the {node}'s place in the "
    f"alphabet {_PLACE} times the square of its number of {{neighbours}}.",
    lambda w: 1 + w.degrees**2 @ w.places,
)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


_A, _B, _C = range(3)

CAUSES = (
    abductive(RING, "likely-ring", _kind("adjacent"), PRODUCT_PRIOR, _A, _B),
    abductive(LINE, "likely-line", _kind("connected"), SQUARES_PRIOR, _A, _B),
    abductive(PAIRS, "likely-pairs", _kind("compare"), SPREAD_PRIOR, _A, _B),
    abductive(TEAMS, "likely-teams", _kind("parity"), PRODUCT_PRIOR, _A),
    abductive(SPLIT, "likely-split", _kind("parity"), CROWD_PRIOR, _B),
    abductive(BRIDGE, "likely-bridge", _kind("vital"), SQUARES_PRIOR, _A),
    abductive(FEW_EDGES, "likely-edges", _kind("parity"), PRODUCT_PRIOR, _C),
    abductive(CHORDS, "likely-chords", _kind("parity"), SQUARES_PRIOR, _A),
    abductive(ROADS, "likely-roads", _kind("adjacent"), CROWD_PRIOR, _A, _B),
    abductive(HUBS, "likely-hubs", _kind("compare"), SQUARES_PRIOR, _A, _B),
    abductive(LOOPS, "likely-loops", _kind("near"), SQUARES_PRIOR, _A),
    abductive(STEPS, "likely-steps", _kind("compare"), SPREAD_PRIOR, _A, _B),
)


def _instances(rng: np.random.Generator, count: int, n: int, **_: int) -> GraphWorld:
    """Different graphs, of fewer edges than half their nodes up to as many as nodes."""
    pairs = n * (n - 1) // 2
    least, most = (n - 1) // 2, min(n, pairs - 1)
    possible = sum(math.comb(pairs, size) for size in range(least, most + 1))
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, possible):
        drawn[tuple(np.sort(rng.permutation(pairs)[: rng.integers(least, most + 1)]).tolist())] = None
    return listed(n, drawn)


def _written(world: GraphWorld) -> list[str]:
    names = [f"{NODES[one]}-{NODES[other]}" for one, other in all_pairs(world.n).tolist()]
    return ["{graph} " + " ".join(itertools.compress(names, row)) for row in _present(world).T.tolist()]


def _present(made: GraphWorld) -> NDArray[np.float32]:
    """Which pairs of nodes are joined in which instance, shape (pairs, instances); small floats multiply fastest."""
    pairs = all_pairs(made.n)
    return made.edges[:, pairs[:, 0], pairs[:, 1]].T.astype(np.float32)


def _members(n: int, sizes: Iterable[int]) -> NDArray[np.float32]:
    """All sets of such sizes of n things, as rows of zeros and ones."""
    return np.concatenate([np.eye(n, dtype=np.float32)[_combinations(n, size)].sum(axis=1) for size in sizes])


def _inside(sets: NDArray[np.float32], made: GraphWorld) -> Codes:
    """How many edges of each instance have both ends in each set, shape (sets, instances)."""
    one, other = all_pairs(made.n).T
    return np.asarray((sets[:, one] * sets[:, other]) @ _present(made), dtype=np.int64)


def _across(made: GraphWorld, n: int, k: int) -> Codes:
    sets = _members(n, [k])
    one, other = all_pairs(n).T
    return np.asarray((sets[:, one] != sets[:, other]).astype(np.float32) @ _present(made), dtype=np.int64)


def _club(made: GraphWorld, n: int, k: int) -> Codes:
    return np.asarray(_inside(_members(n, range(2, k + 1)), made) % 2)


def _colours(made: GraphWorld, n: int, k: int) -> Codes:
    labels = _labels(n, k)
    labels = labels[labels.max(axis=1) == k - 1]
    one, other = all_pairs(n).T
    return np.asarray((labels[:, one] == labels[:, other]).astype(np.float32) @ _present(made), dtype=np.int64)


def _gathering(made: GraphWorld, n: int, k: int) -> Codes:
    sets = _members(n, [k])
    found = np.zeros((len(sets), len(made)), dtype=np.float32)
    for node in range(n):
        np.maximum(found, sets @ (made.distances[:, node] >= 0).T.astype(np.float32), out=found)
    return found.astype(np.int64)


def _two_edges(made: GraphWorld, n: int) -> Codes:
    has = _present(made).astype(np.int64)
    one, other = all_pairs(len(has)).T
    return np.asarray(has[one] + has[other])


def _nearer(made: GraphWorld, n: int) -> Codes:
    far = np.where(made.distances < 0, n, made.distances)
    rules = [(x, y, z) for x in range(n) for y, z in all_pairs(n).tolist() if x not in (y, z)]
    x, y, z = np.array(rules).T
    return compare(far[:, x, y], far[:, x, z]).T


def _heaviest(made: GraphWorld, n: int, w: int) -> Codes:
    weights = np.array(list(itertools.product(range(1, w + 1), repeat=n)))
    one, other = all_pairs(n).T
    heavy = weights[:, one] + weights[:, other]
    present = _present(made)
    # Every graph has an edge of at least 2; each heavier weight that some edge reaches adds 1.
    reached = [(heavy >= weight).astype(np.float32) @ present > 0 for weight in range(3, 2 * w + 1)]
    return np.asarray(2 + np.sum(reached, axis=0))


def _busy(made: GraphWorld, n: int, k: int, t: int) -> Codes:
    sets = _members(n, [k])
    counts = [sets @ (made.degrees >= least).T.astype(np.float32) for least in range(1, t + 1)]
    return np.concatenate(counts).astype(np.int64)


_READ = (
    "; {graphs} have the {nodes} named by the first {n} letters and are written as lists of their {edges}: A-B "
    "means that A and B are {joined}"
)

RULES = (
    inductive(
        "across", "a rule with a secret set of {k} {nodes}: it gives a {graph} as many points as it has {edges} with "
        "one end in the secret set and the other outside" + _READ,
        ({"n": 7, "k": 3, "pool": 11, "shown": 2}, {"n": 9, "k": 3, "pool": 16, "shown": 2},
         {"n": 10, "k": 4, "pool": 18, "shown": 2}, {"n": 11, "k": 5, "pool": 18, "shown": 2},
         {"n": 13, "k": 5, "pool": 19, "shown": 2}), _instances, _written, _across,
    ),
    inductive(
        "club", "a rule with a secret set of 2 to {k} {nodes}: it gives a {graph} 1 if the number of its {edges} with "
        "both ends in the secret set is odd, otherwise 0" + _READ,
        ({"n": 6, "k": 3, "pool": 20, "shown": 2}, {"n": 7, "k": 4, "pool": 26, "shown": 2},
         {"n": 8, "k": 5, "pool": 30, "shown": 2}, {"n": 9, "k": 6, "pool": 34, "shown": 2},
         {"n": 10, "k": 7, "pool": 38, "shown": 2}), _instances, _written, _club,
    ),
    inductive(
        "colours", "a rule with {k} colours: secretly, each of the {nodes} has one of them, and each colour occurs at "
        "least once; the rule gives a {graph} as many points as it has {edges} whose ends have the same colour" + _READ,
        ({"n": 6, "k": 2, "pool": 17, "shown": 2}, {"n": 6, "k": 4, "pool": 13, "shown": 2},
         {"n": 7, "k": 5, "pool": 18, "shown": 2}, {"n": 7, "k": 4, "pool": 19, "shown": 2},
         {"n": 8, "k": 3, "pool": 18, "shown": 2}), _instances, _written, _colours,
    ),
    inductive(
        "gathering", "a rule with a secret set of {k} {nodes}: it gives a {graph} the greatest number of secret "
        "{nodes} that are in one {part} (two {nodes} are in the same {part} if there is a {way} along {edges} "
        "from the one to the other; a {node} without {edges} is a {part} by itself)" + _READ,
        ({"n": 7, "k": 3, "pool": 28, "shown": 3}, {"n": 9, "k": 3, "pool": 32, "shown": 3},
         {"n": 10, "k": 4, "pool": 37, "shown": 3}, {"n": 11, "k": 5, "pool": 42, "shown": 3},
         {"n": 13, "k": 5, "pool": 51, "shown": 3}), _instances, _written, _gathering,
    ),
    inductive(
        "two-edges", "a rule with two different secret pairs of {nodes}, which may have a {node} in common: it gives a "
        "{graph} as many points as there are pairs among these two that are {joined} directly, 0 to 2" + _READ,
        ({"n": 5, "pool": 19, "shown": 2}, {"n": 6, "pool": 24, "shown": 2}, {"n": 7, "pool": 29, "shown": 2},
         {"n": 9, "pool": 36, "shown": 2}, {"n": 11, "pool": 45, "shown": 2}), _instances, _written, _two_edges,
    ),
    inductive(
        "nearer", "a rule with three different secret {nodes} x, y and z, where y comes before z in the alphabet: it "
        "gives a {graph} 0 if the shortest {way} from x to y has fewer {edges} than that from x to z, 1 if it has as "
        "many, and 2 if it has more; a missing {way} counts as longer than any other and as long as another missing "
        "one" + _READ,
        ({"n": 5, "pool": 17, "shown": 2}, {"n": 6, "pool": 20, "shown": 2}, {"n": 8, "pool": 26, "shown": 2},
         {"n": 10, "pool": 29, "shown": 2}, {"n": 13, "pool": 36, "shown": 2}), _instances, _written, _nearer,
    ),
    inductive(
        "heaviest", "a rule in which each of the {nodes} has a secret weight, a whole number from 1 to {w}: it gives a "
        "{graph} the greatest sum of the weights of two {nodes} that are {joined} directly" + _READ,
        ({"n": 5, "w": 2, "pool": 18, "shown": 2}, {"n": 4, "w": 3, "pool": 19, "shown": 2},
         {"n": 5, "w": 3, "pool": 23, "shown": 2}, {"n": 6, "w": 3, "pool": 37, "shown": 2},
         {"n": 7, "w": 3, "pool": 60, "shown": 2}), _instances, _written, _heaviest,
    ),
    inductive(
        "busy", "a rule with a secret set of {k} {nodes} and a secret least number from 1 to {t}: it gives a {graph} "
        "as many points as it has {nodes} of the set with at least that many {neighbours}" + _READ,
        ({"n": 7, "k": 2, "t": 2, "pool": 15, "shown": 2}, {"n": 7, "k": 3, "t": 3, "pool": 24, "shown": 2},
         {"n": 9, "k": 3, "t": 3, "pool": 21, "shown": 2}, {"n": 10, "k": 4, "t": 3, "pool": 26, "shown": 2},
         {"n": 11, "k": 5, "t": 3, "pool": 28, "shown": 2}), _instances, _written, _busy,
    ),
)  # fmt: skip

TABLE = """
ring | compare trio part | consecutive
ring | common trio near | distances
ring | common upto touching | gaps
line | distance smallest touching | distances
line | adjacent | edges-of-two
pairs | compare parity having | busiest
pairs | smallest touching part | cuts
pairs | distance within most | everything
teams | connected upto trios | everything
teams | distance edges | farthest-ones
teams | adjacent near having | first-in-part
split | degree common next | farthest-ones
split | upto smallest vital | first-neighbours
split | within crossing next | hub
bridge | common trio triangles | degrees
bridge | upto next farthest | everything
bridge | degree next touching | products
few-edges | next most | edges-of-two
few-edges | within compare touching | edges-without-a
few-edges | degree within smallest | products
chords | trio touching farthest | corners
chords | crossing parity trios | cuts
chords | trio having trios | odd-ones
roads | touching vital having | busiest
roads | distance most | distances
roads | near having most | later-neighbours
hubs | degree connected parity | cuts
hubs | distance compare edges | gaps
hubs | crossing trio parts | odd-ones
loops | adjacent upto farthest | corners
loops | connected smallest part | first-in-part
loops | adjacent part farthest | first-neighbours
loops | connected vital most | quietest
steps | next | degrees
steps | common smallest vital | edges-without-a
steps | compare vital parts | odd-ones
all-or-none | adjacent near edges | consecutive
all-or-none | connected parity triangles | hub
all-or-none | upto compare edges | later-neighbours
all-or-none | triangles farthest parts | quietest
across | odd | even-ones
across | same more odd | first-and-sum
across | more odd | five
club | same both | all-eight
club | test sum | equal-neighbours
club | sum odd | even-ones
club | sum | first-and-last
club | sum odd first | first-and-sum
club | sum both first | five
club | test same more | some-that-get-more
colours | same more first | all-eight
colours | more odd first | equal-neighbours
colours | odd both first | even-ones
colours | more both first | first-and-last
colours | same first | first-and-sum
colours | same more both | five
colours | same more | thirds
gathering | same odd | all-eight
gathering | same | equal-neighbours
gathering | same | first-and-last
two-edges | more sum first | all-eight
two-edges | test same both | equal-neighbours
two-edges | test sum odd | even-ones
two-edges | sum any first | first-and-last
two-edges | test odd both | first-and-sum
two-edges | test sum both | five
two-edges | same both first | some-that-get-more
two-edges | test any both | some-that-get-more
two-edges | test same sum | thirds
nearer | more any first | all-eight
nearer | same any | equal-neighbours
nearer | odd both | even-ones
nearer | same any first | first-and-last
nearer | test more any | first-and-sum
nearer | test more both | five
nearer | test any | some-that-get-more
nearer | test | thirds
heaviest | test more | thirds
busy | sum any | thirds
busy | sum both | thirds
likely-ring | degree crossing compare | everything
likely-teams | compare near | distances
likely-teams | within near | edges-without-a
likely-teams | within compare part | first-in-part
likely-teams | within triangles near | first-neighbours
likely-teams | degree within | gaps
likely-bridge | smallest triangles edges | edges-of-two
likely-bridge | triangles near | edges-of-two
likely-bridge | degree compare having | first-neighbours
likely-edges | common compare vital | degrees
likely-edges | crossing compare vital | degrees
likely-edges | crossing vital having | edges-without-a
likely-edges | crossing part having | everything
likely-edges | common compare most | odd-ones
likely-chords | smallest farthest most | busiest
likely-chords | within having | corners
likely-chords | compare parity most | odd-ones
likely-roads | common edges | everything
likely-roads | common having | later-neighbours
likely-hubs | smallest having most | cuts
likely-hubs | compare farthest edges | degrees
likely-hubs | degree parity farthest | distances
likely-hubs | within near most | edges-of-two
likely-hubs | degree within most | first-neighbours
likely-hubs | crossing compare parity | gaps
likely-loops | near edges trios | busiest
likely-loops | farthest | consecutive
likely-loops | near farthest trios | corners
likely-loops | connected having edges | cuts
likely-loops | triangles edges most | edges-without-a
likely-loops | connected parts trios | first-in-part
likely-loops | triangles trios | later-neighbours
likely-loops | degree edges | products
likely-steps | connected farthest parts | cuts
likely-steps | part edges | everything
likely-steps | part farthest vital | gaps
likely-steps | connected farthest vital | later-neighbours
likely-steps | parity vital most | odd-ones
likely-steps | smallest parity parts | products
likely-steps | parity parts | quietest
"""

STRUCTURE = Structure(
    "graph",
    WORDS,
    families=(
        RING, LINE, PAIRS, TEAMS, SPLIT, BRIDGE, FEW_EDGES, CHORDS, ROADS, HUBS, LOOPS, STEPS, ALL_OR_NONE, *CAUSES,
        *RULES,
    ),
    kinds=KINDS + induction.KINDS,
    targets=TARGETS + induction.TARGETS,
    table=TABLE,
)  # fmt: skip
