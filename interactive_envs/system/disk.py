"""Writing files so that a crash leaves the old one or the new one, and a full disk is reported in one line."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from interactive_envs.errors import ConfigError
from interactive_envs.system.files import open_regular


def put(file: BinaryIO, content: bytes) -> None:
    """Write all of it to an unbuffered file."""
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that a crash leaves the old one or the new one, never half; a new one is private to its owner."""
    fresh = path.with_name(f"{path.name}.new")
    with room(path.parent):
        fresh.unlink(missing_ok=True)
        try:
            with open_regular(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
                if path.is_file() and not path.is_symlink():
                    os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
                put(file, content.encode("utf-8") if isinstance(content, str) else content)
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def fresh_file(path: Path) -> Iterator[Path]:
    """A name beside a file for its new content, which takes its place once all is written."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextlib.contextmanager
def room(folder: Path) -> Iterator[None]:
    """Say in one line where there is no room for what is written, and how to go on."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        raise ConfigError(
            f"the disk is full ({os.strerror(error.errno)}): nothing more can be written in {folder}; "
            f"free some space, then go on with: {way_on(folder)}"
        ) from None


def way_on(folder: Path) -> str:
    """The command that goes on with what is in a folder, or in the one around it."""
    for name, command in (("comparison.json", "passk"), ("matches.*", "tournament"), ("config.json", "run")):
        for home in (folder, folder.parent):
            if next(home.glob(name), None):
                return f"ibench {command} --out {shlex.quote(str(home))} --resume"
    return "the same command"
