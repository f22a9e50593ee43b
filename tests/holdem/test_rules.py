"""Blinds, pots, raises and ends of a hand, hands of an episode, and what an action's text means."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from pokerkit import Card, StandardHighHand

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.holdem import numeric
from interactive_envs.holdem.hands.evaluator import DECK, BestHand
from interactive_envs.holdem.rules import HoldemGame, HoldemState, Move
from interactive_envs.holdem.view import HoldemView
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable
from tests.holdem.hands import begin, deck, play, refused

DRY = "2c 7d 9h Js 4c"
"""A board without a pair, a straight or a flush for the hands of these tests."""


def net(game: HoldemGame, state: HoldemState, hand: int = 0) -> list[int]:
    return list(game.record(state)["hands"][hand]["net"])


def acting(game: HoldemGame, state: HoldemState) -> HoldemView:
    seat = game.to_move(state)
    assert seat is not None
    return game.view(state, seat)


def random_text(game: HoldemGame, view: HoldemView, rng: np.random.Generator) -> str:
    legal = [text for text in numeric.choices(view, (0.3, 0.5, 1.0, 2.0)) if text]
    return str(legal[rng.integers(len(legal))])


def random_states(game: HoldemGame, count: int, seed: int = 0) -> Iterator[HoldemState]:
    """Every state of random episodes; the same object, changed in place."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        state = game.start(rng, {})
        while True:
            yield state
            if (seat := game.to_move(state)) is None:
                break
            play(game, state, random_text(game, game.view(state, seat), rng))


# Pots


def test_side_pots_go_to_the_best_hand_among_those_who_paid_for_them() -> None:
    game = HoldemGame(players=3)
    cards = deck(3, 0, {0: "AhAd", 1: "KhKd", 2: "QhQd"}, DRY)
    state = begin(game, "all-in", "all-in", "all-in", deck=cards, stacks=[300, 1000, 5000])
    assert net(game, state) == [600, 400, -1000]
    (hand,) = game.record(state)["hands"]
    assert hand["pots"] == [{"amount": 900, "seats": [0, 1, 2]}, {"amount": 1400, "seats": [1, 2]}]
    assert game.view(state, 0).stacks == (900, 1400, 4000)


def test_the_best_hand_wins_every_pot_it_paid_for_and_folded_chips_stay_in() -> None:
    game = HoldemGame(players=4)
    cards = deck(4, 0, {0: "KhKd", 1: "QhQd", 2: "AhAd", 3: "3h3d"}, DRY)
    options = {"deck": cards, "stacks": [2000, 600, 5000, 9000]}
    # Seat 3 raises to 400 and folds later; seat 1 is all-in for 600, seat 0 for 2000.
    state = begin(game, "raise to 400", "all-in", "call", "call", "fold", **options)
    assert net(game, state) == [-2000, -600, 3000, -400]
    (hand,) = game.record(state)["hands"]
    assert hand["pots"] == [{"amount": 2200, "seats": [0, 1, 2]}, {"amount": 2800, "seats": [0, 2]}]


def test_the_view_shows_each_pot_and_who_can_win_it() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "call", "all-in", "call", "call", stacks=[9000, 300, 9000])
    state = play(game, state, "bet 500", "call")
    pots = game.view(state, 0).pots
    assert [(pot.amount, pot.seats) for pot in pots] == [(900, (0, 1, 2)), (1000, (0, 2))]
    assert game.view(state, 0).pot == 1900


def test_an_uncalled_bet_comes_back() -> None:
    game = HoldemGame(players=2)
    state = begin(game, "raise to 5000", "fold")
    assert net(game, state) == [100, -100]
    state = begin(game, "all-in", "all-in", stacks=[9000, 700], deck=deck(2, 0, {0: "2h3d", 1: "AhAd"}, DRY))
    assert net(game, state) == [-700, 700]
    assert game.view(state, 0).stacks == (8300, 1400)


def test_an_odd_chip_goes_to_the_first_winner_left_of_the_button() -> None:
    game = HoldemGame(players=3, small_blind=5, big_blind=10)
    board = "Ah Kh Qd Js Tc"
    check_down = ["call", "fold", "check"] + ["check"] * 6
    state = begin(game, *check_down, deck=deck(3, 0, {0: "2c3c", 1: "2d3d", 2: "4c5c"}, board))
    assert net(game, state) == [2, -5, 3]
    # The same with the button moved on: seat 1 is the button, seat 2 the small blind, seat 0 the big blind.
    state = begin(game, *check_down, deck=deck(3, 1, {0: "4c5c", 1: "2c3c", 2: "2d3d"}, board), button=1)
    assert net(game, state) == [3, 2, -5]


def test_two_odd_chips_of_a_pot_for_three_go_to_the_same_winner() -> None:
    game = HoldemGame(players=4, small_blind=5, big_blind=10)
    cards = deck(4, 0, {0: "2c3c", 1: "2d3d", 2: "4c5c", 3: "4d5d"}, "Ah Kh Qd Js Tc")
    state = begin(game, "call", "call", "fold", "check", *["check"] * 9, deck=cards)
    assert net(game, state) == [1, -5, 3, 1]


def test_a_seat_with_less_than_the_ante_wins_only_as_much_from_each() -> None:
    game = HoldemGame(players=3, ante=20)
    cards = deck(3, 0, {0: "AhAd", 1: "KhKd", 2: "QhQd"}, DRY)
    state = begin(game, "call", *["check"] * 7, deck=cards, stacks=[8, 1000, 1000])
    assert net(game, state) == [16, 104, -120]


def test_no_chip_is_made_or_lost_over_hands_with_rebuys() -> None:
    game = HoldemGame(players=5, match=6, carry=True, stack=[300, 1000, 1, 5000, 77], ante=3)
    for state in random_states(game, 20):
        assert sum(state.won) == 0
        view = game.view(state, 0)
        assert sum(view.stacks) + view.pot == sum(view.starting_stacks)


# Raises


def test_a_short_all_in_does_not_let_those_who_have_acted_raise_again() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "call", "call", "check", "bet 1000", "all-in", "call", stacks=[10_000, 10_000, 1500])
    view = acting(game, state)
    assert (view.seat, view.to_call, view.min_raise_to, view.max_raise_to) == (1, 400, None, None)
    reason = "You cannot bet or raise now: you have acted and nobody made a full raise since. You may call or fold."
    assert refused(game, state, "raise to 5000") == refused(game, state, "all-in") == reason
    assert numeric.choices(view, (0.5,)) == ["fold", "call", "", ""]


def test_whoever_has_not_acted_may_raise_a_short_all_in() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "call", "call", "check", "bet 1000", "all-in", stacks=[10_000, 10_000, 1500])
    view = acting(game, state)
    assert (view.seat, view.to_call, view.min_raise_to) == (0, 1400, 2400)


def test_short_all_ins_that_add_up_to_a_full_raise_let_everybody_raise_again() -> None:
    game = HoldemGame(players=4)
    stacks = [10_000, 10_000, 1600, 2200]
    state = begin(game, "call", "call", "call", "check", "bet 1000", "all-in", "all-in", "call", stacks=stacks)
    view = acting(game, state)
    assert (view.seat, view.to_call, view.min_raise_to) == (1, 1100, 3100)


def test_a_short_all_in_before_any_raise_of_the_blinds_reopens_as_in_pokerkit() -> None:
    game = HoldemGame(players=4)
    state = begin(game, "call", "all-in", "call", "call", stacks=[130, 10_000, 10_000, 10_000])
    view = acting(game, state)
    assert (view.seat, view.to_call, view.min_raise_to) == (3, 30, 230)


def test_a_raise_is_at_least_as_large_as_the_one_before() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "raise to 450")
    assert acting(game, state).min_raise_to == 800
    assert refused(game, state, "raise to 799") == (
        "That amount is not allowed: your total for this street, from 800 to 10000."
    )
    assert acting(game, play(game, state, "raise to 1450")).min_raise_to == 2450


def test_less_than_the_smallest_raise_is_legal_when_it_is_all_in() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "raise to 450", "raise 700", stacks=[10_000, 700, 10_000])
    assert state.actions[-1] == dataclasses.replace(state.actions[-1], seat=1, act="raise", to=700, all_in=True)


def test_nobody_may_raise_when_all_others_are_all_in_and_all_in_is_then_a_call() -> None:
    game = HoldemGame(players=2)
    state = begin(game, "all-in", stacks=[500, 10_000])
    assert refused(game, state, "raise to 1000") == (
        "You cannot bet or raise now: nobody could answer it. You may call or fold."
    )
    assert game.read(state, 1, "all-in") == Move("pass")


def test_who_cannot_reach_the_highest_bet_cannot_answer_a_raise_either() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "all-in", stacks=[1000, 10_000, 600])
    assert refused(game, state, "raise to 2000") == (
        "You cannot bet or raise now: nobody could answer it. You may call or fold."
    )
    assert game.read(state, 1, "all-in") == Move("pass")


def test_a_call_may_take_all_chips() -> None:
    game = HoldemGame(players=3)
    state = begin(game, "raise to 3000", stacks=[10_000, 1000, 10_000])
    assert refused(game, state, "raise to 1000") == (
        "You cannot bet or raise now: a call takes all your chips. You may call or fold."
    )
    assert acting(game, state).to_call == 950
    play(game, state, "call")
    assert state.actions[-1].all_in
    assert game.view(state, 0).statuses == ("in", "all-in", "in")


# Blinds and button


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_only_before_the_flop() -> None:
    game = HoldemGame(players=2)
    state = begin(game, button=1)
    assert game.view(state, 0).positions == ("BB", "BTN")
    assert [(action.seat, action.act, action.to) for action in state.actions] == [
        (1, "small blind", 50),
        (0, "big blind", 100),
    ]
    assert game.to_move(state) == 1
    assert game.to_move(play(game, state, "call")) == 0
    assert game.to_move(play(game, state, "check")) == 0
    assert game.to_move(play(game, state, "check")) == 1


@pytest.mark.parametrize("button", range(4))
def test_blinds_and_the_first_to_act_follow_the_button(button: int) -> None:
    game = HoldemGame(players=4)
    state = begin(game, button=button)
    posted = [(action.seat, action.act) for action in state.actions]
    assert posted == [((button + 1) % 4, "small blind"), ((button + 2) % 4, "big blind")]
    assert game.to_move(state) == (button + 3) % 4
    assert game.to_move(play(game, state, "call", "call", "call", "check")) == (button + 1) % 4


def test_positions_have_their_usual_names() -> None:
    names = {seats: " ".join(game_positions(seats)) for seats in range(2, 11)}
    assert names == {
        2: "BTN BB",
        3: "BTN SB BB",
        4: "BTN SB BB UTG",
        5: "BTN SB BB UTG CO",
        6: "BTN SB BB UTG HJ CO",
        7: "BTN SB BB UTG LJ HJ CO",
        8: "BTN SB BB UTG UTG+1 LJ HJ CO",
        9: "BTN SB BB UTG UTG+1 UTG+2 LJ HJ CO",
        10: "BTN SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO",
    }


def game_positions(seats: int) -> tuple[str, ...]:
    game = HoldemGame(players=seats)
    return game.view(begin(game), 0).positions


def test_the_big_blind_may_raise_when_everybody_called() -> None:
    game = HoldemGame(players=3)
    view = acting(game, begin(game, "call", "call"))
    assert (view.seat, view.to_call, view.min_raise_to) == (2, 0, 200)


def test_the_button_moves_one_seat_on_after_every_hand() -> None:
    game = HoldemGame(players=3, match=4)
    state = begin(game, *["fold", "fold"] * 4, button=1)
    assert [hand["button"] for hand in game.record(state)["hands"]] == [1, 2, 0, 1]


def test_without_the_option_the_button_is_drawn() -> None:
    game = HoldemGame(players=4)
    buttons = {game.start(np.random.default_rng(seed), {}).button for seed in range(40)}
    assert buttons == {0, 1, 2, 3}


def test_a_hand_in_which_the_blinds_put_everybody_all_in_is_played_out_at_once() -> None:
    game = HoldemGame(players=2)
    state = begin(game, stacks=[40, 60], deck=deck(2, 0, {0: "AhAd", 1: "KhKd"}, DRY))
    assert game.to_move(state) is None
    assert game.returns(state) == (0.4, -0.4)
    assert game.record(state)["hands"][0]["all_in_board"] == []


# Hands of an episode


def test_cards_are_dealt_in_the_documented_order() -> None:
    game = HoldemGame(players=3)
    cards = "".join(DECK)
    state = begin(game, "call", "call", "check", *["check"] * 9, deck=cards)
    (hand,) = game.record(state)["hands"]
    # One card each from the small blind's seat on, then the second; 3d, 4d and 4s are burnt.
    assert hand["hole"] == [["2h", "3d"], ["2c", "2s"], ["2d", "3c"]]
    assert hand["board"] == ["3s", "4c", "4d", "4s", "5d"]
    assert hand["deck"] == list(DECK)


def test_a_busted_seat_gets_its_first_stack_again_and_the_others_play_on() -> None:
    game = HoldemGame(players=3, match=2, carry=True)
    first = deck(3, 0, {0: "AhAd", 1: "KhKd"}, DRY)
    state = begin(game, "all-in", "all-in", "fold", deck=[first, list(DECK)], stacks=[900, 600, 800])
    assert game.view(state, 0).starting_stacks == (1600, 600, 700)
    assert state.won == [700, -600, -100]
    assert game.view(state, 0).buy_in == (900, 600, 800)


def test_without_carry_everybody_gets_the_first_stack_again_after_every_hand() -> None:
    game = HoldemGame(players=3, match=2, stack=[900, 600, 800])
    state = begin(game, "all-in", "fold", "fold")
    assert game.view(state, 0).starting_stacks == (900, 600, 800)
    assert game.returns(state) == (1.5, -0.5, -1.0)


def test_returns_are_the_big_blinds_won_so_far() -> None:
    game = HoldemGame(players=3, match=2)
    state = begin(game)
    assert game.returns(state) == (0, 0, 0)
    play(game, state, "fold", "fold")
    assert game.returns(state) == (0, -0.5, 0.5)
    play(game, state, "raise to 300", "fold", "fold")
    assert game.returns(state) == (-1, 1, 0)
    assert game.to_move(state) is None
    assert game.outcomes(state) == (Outcome.SCORED,) * 3


def test_everything_is_drawn_at_the_start() -> None:
    game = HoldemGame(players=3, match=3)
    states = [game.start(np.random.default_rng(4), {}) for _ in range(2)]
    assert states[0].decks == states[1].decks
    assert len({*states[0].decks}) == 3
    fixed = game.start(np.random.default_rng(4), {"button": 2})
    assert fixed.decks == states[0].decks


def test_after_the_end_the_view_shows_the_last_hand() -> None:
    game = HoldemGame(players=2, match=2)
    state = begin(game, "fold", "raise to 300", "call", "bet 300", "fold")
    view = game.view(state, 0)
    assert (view.over, view.hand, len(view.past), view.to_move) == (True, 1, 2, None)
    assert view.past[-1].actions == view.actions
    assert view.past[-1].board == view.board
    assert (view.pots, view.bets, view.statuses) == ((), (0, 0), ("in", "folded"))


def test_cards_are_shown_only_as_far_as_they_must_be() -> None:
    game = HoldemGame(players=3)
    # Seat 1 opens the river and shows first; seat 2 cannot beat that and mucks; seat 0 wins and shows.
    cards = deck(3, 0, {0: "AhAd", 1: "KhKd", 2: "3h3d"}, DRY)
    state = begin(game, "call", "call", "check", *["check"] * 9, deck=cards)
    assert game.view(state, 1).past[-1].shown == (("Ah", "Ad"), ("Kh", "Kd"), ())
    state = begin(game, "fold", "fold", deck=cards)
    assert game.view(state, 1).past[-1].shown == ((), (), ())


def test_the_record_has_what_all_in_adjusted_winnings_need() -> None:
    game = HoldemGame(players=3)
    cards = deck(3, 0, {0: "AhAd", 1: "KhKd", 2: "3h3d"}, DRY)
    state = begin(game, "call", "call", "check", "all-in", "fold", "call", deck=cards, stacks=[900, 1000, 1000])
    (hand,) = game.record(state)["hands"]
    assert hand["all_in_board"] == ["2c", "7d", "9h"]
    assert hand["board"] == DRY.split()
    assert hand["hole"] == [["Ah", "Ad"], ["Kh", "Kd"], ["3h", "3d"]]
    assert hand["pots"] == [{"amount": 1900, "seats": [0, 1]}]
    assert hand["net"] == [1000, -900, -100]
    assert hand["stacks"] == [900, 1000, 1000]
    assert json.loads(json.dumps(hand)) == hand
    checked_down = begin(game, "call", "call", "check", *["check"] * 9, deck=cards)
    assert game.record(checked_down)["hands"][0]["all_in_board"] is None


def test_the_hand_of_the_paper_plays_as_it_says() -> None:
    """Interactive Benchmarks v1, appendix A.3: hand 59 of table 1."""
    game = HoldemGame()
    cards = deck(6, 0, {}, "Qd 4h 7c 6d")
    state = begin(game, "FOLD", "RAISE 300", "FOLD", "FOLD", "CALL 300", "CALL 300", deck=cards)
    view = acting(game, state)
    assert (view.seat, view.pot, view.board) == (1, 900, ("Qd", "4h", "7c"))
    play(game, state, "CHECK", "CHECK", "CHECK", '{"action": "RAISE", "amount": 450, "reasoning": "thin value"}')
    assert state.actions[-1].act == "bet"
    assert net(game, play(game, state, "FOLD", "FOLD")) == [0, 600, -300, 0, -300, 0]


# Reading


@pytest.mark.parametrize(
    "text",
    [
        "raise to 300",
        "raise 300",
        "Raise to 300.",
        "**RAISE: 300**",
        "raise to $300 chips",
        "<move>raise to 300</move>",
        "The blinds look weak. <move> raise 300 </move>",
        '{"action": "raise", "amount": 300, "reasoning": "Suited ace."}',
        '{"action": "RAISE", "amount": "300"}',
        '{"Action": "bet", "Amount": 300.0}',
        '{"action": "raise to 300"}',
        'I open.\n```json\n{"action": "raise", "amount": 300}\n```\nGood luck!',
        '<move>{"action": "raise", "amount": 300}</move>',
        '<think>call or fold?</think>{"action": "raise", "amount": 300}',
        '{"action": "raise", "amount": 300} That is: {"action": "Raise", "amount": 300}',
        '{"odds": {"pot": 0.4}} {"action": "raise", "amount": 300, "reasoning": "set {AA, KK}\nagainst } a call"}',
        "Action: raise to 300",
        "raise to 300\u00a0",
    ],
)
def test_a_raise_can_be_said_in_many_ways(text: str) -> None:
    game = HoldemGame()
    assert game.read(begin(game), 3, text) == Move("raise", 300)


@pytest.mark.parametrize("text", ["all-in", "All in!", "allin", "ALL_IN", "raise all-in", '{"action": "all_in"}'])
def test_all_in_can_be_said_in_many_ways(text: str) -> None:
    game = HoldemGame()
    assert game.read(begin(game), 3, text) == Move("raise", 10_000)


def test_the_amount_of_anything_but_a_raise_is_ignored() -> None:
    game = HoldemGame()
    state = begin(game)
    assert game.read(state, 3, '{"action": "CALL", "amount": 7}') == Move("pass")
    assert game.read(state, 3, '{"action": "FOLD", "amount": 0}') == Move("fold")
    assert game.read(state, 3, '{"action": "ALL-IN", "amount": 1}') == Move("raise", 10_000)


def test_a_call_is_a_check_where_that_is_free_and_a_fold_is_not() -> None:
    game = HoldemGame(players=2)
    state = begin(game, "call")
    assert game.read(state, 1, "call") == game.read(state, 1, "check") == Move("pass")
    assert refused(game, state, "fold") == "There is no bet to fold to; checking is free."
    assert refused(game, begin(game), "check") == "You cannot check: a call costs 50."


FORMS = '{"action": "raise", "amount": 300} or a short form such as raise to 300'
RANGE = "That amount is not allowed: your total for this street, from 200 to 10000."
WHOLE = '"amount" must be a whole number of chips: your total for this street.'
NEEDED = "A raise needs an amount: your total for this street, from 200 to 10000."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise", NEEDED),
        ('{"action": "raise", "amount": null}', NEEDED),
        ("raise to 150", RANGE),
        ("raise to 10001", RANGE),
        ("bet 0", RANGE),
        ('{"action": "raise", "amount": -5}', RANGE),
        ('{"action": "raise", "amount": 300.5}', WHOLE),
        ('{"action": "raise", "amount": true}', WHOLE),
        ('{"action": "raise", "amount": [300]}', WHOLE),
        ('{"action": "raise", "amount": NaN}', WHOLE),
        ('{"action": "raise", "amount": 1e999}', WHOLE),
        ('{"action": "raise", "amount": "many"}', WHOLE),
        ('{"action": "raise to 200", "amount": 300}', "The action and its amount name different numbers."),
        ('{"action": "bluff"}', '"action" must be one of fold, check, call, bet, raise, all_in.'),
        ('{"action": 7}', '"action" must be one of fold, check, call, bet, raise, all_in.'),
        ('{"action": "call"} {"action": "fold"}', "I found 2 different actions; give exactly one."),
        ("<move>call</move> or <move>fold</move>", "I found 2 different actions; give exactly one."),
        ('{"action": "call", "action": "fold"}', f"I found no single action; write {FORMS}."),
        ("I call, or rather fold.", f"I found no single action; write {FORMS}."),
        ("call\nfold", f"I found no single action; write {FORMS}."),
        ("raise by 300", f"I found no single action; write {FORMS}."),
        ("raise to \uff13\uff10\uff10", f"I found no single action; write {FORMS}."),
        ("", f"I found no single action; write {FORMS}."),
        ("<move>maybe</move>", f"I found no action in <move>; write {FORMS}."),
        ("<move></move>", "The move action is empty."),
    ],
)
def test_what_cannot_be_played_says_why(text: str, reason: str) -> None:
    game = HoldemGame()
    assert refused(game, begin(game), text) == reason


@pytest.mark.parametrize(
    "text",
    [
        '{"action": "raise", "amount": ' + "9" * 19_000 + "}",
        '{"action": "raise", "amount": "' + "9" * 19_000 + '"}',
        "raise to " + "9" * 19_000,
        "raise to " + "9," * 9_000,
        "{" * 20_000,
        '{"a":' * 4_000,
        '{"action":' * 2_000,
        "[" * 20_000,
        '{"action": ' + "[" * 9_000 + "]" * 9_000 + "}",
        '{"action": "raise", "amount": {"action": "call"}}',
        '{"action": {"action": "call"}}',
        "<move>" * 3_000,
        "raise" * 4_000,
        " " * 20_000,
        "\x00\ud7ff\u202e",
        "*" * 20_000,
        "call " * 4_000,
    ],
)
@pytest.mark.timeout(60)
def test_hostile_texts_are_unreadable_and_quick(text: str) -> None:
    game = HoldemGame()
    assert isinstance(game.read(begin(game), 3, text), Unreadable)


def test_an_unreadable_action_is_a_check_where_that_is_free_else_a_fold() -> None:
    game = HoldemGame(players=2)
    state = begin(game)
    game.punish(state, 0, "fold")
    assert state.actions[-1].act == "fold"
    state = begin(game, "call")
    game.punish(state, 1, "fold")
    assert state.actions[-1].act == "check"


# What a seat knows


def test_without_memory_no_seat_knows_earlier_hands_and_every_hand_begins_anew() -> None:
    game, other = HoldemGame(players=3, match=3, memory=False), HoldemGame(players=3, match=3)
    said = ("call", "fold", "check", *["check"] * 6, "fold", "fold", "fold")
    state, remembered = begin(game, *said), begin(other, *said)
    view = game.view(state, 1)
    assert (view.hand, view.past, view.news) == (2, (), ())
    assert "is over" not in game.situation(view)
    assert "Each hand stands alone: nobody at the table remembers earlier hands." in game.rules(view)
    assert [hand.number for hand in other.view(remembered, 1).past] == [0, 1]
    assert [
        (game.begins_anew(game.view(state, seat)), other.begins_anew(other.view(remembered, seat))) for seat in range(3)
    ] == [
        (True, False),
        (True, False),
        (False, False),
    ]
    same = game.resample(view, np.random.default_rng(0))
    assert game.view(same, 1) == view
    play(game, state, "fold")
    play(game, same, "fold")
    assert [hand.number for hand in game.view(state, 0).news] == [2]
    assert game.situation(game.view(state, 0)).startswith("Hand 3 is over. You were seat 0")
    assert "match is over" not in game.situation(game.view(state, 0))


def test_no_seat_sees_the_others_cards() -> None:
    game = HoldemGame(players=4, match=2)
    for state in random_states(game, 15):
        if state.over:
            continue
        hands = [(" ".join(hole), game.view(state, seat).as_json()) for seat, hole in enumerate(state.hole)]
        for (pair, _), (_, view) in itertools.permutations(hands, 2):
            seen = json.dumps({**view, "past": ()})
            assert not any(f'"{card}"' in seen for card in pair.split())
        for seat in range(4):
            text = game.rules(game.view(state, seat)) + game.situation(game.view(state, seat))
            assert not any(secret in text for secret in game.secrets(state, seat))
            assert len(game.secrets(state, seat)) == 3


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "match": 3, "ante": 9, "ante_by": "big-blind"},
        {"players": 5, "match": 2, "carry": True, "ante": 7, "stack": 900},
    ],
)
def test_a_resampled_state_has_the_same_view_and_other_cards(options: dict[str, Any]) -> None:
    game = HoldemGame(**options)
    rng = np.random.default_rng(1)
    same = total = 0
    for state in random_states(game, 3):
        for seat in range(game.seats):
            view = game.view(state, seat)
            other = game.resample(view, rng)
            assert game.view(other, seat) == view
            assert game.to_move(other) == game.to_move(state)
            assert game.returns(other) == game.returns(state)
            same += other.hole == state.hole
            total += 1
            for _ in range(30):  # it can be played to the end
                if game.to_move(other) is None:
                    break
                play(game, other, "call")
    assert same < total / 10


def test_resampling_draws_unseen_cards_evenly() -> None:
    game = HoldemGame(players=2)
    state = begin(game, "call", "check")
    view, rng = game.view(state, 0), np.random.default_rng(0)
    drawn = [card for _ in range(1000) for card in game.resample(view, rng).hole[1]]
    counts = {card: drawn.count(card) for card in DECK}
    assert all(counts[card] == 0 for card in (*view.hole, *view.board))
    assert all(15 < counts[card] < 80 for card in DECK if card not in (*view.hole, *view.board))


def test_a_clone_goes_its_own_way() -> None:
    game = HoldemGame(players=3, match=2)
    rng = np.random.default_rng(0)
    for state in random_states(game, 10):
        before = [game.view(state, seat) for seat in range(3)]
        clone = game.clone(state)
        assert [game.view(clone, seat) for seat in range(3)] == before
        while (seat := game.to_move(clone)) is not None:
            play(game, clone, random_text(game, game.view(clone, seat), rng))
        assert [game.view(state, seat) for seat in range(3)] == before


# Numbers


@pytest.mark.parametrize("players", [2, 6, 10])
def test_arrays_have_their_shape_and_stay_between_0_and_1(players: int) -> None:
    game = HoldemGame(players=players, match=3, ante=10)
    for state in random_states(game, 4):
        for seat in range(players):
            array = game.encode(game.view(state, seat))
            assert (array.shape, array.dtype) == (game.numeric_shape, np.float32)
            assert 0 <= array.min() <= array.max() <= 1


def test_views_that_differ_in_this_hand_have_different_arrays() -> None:
    game = HoldemGame(players=3)
    seen: dict[bytes, HoldemView] = {}
    for state in random_states(game, 60):
        for seat in range(3):
            view = game.view(state, seat)
            if not view.over:
                assert seen.setdefault(game.encode(view).tobytes(), view) == view
    assert len(seen) > 500


def test_numeric_actions_are_fold_call_all_in_and_shares_of_the_pot() -> None:
    game = HoldemGame(players=3, bet_sizes=(0.25, 0.5, 1, 100))
    assert game.numeric_actions == 7
    view = acting(game, begin(game))
    # The pot after a call is 250. A quarter of it is less than the smallest raise; 100 pots are more than all chips.
    assert [game.decode(view, index) for index in range(7)] == [
        "fold",
        "call",
        "all-in",
        "raise to 200",
        "raise to 225",
        "raise to 350",
        "",
    ]
    view = acting(game, begin(game, "call", "call", "check"))
    assert [game.decode(view, index) for index in range(7)] == [
        "",
        "check",
        "all-in",
        "bet 100",
        "bet 150",
        "bet 300",
        "",
    ]
    assert {game.decode(game.view(begin(game), 1), index) for index in range(7)} == {""}


@pytest.mark.parametrize("action", [-5, -1, 5, 10**30])
def test_a_numeric_action_out_of_range_is_refused_and_changes_nothing(action: int) -> None:
    single: Any = gym.make("ibench/Holdem-v1", view="numeric", disable_env_checker=True)
    table: Any = pettingzoo.make("aec", "ibench/Holdem-v1", view="numeric")
    for env in (single, table):
        env.reset(seed=1)
        before = env.unwrapped.record()
        with pytest.raises(ValueError, match=rf"a numeric action is a whole number from 0 to 4, got {action}$"):
            env.step(action)
        assert env.unwrapped.record() == before


def test_of_two_numeric_actions_that_bet_the_same_only_the_first_is_allowed() -> None:
    game = HoldemGame(players=3, bet_sizes=(0.1, 0.2, 0.5), stack=225)
    view = acting(game, begin(game))
    assert [game.decode(view, index) for index in range(6)] == ["fold", "call", "all-in", "raise to 200", "", ""]


def test_every_numeric_action_is_legal_and_no_two_are_the_same() -> None:
    game = HoldemGame(players=4, stack=[150, 700, 3000, 9000], bet_sizes=(0.1, 0.5, 1.0, 2.0))
    for state in random_states(game, 40):
        seat = game.to_move(state)
        if seat is None:
            continue
        texts = [text for index in range(7) if (text := game.decode(game.view(state, seat), index))]
        moves = [game.read(state, seat, text) for text in texts]
        assert not any(isinstance(move, Unreadable) for move in moves)
        assert len(set(moves)) == len(moves) >= 1


@pytest.mark.parametrize("count", [5, 6, 7])
def test_our_hand_type_ranks_as_pokerkits(count: int) -> None:
    rng = np.random.default_rng(count)
    hands = []
    for _ in range(150):
        cards = [next(Card.parse(DECK[number])) for number in rng.permutation(52)[:count]]
        hands.append((BestHand.from_game(cards[:2], cards[2:]), StandardHighHand.from_game(cards[:2], cards[2:])))
    for (ours, theirs), (our_other, their_other) in itertools.pairwise(hands):
        assert (ours < our_other, ours == our_other) == (theirs < their_other, theirs == their_other)
    ranked = sorted(hands, key=lambda pair: pair[0])
    assert all(low[1] <= high[1] for low, high in itertools.pairwise(ranked))


@pytest.mark.parametrize("cards", ["AhKhQhJh", "2c3c4c5c6c7c8c9c"])
def test_our_hand_type_needs_five_to_seven_cards(cards: str) -> None:
    with pytest.raises(ValueError, match="number of cards"):
        BestHand.from_game(cards)


# Arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 1}, "players must be a whole number from 2 to 10, got 1"),
        ({"players": 11}, "players must be a whole number from 2 to 10, got 11"),
        ({"players": True}, "players must be a whole number from 2 to 10, got True"),
        ({"match": 0}, "match must be a whole number of at least 1, got 0"),
        ({"stack": 0}, "stack must be a whole number from 1 to 1000000000, got 0"),
        ({"stack": 1.5}, "stack must be a whole number from 1 to 1000000000, got 1.5"),
        ({"stack": [100, 200]}, "stack has 2 numbers for 6 seats; give one a seat"),
        ({"small_blind": 101}, "small_blind must be a whole number from 1 to 100, got 101"),
        ({"big_blind": 0}, "big_blind must be a whole number from 1 to 1000000000, got 0"),
        ({"ante": -1}, "ante must be a whole number from 0 to 1000000000, got -1"),
        ({"carry": 1}, "carry must be true or false, got 1"),
        ({"bet_sizes": (0,)}, r"bet_sizes must be shares of the pot, each above 0 and at most 1000, got \(0,\)"),
        ({"bet_sizes": "half"}, "bet_sizes must be shares of the pot, each above 0 and at most 1000, got 'half'"),
    ],
)
def test_arguments_that_cannot_work_say_so(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        HoldemGame(**arguments)


def test_whoever_is_said_to_post_the_ante_must_be_known() -> None:
    with pytest.raises(UnknownNameError, match="unknown ante_by 'big blind'; did you mean 'big-blind'"):
        HoldemGame(ante_by="big blind")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"button": 6}, "button must be a whole number from 0 to 5, got 6"),
        ({"stacks": [1, 2, 3]}, "stacks has 3 numbers for 6 seats; give one a seat"),
        ({"stacks": [0] * 6}, "stacks must be a whole number from 1 to 1000000000, got 0"),
        ({"deck": list(DECK[:51])}, "deck must be all 52 cards in the order of dealing, got 51 different ones"),
        ({"deck": "Ah" * 52}, "deck must be all 52 cards in the order of dealing, got 1 different ones"),
        ({"deck": "1h" + "".join(DECK[1:])}, "deck has no such card: '1h'; write cards like Ah, Td, 2c"),
        ({"deck": 7}, r"deck must be 1 deck\(s\), one a hand, in a list; got 7"),
        ({"deck": [list(DECK)] * 2}, r"deck must be 1 deck\(s\), one a hand, in a list"),
        ({"deck": [7]}, "deck must be all 52 cards in the order of dealing, got 0 different ones"),
    ],
)
def test_reset_options_that_cannot_work_say_so(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        begin(HoldemGame(), **options)


def test_a_deck_is_a_list_or_a_text_and_one_a_hand() -> None:
    one, two = HoldemGame(players=2), HoldemGame(players=2, match=2)
    cards = deck(2, 0, {0: "AhAd", 1: "KhKd"})
    for value in (cards, "".join(cards), " ".join(cards), [cards], ["".join(cards)]):
        assert begin(one, deck=value).hole == (("Ah", "Ad"), ("Kh", "Kd"))
    assert begin(two, "fold", deck=[DECK, cards]).hole == (("Kh", "Kd"), ("Ah", "Ad"))


def test_a_state_drawn_anew_still_owes_what_was_won_before_the_first_turn() -> None:
    arguments: dict[str, Any] = {"ante": 100, "ante_by": "big-blind", "match": 3, "opponents": "random", "players": 2}
    rewards = []
    for drawn in (False, True):
        env = gym.make("ibench/Holdem-v1", **arguments)
        _, info = env.reset(seed=18)  # the opponent folds the first hand
        view = info["view"]
        assert [hand.net for hand in view.past] == [(50, -50)]
        if drawn:
            env.unwrapped.resample(view, np.random.default_rng(0))  # type: ignore[attr-defined]
        rewards.append(env.step("call")[1])
    assert rewards == [0.5, 0.5]
