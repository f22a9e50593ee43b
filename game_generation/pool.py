"""A pool of candidates: a folder with a log each, from which everything else follows.

``pool.json`` says what is made and how, ``candidates/0007.jsonl`` is what became of the seventh: a line a reply of a
model or a verdict, in the order in which they came. Nothing is ever changed, only appended, and no line holds a time:
a run that was killed and went on leaves the same bytes as one that was not.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import shlex
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.batch import Reply
from interactive_envs.llm.calls import Usage
from interactive_envs.system import files
from interactive_envs.system.disk import put, room, write_atomically
from interactive_envs.system.files import make_private_folder, open_regular

FORMAT = 3
"""Of the folder; another one is refused."""
REPAIR = "repair"
WRITING = ("describe", "write", "name", REPAIR)
"""Calls whose replies hold files; a repair's holds all of them."""
AGAIN = "-again"
"""Behind the stage of a call that asks the second model for what it said in a form that cannot be read."""


@dataclass(frozen=True)
class Call:
    """A reply of a model.

    Attributes:
        stage: what it was asked for: one of :data:`WRITING`, or a stage that asks a second model, also with
            :data:`AGAIN`.
        round: repairs before it.
        prompt_sha256: hash of what was sent.
        reply: what came back.
    """

    stage: str
    round: int
    prompt_sha256: str
    reply: Reply


@dataclass(frozen=True)
class Ruling:
    """What a stage came to.

    Attributes:
        stage: its name.
        round: repairs before it.
        verdict: ``pass``, ``flag`` (a person should look) or ``fail``.
        reasons: pairs of a kind in a word or two and a sentence.
        facts: what was measured, JSON.
    """

    stage: str
    round: int
    verdict: str
    reasons: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


Entry = Call | Ruling


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files of a candidate into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Candidate:
    """One candidate.

    Attributes:
        number: its place in the pool, from 1.
        wish: what it was asked to be: ``idea``, or ``category`` and ``turns``; empty for anything.
        entries: its log.
    """

    number: int
    wish: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()

    @property
    def rounds(self) -> int:
        """How often it was repaired."""
        return sum(isinstance(entry, Call) and entry.stage == REPAIR for entry in self.entries)

    @property
    def written(self) -> tuple[Call, ...]:
        """The replies that its present files are in: the last repair, or all that wrote a part."""
        calls = [entry for entry in self.entries if isinstance(entry, Call) and entry.stage in WRITING]
        return tuple(calls[-1:] if self.rounds else calls)

    def replies(self, stage: str) -> tuple[Call, ...]:
        """What the second model said for a stage about the present files: a second time where it was asked again."""
        calls = (entry for entry in self.since_written() if isinstance(entry, Call))
        return tuple(call for call in calls if call.stage in (stage, f"{stage}{AGAIN}"))

    def facts(self, stage: str) -> Mapping[str, Any]:
        """What a stage saw of the present files; empty where it did not pass."""
        rulings = (entry for entry in self.since_written() if isinstance(entry, Ruling) and entry.stage == stage)
        return next((ruling.facts for ruling in rulings if ruling.verdict != "fail"), {})

    def since_written(self) -> tuple[Entry, ...]:
        """What came after these replies."""
        written = self.written
        if not written:
            return ()
        places = [place for place, entry in enumerate(self.entries) if entry is written[-1]]
        return self.entries[places[-1] + 1 :]

    @property
    def cost(self) -> float | None:
        """US dollars so far, None where the price of a call is unknown."""
        calls = [entry for entry in self.entries if isinstance(entry, Call)]
        return None if any(call.reply.cost is None for call in calls) else self.spent

    @property
    def spent(self) -> float:
        """US dollars so far, of the calls whose price is known."""
        return sum(entry.reply.cost or 0.0 for entry in self.entries if isinstance(entry, Call))


class Pool:
    """The folder.

    Args:
        path: of the folder, which is made where there is none.
        settings: what is made and how; None to read what an earlier run wrote. ``wishes`` may go on where the earlier
            run's end.

    Raises:
        ConfigError: there is no pool, or it was begun with other settings.
    """

    def __init__(self, path: str | Path, settings: Mapping[str, Any] | None = None) -> None:
        self.path = Path(path)
        self._home = self.path / "candidates"
        manifest = self.path / "pool.json"
        if manifest.exists():
            known = files.read_json(manifest)
            if known.get("format") != FORMAT:
                given = known.get("format")
                raise ConfigError(f"{manifest} has format {given!r}, and {FORMAT} is read; begin a new pool")
            self._refuse_others(known, settings)
            self.settings: dict[str, Any] = known
            if settings and len(settings.get("wishes", ())) > len(known["wishes"]):
                self.settings["wishes"] = settings["wishes"]
                self._write_settings(manifest)
        elif settings is None:
            raise ConfigError(
                f"{self.path} is no pool: it has no pool.json; make one with ibench generate games, boxes or "
                f"query-games, and --out {self.path}"
            )
        else:
            make_private_folder(self.path)
            make_private_folder(self._home)
            self.settings = {"format": FORMAT, **settings}
            self._write_settings(manifest)
        self._seen: dict[int, Candidate] = {}
        self._mended: set[int] = set()
        self._writing, self._closed = threading.Lock(), False

    def _write_settings(self, manifest: Path) -> None:
        write_atomically(manifest, json.dumps(self.settings, indent=1, ensure_ascii=False) + "\n")

    def _refuse_others(self, known: Mapping[str, Any], settings: Mapping[str, Any] | None) -> None:
        for name, value in (settings or {}).items():
            if name == "wishes" and value[: len(known[name])] == known[name]:  # as many or more of the same
                continue
            if known.get(name) != value:
                if name == "prompts":
                    given = known.get(name)
                    raise ConfigError(f"{self.path} has requests of version {given!r}, not {value}; begin a new pool")
                if name == "kind":
                    given = known.get(name)
                    raise ConfigError(f"{self.path} is a pool of {given}; go on with: ibench generate {given}")
                what = f"with {name} = {known.get(name)!r}, not {value!r}: leave the option out"
                if name == "wishes":
                    what = _other_wishes(known[name], value)
                raise ConfigError(f"{self.path} was begun {what}, or begin a new pool")

    @property
    def count(self) -> int:
        """How many candidates there are to be."""
        return len(self.settings["wishes"])

    def candidate(self, number: int) -> Candidate:
        """One candidate as its log has it."""
        if number not in self._seen:
            entries = [_entry(line) for line in self._lines(number)]
            self._seen[number] = Candidate(number, self.settings["wishes"][number - 1], tuple(entries))
        return self._seen[number]

    def candidates(self) -> list[Candidate]:
        """All of them, in their order."""
        return [self.candidate(number) for number in range(1, self.count + 1)]

    def append(self, candidate: Candidate, entry: Entry) -> Candidate:
        """Write one more line, at once; returns the candidate with it."""
        line = json.dumps(_plain(entry), ensure_ascii=False, sort_keys=True) + "\n"
        log, flags = self._log(candidate.number), os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with self._writing:
            if self._closed:
                raise ConfigError(f"the run that made {self.path} has ended")
            if candidate.number not in self._mended:
                self._cut(log)
                self._mended.add(candidate.number)
            with room(self.path), open_regular(log, flags) as file:
                put(file, line.encode("utf-8", "replace"))
            later = dataclasses.replace(candidate, entries=(*candidate.entries, entry))
            self._seen[candidate.number] = later
        return later

    def _log(self, number: int) -> Path:
        return self._home / f"{number:04d}.jsonl"

    def _lines(self, number: int) -> list[Any]:
        """The log's whole lines, without what a crash left of another, or what is being written."""
        path = self._log(number)
        content = files.read_bytes(path) if path.exists() else b""
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        return [files.parse_json(line, f"{path}, line {place},") for place, line in enumerate(lines, 1)]

    def _cut(self, path: Path) -> None:
        """Cut off what a crash left of a line."""
        content = files.read_bytes(path) if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            write_atomically(path, whole)

    def close(self) -> None:
        """Take nothing more: what threads that were left behind still bring is lost, for another run may go on."""
        with self._writing:
            self._closed = True


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep any other run from beginning or going on with the pool of a folder, which is made.

    Raises:
        ConfigError: another one does.
    """
    make_private_folder(path)
    with open_regular(path / ".lock", os.O_WRONLY | os.O_CREAT) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"another process is making the pool {path}; wait for it or stop it") from None
        yield


def _other_wishes(known: Sequence[Any], given: Sequence[Any]) -> str:
    """In what the wishes of a pool differ from those that are given now."""
    pairs: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = [*zip(known, given, strict=False)]
    one, other = next((pair for pair in pairs if pair[0] != pair[1]), ({}, {}))
    if one == other:
        return f"with {len(known)} candidates, and can only get more, not {len(given)}: leave the number out"
    drawn, draws = ({*wish} - {"idea", "category", "turns"} for wish in (one, other))
    if bool(drawn) != bool(draws):
        return "with vary: give it again" if drawn else "without vary: leave it out"
    name = min(name for name in {*one, *other} if one.get(name) != other.get(name))
    if name not in other:
        return f"with --{name} {shlex.quote(str(one[name]))}: give it again"
    if name not in one:
        return f"without --{name}: leave it out"
    return f"with --{name} {shlex.quote(str(one[name]))}, not {shlex.quote(str(other[name]))}: give the same"


def _plain(entry: Entry) -> dict[str, Any]:
    if isinstance(entry, Ruling):
        return {"kind": "ruling", **vars(entry), "reasons": [list(reason) for reason in entry.reasons]}
    reply = {**vars(entry.reply), "usage": vars(entry.reply.usage)}
    return {"kind": "call", **vars(entry), "reply": reply}


def _entry(line: Mapping[str, Any]) -> Entry:
    if line["kind"] == "ruling":
        reasons: Sequence[Sequence[str]] = line["reasons"]
        pairs = tuple((kind, text) for kind, text in reasons)
        return Ruling(line["stage"], line["round"], line["verdict"], pairs, line["facts"])
    reply = {**line["reply"], "usage": Usage(**line["reply"]["usage"])}
    return Call(line["stage"], line["round"], line["prompt_sha256"], Reply(**reply))


@contextlib.contextmanager
def in_folder(candidate: Candidate, texts: Mapping[str, str]) -> Iterator[Path]:
    """A candidate's files in a folder of their own, while they are looked at."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / f"candidate-{candidate.number:04d}"
        write_files(folder, texts)
        yield folder
