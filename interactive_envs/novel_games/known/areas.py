"""Games in which squares, edges or areas of a board are claimed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from interactive_envs.novel_games.known.position import LastMover, Moves, Position, known
from interactive_envs.novel_games.known.rows import ALONG, AROUND, neighbours

_SIDE = range(3, 10)
_HEXAGONS = (*ALONG, (-1, 1), (1, -1))


def reached(start: Iterable[int], joined: Sequence[Iterable[int]], inside: Callable[[int], bool]) -> set[int]:
    """The squares that can be walked to from those of a start, all of which are inside."""
    found = {square for square in start if inside(square)}
    todo = [*found]
    while todo:
        for near in joined[todo.pop()]:
            if near not in found and inside(near):
                found.add(near)
                todo.append(near)
    return found


@known("Cram", rows=range(2, 8), columns=range(3, 8))
class Cram(LastMover):
    """Both put dominoes anywhere."""

    ways: tuple[tuple[bool, ...], ...] = ((False, True), (False, True))
    """For each seat whether its dominoes stand upright."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows, self.columns, self.taken = rows, columns, frozenset[int]()
        self.dominoes = tuple(self._dominoes(upright) for upright in (False, True))

    def _dominoes(self, upright: bool) -> tuple[tuple[int, int], ...]:
        rows, columns = (self.rows - 1, self.columns) if upright else (self.rows, self.columns - 1)
        corners = (row * self.columns + column for row in range(rows) for column in range(columns))
        return tuple((at, at + (self.columns if upright else 1)) for at in corners)

    def legal(self) -> Moves:
        """Pairs of free neighbours."""
        return [
            pair for upright in self.ways[self.seat] for pair in self.dominoes[upright] if self.taken.isdisjoint(pair)
        ]

    def make(self, move: tuple[int, int]) -> None:
        """Put it."""
        self.taken |= {*move}


@known("Domineering", rows=range(2, 9), columns=range(2, 9))
class Domineering(Cram):
    """First upright, Second across."""

    ways = ((True,), (False,))


class Painting(LastMover):
    """Squares are painted; ``apart`` says whose colour may not be next to one's own.

    Args:
        rows: of the board.
        columns: of the board.
    """

    apart: int

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.board = [-1] * (rows * columns)
        self.joined = tuple(map(tuple, neighbours(rows, columns, ALONG)))

    def legal(self) -> Moves:
        """Free squares without a wrong neighbour."""
        wrong = self.seat ^ self.apart
        return [
            square
            for square, colour in enumerate(self.board)
            if colour < 0 and all(self.board[near] != wrong for near in self.joined[square])
        ]

    def make(self, move: int) -> None:
        """Paint."""
        self.board[move] = self.seat


@known("Col", rows=range(2, 9), columns=range(2, 9))
class Col(Painting):
    """Not next to one's own colour."""

    apart = 0


@known("Snort", rows=range(2, 9), columns=range(2, 9))
class Snort(Painting):
    """Not next to the other's colour."""

    apart = 1


@known("NoGo", rows=_SIDE, columns=_SIDE)
class NoGo(LastMover):
    """No stones may be taken, nor be without a free neighbour."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.board = [-1] * (rows * columns)
        self.joined = tuple(map(tuple, neighbours(rows, columns, ALONG)))

    def _breathes(self, square: int) -> bool:
        """Whether the group on a square has a free neighbour."""
        group = reached([square], self.joined, lambda at: self.board[at] == self.board[square])
        return any(self.board[near] < 0 for at in group for near in self.joined[at])

    def _allowed(self, square: int) -> bool:
        self.board[square] = self.seat
        allowed = all(self._breathes(at) for at in (square, *self.joined[square]) if self.board[at] >= 0)
        self.board[square] = -1
        return allowed

    def legal(self) -> Moves:
        """Free squares after which every group has a free neighbour."""
        return [square for square, stone in enumerate(self.board) if stone < 0 and self._allowed(square)]

    def make(self, move: int) -> None:
        """Put a stone."""
        self.board[move] = self.seat


@known("Atari Go (first capture wins)", rows=_SIDE, columns=_SIDE)
class AtariGo(NoGo):
    """Who first takes a stone wins; one's own may not be left without a free neighbour."""

    def _takes(self, square: int) -> bool:
        """Whether a stone that was just put takes anything."""
        near = [at for at in self.joined[square] if self.board[at] == 1 - self.board[square]]
        return not all(map(self._breathes, near))

    def _allowed(self, square: int) -> bool:
        self.board[square] = self.seat
        allowed = self._takes(square) or self._breathes(square)
        self.board[square] = -1
        return allowed

    def play(self, move: int) -> None:
        """Put a stone."""
        self.make(move)
        won = self._takes(move)
        self.turn()
        if won:
            self.win(1 - self.seat)
        elif not self.legal():
            self.result = "draw"


class Joining(Position):
    """Players claim squares; who joins some borders wins.

    Args:
        joined: the squares next to each.
        borders: for each seat the groups of squares that must be joined.
    """

    def __init__(self, joined: Sequence[Iterable[int]], borders: Sequence[Sequence[Collection[int]]]) -> None:
        super().__init__()
        self.joined, self.borders = tuple(map(tuple, joined)), tuple(borders)
        self.board = [-1] * len(self.joined)

    def legal(self) -> Moves:
        """Free squares."""
        return [square for square, stone in enumerate(self.board) if stone < 0]

    def play(self, move: int) -> None:
        """Claim."""
        self.board[move] = self.seat
        group = reached([move], self.joined, lambda at: self.board[at] == self.seat)
        if all(not group.isdisjoint(border) for border in self.borders[self.seat]):
            self.win(self.seat)
        else:
            self.turn()


@known("Hex", rows=range(3, 12), columns=range(3, 12), where=lambda rows, columns: abs(rows - columns) < 2)
class Hex(Joining):
    """Join opposite sides of a board of hexagons."""

    def __init__(self, rows: int, columns: int) -> None:
        squares = range(rows * columns)
        first = [at for at in squares if at < columns], [at for at in squares if at >= (rows - 1) * columns]
        second = [at for at in squares if at % columns == 0], [at for at in squares if at % columns == columns - 1]
        super().__init__(neighbours(rows, columns, _HEXAGONS), (first, second))


@known("the Game of Y", side=range(3, 13))
class GameOfY(Joining):
    """Join all three sides of a triangle of hexagons."""

    def __init__(self, side: int) -> None:
        cells = [(row, column) for row in range(side) for column in range(row + 1)]
        place = {cell: at for at, cell in enumerate(cells)}
        ways = (*ALONG, (1, 1), (-1, -1))
        joined = [[place[r + x, c + y] for x, y in ways if (r + x, c + y) in place] for r, c in cells]
        borders = [
            [at for at, (_, column) in enumerate(cells) if column == 0],
            [at for at, (row, column) in enumerate(cells) if row == column],
            [at for at, (row, _) in enumerate(cells) if row == side - 1],
        ]
        super().__init__(joined, (borders, borders))


@known("Bridg-It (Gale)", size=range(2, 8))
class BridgIt(Position):
    """Join two sides by links between dots of one's own, without crossing."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.claimed = size, {}  # type: int, dict[tuple[int, int], int]
        self.edges = tuple(
            (row, column) for row in range(2 * size - 1) for column in range(2 * size - 1) if (row + column) % 2 == 0
        )

    def legal(self) -> Moves:
        """Crossings that nobody has; each is a link of either player."""
        return [edge for edge in self.edges if edge not in self.claimed]

    def play(self, move: tuple[int, int]) -> None:
        """Claim."""
        self.claimed[move] = self.seat
        own = {edge for edge, seat in self.claimed.items() if seat == self.seat}
        # First's dots are left and right of crossings in even rows, above and below those in odd rows; Second's turned.
        ends = {edge: self._dots(edge) for edge in own}
        last = 2 * self.size - 1
        group = {dot for dots in ends.values() for dot in dots if dot[1 - self.seat] == -1}
        while fresh := {dot for dots in ends.values() for dot in dots if not group.isdisjoint(dots)} - group:
            group |= fresh
        if any(dot[1 - self.seat] == last for dot in group):
            self.win(self.seat)
        else:
            self.turn()

    def _dots(self, edge: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
        row, column = edge
        across = (row % 2 == 0) == (self.seat == 0)
        return ((row, column - 1), (row, column + 1)) if across else ((row - 1, column), (row + 1, column))


@known("Sim", points=(5, 6, 7))
class Sim(Position):
    """A triangle of one's own edges loses."""

    def __init__(self, points: int) -> None:
        super().__init__()
        self.points, self.owner = points, {}  # type: int, dict[tuple[int, int], int]

    def legal(self) -> Moves:
        """Edges that nobody has."""
        return [edge for edge in itertools.combinations(range(self.points), 2) if edge not in self.owner]

    def play(self, move: tuple[int, int]) -> None:
        """Colour."""
        self.owner[move] = self.seat
        one, other = move

        def own(a: int, b: int) -> bool:
            return self.owner.get((min(a, b), max(a, b))) == self.seat

        lost = any(own(one, third) and own(other, third) for third in range(self.points) if third not in move)
        self.turn()
        if lost:
            self.win(self.seat)
        elif not self.legal():
            self.result = "draw"


@known("Dots and Boxes", rows=range(1, 6), columns=range(2, 10))
class DotsAndBoxes(Position):
    """Who draws the fourth side of a box owns it and moves again."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        boxes = [(row, column) for row in range(rows) for column in range(columns)]
        sides = [(("across", r, c), ("across", r + 1, c), ("upright", r, c), ("upright", r, c + 1)) for r, c in boxes]
        self.boxes = tuple(sides)
        self.free = sorted({side for box in sides for side in box})
        self.points = [0, 0]

    def legal(self) -> Moves:
        """Lines that are not drawn."""
        return self.free.copy()

    def play(self, move: Any) -> None:
        """Draw."""
        self.free.remove(move)
        made = sum(move in box and not any(side in self.free for side in box) for box in self.boxes)
        self.points[self.seat] += made
        if not self.free:
            self.count(*self.points)
        elif not made:
            self.turn()


@known("Othello (Reversi)", rows=(4, 6, 8), columns=(4, 6, 8))
class Othello(Position):
    """Enclosed discs are turned; more discs win."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows, self.columns = rows, columns
        self.board = [-1] * (rows * columns)
        row, column = rows // 2 - 1, columns // 2 - 1
        for down, right in itertools.product((0, 1), repeat=2):
            self.board[(row + down) * columns + column + right] = int(down == right)

    def _turned(self, square: int, seat: int) -> list[int]:
        row, column = divmod(square, self.columns)
        found = []
        for down, right in AROUND:
            line = []
            r, c = row + down, column + right
            while 0 <= r < self.rows and 0 <= c < self.columns and self.board[r * self.columns + c] == 1 - seat:
                line.append(r * self.columns + c)
                r, c = r + down, c + right
            if 0 <= r < self.rows and 0 <= c < self.columns and self.board[r * self.columns + c] == seat:
                found += line
        return found

    def _moves(self, seat: int) -> Moves:
        return [at for at, disc in enumerate(self.board) if disc < 0 and self._turned(at, seat)]

    def legal(self) -> Moves:
        """Squares where something is turned."""
        return self._moves(self.seat)

    def play(self, move: int) -> None:
        """Put a disc; a player without a move is left out."""
        for square in [move, *self._turned(move, self.seat)]:
            self.board[square] = self.seat
        if self._moves(1 - self.seat):
            self.turn()
        elif not self._moves(self.seat):
            self.count(self.board.count(0), self.board.count(1))
