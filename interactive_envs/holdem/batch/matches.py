"""Matches of hold'em side by side, each at a hand of its own, with the arrays of the numeric twin.

Matches of :class:`interactive_envs.holdem.rules.HoldemGame` with equal seeds and moves are the same, and so are the
arrays that :mod:`interactive_envs.holdem.numeric` makes of them, number by number; tests compare both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from interactive_envs.holdem import numeric
from interactive_envs.holdem.batch.engine import FOLD, RAISE, RIVER, Flags, Ints, Legal, Tables
from interactive_envs.holdem.rules import HoldemGame, shuffled_decks

OVER = -1
"""Who acts in a match that is over."""
_ANTE, _SMALL, _BIG, _FOLDS, _CHECKS, _CALLS, _BETS, _RAISES = range(8)
"""Acts in the order of :data:`interactive_envs.holdem.view.Act`."""
_SUITED = 52 * np.array([1, 1, 1, 2, 3])
"""Where the board's five cards are marked."""
_SHOWN_FROM = np.array([1, 1, 1, 2, 3])
"""The street with which each of them is dealt."""


class Matches:
    """Several matches of one game.

    Args:
        game: the rules.
        count: of matches.

    Attributes:
        seats: at each table.
        seat: who acts, :data:`OVER` where nobody does, shape (matches,).
        hand: how many hands are finished, shape (matches,).
        noted: how many actions the hand has so far, blinds and antes included, shape (matches,).
        won: chips each seat won in the finished hands, shape (matches, seats).
        masks: which numeric actions are legal as of the last :meth:`look`, shape (matches, actions).
        observations: the array of a view as of the last :meth:`look`, shape (matches, numbers).
    """

    def __init__(self, game: HoldemGame, count: int) -> None:
        self.game, self.seats = game, game.seats
        self.tables = Tables(
            count,
            players=game.seats,
            small_blind=game.small_blind,
            big_blind=game.big_blind,
            ante=game.ante,
            ante_by_all=game.ante_by == "all",
        )
        seats, width = game.seats, numeric.shape(game.seats)[0]
        self.seat = np.full(count, OVER)
        self.hand, self.noted, self._button = (np.zeros(count, np.int64) for _ in range(3))
        self.won, self._starting = (np.zeros((count, seats), np.int64) for _ in range(2))
        self._all_in = np.zeros((count, seats), np.bool_)
        self._table_chips = np.ones(count, np.int64)
        self._decks = np.zeros((count, game.match, 2 * seats + 8), np.int8)
        self.masks = np.zeros((count, game.numeric_actions), np.bool_)
        self._totals = np.zeros((count, game.numeric_actions), np.int64)
        self.observations = np.zeros((count, width), np.float32)
        head = 4 * 53 + seats * (11 + seats) + 10
        self._log = self.observations[:, head:].reshape(count, numeric.MAX_ACTIONS, -1)  # a view
        antes, blinds = self.tables.antes, self.tables.blinds
        forced = [(_ANTE, place) for place in range(seats) if antes[place]]
        forced += zip((_SMALL, _BIG), np.flatnonzero(blinds)[:: -1 if seats == 2 else 1].tolist(), strict=True)
        self._forced = np.array(forced).T
        """What is posted in each hand, in order: the acts and the places."""
        around = np.arange(seats)
        self._seat_at = (around + 1 + around[:, None]) % seats
        """By button the seat at each place."""
        self._place_of = (around - 1 - around[:, None]) % seats
        """By button the place of each seat."""

    # Playing.

    def begin(self, rows: Ints, seeds: Sequence[int]) -> None:
        """Begin matches, as :meth:`interactive_envs.holdem.rules.HoldemGame.start` does without options."""
        for row, seed in zip(rows.tolist(), seeds, strict=True):
            rng = np.random.default_rng(seed)
            self._button[row] = rng.integers(self.seats)
            self._decks[row] = shuffled_decks(rng, self.game.match)[:, : 2 * self.seats + 8]
        self.hand[rows], self.won[rows] = 0, 0
        self._starting[rows] = self.game.stacks
        self._deal(rows)
        self._turn(rows)

    def act(self, rows: Ints, kinds: Ints, totals: Ints) -> None:
        """Play legal moves; after the last one of a hand the next hand is dealt.

        Args:
            rows: matches, none of which is over.
            kinds: see :class:`~interactive_envs.holdem.batch.engine.Tables`.
            totals: of raises, the seat's chips on this street.
        """
        tables, actor = self.tables, self.tables.actor[rows]
        bet, most = tables.bets[rows, actor], tables.bets[rows, actor] + tables.stacks[rows, actor]
        highest = tables.bets[rows].max(axis=1)
        raised, folded = kinds == RAISE, kinds == FOLD
        to = np.where(raised, totals, np.where(folded, bet, np.minimum(highest, most)))
        passes = np.where(to > bet, _CALLS, _CHECKS)
        act = np.where(raised, np.where(highest > 0, _RAISES, _BETS), np.where(folded, _FOLDS, passes))
        self._note(rows, actor, act, to, ~folded & (to == most))
        tables.act(kinds, totals, rows)
        over = rows[tables.actor[rows] < 0]
        if len(over):
            self._deal(self._finish(over))
        self._turn(rows)

    def moves(self, rows: Ints, actions: Ints) -> tuple[Ints, Ints]:
        """Kinds and totals of numeric actions, as of the last :meth:`look`."""
        return np.minimum(actions, RAISE), self._totals[rows, actions]

    def _turn(self, rows: Ints) -> None:
        actor = self.tables.actor[rows]
        self.seat[rows] = np.where(actor < 0, OVER, (actor + 1 + self._button[rows]) % self.seats)

    def _deal(self, rows: Ints) -> None:
        """Begin the next hand; one in which nobody can act is played out at once."""
        while len(rows):
            seat_at = self._seat_at[self._button[rows]]
            chips = self._starting[rows[:, None], seat_at]
            self.tables.deal(self._decks[rows, self.hand[rows]].astype(np.int64), chips, rows)
            self._table_chips[rows] = chips.sum(axis=1)
            self._log[rows], self._all_in[rows], self.noted[rows] = 0, False, 0
            self._note_forced(rows, chips)
            rows = self._finish(rows[self.tables.actor[rows] < 0])

    def _note_forced(self, rows: Ints, chips: Ints) -> None:
        """Antes of the places in turn, then the blinds, of all who have chips for them."""
        acts, places = self._forced
        ante = acts == _ANTE
        left = chips[:, places] - np.where(ante, 0, np.minimum(self.tables.antes, chips)[:, places])
        posts = left > 0
        to = np.minimum(np.where(ante, self.tables.antes[places], self.tables.blinds[places]), left)
        match, which = np.nonzero(posts)
        lines, all_in = (posts.cumsum(axis=1) - 1)[match, which], (to == left)[match, which]
        self._write(rows[match], places[which], acts[which], to[match, which], all_in, 0, lines)
        self.noted[rows] = posts.sum(axis=1)

    def _finish(self, rows: Ints) -> Ints:
        """Note what was won; return the matches that go on, their button moved on."""
        place_of = self._place_of[self._button[rows]]
        self.won[rows] += self.tables.net[rows[:, None], place_of]
        self.hand[rows] += 1
        more = self.hand[rows] < self.game.match
        rows = rows[more]
        if self.game.carry:
            left = self.tables.stacks[rows[:, None], place_of[more]]
            self._starting[rows] = np.where(left > 0, left, self.game.stacks)
        self._button[rows] = (self._button[rows] + 1) % self.seats
        return rows

    def _note(self, rows: Ints, places: Ints, act: Ints, to: Ints, all_in: Flags) -> None:
        """Write an action of each of these matches; of more than an observation holds the first goes."""
        full = rows[self.noted[rows] >= numeric.MAX_ACTIONS]
        if len(full):
            self._log[full, :-1] = self._log[full, 1:]
            self._log[full, -1] = 0
        lines = np.minimum(self.noted[rows], numeric.MAX_ACTIONS - 1)
        self._write(rows, places, act, to, all_in, self.tables.street[rows], lines)
        self.noted[rows] += 1

    def _write(
        self, rows: Ints, places: Ints, act: Ints, to: Ints, all_in: Flags, street: Ints | int, lines: Ints
    ) -> None:
        """Write actions into lines of the observations."""
        marks, values = np.empty((len(rows), 5), np.int64), np.ones((len(rows), 5), np.float32)
        marks[:, 0] = (places + 1 + self._button[rows]) % self.seats
        marks[:, 1] = self.seats + street
        marks[:, 2], marks[:, 3:] = self.seats + 4 + act, (-2, -1)
        values[:, 3], values[:, 4] = to / self._table_chips[rows], all_in
        self._log[rows[:, None], lines[:, None], marks] = values
        self._all_in[rows, places] |= all_in

    # Looking.

    def look(self, rows: Ints, seats: Ints) -> None:
        """Write masks and observations: of each match as one of its seats sees it, which acts or sees the end."""
        tables, every, legal = self.tables, np.arange(len(rows)), self.tables.legal(rows)
        self._choose(rows, legal)
        over = self.seat[rows] == OVER
        button, chips = self._button[rows], self._table_chips[rows][:, None]
        place_of = self._place_of[button]
        alive, all_in, stacks, bets, paid, net = (
            array[rows[:, None], place_of]
            for array in (tables.alive, self._all_in, tables.stacks, tables.bets, tables.paid, tables.net)
        )
        street = np.where(over & (alive.sum(axis=1) > 1), RIVER, tables.street[rows])
        head = np.zeros((len(rows), self.observations.shape[1] - self._log[0].size), np.float32)
        head[every[:, None], tables.cards[rows, place_of[every, seats]]] = 1
        head[every[:, None], _SUITED + tables.board[rows]] = street[:, None] >= _SHOWN_FROM
        head[every, 4 * 52 + street] = 1

        count, at = self.seats, 4 * 53
        places = head[:, at : at + 10 * count].reshape(len(rows), count, 10)
        places[every, seats, 0] = places[every, button, 1] = 1
        places[every, self.seat[rows], 2] = ~over
        places[:, :, 3], places[:, :, 4], places[:, :, 5] = alive & ~all_in, ~alive, alive & all_in
        places[:, :, 6], places[:, :, 7] = stacks / chips, self._starting[rows] / chips
        earlier = self.won[rows] - net * over[:, None] if self.game.memory else np.zeros_like(net)
        won = earlier / chips
        places[:, :, 8], places[:, :, 9] = bets / chips, 0.5 + won / (1 + np.abs(won)) / 2

        at += 10 * count
        pots = head[:, at : at + count * (1 + count)].reshape(len(rows), count, 1 + count)
        self._pots(pots, np.flatnonzero(~over), alive, paid, bets, tables.dead[rows], chips)
        scalars, table = head[:, at + count * (1 + count) :], self._table_chips[rows]
        call, least, most = legal.to_call, legal.min_to, legal.max_to
        scalars[:, 0], scalars[:, 1], scalars[:, 2], scalars[:, 3] = call / table, least / table, most / table, most > 0
        pot = paid.sum(axis=1) + bets.sum(axis=1) + tables.dead[rows]
        scalars[:, 4] = call / np.maximum(pot + call, 1)
        for place, posted in enumerate((self.game.big_blind, self.game.small_blind, self.game.ante)):
            scalars[:, 5 + place] = posted / (posted + table)
        scalars[:, 8], scalars[:, 9] = self.hand[rows] / self.game.match, over
        self.observations[rows, : head.shape[1]] = head

    def _choose(self, rows: Ints, legal: Legal) -> None:
        """What :func:`interactive_envs.holdem.numeric.choices` says."""
        tables, masks, totals = self.tables, self.masks, self._totals
        call, least, most = legal.to_call, legal.min_to, legal.max_to
        masks[rows, 0], masks[rows, 1], masks[rows, 2] = call > 0, self.seat[rows] != OVER, most > 0
        totals[rows, 2] = most
        bets = tables.bets[rows]
        highest, pot = bets.max(axis=1), tables.paid[rows].sum(axis=1) + tables.dead[rows] + bets.sum(axis=1) + call
        for place, size in enumerate(self.game.bet_sizes, start=numeric.FIXED_ACTIONS):
            to = np.maximum(least, highest + np.rint(size * pot).astype(np.int64))
            earlier = totals[rows, numeric.FIXED_ACTIONS : place] == to[:, None]
            masks[rows, place] = (to < most) & ~earlier.any(axis=1)
            totals[rows, place] = to

    def _pots(
        self,
        pots: NDArray[np.float32],
        rows: Ints,
        alive: Flags,
        paid: Ints,
        bets: Ints,
        dead: Ints,
        chips: Ints,
    ) -> None:
        """Chips of earlier streets and who can win them, the main pot first; ``rows`` count in all other arrays."""
        amount = paid.sum(axis=1) + dead
        one = ((paid == paid.max(axis=1, keepdims=True)) | ~alive).all(axis=1)[rows]
        whole = rows[one & (amount[rows] > 0)]
        pots[whole, 0, 0] = amount[whole] / chips[whole, 0]
        pots[whole, 0, 1:] = alive[whole]
        rows = rows[~one]
        if not len(rows):
            return
        alive, paid, bets = alive[rows], paid[rows], bets[rows]
        part, below = dead[rows], np.zeros(len(rows), np.int64)
        last, number = np.zeros_like(alive), np.full(len(rows), -1)
        amounts = np.zeros(paid.shape, np.int64)
        for level in np.sort(paid, axis=1).T:
            part = part + (paid >= level[:, None]).sum(axis=1) * (level - below)
            can_win = alive & (paid + bets >= level[:, None])
            number += ((can_win != last).any(axis=1) | (number < 0)) & (part > 0)
            has = np.flatnonzero(part > 0)
            amounts[has, number[has]] += part[has]
            pots[rows[has], number[has], 1:] = last[has] = can_win[has]
            part, below = np.zeros_like(part), level
        pots[rows, :, 0] = amounts / chips[rows]
