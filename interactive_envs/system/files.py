"""Files that somebody else may have made: regular ones only, no links, never more than a limit; and private ones."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from pathlib import Path
from typing import IO, Any, BinaryIO

from interactive_envs.errors import ConfigError

LARGEST = 64 << 20
"""Bytes that are read of a file, by default."""
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of what this package writes: nobody but its owner reads it."""
_PIECE = 1 << 20


def open_regular(path: str | Path, flags: int = os.O_RDONLY) -> BinaryIO:
    """Open a regular file for bytes; a new one is private to its owner.

    Args:
        path: of the file; it must not be a link, its folders may be.
        flags: of ``os.open``. What is written goes to the file at once, without a buffer.

    Raises:
        ConfigError: it is a link, a folder, a pipe or a device.
        OSError: it is not there, or may not be opened.
    """
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its other end.
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        descriptor = os.open(path, flags, PRIVATE_FILE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ConfigError(f"{path} is a link, and links are not followed; put the file itself there") from None
        if error.errno in (errno.ENXIO, errno.EISDIR):
            raise ConfigError(f"{path} is no regular file; put a file there") from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError(f"{path} is no regular file; put a file there")
    access = flags & os.O_ACCMODE
    if access == os.O_RDONLY:
        return open(descriptor, "rb")
    return open(descriptor, "r+b" if access == os.O_RDWR else "wb", buffering=0)


def read_bytes(path: str | Path, *, largest: int = LARGEST) -> bytes:
    """The content of a regular file.

    Args:
        path: of the file; it must not be a link, its folders may be.
        largest: bytes that it may have.

    Raises:
        ConfigError: it is a link, a folder, a pipe or a device, or larger.
        OSError: there is no such file, or it may not be read.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = bytearray()
        # In pieces, for no more room is taken than a small file needs; the size alone says too little, as it may grow.
        while size <= largest and (piece := file.read(min(_PIECE, largest + 1 - len(content)))):
            content += piece
    if max(size, len(content)) > largest:
        raise ConfigError(f"{path} has more than {largest:,} bytes, which is the most that is read of it")
    return bytes(content)


def read_text(path: str | Path, *, largest: int = LARGEST) -> str:
    """The text of a regular file in UTF-8; every line ends in a newline, as Python's own reading has it.

    Raises:
        ConfigError: as :func:`read_bytes`, or it is not UTF-8.
        OSError: there is no such file, or it may not be read.
    """
    try:
        return read_bytes(path, largest=largest).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None


def parse_json(text: str | bytes, source: object) -> Any:
    """The value of a JSON text, however it was made.

    Args:
        text: the JSON; bytes are UTF-8.
        source: where it comes from, for the message.

    Raises:
        ConfigError: it is not JSON, nested too deeply, or holds a number of too many digits.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ConfigError(f"{source} is nested too deeply to be read") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source} is not UTF-8: {error.reason} at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ConfigError(f"{source} is not JSON: {error}") from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise ConfigError(f"{source} holds a number of too many digits") from None


def read_json(path: str | Path, *, largest: int = LARGEST) -> Any:
    """The JSON value in a regular file.

    Raises:
        ConfigError: as :func:`read_bytes` and :func:`parse_json`.
        OSError: there is no such file, or it may not be read.
    """
    return parse_json(read_bytes(path, largest=largest), path)


def make_private_folder(path: str | Path) -> Path:
    """Make a folder, and those above it that are missing, for its owner alone; one that is there stays as it is."""
    path = Path(path)
    if not path.is_dir():
        make_private_folder(path.parent)
        with contextlib.suppress(FileExistsError):  # made by somebody else meanwhile, or no folder: reported below
            path.mkdir(mode=PRIVATE_FOLDER)
    if not path.is_dir():
        raise ConfigError(f"{path} is no folder; choose another place")
    return path


def make_subfolder(folder: Path, name: str) -> Path:
    """Make a private folder in another that somebody else may have made.

    Raises:
        ConfigError: there is a link of that name, which would lead elsewhere, or something that is no folder.
    """
    path = folder / name
    if path.is_symlink():
        raise ConfigError(f"{path} is a link, and links are not followed; remove it")
    return make_private_folder(path)


def open_private(path: str | Path, mode: str) -> IO[Any]:
    """Open a file for writing that nobody but its owner may read, text as UTF-8; one that is there keeps its mode.

    Raises:
        OSError: it is a link, or may not be written.
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW, PRIVATE_FILE)

    return open(path, mode, encoding=None if "b" in mode else "utf-8", opener=opener)
