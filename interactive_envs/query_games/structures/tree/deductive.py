"""Families of hidden trees. A family is a function that builds all trees of a level from its parameters."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NOTHING, Codes, deductive, levels
from interactive_envs.query_games.structures.tree.worlds import TreeWorld, Truths, child_counts, of_parents


def _depths(parents: Codes) -> Codes:
    """Of trees in which each parent comes before its children."""
    rows, depths = np.arange(len(parents)), np.zeros_like(parents)
    for node in range(1, parents.shape[1]):
        depths[:, node] = depths[rows, parents[:, node]] + 1
    return depths


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


def _edge(n: int, first: int, last: int) -> Codes:
    """What an edge adds to the neighbours of each of n nodes, as bits."""
    near = np.zeros(n, dtype=np.int64)
    near[first], near[last] = 1 << last, 1 << first
    return near


_TREE = "a {tree} of {n} {nodes} with {root} A. "
_AFTER = "Every other {node} comes after its {parent} in the alphabet"


@deductive(
    _TREE + _AFTER + ". No {node} has more than {c} {children}, and no {node} is more than {d} steps from the {root}",
    levels(n=(6, 6, 7, 7, 8), c=(2, 3, 2, 3, 2), d=(3, 5, 6, 6, 7)),
)
def bushy(n: int, c: int, d: int) -> TreeWorld:
    return of_parents(_grown(n, lambda p: (child_counts(p) < c) & (_depths(p) < d)), c=c, d=d)


@deductive(
    _TREE + "The {parent} of every other {node} is one of the three {nodes} just before it in the alphabet (or any "
    "earlier {node} where there are fewer). No {node} has more than two {children}",
    levels(n=(6, 7, 8, 9, 10)),
)
def near(n: int) -> TreeWorld:
    return of_parents(_grown(n, lambda p: (child_counts(p) < 2) & (_fresh(p) <= 3)))


@deductive(_TREE + _AFTER + ". Exactly two {nodes} have no {children}", levels(n=(7, 8, 9, 10, 11)))
def two_tips(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        tips = child_counts(parents) == 0
        few: Truths = tips | (tips.sum(axis=1) < 2)[:, None]
        return few

    parents = _grown(n, may)
    return of_parents(parents[(child_counts(parents) == 0).sum(axis=1) == 2])


@deductive(
    _TREE + _AFTER + ". No {node} is more than two steps from the {root}, and the {root} has at most three {children}",
    levels(n=(6, 7, 8, 9, 10)),
)
def three_stars(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        depths, full = _depths(parents), child_counts(parents)[:, 0] == 3
        few: Truths = np.where(depths == 0, ~full[:, None], depths == 1)
        return few

    return of_parents(_grown(n, may))


@deductive(
    _TREE
    + _AFTER
    + ". No {node} is more than two steps from the {root}, and no {node} other than the {root} is the {parent} "
    "of more than one {node}",
    levels(n=(6, 7, 8, 9, 10)),
)
def short_legs(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        free: Truths = (_depths(parents) == 1) & (child_counts(parents) == 0)
        free[:, 0] = True
        return free

    return of_parents(_grown(n, may))


@deductive(
    _TREE + "The {root} has exactly two {children}, which may be any of the other {nodes}. Every remaining {node} "
    "has one of these two as its {parent}. One of the two may have no {children}",
    levels(n=(5, 6, 7, 8, 9)),
)
def two_hubs(n: int) -> TreeWorld:
    hubs = np.array(list(itertools.combinations(range(1, n), 2)))
    sides = np.array(list(itertools.product((0, 1), repeat=n - 3)))
    others = np.array([[v for v in range(1, n) if v not in pair] for pair in hubs.tolist()])
    parents = np.full((len(hubs), len(sides), n), NOTHING, dtype=np.int64)
    pair, side = np.arange(len(hubs))[:, None], np.arange(len(sides))[None, :]
    for hub in (0, 1):
        parents[pair, side, hubs[:, hub, None]] = 0
    for place in range(n - 3):
        parents[pair, side, others[:, place, None]] = hubs[:, sides[:, place]]
    return of_parents(parents.reshape(-1, n))


@deductive(
    _TREE + "Each {node} and its {descendants} (its {children}, their {children} and so on) follow each other in the "
    "alphabet without a gap, beginning with the {node} itself. No {node} has more than two {children}",
    levels(n=(7, 8, 9, 10, 11)),
)
def depth_first(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        """The newest node and its ancestors, unless they have two children."""
        rows, newest = np.arange(len(parents)), np.full(len(parents), parents.shape[1] - 1)
        open_ones = np.zeros(parents.shape, dtype=bool)
        for _ in range(parents.shape[1]):
            open_ones[rows, newest] = True
            newest = np.maximum(parents[rows, newest], 0)
        free: Truths = open_ones & (child_counts(parents) < 2)
        return free

    return of_parents(_grown(n, may))


@deductive(
    _TREE
    + _AFTER
    + ". Of any two {nodes} other than the {root}, the later one in the alphabet never has a {parent} that "
    "comes before the {parent} of the earlier one. No {node} has more than three {children}",
    levels(n=(6, 7, 8, 9, 10)),
)
def breadth_first(n: int) -> TreeWorld:
    return of_parents(_grown(n, lambda p: (np.arange(p.shape[1]) >= p[:, -1:]) & (child_counts(p) < 3)))


@deductive(
    _TREE + "The {parent} of every other {node} is one of the three {nodes} just before it in the alphabet (or any "
    "earlier {node} where there are fewer). Of the {children} of any one {node}, at most one has {children} "
    "itself",
    levels(n=(6, 7, 8, 9, 10)),
)
def caterpillars(n: int) -> TreeWorld:
    def may(parents: Codes) -> Truths:
        """One of the last three nodes, which has children or is a child of the deepest that has."""
        inner = child_counts(parents) > 0
        deepest = np.where(inner, _depths(parents), NOTHING).argmax(axis=1)
        on_path: Truths = inner | (parents == deepest[:, None]) | (parents.shape[1] == 1)
        return on_path & (_fresh(parents) <= 3)

    return of_parents(_grown(n, may))


@deductive(
    "a {tree} of {n} {nodes}. Any {node} may be the {root}. For each {node} except A, exactly one of the two "
    "{nodes} just before it in the alphabet (for B, only A) is its {parent} or one of its {children}. There "
    "are no other {edges}",
    levels(n=(5, 6, 7, 8, 9)),
)
def any_root(n: int) -> TreeWorld:
    grown = _grown(n, lambda p: np.tile(_fresh(p) <= 2, (len(p), 1)))
    near, rows = np.zeros_like(grown), np.arange(len(grown))
    for node in range(1, n):
        near[:, node] |= 1 << grown[:, node]
        near[rows, grown[:, node]] |= 1 << node
    return of_parents(_hung(np.repeat(near, n, axis=0), np.tile(np.arange(n), len(grown))))


@deductive(
    _TREE + "Every other {node} is at most two letters away from its {parent} in the alphabet, before or after it",
    levels(n=(6, 7, 8, 9, 10)),
)
def close(n: int) -> TreeWorld:
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
    return of_parents(_hung(near, np.zeros(len(near), dtype=np.int64)))
