"""Rules about sets. A family is a function: the output of every rule for every instance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from interactive_envs.query_games.base import NOTHING, Codes, levels
from interactive_envs.query_games.structures.induction.worlds import Instances, inductive
from interactive_envs.query_games.structures.set.worlds import SetWorld, listed, of_sizes


def _instances(rng: np.random.Generator, count: int, n: int, **_: int) -> SetWorld:
    """Different sets of 1 to 4 numbers, larger ones where there are many numbers."""
    most = max(4, n // 3)
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < min(count, sum(math.comb(n, size) for size in range(1, most + 1))):
        drawn[tuple(sorted(rng.permutation(n)[: rng.integers(1, most + 1)] + 1))] = None
    return listed(n, drawn)


def _written(world: SetWorld) -> list[str]:
    return ["{set} (" + ", ".join(map(str, row[row != NOTHING])) + ")" for row in world.ranked()]


def _hidden_sets(n: int, sizes: Iterable[int]) -> NDArray[np.int64]:
    return of_sizes(n, sizes).members.astype(np.int64)


SETS = Instances(_instances, _written)


@inductive(
    "a rule with a secret {set} of {k} different {numbers} from 1 to {n}. Its output for a {set} is how many "
    "{numbers} that {set} shares with the secret one",
    levels(n=(7, 9, 12, 16, 21), k=3, pool=(16, 11, 13, 18, 20), shown=1),
    SETS,
)
def shared(made: SetWorld, n: int, k: int) -> Codes:
    return _hidden_sets(n, [k]) @ made.members.T.astype(np.int64)


@inductive(
    "a rule with a secret {set} of 2 to {k} different {numbers} from 1 to {n}. Its output for a {set} is 1 "
    "if more than half of that {set}'s {numbers} are in the secret one, and 0 otherwise",
    levels(n=(6, 8, 9, 10, 11), k=(3, 4, 5, 6, 7), pool=(20, 25, 36, 36, 43), shown=(2, 2, 2, 1, 1)),
    SETS,
)
def majority(made: SetWorld, n: int, k: int) -> Codes:
    inside = _hidden_sets(n, range(2, k + 1)) @ made.members.T.astype(np.int64)
    return np.asarray(2 * inside > made.size, dtype=np.int64)


@inductive(
    "a rule with three secret whole numbers: a divisor d from 2 to {m}, a from 1 to d - 1, and b from 0 to d "
    "- 1. Its output for a {set} is the remainder when a * S + b * C is divided by d, where S is the sum of "
    "the {set}'s {numbers} and C is how many {numbers} it has",
    levels(n=9, m=(6, 8, 10, 13, 16), pool=(15, 18, 18, 12, 14), shown=1),
    SETS,
)
def remainders(made: SetWorld, n: int, m: int) -> Codes:
    rules = [(a, b, d) for d in range(2, m + 1) for a in range(1, d) for b in range(d)]
    a, b, d = np.array(rules).T[:, :, None]
    return np.asarray((a * made.total + b * made.size) % d)


@inductive(
    "a rule with a secret minimum m from 1 to {t} and a secret range from a to b within 1 to {n} that "
    "contains at least m {numbers}. Its output for a {set} is 1 if at least m of its {numbers} are from a to "
    "b inclusive, and 0 otherwise",
    levels(n=(8, 10, 13, 16, 18), t=(2, 3, 4, 4, 6), pool=(16, 40, 44, 56, 58), shown=(2, 2, 2, 2, 1)),
    SETS,
)
def crowded(made: SetWorld, n: int, t: int) -> Codes:
    ranges = [(a, b, least) for least in range(1, t + 1) for a in range(1, n + 1) for b in range(a + least - 1, n + 1)]
    return np.stack([made.part(a, b).sum(axis=1) >= least for a, b, least in ranges])


@inductive(
    "a rule with three secret {numbers} x, y and z from 1 to {n}. x and y are different, and z may be any of "
    "them. Its output for a {set} is 1 if the {set} contains both x and y, or if it contains z, and 0 "
    "otherwise",
    levels(n=(6, 7, 8, 10, 11), pool=(25, 32, 37, 43, 54), shown=(2, 2, 1, 1, 1)),
    SETS,
)
def either(made: SetWorld, n: int) -> Codes:
    has = made.members.T
    numbers = range(n)
    return np.stack([(has[x] & has[y]) | has[z] for x, y in itertools.combinations(numbers, 2) for z in numbers])


@inductive(
    "a rule with one or two secret conditions of the form 'if x is in the {set}, y is in it too'. Each "
    "condition has its own two different {numbers} x and y from 1 to {n}. The rule's output for a {set} is 1 "
    "if every condition holds, and 0 otherwise",
    levels(n=(5, 6, 7, 8, 9), pool=(22, 27, 38, 44, 41), shown=(1, 1, 1, 2, 1)),
    SETS,
)
def conditions(made: SetWorld, n: int) -> Codes:
    has = made.members.T
    kept = [~has[x] | has[y] for x, y in itertools.permutations(range(n), 2)]
    return np.stack([first & second for first, second in itertools.combinations_with_replacement(kept, 2)])
