"""Follows the attributes of a game while it is played."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import PLAYER_NAMES, Program
from interactive_envs.novel_games.probing.common import WATCHED, Facts, mean

ANSWERED = 0.8
"""Share of the moves that change a board which put marks of two kinds on it: one may be the other player's."""
MARKS = 2
"""Kinds of pieces on the board of a game that has pieces of two players and nothing else."""
_OPPONENT = re.compile(r"_*(opponent|computer|enemy|bot|cpu|ai|monster|house)(_|\Z)", re.I)
"""Names of what belongs to somebody who is no seat."""
_EMPTY = (0, None, "", " ", ".", "-", "_")


class Watch:
    """Follows the attributes of the first games: who keeps the acting player, and whether a move is two moves.

    A game that plays one of its sides itself gives itself away: one step changes the pieces of both, what moves is the
    same side every time, and nothing tells whose turn it is, for the turn never passes.
    """

    def __init__(self) -> None:
        self._runs: list[list[Facts]] = []
        self._rows: dict[str, list[Any]] = {}
        self._steps: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._moved: Counter[str] = Counter()
        self._kinds: dict[str, set[str]] = {}
        self._placed: dict[str, tuple[list[str], list[str]]] = {}
        self._counts: list[list[Facts]] = []
        self._on = False

    def begin(self, env: Any, game: int) -> None:
        """A new game begins."""
        self._on = game < WATCHED
        if self._on:
            self._runs.append([_scalars(env)])
            self._counts.append([_counts(env)])
            self._rows = _rows(env)

    def step(self, env: Any, seat: int, action: int, goes_on: bool) -> None:
        """A seat played a move; ``goes_on`` says that the game is not over."""
        if not (self._on and goes_on):
            return
        self._runs[-1].append(_scalars(env))
        self._counts[-1].append(_counts(env))
        before, self._rows = self._rows, _rows(env)
        for name, row in self._rows.items():
            pairs = zip(before.get(name, []), row, strict=False)
            if changes := [(old, new) for old, new in pairs if repr(old) != repr(new)]:
                marks = {repr(new) for _, new in changes if not _is_empty(new)}
                self._moved[name] += len(marks) > 1
                if len(kinds := self._kinds.setdefault(name, set())) <= MARKS:
                    kinds |= {repr(value) for value in row if not _is_empty(value)}
                filled = all(_is_placed(old, new) for old, new in changes)
                self._steps[name] += 1
                self._answered[name] += filled and len(marks) > 1
                if action < min(len(before.get(name, [])), len(row)) and _is_placed(before[name][action], row[action]):
                    self._placed.setdefault(name, ([], []))[seat].append(repr(row[action]))

    def facts(self, program: Program) -> Facts:
        """What the attributes say of who acts."""
        runs = [run for run in self._runs if len(run) > 2]
        names = set.intersection(*(set(run[0]) for run in runs)) if runs else set()
        constant, often, rarely, alternating = [], [], [], []
        for name in sorted(names):
            columns = [[state.get(name) for state in run] for run in runs]
            values = {repr(value) for column in columns for value in column}
            if len(values) == 1 and name in PLAYER_NAMES:
                constant.append(name)
            if len(values) != 2 or len({repr(column[0]) for column in columns}) > 1:
                continue
            changes = [one != two for column in columns for one, two in pairwise(column)]
            if all(changes):
                alternating.append(name)
            elif mean(changes) >= 0.5:
                often.append(name)
            elif mean(changes) >= 0.2:
                rarely.append(name)
        unclear = not program.player and often and not alternating
        turnless = bool(runs) and not program.player and not alternating and not self._counted()
        answered = [
            name
            for name, steps in self._steps.items()
            if self._answered[name] >= ANSWERED * steps
            # pieces of two kinds that change places may be a move of their own where seats take turns
            or (turnless and len(self._kinds[name]) == MARKS and self._moved[name] >= ANSWERED * steps)
        ]
        return {
            "constant_player": constant,
            "unclear_player": often if unclear else [],
            "maybe_player": [] if unclear or program.player else [*often, *rarely],
            "answered": answered,
            "one_mark": [name for name in answered if self._is_one_mark(name)],
            "turnless": turnless,
            "sides": [name for name in sorted(names) if _OPPONENT.match(name)],
        }

    def _is_one_mark(self, name: str) -> bool:
        """Whether both seats put one and the same mark where they move."""
        first, second = self._placed.get(name, ([], []))
        often = len(first) + len(second) >= ANSWERED * self._steps[name]
        return often and len(set(first)) == 1 and set(first) == set(second)

    def _counted(self) -> bool:
        """Whether a number is odd and even by turns, and so tells whose turn it is."""
        runs = [run for run in self._counts if len(run) > 2]
        names = set.intersection(*(set(run[0]) for run in runs)) if runs else set()
        return any(
            all((one.get(name, 0) - two.get(name, 0)) % 2 for run in runs for one, two in pairwise(run))
            for name in names
        )


def _is_empty(value: Any) -> bool:
    """Whether a field of a board holds nothing; an array or a list there is something."""
    return (value is None or isinstance(value, int | float | str | np.generic)) and value in _EMPTY


def _is_placed(old: Any, new: Any) -> bool:
    return _is_empty(old) and not _is_empty(new)


def _counts(env: Any) -> Facts:
    """Whole numbers, and how much of each kind there is."""
    sized = {f"len({name})": len(value) for name, value in vars(env).items() if isinstance(value, list | dict | str)}
    whole = {name: int(value) for name, value in _scalars(env).items() if isinstance(value, int | np.integer)}
    return sized | whole


def _scalars(env: Any) -> Facts:
    """Attributes that are a number or a text, and those in dictionaries."""
    contents: Facts = {}
    for name, value in vars(env).items():
        items = value.items() if isinstance(value, dict) else ()
        contents |= {name: value} | {f"{name}[{key!r}]": item for key, item in items}
    return {name: value for name, value in contents.items() if isinstance(value, int | str | np.integer)}


def _rows(env: Any) -> dict[str, list[Any]]:
    """Attributes that may be boards: arrays, lists, lists of lists."""
    rows = {}
    for name, value in vars(env).items():
        if isinstance(value, np.ndarray):
            rows[name] = value.ravel().tolist()
        elif isinstance(value, list):
            rows[name] = [item for part in value for item in (part if isinstance(part, list) else [part])]
    return rows
