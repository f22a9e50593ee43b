"""``lattice``: whole points in and on polygons with whole corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import listed, signed, table

ASKED = {
    1: ("number of points", "number of points inside", "points strictly inside", "number of points strictly inside"),
    2: ("number of points", "number of points inside", "points strictly inside", "number of points strictly inside"),
    3: ("total cost", "number of coins", "cost in all", "total price", "sum of the costs", "total number of coins"),
    4: (
        *("number of points", "points strictly inside the larger polygon", "number of points in the larger polygon"),
        "number of points strictly inside the larger polygon",
    ),
    5: (
        *("number of points", "points between the polygons", "number of points between the polygons"),
        *("points in the ring", "points of the larger polygon but not of the smaller one", "difference of both totals"),
    ),
}
"""What the text asks for, by difficulty."""


class Lattice(Generator):
    """Whole points in and on polygons with whole corners."""

    name = "lattice"
    field = "geometry"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: triangle; 2: quadrilateral; 3: a cost; 4: an enlarged polygon; 5: the ring around a polygon."""
        corners = [3, 4, 5, 4, 5][difficulty - 1]
        points = _star(rng, corners, 9 if difficulty < 4 else 5, centred=difficulty == 5)
        if points is None:
            return None
        factor = [1, 1, 1, between(rng, 3, 6), between(rng, 3, 5)][difficulty - 1]
        twice = abs(sum(_cross(p, q) for p, q in _edges(points)))
        edges = [math.gcd(q[0] - p[0], q[1] - p[1]) for p, q in _edges(points)]
        boundary = sum(edges)
        inner = (twice - boundary + 2) // 2
        large_boundary, large_twice = factor * boundary, factor**2 * twice
        large_inner = (large_twice - large_boundary + 2) // 2
        inside, edge = (between(rng, 3, 12), between(rng, 13, 25)) if difficulty == 3 else (1, 0)
        if inner < 3 or boundary == corners:
            return None
        draft = Draft(self, difficulty, points=points, factor=factor, inside=inside, edge=edge)
        order = "abcdefg"
        shoelace = " + ".join(f"{p[0]}*{signed(q[1])} - {signed(q[0])}*{signed(p[1])}" for p, q in _edges(points))
        gcds = " + ".join(f"gcd({q[0] - p[0]}, {q[1] - p[1]})" for p, q in _edges(points))
        draft.note(f"""
            find twice = {twice}: twice the area; double area; 2a; doubled area; twice the area of the polygon; double
                the area
            find area = {Fraction(twice, 2)}: area; area of the polygon; polygon's area; area of the smaller polygon;
                enclosed area
            find boundary = {boundary}: points on the boundary; boundary points; number of boundary points; points on
                the edge; edge points; number of points on the boundary; number of points on the edge; points on the
                fence; points on the wall; points on the rubber band; lattice points on the boundary
            find inner = {inner}: points inside; inner points; interior points; number of interior points; number of
                inner points; points inside the polygon; lattice points inside; interior lattice points
            step By the shoelace formula twice the area is {twice}. :: Eq(twice, Abs({shoelace}))
            step The area is {Fraction(twice, 2)}. :: Eq(area, twice/2)
            step On the side from {order[0].upper()} to {order[1].upper()} lie {edges[0] + 1} of the points, ends
                included. :: Eq({edges[0]}, gcd({points[1][0] - points[0][0]}, {points[1][1] - points[0][1]}))
            step The greatest common divisors of the sides' steps sum to {boundary} boundary points.
                :: Eq(boundary, {gcds})
            step By Pick's theorem area = inner + boundary/2 - 1, so inner = {inner}.
                :: Eq(area, inner + boundary/2 - 1)
        """)
        if difficulty == 3:
            answer = inside * inner + edge * boundary
            draft.note(f"""
                give inside_price = {inside}: price inside; price of an inner point; cost of a point inside; price of
                    one inside; coins for an inner point
                give edge_price = {edge}: price on the boundary; price of a boundary point; cost of a point on the
                    boundary; price on the edge; coins for a boundary point; price of an edge point
                find inside_cost = {inside * inner}: cost inside; cost of all inner points; price of all inner points;
                    total cost inside; coins for the inner points
                find edge_cost = {edge * boundary}: cost on the boundary; cost of all boundary points; price of all
                    boundary points; total cost on the boundary; coins for the boundary points; cost on the edge
                step Inside they cost {inside * inner}. :: Eq(inside_cost, inside_price*inner)
                step On the boundary they cost {edge * boundary}. :: Eq(edge_cost, edge_price*boundary)
                step Together {answer}. :: Eq(answer, inside_cost + edge_cost)
            """)
        elif difficulty >= 4:
            draft.note(f"""
                give factor = {factor}: factor; scale factor; enlargement; factor of the enlargement; multiplier; number
                    by which the coordinates are multiplied
                find large_area = {Fraction(large_twice, 2)}: area of the enlarged polygon; large area; area of the
                    larger polygon; enlarged area; area of the large polygon
                find large_boundary = {large_boundary}: boundary points of the enlarged polygon; large boundary;
                    boundary points of the larger polygon; points on the edge of the larger polygon; points on the
                    boundary of the larger polygon; number of boundary points of the larger polygon
                find large_inner = {large_inner}: inner points of the enlarged polygon; large interior; inner points of
                    the larger polygon; interior points of the larger polygon; points inside the larger polygon; number
                    of interior points of the larger polygon
                step Enlarging multiplies the area by {factor}^2. :: Eq(large_area, factor**2*area)
                step It multiplies the number of boundary points by {factor}. :: Eq(large_boundary, factor*boundary)
                step Pick's theorem gives {large_inner} points inside the enlarged polygon.
                    :: Eq(large_area, large_inner + large_boundary/2 - 1)
            """)
            answer = large_inner
            if difficulty == 5:
                answer = large_inner + large_boundary - inner - boundary
                draft.note(f"""
                    find large_all = {large_inner + large_boundary}: points in or on the enlarged polygon; large total;
                        points in or on the larger polygon; points inside or on the edge of the larger polygon; all
                        points of the larger polygon
                    find all = {inner + boundary}: points in or on the polygon; points of the small polygon; points in
                        or on the smaller polygon; points inside or on the edge of the smaller polygon; all points of
                        the smaller polygon
                    step In or on the large one lie {large_inner + large_boundary} points.
                        :: Eq(large_all, large_inner + large_boundary)
                    step In or on the small one, which lies within it, are {inner + boundary}.
                        :: Eq(all, inner + boundary)
                    step What is left is {answer}. :: Eq(answer, large_all - all)
                """)
            else:
                draft.step(f"So the answer is {answer}.", "Eq(answer, large_inner)")
        else:
            answer = inner
            draft.step(f"So the answer is {answer}.", "Eq(answer, inner)")
        draft.find("answer", answer, "answer", "asked number", *ASKED[difficulty])
        return draft.problem(self._text(rng, difficulty, points, factor, inside, edge))

    def confirm(self, problem: Problem) -> Any:
        """Every whole point is looked at."""
        given = problem.parameters
        points, factor = [tuple(p) for p in given["points"]], given["factor"]
        large = [(x * factor, y * factor) for x, y in points]
        inner, edge = _count(large)
        match problem.difficulty:
            case 3:
                return given["inside"] * inner + given["edge"] * edge
            case 5:
                small_inner, small_edge = _count(points)
                return inner + edge - small_inner - small_edge
            case _:
                return inner

    @staticmethod
    def _text(rng: Rng, difficulty: int, points: Sequence[Sequence[int]], factor: int, inside: int, edge: int) -> str:
        corners = listed([f"({x}, {y})" for x, y in points])
        settings = table("""
            fence | a tree | An orchard is planted on a square grid: a tree may stand only where both coordinates are
                whole numbers. A fence runs straight
            rubber band | a peg | A large board has a peg at every point with two whole coordinates. A rubber band is
                stretched straight
            wall | a lamp | A park is mapped on squared paper, and a lamp may stand only where both coordinates are
                whole numbers. A wall is built straight
        """)
        thing, post, place = pick(rng, settings)
        if difficulty <= 3:
            shape = f"""{place} from corner to corner of the polygon with the corners {corners}, in this order and back
                to the first."""
        if difficulty == 3:
            return f"""{shape} At every point with two whole coordinates strictly inside stands {post} that costs
                {inside} coins; at every such point on the {thing} itself, corners included, {post} that costs {edge}
                coins. How many coins do they cost in all?"""
        if difficulty < 3:
            return f"""{shape} How many points with two whole coordinates lie strictly inside, that is neither outside
                nor on the {thing}?"""
        enlarged = f"""Consider the polygon with the corners {corners}, in this order. All its corners' coordinates are
            multiplied by {factor}, which gives a larger polygon."""
        if difficulty == 4:
            ask = "How many points with two whole coordinates lie strictly inside the larger polygon, not on its edge?"
        else:
            ask = """The smaller polygon lies within the larger one. How many points with two whole coordinates lie
                inside or on the edge of the larger polygon but neither inside nor on the edge of the smaller one?"""
        wordings = """
            {enlarged}
            A designer works on squared paper with coordinates. {enlarged}
            A map shows two plots of land, one an enlargement of the other. {enlarged}
        """
        return f"{one_of(rng, wordings).format(enlarged=enlarged)} {ask}"


def _cross(p: Sequence[int], q: Sequence[int]) -> int:
    return p[0] * q[1] - p[1] * q[0]


def _edges(points: Sequence[Sequence[int]]) -> list[tuple[Sequence[int], Sequence[int]]]:
    return [(p, points[(i + 1) % len(points)]) for i, p in enumerate(points)]


def _star(rng: Rng, corners: int, size: int, *, centred: bool) -> list[list[int]] | None:
    """Corners in the order of their directions from a centre; no corner is flat; ``centred``: around the origin."""
    centre = (0, 0) if centred else (size, size)
    low, high = (-size, size) if centred else (0, 2 * size)
    points = [[between(rng, low, high), between(rng, low, high)] for _ in range(corners)]
    offsets = [(x - centre[0], y - centre[1]) for x, y in points]
    if any(o == (0, 0) for o in offsets):
        return None
    turn = sorted(range(corners), key=lambda i: math.atan2(offsets[i][1], offsets[i][0]))
    points, offsets = [points[i] for i in turn], [offsets[i] for i in turn]
    # strictly turning left around the centre makes the polygon simple with the centre inside
    if any(_cross(p, q) <= 0 for p, q in _edges(offsets)):
        return None
    for i in range(corners):
        p, q, r = points[i - 1], points[i], points[(i + 1) % corners]
        if (q[0] - p[0]) * (r[1] - q[1]) == (q[1] - p[1]) * (r[0] - q[0]):
            return None
    return points


def _count(points: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return how many whole points lie strictly inside and how many on the edge."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    x, y = np.meshgrid(np.arange(min(xs), max(xs) + 1), np.arange(min(ys), max(ys) + 1))
    on, within = np.zeros(x.shape, dtype=bool), np.zeros(x.shape, dtype=bool)
    for (ax, ay), (bx, by) in _edges(points):
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        between_ends = (
            (np.minimum(ax, bx) <= x) & (x <= np.maximum(ax, bx)) & (np.minimum(ay, by) <= y) & (y <= max(ay, by))
        )
        on |= (side == 0) & between_ends
        # a ray to the right crosses the edge
        crosses = ((ay > y) != (by > y)) & ((side > 0) == (by > ay))
        within ^= crosses
    return int((within & ~on).sum()), int(on.sum())
