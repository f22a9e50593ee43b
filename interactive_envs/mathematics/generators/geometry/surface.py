"""``surface``: shortest ways on the surfaces of boxes, cylinders and cones."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import root, table


class Surface(Generator):
    """Shortest ways on the surfaces of boxes, cylinders and cones."""

    name = "surface"
    field = "geometry"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: around a pole; 2: over a box; 3: into a glass; 4: around a cone; 5: downhill on a cone."""
        ask = [self._pole, self._box, self._glass, self._cone, self._cone][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Search the best place to cross an edge; lay cones out in the plane."""
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
    """Return the least value of a convex function, by thirds."""
    for _ in range(200):
        third = (high - low) / 3
        if length(low + third) < length(high - third):
            high -= third
        else:
            low += third
    return float(length(low))


def _as_root(length: float) -> Any:
    """Return the root of a whole number that a length is."""
    import sympy

    square = round(length**2)
    if abs(square - length**2) > 1e-6:
        raise ValueError(f"not the root of a whole number: {length}")
    return sympy.sqrt(square)
