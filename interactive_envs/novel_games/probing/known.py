"""Known games, found by how they play: positions and moves may be called anything and kept in any way.

Two positions are one where they offer the same ends and the same next positions (bisimulation). Each such class gets a
number, and a known game that is written down here gets its number from the same table: equal numbers, equal play.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.probing.common import any_move
from interactive_envs.novel_games.search.exact import Solution, solve_from

End = str
"""What a move that ends the game is to its mover: ``won``, ``lost`` or ``drawn``."""
Option = tuple[bool, int] | End
"""Where a move leads: whether the turn passes, and the number of the position; or an end."""
Heaps = tuple[tuple[int, int], ...]
"""The size of each heap, and the most that may be taken from it."""
MOST_HEAPS = 8
MOST_TAKEN, MOST_SUMS = 150, 60
"""Of all heaps together, and sums that are compared with one game."""
LATER, LATER_STATES, LATER_MOVES = 3, 300, 12
"""Random games whose later parts are looked at, and the most states and first moves of such a part."""
LEAST_STATES = 20
"""Of a part that tells anything."""


class Shapes:
    """Numbers for positions, equal for all that play alike.

    Attributes:
        options: where the moves of each position lead.
        longest: moves of the longest play from each position.
    """

    def __init__(self) -> None:
        self._numbers: dict[frozenset[Option], int] = {}
        self.options: list[frozenset[Option]] = []
        self.longest: list[int] = []

    def number(self, options: Iterable[Option]) -> int:
        """The number of the position with these moves; moves that lead to one position count once."""
        known = frozenset(options)
        if known not in self._numbers:
            self._numbers[known] = len(self.options)
            self.options.append(known)
            self.longest.append(1 + max((self.left(one) for one in known), default=-1))
        return self._numbers[known]

    def left(self, option: Option) -> int:
        """Moves of the longest play after a move."""
        return 0 if isinstance(option, str) else self.longest[option[1]]

    def below(self, number: int) -> set[int]:
        """The numbers of all positions that play may reach from one, itself included."""
        found, todo = {number}, [number]
        while todo:
            fresh = {one[1] for one in self.options[todo.pop()] if not isinstance(one, str)} - found
            found |= fresh
            todo += fresh
        return found


def known_games(solution: Solution) -> list[str]:
    """The names of the known games that play as a solved one does."""
    shapes = Shapes()
    number = number_of(shapes, solution)
    if number is None:
        return []
    found = (next((name for name, theirs in games(shapes, number) if theirs == number), None) for games in KNOWN)
    return [name for name in found if name is not None]


def known_endings(program: Program) -> list[str]:
    """The known games that the later parts of random games play as, where the whole has too many states to be solved.

    Three games must agree in the kind of game, each from the earliest of its positions that can be solved.
    """
    names: list[str] = []
    for game in range(LATER):
        table, rng = program.new(game), np.random.default_rng(game)
        solution = None
        while table.result is None and solution is None:
            table.play(any_move(table.legal(), rng))
            if table.result is None and len(table.legal()) <= LATER_MOVES:
                solution = solve_from(table, LATER_STATES)
        found = known_games(solution) if solution and solution.states >= LEAST_STATES else []
        if not found:
            return []
        names.append(found[0])
    return names


def number_of(shapes: Shapes, solution: Solution) -> int | None:
    """The number of a solved game's start; None where play may come back to a position, or has chance."""
    order = solution.last_first()
    numbers: dict[int, int] = {}
    for state in order or ():
        numbers[state] = shapes.number(_option(solution, state, after, numbers) for after in solution.moves(state))
    return numbers[order[-1]] if order else None


def _option(solution: Solution, state: int, after: int, numbers: Mapping[int, int]) -> Option:
    end, mover = solution.end(after), solution.mover(state)
    if end is None:
        return solution.mover(after) != mover, numbers[after]
    return "drawn" if end == 0 else "won" if (end > 0) == (mover == 0) else "lost"


def written(shapes: Shapes, start: Heaps, moves: Callable[[Heaps], Sequence[Heaps]], last: End) -> int:
    """The number of a game that is written down: turns alternate, and a position without a move is the end.

    Args:
        shapes: the table of numbers.
        start: the first position, which has moves.
        moves: the positions that one move reaches.
        last: what the end is to who made the last move.
    """
    numbers: dict[Heaps, int] = {}
    todo = [start]
    while todo:
        reached = {after: moves(after) for after in moves(todo[-1])}
        if fresh := [after for after, further in reached.items() if further and after not in numbers]:
            todo += fresh
        else:
            options = ((True, numbers[after]) if further else last for after, further in reached.items())
            numbers[todo.pop()] = shapes.number(options)
    return numbers[start]


def sums_of_heaps(shapes: Shapes, number: int) -> Iterator[tuple[str, int]]:
    """Sums of heaps that a game of this number may be, each with its own number.

    A move takes some from one heap, as many as that heap allows; who takes the last of all wins, or loses. What may be
    taken is read off the lengths of the longest plays, for a move shortens them by what it takes (where single ones
    may be taken); so is how many heaps there are of which more than so many may be taken.
    """
    positions = shapes.below(number)
    options = {one for at in positions for one in shapes.options[at]}
    ends = {one for one in options if isinstance(one, str)}
    if len(ends) != 1 or "drawn" in ends or not all(one[0] for one in options if not isinstance(one, str)):
        return

    def taken(at: int) -> list[int]:
        return [shapes.longest[at] - shapes.left(one) for one in shapes.options[at]]

    (last,), first = ends, taken(number)
    takes = sorted({take for at in positions for take in taken(at)})
    total = shapes.longest[number]
    if takes[0] != 1 or takes == [1] or total > MOST_TAKEN:  # single ones alone only count moves, whatever the game
        return
    limits = [max(take for take in takes if first.count(take) > place) for place in range(first.count(1))]
    for heaps in itertools.islice(_sums(total, limits), MOST_SUMS):
        # of so many positions; those that differ only in the order of the heaps are one
        most = math.prod(size + 1 for size, _ in heaps)
        if most > len(positions) >= most / math.factorial(len(heaps)) - 1:
            yield _called(heaps, takes, last), written(shapes, heaps, lambda at: _take(at, takes), last)


KNOWN: tuple[Callable[[Shapes, int], Iterator[tuple[str, int]]], ...] = (sums_of_heaps,)
"""Each yields the names and numbers of games that a game of some number may be; :func:`written` makes a number."""


def _take(heaps: Heaps, takes: Sequence[int]) -> list[Heaps]:
    """Every position after one move; heaps are in order, and empty ones are left out."""
    reached = []
    for place, (size, limit) in enumerate(heaps):
        rest = heaps[:place] + heaps[place + 1 :]
        for take in takes:
            if take <= min(size, limit):
                left = size - take
                reached.append(tuple(sorted((*rest, (left, min(limit, left))))) if left else rest)
    return reached


def _sums(total: int, limits: Sequence[int]) -> Iterator[Heaps]:
    """Heaps with this total, of different kinds with these limits; those first of which all may be taken at once."""

    def go_on(left: int, limits: Sequence[int], heaps: Heaps) -> Iterator[Heaps]:
        limit, *further = limits
        most = MOST_HEAPS - len(heaps)
        if not further:  # the last kind takes all that is left
            for times in range(1, min(left // limit, most) + 1):
                if left % times == 0:
                    yield tuple(sorted((*heaps, *[(left // times, limit)] * times)))
            return
        for size in range(limit, left - sum(further) + 1):
            for times in range(1, min(left // size, most) + 1):
                yield from go_on(left - size * times, further, (*heaps, *[(size, limit)] * times))

    found = dict.fromkeys(itertools.islice(go_on(total, limits, ()), MOST_SUMS**2))
    yield from sorted(found, key=lambda heaps: (any(size > limit for size, limit in heaps), len(heaps)))


def _called(heaps: Heaps, takes: Sequence[int], last: End) -> str:
    def allowed(limit: int) -> str:
        known = [take for take in takes if take <= limit]
        row = len(known) > 2 and known == [*range(1, limit + 1)]
        return f"1 to {limit}" if row else " or ".join(map(str, known))

    alike = all(limit == max(take for take in takes if take <= size) for size, limit in heaps)
    names = [str(size) if alike else f"{size} ({allowed(limit)} taken)" for size, limit in heaps]
    name = " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])
    name = f"Nim with {'heaps' if len(heaps) > 1 else 'a heap'} of {name}"
    if alike and takes != [*range(1, heaps[-1][0] + 1)]:
        name += f" with {allowed(takes[-1])} taken"
    return name + (", where the last move loses" if last == "lost" else "")
