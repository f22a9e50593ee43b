"""Random numbers as arrays against NumPy's generators, stream by stream."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interactive_envs.agents.holdem import RandomPlayer
from interactive_envs.holdem.batch import draws
from interactive_envs.holdem.batch.draws import SMALL, Streams, below, halves
from interactive_envs.holdem.batch.engine import FOLD, PASS, RAISE

COUNT, SEATS = 40, 5


def check(streams: Streams, rng: np.random.Generator, hands: int) -> None:
    """Some of the matches, each at a decision of its own."""
    rows = rng.permutation(COUNT)[: COUNT // 2]
    seats, hand, actions = rng.integers([[SEATS], [hands], [2**32]], size=(3, len(rows)))
    for key in (0, 2**32 - 1, 977):
        drawn = streams.bits(key, rows, seats, hand, actions)
        seeds = streams.seeds[rows, seats].tolist()
        each = zip(seeds, hand.tolist(), actions.tolist(), strict=True)
        expected = [np.random.PCG64([seed, key, *numbers]).random_raw() for seed, *numbers in each]
        np.testing.assert_array_equal(drawn, np.array(expected, np.uint64))


@pytest.mark.parametrize("hands", [1, 7, 100])
def test_the_first_bits_are_those_of_numpy(hands: int) -> None:
    rng, streams = np.random.default_rng(hands), Streams(COUNT, SEATS, hands)
    for _ in range(6):
        begun = rng.permutation(COUNT)[:15]
        streams.begin(begun if streams.seeds.any() else np.arange(COUNT), rng.integers(SMALL, 2**63, (1, SEATS)))
        check(streams, rng, hands)


def test_the_comparison_of_bits_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "_SIGN", np.uint64(62))
    streams = Streams(COUNT, SEATS, 1)
    streams.begin(np.arange(COUNT), np.full((COUNT, SEATS), SMALL))
    with pytest.raises(AssertionError):
        check(streams, np.random.default_rng(1), 1)


@pytest.mark.parametrize("end", [1, 2, 3, 9_951, 2**31 + 1, 3 * 2**30, SMALL - 1])
def test_numbers_that_are_certain_are_those_of_numpy(end: int) -> None:
    seeds = range(300)
    first, second = halves(np.array([np.random.PCG64(seed).random_raw() for seed in seeds], np.uint64))
    (one, sure), (other, known) = below(first, np.full(300, end)), below(second, np.full(300, end))
    both = sure & known
    for seed in np.flatnonzero(both):
        random = np.random.default_rng(seed)
        assert [random.integers(end), random.integers(end)] == [one[seed], other[seed]]
    # A word is doubtful with the probability end / 2**32.
    assert both.mean() == pytest.approx((1 - end / 2**32) ** 2, abs=0.1)


def test_numbers_beyond_32_bits_are_left_to_numpy() -> None:
    assert not below(np.full(2, 2**31, np.uint64), np.array([SMALL, 2**60]))[1].any()


@pytest.mark.parametrize(
    ("first_seed", "end_seed", "chips"),
    [(SMALL, 2**63, 10_000), (0, SMALL, 10_000), (SMALL, 2**63, 3 * 2**30), (SMALL, 2**63, 2**40)],
    ids=["usual", "seeds of one word", "doubtful raises", "raises of 64 bits"],
)
def test_random_players_choose_as_with_a_generator_for_each_table(first_seed: int, end_seed: int, chips: int) -> None:
    rng, count, player = np.random.default_rng(5), 200, RandomPlayer()
    streams, rows, seats = Streams(count, 1, 9), np.arange(count), np.zeros(count, np.int64)
    streams.begin(rows, rng.integers(first_seed, end_seed, (count, 1)))
    hands, actions = rng.integers([[9], [30]], size=(2, count))
    call, may_raise, least = rng.integers([[2], [2], [chips]], size=(3, count))
    legal = SimpleNamespace(to_call=50 * call, min_to=(1 + least) * may_raise, max_to=(1 + chips) * may_raise)
    spots: Any = SimpleNamespace(
        seeds=streams.seeds[:, 0],
        hands=hands,
        actions=actions,
        legal=legal,
        bits=lambda key: streams.bits(key, rows, seats, hands, actions),
    )
    kinds, totals = player.choose_all(spots)
    for row in rows:
        random = player.stream(int(spots.seeds[row]), int(hands[row]), int(actions[row]))
        known = [FOLD] * int(call[row]) + [PASS] + [RAISE] * int(may_raise[row])
        kind = known[random.integers(len(known))]
        raised = kind == RAISE
        total = random.integers(legal.min_to[row], legal.max_to[row], endpoint=True) if raised else 0
        assert (kinds[row], totals[row]) == (kind, total)
