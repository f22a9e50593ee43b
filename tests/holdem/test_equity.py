"""Equities, against other people's numbers, other people's evaluators, and counting."""

from __future__ import annotations

import math
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from phevaluator import evaluate_cards
from pokerkit import Card, StandardHighHand

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands import equity
from interactive_envs.holdem.hands.equity import equities, equity_against, expected_winnings, starting_hand
from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.view import Pot


def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def test_a_rank_pattern_is_known_by_its_sum() -> None:
    patterns = [p for p in combinations_with_replacement(range(13), 7) if all(p[i] != p[i + 4] for i in range(3))]
    assert len(patterns) == len({sum(equity.RANK_KEYS[rank] for rank in p) for p in patterns}) == 49_205


def test_strengths_of_random_hands_are_phevaluators() -> None:
    hands = rng().permuted(np.tile(np.arange(52), (20_000, 1)), axis=1)[:, :7]
    assert equity.strengths(hands).tolist() == [7463 - evaluate_cards(*hand) for hand in hands.tolist()]


def test_strengths_of_flushes_are_phevaluators() -> None:
    decks = np.tile(np.arange(52).reshape(13, 4).T, (500, 1))
    suited = rng().permuted(decks, axis=1)[:, :5]
    hands = np.concatenate([suited, (suited[:, :2] + 4 * 7 + 1) % 52], 1)
    hands = np.array([hand for hand in hands.tolist() if len(set(hand)) == 7])
    assert len(hands) > 1_000
    assert equity.strengths(hands).tolist() == [7463 - evaluate_cards(*hand) for hand in hands.tolist()]


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "wins", "losses", "ties"),
    [
        # GNU poker-eval's counts over all 1,712,304 boards, https://brainwagon.org/2005/04/09/texas-holdem-trivia
        (("Ad", "Ac"), ("Kh", "Ks"), 1_388_072, 317_694, 6_538),
        (("Ad", "Ac"), ("Td", "9d"), 1_338_249, 367_143, 6_912),
        (("Ad", "Ac"), ("Qc", "Jh"), 1_450_987, 254_763, 6_554),
    ],
)
def test_published_equities_before_the_flop(
    first: tuple[str, str], second: tuple[str, str], wins: int, losses: int, ties: int
) -> None:
    estimate = equities([first, second])
    assert estimate.boards == wins + losses + ties == 1_712_304
    assert estimate.mean[0] * estimate.boards == pytest.approx(wins + ties / 2)
    assert estimate.standard_error == (0, 0)


def test_equities_before_the_flop_are_phevaluators(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a short deck: the others are dead."""
    monkeypatch.setattr(equity, "_CHUNK", 1_000)
    cards = [DECK[i] for i in rng().permutation(52)]
    holes, dead, deck = [cards[0:2], cards[2:4], cards[4:6]], cards[6:34], cards[34:]
    shares = np.zeros(3)
    for board in combinations(deck, 5):
        ranks = [evaluate_cards(*hole, *board) for hole in holes]
        winners = np.array(ranks) == min(ranks)
        shares += winners / winners.sum()
    estimate = equities(holes, dead=dead)
    assert estimate.boards == math.comb(18, 5)
    assert estimate.mean == pytest.approx(tuple(shares / estimate.boards))
    assert estimate.standard_error == (0, 0, 0)


@pytest.mark.parametrize(
    ("board", "wins", "losses", "ties"),
    # Published counts of 990 boards, http://acesfull.blogspot.com/2002_12_08_archive.html
    [(("9d", "8d", "4d"), 249, 696, 45), (("8d", "9h", "4h"), 557, 433, 0)],
)
def test_published_equities_on_the_flop(board: tuple[str, ...], wins: int, losses: int, ties: int) -> None:
    estimate = equities([("Ah", "Kh"), ("2s", "2c")], board)
    assert estimate.boards == 990
    assert estimate.mean[0] * 990 == pytest.approx(wins + ties / 2)
    assert estimate.mean[1] * 990 == pytest.approx(losses + ties / 2)


@pytest.mark.parametrize("missing", [0, 1])
def test_rivers_and_turns_are_what_pokerkits_hands_say(missing: int) -> None:
    draws = rng()
    for _ in range(5):
        cards = [DECK[i] for i in draws.permutation(52)]
        holes, board = [cards[0:2], cards[2:4], cards[4:6]], cards[6 : 11 - missing]
        deck = cards[11 - missing :]
        shares, boards = np.zeros(3), [[*board, *more] for more in combinations(deck, missing)]
        for full in boards:
            table = tuple(Card.parse("".join(full)))
            hands = [StandardHighHand.from_game(tuple(Card.parse("".join(hole))), table) for hole in holes]
            winners = [hand == max(hands) for hand in hands]
            shares += np.array(winners) / sum(winners)
        assert equities(holes, board).mean == pytest.approx(tuple(shares / len(boards)))


def test_each_pot_goes_to_the_best_of_its_own_seats() -> None:
    # Seat 0 has the best hand and is in the main pot only; seat 3 has folded.
    holes = [("As", "Ah"), ("Ks", "Kh"), ("Qs", "Qh"), ()]
    pots = [Pot(300, (0, 1, 2)), Pot(200, (1, 2)), Pot(50, (2,))]
    estimate = expected_winnings(holes, ("2c", "3d", "7h", "9s", "Jd"), pots)
    assert estimate.mean == (300, 200, 50, 0)


def test_odd_chips_go_to_the_first_winner() -> None:
    holes, board = [("2s", "3h"), ("2d", "3c"), ("2h", "3s")], ("Ac", "Kc", "Qd", "Js", "Th")
    pot = [Pot(101, (0, 1, 2))]
    assert expected_winnings(holes, board, pot, first=1).mean == (33, 35, 33)
    assert expected_winnings(holes, board, pot).mean == pytest.approx((101 / 3, 101 / 3, 101 / 3))


def test_dead_cards_cannot_come() -> None:
    holes, board = [("As", "Ah"), ("Ks", "Kh")], ("2c", "3d", "7h", "9s")
    assert equities(holes, board).mean[1] == pytest.approx(2 / 44)
    assert equities(holes, board, dead=("Kc", "Kd")).mean[1] == 0


def test_drawn_boards_agree_with_all_boards_within_their_error() -> None:
    holes = [("As", "Ks"), ("Qd", "Qc")]
    exact, drawn = equities(holes), equities(holes, rng=rng(), samples=20_000)
    assert drawn.boards == 20_000
    assert 0.003 < drawn.standard_error[0] < 0.004
    assert abs(drawn.mean[0] - exact.mean[0]) < 4 * drawn.standard_error[0]


def test_few_boards_are_counted_although_they_could_be_drawn() -> None:
    holes, board = [("As", "Ks"), ("Qd", "Qc")], ("2c", "3d", "7h")
    assert equities(holes, board, rng=rng(), samples=990) == equities(holes, board)


def test_a_card_that_occurs_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="twice"):
        equities([("As", "Ah"), ("As", "Kh")])
    with pytest.raises(ConfigError, match="'10h' is no card"):
        equities([("As", "10h"), ("Ad", "Kh")])
    with pytest.raises(ConfigError, match="needs a seat"):
        expected_winnings([("As", "Ah"), ("Ad", "Kh")], (), [Pot(10, (2,))])


@pytest.mark.parametrize(
    # Published shares against one random hand, https://forums.replaypoker.com/t/hand-equity-v-random-hand/22406
    ("hole", "share"),
    [(("As", "Ah"), 0.852), (("8s", "8h"), 0.692), (("As", "Ks"), 0.670), (("4s", "4h"), 0.570)],
)
def test_published_shares_against_a_random_hand(hole: tuple[str, str], share: float) -> None:
    mean, error = equity_against(hole, (), [1], rng(), 20_000)
    assert abs(mean - share) < 4 * error
    assert error < 0.004


def test_many_random_opponents_share_what_the_hand_leaves() -> None:
    # By symmetry a random hand against five others wins a sixth.
    draws, shares = rng(), []
    for _ in range(60):
        hole = [DECK[i] for i in draws.permutation(52)[:2]]
        shares.append(equity_against(hole, (), [1] * 5, draws, 200)[0])
    assert np.mean(shares) == pytest.approx(1 / 6, abs=4 * np.std(shares) / 60**0.5)


@pytest.mark.parametrize("reach", [0.999, 0.03])
def test_a_range_is_the_hands_it_holds(reach: float) -> None:
    # On the river the opponents' hands can be counted one by one.
    hole, board = ("Ks", "Qh"), ("Kc", "7d", "4s", "2h", "9c")
    left = [card for card in DECK if card not in (*hole, *board)]
    ranks = equity.starting_hand_ranks()
    hands = [hand for hand in combinations(left, 2) if ranks[starting_hand(hand)] < reach]
    exact = np.mean([equities([hole, hand], board).mean[0] for hand in hands])
    mean, error = equity_against(hole, board, [reach], rng(), 5_000)
    assert abs(mean - exact) < 4 * error


def test_ranges_that_exclude_one_another_count_as_any_hands() -> None:
    assert equity_against(("As", "Ah"), ("Ad", "Ac", "2c"), [0.004], rng())[0] > 0.99


def test_starting_hands_are_all_there_and_in_order() -> None:
    kinds = {starting_hand(pair) for pair in combinations(DECK, 2)}
    assert set(equity.STARTING_HANDS) == kinds
    assert len(equity.STARTING_HANDS) == 169
    shares = [
        equity_against((f"{kind[0]}c", f"{kind[1]}{'c' if kind[2:] == 's' else 'd'}"), (), [1] * 3, rng(), 20_000)[0]
        for kind in equity.STARTING_HANDS[::12]
    ]
    assert shares == sorted(shares, reverse=True)
    assert equity.starting_hand_ranks()["KK"] == pytest.approx(6 / 1326)


def test_strengths_of_hands_on_boards_are_those_of_their_seven_cards() -> None:
    rng = np.random.default_rng(5)
    decks = rng.permuted(np.tile(np.arange(52), (400, 1)), axis=1)
    decks[:80, :13] = rng.permuted(np.tile(np.arange(0, 52, 4), (80, 1)), axis=1)  # all of one suit
    boards, own, shared = decks[:, :5], decks[:, 5:11].reshape(-1, 3, 2), decks[0, 5:11].reshape(3, 2)
    free = ~np.isin(boards, shared).any(axis=1)
    assert free.sum() > 50
    for some, hands in ((boards, own), (boards[free], shared)):
        each = np.broadcast_to(hands, (len(some), 3, 2))
        cards = np.concatenate([each, np.broadcast_to(some[:, None], (len(some), 3, 5))], axis=2)
        np.testing.assert_array_equal(equity.strengths_of(hands, some), equity.strengths(cards))
