"""Hands set up card by card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.rules import HoldemGame, HoldemState
from interactive_envs.parsing import Unreadable


def deck(seats: int, button: int, hole: Mapping[int, str], board: str = "") -> list[str]:
    """A deck that deals these cards; the others follow in order."""
    cards: list[str | None] = [None] * 52
    for seat, pair in hole.items():
        cards[(seat - button - 1) % seats], cards[seats + (seat - button - 1) % seats] = pair[:2], pair[2:]
    for place, card in zip((1, 2, 3, 5, 7), board.split(), strict=False):
        cards[2 * seats + place] = card
    rest = iter([card for card in DECK if card not in cards])
    return [card or next(rest) for card in cards]


def begin(game: HoldemGame, *said: str, seed: int = 0, **options: Any) -> HoldemState:
    """Start with these options (button 0 unless given) and play the texts."""
    return play(game, game.start(np.random.default_rng(seed), {"button": 0, **options}), *said)


def play(game: HoldemGame, state: HoldemState, *said: str) -> HoldemState:
    """Let whoever is to move say each text in turn; all must be legal."""
    for text in said:
        seat = game.to_move(state)
        assert seat is not None, f"the hand is over before {text!r}"
        move = game.read(state, seat, text)
        assert not isinstance(move, Unreadable), (text, move)
        game.play(state, seat, move)
    return state


def refused(game: HoldemGame, state: HoldemState, text: str) -> str:
    """Why the text is no legal action for the seat that is to move."""
    seat = game.to_move(state)
    assert seat is not None
    move = game.read(state, seat, text)
    assert isinstance(move, Unreadable), (text, move)
    return move.reason
