"""How time grows with the size of the work: machines differ in seconds and are busy, shapes are the same on all."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def growth(work: Callable[[int], object], small: int, large: int, tries: int = 3) -> float:
    """How many times as many CPU seconds ``work(large)`` takes as ``work(small)``; each is the best of its tries.

    Without looking for garbage, as ``timeit`` does: how often that is done depends on what else is kept.
    """

    def seconds(size: int) -> float:
        gc.disable()
        begun = time.process_time()
        try:
            work(size)
            return time.process_time() - begun
        finally:
            gc.enable()

    return min(seconds(large) for _ in range(tries)) / min(seconds(small) for _ in range(tries))
