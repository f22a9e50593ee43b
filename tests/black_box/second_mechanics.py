"""Where the objects of mechanical systems are, a second time: from forces, by scipy's DOP853, or by exact fractions.

Each function takes what the page says of a system and ascending times and returns places of shape (times, objects, 3)
in the system's own coordinates: along, up, to the side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
G = 10.0
DOWN = np.array([0.0, -G, 0.0])


def flow(
    rhs: Callable[[float, Array], Any], state: Sequence[float], times: Sequence[float], start: float = 0.0
) -> Array:
    """States at ascending times, (times, numbers)."""
    known = np.asarray(times, dtype=float)
    if len(known) == 0 or known[-1] == start:
        return np.tile(np.asarray(state, dtype=float), (len(known), 1))
    solved = solve_ivp(
        lambda t, y: np.asarray(rhs(t, y)), (start, known[-1]), state, "DOP853", known, rtol=1e-12, atol=1e-13
    )
    return solved.y.T


def point(
    force: Callable[[float, Array, Array], Array], place: Sequence[float], velocity: Sequence[float], times: Any
) -> Array:
    """A point of mass 1 under a force of time, place and velocity."""
    found = flow(lambda t, y: np.concatenate([y[3:], force(t, y[:3], y[3:])]), [*place, *velocity], times)
    return found[:, None, :3]


def thrown(velocity: Sequence[float], acceleration: Sequence[float], times: Any) -> Array:
    return point(lambda t, r, v: np.asarray(acceleration, dtype=float), (0, 0, 0), velocity, times)


def bouncing(height: float, restitution: float, speed: float, across: float, times: Any) -> Array:
    """Flight by flight: each ends at the later root of its parabola."""
    flights, begun, y, v = [], 0.0, height, speed
    while begun <= times[-1] and not (y == 0 and v < 1e-7):
        lasts = max(np.roots([-G / 2, v, y]).real)
        flights.append((begun, begun + lasts, y, v))
        begun, y, v = begun + lasts, 0.0, restitution * abs(v - G * lasts)
    found = np.zeros((len(times), 1, 3))
    for i, t in enumerate(times):
        found[i, 0, 0] = across * t
        for begins, ends, y0, v0 in flights:
            if begins <= t < ends:
                found[i, 0, 1] = y0 + v0 * (t - begins) - G / 2 * (t - begins) ** 2
    return found


def swinging(centre: Any, cosine: Any, sine: Any, omega: float, damping: float, times: Any) -> Array:
    """A spring whose damped frequency is omega."""
    c, a, b = (np.asarray(x, dtype=float) for x in (centre, cosine, sine))
    stiff = omega**2 + damping**2
    return point(lambda t, r, v: -stiff * (r - c) - 2 * damping * v, c + a, omega * b - damping * a, times)


def rod(place: Array, velocity: Array, times: Any) -> Array:
    """A bob on a rod from the origin: weight and the force of the rod, in three dimensions."""
    length2 = place @ place
    return point(lambda t, r, v: DOWN - r * (v @ v + DOWN @ r) / length2, place, velocity, times)


def pendulum(length: float, angle: float, times: Any) -> Array:
    """By the angle alone: in three dimensions a wide swing would drift off its rod."""
    a = flow(lambda t, y: np.array([y[1], -G / length * math.sin(y[0])]), [math.radians(angle), 0.0], times)[:, 0]
    return length * np.stack([np.sin(a), -np.cos(a), 0 * a], axis=1)[:, None, :]


def conical(length: float, angle: float, times: Any) -> Array:
    """The speed at which the cord pulls exactly with weight and centripetal force: v^2 / r = g tan a."""
    a = math.radians(angle)
    speed = math.sqrt(G * length * math.sin(a) * math.tan(a))
    return rod(length * np.array([math.sin(a), -math.cos(a), 0.0]), np.array([0.0, 0.0, speed]), times)


def spherical(length: float, angle: float, speed: float, times: Any) -> Array:
    a = math.radians(angle)
    return rod(length * np.array([math.sin(a), -math.cos(a), 0.0]), np.array([0.0, 0.0, speed]), times)


def rolling(radius: float, speed: float, times: Any) -> Array:
    """The velocity of a rim's point is that of the turn about the point that touches the floor."""
    omega = speed / radius

    def rhs(t: float, y: Array) -> list[float]:
        contact = np.array([speed * t, 0.0])
        arm = y - contact
        return [omega * arm[1], -omega * arm[0]]

    # At the start the arm is nothing: begin a little later, where sin t - t has its first terms.
    early = 1e-3
    turn = omega * early
    state = [radius * (turn**3 / 6 - turn**5 / 120), radius * (turn**2 / 2 - turn**4 / 24 + turn**6 / 720)]
    found = np.zeros((len(times), 1, 3))
    later = [t for t in times if t > early]
    if later:
        found[len(times) - len(later) :, 0, :2] = flow(rhs, state, later, early)
    return found


def orbit(pull: float, nearest: float, farthest: float, phase: float, times: Any) -> Array:
    """From the periapsis, with the speed that energy and angular momentum give, so much earlier as the phase says."""
    speed = math.sqrt(2 * pull * (1 / nearest - 1 / farthest) / (1 - (nearest / farthest) ** 2))
    period = 2 * math.pi * math.sqrt(((nearest + farthest) / 2) ** 3 / pull)
    late = np.asarray(times) + phase * period
    return point(lambda t, r, v: -pull * r / (r @ r) ** 1.5, (nearest, 0, 0), (0, speed, 0), late)


def rising(mass: float, speed: float, drag: float, times: Any) -> Array:
    return point(lambda t, r, v: DOWN - drag / mass * abs(v[1]) * v, (0, 0, 0), (0, speed, 0), times)


def dragged(velocity: Sequence[float], drag: float, times: Any) -> Array:
    return point(lambda t, r, v: DOWN - drag * np.linalg.norm(v) * v, (0, 0, 0), (*velocity, 0.0), times)


def rubbing(stiffness: float, mass: float, start: float, friction: float, times: Any) -> Array:
    """Swing by swing, each integrated until it stops; it sticks where the spring is the weaker."""
    found = np.full((len(times), 1, 3), 0.0)
    begun, x = 0.0, start
    rub = friction * mass * G
    while True:
        waiting = [i for i, t in enumerate(times) if t >= begun]
        if not waiting:
            return found
        if stiffness * abs(x) <= rub * (1 + 1e-9):
            found[waiting, 0, 0] = x
            return found
        push = math.copysign(rub, x)

        def rhs(t: float, y: Array, push: float = push) -> list[float]:
            return [y[1], (-stiffness * y[0] + push) / mass]

        def stops(t: float, y: Array, sign: float = math.copysign(1, x), begun: float = begun) -> float:
            return float(y[1] * sign) if t > begun + 1e-6 else -1.0

        stops.terminal = True  # type: ignore[attr-defined]
        stops.direction = 1  # type: ignore[attr-defined]
        until = begun + 4 * math.sqrt(mass / stiffness)
        solved = solve_ivp(
            rhs, (begun, until), [x, 0.0], "DOP853", dense_output=True, events=stops, rtol=1e-12, atol=1e-13
        )
        ends = float(solved.t[-1])
        for i in waiting:
            if times[i] <= ends:
                found[i, 0, 0] = solved.sol(times[i])[0]
        begun, x = ends, float(solved.y[0, -1])


def crossed(omega: float, velocity: Sequence[float], drift: float, pull: float, times: Any) -> Array:
    """Lorentz force with the magnetic field along -z for a positive omega."""
    field = np.array([0.0, 0.0, -omega])
    # E + u x B = 0 for the drift u.
    electric = -np.cross([drift, 0.0, 0.0], field) + np.array([0.0, 0.0, pull])
    return point(lambda t, r, v: electric + np.cross(v, field), (0, 0, 0), velocity, times)


def driven(omega: float, damping: float, force: float, drive: float, start: float, speed: float, times: Any) -> Array:
    def law(t: float, r: Array, v: Array) -> Array:
        return -(omega**2) * r - 2 * damping * v + np.array([force * math.cos(drive * t), 0.0, 0.0])

    return point(law, (start, 0, 0), (speed, 0, 0), times)


def anisotropic(omegas: Any, damping: float, starts: Any, speeds: Any, times: Any) -> Array:
    stiff = np.array([omegas[0] ** 2, 0.0, omegas[1] ** 2])
    place, velocity = (starts[0], 0, starts[1]), (speeds[0], 0, speeds[1])
    return point(lambda t, r, v: -stiff * r - 2 * damping * v, place, velocity, times)


def coupled(masses: Any, springs: Any, starts: Any, gap: float, times: Any) -> Array:
    (m, n), (left, middle, right) = masses, springs

    def rhs(t: float, y: Array) -> list[float]:
        x, z, u, v = y
        return [u, v, (-left * x + middle * (z - x)) / m, (-middle * (z - x) - right * z) / n]

    found = np.zeros((len(times), 2, 3))
    found[:, :, 0] = flow(rhs, [*starts, 0.0, 0.0], times)[:, :2] + [0.0, gap]
    return found


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def balls(masses: Any, starts: Any, velocities: Any, walls: Any, restitution: float, times: Any) -> Array:
    """From hit to hit in exact fractions; velocities after a hit in the frame of the common centre of mass."""
    m, x, v = ([exact(number) for number in row] for row in (masses, starts, velocities))
    e, now = exact(restitution), Fraction(0)
    ends = [None, None] if walls is None else [exact(wall) for wall in walls]
    found = np.zeros((len(times), len(m), 3))
    for row, time in enumerate(times):
        until = exact(float(time))
        while True:
            hits: list[tuple[Fraction, int]] = []
            for i in range(-1, len(m)):
                # Neighbours i and i + 1; a wall is a neighbour at rest.
                left = (ends[0], Fraction(0)) if i < 0 else (x[i], v[i])
                right = (ends[1], Fraction(0)) if i + 1 == len(m) else (x[i + 1], v[i + 1])
                if left[0] is not None and right[0] is not None and left[1] > right[1]:
                    hits.append((now + (right[0] - left[0]) / (left[1] - right[1]), i))
            if not hits or min(hits)[0] > until:
                break
            when, i = min(hits)
            x, now = [place + speed * (when - now) for place, speed in zip(x, v, strict=True)], when
            if i < 0 or i + 1 == len(m):
                v[max(i, 0)] *= -1
                continue
            mean = (m[i] * v[i] + m[i + 1] * v[i + 1]) / (m[i] + m[i + 1])
            v[i], v[i + 1] = mean - e * (v[i] - mean), mean - e * (v[i + 1] - mean)
        found[row, :, 0] = [float(place + speed * (until - now)) for place, speed in zip(x, v, strict=True)]
    return found


def slope(angle: float, friction: float, speed: float, times: Any) -> Array:
    """Along the slope, up positive, by small exact parabolas: until it stops, then as the forces allow."""
    sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    stops = speed / (G * sin + friction * G * cos)
    top = speed**2 / (2 * G * (sin + friction * cos))
    back = 0.0 if math.tan(math.radians(angle)) <= friction else G * (sin - friction * cos)
    s = [speed * t - (speed / stops) * t * t / 2 if t <= stops else top - back * (t - stops) ** 2 / 2 for t in times]
    return np.array([[[x * cos, x * sin, 0.0]] for x in s])


def wedge(angle: float, heavy: float, block: float, height: float, times: Any) -> Array:
    """Newton's laws for block and wedge with the force N between them, as linear equations; the height is upright."""
    sin, cos = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    # Unknown: acceleration of the block along and up, of the wedge along, N. The slope falls to the right.
    equations = [
        [block, 0.0, 0.0, -sin],
        [0.0, block, 0.0, -cos],
        [0.0, 0.0, heavy, sin],
        [sin, cos, -sin, 0.0],
    ]
    ax, ay, aw, _ = np.linalg.solve(equations, [0.0, -block * G, 0.0, 0.0])
    lands = math.sqrt(2 * height / -ay)
    found = []
    for t in times:
        s, after = min(t, lands), max(0.0, t - lands)
        found.append(
            [
                [ax * s * s / 2 + ax * lands * after, height + ay * s * s / 2, 0.0],
                [height * cos / sin + aw * s * s / 2 + aw * lands * after, 0.0, 0.0],
            ]
        )
    return np.array(found)


def ferry(out: float, turns: float, back: float, times: Any) -> Array:
    """By the speed of the current where the boat is."""
    ends = turns / out, turns / out + turns / back
    found, state, begun = np.zeros((len(times), 1, 3)), np.zeros(2), 0.0
    for speed, until in ((out, ends[0]), (-back, ends[1]), (0.0, math.inf)):
        inside = [i for i, t in enumerate(times) if begun <= t < until]
        stops = [times[i] for i in inside] + ([until] if until < math.inf else [])
        states = flow(lambda t, y, speed=speed: [y[1] if speed else 0.0, speed], state, stops, begun)
        found[inside, 0, :2] = states[: len(inside)]
        state, begun = states[-1] if len(states) else state, until
    return found


def shot(
    block: float,
    length: float,
    friction: float,
    speed: float,
    bullet: float,
    fast: float,
    hits: float,
    drag: float,
    times: Any,
) -> Array:
    """Places and velocities of both under friction and drag, through three phases."""
    slide = friction * G

    def rhs(t: float, y: Array, touching: bool) -> list[float]:
        force = drag * (y[3] - y[1]) if touching else 0.0
        rub = slide if y[1] > 1e-12 else 0.0
        return [y[1], force / block - rub, y[3], -force / bullet]

    meets = speed * hits - slide * hits**2 / 2

    def out(t: float, y: Array) -> float:
        return float(y[2] - y[0] - length)

    out.terminal = True  # type: ignore[attr-defined]
    state = [meets, speed - slide * hits, meets, fast]
    inside = solve_ivp(
        lambda t, y: rhs(t, y, True),
        (hits, hits + 5),
        state,
        "DOP853",
        events=out,
        dense_output=True,
        rtol=1e-12,
        atol=1e-12,
    )
    leaves, after = float(inside.t[-1]), inside.y[:, -1]
    rests = leaves + after[1] / slide
    found = np.zeros((len(times), 2, 3))
    for i, t in enumerate(times):
        if t <= hits:
            found[i, :, 0] = speed * t - slide * t * t / 2, meets + fast * (t - hits)
        elif t <= leaves:
            found[i, :, 0] = inside.sol(t)[[0, 2]]
        else:
            s = min(t, rests) - leaves
            found[i, :, 0] = after[0] + after[1] * s - slide * s * s / 2, after[2] + after[3] * (t - leaves)
    return found


def double_pendulum(lengths: Any, masses: Any, angles: Any, times: Any) -> Array:
    """Two points in a plane, weights and two rods; the rods' forces from the constraints' second derivatives."""
    first, second = (
        length * np.array([math.sin(math.radians(a)), -math.cos(math.radians(a))])
        for length, a in zip(lengths, angles, strict=True)
    )
    m, n = masses

    def rhs(t: float, y: Array) -> Array:
        r, s, u, v = y[:2], y[2:4], y[4:6], y[6:]
        arm, turn = s - r, v - u
        # Unknown: accelerations of both, pulls of both rods by length.
        matrix, known = np.zeros((6, 6)), np.zeros(6)
        matrix[:2, :2], matrix[2:4, 2:4] = m * np.eye(2), n * np.eye(2)
        matrix[:2, 4], matrix[:2, 5], matrix[2:4, 5] = r, -arm, arm
        known[[1, 3]] = -m * G, -n * G
        matrix[4, :2], known[4] = r, -(u @ u)
        matrix[5, :2], matrix[5, 2:4], known[5] = -arm, arm, -(turn @ turn)
        return np.concatenate([u, v, np.linalg.solve(matrix, known)[:4]])

    found = np.zeros((len(times), 2, 3))
    states = flow(rhs, [*first, *(first + second), 0, 0, 0, 0], times)
    found[:, :, :2] = states[:, :4].reshape(-1, 2, 2)
    return found


SUN = 6.7e-11 * 8e29
"""G M in m^3 / s^2 of the planet's sun."""

FIXED: dict[str, Callable[[Any], Array]] = {
    "uniform-motion": lambda t: thrown((2, 0, 0), (0, 0, 0), t),
    "balls-completely-elastic-collision": lambda t: balls((5, 2), (0, 10), (4, 0), None, 1, t),
    "balls-completely-elastic-collision-2": lambda t: balls((4, 2), (0, 12), (3, -5), None, 1, t),
    "conical-pendulum": lambda t: conical(5, 30, t)[:, :, [0, 2, 1]],
    "cycloid": lambda t: rolling(1, 1, t),
    "elliptical-planetary-orbit": lambda t: orbit(SUN, 6e10, 9e10, 0, np.asarray(t) * 86_400) / 1e9,
    "freefall-elastic-collision": lambda t: bouncing(10, 1, 0, 0, t),
    "freefall-inelastic-collision": lambda t: bouncing(20, 0.6, 0, 0, t),
    "freefall-infinite-height": lambda t: thrown((0, 0, 0), (0, -10, 0), t),
    "horizontal-projectile-infinite-height": lambda t: thrown((10, 0, 0), (0, -10, 0), t),
    "oblique-projectile-infinite-height": lambda t: thrown((10, 10, 0), (0, -10, 0), t),
    "pendulum": lambda t: pendulum(2, 60, t),
    "simple-harmonic-horizontal": lambda t: swinging((0, 0, 0), (0.2, 0, 0), (0, 0, 0), 10, 0, t),
    "simple-harmonic-vertical": lambda t: swinging((0, 0.3, 0), (0, -0.3, 0), (0, 0, 0), 10, 0, t),
    "ball-air-resistance": lambda t: rising(2, 15, 0.1, t),
    "balls-collision": lambda t: balls((5, 3), (0, 20), (4, -6), (0, 20), 0.8, t),
    "bullet-object": lambda t: shot(2, 60, 0.1, 15, 0.05, 400, 1.5, 0.2, t),
    "double-pendulum": lambda t: double_pendulum((1, 1), (1, 1), (45, 45), t),
    "harmonic-friction": lambda t: rubbing(100, 1, 1, 0.1, t),
    "incline-plane-block": lambda t: wedge(30, 10, 5, 8, t),
    "river-boat": lambda t: ferry(2, 5, 1, t),
    "three-balls-collision": lambda t: balls((4, 3, 2), (0, 10, 20), (3, 3, -4), (0, 30), 1, t),
}
"""The fixed boxes as the page tells them."""


def generated(system: Any, times: Any) -> Array:
    """A drawn system, by the names of its class and of its parameters."""
    p = {name: value for name, value in vars(system).items() if name != "until"}
    if "wedge" in p:
        p["heavy"], p["height"] = p.pop("wedge"), p.pop("distance") * math.sin(math.radians(p["angle"]))
    laws: dict[str, Callable[..., Array]] = {
        "Thrown": thrown,
        "Bouncing": bouncing,
        "Swinging": swinging,
        "Pendulum": pendulum,
        "Balls": balls,
        "Slope": slope,
        "Orbit": orbit,
        "Coupled": coupled,
        "Dragged": dragged,
        "Crossed": crossed,
        "Spherical": spherical,
        "Driven": driven,
        "Anisotropic": anisotropic,
    }
    return laws[type(system).__name__](**p, times=times)
