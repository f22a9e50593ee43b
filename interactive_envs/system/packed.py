"""Compressed files that are read from any place: Zstandard frames, and a table of them at the end.

The table is that of Zstandard's seekable format, in a frame that other readers skip: ``zstdcat`` reads such a file.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import os
import stat
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from interactive_envs.errors import ConfigError
from interactive_envs.system.disk import put, way_on
from interactive_envs.system.files import open_regular

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FRAME = 128 << 10
"""Bytes of a frame before compression: to read a line, so much is decompressed."""
LEVEL = 3
"""Of compression."""
_LONGEST = 8 << 20
"""Bytes of a frame, compressed or not, at most: a file may be anybody's."""
_SET = zstd.CompressionParameter
_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE, _SEEKABLE = 0x184D2A5E, 0x8F92EAB1
_HEAD, _ENTRY, _FOOT = struct.Struct("<II"), struct.Struct("<II"), struct.Struct("<IBI")


class DamagedPartError(ConfigError):
    """A compressed file cannot be read.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} is damaged: {why}; {way_on(path.parent)} sets it aside and plays again what cannot be read of it"
        )
        self.path = path


def compress(path: Path, packed: Path) -> None:
    """Write the content of a file compressed into another, wholly or not at all; the first one stays.

    Raises:
        OSError: there is no room.
    """
    fresh = packed.with_name(f"{packed.name}.new")
    fresh.unlink(missing_ok=True)
    try:
        with open_regular(path) as source, open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as out:
            os.fchmod(out.fileno(), stat.S_IMODE(os.fstat(source.fileno()).st_mode))
            packer = zstd.ZstdCompressor(options={_SET.compression_level: LEVEL, _SET.checksum_flag: 1})
            table = []
            while block := source.read(FRAME):
                frame = packer.compress(block, packer.FLUSH_FRAME)
                put(out, frame)
                table.append(_ENTRY.pack(len(frame), len(block)))
            size = len(table) * _ENTRY.size + _FOOT.size
            put(out, _HEAD.pack(_SKIPPABLE, size) + b"".join(table) + _FOOT.pack(len(table), 0, _SEEKABLE))
            os.fsync(out.fileno())
        fresh.replace(packed)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


class Packed:
    """A compressed file; it is opened for each reading, and what was decompressed last is kept.

    Args:
        path: of the file.

    Raises:
        FileNotFoundError: it is not there.
        DamagedPartError: its table cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_regular(path) as file:
            entries = list(self._entries(file))
        self._places = [0, *itertools.accumulate(entry[0] for entry in entries)]
        self._starts = [0, *itertools.accumulate(entry[1] for entry in entries)]
        self._last = (-1, b"")

    @property
    def size(self) -> int:
        """Bytes before compression."""
        return self._starts[-1]

    def read(self, at: int, size: int) -> bytes:
        """Some bytes from a place on: as far as the frame reaches in which they begin, none at the end.

        Raises:
            FileNotFoundError: the file is not there any more.
            DamagedPartError: the frame cannot be read.
        """
        if not 0 <= at < self.size:
            return b""
        number = bisect.bisect_right(self._starts, at) - 1
        held, frame = self._last
        if held != number:
            frame = self._frame(number)
            self._last = (number, frame)
        begin = at - self._starts[number]
        return frame[begin : begin + size]

    def _frame(self, number: int) -> bytes:
        (place, end), (first, last) = (column[number : number + 2] for column in (self._places, self._starts))
        with open_regular(self.path) as file:
            content = os.pread(file.fileno(), end - place, place)
        frame = _unpacked(content)
        if frame is None or (len(frame[0]), frame[1]) != (last - first, len(content)):
            raise DamagedPartError(self.path, f"the frame at byte {place} cannot be read")
        return frame[0]

    def _entries(self, file: BinaryIO) -> Iterator[tuple[int, int]]:
        """The frames' sizes, compressed and not."""
        size = os.fstat(file.fileno()).st_size
        foot = os.pread(file.fileno(), _FOOT.size, max(0, size - _FOOT.size))
        count, flags, magic = _FOOT.unpack(foot) if len(foot) == _FOOT.size else (0, 1, 0)
        length = count * _ENTRY.size + _FOOT.size
        begin = size - length - _HEAD.size
        if flags or magic != _SEEKABLE or begin < 0:
            raise DamagedPartError(self.path, "its table of frames is not there")
        head = os.pread(file.fileno(), _HEAD.size + length, begin)
        entries = list(_ENTRY.iter_unpack(head[_HEAD.size : -_FOOT.size]))
        if (
            head[: _HEAD.size] != _HEAD.pack(_SKIPPABLE, length)
            or sum(entry[0] for entry in entries) != begin
            or any(not 0 < number <= _LONGEST for entry in entries for number in entry)
        ):
            raise DamagedPartError(self.path, "its table of frames is none")
        yield from entries


def salvage(path: Path) -> Iterator[bytes]:
    """The frames of a damaged file that can be read, with or without its table."""
    with open_regular(path) as file:
        content = memoryview(file.read())
    begin = 0
    while (begin := _find(content, begin)) >= 0:
        frame = _unpacked(content[begin : begin + _LONGEST])
        if frame is not None:
            yield frame[0]
        begin += frame[1] if frame else 1


def _find(content: memoryview, begin: int) -> int:
    return content.obj.find(_MAGIC, begin)  # type: ignore[attr-defined, no-any-return]


def _unpacked(content: bytes | memoryview) -> tuple[bytes, int] | None:
    """What the frame holds that begins here, and its length; None where it is damaged or too long."""
    unpacker = zstd.ZstdDecompressor()
    with contextlib.suppress(zstd.ZstdError):
        frame = unpacker.decompress(content, _LONGEST)
        if unpacker.eof:
            return frame, len(content) - len(unpacker.unused_data)
    return None
