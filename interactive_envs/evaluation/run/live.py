"""What is being played at this moment, for who watches: ``live.json`` in the run's folder, which goes when it ends."""

from __future__ import annotations

import contextlib
import json
import threading
import time
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


def under_way(folder: Path) -> dict[tuple[int, int, int], dict[str, Any]]:
    """The episodes that a run is playing, as far as it has told: ``count`` of steps and the last ``steps``."""
    try:
        content = read_json(folder / FILE)
        return {tuple(episode["key"]): episode for episode in content["episodes"]}
    except (OSError, ConfigError, LookupError, TypeError):
        return {}


def _key(job: Job) -> tuple[int, int, int]:
    return job.cell_index, job.case_index, job.epoch
