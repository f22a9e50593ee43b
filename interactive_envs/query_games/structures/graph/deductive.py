"""Families of hidden graphs. A family is a function that builds all graphs of a level from its parameters."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import Codes, deductive, levels
from interactive_envs.query_games.structures.graph.worlds import (
    GraphWorld,
    Truths,
    all_pairs,
    combinations,
    groupings,
    of_edges,
)


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


def _one_way(size: int, first: int) -> Codes:
    """Orders of so many things whose ``first`` thing comes before their last one: each of the others is a mirror's."""
    orders = np.array([order for order in itertools.permutations(range(size)) if order[first] < order[-1]])
    return orders[orders[:, 0] == 0] if first else orders


def _bits(width: int) -> Codes:
    """All rows of so many zeros and ones."""
    return np.arange(1 << width)[:, None] >> np.arange(width) & 1


def _alike(labels: Codes) -> Truths:
    """Which two different things have the same label."""
    same: Truths = (labels[:, :, None] == labels[:, None, :]) & ~np.eye(labels.shape[1], dtype=bool)
    return same


def _sides(n: int) -> Codes:
    """All splits of n things into two sides, neither empty: the side of each thing, 0 for that of the first."""
    return groupings(n, 2)[1:]


@deductive(
    "a {graph} of {n} {nodes}. {k} of the {nodes}, in any order, form one {ring}: each is {joined} to the "
    "next, and the last to the first. There are no other {edges}",
    levels(n=(6, 7, 7, 8, 9), k=(4, 4, 5, 5, 5)),
)
def ring(n: int, k: int) -> GraphWorld:
    rings = combinations(n, k)[:, _one_way(k, 1)].reshape(-1, k)
    return of_pairs(n, np.stack([rings, np.roll(rings, 1, axis=1)], axis=2), k=k)


@deductive(
    "a {graph} of {n} {nodes}. {k} of the {nodes}, in any order, form one line: each but the last is "
    "{joined} to the next. There are no other {edges}",
    levels(n=(5, 6, 6, 7, 7), k=(3, 3, 4, 4, 5)),
)
def line(n: int, k: int) -> GraphWorld:
    lines = combinations(n, k)[:, _one_way(k, 0)].reshape(-1, k)
    return of_pairs(n, np.stack([lines[:, 1:], lines[:, :-1]], axis=2), k=k)


@deductive(
    "a {graph} of {n} {nodes} in which no {node} has more than one {neighbour}. There may be no {edges} at all",
    levels(n=(5, 6, 7, 8, 9)),
)
def pairs(n: int) -> GraphWorld:
    partner = np.arange(n)[None, :]
    for late in range(1, n):
        grown = [partner]
        for early in range(late):
            free = partner[partner[:, early] == early]
            free[:, [early, late]] = late, early
            grown.append(free)
        partner = np.concatenate(grown)
    return GraphWorld({"n": n}, (partner[:, :, None] == np.arange(n)) & ~np.eye(n, dtype=bool))


@deductive(
    "a {graph} of {n} {nodes} in exactly {k} teams, each of one or more {nodes}. Two {nodes} are {joined} if "
    "they are in the same team, and not {joined} otherwise",
    levels(n=(6, 6, 7, 8, 9), k=(2, 3, 3, 3, 3)),
)
def teams(n: int, k: int) -> GraphWorld:
    labels = groupings(n, k)
    return GraphWorld({"n": n, "k": k}, _alike(labels[labels.max(axis=1) == k - 1]))


@deductive(
    "a {graph} of {n} {nodes} on two sides, at least one {node} on each. Two {nodes} are {joined} if they "
    "are on different sides, and not {joined} otherwise",
    levels(n=(7, 8, 9, 10, 11)),
)
def split(n: int) -> GraphWorld:
    sides = _sides(n)
    return GraphWorld({"n": n}, sides[:, :, None] != sides[:, None, :])


@deductive(
    "a {graph} of {n} {nodes} on two sides, at least one {node} on each. Any two {nodes} on the same side "
    "are {joined}, and exactly one pair of {nodes} from different sides is {joined}",
    levels(n=(4, 5, 6, 7, 8)),
)
def bridge(n: int) -> GraphWorld:
    sides = _sides(n)
    row, one, other = np.nonzero(sides[:, :, None] < sides[:, None, :])
    return GraphWorld({"n": n}, _alike(sides)[row] | of_pairs(n, np.stack([one, other], axis=1)[:, None]).edges)


@deductive("a {graph} of {n} {nodes} with exactly {k} {edges}", levels(n=(5, 6, 7, 6, 7), k=(2, 2, 2, 3, 3)))
def few_edges(n: int, k: int) -> GraphWorld:
    pairs = all_pairs(n)
    return of_pairs(n, pairs[combinations(len(pairs), k)], k=k)


@deductive(
    "a {graph} of {n} {nodes} that form one {ring} in alphabetical order: each is {joined} to the next, and "
    "the last to A. In addition, exactly two other pairs of {nodes} are {joined}. There are no other {edges}",
    levels(n=(6, 7, 8, 10, 12)),
)
def chords(n: int) -> GraphWorld:
    ring = [[node, (node + 1) % n] for node in range(n)]
    others = [pair for pair in itertools.combinations(range(n), 2) if 1 < pair[1] - pair[0] < n - 1]
    chords = np.array(others)[combinations(len(others), 2)]
    return of_pairs(n, np.concatenate([np.broadcast_to(ring, (len(chords), n, 2)), chords], axis=1))


@deductive(
    "a {graph} of two rows of {m} {nodes}, named from left to right in alphabetical order, the upper row "
    "first. At first, each {node} is {joined} to the ones on its right and left and to the one above or "
    "below it in the other row. Then 0 to {k} of these {edges} are removed, in such a way that there is "
    "still a {way} from every {node} to every other",
    levels(m=(4, 4, 5, 6, 6), k=(2, 3, 3, 3, 4)),
)
def roads(m: int, k: int) -> GraphWorld:
    streets = [[node, node + 1] for node in range(2 * m) if (node + 1) % m]
    roads = np.array(streets + [[node, node + m] for node in range(m)])
    closed = (of_pairs(2 * m, roads[combinations(len(roads), size)]).edges for size in range(k + 1))
    all_roads = of_pairs(2 * m, roads[None]).edges
    world = GraphWorld({"n": 2 * m, "m": m, "k": k}, all_roads & ~np.concatenate(list(closed)))
    return world.take(world.parts == 1)


@deductive(
    "a {graph} of {n} {nodes} in which every {node} except A and B is {joined} to A, to B or to both. There "
    "are no other {edges}",
    levels(n=(5, 6, 7, 8, 9)),
)
def hubs(n: int) -> GraphWorld:
    choices = np.array(list(itertools.product(range(3), repeat=n - 2)))
    edges = np.zeros((len(choices), n, n), dtype=bool)
    for hub in range(2):
        edges[:, hub, 2:] = edges[:, 2:, hub] = choices != hub
    return GraphWorld({"n": n}, edges)


@deductive(
    "a {graph} of {n} {nodes} in which every {node} has an even number of {neighbours}, and {nodes} are "
    "{joined} only to {nodes} one or two places away in the alphabet. There may be no {edges} at all",
    levels(n=(8, 9, 10, 11, 12)),
)
def loops(n: int) -> GraphWorld:
    """Sums of triangles of three nodes in a row: these are all graphs of even degrees on the edges there may be."""
    pairs = all_pairs(n)
    triangles = np.array(
        [[(pair >= first).all() and (pair <= first + 2).all() for pair in pairs] for first in range(n - 2)]
    )
    return GraphWorld({"n": n}, of_edges(n, _bits(n - 2) @ triangles.astype(np.int64) % 2))


@deductive(
    "a {graph} with an upper row, the first {a} {nodes} in the alphabet, and a lower row, the next {b}. Each "
    "{node} of the upper row is {joined} to none, some or all {nodes} of the lower row; if it is {joined} to "
    "one of them, it is also {joined} to all that come before that one in the lower row. No {node} of the "
    "upper row is {joined} to more {nodes} than the {node} before it in the upper row. There are no {edges} "
    "within a row",
    levels(a=(3, 3, 5, 5, 6), b=(4, 6, 5, 7, 7)),
)
def steps(a: int, b: int) -> GraphWorld:
    counts = np.array(list(itertools.combinations_with_replacement(range(b, -1, -1), a)))
    edges = np.zeros((len(counts), a + b, a + b), dtype=bool)
    edges[:, :a, a:] = np.arange(b) < counts[:, :, None]
    return GraphWorld({"n": a + b, "a": a, "b": b}, edges | edges.swapaxes(1, 2))


@deductive(
    "a {graph} of {n} {nodes} in which every {node} except A is {joined} either to all {nodes} before it in "
    "the alphabet or to none of them",
    levels(n=(7, 8, 9, 10, 11)),
)
def all_or_none(n: int) -> GraphWorld:
    joins = _bits(n - 1)
    edges = np.zeros((len(joins), n, n), dtype=bool)
    for late in range(1, n):
        edges[:, late, :late] = joins[:, late - 1, None]
    return GraphWorld({"n": n}, edges | edges.swapaxes(1, 2))
