"""What players draw at many tables: NumPy's own random numbers, computed as arrays.

``np.random.default_rng([seed, key, hand, actions])`` is a stream of its own for each decision, so that decisions do not
depend on one another. To make one takes 10 to 30 µs. Here the first 64 bits of many are computed together: words are
hashed as ``SeedSequence`` does (O'Neill, "Developing a seed_seq Alternative", 2015), and PCG64 steps twice (O'Neill,
"PCG", HMC-CS-2014-0905, with the output XSL-RR). NumPy promises that neither changes. How its generators make numbers
of the bits may change with a version; tests compare both.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.holdem.batch.engine import Flags, Ints

Words: TypeAlias = NDArray[np.uint32]
Bits: TypeAlias = NDArray[np.uint64]

SMALL = 2**32
"""A seed below it is one word instead of two, which makes another stream: see :meth:`Streams.bits`."""
_HANDS = 32
"""The most hands of a match whose hashes are computed together, before their actions are known."""
_POOL, _LOW = 4, np.uint64(0xFFFFFFFF)
_ONE, _HALF, _SIGN = np.uint64(1), np.uint64(32), np.uint64(63)
_LEFT, _RIGHT, _SHIFT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715), np.uint32(16)


def _constants(first: int, factor: int, count: int) -> Words:
    """What the words to be hashed are mixed with in turn."""
    return _column([first * pow(factor, number, 2**32) % 2**32 for number in range(count + 1)], np.uint32)


def _column(numbers: list[int], kind: type[np.uint32] | type[np.uint64]) -> NDArray[Any]:
    return np.array(numbers, kind)[:, None]


_IN, _OUT = _constants(0x43B0D7E5, 0x931E8875, 20), _constants(0x8B51F9DD, 0x58F38DED, 8)
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
# After two steps from s with the increment i the state is s * m**2 + i * (m + 1): two factors for one multiplication.
_FACTORS = _MULTIPLIER**2 % 2**128, _MULTIPLIER + 1
_FACTOR_HIGH = _column([factor >> 64 for factor in _FACTORS], np.uint64)
_FACTOR_LOW = _column([factor % 2**64 for factor in _FACTORS], np.uint64)
_UPPER, _LOWER = _FACTOR_LOW >> _HALF, _FACTOR_LOW & _LOW


def _folded(words: Words) -> Words:
    folded: Words = words ^ (words >> _SHIFT)
    return folded


def _hashed(words: Words, constants: Words) -> Words:
    """Words hashed by one constant after another: four rows, or a single one as often as there are constants."""
    return _folded((words ^ constants[:-1]) * constants[1:])


def _mixed(one: Words, other: Words) -> Words:
    return _folded(one * _LEFT - other * _RIGHT)


def _pools(words: Words) -> Words:
    """The pool after four words, shape (4, streams) as the words."""
    pool = _hashed(words, _IN[: _POOL + 1])
    for source in range(_POOL):
        others = [place for place in range(_POOL) if place != source]
        pool[others] = _mixed(pool[others], _hashed(pool[source], _IN[4 + 3 * source : 8 + 3 * source]))
    return pool


def _first(pools: Words, last: Words) -> Bits:
    """64 bits of each stream, from its pool and its fifth word."""
    pools = _mixed(pools, _hashed(last, _IN[16:]))
    words = _hashed(np.concatenate([pools, pools]), _OUT)
    wide = words[::2] | words[1::2].astype(np.uint64) << _HALF
    # State and increment, as rows of their upper and lower halves.
    highs, lows = wide[::2], wide[1::2]
    highs[1] = highs[1] << _ONE | lows[1] >> _SIGN
    lows[1] = lows[1] << _ONE | _ONE
    lows[0] += lows[1]
    highs[0] += highs[1] + (lows[0] < lows[1])
    # Their products with the factors, modulo 2**128.
    upper, lower = lows >> _HALF, lows & _LOW
    cross = (lower * _LOWER >> _HALF) + (upper * _LOWER)
    middle = (cross & _LOW) + lower * _UPPER
    carried = upper * _UPPER + (cross >> _HALF) + (middle >> _HALF)
    highs, lows = carried + highs * _FACTOR_LOW + lows * _FACTOR_HIGH, lows * _FACTOR_LOW
    low = lows[0] + lows[1]
    high = highs[0] + highs[1] + (low < lows[1])
    turn, mixed = high >> np.uint64(58), high ^ low
    bits: Bits = mixed >> turn | mixed << (-turn & _SIGN)
    return bits


class Streams:
    """The first bits of streams, one for each decision of the players of many matches.

    Args:
        count: of matches.
        seats: at each.
        hands: of a match.

    Attributes:
        seeds: of the players, shape (matches, seats).
    """

    def __init__(self, count: int, seats: int, hands: int) -> None:
        self.seeds, self._hands = np.zeros((count, seats), np.int64), min(hands, _HANDS)
        self._pools: dict[int, tuple[Words, Ints]] = {}
        """By key the pools, shape (4, matches, seats, hands), and which hands of each match they are for."""

    def begin(self, rows: Ints, seeds: Ints) -> None:
        """New seeds for the players of these matches."""
        self.seeds[rows] = seeds
        for _, known in self._pools.values():
            known[rows] = -1

    def bits(self, key: int, rows: Ints, seats: Ints, hands: Ints, actions: Ints) -> Bits:
        """The first 64 bits of ``default_rng([seed, key, hand, actions])``, one a decision.

        Args:
            key: of a kind of player, below 2**32.
            rows: the matches; their players' seeds are at least :data:`SMALL`.
            seats: who acts in each.
            hands: which hand it is, each.
            actions: how many of the hand were before, each.
        """
        if key not in self._pools:
            shape = self.seeds.shape
            self._pools[key] = np.zeros((_POOL, *shape, self._hands), np.uint32), np.full(shape[0], -1)
        pools, known = self._pools[key]
        blocks = hands // self._hands
        new = known[rows] != blocks
        if new.any():
            fresh, block = rows[new], blocks[new]
            seeds = self.seeds[fresh].astype(np.uint64)[:, :, None]
            numbers = (block[:, None] * self._hands + np.arange(self._hands)).astype(np.uint32)[:, None]
            words = np.broadcast_arrays(seeds & _LOW, seeds >> _HALF, np.uint64(key), numbers)
            flat = np.array([word.ravel() for word in words], np.uint32)
            pools[:, fresh] = _pools(flat).reshape(_POOL, len(fresh), -1, self._hands)
            known[fresh] = block
        return _first(pools[:, rows, seats, hands % self._hands], actions.astype(np.uint32))


def halves(bits: Bits) -> tuple[Bits, Bits]:
    """The 32 bits that a stream draws first, and those it draws next."""
    return bits & _LOW, bits >> _HALF


def below(drawn: Bits, ends: Ints) -> tuple[Ints, Flags]:
    """Numbers from 0 up to below the ends, as ``Generator.integers`` makes them of 32 bits.

    Returns:
        The numbers, and where they are certain: elsewhere NumPy may draw again (Lemire, 2019), or needs 64 bits.
    """
    wide = ends.astype(np.uint64)
    product = drawn * wide
    return (product >> _HALF).astype(np.int64), ((product & _LOW) >= wide) & (ends < SMALL)
