"""Pictures of pages as arrays: their ground and palette, and what can be distinguished without a tree."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from interactive_envs.errors import MissingExtraError
from interactive_envs.ui2html.rendering.browser import WIDTH
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.matching import Array, Element, Role, to_lab
from interactive_envs.ui2html.rendering.tree import Box

Pixels = NDArray[np.uint8]

PLAIN = 10
"""Steps of a channel, of 255, by which a pixel differs from the next one if something is drawn there."""
_SAME = 4
"""The same by which two colours differ that nobody tells apart."""
_SHRINK = 4
"""Variance, in squared grey levels, below which a difference is none."""
_COLOURS = 24
_FLAT = 2
_AREA = 200
"""Pixels, at half the size, of the smallest flat area."""
CELLS = (6, 24)
"""Rows and columns in which the drawing of an element is compared."""
GREY = np.array([0.299, 0.587, 0.114])
"""Lightness of red, green and blue."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture as wide as a page.

    Attributes:
        pixels: red, green and blue; shape (height, :data:`WIDTH`, 3).
    """

    pixels: Pixels

    @cached_property
    def ground(self) -> tuple[int, int, int]:
        """The colour that covers most."""
        return common(self.pixels[::2, ::2])

    def share(self, colour: tuple[int, int, int]) -> float:
        """The part of it that has a colour, or one that nobody can tell from it."""
        apart = np.abs(self.pixels[::4, ::4].astype(int) - np.array(colour))
        return float((apart.max(axis=2) <= _SAME).mean())

    @cached_property
    def small(self) -> Array:
        """A quarter as wide and as tall, each pixel the mean of sixteen."""
        return shrink(self.pixels, _SHRINK)

    @cached_property
    def colours(self) -> Array:
        """Of :attr:`small` in CIELAB; shape (n, 3)."""
        return to_lab(self.small).reshape(-1, 3)

    def crop(self, box: Box) -> Pixels:
        """The pixels of a box; none if it lies outside."""
        left, top, right, bottom = self._corners(box, 0)
        return self.pixels[top:bottom, left:right]

    def drawn(self, box: Box, margin: int = 0) -> float:
        """Share of a box's pixels, and of those around it, that differ from the next one."""
        left, top, right, bottom = self._corners(box, margin)
        area = (right - left) * (bottom - top)
        return np.count_nonzero(self._changes[top:bottom, left:right]) / area if area else 0.0

    def _corners(self, box: Box, margin: int) -> tuple[int, int, int, int]:
        height, width = self.pixels.shape[:2]
        left, top = min(width, max(0, round(box.x) - margin)), min(height, max(0, round(box.y) - margin))
        right = min(width, max(left, round(box.x + box.width) + margin))
        return left, top, right, min(height, max(top, round(box.y + box.height) + margin))

    @cached_property
    def _changes(self) -> NDArray[np.bool_]:
        """Which pixels differ from the one to the left or above; shape (height, width)."""
        grown = np.zeros(self.pixels.shape[:2], np.uint8)
        for rows, columns in ((slice(None), slice(1, None)), (slice(1, None), slice(None))):
            near = self.pixels[rows, columns], self.pixels[: len(self.pixels[rows]), : self.pixels[:, columns].shape[1]]
            change = np.maximum(*near) - np.minimum(*near)
            for channel in range(3):
                np.maximum(grown[rows, columns], change[:, :, channel], out=grown[rows, columns])
        return grown > PLAIN


@functools.lru_cache(8)
def picture(png: bytes) -> Picture:
    """Read a PNG; a wider one is scaled to the width of pages, a narrower one set on its own ground."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("comparing pictures", "ui") from error
    with Image.open(io.BytesIO(png)) as image:
        if image.mode == "RGB":
            flat = image.copy()
        else:
            drawn = Image.new("RGBA", image.size, "white")
            drawn.alpha_composite(image.convert("RGBA"))
            flat = drawn.convert("RGB")
    if flat.width > WIDTH:
        flat = flat.resize((WIDTH, max(1, round(flat.height * WIDTH / flat.width))), Image.Resampling.BOX)
    pixels = np.asarray(flat)
    if pixels.shape[1] < WIDTH:
        wide = np.empty((pixels.shape[0], WIDTH, 3), np.uint8)
        wide[:] = common(pixels)
        wide[:, : pixels.shape[1]] = pixels
        pixels = wide
    return Picture(pixels)


def common(pixels: Pixels) -> tuple[int, int, int]:
    """The most frequent colour, the mean of those within 8 steps."""
    flat = pixels.reshape(-1, 3)
    keys = (flat[:, 0].astype(int) >> 3 << 10) | (flat[:, 1].astype(int) >> 3 << 5) | (flat[:, 2] >> 3)
    most = np.bincount(keys, minlength=1).argmax()
    red, green, blue = np.rint(flat[keys == most].mean(axis=0)).astype(int)
    return int(red), int(green), int(blue)


def shrink(pixels: Pixels, factor: int) -> Array:
    """Means of squares, rounded; those at the right and the bottom may be of fewer pixels."""
    from PIL import Image

    return np.asarray(Image.fromarray(pixels).reduce(factor), float)


def palette(target: Picture, page: Picture) -> float:
    """How alike the colours are, and how much of each there is; 0 to 1."""
    one, other = target.colours, page.colours
    # How far lightness and hue must be moved, on average, to turn one into the other.
    moved = sum(float(np.abs(_levels(one[:, axis]) - _levels(other[:, axis])).mean()) for axis in range(3))
    tones, others = _tones(target), _tones(page)
    apart = np.linalg.norm(tones[:, None, 1:] - others[None, :, 1:], axis=2)
    far = 0.5 * (np.dot(tones[:, 0], apart.min(axis=1)) + np.dot(others[:, 0], apart.min(axis=0)))
    return float(0.5 * np.exp(-moved / 30) + 0.5 * np.exp(-far / 15))


def _levels(values: Array) -> Array:
    return np.quantile(values, np.linspace(0.005, 0.995, 100))


def _tones(of: Picture) -> Array:
    """The most frequent colours: weight and CIELAB; shape (n, 4).

    The weight is the root of their share, and more for a vivid colour, so that accents count.
    """
    flat = of.small.reshape(-1, 3)
    part = (flat // 16).astype(int)
    keys = part[:, 0] * 256 + part[:, 1] * 16 + part[:, 2]
    counts = np.bincount(keys, minlength=4096)
    most = np.argsort(-counts, kind="stable")[:_COLOURS]
    most = most[counts[most] > 0]
    sums = np.stack([np.bincount(keys, weights=flat[:, axis], minlength=4096)[most] for axis in range(3)], axis=1)
    tones = to_lab(sums / counts[most, None])
    weight = np.sqrt(counts[most]) * (1 + np.hypot(tones[:, 1], tones[:, 2]) / 30)
    return np.column_stack([weight / weight.sum(), tones])


@functools.lru_cache(8)
def regions(of: Picture) -> tuple[Element, ...]:
    """What a picture without a tree shows: lines of text, pictures and flat areas, from the top down."""
    half = shrink(of.pixels, 2)
    areas = _areas(half)
    marks = _marks(half, of)
    held: dict[int, list[int]] = {}
    for index, mark in enumerate(marks):
        around = [k for k, area in enumerate(areas) if _holds(area.box, mark.box)]
        if around:
            smallest = min(around, key=lambda k: areas[k].box.width * areas[k].box.height)
            held.setdefault(smallest, []).append(index)
    merged: set[int] = set()
    found = []
    for k, area in enumerate(areas):
        inside = held.get(k, [])
        if len(inside) == 1 and marks[inside[0]].role != Role.IMAGE and area.box.height <= 90 and area.box.width <= 520:
            mark = marks[inside[0]]
            merged.add(inside[0])
            area = area._replace(
                role=Role.BUTTON, text_box=mark.text_box, ink=mark.ink, colour=mark.colour, lines=1, size=mark.size
            )
        elif not inside and area.box.height * area.box.width < 20_000:
            area = area._replace(role=Role.SHAPE)
        found.append(area)
    found += [mark for index, mark in enumerate(marks) if index not in merged]
    return tuple(sorted(found, key=lambda element: (element.box.y, element.box.x)))


def _holds(outer: Box, inner: Box) -> bool:
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return outer.x <= x <= outer.x + outer.width and outer.y <= y <= outer.y + outer.height


def _areas(half: Array) -> list[Element]:
    """Flat areas bounded by something else; ``half`` is the picture at half its size."""
    height, width = half.shape[:2]
    labels, _ = ndimage.label(~_changing(half, _FLAT))
    sizes = np.bincount(labels.ravel())
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        tall, wide = rows.stop - rows.start, columns.stop - columns.start
        if sizes[number] < _AREA or sizes[number] < 0.4 * tall * wide or tall * wide > 0.9 * height * width:
            continue
        inside = half[rows, columns][labels[rows, columns] == number]
        box, shown = Box(2.0 * columns.start, 2.0 * rows.start, 2.0 * wide, 2.0 * tall), _colour(inside.mean(axis=0))
        found.append(Element(Role.PANEL, -1, box, colour=shown, background=shown, edge=shown))
    return found


def _changing(half: Array, least: float) -> NDArray[np.bool_]:
    """Which pixels differ by more than this from one beside them."""
    edges = np.zeros(half.shape[:2], bool)
    for channel in range(3):
        tone = half[:, :, channel]
        across, down = (np.abs(np.diff(tone, axis=axis)) > least for axis in (1, 0))
        edges[:, 1:] |= across
        edges[:, :-1] |= across
        edges[1:] |= down
        edges[:-1] |= down
    return edges


def _marks(half: Array, of: Picture) -> list[Element]:
    """Connected drawings: lines of text, headings and pictures."""
    edges = _changing(half, PLAIN)
    # Letters and words of a line belong together, lines do not.
    labels, _ = ndimage.label(ndimage.maximum_filter1d(edges, 9, axis=1))
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        inside = edges[rows, columns] & (labels[rows, columns] == number)
        at_rows, at_columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
        top, left = rows.start + at_rows[0], columns.start + at_columns[0]
        tall, wide = at_rows[-1] - at_rows[0] + 1, at_columns[-1] - at_columns[0] + 1
        if tall < 3 or wide < 3 or inside.sum() / (tall * wide) < 0.12:
            continue  # a line, or the outline of something
        found.append(_mark(of, Box(2.0 * left, 2.0 * top, 2.0 * wide, 2.0 * tall)))
    return found


def _mark(of: Picture, box: Box) -> Element:
    pixels = of.crop(box)
    ground = np.array(common(pixels), float)
    away = np.maximum.reduce([np.abs(pixels[:, :, channel] - ground[channel]) for channel in range(3)])
    dark = pixels[away >= max(PLAIN, float(np.quantile(away, 0.9)))]
    ink = dark.mean(axis=0) if len(dark) else ground
    role = Role.IMAGE if box.height > 72 else Role.HEADING if box.height > 24 else Role.TEXT
    element = Element(
        role,
        -1,
        box,
        colour=_colour(ink),
        background=_colour(ground),
        edge=_colour(ground),
        lines=int(role != Role.IMAGE),
        size=box.height,
    )
    return element if role == Role.IMAGE else element._replace(text_box=box, ink=_ink(away))


def _ink(away: Array) -> tuple[float, ...]:
    """Where ink is, more or less than on average."""
    grid = _cells(away)
    return tuple(map(float, (grid - grid.mean()).ravel()))


def _cells(values: Array) -> Array:
    """Means over :data:`CELLS`, which overlap where there are fewer rows or columns."""
    for axis, count in enumerate(CELLS):
        length = values.shape[axis]
        starts = np.arange(count) * length // count
        ends = np.maximum(starts + 1, (np.arange(count) + 1) * length // count)
        sums = np.concatenate([np.zeros_like(values.take([0], axis)), values.cumsum(axis=axis)], axis=axis)
        wide = (ends - starts).reshape((-1, 1) if axis == 0 else (1, -1))
        values = (sums.take(ends, axis) - sums.take(starts, axis)) / wide
    return values


def _colour(rgb: Sequence[float] | Array) -> Colour:
    red, green, blue = (round(float(part)) for part in rgb)
    return Colour(red, green, blue)
