"""``divisors``: divisors with conditions, then pairs and triples with a given least common multiple."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.exact import multiplicity, prime_factors
from interactive_envs.mathematics.generators.wording import table


class Divisors(Generator):
    """Divisors with conditions, then pairs and triples with a given least common multiple."""

    name = "divisors"
    field = "number theory"

    _rows = table("""
        {n} tiles are to be laid as one full rectangle of rows and columns (a single row or a single column is a
            rectangle too, and swapping the number of rows and the number of columns makes another way unless they are
            equal). | In how many ways can this be done? | the number of tiles in a row
        A florist has {n} tulips and ties bunches that all have the same number of tulips, using up all of them (a
            single bunch is allowed, and so are bunches of one tulip). | How many sizes of bunches are possible? | the
            number of tulips in a bunch
        A parade of {n} soldiers marches in rows of equal length, with nobody left out (one row is allowed, and so are
            rows of one soldier). | How many row lengths are possible? | the number of soldiers in a row
    """)
    _cycles = table("""
        lighthouses | flashes | seconds | flash together
        bells | rings | minutes | ring together
        sprinklers | starts | minutes | start together
        buses | leaves | minutes | leave together
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: how many; 2: the sum of some; 3: the sum of others; 4: pairs with a multiple; 5: triples."""
        primes = sorted(pick_some(rng, (2, 3, 5, 7), pick(rng, (3, 4)) if difficulty <= 3 else 3))
        if 2 not in primes:
            return None
        exponents = [between(rng, 1, 5) for _ in primes]
        n = math.prod(p**e for p, e in zip(primes, exponents, strict=True))
        least, most = (600, 300_000) if difficulty <= 3 else (300, 30_000)
        if not least <= n <= most or sorted(exponents)[1] == 1:
            return None
        if difficulty <= 3:
            return self._single(rng, difficulty, primes, exponents, n)
        return self._together(rng, difficulty, primes, exponents, n)

    def confirm(self, problem: Problem) -> int:
        """Try all numbers, pairs or triples."""
        known = problem.parameters
        n = known["n"]
        divisors = [int(d) for d in np.flatnonzero(n % np.arange(1, n + 1) == 0) + 1]
        if problem.difficulty <= 3:
            fitting = [d for d in divisors if d % known["of"] == 0 and (known["no"] == 0 or d % known["no"] != 0)]
            return len(fitting) if problem.difficulty == 1 else sum(fitting)
        if problem.difficulty == 4:
            return sum(math.lcm(x, y) == n for x in divisors for y in divisors)
        members = [d for d in divisors if d % known["common"] == 0]
        triples = itertools.product(members, repeat=3)
        return sum(math.lcm(x, y, z) == n and math.gcd(x, y, z) == known["common"] for x, y, z in triples)

    def _single(self, rng: Rng, difficulty: int, primes: list[int], exponents: list[int], n: int) -> Problem | None:
        shape = dict(zip(primes, exponents, strict=True))
        of, no = 1, 0
        if difficulty >= 2:
            of = math.prod(pick_some(rng, primes, 1 if difficulty == 2 else 2))
            if difficulty == 3:
                no = of * pick(rng, primes)
        if no and (n % no != 0 or _count(n // of) - _count(n // no) < 10):
            return None
        opening, question, noun = pick(rng, self._rows)
        wish = f" Besides, {noun} must be a multiple of {of}" + (f" but not a multiple of {no}." if no else ".")
        if difficulty > 1:
            question = f"{wish} Add up all the values that {noun} can have (each value once): what is the sum?"
        text = f"{opening.format(n=n)} {question}"
        draft = Draft(self, difficulty, n=n, of=of, no=no)
        draft.give(
            "n",
            n,
            "total",
            "number of items",
            "number to be divided",
            "number of tiles",
            "number of tulips",
            "number of soldiers",
            "total number",
            "number of all things",
        )
        for p, e in shape.items():
            draft.find(
                f"e_{p}",
                e,
                f"exponent of {p}",
                f"power of {p}",
                f"multiplicity of {p}",
                f"exponent of {p} in the factorization",
                f"number of factors {p}",
            )
        product = " * ".join(f"{p}**e_{p}" for p in primes)
        draft.step(f"{n} is {_product(shape, '^', ' times ')}.", f"Eq(n, {product})")
        if difficulty == 1:
            all_count = math.prod(e + 1 for e in exponents)
            draft.find(
                "answer",
                all_count,
                "answer",
                "number of divisors",
                "number of ways",
                "number of sizes",
                "number of bunch sizes",
                "number of row lengths",
                "number of rectangles",
                "divisor count",
                "number of possible sizes",
                "number of possible values",
            )
            draft.step("Each divisor is one way.", "Eq(answer, divisor_count(n))")
            for p, e in shape.items():
                draft.step(f"A divisor has {e + 1} choices for its exponent of {p}.", f"Eq(Mod(answer, e_{p} + 1), 0)")
            draft.step("The choices multiply.", f"Eq(answer, {' * '.join(f'(e_{p} + 1)' for p in primes)})")
            return draft.problem(text)
        rest = n // of
        total = _sum(rest)
        sums = " * ".join(f"{p ** (e + 1) - 1}/{p - 1}" for p, e in prime_factors(rest))
        draft.note(f"""
            give of = {of}: required factor; number it must be a multiple of; required divisor; factor that is required;
                factor it must have
            find rest = {rest}: cofactor; total divided by required factor; rest; quotient by the required factor; total
                over required factor
            find divisor_sum = {total}: sum of divisors of cofactor; sum of divisors of rest; sum of the divisors of the
                cofactor; sum of divisors of the rest; sigma of the cofactor
            find multiples = {of * total}: sum of divisors with required factor; sum of multiples; sum of the multiples;
                sum of divisors that are multiples; sum of the divisors with the required factor
            step What is wanted must divide the total. :: Eq(Mod(n, of), 0)
            step The possible values are {of} times the divisors of {rest}. :: Eq(rest*of, n)
            step The divisors of {rest} add up to {total}. :: Eq(divisor_sum, {sums})
            step So the multiples of {of} add up to {of * total}. :: Eq(multiples, of*divisor_sum)
        """)
        if difficulty == 2:
            draft.find(
                "answer",
                of * total,
                "answer",
                "sum",
                "sum of the values",
                "sum of all values",
                "total sum",
                "sum of all possible values",
                "asked sum",
            )
            draft.step("This is the sum asked for.", "Eq(answer, multiples)")
            return draft.problem(text)
        bad = no * _sum(n // no)
        draft.note(f"""
            give no = {no}: forbidden factor; number it must not be a multiple of; forbidden divisor; factor that is
                forbidden; factor it must not have
            find bad = {bad}: sum of forbidden divisors; sum of divisors with forbidden factor; forbidden sum; sum to be
                subtracted; sum of the forbidden divisors; sum of the forbidden values
            find answer = {of * total - bad}: answer; sum; sum of the values; sum of all values; total sum; sum of all
                possible values; asked sum
            step Those that are multiples of {no} add up to {bad}. :: Eq(bad, no*divisor_sigma(n/no))
            step These are taken away. :: Eq(answer, multiples - bad)
        """)
        return draft.problem(text)

    def _together(self, rng: Rng, difficulty: int, primes: list[int], exponents: list[int], n: int) -> Problem | None:
        things, does, unit, together = pick(rng, self._cycles)
        shape = dict(zip(primes, exponents, strict=True))
        count = difficulty - 2
        common = 1
        if difficulty == 5:
            common = math.prod(p ** between(rng, 0, e) for p, e in shape.items())
            if common == 1 or _count(n // common) > 27 or _count(n // common) < 6:
                return None
        number, names = {2: ("Two", "A and B"), 3: ("Three", "A, B and C")}[count]
        text = f"""{number} {things}, {names}, {together} at noon. From then on each {does} at regular intervals of its
            own, a whole number of {unit}. The next time that {"both" if count == 2 else "all three"} {together} is
            exactly {n} {unit} after noon. """
        if difficulty == 5:
            text += f"The largest whole number of {unit} that divides all three intervals is {common}. "
        text += f"""How many combinations of intervals are possible? (Two combinations differ if at least one of the
            {things} has different intervals in them; the intervals may be equal to each other.)"""
        draft = Draft(self, difficulty, n=n, common=common)
        draft.give(
            "n",
            n,
            "time until all meet",
            "least common multiple",
            "lcm of intervals",
            "lcm",
            "lcm of the intervals",
            "time until all meet again",
            "time until they meet",
            "meeting time",
            "common multiple of the intervals",
        )
        if common > 1:
            draft.give(
                "common",
                common,
                "greatest common divisor",
                "gcd of intervals",
                "gcd",
                "gcd of the intervals",
                "largest common divisor",
                "greatest common factor",
                "common divisor of all intervals",
            )
        product = " * ".join(f"{p}**e_{p}" for p in primes)
        for p, e in shape.items():
            draft.find(
                f"e_{p}",
                e,
                f"exponent of {p}",
                f"power of {p} in time",
                f"exponent of {p} in the time",
                f"multiplicity of {p}",
                f"number of factors {p}",
            )
        draft.note(f"""
            step {n} is {_product(shape, "^", " times ")}. :: Eq(n, {product})
            step The least common multiple has, for each prime, the largest exponent among the intervals, so the primes
                can be treated one by one. :: Eq(divisor_count(n), {" * ".join(f"(e_{p} + 1)" for p in primes)})
        """)
        if common > 1:
            lows = {p: multiplicity(common, p) for p in primes}
            draft.note(f"""
                step The greatest common divisor is {_product(lows, "^", " times ")}, the smallest exponents.
                    :: Eq(common, {_product(lows, "**", " * ")})
            """)
        total = 1
        for p, e in shape.items():
            if count == 2:
                ways = 2 * e + 1
                claim = f"Eq(ways_{p}, (e_{p} + 1)**2 - e_{p}**2)"
                reason = f"For {p} there are {ways} pairs of exponents of which the larger is {e}."
            else:
                gap = e - multiplicity(common, p)
                ways = (gap + 1) ** 3 - 2 * gap**3 + (gap - 1) ** 3 if gap else 1
                claim = f"Eq(ways_{p}, {gap + 1}**3 - 2*{gap}**3 + {gap - 1}**3)" if gap else f"Eq(ways_{p}, 1)"
                reason = f"For {p} there are {ways} triples with smallest exponent {e - gap} and largest {e}."
            draft.find(
                f"ways_{p}",
                ways,
                f"ways for {p}",
                f"choices of exponents of {p}",
                f"number of ways for {p}",
                f"choices for {p}",
                f"number of choices for {p}",
                f"choices for the exponents of {p}",
            )
            draft.step(reason, claim)
            total *= ways
        draft.find(
            "answer",
            total,
            "answer",
            "number of combinations",
            "possible combinations",
            "number of combinations of intervals",
            "number of possible combinations",
            "combinations",
            "number of different combinations",
            "number of ways",
        )
        draft.step("The choices multiply.", f"Eq(answer, {' * '.join(f'ways_{p}' for p in primes)})")
        return draft.problem(text)


def _product(exponents: Mapping[int, int], power: str, times: str) -> str:
    """Return a product of powers in words or in a claim."""
    return times.join(f"{p}{power}{e}" for p, e in exponents.items())


def _count(number: int) -> int:
    """Number of divisors."""
    return math.prod(exponent + 1 for _, exponent in prime_factors(number))


def _sum(number: int) -> int:
    """Sum of divisors."""
    return math.prod((p ** (e + 1) - 1) // (p - 1) for p, e in prime_factors(number))
