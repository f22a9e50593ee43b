"""Kinds of motion that the reference player of mechanical systems knows: shapes with a few round parameters.

A kind says how all coordinates of all objects may depend on the time: each is a sum of the kind's *shapes*, with
factors that are found by least squares. The shapes depend on parameters, of which a net of round values is tried.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.mechanics.solved import Dragged, Integrated, Spherical
from interactive_envs.black_box.mechanics.systems import GRAVITY

Array: TypeAlias = NDArray[np.float64]
Shapes: TypeAlias = Callable[[Array, Array], list[Array]]


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of motion.

    Attributes:
        objects: how many objects move.
        shapes: parameters of shape (hypotheses, parameters) and times to shapes of (hypotheses, times); the constant
            one is always added.
        net: the parameters to try, shape (hypotheses, parameters), from the horizon.
        loose: whether parameters off the net are looked for.
    """

    objects: int
    shapes: Shapes
    net: Callable[[float], Array]
    loose: bool = False

    def basis(self, parameters: Array, times: Array) -> Array:
        """All shapes, (hypotheses, times, shapes)."""
        t = np.broadcast_to(times, (len(parameters), len(times)))
        return np.stack([np.ones_like(t), *(np.broadcast_to(s, t.shape) for s in self.shapes(parameters, t))], axis=2)


def steps(low: float, high: float, step: float) -> list[float]:
    """Round numbers from low to high."""
    return [round(k * step, 6) for k in range(round(low / step), round(high / step) + 1)]


def net(*axes: Sequence[float]) -> Callable[[float], Array]:
    """Every combination."""

    @functools.cache
    def every() -> Array:
        return np.array(list(itertools.product(*axes)), dtype=np.float64)

    return lambda horizon: every()


def columns(parameters: Array) -> list[Array]:
    """The parameters one by one, each (hypotheses, 1)."""
    return [parameters[:, i : i + 1] for i in range(parameters.shape[1])]


# One object.


def _thrown(p: Array, t: Array) -> list[Array]:
    return [t, t * t]


def _swinging(p: Array, t: Array) -> list[Array]:
    return [np.cos(p * t), np.sin(p * t)]


def _conical(p: Array, t: Array) -> list[Array]:
    length, angle = columns(p)
    return _swinging(np.sqrt(GRAVITY / (length * np.cos(np.radians(angle)))), t)


def _rolling(p: Array, t: Array) -> list[Array]:
    return [t, *_swinging(p, t)]


def _crossed(p: Array, t: Array) -> list[Array]:
    return [t, t * t, *_swinging(p, t)]


def _damped(p: Array, t: Array) -> list[Array]:
    omega, damping = columns(p)
    return [np.exp(-damping * t) * shape for shape in _swinging(omega, t)]


def _anisotropic(p: Array, t: Array) -> list[Array]:
    first, second, damping = columns(p)
    both = [np.sqrt(omega**2 - damping**2) for omega in (first, second)]
    return [np.exp(-damping * t) * shape for turn in both for shape in _swinging(turn, t)]


def _anisotropic_net(horizon: float) -> Array:
    omegas = itertools.combinations(steps(1, 5, 0.1), 2)
    return np.array([(*pair, damping) for pair in omegas for damping in steps(0.05, 0.3, 0.05)])


def _driven(p: Array, t: Array) -> list[Array]:
    omega, damping, drive = columns(p)
    stiff, lag = omega**2 - drive**2, 2 * damping * drive
    steady = (stiff * np.cos(drive * t) + lag * np.sin(drive * t)) / (stiff**2 + lag**2)
    return [steady, *(np.exp(-damping * t) * shape for shape in _swinging(np.sqrt(omega**2 - damping**2), t))]


def _bouncing(p: Array, t: Array) -> list[Array]:
    height, speed, e = columns(p)
    impact = np.sqrt(speed**2 + 2 * GRAVITY * height)
    left = t - (speed + impact) / GRAVITY
    unit = 2 * impact / GRAVITY
    lossy = np.minimum(e, 0.999)
    spent = np.clip(1 - np.maximum(left, 0) * (1 - lossy) / (unit * lossy), 1e-9, 1)
    bounces = np.where(e < 1, np.floor(np.log(spent) / np.log(lossy)), np.floor(left / unit))
    begun = np.where(e < 1, unit * lossy * (1 - lossy**bounces) / (1 - lossy), unit * bounces)
    rise, after = impact * np.where(e < 1, lossy ** (bounces + 1), 1.0), left - begun
    later = np.where((e < 1) & (spent <= 1e-9), 0.0, rise * after - GRAVITY * after**2 / 2)
    return [t, np.where(left <= 0, height + speed * t - GRAVITY * t * t / 2, later)]


def _pendulum(p: Array, t: Array) -> list[Array]:
    from scipy.special import ellipj

    length, angle = columns(p)
    k = np.sin(np.radians(angle) / 2)
    _, cn, dn, _ = ellipj(np.sqrt(GRAVITY / length) * t, k * k)
    half = np.arcsin(np.clip(k * cn / dn, -1, 1))
    return [length * np.sin(2 * half), length * np.cos(2 * half)]


def _slope(p: Array, t: Array) -> list[Array]:
    angle, friction, speed = columns(p)
    weight, rub = GRAVITY * np.sin(np.radians(angle)), friction * GRAVITY * np.cos(np.radians(angle))
    stops = speed / (weight + rub)
    up = np.minimum(t, stops)
    back = np.maximum(weight - rub, 0) * np.maximum(t - stops, 0) ** 2 / 2
    return [speed * up - (weight + rub) * up * up / 2 - back]


def _orbit(p: Array, t: Array) -> list[Array]:
    e, motion, phase = columns(p)
    e = np.clip(e, 0.0, 0.95)
    mean = np.remainder(motion * t + 2 * np.pi * phase + np.pi, 2 * np.pi) - np.pi
    found = mean + np.copysign(e, mean)
    for _ in range(8):
        found = found - (found - e * np.sin(found) - mean) / (1 - e * np.cos(found))
    return [np.cos(found) - e, np.sin(found)]


def _orbit_net(horizon: float) -> Array:
    turns = 2 * np.pi / horizon * np.arange(1.0, 5.3, 0.09)
    return np.array(list(itertools.product(np.arange(0.1, 0.85, 0.08), turns, np.arange(0, 1, 0.1))))


def _rising(p: Array, t: Array) -> list[Array]:
    speed, drag = columns(p)
    fastest = np.sqrt(GRAVITY / drag)
    top = fastest / GRAVITY * np.arctan(speed / fastest)
    after = (t - top) * GRAVITY / fastest
    fall = np.where(after < 0, -np.log(np.cos(np.minimum(after, 0))), np.log(np.cosh(np.maximum(after, 0))))
    return [fall / drag]


def _rubbing(p: Array, t: Array) -> list[Array]:
    omega, lag = columns(p)
    swings = np.maximum(0, np.ceil((1 - lag) / (2 * lag) - 1e-9))
    swing = np.minimum(np.floor(omega * t / np.pi), swings)
    size = 1 - 2 * lag * swing
    away = np.where(swing < swings, (size - lag) * np.cos(omega * t - swing * np.pi) + lag, size)
    return [(-1) ** swing * away]


def _ferry(p: Array, t: Array) -> list[Array]:
    out, turns, back = columns(p)
    away, home = turns / out, turns / out + turns / back
    early, late = np.minimum(t, away), np.clip(t - away, 0, home - away)
    return [out * early - back * late, out * early**2 / 2 + turns * late - back * late**2 / 2]


# Without a closed form: many hypotheses by a coarse net of the classical rule of Runge and Kutta, few exactly.

LONGEST = 10.0
"""Seconds for which such motions are known."""
FEW = 60
"""Hypotheses that are solved exactly."""


def _table(begin: Array, slope: Callable[[Array], Array], step: float) -> tuple[Array, Array]:
    """States and their slopes at the nodes, (nodes, numbers, hypotheses)."""
    states, slopes = [begin], [slope(begin)]
    for _ in range(round(LONGEST / step)):
        now, a = states[-1], slopes[-1]
        b = slope(now + step / 2 * a)
        c = slope(now + step / 2 * b)
        d = slope(now + step * c)
        states.append(now + step / 6 * (a + 2 * b + 2 * c + d))
        slopes.append(slope(states[-1]))
    return np.array(states), np.array(slopes)


def _between(table: tuple[Array, Array], step: float, times: Array) -> Array:
    """States by cubic pieces, (times, numbers, hypotheses)."""
    node = np.minimum((times / step).astype(int), len(table[0]) - 2)
    s = np.minimum(times / step - node, 1.0)[:, None, None]
    (a, b), (u, v) = ((values[node], values[node + 1]) for values in table)
    cubic = (2 * a - 2 * b + step * (u + v)) * s**3 + (3 * b - 3 * a - step * (2 * u + v)) * s**2
    return np.asarray(cubic + step * u * s + a)


def _solved(
    make: Callable[..., Integrated], table: Callable[[], tuple[Array, Array]], step: float, places: int
) -> Shapes:
    """Shapes of a kind whose state begins with so many places."""

    def shapes(p: Array, t: Array) -> list[Array]:
        if len(p) > FEW:
            states = _between(table(), step, t[0])
            return [states[:, i].T for i in range(places)]
        made = [make(*map(float, row)) for row in p]
        found = np.array([[made[g].at(float(time))[0] for time in t[g]] for g in range(len(p))])
        return [found[:, :, i] for i in range(places)]

    return shapes


_DRAGGED = net(steps(3, 20, 1), steps(0, 20, 1), steps(0.01, 0.1, 0.01))
_SPHERICAL = net(steps(0.5, 4, 0.5), steps(30, 100, 5), steps(0.5, 3, 0.5))


@functools.cache
def _dragged_table() -> tuple[Array, Array]:
    u, v, drag = _DRAGGED(LONGEST).T

    def slope(state: Array) -> Array:
        slowing = drag * np.hypot(state[2], state[3])
        return np.array([state[2], state[3], -slowing * state[2], -GRAVITY - slowing * state[3]])

    return _table(np.array([0 * u, 0 * u, u, v]), slope, 0.05)


@functools.cache
def _spherical_table() -> tuple[Array, Array]:
    length, angle, speed = _SPHERICAL(LONGEST).T

    def slope(state: Array) -> Array:
        place, velocity = state[:3], state[3:]
        hold = (GRAVITY * place[1] - (velocity**2).sum(axis=0)) / length**2
        pull = hold * place
        pull[1] -= GRAVITY
        return np.concatenate([velocity, pull])

    x, y = length * np.sin(np.radians(angle)), -length * np.cos(np.radians(angle))
    return _table(np.array([x, y, 0 * x, 0 * x, 0 * x, speed]), slope, 0.025)


def _dragged(u: float, v: float, drag: float) -> Integrated:
    return Dragged(until=LONGEST, velocity=(u, v), drag=drag)


def _spherical(length: float, angle: float, speed: float) -> Integrated:
    return Spherical(until=LONGEST, length=length, angle=angle, speed=speed)


# Two objects.


def _coupled(p: Array, t: Array) -> list[Array]:
    return [np.cos(omega * t) for omega in columns(p)]


def _pairs(horizon: float) -> Array:
    omegas = np.arange(0.5, 8, 0.5 / horizon)
    return np.array(list(itertools.combinations(omegas, 2)))


def _wedge(p: Array, t: Array) -> list[Array]:
    angle, ratio, distance = columns(p)
    sin, cos = np.sin(np.radians(angle)), np.cos(np.radians(angle))
    heavy = 1 + ratio * sin * sin
    recoil, along = ratio * GRAVITY * sin * cos / heavy, (1 + ratio) * GRAVITY * sin / heavy
    ends = np.sqrt(2 * distance / along)
    early = np.minimum(t, ends)
    fallen = early**2 / 2
    passed = fallen + ends * np.maximum(t - ends, 0)
    return [(along * cos - recoil) * passed, along * sin * fallen, recoil * passed]


PAIRS = Kind(2, _coupled, _pairs, loose=True)
"""Coupled masses by their angular frequencies alone."""
KINDS = (
    Kind(1, _thrown, net([0.0])),
    Kind(1, _swinging, net(steps(0.1, 20, 0.1)), loose=True),
    Kind(1, _conical, net(steps(0.5, 10, 0.5), steps(5, 80, 5))),
    Kind(1, _rolling, net(steps(0.1, 10, 0.1))),
    Kind(1, _bouncing, net(steps(1, 30, 0.5), steps(0, 8, 1), steps(0.5, 1, 0.05))),
    Kind(1, _damped, net(steps(0.5, 10, 0.1), steps(0.05, 0.5, 0.05))),
    Kind(1, _pendulum, net(steps(0.5, 5, 0.1), steps(10, 170, 5))),
    Kind(1, _slope, net(steps(15, 60, 5), steps(0.05, 0.6, 0.05), steps(5, 20, 1))),
    Kind(1, _rising, net(steps(1, 30, 1), steps(0.005, 0.1, 0.005))),
    Kind(1, _rubbing, net(steps(0.5, 20, 0.5), steps(0.005, 0.1, 0.005))),
    Kind(1, _ferry, net(steps(0.5, 5, 0.5), steps(1, 10, 1), steps(0.5, 5, 0.5))),
    Kind(1, _orbit, _orbit_net, loose=True),
    Kind(1, _crossed, net(steps(0.1, 6, 0.1))),
    Kind(1, _solved(_dragged, _dragged_table, 0.05, 2), _DRAGGED),
    Kind(1, _solved(_spherical, _spherical_table, 0.025, 3), _SPHERICAL),
    Kind(1, _driven, net(steps(1.5, 5, 0.1), steps(0.1, 0.4, 0.05), steps(0.5, 4, 0.1))),
    Kind(1, _anisotropic, _anisotropic_net),
    PAIRS,
    Kind(2, _wedge, net(steps(15, 60, 5), [0.25, 1 / 3, 0.5, 1, 2, 3], steps(1, 20, 1))),
)
"""From the simplest on."""
