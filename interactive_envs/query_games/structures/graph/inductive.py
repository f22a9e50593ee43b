"""Rules about graphs. A family is a function: the output of every rule for every instance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NODES, Codes, compare, levels
from interactive_envs.query_games.structures.graph.worlds import (
    GraphWorld,
    all_pairs,
    combinations,
    groupings,
    of_edges,
)
from interactive_envs.query_games.structures.induction.worlds import Instances, inductive


def listed(n: int, graphs: Iterable[Iterable[int]]) -> GraphWorld:
    """A world of the graphs listed, each as the indices of its edges in ``all_pairs``."""
    rows = list(map(list, graphs))
    chosen_edges = np.zeros((len(rows), n * (n - 1) // 2), dtype=bool)
    for row, indices in enumerate(rows):
        chosen_edges[row, indices] = True
    return GraphWorld({"n": n}, of_edges(n, chosen_edges))


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
    return np.concatenate([np.eye(n, dtype=np.float32)[combinations(n, size)].sum(axis=1) for size in sizes])


def _inside(sets: NDArray[np.float32], made: GraphWorld) -> Codes:
    """How many edges of each instance have both ends in each set, shape (sets, instances)."""
    one, other = all_pairs(made.n).T
    return np.asarray((sets[:, one] * sets[:, other]) @ _present(made), dtype=np.int64)


_READ = (
    ". The {nodes} are named by the first {n} letters. A {graph} is written as a list of its {edges}: A-B "
    "means that A and B are {joined}"
)
GRAPHS = Instances(_instances, _written)


@inductive(
    "a rule with a secret set of {k} {nodes}. Its output for a {graph} is how many {edges} have one end in "
    "the secret set and the other end outside it" + _READ,
    levels(n=(7, 9, 10, 11, 13), k=(3, 3, 4, 5, 5), pool=(11, 16, 18, 18, 19), shown=1),
    GRAPHS,
)
def across(made: GraphWorld, n: int, k: int) -> Codes:
    sets = _members(n, [k])
    one, other = all_pairs(n).T
    return np.asarray((sets[:, one] != sets[:, other]).astype(np.float32) @ _present(made), dtype=np.int64)


@inductive(
    "a rule with a secret set of 2 to {k} {nodes}. Its output for a {graph} is 1 if the number of {edges} "
    "with both ends in the secret set is odd, and 0 otherwise" + _READ,
    levels(n=(6, 7, 8, 9, 10), k=(3, 4, 5, 6, 7), pool=(20, 26, 30, 34, 38), shown=1),
    GRAPHS,
)
def club(made: GraphWorld, n: int, k: int) -> Codes:
    return np.asarray(_inside(_members(n, range(2, k + 1)), made) % 2)


@inductive(
    "a rule with {k} colours. Each of the {nodes} secretly has one colour, and each colour occurs at least "
    "once. The rule's output for a {graph} is how many {edges} have two ends of the same colour" + _READ,
    levels(n=(6, 6, 7, 7, 8), k=(2, 4, 5, 4, 3), pool=(17, 13, 18, 19, 18), shown=(2, 1, 1, 1, 1)),
    GRAPHS,
)
def colours(made: GraphWorld, n: int, k: int) -> Codes:
    labels = groupings(n, k)
    labels = labels[labels.max(axis=1) == k - 1]
    one, other = all_pairs(n).T
    return np.asarray((labels[:, one] == labels[:, other]).astype(np.float32) @ _present(made), dtype=np.int64)


@inductive(
    "a rule with a secret set of {k} {nodes}. Its output for a {graph} is the greatest number of secret "
    "{nodes} in one {part} (two {nodes} are in the same {part} if there is a {way} between them along "
    "{edges}; a {node} without {edges} is a {part} by itself)" + _READ,
    levels(n=(7, 9, 10, 11, 13), k=(3, 3, 4, 5, 5), pool=(28, 32, 37, 42, 51), shown=1),
    GRAPHS,
)
def gathering(made: GraphWorld, n: int, k: int) -> Codes:
    sets = _members(n, [k])
    found = np.zeros((len(sets), len(made)), dtype=np.float32)
    for node in range(n):
        np.maximum(found, sets @ (made.distances[:, node] >= 0).T.astype(np.float32), out=found)
    return found.astype(np.int64)


@inductive(
    "a rule with two different secret pairs of {nodes}, which may share a {node}. Its output for a {graph} "
    "is how many of the two pairs are {joined} directly (0, 1 or 2)" + _READ,
    levels(n=(5, 6, 7, 9, 11), pool=(19, 24, 29, 36, 45), shown=1),
    GRAPHS,
)
def two_edges(made: GraphWorld, n: int) -> Codes:
    has = _present(made).astype(np.int64)
    one, other = all_pairs(len(has)).T
    return np.asarray(has[one] + has[other])


@inductive(
    "a rule with three different secret {nodes} x, y and z; y comes before z in the alphabet. Its output for "
    "a {graph} is 0 if the shortest {way} from x to y has fewer {edges} than the shortest {way} from x to z, "
    "1 if it has the same number, and 2 if it has more. A missing {way} counts as longer than any other, and "
    "two missing ones count as equal" + _READ,
    levels(n=(5, 6, 8, 10, 13), pool=(17, 20, 26, 29, 36), shown=(2, 2, 1, 1, 1)),
    GRAPHS,
)
def nearer(made: GraphWorld, n: int) -> Codes:
    far = np.where(made.distances < 0, n, made.distances)
    rules = [(x, y, z) for x in range(n) for y, z in all_pairs(n).tolist() if x not in (y, z)]
    x, y, z = np.array(rules).T
    return compare(far[:, x, y], far[:, x, z]).T


@inductive(
    "a rule in which each of the {nodes} has a secret weight, a whole number from 1 to {w}. Its output for a "
    "{graph} is the greatest sum of the weights of two {nodes} that are {joined} directly" + _READ,
    levels(n=(5, 4, 5, 6, 7), w=(2, 3, 3, 3, 3), pool=(18, 19, 23, 37, 60), shown=(2, 1, 1, 1, 1)),
    GRAPHS,
)
def heaviest(made: GraphWorld, n: int, w: int) -> Codes:
    weights = np.array(list(itertools.product(range(1, w + 1), repeat=n)))
    one, other = all_pairs(n).T
    heavy = weights[:, one] + weights[:, other]
    present = _present(made)
    # Every graph has an edge of at least 2; each heavier weight that some edge reaches adds 1.
    reached = [(heavy >= weight).astype(np.float32) @ present > 0 for weight in range(3, 2 * w + 1)]
    return np.asarray(2 + np.sum(reached, axis=0))


@inductive(
    "a rule with a secret set of {k} {nodes} and a secret minimum m from 1 to {t}. Its output for a {graph} "
    "is how many {nodes} of the set have at least m {neighbours}" + _READ,
    levels(n=(7, 7, 9, 10, 11), k=(2, 3, 3, 4, 5), t=(2, 3, 3, 3, 3), pool=(15, 24, 21, 26, 28), shown=1),
    GRAPHS,
)
def busy(made: GraphWorld, n: int, k: int, t: int) -> Codes:
    sets = _members(n, [k])
    counts = [sets @ (made.degrees >= least).T.astype(np.float32) for least in range(1, t + 1)]
    return np.concatenate(counts).astype(np.int64)
