"""Hidden parts of linear algebra: a matrix, points in space, a graph, a circuit."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between
from interactive_envs.mathematics.generators.linear_algebra.nearest import Nearest
from interactive_envs.mathematics.generators.linear_algebra.resistors import Resistors
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import root


def _determinant(rng: Rng, difficulty: int) -> Setting:
    """The determinant of a hidden matrix."""
    most = between(rng, 4, 9)
    names = [[f"A({i},{j})" for j in (1, 2, 3)] for i in (1, 2, 3)]
    text = """A is a matrix with 3 rows and 3 columns; A(i,j) stands in row i and column j. All entries are hidden.
        What is the determinant of A?"""

    def derive(draft: Draft, found: Values) -> None:
        a = [[found[name] for name in row] for row in names]
        minors = []
        for j in range(3):
            p, q = (k for k in range(3) if k != j)
            minors.append(a[1][p] * a[2][q] - a[1][q] * a[2][p])
            draft.note(f"""
                find minor_{j + 1} = {minors[j]}: minor of column {j + 1}; minor number {j + 1}
                step Without row 1 and column {j + 1} the determinant is {minors[j]}.
                    :: Eq(minor_{j + 1}, A_2_{p + 1}*A_3_{q + 1} - A_2_{q + 1}*A_3_{p + 1})
            """)
        answer = a[0][0] * minors[0] - a[0][1] * minors[1] + a[0][2] * minors[2]
        draft.note(f"""
            find answer = {answer}: answer; determinant; determinant of a
            step Expansion along row 1 gives the answer.
                :: Eq(answer, A_1_1*minor_1 - A_1_2*minor_2 + A_1_3*minor_3)
        """)

    ranges = {name: (-most, most) for row in names for name in row}
    return Setting(text, {"table": names}, ranges, derive)


def _leibniz(given: Mapping[str, Any]) -> int:
    """Sum over all permutations."""
    table, total = given["table"], 0
    for order in itertools.permutations(range(3)):
        inversions = sum(order[i] > order[j] for i, j in itertools.combinations(range(3), 2))
        total += (-1) ** inversions * table[0][order[0]] * table[1][order[1]] * table[2][order[2]]
    return int(total)


def _nearest(rng: Rng, difficulty: int) -> Setting:
    """The distance of a hidden point from a hidden line."""
    flat = difficulty <= 2
    axes = (1, 2) if flat else (1, 2, 3)
    most = 12 if flat else 8
    names = [[f"{point}({k})" for k in axes] for point in "ABP"]
    where = "In the plane" if flat else "In space"
    text = f"""{where}, the coordinates of the points A, B and P are whole numbers: coordinate k of A is A(k), and so on
        for B and P. All are hidden. How far is P from the line through A and B, thought of as extending endlessly? Give
        an exact expression."""

    def products(found: Values) -> tuple[int, int, int]:
        a, b, p = ([found[name] for name in row] for row in names)
        u = [y - x for x, y in zip(a, b, strict=True)]
        w = [y - x for x, y in zip(a, p, strict=True)]
        return sum(x * x for x in u), sum(x * y for x, y in zip(u, w, strict=True)), sum(x * x for x in w)

    def derive(draft: Draft, found: Values) -> None:
        uu, uw, ww = products(found)
        square = Fraction(uu * ww - uw**2, uu)

        def dot(one: str, other: str) -> str:
            return " + ".join(f"({one}_{k} - A_{k})*({other}_{k} - A_{k})" for k in axes)

        draft.note(f"""
            find uu = {uu}: square of the distance from a to b; scalar square of ab
            find uw = {uw}: scalar product of ab and ap; scalar product of the two vectors
            find ww = {ww}: square of the distance from a to p; scalar square of ap
            find square = {square}: square of the distance from the line; square of the distance
            find answer = {root(square)}: answer; distance from the line; distance
            step AB has the square {uu}. :: Eq(uu, {dot("B", "B")})
            step The scalar product of AB and AP is {uw}. :: Eq(uw, {dot("B", "P")})
            step AP has the square {ww}. :: Eq(ww, {dot("P", "P")})
            step The part of AP along the line is taken off. :: Eq(square, ww - uw**2/uu)
            step The root of it is the distance. :: Eq(answer**2, square)
        """)

    def fits(found: Values) -> bool:
        uu, uw, ww = products(found)
        return uu * ww > uw**2

    # the plane is the first two coordinates of space
    points = [[*row, 0] if flat else row for row in names]
    parameters = {"points": [*points, [0, 0, 0]]}
    ranges = {name: (-most, most) for row in names for name in row}
    return Setting(text, parameters, ranges, derive, EXPRESSION, fits)


def _walks(rng: Rng, difficulty: int) -> Setting:
    """Walks along the streets of a hidden graph."""
    steps = 3 if difficulty <= 2 else 4
    places = "1234"
    names = [[f"w({i},{j})" if i != j else 0 for j in places] for i in places]
    text = f"""Between four squares, numbered from 1 to 4, there are one-way streets: w(i,j) of them lead from square
        i to square j, and none from a square to itself. These numbers are hidden. A walk goes along {steps} streets,
        one after another; it may use a street again. How many walks lead from square 1 to square 4? (Two walks differ
        if they use another street at some step.)"""

    def derive(draft: Draft, found: Values) -> None:
        table = [[found[str(name)] if name else 0 for name in row] for row in names]
        row = [1, 0, 0, 0]
        rows = []
        for _ in range(steps):
            row = [sum(row[i] * table[i][j] for i in range(4)) for j in range(4)]
            rows.append(row)
        for j in (2, 3, 4):
            ways = " + ".join(f"w_1_{i}*w_{i}_{j}" for i in (2, 3, 4) if i != j)
            draft.note(f"""
                find two_{j} = {rows[1][j - 1]}: number of walks of 2 streets from 1 to {j}; walks of 2 streets to {j}
                step In 2 streets {rows[1][j - 1]} walks lead to square {j}. :: Eq(two_{j}, {ways})
            """)
        last = " + ".join(f"{rows[-2][i - 1]}*w_{i}_4" for i in (1, 2, 3))
        draft.note(f"""
            find answer = {rows[-1][3]}: answer; number of walks; walks
            step The last street comes from square 1, 2 or 3. :: Eq(answer, {last})
        """)

    ranges = {str(name): (0, 3) for row in names for name in row if name}
    return Setting(text, {"table": names, "steps": steps}, ranges, derive)


def _follow(given: Mapping[str, Any]) -> int:
    """Follow all walks, square after square."""

    def walks(place: int, left: int) -> int:
        if not left:
            return int(place == 3)
        return sum(count * walks(i, left - 1) for i, count in enumerate(given["table"][place]) if count)

    return walks(0, given["steps"])


def _resistors(rng: Rng, difficulty: int) -> Setting:
    """A bridge of hidden resistors."""
    most = 16 + 4 * difficulty
    joined = ("A,C", "A,D", "C,B", "D,B", "C,D")
    names = [f"R({pair})" for pair in joined]
    text = """The clamps A, B, C and D are joined by five resistors: R(A,C) ohms between A and C, R(A,D) between A and
        D, R(C,B) between C and B, R(D,B) between D and B, and R(C,D) between C and D. These whole numbers are hidden.
        What does an ohmmeter show, in ohms, when it is put to A and B?"""

    def derive(draft: Draft, found: Values) -> None:
        ac, ad, cb, db, cd = (Fraction(1, found[name]) for name in names)
        sum_c, sum_d = ac + cb + cd, ad + db + cd
        det = sum_c * sum_d - cd**2
        x, y = (ac * sum_d + cd * ad) / det, (ad * sum_c + cd * ac) / det
        current = ac * (1 - x) + ad * (1 - y)
        draft.note(f"""
            find x = {x}: voltage at c; potential of c
            find y = {y}: voltage at d; potential of d
            find current = {current}: current from a to b; current
            find answer = {1 / current}: answer; resistance between a and b; resistance
            step With 1 volt at A and 0 at B, as much current flows into C as out of it.
                :: Eq((1 - x)/R_A_C, x/R_C_B + (x - y)/R_C_D)
            step The same holds for D. :: Eq((1 - y)/R_A_D, y/R_D_B + (y - x)/R_C_D)
            step So the current is {current}. :: Eq(current, (1 - x)/R_A_C + (1 - y)/R_A_D)
            step The resistance is 1 by the current. :: Eq(answer*current, 1)
        """)

    spots = {"A": 0, "B": 1, "C": 2, "D": 3}
    edges = [[spots[pair[0]], spots[pair[2]], name] for pair, name in zip(joined, names, strict=True)]
    ranges = dict.fromkeys(names, (1, most))
    phrases = {name: (f"resistance from {name[2].lower()} to {name[4].lower()}",) for name in names}
    form = "a fraction or whole number"
    return Setting(text, {"edges": edges, "terminals": [0, 1]}, ranges, derive, form, phrases=phrases)


HIDDEN: Mapping[str, HiddenPart] = {
    "determinant": HiddenPart(_determinant, _leibniz),
    "nearest": HiddenPart(_nearest, by(Nearest(), 3)),
    "walks": HiddenPart(_walks, _follow),
    "resistors": HiddenPart(_resistors, by(Resistors(), 1)),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
