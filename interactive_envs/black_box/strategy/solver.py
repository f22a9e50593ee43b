"""The reference player of hidden strategies: weighs many kinds of rules by what it saw, and plays best against them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.black_box.base import Observations
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import Solver as BoxSolver
from interactive_envs.black_box.strategy.games import LONGEST, Cards, Duel, Game, Left, Move, of
from interactive_envs.black_box.strategy.guesses import ByLength, Guess, Past, Rule, Shape, Table, brief
from interactive_envs.black_box.strategy.opponents import Piles
from interactive_envs.black_box.strategy.plan import Opponent

_TRUSTED = 4
"""So many of the likeliest rules are played against at once."""


@dataclass(frozen=True)
class Volleys(Opponent):
    """Loads, then shoots until it has no bullets, over and over.

    Attributes:
        least: loads at least.
        most: and at most.
        heeds: whether it goes on from the least to the most until the player has shot.
        force: bullets a shot.
    """

    least: int
    most: int
    heeds: bool
    force: int

    def describe(self) -> str:
        """Never part of a message."""
        return str(self)

    def begin(self, length: int) -> Any:
        """Loading; loads made; whether the player shot."""
        return (True, 0, False)

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One move."""
        return (("load" if state[0] else f"shoot {min(self.force, state[1])}", 1),)

    def notices(self, state: Any, mine: Move) -> Hashable:
        """A shot while it loads."""
        return bool(self.heeds and state[0] and str(mine).startswith("shoot"))

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """Count."""
        loading, bullets, shot = state
        if not loading:
            bullets = max(0, bullets - self.force)
            return (not bullets, bullets, False)
        bullets, shot = bullets + 1, shot or bool(noticed)
        full = bullets >= self.most or (bullets >= self.least and (shot or not self.heeds))
        return (False, bullets, False) if full else (True, bullets, shot)


@dataclass(frozen=True)
class Outwards(Opponent):
    """Plays a card of the middle, then all on one side in order, then the other side.

    Attributes:
        upper: of two middle cards, begins with the higher.
        low: whether it goes down first after a card of the player that is not above its own.
        high: the same after one that is.
        back: each side from its far end.
    """

    upper: bool
    low: bool
    high: bool
    back: bool = False

    def describe(self) -> str:
        """Never part of a message."""
        return str(self)

    def begin(self, length: int) -> Any:
        """The number of cards; later the cards to come."""
        return length

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One card."""
        return ((((state + 1 + self.upper) // 2 if isinstance(state, int) else state[0]), 1),)

    def notices(self, state: Any, mine: Move) -> Hashable:
        """Whether it goes down."""
        if not isinstance(state, int):
            return None
        return self.low if int(mine) <= (state + 1 + self.upper) // 2 else self.high

    def after(self, state: Any, noticed: Hashable, theirs: Move) -> Any:
        """The cards to come."""
        if not isinstance(state, int):
            return state[1:]
        step = -1 if self.back else 1
        down, up = tuple(range(int(theirs) - 1, 0, -1))[::step], tuple(range(int(theirs) + 1, state + 1))[::step]
        return down + up if noticed else up + down


@dataclass(frozen=True)
class Sorted(Piles):
    """The same piles, each in ascending or descending order."""

    down: bool = False

    def odds(self, state: Any) -> tuple[tuple[Move, int], ...]:
        """One card."""
        return ((state[0][-1 if self.down else 0], 1),)


class Solver(BoxSolver):
    """Weighs rules by all games of a part that the player remembers.

    While exploring it makes the move about whose reply the rules differ most, in the test the one that is best against
    their mixture. The rules: tables by the place in a cycle of up to 8 moves, by the move's number, by up to three last
    moves of either side or both, by classes of the player's last move, by differences on the circle; volleys; piles of
    cards, shuffled or sorted; cards outwards from the middle. It goes on learning in a game that counts.
    """

    _public: Any = None
    _game: Game
    _guesses: list[Guess]
    _trial: int
    _heard: Observations
    _past: Past
    _left: Left

    def act(self, shown: BoxShown, turns_left: int) -> str:
        """Explore, or play best."""
        self._hear(shown)
        length, _, left = shown.seen
        legal = self._game.legal(left)
        mine = self._explore(legal) if shown.exploring else self._best(length, left, legal)
        return f"<move>{mine}</move>"

    def _hear(self, shown: BoxShown) -> None:
        if self._public != (shown.public, shown.partial):
            self._public = (shown.public, shown.partial)
            self._game = of(shown.public[0])
            self._trial = -1
        length, made, _ = shown.seen
        if self._trial != shown.trial_number or self._heard != shown.observations[: len(self._heard)]:
            # Another part, or a game that counts again: what came between is forgotten.
            self._trial, self._heard = shown.trial_number, ()
            self._guesses = list(_guesses(self._game, shown.partial))
            self._past = Past()
        for mine, (points, theirs, left, number) in shown.observations[len(self._heard) :]:
            if number == 1:
                self._begin(length)
            before = self._left
            could = [
                other
                for other in ((theirs,) if theirs is not None else self._game.theirs)
                if points in (None, self._game.points(mine, other)) and self._game.after(before, mine, other) == left
            ]
            if points is None:  # a game that counts: what was not shown is taken from the likeliest rule
                likely = max(self._guesses, key=lambda guess: guess.weight).expected(self._past, length)
                theirs = likely if likely in could else could[0]
                points = self._game.points(mine, theirs)
            for guess in self._guesses:
                guess.learn(self._past, mine, left, could, length)
            self._past = self._past.then(brief(mine), theirs or "", points)
            self._left = left
        self._heard = shown.observations
        if not made:
            self._begin(length)
            top = max(guess.weight for guess in self._guesses)
            self._guesses = [guess for guess in self._guesses if guess.weight > top - 60]

    def _begin(self, length: int) -> None:
        self._past, self._left = Past(), self._game.start(length)
        for guess in self._guesses:
            guess.start(length)

    def _trusted(self) -> list[tuple[Guess, float]]:
        likeliest = sorted(self._guesses, key=lambda guess: -guess.weight)[:_TRUSTED]
        shares = [math.exp(guess.weight - likeliest[0].weight) for guess in likeliest]
        return [(guess, share) for guess, share in zip(likeliest, shares, strict=True) if share > 0.02]

    def _explore(self, legal: Sequence[Move]) -> Move:
        """Any move, rather one that leads to where little is known; of numbers only the smallest."""
        choice = [move for move in legal if not isinstance(move, str) or " " not in move or move.endswith(" 1")]
        trusted = self._trusted()
        worth = [
            sum(share * guess.news(self._past, move) for guess, share in trusted) + 0.2 * float(self.random.random())
            for move in choice
        ]
        return choice[worth.index(max(worth))]

    def _best(self, length: int, left: Left, legal: Sequence[Move]) -> Move:
        """The move that is worth most on average over the likeliest rules."""
        to_go = length - self._past.number
        plans = [(guess.against(self._past, to_go), share) for guess, share in self._trusted()]
        worth = {}
        for mine in legal:
            worth[mine] = sum(share * exact.worth(far, state, left, mine) for (exact, state, far), share in plans)
        top = max(worth.values())
        # Of moves worth the same the cheapest.
        return min((move for move in legal if worth[move] > top - 1e-9), key=self._game.price)


def _guesses(game: Game, partial: bool) -> Iterator[Guess]:
    if isinstance(game, Cards):
        yield from _card_rules(game)
        return
    duel = isinstance(game, Duel)
    some, few = (LONGEST, 7) if duel else (3, 3)
    shapes = [(0.0 if size < 9 else -2.0, Shape(cycle=size)) for size in (1, 2, 3, 4, 5, 6, 7, 8, LONGEST)]
    shapes += [(-lag / 2, Shape(first=lag, mine=lag, lone=True, far=some)) for lag in (1, 2, 3)]
    shapes += [(-deep, Shape(mine=deep, far=few)) for deep in (2, 3)]
    if partial:
        shapes += [(-deep, Shape(mine=deep, points=deep, far=few)) for deep in (1, 2, 3)]
    else:
        shapes += [(-deep, Shape(theirs=deep, far=some)) for deep in (1, 2, 3)]
        shapes += [(-deep, Shape(mine=deep, theirs=deep, far=some if deep == 1 else few)) for deep in (1, 2, 3)]
        classings = list(_classings(game))
        for classes in classings:
            for deep in (1, 2, 3) if len(classings) < 9 else (1,):
                far = some if deep == 1 else few
                prior = -deep - math.log(len(classings))
                shapes.append((prior, Shape(mine=deep, theirs=deep, classes=classes, far=far)))
    if not duel:
        shapes += [(-2.0, Shape(first=lag, mine=lag, relative=True, far=some)) for lag in (1, 2, 3)]
        shapes += [] if partial else [(-2.0, Shape(first=1, theirs=1, relative=True, far=some))]
    for prior, shape in shapes:
        yield Table(game, prior, shape)
    if duel:
        for most, force, heeds in itertools.product(range(1, 10), (1, 2, 3), (True, False)):
            loads = [least for least in range(1, 9) if (least < most if heeds else least == most)]
            if loads:
                yield ByLength(game, -4.0, [Volleys(least, most, heeds, force) for least in loads])


def _card_rules(game: Game) -> Iterator[Guess]:
    for piles in range(1, 5):
        orders = list(itertools.permutations(range(piles)))
        for order in orders:
            yield Rule(game, -math.log(len(orders)), Piles(order))
            yield Rule(game, -1 - math.log(len(orders)), Sorted(order))
            yield Rule(game, -1 - math.log(len(orders)), Sorted(order, down=True))
    for upper, low, high, back in itertools.product((False, True), repeat=4):
        yield Rule(game, -2.0, Outwards(upper, low, high, back))


def _classings(game: Game) -> Iterator[tuple[tuple[Move, int], ...]]:
    """All ways to tell the player's moves apart in two classes."""
    moves = sorted({brief(move) for move in game.menu}, key=str)
    for bits in range(1, 1 << (len(moves) - 1)):
        yield tuple((move, bits >> place & 1) for place, move in enumerate(moves))
