"""Opponents as automata, and the exact value of playing against one: what a score is measured against."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, Generic, TypeVar

from interactive_envs.black_box.strategy.games import Game, Left, Move

Number = TypeVar("Number", float, Fraction)


class Opponent(ABC):
    """A rule for moves. Its state follows from both sides' moves; only the moves themselves may be drawn.

    Subclasses are frozen dataclasses, states are hashable.
    """

    @abstractmethod
    def describe(self) -> str:
        """The rule in words, shown after the end."""

    @abstractmethod
    def begin(self, length: int) -> Any:
        """The state at the beginning of a game of so many moves."""

    @abstractmethod
    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """The moves it may make next, each with its weight, a positive whole number."""

    def notices(self, state: Any, mine: Move) -> Hashable:
        """What of the player's move its next state depends on."""
        return None

    @abstractmethod
    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The next state, given what it noticed and its own move."""


class Plan(Generic[Number]):
    """What the rest of a game is worth to a player who knows the opponent's rule, but not the draws to come.

    Dynamic programming over (moves to go, opponent's state, what the player has left), exact but for rounding; with
    ``Fraction`` exact. Of moves that score alike against all that may come and are noticed alike only the one of the
    lowest price is looked at: it leaves no less.

    Args:
        number: ``float`` or ``Fraction``.
    """

    def __init__(self, game: Game, opponent: Opponent, number: Callable[[int], Number]) -> None:
        self._game = game
        self._opponent = opponent
        self._number: Callable[[int], Number] = number
        self._values: dict[Any, Number] = {}

    def value(self, to_go: int, state: Any, left: Left) -> Number:
        """The expected points of the best play."""
        if not to_go:
            return self._number(0)
        key = (to_go, state, left)
        if key not in self._values:
            odds = self._opponent.odds(state)
            self._values[key] = max(self._worth(to_go, state, left, mine, odds) for mine in self._choice(state, left))
        return self._values[key]

    def worth(self, to_go: int, state: Any, left: Left, mine: Move) -> Number:
        """The expected points of a move and the best play after it."""
        return self._worth(to_go, state, left, mine, self._opponent.odds(state))

    def best(self, to_go: int, state: Any, left: Left) -> Move:
        """A best move."""
        return max(self._choice(state, left), key=lambda mine: self.worth(to_go, state, left, mine))

    def _worth(self, to_go: int, state: Any, left: Left, mine: Move, odds: tuple[tuple[Move, int], ...]) -> Number:
        game, opponent = self._game, self._opponent
        noticed = opponent.notices(state, mine)
        total: Number = self._number(0)
        for theirs, weight in odds:
            later = opponent.after(state, noticed, theirs), game.after(left, mine, theirs)
            total += self._number(weight) * (self._number(game.points(mine, theirs)) + self.value(to_go - 1, *later))
        return total / self._number(sum(weight for _, weight in odds))

    def _choice(self, state: Any, left: Left) -> list[Move]:
        game: Game = self._game
        opponent: Opponent = self._opponent
        cheapest: dict[Any, Move] = {}
        theirs: list[Move] = [move for move, _ in opponent.odds(state)]
        mine: Move
        for mine in game.sensible(left):
            points: list[int] = [game.points(mine, other) for other in theirs]
            kind = (opponent.notices(state, mine), *points)
            if kind not in cheapest or game.price(mine) < game.price(cheapest[kind]):
                cheapest[kind] = mine
        return list(cheapest.values())


@functools.lru_cache(maxsize=256)
def plan(game: Game, opponent: Opponent) -> Plan[float]:
    """The plan against an opponent, made once; it serves all lengths."""
    return Plan(game, opponent, float)


def optimum(game: Game, opponent: Opponent, length: int) -> Fraction:
    """The exact expected points of the best play in a game of so many moves."""
    return Plan(game, opponent, Fraction).value(length, opponent.begin(length), game.start(length))
