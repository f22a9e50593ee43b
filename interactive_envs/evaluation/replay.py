"""Replays what a folder holds: the episodes of runs, or the matches of a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interactive_envs.evaluation.folders import Kind, kind_of
from interactive_envs.evaluation.passk.compare import INTERACTIVE, SINGLE
from interactive_envs.evaluation.run import replay as episodes
from interactive_envs.evaluation.tournament import replay as matches
from interactive_envs.evaluation.tournament.play import TournamentStore
from interactive_envs.reporting.store import RunStore


@dataclass(frozen=True)
class Replay:
    """One record, replayed.

    Attributes:
        case: the id of an episode's case, or of a match.
        name: what it is, for people.
        problem: the first difference, None where it replays exactly.
    """

    case: str
    name: str
    problem: str | None


@dataclass(frozen=True)
class Replayer:
    """The records of a folder; each is replayed when iteration comes to it.

    Attributes:
        nouns: what they are, ``episodes`` or ``matches``.
        replays: one a record.
    """

    nouns: str
    replays: Iterator[Replay]


def replayer(folder: Path, case: str | None = None) -> Replayer:
    """Return the replays of a run, a tournament or a comparison.

    Args:
        folder: what ``ibench run``, ``ibench tournament`` or ``ibench passk`` wrote.
        case: only the records of this case, or this match.

    Raises:
        ConfigError: the folder holds none of these; while iterating, a record is damaged, or was played with other
            data.
    """
    kind = kind_of(folder)
    if kind is Kind.TOURNAMENT:
        return Replayer("matches", _matches(TournamentStore.read_only(folder), case))
    folders = [folder / name for name in (INTERACTIVE, SINGLE)] if kind is Kind.COMPARISON else [folder]
    stores = [RunStore.read_only(one) for one in folders]
    return Replayer("episodes", (replay for store in stores for replay in _episodes(store, case)))


def _episodes(store: RunStore, case: str | None) -> Iterator[Replay]:
    for row in store.rows():
        if case in (None, row.case):
            name = f"cell {row.cell}, {row.case}, epoch {row.epoch}"
            yield Replay(row.case, name, episodes.mismatch(store.episode(row)))


def _matches(store: TournamentStore, case: str | None) -> Iterator[Replay]:
    for record, problem in matches.replays(store, case):
        yield Replay(record.match, f"match {record.match}", problem)
