"""Mechanical systems: a time is asked, the positions of all objects come back; where will they be at other times?

Source: ORACLE, physics system inference. What differs from its boxes, and why, is in ``docs/black-boxes/mechanics.md``.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from interactive_envs.black_box.base import AnswerBox, Box, Entry, Family, Function, Grade, Trial
from interactive_envs.black_box.mechanics.solved import DoublePendulum, Dragged, Spherical
from interactive_envs.black_box.mechanics.systems import (
    GRAVITY,
    Anisotropic,
    Balls,
    Bouncing,
    Conical,
    Coupled,
    Crossed,
    Driven,
    Ferry,
    Orbit,
    Pendulum,
    Point,
    Rising,
    Rolling,
    Rubbing,
    Shot,
    Slope,
    Swinging,
    System,
    Thrown,
    Wedge,
)
from interactive_envs.parsing import Illegal, Unreadable

LABELS = "ABC"
UNITS = {"m": "metres", "Gm": "millions of kilometres"}
TOLERANCE_UNITS = {"m": "m", "Gm": "million kilometres"}
AXES = "xyz"
APART = 0.05
"""How far a test item's time is from each time that was asked, at least."""
NEARBY = 0.2
"""Share of the time until the end, in which a false reply's true time is."""
LONGEST = 1_000
"""Longer queries and answers are not read."""

Frame: TypeAlias = tuple[Point, Point, Point, Point]
"""Where a system's origin is, and the directions of its three coordinates."""

FLAT: Frame = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""The system's coordinates as they are: y is up."""
UPRIGHT: Frame = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
"""z is up."""

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?"
_BETWEEN = r"(?:\s*,\s*|\s+)"
_THREE = rf"[(\[]?\s*({_NUMBER}){_BETWEEN}({_NUMBER}){_BETWEEN}({_NUMBER})\s*[)\]]?"
_OBJECT = re.compile(rf"['\"]?([A-C])['\"]?\s*[:=]?\s*{_THREE}\s*[;,.]*\s*", re.IGNORECASE | re.ASCII)
_BARE = re.compile(rf"{_THREE}\s*[;.]?", re.IGNORECASE | re.ASCII)
_TIME = re.compile(
    r"(?:t\s*[:=]?\s*)?(\+?(?:\d+(?:\.\d*)?|\.\d+))\s*(?:s|sec|seconds?|d|days?)?", re.IGNORECASE | re.ASCII
)
_TIME_AND_AXIS = re.compile(rf"{_TIME.pattern}[\s,;:]*([xyz])", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Motion(AnswerBox):
    """A mechanical system in a place of the world.

    Queries are times, partly observed pairs of a time and an axis. Facts are rounded: a point for each object, partly
    observed one coordinate for each. Arguments are times, answers a point for each object.

    Attributes:
        system: what moves.
        frame: where it is.
        decimals: to which coordinates are rounded.
        tolerance: by how much each coordinate of an answer may be off.
        length: the unit of coordinates.
        time: the unit of times.
    """

    system: System
    frame: Frame = FLAT
    decimals: int = 2
    tolerance: float = 0.01
    length: str = "m"
    time: str = "s"

    @property
    def labels(self) -> str:
        """The objects' names."""
        return LABELS[: self.system.count]

    @property
    def public(self) -> Any:
        """Pairs of a name and a value."""
        return (
            ("objects", self.system.count),
            ("horizon", self.system.until),
            ("decimals", self.decimals),
            ("tolerance", self.tolerance),
            ("length", self.length),
            ("time", self.time),
        )

    @property
    def examples(self) -> tuple[str, ...]:
        """Some queries."""
        queries = ("0 x", "1.5 y", "3.25 z") if self.partial else ("0", "1.5", "3.25")
        return tuple(f"<query>{query}</query>" for query in queries)

    def introduction(self) -> str:
        """Objects, units, times and the form of queries."""
        named = f"{len(self.labels)} objects, {_listed(self.labels)}" if len(self.labels) > 1 else "one object, A"
        unit = UNITS[self.length]
        times = {"s": "seconds", "d": "days"}[self.time]
        example = f"At t = 1.7 {self.time}: A: ({self._coordinates((12.25, 0.0, -3.5))})"
        how = f"<query>1.7</query>. The reply gives the positions (x, y, z) of all objects at that time in {unit}"
        if self.partial:
            example = f"At t = 1.7 {self.time}, x: A: {self._coordinates((12.25,))}"
            how = (
                "<query>1.7 x</query>, a time and one of the axes x, y and z. The reply gives only this coordinate of "
                f"every object's position at that time, in {unit}"
            )
        return (
            f"A mechanical system is hidden: {named}, moving by fixed laws and without chance from t = 0 on. "
            f"A query is a time t in {times}, 0 <= t <= {_plain(self.system.until)}, with at most 2 decimals: "
            f"{how}, rounded to {self.decimals} decimals, for example: {example}. "
            "You are not told what kind of system it is or which way is up; where weight matters, "
            f"g = {GRAVITY:g} m/s^2."
        )

    def examination(self) -> str:
        """The form of answers and their tolerance."""
        more = "; B: 4, 5.25, 0" if len(self.labels) > 1 else ""
        as_json = '{"A": [1.20, 0, -3.50]' + (', "B": [4, 5.25, 0]' if more else "") + "}"
        rest = ", and so on for all objects" if len(self.labels) > 2 else ""
        every = "all objects are" if more else "the object is"
        return (
            f"Each question asks where {every} at a time from 0 to {_plain(self.system.until)} {self.time} that you "
            f"have not asked about. Answer with x, y and z: <answer>A: 1.20, 0, -3.50{more}</answer>{rest}, or as "
            f"JSON: <answer>{as_json}</answer>. It is right if every coordinate is within "
            f"{self.tolerance:g} {TOLERANCE_UNITS[self.length]} of the exact position."
        )

    # Exploration.

    def reveal(self, trial: Trial) -> str:
        """The system and its parameters."""
        return f"The system: {self.system}."

    def any_query(self, rng: np.random.Generator) -> str:
        """Any time, and any axis where one is asked for."""
        time = _plain(round(float(rng.uniform(0, self.system.until)), 1))
        return f"<query>{time}{' ' + AXES[int(rng.integers(3))] if self.partial else ''}</query>"

    def similar_query(self, query: Any, rng: np.random.Generator) -> Any:
        """A time nearby, and the same axis."""
        time, axis = query if self.partial else (query, None)
        near = round(time + float(rng.uniform(-NEARBY, NEARBY)) * self.system.until, 1)
        near = min(max(near, 0.0), self.system.until)
        return near if axis is None else (near, axis)

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """A time, partly observed with an axis."""
        legal = f"a time from 0 to {_plain(self.system.until)} with at most 2 decimals"
        legal += ", then x, y or z" if self.partial else ""
        text = body.strip().rstrip(".").strip("()[]{}'\" ") if len(body) <= LONGEST else ""
        found = (_TIME_AND_AXIS if self.partial else _TIME).fullmatch(text)
        if found is None:
            return Unreadable(f"I cannot read {body[:40]!r}; write {legal}.")
        whole, _, part = found[1].lstrip("+").partition(".")
        part = part.rstrip("0")
        time = float(f"{whole or '0'}.{part or '0'}")
        if len(part) > 2 or time > self.system.until:
            return Illegal(f"{body[:40]!r} is not allowed; write {legal}.")
        return (time, found[2].lower()) if self.partial else time

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """The rounded positions."""
        time, axis = query if self.partial else (query, None)
        points = tuple(tuple(self._rounded(x) for x in point) for point in self.value(trial, time))
        return (points if axis is None else tuple(point[AXES.index(axis)] for point in points)), memory

    def tell(self, query: Any, fact: Any) -> str:
        """``At t = 1.7 s: A: (3.40, 0.00, -1.25); B: (…)``."""
        time, axis = query if self.partial else (query, None)
        if axis is None:
            places = [f"{label}: ({self._coordinates(point)})" for label, point in zip(self.labels, fact, strict=True)]
        else:
            places = [f"{label}: {self._coordinates((x,))}" for label, x in zip(self.labels, fact, strict=True)]
        return f"At t = {_plain(time)} {self.time}{f', {axis}' if axis else ''}: {'; '.join(places)}"

    @property
    def n_queries(self) -> int:
        """Times on the net of hundredths, by axes where observed partly."""
        return (math.floor(self.system.until * 100 + 1e-9) + 1) * (len(AXES) if self.partial else 1)

    # Test items.

    def arguments(self, trial: Trial, asked: Sequence[Any], rng: np.random.Generator, count: int) -> tuple[Any, ...]:
        """Times apart from those asked, one a stretch, stretches shorter towards the end.

        Of some in a stretch the one is taken whose positions are least like those asked before and after it and like
        the straight line between them: who repeats a reply or interpolates is wrong wherever anything moves.
        """
        taken = sorted({query[0] if self.partial else query for query in asked})
        if count > 60:
            return self._many(taken, rng, count)
        ends = [self.system.until * (0.02 + 0.98 * (i / count) ** 0.7) for i in range(count + 1)]
        chosen: list[float] = []
        for low, high in itertools.pairwise(ends):
            drawn = [round(float(time), 2) for time in rng.uniform(low, high, size=12)]
            known = [*taken, *chosen]
            free = [t for t in drawn if t <= self.system.until and all(abs(t - k) > APART - 1e-9 for k in known)]
            if not free:
                net = (round(k / 100, 2) for k in range(math.floor(self.system.until * 100 + 1e-9) + 1))
                free = [t for t in net if all(abs(t - k) > APART - 1e-9 for k in known)]
                free = [free[int(rng.integers(len(free)))]] if free else []
            if free:
                chosen.append(max(free[:4], key=lambda time: self._surprise(trial, taken, time)))
        return tuple(chosen[i] for i in rng.permutation(len(chosen)))

    def _many(self, taken: Sequence[float], rng: np.random.Generator, count: int) -> tuple[float, ...]:
        fine = round(self.system.until * 1000)
        known = {round(time * 1000) for time in taken}
        free = [int(k) for k in rng.permutation(fine + 1) if int(k) not in known]
        return tuple(k / 1000 for k in free[:count])

    def _surprise(self, trial: Trial, taken: Sequence[float], time: float) -> float:
        """How far from what the neighbours suggest, in tolerances, 50 for anything far."""
        here = self.value(trial, time)
        before = max((t for t in taken if t < time), default=None)
        after = min((t for t in taken if t > time), default=None)
        guesses = [self.value(trial, t) for t in (before, after) if t is not None]
        if before is not None and after is not None:
            part = (time - before) / (after - before)
            ends = zip(*guesses, strict=True)
            guesses.append(tuple(_triple([a + part * (b - a) for a, b in zip(p, q, strict=True)]) for p, q in ends))
        return min((min(50.0, _distance(here, guess) / self.tolerance) for guess in guesses), default=50.0)

    def value(self, trial: Trial, argument: Any) -> tuple[Point, ...]:
        """Where the objects are at a time."""
        origin, *axes = self.frame
        points = []
        for point in self.system.at(argument):
            x, y, z = (origin[i] + sum(p * axis[i] for p, axis in zip(point, axes, strict=True)) for i in range(3))
            points.append((x, y, z))
        return tuple(points)

    def question(self, trial: Trial, argument: Any) -> str:
        """An item's question."""
        every = "are " + _listed(self.labels) if len(self.labels) > 1 else "is A"
        return f"Where {every} at t = {_plain(argument)} {self.time}?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """A point for each object; the only object's name may be left out."""
        text = body.replace("\u2212", "-").strip().strip("{}").strip() if len(body) <= LONGEST else ""
        points: dict[str, Point] = {}
        place = 0
        if len(self.labels) == 1 and (bare := _BARE.fullmatch(text)):
            points["A"], place = _point(bare.groups()), len(text)
        while place < len(text):
            found = _OBJECT.match(text, place)
            if found is None or found[1].upper() in points:
                break
            points[found[1].upper()], place = _point(found.groups()[1:]), found.end()
        legal = "; ".join(f"{label}: x, y, z" for label in self.labels)
        if not text or place < len(text) or sorted(points) != list(self.labels):
            return Unreadable(f"I cannot read {body[:40]!r}; write a number for each: {legal}.")
        answer = tuple(points[label] for label in self.labels)
        if not all(math.isfinite(x) for point in answer for x in point):
            return Unreadable(f"{body[:40]!r} has a number that is too large; write {legal}.")
        return answer

    def mark(self, truth: Any, answer: Any) -> float:
        """1 if every coordinate is within the tolerance, else 0."""
        return float(_distance(truth, answer) <= self.tolerance * (1 + 1e-9))

    def show_answer(self, truth: Any) -> str:
        """A point for each object."""
        return "; ".join(f"{a}: {self._coordinates(point)}" for a, point in zip(self.labels, truth, strict=True))

    @property
    def function(self) -> Function:
        """A time to the positions."""
        returned = ", ".join(f'"{label}": [x, y, z]' for label in self.labels)
        return Function(
            "solution(t: float) -> dict[str, list[float]]",
            f"Its argument is a time in {self.time} from 0 to {_plain(self.system.until)}; it must return the "
            f"positions then, {{{returned}}} in {UNITS[self.length]}, no coordinate off by more than "
            f"{self.tolerance:g}.",
        )

    def mark_value(self, truth: Any, value: Any) -> float:
        """1 if it is a position for each object and every coordinate is within the tolerance."""
        if not isinstance(value, dict) or sorted(map(str, value)) != list(self.labels):
            return 0.0
        rows = [value[label] for label in self.labels if isinstance(value.get(label), list | tuple)]
        if [len(row) for row in rows] != [3] * len(self.labels):
            return 0.0
        if not all(type(x) in (int, float) and abs(x) < 1e15 for row in rows for x in row):
            return 0.0
        return self.mark(truth, rows)

    def _rounded(self, coordinate: float) -> float:
        return round(coordinate, self.decimals) + 0.0  # no -0.0

    def _coordinates(self, numbers: Sequence[float]) -> str:
        return ", ".join(f"{self._rounded(number):.{self.decimals}f}" for number in numbers)


def _point(texts: Sequence[str | Any]) -> Point:
    x, y, z = (float(text) for text in texts)
    return x, y, z


def _distance(points: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """The greatest difference of any coordinate."""
    return max(abs(a - b) for p, q in zip(points, others, strict=True) for a, b in zip(p, q, strict=True))


def _plain(number: float) -> str:
    """A time without needless zeros: 10, 1.7, 0.05."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def _listed(labels: str) -> str:
    return " and ".join((", ".join(labels[:-1]), labels[-1]))


# The fixed boxes.


def _fixed(grade: Grade, summary: str, system: Callable[[], System], **about: Any) -> Entry:
    items = 3 if grade == "baseline" else None
    return Entry(grade, lambda: Motion(system=system(), **about), summary, items)


BOXES: dict[str, Entry] = {
    "uniform-motion": _fixed(
        "baseline", "straight on at 2 m/s along x", lambda: Thrown(until=10.0, velocity=(2.0, 0.0, 0.0))
    ),
    "balls-completely-elastic-collision": _fixed(
        "easy",
        "5 kg at 4 m/s hits 2 kg at rest 10 m ahead, elastically",
        lambda: Balls(until=10.0, masses=(5.0, 2.0), starts=(0.0, 10.0), velocities=(4.0, 0.0)),
    ),
    "balls-completely-elastic-collision-2": _fixed(
        "easy",
        "4 kg at 3 m/s and 2 kg at -5 m/s, 12 m apart, meet elastically",
        lambda: Balls(until=10.0, masses=(4.0, 2.0), starts=(0.0, 12.0), velocities=(3.0, -5.0)),
    ),
    "conical-pendulum": _fixed(
        "easy",
        "a cord of 5 m at 30 degrees, going round; ORACLE has another, wrong angular speed",
        lambda: Conical(until=20.0, length=5.0, angle=30.0),
        frame=UPRIGHT,
    ),
    "cycloid": _fixed(
        "easy", "a point of a wheel's rim, r = 1, v = 1", lambda: Rolling(until=20.0, radius=1.0, speed=1.0)
    ),
    "elliptical-planetary-orbit": _fixed(
        "easy",
        "M = 8e29 kg, 60 to 90 Gm; ORACLE asks about 80 s of a year of 204 days, to 0.01 m",
        # G = 6.7e-11 in m^3 / (kg s^2); a gigametre is 1e9 m, a day 86,400 s.
        lambda: Orbit(until=400.0, pull=6.7e-11 * 8e29 * 86_400.0**2 / 1e27, nearest=60.0, farthest=90.0),
        length="Gm",
        time="d",
        tolerance=0.1,
    ),
    "freefall-elastic-collision": _fixed(
        "easy", "from 10 m, bouncing without loss", lambda: Bouncing(until=20.0, height=10.0)
    ),
    "freefall-inelastic-collision": _fixed(
        "easy",
        "from 20 m, 0.6 of the speed is left after each bounce",
        lambda: Bouncing(until=8.5, height=20.0, restitution=0.6),
    ),
    "freefall-infinite-height": _fixed(
        "easy", "falls without end", lambda: Thrown(until=10.0, acceleration=(0.0, -GRAVITY, 0.0))
    ),
    "horizontal-projectile-infinite-height": _fixed(
        "easy",
        "thrown level at 10 m/s",
        lambda: Thrown(until=10.0, velocity=(10.0, 0.0, 0.0), acceleration=(0.0, -GRAVITY, 0.0)),
    ),
    "oblique-projectile-infinite-height": _fixed(
        "easy",
        "thrown at 10 m/s along and 10 m/s up",
        lambda: Thrown(until=10.0, velocity=(10.0, 10.0, 0.0), acceleration=(0.0, -GRAVITY, 0.0)),
    ),
    "pendulum": _fixed(
        "easy",
        "a rod of 2 m, let go at 60 degrees; ORACLE's positions are not those of the solution",
        lambda: Pendulum(until=20.0, length=2.0, angle=60.0),
    ),
    "simple-harmonic-horizontal": _fixed(
        "easy", "0.2 cos(10 t)", lambda: Swinging(until=10.0, omega=10.0, cosine=(0.2, 0.0, 0.0))
    ),
    "simple-harmonic-vertical": _fixed(
        "easy",
        "0.3 (1 - cos(10 t)), y down",
        lambda: Swinging(until=10.0, omega=10.0, centre=(0.0, 0.3, 0.0), cosine=(0.0, -0.3, 0.0)),
    ),
    "ball-air-resistance": _fixed(
        "hard",
        "2 kg up at 15 m/s, drag 0.1 v^2; in closed form where ORACLE's positions are off",
        lambda: Rising(until=6.0, mass=2.0, speed=15.0, drag=0.1),
    ),
    "balls-collision": _fixed(
        "hard",
        "5 kg at 4 m/s and 3 kg at -6 m/s from the ends of a box of 20 m, e = 0.8",
        lambda: Balls(
            until=15.0,
            masses=(5.0, 3.0),
            starts=(0.0, 20.0),
            velocities=(4.0, -6.0),
            walls=(0.0, 20.0),
            restitution=0.8,
        ),
    ),
    "bullet-object": _fixed(
        "hard",
        "50 g at 400 m/s through a sliding block of 2 kg and 60 m; drag by relative velocity, not by ORACLE's",
        lambda: Shot(
            until=25.0, block=2.0, length=60.0, friction=0.1, speed=15.0, bullet=0.05, fast=400.0, hits=1.5, drag=0.2
        ),
    ),
    "double-pendulum": _fixed(
        "hard",
        "two rods of 1 m, two bobs of 1 kg, both let go at 45 degrees",
        lambda: DoublePendulum(until=12.0, lengths=(1.0, 1.0), masses=(1.0, 1.0), angles=(45.0, 45.0)),
    ),
    "harmonic-friction": _fixed(
        "hard",
        "k = 100 N/m, 1 kg, from 1 m, dry friction 0.1: it sticks after 50 swings, which ORACLE leaves out",
        lambda: Rubbing(until=17.0, stiffness=100.0, mass=1.0, start=1.0, friction=0.1),
    ),
    "incline-plane-block": _fixed(
        "hard",
        "5 kg from a height of 8 m down a slope of 30 degrees on 10 kg, which slide away from it",
        lambda: Wedge(until=5.0, angle=30.0, wedge=10.0, block=5.0, distance=16.0),
    ),
    "river-boat": _fixed(
        "hard",
        "the current grows with the distance from the bank; out at 2 m/s to 5 m, back at 1 m/s",
        lambda: Ferry(until=10.0, out=2.0, turns=5.0, back=1.0),
    ),
    "three-balls-collision": _fixed(
        "hard",
        "4, 3 and 2 kg at 3, 3 and -4 m/s in a box of 30 m, elastic",
        lambda: Balls(
            until=15.0, masses=(4.0, 3.0, 2.0), starts=(0.0, 10.0, 20.0), velocities=(3.0, 3.0, -4.0), walls=(0.0, 30.0)
        ),
    ),
}


# Random boxes.


class _Draw:
    """Round numbers from a generator."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def number(self, low: float, high: float, step: float) -> float:
        """A multiple of ``step`` from low to high."""
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return round(float(self.rng.integers(first, last + 1)) * step, 6)

    def signed(self, low: float, high: float, step: float) -> float:
        """The same, or its negative."""
        return self.number(low, high, step) * (1 if self.rng.integers(2) else -1)

    def one(self, *values: Any) -> Any:
        """One of some values."""
        return values[int(self.rng.integers(len(values)))]

    def frame(self) -> Frame:
        """Up along y or z; the first axis along an axis or turned by the angle of the triangle 3, 4, 5."""
        up: Point = self.one((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        flat = [i for i in range(3) if up[i] == 0]
        cos, sin = self.one((1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (0.8, 0.6))
        signs = (self.one(1, -1), self.one(1, -1))
        along, side = [0.0] * 3, [0.0] * 3
        along[flat[0]], along[flat[1]] = signs[0] * cos, signs[1] * sin
        side[flat[0]], side[flat[1]] = -signs[1] * sin, signs[0] * cos
        x, y, z = (self.number(-10, 10, 1) for _ in range(3))
        return (x, y, z), _triple(along), up, _triple(side)


def _triple(values: Sequence[float]) -> Point:
    x, y, z = values
    return x, y, z


def _uniform(draw: _Draw) -> System:
    x, y, z = (draw.signed(0.5, 8, 0.5) for _ in range(3))
    return Thrown(until=10.0, velocity=draw.one((x, y, z), (x, 0.0, z), (x, y, 0.0)))


def _accelerated(draw: _Draw) -> System:
    x, y, z = (draw.number(-6, 6, 0.5) for _ in range(3))
    a, b = draw.signed(0.2, 4, 0.2), draw.number(-2, 2, 0.2)
    return Thrown(until=10.0, velocity=(x, y, z), acceleration=draw.one((a, b, 0.0), (0.0, a, b), (b, 0.0, a)))


def _projectile(draw: _Draw) -> System:
    velocity = (draw.signed(1, 15, 0.5), draw.number(-5, 20, 0.5), 0.0)
    return Thrown(until=8.0, velocity=velocity, acceleration=(0.0, -GRAVITY, 0.0))


def _bouncing(draw: _Draw) -> System:
    ball = Bouncing(
        until=0.0,
        height=draw.number(2, 25, 0.5),
        speed=draw.number(0, 8, 1),
        across=draw.number(0, 4, 0.5),
        restitution=draw.number(0.5, 1, 0.05),
    )
    until = float(min(12, max(4, math.ceil(ball.rests if ball.restitution < 1 else 12))))
    return dataclasses.replace(ball, until=until)


def _ellipse(draw: _Draw) -> tuple[Point, Point]:
    cosine = (draw.number(-4, 4, 0.5), draw.number(-4, 4, 0.5), draw.one(0.0, draw.number(-2, 2, 0.5)))
    sine = tuple(draw.one(0.0, draw.number(-3, 3, 0.5)) for _ in range(3))
    return cosine, _triple(sine)


def _swinging(draw: _Draw) -> System:
    cosine, sine = _ellipse(draw)
    return Swinging(until=12.0, omega=draw.number(0.5, 6, 0.1), cosine=cosine, sine=sine)


def _pendulum(draw: _Draw) -> System:
    return Pendulum(until=15.0, length=draw.number(0.5, 5, 0.1), angle=draw.number(40, 150, 5))


def _two_balls(draw: _Draw) -> System:
    size = draw.number(10, 30, 2)
    return Balls(
        until=15.0,
        masses=(draw.number(1, 8, 1), draw.number(1, 8, 1)),
        starts=(draw.number(1, size / 2 - 1, 1), draw.number(size / 2 + 1, size - 1, 1)),
        velocities=(draw.number(-6, 6, 1), draw.number(-6, 6, 1)),
        walls=(0.0, size),
        restitution=draw.one(1.0, 1.0, 0.9, 0.8, 0.7),
    )


def _damped(draw: _Draw) -> System:
    cosine, sine = _ellipse(draw)
    omega, damping = draw.number(1, 6, 0.1), draw.number(0.05, 0.4, 0.05)
    return Swinging(until=12.0, omega=omega, damping=damping, cosine=cosine, sine=sine)


def _slope(draw: _Draw) -> System:
    block = Slope(
        until=10.0,
        angle=draw.number(15, 60, 5),
        friction=draw.number(0.05, 0.6, 0.05),
        speed=draw.number(5, 20, 1),
    )
    return (
        block if math.isinf(block.rests) else dataclasses.replace(block, until=max(4.0, math.ceil(block.rests) + 1.0))
    )


def _orbit(draw: _Draw) -> System:
    nearest = draw.number(1, 8, 0.5)
    farthest = nearest + draw.number(2, 12, 0.5)
    pull, phase = draw.number(20, 200, 5), draw.number(0, 0.9, 0.1)
    return Orbit(until=15.0, pull=pull, nearest=nearest, farthest=farthest, phase=phase)


def _coupled(draw: _Draw) -> System:
    return Coupled(
        until=12.0,
        masses=(draw.number(1, 4, 1), draw.number(1, 4, 1)),
        springs=(draw.number(2, 20, 1), draw.number(2, 20, 1), draw.number(2, 20, 1)),
        starts=(draw.number(-2, 2, 0.5), draw.number(-2, 2, 0.5)),
        gap=draw.number(4, 8, 1),
    )


def _dragged(draw: _Draw) -> System:
    velocity = (draw.number(3, 20, 1), draw.number(0, 20, 1))
    return Dragged(until=8.0, velocity=velocity, drag=draw.number(0.01, 0.1, 0.01))


def _three_balls(draw: _Draw) -> System:
    size = draw.number(18, 36, 3)
    return Balls(
        until=12.0,
        masses=(draw.number(1, 5, 1), draw.number(1, 5, 1), draw.number(1, 5, 1)),
        starts=(
            draw.number(1, size / 3 - 1, 1),
            draw.number(size / 3, 2 * size / 3 - 1, 1),
            draw.number(2 * size / 3, size - 1, 1),
        ),
        velocities=(draw.number(-5, 5, 1), draw.number(-5, 5, 1), draw.number(-5, 5, 1)),
        walls=(0.0, size),
    )


def _crossed(draw: _Draw) -> System:
    velocity = (draw.number(-4, 4, 0.5), draw.signed(0.5, 4, 0.5), draw.number(-2, 2, 0.5))
    omega, drift, pull = draw.signed(0.5, 5, 0.1), draw.signed(0.5, 3, 0.5), draw.signed(0.2, 2, 0.2)
    return Crossed(until=12.0, omega=omega, velocity=velocity, drift=drift, pull=pull)


def _spherical(draw: _Draw) -> System:
    length, angle = draw.number(0.5, 4, 0.5), draw.number(30, 100, 5)
    return Spherical(until=10.0, length=length, angle=angle, speed=draw.number(0.5, 3, 0.5))


def _driven(draw: _Draw) -> System:
    return Driven(
        until=15.0,
        omega=draw.number(1.5, 5, 0.1),
        damping=draw.number(0.1, 0.4, 0.05),
        force=draw.number(2, 10, 0.5),
        drive=draw.number(0.5, 4, 0.1),
        start=draw.number(-2, 2, 0.5),
        speed=draw.number(-3, 3, 0.5),
    )


def _anisotropic(draw: _Draw) -> System:
    return Anisotropic(
        until=12.0,
        omegas=(draw.number(1, 5, 0.1), draw.number(1, 5, 0.1)),
        damping=draw.number(0.05, 0.3, 0.05),
        starts=(draw.signed(0.5, 4, 0.5), draw.signed(0.5, 4, 0.5)),
        speeds=(draw.number(-4, 4, 0.5), draw.number(-4, 4, 0.5)),
    )


KINDS: Mapping[int, tuple[Callable[[_Draw], System], ...]] = {
    1: (_uniform, _accelerated, _projectile, _slope),
    2: (_swinging, _two_balls, _pendulum, _damped, _bouncing),
    3: (_orbit, _coupled, _dragged, _three_balls),
    4: (_orbit, _coupled, _crossed, _spherical, _driven),
    5: (_crossed, _spherical, _driven, _anisotropic),
}
"""What is drawn at each level, in the order of what the reference player makes of them."""
MOST_TRIES = 1_000
"""Draws until something uniform is taken; about five are needed."""
HITS = {2: (2, 8), 3: (3, 8)}
"""How many hits so many balls have, at least and at most."""


def generate(rng: np.random.Generator, level: int) -> Box:
    """A random box: a kind of the level's, round parameters, any place and direction."""
    draw = _Draw(rng)
    kind = draw.one(*KINDS[level])
    tries = (kind(draw) for _ in range(MOST_TRIES))
    system = next((system for system in tries if _sound(system)), None) or _uniform(draw)
    return Motion(system=system, frame=draw.frame())


def _sound(system: System) -> bool:
    """Whether enough happens, and nothing that could not be found out or is out of scale."""
    if isinstance(system, Balls):
        times = (0.0, *system.begins, system.until)
        low, high = HITS[system.count]
        if not low <= len(times) - 2 <= high or min(b - a for a, b in itertools.pairwise(times)) < 0.05:
            return False
    if isinstance(system, Slope | Bouncing) and system.rests < 0.7 * system.until:
        return False
    if isinstance(system, Slope) and not all(0.5 < begins < system.until - 0.5 for begins in system.begins):
        return False
    if isinstance(system, Coupled) and not _apart([omega for omega, _, _ in system.modes()]):
        return False
    if isinstance(system, Anisotropic) and not _apart(system.omegas):
        return False
    if isinstance(system, Driven) and not _apart((system.omega, system.drive)):
        return False
    if isinstance(system, Orbit) and not 3 <= system.period <= 12:
        return False
    points = [system.at(system.until * part / 8) for part in range(9)]
    flat = [x for row in points for point in row for x in point]
    moved = [max(_distance((row[i],), (points[0][i],)) for row in points) for i in range(system.count)]
    return min(moved) > 0.5 and max(map(abs, flat)) < 2_000


def _apart(omegas: Sequence[float]) -> bool:
    return abs(omegas[0] - omegas[1]) >= 0.3


FAMILY = Family(
    name="mechanics",
    boxes=BOXES,
    generate=generate,
    hides="only one coordinate at a time is told: a query names the axis as well as the time",
    section="physics system inference: section 3.1, appendix H.3",
    levels=("5@1", "5@1", "6@1", "6@1", "6@1"),
    with_code=("random",),
    paper={name: {"answer_as": "code"} for name in ("ball-air-resistance", "double-pendulum", "harmonic-friction")},
)
