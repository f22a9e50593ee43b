"""``triangle``: lengths in a triangle of which the sides are known."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.exact import meet
from interactive_envs.mathematics.generators.wording import root

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
    field = "geometry"

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
                d, _ = meet((x, y), low, (0, 0), (a, 0))
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
    """Return the root of the square of a fraction."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if Fraction(top, bottom) ** 2 != square:
        raise ValueError(f"not a square: {square}")
    return Fraction(top, bottom)
