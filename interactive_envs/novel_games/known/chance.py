"""Games of dice, cards and secret choices. Where both choose at once, First's choice comes first and stays secret."""

from __future__ import annotations

import itertools
import random
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from interactive_envs.novel_games.known.pieces import Board, Square
from interactive_envs.novel_games.known.position import Moves, Position, known


class Drawn(Position):
    """Something is drawn or secret."""

    chance = True

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng


@known("Pig", target=range(15, 101, 5), sides=(4, 6, 8, 10), holds_at_zero=(True, False))
class Pig(Drawn):
    """Roll or hold; a one loses the points of the turn."""

    def __init__(self, target: int, sides: int, holds_at_zero: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.target, self.sides, self.holds_at_zero, self.points, self.pot = target, sides, holds_at_zero, [0, 0], 0

    def legal(self) -> Moves:
        """Roll or hold."""
        return ["roll", "hold"] if self.pot or self.holds_at_zero else ["roll"]

    def play(self, move: str) -> None:
        """Roll or hold."""
        if move == "roll":
            rolled = self.rng.randint(1, self.sides)
            self.pot += rolled
            if rolled > 1:
                return
        else:
            self.points[self.seat] += self.pot
        self.pot = 0
        if self.points[self.seat] >= self.target:
            self.win(self.seat)
        self.turn()


@known(
    "a Blackjack duel",
    target=(15, 17, 21, 24, 31),
    highest=(6, 8, 10, 11),
    dealt=(0, 1, 2),
    in_turn=(False, True),
    most=(0, 5),
)
class Blackjack(Drawn):
    """Draw or stand; nearer to the target wins."""

    def __init__(self, target: int, highest: int, dealt: int, in_turn: bool, most: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.target, self.highest, self.in_turn, self.most = target, highest, in_turn, most
        self.totals = [sum(self.rng.randint(1, highest) for _ in range(dealt)) for _ in range(2)]
        self.drawn, self.stands = [0, 0], [False, False]

    def legal(self) -> Moves:
        """Draw or stand."""
        return ["draw", "stand"]

    def play(self, move: str) -> None:
        """Draw or stand."""
        if move == "draw":
            self.totals[self.seat] += self.rng.randint(1, self.highest)
            self.drawn[self.seat] += 1
            if self.totals[self.seat] > self.target:
                self.win(1 - self.seat)
                return
            self.stands[self.seat] = self.drawn[self.seat] == self.most
        else:
            self.stands[self.seat] = True
        if all(self.stands):
            self.count(*self.totals)
        elif self.stands[self.seat] or (self.in_turn and not self.stands[1 - self.seat]):
            self.turn()


def _fleet(ships: Sequence[int], side: int, rng: Any) -> frozenset[Square]:
    taken: set[Square] = set()
    for ship in ships:
        while True:
            upright, along, across = rng.random() < 0.5, rng.randint(0, side - ship), rng.randint(0, side - 1)
            squares = {(along + step, across) if upright else (across, along + step) for step in range(ship)}
            if taken.isdisjoint(squares):
                taken |= squares
                break
    return frozenset(taken)


@known(
    "Battleship",
    side=range(3, 9),
    ships=(
        (1,),
        (2,),
        (3,),
        (1, 1),
        (2, 1),
        (2, 2),
        (3, 2),
        (3, 2, 1),
        (3, 2, 2),
        (2, 1, 1),
        (4, 3, 2),
        (3, 3, 2),
        (4, 3, 2, 1),
        (4, 3, 3, 2),
        (2, 2, 1),
    ),
    again=(False, True),
    where=lambda side, ships, again: ships[0] <= side and sum(ships) * 2 <= side**2,
)
class Battleship(Drawn):
    """Shoot at the other's fleet, which is placed at random."""

    def __init__(self, side: int, ships: Sequence[int], again: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.fleets = tuple(_fleet(ships, side, self.rng) for _ in range(2))
        sea = [*itertools.product(range(side), repeat=2)]
        self.unknown, self.again = [sea, sea], again

    def legal(self) -> Moves:
        """Squares not shot at."""
        return [*self.unknown[self.seat]]

    def play(self, move: Square) -> None:
        """Shoot."""
        self.unknown[self.seat] = [square for square in self.unknown[self.seat] if square != move]
        fleet = self.fleets[1 - self.seat]
        if fleet.isdisjoint(self.unknown[self.seat]):
            self.win(self.seat)
        elif not (self.again and move in fleet):
            self.turn()


class AtOnce(Drawn):
    """Both choose, then the round is decided."""

    at_once = True

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.chosen: list[Any] = []

    def play(self, move: Any) -> None:
        """Choose."""
        self.chosen.append(move)
        self.turn()
        if len(self.chosen) == 2:
            one, other = self.chosen
            self.chosen = []
            self.decide(one, other)

    @abstractmethod
    def decide(self, first: Any, second: Any) -> None:
        """What the round does."""


@known("rock paper scissors", to=range(1, 11), most=(0, 3, 5, 7, 9, 11), signs=(3, 5))
class RockPaperScissors(AtOnce):
    """Each of an odd number of signs beats the half behind it."""

    def __init__(self, to: int, most: int, signs: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.to, self.most, self.signs, self.points, self.rounds = to, most, signs, [0, 0], 0

    def legal(self) -> Moves:
        """The signs."""
        return [*range(self.signs)]

    def decide(self, first: int, second: int) -> None:
        """A point for who beats the other; so many points win, or most after so many rounds."""
        self.rounds += 1
        behind = (first - second) % self.signs
        if behind:
            self.points[behind > self.signs // 2] += 1
        if self.to in self.points:
            self.win(self.points.index(self.to))
        elif self.rounds == self.most:
            self.count(*self.points)


@known("odds and evens (matching pennies, morra)", to=range(1, 11), fingers=(2, 3, 4, 5))
class OddsAndEvens(AtOnce):
    """An even sum is First's point."""

    def __init__(self, to: int, fingers: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.to, self.fingers, self.points = to, fingers, [0, 0]

    def legal(self) -> Moves:
        """How many fingers."""
        return [*range(self.fingers)]

    def decide(self, first: int, second: int) -> None:
        """A point each round."""
        winner = (first + second) % 2
        self.points[winner] += 1
        if self.points[winner] == self.to:
            self.win(winner)


@known("Goofspiel", cards=range(3, 14), shuffled=(True, False), kept=(False, True), last=(True, False))
class Goofspiel(AtOnce):
    """Bid cards for prizes; a prize that is tied for is lost, or waits for the next round where ``kept``.

    Without ``last`` the last cards are played by themselves.
    """

    def __init__(self, cards: int, shuffled: bool, kept: bool, last: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.hands = [[*range(1, cards + 1)], [*range(1, cards + 1)]]
        self.prizes, self.kept, self.last, self.waiting, self.points = [*range(1, cards + 1)], kept, last, 0, [0, 0]
        if shuffled:
            self.rng.shuffle(self.prizes)

    def legal(self) -> Moves:
        """Cards in hand."""
        return [*self.hands[self.seat]]

    def decide(self, first: int, second: int) -> None:
        """The higher card takes the prize."""
        self.hands = [
            [card for card in hand if card != bid] for hand, bid in zip(self.hands, (first, second), strict=True)
        ]
        prize = self.prizes.pop() + self.waiting
        self.waiting = prize if self.kept and first == second else 0
        if first != second:
            self.points[first < second] += prize
        if not self.prizes:
            self.count(*self.points)
        elif len(self.prizes) == 1 and not self.last:
            self.decide(self.hands[0][0], self.hands[1][0])


@known("Kuhn poker", cards=range(3, 11))
class Kuhn(Drawn):
    """A card each; pass or bet."""

    def __init__(self, cards: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.cards = self.rng.sample(range(cards), 2)
        self.said = ""

    def legal(self) -> Moves:
        """Pass or bet."""
        return ["p", "b"]

    def play(self, move: str) -> None:
        """Pass or bet."""
        self.said += move
        if self.said in ("pp", "bb", "pbb"):
            self.win(int(self.cards[1] > self.cards[0]))
        elif self.said in ("bp", "pbp"):
            self.win(1 - self.seat)
        else:
            self.turn()


@known("Leduc poker", ranks=range(3, 8), raises=(1, 2, 3))
class Leduc(Drawn):
    """A card each, one on the table, two rounds of bets."""

    def __init__(self, ranks: int, raises: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.cards = [card // 2 for card in self.rng.sample(range(2 * ranks), 3)]
        self.raises, self.raised, self.said, self.round = raises, 0, 0, 0

    def legal(self) -> Moves:
        """Fold, call or check, raise."""
        return [*(["fold"] if self.raised else []), "call", *(["raise"] if self.raised < self.raises else [])]

    def play(self, move: str) -> None:
        """Bet."""
        if move == "fold":
            self.win(1 - self.seat)
            return
        self.said += 1
        self.raised += move == "raise"
        if move == "raise" or self.said == 1:
            self.turn()
        elif self.round == 0:
            self.round, self.said, self.raised, self.seat = 1, 0, 0, 0
        else:
            self.count(*(100 * (card == self.cards[2]) + card for card in self.cards[:2]))


@known("liar's dice", dice=range(1, 5), sides=(3, 4, 5, 6), wild=(False, True))
class LiarsDice(Drawn):
    """Bid higher, or call the last bid a lie."""

    def __init__(self, dice: int, sides: int, wild: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.dice = [self.rng.randint(1, sides) for _ in range(2 * dice)]
        self.sides, self.wild, self.bid = sides, wild, -1

    def legal(self) -> Moves:
        """Higher bids, as numbers of quantity and face; -1 for a call."""
        higher = [*range(self.bid + 1, len(self.dice) * self.sides)]
        return [*higher, -1] if self.bid >= 0 else higher

    def play(self, move: int) -> None:
        """Bid or call."""
        if move >= 0:
            self.bid = move
            self.turn()
            return
        many, face = self.bid // self.sides + 1, self.bid % self.sides + 1
        counted = sum(die == face or (self.wild and die == self.sides) for die in self.dice)
        self.win(1 - self.seat if counted >= many else self.seat)


@known(
    "Colonel Blotto",
    soldiers=range(3, 13),
    fields=(2, 3, 4),
    ordered=(False, True),
    where=lambda soldiers, fields, ordered: soldiers >= fields,
)
class Blotto(AtOnce):
    """More soldiers win a field, more fields the game."""

    def __init__(self, soldiers: int, fields: int, ordered: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.choices = tuple(
            choice
            for choice in itertools.product(range(soldiers + 1), repeat=fields)
            if sum(choice) == soldiers and (not ordered or choice == tuple(sorted(choice)))
        )

    def legal(self) -> Moves:
        """The ways to share them out."""
        return [*self.choices]

    def decide(self, first: Sequence[int], second: Sequence[int]) -> None:
        """Count the fields."""
        pairs = [*zip(first, second, strict=True)]
        self.count(sum(one > other for one, other in pairs), sum(one < other for one, other in pairs))


@known("the repeated prisoner's dilemma", rounds=range(1, 31))
class PrisonersDilemma(AtOnce):
    """The higher total wins."""

    pays: ClassVar = {("c", "c"): (3, 3), ("c", "d"): (0, 5), ("d", "c"): (5, 0), ("d", "d"): (1, 1)}

    def __init__(self, rounds: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.rounds, self.points = rounds, [0, 0]

    def legal(self) -> Moves:
        """Cooperate or defect."""
        return ["c", "d"]

    def decide(self, first: str, second: str) -> None:
        """Pay."""
        self.points = [total + paid for total, paid in zip(self.points, self.pays[first, second], strict=True)]
        self.rounds -= 1
        if not self.rounds:
            self.count(*self.points)


@known("Undercut", highest=range(3, 11), target=range(10, 51, 5))
class Undercut(AtOnce):
    """A number one less than the other's takes both."""

    def __init__(self, highest: int, target: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.highest, self.target, self.points = highest, target, [0, 0]

    def legal(self) -> Moves:
        """A number."""
        return [*range(1, self.highest + 1)]

    def decide(self, first: int, second: int) -> None:
        """Score."""
        both = first + second
        scored = {1: (0, both), -1: (both, 0)}.get(first - second, (first, second))
        self.points = [total + more for total, more in zip(self.points, scored, strict=True)]
        if max(self.points) >= self.target and self.points[0] != self.points[1]:
            self.count(*self.points)


@known("a bidding tug of war", coins=range(4, 31), steps=range(2, 6))
class TugOfWar(AtOnce):
    """Both pay what they bid; the higher bid pulls."""

    def __init__(self, coins: int, steps: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.coins, self.steps, self.mark = [coins, coins], steps, 0

    def legal(self) -> Moves:
        """A bid."""
        return [*range(self.coins[self.seat] + 1)]

    def decide(self, first: int, second: int) -> None:
        """Pay and pull."""
        self.coins = [self.coins[0] - first, self.coins[1] - second]
        self.mark += (first > second) - (first < second)
        if abs(self.mark) == self.steps or self.coins == [0, 0]:
            self.count(self.mark, 0)


@known("Memory (Concentration)", pairs=range(3, 19), again=(True, False))
class Memory(Drawn):
    """Turn up two cards; a pair is kept."""

    def __init__(self, pairs: int, again: bool, rng: random.Random) -> None:
        super().__init__(rng)
        self.cards = [*range(pairs)] * 2
        self.rng.shuffle(self.cards)
        self.down, self.up, self.again, self.points = [*range(2 * pairs)], -1, again, [0, 0]

    def legal(self) -> Moves:
        """Cards that lie face down."""
        return [card for card in self.down if card != self.up]

    def play(self, move: int) -> None:
        """Turn one up."""
        if self.up < 0:
            self.up = move
            return
        pair = self.cards[move] == self.cards[self.up]
        if pair:
            self.points[self.seat] += 1
            self.down = [card for card in self.down if card not in (move, self.up)]
        self.up = -1
        if not self.down:
            self.count(*self.points)
        elif not (pair and self.again):
            self.turn()


@known(
    "bulls and cows (Mastermind)",
    places=(2, 3, 4),
    digits=range(3, 10),
    repeated=(False, True),
    where=lambda places, digits, repeated: digits**places <= 1000 and (repeated or digits > places),
)
class BullsAndCows(Drawn):
    """Guess the other's secret first."""

    def __init__(self, places: int, digits: int, repeated: bool, rng: random.Random) -> None:
        super().__init__(rng)
        codes = itertools.product(range(digits), repeat=places)
        self.codes = [code for code in codes if repeated or len({*code}) == places]
        self.secrets = [self.rng.choice(self.codes) for _ in range(2)]

    def legal(self) -> Moves:
        """Every code."""
        return self.codes

    def play(self, move: tuple[int, ...]) -> None:
        """Guess."""
        if move == self.secrets[1 - self.seat]:
            self.win(self.seat)
        self.turn()


@known("Shut the Box", tiles=range(5, 13), dice=(1, 2), sides=(4, 6))
class ShutTheBox(Drawn):
    """Shut tiles that add to the roll; the lower rest wins."""

    def __init__(self, tiles: int, dice: int, sides: int, rng: random.Random) -> None:
        super().__init__(rng)
        self.dice, self.sides, self.tiles = dice, sides, range(1, tiles + 1)
        self.open, self.rest = [*self.tiles], [0, 0]
        self.choices: Moves = []
        self._roll()

    def _roll(self) -> None:
        """The next roll that fits; where none does a box is done."""
        rolled = sum(self.rng.randint(1, self.sides) for _ in range(self.dice))
        many = range(1, len(self.open) + 1)
        self.choices = [
            tiles for size in many for tiles in itertools.combinations(self.open, size) if sum(tiles) == rolled
        ]
        if self.choices:
            return
        self.rest[self.seat] = sum(self.open)
        if self.seat:
            self.count(-self.rest[0], -self.rest[1])
        else:
            self.seat, self.open = 1, [*self.tiles]
            self._roll()

    def legal(self) -> Moves:
        """Sets of tiles."""
        return self.choices

    def play(self, move: tuple[int, ...]) -> None:
        """Shut."""
        self.open = [tile for tile in self.open if tile not in move]
        self._roll()


@known("EinStein würfelt nicht", side=(4, 5, 6), rank=(2, 3))
class Einstein(Board):
    """A die says which stone moves."""

    chance = True

    def __init__(self, side: int, rank: int, rng: random.Random) -> None:
        super().__init__(side, side)
        self.rng = rng
        corner = [square for square in itertools.product(range(rank), repeat=2) if sum(square) < rank]
        self.stones = len(corner)
        self.number: dict[Square, int] = {}
        for seat in (0, 1):
            numbers = self.rng.sample(range(self.stones), self.stones)
            for (row, column), number in zip(corner, numbers, strict=True):
                square = (side - 1 - row, side - 1 - column) if seat else (row, column)
                self.at[square], self.number[square] = seat, number
        self.rolled = self.rng.randrange(self.stones)

    def legal(self) -> Moves:
        """From and to."""
        own = sorted((self.number[square], square) for square in self.own())
        lower = [one for one in own if one[0] <= self.rolled][-1:]
        higher = [one for one in own if one[0] >= self.rolled][:1]
        exact = [one for one in lower if one[0] == self.rolled]
        way = -1 if self.seat else 1
        steps = ((0, way), (way, 0), (way, way))
        return [
            (square, to)
            for _, square in exact or lower + higher
            for step in steps
            if self.on(to := (square[0] + step[0], square[1] + step[1]))
        ]

    def play(self, move: tuple[Square, Square]) -> None:
        """Move; what stands there is gone."""
        source, to = move
        self.at.pop(to, None)
        self.at[to] = self.at.pop(source)
        self.number[to] = self.number.pop(source)
        self.turn()
        self.rolled = self.rng.randrange(self.stones)
        goal = (0, 0) if self.seat == 0 else (self.rows - 1, self.columns - 1)
        if to == goal or not self.own():
            self.win(1 - self.seat)
