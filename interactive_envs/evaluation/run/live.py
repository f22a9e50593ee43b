"""What is being played at this moment, for who watches: ``live.json`` in the run's folder, which goes when it ends."""

from __future__ import annotations

import contextlib
import json
import operator
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run.episode import Job
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import read_json

FILE = "live.json"
EVERY = 1.0
"""Seconds between two writings at least."""
STEPS, CUT, EPISODES = 30, 4000, 64
"""Last steps of an episode, characters of a message, and episodes that are written at most."""


class Live:
    """Keeps the steps of the episodes under way; thread-safe.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._episodes: dict[tuple[int, int, int], dict[str, Any]] = {}
        self._written = time.monotonic()
        self._closed = False

    def begin(self, job: Job) -> None:
        """An episode begins."""
        with self._lock:
            self._episodes[_key(job)] = {"key": _key(job), "count": 0, "steps": []}

    def step(self, job: Job, observation: str, action: str, reply: str) -> None:
        """A player has acted."""
        with self._lock:
            episode = self._episodes[_key(job)]
            episode["count"] += 1
            episode["steps"].append([text[:CUT] for text in (observation, action, reply)])
            del episode["steps"][:-STEPS]
            if not self._closed and time.monotonic() - self._written >= EVERY:
                self._write()

    def end(self, job: Job) -> None:
        """An episode is over, or was broken."""
        with self._lock:
            self._episodes.pop(_key(job), None)

    def close(self) -> None:
        """Nothing is played any more."""
        with self._lock:
            self._closed = True
            self._path.unlink(missing_ok=True)

    def _write(self) -> None:
        shown = list(self._episodes.values())[:EPISODES]
        # who watches misses a look at most; a full disk is told of where records are written
        with contextlib.suppress(OSError):
            write_atomically(self._path, json.dumps({"episodes": shown}, ensure_ascii=True))
        self._written = time.monotonic()


@dataclass(frozen=True)
class Playing:
    """An episode that is being played, as far as its run has told.

    Attributes:
        count: of its steps.
        steps: the last of them: what the player saw, what it said, and what it saw then.
    """

    count: int
    steps: tuple[tuple[str, str, str], ...]


def under_way(folder: Path, cells: int) -> dict[tuple[int, int, int], Playing]:
    """The episodes that a run of so many cells is playing, by cell, case and epoch; none where the file is nonsense."""
    try:
        found = {}
        for told in read_json(folder / FILE)["episodes"]:
            cell, case, epoch = map(operator.index, told["key"])
            if 0 <= cell < cells and case >= 0 and epoch >= 0:
                steps = [(str(seen), str(said), str(reply)) for seen, said, reply in told["steps"]]
                found[cell, case, epoch] = Playing(operator.index(told["count"]), tuple(steps))
        return found
    except (OSError, ConfigError, LookupError, TypeError, ValueError):
        return {}


def _key(job: Job) -> tuple[int, int, int]:
    return job.cell_index, job.case_index, job.epoch
