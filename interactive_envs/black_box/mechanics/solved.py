"""Mechanical systems without a closed form, solved step by step; errors are below 1e-9 of the size of the motion."""

from __future__ import annotations

import functools
import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from interactive_envs.black_box.mechanics.systems import GRAVITY, Numbers, Point, System


@dataclass(frozen=True, kw_only=True)
class Integrated(System):
    """Solved step by step by extrapolated midpoint rules.

    Attributes:
        step: of the net whose nodes are kept; each is one extrapolation of order 14.
    """

    step: ClassVar[float] = 0.1

    @abstractmethod
    def begin(self) -> Numbers:
        """The state at the start."""

    @abstractmethod
    def slope(self, state: Sequence[float]) -> Numbers:
        """By how much the state changes in a second; it does not depend on the time."""

    @abstractmethod
    def places(self, state: Numbers) -> tuple[Point, ...]:
        """Where the objects are."""

    def at(self, time: float) -> tuple[Point, ...]:
        """From the node before."""
        node = int(time / self.step)
        nodes = _nodes(self)
        while (reached := len(nodes)) <= node:  # threads share the nodes: two that come to one give it the same value
            nodes[reached] = extrapolated(self.slope, nodes[reached - 1], self.step)
        left = time - node * self.step
        return self.places(extrapolated(self.slope, nodes[node], left) if left > 1e-12 else nodes[node])


@functools.lru_cache(64)
def _nodes(system: Integrated) -> dict[int, Numbers]:
    """The states at the nodes that were reached so far, by number."""
    return {0: system.begin()}


def extrapolated(slope: Callable[[Sequence[float]], Numbers], state: Numbers, step: float) -> Numbers:
    """One step of the method of Gragg, Bulirsch and Stoer, of order 14.

    SciPy's integrators choose steps of their own; with those of another release the recorded truths would not replay.

    >>> round(extrapolated(lambda state: (state[0],), (1.0,), 0.5)[0] - math.exp(0.5), 13)
    0.0
    """
    rows: list[list[Numbers]] = []
    first = slope(state)
    for row in range(7):
        parts = 2 * (row + 1)
        h = step / parts
        before, now = state, tuple(x + h * d for x, d in zip(state, first, strict=True))
        for _ in range(parts - 1):
            before, now = now, tuple(x + 2 * h * d for x, d in zip(before, slope(now), strict=True))
        entries = [tuple((x + y + h * d) / 2 for x, y, d in zip(before, now, slope(now), strict=True))]
        for column in range(row):
            finer = ((row + 1) / (row - column)) ** 2 - 1
            pairs = zip(entries[-1], rows[-1][column], strict=True)
            entries.append(tuple(new + (new - old) / finer for new, old in pairs))
        rows.append(entries)
    return rows[-1][-1]


@dataclass(frozen=True, kw_only=True)
class DoublePendulum(Integrated):
    """A bob on a rod that hangs on another bob's, let go from rest; both angles are measured from straight down."""

    lengths: tuple[float, float]
    masses: tuple[float, float]
    angles: tuple[float, float]
    objects: ClassVar[int] = 2

    def begin(self) -> Numbers:
        """Angles in radians, then their rates."""
        return math.radians(self.angles[0]), math.radians(self.angles[1]), 0.0, 0.0

    def slope(self, state: Sequence[float]) -> Numbers:
        """Lagrange's equations, solved for the accelerations."""
        a, b, u, v = state
        (p, q), (m, n) = self.lengths, self.masses
        sin, cos = math.sin(a - b), math.cos(a - b)
        heavy = m + n * sin * sin
        pull, push = GRAVITY * math.sin(a), GRAVITY * math.sin(b)
        first = (-n * sin * (p * u * u * cos + q * v * v) - (m + n) * pull + n * push * cos) / (p * heavy)
        second = ((m + n) * (p * u * u * sin + pull * cos - push) + n * q * v * v * sin * cos) / (q * heavy)
        return u, v, first, second

    def places(self, state: Numbers) -> tuple[Point, ...]:
        """The upper bob and the lower."""
        (p, q), (a, b) = self.lengths, state[:2]
        x, y = p * math.sin(a), -p * math.cos(a)
        return ((x, y, 0.0), (x + q * math.sin(b), y - q * math.cos(b), 0.0))


@dataclass(frozen=True, kw_only=True)
class Dragged(Integrated):
    """Thrown, with a drag of ``drag`` times the square of the speed against the motion, by mass (1/m)."""

    velocity: tuple[float, float]
    drag: float

    def begin(self) -> Numbers:
        """Place and velocity, along and up."""
        return 0.0, 0.0, *self.velocity

    def slope(self, state: Sequence[float]) -> Numbers:
        """Weight and drag."""
        _, _, u, v = state
        slowing = self.drag * math.hypot(u, v)
        return u, v, -slowing * u, -GRAVITY - slowing * v

    def places(self, state: Numbers) -> tuple[Point, ...]:
        """From the origin."""
        return ((state[0], state[1], 0.0),)


@dataclass(frozen=True, kw_only=True)
class Spherical(Integrated):
    """A bob on a rod, free to swing to all sides, pushed to the side at ``angle`` from the lowest point."""

    length: float
    angle: float
    speed: float

    def begin(self) -> Numbers:
        """Place and velocity; the point of suspension is the origin."""
        angle = math.radians(self.angle)
        return self.length * math.sin(angle), -self.length * math.cos(angle), 0.0, 0.0, 0.0, self.speed

    def slope(self, state: Sequence[float]) -> Numbers:
        """Weight, and the rod's force, which keeps the distance."""
        x, y, z, u, v, w = state
        hold = (GRAVITY * y - u * u - v * v - w * w) / self.length**2
        return u, v, w, hold * x, hold * y - GRAVITY, hold * z

    def places(self, state: Numbers) -> tuple[Point, ...]:
        """The bob."""
        return ((state[0], state[1], state[2]),)
