"""The numeric twin of a hold'em view: one array, and few enough actions to learn with.

The array is made of

- 52 four times: own cards, flop, turn, river, a one for each card;
- 4: the street, one-hot;
- 10 a seat: own seat, button, to move, in, folded, all-in, chips behind, chips at the beginning of the hand, bet of
  this street, chips won in earlier hands;
- 1 + seats a seat: the pots, each its chips and who can win it;
- 10: to call, smallest raise, largest raise, whether a raise is allowed, pot odds, big blind, small blind, ante, hands
  finished, episode over;
- 14 + seats, 64 times: the latest 64 actions of the hand, oldest first: seat, street and act one-hot, total, all-in.

Chips are shares of all chips at the table at the beginning of the hand. Left out are the cards and actions of earlier
hands, and of a hand's actions those before the latest 64 (a hand of six rarely has 30).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from interactive_envs.holdem.view import STREETS, Act, HoldemView, Status

MAX_ACTIONS = 64
"""Actions of a hand that an array holds."""
FIXED_ACTIONS = 3
"""fold, check or call, all-in; the bet sizes follow."""

_ACTS: tuple[Act, ...] = get_args(Act)
_STATUSES: tuple[Status, ...] = get_args(Status)
_CARD = {
    f"{rank}{suit}": 4 * high + low for high, rank in enumerate("23456789TJQKA") for low, suit in enumerate("cdhs")
}
_SEAT, _SCALARS = 10, 10


def shape(seats: int) -> tuple[int, ...]:
    """Shape of the array for a table of so many seats."""
    row = seats + len(STREETS) + len(_ACTS) + 2
    return (4 * 52 + len(STREETS) + seats * (_SEAT + 1 + seats) + _SCALARS + MAX_ACTIONS * row,)


def encode(view: HoldemView) -> NDArray[np.float32]:
    """The view as an array, see the module."""
    seats, table = view.seats, sum(view.starting_stacks)
    cards = np.zeros((4, 52), np.float32)
    for line, shown in zip(cards, (view.hole, view.board[:3], view.board[3:4], view.board[4:]), strict=True):
        line[[_CARD[card] for card in shown]] = 1
    street = np.zeros(len(STREETS), np.float32)
    street[STREETS.index(view.street)] = 1
    places = np.zeros((seats, _SEAT), np.float32)
    places[view.seat, 0] = places[view.button, 1] = 1
    if view.to_move is not None:
        places[view.to_move, 2] = 1
    for seat, status in enumerate(view.statuses):
        places[seat, 3 + _STATUSES.index(status)] = 1
    earlier = view.past[:-1] if view.over else view.past
    won = np.sum([hand.net for hand in earlier], axis=0) / table if earlier else np.zeros(seats)
    places[:, 6], places[:, 7] = np.divide(view.stacks, table), np.divide(view.starting_stacks, table)
    places[:, 8], places[:, 9] = np.divide(view.bets, table), 0.5 + won / (1 + np.abs(won)) / 2
    pots = np.zeros((seats, 1 + seats), np.float32)
    for line, pot in zip(pots, view.pots, strict=False):
        line[0] = pot.amount / table
        line[[1 + seat for seat in pot.seats]] = 1
    raises = view.min_raise_to is not None
    scalars = (
        view.to_call / table,
        (view.min_raise_to or 0) / table,
        (view.max_raise_to or 0) / table,
        raises,
        view.pot_odds,
        view.big_blind / (view.big_blind + table),
        view.small_blind / (view.small_blind + table),
        view.ante / (view.ante + table),
        (view.hand + view.over) / view.hands,
        view.over,
    )
    rows = np.zeros((MAX_ACTIONS, seats + len(STREETS) + len(_ACTS) + 2), np.float32)
    for line, action in zip(rows, view.actions[-MAX_ACTIONS:], strict=False):
        line[action.seat] = line[seats + STREETS.index(action.street)] = 1
        line[seats + len(STREETS) + _ACTS.index(action.act)] = 1
        line[-2], line[-1] = action.to / table, action.all_in
    parts = (cards.ravel(), street, places.ravel(), pots.ravel(), np.array(scalars, np.float32), rows.ravel())
    return np.concatenate(parts)


def choices(view: HoldemView, bet_sizes: Sequence[float]) -> list[str]:
    """The text of every numeric action, '' for those that are masked out.

    They are fold, check or call, all-in, and a bet or raise for each size: so many times what the pot would be after a
    call, at least the smallest legal raise. Not legal: folding where checking is free, and all-in where no raise is
    legal. Of two that bet the same, the later is masked out.
    """
    if view.to_move != view.seat:
        return [""] * (FIXED_ACTIONS + len(bet_sizes))
    found = ["fold" if view.to_call else "", "call" if view.to_call else "check"]
    if view.min_raise_to is None or view.max_raise_to is None:
        return found + [""] * (1 + len(bet_sizes))
    highest, seen = max(view.bets), {view.max_raise_to}
    found.append("all-in")
    for size in bet_sizes:
        to = max(view.min_raise_to, highest + round(size * (view.pot + view.to_call)))
        duplicate = to >= view.max_raise_to or to in seen
        found.append("" if duplicate else f"raise to {to}" if highest else f"bet {to}")
        seen.add(to)
    return found
