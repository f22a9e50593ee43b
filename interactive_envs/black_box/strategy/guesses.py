"""What the reference player of strategies weighs: tables that fill as it plays, and rules that fit or do not."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.black_box.strategy.games import LONGEST, Game, Left, Move
from interactive_envs.black_box.strategy.plan import Opponent, Plan

DEPTH = 3
"""Moves back that any table goes by."""
_SAME = 0.85
"""The prior chance that a place of a table holds one move and not a draw."""
_SPREAD = 0.4
"""The prior weight of each move in a draw."""


@dataclass(frozen=True)
class Past:
    """What a rule may go by: the move's number from 0, and both sides' last three moves, the last one first."""

    number: int = 0
    mine: tuple[Move, ...] = ()
    theirs: tuple[Move, ...] = ()
    points: tuple[int, ...] = ()

    def then(self, mine: Move, theirs: Move, points: int) -> Past:
        """One move later."""
        return Past(
            self.number + 1,
            (mine, *self.mine)[:DEPTH],
            (theirs, *self.theirs)[:DEPTH],
            (points, *self.points)[:DEPTH],
        )


class Guess(ABC):
    """A kind of rule with its weight, the logarithm of its prior chance times that of what was seen."""

    weight: float

    @abstractmethod
    def start(self, length: int) -> None:
        """A game begins."""

    @abstractmethod
    def learn(self, past: Past, mine: Move, left: Left, could: Sequence[Move], length: int) -> None:
        """A move was made; the opponent made one of those that it could have made."""

    @abstractmethod
    def expected(self, past: Past, length: int) -> Move:
        """The opponent's likeliest next move."""

    @abstractmethod
    def against(self, past: Past, to_go: int) -> tuple[Plan[float], Any, int]:
        """A plan against it, the present state in it, and how far to look ahead."""

    def news(self, past: Past, mine: Move) -> float:
        """What is to be learnt in the place to which a move leads, 0 to 1."""
        return 0.0


class _Place:
    """One place of a table: what was seen in it, as a mixture of one certain move and a draw."""

    def __init__(self, moves: int) -> None:
        self.certain = set(range(moves))
        self.counts = [0.0] * moves
        self.seen = 0
        self.drawn = 0.0
        self.moves = moves

    def _parts(self) -> tuple[float, float]:
        """The logarithms of the chances of what was seen, with one certain move and with a draw."""
        certain = math.log(_SAME * len(self.certain) / self.moves) if self.certain else -math.inf
        return certain, math.log(1 - _SAME) + self.drawn

    def weight(self) -> float:
        certain, draw = self._parts()
        top = max(certain, draw)
        return top + math.log(math.exp(certain - top) + math.exp(draw - top))

    def learn(self, could: Sequence[int]) -> None:
        self.certain &= set(could)
        every = self.seen + _SPREAD * self.moves
        shares = [(self.counts[move] + _SPREAD) / every for move in could]
        self.drawn += math.log(sum(shares))
        for move, share in zip(could, shares, strict=True):
            self.counts[move] += share / sum(shares)
        self.seen += 1

    def chances(self) -> list[float]:
        certain = math.exp(self._parts()[0] - self.weight())
        every = self.seen + _SPREAD * self.moves
        one = certain / max(1, len(self.certain))
        return [
            one * (move in self.certain) + (1 - certain) * (count + _SPREAD) / every
            for move, count in enumerate(self.counts)
        ]


@dataclass(frozen=True)
class Shape:
    """What a table goes by.

    Attributes:
        cycle: the move's number, modulo this; 0 for not.
        first: without a cycle, the move's number up to this.
        mine: so many last moves of the player.
        lone: of these only the earliest.
        relative: this one moves the table's answers on around the circle, and is no part of the place.
        theirs: so many last moves of the opponent.
        points: the points of so many last moves.
        classes: pairs of a move of the player and its class, where only that counts.
        far: how far it is worth looking ahead.
    """

    cycle: int = 0
    first: int = 0
    mine: int = 0
    lone: bool = False
    relative: bool = False
    theirs: int = 0
    points: int = 0
    classes: tuple[tuple[Move, int], ...] = ()
    far: int = LONGEST


class Table(Guess, Opponent):
    """A rule that goes by a context: each has a place, which holds one move or a draw.

    Args:
        game: the game.
        prior: the logarithm of its prior weight.
        shape: what it goes by.
    """

    def __init__(self, game: Game, prior: float, shape: Shape) -> None:
        self.weight, self._game, self._shape = prior, game, shape
        self._classes: dict[Move, Any] = dict(shape.classes)
        self._places: dict[Hashable, _Place] = {}
        self._all = _Place(len(game.theirs))
        self._index = {move: place for place, move in enumerate(game.theirs)}
        self._plan: Plan[float] | None = None

    def start(self, length: int) -> None:
        """Nothing to do."""

    def learn(self, past: Past, mine: Move, left: Left, could: Sequence[Move], length: int) -> None:
        """Note it in its place."""
        if len(could) == len(self._index):  # nothing was shown
            return
        state = self._cut(past)
        where, frame, size = self._where(state), self._frame(state), len(self._index)
        place = self._places.get(where)
        if place is None:
            place = self._places[where] = _Place(size)
            self._plan = None
        before, likely = place.weight(), place.chances()
        place.learn([(self._index[move] - frame) % size for move in could])
        self._all.learn([self._index[move] for move in could])
        self.weight += place.weight() - before
        if max(abs(was - now) for was, now in zip(likely, place.chances(), strict=True)) > 0.05:
            self._plan = None

    def expected(self, past: Past, length: int) -> Move:
        """The likeliest move in its place."""
        return max(self.odds(self._cut(past)), key=lambda pair: pair[1])[0]

    def against(self, past: Past, to_go: int) -> tuple[Plan[float], Any, int]:
        """A plan that is made again when the table has changed."""
        self._plan = self._plan or Plan(self._game, self, float)
        return self._plan, self._cut(past), min(to_go, self._shape.far)

    def news(self, past: Past, mine: Move) -> float:
        """Less for a place that was often seen; the opponent makes the likeliest move."""
        state = self._cut(past)
        theirs = max(self.odds(state), key=lambda pair: pair[1])[0]
        place = self._places.get(self._where(self.after(state, self.notices(state, mine), theirs)))
        return 1 / (1 + place.seen) if place else 1.0

    def begin(self, length: int) -> Any:
        """Nothing played."""
        return self._cut(Past())

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """The moves in its place, in hundredths, without those that are nearly ruled out."""
        place, moves = self._places.get(self._where(state)), self._game.theirs
        frame = self._frame(state)
        if place is None:  # rather what was seen elsewhere than every move there is
            place, frame = self._all, 0
        found = [(moves[(at + frame) % len(moves)], round(100 * part)) for at, part in enumerate(place.chances())]
        found.sort(key=lambda pair: -pair[1])
        return tuple(pair for pair in found[:3] if pair[1] >= min(10, found[0][1]))

    def notices(self, state: Any, mine: Move) -> Hashable:
        """As much of the move as it goes by."""
        verb = brief(mine)
        their_move: Hashable = self._classes.get(verb, verb) if self._shape.mine else None
        return (their_move, verb if self._shape.points else None)

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """One move later."""
        shape = self._shape
        their_move, verb = noticed if isinstance(noticed, tuple) else (None, None)
        number, mine, others, points = state
        return (
            (number + 1) % shape.cycle if shape.cycle else min(number + 1, shape.first),
            (their_move, *mine)[: shape.mine],
            (theirs, *others)[: shape.theirs],
            (self._game.points(verb, theirs), *points)[: shape.points] if shape.points else (),
        )

    def describe(self) -> str:
        """What it goes by."""
        return str(self._shape)

    def _cut(self, past: Past) -> Any:
        shape = self._shape
        return (
            past.number % shape.cycle if shape.cycle else min(past.number, shape.first),
            tuple(self._classes.get(move, move) for move in past.mine[: shape.mine]),
            past.theirs[: shape.theirs],
            past.points[: shape.points],
        )

    def _where(self, state: Any) -> Hashable:
        shape = self._shape
        number, mine, theirs, points = state
        if shape.relative:
            mine, theirs = (), ()
        elif shape.lone:
            mine = mine[shape.mine - 1 :]
        return (number, mine, theirs, points)

    def _frame(self, state: Any) -> int:
        shape = self._shape
        if not shape.relative or state[0] < shape.first:
            return 0
        return self._index[(state[1] or state[2])[-1]]


class Rule(Guess):
    """A rule that is known in full, of any kind of opponent.

    Args:
        game: the game.
        prior: the logarithm of its prior weight.
        opponent: the rule.
    """

    def __init__(self, game: Game, prior: float, opponent: Opponent) -> None:
        self.weight, self._game, self._opponent = prior, game, opponent
        self._states: dict[Any, float] = {}
        self._plan = Plan(game, opponent, float)

    def start(self, length: int) -> None:
        """The first state, for sure."""
        self._states = {self._opponent.begin(length): 1.0}

    def learn(self, past: Past, mine: Move, left: Left, could: Sequence[Move], length: int) -> None:
        """Keep the states that agree."""
        later: dict[Any, float] = {}
        for state, chance in self._states.items():
            odds = self._opponent.odds(state)
            total = sum(weight for _, weight in odds)
            noticed = self._opponent.notices(state, mine)
            for theirs, weight in odds:
                if theirs in could:
                    then = self._opponent.after(state, noticed, theirs)
                    later[then] = later.get(then, 0.0) + chance * weight / total
        agrees = sum(later.values())
        self.weight = self.weight + math.log(agrees) if agrees else -math.inf
        self._states = {state: chance / agrees for state, chance in later.items()} if agrees else {}

    def expected(self, past: Past, length: int) -> Move:
        """The likeliest move in the likeliest state."""
        state = max(self._states, key=lambda state: self._states[state])
        return max(self._opponent.odds(state), key=lambda pair: pair[1])[0]

    def against(self, past: Past, to_go: int) -> tuple[Plan[float], Any, int]:
        """The likeliest state."""
        return self._plan, max(self._states, key=lambda state: self._states[state]), to_go


class ByLength(Guess):
    """One of some rules in games of each length, any of them equally likely.

    Args:
        game: the game.
        prior: the logarithm of its prior weight.
        opponents: the rules.
    """

    def __init__(self, game: Game, prior: float, opponents: Sequence[Opponent]) -> None:
        self.weight = self._prior = prior
        self._game, self._opponents = game, opponents
        self._rules: dict[int, list[Rule]] = {}
        self._length = 0

    def start(self, length: int) -> None:
        """The rules that are left for this length start again."""
        self._length = length
        if length not in self._rules:
            self._rules[length] = [Rule(self._game, 0.0, opponent) for opponent in self._opponents]
        for rule in self._rules[length]:
            rule.start(length)

    def learn(self, past: Past, mine: Move, left: Left, could: Sequence[Move], length: int) -> None:
        """Drop those that do not agree."""
        for rule in self._rules[length]:
            rule.learn(past, mine, left, could, length)
        self._rules[length] = [rule for rule in self._rules[length] if rule.weight > -math.inf]
        self.weight = self._prior
        for rules in self._rules.values():
            fit = sum(math.exp(rule.weight) for rule in rules)
            self.weight += math.log(fit / len(self._opponents)) if fit else -math.inf

    def expected(self, past: Past, length: int) -> Move:
        """The likeliest rule's."""
        return max(self._rules[length], key=lambda rule: rule.weight).expected(past, length)

    def against(self, past: Past, to_go: int) -> tuple[Plan[float], Any, int]:
        """The likeliest."""
        return max(self._rules[self._length], key=lambda rule: rule.weight).against(past, to_go)


def brief(mine: Move) -> Move:
    """What rules may go by: of a numbered move the verb."""
    return mine.split()[0] if isinstance(mine, str) else mine
