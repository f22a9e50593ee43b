"""What of a hold'em hand was luck: winnings with all-in boards averaged, and what the cards of each street gave.

A chance correction is what a seat can expect of the pot after cards fell minus what it could expect before, the pot and
who can win it being fixed before. The cards to come are drawn evenly from all that nobody holds, so its expectation is
zero whatever the players do, given everything that happened before: a control variate with a known mean. Only the hole
cards are needed, no model of the players. It is the part of AIVAT (Burch et al., AAAI 2018) that concerns the board,
with the share of the pot as value function.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.holdem import statistics
from interactive_envs.holdem.hands.equity import equities, expected_winnings
from interactive_envs.holdem.view import STREETS, HandResult

CONTROLS = ("hole cards", "flop", "turn", "river")
"""What the numbers of a seat's controls are: the first a share of a pot, the others chips."""
SAMPLES = 1_000
"""Boards drawn where those to come are too many to count."""
_BOARD = {"flop": (0, 3), "turn": (3, 4), "river": (4, 5)}
"""Community cards before and after the street's fell."""


def luck_of(record: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return what of the one hand in a tournament's match was luck, as :func:`hand_luck` says."""
    (played,) = record["hands"]
    return hand_luck(played, seed)


def hand_luck(played: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return what of a hand was luck.

    Args:
        played: what ``HoldemGame.record`` leaves of the hand.
        seed: of the deal.

    Returns:
        ``adjusted``: chips won with all-in boards at their expectation, a seat each; ``controls``: the numbers of
        :data:`CONTROLS`, a seat each.
    """
    hand, holes = statistics.read_hand(played)
    # Drawn boards must not know which board came; those of a deal's replays are the same, and cancel out.
    digest = hashlib.sha256(f"{seed} boards".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    adjusted = statistics.all_in_adjusted(hand, holes, rng=rng, samples=SAMPLES)
    controls = np.concatenate([hole_luck(holes, rng), street_luck(hand, holes, rng)], axis=1)
    return {
        "adjusted": [round(chips, 6) for chips in adjusted],
        "controls": [[round(float(value), 6) + 0.0 for value in seat] for seat in controls],
    }


def hole_luck(holes: Sequence[Sequence[str]], rng: np.random.Generator) -> NDArray[np.float64]:
    """The share of a pot that nobody leaves minus a fair one, array [seats, 1]; its mean is zero as seats are alike."""
    return np.array(equities(holes, rng=rng, samples=SAMPLES).mean)[:, None] - 1 / len(holes)


def street_luck(hand: HandResult, holes: Sequence[Sequence[str]], rng: np.random.Generator) -> NDArray[np.float64]:
    """Chance corrections of flop, turn and river in chips, array [seats, 3]; zero where nobody could act any more.

    Args:
        hand: the hand.
        holes: two cards for each seat.
        rng: draws boards before the flop; it must not depend on the board that came.
    """
    luck = np.zeros((len(holes), len(_BOARD)))
    last = STREETS.index(hand.actions[-1].street)
    for column, (before, after) in enumerate(_BOARD.values()):
        if column >= last:  # never dealt, or dealt after an all-in: the adjusted winnings average over those
            break
        earlier = tuple(action for action in hand.actions if STREETS.index(action.street) <= column)
        folded = {action.seat for action in earlier if action.act == "fold"}
        contenders = [seat for seat in range(len(holes)) if seat not in folded]
        pots = statistics.pots_of(dataclasses.replace(hand, actions=earlier), contenders)
        held = [() if seat in folded else hole for seat, hole in enumerate(holes)]
        dead = [card for seat in folded for card in holes[seat]]
        worth = [
            expected_winnings(held, hand.board[:cards], pots, dead=dead, rng=rng, samples=SAMPLES).mean
            for cards in (before, after)
        ]
        luck[:, column] = np.subtract(worth[1], worth[0])
    return luck
