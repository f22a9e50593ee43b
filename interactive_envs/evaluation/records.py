"""A run's folder: its configuration, its episodes, and a small index that makes resuming cheap.

config.json      what was asked for; a resume must ask for the same
episodes.jsonl   one JSON line an episode (schema 1), appended and flushed as it ends
index.jsonl      one short row an episode: key, scores, and where its line lies; rebuilt if stale
faults.jsonl     attempts that infrastructure broke: no play, not scored, retried
summary.json     a function of the sorted rows, without times and cost
timing.json      times and cost
spent.json       US dollars paid so far, where anything was; a resumed run's cost limit counts from it
report.html      the page for people
query.json       tables of query games, with query.html, the page for people
boxes.json       tables of black boxes, with boxes.html
"""

from __future__ import annotations

import dataclasses
import fcntl
import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.core import canonical_json
from interactive_envs.errors import ConfigError

SCHEMA = 1


@dataclass(frozen=True)
class Cell:
    """One combination that a run plays: every cell meets the same cases with the same seeds.

    Attributes:
        env_id: the registered id.
        arguments: its keyword arguments.
        agent: the player's spec.
        judge: the judge's spec, None where the environment has its own default or no judge.
        axes: the sweep's axis values of this cell, for grouping in reports.
        episodes: where they differ from the run's.
    """

    env_id: str
    arguments: Mapping[str, Any]
    agent: str
    judge: str | None = None
    axes: Mapping[str, Any] = field(default_factory=dict)
    episodes: int | None = None


@dataclass(frozen=True)
class RunConfig:
    """What a run plays: equal configurations with deterministic players give equal summaries.

    Attributes:
        cells: what is compared.
        episodes: episodes a cell; cases in order, then further epochs.
        seed: the run's seed.
        time_limit: seconds an action may take, None for no limit.
        content: per cell the hash of its data and what its player and judge say of themselves, filled in by the
            runner: a changed dataset or prompt file is a changed configuration.
    """

    cells: tuple[Cell, ...]
    episodes: int
    seed: int = 0
    time_limit: float | None = None
    content: tuple[Mapping[str, Any], ...] = ()

    def planned(self, cell: int) -> int:
        """Episodes of a cell."""
        own = self.cells[cell].episodes
        return self.episodes if own is None else own

    @property
    def told(self) -> str:
        """The episodes a cell in words: ``1 episode``, ``up to 8 episodes``."""
        counts = set(map(self.planned, range(len(self.cells)))) or {self.episodes}
        most = max(counts)
        return f"{'up to ' if len(counts) > 1 else ''}{most:,} episode{'' if most == 1 else 's'}"

    @property
    def total(self) -> int:
        """Episodes of all cells."""
        return sum(map(self.planned, range(len(self.cells))))

    def as_json(self) -> dict[str, Any]:
        """The content of ``config.json``."""
        return {"schema": SCHEMA, **dataclasses.asdict(self)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> RunConfig:
        """Read ``config.json`` back.

        Raises:
            ConfigError: it has another schema.
        """
        if content.get("schema") != SCHEMA:
            raise ConfigError(f"config.json has schema {content.get('schema')!r}, this version reads {SCHEMA}")
        cells = tuple(Cell(**cell) for cell in content["cells"])
        return cls(cells, content["episodes"], content["seed"], content["time_limit"], tuple(content["content"]))


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """The index row of one finished episode: all that summaries need.

    Attributes:
        cell: position of its cell in the configuration.
        case: the case's id.
        case_index: position of the case in the environment's order.
        epoch: how often the cases were walked before.
        outcome: an :class:`interactive_envs.outcome.Outcome` value.
        reward: the episode's return.
        turns: rounds spent, a forced final not counted.
        won_by: ``round``, ``forced`` or None.
        first_final: whether the first final answer was right, None without one.
        queries: readable queries.
        finals: readable finals.
        invalid: messages that could not be read.
        abstained: verdicts in which the judge could not read the request.
        prompt_tokens: the player's tokens sent.
        completion_tokens: the player's tokens generated, reasoning included.
        reasoning_tokens: the part spent on hidden reasoning.
        judge_tokens: all of the judge's tokens.
        cost: the player's US dollars, None where a price is unknown.
        judge_cost: the judge's.
        seconds: wall-clock time of the episode.
        offset: where its line begins in ``episodes.jsonl``, in bytes.
        length: how long it is, newline included.
    """

    cell: int
    case: str
    case_index: int
    epoch: int
    outcome: str
    reward: float
    turns: int
    won_by: str | None
    first_final: bool | None
    queries: int
    finals: int
    invalid: int
    abstained: int
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    judge_tokens: int
    cost: float | None
    judge_cost: float | None
    seconds: float
    offset: int
    length: int

    @property
    def key(self) -> tuple[int, int, int]:
        """What identifies the episode in its run: cell, case index, epoch."""
        return (self.cell, self.case_index, self.epoch)


_FIELDS = tuple(field.name for field in dataclasses.fields(EpisodeRow))


def row_of(record: Mapping[str, Any], offset: int, length: int) -> EpisodeRow:
    """The index row of a record."""
    tokens, judge_tokens = record["tokens"], record["judge_tokens"]
    return EpisodeRow(
        **{name: record[name] for name in _FIELDS[: _FIELDS.index("prompt_tokens")]},
        prompt_tokens=tokens["prompt"],
        completion_tokens=tokens["completion"],
        reasoning_tokens=tokens["reasoning"],
        judge_tokens=judge_tokens["prompt"] + judge_tokens["completion"],
        cost=record["cost"],
        judge_cost=record["judge_cost"],
        seconds=record["seconds"],
        offset=offset,
        length=length,
    )


class RunStore:
    """The files of one run; at most one process writes them at a time.

    Use :meth:`create` or :meth:`open` to write, :meth:`read_only` for reports.
    """

    def __init__(self, folder: Path, config: RunConfig) -> None:
        self.folder = folder
        self.config = config
        self._lock: io.TextIOWrapper | None = None
        self._episodes: io.BufferedWriter | None = None
        self._index: io.TextIOWrapper | None = None
        self._end = 0

    @classmethod
    def create(cls, folder: Path, config: RunConfig) -> RunStore:
        """Start a new run.

        Raises:
            ConfigError: the folder holds a run already.
        """
        if (folder / "config.json").exists() or (folder / "episodes.jsonl").exists():
            raise ConfigError(f"{folder} holds a run already; pass --resume to go on, or another --out")
        folder.mkdir(parents=True, exist_ok=True)
        store = cls(folder, config)
        store._open_for_writing(new=True)
        return store

    @classmethod
    def open(cls, folder: Path, config: RunConfig | None = None) -> RunStore:
        """Go on with a run: drop a record that a crash cut off, and mend the index.

        Args:
            folder: the run's folder.
            config: what is asked for now; it must equal the stored configuration.

        Raises:
            ConfigError: there is no run, or its configuration differs; the message says where.
        """
        store = cls.read_only(folder)
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
            ConfigError: there is no run in the folder.
        """
        path = folder / "config.json"
        if not path.is_file():
            inside = sorted(path.parent.name for path in folder.glob("*/config.json"))
            hint = f"; {folder / inside[0]} does" if inside else ""
            raise ConfigError(f"{folder} holds no run: config.json is missing{hint}")
        try:
            config = RunConfig.from_json(json.loads(path.read_text(encoding="utf-8")))
        except ConfigError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"{path} cannot be read as a run's configuration: {error}") from error
        return cls(folder, config)

    def append(self, record: Mapping[str, Any]) -> EpisodeRow:
        """Write a finished episode, then its index row."""
        if self._episodes is None or self._index is None:
            raise ConfigError(f"the run in {self.folder} is open for reading only")
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        # Half a surrogate pair is all that UTF-8 cannot hold, and its escape by backslash is JSON's too.
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        row = row_of(record, self._end, len(line))
        self._episodes.write(line)
        self._episodes.flush()
        self._end += len(line)
        self._index.write(_row_line(row))
        self._index.flush()
        return row

    def append_fault(self, fault: Mapping[str, Any]) -> None:
        """Log an attempt that infrastructure broke."""
        with (self.folder / "faults.jsonl").open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(canonical_json(fault) + "\n")

    def iterate(self) -> Iterator[EpisodeRow]:
        """The rows in the order in which the episodes ended, one at a time."""
        end = 0
        for row in self._indexed():
            end = row.offset + row.length
            yield row
        yield from self._scan(end)

    def rows(self) -> list[EpisodeRow]:
        """All rows, sorted by cell, case and epoch."""
        return sorted(self.iterate(), key=lambda row: row.key)

    def record(self, row: EpisodeRow) -> dict[str, Any]:
        """The whole record of one episode."""
        with (self.folder / "episodes.jsonl").open("rb") as file:
            file.seek(row.offset)
            return json.loads(file.read(row.length))  # type: ignore[no-any-return]

    def faults(self) -> int:
        """How many attempts infrastructure broke."""
        path = self.folder / "faults.jsonl"
        if not path.exists():
            return 0
        with path.open("rb") as file:
            return sum(1 for _ in file)

    def spent(self) -> float:
        """US dollars paid so far; replies read from the cache were paid by an earlier run."""
        path = self.folder / "spent.json"
        return float(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else 0.0

    def set_spent(self, dollars: float) -> None:
        """Keep what was paid, for the cost limit of a resumed run."""
        if dollars > 0:
            write_atomically(self.folder / "spent.json", f"{dollars!r}\n")

    def close(self) -> None:
        """Close the files and release the run."""
        for file in (self._episodes, self._index, self._lock):
            if file is not None:
                file.close()
        self._episodes = self._index = self._lock = None

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _acquire(self) -> None:
        self._lock = (self.folder / ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            self._lock = None
            raise ConfigError(f"another process is writing the run in {self.folder}; wait for it or stop it") from None

    def _open_for_writing(self, new: bool = False) -> None:
        episodes = self.folder / "episodes.jsonl"
        self._acquire()
        try:
            if new:
                content = json.dumps(self.config.as_json(), indent=1, ensure_ascii=False) + "\n"
                write_atomically(self.folder / "config.json", content)
            self._drop_cut_record(episodes)
            self._mend_index()
            self._episodes = episodes.open("ab")
            self._end = self._episodes.tell()
            self._index = (self.folder / "index.jsonl").open("a", encoding="utf-8")
        except BaseException:
            self.close()
            raise

    def _drop_cut_record(self, path: Path) -> None:
        """Cut the file after its last newline: what follows was never finished, and is played again."""
        if not path.exists():
            return
        with path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - 65536)
                file.seek(start)
                newline = file.read(end - start).rfind(b"\n")
                if newline >= 0:
                    end = start + newline + 1
                    break
                end = start
            file.truncate(end)

    def _mend_index(self) -> None:
        size = self._episodes_size()
        end = rows = 0
        for row in self._indexed():
            end, rows = row.offset + row.length, rows + 1
        index = self.folder / "index.jsonl"
        with index.open("rb") if index.exists() else io.BytesIO() as file:
            lines = file.read().splitlines(keepends=True)
        if end == size and len(lines) == rows and all(line.endswith(b"\n") for line in lines[-1:]):
            return
        fresh = index.with_name("index.jsonl.new")
        with fresh.open("w", encoding="utf-8") as file_out:
            file_out.writelines(_row_line(row) for row in self.iterate())
        fresh.replace(index)

    def _episodes_size(self) -> int:
        path = self.folder / "episodes.jsonl"
        return path.stat().st_size if path.exists() else 0

    def _indexed(self) -> Iterator[EpisodeRow]:
        """Rows of the index as long as they are readable and follow one another in the file."""
        path, episodes = self.folder / "index.jsonl", self.folder / "episodes.jsonl"
        if not (path.exists() and episodes.exists()):
            return
        end = 0
        with path.open(encoding="utf-8", errors="replace") as file, episodes.open("rb") as records:
            for line in file:
                try:
                    row = EpisodeRow(*json.loads(line))
                    follows = row.offset == end and row.length > 0
                    end = row.offset + row.length
                    if not follows or os.pread(records.fileno(), 1, end - 1) != b"\n":
                        return
                except (ValueError, TypeError, OverflowError):
                    return
                yield row

    def _scan(self, start: int) -> Iterator[EpisodeRow]:
        """Rows read off the records themselves, from a byte position on."""
        path = self.folder / "episodes.jsonl"
        if not path.exists():
            return
        with path.open("rb") as file:
            file.seek(start)
            for line in file:
                if line.endswith(b"\n"):
                    try:
                        yield row_of(json.loads(line), start, len(line))
                    except (ValueError, KeyError, TypeError) as error:
                        raise ConfigError(f"{path}, byte {start}: this is no record: {error!r}") from error
                start += len(line)


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one, never half."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _row_line(row: EpisodeRow) -> str:
    return json.dumps([getattr(row, name) for name in _FIELDS], separators=(",", ":")) + "\n"


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
