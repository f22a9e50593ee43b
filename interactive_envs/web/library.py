"""The runs that lie in some folders: what they hold, read when asked for and kept while nothing changes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, IbenchError, UnknownNameError
from interactive_envs.evaluation import leaderboard, verify
from interactive_envs.evaluation.run import listing, live
from interactive_envs.evaluation.run.listing import OUTCOMES, Listing
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import summary
from interactive_envs.reporting.estimates import Estimate, mean
from interactive_envs.reporting.records import EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.files import open_regular

DEEP = 4
"""Folders in folders in which runs are looked for."""
RECENT = 300.0
"""Seconds after the last sign of life for which an unfinished run counts as under way."""


@dataclass(frozen=True)
class Standing:
    """How a player did in a setting.

    Attributes:
        setting: what was played.
        player: who.
        played: episodes.
        reward: the mean, with its interval; episodes without a score left out.
        outcomes: how many ended how.
        unreadable: messages that could not be read.
    """

    setting: str
    player: str
    played: int
    reward: Estimate
    outcomes: Mapping[str, int]
    unreadable: int


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    played: int
    planned: int
    faults: int
    spent: float
    is_live: bool


class Run:
    """One run's folder.

    Args:
        name: by which pages call it.
        folder: where it lies.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.store = RunStore.read_only(folder)
        self.cells = summary.names(self.config)
        self._listing: Listing | None = None
        self._standings: tuple[Listing, list[Standing]] | None = None
        self._verified: tuple[tuple[float, ...], bool] | None = None
        self._entry: tuple[tuple[tuple[int, int], bool], leaderboard.Entry | None] | None = None
        self._lock = threading.Lock()

    @property
    def config(self) -> RunConfig:
        """What it plays."""
        return self.store.config

    @property
    def players(self) -> list[str]:
        """Its players, each once."""
        return list(dict.fromkeys(cell.player for cell in self.config.cells))

    @property
    def environments(self) -> list[str]:
        """Its environments, each once."""
        return list(dict.fromkeys(cell.env_id for cell in self.config.cells))

    @property
    def changed(self) -> float:
        """When its last episode ended, or its last step was told, in seconds since 1970."""
        files = (*self.store.lines.files(), self.folder / live.FILE, self.folder / "config.json")
        return max(map(_modified, files))

    @property
    def listing(self) -> Listing:
        """Its episodes by cell, case and epoch; what is new is read where there are more.

        Raises:
            ConfigError: a line is damaged.
        """
        with self._lock:
            self._listing = listing.read(self.store, self._listing)
            return self._listing

    def _sizes(self) -> tuple[int, int]:
        return sum(map(_size, self.store.lines.files())), _size(self.folder / "index.jsonl")

    @property
    def is_verified(self) -> bool:
        """Whether ``ibench verify`` has accepted it as it is now."""
        stamp = _modified(self.folder / verify.FILE)
        now = (stamp, self.changed, _modified(self.folder / "summary.json"))
        if self._verified is None or self._verified[0] != now:
            self._verified = now, stamp > 0 and verify.is_verified(self.folder)
        return self._verified[1]

    def entry(self) -> leaderboard.Entry | None:
        """What leaderboards need of it, None where it plays no suite that has one; read again once it has changed."""
        now = (self._sizes(), self.is_verified)
        if self._entry is None or self._entry[0] != now:
            self._entry = now, leaderboard.entry(self.name, self.store, is_verified=self.is_verified)
        return self._entry[1]

    def row(self, key: tuple[int, int, int]) -> EpisodeRow:
        """One episode.

        Raises:
            ConfigError: it has not been played.
        """
        return self.rows([self.place(key)])[0]

    def rows(self, places: Iterable[int]) -> list[EpisodeRow]:
        """The episodes at some places of the listing."""
        listing = self.listing
        return [listing.row(self.store, int(place)) for place in places]

    def place(self, key: tuple[int, int, int]) -> int:
        """Where an episode stands among the others.

        Raises:
            ConfigError: it has not been played.
        """
        place = self.listing.place(key)
        if place is None:
            raise ConfigError(f"run {self.name!r} has no episode {'-'.join(map(str, key))}")
        return place

    def has(self, key: tuple[int, int, int]) -> bool:
        """Whether an episode has been played."""
        return self.listing.place(key) is not None

    def progress(self) -> Progress:
        """How far it is; of episodes that were not read yet only the lines of the index are counted."""
        known = self._listing
        is_read = known is not None and known.is_current(self.store)
        played = len(known or ()) if is_read else _lines(self.folder / "index.jsonl")
        planned = self.config.total
        is_live = played < planned and time.time() - self.changed < RECENT
        return Progress(played, planned, self.store.faults(), self.store.spent(), is_live)

    def standings(self) -> list[Standing]:
        """How its players did, by setting; where there are many settings, by family."""
        listing = self.listing
        if self._standings is None or self._standings[0] is not listing:
            self._standings = listing, self._summed(listing.table)
        return self._standings[1]

    def _summed(self, table: NDArray[Any]) -> list[Standing]:
        many = len({name.setting for name in self.cells}) > 40
        names = [
            (_family(cell.env_id) if many else name.setting, cell.player)
            for cell, name in zip(self.config.cells, self.cells, strict=True)
        ]
        groups = sorted(set(names))
        group = np.array([groups.index(name) for name in names], int)[table["cell"]]
        return [_standing(*name, table[group == number]) for number, name in enumerate(groups)]


class Library:
    """All runs under some folders.

    Args:
        roots: run folders, or folders that hold some; one that lies in another is looked through once.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = tuple(dict.fromkeys(roots))
        self._runs: dict[Path, tuple[float, Run]] = {}
        self._lock = threading.Lock()

    def runs(self) -> list[Run]:
        """The runs that can be read, the latest first."""
        with self._lock:
            found = {}
            for name, folder in self._folders():
                stamp = _modified(folder / "config.json")
                known = self._runs.get(folder)
                try:
                    found[folder] = known if known and known[0] == stamp else (stamp, Run(name, folder))
                except IbenchError:
                    continue  # a tournament, a comparison's folder, or no run at all
            self._runs = found
            return sorted((run for _, run in found.values()), key=lambda run: -run.changed)

    def run(self, name: str) -> Run:
        """The run of a name.

        Raises:
            UnknownNameError: there is none.
        """
        known = {run.name: run for run in self.runs()}
        if name not in known:
            raise UnknownNameError("run", name, known)
        return known[name]

    def _folders(self) -> Iterator[tuple[str, Path]]:
        for root in self._roots:
            for folder, folders, files in os.walk(root):
                here = Path(folder)
                deep = len(here.relative_to(root).parts)
                folders[:] = sorted(folders) if deep < DEEP and "config.json" not in files else []
                if "config.json" in files:
                    inside = here.relative_to(root)
                    alone = len(self._roots) == 1
                    yield (str(inside) if alone and inside.parts else str(here)), here


def chosen(
    listing: Listing, run: Run, *, player: str = "", env_id: str = "", outcome: str = "", case: str = ""
) -> NDArray[np.intp]:
    """The places of the episodes that a filter leaves; an empty text filters nothing."""
    cells = [player in ("", cell.player) and env_id in ("", cell.env_id) for cell in run.config.cells]
    keep = np.array(cells, bool)[listing.table["cell"]]
    if outcome:
        keep &= np.array([one == outcome for one in OUTCOMES])[listing.table["outcome"]]
    if case:
        keep &= np.array([case in one for one in listing.cases], bool)[listing.table["case"]]
    return np.flatnonzero(keep)


def _standing(setting: str, player: str, table: NDArray[Any]) -> Standing:
    scored = table[table["outcome"] != OUTCOMES.index(Outcome.UNSCORED)]
    case = np.unique(scored["case_index"], return_inverse=True)[1]
    cases = np.unique(scored["cell"] * (len(case) + 1) + case, return_inverse=True)[1]
    counts = np.bincount(table["outcome"], minlength=len(OUTCOMES)).tolist()
    outcomes = {one.value: count for one, count in zip(OUTCOMES, counts, strict=True) if count}
    return Standing(setting, player, len(table), mean(scored["reward"], cases), outcomes, int(table["invalid"].sum()))


def _family(env_id: str) -> str:
    unit: Mapping[str, Any] | None = catalog.load()["units"].get(env_id)
    if unit is None:
        return env_id
    card = catalog.family(unit["family"])
    return card.label or card.name


def _lines(path: Path) -> int:
    try:
        with open_regular(path) as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except (OSError, ConfigError):
        return 0


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
