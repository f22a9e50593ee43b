"""How the reference player of the puzzles weighs coins."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Observations
from interactive_envs.black_box.puzzle.coins import BLOCK, Coins


def climbed(box: Coins, left: NDArray[np.bool_], random: np.random.Generator) -> Any:
    """A query that splits what is left evenly: groups of equal coins are cut in three, then coins are exchanged."""
    matrix = left.astype(np.float32)
    _, groups = np.unique(np.concatenate([left, left.T], axis=1)[1:], axis=0, return_inverse=True)
    starts = [_cut(box, groups.ravel(), random) for _ in range(12)]
    worth = [_bits(box, matrix, side) for side in starts]
    side, best = starts[int(np.argmax(worth))], max(worth)
    most = math.log2(3) if box.sided else 1.0
    for _ in range(120):
        if best > most - 2e-3:
            break
        new = side.copy()
        i, j = random.integers(box.coins, size=2)
        if new[i] != new[j]:
            new[[i, j]] = new[[j, i]]
        elif new[i] == 0:
            new[i], new[j] = (1, -1) if i != j else (0, 0)
        now = _bits(box, matrix, new)
        if now >= best and (new == 1).any():
            side, best = new, now
    return tuple(tuple(int(coin) + 1 for coin in np.flatnonzero(side == sign)) for sign in (1, -1))


def _cut(box: Coins, groups: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
    side = np.zeros(len(groups), np.int64)
    for group in range(int(groups.max()) + 1):
        coins = random.permutation(np.flatnonzero(groups == group))
        third, rest = divmod(len(coins), 3)
        third += int(rest == 2) if box.sought != "both" else int(random.random() < rest / 3)
        side[coins[:third]] = 1
        side[coins[third : 2 * third]] = -1
    # Equal numbers on both sides, at least one.
    while (over := int(side.sum())) != 0:
        side[int(random.choice(np.flatnonzero(side == np.sign(over))))] = 0
    if not side.any():
        side[random.permutation(len(side))[:2]] = 1, -1
    return side


def _bits(box: Coins, matrix: NDArray[np.float32], side: NDArray[np.int64]) -> float:
    placed = np.concatenate([[0], side])
    one_hot = (placed[:, None] == np.array([1, 0, -1])).astype(np.float32)
    table = one_hot.T @ matrix @ one_hot  # where the heavy one is, where the light one is
    equal = float(np.trace(table))
    heavy = float(np.triu(table, 1).sum())
    counts = np.array([equal, heavy, float(table.sum()) - equal - heavy])
    if not box.sided:
        counts = np.array([counts[0], counts[1] + counts[2]])
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def weights(box: Coins, observations: Observations) -> NDArray[np.int64]:
    """How many ways of placing the false replies agree with each coin."""
    weight = np.ones(box.coins, np.int64)
    for block, false in enumerate(box.false_replies(observations)):
        replies = sum(fact is not None for _, fact in observations[block * BLOCK : (block + 1) * BLOCK])
        weight *= np.where(false == 0, BLOCK - replies, false == 1)
    return weight


def planned(box: Coins, observations: Observations, telling: int, random: np.random.Generator) -> Any | None:
    """The query of the best plan among even splits, None where one coin is left."""
    whole = len(observations) // BLOCK * BLOCK
    alive = weights(box, observations[:whole]) > 0
    false = box.false_replies(observations[whole:])[0]
    classes = [random.permutation(np.flatnonzero(alive & (false == n)) + 1) for n in (0, 1)]
    dead = random.permutation(np.flatnonzero(~alive | (false > 1)) + 1)
    replies = sum(fact is not None for _, fact in observations[whole:])
    if len(classes[0]) + len(classes[1]) <= 1:
        return None
    # Replies of this block that will be given within the turns left.
    turns = range(len(observations) + 1, whole + BLOCK + 1)
    ahead = min(telling, sum(not box.every or n % box.every > 0 for n in turns))
    n0, n1 = len(classes[0]), len(classes[1])
    a0, a1 = _split(n0, n1, max(1, ahead), BLOCK - replies - ahead, len(dead) > 0)
    coins = [*classes[0][:a0], *classes[1][:a1]]
    if len(coins) % 2:
        coins.append(dead[0])
    half = len(coins) // 2
    return tuple(tuple(sorted(map(int, side))) for side in (coins[:half], coins[half:]))


def _split(n0: int, n1: int, ahead: int, spare: int, dead: bool) -> tuple[int, int]:
    """How many coins to weigh that no reply contradicts yet, and how many that one does."""
    return max(_splits(n0, n1, dead), key=lambda some: _split_worth(n0, n1, some[0], some[1], ahead, spare, dead))


def _splits(n0: int, n1: int, dead: bool) -> list[tuple[int, int]]:
    several = [
        (a0, a1)
        for a0 in {(n0 + d) // 2 for d in (-1, 0, 1, 2)}
        for a1 in {(n1 + d) // 2 for d in (-4, -2, -1, 0, 1, 2, 4)}
        if 0 <= a0 <= n0 and 0 <= a1 <= n1 and a0 + a1 > 0 and (dead or (a0 + a1) % 2 == 0)
    ]
    return several or ([(min(2, n0), 2 - min(2, n0))] if n0 + n1 >= 2 else [])


def _split_worth(n0: int, n1: int, a0: int, a1: int, ahead: int, spare: int, dead: bool) -> int:
    heavier = coins_worth(a0, a1 + n0 - a0, ahead - 1, spare, dead or a1 < n1)
    return heavier + coins_worth(n0 - a0, n1 - a1 + a0, ahead - 1, spare, dead or a1 > 0)


@functools.lru_cache(maxsize=200_000)
def coins_worth(n0: int, n1: int, ahead: int, spare: int, dead: bool) -> int:
    """Of the pairs of a coin and a place of the false reply, how many will be answered rightly.

    Args:
        n0: coins that no reply contradicts.
        n1: coins that one does.
        ahead: replies to come.
        spare: places of the false reply that will not be seen.
        dead: whether a coin is known to be a common one.
    """
    if not ahead or n0 + n1 <= 1:
        left = spare + ahead
        return left if n0 and left else int(n1 > 0)
    return max((_split_worth(n0, n1, a0, a1, ahead, spare, dead) for a0, a1 in _splits(n0, n1, dead)), default=0)
