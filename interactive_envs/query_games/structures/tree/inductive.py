"""Rules about trees. A family is a function: the output of every rule for every instance."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from interactive_envs.query_games.base import NODES, NOTHING, Codes, levels
from interactive_envs.query_games.structures.induction.worlds import Instances, inductive
from interactive_envs.query_games.structures.tree.worlds import DEPTH, DOWN, TreeWorld, of_parents


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
    return of_parents(np.array(list(drawn)[:count], dtype=np.int64))


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


_READ = (
    ". The {nodes} are named by the first {n} letters. A {tree} is written with the {root} first and "
    "{children} in brackets: in A(B C(D)), the {root} A has the {children} B and C, and C has D"
)
TREES = Instances(_instances, _written)


@inductive(
    "a rule with a secret group of 1 to {k} {nodes}. Its output for a {tree} is how many {nodes} of the "
    "group have no {children}" + _READ,
    levels(n=(6, 8, 9, 10, 11), k=(3, 3, 4, 5, 6), pool=(10, 21, 19, 19, 23), shown=(1, 2, 2, 1, 1)),
    TREES,
)
def marked(made: TreeWorld, n: int, k: int) -> Codes:
    counts: Codes = _subsets(n, range(1, k + 1)) @ made.leaves.T.astype(np.int64)
    return counts


@inductive(
    "a rule with a secret group of {k} {nodes}. Its output for a {tree} is the smallest number of {edges} "
    "(each between a {node} and its {parent}) that connect all {nodes} of the group with each other, through "
    "other {nodes} where needed" + _READ,
    levels(n=(7, 9, 10, 12, 13), k=(3, 3, 4, 4, 5), pool=(13, 17, 15, 19, 19), shown=1),
    TREES,
)
def joined(made: TreeWorld, n: int, k: int) -> Codes:
    """An edge is needed if some but not all of the secret nodes are below it; sets of nodes are bits of numbers."""
    bits = 1 << np.arange(n)
    secret = _subsets(n, [k]) @ bits
    below = made.above @ bits
    needed = np.zeros((len(secret), len(made)), dtype=np.int64)
    for node in range(n):
        common = secret[:, None] & below[:, node]
        needed += (common != 0) & (common != secret[:, None])
    return needed


@inductive(
    "a rule with three secret {nodes} x, y and z. x and y are different, and z may be any of the {nodes}. "
    "Its output for a {tree} is 1 if y is one of the {descendants} of x"
    + DOWN
    + " or if z has no {children}, and 0 otherwise"
    + _READ,
    levels(n=(4, 5, 7, 9, 12), pool=(21, 29, 38, 48, 57), shown=1),
    TREES,
)
def claims(made: TreeWorld, n: int) -> Codes:
    x, y = np.array(list(itertools.permutations(range(n), 2))).T
    either = made.above[:, x, y].T[:, None] | made.leaves.T
    return np.asarray(either.reshape(-1, len(made)), dtype=np.int64)


@inductive(
    "a rule with three secret whole numbers: a divisor d from 2 to {m}, a from 1 to d - 1, and b from 0 to d "
    "- 1. Its output for a {tree} is the remainder when a * S + b * L is divided by d. S is the sum of the "
    "{depth} of all {nodes}" + DEPTH + ", and L is the number of {nodes} without {children}" + _READ,
    levels(n=(8, 8, 9, 9, 10), m=(5, 7, 10, 13, 17), pool=(15, 15, 17, 18, 21), shown=1),
    TREES,
)
def remainders(made: TreeWorld, n: int, m: int) -> Codes:
    a, b, d = np.array([(a, b, d) for d in range(2, m + 1) for a in range(1, d) for b in range(d)]).T[:, :, None]
    total, leaves = made.depth.sum(axis=1), made.leaves.sum(axis=1)
    left: Codes = (a * total + b * leaves) % d
    return left


@inductive(
    "a rule with two secret {nodes} x and y, which may be the same, and a secret number d from 1 to {d}. Its "
    "output for a {tree} is 1 if the {depth} of x is at least d"
    + DEPTH
    + " or if y is the {parent} of exactly one other {node}, and 0 otherwise"
    + _READ,
    levels(n=(5, 6, 8, 11, 14), d=(2, 3, 4, 5, 6), pool=(14, 29, 41, 51, 59), shown=(2, 2, 1, 1, 1)),
    TREES,
)
def either(made: TreeWorld, n: int, d: int) -> Codes:
    depth, single = made.depth.transpose(), made.children.transpose() == 1
    deep = np.concatenate([depth >= least for least in range(1, d + 1)])
    return np.asarray((deep[:, None] | single).reshape(-1, len(made)), dtype=np.int64)


@inductive(
    "a rule with three different secret {nodes} x, y and z. If x has no {children}, its output for a {tree} "
    "is the {depth} of y" + DEPTH + "; otherwise it is the number of {children} of z" + _READ,
    levels(n=(5, 6, 8, 10, 13), pool=(14, 20, 20, 27, 31), shown=(2, 2, 2, 1, 1)),
    TREES,
)
def switched(made: TreeWorld, n: int) -> Codes:
    x, y, z = np.array(list(itertools.permutations(range(n), 3))).T
    given: Codes = np.where(made.leaves.T[x], made.depth.T[y], made.children.T[z])
    return given


@inductive(
    "a rule with two different secret {nodes} x and y and a secret whole number m from 1 to {m}. Its output "
    "for a {tree} is the {depth} of x" + DEPTH + " plus m times the number of {children} of y" + _READ,
    levels(n=(5, 7, 9, 11, 14), m=(2, 2, 3, 5, 7), pool=(8, 20, 15, 15, 19), shown=1),
    TREES,
)
def added(made: TreeWorld, n: int, m: int) -> Codes:
    x, y = np.array(list(itertools.permutations(range(n), 2))).T
    return np.concatenate([made.depth.T[x] + factor * made.children.T[y] for factor in range(1, m + 1)])
