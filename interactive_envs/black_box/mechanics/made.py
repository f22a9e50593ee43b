"""Mechanical systems that somebody wrote as a folder: one function from a time to positions."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.made import MadeFolder, Maker
from interactive_envs.black_box.mechanics.boxes import LABELS, Motion
from interactive_envs.black_box.mechanics.systems import Point, System

TOLERANCE = 0.02
"""Metres by which each coordinate of an answer may be off; two versions may differ by a tenth of it."""


@dataclass(frozen=True, kw_only=True)
class MadeSystem(System):
    """The code's system.

    Attributes:
        folder: with ``positions(t)``.
        bodies: how many objects move.
    """

    folder: MadeFolder
    bodies: int

    @property
    def count(self) -> int:
        """As the settings have it."""
        return self.bodies

    def at(self, time: float) -> tuple[Point, ...]:
        """Where the code has the objects."""
        return _at(self.folder, self.bodies, time)

    def __str__(self) -> str:
        return self.folder.summary.rstrip(".")


@functools.lru_cache(maxsize=1 << 16)
def _at(folder: MadeFolder, bodies: int, time: float) -> tuple[Point, ...]:
    (found,) = folder.results([time])
    return _points(folder, found, bodies)


def _points(folder: MadeFolder, found: Any, bodies: int) -> tuple[Point, ...]:
    try:
        points = [tuple(float(x) for x in point) for point in found]
    except (TypeError, ValueError):
        points = []
    far = [x for point in points for x in point if not math.isfinite(x) or abs(x) > 1e6]
    if len(points) != bodies or any(len(point) != 3 for point in points) or far:
        raise folder.wrong(f"positions() must give {bodies} points of three finite numbers, got {found!r:.200}")
    return tuple((x, y, z) for x, y, z in points)


class MechanicsMaker(Maker):
    """``objects`` and ``until`` in ``box.toml``; ``positions(t)`` in the code."""

    harness = """
def _ibench_results(inputs):
    return [[[float(x) for x in point] for point in positions(float(t))] for t in inputs]
"""

    def box(self, folder: MadeFolder) -> Motion:
        """The system, tried at a few times: it must move, and not wander off."""
        bodies = folder.setting("objects", int, 1, len(LABELS))
        until = float(folder.setting("until", float, 1, 120))
        results = folder.results([until * part / 40 for part in range(41)])
        places = [_points(folder, found, bodies) for found in results]
        if len({places[0], places[13], places[-1]}) == 1:
            raise folder.wrong("nothing moves")
        return Motion(system=MadeSystem(until=until, folder=folder, bodies=bodies), tolerance=TOLERANCE)

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """Times over the whole stretch, hundredths of a second."""
        until = float(folder.setting("until", float, 1, 120))
        return [0.0, until, *(round(float(time), 2) for time in rng.uniform(0, until, count))]

    def differ(self, folder: MadeFolder, first: Any, second: Any) -> bool:
        """By more than a tenth of the tolerance."""
        one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
        return one.shape != other.shape or not bool((abs(one - other) <= TOLERANCE / 10).all())


MAKER = MechanicsMaker()
