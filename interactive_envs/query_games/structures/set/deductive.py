"""Families of hidden sets. A family is a function that builds all sets of a level from its parameters."""

from __future__ import annotations

import itertools

from interactive_envs.query_games.base import deductive, levels
from interactive_envs.query_games.structures.set.worlds import SetWorld, listed, of_sizes


@deductive("a {set} of {k} different {numbers} from 1 to {n}", levels(n=(7, 10, 11, 14, 14), k=(3, 3, 4, 4, 5)))
def choice(n: int, k: int) -> SetWorld:
    return of_sizes(n, [k], k=k)


@deductive("a {set} of 1 to {k} different {numbers} from 1 to {n}", levels(n=(6, 9, 13, 18, 23), k=3))
def few(n: int, k: int) -> SetWorld:
    return of_sizes(n, range(1, k + 1), k=k)


@deductive(
    "a {set} of one or more {numbers} from 1 to {n}, in which no two {numbers} differ by exactly 1",
    levels(n=(8, 10, 12, 14, 16)),
)
def gapped(n: int) -> SetWorld:
    """Sizes k without neighbours: k of n - k + 1 places, spread."""
    sizes = range(1, (n + 1) // 2 + 1)
    spread = (itertools.combinations(range(n - size + 1), size) for size in sizes)
    return listed(n, ([place + 1 + i for i, place in enumerate(places)] for kind in spread for places in kind))


@deductive(
    "a {set} of {numbers} from 1 to {n}. It consists of exactly two runs of consecutive {numbers}, with at "
    "least one missing {number} between the runs. A run may be a single {number}",
    levels(n=(7, 9, 11, 14, 17)),
)
def two_blocks(n: int) -> SetWorld:
    ends = itertools.combinations(range(1, n + 2), 4)
    return listed(n, ([*range(a, b), *range(c, d)] for a, b, c, d in ends))


@deductive(
    "a {set} with exactly one {number} from each group of three: 1 to 3, 4 to 6 and so on up to {n}",
    levels(groups=(3, 4, 5, 6, 7)),
)
def one_of_each(groups: int) -> SetWorld:
    rows = itertools.product(*([3 * group + 1, 3 * group + 2, 3 * group + 3] for group in range(groups)))
    return listed(3 * groups, rows, groups=groups)


@deductive(
    "a {set} of different {numbers} from 1 to {n} whose sum is {s}",
    levels(n=(9, 11, 13, 14, 16), s=(20, 30, 38, 48, 60)),
)
def adding_up(n: int, s: int) -> SetWorld:
    sets: list[list[tuple[int, ...]]] = [[()], *([] for _ in range(s))]
    for number in range(1, n + 1):
        for total in range(s, number - 1, -1):
            sets[total] += [(*smaller, number) for smaller in sets[total - number]]
    return listed(n, sorted(sets[s]), s=s)


@deductive(
    "a {set} of one or more {numbers} from 1 to {n}, in which no {number} is divisible by another one",
    levels(n=(8, 10, 12, 14, 16)),
)
def without_divisors(n: int) -> SetWorld:
    found: list[tuple[int, ...]] = [()]
    for number in range(1, n + 1):
        found += [(*one, number) for one in found if all(number % smaller for smaller in one)]
    return listed(n, found[1:])


@deductive("a {set} of one or more {numbers} from 1 to {n}, whose sum is even", levels(n=(6, 8, 9, 10, 12)))
def even_sums(n: int) -> SetWorld:
    world = of_sizes(n, range(1, n + 1))
    return world.take(world.total % 2 == 0)
