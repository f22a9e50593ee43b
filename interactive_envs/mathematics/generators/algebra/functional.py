"""``functional``: a function is known only through an equation between its values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import term


class Functional(Generator):
    """A function is known only through an equation between its values."""

    name = "functional"
    field = "algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: sums; 2: sums with a product; 3: a reflection; 4: products; 5: a cycle of three."""
        ask = [self._sums, self._sums, self._mirror, self._products, self._cycle][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Step by step from 1, or linear equations over the values that belong together."""
        import sympy

        given = problem.parameters
        if problem.difficulty <= 2:
            value = given["one"]
            for x in range(1, given["at"]):
                value += given["one"] + given["constant"] + given["mixed"] * x
            return value
        if problem.difficulty == 4:
            logs = sympy.symbols("v0:4")
            primes, constant = (2, 3, 5), given["constant"]

            def at(number: int) -> Any:
                powers = sympy.factorint(number)
                return sum(powers.get(p, 0) * logs[i] for i, p in enumerate(primes)) + constant * (
                    sum(powers.values()) - 1
                )

            found = sympy.solve([at(int(n)) - v for n, v in given["known"]], logs[:3])
            return sympy.simplify(at(given["at"]).subs(found))
        orbit = [sympy.Rational(x) for x in given["orbit"]]
        unknown = sympy.symbols(f"v0:{len(orbit)}")
        equations = [
            unknown[i] + given["factor"] * unknown[(i + 1) % len(orbit)] - given["scale"] * x ** given["power"]
            for i, x in enumerate(orbit)
        ]
        return sympy.solve(equations, unknown)[unknown[0]]

    def _sums(self, rng: Rng, difficulty: int) -> Problem | None:
        one, at = between(rng, 2, 20), between(rng, 20, 90)
        mixed = 0 if difficulty == 1 else between(rng, 2, 9)
        constant = between(rng, 2, 15) if difficulty == 1 else between(rng, -9, 15)
        if not constant:
            return None
        pairs = at * (at - 1) // 2
        answer = at * one + (at - 1) * constant + mixed * pairs
        extra = f"{term(constant, '')}{term(mixed, 'xy')}"
        draft = Draft(self, difficulty, one=one, constant=constant, mixed=mixed, at=at)
        draft.note(f"""
            give one = {one}: f(1); value at 1; f of 1; starting value; initial value; value for one; rating of a team
                of one; cost of a strip of one tile
            give constant = {constant}: constant in the equation; constant term; added constant; number added in the
                equation; constant in the rule
            find grow = {one + constant}: g(1); shifted value at 1; f(1) plus the constant; g of 1; slope of the linear
                part; value at 1 plus the constant
            find two = {2 * one + constant + mixed}: f(2); value at 2; f of 2; value for two; rating of a team of two
        """)
        if mixed:
            draft.find(
                "pairs",
                pairs,
                "sum of the numbers below the argument",
                f"1 + 2 + ... + {at - 1}",
                "sum of the smaller numbers",
                "triangular number",
                "number of pairs",
            )
        draft.note(f"""
            find linear = {at * (one + constant)}: linear part; {at} g(1); multiple of g(1); linear term
            find answer = {answer}: answer; f({at}); value at {at}; f of {at}; asked value; value of f at {at}; function
                value at {at}; value for {at}; rating of a team of {at}; cost of a strip of {at} tiles
            step With x = y = 1: f(2) = {2 * one + constant + mixed}. :: Eq(two, 2*one + constant + {mixed})
            step With y = 1 each step of x adds f(1){extra.replace("xy", "x")}. :: Eq(two - one, grow + {mixed})
            step Let g = f{term(constant, "")}; then g(1) = {one + constant}. :: Eq(grow, one + constant)
            step The constant parts of {at} ones give {at} g(1) = {at * (one + constant)}. :: Eq(linear, {at}*grow)
        """)
        if mixed:
            draft.step(f"The products give {mixed} times 1 + 2 + ... + {at - 1}.", f"Eq(pairs, {at}*{at - 1}/2)")
            draft.step(f"So f({at}) = {answer}.", f"Eq(answer, linear + {mixed}*pairs - constant)")
        else:
            draft.step(f"So f({at}) = {answer}.", "Eq(answer, linear - constant)")
        wordings = f"""
            A function f on the positive whole numbers satisfies f(x + y) = f(x) + f(y){extra} for all x and y, and f(1)
                = {one}. What is f({at})?
            A shop sells strips of tiles of every length. A strip of n tiles costs f(n) coins; f(1) = {one}, and f(x +
                y) = f(x) + f(y){extra} for all positive whole numbers x and y. What does a strip of {at} tiles cost?
            Teams are rated by their size. A team of one has the rating {one}, and whenever a team of x and a team of y
                merge, the new rating is the sum of both ratings{_plus(constant, mixed)}. What is the rating of a team
                of {at}?
        """
        return draft.problem(one_of(rng, wordings))

    def _mirror(self, rng: Rng, difficulty: int) -> Problem | None:
        factor, scale, at = between(rng, 2, 7), between(rng, 1, 9), between(rng, 2, 15)
        reciprocal = bool(rng.integers(2))
        total = at + between(rng, 2, 14)
        other = Fraction(1, at) if reciprocal else Fraction(total - at)
        if other == at:
            return None
        power = 1 if reciprocal else 2
        right, left = scale * Fraction(at) ** power, scale * other**power
        answer = (right - factor * left) / (1 - factor**2)
        if answer.denominator == 1 and not (not reciprocal and abs(answer) > 20):
            return None
        draft = Draft(self, difficulty, orbit=[str(at), str(other)], factor=factor, scale=scale, power=power)
        rule = "1/x" if reciprocal else f"{total} - x"
        claim = f"Eq(partner, 1/{at})" if reciprocal else f"Eq(partner, {total} - {at})"
        draft.note(f"""
            give factor = {factor}: factor in the equation; factor; factor in front of the second value; multiplier;
                coefficient
            find partner = {other}: partner of the argument; other argument; argument of the second value; second
                argument; mirror image of {at}; reflected argument
            find right1 = {right}: right side of the first equation; right side at {at}; first right side; right side
                for {at}
            find right2 = {left}: right side of the second equation; right side at the partner; second right side; right
                side for the partner
            find det = {1 - factor**2}: determinant; determinant of the two equations; 1 minus the factor squared; one
                minus the square of the factor; determinant of the system
            find top = {right - factor * left}: first right side minus factor times the second; numerator; eliminated
                right side
            find answer = {answer}: answer; f({at}); value at {at}; f of {at}; asked value; value of f at {at}; function
                value at {at}; value for {at}
            step The map x -> {rule} takes {at} to {other} and back. :: {claim}
            step At {at} the right side is {right}. :: Eq(right1, {scale}*{at}**{power})
            step At {other} the right side is {left}. :: Eq(right2, {scale}*partner**{power})
            step Subtract factor times the second equation from the first. :: Eq(top, right1 - factor*right2)
            step On the left stays (1 - {factor}^2) f({at}). :: Eq(det, 1 - factor**2)
            step So f({at}) = {answer}. :: Eq(answer, top/det)
        """)
        domain = "all real x except 0" if reciprocal else "all real x"
        side = f"{'' if scale == 1 else scale}x{'^2' if power == 2 else ''}"
        equation = f"f(x) + {factor} f({rule}) = {side}"
        wordings = f"""
            For {domain} a function f satisfies {equation}. What is f({at})?
            A machine f takes a number and returns one. Of its rule only this is known: {equation}, for {domain}. What
                does it return for {at}?
            Find f({at}) for the function f with {equation} for {domain}.
        """
        return draft.problem(one_of(rng, wordings), form="a fraction or whole number")

    def _products(self, rng: Rng, difficulty: int) -> Problem | None:
        constant = pick(rng, [-5, -4, -3, -2, 2, 3, 4, 5, 6, 7])
        prime = dict(zip((2, 3, 5), (between(rng, 1, 12), between(rng, 5, 20), between(rng, 8, 30)), strict=True))
        if len(set(prime.values())) < 3:
            return None
        known = pick(rng, [(6, 12, 10), (12, 18, 20), (6, 10, 15), (24, 36, 15), (20, 50, 6), (45, 75, 10)])
        powers = [between(rng, 2, 5), between(rng, 1, 4), between(rng, 1, 3)]
        at = 2 ** powers[0] * 3 ** powers[1] * 5 ** powers[2]
        shifted = {p: v + constant for p, v in prime.items()}

        def log(number: int) -> int:
            total = 0
            for p, v in shifted.items():
                while number % p == 0:
                    number, total = number // p, total + v
            return total

        values = [log(n) - constant for n in known]
        answer = log(at) - constant
        if at in known or answer < 0:
            return None
        draft = Draft(
            self, difficulty, constant=constant, known=[[n, v] for n, v in zip(known, values, strict=True)], at=at
        )
        draft.give(
            "constant",
            constant,
            "constant in the equation",
            "constant term",
            "added constant",
            "constant in the rule",
            "number added in the equation",
        )
        for p, name in ((2, "two"), (3, "three"), (5, "five")):
            draft.find(
                name,
                shifted[p],
                f"g({p})",
                f"shifted value at {p}",
                f"f({p}) plus the constant",
                f"g of {p}",
                f"value at {p} plus the constant",
            )
        draft.find("sum", log(at), f"g({at})", f"shifted value at {at}", f"g of {at}", "sum of the shifted values")
        draft.find(
            "answer",
            answer,
            "answer",
            f"f({at})",
            f"value at {at}",
            f"f of {at}",
            "asked value",
            f"value of f at {at}",
            f"function value at {at}",
            f"value for {at}",
            f"price of {at}",
            "price",
        )
        draft.step(f"g = f{term(constant, '')} satisfies g(xy) = g(x) + g(y).", f"Eq(constant, {constant})")
        for n, v in zip(known, values, strict=True):
            parts = [(name, _multiplicity(n, p)) for p, name in ((2, "two"), (3, "three"), (5, "five"))]
            total = " + ".join(f"{m}*{name}" for name, m in parts if m)
            draft.step(f"g({n}) = {v + constant} is a sum of values at primes.", f"Eq({total}, {v} + constant)")
        draft.note(f"""
            step Solving: g(2) = {shifted[2]}, g(3) = {shifted[3]}, g(5) = {shifted[5]}.
                :: And(Eq(two, {shifted[2]}), Eq(three, {shifted[3]}), Eq(five, {shifted[5]}))
            step {at} = 2^{powers[0]} * 3^{powers[1]} * 5^{powers[2]}, so g({at}) = {log(at)}.
                :: And(Eq({at}, 2**{powers[0]}*3**{powers[1]}*5**{powers[2]}), Eq(sum, {powers[0]}*two +
                    {powers[1]}*three + {powers[2]}*five))
            step So f({at}) = {answer}. :: Eq(answer, sum - constant)
        """)
        told = ", ".join(f"f({n}) = {v}" for n, v in zip(known, values, strict=True))
        equation = f"f(xy) = f(x) + f(y){term(constant, '')}"
        wordings = f"""
            A function f on the positive whole numbers satisfies {equation} for all x and y. Moreover {told}. What is
                f({at})?
            Every positive whole number n carries a price f(n), and always {equation}. On the list stand {told}. What is
                the price of {at}?
            A code gives each positive whole number n a whole number f(n) such that {equation} for all x and y. If
                {told}, what is f({at})?
        """
        return draft.problem(one_of(rng, wordings))

    def _cycle(self, rng: Rng, difficulty: int) -> Problem | None:
        factor, scale = between(rng, 2, 5), between(rng, 1, 7)
        at = Fraction(between(rng, 2, 9))
        second = 1 / (1 - at)
        third = 1 / (1 - second)
        u, v, w = (scale * x for x in (at, second, third))
        determinant = 1 + factor**3
        answer = (u - factor * v + factor**2 * w) / determinant
        if answer.denominator < 5:
            return None
        orbit = [str(at), str(second), str(third)]
        draft = Draft(self, difficulty, orbit=orbit, factor=factor, scale=scale, power=1)
        draft.note(f"""
            give factor = {factor}: factor in the equation; factor; factor in front of the second value; multiplier;
                coefficient
            find second = {second}: second argument; image of {at}; 1/(1 - {at}); next argument after {at}; first image
            find third = {third}: third argument; image of the second argument; second image; last argument of the cycle
            find right1 = {u}: first right side; right side at {at}; right side of the first equation; right side for
                {at}
            find right2 = {v}: second right side; right side at the second argument; right side of the second equation;
                right side for the second argument
            find right3 = {w}: third right side; right side at the third argument; right side of the third equation;
                right side for the third argument
            find det = {determinant}: determinant; 1 plus the cube of the factor; determinant of the three equations;
                determinant of the system; one plus the cube of the factor
            find top = {answer * determinant}: alternating sum of the right sides; numerator; combined right side;
                combination of the right sides
            find answer = {answer}: answer; f({at}); value at {at}; f of {at}; asked value; value of f at {at}; function
                value at {at}; value for {at}
            step x -> 1/(1 - x) takes {at} to {second} ... :: Eq(second, 1/(1 - {at}))
            step ... that to {third} ... :: Eq(third, 1/(1 - second))
            step ... and that back to {at}. :: Eq(1/(1 - third), {at})
            step The three right sides are {u}, {v} and {w}.
                :: And(Eq(right1, {scale}*{at}), Eq(right2, {scale}*second), Eq(right3, {scale}*third))
            step First minus factor times second plus factor^2 times third equation leaves only f at the start.
                :: Eq(top, right1 - factor*right2 + factor**2*right3)
            step Its coefficient is 1 + factor^3 = {determinant}. :: Eq(det, 1 + factor**3)
            step So f({at}) = {answer}. :: Eq(answer, top/det)
        """)
        equation = f"f(x) + {factor} f(1/(1 - x)) = {'' if scale == 1 else scale}x"
        wordings = f"""
            For all real x except 0 and 1 a function f satisfies {equation}. What is f({at})?
            A machine f takes a number other than 0 and 1 and returns a number. Always {equation}. What does it return
                for {at}?
            Find f({at}), where f is defined for all real numbers but 0 and 1 and {equation} for each of them.
        """
        return draft.problem(one_of(rng, wordings), form="a fraction")


def _multiplicity(number: int, prime: int) -> int:
    return next(i for i in range(99) if number % prime ** (i + 1))


def _plus(constant: int, mixed: int) -> str:
    """`` plus 5 minus`` and so on, in words of teams."""
    parts = [] if not mixed else [f" plus {mixed} times the product of both sizes"]
    parts.append(f" {'plus' if constant > 0 else 'minus'} {abs(constant)}")
    return "".join(parts)
