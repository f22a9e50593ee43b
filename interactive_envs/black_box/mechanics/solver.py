"""The reference player of mechanical systems: it fits kinds of motion that it knows, and asks where they differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interactive_envs.black_box.base import Observations
from interactive_envs.black_box.mechanics.kinds import KINDS, PAIRS, Array, Kind
from interactive_envs.black_box.mechanics.several import coupled, systems
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import QuerySolver

PLAN = (0.0, 0.0131, 0.0487, 0.1213, 0.2719, 0.4871, 0.7793, 1.0)
"""When to ask at first, as parts of the horizon: short gaps for speeds and fast swings, long ones for precision."""
LEFT_OUT = (6, 3, 5, 2, 4)
"""Places of the plan in the order in which they are left out where turns are few: the ends tell most."""
SOON = 0.06
"""When to ask a second time about several objects, before they hit each other."""
ROOM = 17_000
"""Characters for a function's table; a message has 20,000."""
CLOSE = 0.002
"""By how much its pieces may be off."""
AXES = "xyz"
ROUND = (1.0, 0.5, 0.1, 0.05, 0.01)
"""Steps of the round values that factors are taken to, the coarsest that fits."""
SLACK = 1.25
"""By how much least squares of a true motion are off at most, in greatest errors of rounding."""


@dataclass(frozen=True)
class Data:
    """The observations, by groups of coordinates with the same times.

    Attributes:
        groups: of each its times, its coordinates (object times 3 plus axis) and the values (times, coordinates).
        width: coordinates of all objects.
        half: the greatest rounding error of a reply.
    """

    groups: tuple[tuple[Array, tuple[int, ...], Array], ...]
    width: int
    half: float

    @classmethod
    def of(cls, shown: BoxShown) -> Data:
        """Group the observations."""
        public = dict(shown.public)
        objects, half = public["objects"], 0.5 * 10.0 ** -public["decimals"] + 1e-9
        if not shown.partial:
            facts = dict(shown.observations)
            values = np.array([np.ravel(fact) for fact in facts.values()])
            group = (np.array(list(facts)), tuple(range(3 * objects)), values)
            return cls((group,) if facts else (), 3 * objects, half)
        groups = []
        for i, axis in enumerate(AXES):
            found = {query[0]: fact for query, fact in shown.observations if query[1] == axis}
            if found:
                rows = tuple(3 * j + i for j in range(objects))
                groups.append((np.array(list(found)), rows, np.array(list(found.values()))))
        return cls(tuple(groups), 3 * objects, half)


@dataclass(frozen=True)
class Hypothesis:
    """A motion.

    Attributes:
        at: positions at times, (times, coordinates).
        off: its greatest error on the observations, in greatest errors of rounding; up to 1 it agrees.
        about: what it was made of, to fit it again.
    """

    at: Callable[[Array], Array]
    off: float
    about: tuple[Kind, Array] | None = None


class Solver(QuerySolver):
    """Fits kinds of motion to what was seen at the times of ``PLAN`` and where they differ most.

    It knows uniform and accelerated motion, swings (damped, driven, in two directions), cycloids and crossed fields,
    pendulums in a plane, on a cone, on a sphere and double, bounces, slopes and wedges with round angles, dry friction
    and drag, a boat in a current, ellipses about a centre, coupled masses, a block that is shot through, and balls
    between walls: always with round parameters, see ``docs/black-boxes/mechanics.md``.
    """

    def __init__(self) -> None:
        self._known: tuple[Observations | None, list[Hypothesis]] = (None, [])
        self._memory: dict[str, Array] = {}
        self._asked: list[tuple[float, str]] = []

    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """A time of the plan, then the most telling one; by the plan alone where replies come at the end."""
        horizon = float(dict(shown.public)["horizon"])
        plan = [round(part * horizon, 2) for part in PLAN]
        if dict(shown.public)["objects"] > 1:
            plan[1:2] = [SOON]
        if shown.partial:
            self._asked.append(self._of_one_axis(shown, plan, horizon))
            return "<query>{:.2f} {}</query>".format(*self._asked[-1])
        plan = [time for i, time in enumerate(plan) if i not in _left_out(len(self._asked) + turns_left)]
        asked = [time for time, _ in self._asked]
        left = [time for time in plan if time not in asked]
        if left and len(shown.observations) > 2 and dict(shown.public)["objects"] > 1:
            best = self._hypotheses(shown)[0]
            left = [] if best.about is None and best.off <= 1 else left
        time = left[0] if left else self._telling(shown, asked, horizon)
        self._asked.append((time, ""))
        return f"<query>{time:.2f}</query>"

    def answer(self, shown: BoxShown) -> str:
        """By the best hypothesis that was not wrong about this item; for code, its table."""
        found = self._hypotheses(shown)
        best = found[min(len(shown.given), len(found) - 1)]
        if shown.code:
            return _program(best, dict(shown.public))
        rows = best.at(np.array([float(shown.item)]))[0].reshape(-1, 3)
        return "; ".join(f"{a}: " + ", ".join(f"{x:.4f}" for x in row) for a, row in zip("ABC", rows, strict=False))

    def _telling(self, shown: BoxShown, asked: Sequence[float], horizon: float) -> float:
        times = np.round(np.linspace(0.02 * horizon, horizon, 150), 2)
        apart = np.min(np.abs(times[:, None] - np.array(asked)[None, :]), axis=1)
        found = [h for h in self._hypotheses(shown)[:40] if h.off < 2]
        if len(found) > 1:
            places = np.array([h.at(times) for h in found])
            spread = np.abs(places - places[0]).max(axis=(0, 2))
            seen = np.round(places / (2 * float(dict(shown.public)["tolerance"])))
            kinds = np.array([len(np.unique(seen[:, i], axis=0)) for i in range(len(times))])
            worth = np.where(apart > 0.004 * horizon, kinds + spread / (1 + spread), 0)
            if spread.max() > float(dict(shown.public)["tolerance"]) / 2:
                return float(times[int(np.argmax(worth))])
        return float(times[int(np.argmax(apart))])

    def _of_one_axis(self, shown: BoxShown, plan: Sequence[float], horizon: float) -> tuple[float, str]:
        """The axes in turn, but for those along which nothing moves."""
        places = {axis: [fact for query, fact in shown.observations if query[1] == axis] for axis in AXES}
        asked = {axis: [time for time, other in self._asked if other == axis] for axis in AXES}
        still = {axis for axis in AXES if len(places[axis]) > 1 and len(set(places[axis])) == 1}
        axis = min(sorted(set(AXES) - still) or AXES, key=lambda axis: len(asked[axis]))
        order = [plan[0], plan[4], plan[1], plan[6], plan[2], plan[5], plan[3], plan[7]]
        left = [time for time in order if time not in asked[axis]]
        return left[0] if left else float(self.random.integers(1, round(horizon * 100))) / 100, axis

    def _hypotheses(self, shown: BoxShown) -> list[Hypothesis]:
        """What agrees, the simplest first; if nothing does, the nearest, and the straight lines between."""
        if self._known[0] != shown.observations:
            data = Data.of(shown)
            again = [h.about for h in self._known[1] if h.about is not None and h.off <= 1]
            found = [h for kind, p in again for h in _fitted(kind, p[None], data)]
            if not any(h.off <= 1 for h in found):
                found = _every(data, float(dict(shown.public)["horizon"]), self._memory)
            self._known = (shown.observations, [*found, _lines(data)])
        return self._known[1]


def _left_out(turns: int) -> tuple[int, ...]:
    """Places of the plan that an exploration of so many turns has no room for."""
    return LEFT_OUT[: max(0, len(PLAN) - turns)]


def _every(data: Data, horizon: float, memory: dict[str, Array]) -> list[Hypothesis]:
    found = _several(data, memory)
    for kind in KINDS:
        if 3 * kind.objects == data.width and not any(h.off <= 1 for h in found):
            found += _fitted(kind, kind.net(horizon), data)
    return sorted(found, key=lambda h: h.off > 1 and h.off)


def _several(data: Data, memory: dict[str, Array]) -> list[Hypothesis]:
    """Motions of several objects that are no sums of shapes."""
    if data.width == 3 or len(data.groups) != 1 or len(data.groups[0][1]) != data.width:
        return []
    return [Hypothesis(at, 1.0) for at in systems(*_in_order(data), data.half, memory)]


def _fitted(kind: Kind, parameters: Array, data: Data, most: int = 12) -> list[Hypothesis]:
    """The parameters that fit best, as hypotheses; fewer data than factors fit nothing."""
    if not data.groups:
        return []
    squares = np.zeros(len(parameters))
    for times, _, values in data.groups:
        squares += (_residuals(kind.basis(parameters, times), values) ** 2).sum(axis=(1, 2))
    near = parameters[np.argsort(squares)[:most]]
    found = [_hypothesis(kind, p, data) for p in near]
    if kind.loose and found and found[0].off > 1:
        found += [_hypothesis(kind, p, data) for p in _refined(kind, near[:4], data)]
    found = sorted((h for h in found if h.off < 3), key=lambda h: h.off)
    if kind is PAIRS and found and found[0].off <= 1 and len(data.groups[0][1]) == data.width:
        exact = (at for h in found[:4] if h.about for at in coupled(h.about[1], *_in_order(data), data.half))
        return [*(Hypothesis(at, 0.5) for at in exact), *found]
    return found


def _in_order(data: Data) -> tuple[Array, Array]:
    """Times in order, and the places then, (times, objects, 3)."""
    times, _, values = data.groups[0]
    order = np.argsort(times)
    return times[order], values[order].reshape(len(times), -1, 3)


def _residuals(basis: Array, values: Array) -> Array:
    return np.asarray(values - basis @ _factors(basis, values))


def _factors(basis: Array, values: Array) -> Array:
    """Least squares for many bases, (hypotheses, shapes, coordinates)."""
    size = np.sqrt((basis**2).sum(axis=1, keepdims=True)) + 1e-12
    scaled = basis / size
    turned = scaled.transpose(0, 2, 1)
    square = turned @ scaled + 1e-11 * np.eye(basis.shape[2])
    return np.asarray(np.linalg.solve(square, turned @ values) / size.transpose(0, 2, 1))


def _refined(kind: Kind, near: Array, data: Data) -> list[Array]:
    from scipy.optimize import least_squares

    def off(p: Array) -> Array:
        parts = [_residuals(kind.basis(p[None], times), values).ravel() for times, _, values in data.groups]
        return np.concatenate(parts) / data.half

    found = []
    for p in near:
        solved = least_squares(off, p, x_scale=np.maximum(np.abs(p), 0.1), max_nfev=40)
        found.append(np.asarray(solved.x))
    return found


def _hypothesis(kind: Kind, p: Array, data: Data) -> Hypothesis:
    """Factors by least squares, then the roundest ones that agree as well."""
    factors = np.zeros((kind.basis(p[None], np.zeros(1)).shape[2], data.width))
    known, enough = [], True
    for times, columns, values in data.groups:
        rows, basis = list(columns), kind.basis(p[None], times)
        if len(times) > 1 and not np.ptp(values, axis=0).any():
            factors[0, rows] = values[0]  # nothing moves along this axis
        else:
            factors[:, rows] = _factors(basis, values)[0]
            enough = enough and len(times) > len(factors)  # as many factors as data fit anything
        known.append((basis[0], rows, values))

    def worst(tried: Array) -> float:
        return max(float(np.abs(b @ tried[:, rows] - values).max()) for b, rows, values in known) / data.half

    off = worst(factors) / SLACK
    for step in ROUND:
        rounded = np.round(factors / step) * step
        if worst(rounded) <= 1:
            factors, off = rounded, worst(rounded)
            break
    return Hypothesis(lambda times: kind.basis(p[None], times)[0] @ factors, off if enough else 99.0, (kind, p))


def _lines(data: Data) -> Hypothesis:
    def at(times: Array) -> Array:
        found = np.zeros((len(times), data.width))
        for known, rows, values in data.groups:
            order = np.argsort(known)
            for column, row in enumerate(rows):
                found[:, row] = np.interp(times, known[order], values[order, column])
        return found

    return Hypothesis(at, 9.0)


def _program(best: Hypothesis, public: dict[str, Any]) -> str:
    """A function that goes through cubic pieces, as fine as a message has room for."""
    horizon = float(public["horizon"])
    for depth in range(7, 0, -1):
        pieces = [p for k in range(32) for p in _pieces(best.at, horizon * k / 32, horizon * (k + 1) / 32, depth)]
        rows = np.array([row for _, row in pieces])
        moves = [int(i) for i in np.flatnonzero(np.ptp(rows, axis=(0, 1)) > 1e-6)]
        table = [[round(end, 6), np.round(row[:, moves].T, 4).tolist()] for end, row in pieces]
        text = json.dumps(table, separators=(",", ":"))
        if len(text) < ROOM:
            break
    labels = "ABC"[: public["objects"]]
    return f"""PIECES = {text}
STILL = {np.round(rows[0, 0], 4).tolist()}

def solution(t):
    begin = 0.0
    for end, rows in PIECES:
        if t <= end:
            break
        begin = end
    s = 3 * (t - begin) / (end - begin)
    weights = [(1 - s) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2, s * (1 - s) * (s - 3) / 2]
    weights.append(s * (s - 1) * (s - 2) / 6)
    place = list(STILL)
    for i, row in zip({moves}, rows):
        place[i] = sum(a * b for a, b in zip(weights, row))
    return {{label: place[3 * i:3 * i + 3] for i, label in enumerate({labels!r})}}
"""


def _pieces(at: Callable[[Array], Array], begin: float, end: float, depth: int) -> list[tuple[float, Array]]:
    """The end of each piece, and places at four times from its begin to its end."""
    rows = at(np.linspace(begin, end, 4))
    between = np.array([0.4, 1.5, 2.55])
    cubic = np.vander(between, 4) @ np.linalg.solve(np.vander(np.arange(4.0), 4), rows)
    if depth == 0 or np.abs(cubic - at(begin + (end - begin) * between / 3)).max() < CLOSE:
        return [(end, rows)]
    middle = (begin + end) / 2
    return _pieces(at, begin, middle, depth - 1) + _pieces(at, middle, end, depth - 1)
