"""A run's folder: its configuration, its episodes, and a small index that makes resuming cheap.

config.json      what was asked for; a resume must ask for the same
episodes.jsonl   one JSON line an episode (schema 1), appended and flushed as it ends; once it is closed, a large one is
                 compressed to episodes.000.jsonl.zst, and what follows goes into another: see system/parts.py
index.jsonl      one short row an episode: key, scores, where its line lies, checksums; rebuilt if stale
damaged.jsonl    lines that are no records any more, byte for byte; a resume sets them aside and plays them again
faults.jsonl     attempts that infrastructure broke: no play, not scored, retried
summary.json     a function of the sorted rows, without times and cost
timing.json      times and cost
listing.bin      of a large run: the index as a table, for lists; see evaluation/run/listing.py
live.json        while it is played: the last messages of the episodes under way, for who watches
spent.json       US dollars paid so far, where anything was; a resumed run's cost limit counts from it
report.html      the page for people
NAME.json        a family's tables, with NAME.html, the page for people

Nobody but the owner reads them: they hold all messages to and from models.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import re
import stat
import zlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.compact.keys import Keys, KeySet
from interactive_envs.reporting.compact.rows import Rows
from interactive_envs.reporting.records import (
    NUMBERS,
    ROW_FIELDS,
    SCHEMA,
    EpisodeRecord,
    EpisodeRow,
    RunConfig,
    row_flaw,
    row_of,
)
from interactive_envs.seeds import canonical_json, episode_seed
from interactive_envs.system import parts
from interactive_envs.system.disk import put, room, way_on, write_atomically
from interactive_envs.system.files import make_private_folder, open_regular, parse_json, read_bytes, read_json
from interactive_envs.system.packed import DamagedPartError

LONGEST = 256 << 20
"""Bytes of a line at most; what is longer is no record."""
NESTED = 50
"""Levels of a configuration at most: reading takes more of them than it takes to write, compare and show."""
DAMAGED = "damaged.jsonl"
CHANGED = "its bytes are not those that were written"

_BEGINNING = re.compile(rb'\{"schema":')
"""How a record begins, and nothing within one."""
_NAMED = re.compile(rb'"(case|match)":("(?:[^"\\]|\\.){1,200}")')
"""What people call an episode, or a match."""
_STEP = frozenset({"observation", "action", "kind", "valid", "reason", "reply", "reward", "verdict"})
_CHUNK = 1 << 20
_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class RunStore:
    """The files of one run; at most one process writes them at a time.

    Use :meth:`create` or :meth:`open` to write, :meth:`read_only` for reports.
    """

    indexes: ClassVar[bool] = True
    """Whether there is an index."""

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.config = config
        self.notes: list[str] = []
        """What was repaired when it was opened for writing, in sentences for people."""
        self._lock: BinaryIO | None = None
        self._lines: BinaryIO | None = None
        self._index: BinaryIO | None = None
        self.lines = parts.Lines(self.path)
        self.end = self._closed_end = 0
        self._rows: tuple[Any, Rows] | None = None

    @property
    def path(self) -> Path:
        """Where records are written, one a line; earlier ones may be in closed parts beside it."""
        return self.folder / "episodes.jsonl"

    @classmethod
    def create(cls, folder: Path, config: RunConfig) -> RunStore:
        """Start a new run.

        Raises:
            ConfigError: the folder holds a run already.
        """
        if (folder / "config.json").exists():
            raise ConfigError(f"{folder} holds a run already; set resume to continue it, or choose another out folder")
        store = cls(folder, config)
        if store.lines.files():
            raise ConfigError(
                f"{folder} holds a run already, but no config.json; put it back, or choose another out folder"
            )
        make_private_folder(folder)
        store._open_for_writing(new=True)
        return store

    @classmethod
    def open(cls, folder: Path, config: RunConfig | None = None) -> RunStore:
        """Go on with a run: drop a record that a crash cut off, set damaged ones aside, and mend the index.

        Args:
            folder: the run's folder.
            config: the configuration that is wanted; it must equal the stored configuration.

        Raises:
            ConfigError: there is no run, or its configuration differs; the message says where.
        """
        store = cls(folder, _stored_config(folder))
        if config is not None:
            differences = list(differences_of(store.config.as_json(), json.loads(json.dumps(config.as_json()))))
            if differences:
                shown = "; ".join(differences[:5])
                raise ConfigError(f"cannot resume {folder}: the configuration changed: {shown}")
        store._open_for_writing()
        return store

    @classmethod
    def read_only(cls, folder: Path) -> RunStore:
        """Look at a run without changing it.

        Raises:
            ConfigError: there is no run in the folder, or its configuration cannot be read.
        """
        return cls(folder, _stored_config(folder))

    def append(self, record: Mapping[str, Any]) -> EpisodeRow:
        """Write a finished episode, then its index row."""
        offset = self.end
        row = row_of(record, offset, self._write(record))
        if self._index is not None:
            with room(self.folder):
                put(self._index, _row_line(row))
        return row

    def append_fault(self, fault: Mapping[str, Any]) -> None:
        """Log an attempt that infrastructure broke."""
        line = (canonical_json(fault) + "\n").encode("utf-8", "backslashreplace")
        with room(self.folder), open_regular(self.folder / "faults.jsonl", _APPENDING) as file:
            put(file, line)

    def iterate(self) -> Iterator[EpisodeRow]:
        """The rows in the order in which the episodes ended, one at a time; of two of one episode the first.

        Raises:
            ConfigError: a line is damaged; the message names it.
        """
        end, line, seen = 0, 0, Keys()
        for _, line, row in self.indexed():  # noqa: B007  the last one is needed below
            end = row.offset + row.length
            if row.key not in seen:
                seen.add(row.key)
                yield row
        for row in self.unindexed(end, line):
            if row.key not in seen:
                seen.add(row.key)
                yield row

    def indexed(self, line: int = 0, end: int = 0) -> Iterator[tuple[int, int, EpisodeRow]]:
        """Rows of the index as long as they are sound and follow one another, with where a row's line begins and ends.

        Args:
            line: where the first line begins.
            end: where the records of earlier lines end.
        """
        for at, after, row, _ in self._checked(line, end, crc=False):
            yield at, after, row

    def indexed_at(self, line: int) -> EpisodeRow | None:
        """The row whose line begins at a byte of the index, None where there is no sound one."""
        with open_regular(self.folder / "index.jsonl") as file:
            file.seek(line)
            return self._row(file.readline(_CHUNK))

    def unindexed(self, end: int, index: int = 0) -> Iterator[EpisodeRow]:
        """Rows of the records from a byte on, which are read for it.

        Args:
            end: where to begin.
            index: where the index begins that may know their checksums.

        Raises:
            ConfigError: a line is damaged; the message names it.
        """
        for offset, line, record in self.records(end, index):
            yield row_of(record, offset, line)

    def rows(self) -> Rows:
        """All rows, sorted by cell, case and epoch; they are read again where a file has changed since."""
        state = self.state()
        if self._rows is None or self._rows[0] != state:
            self._rows = state, Rows(self.iterate())
        return self._rows[1]

    def state(self) -> tuple[tuple[int, int, int], ...]:
        """Inode, time of change and size of the index and of each file of records: the same where nothing changed."""
        return tuple(map(_identity, (self.folder / "index.jsonl", *self.lines.files())))

    def record(self, row: EpisodeRow) -> dict[str, Any]:
        """The whole record of one episode.

        Raises:
            ConfigError: it is damaged.
        """
        line = self.lines.read(row.offset, row.length)
        if zlib.crc32(line) != row.crc:
            raise self._damaged(row.offset, line, CHANGED, row.case)
        return parse_json(line, self.path)  # type: ignore[no-any-return]

    def episode(self, row: EpisodeRow) -> EpisodeRecord:
        """The whole record of one episode, typed.

        Raises:
            ConfigError: it is damaged.
        """
        return EpisodeRecord.from_json(self.record(row))

    def episodes(self) -> Iterator[EpisodeRecord]:
        """The whole records, sorted by cell, case and epoch, one in memory at a time.

        Raises:
            ConfigError: one is damaged; the message names its line.
        """
        return map(self.episode, self.rows())

    def records(self, start: int = 0, index: int = 0) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
        """Offset, line and record, read off the lines themselves from a byte position on; a cut last line is none.

        Args:
            start: where to begin.
            index: where the index begins that may know their checksums.

        Raises:
            ConfigError: a line is damaged; the message names it.
        """
        sums: dict[Hashable, int] | None = None
        for offset, _, line in self._whole_lines(start):
            if line.strip():  # an empty line says nothing
                sums = self._sums(index) if sums is None else sums
                try:
                    record = self._parse(line, sums)
                except ConfigError as error:
                    raise self._damaged(offset, line, str(error)) from None
                yield offset, line, record

    def faults(self) -> int:
        """How many attempts infrastructure broke."""
        try:
            with open_regular(self.folder / "faults.jsonl") as file:
                return sum(1 for _ in file)
        except FileNotFoundError:
            return 0

    def spent(self) -> float:
        """US dollars paid so far; replies read from the cache were paid by an earlier run.

        Where ``spent.json`` is damaged, what the records tell, which leaves out what broken attempts cost.
        """
        try:
            return self._kept_spent()
        except ConfigError:
            return self._paid()

    def set_spent(self, dollars: float) -> None:
        """Keep what was paid, for the cost limit of a resumed run."""
        if dollars > 0:
            write_atomically(self.folder / "spent.json", f"{dollars!r}\n")

    def close(self) -> None:
        """Close the files and release the run."""
        try:
            self.end_writing()
        finally:
            if self._lock is not None:
                self._lock.close()
            self._lock = None

    def end_writing(self) -> None:
        """Close the files, and compress the records if they are many; the run is still nobody else's."""
        files, self._lines, self._index = (self._lines, self._index), None, None
        for file in files:
            if file is not None:
                file.close()
        if files[0] is not None:
            self._close_part()

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing.

    def _acquire(self) -> None:
        self._lock = open_regular(self.folder / ".lock", os.O_WRONLY | os.O_CREAT)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            self._lock = None
            raise ConfigError(f"another process is writing the run in {self.folder}; wait for it or stop it") from None

    def _open_for_writing(self, new: bool = False) -> None:
        self._acquire()
        try:
            if new:
                content = json.dumps(self.config.as_json(), indent=1, ensure_ascii=False) + "\n"
                write_atomically(self.folder / "config.json", content)
            self._open_lines()
            self._index = open_regular(self.folder / "index.jsonl", _APPENDING)
        except BaseException:
            self.close()
            raise

    def _open_lines(self) -> None:
        """Mend what a crash or a bad disk left, then open the records for writing."""
        self.lines.mend()
        with room(self.folder):
            self.drop_cut_record()
            damaged, sound = self._looked_over()
            if damaged:
                self._set_aside(damaged)
            lacks = (0, 0) if damaged else sound
            if self.indexes and lacks:
                self._write_index(*lacks)
            self._mend_spent()
            self._begin_part()

    def _begin_part(self) -> None:
        """Open the records for writing."""
        self._lines = open_regular(self.path, _APPENDING)
        with self.lines.open() as file:
            self.end = file.seek(0, os.SEEK_END)
        self._closed_end = self.end - self._lines.seek(0, os.SEEK_END)

    def _close_part(self) -> None:
        """Compress what was written, if it is much."""
        written = self.end - self._closed_end
        if written == self.path.stat().st_size:  # all of it are whole lines
            if written >= parts.CLOSING:
                self.lines.close_part()
            elif written == 0 < self._closed_end:
                self.path.unlink()
        self.lines.compress()

    def _write(self, record: Mapping[str, Any]) -> bytes:
        """Append a record's line, wholly or not at all, and return it."""
        if self._lines is None:
            raise ConfigError(f"{self.folder} is open for reading only")
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        # Half a surrogate pair is all that UTF-8 cannot hold, and its escape by backslash is JSON's too.
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        try:
            with room(self.folder):
                put(self._lines, line)
        except BaseException:
            with contextlib.suppress(OSError):
                os.ftruncate(self._lines.fileno(), self.end - self._closed_end)
            raise
        self.end += len(line)
        if self.end - self._closed_end >= parts.PART:
            self._lines.close()
            self.lines.close_part()
            self._begin_part()
            self.lines.compress()
        return line

    def drop_cut_record(self) -> None:
        """Cut the file after its last newline: what follows was never finished, and is played again."""
        try:
            file = open_regular(self.path, os.O_RDWR)
        except FileNotFoundError:
            return
        with file:
            size = end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - 65536)
                file.seek(start)
                newline = file.read(end - start).rfind(b"\n")
                if newline >= 0:
                    end = start + newline + 1
                    break
                end = start
            if end < size:
                file.truncate(end)

    def _looked_over(self) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
        """See :meth:`_look_over`; what cannot be read of a compressed part is set aside before."""
        while True:
            try:
                return self._look_over()
            except DamagedPartError as error:
                self.lines.salvage(error.path)
                self.notes.append(
                    f"{error.path} was damaged and is now {error.path.name}.damaged; what cannot be read of it is "
                    "played again"
                )

    def _look_over(self) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
        """Where the bytes lie that are no records, or not the first of their episode; and what the index lacks.

        The second is None if the index tells all and nothing else; otherwise it says where its sound lines end, and
        where the records that they are of.

        A record in the index is compared with its checksum, which is cheap; any other is read.
        """
        damaged: list[tuple[int, int]] = []
        seen = self.no_keys()
        end = rows = read = 0
        for _, after, row, crc in self._checked():
            if crc != row.crc:
                break  # from here on lines may lie elsewhere than the index says: they are read
            end, rows, read = row.offset + row.length, rows + 1, after
            if row.key in seen:
                damaged.append((row.offset, end))
            seen.add(row.key)
        indexed = end
        sums: dict[Hashable, int] | None = None
        for start, stop, line in self._whole_lines(indexed):
            end, sums = stop, self._sums(read) if sums is None else sums
            if self._is_new(line, seen, sums):
                continue
            # Lines that were joined, or cut before the next, may hold whole records.
            begun = [start, *(start + found.start() for found in _BEGINNING.finditer(line, 1)), stop]
            for left, right in itertools.pairwise(begun):
                part = line[left - start : right - start]
                if self._is_new(part, seen, sums):
                    if not part.endswith(b"\n"):
                        damaged.append((right, right))  # only the end of its line is lost
                else:  # perhaps for its last byte alone, which was the end of its line
                    damaged.append((right - 1, right) if self._is_new(part[:-1], seen, sums) else (left, right))
        is_whole = indexed == end and rows == self._index_lines()
        return damaged, None if is_whole else (read, indexed)

    def _is_new(self, line: bytes, seen: KeySet, sums: Mapping[Hashable, int]) -> bool:
        """Whether this is a record, and of an episode that was not seen, which it notes."""
        try:
            key = self._key(self._parse(line, sums))
        except ConfigError:
            return False
        new = key not in seen
        seen.add(key)
        return new

    def _set_aside(self, damaged: Sequence[tuple[int, int]]) -> None:
        """Move damaged bytes into a file of their own; a crash in between leaves them in both."""
        spans: list[tuple[int, int]] = []
        for start, end in damaged:
            joined = bool(spans) and spans[-1][1] == start
            spans = [*spans[:-1], (spans[-1][0], end)] if joined else [*spans, (start, end)]
        with self.lines.open() as file, open_regular(self.folder / DAMAGED, _APPENDING) as aside:
            for start, end in spans:
                _copy(file, start, end, aside)
            os.fsync(aside.fileno())
            for part in file.spans(self.path):
                mine = [
                    (max(start, part.start), min(end, part.end))
                    for start, end in spans
                    if (start < part.end and end > part.start) or part.start < start == end <= part.end
                ]
                if mine:
                    self._cut(file, part, mine)
        if self.indexes:  # only now: until here its checksums tell what is damaged
            write_atomically(self.folder / "index.jsonl", b"")
        self.notes.append(
            f"{len(spans)} damaged {'place' if len(spans) == 1 else 'places'} of {self.path} set aside in {DAMAGED}; "
            "what is missing now is played again"
        )

    def _cut(self, file: parts.Reader, part: parts.Span, spans: Sequence[tuple[int, int]]) -> None:
        """Write a part again without some bytes."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        with open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as sound:
            os.fchmod(sound.fileno(), stat.S_IMODE(part.path.stat().st_mode))
            edges = [part.start, *itertools.chain.from_iterable(spans), part.end]
            for start, end in zip(edges[::2], edges[1::2], strict=True):
                _copy(file, start, end, sound)
            os.fsync(sound.fileno())
        self.lines.replace(part.path, fresh)

    def no_keys(self) -> KeySet:
        """An empty set for what :meth:`_key` says of records."""
        return Keys()

    def _write_index(self, read: int, end: int) -> None:
        """Write the index of the records from ``end`` on behind its first ``read`` bytes."""
        with open_regular(self.folder / "index.jsonl", os.O_RDWR | os.O_CREAT) as file:
            file.truncate(read)
            file.seek(read)
            for row in self.unindexed(end, read):
                put(file, _row_line(row))

    def _mend_spent(self) -> None:
        try:
            self._kept_spent()
        except ConfigError as error:
            paid = self._paid()
            with contextlib.suppress(ConfigError, OSError):
                content = read_bytes(self.folder / "spent.json")
                with open_regular(self.folder / DAMAGED, _APPENDING) as aside:
                    put(aside, content.removesuffix(b"\n") + b"\n")
            write_atomically(self.folder / "spent.json", f"{paid!r}\n")
            self.notes.append(f"{error}; the records tell of {paid:.4f} USD, and the cost limit counts from there")

    # Reading.

    def _sums(self, line: int = 0) -> dict[Hashable, int]:
        """The checksums that the index has of records, wherever they lie now, from a line on."""
        try:
            with open_regular(self.folder / "index.jsonl") as file:
                file.seek(line)
                return {row.key: row.crc for row in map(self._row, file) if row is not None}
        except FileNotFoundError:
            return {}

    def _parse(self, line: bytes, sums: Mapping[Hashable, int]) -> dict[str, Any]:
        """The record of a line, which has its checksum where one is known, however lines end here.

        Raises:
            ConfigError: there is none in it, or none of this run; the message says why.
        """
        record = parse_json(line, "it")
        try:
            flaw = self._flaw(record) if isinstance(record, dict) else "it is no object"
            content, checksum = line.rstrip(b"\r\n"), sums.get("" if flaw else self._key(record))
            if checksum is not None and checksum not in (zlib.crc32(content + b"\n"), zlib.crc32(content + b"\r\n")):
                flaw = CHANGED
        except KeyError as error:
            flaw = f"it has no {error}"
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            flaw = f"a value cannot be: {error}"
        if flaw:
            raise ConfigError(flaw)
        return record  # type: ignore[no-any-return]

    def _flaw(self, record: Mapping[str, Any]) -> str:
        """Why a JSON object is no record of this run; '' where it is one.

        May raise an error of Python's own for the same.
        """
        if record["schema"] != SCHEMA:
            return f"it has schema {record['schema']!r}, this version reads {SCHEMA}"
        row, env = row_of(record, 0, b" "), record["env"]
        if flaw := row_flaw([getattr(row, name) for name in ROW_FIELDS], len(self.config.cells)):
            return flaw
        cell = self.config.cells[row.cell]
        if max(row.case_index, row.epoch) >= self.config.planned(row.cell):
            return f"case {row.case_index}, epoch {row.epoch} is not planned"
        if (env["id"], record["agent"]["spec"]) != (cell.env_id, cell.agent):
            return f"it is none of cell {row.cell}"
        # The seed follows from what an episode is of; a digit that changed in either shows.
        if record["seed"] != episode_seed(self.config.seed, env["key"], row.case_index, row.epoch):
            return f"its seed is not that of case {row.case_index}, epoch {row.epoch}"
        if not all(isinstance(step, dict) and step.keys() >= _STEP for step in record["steps"]):
            return "a step is none"
        return ""

    def _key(self, record: Mapping[str, Any]) -> Hashable:
        """What identifies a record in its run."""
        return (record["cell"], record["case_index"], record["epoch"])

    def _damaged(self, offset: int, line: bytes, why: str, case: str = "") -> ConfigError:
        """The error that names a damaged line."""
        with self.lines.open() as file:
            number = 1 + sum(block.count(b"\n") for block in _blocks(file, 0, offset))
        kind = "case"
        if not case and (found := _NAMED.search(line)):
            with contextlib.suppress(ConfigError):
                kind, case = found[1].decode(), parse_json(found[2], "")
        of = f" ({kind} {case!r})" if case else ""
        return ConfigError(
            f"{self.path}, line {number}{of}, is damaged: {why}; "
            f"{way_on(self.folder)} sets it aside in {DAMAGED} and plays it again"
        )

    def _checked(self, at: int = 0, end: int = 0, *, crc: bool = True) -> Iterator[tuple[int, int, EpisodeRow, int]]:
        """Rows of the index as long as they are sound: where each begins and ends, and its record's checksum now."""
        with contextlib.ExitStack() as stack:
            try:
                index = stack.enter_context(open_regular(self.folder / "index.jsonl"))
                records = stack.enter_context(self.lines.open())
            except FileNotFoundError:
                return
            index.seek(at)
            for line in index:
                row = self._row(line)
                if row is None or row.offset != end or row.length < 1:
                    return
                end += row.length
                if not records.ends_line(end):
                    return
                now = 0
                for block in _blocks(records, row.offset, end) if crc else ():
                    now = zlib.crc32(block, now)
                yield at, (at := at + len(line)), row, now

    def _row(self, line: bytes) -> EpisodeRow | None:
        """A row of the index, None where the line is none."""
        content, _, checksum = line.rpartition(b",")
        if checksum != b"%d]\n" % zlib.crc32(content):
            return None
        try:
            values = json.loads((content + b"]").decode())
            return None if row_flaw(values, len(self.config.cells)) else EpisodeRow(*values)
        except (ValueError, TypeError, RecursionError):
            return None

    def _index_lines(self) -> int:
        try:
            with open_regular(self.folder / "index.jsonl") as file:
                return sum(1 for _ in file)
        except FileNotFoundError:
            return -1

    def _whole_lines(self, start: int) -> Iterator[tuple[int, int, bytes]]:
        """Lines from a byte position on, where each begins and ends; of one beyond ``LONGEST`` the first part."""
        try:
            file = self.lines.open()
        except FileNotFoundError:
            return
        with file:
            file.seek(start)
            while line := file.readline(LONGEST):
                end, last = start + len(line), line
                while last and not last.endswith(b"\n"):
                    last = file.readline(LONGEST)
                    end += len(last)
                if not last:
                    return
                yield start, end, line
                start = end

    def _kept_spent(self) -> float:
        """What ``spent.json`` says.

        Raises:
            ConfigError: it is damaged.
        """
        path = self.folder / "spent.json"
        try:
            spent = read_json(path)
        except FileNotFoundError:
            return 0.0
        if type(spent) not in (int, float) or not 0 <= spent < NUMBERS:
            raise ConfigError(f"{path} holds no number of dollars")
        return float(spent)

    def _paid(self) -> float:
        """The sum of what the sound records say was paid."""
        paid = 0.0
        for _, _, line in self._whole_lines(0):
            with contextlib.suppress(ConfigError):
                amount = self._parse(line, {}).get("paid")
                paid += amount if isinstance(amount, int | float) and 0 <= amount < NUMBERS else 0.0
        return paid


def _stored_config(folder: Path) -> RunConfig:
    """What a run's folder says it plays; see :meth:`RunStore.read_only`."""
    path = folder / "config.json"
    try:
        return RunConfig.from_json(read_config(path))
    except (FileNotFoundError, NotADirectoryError):
        inside = sorted(path.parent.name for path in folder.glob("*/config.json"))
        hint = f"; {folder / inside[0]} does" if inside else ""
        raise ConfigError(f"{folder} holds no run: config.json is missing{hint}") from None
    except (ConfigError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{path} cannot be read as a run's configuration: {error}; put back what it was, "
            "or choose another out folder"
        ) from None


def read_config(path: Path) -> dict[str, Any]:
    """What a configuration's file holds.

    Raises:
        ConfigError: it is no JSON object, or nested so deeply that it could be read, but not written or compared.
        OSError: it is not there, or cannot be read.
    """
    content = read_json(path)
    if not isinstance(content, dict) or _nests(content, NESTED):
        raise ConfigError(f"it is {'nested too deeply' if isinstance(content, dict) else 'no object'}")
    return content


def _identity(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0, 0
    return status.st_ino, status.st_ctime_ns, status.st_size


def _nests(value: Any, levels: int) -> bool:
    """Whether a JSON value has more levels than that."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_nests(one, levels - 1) for one in inner)


def _blocks(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """The bytes from ``start`` to ``end`` in pieces."""
    file.seek(start)
    while start < end and (block := file.read(min(_CHUNK, end - start))):
        yield block
        start += len(block)


def _copy(file: BinaryIO, start: int, end: int, out: BinaryIO) -> None:
    """Copy bytes as lines: the last one ends where it had no end."""
    block = b"\n"
    for block in _blocks(file, start, end):
        put(out, block)
    if not block.endswith(b"\n"):
        put(out, b"\n")


def _row_line(row: EpisodeRow) -> bytes:
    """A row and, last, the checksum of what stands before it."""
    content = json.dumps([getattr(row, name) for name in ROW_FIELDS], separators=(",", ":"))[:-1].encode()
    return b"%b,%d]\n" % (content, zlib.crc32(content))


def differences_of(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Where two JSON values differ, in words."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted({*old, *new}):
            inner = f"{place}.{name}" if place else name
            if name in old and name in new:
                yield from differences_of(old[name], new[name], inner)
            else:
                was, now = (canonical_json(side[name]) if name in side else "absent" for side in (old, new))
                yield f"{inner} was {was}, now {now}"
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for position, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from differences_of(left, right, f"{place}[{position}]")
    elif old != new:
        yield f"{place} was {canonical_json(old)}, now {canonical_json(new)}"
