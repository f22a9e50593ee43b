"""Rooted trees with named nodes: hidden trees, trees as causes, and rules about trees."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import (
    EDGE,
    NODE,
    NODE_OR_NONE,
    NODES,
    NODES_IN_ORDER,
    NOTHING,
    NUMBER,
    NUMBERS_IN_ORDER,
    ORDER,
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

Truths: TypeAlias = NDArray[np.bool_]

WORDS = {
    "tree": "tree",
    "trees": "trees",
    "node": "node",
    "nodes": "nodes",
    "root": "root",
    "parent": "parent",
    "children": "children",
    "leaves": "leaves",
    "ancestors": "ancestors",
    "descendants": "descendants",
    "depth": "depth",
    "path": "path",
    "edges": "edges",
}


@dataclass(frozen=True)
class TreeWorld(World):
    """Rooted trees of the same nodes, which are numbered from 0 on.

    Attributes:
        parents: the parent of each node, NOTHING for the root, shape (trees, n).
    """

    parents: Codes
    per_state: ClassVar[tuple[str, ...]] = ("parents",)

    @property
    def n(self) -> int:
        """How many nodes each tree has."""
        return int(self.parents.shape[1])

    @functools.cached_property
    def above(self) -> Truths:
        """Whether node u is node v or one of its ancestors, at [tree, u, v]."""
        rows, nodes = np.arange(len(self))[:, None], np.arange(self.n)
        up = np.where(self.parents == NOTHING, nodes, self.parents)
        above = np.zeros((len(self), self.n, self.n), dtype=bool)
        reached = np.broadcast_to(nodes, up.shape)
        above[rows, reached, nodes] = True
        while (reached != (higher := np.take_along_axis(up, reached, axis=1))).any():
            reached = higher
            above[rows, reached, nodes] = True
        return above

    @functools.cached_property
    def depth(self) -> Codes:
        """Steps from the root to each node, shape (trees, n)."""
        depth: Codes = self.above.sum(axis=1) - 1
        return depth

    @functools.cached_property
    def size(self) -> Codes:
        """How many nodes each node and its descendants are, shape (trees, n)."""
        size: Codes = self.above.sum(axis=2)
        return size

    @functools.cached_property
    def children(self) -> Codes:
        """How many children each node has, shape (trees, n)."""
        return _child_counts(self.parents)

    @functools.cached_property
    def leaves(self) -> Truths:
        """Whether each node has no children, shape (trees, n)."""
        leaves: Truths = self.children == 0
        return leaves

    @functools.cached_property
    def root(self) -> Codes:
        """The root of each tree, shape (trees,)."""
        root: Codes = self.parents.argmin(axis=1)
        return root

    @property
    def below_root(self) -> Truths:
        """Whether each node is a child of the root, shape (trees, n)."""
        below: Truths = self.depth == 1
        return below

    def distance(self, first: int, last: int) -> Codes:
        """Edges on the path between two nodes."""
        distance: Codes = (self.above[:, :, first] ^ self.above[:, :, last]).sum(axis=1)
        return distance

    def meet(self, first: int, last: int) -> Codes:
        """The deepest node that each of two nodes is or has as an ancestor."""
        common = self.above[:, :, first] & self.above[:, :, last]
        deepest: Codes = np.where(common, self.depth, NOTHING).argmax(axis=1)
        return deepest


def _child_counts(parents: Codes) -> Codes:
    nodes = np.arange(parents.shape[1])
    counts: Codes = (parents[:, None, :] == nodes[:, None]).sum(axis=2)
    return counts


def _depths(parents: Codes) -> Codes:
    """Of trees in which each parent comes before its children."""
    rows, depths = np.arange(len(parents)), np.zeros_like(parents)
    for node in range(1, parents.shape[1]):
        depths[:, node] = depths[rows, parents[:, node]] + 1
    return depths


def _world(parents: Codes, **facts: int) -> TreeWorld:
    n = parents.shape[1]
    return TreeWorld({"n": n, "most": n - 1, **facts}, parents)


def _grown(n: int, may: Callable[[Codes], Truths]) -> Codes:
    """All trees that grow from A by one node after the other.

    Args:
        n: how many nodes they have in the end.
        may: which of its nodes may be given a child, for every smaller tree: from (trees, nodes) to (trees, nodes).
    """
    parents = np.full((1, 1), NOTHING, dtype=np.int64)
    for _ in range(1, n):
        rows, above = np.nonzero(may(parents))
        parents = np.column_stack([parents[rows], above])
    return parents


def _hung(near: Codes, root: Codes) -> Codes:
    """The parents in trees of which the edges and the root are given.

    Args:
        near: the neighbours of each node, bit u for node u, shape (trees, n).
        root: shape (trees,).
    """
    bits = 1 << np.arange(near.shape[1])
    last = bits[root]
    left = bits != last[:, None]
    parents = np.zeros_like(near)
    while last.any():
        found = np.where(left, near & last[:, None], 0)
        parents |= found
        left &= found == 0
        last = (found != 0) @ bits
    # The number of the only bit, and NOTHING where there is none.
    return np.frexp(parents)[1].astype(np.int64) - 1


def _fresh(parents: Codes) -> NDArray[Any]:
    """How far before the node that comes next each node stands, shape (nodes,)."""
    return np.arange(parents.shape[1], 0, -1)


def _bushy(n: int, c: int, d: int) -> TreeWorld:
    return _world(_grown(n, lambda p: (_child_counts(p) < c) & (_depths(p) < d)), c=c, d=d)


def _near(n: int) -> TreeWorld:
    return _world(_grown(n, lambda p: (_child_counts(p) < 2) & (_fresh(p) <= 3)))


def _two_tips(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        tips = _child_counts(parents) == 0
        few: Truths = tips | (tips.sum(axis=1) < 2)[:, None]
        return few

    parents = _grown(n, may)
    return _world(parents[(_child_counts(parents) == 0).sum(axis=1) == 2])


def _three_stars(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        depths, full = _depths(parents), _child_counts(parents)[:, 0] == 3
        few: Truths = np.where(depths == 0, ~full[:, None], depths == 1)
        return few

    return _world(_grown(n, may))


def _short_legs(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        free: Truths = (_depths(parents) == 1) & (_child_counts(parents) == 0)
        free[:, 0] = True
        return free

    return _world(_grown(n, may))


def _two_hubs(n: int) -> TreeWorld:
    hubs = np.array(list(itertools.combinations(range(1, n), 2)))
    sides = np.array(list(itertools.product((0, 1), repeat=n - 3)))
    others = np.array([[v for v in range(1, n) if v not in pair] for pair in hubs.tolist()])
    parents = np.full((len(hubs), len(sides), n), NOTHING, dtype=np.int64)
    pair, side = np.arange(len(hubs))[:, None], np.arange(len(sides))[None, :]
    for hub in (0, 1):
        parents[pair, side, hubs[:, hub, None]] = 0
    for place in range(n - 3):
        parents[pair, side, others[:, place, None]] = hubs[:, sides[:, place]]
    return _world(parents.reshape(-1, n))


def _depth_first(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        """The newest node and its ancestors, unless they have two children."""
        rows, newest = np.arange(len(parents)), np.full(len(parents), parents.shape[1] - 1)
        open_ones = np.zeros(parents.shape, dtype=bool)
        for _ in range(parents.shape[1]):
            open_ones[rows, newest] = True
            newest = np.maximum(parents[rows, newest], 0)
        free: Truths = open_ones & (_child_counts(parents) < 2)
        return free

    return _world(_grown(n, may))


def _breadth_first(n: int) -> TreeWorld:
    return _world(_grown(n, lambda p: (np.arange(p.shape[1]) >= p[:, -1:]) & (_child_counts(p) < 3)))


def _caterpillars(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        """One of the last three nodes, which has children or is a child of the deepest that has."""
        inner = _child_counts(parents) > 0
        deepest = np.where(inner, _depths(parents), NOTHING).argmax(axis=1)
        on_path: Truths = inner | (parents == deepest[:, None]) | (parents.shape[1] == 1)
        return on_path & (_fresh(parents) <= 3)

    return _world(_grown(n, may))


def _any_root(n: int) -> TreeWorld:
    grown = _grown(n, lambda p: np.tile(_fresh(p) <= 2, (len(p), 1)))
    near, rows = np.zeros_like(grown), np.arange(len(grown))
    for node in range(1, n):
        near[:, node] |= 1 << grown[:, node]
        near[rows, grown[:, node]] |= 1 << node
    return _world(_hung(np.repeat(near, n, axis=0), np.tile(np.arange(n), len(grown))))


def _close(n: int) -> TreeWorld:
    """All spanning trees of the graph that joins nodes at most two letters apart, from left to right.

    What is built so far is one tree, or two of which each has one of the last two nodes.
    """
    near = np.zeros((2, n), dtype=np.int64)
    near[0, :2] = 2, 1
    whole = np.array([True, False])
    for node in range(2, n):
        to_last, to_other = (near + _edge(n, node - back, node) for back in (1, 2))
        both = to_last + to_other - near
        # Of two trees, the one that ends two letters back must go on now: it is out of reach of all later nodes.
        near = np.concatenate([near[whole], to_last[whole], to_other[whole], to_other[~whole], both[~whole]])
        ones, twos = int(whole.sum()), int((~whole).sum())
        whole = np.repeat([False, True, True, False, True], [ones, ones, ones, twos, twos])
    near = near[whole]
    return _world(_hung(near, np.zeros(len(near), dtype=np.int64)))


def _edge(n: int, first: int, last: int) -> Codes:
    """What an edge adds to the neighbours of each of n nodes, as bits."""
    near = np.zeros(n, dtype=np.int64)
    near[first], near[last] = 1 << last, 1 << first
    return near


_TREE = "a {tree} of {n} {nodes} with {root} A, "
_AFTER = "every other {node} comes after its {parent} in the alphabet"

BUSHY = Family(
    "bushy", "deductive",
    _TREE + "in which " + _AFTER + ", no {node} has more than {c} {children}, and no {node} is more than {d} steps "
    "from the {root}",
    ({"n": 6, "c": 2, "d": 3}, {"n": 6, "c": 3, "d": 5}, {"n": 7, "c": 2, "d": 6}, {"n": 7, "c": 3, "d": 6},
     {"n": 8, "c": 2, "d": 7}), _bushy,
)  # fmt: skip
NEAR = Family(
    "near", "deductive",
    _TREE + "in which the {parent} of every other {node} is one of the (up to) three {nodes} just before it in the "
    "alphabet, and no {node} has more than two {children}",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _near,
)  # fmt: skip
TWO_TIPS = Family(
    "two-tips", "deductive", _TREE + "in which " + _AFTER + ", and exactly two {nodes} have no {children}",
    ({"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}, {"n": 11}), _two_tips,
)  # fmt: skip
THREE_STARS = Family(
    "three-stars", "deductive",
    _TREE + "in which " + _AFTER + ", no {node} is more than two steps from the {root}, and the {root} has at most "
    "three {children}",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _three_stars,
)  # fmt: skip
SHORT_LEGS = Family(
    "short-legs", "deductive",
    _TREE + "in which " + _AFTER + ", no {node} is more than two steps from the {root}, and no {node} but the {root} "
    "is the {parent} of more than one other {node}",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _short_legs,
)  # fmt: skip
TWO_HUBS = Family(
    "two-hubs", "deductive",
    _TREE + "in which the {root} has exactly two {children}, which may be any of the other {nodes}, and the {parent} "
    "of every {node} that is left is one of these two; one of the two may have no {children}",
    ({"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}), _two_hubs,
)  # fmt: skip
DEPTH_FIRST = Family(
    "depth-first", "deductive",
    _TREE + "in which each {node} and its {descendants} (its {children}, their {children} and so on) are {nodes} that "
    "follow each other in the alphabet without a gap, beginning with the {node} itself, and no {node} has more than "
    "two {children}",
    ({"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}, {"n": 11}), _depth_first,
)  # fmt: skip
BREADTH_FIRST = Family(
    "breadth-first", "deductive",
    _TREE + "in which " + _AFTER + ", of any two other {nodes} the one later in the alphabet never has a {parent} that "
    "comes before the {parent} of the earlier one, and no {node} has more than three {children}",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _breadth_first,
)  # fmt: skip
CATERPILLARS = Family(
    "caterpillars", "deductive",
    _TREE + "in which the {parent} of every other {node} is one of the (up to) three {nodes} just before it in the "
    "alphabet, and no two {children} of the same {parent} both have {children} themselves",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _caterpillars,
)  # fmt: skip
ANY_ROOT = Family(
    "any-root", "deductive",
    "a {tree} of {n} {nodes}, any of which may be the {root}; for each {node} but A, exactly one of the (up to) two "
    "{nodes} just before it in the alphabet is its {parent} or one of its {children}, and there are no other {edges}",
    ({"n": 5}, {"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}), _any_root,
)  # fmt: skip
CLOSE = Family(
    "close", "deductive",
    _TREE + "in which every other {node} is at most two letters away from its {parent} in the alphabet, before or "
    "after it",
    ({"n": 6}, {"n": 7}, {"n": 8}, {"n": 9}, {"n": 10}), _close,
)  # fmt: skip


def _one(world: TreeWorld) -> list[Row]:
    return [(node,) for node in range(world.n)]


def _pairs(world: TreeWorld) -> list[Row]:
    return list(itertools.combinations(range(world.n), 2))


def _both_ways(world: TreeWorld) -> list[Row]:
    return list(itertools.permutations(range(world.n), 2))


def _runs(world: TreeWorld) -> list[Row]:
    return list(itertools.combinations_with_replacement(range(world.n), 2))


def _numbers(world: TreeWorld) -> list[Row]:
    return [(number,) for number in range(1, world.n)]


def _top(world: TreeWorld, node: int) -> Codes:
    """The child of the root that a node is or is below, NOTHING for the root."""
    found = world.below_root & world.above[:, :, node]
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


def _grandparent(world: TreeWorld, node: int) -> Codes:
    found = world.above[:, :, node] & (world.depth == world.depth[:, node, None] - 2)
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


def _eldest(world: TreeWorld, node: int) -> Codes:
    found = world.parents == node
    return np.where(found.any(axis=1), found.argmax(axis=1), NOTHING)


def _siblings(world: TreeWorld, first: int, last: int) -> Truths:
    same: Truths = world.parents[:, first] == world.parents[:, last]
    return same


def _reach(world: TreeWorld, node: int) -> Codes:
    deepest: Codes = np.where(world.above[:, node], world.depth, 0).max(axis=1)
    return deepest - world.depth[:, node]


_ONE = "any {node}"
_PAIR = "any two different {nodes}, in any order"
_SORTED = "any two different {nodes}, in the order of the alphabet"
_ORDERED = "any two different {nodes}; their order matters"
_RUN = "any two {nodes} in the order of the alphabet, or the same one twice"
_COUNT = "any whole number from 1 to {most}"

_DEPTH = " (the {root} has {depth} 0, its {children} 1 and so on)"
_LEAVES = "{leaves} (the {nodes} without {children})"
_UP = " (its {parent}, the {parent} of that and so on up to the {root})"
_DOWN = " (its {children}, their {children} and so on)"
_STEPS = ", if each step goes from a {node} to its {parent} or to one of its {children}"

KINDS = (
    Kind(
        "parent", "the {parent} of {0}, or none if {0} is the {root}", _ONE, _one, lambda w, x: w.parents[:, x],
        NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "above", "whether {0} is one of the {ancestors} of {1}" + _UP, _ORDERED, _both_ways,
        lambda w, x, y: w.above[:, x, y], nodes=True,
    ),
    Kind("depth", "the {depth} of {0}" + _DEPTH, _ONE, _one, lambda w, x: w.depth[:, x], NUMBER, nodes=True),
    Kind("children", "how many {children} {0} has", _ONE, _one, lambda w, x: w.children[:, x], NUMBER, nodes=True),
    Kind(
        "below", "how many {descendants} {0} has" + _DOWN, _ONE, _one, lambda w, x: w.size[:, x] - 1, NUMBER,
        nodes=True,
    ),
    Kind(
        "meet", "the first {node} on the {path} from {0} up to the {root} that is also on the {path} from {1} up to "
        "the {root}; it may be {0} or {1} itself", _PAIR, _pairs, lambda w, x, y: w.meet(x, y), NODE, nodes=True,
        unordered=True,
    ),
    Kind(
        "distance", "how many steps it takes at least from {0} to {1}" + _STEPS, _PAIR, _pairs,
        lambda w, x, y: w.distance(x, y), NUMBER, nodes=True, unordered=True,
    ),
    Kind(
        "parity", "whether it takes an odd number of steps to go from {0} to {1} the shortest way" + _STEPS, _PAIR,
        _pairs, lambda w, x, y: w.distance(x, y) % 2, nodes=True, unordered=True,
    ),
    Kind(
        "siblings", "whether {0} and {1} have the same {parent} (no if one of them is the {root})", _PAIR, _pairs,
        _siblings, nodes=True, unordered=True,
    ),
    Kind(
        "linked", "whether one of {0} and {1} is the {parent} of the other", _PAIR, _pairs,
        lambda w, x, y: (w.parents[:, x] == y) | (w.parents[:, y] == x), nodes=True, unordered=True,
    ),
    Kind(
        "tips", "how many of the " + _LEAVES + " are {0} itself or {descendants} of {0}" + _DOWN, _ONE, _one,
        lambda w, x: (w.above[:, x] & w.leaves).sum(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "deeper", "whether the {depth} of {0} is less than, equal to or greater than that of {1}" + _DEPTH, _SORTED,
        _pairs, lambda w, x, y: compare(w.depth[:, x], w.depth[:, y]), ORDER, nodes=True,
    ),
    Kind(
        "heavier", "whether the number of {descendants} of {0}" + _DOWN + " is less than, equal to or greater than "
        "that of {1}", _SORTED, _pairs,
        lambda w, x, y: compare(w.size[:, x], w.size[:, y]), ORDER, nodes=True,
    ),
    Kind(
        "peers", "whether {0} and {1} have the same {depth}" + _DEPTH, _PAIR, _pairs,
        lambda w, x, y: w.depth[:, x] == w.depth[:, y], nodes=True, unordered=True,
    ),
    Kind("leaf", "whether {0} has no {children}", _ONE, _one, lambda w, x: w.leaves[:, x], nodes=True),
    Kind(
        "top", "which of the {root}'s {children} is {0} itself or has {0} among its {descendants}" + _DOWN + ", "
        "or none if {0} is the {root}", _ONE, _one, _top, NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "grandparent", "the {parent} of the {parent} of {0}, or none if there is none", _ONE, _one, _grandparent,
        NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "eldest", "which of the {children} of {0} comes first in the alphabet, or none if it has none", _ONE, _one,
        _eldest, NODE_OR_NONE, nodes=True,
    ),
    Kind(
        "reach", "how many steps, each to one of the {children}, it takes from {0} down to the farthest of its "
        "{descendants}, 0 if it has none", _ONE, _one, _reach, NUMBER, nodes=True,
    ),
    Kind(
        "bare", "how many {nodes} from {0} to {1} in the alphabet, both included, have no {children}", _RUN, _runs,
        lambda w, x, y: w.leaves[:, x : y + 1].sum(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "depths", "the sum of the {depth} of each {node} from {0} to {1} in the alphabet, both included" + _DEPTH, _RUN,
        _runs, lambda w, x, y: w.depth[:, x : y + 1].sum(axis=1), NUMBER, nodes=True,
    ),
    Kind(
        "layer", "how many {nodes} have {depth} {0}" + _DEPTH, _COUNT, _numbers,
        lambda w, d: (w.depth == d).sum(axis=1), NUMBER,
    ),
    Kind(
        "forks", "how many {nodes} there are whose number of {children} is exactly {0}", _COUNT, _numbers,
        lambda w, k: (w.children == k).sum(axis=1), NUMBER,
    ),
    Kind(
        "height", "the greatest {depth} of any {node}" + _DEPTH, "", no_argument, lambda w: w.depth.max(axis=1), NUMBER,
    ),
    Kind(
        "leaves", "how many " + _LEAVES + " there are", "", no_argument, lambda w: w.leaves.sum(axis=1), NUMBER,
    ),
    Kind(
        "branches", "how many {children} the {root} has", "", no_argument, lambda w: w.below_root.sum(axis=1), NUMBER,
    ),
)  # fmt: skip


def _ranked(mask: Truths, keys: Codes) -> Codes:
    """Per state the nodes that a mask chooses, the smallest key first, equal ones by the alphabet."""
    last = np.iinfo(np.int64).max
    order = np.where(mask, keys, last).argsort(axis=1, kind="stable")
    width = max(1, int(mask.sum(axis=1).max(initial=0)))
    return np.where(np.take_along_axis(mask, order, axis=1), order, NOTHING)[:, :width]


def _arrows(world: TreeWorld) -> Codes:
    """All edges; the root's is the least before it is cut off."""
    codes = _codes(world.parents)
    codes.sort(axis=1)
    return codes[:, 1:]


def _codes(above: Codes) -> Codes:
    """The edge to each node from what is above it, NOTHING where nothing is, shape (trees, n)."""
    return np.where(above == NOTHING, NOTHING, above * EDGE + np.arange(above.shape[1]))


def _some(mask: Truths, codes: Codes) -> Codes:
    """Per state those codes that a mask chooses, sorted, filled with NOTHING."""
    last = np.iinfo(np.int64).max
    some = np.sort(np.where(mask, codes, last), axis=1)[:, : max(1, int(mask.sum(axis=1).max(initial=0)))]
    return np.where(some == last, NOTHING, some)


def _grand_pairs(world: TreeWorld) -> Codes:
    up = np.where(world.parents == NOTHING, NOTHING, np.take_along_axis(world.parents, world.parents, axis=1))
    return _some(up != NOTHING, _codes(up))


def _tour(world: TreeWorld) -> Codes:
    """Nodes come by the letters on their way from the root, read as the digits of a number."""
    ways = np.arange(1, world.n + 1) * (world.n + 1) ** (world.n - 1 - world.depth)
    return _ranked(np.ones_like(world.leaves), (ways[:, :, None] * world.above).sum(axis=1))


def _sibling_pairs(world: TreeWorld) -> Codes:
    pairs = np.array(_pairs(world))
    return chosen(world.parents[:, pairs[:, 0]] == world.parents[:, pairs[:, 1]], (pairs @ [EDGE, 1]).tolist())


def _leaf_depths(world: TreeWorld) -> Codes:
    """The depth of each leaf, the leaves in the order of the alphabet."""
    leaves = _ranked(world.leaves, np.zeros_like(world.depth))
    return np.where(leaves == NOTHING, NOTHING, np.take_along_axis(world.depth, leaves, axis=1))


_PAIRS = Form("pairs such as A-B, listed in any order", "arrow", ordered=False)

TARGETS = (
    Target(
        "everything", "the whole {tree}: for each {node} but the {root} one pair, first its {parent}, then the {node} "
        "itself", _arrows, _PAIRS,
    ),
    Target(
        "way-down", "the {nodes} on the {path} from the {root} down to the {node} that is last in the alphabet, both "
        "included", lambda w: _ranked(w.above[:, :, w.n - 1], w.depth), NODES_IN_ORDER,
    ),
    Target(
        "all-depths", "the {depth} of each {node}, in the order of the alphabet" + _DEPTH, lambda w: w.depth,
        NUMBERS_IN_ORDER,
    ),
    Target(
        "all-sizes", "how many {descendants} each {node} has" + _DOWN + ", in the order of the alphabet",
        lambda w: w.size - 1, NUMBERS_IN_ORDER,
    ),
    Target(
        "all-children", "how many {children} each {node} has, in the order of the alphabet", lambda w: w.children,
        NUMBERS_IN_ORDER,
    ),
    Target(
        "by-size", "all {nodes}, the one with the most {descendants}" + _DOWN + " first and so on down to the fewest; "
        "of {nodes} with as many, the one that comes first in the alphabet first",
        lambda w: _ranked(np.ones_like(w.leaves), -w.size), NODES_IN_ORDER,
    ),
    Target(
        "sibling-pairs", "all pairs of two different {nodes} that have the same {parent}, each pair once",
        _sibling_pairs,
        Form("pairs such as B-C, listed in any order, either end first", "edge", ordered=False),
    ),
    Target(
        "tour", "all {nodes}, beginning with the {root}; each {node} is followed at once by the one of its {children} "
        "that comes first in the alphabet with all {descendants} of that one" + _DOWN + ", then by the next of its "
        "{children} with all {descendants} of that one, and so on", _tour,
        NODES_IN_ORDER,
    ),
    Target(
        "leaves-by-depth", "all " + _LEAVES + ", from the greatest {depth} to the least" + _DEPTH + "; of those "
        "with the same {depth}, the one that comes first in the alphabet first", lambda w: _ranked(w.leaves, -w.depth),
        NODES_IN_ORDER,
    ),
    Target(
        "leaf-pairs", "for each of the " + _LEAVES + " one pair, first its {parent}, then the {node} itself",
        lambda w: _some(w.leaves, _codes(w.parents)), _PAIRS,
    ),
    Target(
        "grand-pairs", "for each {node} that is neither the {root} nor one of its {children} one pair, first the "
        "{parent} of its {parent}, then the {node} itself", _grand_pairs, _PAIRS,
    ),
    Target(
        "distances", "for each {node}, in the order of the alphabet, how many steps it takes at least to the {node} "
        "that is last in the alphabet (0 for that one itself)" + _STEPS,
        lambda w: np.stack([w.distance(x, w.n - 1) for x in range(w.n)], axis=1), NUMBERS_IN_ORDER,
    ),
    Target(
        "leaf-depths", "the {depth} of each of the " + _LEAVES + ", in the order of the alphabet; the {root} has "
        "{depth} 0, its {children} 1 and so on", _leaf_depths, NUMBERS_IN_ORDER,
    ),
)  # fmt: skip


def _places(world: TreeWorld) -> Codes:
    return np.arange(1, world.n + 1)


def _parent_places(world: TreeWorld) -> Codes:
    """The place of each node's parent, 0 for the root."""
    return world.parents + 1


DEPTH_PRIOR = Prior(
    "The probability of a {tree} is proportional to the sum of these numbers: for each {node}, its {depth} (0 for the "
    "{root}, 1 for its {children} and so on) times its place in the alphabet (1 for A, 2 for B and so on).",
    lambda w: w.depth @ _places(w),
)
PARENT_PRIOR = Prior(
    "The probability of a {tree} is proportional to the sum of these numbers: for each {node} but the {root}, its "
    "place in the alphabet (1 for A, 2 for B and so on) times the place of its {parent}.",
    lambda w: _parent_places(w) @ _places(w),
)
PRODUCT_PRIOR = Prior(
    "The probability of a {tree} is proportional to the product of these numbers: for each {node} but the {root}, the "
    "place of its {parent} in the alphabet (1 for A, 2 for B and so on).",
    lambda w: np.maximum(_parent_places(w), 1).prod(axis=1),
)


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


CAUSES = (
    abductive(BUSHY, "likely-bushy", _kind("height"), PARENT_PRIOR),
    abductive(NEAR, "likely-near", _kind("branches"), PARENT_PRIOR),
    abductive(TWO_TIPS, "likely-two-tips", _kind("branches"), PARENT_PRIOR),
    abductive(THREE_STARS, "likely-three-stars", _kind("leaf"), PARENT_PRIOR, 1),
    abductive(TWO_HUBS, "likely-two-hubs", _kind("leaf"), PARENT_PRIOR, 1),
    abductive(DEPTH_FIRST, "likely-depth-first", _kind("branches"), DEPTH_PRIOR),
    abductive(BREADTH_FIRST, "likely-breadth-first", _kind("branches"), PRODUCT_PRIOR),
    abductive(CATERPILLARS, "likely-caterpillars", _kind("branches"), PRODUCT_PRIOR),
    abductive(ANY_ROOT, "likely-any-root", _kind("height"), PRODUCT_PRIOR),
    abductive(CLOSE, "likely-close", _kind("leaves"), PARENT_PRIOR),
)


def _instances(rng: np.random.Generator, count: int, n: int, **_: int) -> TreeWorld:
    """Different trees with any root: each node, in a random order, is hung below one of the last three before it."""
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, n ** (n - 1)):
        order = rng.permuted(np.tile(np.arange(n), (count, 1)), axis=1)
        back = (rng.random((count, n)) * np.minimum(np.arange(n), 3)).astype(np.int64)
        above = np.take_along_axis(order, np.arange(-1, n - 1) - back, axis=1)
        parents = np.full((count, n), NOTHING, dtype=np.int64)
        np.put_along_axis(parents, order[:, 1:], above[:, 1:], axis=1)
        drawn.update(dict.fromkeys(map(tuple, parents.tolist())))
    return _world(np.array(list(drawn)[:count], dtype=np.int64))


def _written(world: TreeWorld) -> list[str]:
    def say(parents: list[int], node: int) -> str:
        below = " ".join(say(parents, child) for child, parent in enumerate(parents) if parent == node)
        return f"{NODES[node]}({below})" if below else NODES[node]

    return ["{tree} " + say(parents, parents.index(NOTHING)) for parents in world.parents.tolist()]


def _subsets(n: int, sizes: Iterable[int]) -> Codes:
    """All sets of some sizes of n nodes, one a row, as zeros and ones."""
    rows = [chosen for size in sizes for chosen in itertools.combinations(range(n), size)]
    sets = np.zeros((len(rows), n), dtype=np.int64)
    for index, row in enumerate(rows):
        sets[index, list(row)] = 1
    return sets


def _marked(made: TreeWorld, n: int, k: int) -> Codes:
    counts: Codes = _subsets(n, range(1, k + 1)) @ made.leaves.T.astype(np.int64)
    return counts


def _joined(made: TreeWorld, n: int, k: int) -> Codes:
    """An edge is needed if some but not all of the secret nodes are below it; sets of nodes are bits of numbers."""
    bits = 1 << np.arange(n)
    secret = _subsets(n, [k]) @ bits
    below = made.above @ bits
    needed = np.zeros((len(secret), len(made)), dtype=np.int64)
    for node in range(n):
        common = secret[:, None] & below[:, node]
        needed += (common != 0) & (common != secret[:, None])
    return needed


def _claims(made: TreeWorld, n: int) -> Codes:
    x, y = np.array(list(itertools.permutations(range(n), 2))).T
    either = made.above[:, x, y].T[:, None] | made.leaves.T
    return np.asarray(either.reshape(-1, len(made)), dtype=np.int64)


def _remainders(made: TreeWorld, n: int, m: int) -> Codes:
    a, b, d = np.array([(a, b, d) for d in range(2, m + 1) for a in range(1, d) for b in range(d)]).T[:, :, None]
    total, leaves = made.depth.sum(axis=1), made.leaves.sum(axis=1)
    left: Codes = (a * total + b * leaves) % d
    return left


def _either(made: TreeWorld, n: int, d: int) -> Codes:
    depth, single = made.depth.transpose(), made.children.transpose() == 1
    deep = np.concatenate([depth >= least for least in range(1, d + 1)])
    return np.asarray((deep[:, None] | single).reshape(-1, len(made)), dtype=np.int64)


def _switched(made: TreeWorld, n: int) -> Codes:
    x, y, z = np.array(list(itertools.permutations(range(n), 3))).T
    given: Codes = np.where(made.leaves.T[x], made.depth.T[y], made.children.T[z])
    return given


def _added(made: TreeWorld, n: int, m: int) -> Codes:
    x, y = np.array(list(itertools.permutations(range(n), 2))).T
    return np.concatenate([made.depth.T[x] + factor * made.children.T[y] for factor in range(1, m + 1)])


_READ = (
    "; {trees} have the {nodes} named by the first {n} letters and are written {root} first, with {children} in "
    "brackets: in A(B C(D)) the {root} A has the {children} B and C, and C has D"
)

RULES = (
    inductive(
        "marked", "a rule of a secret group of 1 to {k} {nodes}: it gives a {tree} as many points as {nodes} of the "
        "group have no {children}" + _READ,
        ({"n": 6, "k": 3, "pool": 10, "shown": 2}, {"n": 8, "k": 3, "pool": 21, "shown": 2},
         {"n": 9, "k": 4, "pool": 19, "shown": 2}, {"n": 10, "k": 5, "pool": 19, "shown": 2},
         {"n": 11, "k": 6, "pool": 23, "shown": 2}), _instances, _written, _marked,
    ),
    inductive(
        "joined", "a rule of a secret group of {k} {nodes}: it gives a {tree} the least number of its {edges} (each "
        "between a {node} and its {parent}) that join all {nodes} of the group to each other, over other {nodes} "
        "where needed" + _READ,
        ({"n": 7, "k": 3, "pool": 13, "shown": 2}, {"n": 9, "k": 3, "pool": 17, "shown": 2},
         {"n": 10, "k": 4, "pool": 15, "shown": 2}, {"n": 12, "k": 4, "pool": 19, "shown": 2},
         {"n": 13, "k": 5, "pool": 19, "shown": 2}), _instances, _written, _joined,
    ),
    inductive(
        "claims", "a rule of three secret {nodes} x, y and z, of which only x and y must differ: it gives a {tree} 1 "
        "if y is one of the {descendants} of x" + _DOWN + " or if z has no {children}, otherwise 0" + _READ,
        ({"n": 4, "pool": 21, "shown": 3}, {"n": 5, "pool": 29, "shown": 3}, {"n": 7, "pool": 38, "shown": 3},
         {"n": 9, "pool": 48, "shown": 3}, {"n": 12, "pool": 57, "shown": 3}), _instances, _written, _claims,
    ),
    inductive(
        "remainders", "a rule of three secret whole numbers, a divisor d from 2 to {m}, a from 1 to d - 1 and b from "
        "0 to d - 1: it gives a {tree} the remainder when a times the sum of the {depth} of each {node}" + _DEPTH + " "
        "plus b times the number of {nodes} without {children} is divided by d" + _READ,
        ({"n": 8, "m": 5, "pool": 15, "shown": 2}, {"n": 8, "m": 7, "pool": 15, "shown": 2},
         {"n": 9, "m": 10, "pool": 17, "shown": 2}, {"n": 9, "m": 13, "pool": 18, "shown": 2},
         {"n": 10, "m": 17, "pool": 21, "shown": 2}), _instances, _written, _remainders,
    ),
    inductive(
        "either", "a rule of two secret {nodes} x and y, which may be the same, and a secret number d from 1 to {d}: "
        "it gives a {tree} 1 if the {depth} of x is at least d" + _DEPTH + " or if y is the {parent} of exactly one "
        "other {node}, otherwise 0" + _READ,
        ({"n": 5, "d": 2, "pool": 14, "shown": 3}, {"n": 6, "d": 3, "pool": 29, "shown": 3},
         {"n": 8, "d": 4, "pool": 41, "shown": 3}, {"n": 11, "d": 5, "pool": 51, "shown": 3},
         {"n": 14, "d": 6, "pool": 59, "shown": 3}), _instances, _written, _either,
    ),
    inductive(
        "switched", "a rule of three different secret {nodes} x, y and z: it gives a {tree} the {depth} of "
        "y" + _DEPTH + " if x "
        "has no {children}, otherwise the number of {children} of z" + _READ,
        ({"n": 5, "pool": 14, "shown": 2}, {"n": 6, "pool": 20, "shown": 2}, {"n": 8, "pool": 20, "shown": 2},
         {"n": 10, "pool": 27, "shown": 2}, {"n": 13, "pool": 31, "shown": 2}), _instances, _written, _switched,
    ),
    inductive(
        "added", "a rule of two different secret {nodes} x and y and a secret whole number m from 1 to {m}: it gives a "
        "{tree} the {depth} of x" + _DEPTH + " plus m times the number of {children} of y" + _READ,
        ({"n": 5, "m": 2, "pool": 8, "shown": 2}, {"n": 7, "m": 2, "pool": 20, "shown": 2},
         {"n": 9, "m": 3, "pool": 15, "shown": 2}, {"n": 11, "m": 5, "pool": 15, "shown": 2},
         {"n": 14, "m": 7, "pool": 19, "shown": 2}), _instances, _written, _added,
    ),
)  # fmt: skip

DEDUCTIVE = (
    BUSHY, NEAR, TWO_TIPS, THREE_STARS, SHORT_LEGS, TWO_HUBS, DEPTH_FIRST, BREADTH_FIRST, CATERPILLARS, ANY_ROOT, CLOSE,
)  # fmt: skip
TABLE = """
bushy | parent parity height | all-children
bushy | depth children reach | all-depths
bushy | parent heavier bare | leaf-pairs
near | parity eldest forks | all-depths
near | distance grandparent layer | leaf-depths
near | below distance layer | way-down
two-tips | leaf grandparent reach | all-depths
two-tips | peers top layer | leaf-depths
two-tips | siblings tips bare | sibling-pairs
two-tips | above depth deeper | tour
three-stars | below meet leaves | all-children
three-stars | above children leaves | everything
three-stars | distance tips branches | leaves-by-depth
three-stars | above bare forks | tour
short-legs | distance height leaves | distances
short-legs | above peers | everything
short-legs | parent linked leaf | leaf-pairs
two-hubs | parent below leaves | distances
two-hubs | meet peers leaves | leaves-by-depth
two-hubs | linked reach forks | tour
depth-first | parent deeper peers | all-children
depth-first | below meet grandparent | grand-pairs
depth-first | depth height branches | leaves-by-depth
depth-first | deeper peers forks | sibling-pairs
breadth-first | parity siblings bare | by-size
breadth-first | siblings leaf top | distances
breadth-first | eldest depths | everything
breadth-first | above top | way-down
caterpillars | meet linked tips | leaf-pairs
caterpillars | distance siblings depths | leaves-by-depth
caterpillars | heavier grandparent eldest | sibling-pairs
caterpillars | distance linked height | way-down
any-root | meet layer height | all-sizes
any-root | heavier top eldest | by-size
any-root | depth tips heavier | grand-pairs
any-root | depth reach branches | way-down
close | linked leaf leaves | all-sizes
close | children deeper depths | by-size
close | parity reach depths | grand-pairs
close | parent deeper height | leaf-depths
marked | test any both | all-eight
marked | test both | all-eight
marked | test | equal-neighbours
marked | test any both | equal-neighbours
marked | test same odd | equal-neighbours
marked | test odd | five
marked | test same both | five
joined | same odd | even-ones
joined | same | first-and-last
joined | same odd | five
claims | sum | all-eight
claims | test both first | all-eight
claims | test odd first | equal-neighbours
claims | sum first | first-and-sum
claims | test same | first-and-sum
claims | sum | some-that-get-more
claims | test more first | some-that-get-more
claims | test both first | thirds
claims | test odd first | thirds
either | test same first | all-eight
either | test any first | equal-neighbours
either | test first | equal-neighbours
either | test sum first | first-and-sum
either | test more first | five
either | test sum | five
either | test more | some-that-get-more
either | odd | thirds
either | sum first | thirds
switched | test odd both | all-eight
switched | test more both | equal-neighbours
switched | more odd both | even-ones
switched | test same any | even-ones
switched | more any odd | first-and-last
switched | same any odd | first-and-last
switched | more any first | first-and-sum
switched | test more odd | first-and-sum
switched | test any odd | five
switched | test more any | some-that-get-more
switched | test same more | some-that-get-more
switched | test any | thirds
likely-bushy | depth below tips | all-depths
likely-bushy | below tips bare | all-sizes
likely-bushy | parity bare | everything
likely-bushy | below tips depths | sibling-pairs
likely-near | depth reach forks | all-sizes
likely-near | deeper forks height | by-size
likely-near | deeper leaf forks | leaf-pairs
likely-near | depth children siblings | sibling-pairs
likely-two-tips | depth children heavier | distances
likely-two-tips | peers bare layer | everything
likely-two-tips | eldest reach | grand-pairs
likely-two-tips | depth siblings peers | tour
likely-two-tips | depths | way-down
likely-three-stars | peers eldest depths | all-children
likely-three-stars | heavier eldest branches | everything
likely-three-stars | depth heavier branches | leaf-depths
likely-three-stars | grandparent reach branches | tour
likely-two-hubs | children tips grandparent | distances
likely-two-hubs | grandparent reach | everything
likely-two-hubs | tips leaf depths | leaves-by-depth
likely-two-hubs | parity heavier depths | tour
likely-depth-first | parity leaf | leaf-depths
likely-depth-first | parity eldest leaves | leaves-by-depth
likely-depth-first | reach leaves | way-down
likely-breadth-first | siblings peers height | all-children
likely-breadth-first | siblings depths | distances
likely-breadth-first | siblings deeper layer | grand-pairs
likely-breadth-first | tips deeper | leaf-pairs
likely-caterpillars | deeper forks leaves | all-children
likely-caterpillars | grandparent layer | leaf-pairs
likely-caterpillars | depth grandparent layer | leaves-by-depth
likely-caterpillars | deeper height | sibling-pairs
likely-any-root | heavier top reach | all-depths
likely-any-root | leaf eldest | all-sizes
likely-any-root | distance linked leaf | by-size
likely-any-root | parity linked | grand-pairs
likely-close | children leaf | all-children
likely-close | heavier eldest bare | all-depths
likely-close | below heavier bare | leaf-depths
likely-close | parity deeper top | way-down
"""
STRUCTURE = Structure(
    "tree",
    WORDS,
    families=(*DEDUCTIVE, *CAUSES, *RULES),
    kinds=KINDS + induction.KINDS,
    targets=TARGETS + induction.TARGETS,
    table=TABLE,
)
