"""Hidden parts of geometry: corners of a field, edges of a box."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between
from interactive_envs.mathematics.generators.geometry.lattice import Lattice
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import ORDINALS, root


def _lattice(rng: Rng, difficulty: int) -> Setting:
    """The cost of trees in a quadrilateral with hidden corners."""
    most = 12 + 7 * difficulty
    inside, edge = between(rng, 2, 9), between(rng, 10, 19)
    text = f"""A tree may stand only where both coordinates are whole numbers. A fence runs straight from corner to
        corner of the quadrilateral with the corners (0, 0), (b, 0), (p, q) and (0, d), in this order and back to the
        first. The numbers b, p, q and d are hidden. At every point with two whole coordinates strictly inside stands
        a tree that costs {inside} coins; at every such point on the fence itself, corners included, a tree that costs
        {edge} coins. How many coins do they cost in all?"""

    def derive(draft: Draft, found: Values) -> None:
        b, p, q, d = (found[name] for name in "bpqd")
        twice = b * q + p * d
        boundary = b + d + math.gcd(b - p, q) + math.gcd(p, d - q)
        inner = (twice - boundary + 2) // 2
        draft.note(f"""
            find twice = {twice}: twice the area; double area
            find boundary = {boundary}: number of points on the fence; points on the fence
            find inner = {inner}: number of points inside; points strictly inside
            find answer = {inside * inner + edge * boundary}: answer; cost in all; number of coins; cost
            step By the shoelace formula twice the area is {twice}. :: Eq(twice, b*q + p*d)
            step Each side has as many points as the greatest common divisor of its differences, {boundary} in all.
                :: Eq(boundary, b + d + gcd(Abs(b - p), q) + gcd(p, Abs(d - q)))
            step By Pick's theorem {inner} points lie inside. :: Eq(inner, (twice - boundary + 2)/2)
            step With the prices this makes the cost. :: Eq(answer, {inside}*inner + {edge}*boundary)
        """)

    def fits(found: Values) -> bool:
        # a corner on the line between its neighbours would be none
        return found["p"] * found["d"] + found["q"] * found["b"] != found["b"] * found["d"]

    points = [[0, 0], ["b", 0], ["p", "q"], [0, "d"]]
    parameters = {"points": points, "factor": 1, "inside": inside, "edge": edge}
    return Setting(text, parameters, dict.fromkeys("bpqd", (3, 3 + most)), derive, fits=fits)


def _surface(rng: Rng, difficulty: int) -> Setting:
    """The shortest way on the surface of a box with hidden edges."""
    most = 2 ** (5 + (difficulty + 1) // 2)
    text = """An ant walks on the outside of a closed box from one corner to the opposite corner, the one that is
        farthest away. The edges of the box are a(1), a(2) and a(3) centimetres long; these whole numbers are hidden.
        How long, in centimetres, is the shortest way on the surface? Give an exact expression."""

    def derive(draft: Draft, found: Values) -> None:
        small, middle, large = sorted(found.values())
        square = (small + middle) ** 2 + large**2
        draft.note(f"""
            find longest = {large}: longest edge; length of the longest edge
            find others = {small + middle}: sum of the two shorter edges; width of the unfolded faces
            find square = {square}: square of the shortest way; square of the length
            find answer = {root(square)}: answer; length of the shortest way; shortest way
            step The longest edge is {large}. :: Eq(longest, Max(a_1, a_2, a_3))
            step The other two together are {small + middle}. :: Eq(others, a_1 + a_2 + a_3 - longest)
            step Two faces unfold into a rectangle; the shortest of the three has these sides.
                :: Eq(square, longest**2 + others**2)
            step Its diagonal is the way. :: Eq(answer**2, square)
        """)

    names = ("a(1)", "a(2)", "a(3)")
    phrases = {
        name: (f"{which} edge", f"length of the {which} edge") for name, which in zip(names, ORDINALS, strict=False)
    }
    ranges = dict.fromkeys(names, (5, 4 + most))
    return Setting(text, {"sides": list(names)}, ranges, derive, EXPRESSION, phrases=phrases)


def _shortest(given: Mapping[str, Any]) -> Any:
    """Search the best place to cross the edge between two faces, on each of the three ways."""
    import sympy

    ways = []
    for i in range(3):
        a, b, c = given["sides"][i], given["sides"][(i + 1) % 3], given["sides"][(i + 2) % 3]
        low, high = 0.0, float(b)
        for _ in range(200):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            shorter = math.hypot(left, a) + math.hypot(b - left, c) < math.hypot(right, a) + math.hypot(b - right, c)
            low, high = (low, right) if shorter else (left, high)
        ways.append((math.hypot(low, a) + math.hypot(b - low, c)) ** 2)
    return sympy.sqrt(round(min(ways)))


HIDDEN: Mapping[str, HiddenPart] = {
    "lattice": HiddenPart(_lattice, by(Lattice(), 3)),
    "surface": HiddenPart(_surface, _shortest),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
