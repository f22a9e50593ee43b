"""How many requests a minute a model gets, where its provider allows no more."""

from __future__ import annotations

import math
import os
import threading
import time

from interactive_envs.errors import ConfigError

VARIABLE = "IBENCH_RPM"
"""Requests a minute to each model, of each process; unset for no limit."""


def requests_per_minute() -> float:
    """The limit; infinite where there is none.

    Raises:
        ConfigError: it is no positive number.
    """
    text = os.environ.get(VARIABLE, "")
    try:
        rate = float(text) if text else math.inf
    except ValueError:
        rate = math.nan
    if not rate > 0:
        raise ConfigError(f"{VARIABLE} must be a positive number of requests a minute, got {text!r}")
    return rate


class Pace:
    """Gives requests their turns, evenly; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self, closed: threading.Event) -> float:
        """Wait for the next turn, or until the client is closed; returns the seconds that took.

        Raises:
            ConfigError: the limit is no positive number.
        """
        rate = requests_per_minute()
        if rate == math.inf:
            return 0.0
        begun = time.monotonic()
        with self._lock:
            turn = max(begun, self._next)
            self._next = turn + 60 / rate
        closed.wait(turn - begun)
        return time.monotonic() - begun
