"""Graphs of named nodes and undirected edges: their arrays, and what several modules compute of them."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NOTHING, Codes, World

Truths = NDArray[np.bool_]
WORDS = {
    word: word
    for word in (
        "graph graphs node nodes edge edges joined neighbour neighbours part parts triangle triangles ring".split()
    )
} | {"way": "path"}
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


def all_pairs(n: int) -> Codes:
    """All pairs of different nodes, in order, shape (pairs, 2)."""
    return np.array(list(itertools.combinations(range(n), 2)))


def of_edges(n: int, chosen_edges: NDArray[Any]) -> Truths:
    """``GraphWorld.edges`` from which of ``all_pairs`` are joined, shape (graphs, pairs)."""
    edges = np.zeros((len(chosen_edges), n, n), dtype=bool)
    pairs = all_pairs(n)
    edges[:, pairs[:, 0], pairs[:, 1]] = chosen_edges
    edges[:, pairs[:, 1], pairs[:, 0]] = chosen_edges
    return edges


def combinations(things: int, size: int) -> Codes:
    """All sets of so many things, each as a rising row, shape (sets, size)."""
    found = itertools.chain.from_iterable(itertools.combinations(range(things), size))
    return np.fromiter(found, np.int64).reshape(math.comb(things, size), size)


def groupings(n: int, most: int) -> Codes:
    """All ways to put n things into at most so many groups: the group of each, groups numbered as they first occur."""
    labels = np.zeros((1, 1), dtype=np.int64)
    for _ in range(1, n):
        groups = labels.max(axis=1) + 1
        grown = [(labels[groups >= group], group) for group in range(most)]
        labels = np.concatenate([np.column_stack([rows, np.full(len(rows), group)]) for rows, group in grown])
    return labels


def gap_counts(world: GraphWorld) -> Codes:
    """How many edges join nodes 1, 2, … places apart, shape (graphs, n - 1)."""
    return np.stack([np.trace(world.edges, gap, 1, 2) for gap in range(1, world.n)], axis=1)


def edge_products(world: GraphWorld, power: int = 1) -> Codes:
    """The sum over the edges of the product of the places of both ends, or of a power of it."""
    worth = np.outer(world.places, world.places) ** power
    return np.asarray(np.tensordot(world.edges.astype(np.int64), worth, 2) // 2)
