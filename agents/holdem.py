"""Rule players for hold'em: the papers' baselines, and a tight-aggressive player that reckons with odds."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.holdem.batch.draws import SMALL, below, halves
from interactive_envs.holdem.batch.engine import FOLD, PASS, RAISE, Ints
from interactive_envs.holdem.batch.seat import BatchPlayer, Spots
from interactive_envs.holdem.hands.equity import equity_against, starting_hand, starting_hand_ranks
from interactive_envs.holdem.view import HoldemView

_OPENING = 0.25
"""Share of hands that others are taken to raise first in with five opponents left."""


class HoldemAgent(Agent, ABC):
    """A player that looks at its View alone."""

    family = "holdem"
    reads_text = False

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Keep the seed: what a player draws depends on it and on the View, not on what it drew before."""
        self._seed = int(np.random.default_rng().integers(2**32)) if seed is None else seed

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Choose for the View."""
        return self.choose(info["view"])

    @abstractmethod
    def choose(self, view: HoldemView) -> str:
        """A legal action."""

    def draws(self, view: HoldemView) -> np.random.Generator:
        """Random numbers for this decision."""
        return self.stream(self._seed, view.hand, len(view.actions))

    def stream(self, seed: int, hand: int, actions: int) -> np.random.Generator:
        """Random numbers for the decision after so many actions of a hand."""
        # Another stream than the environment's; no two seats act after equally many actions of a hand.
        return np.random.default_rng([seed, self.key, hand, actions])

    @cached_property
    def key(self) -> int:
        """What makes its random numbers others than those of other kinds of players."""
        return zlib.crc32(self.name.encode())


class AllIn(HoldemAgent, BatchPlayer):
    """Moves all-in whenever it can act (Interactive Benchmarks v2, A.4)."""

    name = "all-in"

    def choose(self, view: HoldemView) -> str:
        """All-in; where others' all-ins leave nothing to raise, a call."""
        return "all-in" if view.max_raise_to is not None else _stay(view)

    def choose_all(self, spots: Spots) -> tuple[Ints, Ints]:
        """The same at many tables."""
        most = spots.legal.max_to
        return np.where(most > 0, RAISE, PASS), most


class Fold(HoldemAgent, BatchPlayer):
    """Folds to every bet (Interactive Benchmarks v2, A.4: "whenever folding is available") and checks where it is free.

    A free check costs nothing and folding there is not among the game's choices.
    """

    name = "fold"

    def choose(self, view: HoldemView) -> str:
        """Fold or check."""
        return _give_up(view)

    def choose_all(self, spots: Spots) -> tuple[Ints, Ints]:
        """The same at many tables."""
        call = spots.legal.to_call
        return np.where(call > 0, FOLD, PASS), np.zeros_like(call)


class CallStation(HoldemAgent, BatchPlayer):
    """Calls everything and never bets."""

    name = "call-station"

    def choose(self, view: HoldemView) -> str:
        """Call or check."""
        return _stay(view)

    def choose_all(self, spots: Spots) -> tuple[Ints, Ints]:
        """The same at many tables."""
        return np.full(len(spots), PASS), np.zeros(len(spots), np.int64)


class RandomPlayer(HoldemAgent, BatchPlayer):
    """Folds to a bet, stays in or raises with equal chances, and raises to any legal size with equal chances."""

    name = "random"

    def choose(self, view: HoldemView) -> str:
        """Draw a kind of action, then a size."""
        random = self.draws(view)
        kinds = ["fold"] * (view.to_call > 0) + ["stay"] + ["raise"] * (view.max_raise_to is not None)
        match kinds[int(random.integers(len(kinds)))]:
            case "raise" if view.min_raise_to is not None and view.max_raise_to is not None:
                return f"raise to {random.integers(view.min_raise_to, view.max_raise_to, endpoint=True)}"
            case "fold":
                return "fold"
            case _:
                return _stay(view)

    def choose_all(self, spots: Spots) -> tuple[Ints, Ints]:
        """The same at many tables, with the numbers that a stream of each table's own would give."""
        legal = spots.legal
        call, may_raise = legal.to_call > 0, legal.max_to > 0
        first, second = halves(spots.bits(self.key))
        drawn, sure = below(first, 1 + call + may_raise)
        kinds = np.where(call, drawn, drawn + 1)
        more, known = below(second, legal.max_to - legal.min_to + 1)
        raised = kinds == RAISE
        totals = np.where(raised, legal.min_to + more, 0)
        doubtful = np.flatnonzero(~(sure & (known | ~raised)) | (spots.seeds < SMALL))
        for spot in doubtful.tolist():
            random = self.stream(*(int(array[spot]) for array in (spots.seeds, spots.hands, spots.actions)))
            kinds[spot] = int(random.integers(1 + call[spot] + may_raise[spot])) + (not call[spot])
            raised = kinds[spot] == RAISE
            totals[spot] = random.integers(legal.min_to[spot], legal.max_to[spot], endpoint=True) if raised else 0
        return kinds, totals


class Habit(HoldemAgent):
    """Has one habit that others can learn at showdowns: on the river it bets big with bad hands alone, or good ones.

    Before that it never raises, and calls what is cheap or where it has a good hand. On the river, where nobody has bet
    before it, it bets three times the pot with the worst third of its hands (``bluffs``) or with the best third
    (``honest``), and checks with the others. Its actions look the same either way.

    Args:
        kind: ``bluffs`` or ``honest``; None draws one for each match.
    """

    name = "habit"
    kinds = ("bluffs", "honest")

    def __init__(self, *, kind: str | None = None) -> None:
        if kind is not None and kind not in self.kinds:
            raise UnknownNameError("kind", kind, self.kinds)
        self._given = kind

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Draw the habit of this match."""
        super().reset(seed=seed, info=info)
        drawn = np.random.default_rng([self._seed, zlib.crc32(b"habit")]).integers(2)
        self.kind = self._given or self.kinds[drawn]

    def describe(self) -> dict[str, Any]:
        """Name and parameter."""
        return {"name": self.name, "kind": self._given}

    def choose(self, view: HoldemView) -> str:
        """Bet by habit on the river, else stay in as long as that is cheap."""
        share = hand_share(view.hole, view.board)
        if view.street == "river" and not max(view.bets) and view.max_raise_to is not None:
            betting = share < 1 / 3 if self.kind == "bluffs" else share > 2 / 3
            return _bet(view, 3 * view.pot) if betting else "check"
        cheap = view.to_call <= 3 * view.big_blind and view.street == "preflop"
        return _stay(view) if cheap or share > max(0.5, _odds(view)) else _give_up(view)


class Reader(HoldemAgent):
    """Learns at showdowns with what hands each opponent bets, and calls by what it has learnt.

    It knows its share of the pot against any two cards, s. Of an opponent who bets it counts the hands that this
    opponent showed after a bet of its own: with n of them, k of them below its own hand, its share against a bet is
    (2 s + k) / (2 + n). It calls where that beats the pot odds (Interactive Benchmarks v1, eq. B.1), and bets two
    thirds of the pot with good hands. Where players remember nothing (``memory=False``) n is 0, and it is the same
    player without a model of its opponents.
    """

    name = "reader"

    def choose(self, view: HoldemView) -> str:
        """Weigh the hand against the price."""
        share = hand_share(view.hole, view.board)
        bettor = next((act.seat for act in reversed(view.actions) if act.act in {"bet", "raise"}), None)
        opponents = sum(status != "folded" for status in view.statuses) - 1
        if not view.to_call or bettor is None or view.street == "preflop":
            if view.street != "preflop" and share**opponents > 0.6 and not max(view.bets):
                return _bet(view, 2 * view.pot // 3)
            return _stay(view) if share**opponents >= (_odds(view) if view.to_call else 0) else _give_up(view)
        bets = self._bets(view, bettor)
        learnt = (2 * share + sum(bet < share for bet in bets)) / (2 + len(bets))
        return "call" if learnt * share ** (opponents - 1) >= _odds(view) else "fold"

    def _bets(self, view: HoldemView, seat: int) -> list[float]:
        """How good the hands were that the seat bet with after the flop and showed, each at its last bet."""
        found = []
        for hand in view.past:
            streets = [a.street for a in hand.actions if a.seat == seat and a.act in {"bet", "raise"}]
            if hand.shown[seat] and streets and streets[-1] != "preflop":
                found.append(hand_share(hand.shown[seat], hand.board[: _CARDS_ON_BOARD[streets[-1]]]))
        return found


_CARDS_ON_BOARD = {"flop": 3, "turn": 4, "river": 5}


@lru_cache(maxsize=4096)
def hand_share(hole: tuple[str, ...], board: tuple[str, ...]) -> float:
    """The share of the pot against any two cards, 0 to 1; the same for everybody who asks."""
    seed = zlib.crc32(" ".join((*hole, *board)).encode())
    return equity_against(hole, board, (1.0,), np.random.default_rng(seed), 400)[0]


def _bet(view: HoldemView, chips: int) -> str:
    """A bet of so many chips, as far as the rules and the stack allow."""
    if view.min_raise_to is None or view.max_raise_to is None:
        return _stay(view)
    return f"raise to {min(max(chips, view.min_raise_to), view.max_raise_to)}"


class TightAggressive(HoldemAgent):
    """Plays few hands, raises with them, and pays what pot odds and Monte Carlo equity allow.

    Before a raise it raises the best hands and folds the rest. After one, and on later streets, it estimates its share
    of the pot against the hands that the others' actions before the flop speak for, raises where that is well above a
    fair share, calls where it beats the pot odds (Interactive Benchmarks v1, eq. B.1) by a margin, and else folds.

    Args:
        looseness: share of hands it raises first in with five opponents left; with fewer it plays more. A looser
            player also asks for less above the pot odds.
        aggression: 0 to 1: the lower the share of the pot it raises with, and the bigger its raises.
        bluff: chance of a bet with nothing where everybody checked and at most two opponents are left.
        samples: Monte Carlo samples an estimate.
    """

    name = "tag"

    def __init__(
        self, *, looseness: float = 0.2, aggression: float = 0.5, bluff: float = 0.1, samples: int = 200
    ) -> None:
        for what, value in (("looseness", looseness), ("aggression", aggression), ("bluff", bluff)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ConfigError(f"{what} must be a number from 0 to 1, got {value!r}")
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
            raise ConfigError(f"samples must be a whole number of at least 1, got {samples!r}")
        self._looseness = looseness
        self._aggression = aggression
        self._bluff = bluff
        self._samples = samples

    def describe(self) -> dict[str, Any]:
        """Name and parameters."""
        return {
            "name": self.name,
            "looseness": self._looseness,
            "aggression": self._aggression,
            "bluff": self._bluff,
            "samples": self._samples,
        }

    def choose(self, view: HoldemView) -> str:
        """Open, or weigh equity against the price."""
        raises = sum(action.act in {"bet", "raise"} for action in view.actions if action.street == view.street)
        if view.street == "preflop" and not raises:
            opponents = sum(status != "folded" for status in view.statuses) - 1
            worth = starting_hand_ranks()[starting_hand(view.hole)] < self._looseness ** (opponents / 5)
            return self._raise(view) if worth else _give_up(view)
        random = self.draws(view)
        reaches = _reaches(view)
        share = self._share(view, reaches, random)
        fair = 1 / (len(reaches) + 1)
        # Each raise so far asks for a better hand to raise again.
        strong = fair + (1 - fair) * (0.4 - 0.3 * self._aggression)
        if share >= 1 - (1 - strong) * 0.75**raises:
            return self._raise(view)
        if view.to_call:
            # A bet on a later street says more than the ranges know, a big one most; before the flop more may follow.
            risk = view.to_call / view.stacks[view.seat]
            caution = 0.15 * (1 - risk) if view.street == "preflop" else 0.1 + 0.2 * risk
            margin = caution * (1 - self._looseness)
            return "call" if share >= _odds(view) + margin else "fold"
        return self._raise(view) if len(reaches) <= 2 and random.random() < self._bluff else "check"

    def _share(self, view: HoldemView, reaches: list[float], random: np.random.Generator) -> float:
        if view.street == "preflop":
            return _preflop_share(starting_hand(view.hole), tuple(sorted(reaches)))
        return equity_against(view.hole, view.board, reaches, random, self._samples)[0]

    def _raise(self, view: HoldemView) -> str:
        """Raise by a share of the pot, or put everything in where little would be left."""
        if view.min_raise_to is None or view.max_raise_to is None:
            return _stay(view)
        bet = max(view.bets)
        to = bet + round((0.5 + 0.5 * self._aggression) * (view.pot + view.to_call))
        if to > 0.6 * view.max_raise_to:
            return "all-in"
        return f"raise to {max(to, view.min_raise_to)}"


def _stay(view: HoldemView) -> str:
    return "call" if view.to_call else "check"


def _give_up(view: HoldemView) -> str:
    return "fold" if view.to_call else "check"


def _odds(view: HoldemView) -> float:
    """Pot odds (eq. B.1) on the chips the seat can win: of a bet beyond its own stack the rest goes back."""
    most = view.bets[view.seat] + view.stacks[view.seat]
    pot = sum(pot.amount for pot in view.pots) + sum(min(bet, most) for bet in view.bets)
    return view.to_call / (pot + view.to_call)


def _reaches(view: HoldemView) -> list[float]:
    """Share of starting hands that each opponent's actions before the flop speak for.

    Before the flop only of those who have put chips in by choice: the others will mostly fold.
    """
    reaches, raises, left = [1.0] * view.seats, 0, view.seats
    for action in view.actions:
        if action.street != "preflop":
            break
        left -= action.act == "fold"
        if action.act in {"bet", "raise"}:
            reaches[action.seat] = _OPENING ** ((left - 1) / 5) * 0.3**raises
            raises += 1
        elif action.act == "call":
            # Whoever would have raised with the best hands need not have: the range keeps them and reaches further.
            called = min(1.0, 2 * _OPENING ** ((left - 1) / 5) * 0.5**raises)
            reaches[action.seat] = min(reaches[action.seat], called)
    return [
        reach
        for seat, (reach, status) in enumerate(zip(reaches, view.statuses, strict=True))
        if seat != view.seat and (status == "all-in" or (status == "in" and (reach < 1 or view.street != "preflop")))
    ]


@lru_cache(maxsize=4096)
def _preflop_share(kind: str, reaches: tuple[float, ...]) -> float:
    """Share of the pot before the flop; the same for everybody who asks, in whatever order."""
    hole = (f"{kind[0]}c", f"{kind[1]}{'c' if kind[2:] == 's' else 'd'}")
    return equity_against(hole, (), reaches, np.random.default_rng(zlib.crc32(kind.encode())), 1_000)[0]
