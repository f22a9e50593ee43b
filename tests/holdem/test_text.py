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
        transcript(HoldemGame(hands=2, ante=10), *said, deck=decks, stacks=stacks)
        == (TRANSCRIPTS / "six_seats.txt").read_text()
    )


def test_the_text_tells_as_many_earlier_hands_as_asked_for() -> None:
    game = HoldemGame(players=2, hands=4)
    state = begin(game, "fold", "fold", "fold")
    view = game.view(state, 0)
    first, second, third = (
        "Hand 1: board none; no cards shown; won: seat 0 -50, seat 1 +50.",
        "Hand 2: board none; no cards shown; won: seat 0 +50, seat 1 -50.",
        "Hand 3: board none; no cards shown; won: seat 0 -50, seat 1 +50.",
    )
    told = [line for line in situation(view, 9).splitlines() if line.startswith("Hand")]
    assert told[:-1] == [first, second, third]
    assert situation(view, 2).splitlines()[:2] == [second, third]
    assert situation(view, 0).startswith("Hand 4 of 4, preflop.")
    assert HoldemGame(players=2, hands=4, recap=2).situation(view) == situation(view, 2)


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
