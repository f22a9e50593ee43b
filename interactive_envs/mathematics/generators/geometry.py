"""Geometry: lattice polygons, shortest ways on surfaces, crossing wires, triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import listed, root, signed, table

FIELD = "geometry"


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
    field = FIELD

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
    """How many whole points lie strictly inside and how many on the edge."""
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


class Surface(Generator):
    """Shortest ways on the surfaces of boxes, cylinders and cones."""

    name = "surface"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: around a pole; 2: over a box; 3: into a glass; 4: around a cone; 5: downhill on a cone."""
        ask = [self._pole, self._box, self._glass, self._cone, self._cone][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """The way is cut at an edge, and the best place to cross it is searched; cones are laid out in the plane."""
        import sympy

        given = problem.parameters
        match problem.difficulty:
            case 1:
                turn = Fraction(given["height"], given["turns"])
                return given["turns"] * sympy.sqrt(sympy.Rational(given["around"] ** 2 + turn**2))
            case 2:
                sides = given["sides"]
                ways = []
                for i in range(3):
                    a, b, c = sides[i], sides[(i + 1) % 3], sides[(i + 2) % 3]
                    # over the faces b x a and b x c, which meet in an edge of length b
                    ways.append(_valley(lambda t, a=a, b=b, c=c: math.hypot(t, a) + math.hypot(b - t, c), 0, b))
                return _as_root(min(ways))
            case 3:
                around, offset = given["around"], given["offset"]
                up, down = given["outside"], given["inside"]
                ways = [
                    _valley(lambda t, way=way: math.hypot(t, up) + math.hypot(way - t, down), 0, way)
                    for way in (offset, around - offset)
                ]
                return _as_root(min(ways))
            case _:
                angle = 2 * sympy.pi / given["ratio"]
                start = sympy.Point(given["slant"], 0)
                end = sympy.Point(given["end"] * sympy.cos(angle), given["end"] * sympy.sin(angle))
                if problem.difficulty == 4:
                    return sympy.sqrt(sympy.simplify(start.distance(end) ** 2))
                top = sympy.Line(start, end).projection(sympy.Point(0, 0))
                return sympy.sqrt(sympy.simplify(top.distance(end) ** 2))

    def _pole(self, rng: Rng, difficulty: int) -> Problem | None:
        turns, around, height = between(rng, 3, 9), between(rng, 5, 40), between(rng, 20, 400)
        square = (turns * around) ** 2 + height**2
        draft = Draft(self, difficulty, turns=turns, around=around, height=height)
        draft.note(f"""
            give turns = {turns}: number of turns; turns; number of windings; windings; number of rounds; times around
            give around = {around}: circumference; way around; circumference of the base; circumference of the tower;
                circumference of the column; circumference of the chimney; girth
            give height = {height}: height; height of the column; height of the tower; height of the chimney; vertical
                side; vertical rise
            find width = {turns * around}: horizontal side; total way around; width of the unrolled rectangle;
                horizontal length; total horizontal way; turns times circumference; unrolled width
            find square = {square}: square of the length; length squared; squared length; square of the asked length;
                sum of the squares
            find answer = {root(square)}: answer; length; length of the thread; length of the line; length of the
                garland; length of the wire; length of the shoot; length of the hypotenuse; hypotenuse
            step Unrolled, the surface is a strip in which the shortest way is a straight line. :: Gt(around, 0)
            step The line runs {turns} times {around} = {turns * around} sideways. :: Eq(width, turns*around)
            step It climbs {height}. :: Eq(height, {height})
            step By Pythagoras the square of the length is {square}. :: Eq(square, width**2 + height**2)
            step The length is its root. :: Eq(answer**2, square)
        """)
        settings = table("""
            round column | a garland
            cylindrical chimney | a lightning wire
            round tower | an ivy shoot
        """)
        thing, line = pick(rng, settings)
        text = f"""Around the outer wall of a {thing}, {height} cm high and {around} cm in circumference, {line} winds
            evenly from the bottom edge to the top edge. It goes around exactly {turns} times, so that it ends
            vertically above where it begins, and is as short as that allows; its thickness does not matter. How long is
            it, in cm? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _box(self, rng: Rng, difficulty: int) -> Problem | None:
        sides = [between(rng, 3, 30) for _ in range(3)]
        if len(set(sides)) < 3:
            return None
        a, b, c = sorted(sides)
        first, second, third = c**2 + (a + b) ** 2, b**2 + (a + c) ** 2, a**2 + (b + c) ** 2
        draft = Draft(self, difficulty, sides=sides)
        draft.note(f"""
            give a = {a}: shortest edge; length of the shortest edge; smallest edge; shortest side; smallest side;
                smallest dimension
            give b = {b}: middle edge; length of the middle edge; middle side; medium edge; second longest edge; middle
                dimension
            give c = {c}: longest edge; length of the longest edge; largest edge; longest side; largest side; largest
                dimension
            find first = {first}: square of the way that unfolds the two shorter edges; first candidate squared;
                smallest candidate squared; square of the shortest way; shortest way squared; smallest square
            find second = {second}: square of the way that unfolds the outer edges; second candidate squared; middle
                candidate squared; square of the second way; second square
            find third = {third}: square of the way that unfolds the two longer edges; third candidate squared; largest
                candidate squared; square of the third way; largest square
            find answer = {root(first)}: answer; shortest way; length of the shortest way; shortest path; length of the
                shortest path; shortest distance on the surface; minimal length; length of the wire; length of the way
            step The way crosses two neighbouring faces; unfolded into a plane it is straight.
                :: And(Lt(a, b), Lt(b, c))
            step There are three unfoldings; one gives the square {first} ... :: Eq(first, c**2 + (a + b)**2)
            step ... one {second} ... :: Eq(second, b**2 + (a + c)**2)
            step ... and one {third}. :: Eq(third, a**2 + (b + c)**2)
            step The first is the least. :: And(Lt(first, second), Lt(first, third))
            step The shortest way is its root. :: Eq(answer**2, first)
        """)
        x, y, z = sides
        wordings = f"""
            An ant sits in a corner of a closed wooden box with the edges {x} cm, {y} cm and {z} cm. It can walk on all
                six outer faces. How long, in cm, is its shortest way to the corner that lies farthest away through the
                box, at the other end of the space diagonal?
            A massive stone block measures {x} by {y} by {z} dm. A snail wants to crawl on its surface (all faces are
                free, the block hangs from a thin rope) from one corner to the diametrically opposite corner. How long
                is the shortest way, in dm?
            A wire is glued to the surface of a block with the edges {x} mm, {y} mm and {z} mm. It joins two corners
                that have no face in common. How long, in mm, must it be at least?
        """
        scene = one_of(rng, wordings)
        return draft.problem(f"{scene} Give an exact expression.", form=EXPRESSION)

    def _glass(self, rng: Rng, difficulty: int) -> Problem | None:
        around, up, down = between(rng, 16, 60), between(rng, 2, 12), between(rng, 2, 12)
        offset = between(rng, around // 2 + 2, around - 3)
        short, height = around - offset, max(up, down) + between(rng, 2, 8)
        square = short**2 + (up + down) ** 2
        draft = Draft(self, difficulty, around=around, offset=offset, outside=up, inside=down)
        draft.note(f"""
            give around = {around}: circumference; way around; circumference of the rim; circumference of the cylinder;
                perimeter of the rim; girth
            give offset = {offset}: way counter-clockwise around the rim; given arc; longer arc; longer way around;
                counter-clockwise distance; counter-clockwise arc; arc counter-clockwise
            give up = {up}: distance below the rim outside; depth outside; depth of the start; distance of the start
                from the rim; start's distance below the rim; distance outside
            give down = {down}: distance below the rim inside; depth inside; depth of the goal; distance of the goal
                from the rim; goal's distance below the rim; distance inside
            find short = {short}: shorter arc; shorter way around; smaller arc; clockwise arc; clockwise distance;
                shorter horizontal distance; horizontal side
            find rise = {up + down}: vertical side after reflection; sum of the depths; sum of both distances below the
                rim; total depth; sum of the two depths; vertical side; total vertical distance
            find square = {square}: square of the shortest way; length squared; squared length; square of the length;
                shortest way squared
            find answer = {root(square)}: answer; shortest way; length of the shortest way; shortest path; length of the
                shortest path; length of the way; shortest distance; minimal distance
            step The way must pass over the rim. :: And(Gt(up, 0), Gt(down, 0))
            step Unroll the wall and reflect the inner side at the rim: then the way is a straight line.
                :: Eq(rise, up + down)
            step The other way around measures {short}. :: Eq(short, around - offset)
            step It is the shorter one. :: Lt(short, offset)
            step By Pythagoras the square of the way is {square}. :: Eq(square, short**2 + rise**2)
            step The way is its root. :: Eq(answer**2, square)
        """)
        settings = table("""
            An ant | a drop of honey | glass
            A beetle | a crumb | tin
            A spider | a fly that does not move | round tub
        """)
        who, what, vessel = pick(rng, settings)
        text = f"""An open upright {vessel} has the shape of a cylinder, {height} cm high and {around} cm in
            circumference; its wall is so thin that its thickness does not matter. {who} sits on the outside, {up} cm
            below the rim. On the inside, {down} cm below the rim, is {what}. Measured counter-clockwise along the
            circumference, seen from above, the goal lies {offset} cm further than the start. How long, in cm, is the
            shortest way on the surface over the rim? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _cone(self, rng: Rng, difficulty: int) -> Problem | None:
        ratio = pick(rng, [3, 4, 6])
        radius = between(rng, 2, 12)
        slant = ratio * radius
        end = between(rng, 2, slant - 1)
        double = {3: -1, 4: 0, 6: 1}[ratio]
        square = slant**2 + end**2 - double * slant * end
        # the foot of the apex on the line, measured from the end
        rest = Fraction(2 * end**2 - double * slant * end, 2)
        if difficulty == 5 and (rest <= 0 or rest**2 / square == end):
            return None
        draft = Draft(self, difficulty, ratio=ratio, slant=slant, end=end)
        draft.note(f"""
            give radius = {radius}: radius; radius of the base; base radius; radius of the cone; radius of the base
                circle
            give slant = {slant}: slant height; distance of the start from the apex; slant; slant length; slant side;
                distance from the edge to the tip; distance of the start from the tip; length of the slant
            give end = {end}: distance of the goal from the apex; goal's distance from the tip; distance of the goal
                from the tip; distance of the end from the tip; distance of the end from the apex; distance from the tip
                to the goal
            find angle = {360 // ratio}: angle of the sector in degrees; sector angle; angle of the unrolled cone; angle
                of the sector; angle in degrees; angle of the unrolled sector; angle at the tip
            find cosine = {Fraction(double, 2)}: cosine of the sector angle; cosine of the angle; cosine; cosine of the
                angle at the tip; cosine of the unrolled angle
            find square = {square}: square of the whole way; length squared; squared length of the way; square of the
                length; whole way squared
            find way = {root(square)}: whole way; length of the shortest way around; length of the way; length of the
                whole way; total length; total way; whole length; length of the whole path
            step Unrolled, the cone is a sector of a circle around the apex. :: Gt(slant, radius)
            step Its angle is 360*{radius}/{slant} = {360 // ratio} degrees. :: Eq(angle, 360*radius/slant)
            step The cosine of the angle is {Fraction(double, 2)}. :: Eq(cosine, cos(angle*pi/180))
            step By the law of cosines the square of the way is {square}.
                :: Eq(square, slant**2 + end**2 - 2*slant*end*cosine)
            step The way is its root. :: Eq(way**2, square)
        """)
        around = f"""goes once all the way around the mountain, by the shortest way that does so, to the point that lies
            {end} m from the tip on the straight line from its start to the tip"""
        if difficulty == 4:
            draft.find(
                "answer",
                root(square),
                "answer",
                "shortest way",
                "shortest path",
                "length of the shortest path",
                "asked length",
            )
            draft.step("That is the answer.", "Eq(answer, way)")
            ask = "How long is the way, in metres?"
        else:
            draft.note(f"""
                find rest = {rest}: product of the downhill part and the whole way; downhill part times way; downhill
                    part times the whole way; downhill part times the length of the way
                find answer = {root(rest**2 / square)}: answer; downhill part; length of the downhill part; downhill
                    distance; length of the downhill stretch; part that goes downhill; downhill way; downhill length;
                    descending part
                step It climbs to the point of the line that is nearest to the apex, and then descends. :: Gt(rest, 0)
                step From the goal to that point, times the way, it is end^2 - slant*end*cosine = {rest}.
                    :: Eq(rest, end**2 - slant*end*cosine)
                step So the downhill part is that divided by the way. :: Eq(answer, rest/way)
            """)
            ask = "How much of this way, in metres, goes downhill, that is away from the tip?"
        settings = table("""
            A squirrel | spire
            A lizard | rock needle
            A cleaning robot | roof of a tower
        """)
        who, hill = pick(rng, settings)
        text = f"""A {hill} has exactly the shape of an upright circular cone whose base has the radius {radius} m and
            whose slant height, from the base's edge straight up to the tip, is {slant} m. {who} starts on the edge of
            the base, {around.replace("mountain", hill.split(" of")[0])}. {ask} Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)


def _valley(length: Any, low: float, high: float) -> float:
    """The least value of a convex function, by thirds."""
    for _ in range(200):
        third = (high - low) / 3
        if length(low + third) < length(high - third):
            high -= third
        else:
            low += third
    return float(length(low))


def _as_root(length: float) -> Any:
    """The root of a whole number that a length is."""
    import sympy

    square = round(length**2)
    if abs(square - length**2) > 1e-6:
        raise ValueError(f"not the root of a whole number: {length}")
    return sympy.sqrt(square)


MASTS = table("""
    mast | wire
    pole | rope
    tower | cable
""")


class Wires(Generator):
    """Wires between masts cross, and where they cross the next mast ends."""

    name = "wires"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: one crossing; 2: a wire to a hook; 3: the next crossing; 4: where a later one is; 5: how many."""
        a, b, gap = between(rng, 4, 30), between(rng, 4, 30), between(rng, 10, 60)
        if difficulty == 5:
            gap *= between(rng, 1, 9)
        if a == b:
            return None
        ask = [self._one, self._hook, self._chain, self._chain, self._chain][difficulty - 1]
        return ask(rng, difficulty, a, b, gap)

    def confirm(self, problem: Problem) -> Any:
        """Lines in coordinates, intersected one after another."""
        given = problem.parameters
        a, b, gap = Fraction(given["a"]), Fraction(given["b"]), Fraction(given["gap"])
        if problem.difficulty == 2:
            return _meet((0, a), (gap, given["hook"]), (0, given["low"]), (gap, b))[1]
        x, height = _meet((0, a), (gap, 0), (0, 0), (gap, b))
        match problem.difficulty:
            case 1:
                return height
            case 5:
                number = 1
                while (gap - x) * height / 2 >= given["bound"]:
                    x, height = _meet((x, height), (gap, 0), (x, 0), (gap, b))
                    number += 1
                return number
            case _:
                for _ in range(given["number"] - 1):
                    x, height = _meet((x, height), (gap, 0), (x, 0), (gap, b))
                return height if problem.difficulty == 3 else gap - x

    def _one(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        answer = Fraction(a * b, a + b)
        if answer.denominator == 1:
            return None
        draft = Draft(self, difficulty, a=a, b=b, gap=gap)
        left = Fraction(gap * a, a + b)
        self._masts(draft, a, b, gap)
        draft.note(f"""
            find place = {left}: distance of the crossing from the first mast; horizontal distance of the crossing;
                distance from the first mast; place of the crossing; horizontal position of the crossing; distance of
                the crossing from the first pole; distance of the crossing from the first tower
            find share = {left / gap}: share of the distance; place divided by the distance; fraction of the distance;
                relative position of the crossing; share of the way
            find answer = {answer}: answer; height; height of the crossing; crossing height; height of the crossing
                point; height of the intersection; height above the ground; height where they cross
            step At the share s of the distance the falling wire hangs at a(1 - s). :: Eq(answer, a*(1 - share))
            step The rising wire hangs at b s. :: Eq(answer, b*share)
            step They meet where a(1 - s) = b s, so s = {left / gap}. :: Eq(share, a/(a + b))
            step That is {left} m from the first mast. :: Eq(place, gap*share)
            step The height is {answer}. :: Eq(answer, a*b/(a + b))
        """)
        scene = self._scene(a, b, gap, pick(rng, MASTS))
        return draft.problem(f"{scene} How high above the ground, in metres, do they cross?", form="a fraction")

    def _hook(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        hook, low = between(rng, 1, b - 2), between(rng, 1, a - 2)
        share = Fraction(a - low, a - low + b - hook)
        answer = a + (hook - a) * share
        if answer.denominator == 1 or hook == low:
            return None
        draft = Draft(self, difficulty, a=a, b=b, gap=gap, hook=hook, low=low)
        self._masts(draft, a, b, gap)
        draft.note(f"""
            give hook = {hook}: height of the second mast's hook; hook of the second mast; second hook; height of the
                second hook; height of the second pole's hook; height of the second tower's hook; higher end at the
                second hook
            give low = {low}: height of the first mast's hook; hook of the first mast; first hook; height of the first
                hook; height of the first pole's hook; height of the first tower's hook
            find left = {a - low}: vertical distance of the wires at the first mast; gap at the first mast; difference
                of the heights at the first mast; top minus hook at the first mast
            find right = {b - hook}: vertical distance of the wires at the second mast; gap at the second mast;
                difference of the heights at the second mast; top minus hook at the second mast
            find share = {share}: share of the distance; place divided by the distance; fraction of the distance;
                relative position of the crossing; share of the way
            find answer = {answer}: answer; height; height of the crossing; crossing height; height of the crossing
                point; height of the intersection; height above the ground; height where they cross
            step At the first mast the wires are {a - low} m apart. :: Eq(left, a - low)
            step At the second they are {b - hook} m apart, the other way round. :: Eq(right, b - hook)
            step By similar triangles the crossing divides the distance in this ratio.
                :: Eq(share*right, (1 - share)*left)
            step So it is at the share {share} of the distance. :: Eq(share, left/(left + right))
            step There the first wire has the height {answer}. :: Eq(answer, a + (hook - a)*share)
            aside The second wire has the same height there. :: Eq(answer, low + (b - low)*share)
        """)
        one, line = pick(rng, MASTS)
        text = f"""Two vertical {one}s, the first {a} m and the second {b} m high, stand {gap} m apart on level ground.
            The first has a hook {low} m above the ground, the second one {hook} m above the ground. A straight {line}
            runs from the top of the first {one} to the hook of the second, another from the hook of the first to the
            top of the second. How high above the ground, in metres, do they cross?"""
        return draft.problem(text, form="a fraction")

    def _chain(self, rng: Rng, difficulty: int, a: int, b: int, gap: int) -> Problem | None:
        number = [2, between(rng, 4, 9), 0][difficulty - 3]
        bound = between(rng, 1, 9)
        if difficulty == 5:
            number = next(k for k in range(1, 999) if self._area(a, b, gap, k) < bound)
            if not 8 <= number <= 90:
                return None
        inverse = Fraction(1, a) + Fraction(number, b)
        height, rest = 1 / inverse, Fraction(gap, a) / inverse
        if (difficulty == 3 and height.denominator == 1) or (difficulty == 4 and rest.denominator == 1):
            return None
        one, line = words = pick(rng, MASTS)
        draft = Draft(self, difficulty, a=a, b=b, gap=gap, number=number, bound=bound)
        self._masts(draft, a, b, gap)
        first = Fraction(1, a) + Fraction(1, b)
        draft.note(f"""
            find first = {1 / first}: height of the first new mast; height of the first crossing; first crossing's
                height; height of the first crossing point; height of mast number 1; height of pole number 1; height of
                tower number 1
            find inverse = {inverse}: reciprocal of the last height; reciprocal of the height of the last crossing;
                inverse of the last height; one over the last height; reciprocal of the height
            step The first crossing has the height ab/(a + b) = {1 / first}. :: Eq(first, a*b/(a + b))
            step Its reciprocal is the sum of the reciprocals of both masts. :: Eq(1/first, 1/a + 1/b)
        """)
        if difficulty == 3:
            draft.note(f"""
                find second_start = {1 / first}: height of the third mast; height of the mast at the crossing; third
                    height; height of the third pole; height of the third tower; third mast's height
                find answer = {height}: answer; height of the second crossing; second height; height of the second
                    crossing point; second crossing's height; height where these two cross; height of the new crossing
                step The third mast is as high as the first crossing. :: Eq(second_start, first)
                step The same holds for the third mast and the second mast. :: Eq(inverse, 1/second_start + 1/b)
                step The sum is {inverse}. :: Eq(inverse, 1/a + 2/b)
                step So the second crossing has the height {height}. :: Eq(answer, 1/inverse)
            """)
            ask = f"""Where they cross, a third vertical {one} is put up that just reaches the crossing. Now a straight
                {line} runs from the top of the third {one} to the foot of the second, and another from the foot of the
                third to the top of the second. How high above the ground, in metres, do these two cross?"""
        else:
            rule = f"""Where they cross, {one} number 1 is put up, vertical and just reaching the crossing. Then the top
                of {one} number 1 is joined with the foot of the second {one} and its foot with the top of the second
                {one}; where these lines cross, {one} number 2 is put up, just reaching that crossing, and so on: each
                new {one} is joined in the same way with the second of the two original ones."""
            index = number if difficulty == 4 else "answer"
            draft.note(f"""
                step Each new mast adds 1/b to the reciprocal of the height. :: Eq(inverse, 1/a + {index}/b)
                find ratio = {rest / height}: distance from the second mast divided by the height; ratio of distance and
                    height; distance over height; quotient of distance and height
                step All tops lie on one line through the second mast's foot, so distance/height stays gap/a.
                    :: Eq(ratio, gap/a)
                find height = {height}: height of the last mast; last height; height of the last pole; height of the
                    last tower; final height; height of the last new mast
                step Mast number {number} has the height {height}. :: Eq(height, 1/inverse)
            """)
            if difficulty == 4:
                draft.find(
                    "answer",
                    rest,
                    "answer",
                    "distance from the second mast",
                    "distance",
                    "distance from the second pole",
                    "distance from the second tower",
                    "distance to the second mast",
                    "distance of the last mast from the second mast",
                    "horizontal distance",
                )
                draft.step(f"It stands {rest} m from the second mast.", "Eq(answer, ratio*height)")
                ask = f"{rule} How far from the second of the original {one}s, in metres, stands {one} number {number}?"
            else:
                draft.note(f"""
                    give bound = {bound}: bound; area to fall below; area to stay below; threshold; limit of the area;
                        area bound
                    find area = {self._area(a, b, gap, number)}: area of the last triangle; last area; area of the
                        triangle; triangle's area; area of its triangle; area of the asked triangle
                    find before = {self._area(a, b, gap, number - 1)}: area of the last triangle but one; area before;
                        previous area; area of the triangle before; area of the previous triangle
                    find answer = {number}: answer; number of the mast; number of new masts; smallest number of a mast;
                        number of the pole; number of the tower; index of the mast; smallest number; mast number
                    step The triangle's area is ratio*height^2/2. :: Eq(area, ratio*height**2/2)
                    step For number {number} it is below {bound}. :: Lt(area, bound)
                    step For the one before it is not.
                        :: And(Eq(before, ratio/(2*(inverse - 1/b)**2)), Ge(before, bound))
                """)
                ask = f"""{rule} For each numbered {one} consider the right-angled triangle with the corners at its top,
                    at its foot, and at the foot of the second original {one}. What is the smallest number of a {one}
                    whose triangle has an area strictly less than {bound} square metres?"""
        form = "a whole number" if difficulty == 5 else "a fraction"
        return draft.problem(f"{self._scene(a, b, gap, words)} {ask}", form=form)

    @staticmethod
    def _area(a: int, b: int, gap: int, k: int) -> Fraction:
        inverse = Fraction(1, a) + Fraction(k, b)
        return Fraction(gap, a) / inverse**2 / 2

    @staticmethod
    def _masts(draft: Draft, a: int, b: int, gap: int) -> None:
        draft.give(
            "a",
            a,
            "height of the first mast",
            "first height",
            "first mast's height",
            "height of the first pole",
            "height of the first tower",
            "first pole's height",
            "first tower's height",
        )
        draft.give(
            "b",
            b,
            "height of the second mast",
            "original second height",
            "second mast's height",
            "height of the second pole",
            "height of the second tower",
            "second pole's height",
            "second tower's height",
        )
        draft.give(
            "gap",
            gap,
            "distance of the masts",
            "distance between the masts",
            "distance of the poles",
            "distance between the poles",
            "distance of the towers",
            "distance between the towers",
            "distance apart",
        )

    @staticmethod
    def _scene(a: int, b: int, gap: int, words: tuple[str, ...]) -> str:
        one, line = words
        return f"""Two vertical {one}s, the first {a} m and the second {b} m high, stand {gap} m apart on level ground.
            A straight {line} runs from the top of each {one} to the foot of the other."""


def _meet(p: Any, q: Any, r: Any, s: Any) -> tuple[Fraction, Fraction]:
    """Where the line through p and q meets the one through r and s."""
    (px, py), (qx, qy), (rx, ry), (sx, sy) = p, q, r, s
    ux, uy, vx, vy = qx - px, qy - py, sx - rx, sy - ry
    t = Fraction((rx - px) * vy - (ry - py) * vx) / (ux * vy - uy * vx)
    return Fraction(px + t * ux), Fraction(py + t * uy)


HERONIAN = (
    *((13, 14, 15), (13, 20, 21), (10, 17, 21), (17, 25, 28), (17, 25, 26), (20, 37, 51), (25, 39, 56), (15, 37, 44)),
    *((13, 37, 40), (25, 51, 52), (29, 52, 69), (26, 51, 55), (15, 41, 52), (17, 39, 44), (11, 13, 20), (7, 15, 20)),
    *((12, 17, 25), (13, 11, 20), (9, 10, 17), (20, 13, 11), (25, 29, 36), (37, 39, 52), (25, 34, 39), (39, 41, 50)),
    *((16, 25, 39), (27, 29, 52), (35, 53, 66), (40, 51, 77), (33, 34, 65), (41, 51, 58), (35, 44, 75), (36, 61, 65)),
)
"""Triangles with whole sides and a whole area."""


class Triangle(Generator):
    """Lengths in a triangle of which the sides are known."""

    name = "triangle"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: height; 2: both circles' radii; 3: their centres; 4: a part's circle; 5: a prolonged bisector."""
        sides = pick(rng, HERONIAN)
        scale = between(rng, 1, 4)
        a, b, c = (sides[int(i)] * scale for i in rng.permutation(3))
        ask = [self._height, self._radii, self._centres, self._part, self._bisector][difficulty - 1]
        return ask(rng, difficulty, a, b, c)

    def confirm(self, problem: Problem) -> Any:
        """Coordinates: B at the origin, C on the axis."""
        import sympy

        a, b, c = (Fraction(side) for side in problem.parameters["sides"])
        x = (a**2 + c**2 - b**2) / (2 * a)
        y = _rational_root(c**2 - x**2)
        centre = (a / 2, (x**2 + y**2 - a * x) / (2 * y))
        radius = _rational_root(centre[0] ** 2 + centre[1] ** 2)
        weights = a + b + c
        incentre = ((b * 0 + c * a + a * x) / weights, a * y / weights)
        match problem.difficulty:
            case 1:
                square = y**2
            case 2:
                square = (radius - incentre[1]) ** 2
            case 3:
                square = (centre[0] - incentre[0]) ** 2 + (centre[1] - incentre[1]) ** 2
            case 4:
                d = Fraction(problem.parameters["part"])
                square = (d / 2) ** 2 + ((x**2 + y**2 - d * x) / (2 * y)) ** 2
            case _:
                low = (a / 2, centre[1] - radius)
                d, _ = _meet((x, y), low, (0, 0), (a, 0))
                square = (d - low[0]) ** 2 + low[1] ** 2
        return sympy.sqrt(sympy.Rational(square.numerator, square.denominator))

    @staticmethod
    def _sides(draft: Draft, a: int, b: int, c: int) -> None:
        for name, value, words in (("a", a, "bc"), ("b", b, "ca"), ("c", c, "ab")):
            draft.give(
                name,
                value,
                f"side {words}",
                f"length of {words}",
                words,
                f"{words[::-1]}",
                f"side {words[::-1]}",
                f"length of {words[::-1]}",
                f"side {name}",
                f"distance from {words[0]} to {words[1]}",
                f"distance between {words[0]} and {words[1]}",
            )

    @staticmethod
    def _circles(draft: Draft, inner: Fraction, outer: Fraction) -> None:
        draft.note(f"""
            find inner = {inner}: inradius; radius of the inscribed circle; radius of the incircle; inner radius; radius
                of the inner circle; incircle radius; radius of the second circle; second circle's radius; radius of the
                smaller circle
            find outer = {outer}: circumradius; radius of the circumscribed circle; radius of the circumcircle; outer
                radius; radius of the outer circle; circumcircle radius; radius of the first circle; first circle's
                radius; radius of the larger circle
            step The inscribed circle has the radius area/half = {inner}. :: Eq(inner, area/half)
            step The circle through the corners has the radius abc/(4 area) = {outer}. :: Eq(outer, a*b*c/(4*area))
        """)

    def _start(self, difficulty: int, a: int, b: int, c: int, **more: Any) -> tuple[Draft, int, Fraction]:
        half = Fraction(a + b + c, 2)
        area = _rational_root(half * (half - a) * (half - b) * (half - c))
        draft = Draft(self, difficulty, sides=[a, b, c], **more)
        self._sides(draft, a, b, c)
        draft.note(f"""
            find half = {half}: half the perimeter; semiperimeter; half perimeter; semi-perimeter; half of the
                perimeter; half the sum of the sides
            find area = {area}: area; area of the triangle; area of triangle abc; triangle's area; area of the meadow;
                area of abc; area of the whole triangle
            step Half the perimeter is {half}. :: Eq(half, (a + b + c)/2)
            step By Heron's formula the area is {area}. :: Eq(area**2, half*(half - a)*(half - b)*(half - c))
        """)
        return draft, int(area), half

    def _height(self, rng: Rng, difficulty: int, a: int, b: int, c: int) -> Problem | None:
        draft, area, _ = self._start(difficulty, a, b, c)
        answer = Fraction(2 * area, a)
        draft.note(f"""
            find answer = {answer}: answer; height on bc; distance of a from bc; height; altitude; height from a;
                altitude from a; height of the triangle; altitude on bc; distance from a to bc; distance of a from the
                line bc
            step The area is also half of BC times the height. :: Eq(area, a*answer/2)
            step So the height is twice the area over BC. :: Eq(answer, 2*area/a)
            step It is {answer}. :: Eq(answer, {answer})
        """)
        text = f"""{self._scene(rng, a, b, c)} What is the distance, in metres, of A from the straight line through B
            and C?"""
        return draft.problem(text, form="a fraction or whole number")

    def _radii(self, rng: Rng, difficulty: int, a: int, b: int, c: int) -> Problem | None:
        draft, area, half = self._start(difficulty, a, b, c)
        inner, outer = area / half, Fraction(a * b * c, 4 * area)
        answer = outer - inner
        self._circles(draft, inner, outer)
        draft.note(f"""
            find answer = {answer}: answer; difference of the radii; circumradius minus inradius; difference between the
                radii; outer radius minus inner radius; how much greater the first radius is; difference of the two
                radii
            step They differ by {answer}. :: Eq(answer, outer - inner)
        """)
        text = f"""{self._scene(rng, a, b, c)} One circle passes through A, B and C, another touches all three sides
            from inside. By how many metres is the first circle's radius greater than the second's?"""
        return draft.problem(text, form="a fraction or whole number")

    def _centres(self, rng: Rng, difficulty: int, a: int, b: int, c: int) -> Problem | None:
        draft, area, half = self._start(difficulty, a, b, c)
        inner, outer = area / half, Fraction(a * b * c, 4 * area)
        square = outer * (outer - 2 * inner)
        if square.denominator > 10000:
            return None
        self._circles(draft, inner, outer)
        draft.note(f"""
            find square = {square}: square of the distance; distance squared; squared distance; square of the distance
                of the centres; square of the distance between the centres
            find answer = {root(square)}: answer; distance of the centres; distance between the centres; distance;
                distance between the well and the lamp; distance from the well to the lamp; distance of the well from
                the lamp; distance of the circumcentre and the incentre
            step By Euler's formula the square of the distance is R(R - 2r) = {square}.
                :: Eq(square, outer*(outer - 2*inner))
            step The distance is its root. :: Eq(answer**2, square)
        """)
        text = f"""{self._scene(rng, a, b, c)} A well is dug at the point that is equally far from the three corners, a
            lamp is put up at the point inside that is equally far from the three sides. How far apart, in metres, are
            the well and the lamp? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _part(self, rng: Rng, difficulty: int, a: int, b: int, c: int) -> Problem | None:
        part = between(rng, 2, a - 2)
        draft, area, _ = self._start(difficulty, a, b, c, part=part)
        rest = a - part
        square = Fraction(b * b * part + c * c * rest, a) - part * rest
        small = Fraction(area * part, a)
        radius = square * (Fraction(c * part) / (4 * small)) ** 2
        if radius.denominator > 20000:
            return None
        draft.note(f"""
            give part = {part}: length of bd; bd; db; length of db; distance of d from b; distance from b to d
            find rest = {rest}: length of dc; dc; cd; length of cd; distance of d from c; distance from d to c; other
                part of bc
            find square = {square}: square of ad; ad squared; ad^2; squared length of ad; square of the length of ad;
                square of the distance from a to d
            find small = {small}: area of triangle abd; area of the part abd; area of abd; area of the smaller triangle;
                small area
            find answer = {root(radius)}: answer; radius of the circle through a, b and d; circumradius of abd; radius;
                radius of the circle; circumradius of triangle abd; radius of the circumcircle of abd; radius of the
                circle through a, b, d
            step The other part of BC is {rest}. :: Eq(rest, a - part)
            step By Stewart's theorem AD^2 = {square}. :: Eq(b**2*part + c**2*rest, a*(square + part*rest))
            step Triangle ABD has the share BD/BC of the area, {small}. :: Eq(small, area*part/a)
            step Its circumradius is the product of its sides over four times its area.
                :: Eq(answer, c*part*sqrt(square)/(4*small))
            step Its square is rational. :: Eq(answer**2, {radius})
        """)
        text = f"""{self._scene(rng, a, b, c)} D is the point of the side BC that is {part} m from B. What is the
            radius, in metres, of the circle through A, B and D? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _bisector(self, rng: Rng, difficulty: int, a: int, b: int, c: int) -> Problem | None:
        if b == c:
            return None
        near, far = Fraction(a * c, b + c), Fraction(a * b, b + c)
        square = b * c - near * far
        answer = (near * far) ** 2 / square
        if answer.denominator > 10000:
            return None
        draft = Draft(self, difficulty, sides=[a, b, c])
        self._sides(draft, a, b, c)
        draft.note(f"""
            find near = {near}: length of bd; bd; db; length of db; distance from b to d; distance of d from b; part of
                bc next to b
            find far = {far}: length of dc; dc; cd; length of cd; distance from d to c; distance of d from c; part of bc
                next to c
            find power = {near * far}: power of d; bd times dc; product of the parts of bc; product of bd and dc; bd
                times cd; ad times de; product of the parts
            find square = {square}: square of ad; ad squared; ad^2; squared length of ad; square of the length of ad;
                square of the bisector
            find bisector = {root(square)}: length of ad; ad; length of the bisector; bisector; angle bisector; length
                of the angle bisector; distance from a to d; da
            find answer = {root(answer)}: answer; length of de; de; ed; distance from d to e; distance between d and e;
                length of the prolongation; distance of e from d
            step The bisector divides BC in the ratio of the sides: BD = {near}. :: Eq(near, a*c/(b + c))
            step DC = {far}. :: And(Eq(far, a - near), Eq(near*b, far*c))
            step The product of the parts is {near * far}. :: Eq(power, near*far)
            step The bisector satisfies AD^2 = AB*AC - BD*DC = {square}. :: Eq(square, b*c - power)
            step AD is its root. :: Eq(bisector**2, square)
            step Chords through D: AD*DE = BD*DC. :: Eq(bisector*answer, power)
            step So DE is the product over AD. :: Eq(answer, power/bisector)
        """)
        text = f"""{self._scene(rng, a, b, c)} The line that halves the angle at A meets the side BC in D and,
            prolonged, the circle through A, B and C a second time in E. How long, in metres, is DE? Give an exact
            expression."""
        return draft.problem(text, form=EXPRESSION)

    @staticmethod
    def _scene(rng: Rng, a: int, b: int, c: int) -> str:
        sides = f"AB = {c} m, BC = {a} m and CA = {b} m"
        wordings = f"""
            A triangular meadow has the corners A, B and C with {sides}.
            Three buoys A, B and C float on a calm lake such that {sides}.
            A triangle ABC of straight paths in a park has the sides {sides}.
            In a triangle ABC, {sides}.
        """
        return one_of(rng, wordings)


def _rational_root(square: Fraction) -> Fraction:
    """The root of the square of a fraction."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if Fraction(top, bottom) ** 2 != square:
        raise ValueError(f"not a square: {square}")
    return Fraction(top, bottom)


GENERATORS: Sequence[Generator] = (Lattice(), Surface(), Wires(), Triangle())
