"""``interpolation``: a polynomial is known at as many points as its degree needs; its value elsewhere is asked."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import signed


class Interpolation(Generator):
    """A polynomial is known at as many points as its degree needs; its value elsewhere is asked."""

    name = "interpolation"
    field = "algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: quadratic; 2: cubic; 3: it agrees with powers; 4: with reciprocals; 5: with a fraction."""
        ask = [self._differences, self._differences, self._powers, self._reciprocals, self._fractions][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Lagrange's formula."""
        given = problem.parameters
        points = [(Fraction(x), Fraction(y)) for x, y in given["points"]]
        at, total = Fraction(given["at"]), Fraction(0)
        for i, (x, y) in enumerate(points):
            others = [p for j, (p, _) in enumerate(points) if j != i]
            total += y * math.prod((at - p) / (x - p) for p in others)
        return total

    def _differences(self, rng: Rng, difficulty: int) -> Problem | None:
        degree = difficulty + 1
        gap = pick(rng, [1, 2, 3, 5, 10]) if difficulty > 1 else 1
        tops = [between(rng, -30, 60), between(rng, -20, 20), between(rng, 2, 15), between(rng, 2, 12)][: degree + 1]
        index = between(rng, 7, 12)
        ys = [sum(math.comb(i, j) * top for j, top in enumerate(tops)) for i in range(degree + 1)]
        answer = sum(math.comb(index, j) * top for j, top in enumerate(tops))
        points = [[i * gap, y] for i, y in enumerate(ys)]
        draft = Draft(self, difficulty, points=points, at=index * gap)
        draft.give(
            "start",
            ys[0],
            "value at 0",
            "p(0)",
            "f(0)",
            "first value",
            "starting value",
            "value at zero",
            "initial value",
            "constant term",
            "height at 0",
            "reading at 0",
        )
        words = ["", "first", "second", "third"]
        for j in range(1, degree + 1):
            draft.find(
                f"d{j}",
                tops[j],
                f"{words[j]} difference",
                f"leading {words[j]} difference",
                f"{words[j]} forward difference",
                f"{words[j]} difference at 0",
                f"{words[j]}-order difference",
            )
        draft.note(f"""
            find steps = {index}: number of steps; steps to the asked point; number of steps of the table; steps from
                the start to the asked point; index of the asked value; place in the table
            find answer = {answer}: answer; value at {index * gap}; p({index * gap}); f({index * gap}); asked value;
                value of the polynomial at {index * gap}; polynomial at {index * gap}; height for {index * gap} metres
                of rope; reading at {index * gap} seconds; height; reading
            step The first differences begin with {tops[1]}. :: Eq(d1, {ys[1]} - {signed(ys[0])})
            step The second differences begin with {tops[2]}. :: Eq(d2, {ys[2]} - 2*{signed(ys[1])} + {signed(ys[0])})
        """)
        if degree == 3:
            draft.step(
                f"The third difference is {tops[3]}.",
                f"Eq(d3, {ys[3]} - 3*{signed(ys[2])} + 3*{signed(ys[1])} - {signed(ys[0])})",
            )
        formula = " + ".join(["start", *(f"binomial(steps, {j})*d{j}" for j in range(1, degree + 1))])
        draft.note(f"""
            step From 0 to {index * gap} these are {index} steps of the table. :: Eq(steps, {index * gap}/{gap})
            step For a polynomial of this degree all higher differences are 0.
                :: Eq({"d3" if degree == 3 else "d2"}, {tops[degree]})
            step Newton's formula, the start plus the sum of binomials times differences, gives {answer}.
                :: Eq(answer, {formula})
        """)
        kind = {2: "of degree at most 2", 3: "of degree at most 3"}[degree]
        table = ", ".join(f"{y} at {x}" for x, y in points)
        at = index * gap
        wordings = f"""
            A polynomial {kind} takes these values: {table}. What is its value at {at}?
            A gauge's reading is a polynomial {kind} of the time in seconds. It shows {table} (seconds). What does it
                show at {at} seconds?
            The height of a kite in centimetres above a marker (negative below it) is a polynomial {kind} of the length
                of rope let out, in metres: {table} (metres of rope). What is the height for {at} metres of rope?
        """
        return draft.problem(one_of(rng, wordings))

    def _powers(self, rng: Rng, difficulty: int) -> Problem | None:
        base, degree, scale = between(rng, 2, 6), between(rng, 4, 9), pick(rng, [1, 1, 2, 3, 5])
        power, missing = base ** (degree + 1), (base - 1) ** (degree + 1)
        answer = scale * (power - missing)
        if base == 2 and degree < 6 and scale == 1:
            return None
        at = degree + 1
        draft = Draft(self, difficulty, points=[[k, scale * base**k] for k in range(degree + 1)], at=at)
        factor = "" if scale == 1 else f"{scale} times "
        draft.note(f"""
            give base = {base}: base of the powers; base; base of the power; number that is raised to the power k;
                powers' base
            give degree = {degree}: degree; largest possible degree; degree of the polynomial; highest degree; maximal
                degree; degree of p; upper bound of the degree
            find less = {base - 1}: base minus one; base less one; base decreased by one; number below the base
            find power = {power}: next power; {base}^{at}; power that would come next; power at {at}; power for {at};
                next power of the base
            find missing = {missing}: missing binomial term; term that is missing; {base - 1}^{at}; omitted term;
                omitted binomial term; last binomial term
            find answer = {answer}: answer; value at {at}; p({at}); f({at}); asked value; value of the polynomial at
                {at}; polynomial at {at}; value of p at {at}; value for k = {at}; result for {at}
            step base^k = (1 + less)^k is the sum of binomial(k, j)*less^j with less = {base - 1}. :: Eq(less, base - 1)
            step Up to j = {degree} this sum is a polynomial in k of degree at most {degree}. :: Eq(degree, {degree})
            step It agrees with the powers for k from 0 to {degree}, so {factor}it is the polynomial.
                :: Eq({base}**degree, (1 + less)**degree)
            step At {at} the powers would have {power} ... :: Eq(power, base**(degree + 1))
            step ... of which the polynomial lacks the term less^{at} = {missing}. :: Eq(missing, less**(degree + 1))
            step So its value is {answer}. :: Eq(answer, {scale}*(power - missing))
        """)
        rule = f"{base}^k" if scale == 1 else f"{scale} * {base}^k"
        return draft.problem(self._agreement(rng, degree, rule, f"k = 0, 1, ..., {degree}", at))

    def _reciprocals(self, rng: Rng, difficulty: int) -> Problem | None:
        points, scale = between(rng, 4, 8), between(rng, 1, 12)
        at = points + between(rng, 2, 5)
        lead = Fraction((-1) ** (points + 1), math.factorial(points))
        product = math.prod(at - i for i in range(1, points + 1))
        answer = scale * (1 + lead * product) / at
        if answer.denominator == 1 or answer.denominator == at == points + 1:
            return None
        draft = Draft(self, difficulty, points=[[k, str(Fraction(scale, k))] for k in range(1, points + 1)], at=at)
        draft.note(f"""
            give points = {points}: number of points; number of known values; number of given values; number of values
                told; number of conditions; number of known points
            find zeros = {points}: number of zeros of x p(x) - c; number of zeros of the auxiliary polynomial; degree of
                the auxiliary polynomial; number of roots of the auxiliary polynomial; number of zeros; degree of q
            find lead = {lead * scale}: leading coefficient of x p(x) - c; leading coefficient; leading factor; leading
                coefficient of the auxiliary polynomial; leading coefficient of q; coefficient in front of the product
            find product = {product}: product of the differences; product of ({at} - i); product of the distances to the
                points; product of the linear factors at {at}
            find rest = {lead * scale * product}: value of the auxiliary polynomial at {at}; q({at}); auxiliary
                polynomial at {at}; value of q at {at}; x p(x) - c at {at}
            find answer = {answer}: answer; value at {at}; p({at}); f({at}); asked value; value of the polynomial at
                {at}; polynomial at {at}; value of p at {at}; value for k = {at}; result for {at}
            step q(x) = x p(x) - {scale} is zero at 1, ..., {points}. :: Eq(zeros, points)
            step Its degree is at most {points}, so q(x) = lead*(x - 1)...(x - {points}). :: Eq(zeros, {points})
            step At 0: -{scale} = lead*(-1)^{points}*{points}!, so lead = {lead * scale}.
                :: Eq(-{scale}, lead*(-1)**points*factorial(points))
            step The product of {at} - i for i = 1, ..., {points} is {product}.
                :: Eq(product, factorial({at - 1})/factorial({at - 1} - points))
            step So q({at}) = {lead * scale * product}. :: Eq(rest, lead*product)
            step And p({at}) = (q({at}) + {scale})/{at} = {answer}. :: Eq(answer, (rest + {scale})/{at})
        """)
        rule = f"{scale}/k"
        text = self._agreement(rng, points - 1, rule, f"k = 1, 2, ..., {points}", at)
        return draft.problem(text, form="a fraction")

    def _fractions(self, rng: Rng, difficulty: int) -> Problem | None:
        degree, shift = between(rng, 3, 7), between(rng, 1, 9)
        at = degree + between(rng, 1, 4)
        rising = math.prod(shift + i for i in range(degree + 1))
        lead = Fraction((-1) ** (degree + 1) * shift, rising)
        product = math.prod(at - i for i in range(degree + 1))
        answer = (at + lead * product) / (at + shift)
        if answer.denominator < 5 or abs(answer) == 1:
            return None
        draft = Draft(self, difficulty, points=[[k, str(Fraction(k, k + shift))] for k in range(degree + 1)], at=at)
        draft.note(f"""
            give degree = {degree}: degree; largest possible degree; degree of the polynomial; highest degree; maximal
                degree; degree of p; upper bound of the degree
            give shift = {shift}: number added in the denominator; shift; number added to k; constant in the
                denominator; summand in the denominator
            find zeros = {degree + 1}: number of zeros of the auxiliary polynomial; number of zeros; degree of the
                auxiliary polynomial; number of roots of the auxiliary polynomial; degree of q; number of points
            find rising = {rising}: product of the shifted numbers; product of ({shift} + i); product of the
                denominators; rising product; rising factorial
            find lead = {lead}: leading coefficient of the auxiliary polynomial; leading coefficient; leading factor;
                leading coefficient of q; coefficient in front of the product
            find product = {product}: product of the differences; product of ({at} - i); product of the distances to the
                points; product of the linear factors at {at}
            find rest = {lead * product}: value of the auxiliary polynomial at {at}; q({at}); auxiliary polynomial at
                {at}; value of q at {at}
            find answer = {answer}: answer; value at {at}; p({at}); f({at}); asked value; value of the polynomial at
                {at}; polynomial at {at}; value of p at {at}; value for k = {at}; result for {at}
            step q(x) = (x + {shift}) p(x) - x is zero at 0, 1, ..., {degree}. :: Eq(zeros, degree + 1)
            step So q(x) is a constant lead times x (x - 1) ... (x - degree). :: Eq(zeros, {degree + 1})
            step At -{shift} the first product vanishes: {shift} = lead*(-1)^{degree + 1}*rising.
                :: Eq(shift, lead*(-1)**zeros*rising)
            step Here rising = {rising}, so lead = {lead}. :: Eq(rising, factorial(shift + degree)/factorial(shift - 1))
            step At {at} the product of the differences is {product}.
                :: Eq(product, factorial({at})/factorial({at} - zeros))
            step So q({at}) = {lead * product}. :: Eq(rest, lead*product)
            step And p({at}) = (q({at}) + {at})/({at} + {shift}) = {answer}. :: Eq(answer, (rest + {at})/({at} + shift))
        """)
        text = self._agreement(rng, degree, f"k/(k + {shift})", f"k = 0, 1, ..., {degree}", at)
        return draft.problem(text, form="a fraction")

    @staticmethod
    def _agreement(rng: Rng, degree: int, rule: str, where: str, at: int) -> str:
        wordings = f"""
            A polynomial p of degree at most {degree} satisfies p(k) = {rule} for {where}. What is p({at})?
            Somebody replaces the rule k -> {rule} by the polynomial of degree at most {degree} that gives the same
                results for {where}. What does the polynomial give for k = {at}?
            A calculator stores only polynomials of degree at most {degree}. The one in it returns exactly {rule} for
                each of {where}. What does it return for k = {at}?
        """
        return one_of(rng, wordings)
