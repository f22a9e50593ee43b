"""Heaps, strips and pieces that are taken, cut or moved until nobody can move (Berlekamp, Conway and Guy 1982)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from interactive_envs.novel_games.known.position import LastMover, Moves, Position, known

_HEAPS = [heaps for many in range(1, 6) for heaps in itertools.combinations_with_replacement(range(1, 10), many)]
_TAKES = [tuple(range(1, most + 1)) for most in range(2, 13)] + [(1, 3, 4), (1, 2, 4), (1, 3, 5), (2, 3, 5), (1, 4, 5)]


@known("Nim", heaps=_HEAPS, misere=(False, True))
class Nim(LastMover):
    """Take any number from one heap."""

    def __init__(self, heaps: Sequence[int], misere: bool) -> None:
        super().__init__()
        self.heaps, self.misere = [*heaps], misere

    def legal(self) -> Moves:
        """Heap and number taken."""
        return [(place, take) for place, size in enumerate(self.heaps) for take in range(1, size + 1)]

    def make(self, move: tuple[int, int]) -> None:
        """Take."""
        self.heaps[move[0]] -= move[1]


@known("the subtraction game (race to a number)", heap=range(6, 101), takes=_TAKES, misere=(False, True))
class Subtraction(LastMover):
    """Take one of some numbers from a single heap."""

    def __init__(self, heap: int, takes: Sequence[int], misere: bool) -> None:
        super().__init__()
        self.heap, self.takes, self.misere = heap, tuple(takes), misere

    def legal(self) -> Moves:
        """Number taken."""
        return [take for take in self.takes if take <= self.heap]

    def make(self, move: int) -> None:
        """Take."""
        self.heap -= move


@known("Wythoff's game", one=range(2, 32), other=range(2, 32), where=lambda one, other: one <= other)
class Wythoff(LastMover):
    """Take from one heap, or as many from both."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__()
        self.heaps = [one, other]

    def legal(self) -> Moves:
        """What is taken from each."""
        one, other = self.heaps
        both = [(take, take) for take in range(1, min(one, other) + 1)]
        return both + [(take, 0) for take in range(1, one + 1)] + [(0, take) for take in range(1, other + 1)]

    def make(self, move: tuple[int, int]) -> None:
        """Take."""
        self.heaps = [size - take for size, take in zip(self.heaps, move, strict=True)]


@known("Fibonacci Nim", heap=range(6, 61))
class FibonacciNim(LastMover):
    """Not all at first; later at most twice what was taken before."""

    def __init__(self, heap: int) -> None:
        super().__init__()
        self.heap, self.most = heap, heap - 1

    def legal(self) -> Moves:
        """Number taken."""
        return [*range(1, min(self.most, self.heap) + 1)]

    def make(self, move: int) -> None:
        """Take."""
        self.heap, self.most = self.heap - move, 2 * move


@known("Grundy's game", heap=range(7, 31), twice=(False, True))
class Grundy(LastMover):
    """Split a heap into two of different sizes."""

    def __init__(self, heap: int, twice: bool = False) -> None:
        super().__init__()
        self.heaps, self.twice = [heap], twice

    def legal(self) -> Moves:
        """Heap and smaller part; equal heaps offer a move once, or all moves by either part where ``twice``."""
        if self.twice:
            return [
                (place, part) for place, size in enumerate(self.heaps) for part in range(1, size) if 2 * part != size
            ]
        return [(self.heaps.index(size), part) for size in {*self.heaps} for part in range(1, (size + 1) // 2)]

    def make(self, move: tuple[int, int]) -> None:
        """Split."""
        size = self.heaps.pop(move[0])
        self.heaps += [move[1], size - move[1]]


@known("Kayles", pins=range(4, 26))
class Kayles(LastMover):
    """Knock down one pin or two neighbours."""

    sizes: tuple[int, ...] = (1, 2)

    def __init__(self, pins: int) -> None:
        super().__init__()
        self.standing = [True] * pins

    def legal(self) -> Moves:
        """First pin and how many."""
        return [
            (place, many)
            for many in self.sizes
            for place in range(len(self.standing) - many + 1)
            if all(self.standing[place : place + many])
        ]

    def make(self, move: tuple[int, int]) -> None:
        """Knock down."""
        for place in range(move[0], sum(move)):
            self.standing[place] = False


@known("Dawson's Kayles", pins=range(5, 26))
class DawsonsKayles(Kayles):
    """Always two neighbours."""

    sizes = (2,)


@known("Chomp", rows=range(2, 10), columns=range(2, 10))
class Chomp(Position):
    """Eat a square and all beyond; the corner is poison."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.left = [columns] * rows

    def legal(self) -> Moves:
        """Row and column."""
        return [(row, column) for row, many in enumerate(self.left) for column in range(many)]

    def play(self, move: tuple[int, int]) -> None:
        """Eat."""
        self.left = [min(many, move[1]) if row >= move[0] else many for row, many in enumerate(self.left)]
        self.turn()
        if move == (0, 0):
            self.win(self.seat)


@known("Euclid's game", larger=range(5, 100), smaller=range(2, 60), where=lambda larger, smaller: smaller < larger)
class Euclid(LastMover):
    """Subtract a multiple of the smaller number from the larger."""

    def __init__(self, larger: int, smaller: int) -> None:
        super().__init__()
        self.numbers = [larger, smaller]

    def legal(self) -> Moves:
        """How many times the smaller."""
        larger, smaller = self.numbers
        return [*range(1, larger // smaller + 1)] if smaller else []

    def make(self, move: int) -> None:
        """Subtract."""
        larger, smaller = self.numbers
        self.numbers = sorted((larger - move * smaller, smaller), reverse=True)


@known("Turning Turtles", heads=[heads for many in range(1, 9) for heads in itertools.combinations(range(1, 9), many)])
class TurningTurtles(LastMover):
    """Turn a head to tails, and one coin to the left of it, too, if you like."""

    def __init__(self, heads: Sequence[int]) -> None:
        super().__init__()
        self.heads = frozenset(heads)

    def legal(self) -> Moves:
        """The head, and the other coin, 0 for none."""
        return [(head, other) for head in self.heads for other in range(head)]

    def make(self, move: tuple[int, int]) -> None:
        """Turn."""
        self.heads = self.heads ^ ({*move} - {0})


@known(
    "the silver dollar game",
    coins=[coins for many in range(2, 6) for coins in itertools.combinations(range(1, 13), many) if coins[-1] > many],
)
class SilverDollar(LastMover):
    """Move a coin to the left without jumping."""

    def __init__(self, coins: Sequence[int]) -> None:
        super().__init__()
        self.coins = [0, *coins]

    def legal(self) -> Moves:
        """Coin and square."""
        return [
            (place, square)
            for place in range(1, len(self.coins))
            for square in range(self.coins[place - 1] + 1, self.coins[place])
        ]

    def make(self, move: tuple[int, int]) -> None:
        """Slide."""
        self.coins[move[0]] = move[1]


@known("Cutcake", rows=range(2, 9), columns=range(2, 9), twice=(False, True))
class Cutcake(LastMover):
    """First cuts pieces upright, second across."""

    def __init__(self, rows: int, columns: int, twice: bool = False) -> None:
        super().__init__()
        self.pieces, self.twice = [(rows, columns)], twice

    def legal(self) -> Moves:
        """A piece and where it is cut; where not ``twice``, equal pieces and mirrored cuts count once."""
        side = 1 - self.seat
        if self.twice:
            return [(place, part) for place, piece in enumerate(self.pieces) for part in range(1, piece[side])]
        return [(self.pieces.index(piece), part) for piece in {*self.pieces} for part in range(1, piece[side] // 2 + 1)]

    def make(self, move: tuple[int, int]) -> None:
        """Cut."""
        place, part = move
        rows, columns = self.pieces.pop(place)
        if self.seat == 0:
            self.pieces += [(rows, part), (rows, columns - part)]
        else:
            self.pieces += [(part, columns), (rows - part, columns)]


def _strips(longest: int) -> list[str]:
    """All strips with as many toads as frogs."""
    found = []
    for length in range(5, longest + 1):
        for many in range(1, length // 2 + 1):
            for toads in itertools.combinations(range(length), many):
                rest = [place for place in range(length) if place not in toads]
                for frogs in itertools.combinations(rest, many):
                    found.append("".join("T" if at in toads else "F" if at in frogs else "." for at in range(length)))
    return [strip for strip in found if "T." in strip or "TF." in strip]


@known("Toads and Frogs", strip=_strips(9))
class ToadsAndFrogs(LastMover):
    """Toads move or jump to the right, frogs to the left."""

    def __init__(self, strip: str) -> None:
        super().__init__()
        self.strip = strip

    def legal(self) -> Moves:
        """From and to."""
        own, other, way = ("T", "F", 1) if self.seat == 0 else ("F", "T", -1)
        found = []
        for place, piece in enumerate(self.strip):
            if piece != own:
                continue
            for target, jumped in ((place + way, ""), (place + 2 * way, other)):
                inside = 0 <= target < len(self.strip) and self.strip[target] == "."
                if inside and (not jumped or self.strip[place + way] == jumped):
                    found.append((place, target))
        return found

    def make(self, move: tuple[int, int]) -> None:
        """Move or jump."""
        strip = [*self.strip]
        strip[move[1]], strip[move[0]] = strip[move[0]], "."
        self.strip = "".join(strip)
