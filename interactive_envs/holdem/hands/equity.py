"""What hole cards are worth: exactly over the boards to come, or estimated against hands nobody knows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands.evaluator import DECK, NUMBER, strength
from interactive_envs.holdem.view import Pot

# One number a rank, deuce first, each the smallest that keeps the sums of all seven-card rank patterns distinct: a
# sum is then an index into a table of strengths.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""A number for each rank, deuce first: the sums over seven cards tell apart all that they can be."""
_KEY_BITS = 24
_KEY_MASK = (1 << _KEY_BITS) - 1
# Above the key, four bits a suit count its cards, beginning with 3: five of a suit set the highest bit.
_SUIT_START = sum(3 << (_KEY_BITS + 4 * suit) for suit in range(4))
_FLUSH_MASK = sum(8 << (_KEY_BITS + 4 * suit) for suit in range(4))
_CARD_KEYS: NDArray[np.int64] = np.array(
    [RANK_KEYS[card // 4] + (1 << (_KEY_BITS + 4 * (card % 4))) for card in range(52)], dtype=np.int64
)
_CHUNK = 100_000

STARTING_HANDS: tuple[str, ...] = tuple(
    """
    AA KK QQ JJ TT AKs 99 AQs AKo AJs KQs 88 ATs AQo KJs QJs KTs AJo KQo A9s QTs 77 ATo JTs KJo A8s K9s QJo A7s KTo
    Q9s A5s 66 QTo A6s J9s A9o T9s A4s K8s JTo A3s K7s A8o Q8s A2s K9o J8s K6s T8s 55 A7o 98s Q9o K5s A5o J9o Q7s
    T9o A6o K4s K8o A4o J7s Q6s K3s T7s 97s 87s A3o 44 Q5s K2s K7o Q8o Q4s J8o A2o T8o J6s K6o 76s T6s 86s 98o Q3s
    96s J5s K5o Q2s 33 J4s Q7o 65s K4o 75s J7o J3s T5s 85s T7o Q6o 97o 87o 95s K3o T4s 54s J2s Q5o T3s 64s K2o 22
    74s Q4o T2s 76o 84s J6o 94s 86o 53s T6o 96o 93s Q3o J5o 63s 92s 43s Q2o 73s J4o 65o 83s 75o 52s 85o T5o 82s J3o
    95o 54o 42s 62s T4o J2o 72s 64o 32s T3o 74o 84o T2o 53o 94o 93o 63o 43o 92o 73o 83o 52o 82o 42o 62o 72o 32o
    """.split()
)
"""The 169 kinds of hole cards, best first, by their share of the pot against three random hands."""


@dataclass(frozen=True)
class Estimate:
    """Expected chips a seat.

    Attributes:
        mean: the expectation.
        standard_error: of the mean, zeros where every board was counted.
        boards: boards that were counted or drawn.
    """

    mean: tuple[float, ...]
    standard_error: tuple[float, ...]
    boards: int


def strengths(cards: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How strong the best five of seven cards are, for many hands at once.

    The same as :func:`interactive_envs.holdem.hands.evaluator.strength`.

    Args:
        cards: places in :data:`interactive_envs.holdem.hands.evaluator.DECK`, shape (..., 7).

    Returns:
        1 (the worst) to 7462 (a royal flush), shape (...).
    """
    return _looked_up(_CARD_KEYS[cards].sum(-1) + _SUIT_START, lambda flushes: cards[flushes])


def strengths_of(hands: NDArray[np.integer[Any]], boards: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The same for some hands on each of some boards.

    Args:
        hands: two cards each, shape (hands, 2) where every board has the same, else (boards, hands, 2).
        boards: five cards each, shape (boards, 5).

    Returns:
        Shape (boards, hands).
    """
    sums = _CARD_KEYS[boards].sum(-1)[:, None] + (_CARD_KEYS[hands].sum(-1) + _SUIT_START)

    def held(flushes: NDArray[np.bool_]) -> NDArray[np.integer[Any]]:
        board, hand = flushes.nonzero()
        return np.concatenate([boards[board], hands[hand] if hands.ndim == 2 else hands[board, hand]], axis=1)

    return _looked_up(sums, held)


def _looked_up(
    sums: NDArray[np.int64], held: Callable[[NDArray[np.bool_]], NDArray[np.integer[Any]]]
) -> NDArray[np.int64]:
    """Strengths by sums of card keys; ``held`` gives the seven cards where there is a flush."""
    plain, flush = _tables()
    found: NDArray[np.int64] = plain[sums & _KEY_MASK].astype(np.int64)
    flushes = (sums & _FLUSH_MASK) != 0
    if flushes.any():
        cards = held(flushes)
        suit = np.log2((sums[flushes] & _FLUSH_MASK) >> (_KEY_BITS + 3)).astype(np.int64) // 4
        bits = np.where(cards % 4 == suit[:, None], 1 << (cards // 4), 0).sum(-1)
        found[flushes] = flush[bits]
    return found


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Strength by sum of rank keys where there is no flush, and by the set of ranks of a flush's suit."""
    plain = np.zeros(4 * RANK_KEYS[-1] + 3 * RANK_KEYS[-2] + 1, dtype=np.int16)
    for ranks in combinations_with_replacement(range(13), 7):
        if all(ranks[i] != ranks[i + 4] for i in range(3)):
            # Neighbours get different suits, and none gets more than two cards.
            cards = [rank * 4 + position % 4 for position, rank in enumerate(ranks)]
            plain[sum(RANK_KEYS[rank] for rank in ranks)] = strength(cards)
    flush = np.zeros(1 << 13, dtype=np.int16)
    for size in (5, 6, 7):
        for ranks in combinations(range(13), size):
            flush[sum(1 << rank for rank in ranks)] = strength([rank * 4 for rank in ranks])
    return plain, flush


def expected_winnings(
    holes: Sequence[Sequence[str]],
    board: Sequence[str],
    pots: Sequence[Pot],
    *,
    first: int | None = None,
    dead: Sequence[str] = (),
    rng: np.random.Generator | None = None,
    samples: int = 2_000,
) -> Estimate:
    """What each seat gets from the pots on average over the boards to come, when nobody can act any more.

    Args:
        holes: two cards a seat, () for a seat that has folded.
        board: the community cards so far.
        pots: what can be won, and by whom.
        first: the seat that is asked first who takes the odd chips of a split pot; None splits chips evenly.
        dead: other cards that cannot come, such as those of folded hands.
        rng: draws boards where there are more than ``samples``; None counts every board. Before the flop that takes
            two hands about half a second.
        samples: boards to draw.

    Raises:
        ConfigError: a card occurs twice, or a pot has nobody to win it.
    """
    seats = [seat for seat, hole in enumerate(holes) if hole]
    if first is not None:
        seats.sort(key=lambda seat: (seat - first) % len(holes))
    hands = [_ids(holes[seat]) for seat in seats]
    fixed = _ids(board)
    used = [card for hand in hands for card in hand] + fixed + _ids(dead)
    if len(set(used)) < len(used):
        raise ConfigError("a card occurs twice among hole cards, board and dead cards")
    columns = [sorted(seats.index(seat) for seat in pot.seats if seat in seats) for pot in pots]
    if not all(columns):
        raise ConfigError("each pot needs a seat that has cards")
    free = np.ones(len(DECK), dtype=bool)
    free[used] = False
    deck = np.flatnonzero(free)
    missing = 5 - len(fixed)
    exact = rng is None or math.comb(len(deck), missing) <= samples
    boards = deck[_choices(len(deck), missing)] if exact or rng is None else _draw(deck, missing, samples, rng)
    total, squares = np.zeros(len(seats)), np.zeros(len(seats))
    for chunk in np.array_split(boards, math.ceil(len(boards) / _CHUNK)):
        for winners, times in _winners(strengths_of(np.array(hands), _beside(chunk, fixed)), columns):
            paid = _pay(winners, [pot.amount for pot in pots], columns, len(seats), even=first is None)
            total += times * paid
            squares += times * paid**2
    count = len(boards)
    mean = total / count
    variance = np.zeros_like(mean) if exact else np.maximum(squares / count - mean**2, 0) / max(1, count - 1)
    by_seat = np.zeros((2, len(holes)))
    by_seat[:, seats] = mean, np.sqrt(variance)
    return Estimate(tuple(by_seat[0].tolist()), tuple(by_seat[1].tolist()), count)


def equities(
    holes: Sequence[Sequence[str]],
    board: Sequence[str] = (),
    *,
    dead: Sequence[str] = (),
    rng: np.random.Generator | None = None,
    samples: int = 2_000,
) -> Estimate:
    """The share of one pot that each of several known hands wins; arguments as in :func:`expected_winnings`.

    >>> equities([["As", "Ah"], ["Kd", "Kc"]], ["2s", "7h", "Jd", "Kh"]).mean
    (0.045454545454545456, 0.9545454545454546)
    """
    pot = Pot(1, tuple(seat for seat, hole in enumerate(holes) if hole))
    return expected_winnings(holes, board, [pot], dead=dead, rng=rng, samples=samples)


def equity_against(
    hole: Sequence[str], board: Sequence[str], reaches: Sequence[float], rng: np.random.Generator, samples: int = 200
) -> tuple[float, float]:
    """Estimate the share of a pot that a hand wins against hands nobody knows.

    Args:
        hole: the two own cards.
        board: the community cards so far.
        reaches: one number an opponent: the share of all starting hands, best first, that it may hold; 1 for any.
        rng: draws opponents' hands and boards.
        samples: how many.

    Returns:
        The share and its standard error.
    """
    own, fixed = _ids(hole), _ids(board)
    narrow = [_best_hands(reach) for reach in reaches if reach < 1]
    others, free = _draw_hands(narrow, [*own, *fixed], rng, samples)
    hidden = 2 * (len(reaches) - len(narrow) + free) + 5 - len(fixed)
    # Ordering random numbers shuffles each row's deck on its own; cards that are taken go to the end.
    order = rng.random((samples, 52))
    order[:, own + fixed] = 2
    np.put_along_axis(order, others, 2, 1)
    drawn = order.argsort(1)[:, :hidden]
    boards = _beside(drawn[:, : 5 - len(fixed)], fixed)
    hands = _beside(np.concatenate([others, drawn[:, 5 - len(fixed) :]], 1), own).reshape(samples, -1, 2)
    classes = strengths_of(hands, boards)
    best = classes == classes.max(1, keepdims=True)
    shares = best[:, -1] / best.sum(1)
    return float(shares.mean()), float(shares.std() / math.sqrt(samples))


def starting_hand(hole: Sequence[str]) -> str:
    """The kind of two hole cards: ``AKs``, ``AKo``, ``77``.

    >>> starting_hand(["Td", "Ad"])
    'ATs'
    """
    high, low = sorted(hole, key=DECK.index, reverse=True)
    return high[0] + low[0] + ("" if high[0] == low[0] else "s" if high[1] == low[1] else "o")


@lru_cache(maxsize=1)
def starting_hand_ranks() -> dict[str, float]:
    """Where each kind of hole cards stands: the share of all hands that are better, or as good but listed before.

    The best kind has rank 0, and playing all with a rank below a quarter plays a quarter of all hands.
    """
    ranks, before = {}, 0
    for kind in STARTING_HANDS:
        ranks[kind] = before / 1326
        before += 6 if len(kind) == 2 else 4 if kind[2] == "s" else 12
    return ranks


@lru_cache(maxsize=64)
def _best_hands(reach: float) -> NDArray[np.int64]:
    """The hands of a range, shape (hands, 2)."""
    ranks = starting_hand_ranks()
    hands = [(a, b) for a, b in combinations(range(52), 2) if ranks[starting_hand((DECK[a], DECK[b]))] < reach]
    return np.array(hands, dtype=np.int64)


def _draw_hands(
    ranges: Sequence[NDArray[np.int64]], used: Sequence[int], rng: np.random.Generator, samples: int
) -> tuple[NDArray[np.int64], int]:
    """Hands from ranges, a row a sample, without a card twice; and how many opponents are left to draw freely."""
    kept: list[NDArray[np.int64]] = [np.zeros((0, 2 * len(ranges)), dtype=np.int64)]
    taken = np.zeros(52, dtype=bool)
    taken[list(used)] = True
    free = [hands[~taken[hands].any(1)] for hands in ranges]
    if not ranges or not all(map(len, free)):
        return np.zeros((samples, 0), dtype=np.int64), len(ranges)
    for _ in range(20):
        rows = np.concatenate([hands[rng.integers(len(hands), size=2 * samples)] for hands in free], 1)
        ordered = np.sort(rows, 1)
        kept.append(rows[(ordered[:, 1:] != ordered[:, :-1]).all(1)])
        if sum(map(len, kept)) >= samples:
            return np.concatenate(kept)[:samples], 0
    return np.zeros((samples, 0), dtype=np.int64), len(ranges)  # so narrow that they exclude one another


def _winners(classes: NDArray[np.int64], columns: list[list[int]]) -> Iterator[tuple[list[list[int]], int]]:
    """The hands that win each pot, and on how many of the boards it is these; ``classes`` has a row a board."""
    patterns: list[list[list[int]]] = [[]]
    pattern = np.zeros(len(classes), dtype=np.int64)
    for column in columns:
        strong = classes[:, column]
        wins = strong == strong.max(1, keepdims=True)
        # Patterns are numbered again for each pot: a bit for each hand and pot would not fit into one number.
        numbers = (pattern << len(column)) + wins @ (1 << np.arange(len(column)))
        occurs = np.bincount(numbers, minlength=len(patterns) << len(column)) > 0
        distinct, pattern = np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]
        patterns = [
            [*patterns[number >> len(column)], [hand for i, hand in enumerate(column) if number >> i & 1]]
            for number in distinct.tolist()
        ]
    return zip(patterns, np.bincount(pattern).tolist(), strict=True)


def _pay(
    winners: list[list[int]], amounts: list[int], columns: list[list[int]], hands: int, *, even: bool
) -> NDArray[np.float64]:
    """Chips for each hand; odd ones go to the first of the winners unless split evenly."""
    paid = np.zeros(hands)
    if len(winners) == 1:
        (pot,), (amount,) = winners, amounts
        paid[pot] = amount / len(pot) if even else amount // len(pot)
        paid[pot[0]] += 0 if even else amount % len(pot)
        return paid
    alive = {hand for pot in winners for hand in pot}
    # Hands that win nothing are out first, and pots that the same hands can still win are one: as PokerKit pays.
    merged: dict[tuple[int, ...], tuple[list[int], int]] = {}
    for pot, amount, column in zip(winners, amounts, columns, strict=True):
        left = tuple(hand for hand in column if hand in alive)
        merged[left] = pot, amount + merged.get(left, (pot, 0))[1]
    for pot, amount in merged.values():
        paid[pot] += amount / len(pot) if even else amount // len(pot)
        paid[pot[0]] += 0 if even else amount % len(pot)
    return paid


def _beside(boards: NDArray[np.integer[Any]], cards: list[int]) -> NDArray[np.int64]:
    """Each row with the same cards after it."""
    return np.concatenate([boards, np.broadcast_to(np.array(cards, dtype=np.int64), (len(boards), len(cards)))], 1)


@lru_cache(maxsize=8)
def _choices(among: int, count: int) -> NDArray[np.int8]:
    """Every choice of ``count`` positions, a row each."""
    flat = np.fromiter((i for choice in combinations(range(among), count) for i in choice), dtype=np.int8)
    return flat.reshape(math.comb(among, count), count)


def _draw(deck: NDArray[np.int64], count: int, samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of ``count`` cards without repetition: the first steps of a shuffle, all rows at once."""
    decks, rows = np.tile(deck.astype(np.int8), (samples, 1)), np.arange(samples)
    for place in range(count):
        other, kept = rng.integers(place, len(deck), samples), decks[:, place].copy()
        decks[:, place] = decks[rows, other]
        decks[rows, other] = kept
    return decks[:, :count].astype(np.int64)


def _ids(cards: Sequence[str]) -> list[int]:
    for card in cards:
        if card not in NUMBER:
            raise ConfigError(f"{card!r} is no card; write rank and suit like 'Ah', 'Td' or '2c'")
    return [NUMBER[card] for card in cards]
