"""``telescope``: sums and products whose terms cancel with their neighbours'."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.exact import least_passing
from interactive_envs.mathematics.generators.wording import term


class Telescope(Generator):
    """Sums and products whose terms cancel with their neighbours'."""

    name = "telescope"
    field = "algebra"

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
        steps = least_passing(lambda n: Fraction(c, a * (a * (n + 1) + b)) < Fraction(1, part))
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
