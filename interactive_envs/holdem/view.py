"""What one seat of a hold'em table may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from interactive_envs.view import View

Street: TypeAlias = Literal["preflop", "flop", "turn", "river"]
STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
Status: TypeAlias = Literal["in", "folded", "all-in"]
Act: TypeAlias = Literal["ante", "small blind", "big blind", "fold", "check", "call", "bet", "raise"]
FORCED = ("ante", "small blind", "big blind")
"""Acts that are no choice."""


@dataclass(frozen=True)
class HandAction:
    """One action of a hand.

    Attributes:
        street: when.
        seat: who.
        act: what; ``bet`` is the first bet of a street, ``raise`` a higher one.
        to: the seat's chips on this street after it (for an ante: the ante).
        all_in: whether it took the seat's last chip.
    """

    street: Street
    seat: int
    act: Act
    to: int
    all_in: bool = False


@dataclass(frozen=True)
class Pot:
    """Chips of finished streets that the same seats can win, antes included."""

    amount: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class HandResult:
    """A finished hand, as everybody at the table saw it.

    Attributes:
        number: which hand of the episode, from 0.
        button: its button seat.
        net: chips each seat won or lost.
        board: the community cards that were dealt.
        shown: the hole cards each seat showed, () where it did not.
        actions: all actions, blinds and antes first.
    """

    number: int
    button: int
    net: tuple[int, ...]
    board: tuple[str, ...]
    shown: tuple[tuple[str, ...], ...]
    actions: tuple[HandAction, ...]


@dataclass(frozen=True)
class HoldemView(View):
    """All that one seat may know. Chips are whole numbers; cards are like ``Ah``, ``Td``, ``2c``.

    Attributes:
        seat: whose view it is.
        seats: how many sit at the table.
        hand: which hand of the episode is played, from 0; after the end the last one.
        hands: hands in the episode.
        small_blind: chips.
        big_blind: chips.
        ante: chips.
        ante_by: who posts it, ``all`` or ``big-blind``.
        carry: whether seats keep their chips from hand to hand.
        memory: whether seats know the earlier hands of the episode.
        button: the button's seat.
        positions: a name a seat, e.g. ``BTN``, ``SB``, ``BB``, ``UTG``, ``CO``.
        street: where the hand is.
        hole: the seat's own cards.
        board: community cards.
        stacks: chips behind, a seat each.
        starting_stacks: chips at the beginning of the hand, before antes and blinds.
        bets: chips put in on this street, a seat each.
        statuses: a seat each.
        pots: what lies in the middle from earlier streets, main pot first.
        to_move: the seat that acts, None after the end.
        to_call: chips this seat must add to stay in, at most its stack; 0 when it is not its turn or checking is free.
        min_raise_to: the smallest legal bet or raise, as this seat's total for the street; None where none is legal.
        max_raise_to: the largest one.
        actions: all actions of this hand, blinds and antes first.
        past: finished hands of the episode; without memory none of them but, after the end, the last.
        over: whether the episode is over; the last hand is then in ``past`` too.
        buy_in: chips each seat began the episode with, and gets again when it has none left (or after every hand).
    """

    seat: int
    seats: int
    hand: int
    hands: int
    small_blind: int
    big_blind: int
    ante: int
    ante_by: str
    carry: bool
    memory: bool
    button: int
    positions: tuple[str, ...]
    street: Street
    hole: tuple[str, ...]
    board: tuple[str, ...]
    stacks: tuple[int, ...]
    starting_stacks: tuple[int, ...]
    bets: tuple[int, ...]
    statuses: tuple[Status, ...]
    pots: tuple[Pot, ...]
    to_move: int | None
    to_call: int
    min_raise_to: int | None
    max_raise_to: int | None
    actions: tuple[HandAction, ...]
    past: tuple[HandResult, ...]
    over: bool
    buy_in: tuple[int, ...] = ()

    @property
    def pot(self) -> int:
        """Every chip in the middle, bets of this street included."""
        return sum(pot.amount for pot in self.pots) + sum(self.bets)

    @property
    def pot_odds(self) -> float:
        """Share of the final pot that a call costs: to_call / (pot + to_call) (Interactive Benchmarks v1, eq. B.1)."""
        return self.to_call / (self.pot + self.to_call) if self.to_call else 0.0

    @property
    def has_acted(self) -> bool:
        """Whether the seat has made a choice in this hand."""
        return _has_acted(self.actions, self.seat)

    @property
    def news(self) -> tuple[HandResult, ...]:
        """The finished hands whose end the seat has not read yet: those that ended after its last choice."""
        if self.has_acted and not self.over:
            return ()
        # The seat read of all hands that were over when it made its last choice.
        told = next((hand.number for hand in reversed(self.past) if _has_acted(hand.actions, self.seat)), 0)
        return tuple(hand for hand in self.past if hand.number >= told)


def _has_acted(actions: Sequence[HandAction], seat: int) -> bool:
    return any(action.seat == seat and action.act not in FORCED for action in actions)
