"""``nearest``: distances between points, lines and planes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import solve
from interactive_envs.mathematics.generators.wording import root, signed, table

Vector: TypeAlias = tuple[int, ...]


class Nearest(Generator):
    """Distances between points, lines and planes."""

    name = "nearest"
    field = "linear algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: line in a plane; 2: plane; 3: line in space; 4: two lines; 5: where the shortest link begins."""
        size = 2 if difficulty == 1 else 3
        reach = 9 if difficulty < 4 else 7
        points = [tuple(between(rng, -reach, reach) for _ in range(size)) for _ in range(4)]
        if len(set(points)) < 4:
            return None
        ask = [self._line, self._plane, self._line, self._skew, self._link][difficulty - 1]
        draft = Draft(self, difficulty, points=[list(point) for point in points])
        return ask(rng, draft, *points)

    def confirm(self, problem: Problem) -> Any:
        """Normal equations where the derivation multiplies vectors, and the other way round."""
        import sympy

        a, b, c, d = (tuple(map(Fraction, point)) for point in problem.parameters["points"])
        u = _minus(b, a)
        match problem.difficulty:
            case 1 | 3:
                w = _minus(c, a)
                if problem.difficulty == 1:
                    t = _dot(w, u) / _dot(u, u)
                    rest = tuple(x - t * y for x, y in zip(w, u, strict=True))
                    square = _dot(rest, rest)
                else:
                    normal = _cross(u, w)
                    square = _dot(normal, normal) / _dot(u, u)
            case 5:
                v, w = _minus(d, c), _minus(c, a)
                normal = _cross(u, v)
                s = _dot(_cross(w, v), normal) / _dot(normal, normal)
                square = s**2 * _dot(u, u)
            case _:
                v, w = (_minus(c, a), _minus(d, a)) if problem.difficulty == 2 else (_minus(d, c), _minus(c, a))
                s, t = solve([[_dot(u, u), _dot(u, v)], [_dot(u, v), _dot(v, v)]], [_dot(w, u), _dot(w, v)])
                rest = tuple(z - s * x - t * y for x, y, z in zip(u, v, w, strict=True))
                square = _dot(rest, rest)
        return sympy.sqrt(sympy.Rational(square.numerator, square.denominator))

    def _line(self, rng: Rng, draft: Draft, a: Vector, b: Vector, p: Vector, unused: Vector) -> Problem | None:
        u, w = _minus(b, a), _minus(p, a)
        uu, uw, ww = _dot(u, u), _dot(u, w), _dot(w, w)
        area2 = uu * ww - uw**2
        flat = len(a) == 2
        if not area2 or uw == 0 or math.gcd(*u) > 1 or (not flat and uu > 120):
            return None
        square, part = Fraction(area2, uu), Fraction(uw, uu)
        axes = "xyz"[: len(a)]
        for axis, value in zip(axes, u, strict=True):
            draft.find(
                f"u{axis}",
                value,
                f"{axis} component of the direction",
                f"{axis} difference of a and b",
                f"{axis} component of ab",
                f"{axis} coordinate of ab",
                f"{axis} coordinate of the direction",
                f"{axis} component of the direction vector",
            )
        differences = [f"Eq(u{x}, {signed(q)} - {signed(r)})" for x, q, r in zip(axes, b, a, strict=True)]
        draft.note(f"""
            find uu = {uu}: square of the direction; square of ab; squared length of ab; ab squared; square of the
                length of ab; squared distance of a and b; dot product of ab with itself
            step The direction of the line is {u}. :: And({", ".join(differences)})
            step Its square is {uu}. :: Eq(uu, {" + ".join(f"u{axis}**2" for axis in axes)})
        """)
        settings = """
            cable | drone | m
            tunnel | sensor | m
            beam of light | balloon | m
        """
        where = "In space"
        if flat:
            where = "On a map"
            settings = """
                road | farm | km
                railway line | village | km
                pipe | valve | m
            """
            cross = u[0] * w[1] - u[1] * w[0]
            draft.note(f"""
                find cross = {cross}: cross product; determinant of the two vectors; cross product of ab and ap;
                    determinant of ab and ap; determinant
                step From A to P it is {w}; the cross product is {cross}.
                    :: Eq(cross, ux*{signed(w[1])} - uy*{signed(w[0])})
                step The distance is the parallelogram's area over its side. :: Eq(square, cross**2/uu)
            """)
        else:
            product = " + ".join(f"u{axis}*{signed(x)}" for axis, x in zip(axes, w, strict=True))
            draft.note(f"""
                find uw = {uw}: scalar product with the direction; dot product of ab and ap; scalar product of ab and
                    ap; inner product of ab and ap; dot product; scalar product
                find ww = {ww}: square of ap; squared length of ap; ap squared; square of the length of ap; squared
                    distance of a and p
                find part = {part}: parameter of the foot; share of ab at the foot; parameter; parameter of the nearest
                    point; parameter on the line; share of ab
                step From A to P it is {w}, with the square {ww}. :: Eq(ww, {" + ".join(f"{signed(x)}**2" for x in w)})
                step The scalar product is {uw}. :: Eq(uw, {product})
                step So the foot lies at the share {part} of AB. :: Eq(part, uw/uu)
                step By Pythagoras the square of the distance is {square}. :: Eq(square, ww - uw**2/uu)
            """)
        draft.note(f"""
            find square = {square}: square of the distance; distance squared; squared distance; square of the answer;
                square of the distance from the line
            find answer = {root(square)}: answer; distance; shortest distance; distance of p from the line; distance
                from p to the line; distance from the line; distance to the nearest point; minimal distance; smallest
                distance
            step The distance is its root. :: Eq(answer**2, square)
        """)
        road, place, unit = pick(rng, table(settings))
        text = f"""{where}, with coordinates in {unit}, an endlessly long straight {road} runs through the points A =
            {a} and B = {b}. A {place} is at P = {p}. How far, in {unit}, is it from the nearest point of the {road}?
            Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _plane(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, p: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(c, a), _minus(p, a)
        if not self._normal(draft, u, v, w, ("ab", "ac", "ap")):
            return None
        what, place = pick(rng, [("sail", "lamp"), ("sheet of glass", "camera"), ("roof", "bird")])
        text = f"""In space, with coordinates in metres, a flat {what} lies in the plane through A = {a}, B = {b} and C
            = {c}. A {place} is at P = {p}. How far, in metres, is P from that plane, thought of as extending endlessly?
            Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _skew(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, d: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(d, c), _minus(c, a)
        if not self._normal(draft, u, v, w, ("ab", "cd", "ac")):
            return None
        text = f"""{self._two_lines(rng, a, b, c, d)} How close, in metres, do the two lines come to each other? Give an
            exact expression."""
        return draft.problem(text, form=EXPRESSION)

    @staticmethod
    def _normal(draft: Draft, u: Vector, v: Vector, w: Vector, names: tuple[str, str, str]) -> bool:
        """Return the derivation by a normal vector; false where it is too easy or too ugly."""
        normal = _cross(u, v)
        nn, volume = _dot(normal, normal), _dot(normal, w)
        square = Fraction(volume**2, nn)
        if not volume or 0 in normal or square.denominator > 3000 or math.gcd(*normal) == 1:
            return False
        one, two, three = names
        draft.note(f"""
            find nx = {normal[0]}: x component of the normal; x component of the cross product of {one} and {two}; x
                coordinate of the normal; x component of the normal vector; first component of the normal
            find ny = {normal[1]}: y component of the normal; y component of the cross product of {one} and {two}; y
                coordinate of the normal; y component of the normal vector; second component of the normal
            find nz = {normal[2]}: z component of the normal; z component of the cross product of {one} and {two}; z
                coordinate of the normal; z component of the normal vector; third component of the normal
            find nn = {nn}: square of the normal; squared length of the normal; square of the length of the normal;
                normal squared; squared length of the normal vector
            find volume = {volume}: scalar triple product; scalar product of the normal and {three}; triple product;
                mixed product; dot product of the normal and {three}; scalar product with the normal; determinant of the
                three vectors
            find square = {square}: square of the distance; distance squared; squared distance; square of the answer;
                distance's square
            find answer = {root(square)}: answer; distance; shortest distance; distance of p from the plane; distance
                from p to the plane; distance from the plane; distance between the lines; distance of the two lines;
                minimal distance; smallest distance
            step {one.upper()} = {u} and {two.upper()} = {v} have a cross product with x component {normal[0]}.
                :: Eq(nx, {signed(u[1])}*{signed(v[2])} - {signed(u[2])}*{signed(v[1])})
            step Its y component is {normal[1]}.
                :: Eq(ny, {signed(u[2])}*{signed(v[0])} - {signed(u[0])}*{signed(v[2])})
            step Its z component is {normal[2]}.
                :: Eq(nz, {signed(u[0])}*{signed(v[1])} - {signed(u[1])}*{signed(v[0])})
            step The square of its length is {nn}. :: Eq(nn, nx**2 + ny**2 + nz**2)
            step The scalar product with {three.upper()} = {w} is {volume}.
                :: Eq(volume, nx*{signed(w[0])} + ny*{signed(w[1])} + nz*{signed(w[2])})
            step The square of the distance is {square}. :: Eq(square, volume**2/nn)
            step The distance is its root. :: Eq(answer**2, square)
        """)
        return True

    def _link(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, d: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(d, c), _minus(c, a)
        uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
        det = uu * vv - uv**2
        if not det or not uv or not _dot(_cross(u, v), w):
            return None
        s, t = Fraction(uw * vv - vw * uv, det), Fraction(uw * uv - vw * uu, det)
        square = s**2 * uu
        if not s or not t or square.denominator > 3000 or abs(s) == 1:
            return None
        draft.note(f"""
            find uu = {uu}: square of ab; squared length of ab; ab squared; square of the length of ab; dot product of
                ab with itself; scalar product of ab with itself
            find uv = {uv}: scalar product of ab and cd; dot product of ab and cd; inner product of ab and cd; dot
                product of the directions; scalar product of the directions
            find vv = {vv}: square of cd; squared length of cd; cd squared; square of the length of cd; dot product of
                cd with itself; scalar product of cd with itself
            find uw = {uw}: scalar product of ab and ac; dot product of ab and ac; inner product of ab and ac; dot
                product of ac and ab; scalar product of ac and ab
            find vw = {vw}: scalar product of cd and ac; dot product of cd and ac; inner product of cd and ac; dot
                product of ac and cd; scalar product of ac and cd
            find det = {det}: determinant; determinant of the two equations; determinant of the system; determinant of
                the equations; gram determinant
            find s = {s}: parameter on the first line; share of ab; parameter of q; parameter on ab; first parameter;
                share of ab at q
            find t = {t}: parameter on the second line; share of cd; second parameter; parameter on cd; parameter of the
                link's other end
            find square = {square}: square of the distance from a; distance squared; squared distance; square of the
                distance; aq squared; squared length of aq; square of aq
            find answer = {root(square)}: answer; distance from a; distance; aq; length of aq; distance of q from a;
                distance from a to q; distance between a and q; qa
            step AB = {u} has the square {uu}, CD = {v} the square {vv}.
                :: And(Eq(uu, {" + ".join(f"{signed(x)}**2" for x in u)}), Eq(vv,
                    {" + ".join(f"{signed(x)}**2" for x in v)}))
            step Their scalar product is {uv}. :: Eq(uv, {_products(u, v)})
            step With AC = {w} the scalar products are {uw} and {vw}.
                :: And(Eq(uw, {_products(u, w)}), Eq(vw, {_products(v, w)}))
            step The link from A + s AB to C + t CD is perpendicular to AB ... :: Eq(s*uu - t*uv, uw)
            step ... and to CD. :: Eq(s*uv - t*vv, vw)
            step The determinant of these equations is {det}, up to the sign. :: Eq(det, uu*vv - uv**2)
            step So s = {s}. :: Eq(s, (uw*vv - vw*uv)/det)
            step The link begins at s times the length of AB from A, with the square {square}. :: Eq(square, s**2*uu)
            step The distance is its root. :: Eq(answer**2, square)
        """)
        text = f"""{self._two_lines(rng, a, b, c, d)} The shortest straight link between the two lines begins in a point
            Q of the first line. How far, in metres, is Q from A? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    @staticmethod
    def _two_lines(rng: Rng, a: Vector, b: Vector, c: Vector, d: Vector) -> str:
        what = pick(rng, ["pipes", "cables", "tunnels"])
        return f"""Two endlessly long straight {what} are planned in space, with coordinates in metres; their thickness
            does not matter. The first runs through A = {a} and B = {b}, the second through C = {c} and D = {d}."""


def _minus(p: Any, q: Any) -> Any:
    return tuple(x - y for x, y in zip(p, q, strict=True))


def _dot(p: Any, q: Any) -> Any:
    return sum(x * y for x, y in zip(p, q, strict=True))


def _cross(p: Any, q: Any) -> Any:
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def _products(p: Vector, q: Vector) -> str:
    return " + ".join(f"{signed(x)}*{signed(y)}" for x, y in zip(p, q, strict=True))
