"""Which processes there are, for tests of how they end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds after which something that should have happened is given up."""


def until(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"in {PATIENCE:g} s not seen: {what}"
        time.sleep(0.05)


def descendants(pid: int) -> set[int]:
    """Ids of the processes below one."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    found, last = {pid}, 0
    while len(found) > last:
        last = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {pid}


def lives(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
