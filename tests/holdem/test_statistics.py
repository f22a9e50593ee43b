"""Statistics of play, counted by hand in the comments."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands.equity import equities, expected_winnings
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.holdem.statistics import (
    PlayStatistics,
    all_in_adjusted,
    all_in_street,
    contributions,
    hand_statistics,
    pots_of,
    read_hand,
    side_pots,
)
from interactive_envs.holdem.view import HandAction, HandResult, Pot
from interactive_envs.parsing import Unreadable

# Three seats, blinds 50 and 100, button 0: seat 1 posts the small blind, seat 2 the big blind.
BLINDS = (HandAction("preflop", 1, "small blind", 50), HandAction("preflop", 2, "big blind", 100))


def hand(
    net: tuple[int, ...],
    *actions: HandAction,
    board: tuple[str, ...] = (),
    blinds: tuple[HandAction, ...] = BLINDS,
) -> HandResult:
    return HandResult(0, 0, net, board, ((),) * len(net), (*blinds, *actions))


# Everybody folds to the big blind, who has done nothing of its own will.
WALK = hand((0, -50, 50), HandAction("preflop", 0, "fold", 0), HandAction("preflop", 1, "fold", 50))
# The button calls, the small blind folds, the big blind checks; the button bets the flop, the big blind folds.
LIMP = hand(
    (150, -50, -100),
    HandAction("preflop", 0, "call", 100),
    HandAction("preflop", 1, "fold", 50),
    HandAction("preflop", 2, "check", 100),
    HandAction("flop", 2, "check", 0),
    HandAction("flop", 0, "bet", 200),
    HandAction("flop", 2, "fold", 0),
    board=("2c", "7d", "Jh"),
)
# The button raises, the small blind raises again, the big blind folds, the button calls; checked to the showdown.
SHOWDOWN = hand(
    (-900, 1000, -100),
    HandAction("preflop", 0, "raise", 300),
    HandAction("preflop", 1, "raise", 900),
    HandAction("preflop", 2, "fold", 100),
    HandAction("preflop", 0, "call", 900),
    *(HandAction(street, seat, "check", 0) for street in ("flop", "turn", "river") for seat in (1, 0)),
    board=("2c", "7d", "Jh", "Kd", "3s"),
)
SESSION = (WALK, LIMP, SHOWDOWN)


def session(seat: int) -> PlayStatistics:
    return sum((hand_statistics(played, 100)[seat] for played in SESSION), PlayStatistics())


def test_vpip_counts_calls_and_raises_but_no_blind_no_check_and_no_walk() -> None:
    # Seat 0 called once and raised once in three hands; seat 1 raised once; seat 2 never entered: a walk, a check, a
    # folded blind.
    assert [session(seat).vpip for seat in range(3)] == [2 / 3, 1 / 3, 0]


def test_fold_rate_is_hands_folded_by_hands_dealt() -> None:
    # Seat 0 folded the walk; seat 1 the walk and the limped hand; seat 2 the flop of the second hand and the third.
    assert [session(seat).fold_rate for seat in range(3)] == [1 / 3, 2 / 3, 2 / 3]


def test_pfr_counts_hands_raised_before_the_flop() -> None:
    assert [session(seat).pfr for seat in range(3)] == [1 / 3, 1 / 3, 0]


def test_aggression_is_bets_and_raises_a_call() -> None:
    # Seat 0: one bet and one raise, two calls. The others never called.
    assert [session(seat).aggression for seat in range(3)] == [1, None, None]


def test_showdown_rate_is_showdowns_by_flops_seen() -> None:
    # Seat 0 saw both flops and showed down once, seat 1 saw one and showed down, seat 2 saw one and folded.
    assert [session(seat).showdown_rate for seat in range(3)] == [1 / 2, 1, 0]


def test_winnings_are_chips_a_hand_and_big_blinds_a_hundred() -> None:
    # 0 + 150 - 900, -50 - 50 + 1000, 50 - 100 - 100 chips in three hands.
    assert [session(seat).winnings for seat in range(3)] == [-250, 300, -50]
    assert [session(seat).bb_per_100 for seat in range(3)] == pytest.approx([-250, 300, -50])


def test_no_hands_have_no_rates() -> None:
    nobody = PlayStatistics()
    assert {nobody.vpip, nobody.pfr, nobody.fold_rate, nobody.aggression, nobody.showdown_rate} == {None}
    assert nobody.winnings is nobody.bb_per_100 is None


def test_an_all_in_blind_is_not_voluntary() -> None:
    blinds = (HandAction("preflop", 1, "small blind", 50), HandAction("preflop", 2, "big blind", 80, all_in=True))
    played = hand(
        (-80, -50, 130), HandAction("preflop", 0, "call", 80), HandAction("preflop", 1, "fold", 50), blinds=blinds
    )
    assert [seat.entered for seat in hand_statistics(played, 100)] == [1, 0, 0]


def test_a_seat_without_chips_is_dealt_no_hand() -> None:
    played = hand((0, -50, 50, 0), HandAction("preflop", 0, "fold", 0), HandAction("preflop", 1, "fold", 50))
    assert [seat.hands for seat in hand_statistics(played, 100)] == [1, 1, 1, 0]


def test_other_winnings_can_be_counted_instead() -> None:
    assert hand_statistics(WALK, 100, net=(1.5, -2.5, 1.0))[1].chips == -2.5


def test_contributions_are_antes_and_the_last_bet_of_each_street() -> None:
    antes = tuple(HandAction("preflop", seat, "ante", 10) for seat in range(3))
    played = hand(
        (-10, -1010, 1020),
        HandAction("preflop", 0, "fold", 0),
        HandAction("preflop", 1, "call", 100),
        HandAction("preflop", 2, "raise", 400),
        HandAction("preflop", 1, "call", 400),
        HandAction("flop", 1, "bet", 600),
        HandAction("flop", 2, "raise", 2000),
        HandAction("flop", 1, "fold", 600),
        blinds=(*antes, *BLINDS),
        board=("2c", "7d", "Jh"),
    )
    # Of the last 2,000 only 600 were called.
    assert contributions(played) == (10, 1010, 1010)


def test_side_pots_have_a_layer_for_each_short_stack() -> None:
    # 50 from each of the first three and the folded 20; 150 more from two.
    assert side_pots([50, 200, 200, 20], [0, 1, 2]) == (Pot(170, (0, 1, 2)), Pot(300, (1, 2)))


def test_chips_of_a_seat_that_folded_after_paying_most_stay_in_the_pot() -> None:
    assert side_pots([50, 80, 80], [0, 1]) == (Pot(150, (0, 1)), Pot(60, (1,)))
    assert side_pots([50, 50, 80], [0, 1]) == (Pot(180, (0, 1)),)


TURN = ("2s", "7h", "Jd", "Kh")
HOLES = (("3c", "4d"), ("As", "Ah"), ("Kd", "Kc"))


def all_in_on_the_turn(net: tuple[int, ...], river: str) -> HandResult:
    return hand(
        net,
        HandAction("preflop", 0, "fold", 0),
        HandAction("preflop", 1, "call", 100),
        HandAction("preflop", 2, "check", 100),
        HandAction("flop", 1, "check", 0),
        HandAction("flop", 2, "check", 0),
        HandAction("turn", 1, "bet", 900, all_in=True),
        HandAction("turn", 2, "call", 900),
        board=(*TURN, river),
    )


@pytest.mark.parametrize(("net", "river"), [((0, -1000, 1000), "Qs"), ((0, 1000, -1000), "Ad")])
def test_an_all_in_counts_with_its_expectation_whatever_came(net: tuple[int, ...], river: str) -> None:
    # Two aces of the 42 cards left win the 2,000 for seat 1.
    played = all_in_on_the_turn(net, river)
    assert all_in_street(played) == "turn"
    assert all_in_adjusted(played, HOLES) == pytest.approx((0, 2000 * 2 / 42 - 1000, 2000 * 40 / 42 - 1000))


def test_a_folded_ace_cannot_come() -> None:
    holes = (("Ad", "4d"), *HOLES[1:])
    adjusted = all_in_adjusted(all_in_on_the_turn((0, -1000, 1000), "Qs"), holes)
    assert adjusted == pytest.approx((0, 2000 / 42 - 1000, 2000 * 41 / 42 - 1000))


def test_hands_that_end_by_folding_or_on_the_river_stay_as_they_were() -> None:
    for played in SESSION:
        assert all_in_street(played) is None
        assert all_in_adjusted(played, ((), (), ())) == played.net


ACES_AND_KINGS = (("3c", "4d"), ("Ad", "Ac"), ("Kh", "Ks"))
ACES_SHARE = 0.8019670
"""What the aces win on average over all boards before the flop, computed by a test of the long part."""


def test_an_uncalled_bet_goes_back() -> None:
    # Seat 2 has 500; what seat 1 puts in beyond that is not at stake.
    played = hand(
        (0, 500, -500),
        HandAction("preflop", 0, "fold", 0),
        HandAction("preflop", 1, "call", 100),
        HandAction("preflop", 2, "check", 100),
        HandAction("flop", 1, "bet", 4900, all_in=True),
        HandAction("flop", 2, "call", 400, all_in=True),
        board=("2s", "7h", "Jd", "4h", "9c"),
    )
    share = equities(((), *ACES_AND_KINGS[1:]), played.board[:3], dead=ACES_AND_KINGS[0]).mean[1]
    assert 0.89 < share < 0.93
    assert all_in_adjusted(played, ACES_AND_KINGS) == pytest.approx((0, 1000 * share - 500, 500 - 1000 * share))


def before_the_flop() -> HandResult:
    return hand(
        (0, 500, -500),
        HandAction("preflop", 0, "fold", 0),
        HandAction("preflop", 1, "raise", 500, all_in=True),
        HandAction("preflop", 2, "call", 500, all_in=True),
        board=("2s", "7h", "Jd", "4h", "9c"),
    )


def test_boards_are_drawn_where_they_are_many() -> None:
    drawn = all_in_adjusted(before_the_flop(), ACES_AND_KINGS, rng=np.random.default_rng(3))
    assert drawn[1] == pytest.approx(1000 * ACES_SHARE - 500, abs=4 * 400 / 2_000**0.5)


@pytest.mark.long
def test_the_share_of_aces_is_that_of_every_board() -> None:
    assert equities(((), *ACES_AND_KINGS[1:]), dead=ACES_AND_KINGS[0]).mean[1] == pytest.approx(ACES_SHARE, abs=1e-6)
    assert all_in_adjusted(before_the_flop(), ACES_AND_KINGS)[1] == pytest.approx(1000 * ACES_SHARE - 500, abs=1e-3)


def test_missing_cards_are_refused() -> None:
    with pytest.raises(ConfigError, match="seat 0 was dealt in"):
        all_in_adjusted(all_in_on_the_turn((0, -1000, 1000), "Qs"), ((), *HOLES[1:]))


def random_hands(count: int) -> Iterator[tuple[HandResult, tuple[tuple[str, ...], ...]]]:
    """Hands of random players with random stacks, antes and seats, from the game's own records."""
    rng = np.random.default_rng(11)
    for _ in range(count):
        seats = int(rng.integers(2, 8))
        stacks = [int(chips) for chips in rng.integers(1, 1500, seats)]
        by = str(rng.choice(["all", "big-blind"]))
        game = HoldemGame(players=seats, stack=stacks, ante=int(rng.integers(0, 30)), ante_by=by)
        state = game.start(rng, {})
        while (seat := game.to_move(state)) is not None:
            said = ["fold", "call", "call", "call", "raise to 200", "all-in"][rng.integers(6)]
            move = game.read(state, seat, said)
            game.play(state, seat, game.read(state, seat, "call") if isinstance(move, Unreadable) else move)
        yield read_hand(json.loads(json.dumps(game.record(state)))["hands"][0])


def test_pots_and_odd_chips_of_random_hands_are_the_games_to_the_chip() -> None:
    # On a complete board the expectation must be what the game paid out.
    showdowns = split = 0
    for played, holes in random_hands(300):
        if len(played.board) == 5:
            folded = {action.seat for action in played.actions if action.act == "fold"}
            left = [seat for seat in range(len(holes)) if seat not in folded]
            paid = contributions(played)
            hands = [hole if seat in left else () for seat, hole in enumerate(holes)]
            first = (played.button + 1) % len(holes)
            gained = expected_winnings(hands, played.board, pots_of(played, left), first=first).mean
            assert tuple(a - b for a, b in zip(gained, paid, strict=True)) == played.net
            showdowns += 1
            split += sum(net > 0 for net in played.net) > 1
    assert showdowns > 100
    assert split > 10


def test_adjusted_winnings_are_unbiased_and_vary_less() -> None:
    rng, plain, adjusted = np.random.default_rng(5), [], []
    for played, holes in random_hands(300):
        if all_in_street(played):
            plain.append(played.net[0])
            adjusted.append(all_in_adjusted(played, holes, rng=rng, samples=200)[0])
    difference = np.array(plain) - np.array(adjusted)
    assert len(plain) > 90
    assert abs(difference.mean()) < 4 * difference.std() / len(plain) ** 0.5
    assert np.var(adjusted) < 0.7 * np.var(plain)
