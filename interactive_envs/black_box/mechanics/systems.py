"""Mechanical systems with closed forms: where every object is at a time.

Each system moves in coordinates of its own: the first along the motion, the second up, the third to the side. Lengths
are metres, times seconds, masses kilograms and angles degrees unless a system says otherwise. Errors are below 1e-9 of
the size of the motion.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

Point: TypeAlias = tuple[float, float, float]
Numbers: TypeAlias = tuple[float, ...]
GRAVITY = 10.0
MOST_EVENTS = 2_000
"""Collisions that are followed at most."""


@dataclass(frozen=True, kw_only=True)
class System(ABC):
    """Something that moves.

    Attributes:
        until: the end of the time that is asked about.
    """

    until: float
    objects: ClassVar[int] = 1

    @property
    def count(self) -> int:
        """How many objects move."""
        return self.objects

    @abstractmethod
    def at(self, time: float) -> tuple[Point, ...]:
        """Where the objects are."""


# One object, one formula.


@dataclass(frozen=True, kw_only=True)
class Thrown(System):
    """Constant acceleration, none of it for uniform motion."""

    velocity: Point = (0.0, 0.0, 0.0)
    acceleration: Point = (0.0, 0.0, 0.0)

    def at(self, time: float) -> tuple[Point, ...]:
        """From the origin."""
        x, y, z = (v * time + a * time * time / 2 for v, a in zip(self.velocity, self.acceleration, strict=True))
        return ((x, y, z),)


@dataclass(frozen=True, kw_only=True)
class Bouncing(System):
    """Falls to the floor at height 0 and rebounds with ``restitution`` times its speed upward, until it only slides on.

    Attributes:
        height: where it starts.
        speed: its speed upward at the start.
        across: its speed along the floor, always the same.
        restitution: 0 < e <= 1; with e < 1 the bounces come to an end at a finite time.
    """

    height: float
    restitution: float = 1.0
    speed: float = 0.0
    across: float = 0.0

    def at(self, time: float) -> tuple[Point, ...]:
        """From above the origin."""
        return ((self.across * time, self._above(time), 0.0),)

    @property
    def rests(self) -> float:
        """When the bounces are over."""
        impact = math.sqrt(self.speed**2 + 2 * GRAVITY * self.height)
        first = (self.speed + impact) / GRAVITY
        e = self.restitution
        return first + 2 * impact / GRAVITY * e / (1 - e) if e < 1 else math.inf

    def _above(self, time: float) -> float:
        impact = math.sqrt(self.speed**2 + 2 * GRAVITY * self.height)
        left = time - (self.speed + impact) / GRAVITY
        if left <= 0:
            return self.height + self.speed * time - GRAVITY * time * time / 2
        rise = impact
        if self.restitution == 1:
            left = math.fmod(left, 2 * rise / GRAVITY)
        else:
            rise *= self.restitution
            while left > 2 * rise / GRAVITY:
                left -= 2 * rise / GRAVITY
                rise *= self.restitution
                if rise < 1e-9:
                    return 0.0
        return rise * left - GRAVITY * left * left / 2


@dataclass(frozen=True, kw_only=True)
class Swinging(System):
    """A sinusoid about a centre, along a line or an ellipse, its size falling by ``exp(-damping t)``."""

    centre: Point = (0.0, 0.0, 0.0)
    cosine: Point = (0.0, 0.0, 0.0)
    sine: Point = (0.0, 0.0, 0.0)
    omega: float
    damping: float = 0.0

    def at(self, time: float) -> tuple[Point, ...]:
        """``centre + exp(-damping t) (cosine cos(omega t) + sine sin(omega t))``."""
        size = math.exp(-self.damping * time)
        c, s = size * math.cos(self.omega * time), size * math.sin(self.omega * time)
        x, y, z = (m + c * a + s * b for m, a, b in zip(self.centre, self.cosine, self.sine, strict=True))
        return ((x, y, z),)


@dataclass(frozen=True, kw_only=True)
class Conical(System):
    """A bob on a cord goes round in a level circle, its point of suspension in the origin."""

    length: float
    angle: float

    def at(self, time: float) -> tuple[Point, ...]:
        """With the angular speed at which cord and weight give the centripetal force: sqrt(g / (L cos a))."""
        angle = math.radians(self.angle)
        depth, turn = self.length * math.cos(angle), math.sqrt(GRAVITY / (self.length * math.cos(angle))) * time
        radius = self.length * math.sin(angle)
        return ((radius * math.cos(turn), -depth, radius * math.sin(turn)),)


@dataclass(frozen=True, kw_only=True)
class Rolling(System):
    """A point of a wheel's rim that touches the floor at the start: a cycloid."""

    radius: float
    speed: float

    def at(self, time: float) -> tuple[Point, ...]:
        """From the origin."""
        turn = self.speed * time / self.radius
        return ((self.radius * (turn - math.sin(turn)), self.radius * (1 - math.cos(turn)), 0.0),)


@dataclass(frozen=True, kw_only=True)
class Orbit(System):
    """An ellipse about a fixed attracting mass in the origin.

    Attributes:
        pull: G M in the units of the box.
        nearest: distance of the periapsis, on the first axis.
        farthest: distance of the apoapsis.
        phase: the mean anomaly at the start, as a part of a turn.
    """

    pull: float
    nearest: float
    farthest: float
    phase: float = 0.0

    @property
    def period(self) -> float:
        """Of one turn."""
        return math.tau * math.sqrt(((self.nearest + self.farthest) / 2) ** 3 / self.pull)

    def at(self, time: float) -> tuple[Point, ...]:
        """By Kepler's equation."""
        axis = (self.nearest + self.farthest) / 2
        e = (self.farthest - self.nearest) / (2 * axis)
        anomaly = eccentric(math.tau * (time / self.period + self.phase), e)
        return ((axis * (math.cos(anomaly) - e), axis * math.sqrt(1 - e * e) * math.sin(anomaly), 0.0),)


def eccentric(mean: float, e: float) -> float:
    """The eccentric anomaly E with E - e sin E = mean, to about 1e-15, for e < 0.95."""
    mean = math.remainder(mean, math.tau)
    # Beyond the root, where the function is convex, Newton's steps fall to it.
    found = mean + math.copysign(e, mean)
    for _ in range(50):
        step = (found - e * math.sin(found) - mean) / (1 - e * math.cos(found))
        found -= step
        if abs(step) < 1e-15:
            break
    return found


@dataclass(frozen=True, kw_only=True)
class Pendulum(System):
    """A bob on a rod, let go at ``angle`` from the lowest point; suspended in the origin."""

    length: float
    angle: float

    def at(self, time: float) -> tuple[Point, ...]:
        """By Jacobi's elliptic functions: sin(a / 2) = k cd(t sqrt(g / L)), k the sine of half the first angle."""
        k = math.sin(math.radians(self.angle) / 2)
        _, cn, dn = jacobi(math.sqrt(GRAVITY / self.length) * time, k)
        half = math.asin(max(-1.0, min(1.0, k * cn / dn)))
        return ((self.length * math.sin(2 * half), -self.length * math.cos(2 * half), 0.0),)


def jacobi(u: float, k: float) -> tuple[float, float, float]:
    """The elliptic functions sn, cn and dn of modulus 0 < k < 1, by arithmetic-geometric means.

    ``scipy.special.ellipj`` differs in the last bits, and truths are recorded to the bit.

    >>> [round(value, 12) for value in jacobi(0.0, 0.5)]
    [0.0, 1.0, 1.0]
    """
    a, b, c = [1.0], math.sqrt(1 - k * k), [k]
    while abs(c[-1]) > 1e-15 and len(a) < 12:
        a_next = (a[-1] + b) / 2
        c.append((a[-1] - b) / 2)
        b = math.sqrt(a[-1] * b)
        a.append(a_next)
    # One turn of the amplitude is four quarter periods; few turns keep its digits.
    quarter = math.pi / (2 * a[-1])
    phase = math.ldexp(a[-1] * math.remainder(u, 4 * quarter), len(a) - 1)
    for n in range(len(a) - 1, 0, -1):
        phase = (phase + math.asin(c[n] / a[n] * math.sin(phase))) / 2
    sn, cn = math.sin(phase), math.cos(phase)
    return sn, cn, math.sqrt(1 - (k * sn) ** 2)


@dataclass(frozen=True, kw_only=True)
class Rising(System):
    """Thrown straight up, with a drag of ``drag`` times the square of the speed; nothing is below."""

    mass: float
    speed: float
    drag: float

    def at(self, time: float) -> tuple[Point, ...]:
        """A tangent up to the top, a hyperbolic one after it."""
        fastest = math.sqrt(self.mass * GRAVITY / self.drag)
        top = fastest / GRAVITY * math.atan(self.speed / fastest)
        high = fastest**2 / GRAVITY
        peak = -high * math.log(math.cos(top * GRAVITY / fastest))
        after = (time - top) * GRAVITY / fastest
        fall = -math.log(math.cos(after)) if after < 0 else after + math.log1p(math.exp(-2 * after)) - math.log(2)
        # On the way up cos(after) grows to 1, on the way down cosh(after) grows from it.
        return ((0.0, peak - high * fall, 0.0),)


@dataclass(frozen=True, kw_only=True)
class Rubbing(System):
    """A block on a spring and a dry floor, let go at ``start``: it loses the same length in each swing, then sticks."""

    stiffness: float
    mass: float
    start: float
    friction: float

    @property
    def swings(self) -> int:
        """Half periods until it sticks: where the spring does not overcome the friction any more."""
        lag = self.friction * self.mass * GRAVITY / self.stiffness
        return max(0, math.ceil((abs(self.start) - lag) / (2 * lag) - 1e-12))

    @property
    def rests(self) -> float:
        """When it sticks."""
        return self.swings * math.pi / math.sqrt(self.stiffness / self.mass)

    def at(self, time: float) -> tuple[Point, ...]:
        """About the rest of a spring without friction."""
        lag = self.friction * self.mass * GRAVITY / self.stiffness
        omega = math.sqrt(self.stiffness / self.mass)
        swing = min(int(omega * time / math.pi), self.swings)
        size = abs(self.start) - 2 * lag * swing
        turned = omega * time - swing * math.pi if swing < self.swings else 0.0
        # In each half swing friction moves the centre towards the end it began at.
        away = (size - lag) * math.cos(turned) + lag if swing < self.swings else size
        return (((-1) ** swing * math.copysign(away, away * self.start), 0.0, 0.0),)


@dataclass(frozen=True, kw_only=True)
class Crossed(System):
    """A charge in a magnetic field along the third axis and an electric one: it turns, drifts and is pulled along.

    Attributes:
        omega: charge times magnetic field by mass; positive turns from the first axis to the second.
        velocity: at the start.
        drift: velocity along the first axis at which the two forces across the magnetic field cancel.
        pull: acceleration along the magnetic field.
    """

    omega: float
    velocity: Point
    drift: float
    pull: float

    def at(self, time: float) -> tuple[Point, ...]:
        """From the origin."""
        u, v = self.velocity[0] - self.drift, self.velocity[1]
        s, c = math.sin(self.omega * time) / self.omega, (1 - math.cos(self.omega * time)) / self.omega
        x, y = self.drift * time + u * s - v * c, u * c + v * s
        return ((x, y, self.velocity[2] * time + self.pull * time * time / 2),)


@dataclass(frozen=True, kw_only=True)
class Driven(System):
    """x'' + 2 damping x' + omega^2 x = force cos(drive t), along the first axis; damping < omega.

    Attributes:
        force: force by mass, in m/s^2.
    """

    omega: float
    damping: float
    force: float
    drive: float
    start: float
    speed: float

    def at(self, time: float) -> tuple[Point, ...]:
        """The steady swing and what fades of the start."""
        stiff, lag = self.omega**2 - self.drive**2, 2 * self.damping * self.drive
        c, s = self.force * stiff / (stiff**2 + lag**2), self.force * lag / (stiff**2 + lag**2)
        steady = c * math.cos(self.drive * time) + s * math.sin(self.drive * time)
        free = fading(self.start - c, self.speed - s * self.drive, self.omega, self.damping, time)
        return ((steady + free, 0.0, 0.0),)


@dataclass(frozen=True, kw_only=True)
class Anisotropic(System):
    """A mass on springs of two strengths along the first and the third axis, slowed by a drag like its velocity."""

    omegas: tuple[float, float]
    damping: float
    starts: tuple[float, float]
    speeds: tuple[float, float]

    def at(self, time: float) -> tuple[Point, ...]:
        """About the point of rest."""
        x, z = (
            fading(start, speed, omega, self.damping, time)
            for start, speed, omega in zip(self.starts, self.speeds, self.omegas, strict=True)
        )
        return ((x, 0.0, z),)


def fading(start: float, speed: float, omega: float, damping: float, time: float) -> float:
    """The solution of x'' + 2 damping x' + omega^2 x = 0 from a start, damping < omega."""
    turn = math.sqrt(omega**2 - damping**2)
    sine = (speed + damping * start) / turn
    return math.exp(-damping * time) * (start * math.cos(turn * time) + sine * math.sin(turn * time))


# Several objects, or several phases of constant acceleration.


@dataclass(frozen=True, kw_only=True)
class Coupled(System):
    """Two masses in a row between two walls, joined to them and to each other by three springs, let go from rest.

    Attributes:
        masses: of the two.
        springs: stiffness of the left, the middle and the right one.
        starts: where they are let go, measured from their rest.
        gap: between the rests; the first one's is the origin.
    """

    masses: tuple[float, float]
    springs: tuple[float, float, float]
    starts: tuple[float, float]
    gap: float
    objects: ClassVar[int] = 2

    def modes(self) -> tuple[tuple[float, float, float], ...]:
        """Of each mode: its angular frequency and what it gives to the first and the second mass."""
        (m, n), (left, middle, right) = self.masses, self.springs
        # In lengths times roots of masses the equations have a symmetric matrix.
        a, b, c = (left + middle) / m, -middle / math.sqrt(m * n), (middle + right) / n
        turn = math.atan2(2 * b, a - c) / 2
        cos, sin = math.cos(turn), math.sin(turn)
        u, v = self.starts[0] * math.sqrt(m), self.starts[1] * math.sqrt(n)
        found = []
        for p, q in ((cos, sin), (-sin, cos)):
            omega = math.sqrt(a * p * p + 2 * b * p * q + c * q * q)
            size = u * p + v * q
            found.append((omega, size * p / math.sqrt(m), size * q / math.sqrt(n)))
        return tuple(found)

    def at(self, time: float) -> tuple[Point, ...]:
        """The sum of its two modes."""
        swings = [(math.cos(omega * time), p, q) for omega, p, q in self.modes()]
        first, second = sum(c * p for c, p, _ in swings), sum(c * q for c, _, q in swings)
        return ((first, 0.0, 0.0), (self.gap + second, 0.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class Phases(System):
    """Constant acceleration in each of several phases."""

    @abstractmethod
    def phases(self) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
        """When each begins, and of each object then: position, velocity and acceleration, nine numbers."""

    def at(self, time: float) -> tuple[Point, ...]:
        """By the last phase that has begun."""
        phases = _phases(self)
        begins, rows = phases[max(0, bisect_right(phases, time, key=lambda phase: phase[0]) - 1)]
        s = time - begins
        points = []
        for row in rows:
            x, y, z = (row[i] + row[i + 3] * s + row[i + 6] * s * s / 2 for i in range(3))
            points.append((x, y, z))
        return tuple(points)

    @property
    def begins(self) -> Numbers:
        """When each phase but the first begins."""
        return tuple(begins for begins, _ in _phases(self)[1:])


@functools.lru_cache(64)
def _phases(system: Phases) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
    return system.phases()


@dataclass(frozen=True, kw_only=True)
class Balls(Phases):
    """Balls without size in a row, which hit each other and the walls.

    Attributes:
        masses: of each, in their order from left to right.
        starts: where they are, in this order; two in one place that part do not hit.
        velocities: at the start.
        walls: left and right wall, None for no walls; they throw back elastically.
        restitution: by which the balls' relative speed is multiplied when they hit.
    """

    masses: Numbers
    starts: Numbers
    velocities: Numbers
    walls: tuple[float, float] | None = None
    restitution: float = 1.0

    @property
    def count(self) -> int:
        """How many balls there are."""
        return len(self.masses)

    def phases(self) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
        """Each begins with a hit."""
        now, places, speeds = 0.0, list(self.starts), list(self.velocities)
        found = [self._phase(now, places, speeds)]
        for _ in range(MOST_EVENTS):
            wait, who = self._next(places, speeds)
            if now + wait > self.until:
                break
            now += wait
            places = [place + speed * wait for place, speed in zip(places, speeds, strict=True)]
            self._hit(who, places, speeds)
            found.append(self._phase(now, places, speeds))
        return tuple(found)

    @staticmethod
    def _phase(now: float, places: list[float], speeds: list[float]) -> tuple[float, tuple[Numbers, ...]]:
        rows = ((x, 0.0, 0.0, v, 0.0, 0.0, 0.0, 0.0, 0.0) for x, v in zip(places, speeds, strict=True))
        return now, tuple(rows)

    def _next(self, places: list[float], speeds: list[float]) -> tuple[float, int]:
        """How long until the next hit, and which: i for balls i and i + 1, -1 and -2 for the walls."""
        best = (math.inf, 0)
        for i in range(self.count - 1):
            closing = speeds[i] - speeds[i + 1]
            if closing > 0:
                best = min(best, (max(0.0, places[i + 1] - places[i]) / closing, i))
        if self.walls is not None:
            if speeds[0] < 0:
                best = min(best, (max(0.0, places[0] - self.walls[0]) / -speeds[0], -1))
            if speeds[-1] > 0:
                best = min(best, (max(0.0, self.walls[1] - places[-1]) / speeds[-1], -2))
        return best

    def _hit(self, who: int, places: list[float], speeds: list[float]) -> None:
        if who < 0 and self.walls is not None:
            ball = 0 if who == -1 else -1
            places[ball], speeds[ball] = self.walls[-1 - who], -speeds[ball]
            return
        m, n, u, v = self.masses[who], self.masses[who + 1], speeds[who], speeds[who + 1]
        common, apart = (m * u + n * v) / (m + n), self.restitution * (u - v)
        places[who + 1] = places[who]
        speeds[who], speeds[who + 1] = common - n / (m + n) * apart, common + m / (m + n) * apart


@dataclass(frozen=True, kw_only=True)
class Slope(Phases):
    """A block on a fixed slope with dry friction, pushed up it (or down, for a speed below 0)."""

    angle: float
    friction: float
    speed: float

    @property
    def rests(self) -> float:
        """When it stops for good, infinite if it slides back."""
        holds = math.tan(math.radians(self.angle)) <= self.friction
        return self.begins[0] if holds and self.begins else math.inf

    def phases(self) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
        """Until it stops; then it slides back, or stays where friction holds it."""
        along = (math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle)))
        weight, rub = GRAVITY * along[1], self.friction * GRAVITY * along[0]
        slowing = -weight - math.copysign(rub, self.speed) if self.speed else 0.0
        first = self._phase(0.0, 0.0, self.speed, slowing, along)
        if self.speed * slowing >= 0:
            back = -max(0.0, weight - rub) if not self.speed else slowing
            return (self._phase(0.0, 0.0, self.speed, back, along),)
        stops = -self.speed / slowing
        return first, self._phase(stops, self.speed * stops / 2, 0.0, -max(0.0, weight - rub), along)

    @staticmethod
    def _phase(
        begins: float, place: float, speed: float, slowing: float, along: tuple[float, float]
    ) -> tuple[float, tuple[Numbers, ...]]:
        row = tuple(size * part for size in (place, speed, slowing) for part in (*along, 0.0))
        return begins, (row,)


@dataclass(frozen=True, kw_only=True)
class Wedge(Phases):
    """A block slides down a wedge that slides on the floor, all without friction.

    The block starts ``distance`` up the slope, above the origin; the second object is the foot of the slope. On the
    floor, which takes its downward speed, the block slides on.
    """

    angle: float
    wedge: float
    block: float
    distance: float
    objects: ClassVar[int] = 2

    def phases(self) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
        """On the slope, then on the floor."""
        sin, cos = math.sin(math.radians(self.angle)), math.cos(math.radians(self.angle))
        heavy = self.wedge + self.block * sin * sin
        recoil = self.block * GRAVITY * sin * cos / heavy
        along = (self.wedge + self.block) * GRAVITY * sin / heavy
        ahead = along * cos - recoil
        ends = math.sqrt(2 * self.distance / along)
        high, foot = self.distance * sin, self.distance * cos
        on_slope = (
            (0.0, high, 0.0, 0.0, 0.0, 0.0, ahead, -along * sin, 0.0),
            (foot, 0.0, 0.0, 0.0, 0.0, 0.0, -recoil, 0.0, 0.0),
        )
        meets = ahead * ends * ends / 2
        on_floor = (
            (meets, 0.0, 0.0, ahead * ends, 0.0, 0.0, 0.0, 0.0, 0.0),
            (foot - recoil * ends * ends / 2, 0.0, 0.0, -recoil * ends, 0.0, 0.0, 0.0, 0.0, 0.0),
        )
        return (0.0, on_slope), (ends, on_floor)


@dataclass(frozen=True, kw_only=True)
class Ferry(Phases):
    """A boat crosses a current that is as fast, in m/s, as the bank is far, in m; turns, and is back at the bank.

    Attributes:
        out: its speed away from the bank.
        turns: its distance from the bank when it turns.
        back: its speed back to the bank, where it stays.
    """

    out: float
    turns: float
    back: float

    def phases(self) -> tuple[tuple[float, tuple[Numbers, ...]], ...]:
        """Out, back, ashore."""
        away, home = self.turns / self.out, self.turns / self.out + self.turns / self.back
        down = self.turns * away / 2
        return (
            (0.0, ((0.0, 0.0, 0.0, 0.0, self.out, 0.0, self.out, 0.0, 0.0),)),
            (away, ((down, self.turns, 0.0, self.turns, -self.back, 0.0, -self.back, 0.0, 0.0),)),
            (home, ((self.turns * home / 2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),)),
        )


@dataclass(frozen=True, kw_only=True)
class Shot(System):
    """A bullet passes through a long block that slides on a dry floor; both move along the first axis.

    The bullet enters the block's rear end at ``hits``. Inside, each is dragged by ``drag`` times their *relative*
    velocity. The block's friction is that of its own weight; the bullet's own weight is neglected. The first object is
    the block's rear end, which starts in the origin, the second the bullet.
    """

    block: float
    length: float
    friction: float
    speed: float
    bullet: float
    fast: float
    hits: float
    drag: float
    objects: ClassVar[int] = 2

    def leaves(self) -> float:
        """How long the bullet is inside."""
        low, high = 0.0, 1.0
        while self._inside(high)[2] < self.length:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if self._inside(middle)[2] < self.length else (low, middle)
        return (low + high) / 2

    def at(self, time: float) -> tuple[Point, ...]:
        """Before it hits, inside, and after."""
        slowing = self.friction * GRAVITY
        inside = _leaves(self)
        if time <= self.hits:
            block = self.speed * time - slowing * time * time / 2
            meets = self.speed * self.hits - slowing * self.hits**2 / 2
            bullet = meets - self.fast * (self.hits - time)
        elif time <= self.hits + inside:
            block, _, ahead, _ = self._inside(time - self.hits)
            bullet = block + ahead
        else:
            place, speed, ahead, relative = self._inside(inside)
            after = time - self.hits - inside
            slid = min(after, speed / slowing)
            block = place + speed * slid - slowing * slid * slid / 2
            bullet = place + ahead + (speed + relative) * after
        return ((block, 0.0, 0.0), (bullet, 0.0, 0.0))

    def _inside(self, time: float) -> Numbers:
        """The block's place and speed, and how far and how fast the bullet is ahead, a time after it hit."""
        slowing = self.friction * GRAVITY
        place, speed = self.speed * self.hits - slowing * self.hits**2 / 2, self.speed - slowing * self.hits
        rate = self.drag / self.bullet + self.drag / self.block
        last, gone = slowing / rate, -math.expm1(-rate * time)
        above = self.fast - speed - last
        ahead = last * time + above * gone / rate
        travelled = last * time * time / 2 + above * (time - gone / rate) / rate
        push = self.drag / self.block
        return (
            place + speed * time - slowing * time * time / 2 + push * travelled,
            speed - slowing * time + push * ahead,
            ahead,
            last + above * (1 - gone),
        )


@functools.lru_cache(8)
def _leaves(system: Shot) -> float:
    return system.leaves()
