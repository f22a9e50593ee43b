"""How hold'em players play, counted from the hands they played, and winnings without the luck of the last cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands.equity import expected_winnings
from interactive_envs.holdem.view import STREETS, HandAction, HandResult, Pot

_CARDS_ON_BOARD = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}


@dataclass(frozen=True)
class PlayStatistics:
    """Counts over hands; add them up, over tables and seats too.

    Attributes:
        hands: hands dealt.
        entered: hands in which the player called, bet or raised before the flop; blinds and antes are not voluntary.
        raised: hands in which the player raised before the flop.
        folded: hands folded.
        aggressive: bets and raises on all streets.
        calls: calls on all streets.
        flops: hands in which the player had not folded when a flop came, all-in or not.
        showdowns: hands in which the player and another had not folded at the end.
        chips: chips won, negative if lost.
        big_blinds: the same in big blinds.
    """

    hands: int = 0
    entered: int = 0
    raised: int = 0
    folded: int = 0
    aggressive: int = 0
    calls: int = 0
    flops: int = 0
    showdowns: int = 0
    chips: float = 0.0
    big_blinds: float = 0.0

    def __add__(self, other: PlayStatistics) -> PlayStatistics:
        return PlayStatistics(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def vpip(self) -> float | None:
        """Hands voluntarily entered before the flop / hands dealt (Interactive Benchmarks v2, A.4)."""
        return _rate(self.entered, self.hands)

    @property
    def pfr(self) -> float | None:
        """Hands raised before the flop / hands dealt."""
        return _rate(self.raised, self.hands)

    @property
    def fold_rate(self) -> float | None:
        """Hands folded / hands dealt (Interactive Benchmarks v1, section 3.2.3)."""
        return _rate(self.folded, self.hands)

    @property
    def aggression(self) -> float | None:
        """Bets and raises a call, None without a call."""
        return _rate(self.aggressive, self.calls)

    @property
    def showdown_rate(self) -> float | None:
        """Showdowns / flops seen."""
        return _rate(self.showdowns, self.flops)

    @property
    def winnings(self) -> float | None:
        """Chips a hand."""
        return _rate(self.chips, self.hands)

    @property
    def bb_per_100(self) -> float | None:
        """Big blinds won in a hundred hands."""
        return _rate(100 * self.big_blinds, self.hands)


def hand_statistics(hand: HandResult, big_blind: int, net: Sequence[float] | None = None) -> tuple[PlayStatistics, ...]:
    """Count one hand, a seat each; a seat without an action, blinds and antes included, was not dealt in.

    Args:
        hand: the hand.
        big_blind: chips.
        net: winnings to count instead of the hand's own, such as :func:`all_in_adjusted`.
    """
    won = hand.net if net is None else net
    left = _contenders(hand)
    counted = []
    for seat in range(len(hand.net)):
        actions = [action for action in hand.actions if action.seat == seat]
        if not actions:
            counted.append(PlayStatistics())
            continue
        before = [action.act for action in actions if action.street == "preflop"]
        acts = [action.act for action in actions]
        raises = acts.count("bet") + acts.count("raise")
        counted.append(
            PlayStatistics(
                hands=1,
                entered=int(not {"call", "bet", "raise"}.isdisjoint(before)),
                raised=int(not {"bet", "raise"}.isdisjoint(before)),
                folded=int("fold" in acts),
                aggressive=raises,
                calls=acts.count("call"),
                flops=int(len(hand.board) >= 3 and "fold" not in before),
                showdowns=int(len(left) > 1 and seat in left),
                chips=won[seat],
                big_blinds=won[seat] / big_blind,
            )
        )
    return tuple(counted)


def read_hand(record: Mapping[str, Any]) -> tuple[HandResult, tuple[tuple[str, ...], ...]]:
    """A hand and its hole cards, a seat each, from what a finished episode's record says of it."""
    hand = HandResult(
        number=record["number"],
        button=record["button"],
        net=tuple(record["net"]),
        board=tuple(record["board"]),
        shown=tuple(map(tuple, record["shown"])),
        actions=tuple(HandAction(**action) for action in record["actions"]),
    )
    return hand, tuple(map(tuple, record["hole"]))


def all_in_street(hand: HandResult) -> str | None:
    """The street on which the betting ended with cards to come, None where it went to the river or one was left."""
    last = hand.actions[-1].street
    return last if len(_contenders(hand)) > 1 and last != "river" else None


def all_in_adjusted(
    hand: HandResult,
    holes: Sequence[Sequence[str]],
    *,
    rng: np.random.Generator | None = None,
    samples: int = 2_000,
) -> tuple[float, ...]:
    """What each seat won, with the luck of the board taken out where nobody could act any more.

    A hand whose betting ended before the river counts with its expectation over the boards that could follow, given
    all hole cards; any other hand as it was. Odd chips go where the rules send them, so this is unbiased: the mean
    over hands is that of the plain winnings. It needs the folded cards too, for who folded says what lies in the deck.

    Args:
        hand: the hand.
        holes: two cards for each seat that was dealt in, () for others.
        rng: draws boards before the flop; None counts all of them, half a second a hand.
        samples: boards to draw.

    Raises:
        ConfigError: the cards of a seat are missing.
    """
    street = all_in_street(hand)
    if street is None:
        return tuple(map(float, hand.net))
    missing = [action.seat for action in hand.actions if len(holes[action.seat]) != 2]
    if missing:
        raise ConfigError(f"seat {missing[0]} was dealt in and its hole cards are missing; give both")
    left = _contenders(hand)
    paid = contributions(hand)
    expected = expected_winnings(
        [hole if seat in left else () for seat, hole in enumerate(holes)],
        hand.board[: _CARDS_ON_BOARD[street]],
        pots_of(hand, left),
        first=(hand.button + 1) % len(holes),
        dead=[card for seat, hole in enumerate(holes) if seat not in left for card in hole],
        rng=rng,
        samples=samples,
    )
    return tuple(gained - chips for gained, chips in zip(expected.mean, paid, strict=True))


def contributions(hand: HandResult) -> tuple[int, ...]:
    """Chips each seat put in, antes and blinds included, a bet that nobody called not."""
    paid = [0] * len(hand.net)
    dead = _dead_ante(hand)
    for street in STREETS:
        bets = [0] * len(hand.net)
        for action in hand.actions:
            if action.street == street and action.act == "ante":
                paid[action.seat] += 0 if dead else action.to
            elif action.street == street:
                bets[action.seat] = max(bets[action.seat], action.to)
        paid = [before + bet for before, bet in zip(paid, bets, strict=True)]
    called = sorted(paid)[-2]
    return tuple(min(chips, called) + dead.get(seat, 0) for seat, chips in enumerate(paid))


def pots_of(hand: HandResult, contenders: Sequence[int]) -> tuple[Pot, ...]:
    """The chips of a hand in pots, main pot first; ``contenders`` are the seats that have not folded."""
    dead = _dead_ante(hand)
    paid = [chips - dead.get(seat, 0) for seat, chips in enumerate(contributions(hand))]
    return side_pots(paid, contenders, sum(dead.values()))


def _dead_ante(hand: HandResult) -> dict[int, int]:
    """The ante of a seat that alone posted one: it counts towards no bet."""
    antes = {action.seat: action.to for action in hand.actions if action.act == "ante"}
    return antes if len(antes) == 1 else {}


def side_pots(paid: Sequence[int], contenders: Sequence[int], dead: int = 0) -> tuple[Pot, ...]:
    """Chips in pots, main pot first.

    Args:
        paid: chips each seat put in.
        contenders: the seats that have not folded.
        dead: chips in the main pot that count towards nobody's bets.

    >>> side_pots([50, 200, 200, 20], [0, 1, 2])
    (Pot(amount=170, seats=(0, 1, 2)), Pot(amount=300, seats=(1, 2)))
    """
    pots, below = [], 0
    for level in sorted({paid[seat] for seat in contenders}):
        amount = sum(min(chips, level) - min(chips, below) for chips in paid) + dead
        dead = 0
        if level == max(paid[seat] for seat in contenders):
            amount += sum(max(chips - level, 0) for chips in paid)  # folded after having put in more
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in contenders if paid[seat] >= level)))
        below = level
    return tuple(pots)


def _contenders(hand: HandResult) -> list[int]:
    folded = {action.seat for action in hand.actions if action.act == "fold"}
    return sorted({action.seat for action in hand.actions} - folded)


def _rate(part: float, whole: float) -> float | None:
    return part / whole if whole else None
