"""The rows of a run as one table of numbers, kept beside it: lists of 100,000 episodes need not read them all.

``listing.bin`` is a line of JSON, then the table. It counts only for the very files it was made from: those with the
same inode, size and time of change, none of which a program can set. So it is never stale, and a copied one is nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import open_regular, parse_json, read_bytes

FILE = "listing.bin"
KEPT = 5_000
"""Rows that are worth a file; fewer are read at once."""
OUTCOMES = tuple(Outcome)
TABLE = np.dtype(
    [(name, "<i8") for name in ("cell", "case_index", "epoch", "outcome", "invalid", "case", "line")]
    + [("reward", "<f8")]
)
"""``outcome`` is a place in ``OUTCOMES``, ``case`` one in ``Listing.cases``, ``line`` where the index has the row."""

_BLOCK = 1 << 20
Stamp: TypeAlias = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Listing:
    """What a run's index says, sorted by cell, case and epoch.

    Attributes:
        table: one entry of ``TABLE`` an episode.
        cases: what people call the cases, each once.
        stamp: of the files when it was read.
        read: bytes of the index that were read.
        crc: their checksum.
        end: where the records end that the index tells.
        extra: rows that the index lacks; the ``line`` of the first is -1, that of the next -2.
        indexed: the listing without those, None where there are none.
    """

    table: NDArray[Any]
    cases: Sequence[str]
    stamp: Stamp
    read: int = 0
    crc: int = 0
    end: int = 0
    extra: Sequence[EpisodeRow] = ()
    indexed: Listing | None = None

    def __len__(self) -> int:
        return len(self.table)

    def is_current(self, store: RunStore) -> bool:
        """Whether nothing has changed since."""
        return self.stamp == store.state()

    def key(self, place: int) -> tuple[int, int, int]:
        """Cell, case index and epoch of the episode at a place."""
        cell, case_index, epoch = (int(self.table[name][place]) for name in ("cell", "case_index", "epoch"))
        return cell, case_index, epoch

    def place(self, key: tuple[int, int, int]) -> int | None:
        """Where an episode stands, None where it has not been played."""
        first, last = 0, len(self)
        for name, value in zip(("cell", "case_index", "epoch"), key, strict=True):
            column = self.table[name][first:last]
            first, last = (first + int(np.searchsorted(column, value, side)) for side in ("left", "right"))
        return first if first < last else None

    def row(self, store: RunStore, place: int) -> EpisodeRow:
        """The whole row at a place.

        Raises:
            ConfigError: the files have changed since.
        """
        line = int(self.table["line"][place])
        row = self.extra[-1 - line] if line < 0 else store.indexed_at(line)
        if row is None or row.key != self.key(place):
            raise ConfigError(f"{store.folder} changed while it was read; load the page again")
        return row


def read(store: RunStore, known: Listing | None = None) -> Listing:
    """The listing of a run as it is now: the one that is known or kept where nothing changed, else what is new read.

    Raises:
        ConfigError: a line is damaged.
    """
    stamp = store.state()
    known = known or _kept(store, stamp)
    if known is not None and known.stamp == stamp:
        return known
    if known is None or not _goes_on(store, known.indexed or known, stamp):
        known = Listing(np.empty(0, TABLE), (), stamp)
    now = _grown(known, store, stamp)
    if not now.extra and len(now) - len(known) >= KEPT:
        with contextlib.suppress(OSError, ConfigError):  # of somebody else, or no room
            _keep(store, now)
    return now


def _grown(known: Listing, store: RunStore, stamp: Stamp) -> Listing:
    """The listing of the files as they are now, of which another is what was read before."""
    end, after = known.end, known.read

    def indexed() -> Iterator[tuple[int, EpisodeRow]]:
        nonlocal end, after
        for line, after, row in store.indexed(known.read, known.end):  # noqa: B007  the last one is needed below
            end = row.offset + row.length
            yield line, row

    told = _with(known.indexed or known, indexed())
    told = dataclasses.replace(told, stamp=stamp, read=after, end=end, crc=_crc(store, after) or 0)
    extra = list(store.unindexed(end))
    if not extra:
        return told
    more = _with(told, ((-1 - number, row) for number, row in enumerate(extra)))
    return dataclasses.replace(more, extra=extra, indexed=told)


def _with(known: Listing, rows: Iterable[tuple[int, EpisodeRow]]) -> Listing:
    """A listing and further rows, each with its line; of two of one episode the one that was first."""
    cases = {case: number for number, case in enumerate(known.cases)}
    outcomes = {outcome.value: number for number, outcome in enumerate(OUTCOMES)}
    added = (
        (*row.key, outcomes[row.outcome], row.invalid, cases.setdefault(row.case, len(cases)), line, row.reward)
        for line, row in rows
    )
    parts = [known.table]
    while part := list(itertools.islice(added, KEPT)):
        parts.append(np.array(part, TABLE))
    table = np.concatenate(parts)
    table = table[np.lexsort((table["epoch"], table["case_index"], table["cell"]))]  # equal ones keep their order
    keys = table[["cell", "case_index", "epoch"]]
    first = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
    return dataclasses.replace(known, table=table[first], cases=tuple(cases))


def _goes_on(store: RunStore, known: Listing, stamp: Stamp) -> bool:
    """Whether the same files only grew: what was read of the index is still there."""
    pairs = zip(stamp, known.stamp, strict=False)
    same = len(stamp) == len(known.stamp) and all(now[0] == then[0] and now[2] >= then[2] for now, then in pairs)
    return same and _crc(store, known.read) == known.crc


def _crc(store: RunStore, size: int) -> int | None:
    """The checksum of the index's first bytes, None where it has fewer."""
    crc = 0
    try:
        with open_regular(store.folder / "index.jsonl") as file:
            while size and (block := file.read(min(size, _BLOCK))):
                crc, size = zlib.crc32(block, crc), size - len(block)
    except OSError:
        return None
    return None if size else crc


def _kept(store: RunStore, stamp: Stamp) -> Listing | None:
    """The kept listing of these very files."""
    try:
        head, _, table = read_bytes(store.folder / FILE).partition(b"\n")
        told = parse_json(head, FILE)
        if tuple(map(tuple, told["stamp"])) != stamp or told["table"] != [str(TABLE), zlib.crc32(table)]:
            return None
        return Listing(np.frombuffer(table, TABLE), told["cases"], stamp, told["read"], told["crc"], told["end"])
    except (OSError, ConfigError, KeyError, TypeError, ValueError):
        return None


def _keep(store: RunStore, listing: Listing) -> None:
    table = listing.table.tobytes()
    head = {
        "table": [str(TABLE), zlib.crc32(table)],
        "stamp": listing.stamp,
        "read": listing.read,
        "crc": listing.crc,
        "end": listing.end,
        "cases": list(listing.cases),
    }
    write_atomically(store.folder / FILE, json.dumps(head).encode() + b"\n" + table)
