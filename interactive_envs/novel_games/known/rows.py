"""Games about marks in a row."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from interactive_envs.novel_games.known.position import Moves, Position, known

Lines = tuple[tuple[int, ...], ...]


@functools.cache
def lines(rows: int, columns: int, length: int) -> Lines:
    """All straight lines of a board as tuples of squares, which are numbered row by row."""
    found = []
    for row, column, (down, right) in itertools.product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        last = row + down * (length - 1), column + right * (length - 1)
        if last[0] < rows and 0 <= last[1] < columns:
            found.append(tuple((row + down * step) * columns + column + right * step for step in range(length)))
    return tuple(found)


@functools.cache
def through(all_lines: Lines) -> dict[int, Lines]:
    """The lines through each square."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for line in all_lines:
        for square in line:
            found.setdefault(square, []).append(line)
    return {square: tuple(here) for square, here in found.items()}


def cube(side: int) -> Lines:
    """All straight lines of a cube from side to side."""
    ways = [way for way in itertools.product((-1, 0, 1), repeat=3) if way > (0, 0, 0)]
    found = []
    for start in itertools.product(range(side), repeat=3):
        for way in ways:
            line = [tuple(at + step * by for at, by in zip(start, way, strict=True)) for step in range(side)]
            if all(0 <= at < side for square in line for at in square):
                found.append(tuple((x * side + y) * side + z for x, y, z in line))
    return tuple(found)


class Marks(Position):
    """Players put their own marks on free squares; a line of one's own wins.

    Args:
        squares: how many.
        all_lines: what counts.
    """

    def __init__(self, squares: int, all_lines: Lines) -> None:
        super().__init__()
        self.board = [-1] * squares
        self.lines = through(all_lines)
        self.free = squares

    def legal(self) -> Moves:
        """Free squares."""
        return [square for square, mark in enumerate(self.board) if mark < 0]

    def made(self, square: int) -> bool:
        """Whether the mark on a square stands in a line of its kind."""
        mark = self.board[square]
        return any(all(self.board[other] == mark for other in line) for line in self.lines.get(square, ()))

    def play(self, move: Any) -> None:
        """Put the own mark."""
        self.put(move, self.seat)
        self.end(self.made(move))

    def put(self, square: int, mark: int) -> None:
        """Put any mark."""
        self.board[square] = mark
        self.free -= 1

    def end(self, won: bool) -> None:
        """The mover has won, or the board is full, or the other player moves."""
        if won:
            self.win(self.seat)
        elif not self.free:
            self.result = "draw"
        else:
            self.turn()


def _board(rows: int, columns: int, row: int) -> bool:
    """Whether a row fits, on a board that is not too wide to be met."""
    return row <= max(rows, columns) and rows * columns >= 9


_SIDE = range(3, 11)


@known("tic-tac-toe", where=_board, rows=_SIDE, columns=_SIDE, row=(3, 4))
@known("Gomoku", where=_board, rows=range(4, 16), columns=range(4, 16), row=(5, 6))
class TicTacToe(Marks):
    """So many in a row (m,n,k)."""

    def __init__(self, rows: int, columns: int, row: int) -> None:
        super().__init__(rows * columns, lines(rows, columns, row))


@known("misère tic-tac-toe", where=_board, rows=range(3, 8), columns=range(3, 8), row=(3, 4, 5))
class Misere(TicTacToe):
    """A row loses."""

    def play(self, move: int) -> None:
        """Put the own mark."""
        self.put(move, self.seat)
        if self.made(move):
            self.win(1 - self.seat)
        else:
            self.end(won=False)


@known("wild tic-tac-toe", where=_board, rows=range(3, 8), columns=range(3, 8), row=(3, 4, 5))
class Wild(TicTacToe):
    """Put either mark; a row of equal marks wins."""

    def legal(self) -> Moves:
        """Square and mark."""
        return [(square, mark) for square in super().legal() for mark in (0, 1)]

    def play(self, move: tuple[int, int]) -> None:
        """Put it."""
        self.put(*move)
        self.end(self.made(move[0]))


@known(
    "Order and Chaos",
    side=range(4, 9),
    row=(3, 4, 5, 6),
    chaos_begins=(False, True),
    where=lambda side, row, chaos_begins: side - 1 <= row <= side,
)
class OrderAndChaos(Wild):
    """A row wins for Order, a full board for Chaos."""

    def __init__(self, side: int, row: int, chaos_begins: bool = False) -> None:
        super().__init__(side, side, row)
        self.order = int(chaos_begins)

    def play(self, move: tuple[int, int]) -> None:
        """Put it."""
        self.put(*move)
        if self.made(move[0]):
            self.win(self.order)
        elif not self.free:
            self.win(1 - self.order)
        else:
            self.turn()


@known("one-dimensional tic-tac-toe (Treblecross)", squares=range(5, 41), row=(3, 4))
class Treblecross(Marks):
    """Both put the same mark."""

    def __init__(self, squares: int, row: int) -> None:
        super().__init__(squares, lines(1, squares, row))

    def play(self, move: int) -> None:
        """Put it."""
        self.put(move, 0)
        self.end(self.made(move))


@known("Notakto", boards=range(1, 5), side=(3, 4))
class Notakto(Position):
    """Both put X; a board with a line is out of play; the last line loses."""

    def __init__(self, boards: int, side: int) -> None:
        super().__init__()
        self.side, self.marks = side, frozenset[tuple[int, int]]()
        self.live = [*range(boards)]

    def legal(self) -> Moves:
        """Board and square."""
        squares = range(self.side**2)
        return [(board, square) for board in self.live for square in squares if (board, square) not in self.marks]

    def play(self, move: tuple[int, int]) -> None:
        """Put it."""
        self.marks |= {move}
        board, square = move
        for line in through(lines(self.side, self.side, self.side)).get(square, ()):
            if board in self.live and all((board, other) in self.marks for other in line):
                self.live.remove(board)
        self.turn()
        if not self.live:
            self.win(self.seat)


@known("Connect Four", where=_board, rows=range(3, 10), columns=range(3, 11), row=(3, 4, 5))
class ConnectFour(TicTacToe):
    """Marks fall."""

    def __init__(self, rows: int, columns: int, row: int) -> None:
        super().__init__(rows, columns, row)
        self.columns = columns

    def legal(self) -> Moves:
        """Columns that are not full; the last row is the top."""
        top = len(self.board) - self.columns
        return [column for column in range(self.columns) if self.board[top + column] < 0]

    def play(self, move: int) -> None:
        """Drop."""
        super().play(next(at for at in range(move, len(self.board), self.columns) if self.board[at] < 0))


@known("Pop Out", where=_board, rows=range(3, 8), columns=range(3, 9), row=(3, 4))
class PopOut(ConnectFour):
    """An own mark at the bottom may be taken out."""

    def legal(self) -> Moves:
        """Drops, and columns whose bottom mark is one's own."""
        pops = [-1 - column for column in range(self.columns) if self.board[column] == self.seat]
        return super().legal() + pops

    def play(self, move: int) -> None:
        """Drop, or take out where the number is below 0."""
        if move >= 0:
            self.put(next(at for at in range(move, len(self.board), self.columns) if self.board[at] < 0), self.seat)
        else:
            column = range(-1 - move, len(self.board), self.columns)
            marks = [*[self.board[at] for at in column][1:], -1]
            for at, mark in zip(column, marks, strict=True):
                self.board[at] = mark
        mover = self.seat
        made = {self.board[at] for at in range(len(self.board)) if self.board[at] >= 0 and self.made(at)}
        self.turn()
        if made:
            self.win(mover if mover in made else 1 - mover)
        elif not self.legal():
            self.result = "draw"


@known("ultimate tic-tac-toe")
class Ultimate(Position):
    """Nine boards; a square tells the board of the next move."""

    def __init__(self) -> None:
        super().__init__()
        self.board, self.won, self.next = [-1] * 81, [-1] * 9, -1

    def legal(self) -> Moves:
        """Squares of the next board, or of any that is open."""
        boards = [self.next] if self.next >= 0 else range(9)
        return [
            board * 9 + square
            for board in boards
            if self.won[board] < 0
            for square in range(9)
            if self.board[board * 9 + square] < 0
        ]

    def play(self, move: int) -> None:
        """Put the own mark."""
        board, square = divmod(move, 9)
        self.board[move] = self.seat
        here = self.board[board * 9 : board * 9 + 9]
        threes = lines(3, 3, 3)
        if any(all(here[at] == self.seat for at in line) for line in threes):
            self.won[board] = self.seat
        elif -1 not in here:
            self.won[board] = 2
        if any(all(self.won[at] == self.seat for at in line) for line in threes):
            self.win(self.seat)
            return
        self.next = square if self.won[square] < 0 else -1
        self.turn()
        if not self.legal():
            self.result = "draw"


@known(
    "number scrabble",
    most=range(7, 16),
    total=range(11, 26),
    where=lambda most, total: abs(2 * total - 3 * (most + 1)) <= 2,
)
class NumberScrabble(Marks):
    """Take numbers; three of them with a given sum win, about that of three mean ones."""

    def __init__(self, most: int, total: int) -> None:
        triples = (triple for triple in itertools.combinations(range(1, most + 1), 3) if sum(triple) == total)
        super().__init__(most, tuple(tuple(number - 1 for number in triple) for triple in triples))


@known("numerical tic-tac-toe", total=range(12, 19))
class Numerical(Marks):
    """First puts odd numbers, Second even ones; three in a row with a given sum win."""

    def __init__(self, total: int) -> None:
        super().__init__(9, lines(3, 3, 3))
        self.total, self.hands = total, ((1, 3, 5, 7, 9), (2, 4, 6, 8))

    def legal(self) -> Moves:
        """Square and number."""
        numbers = [number for number in self.hands[self.seat] if number not in self.board]
        return [(square, number) for square in super().legal() for number in numbers]

    def play(self, move: tuple[int, int]) -> None:
        """Put it."""
        square, number = move
        self.put(square, number)
        full = [[self.board[at] for at in line] for line in self.lines[square]]
        self.end(any(-1 not in line and sum(line) == self.total for line in full))


@known("Quarto", squares_count=(False, True))
class Quarto(Marks):
    """Put the piece that the opponent chose; a line of four with a property in common wins."""

    def __init__(self, squares_count: bool) -> None:
        small = [(at, at + 1, at + 4, at + 5) for at in range(11) if at % 4 < 3] if squares_count else []
        super().__init__(16, (*lines(4, 4, 4), *small))
        self.given = -1

    def legal(self) -> Moves:
        """Squares, or the pieces that may be given."""
        return super().legal() if self.given >= 0 else [piece for piece in range(16) if piece not in self.board]

    def play(self, move: int) -> None:
        """Put the piece, or give one."""
        if self.given < 0:
            self.given = move
            self.turn()
            return
        self.put(move, self.given)
        self.given = -1
        for line in self.lines[move]:
            pieces = [self.board[at] for at in line]
            if -1 in pieces:
                continue
            ones, zeros = pieces[0], ~pieces[0]
            for piece in pieces:
                ones, zeros = ones & piece, zeros & ~piece
            if (ones | zeros) & 15:
                self.win(self.seat)
                return
        if not self.free:
            self.result = "draw"


@known("three-dimensional tic-tac-toe (Qubic)", side=(3, 4))
class Qubic(Marks):
    """A cube."""

    def __init__(self, side: int) -> None:
        super().__init__(side**3, cube(side))


@known("Connect6", where=_board, rows=range(5, 12), columns=range(5, 12), row=(4, 5, 6))
class Connect6(TicTacToe):
    """One mark first, then two a turn."""

    def __init__(self, rows: int, columns: int, row: int) -> None:
        super().__init__(rows, columns, row)
        self.second = True

    def end(self, won: bool) -> None:
        """As always, but for every other mark the mover stays."""
        again = not self.second
        self.second = again
        super().end(won)
        if self.result is None and again:
            self.turn()


@known("Pente", rows=range(5, 12), columns=range(5, 12), row=(4, 5), pairs=(5,))
class Pente(TicTacToe):
    """Two stones between two others are taken; enough pairs win."""

    def __init__(self, rows: int, columns: int, row: int, pairs: int) -> None:
        super().__init__(rows, columns, row)
        self.size, self.pairs, self.taken = (rows, columns), pairs, [0, 0]

    def play(self, move: int) -> None:
        """Put the own mark, and take."""
        rows, columns = self.size
        self.put(move, self.seat)
        row, column = divmod(move, columns)
        for down, right in itertools.product((-1, 0, 1), repeat=2):
            if not 0 <= row + 3 * down < rows or not 0 <= column + 3 * right < columns or (down, right) == (0, 0):
                continue
            one, two, end = ((row + step * down) * columns + column + step * right for step in (1, 2, 3))
            if self.board[one] == self.board[two] == 1 - self.seat and self.board[end] == self.seat:
                self.board[one] = self.board[two] = -1
                self.free += 2
                self.taken[self.seat] += 1
        self.end(self.made(move) or self.taken[self.seat] >= self.pairs)


class Placed(Marks):
    """Each player puts some stones, then moves them.

    Args:
        squares: how many.
        all_lines: what wins.
        stones: of each player.
        joined: the squares that each square touches.
        most: moves after which nobody has won.
    """

    def __init__(self, squares: int, all_lines: Lines, stones: int, joined: Sequence[Iterable[int]], most: int) -> None:
        super().__init__(squares, all_lines)
        self.hand, self.joined, self.left = 2 * stones, joined, most

    def legal(self) -> Moves:
        """Free squares, or from and to."""
        if self.hand:
            return super().legal()
        own = [square for square, mark in enumerate(self.board) if mark == self.seat]
        return [(square, to) for square in own for to in self.joined[square] if self.board[to] < 0]

    def play(self, move: Any) -> None:
        """Put or move."""
        if self.hand:
            self.hand -= 1
            to = move
        else:
            self.board[move[0]] = -1
            to = move[1]
        self.board[to] = self.seat
        self.left -= 1
        won = self.made(to)
        self.turn()
        if won or not self.legal():
            self.win(1 - self.seat)
        elif not self.left:
            self.result = "draw"


def neighbours(rows: int, columns: int, ways: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The squares next to each."""
    return [
        [
            (row + down) * columns + column + right
            for down, right in ways
            if 0 <= row + down < rows and 0 <= column + right < columns
        ]
        for row in range(rows)
        for column in range(columns)
    ]


ALONG = ((0, 1), (1, 0), (0, -1), (-1, 0))
AROUND = (*ALONG, (1, 1), (1, -1), (-1, 1), (-1, -1))
_LIMITS = (40, 50, 60, 80, 100)


@known("Three Men's Morris", most=_LIMITS, diagonals=(False, True))
class ThreeMensMorris(Placed):
    """Three stones each on nine points."""

    def __init__(self, most: int, diagonals: bool) -> None:
        joined = neighbours(3, 3, ALONG)
        if diagonals:
            joined = [[*near, *([4] if at in (0, 2, 6, 8) else [])] for at, near in enumerate(joined)]
            joined[4] = [at for at in range(9) if at != 4]
        super().__init__(9, lines(3, 3, 3), 3, joined, most)


@known("Nine Holes", most=_LIMITS)
class NineHoles(Placed):
    """Stones move anywhere, and diagonals do not win."""

    def __init__(self, most: int) -> None:
        straight = tuple(line for line in lines(3, 3, 3) if line[1] - line[0] in (1, 3))
        super().__init__(9, straight, 3, [range(9)] * 9, most)


@known("Teeko", side=(4, 5, 6), most=_LIMITS)
class Teeko(Placed):
    """Four stones each; four in a row or a square."""

    def __init__(self, side: int, most: int) -> None:
        corners = [at for at in range(side * (side - 1)) if at % side < side - 1]
        squares = tuple((at, at + 1, at + side, at + side + 1) for at in corners)
        super().__init__(side**2, (*lines(side, side, 4), *squares), 4, neighbours(side, side, AROUND), most)


@known("Pentago", side=(4, 6), row=(3, 4, 5), where=lambda side, row: row == side - 1)
class Pentago(Marks):
    """Put a mark, then turn a quarter of the board."""

    def __init__(self, side: int, row: int) -> None:
        super().__init__(side**2, lines(side, side, row))
        self.side, self.turning = side, False

    def legal(self) -> Moves:
        """Free squares, or a quarter and a way to turn it."""
        return [*itertools.product(range(4), (False, True))] if self.turning else super().legal()

    def play(self, move: Any) -> None:
        """Put or turn."""
        if not self.turning:
            self.put(move, self.seat)
            if self.made(move):
                self.win(self.seat)
            else:
                self.turning = True
            return
        self.turning = False
        quarter, back = move
        half = self.side // 2
        corner = (quarter // 2) * half * self.side + (quarter % 2) * half
        before = self.board.copy()
        for row, column in itertools.product(range(half), repeat=2):
            source = (column, half - 1 - row) if back else (half - 1 - column, row)
            self.board[corner + row * self.side + column] = before[corner + source[0] * self.side + source[1]]
        made = {self.board[at] for at in range(len(self.board)) if self.board[at] >= 0 and self.made(at)}
        if len(made) == 1:
            self.win(made.pop())
        elif made or not self.free:
            self.result = "draw"
        else:
            self.turn()


@known("Gobblet Gobblers", most=_LIMITS)
class Gobblet(Position):
    """Two pieces of each of three sizes; larger ones cover smaller ones."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.stacks: list[tuple[tuple[int, int], ...]] = [()] * 9
        self.hands = [2] * 6
        self.left = most

    def legal(self) -> Moves:
        """Size, from a square or from the hand (-1), to a square."""

        def free(size: int) -> list[int]:
            return [at for at, stack in enumerate(self.stacks) if not stack or stack[-1][0] < size]

        found: Moves = [(size, -1, to) for size in range(3) if self.hands[self.seat * 3 + size] for to in free(size)]
        for square, stack in enumerate(self.stacks):
            if stack and stack[-1][1] == self.seat:
                found += [(stack[-1][0], square, to) for to in free(stack[-1][0]) if to != square]
        return found

    def play(self, move: tuple[int, int, int]) -> None:
        """Put or move."""
        size, source, to = move
        if source < 0:
            self.hands[self.seat * 3 + size] -= 1
        else:
            self.stacks[source] = self.stacks[source][:-1]
        self.stacks[to] = (*self.stacks[to], (size, self.seat))
        shown = [stack[-1][1] if stack else -1 for stack in self.stacks]
        made = {shown[line[0]] for line in lines(3, 3, 3) if shown[line[0]] == shown[line[1]] == shown[line[2]]} - {-1}
        self.left -= 1
        self.turn()
        if made:
            self.win(self.seat if self.seat in made else 1 - self.seat)
        elif not self.left:
            self.result = "draw"
        elif not self.legal():
            self.win(1 - self.seat)
