"""A file of lines that grows: parts of it that are closed are compressed, and read as if they were not.

NAME.jsonl            what is appended to; all there is of a short file
NAME.000.jsonl.zst    what came before it; 001, 002 and so on follow in this order
NAME.000.jsonl        a part that is closed and not compressed yet; where there are both, the compressed one counts
"""

from __future__ import annotations

import bisect
import contextlib
import io
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from interactive_envs.system import packed
from interactive_envs.system.disk import put
from interactive_envs.system.files import open_regular
from interactive_envs.system.packed import Packed

CLOSING = 4 << 20
"""Bytes from which on a file is closed into a part once nobody writes it any more; a shorter one stays as it is."""
PART = 256 << 20
"""Bytes at which a part is closed while it is written."""


class Span(NamedTuple):
    """Where a part lies in the whole."""

    start: int
    end: int
    path: Path


class Lines:
    """The lines of a file and of its closed parts; one process at most writes them.

    Args:
        path: of what is appended to, ``NAME.jsonl``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._name = re.compile(rf"{re.escape(path.stem)}\.(\d{{3,9}}){re.escape(path.suffix)}(\.zst)?")
        self._closed = _Closed(())
        self._stamps: list[tuple[Path, int, int, int]] = []

    def files(self) -> list[Path]:
        """The files that there are, in order."""
        return [*self._numbered().values(), *([self.path] if self.path.exists() else [])]

    def open(self) -> Reader:
        """Open the whole for reading, as it is now.

        Raises:
            FileNotFoundError: there is nothing.
            DamagedPartError: a part cannot be read.
        """
        while True:
            numbered = self._numbered()
            with contextlib.ExitStack() as stack:
                tail: BinaryIO | None = None
                with contextlib.suppress(FileNotFoundError):
                    tail = stack.enter_context(open_regular(self.path))
                try:
                    closed = self._closed_of(numbered.values())
                except FileNotFoundError:
                    continue  # it was compressed in this moment
                if self._numbered().keys() != numbered.keys():
                    continue  # what was opened became a part in this moment
                if tail is None and not numbered:
                    raise FileNotFoundError(self.path)
                stack.pop_all()
                return Reader(closed, tail)

    def read(self, at: int, size: int) -> bytes:
        """Some bytes of the whole; fewer where it ends before.

        Raises:
            FileNotFoundError: there is nothing.
            DamagedPartError: a part cannot be read.
        """
        if at + size <= self._closed.end:  # what is closed stays
            with contextlib.suppress(FileNotFoundError):
                return b"".join(self._closed.pieces(at, size))
        with self.open() as file:
            file.seek(at)
            return file.read(size)

    def mend(self) -> None:
        """Finish what a crash left undone: of a part that is there twice the compressed one stays."""
        for path in self._numbered().values():
            if path.suffix == ".zst":
                path.with_suffix("").unlink(missing_ok=True)

    def close_part(self) -> None:
        """Make a part of what was appended; it is compressed later."""
        number = max(self._numbered(), default=-1) + 1
        self.path.rename(self.path.with_name(f"{self.path.stem}.{number:03}{self.path.suffix}"))

    def compress(self) -> None:
        """Compress the closed parts that are not; where there is no room for it, they stay as they are."""
        for path in self._numbered().values():
            if path.suffix != ".zst":
                with contextlib.suppress(OSError):
                    packed.compress(path, path.with_name(f"{path.name}.zst"))
                    path.unlink()

    def replace(self, path: Path, fresh: Path) -> None:
        """Let a file take the place of a part, or of what is appended to."""
        plain = path.with_suffix("") if path.suffix == ".zst" else path
        fresh.replace(plain)
        if plain != path:
            path.unlink()  # until here it counts

    def salvage(self, path: Path) -> None:
        """Let what can be read of a damaged part take its place; the part itself goes on as ``….zst.damaged``."""
        plain = path.with_suffix("")
        fresh = plain.with_name(f"{plain.name}.new")
        fresh.unlink(missing_ok=True)
        with open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as out:
            for frame in packed.salvage(path):
                put(out, frame)
            put(out, b"\n")  # what follows is another line
            os.fsync(out.fileno())
        fresh.replace(plain)
        path.rename(path.with_name(f"{path.name}.damaged"))  # until here it counts

    def _numbered(self) -> dict[int, Path]:
        """The closed parts in order."""
        found: dict[int, Path] = {}
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for name in sorted(os.listdir(self.path.parent)):  # the compressed one of two comes last
                if match := self._name.fullmatch(name):
                    found[int(match[1])] = self.path.with_name(name)
        return dict(sorted(found.items()))

    def _closed_of(self, paths: Iterable[Path]) -> _Closed:
        """The closed parts; those that are known, and have not changed since, are not opened again."""
        stamps = [(path, *_identity(path)) for path in paths]
        known = dict(zip(self._stamps, self._closed.parts, strict=True))
        if stamps != self._stamps:
            made = (known.get(stamp) or _part(stamp[0]) for stamp in stamps)
            self._closed, self._stamps = _Closed(tuple(made)), stamps
        return self._closed


class Reader(io.BufferedReader):
    """The whole as one file, as it was when it was opened."""

    def __init__(self, closed: _Closed, tail: BinaryIO | None) -> None:
        super().__init__(_Raw(closed, tail), packed.FRAME)
        self._closed, self._tail = closed, tail

    def ends_line(self, at: int) -> bool:
        """Whether the byte before a place ends a line; in closed parts it is taken for granted."""
        left = at - self._closed.end
        return left <= 0 or (self._tail is not None and os.pread(self._tail.fileno(), 1, left - 1) == b"\n")

    def spans(self, path: Path) -> Iterator[Span]:
        """Where each part lies, and what is appended to."""
        for start, part in zip(self._closed.starts, self._closed.parts, strict=False):
            yield Span(start, start + part.size, part.path)
        if self._tail:
            yield Span(self._closed.end, self._closed.end + os.fstat(self._tail.fileno()).st_size, path)


class _Raw(io.RawIOBase):
    """The bytes of closed parts, then those of what is appended to."""

    def __init__(self, closed: _Closed, tail: BinaryIO | None) -> None:
        self._closed, self._tail, self._at = closed, tail, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_CUR:
            offset += self._at
        elif whence == os.SEEK_END:
            offset += self._closed.end + (os.fstat(self._tail.fileno()).st_size if self._tail else 0)
        self._at = offset
        return offset

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        content = b""
        if self._at < self._closed.end:
            content = self._closed.read(self._at, len(buffer))
        elif self._tail is not None:
            content = os.pread(self._tail.fileno(), len(buffer), self._at - self._closed.end)
        buffer[: len(content)] = content
        self._at += len(content)
        return len(content)

    def close(self) -> None:
        if self._tail is not None:
            self._tail.close()
        super().close()


def _identity(path: Path) -> tuple[int, int, int]:
    status = path.lstat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _part(path: Path) -> Packed | _Plain:
    return Packed(path) if path.suffix == ".zst" else _Plain(path)


class _Plain:
    """A closed part that is not compressed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_regular(path) as file:
            self.size = os.fstat(file.fileno()).st_size

    def read(self, at: int, size: int) -> bytes:
        with open_regular(self.path) as file:
            return os.pread(file.fileno(), min(size, self.size - at), at)


class _Closed:
    """Closed parts, one after another."""

    def __init__(self, parts: tuple[Packed | _Plain, ...]) -> None:
        self.parts = parts
        self.starts = [0, *itertools.accumulate(part.size for part in parts)]

    @property
    def end(self) -> int:
        return self.starts[-1]

    def read(self, at: int, size: int) -> bytes:
        """Some bytes, fewer where a part or a frame ends."""
        number = bisect.bisect_right(self.starts, at) - 1
        return self.parts[number].read(at - self.starts[number], size)

    def pieces(self, at: int, size: int) -> Iterator[bytes]:
        """Some bytes that are all there."""
        while size > 0 and (piece := self.read(at, size)):
            yield piece
            at, size = at + len(piece), size - len(piece)
