"""``roots``: symmetric functions of numbers of which only the elementary ones are known."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import listed, term


class Roots(Generator):
    """Symmetric functions of numbers of which only the elementary ones are known."""

    name = "roots"
    field = "algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: cubes of two; 2: cubes of three; 3: fifth powers; 4: a product; 5: squares of reciprocals."""
        pair = difficulty == 1
        e1, e2, e3 = (pick(rng, [n for n in range(-6, 8) if abs(n) > 1]) for _ in range(3))
        coefficients = [1, -e1, e2] if pair else [1, -e1, e2, -e3]
        shift = between(rng, 2, 9)
        draft = Draft(self, difficulty, coefficients=coefficients, level=difficulty, shift=shift)
        names = pick(rng, ["abc", "rst", "uvw", "pqr"])
        names = names[:2] if pair else names
        polynomial = f"x^2{term(-e1, 'x')}{term(e2, '')}"
        if not pair:
            polynomial = f"x^3{term(-e1, 'x^2')}{term(e2, 'x')}{term(-e3, '')}"
        given = self._given(rng, names, polynomial, e1, e2, e3)
        draft.give(
            "e1",
            e1,
            "sum of the numbers",
            "sum of the roots",
            "+".join(names),
            " + ".join(names),
            "sum of all roots",
            f"sum of {listed(list(names))}",
            "total of the roots",
        )
        if pair:
            draft.give(
                "e2",
                e2,
                "product of the numbers",
                "product of the roots",
                "*".join(names),
                f"{names}",
                f"product of {listed(list(names))}",
                "product of both numbers",
                "product of the two roots",
                "constant term",
            )
        else:
            draft.give(
                "e2",
                e2,
                "sum of the pairwise products",
                "sum of the products of pairs",
                f"{names[0]}{names[1]} + {names[0]}{names[2]} + {names[1]}{names[2]}",
                "sum of products of pairs",
                "sum of all pairwise products",
                "coefficient of x",
            )
            draft.give(
                "e3",
                e3,
                "product of the three numbers",
                "product of the roots",
                "*".join(names),
                f"{names}",
                "product of all three roots",
                "product of the three roots",
                f"product of {listed(list(names))}",
            )
        draft.step(f"The sum of the numbers is e1 = {e1}.", f"Eq(e1, {e1})")
        draft.step(f"The {'product' if pair else 'sum of the pairwise products'} is e2 = {e2}.", f"Eq(e2, {e2})")
        if not pair:
            draft.step(f"The product is e3 = {e3}.", f"Eq(e3, {e3})")
        ask = [self._cubes, self._cubes, self._fifths, self._product, self._reciprocals][difficulty - 1]
        question, form = ask(draft, names, (e1, e2, e3), shift)
        return None if question is None else draft.problem(f"{given} {question}", form=form)

    def confirm(self, problem: Problem) -> Any:
        """Traces and determinants of the companion matrix."""
        import sympy

        given = problem.parameters
        coefficients, shift, level = given["coefficients"], given["shift"], given["level"]
        size = len(coefficients) - 1
        companion = sympy.zeros(size, size)
        for i in range(size):
            companion[i, size - 1] = -coefficients[size - i]
            if i:
                companion[i, i - 1] = 1
        if level == 4:
            return (companion**2 + shift * sympy.eye(size)).det()
        if level == 5:
            return ((shift * sympy.eye(size) - companion).inv() ** 2).trace()
        return (companion ** (5 if level == 3 else 3)).trace()

    @staticmethod
    def _given(rng: Rng, names: str, polynomial: str, e1: int, e2: int, e3: int) -> str:
        word = {2: "two", 3: "three"}[len(names)]
        products = f"their product is {e2}"
        if len(names) == 3:
            a, b, c = list(names)
            products = f"{a}{b} + {a}{c} + {b}{c} = {e2} and {a}{b}{c} = {e3}"
        wordings = f"""
            Let {listed(names)} be the {word} complex roots of {polynomial}, counted with multiplicity.
            Of {word} numbers {listed(names)}, which need not be real, it is known that their sum is {e1}; {products}.
            The polynomial {polynomial} is factored over the complex numbers as (x - {") (x - ".join(names)}).
        """
        return one_of(rng, wordings)

    @staticmethod
    def _cubes(draft: Draft, names: str, e: tuple[int, int, int], _: int) -> tuple[str | None, str]:
        e1, e2, e3 = e
        squares = e1**2 - 2 * e2
        cubes = e1 * squares - e2 * e1 + (3 * e3 if len(names) == 3 else 0)
        last = " + 3*e3" if len(names) == 3 else ""
        draft.note(f"""
            find square = {e1**2}: square of the sum; sum squared; square of the sum of the numbers; square of the sum
                of the roots; squared sum
            find squares = {squares}: sum of the squares; sum of squares; sum of the squares of the numbers; sum of the
                squares of the roots; sum of the squared roots; second power sum
            find answer = {cubes}: answer; sum of the cubes; sum of cubes; sum of the cubes of the roots; sum of the
                cubes of the numbers; sum of the third powers; third power sum;
                {" + ".join(f"{name}^3" for name in names)}
            step The square of the sum is {e1**2}. :: Eq(square, e1**2)
            step The square of the sum is the sum of the squares plus 2 e2. :: Eq(square, squares + 2*e2)
            step So the sum of the squares is {squares}. :: Eq(squares, {squares})
            step Each number satisfies its equation, and summed over the numbers: cubes = e1 squares - e2 e1{last}.
                :: Eq(answer, e1*squares - e2*e1{last})
            step So the sum of the cubes is {cubes}. :: Eq(answer, {cubes})
        """)
        return f"What is {' + '.join(name + '^3' for name in names)}?", "a whole number"

    @staticmethod
    def _fifths(draft: Draft, names: str, e: tuple[int, int, int], _: int) -> tuple[str | None, str]:
        e1, e2, e3 = e
        powers = [3, e1, e1**2 - 2 * e2]
        while len(powers) < 6:
            powers.append(e1 * powers[-1] - e2 * powers[-2] + e3 * powers[-3])
        draft.note(f"""
            find squares = {powers[2]}: sum of the squares; sum of squares; sum of the squares of the numbers; sum of
                the squares of the roots; sum of the squared roots; second power sum
            find cubes = {powers[3]}: sum of the cubes; sum of cubes; sum of the cubes of the roots; sum of the cubes of
                the numbers; sum of the third powers; third power sum
            find fourths = {powers[4]}: sum of the fourth powers; sum of fourth powers; sum of the fourth powers of the
                roots; sum of the fourth powers of the numbers; fourth power sum
            find answer = {powers[5]}: answer; sum of the fifth powers; sum of fifth powers; sum of the fifth powers of
                the roots; sum of the fifth powers of the numbers; fifth power sum;
                {" + ".join(f"{name}^5" for name in names)}
            step The sum of the squares is e1^2 - 2 e2 = {powers[2]}. :: Eq(squares, e1**2 - 2*e2)
        """)
        chain = ["3", "e1", "squares", "cubes", "fourths", "answer"]
        for i, word in enumerate(["cubes", "fourth powers", "fifth powers"], start=3):
            draft.note(f"""
                step Multiply the equation of each number by its power and sum: the sum of the {word} is {powers[i]}.
                    :: Eq({chain[i]}, e1*{chain[i - 1]} - e2*{chain[i - 2]} + e3*{chain[i - 3]})
            """)
        return f"What is {' + '.join(name + '^5' for name in names)}?", "a whole number"

    @staticmethod
    def _product(draft: Draft, names: str, e: tuple[int, int, int], k: int) -> tuple[str | None, str]:
        e1, e2, e3 = e
        real, imaginary = e3 - e1 * k, e2 - k
        answer = real**2 + k * imaginary**2
        draft.note(f"""
            give k = {k}: number added to each square; added number; number added to the squares; constant added to each
                square; shift
            find real = {real}: real part; real part of the product; real part of the product of the sums; e3 minus e1
                times k
            find imaginary = {imaginary}: imaginary part over sqrt(k); imaginary part divided by sqrt(k); imaginary part
                without the root; e2 minus k
            find answer = {answer}: answer; product of the three factors; asked product; product of the three brackets;
                product of the shifted squares; value of the product; whole product
            step With m = i sqrt(k), each factor is (number + m)(number - m). :: Eq((I*sqrt(k))**2, -{k})
            step The product of (number + m) is m^3 + e1 m^2 + e2 m + e3, with the real part e3 - e1 k = {real}.
                :: Eq(real, e3 - e1*k)
            step Its imaginary part is (e2 - k) sqrt(k), and e2 - k = {imaginary}. :: Eq(imaginary, e2 - k)
            step The product of (number - m) is the conjugate.
                :: Eq((real + I*sqrt(k)*imaginary)*(real - I*sqrt(k)*imaginary), real**2 + k*imaginary**2)
            step So the product is {answer}. :: Eq(answer, real**2 + k*imaginary**2)
        """)
        return f"What is {' '.join(f'({name}^2 + {k})' for name in names)}?", "a whole number"

    @staticmethod
    def _reciprocals(draft: Draft, names: str, e: tuple[int, int, int], c: int) -> tuple[str | None, str]:
        e1, e2, e3 = e
        value, slope, bend = c**3 - e1 * c**2 + e2 * c - e3, 3 * c**2 - 2 * e1 * c + e2, 3 * c - e1
        if value == 0:
            return None, ""
        first, pairs = Fraction(slope, value), Fraction(bend, value)
        answer = first**2 - 2 * pairs
        if abs(value) < 3 or answer.denominator == 1:
            return None, ""
        draft.note(f"""
            give c = {c}: number from which the roots are subtracted; number c; number minus the roots; point at which
                the polynomial is taken
            find value = {value}: value of the polynomial at {c}; p({c}); f({c}); product of the three differences;
                product of the differences; polynomial at {c}
            find slope = {slope}: derivative at {c}; p'({c}); f'({c}); value of the derivative at {c}; first derivative
                at {c}; sum of the pairwise products of the differences
            find bend = {bend}: half the second derivative at {c}; p''({c})/2; f''({c})/2; sum of the three differences;
                sum of the differences; half of the second derivative at {c}
            find first = {first}: sum of the reciprocals; sum of reciprocals; sum of the three reciprocals; sum of the
                reciprocals of the differences; sum of the inverses
            find pairs = {pairs}: sum of the pairwise products of the reciprocals; products of pairs of reciprocals; sum
                of the products of pairs of reciprocals; sum of the pairwise products of reciprocals
            find answer = {answer}: answer; sum of the squares of the reciprocals; sum of squared reciprocals; sum of
                the three squared reciprocals; sum of the inverse squares; sum of the reciprocal squares; sum of the
                squared inverses; asked sum
            step The product of the three differences is p({c}) = {value}. :: Eq(value, c**3 - e1*c**2 + e2*c - e3)
            step The derivative there is {slope}. :: Eq(slope, 3*c**2 - 2*e1*c + e2)
            step The sum of the reciprocals is p'/p = {first}. :: Eq(first, slope/value)
            step The sum of the differences is 3c - e1 = {bend}. :: Eq(bend, 3*c - e1)
            step The pairwise products of the reciprocals sum to {pairs}. :: Eq(pairs, bend/value)
            step So the squares sum to first^2 - 2 pairs = {answer}. :: Eq(answer, first**2 - 2*pairs)
        """)
        return f"What is {' + '.join(f'1/({c} - {name})^2' for name in names)}?", "a fraction"
