"""Algebra: roots never found, processes with a limit, telescopes, polynomials through points, functional equations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import listed, signed, table, term

FIELD = "algebra"


class Roots(Generator):
    """Symmetric functions of numbers of which only the elementary ones are known."""

    name = "roots"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: cubes of two; 2: cubes of three; 3: fifth powers; 4: a product; 5: squares of reciprocals."""
        pair = difficulty == 1
        e1, e2, e3 = (pick(rng, [n for n in range(-6, 8) if abs(n) > 1]) for _ in range(3))
        coefficients = [1, -e1, e2] if pair else [1, -e1, e2, -e3]
        shift = between(rng, 2, 9)
        draft = Draft(self, difficulty, coefficients=coefficients, level=difficulty, shift=shift)
        names = pick(rng, ["abc", "rst", "uvw", "pqr"])
        names = names[:2] if pair else names
        told = f"x^2{term(-e1, 'x')}{term(e2, '')}"
        if not pair:
            told = f"x^3{term(-e1, 'x^2')}{term(e2, 'x')}{term(-e3, '')}"
        given = self._given(rng, names, told, e1, e2, e3)
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
    def _given(rng: Rng, names: str, told: str, e1: int, e2: int, e3: int) -> str:
        word = {2: "two", 3: "three"}[len(names)]
        products = f"their product is {e2}"
        if len(names) == 3:
            a, b, c = list(names)
            products = f"{a}{b} + {a}{c} + {b}{c} = {e2} and {a}{b}{c} = {e3}"
        wordings = f"""
            Let {listed(names)} be the {word} complex roots of {told}, counted with multiplicity.
            Of {word} numbers {listed(names)}, which need not be real, it is known that their sum is {e1}; {products}.
            The polynomial {told} is factored over the complex numbers as (x - {") (x - ".join(names)}).
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


class Stock(NamedTuple):
    """Something that loses a share at every step and gets an amount."""

    vessel: str
    unit: str
    content: str
    time: str
    loss: str
    gain: str
    adding: str
    stop: str


STOCKS = [
    Stock(*row)
    for row in table("""
        lake | fish | fish | year | % of the fish in the lake are caught | young fish are put in | fish are put into the
            | no more fish are put in
        vat | millilitres | millilitres of dye | hour | % of the dye in the vat decays | millilitres are poured in |
            millilitres are poured into the | nothing is poured in any more
        chest | coins | coins | month | % of the coins in the chest are spent | coins are paid in | coins are paid into
            the | nothing is paid in any more
    """)
]


class Threshold(Generator):
    """The first step at which a linear process passes a bound."""

    name = "threshold"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: growth; 2: decay to a limit; 3: a race of two; 4: two vessels in exchange; 5: two phases."""
        ask = [self._growth, self._limit, self._race, self._exchange, self._phases][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Step by step in fractions."""
        given = problem.parameters
        keep, gain = Fraction(given["keep"]), Fraction(given.get("gain", 0))
        first, bound, steps = Fraction(given["start"]), Fraction(given.get("bound", 0)), 0
        match problem.difficulty:
            case 1:
                while first <= bound:
                    first, steps = first * keep, steps + 1
            case 2:
                rising = first < bound
                while first <= bound if rising else first >= bound:
                    first, steps = first * keep + gain, steps + 1
            case 3:
                second = Fraction(given["start2"])
                while second <= first:
                    first, second, steps = first * keep + gain, second * keep + given["gain2"], steps + 1
            case 4:
                second, back = Fraction(given["start2"]), Fraction(given["back"])
                while second <= bound:
                    flow = first * (1 - keep) - second * back
                    first, second, steps = first - flow, second + flow, steps + 1
            case _:
                while steps < given["phase"]:
                    first, steps = first * keep + gain, steps + 1
                while first >= bound:
                    first, steps = first * keep, steps + 1
        return steps

    def _growth(self, rng: Rng, difficulty: int) -> Problem | None:
        rate, start, times = between(rng, 4, 30), between(rng, 20, 400), between(rng, 4, 60)
        keep, bound = 1 + Fraction(rate, 100), start * times
        steps = _least(lambda n: start * keep**n > bound)
        draft = Draft(self, difficulty, keep=str(keep), start=start, bound=bound)
        settings = table("""
            A colony of bacteria | cells
            A debt | coins
            A pond's carpet | duckweeds
        """)
        who, many = pick(rng, settings)
        draft.note(f"""
            give start = {start}: {many} at the beginning; initial number; starting number; initial number of {many};
                number of {many} at the beginning; {many} at the start; starting amount; initial size
            give bound = {bound}: bound; threshold; number to exceed; number of {many} to exceed; target; target number;
                limit
            find factor = {keep}: growth factor; factor an hour; hourly factor; hourly growth factor; growth factor per
                hour; factor per hour; multiplier
            find ratio = {times}: ratio of the bound to the start; bound divided by the start; needed factor; target
                divided by the start; factor by which it must grow; required growth factor; ratio
            find answer = {steps}: answer; number of hours; hours needed; number of whole hours; number of full hours;
                time in hours; time
            step Every hour multiplies the number by {keep}. :: Eq(factor, 1 + {Fraction(rate, 100)})
            step The bound is {times} times the start. :: Eq(bound, ratio*start)
            step After n hours the number is start*factor^n, so factor^n > ratio. :: Gt(factor**answer, ratio)
            step After {steps - 1} hours it is still not enough. :: Le(start*factor**(answer - 1), bound)
            step After {steps} hours it is enough. :: Gt(start*factor**answer, bound)
        """)
        text = f"""{who} grows by exactly {rate} % every hour, compared with the hour before; fractions are kept and
            nothing is rounded. It starts with {start} {many}. After how many whole hours are there more than {bound}
            {many} for the first time?"""
        return draft.problem(text)

    def _limit(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p, gain = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10, 12]), 12 * between(rng, 4, 40)
        keep = 1 - Fraction(p, 100)
        limit = gain / (1 - keep)
        start = between(rng, 1, 40) * 50
        part = pick(rng, [Fraction(1, 4), Fraction(1, 10), Fraction(1, 20), Fraction(1, 15)])
        bound = math.floor(limit + (start - limit) * part)
        if abs(start - limit) < 300 or limit.denominator > 1 or bound in (start, limit):
            return None
        rising = start < limit
        steps = _least(
            lambda n: (limit + (start - limit) * keep**n > bound) == rising and _at(limit, start, keep, n) != bound
        )
        if not 9 <= steps <= 200:
            return None
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, bound=bound)
        self._told(draft, stock, keep, start, gain, bound)
        draft.find(
            "limit",
            limit,
            "limit",
            "long-run number",
            "fixed point",
            "equilibrium",
            "long-run amount",
            "long-term number",
            "steady state",
            "limiting value",
            f"long-run number of {stock.unit}",
        )
        draft.find(
            "gap",
            start - limit,
            "difference of the start from the limit",
            "initial gap",
            "start minus limit",
            "initial difference from the limit",
            "difference from the limit at the beginning",
            "start less the limit",
        )
        draft.find(
            "answer",
            steps,
            "answer",
            f"number of {stock.time}s",
            f"{stock.time}s needed",
            f"number of whole {stock.time}s",
            f"time in {stock.time}s",
            "number of steps",
            "time",
        )
        self._steps_to_limit(draft, stock, keep, limit, start)
        sign, other = (">", "<=") if rising else ("<", ">=")
        yes, no = ("Gt", "Le") if rising else ("Lt", "Ge")
        draft.step(
            f"Asked is the least n with limit + gap*keep^n {sign} {bound}.", f"{yes}(limit + gap*keep**answer, bound)"
        )
        draft.step(f"For n = {steps - 1} it is still {other} {bound}.", f"{no}(limit + gap*keep**(answer - 1), bound)")
        ask = f"{'more' if rising else 'fewer' if stock.unit != 'millilitres' else 'less'} than {bound}"
        text = f"""{self._text(stock, p, gain, start)} After how many {stock.time}s are there {ask} {stock.unit} for the
            first time?"""
        return draft.problem(text)

    def _race(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])
        keep = 1 - Fraction(p, 100)
        gain, more = 6 * between(rng, 4, 30), between(rng, 4, 30)
        start, less = between(rng, 20, 80) * 50, between(rng, 5, 39) * 40
        gap, limit = Fraction(less - start), more / (1 - keep)
        if gap >= 0:
            return None
        steps = _least(lambda n: limit + (gap - limit) * keep**n > 0)
        if not 9 <= steps <= 200 or limit + (gap - limit) * keep ** (steps - 1) == 0:
            return None
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, start2=less, gain2=gain + more)
        time = stock.time
        draft.note(f"""
            give loss = {Fraction(p, 100)}: share that is lost; lost share; loss a {time}; loss rate; fraction lost;
                share lost every {time}; rate of loss
            give gain1 = {gain}: amount added in the first; gain of the first; {stock.unit} added to the first
                {stock.vessel}; gain of the first {stock.vessel}; first gain; smaller gain
            give gain2 = {gain + more}: amount added in the second; gain of the second; {stock.unit} added to the second
                {stock.vessel}; gain of the second {stock.vessel}; second gain; larger gain
            find keep = {keep}: share that is left; factor; factor a {time}; remaining share; remaining fraction;
                fraction that is left; factor per {time}; share kept
            find gap = {gap}: difference at the beginning; initial difference; second minus first at the beginning;
                difference of the {stock.vessel}s at the beginning; second minus first at the start; starting difference
            find more = {more}: difference of the gains; extra gain of the second; difference of the amounts added;
                extra amount added to the second; extra {stock.unit} in the second {stock.vessel}; second gain minus
                first gain
            find limit = {limit}: limit of the difference; long-run difference; limit; limiting difference; long-term
                difference; steady difference
            find answer = {steps}: answer; number of {time}s; {time}s needed; number of whole {time}s; time in {time}s;
                number of steps; time
            step The difference second minus first begins with {gap}. :: Eq(gap, {less} - {start})
            step Every {time} it is multiplied by {keep} ... :: Eq(keep, 1 - loss)
            step ... and grows by {more}. :: Eq(more, gain2 - gain1)
            step It tends to more/loss = {limit}. :: Eq(limit, limit*keep + more)
            step After n steps it is limit + (gap - limit)*keep^n, which must be positive.
                :: Gt(limit + (gap - limit)*keep**answer, 0)
            step For n = {steps - 1} it is still not positive. :: Le(limit + (gap - limit)*keep**(answer - 1), 0)
        """)
        vessel = stock.vessel
        text = f"""There are two {vessel}s. At the beginning the first {vessel} holds {start} {stock.unit} and the
            second {less}. Every {time} two things happen, in this order: {p} {stock.loss}, the same share in both
            {vessel}s, and then {gain} {stock.adding} first {vessel} and {gain + more} {stock.adding} second. Fractions
            are kept and nothing is rounded. We look at the end of each {time}. After how many {time}s does the second
            {vessel} hold more than the first for the first time?"""
        return draft.problem(text)

    def _exchange(self, rng: Rng, difficulty: int) -> Problem | None:
        there, back = between(rng, 1, 8), between(rng, 1, 6)
        start, start2 = between(rng, 10, 60) * 100, between(rng, 0, 8) * 50
        a, b = Fraction(there, 100), Fraction(back, 100)
        total = start + start2
        limit, keep = total * a / (a + b), 1 - a - b
        part = Fraction(pick(rng, [1, 2, 3, 5, 8]), 50)
        bound = math.floor(limit + (start2 - limit) * part)
        if limit - start2 < 300 or bound >= limit - 1:
            return None
        steps = _least(lambda n: limit + (start2 - limit) * keep**n > bound)
        if not 9 <= steps <= 200 or _at(limit, start2, keep, steps - 1) == bound:
            return None
        draft = Draft(self, difficulty, keep=str(1 - a), back=str(b), start=start, start2=start2, bound=bound)
        settings = table("""
            tank A | tank B | litres | minute | of the water in {0} flows to {1}
            the old town | the new town | residents | year | of the residents of {0} move to {1}
            the north garage | the south garage | bicycles | day | of the bicycles in {0} are ridden to {1}
        """)
        first, second, unit, time, move = pick(rng, settings)
        draft.note(f"""
            give start = {start2}: {f"{unit} in {second} at the beginning".lower()}; initial number in the second;
                initial number of {unit} in {second.lower()}; {unit} in {second.lower()} at the start; starting number
                in {second.lower()}
            give bound = {bound}: bound; threshold; number to exceed; number of {unit} to exceed; target; target number
            find total = {total}: total number of {unit}; {unit} in both together; total; sum of both; {unit} in total;
                all {unit}; combined number of {unit}; total amount
            find limit = {limit}: limit; long-run number in the second; equilibrium; fixed point; long-run number in
                {second.lower()}; long-run number of {unit} in {second.lower()}; steady state; limiting number;
                long-term number
            find keep = {keep}: factor of the gap; factor; factor a {time}; remaining share of the gap; factor per
                {time}; shrinking factor; factor by which the gap shrinks
            find gap = {start2 - limit}: initial gap; start minus limit; difference of the start from the limit; initial
                difference from the limit; difference from the limit at the start; start less the limit
            find answer = {steps}: answer; number of {time}s; {time}s needed; number of whole {time}s; time in {time}s;
                number of steps; time
            step Together they always hold {total}. :: Eq(total, {start} + start)
            step Each {time} y becomes (1 - {b}) y + {a} (total - y), so gaps shrink by the factor {keep}.
                :: Eq(keep, 1 - {a} - {b})
            step At rest {a} (total - y) = {b} y, so y = {limit}. :: Eq({a}*(total - limit), {b}*limit)
            step The gap at the beginning is {start2 - limit}. :: Eq(gap, start - limit)
            step Asked is the least n with limit + gap*keep^n > {bound}. :: Gt(limit + gap*keep**answer, bound)
            step For n = {steps - 1} it is still at most {bound}. :: Le(limit + gap*keep**(answer - 1), bound)
        """)
        one, other = move.format(first, second), move.format(second, first)
        text = f"""At the beginning there are {start} {unit} in {first} and {start2} in {second}. Every {time}, at the
            same moment, {there} % {one} and {back} % {other}; both shares are of what was there before the exchange.
            Nothing else comes or goes, fractions are kept and nothing is rounded. After how many {time}s are there more
            than {bound} {unit} in {second} for the first time?"""
        return draft.problem(text)

    def _phases(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p, gain = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10, 12]), 12 * between(rng, 10, 50)
        keep = 1 - Fraction(p, 100)
        limit, phase, start = gain / (1 - keep), between(rng, 5, 12), between(rng, 1, 12) * 20
        peak = _at(limit, start, keep, phase)
        bound = between(rng, 2, 20) * 10
        if limit.denominator > 1 or peak < 3 * bound or start >= limit:
            return None
        more = _least(lambda n: peak * keep**n < bound)
        if phase + more > 200 or peak * keep ** (more - 1) == bound:
            return None
        time, unit = stock.time, stock.unit
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, bound=bound, phase=phase)
        self._told(draft, stock, keep, start, gain, bound)
        draft.note(f"""
            give phase = {phase}: {time}s of the first phase; length of the first phase; number of {time}s of the first
                phase; {time}s before the change; duration of the first phase; {time}s of adding
            find limit = {limit}: limit; long-run number; fixed point; equilibrium; long-run amount; long-term number;
                steady state; limiting value; long-run number of {unit}
            find gap = {start - limit}: difference of the start from the limit; initial gap; start minus limit; initial
                difference from the limit; difference from the limit at the beginning; start less the limit
            find peak = {peak}: number at the end of the first phase; peak; number after {phase} {time}s; amount at the
                end of the first phase; amount at the change; {unit} after {phase} {time}s; number of {unit} at the
                change; largest amount; maximum
            find more = {more}: {time}s of the second phase; length of the second phase; further steps; {time}s after
                the change; number of {time}s after the change; duration of the second phase; further {time}s
            find answer = {phase + more}: answer; number of {time}s in all; total {time}s; number of {time}s; {time}s in
                all; {time}s needed; total number of {time}s; total time; {time}s from the beginning
        """)
        self._steps_to_limit(draft, stock, keep, limit, start)
        draft.note(f"""
            step After {phase} {time}s it is limit + gap*keep^{phase}, about {float(peak):.3f}.
                :: Eq(peak, limit + gap*keep**phase)
            step From then on every {time} only multiplies it by {keep}. :: Lt(peak*keep**more, bound)
            step After {more - 1} further {time}s it is still at least {bound}. :: Ge(peak*keep**(more - 1), bound)
            step In all these are {phase + more} {time}s. :: Eq(answer, phase + more)
        """)
        text = f"""{self._text(stock, p, gain, start)} This goes on for {phase} {time}s. From then on {stock.stop}, but
            still {p} {stock.loss} every {time}. Counted from the very beginning, after how many {time}s in all does the
            {stock.vessel} hold under {bound} {unit} for the first time after the change?"""
        return draft.problem(text)

    @staticmethod
    def _told(draft: Draft, stock: Stock, keep: Fraction, start: int, gain: int, bound: int) -> None:
        draft.note(f"""
            give loss = {1 - keep}: share that is lost; lost share; loss a {stock.time}; loss rate; fraction lost; share
                lost every {stock.time}; rate of loss; share lost per {stock.time}
            give start = {start}: {stock.unit} at the beginning; initial number; starting number; initial number of
                {stock.unit}; number of {stock.unit} at the beginning; {stock.unit} at the start; initial amount;
                starting amount
            give gain = {gain}: {stock.unit} added every {stock.time}; amount added; gain; {stock.unit} added each
                {stock.time}; {stock.unit} added per {stock.time}; amount added every {stock.time}; number of
                {stock.unit} added
            give bound = {bound}: bound; threshold; number of {stock.unit} to pass; target; target number
            find keep = {keep}: share that is left; factor; factor a {stock.time}; remaining share; remaining fraction;
                fraction that is left; factor per {stock.time}; share kept; share that stays
        """)

    @staticmethod
    def _steps_to_limit(draft: Draft, stock: Stock, keep: Fraction, limit: Fraction, start: int) -> None:
        draft.note(f"""
            step Every {stock.time} x becomes {keep} x plus the gain. :: Eq(keep, 1 - loss)
            step The number that reproduces itself is gain/loss = {limit}. :: Eq(limit, keep*limit + gain)
            step At the beginning the gap to it is {start - limit}. :: Eq(gap, start - limit)
            step After one step the gap has shrunk by the factor keep. :: Eq(keep*start + gain - limit, keep*gap)
        """)

    @staticmethod
    def _text(stock: Stock, p: int, gain: int, start: int) -> str:
        return f"""The {stock.vessel} holds {start} {stock.content} at the beginning. Every {stock.time} two things
            happen, in this order: {p} {stock.loss}, and then {gain} {stock.gain}. Fractions are kept, nothing is
            rounded, and we look at the end of each {stock.time}."""


def _at(limit: Fraction, start: Fraction | int, keep: Fraction, n: int) -> Fraction:
    return limit + (start - limit) * keep**n


def _least(passes: Callable[[int], bool]) -> int:
    """The least number from 1 on that passes; 999 where none does."""
    return next((n for n in range(1, 999) if passes(n)), 999)


class Telescope(Generator):
    """Sums and products whose terms cancel with their neighbours'."""

    name = "telescope"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: two neighbours; 2: a progression; 3: three factors; 4: how many terms; 5: a product."""
        ask = [self._neighbours, self._progression, self._triple, self._reach, self._product][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Term by term in fractions."""
        given = problem.parameters
        if problem.difficulty == 5:
            goal, value, k = Fraction(given["goal"]), Fraction(1), given["first"] - 1
            while value >= goal or k < given["first"]:
                k += 1
                value *= Fraction(k**3 - 1, k**3 + 1)
            return k
        a, b, c, factors = given["step"], given["offset"], given["scale"], given["factors"]

        def summand(k: int) -> Fraction:
            return Fraction(c, math.prod(a * (k + j) + b for j in range(factors)))

        if problem.difficulty < 4:
            return sum((summand(k) for k in range(1, given["terms"] + 1)), Fraction(0))
        goal, value, k = Fraction(given["goal"]), Fraction(0), 0
        while value <= goal:
            k += 1
            value += summand(k)
        return k

    def _neighbours(self, rng: Rng, difficulty: int) -> Problem | None:
        return self._sum(rng, difficulty, 1, 0, between(rng, 2, 9), between(rng, 12, 90))

    def _progression(self, rng: Rng, difficulty: int) -> Problem | None:
        step = between(rng, 3, 7)
        offset = between(rng, 1, step - 1)
        return self._sum(rng, difficulty, step, offset, pick(rng, [1, 2, 5, 7, 10]), between(rng, 12, 90))

    def _sum(self, rng: Rng, difficulty: int, a: int, b: int, c: int, terms: int) -> Problem | None:
        answer = Fraction(c, a) * (Fraction(1, a + b) - Fraction(1, a * (terms + 1) + b))
        if answer.denominator < 20:
            return None
        draft = Draft(self, difficulty, step=a, offset=b, scale=c, factors=2, terms=terms)
        draft.note(f"""
            give terms = {terms}: number of summands; number of terms; terms; number of added terms; number of
                fractions; upper limit of the sum; largest k; number of days; number of minutes
            find share = {Fraction(c, a)}: factor of the difference of reciprocals; factor in the partial fractions;
                factor before the reciprocals; coefficient in the partial fractions; constant of the partial fractions
            find first = {a + b}: first denominator that stays; smallest factor; first factor; first remaining
                denominator; denominator of the first fraction that stays; smallest denominator factor
            find last = {a * (terms + 1) + b}: last denominator that stays; largest factor; last factor; last remaining
                denominator; denominator of the last fraction that stays; largest denominator factor
            find difference = {Fraction(1, a + b) - Fraction(1, a * (terms + 1) + b)}: difference of the reciprocals
                that stay; first reciprocal minus the last; difference of the remaining reciprocals; difference of the
                two remaining fractions; telescoped difference
            find answer = {answer}: answer; sum; total; total distance; total amount; exact sum; sum of the fractions;
                sum of all terms; total sum; number of metres; number of litres; litres in the tank
            step Each summand is {Fraction(c, a)} times the difference of two reciprocals. :: Eq(share, {c}/{a})
            step For the first: {c}/({a + b}*{2 * a + b}) = share*(1/{a + b} - 1/{2 * a + b}).
                :: Eq({c}/({a + b}*{2 * a + b}), share*(Rational(1, {a + b}) - Rational(1, {2 * a + b})))
            step All reciprocals cancel but the first, 1/{a + b} ... :: Eq(first, {a + b})
            step ... and the last, 1/{a * (terms + 1) + b}. :: Eq(last, {a}*(terms + 1) + {b})
            step What stays is their difference. :: Eq(difference, 1/first - 1/last)
            step So the sum is {answer}. :: Eq(answer, share*difference)
        """)
        rule = (
            f"{c}/({_linear(a, b)} ({_linear(a, a + b)}))"
            if b == 0
            else f"{c}/(({_linear(a, b)}) ({_linear(a, a + b)}))"
        )
        return draft.problem(self._scene(rng, rule, terms), form="a fraction")

    def _triple(self, rng: Rng, difficulty: int) -> Problem | None:
        a = between(rng, 1, 4)
        b, c, terms = between(rng, 0, 5), between(rng, 1, 9), between(rng, 10, 60)
        if math.gcd(a, b or a) > 1 and a > 1:
            return None
        x, y, z = a + b, 2 * a + b, a * (terms + 1) + b
        w = z + a
        answer = Fraction(c, 2 * a) * (Fraction(1, x * y) - Fraction(1, z * w))
        draft = Draft(self, difficulty, step=a, offset=b, scale=c, factors=3, terms=terms)
        draft.note(f"""
            give terms = {terms}: number of summands; number of terms; terms; number of added terms; number of
                fractions; upper limit of the sum; largest k; number of days; number of minutes
            find share = {Fraction(c, 2 * a)}: factor of the difference; factor in the decomposition; factor before the
                difference; coefficient in the partial fractions; constant of the decomposition
            find first = {x * y}: first denominator that stays; product of the two smallest factors; first remaining
                denominator; denominator of the first fraction that stays
            find last = {z * w}: last denominator that stays; product of the two largest factors; last remaining
                denominator; denominator of the last fraction that stays
            find largest = {w}: largest factor; greatest factor in a denominator; largest number in a denominator; last
                factor; largest denominator factor
            find difference = {Fraction(1, x * y) - Fraction(1, z * w)}: difference of the reciprocals that stay; first
                reciprocal minus the last; difference of the remaining reciprocals; difference of the two remaining
                fractions; telescoped difference
            find answer = {answer}: answer; sum; total; total distance; total amount; exact sum; sum of the fractions;
                sum of all terms; total sum; number of metres; number of litres; litres in the tank
            step 1/(u v w) with v = u + {a}, w = u + {2 * a} is (1/(u v) - 1/(v w))/{2 * a}. :: Eq(share, {c}/{2 * a})
            step For the first summand: {c}/({x}*{y}*{y + a}) = share*(1/{x * y} - 1/{y * (y + a)}).
                :: Eq(Rational({c}, {x * y * (y + a)}), share*(Rational(1, {x * y}) - Rational(1, {y * (y + a)})))
            step Everything cancels but 1/{x * y} at the front ... :: Eq(first, {x}*{y})
            step The largest factor is {w}. :: Eq(largest, {a}*(terms + 2) + {b})
            step ... and 1/{z * w} at the end. :: Eq(last, largest*(largest - {a}))
            step What stays is their difference. :: Eq(difference, 1/first - 1/last)
            step So the sum is {answer}. :: Eq(answer, share*difference)
        """)
        rule = f"{c}/({' '.join(f'({_linear(a, b + j * a)})' if b + j * a else _linear(a, 0) for j in range(3))})"
        return draft.problem(self._scene(rng, rule, terms), form="a fraction")

    def _reach(self, rng: Rng, difficulty: int) -> Problem | None:
        a = between(rng, 2, 6)
        b, c, part = between(rng, 1, a - 1), between(rng, 1, 9), between(rng, 30, 200)
        limit = Fraction(c, a * (a + b))
        goal = limit - Fraction(1, part)
        if goal < limit / 2:
            return None
        steps = _least(lambda n: Fraction(c, a * (a * (n + 1) + b)) < Fraction(1, part))
        if not 15 <= steps <= 400:
            return None
        last = a * (steps + 1) + b
        draft = Draft(self, difficulty, step=a, offset=b, scale=c, factors=2, goal=str(goal))
        draft.note(f"""
            give goal = {goal}: goal; number to exceed; bound; target; threshold; litres to exceed; metres to exceed
            find share = {Fraction(c, a)}: factor of the difference of reciprocals; factor in the partial fractions;
                factor before the reciprocals; coefficient in the partial fractions; constant of the partial fractions
            find limit = {limit}: sum of infinitely many terms; limit; infinite sum; limit of the sums; sum of the
                series; sum of the infinite series; total of all terms
            find slack = {Fraction(1, part)}: difference of the limit and the goal; limit minus goal; slack; difference
                between the limit and the goal; gap to the limit; distance of the goal from the limit
            find last = {last}: last denominator that stays; largest factor; last factor; last remaining denominator;
                denominator of the last fraction that stays; largest denominator factor
            find answer = {steps}: answer; number of terms; number of summands; terms needed; days needed; number of
                days; number of portions; portions needed; number of terms needed; smallest number of terms
            step Each summand is {Fraction(c, a)} times a difference of reciprocals. :: Eq(share, {c}/{a})
            step The sum of n terms is share*(1/{a + b} - 1/({a}(n + 1) + {b})), with the limit {limit}.
                :: Eq(limit, share/{a + b})
            step The goal is {Fraction(1, part)} below the limit. :: Eq(slack, limit - goal)
            step So the rest, share divided by the last factor, must be below the slack. :: Lt(share/last, slack)
            step With n = {steps} the last factor is {last}. :: Eq(last, {a}*(answer + 1) + {b})
            step One term fewer is not enough. :: Ge(share/(last - {a}), slack)
        """)
        rule = f"{c}/(({_linear(a, b)}) ({_linear(a, a + b)}))"
        wordings = f"""
            The k-th term of a sum is {rule}, for k = 1, 2, 3, and so on. How many terms must be added, from k = 1 on,
                until the sum is strictly greater than {goal} for the first time?
            On day k (k = 1, 2, 3, ...) a glacier moves {rule} metres. After how many days has it moved strictly more
                than {goal} metres in all for the first time?
            A cup is filled by portions; portion number k (k = 1, 2, 3, ...) is {rule} litres. How many portions does it
                take until strictly more than {goal} litres are in the cup?
        """
        scene = one_of(rng, wordings)
        return draft.problem(scene)

    def _product(self, rng: Rng, difficulty: int) -> Problem | None:
        m, steps, extra = between(rng, 2, 9), between(rng, 12, 120), between(rng, 1, 99)
        limit = Fraction(m * (m - 1), m * m - m + 1)
        part = Fraction(1, steps * (steps - 1)) + (
            Fraction(1, steps * (steps + 1)) - Fraction(1, steps * (steps - 1))
        ) * Fraction(extra, 100)
        slack = Fraction(1, round(1 / (limit * part)))
        goal = limit + slack
        if steps <= m + 5 or goal.denominator > 60000:
            return None
        if not limit * Fraction(1, steps * (steps + 1)) < slack <= limit * Fraction(1, steps * (steps - 1)):
            return None
        draft = Draft(self, difficulty, first=m, goal=str(goal))
        draft.note(f"""
            give first = {m}: first index; first factor's index; starting index; first k; smallest k; first day; lower
                end of the product
            give goal = {goal}: goal; bound; target; threshold; content to fall below; number to fall below
            find front = {Fraction(m * (m - 1))}: numerator that stays at the front; front of the first telescope; front
                numerator; remaining numerator
            find back = {m * m - m + 1}: denominator that stays at the front; front of the second telescope; front
                denominator; remaining denominator
            find limit = {limit}: infinite product; limit; limit of the product; value of the infinite product; limit of
                p(n); limiting product; limiting value
            find slack = {slack}: difference of the goal and the limit; goal minus limit; slack; difference between the
                goal and the limit; distance of the goal from the limit; gap to the limit
            find needed = {limit / slack}: limit divided by the slack; bound for n(n+1); number that n(n+1) exceeds;
                lower bound for n(n+1); ratio of the limit and the slack
            find answer = {steps}: answer; last index; index of the last factor; last day; least n; smallest n; n; last
                k; day; number of the day; number of the last factor; k
            step k^3 - 1 = (k - 1)(k^2 + k + 1) and k^3 + 1 = (k + 1)(k^2 - k + 1).
                :: Eq(first**3 - 1, (first - 1)*(first**2 + first + 1))
            step The factors (k - 1)/(k + 1) up to n leave {m * (m - 1)}/(n(n + 1)). :: Eq(front, first*(first - 1))
            step The others leave (n^2 + n + 1)/{m * m - m + 1}. :: Eq(back, first**2 - first + 1)
            step The infinite product is {limit}. :: Eq(limit, front/back)
            step The product up to n is limit*(1 + 1/(n(n + 1))); the goal is limit plus {slack}.
                :: Eq(slack, goal - limit)
            step So n(n + 1) must be greater than {limit / slack}. :: Eq(needed, limit/slack)
            step n = {steps} is enough. :: Gt(answer*(answer + 1), needed)
            step One less is not. :: Le((answer - 1)*answer, needed)
        """)
        wordings = f"""
            For n at least {m} let P(n) be the product of (k^3 - 1)/(k^3 + 1) over all whole k from {m} to n. What is
                the least n with P(n) strictly less than {goal}?
            A balloon holds 1 litre of gas on the evening before day {m}. On day k, for k = {m}, {m + 1}, {m + 2} and so
                on, what is in it is multiplied by (k^3 - 1)/(k^3 + 1). On which day does the content fall strictly
                below {goal} litres?
            Someone writes the fractions (k^3 - 1)/(k^3 + 1) for k = {m}, {m + 1}, {m + 2}, ... one after another and
                multiplies them as they come. For which k is the product of all fractions so far, that one included,
                strictly less than {goal} for the first time?
        """
        scene = one_of(rng, wordings)
        return draft.problem(scene)

    @staticmethod
    def _scene(rng: Rng, rule: str, terms: int) -> str:
        wordings = f"""
            Add up {rule} for all whole numbers k from 1 to {terms}. What is the exact sum, as a fraction in lowest
                terms?
            On day k (k = 1, 2, 3, ...) a snail crawls {rule} metres. How many metres does it crawl in the first {terms}
                days together? Give a fraction in lowest terms.
            A tank is empty at first. In minute k (k = 1, 2, 3, ...) {rule} litres are poured in. How many litres are in
                the tank after {terms} minutes? Give a fraction in lowest terms.
        """
        return one_of(rng, wordings)


def _linear(a: int, b: int) -> str:
    return f"{'' if a == 1 else a}k{term(b, '')}"


class Interpolation(Generator):
    """A polynomial is known at as many points as its degree needs; its value elsewhere is asked."""

    name = "interpolation"
    field = FIELD

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


class Functional(Generator):
    """A function is known only through an equation between its values."""

    name = "functional"
    field = FIELD

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


GENERATORS: Sequence[Generator] = (Roots(), Threshold(), Telescope(), Interpolation(), Functional())
