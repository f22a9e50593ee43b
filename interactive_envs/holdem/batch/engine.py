"""No-limit hold'em in lockstep: many tables, each at a hand of its own, played by arrays of actions.

The rules are those of :class:`interactive_envs.holdem.rules.HoldemGame`, which plays on PokerKit: side pots, odd chips
to the first winner left of the button, uncalled chips returned, antes of all seats or of the big blind alone, and a
short all-in that does not reopen the betting to who has acted. Tests hold both against each other, chip by chip, and
against OpenSpiel's universal_poker.

Everything is counted by *place*: 0 is the seat to the left of the button, the last one the button. In a hand of two the
button posts the small blind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands.equity import strengths
from interactive_envs.holdem.hands.evaluator import DECK

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

FOLD, PASS, RAISE = 0, 1, 2
"""Kinds of actions: pass is a check or a call, raise a bet or a raise."""
RIVER = 3
_BOARD = (1, 2, 3, 5, 7)
"""Where the board's cards lie in the deck, counted from the end of the hole cards: each street burns a card first."""


@dataclass(frozen=True)
class Legal:
    """What the seat to act may do at each table; zeros where nobody is to act.

    Attributes:
        to_call: chips that a call costs, a number a table.
        min_to: the least total of this street that a bet or raise may have; 0 where none is allowed.
        max_to: the greatest, all its chips; 0 where none is allowed.
    """

    to_call: Ints
    min_to: Ints
    max_to: Ints


class Tables:
    """Some tables, each with one hand.

    Args:
        count: of tables.
        players: seats at each, 2 to 10.
        small_blind: chips.
        big_blind: chips, at least the small blind.
        ante: chips.
        ante_by_all: whether every seat posts the ante; otherwise the big blind alone does, and it is dead money.

    Attributes:
        blinds: chips of each place, shape (players,).
        antes: chips of each place, shape (players,).
        actor: the place to act, -1 where the hand is over, shape (tables,).
        street: 0 to 3 for preflop to river, shape (tables,).
        stacks: chips behind, shape (tables, players).
        bets: chips of this street, the same shape.
        paid: chips of earlier streets in the pot, antes of all included, those of the big blind alone not.
        dead: the big blind's ante, shape (tables,).
        alive: who has not folded, shape (tables, players).
        net: chips won, meaningful where the hand is over, shape (tables, players).
        cards: hole cards as places in ``DECK``, shape (tables, players, 2).
        board: its five cards, dealt or not, shape (tables, 5).

    Raises:
        ConfigError: a number cannot work.
    """

    def __init__(
        self,
        count: int,
        *,
        players: int = 6,
        small_blind: int = 50,
        big_blind: int = 100,
        ante: int = 0,
        ante_by_all: bool = True,
    ) -> None:
        if not (2 <= players <= 10 and count >= 1 and 0 < small_blind <= big_blind and ante >= 0):
            given = f"count={count}, players={players}, small_blind={small_blind}, big_blind={big_blind}, ante={ante}"
            raise ConfigError(f"2 to 10 players, at least one table, and blinds of at least a chip are needed: {given}")
        self.count, self.players, self.big_blind = count, players, big_blind
        blinds = np.zeros(players, np.int64)
        blinds[:2] = (big_blind, small_blind) if players == 2 else (small_blind, big_blind)
        self.blinds = blinds
        self.antes = np.full(players, ante, np.int64)
        if not ante_by_all:
            self.antes[np.arange(players) != (0 if players == 2 else 1)] = 0
        self._trimmed = ante_by_all
        shape = (count, players)
        self.stacks, self.bets, self.paid, self.net = (np.zeros(shape, np.int64) for _ in range(4))
        self.alive, self._pending, self._acted = (np.zeros(shape, np.bool_) for _ in range(3))
        self.dead, self.street, self._full, self._short = (np.zeros(count, np.int64) for _ in range(4))
        self.actor = np.full(count, -1, np.int64)
        self.cards, self.board = np.zeros((*shape, 2), np.int64), np.zeros((count, 5), np.int64)
        self._starting = np.zeros(shape, np.int64)
        self._every = np.arange(count)
        self._later = (np.arange(players) - np.arange(players)[:, None] - 1) % players
        """For each place, how many act after it before each place does."""

    # Dealing.

    def deal(self, decks: Ints, stacks: Ints, which: Ints | None = None) -> None:
        """Begin hands: antes, blinds, hole cards. A hand in which nobody can act is played out at once.

        Args:
            decks: cards in the order of dealing, see ``HoldemGame``; at least ``2 * players + 8`` of each deck.
            stacks: chips by place, shape (hands, players) or (players,).
            which: the tables; all by default.

        Raises:
            ConfigError: a seat has no chips.
        """
        rows = self._every if which is None else which
        if not len(rows):
            return
        chips = np.broadcast_to(np.asarray(stacks, np.int64), (len(rows), self.players))
        if chips.min() < 1:
            raise ConfigError(f"every seat needs a chip, got stacks of {int(chips.min())}")
        seats = self.players
        self._starting[rows] = chips
        self.cards[rows] = np.stack([decks[:, :seats], decks[:, seats : 2 * seats]], axis=-1)
        self.board[rows] = decks[:, [2 * seats + place for place in _BOARD]]
        self.alive[rows], self.street[rows] = True, 0
        antes = np.minimum(self.antes, chips)
        left = chips - antes
        kept = antes
        if not self.antes.any():
            self.paid[rows], self.dead[rows] = 0, 0
        elif self._trimmed:
            kept = np.minimum(antes, np.partition(antes, -2, axis=1)[:, -2:-1])
            self.paid[rows], self.dead[rows] = kept, 0
        else:
            self.paid[rows], self.dead[rows] = 0, antes.sum(axis=1)
        posted = np.minimum(self.blinds, left)
        self.bets[rows] = posted
        self.stacks[rows] = chips - kept - posted
        ranked = (posted * (self.blinds > 0)) * seats + np.arange(seats)  # the last of the highest
        self._begin_street(rows, (ranked.argmax(axis=1) + 1) % seats)

    # Acting.

    def legal(self, which: Ints | None = None) -> Legal:
        """What may be done now.

        Args:
            which: the tables; all by default.
        """
        rows = self._every if which is None else which
        there = self.actor[rows] >= 0
        actor, bets, full = np.maximum(self.actor[rows], 0), self.bets[rows], self._full[rows]
        highest = bets.max(axis=1)
        bet, stack = self.bets[rows, actor], self.stacks[rows, actor]
        behind = np.minimum(highest - bet, stack)
        total, short = self.stacks[rows] + bets, self._short[rows]
        rivals = ((total > highest[:, None]) & self.alive[rows]).sum(axis=1) - (bet + stack > highest)
        may = (
            there
            & (behind >= full)
            & ~((short > 0) & (short < full) & self._acted[rows, actor])
            & (stack > highest - bet)
            & (rivals > 0)
        )
        least = np.minimum(bet + stack, highest + np.maximum(full, self.big_blind))
        return Legal(behind * there, least * may, (bet + stack) * may)

    def act(self, kinds: Ints, totals: Ints, which: Ints | None = None) -> None:
        """Play an action at each table where somebody is to act; nothing is checked, see :meth:`legal`.

        Args:
            kinds: :data:`FOLD`, :data:`PASS` or :data:`RAISE`, one a table.
            totals: of raises, the seat's chips on this street, one a table.
            which: the tables; all by default.
        """
        rows = self._every if which is None else which
        there = self.actor[rows] >= 0
        if not there.all():
            rows, kinds, totals = rows[there], kinds[there], totals[there]
        if not len(rows):
            return
        kind, actor = kinds, self.actor[rows]
        highest = self.bets[rows].max(axis=1)
        bet, stack = self.bets[rows, actor], self.stacks[rows, actor]
        self._pending[rows, actor] = False
        self._acted[rows, actor] = True
        folded = kind == FOLD
        self.alive[rows[folded], actor[folded]] = False
        raised = kind == RAISE
        to = np.where(raised, totals, np.where(folded, bet, np.minimum(highest, bet + stack)))
        self.bets[rows, actor] = to
        self.stacks[rows, actor] = stack + bet - to
        if raised.any():
            self._after_raise(rows[raised], actor[raised], (to - highest)[raised])
        self._go_on(rows, actor)

    def _after_raise(self, rows: Ints, actor: Ints, by: Ints) -> None:
        """Who must answer a raise, and who may raise again: a full one opens the betting to all."""
        pending = self.alive[rows] & (self.stacks[rows] > 0)
        pending[np.arange(len(rows)), actor] = False
        self._pending[rows] = pending
        full = by >= self._full[rows]
        opened = rows[full]
        self._acted[opened] = False
        self._acted[opened, actor[full]] = True
        self._full[rows] = np.maximum(self._full[rows], by)
        # Short all-ins in a row: together they may make a full raise.
        short = np.where(self.stacks[rows, actor] > 0, 0, self._short[rows] + by)
        self._short[rows] = np.where(short >= self._full[rows], 0, short)

    def _go_on(self, rows: Ints, actor: Ints) -> None:
        """The next to act, or the next street, or the end."""
        waiting = self._pending[rows]
        done = ~waiting.any(axis=1) | (self.alive[rows].sum(axis=1) <= 1)
        self.actor[rows] = np.where(done, -1, self._next(waiting, actor))
        self._end_street(rows[done])

    def _next(self, waiting: Flags, after: Ints) -> Ints:
        """The first place after these that is waiting, any where none is."""
        places: Ints = np.where(waiting, self._later[after], self.players).argmin(axis=1)
        return places

    def _begin_street(self, rows: Ints, opener: Ints) -> None:
        """Who is to act on a street; where nobody can, it ends at once."""
        alive, bets, stacks = self.alive[rows], self.bets[rows], self.stacks[rows]
        totals = np.where(alive, bets + stacks, -1)
        second = np.partition(totals, -2, axis=1)[:, -2:-1]
        pending = alive & (stacks > 0) & (second > bets)
        self._pending[rows] = pending
        self._acted[rows] = False
        self._full[rows] = self._short[rows] = 0
        first = self._next(pending, (opener - 1) % self.players)
        count = pending.sum(axis=1)
        done = (count == 0) | ((count == 1) & (bets[np.arange(len(rows)), first] >= bets.max(axis=1)))
        self.actor[rows] = np.where(done, -1, first)
        self._end_street(rows[done])

    def _end_street(self, rows: Ints) -> None:
        """Collect the bets; then the next street, or the showdown, or the pot to the only one left."""
        if not len(rows):
            return
        bets = self.bets[rows]
        called = np.minimum(bets, np.partition(bets, -2, axis=1)[:, -2:-1])
        self.stacks[rows] += bets - called
        self.paid[rows] += called
        self.bets[rows] = 0
        alive = self.alive[rows]
        left = alive.sum(axis=1)
        able = (alive & (self.stacks[rows] > 0)).sum(axis=1)
        alone = left == 1
        shown = ~alone & ((self.street[rows] == RIVER) | (able <= 1))
        self._pay_last(rows[alone])
        self._show_down(rows[shown])
        more = rows[~alone & ~shown]
        if len(more):
            self.street[more] += 1
            self._begin_street(more, np.zeros(len(more), np.int64))

    # Paying.

    def _pay_last(self, rows: Ints) -> None:
        winner = self.alive[rows].argmax(axis=1)
        self.stacks[rows, winner] += self.paid[rows].sum(axis=1) + self.dead[rows]
        self._close(rows)

    def _show_down(self, rows: Ints) -> None:
        if not len(rows):
            return
        alive, paid = self.alive[rows], self.paid[rows]
        value = np.full(alive.shape, -1)
        table, place = np.nonzero(alive)
        hands = np.concatenate([self.board[rows[table]], self.cards[rows[table], place]], axis=1)
        value[table, place] = strengths(hands)
        won = np.zeros(alive.shape, np.int64)
        # Where all that are left have paid the same there is one pot, whatever the others have paid.
        one = ((paid == paid.max(axis=1, keepdims=True)) | ~alive).all(axis=1)
        self._pay_pot(won, value, np.where(one, paid.sum(axis=1) + self.dead[rows], 0), alive)
        if not one.all():
            won[~one] = self._of_side_pots(rows[~one], alive[~one], value[~one])
        self.stacks[rows] += won
        self._close(rows)

    def _of_side_pots(self, rows: Ints, alive: Flags, value: Ints) -> Ints:
        """What each place wins where not all could win the same."""
        # Who wins nothing mucks; pots that the same seats can win are then one, which decides where odd chips go.
        winners = np.zeros(alive.shape, np.bool_)
        for amount, eligible in self._levels(rows, alive):
            best = np.where(eligible, value, -1)
            winners |= eligible & (best == best.max(axis=1, keepdims=True)) & (amount > 0)[:, None]
        won = np.zeros(alive.shape, np.int64)
        pot = np.zeros(len(rows), np.int64)
        of_pot = np.zeros(alive.shape, np.bool_)
        for amount, eligible in self._levels(rows, winners):
            new = (eligible != of_pot).any(axis=1) & (amount > 0)
            self._pay_pot(won, value, np.where(new, pot, 0), of_pot)
            pot = np.where(new, amount, pot + amount)
            of_pot = np.where(new[:, None], eligible, of_pot)
        self._pay_pot(won, value, pot, of_pot)
        return won

    def _levels(self, rows: Ints, alive: Flags) -> Iterator[tuple[Ints, Flags]]:
        """The chips between two contributions and who can win them, from the smallest contribution up."""
        paid, amount, level = self.paid[rows], self.dead[rows], np.zeros(len(rows), np.int64)
        for contribution in np.sort(paid, axis=1).T:
            reached = paid >= contribution[:, None]
            yield amount + reached.sum(axis=1) * (contribution - level), alive & reached
            amount, level = np.zeros(len(rows), np.int64), contribution

    @staticmethod
    def _pay_pot(won: Ints, value: Ints, pot: Ints, of_pot: Flags) -> None:
        """Split pots among the best hands; odd chips go to the first place."""
        if not pot.any():
            return
        best = np.where(of_pot, value, -1)
        winners = of_pot & (best == best.max(axis=1, keepdims=True))
        share, odd = np.divmod(pot, np.maximum(winners.sum(axis=1), 1))
        won += winners * share[:, None]
        won[np.arange(len(pot)), winners.argmax(axis=1)] += odd

    def _close(self, rows: Ints) -> None:
        self.net[rows] = self.stacks[rows] - self._starting[rows]
        self.paid[rows] = 0
        self.dead[rows] = 0
        self.actor[rows] = -1


def shuffled(rng: np.random.Generator, count: int, players: int) -> Ints:
    """Decks as far as a hand of so many players needs them, shape (count, 2 * players + 8)."""
    whole = np.broadcast_to(np.arange(len(DECK)), (count, len(DECK)))
    return rng.permuted(whole, axis=1)[:, : 2 * players + 8]


def random_actions(rng: np.random.Generator, legal: Legal) -> tuple[Ints, Any]:
    """Legal actions drawn at random: fold, pass and raise alike, the raise's total uniformly."""
    count = len(legal.to_call)
    kinds = rng.integers(0, 3, count)
    kinds = np.where((kinds == FOLD) & (legal.to_call == 0), PASS, kinds)
    kinds = np.where((kinds == RAISE) & (legal.max_to == 0), PASS, kinds)
    totals = rng.integers(legal.min_to, legal.max_to + 1)
    return kinds, totals
