"""Games in which pieces move over a board."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from interactive_envs.novel_games.known.areas import reached
from interactive_envs.novel_games.known.position import LastMover, Moves, Position, known
from interactive_envs.novel_games.known.rows import ALONG, AROUND, neighbours

_SIDE = range(3, 9)
_LIMITS = (40, 50, 60, 80, 100)
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
Square = tuple[int, int]


def _on(square: Square, rows: int, columns: int) -> bool:
    return 0 <= square[0] < rows and 0 <= square[1] < columns


def _step(square: Square, way: Square, times: int = 1) -> Square:
    return square[0] + times * way[0], square[1] + times * way[1]


class Board(LastMover):
    """Pieces on squares; who cannot move loses.

    Args:
        rows: of the board.
        columns: of the board.
    """

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.rows, self.columns = rows, columns
        self.at: dict[Square, int] = {}

    def own(self) -> list[Square]:
        """Squares of the mover's pieces."""
        return [square for square, seat in self.at.items() if seat == self.seat]

    def on(self, square: Square) -> bool:
        """Whether it is a square of the board."""
        return _on(square, self.rows, self.columns)

    def free(self, square: Square) -> bool:
        """Whether it is on the board and nothing stands there."""
        return self.on(square) and square not in self.at

    def rays(self, square: Square) -> Iterator[Square]:
        """Where a chess queen may go over free squares."""
        for way in AROUND:
            to = _step(square, way)
            while self.free(to):
                yield to
                to = _step(to, way)

    def make(self, move: tuple[Square, Square]) -> None:
        """Move a piece; what stands there is taken."""
        del self.at[move[0]]
        self.at[move[1]] = self.seat


@known("Clobber", rows=range(2, 8), columns=range(2, 8))
class Clobber(Board):
    """Stones take neighbours of the other colour."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        self.at = {square: sum(square) % 2 for square in itertools.product(range(rows), range(columns))}

    def legal(self) -> Moves:
        """From and to."""
        near = ((square, _step(square, way)) for square in self.own() for way in ALONG)
        return [pair for pair in near if self.at.get(pair[1]) == 1 - self.seat]


@known(
    "Konane",
    where=lambda rows, columns, opening: rows * columns % 2 == 0 or opening != "taken",
    rows=range(3, 9),
    columns=range(3, 9),
    opening=("taken", "chosen"),
)
class Konane(Board):
    """Stones jump neighbours of the other colour, several in a line if they like."""

    def __init__(self, rows: int, columns: int, opening: str) -> None:
        super().__init__(rows, columns)
        self.at = {square: sum(square) % 2 for square in itertools.product(range(rows), range(columns))}
        self.to_take = 2 if opening == "chosen" else 0
        if not self.to_take:
            row, column = (rows - 1) // 2, (columns - 1) // 2
            del self.at[row, column], self.at[row, column + 1]

    def legal(self) -> Moves:
        """A stone to be taken away at first, then from and to."""
        if self.to_take == 2:
            middle = {(self.rows - 1) // 2, self.rows // 2}, {(self.columns - 1) // 2, self.columns // 2}
            corners = {0, self.rows - 1}, {0, self.columns - 1}
            return [
                (square, square)
                for square in self.own()
                if any(square[0] in rows and square[1] in columns for rows, columns in (middle, corners))
            ]
        if self.to_take == 1:
            gap = next(
                square for square in itertools.product(range(self.rows), range(self.columns)) if self.free(square)
            )
            return [(near, near) for near in (_step(gap, way) for way in ALONG) if self.at.get(near) == self.seat]
        found = []
        for square in self.own():
            for way in ALONG:
                to = _step(square, way, 2)
                while self.free(to) and self.at.get(_step(to, way, -1)) == 1 - self.seat:
                    found.append((square, to))
                    to = _step(to, way, 2)
        return found

    def make(self, move: tuple[Square, Square]) -> None:
        """Take away or jump."""
        (row, column), (to_row, to_column) = move
        if self.to_take:
            self.to_take -= 1
            del self.at[row, column]
            return
        length = max(abs(to_row - row), abs(to_column - column))
        way = (to_row - row) // length, (to_column - column) // length
        for times in range(length):
            self.at.pop(_step(move[0], way, times), None)
        self.at[move[1]] = self.seat


@known("Hexapawn", rows=_SIDE, columns=_SIDE)
class Hexapawn(Board):
    """A row of pawns each; who reaches the far side wins."""

    depth = 1
    slanted = False
    """Whether a pawn may go slantwise without taking."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        for row, column in itertools.product(range(self.depth), range(columns)):
            self.at[rows - 1 - row, column] = 0
            self.at[row, column] = 1

    def legal(self) -> Moves:
        """From and to."""
        ahead = -1 if self.seat == 0 else 1
        found = []
        for square in self.own():
            for side in (-1, 0, 1):
                to = _step(square, (ahead, side))
                if not self.on(to):
                    continue
                there = self.at.get(to)
                if (there is None and (side == 0 or self.slanted)) or (side and there == 1 - self.seat):
                    found.append((square, to))
        return found

    def play(self, move: tuple[Square, Square]) -> None:
        """Move or take."""
        super().play(move)
        if self.result is None and move[1][0] == (0 if self.seat == 1 else self.rows - 1):
            self.win(1 - self.seat)


@known("Breakthrough", rows=range(4, 9), columns=range(3, 9))
class Breakthrough(Hexapawn):
    """Two rows each, which also move slantwise."""

    depth, slanted = 2, True


@known("Joust (knights on a board that burns)", rows=range(4, 9), columns=range(4, 9))
class Joust(Board):
    """A knight each; squares may be visited once."""

    steps: tuple[Square, ...] = tuple(
        (down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if abs(down) != abs(right)
    )

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        self.stands = [(0, 0), (rows - 1, columns - 1)]
        self.at = dict.fromkeys(self.stands, 2)

    def legal(self) -> Moves:
        """Where to."""
        return [to for way in self.steps if self.free(to := _step(self.stands[self.seat], way))]

    def make(self, move: Any) -> None:
        """Move."""
        self.stands[self.seat] = move
        self.at[move] = 2


@known("Tron (light cycles)", rows=_SIDE, columns=_SIDE, around=(False, True))
class Tron(Joust):
    """One step at a time."""

    def __init__(self, rows: int, columns: int, around: bool) -> None:
        super().__init__(rows, columns)
        self.steps = AROUND if around else ALONG


@known("Isolation", rows=range(3, 9), columns=range(3, 9), queens=(False, True))
class Isolation(Board):
    """Move, then take any free square away."""

    def __init__(self, rows: int, columns: int, queens: bool) -> None:
        super().__init__(rows, columns)
        self.queens, self.moved = queens, False
        self.stands = [((rows - 1) // 2, 0), ((rows - 1) // 2, columns - 1)]
        self.at = dict.fromkeys(self.stands, 2)

    def legal(self) -> Moves:
        """Where to, or what to take away."""
        if self.moved:
            squares = itertools.product(range(self.rows), range(self.columns))
            return [square for square in squares if self.free(square)]
        here = self.stands[self.seat]
        return [*self.rays(here)] if self.queens else [to for way in AROUND if self.free(to := _step(here, way))]

    def play(self, move: Any) -> None:
        """Move or take away."""
        if not self.moved:
            del self.at[self.stands[self.seat]]
            self.stands[self.seat] = move
            self.at[move] = 2
            self.moved = True
            return
        self.at[move] = 3
        self.moved = False
        self.turn()
        if not self.legal():
            self.win(1 - self.seat)


@known("Amazons", size=("4", "5", "6", "8", "10"), parts=(1, 2, 3), where=lambda size, parts: True)
class Amazons(Board):
    """A queen moves, then burns a square from where it stands."""

    starts: ClassVar[Mapping[str, tuple[int, Sequence[Square]]]] = {
        "4": (4, [(0, 1)]),
        "5": (5, [(0, 1), (0, 3)]),
        "6": (6, [(0, 1), (0, 4)]),
        "8": (8, [(0, 2), (0, 5)]),
        "10": (10, [(0, 3), (0, 6), (3, 0), (3, 9)]),
    }

    def __init__(self, size: str, parts: int) -> None:
        side, queens = self.starts[size]
        super().__init__(side, side)
        self.parts, self.done = parts, ()  # type: int, tuple[Square, ...]
        for row, column in queens:
            self.at[row, column] = 0
            self.at[side - 1 - row, side - 1 - column] = 1

    def _turns(self, done: tuple[Square, ...]) -> Iterator[Square]:
        """What may come next in a turn: a queen, where to, and what burns."""
        if not done:
            yield from (square for square in self.own() if next(self.rays(square), None))
        elif len(done) == 1:
            yield from self.rays(done[0])
        else:
            self.at[done[1]] = self.at.pop(done[0])
            yield from [*self.rays(done[1])]
            self.at[done[0]] = self.at.pop(done[1])

    def legal(self) -> Moves:
        """Moves of one, two or three parts."""
        if self.parts == 3:
            return [(part,) for part in self._turns(self.done)]
        if self.parts == 2 and self.done:
            return [(part,) for part in self._turns(self.done)]
        pairs = [(queen, to) for queen in [*self._turns(())] for to in self._turns((queen,))]
        if self.parts == 2:
            return [*pairs]
        return [(*pair, burnt) for pair in pairs for burnt in [*self._turns(pair)]]

    def play(self, move: Any) -> None:
        """A part of a turn, or all of it."""
        self.done += move
        if len(self.done) < 3:
            return
        queen, to, burnt = self.done
        self.done = ()
        self.at[to] = self.at.pop(queen)
        self.at[burnt] = 2
        self.turn()
        if not any(True for square in self.own() for _ in self.rays(square)):
            self.win(1 - self.seat)


@known("Slimetrail", side=range(3, 10), around=(True, False))
class Slimetrail(Board):
    """A common token; each player has a corner."""

    def __init__(self, side: int, around: bool) -> None:
        super().__init__(side, side)
        self.token = (side // 2, side // 2)
        self.at[self.token] = 2
        self.ways, self.goals = (AROUND if around else ALONG), ((side - 1, 0), (0, side - 1))

    def legal(self) -> Moves:
        """Where to."""
        return [to for way in self.ways if self.free(to := _step(self.token, way))]

    def make(self, move: Any) -> None:
        """Move the token."""
        self.token = move
        self.at[move] = 2

    def play(self, move: Any) -> None:
        """Move, and look whether it is a corner."""
        super().play(move)
        if move in self.goals:
            self.win(self.goals.index(move))


@known("Dodgem", side=range(3, 6), most=_LIMITS, stuck_wins=(True, False))
class Dodgem(Board):
    """Cars leave on the far side."""

    def __init__(self, side: int, most: int, stuck_wins: bool) -> None:
        super().__init__(side, side)
        self.left, self.misere = most, stuck_wins
        for place in range(side - 1):
            self.at[place, 0] = 0
            self.at[side - 1, place + 1] = 1

    def legal(self) -> Moves:
        """From and to, where to may be off the far side."""
        ways = ((0, 1), (-1, 0), (1, 0)) if self.seat == 0 else ((-1, 0), (0, -1), (0, 1))
        found = []
        for square in self.own():
            for way in ways:
                to = _step(square, way)
                off = to[1] == self.columns if self.seat == 0 else to[0] < 0
                if off or self.free(to):
                    found.append((square, to))
        return found

    def make(self, move: tuple[Square, Square]) -> None:
        """Move or leave."""
        del self.at[move[0]]
        if self.on(move[1]):
            self.at[move[1]] = self.seat

    def play(self, move: tuple[Square, Square]) -> None:
        """Move, and look whether all have left."""
        gone = len(self.own()) == 1 and not self.on(move[1])
        super().play(move)
        self.left -= 1
        if gone:
            self.win(1 - self.seat)
        elif self.result is None and not self.left:
            self.result = "draw"


@known("Fox and Hounds", side=(4, 6, 8), hounds_first=(False, True))
class FoxAndHounds(Board):
    """The fox gets past, or is caught."""

    def __init__(self, side: int, hounds_first: bool) -> None:
        super().__init__(side, side)
        self.fox = int(hounds_first)
        self.at = {(0, column): 1 - self.fox for column in range(1, side, 2)}
        self.at[side - 1, 2 * ((side - 1) // 4)] = self.fox

    def legal(self) -> Moves:
        """From and to."""
        ways = _DIAGONAL if self.seat == self.fox else _DIAGONAL[:2]
        return [(square, to) for square in self.own() for way in ways if self.free(to := _step(square, way))]

    def play(self, move: tuple[Square, Square]) -> None:
        """Move."""
        super().play(move)
        if self.at[move[1]] == self.fox and move[1][0] == 0:
            self.win(self.fox)


@known("Hare and Hounds", most=_LIMITS, hare_first=(False, True))
class HareAndHounds(Position):
    """Three hounds catch a hare that gets past them."""

    points = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (4, 1))
    """Column and row: the hounds come from column 0."""

    def __init__(self, most: int, hare_first: bool) -> None:
        super().__init__()
        self.hounds, self.hare, self.left = [(1, 0), (0, 1), (1, 2)], (4, 1), most
        self.hound = int(hare_first)

    def _near(self, point: Square) -> Iterator[Square]:
        for way in AROUND:
            to = _step(point, way)
            # slanted lines meet in the middle of the board and at its ends only
            slanted = 0 not in way and (2, 1) not in (point, to) and not {point[0], to[0]} & {0, 4}
            if to in self.points and not slanted and to != self.hare and to not in self.hounds:
                yield to

    def legal(self) -> Moves:
        """From and to."""
        if self.seat != self.hound:
            return [(self.hare, to) for to in self._near(self.hare)]
        return [(hound, to) for hound in self.hounds for to in self._near(hound) if to[0] >= hound[0]]

    def play(self, move: tuple[Square, Square]) -> None:
        """Move."""
        if move[0] == self.hare:
            self.hare = move[1]
        else:
            self.hounds = [move[1] if hound == move[0] else hound for hound in self.hounds]
        self.left -= 1
        self.turn()
        if all(self.hare[0] <= hound[0] for hound in self.hounds):
            self.win(1 - self.hound)
        elif not self.legal():
            self.win(1 - self.seat)
        elif not self.left:
            self.result = "draw"


class Points(Position):
    """Stones move along lines to a free point; who cannot move loses.

    Args:
        joined: the points next to each.
        board: the seat at each point, -1 for none.
        most: moves after which nobody has won.
    """

    def __init__(self, joined: Sequence[Sequence[int]], board: Sequence[int], most: int) -> None:
        super().__init__()
        self.joined, self.board, self.left = tuple(map(tuple, joined)), [*board], most

    def legal(self) -> Moves:
        """From and to."""
        return [
            (point, to)
            for point, seat in enumerate(self.board)
            if seat == self.seat
            for to in self.joined[point]
            if self.board[to] < 0
        ]

    def play(self, move: tuple[int, int]) -> None:
        """Move."""
        self.board[move[0]], self.board[move[1]] = -1, self.seat
        self.left -= 1
        self.turn()
        if not self.legal():
            self.win(1 - self.seat)
        elif not self.left:
            self.result = "draw"


@known("Pong Hau K'i", most=_LIMITS)
class PongHauKi(Points):
    """Five points, two stones each."""

    def __init__(self, most: int) -> None:
        super().__init__([(2, 3), (2, 4), (0, 1, 3, 4), (0, 2, 4), (1, 2, 3)], (0, 0, -1, 1, 1), most)


@known("Mū Tōrere", most=_LIMITS)
class MuTorere(Points):
    """A ring of eight points and a centre; into the centre only from beside an opponent."""

    def __init__(self, most: int) -> None:
        ring = [((at - 1) % 8, (at + 1) % 8, 8) for at in range(8)]
        super().__init__([*ring, tuple(range(8))], (0, 0, 0, 0, 1, 1, 1, 1, -1), most)

    def legal(self) -> Moves:
        """From and to."""
        return [
            (point, to)
            for point, to in super().legal()
            if to != 8 or 1 - self.seat in (self.board[(point - 1) % 8], self.board[(point + 1) % 8])
        ]


@known(
    "checkers (draughts)",
    rows=(4, 6, 8),
    columns=(4, 6, 8),
    ranks=(1, 2, 3),
    most=_LIMITS,
    where=lambda rows, columns, ranks, most: ranks <= rows // 2 - 1,
)
class Checkers(Board):
    """Men go ahead slantwise, captures are compulsory, and kings go both ways."""

    def __init__(self, rows: int, columns: int, ranks: int, most: int) -> None:
        super().__init__(rows, columns)
        self.kings, self.left, self.jumping = frozenset[Square](), most, ()  # type: frozenset[Square], int, tuple[Square, ...]
        dark = [square for square in itertools.product(range(rows), range(columns)) if sum(square) % 2]
        self.at = {square: 0 for square in dark if square[0] >= rows - ranks}
        self.at |= {square: 1 for square in dark if square[0] < ranks}

    def _ways(self, square: Square) -> tuple[Square, ...]:
        if square in self.kings:
            return _DIAGONAL
        return _DIAGONAL[2:] if self.at[square] == 0 else _DIAGONAL[:2]

    def _jumps(self, square: Square) -> Moves:
        return [
            (square, to)
            for way in self._ways(square)
            if self.free(to := _step(square, way, 2)) and self.at.get(_step(square, way)) == 1 - self.at[square]
        ]

    def legal(self) -> Moves:
        """Jumps where there are any, else steps."""
        pieces = self.jumping or self.own()
        jumps = [jump for square in pieces for jump in self._jumps(square)]
        return jumps or [
            (square, to) for square in pieces for way in self._ways(square) if self.free(to := _step(square, way))
        ]

    def play(self, move: tuple[Square, Square]) -> None:
        """A step, or one jump of several."""
        source, to = move
        self.at[to] = self.at.pop(source)
        jumped = abs(to[0] - source[0]) == 2
        if jumped:
            del self.at[(source[0] + to[0]) // 2, (source[1] + to[1]) // 2]
        crowned = source not in self.kings and to[0] == (0 if self.seat == 0 else self.rows - 1)
        if source in self.kings or crowned:
            self.kings |= {to}
        self.kings = frozenset(square for square in self.kings - {source} if square in self.at)
        self.left -= 1
        again = jumped and not crowned and bool(self._jumps(to))
        self.jumping = (to,) if again else ()
        if not again:
            self.turn()
        if not self.legal():
            self.win(1 - self.seat)
        elif not self.left:
            self.result = "draw"


@known("Lines of Action", side=range(4, 9), most=_LIMITS)
class LinesOfAction(Board):
    """Pieces go as far as there are pieces in their line; who joins all own ones wins."""

    def __init__(self, side: int, most: int) -> None:
        super().__init__(side, side)
        self.left = most
        for place in range(1, side - 1):
            self.at |= {(0, place): 0, (side - 1, place): 0, (place, 0): 1, (place, side - 1): 1}
        self.near = tuple(map(tuple, neighbours(side, side, AROUND)))

    def legal(self) -> Moves:
        """From and to."""
        found = []
        for square in self.own():
            for way in AROUND:
                many = sum(_step(square, way, times) in self.at for times in range(1 - self.rows, self.rows))
                to = _step(square, way, many)
                between = (self.at.get(_step(square, way, times)) for times in range(1, many))
                if self.on(to) and self.at.get(to) != self.seat and 1 - self.seat not in between:
                    found.append((square, to))
        return found

    def _joined(self, seat: int) -> bool:
        own = {row * self.columns + column for (row, column), owner in self.at.items() if owner == seat}
        return len(reached([min(own)], self.near, own.__contains__)) == len(own) if own else False

    def play(self, move: tuple[Square, Square]) -> None:
        """Move or take."""
        self.make(move)
        self.left -= 1
        mover = self.seat
        self.turn()
        if self._joined(mover):
            self.win(mover)
        elif self._joined(1 - mover):
            self.win(1 - mover)
        elif not self.legal():
            self.win(mover)
        elif not self.left:
            self.result = "draw"


class Sowing(Position):
    """Seeds are sown counter-clockwise.

    Args:
        pits: on each side.
        seeds: in each pit at the start.
        most: moves after which more seeds win.
    """

    def __init__(self, pits: int, seeds: int, most: int = 1000) -> None:
        super().__init__()
        self.pits, self.board, self.store, self.left = pits, [seeds] * (2 * pits), [0, 0], most

    def side(self, seat: int) -> range:
        """The pits of a seat."""
        return range(seat * self.pits, (seat + 1) * self.pits)

    def on(self, seat: int) -> int:
        """Seeds on a seat's side."""
        return sum(self.board[pit] for pit in self.side(seat))

    def legal(self) -> Moves:
        """Own pits with seeds."""
        return [pit for pit in self.side(self.seat) if self.board[pit]]

    def sweep(self) -> None:
        """The game ends, and each keeps what is on the own side."""
        self.count(*(self.store[seat] + self.on(seat) for seat in (0, 1)))


_PITS, _SEEDS = range(3, 8), range(2, 7)


@known("Kalah (Mancala)", pits=_PITS, seeds=_SEEDS, captures=(True, False))
class Kalah(Sowing):
    """A store on the way; the last seed there gives another move, and one in an own empty pit takes."""

    def __init__(self, pits: int, seeds: int, captures: bool) -> None:
        super().__init__(pits, seeds)
        self.captures = captures

    def play(self, move: int) -> None:
        """Sow."""
        ring = [*self.side(self.seat), None, *self.side(1 - self.seat)]
        seeds, self.board[move], at = self.board[move], 0, ring.index(move)
        while seeds:
            at = (at + 1) % len(ring)
            pit = ring[at]
            if pit is None:
                self.store[self.seat] += 1
            else:
                self.board[pit] += 1
            seeds -= 1
        last = ring[at]
        if self.captures and last is not None and last in self.side(self.seat) and self.board[last] == 1:
            opposite = 2 * self.pits - 1 - last
            if self.board[opposite]:
                self.store[self.seat] += 1 + self.board[opposite]
                self.board[last] = self.board[opposite] = 0
        if not self.on(0) or not self.on(1):
            self.sweep()
        elif last is not None:
            self.turn()


@known("Oware (Awari)", pits=_PITS, seeds=_SEEDS, most=(60, 80, 100))
class Oware(Sowing):
    """Twos and threes on the other side are taken."""

    def legal(self) -> Moves:
        """Own pits with seeds; those that feed a starved opponent, if there are any."""
        own = super().legal()
        if self.on(1 - self.seat):
            return own
        return [pit for pit in own if self.board[pit] >= self.side(self.seat).stop - pit]

    def play(self, move: int) -> None:
        """Sow and take."""
        seeds, self.board[move] = self.board[move], 0
        at = move
        while seeds:
            at = (at + 1) % (2 * self.pits)
            if at != move:
                self.board[at] += 1
                seeds -= 1
        other, taken = self.side(1 - self.seat), []  # type: range, list[int]
        while at in other and self.board[at] in (2, 3):
            taken.append(at)
            at -= 1
        won = sum(self.board[pit] for pit in taken)
        if won < self.on(1 - self.seat):
            self.store[self.seat] += won
            for pit in taken:
                self.board[pit] = 0
        self.left -= 1
        mover = self.seat
        self.turn()
        total = sum(self.board) + sum(self.store)
        if 2 * self.store[mover] > total:
            self.win(mover)
        elif not self.legal():
            self.sweep()
        elif not self.left:
            self.count(*self.store)
