"""CPU time of small parts beside a calibration loop, for the benchmarks that walk a whole registry."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np


def timed(call: Callable[[], Any]) -> float:
    """Milliseconds of CPU time."""
    begun = time.process_time()
    call()
    return 1e3 * (time.process_time() - begun)


def calibration() -> None:
    """A million additions."""
    total = 0
    for number in range(1_000_000):
        total += number


def show(found: Mapping[str, Sequence[tuple[float, str]]], loops: Sequence[float], what: str) -> None:
    """Print median, 95th percentile and maximum of every part: pairs of milliseconds and whose they are."""
    loop = statistics.median(loops)
    count = len(next(iter(found.values())))
    print(f"calibration loop: {loop:.1f} ms, 95 % {np.percentile(loops, 95):.1f}; {count} {what}")
    print(f"{'':<10}  median ms   95 % ms    max ms   median / loop   slowest")
    for part, figures in found.items():
        values = np.array([figure for figure, _ in figures])
        slowest = max(figures)
        print(
            f"{part:<10} {np.median(values):>10.3f} {np.percentile(values, 95):>9.3f} {slowest[0]:>9.3f} "
            f"{np.median(values) / loop:>15.4f}   {slowest[1]}"
        )
