"""Leaderboards of the suite ``core`` over several runs, beside the players of known strength."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.core import results
from interactive_envs.evaluation.core.scoring import Score
from interactive_envs.evaluation.core.suite import size_of
from interactive_envs.reporting.store import RunStore


@dataclass(frozen=True)
class Entry:
    """A run that may be on a leaderboard.

    Attributes:
        name: what it is called.
        store: the run.
        is_verified: whether :func:`interactive_envs.evaluation.verify.verify` has accepted it.
    """

    name: str
    store: RunStore
    is_verified: bool


@dataclass(frozen=True)
class Row:
    """A player on a leaderboard.

    Attributes:
        score: its scores.
        run: the run it played in; "" for a player of known strength.
        is_verified: whether that run is.
    """

    score: Score
    run: str
    is_verified: bool


@dataclass(frozen=True)
class Board:
    """The leaderboard of one size of the suite, the best player first; who lacks a setting comes last."""

    size: str
    rows: tuple[Row, ...]


def boards(entries: Iterable[Entry]) -> list[Board]:
    """A leaderboard for each size that a run plays; runs of other suites are left out."""
    found: dict[str, dict[str, tuple[results.Played, Entry]]] = {}
    for entry in entries:
        size = size_of(entry.store.config)
        if size is None or results.unscored(size):
            continue
        try:
            played = results.played(entry.store)
        except ConfigError:
            continue  # of this version by its name alone
        for player, one in played.items():
            name = player if player not in found.get(size, {}) else f"{player} ({entry.name})"
            found.setdefault(size, {})[name] = (one, entry)
    made = []
    for size, players in found.items():
        ours, known = results.table(size, {name: one for name, (one, _) in players.items()})
        rows = [Row(score, players[score.player][1].name, players[score.player][1].is_verified) for score in ours]
        rows += [Row(score, "", False) for score in known]
        made.append(Board(size, tuple(sorted(rows, key=_place))))
    return made


def _place(row: Row) -> float:
    return math.inf if row.score.score.value is None else -row.score.score.value
