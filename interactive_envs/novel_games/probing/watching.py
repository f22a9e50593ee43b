"""Follows the attributes of a game while it is played."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import PLAYER_NAMES, Program
from interactive_envs.novel_games.probing.common import WATCHED, Facts, mean

ANSWERED = 0.8
"""Share of the moves that change a board which put marks of two kinds on it: one may be the other player's."""
_EMPTY = (0, None, "", " ", ".", "-", "_")


class Watch:
    """Follows the attributes of the first games: who keeps the acting player, and whether a move is two moves."""

    def __init__(self) -> None:
        self._runs: list[list[Facts]] = []
        self._rows: dict[str, list[Any]] = {}
        self._steps: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self._on = False

    def begin(self, env: Any, game: int) -> None:
        """A new game begins."""
        self._on = game < WATCHED
        if self._on:
            self._runs.append([_scalars(env)])
            self._rows = _rows(env)

    def step(self, env: Any, goes_on: bool) -> None:
        """A move was played; ``goes_on`` says that the game is not over."""
        if not (self._on and goes_on):
            return
        self._runs[-1].append(_scalars(env))
        before, self._rows = self._rows, _rows(env)
        for name, row in self._rows.items():
            pairs = zip(before.get(name, []), row, strict=False)
            if changes := [(old, new) for old, new in pairs if repr(old) != repr(new)]:
                filled = all(old in _EMPTY and new not in _EMPTY for old, new in changes)
                self._steps[name] += 1
                self._answered[name] += filled and len({repr(new) for _, new in changes}) > 1

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
        return {
            "constant_player": constant,
            "unclear_player": often if unclear else [],
            "maybe_player": [] if unclear or program.player else [*often, *rarely],
            "answered": [name for name, steps in self._steps.items() if self._answered[name] >= ANSWERED * steps],
        }


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
