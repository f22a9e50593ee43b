"""Exact values of games with few states, by searching all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from interactive_envs.novel_games.host.adapter import Program, Table

Outcomes = list[tuple[float, int]]
"""States that one move can lead to, each with its probability; one state where there is no chance."""
PRECISION = 1e-12
MOST_SWEEPS = 10_000


class TooManyStatesError(Exception):
    """There are more states than the search was given room for."""


class NotEnumerableError(Exception):
    """The game has chance or hidden information and does not list the outcomes of a move."""


class Solution:
    """The value of every reachable state under best play of both seats; a game that never ends is worth 0.

    The limit on the number of turns is left out of account: it is a fault of play, not part of the game.

    Attributes:
        states: how many there are, ended games counted as one for each result.
        value: of the start for the first seat, from -1 to 1; the mean over the starts.
        plies: moves until the end that one seat can force from the start, played out as late as the other can; 0 where
            neither can, or there is chance or several starts.
        endless: best play comes to no end: neither seat can force a win, and no draw is reached by moves that keep
            the balance.
    """

    def __init__(self, program: Program, limit: int, starts: Sequence[Table]) -> None:
        self._program = program
        self._limit = limit
        self._index: dict[Any, int] = {}
        self._movers = bytearray()
        self._moves: list[list[Outcomes]] = []
        self._ends: list[float | None] = []
        self._chance = program.chances
        if program.views and not self._chance:
            raise NotEnumerableError("the game has chance or secrets and no chance(action) that lists the outcomes")
        first = [self._explore(start) for start in starts]
        self._plies = [0] * len(self._moves)
        self._values = self._by_sweeps() if self._chance else self._by_force()
        self.states = len(self._moves)
        self.value = sum(self._values[state] for state in first) / len(first)
        self.plies = self._plies[first[0]] if len(first) == 1 else 0
        self.endless = not self._chance and len(first) == 1 and self.value == 0 and self._never_ends(first[0])
        self._first = first[0]

    def value_of(self, table: Table) -> float:
        """What the first seat gets from here."""
        if table.result is not None:
            return table.score(0)
        return self._values[self._index[state_key(table)]]

    def values(self, table: Table) -> dict[int, float]:
        """What the first seat gets by each legal move of the seat that is to move."""
        table = table.clone()
        table.turns = 0  # the solution knows no limit of moves
        return {
            action: sum(chance * self.value_of(after) for chance, after in outcomes(table, action))
            for action in table.legal()
        }

    def best(self, table: Table) -> list[int]:
        """The moves that are best for the seat to move."""
        values = self.values(table)
        wanted = max(values.values()) if table.seat == 0 else min(values.values())
        return [action for action, value in values.items() if abs(value - wanted) < 1e-9]

    def mover(self, state: int) -> int:
        """The seat to move in a state."""
        return self._movers[state]

    def end(self, state: int) -> float | None:
        """What the first seat gets where the game is over, else None."""
        return self._ends[state]

    def moves(self, state: int) -> list[int]:
        """The states that its moves lead to, in a game without chance."""
        return [after for ((_, after),) in self._moves[state]]

    def last_first(self) -> list[int] | None:
        """The states before the end in an order in which moves lead back, the first start at last.

        Returns:
            None where a state can come again, or there is chance.
        """
        if self._chance:
            return None
        order: list[int] = []
        seen: dict[int, bool] = {}  # whether all that follows is in order
        todo = [self._first]
        while todo:
            state = todo[-1]
            if state in seen:
                if not seen[state]:
                    seen[state] = True
                    order.append(state)
                todo.pop()
                continue
            seen[state] = False
            for after in self.moves(state):
                if self._ends[after] is None and after not in seen:
                    todo.append(after)
                elif not seen.get(after, True):
                    return None
        return order

    def _never_ends(self, start: int) -> bool:
        """Whether no end is reached by moves that leave a state without a winner as it is."""
        seen, todo = {start}, [start]
        while todo:
            for after in self.moves(todo.pop()):
                if self._values[after] == 0 and after not in seen:
                    if self._ends[after] is not None:
                        return False
                    seen.add(after)
                    todo.append(after)
        return True

    def _explore(self, start: Table) -> int:
        first = self._state(start)
        if first is not None:
            return self._index[state_key(start)]
        todo = [start]
        self._add(start)
        while todo:
            table = todo.pop()
            moves = self._moves[self._index[state_key(table)]]
            for action in table.legal():
                reached: Outcomes = []
                for chance, after in outcomes(table, action):
                    state = self._state(after)
                    if state is None:
                        state = self._add(after)
                        if after.result is None:
                            todo.append(after)
                    reached.append((chance, state))
                moves.append(reached)
        return self._index[state_key(start)]

    def _state(self, table: Table) -> int | None:
        return self._index.get(state_key(table))

    def _add(self, table: Table) -> int:
        state = self._index[state_key(table)] = len(self._moves)
        if state >= self._limit:
            raise TooManyStatesError(f"more than {self._limit} states")
        table.turns = 0
        self._movers.append(table.seat)
        self._moves.append([])
        self._ends.append(None if table.result is None else table.score(0))
        return state

    def _by_force(self) -> list[float]:
        """Without chance: what each seat can force; where neither can force a win, the game is worth 0."""
        values = [0.0] * len(self._moves)
        before: list[list[int]] = [[] for _ in self._moves]
        for state, moves in enumerate(self._moves):
            for ((_, after),) in moves:
                before[after].append(state)
        for seat, worth in ((0, 1.0), (1, -1.0)):
            left = [len(moves) for moves in self._moves]
            won = deque(state for state, end in enumerate(self._ends) if end == worth)
            forced = bytearray(len(self._moves))
            for state in won:
                forced[state] = 1
            while won:
                after = won.popleft()  # by turns, so that the first way found is the shortest
                values[after] = worth
                for state in before[after]:
                    left[state] -= 1
                    if not forced[state] and (self._movers[state] == seat or left[state] == 0):
                        forced[state] = 1
                        self._plies[state] = self._plies[after] + 1
                        won.append(state)
        return values

    def _by_sweeps(self) -> list[float]:
        """With chance: expected values, later states first, again until none changes."""
        values = [0.0 if end is None else end for end in self._ends]
        order = [state for state in reversed(range(len(values))) if self._ends[state] is None]
        for _ in range(MOST_SWEEPS):
            change = 0.0
            for state in order:
                choose = max if self._movers[state] == 0 else min
                value = choose(sum(chance * values[after] for chance, after in move) for move in self._moves[state])
                change = max(change, abs(value - values[state]))
                values[state] = value
            if change < PRECISION:
                break
        return values


def solve(program: Program, limit: int = 1_000_000, seeds: Iterable[int] = (0,)) -> Solution | None:
    """The exact solution; None where there are more states than the limit, or chance that cannot be enumerated.

    Args:
        program: the game.
        limit: most states.
        seeds: of the starts, for games whose start is drawn.
    """
    try:
        return Solution(program, limit, [program.new(seed) for seed in seeds])
    except (TooManyStatesError, NotEnumerableError):
        return None


def solve_from(table: Table, limit: int) -> Solution | None:
    """The exact solution of what is left of a game, as :func:`solve` has it of the whole."""
    try:
        return Solution(table.program, limit, [table.clone()])
    except (TooManyStatesError, NotEnumerableError):
        return None


def outcomes(table: Table, action: int) -> list[tuple[float, Table]]:
    """The games that a move can lead to, each with its probability."""
    if not table.program.chances:
        return [(1.0, table.branch(action))]
    reached = []
    for chance, env in table.env.chance(action):
        after = Table(table.program, env, None)
        after.seat = table.program.seat_of(env, 1 - table.seat)
        if not env.valid_moves():
            after.result = table.program.winner(env.winner, 0)
        reached.append((float(chance), after))
    return reached


def state_key(table: Table) -> Any:
    """What tells states apart, hashable; ended games count as one state for each result."""
    return table.result or (table.seat, table.key())
