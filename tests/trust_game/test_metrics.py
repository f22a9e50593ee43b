"""The paper's score and rates (v1, eqs. 2.5 to 2.7), reciprocity and forgiveness, by hand."""

from __future__ import annotations

import functools
import operator

import pytest

from interactive_envs.trust_game.metrics import Tally, tally
from interactive_envs.trust_game.strategies import STRATEGIES, play_match


def counted(own: str, other: str, total: float = 0) -> Tally:
    return tally({"matches": [{"histories": [own, other], "totals": [total, 0]}]}, 0)


def test_every_count_of_a_match_by_hand() -> None:
    #            round 123456789
    assert counted("CCDDCDCCC", "CDDCCDCDC", total=8) == Tally(
        matches=1,
        rounds=9,
        payoff=8,
        cooperations=6,
        after_c=4,  # rounds 2, 5, 6, 8
        d_after_c=1,  # round 6
        after_d=4,  # rounds 3, 4, 7, 9
        c_after_d=2,  # rounds 7, 9
        after_return=2,  # rounds 5, 8
        c_after_return=2,
    )


def test_the_metrics_are_ratios_of_the_counts() -> None:
    summed = counted("CCDDCDCCC", "CDDCCDCDC", total=8)
    assert summed.score == pytest.approx(8 / 9)
    assert summed.cooperation_rate == pytest.approx(6 / 9)
    assert summed.betrayal_rate == pytest.approx(1 / 4)
    assert summed.reciprocity == pytest.approx(3 / 4 - 2 / 4)
    assert summed.forgiveness == 1.0


def test_long_matches_weigh_more_than_short_ones() -> None:
    matches = [counted("DD", "CC", total=6), counted("CCCCCCCC", "CCCCCCCC", total=16)]
    pooled = functools.reduce(operator.add, matches, Tally())
    assert (pooled.matches, pooled.rounds) == (2, 10)
    assert pooled.score == pytest.approx(2.2)
    assert pooled.cooperation_rate == pytest.approx(0.8)
    assert pooled.betrayal_rate == pytest.approx(1 / 8)


def test_what_has_nothing_to_count_is_none() -> None:
    nothing = Tally()
    assert (nothing.score, nothing.cooperation_rate, nothing.betrayal_rate) == (None, None, None)
    assert (nothing.reciprocity, nothing.forgiveness) == (None, None)
    one_round = counted("C", "D", total=-1)
    assert (one_round.score, one_round.betrayal_rate, one_round.reciprocity) == (-1, None, None)
    assert counted("CCC", "CCC").reciprocity is None  # the other never defected


@pytest.mark.parametrize(
    ("name", "betrayal", "reciprocity", "forgiveness"),
    [("tft", 0, 1, 1), ("all-c", 0, 0, 1), ("all-d", 1, 0, 0)],
)
def test_simple_strategies_have_the_metrics_that_define_them(
    name: str, betrayal: float, reciprocity: float, forgiveness: float
) -> None:
    played = play_match(STRATEGIES[name], STRATEGIES["coin"], 200)
    summed = tally({"matches": [{"histories": played.moves, "totals": played.totals}]}, 0)
    assert (summed.betrayal_rate, summed.reciprocity, summed.forgiveness) == (betrayal, reciprocity, forgiveness)


def test_grim_never_forgives_and_the_other_seat_is_counted_too() -> None:
    played = play_match(STRATEGIES["coin"], STRATEGIES["grim"], 200)
    record = {"matches": [{"histories": played.moves, "totals": played.totals}]}
    assert tally(record, 1).forgiveness == 0
    assert tally(record, 0).payoff == played.totals[0]
