"""Whether the start is decided by a move or three, which takes no solution of the game to see."""

from __future__ import annotations

import time

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.probing.common import WATCHED, Facts

PLIES = 3
SECONDS = 3.0
"""CPU seconds after which the search of an opening is given up."""


class _LateError(Exception):
    pass


def quick_win(program: Program, certain: bool) -> Facts:
    """The fewest plies in which a seat wins from the start by force, up to :data:`PLIES`.

    Args:
        program: the game.
        certain: whether it has neither secrets nor chance; else only a win at once is looked for, whatever is drawn,
            for of longer ones a copy would know what the seat does not.

    Returns:
        ``plies``, 0 where there is no such win or the search took too long; ``seat``, 0 or 1; ``move``, the first by
        its name, ``""`` where every first move loses.
    """
    try:
        if not certain:
            return _at_once(program)
        start, stop = program.new(0), time.process_time() + SECONDS
        for plies in range(1, PLIES + 1):
            for seat in (0, 1):
                if moves := _wins(start, seat, plies, stop):
                    return _found(start, plies, seat, moves[0] if start.seat == seat else None)
    except _LateError:
        pass
    return {"plies": 0, "seat": 0, "move": ""}


def _at_once(program: Program) -> Facts:
    """A first move that wins in every seed."""
    starts = [program.new(seed) for seed in range(WATCHED)]
    for action in starts[0].legal():
        if all(action in start.legal() and start.branch(action).score(start.seat) == 1 for start in starts):
            return _found(starts[0], 1, starts[0].seat, action)
    return {"plies": 0, "seat": 0, "move": ""}


def _found(start: Table, plies: int, seat: int, action: int | None) -> Facts:
    return {"plies": plies, "seat": seat, "move": "" if action is None else start.name(action)}


def _wins(table: Table, seat: int, plies: int, stop: float) -> list[int]:
    """The moves after which a seat wins by force within so many plies: one of its own, or all of the other's."""
    if time.process_time() > stop:
        raise _LateError
    legal, won = table.legal(), []
    for action in legal:
        after = table.branch(action)
        if after.score(seat) == 1 or (after.result is None and plies > 1 and _wins(after, seat, plies - 1, stop)):
            won.append(action)
            if table.seat == seat:
                return won
        elif table.seat != seat:
            return []
    return won
