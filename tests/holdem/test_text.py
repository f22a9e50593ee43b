"""What a seat reads, word by word."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.holdem.text import situation
from tests.holdem.hands import begin, deck, play

TRANSCRIPTS = Path(__file__).parent / "transcripts"


def transcript(game: HoldemGame, *said: str, **options: Any) -> str:
    """The rules as the first to act reads them, what each reads before it acts, and the end as seat 0 reads it."""
    state = begin(game, **options)
    lines = [game.rules(game.view(state, game.to_move(state) or 0))]
    for text in said:
        lines += [game.situation(game.view(state, game.to_move(state) or 0)), f"> {text}"]
        play(game, state, text)
    lines.append(game.situation(game.view(state, 0)))
    return "".join(f"{line}\n" for line in lines)


def test_a_heads_up_hand_reads_exactly_like_this() -> None:
    cards = deck(2, 0, {0: "AhTd", 1: "9c9d"}, "2c 7d 9h Js 4c")
    flop, turn, river = ("bet 100", "raise to 300", "call"), ("check", "check"), ("bet 1000", "all-in", "fold")
    said = ("call", "check", *flop, *turn, *river)
    assert transcript(HoldemGame(players=2), *said, deck=cards) == (TRANSCRIPTS / "heads_up.txt").read_text()


def test_two_hands_of_six_seats_read_exactly_like_this() -> None:
    hole = {0: "3s8h", 1: "KhKd", 2: "5d6s", 3: "QhQd", 4: "TcTs", 5: "AhAd"}
    decks = [deck(6, 0, hole, "2c 7d 9h Js 4c"), deck(6, 1, {})]
    preflop = ("raise to 300", "fold", "all-in", "fold", "call", "fold", "call")
    said = (*preflop, "bet 1000", "call", *["check"] * 4, *["fold"] * 5)
    stacks = [10_000, 10_000, 10_000, 10_000, 10_000, 2000]
    assert (
        transcript(HoldemGame(match=2, carry=True, ante=10), *said, deck=decks, stacks=stacks)
        == (TRANSCRIPTS / "six_seats.txt").read_text()
    )


def test_a_finished_hand_is_told_with_its_showdown_also_where_the_next_one_needs_no_decision() -> None:
    """Seat 0 folds a hand and is all-in by its blind in the next: both end before it decides again."""
    game = HoldemGame(players=3, match=4, carry=True)
    hole = {0: "2c7d", 1: "AhAd", 2: "KhKd"}
    decks = [deck(3, hand % 3, hole, "3c 8s 9h Js 4c") for hand in range(4)]
    state = begin(game, "fold", deck=decks, stacks=[60, 5000, 5000])
    play(game, state, "call", "check", *["check"] * 6)
    play(game, state, "call", "call", *["check"] * 6)
    play(game, state, "fold")
    view = game.view(state, 0)
    assert game.situation(view) == (TRANSCRIPTS / "finished_hands.txt").read_text()
    assert [hand.number for hand in view.news] == [0, 1]
    play(game, state, "fold")
    assert [hand.number for hand in game.view(state, 0).news] == [2]


def test_very_many_hands_without_a_decision_are_told_shortly() -> None:
    game = HoldemGame(players=2, match=60)
    state = begin(game, stacks=[50, 50])
    text = game.situation(game.view(state, 0))
    assert text.startswith("Hands 1 to 40 are over. Chips won or lost: ")
    assert text.count(" is over.") == 21
    assert len(text) < 10_000


def test_a_seat_that_waits_reads_who_is_to_act() -> None:
    game = HoldemGame(players=3)
    assert game.situation(game.view(begin(game), 1)).endswith("\nSeat 0 is to act.")


def test_antes_that_differ_are_told_one_by_one() -> None:
    game = HoldemGame(players=2, ante=20)
    text = game.situation(game.view(begin(game, stacks=[1000, 15]), 0))
    assert "Preflop: seat 1 posts ante 15 all-in, seat 0 posts ante 20" in text


def test_where_only_all_in_is_a_raise_it_says_so() -> None:
    game = HoldemGame(players=2)
    view = game.view(begin(game, stacks=[180, 1000]), 0)
    may = "To call: 50 (pot odds 0.250). You may fold or call, or raise to 180, which is all-in."
    assert situation(view).endswith(may)
    free = dataclasses.replace(view, to_call=0, min_raise_to=None, max_raise_to=None)
    assert situation(free).endswith("To call: 0. You may check; no raise is possible now.")


def test_the_big_blinds_ante_is_told_in_the_rules_and_among_the_actions() -> None:
    game = HoldemGame(players=3, ante=100, ante_by="big-blind")
    view = game.view(begin(game), 0)
    told = " The big blind also posts an ante of 100, which goes into the pot and does not count as a bet."
    assert f"Blinds 50/100.{told} Win" in game.rules(view)
    assert "Preflop: seat 2 posts ante 100, seat 1 posts small blind 50, seat 2 posts big blind 100." in situation(view)
    assert "Pot: 250 (100 for seats 0, 1, 2; 150 bet on this street)." in situation(view)
