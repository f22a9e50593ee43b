"""Leaderboards of the suite ``core`` over several runs, beside the players of known strength."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.core import results
from interactive_envs.evaluation.core.scoring import Score
from interactive_envs.evaluation.core.suite import size_of
from interactive_envs.reporting.store import RunStore


@dataclass(frozen=True)
class Entry:
    """A run that is on a leaderboard.

    Attributes:
        run: what it is called.
        size: of the suite.
        players: what they did, by name.
        is_verified: whether :func:`interactive_envs.evaluation.verify.verify` has accepted it.
    """

    run: str
    size: str
    players: Mapping[str, results.Played]
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


def entry(run: str, store: RunStore, *, is_verified: bool) -> Entry | None:
    """Read what a leaderboard needs of a run; None where it plays no suite that has one."""
    size = size_of(store.config)
    if size is None or results.unscored(size):
        return None
    try:
        return Entry(run, size, results.played(store), is_verified)
    except ConfigError:  # it has the suite's name alone
        return None


def boards(entries: Iterable[Entry | None]) -> list[Board]:
    """A leaderboard for each size; players of one name in several runs are told apart by the run."""
    found: dict[str, dict[str, tuple[results.Played, Entry]]] = {}
    for one in entries:
        if one is not None:
            players = found.setdefault(one.size, {})
            for player, played in one.players.items():
                players[f"{player} ({one.run})" if player in players else player] = (played, one)
    made = []
    for size, players in found.items():
        ours, known = results.table(size, {name: played for name, (played, _) in players.items()})
        rows = [Row(score, players[score.player][1].run, players[score.player][1].is_verified) for score in ours]
        rows += [Row(score, "", False) for score in known]
        made.append(Board(size, tuple(sorted(rows, key=_place))))
    return made


def _place(row: Row) -> float:
    return math.inf if row.score.score.value is None else -row.score.score.value
