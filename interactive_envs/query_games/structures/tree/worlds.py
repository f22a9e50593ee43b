"""Rooted trees of named nodes: their arrays, and what several modules compute of them."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NOTHING, Codes, Row, World

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
        return child_counts(self.parents)

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


def child_counts(parents: Codes) -> Codes:
    """How many children each node has, shape (trees, n)."""
    nodes = np.arange(parents.shape[1])
    counts: Codes = (parents[:, None, :] == nodes[:, None]).sum(axis=2)
    return counts


def of_parents(parents: Codes, **facts: int) -> TreeWorld:
    """Trees from the parent of each node, as ``TreeWorld.parents``; with n and, as ``most``, n - 1 as facts."""
    n = parents.shape[1]
    return TreeWorld({"n": n, "most": n - 1, **facts}, parents)


def node_pairs(world: TreeWorld) -> list[Row]:
    """All pairs of different nodes, each in the order of the alphabet."""
    return list(itertools.combinations(range(world.n), 2))


DEPTH = " (the {root} has {depth} 0, its {children} 1 and so on)"
LEAVES = "{leaves} (the {nodes} without {children})"
DOWN = " (its {children}, their {children} and so on)"
STEPS = ", where each step goes from a {node} to its {parent} or to one of its {children}"
