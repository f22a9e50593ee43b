"""Random hands equal to the chip to stock PokerKit: its own hand type, all its automations, the same deck."""

from __future__ import annotations

from typing import Any

import numpy as np
import pokerkit.state
import pytest
from pokerkit import Automation, Card, NoLimitTexasHoldem, StandardHighHand, State

from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.rules import HoldemGame, Move

ALL = tuple(Automation)


@pytest.fixture(autouse=True)
def _ranks_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """PokerKit's own hand type ranks the same cards again and again, a millisecond each time; here once a hand."""
    own, kept = StandardHighHand.from_game, {}

    def from_game(hole_cards: Any, board_cards: Any = ()) -> Any:
        cards = (*hole_cards, *board_cards)
        if len(kept) > 100:
            kept.clear()
        if cards not in kept:
            kept[cards] = own(cards)
        return kept[cards]

    monkeypatch.setattr(StandardHighHand, "from_game", from_game)


def names(cards: Any) -> list[str]:
    return [repr(card) for card in cards]


def random_move(view: Any, rng: np.random.Generator) -> Move:
    kinds = ["pass", "pass", "fold", "raise", "raise", "all-in"]
    kind = kinds[rng.integers(len(kinds))]
    if kind == "fold" and view.to_call:
        return Move("fold")
    if kind in ("raise", "all-in") and view.min_raise_to is not None:
        least, most = view.min_raise_to, view.max_raise_to
        small = min(most, least + int(rng.integers(3 * view.big_blind)))
        return Move(
            "raise", most if kind == "all-in" else [least, small, int(rng.integers(least, most + 1))][rng.integers(3)]
        )
    return Move("pass")


def stock_table(game: HoldemGame, stacks: list[int], deck: list[str], monkeypatch: pytest.MonkeyPatch) -> State:
    """PokerKit as it comes, its shuffle replaced by our deck."""
    cards = list(Card.parse("".join(deck)))

    def put(values: Any) -> None:
        if values:  # our own tables are made without a deck
            values.clear()
            values.extend(cards)

    monkeypatch.setattr(pokerkit.state, "shuffle", put)
    # PokerKit's advice: antes are trimmed to one another where all post them, and not where the big blind alone does.
    antes = game.ante if game.ante_by == "all" else {1: game.ante}
    return NoLimitTexasHoldem.create_state(
        ALL, game.ante_by == "all", antes, (game.small_blind, game.big_blind), game.big_blind, stacks, game.seats
    )


def assert_hand_equals_stock_pokerkit(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = int(rng.integers(2, 11))
    big = int(rng.choice([2, 3, 10, 100]))
    small = int(rng.integers(1, big + 1))
    ante = int(rng.choice([0, 0, 1, big // 4, big]))
    ante_by = str(rng.choice(["all", "big-blind"]))
    deep = int(rng.choice([3, 20, 200]))
    game = HoldemGame(players=seats, small_blind=small, big_blind=big, ante=ante, ante_by=ante_by)
    stacks = [int(rng.integers(1, deep * big)) for _ in range(seats)]
    deck = [DECK[number] for number in rng.permutation(52)]
    button = int(rng.integers(seats))
    state = game.start(rng, {"deck": deck, "stacks": stacks, "button": button})
    order = [(button + 1 + place) % seats for place in range(seats)]
    stock = stock_table(game, [stacks[seat] for seat in order], deck, monkeypatch)
    while (seat := game.to_move(state)) is not None:
        assert stock.actor_index is not None
        assert order[stock.actor_index] == seat
        view = game.view(state, seat)
        assert view.to_call == stock.checking_or_calling_amount
        assert view.min_raise_to == stock.min_completion_betting_or_raising_to_amount
        assert view.max_raise_to == stock.max_completion_betting_or_raising_to_amount
        assert [view.stacks[seat] for seat in order] == stock.stacks
        assert [view.bets[seat] for seat in order] == stock.bets
        assert [(pot.amount, pot.seats) for pot in view.pots] == [
            (pot.amount, tuple(sorted(order[player] for player in pot.player_indices))) for pot in stock.pots
        ]
        assert list(view.board) == names(stock.get_board_cards(0))
        assert list(view.hole) == names(stock.hole_cards[stock.actor_index])
        move = random_move(view, rng)
        game.play(state, seat, move)
        if move.kind == "fold":
            stock.fold()
        elif move.kind == "pass":
            stock.check_or_call()
        else:
            stock.complete_bet_or_raise_to(move.to)
    assert not stock.status
    (hand,) = game.record(state)["hands"]
    assert hand["board"] == names(stock.get_board_cards(0))
    assert [hand["net"][seat] for seat in order] == stock.payoffs
    assert sum(hand["net"]) == 0
    assert [game.view(state, 0).stacks[seat] for seat in order] == stock.stacks


def test_random_hands_equal_stock_pokerkit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(20_25)
    for _ in range(60):
        assert_hand_equals_stock_pokerkit(rng, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(50))
def test_a_hundred_thousand_random_hands_equal_stock_pokerkit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng([100_000, seed])
    for _ in range(2_000):
        assert_hand_equals_stock_pokerkit(rng, monkeypatch)
