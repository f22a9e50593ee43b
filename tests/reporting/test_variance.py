"""Variance reduction by hand, and against a simulated game whose truth and variances are known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.reporting import variance
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.variance import Hand, Reduction

EDGE, BUTTON = 0.5, 0.3
"""What player a wins from b by skill, and the first seat from the second by its place."""
CARDS, RUNOUT, LUCK, REST = 4.0, 3.0, 2.0, 1.0
"""Spreads of what the deal gives the first seat, of the all-in board, of the control, and of what nothing explains."""


def duplicate(rng: np.random.Generator, deals: int, replays: int = 2) -> list[Hand]:
    """Heads-up hands: the deal's cards favour a seat; everything else is drawn anew in each replay."""
    hands = []
    for deal in range(deals):
        cards = CARDS * rng.normal()
        for seats in [("a", "b"), ("b", "a")][:replays] if replays > 1 else [[("a", "b"), ("b", "a")][deal % 2]]:
            luck = LUCK * rng.exponential() - LUCK
            skill = EDGE if seats[0] == "a" else -EDGE
            shown = skill + BUTTON + cards + luck + REST * rng.normal()
            drawn = shown + RUNOUT * rng.normal()
            hands.append(Hand(deal, seats, (drawn, -drawn), (shown, -shown), ((luck, 0.0), (-luck, 0.0))))
    return hands


def hand(deal: int, seats: str, won: float) -> Hand:
    return Hand(deal, tuple(seats), (won, -won))


def by_method(reductions: Sequence[Reduction]) -> dict[str, Reduction]:
    return {reduction.method: reduction for reduction in reductions}


def held(estimate: Estimate | None, truth: float) -> bool:
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= truth <= estimate.high


def carried(rng: np.random.Generator, tables: int, hands: int = 40) -> list[Hand]:
    """Tables at which what one player won early favours it in all hands after, as carried chips do."""
    found = []
    for table in range(tables):
        chips = 2 * rng.normal()
        for number in range(hands):
            seats = ("a", "b") if number % 2 else ("b", "a")
            luck = LUCK * rng.normal()
            shown = (EDGE + chips) * (1 if number % 2 else -1) + luck
            drawn = shown + RUNOUT * rng.normal()
            deal = f"t{table}-h{number}"
            found.append(Hand(deal, seats, (drawn, -drawn), (shown, -shown), ((luck,), (-luck,)), f"t{table}"))
    return found


# By hand


def test_hands_that_share_luck_beside_their_deals_are_no_duplicates_and_no_single_draws() -> None:
    wins = [(3, -1), (5, 2), (-2, 1)]
    hands = [
        Hand(f"{table}-{number}", tuple(seats), (won, -won), cluster=table)
        for table, both in enumerate(wins)
        for number, (seats, won) in enumerate(zip(("ab", "ba"), both, strict=True))
    ]
    (plain,) = variance.of_player(hands, "a")
    # a wins 4, 3 and -3 at the tables, 2/3 a hand.
    sums = [4 - 4 / 3, 3 - 4 / 3, -3 - 4 / 3]
    assert (plain.method, plain.estimate.n, plain.deals) == ("plain", 6, 3)
    assert plain.estimate.value == pytest.approx(2 / 3)
    assert plain.error == pytest.approx(math.sqrt(3 / 2 * sum(r * r for r in sums)) / 6)
    with pytest.raises(ConfigError, match="a deal of their own"):
        variance.of_player([*hands, hands[0]], "a")


def test_an_odd_number_of_hands_at_carried_tables_takes_no_table_from_the_interval() -> None:
    for reduction in variance.of_player(carried(np.random.default_rng(0), 6, hands=41), "a"):
        assert reduction.freedom == 5


@pytest.mark.long
def test_an_interval_of_carried_tables_holds_the_truth_as_often_as_it_says() -> None:
    rng, inside, ratios = np.random.default_rng(7), 0, []
    for _ in range(120):
        plain, allin, controls = variance.of_player(carried(rng, 25), "a", samples=20)
        assert [plain.method, allin.method, controls.method] == ["plain", "all-in", "all-in + controls"]
        inside += held(plain.estimate, EDGE)
        assert allin.ratio is not None
        assert allin.ratio.value is not None
        ratios.append(allin.ratio.value)
    # Hands taken as single draws would hold it in half of the cases.
    assert 106 <= inside <= 120
    # A table's mean varies by 4 + (4 + 9) / 40, with all-in hands at their expectation by 4 + 4 / 40.
    assert np.median(ratios) == pytest.approx((4 + 13 / 40) / (4 + 4 / 40), rel=0.05)


def test_three_deals_played_twice_give_the_numbers_worked_by_hand() -> None:
    wins = [(1, 3, 1), (2, -5, -4), (3, 2, 0)]
    hands = [hand(deal, seats, won) for deal, *both in wins for seats, won in zip(("ab", "ba"), both, strict=True)]
    plain, reduced = variance.of_player(hands, "a")
    # a wins 3, -5, 2 in the first seat and -1, 4, 0 in the second; 3, 4, 2 are picked, the first seat weighs half.
    assert (plain.method, reduced.method) == ("plain", "duplicate")
    assert plain.estimate.value == pytest.approx((2.5 + 4) / 2)
    assert (plain.estimate.n, plain.deals) == (3, 3)
    # Squares about the seats' means 0 and 1: 38 + 14, less two means among six hands.
    assert plain.variance == pytest.approx(52 / 4)
    assert plain.error == pytest.approx(math.sqrt(13 / 3))
    # The deals' means are 1, -1/2, 1.
    means = [1.0, -0.5, 1.0]
    assert reduced.estimate.value == pytest.approx(0.5)
    assert (reduced.estimate.n, reduced.deals) == (6, 3)
    assert reduced.error == pytest.approx(stats.sem(means))
    low, high = stats.t.interval(0.95, 2, 0.5, stats.sem(means))
    assert (reduced.estimate.low, reduced.estimate.high) == (pytest.approx(low), pytest.approx(high))
    assert reduced.variance == pytest.approx(6 * 0.75 / 3)
    assert reduced.ratio is not None
    assert reduced.ratio.value == pytest.approx((13 / 6) / (0.75 / 3))
    assert reduced.gap is not None
    assert reduced.gap.value == pytest.approx(0.5 - 3.25)


def test_a_pairs_difference_is_twice_the_winnings_heads_up_and_changes_sign_with_the_names() -> None:
    hands = duplicate(np.random.default_rng(1), 30)
    mine = variance.of_player(hands, "a")[1]
    pair = variance.of_pair(hands, "a", "b")[1]
    turned = variance.of_pair(hands, "b", "a")[1]
    assert mine.estimate.value is not None
    assert mine.error is not None
    assert (pair.estimate.value, pair.error) == (pytest.approx(2 * mine.estimate.value), pytest.approx(2 * mine.error))
    assert (turned.estimate.value, turned.error) == (pytest.approx(-2 * mine.estimate.value), pytest.approx(pair.error))
    assert mine.ratio is not None
    assert pair.ratio is not None
    assert mine.ratio.as_json() == pair.ratio.as_json()


def test_without_replays_plain_is_the_ordinary_mean_and_there_is_no_duplicate() -> None:
    won = [1.0, -2.0, 4.0, 0.5]
    (plain,) = variance.of_player([hand(deal, "ab", value) for deal, value in enumerate(won)], "a")
    assert plain.estimate.value == pytest.approx(np.mean(won))
    assert plain.error == pytest.approx(stats.sem(won))
    assert plain.variance == pytest.approx(np.var(won, ddof=1))
    low, high = stats.t.interval(0.95, 3, np.mean(won), stats.sem(won))
    assert (plain.estimate.low, plain.estimate.high) == (pytest.approx(low), pytest.approx(high))


def test_the_same_values_under_another_name_have_a_ratio_of_one() -> None:
    hands = [dataclasses.replace(h, adjusted=h.won, controls=None) for h in duplicate(np.random.default_rng(2), 40, 1)]
    _, same = variance.of_pair(hands, "a", "b")
    assert same.method == "all-in"
    assert same.ratio is not None
    assert (same.ratio.value, same.ratio.low, same.ratio.high) == pytest.approx((1.0, 1.0, 1.0))
    assert same.gap is not None
    assert (same.gap.value, same.gap.low) == (pytest.approx(0.0), None)


def test_what_a_seat_is_worth_counts_as_luck_in_neither_estimate() -> None:
    hands = duplicate(np.random.default_rng(3), 40)
    moved = [dataclasses.replace(h, won=(h.won[0] + 50, h.won[1] - 50)) for h in hands]
    for before, after in zip(variance.of_player(hands, "a"), variance.of_player(moved, "a"), strict=True):
        assert after.method == before.method
        if before.method in {"plain", "duplicate"}:
            assert (after.estimate.value, after.error) == pytest.approx((before.estimate.value, before.error))


def test_hands_needed_is_the_textbook_number_and_reaches_the_power() -> None:
    # (1.959964 + 0.841621)² · 100 = 784.9
    assert variance.hands_needed(1.0, 100.0) == 785
    assert variance.hands_needed(-2.0, 100.0) == 197
    assert variance.hands_needed(1.0, 0.0) == 1
    n = variance.hands_needed(0.3, 7.0, power=0.9, alpha=0.01)
    reached = [stats.norm.sf(stats.norm.isf(0.005) - 0.3 / math.sqrt(7.0 / m)) for m in (n - 1, n)]
    assert reached[0] < 0.9 <= reached[1]


# Simulation


@pytest.mark.parametrize("runs", [100, pytest.param(250, marks=pytest.mark.long)])
def test_every_estimator_is_unbiased_and_its_interval_and_ratio_are_right(runs: int) -> None:
    deals = 120
    few = 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)  # of intervals that hold the truth
    wide = 0.06 * math.sqrt(250 / runs)
    found = [
        by_method(variance.of_player(duplicate(np.random.default_rng(seed), deals), "a", samples=60, seed=seed))
        for seed in range(runs)
    ]
    one_hand = CARDS**2 + RUNOUT**2 + LUCK**2 + REST**2
    variances = {
        "plain": one_hand,
        "duplicate": RUNOUT**2 + LUCK**2 + REST**2,
        "duplicate + all-in": LUCK**2 + REST**2,
        "duplicate + all-in + controls": REST**2,
    }
    assert list(found[0]) == list(variances)
    for method, per_hand in variances.items():
        mine = [run[method] for run in found]
        estimates = np.array([reduction.estimate.value for reduction in mine])
        n = deals if method == "plain" else 2 * deals
        assert abs(estimates.mean() - EDGE) < 4 * math.sqrt(per_hand / n / runs)
        # Four standard errors of a variance of normal values.
        assert estimates.var(ddof=1) == pytest.approx(per_hand / n, rel=4 * math.sqrt(2 / (runs - 1)))
        assert np.mean([reduction.variance for reduction in mine]) == pytest.approx(per_hand, rel=wide)
        assert np.mean([held(reduction.estimate, EDGE) for reduction in mine]) > few
        if method != "plain":
            assert np.mean([held(reduction.gap, 0.0) for reduction in mine]) > few
            ratios = [reduction.ratio.value for reduction in mine if reduction.ratio and reduction.ratio.value]
            assert np.median(ratios) == pytest.approx(one_hand / per_hand, rel=wide)
            assert np.mean([held(reduction.ratio, one_hand / per_hand) for reduction in mine]) > 0.85


def test_controls_fitted_on_other_deals_leave_no_bias_where_fitting_on_the_same_would() -> None:
    """Winnings that bend with a skewed control: ordinary regression is off by far more than its error."""
    truth, mine, naive = 2.0, [], []
    for seed in range(800):
        rng = np.random.default_rng(seed)
        control = rng.exponential(size=24) - 1
        won = truth + (control**2 - 1) + 0.1 * rng.normal(size=24)
        hands = [
            Hand(deal, ("a", "b"), (w, -w), None, ((c,), (-c,)))
            for deal, (w, c) in enumerate(zip(won, control, strict=True))
        ]
        reduced = by_method(variance.of_player(hands, "a", samples=1))["controls"]
        mine.append(reduced.estimate.value)
        naive.append(won.mean() - np.polyfit(control, won, 1)[0] * control.mean())
    assert abs(np.mean(mine) - truth) < 3 * stats.sem(mine)
    assert abs(np.mean(naive) - truth) > 6 * stats.sem(naive)


def test_six_seats_with_every_player_in_every_seat_lose_the_luck_of_the_seats() -> None:
    rng, names = np.random.default_rng(5), "abcdef"
    skill, hands = np.arange(6) - 2.5, []
    for deal in range(150):
        cards = 10 * rng.normal(size=6)
        for shift in range(6):
            seats = [(seat + shift) % 6 for seat in range(6)]
            won = cards + skill[seats] + rng.normal(size=6)
            won -= won.mean()
            # The cards' luck is known, and cancels over the replays: nothing is left to fit.
            luck = tuple((float(c),) for c in cards - cards.mean())
            hands.append(Hand(deal, tuple(names[i] for i in seats), tuple(won), None, luck))
    pairs = variance.of_pairs(hands, samples=50)
    assert len(pairs.reductions) == 15
    assert not pairs.without_variance
    for (left, right), reductions in pairs.reductions.items():
        plain, duplicated, controlled = reductions
        assert (plain.estimate.n, duplicated.estimate.n, duplicated.deals) == (150, 900, 150)
        assert duplicated.ratio is not None
        # Of a difference: 2 · (100 + 1) in plain play, 2 in a replay.
        assert duplicated.ratio.value == pytest.approx(101, rel=0.35)
        truth = skill[names.index(left)] - skill[names.index(right)]
        assert abs((duplicated.estimate.value or 0) - truth) < 4 * math.sqrt(2 / 900)
        assert controlled.estimate.value == pytest.approx(duplicated.estimate.value, abs=1e-9)
        assert controlled.error == pytest.approx(duplicated.error)


@pytest.mark.parametrize("runs", [50, pytest.param(120, marks=pytest.mark.long)])
def test_two_players_separate_as_often_as_hands_needed_promises(runs: int) -> None:
    deals = variance.hands_needed(EDGE, REST**2 + LUCK**2 + RUNOUT**2) // 2
    found = [variance.of_player(duplicate(np.random.default_rng(run), deals), "a", samples=1) for run in range(runs)]
    told = [(by_method(reductions)["duplicate"].estimate.low or 0.0) > 0 for reductions in found]
    assert abs(np.mean(told) - 0.8) < 3 * math.sqrt(0.8 * 0.2 / runs)


# Edges


def test_the_order_of_the_hands_changes_nothing_and_the_seed_only_intervals_of_ratios() -> None:
    hands = duplicate(np.random.default_rng(6), 30)
    mine = variance.of_pair(hands, "a", "b", samples=50)
    assert variance.of_pair(hands[::-1], "a", "b", samples=50) == mine
    other = variance.of_pair(hands, "a", "b", samples=50, seed=1)
    assert other != mine
    assert [dataclasses.replace(r, ratio=None) for r in other] == [dataclasses.replace(r, ratio=None) for r in mine]


def test_doubling_the_money_doubles_errors_and_leaves_ratios() -> None:
    hands = duplicate(np.random.default_rng(7), 30)
    doubled = [
        dataclasses.replace(h, won=tuple(2 * w for w in h.won), adjusted=tuple(2 * w for w in h.adjusted or ()))
        for h in hands
    ]
    for one, two in zip(variance.of_player(hands, "a"), variance.of_player(doubled, "a"), strict=True):
        assert two.error == pytest.approx(2 * (one.error or 0))
        if one.ratio and two.ratio:
            assert (two.ratio.value, two.ratio.low) == pytest.approx((one.ratio.value, one.ratio.low))


def test_pairs_without_variance_are_named_and_have_no_ratio() -> None:
    rng, hands = np.random.default_rng(8), []
    for deal in range(20):
        luck = float(rng.normal())
        # Callers win what the cards say: replays cancel to nothing. Folders lose the small blind: never any luck.
        hands += [hand(deal, "cd", luck), hand(deal, "dc", luck), hand(deal, "ef", -0.5), hand(deal, "fe", -0.5)]
        hands += [hand(deal, "ac", float(rng.normal())), hand(deal, "ca", float(rng.normal()))]
    pairs = variance.of_pairs(hands, samples=20)
    assert pairs.without_variance == {("c", "d"): ("duplicate",), ("e", "f"): ("plain", "duplicate")}
    for pair in pairs.without_variance:
        _, reduced = pairs.reductions[pair]
        assert reduced.ratio is None
        assert (reduced.estimate.value, reduced.estimate.low, reduced.variance) == (pytest.approx(0.0), None, 0.0)
        assert reduced.as_json()["ratio"] is None
    sound = pairs.reductions["a", "c"][1]
    assert sound.ratio is not None
    assert sound.as_json()["ratio"]["value"] == round(sound.ratio.value or 0, 6)


def test_one_deal_says_nothing_of_the_spread() -> None:
    for reduction in variance.of_player([hand(1, "ab", 3), hand(1, "ba", 1)], "a"):
        assert (reduction.error, reduction.variance, reduction.estimate.low, reduction.ratio) == (None,) * 4
        assert not reduction.certain
        assert reduction.as_json()["error"] is None


def test_controls_that_not_every_hand_has_or_few_deals_could_fit_are_not_used() -> None:
    hands = duplicate(np.random.default_rng(10), 12)
    missing = [dataclasses.replace(hands[0], controls=None, adjusted=None), *hands[1:]]
    assert [r.method for r in variance.of_player(missing, "a")] == ["plain", "duplicate"]
    few = by_method(variance.of_player(hands, "a"))
    assert few["duplicate + all-in + controls"].estimate == few["duplicate + all-in"].estimate


def test_unusable_input_is_named() -> None:
    hands = [hand(1, "ab", 1), hand(1, "cd", 1)]
    with pytest.raises(UnknownNameError, match="unknown player 'x'"):
        variance.of_player(hands, "x")
    with pytest.raises(UnknownNameError, match="unknown player 'x'"):
        variance.of_pair(hands, "a", "x")
    with pytest.raises(ConfigError, match="never sat at one table"):
        variance.of_pair(hands, "a", "c")
    with pytest.raises(ConfigError, match="one seat of a hand"):
        hand(1, "aa", 1)
    with pytest.raises(ConfigError, match="won must have one entry"):
        Hand(1, ("a", "b"), (1.0,))
    with pytest.raises(ConfigError, match="adjusted must be finite"):
        Hand(1, ("a", "b"), (1.0, -1.0), (math.nan, 0.0))
    uneven = [Hand(n, ("a", "b"), (1.0, -1.0), None, ((0.0,) * n, (0.0,) * n)) for n in (1, 2)]
    with pytest.raises(ConfigError, match=r"equally long .* \[1, 2\]"):
        variance.of_player(uneven, "a")


def test_impossible_questions_to_hands_needed_are_named() -> None:
    for arguments, message in (
        ((0.0, 1.0), "difference"),
        ((math.nan, 1.0), "difference"),
        ((1.0, -1.0), "variance"),
    ):
        with pytest.raises(ConfigError, match=message):
            variance.hands_needed(*arguments)
    with pytest.raises(ConfigError, match="alpha and power"):
        variance.hands_needed(1.0, 1.0, power=0.01)


def test_the_p_value_agrees_with_the_interval() -> None:
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.4, 0.8):
        hands = [Hand(f"deal {n}", ("a", "b"), (won, -won)) for n, won in enumerate(rng.normal(shift, 2, 40))]
        plain = variance.of_pair(hands, "a", "b")[0]
        assert plain.p is not None
        assert plain.estimate.low is not None
        assert plain.estimate.high is not None
        assert (plain.p < 0.05) == (not plain.estimate.low <= 0 <= plain.estimate.high)
