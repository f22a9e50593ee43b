"""What the reference player knows of several objects beyond sums of shapes: balls in a row, a shot, a double pendulum.

Each function makes systems from what is known at the start and a net of round parameters, and keeps those that agree
with the rest. Places are known at all times that were asked, the first of them 0.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from interactive_envs.black_box.mechanics.kinds import Array, steps
from interactive_envs.black_box.mechanics.solved import DoublePendulum
from interactive_envs.black_box.mechanics.systems import Balls, Coupled, Shot, System

At = Callable[[Array], Array]
"""Places at times, (times, coordinates)."""
KEPT = 40
"""Systems that are kept, spread over those that agree."""
FAR = 1e9


def systems(times: Array, places: Array, half: float, memory: dict[str, Array]) -> list[At]:
    """Motions that agree.

    Args:
        times: ascending, the first is 0.
        places: shape (times, objects, 3).
        half: the greatest rounding error of the replies.
        memory: what agreed with fewer data, so that only this is looked at again.
    """
    if len(times) < 3 or times[0] != 0:
        return []
    found: list[At] = []
    line = _line(places, half)
    if line is not None:
        along = (places - places[0, 0]) @ line
        found = [_placed(system, places[0, 0], (line,)) for system in _balls(times, along, half, memory)]
        if along.shape[1] == 2 and len(times) > 5:
            found += [_placed(system, places[0, 0], (-line,)) for system in _shots(times, -along)]
    elif places.shape[1] == 2:
        found = [
            _placed(system, np.zeros(3), (np.eye(3)[i], np.eye(3)[j]))
            for i, j in ((0, 1), (2, 1), (0, 2), (1, 2))
            for system in _double_pendulums(times, places[:, :, [i, j]], half)
            if not places[:, :, 3 - i - j].any()
        ]
    return [at for at in found if _agrees(at, times, places, half)]


def _agrees(at: At, times: Array, places: Array, half: float) -> bool:
    return bool(np.abs(at(times) - places.reshape(len(times), -1)).max() <= half * 1.01)


def _placed(system: System, origin: Array, axes: tuple[Array, ...]) -> At:
    def at(times: Array) -> Array:
        moved = np.array([[point[: len(axes)] for point in system.at(float(time))] for time in times])
        return np.asarray(origin + moved @ np.array(axes)).reshape(len(times), -1)

    return at


def _line(places: Array, half: float) -> Array | None:
    """The direction in which the first object sees the second at the start, if all stay on this line."""
    ahead = places[:, 1:].reshape(-1, 3) - places[0, 0]
    farthest = ahead[int(np.argmax((ahead**2).sum(axis=1)))]
    size = float(np.linalg.norm(farthest))
    if size < 1:
        return None
    line = farthest / size
    round_line = np.round(line * 5) / 5
    line = round_line if abs(float(np.linalg.norm(round_line)) - 1) < 1e-9 else line
    if (places[0, 1] - places[0, 0]) @ line < 0:
        line = -line
    apart = places - places[0, 0]
    off = apart - (apart @ line)[..., None] * line
    return line if np.abs(off).max() <= 4 * half else None


# Balls between walls.


def _balls(times: Array, along: Array, half: float, memory: dict[str, Array]) -> list[System]:
    """From round speeds at the start; masses, restitution and walls are tried."""
    count = along.shape[1]
    starts = np.round(along[0], 2)
    speeds = np.round((along[1] - along[0]) / times[1] * 2) / 2
    if (np.diff(starts) < 0).any():
        return []
    net = memory.get("balls")
    net = _rows_of_balls(along, half) if net is None else net
    left = memory["balls"] = _surviving(times, along, 1.5 * half, starts, speeds, net)
    if not len(left):
        return []
    chosen = left[np.unique(np.linspace(0, len(left) - 1, KEPT).astype(int))]
    return [
        Balls(
            until=60.0,
            masses=tuple(map(float, row[:count])),
            starts=tuple(map(float, starts)),
            velocities=tuple(map(float, speeds)),
            walls=None if row[-1] == FAR else (float(row[-2]), float(row[-1])),
            restitution=float(row[count]),
        )
        for row in chosen
    ]


def _rows_of_balls(along: Array, half: float) -> Array:
    """Masses of each, restitution, left and right wall."""
    count = along.shape[1]
    if count == 2:
        most, losses = 8, steps(0.5, 1, 0.1)[::-1]
    else:
        most, losses = 5, [1.0]
    masses = sorted(
        {tuple(m / math.gcd(*ms) for m in ms) for ms in itertools.product(range(1, most + 1), repeat=count)}
    )
    before = [-d for d in range(17) if -d <= along.min() + 2 * half]
    last = float(along[0, -1])
    after = [last + d for d in range(17) if last + d >= along.max() - 2 * half]
    walls = [(-FAR, FAR), *itertools.product(before, after)]
    return np.array([(*ms, e, *pair) for ms in masses for e in losses for pair in walls])


def _surviving(times: Array, along: Array, error: float, starts: Array, speeds: Array, net: Array) -> Array:
    """The rows of masses, restitution and walls whose balls are where they were seen; the rest goes as time passes."""
    count = along.shape[1]
    x, v, now = np.tile(starts, (len(net), 1)), np.tile(speeds, (len(net), 1)), np.zeros(len(net))
    for time, seen in zip(times, along, strict=True):
        for _ in range(60):
            if not _advance(x, v, now, time, net, count):
                break
        kept = (np.abs(x - seen) <= error).all(axis=1) & (now >= time)
        x, v, now, net = x[kept], v[kept], now[kept], net[kept]
    return net


def _advance(x: Array, v: Array, now: Array, time: float, net: Array, count: int) -> bool:
    """Each row to its next hit or to the time, in place; whether any hit."""
    closing, gaps = v[:, :-1] - v[:, 1:], np.maximum(x[:, 1:] - x[:, :-1], 0)
    left, right = net[:, count + 1], net[:, count + 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        waits = np.column_stack(
            [
                np.where(closing > 1e-12, gaps / closing, np.inf),
                np.where(v[:, 0] < 0, np.maximum(x[:, 0] - left, 0) / -v[:, 0], np.inf),
                np.where(v[:, -1] > 0, np.maximum(right - x[:, -1], 0) / v[:, -1], np.inf),
            ]
        )
    who, wait = waits.argmin(axis=1), waits.min(axis=1)
    hits = wait <= time - now
    step = np.minimum(wait, time - now)
    x += v * step[:, None]
    now[:] = np.where(hits, now + step, time)
    for i in range(count - 1):
        rows = hits & (who == i)
        m, n, e = net[rows, i], net[rows, i + 1], net[rows, count]
        u, w = v[rows, i], v[rows, i + 1]
        common, apart = (m * u + n * w) / (m + n), e * (u - w)
        v[rows, i], v[rows, i + 1] = common - n / (m + n) * apart, common + m / (m + n) * apart
        x[rows, i + 1] = x[rows, i]
    v[hits & (who == count - 1), 0] *= -1
    v[hits & (who == count), -1] *= -1
    return bool(hits.any())


# A block that is shot through.


def _shots(times: Array, along: Array) -> Iterator[System]:
    """The second object comes from behind and passes through the first, which slides to rest.

    The first three times are before it hits, the last two after it left.
    """
    t, block = times[1:3], along[1:3, 0]
    speed = float(np.round(np.linalg.solve(np.column_stack([t, -(t**2) / 2]), block)[0] * 2) / 2)
    slowing = float(np.round(2 * (speed * t[1] - block[1]) / t[1] ** 2, 1))
    fast = float(np.round((along[2, 1] - along[0, 1]) / times[2]))
    if not (fast > speed > 0 and slowing > 0):
        return
    # Where the bullet meets the block: start + fast t = speed t - slowing t^2 / 2.
    closing = fast - speed
    hits = round((-closing + math.sqrt(closing**2 - 2 * slowing * float(along[0, 1]))) / slowing, 2)
    last = (along[-1, 1] - along[-2, 1]) / (times[-1] - times[-2])
    for bullet, block_mass, drag, length in itertools.product(
        (0.01, 0.02, 0.05, 0.1, 0.2), (1.0, 2.0, 3.0, 4.0, 5.0, 10.0), (0.1, 0.2, 0.3, 0.4, 0.5), steps(5, 100, 5)
    ):
        relative = fast - speed + slowing * hits - drag * (1 / bullet + 1 / block_mass) * length
        after = speed - slowing * hits + drag / block_mass * length + relative
        if relative > 0 and abs(after - last) < 0.02 * fast:
            yield Shot(
                until=60.0,
                block=block_mass,
                length=length,
                friction=slowing / 10,
                speed=speed,
                bullet=bullet,
                fast=fast,
                hits=hits,
                drag=drag,
            )


# Two masses on three springs.


@functools.cache
def _masses_and_springs() -> Array:
    """Masses up to 4 and springs from 2 to 20, with both angular frequencies and the second mass's parts in both."""
    net = np.array(list(itertools.product(range(1, 5), range(1, 5), *[range(2, 21)] * 3)), dtype=np.float64)
    m, n, left, middle, right = net.T
    a, b, d = (left + middle) / m, middle / m, (middle + right) / n
    root = np.sqrt(((a - d) / 2) ** 2 + b * middle / n)
    squares = ((a + d) / 2 - root, (a + d) / 2 + root)
    return np.column_stack([net, *map(np.sqrt, squares), *((a - square) / b for square in squares)])


def coupled(omegas: Array, times: Array, places: Array, half: float) -> list[At]:
    """Masses, springs and starts that are round, near angular frequencies that were found by a fit."""
    line = _line(places, half)
    if line is None:
        return []
    along = (places - places[0, 0]) @ line
    net = _masses_and_springs()
    low, high = sorted(map(float, omegas))
    shapes = np.column_stack([np.ones_like(times), np.cos(low * times), np.cos(high * times)])
    factors = np.linalg.lstsq(shapes, along, rcond=None)[0]
    # A mode that hardly shows leaves its frequency and its ratio open.
    seen = np.abs(factors[1:]).max(axis=1)
    wide = 0.05 / np.maximum(seen, 0.02)
    ratios = net[:, 7:] * factors[1:, 0] - factors[1:, 1]
    near = (np.abs(net[:, 5:7] - (low, high)) < wide / times[-1]).all(axis=1) & (np.abs(ratios) < 0.05).all(axis=1)
    found: list[At] = []
    for m, n, *springs in net[near][:200, :5]:
        first, second = (round(float(factors[1:, i].sum()) * 2) / 2 for i in range(2))
        gap = along[0, 1] + first - second
        system = Coupled(
            until=60.0,
            masses=(float(m), float(n)),
            springs=(float(springs[0]), float(springs[1]), float(springs[2])),
            starts=(first, second),
            gap=round(float(gap), 2),
        )
        at = _placed(system, places[0, 0] - first * line, (line,))
        if _agrees(at, times, places, half):
            found.append(at)
    return found


# A double pendulum.


def _double_pendulums(times: Array, places: Array, half: float) -> Iterator[System]:
    """Let go from rest, suspended in the origin; the ratio of the masses is tried."""
    upper, lower = places[0, 0], places[0, 1] - places[0, 0]
    lengths = [round(float(np.linalg.norm(rod)) * 20) / 20 for rod in (upper, lower)]
    angles = [float(round(math.degrees(math.atan2(rod[0], -rod[1])))) for rod in (upper, lower)]
    if min(lengths) <= 0:
        return
    for ratio in (1.0, 0.5, 2.0, 1 / 3, 3.0, 0.25, 4.0):
        system = DoublePendulum(
            until=60.0, lengths=(lengths[0], lengths[1]), masses=(1.0, ratio), angles=(angles[0], angles[1])
        )
        if all(
            abs(reported - x) <= half * 1.01
            for time, rows in zip(times, places, strict=True)
            for point, row in zip(system.at(float(time)), rows, strict=True)
            for x, reported in zip(point, row, strict=False)
        ):
            yield system
