"""Hidden parts of number theory: remainders, exponents, bounds of a product, powers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick, pick_some
from interactive_envs.mathematics.generators.exact import prime_factors
from interactive_envs.mathematics.generators.number_theory.remainders import Remainders
from interactive_envs.mathematics.generators.number_theory.towers import Towers
from interactive_envs.mathematics.generators.number_theory.zeros import Zeros
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import listed


def _remainders(rng: Rng, difficulty: int) -> Setting:
    """A number known by hidden remainders."""
    moduli = sorted(pick_some(rng, (11, 13, 15, 16, 17, 19, 23), 4 if difficulty == 1 else 5))
    names = [f"r({m})" for m in moduli]
    clauses = listed([f"{name} on division by {m}" for name, m in zip(names, moduli, strict=True)])
    period = math.prod(moduli)
    text = f"""A whole number N leaves the remainder {clauses}. These remainders are hidden. N is the smallest positive
        whole number that leaves them. What is N?"""

    def derive(draft: Draft, found: Values) -> None:
        number, step, reached = 0, 1, []
        for m, name in zip(moduli, names, strict=True):
            number = next(x for x in itertools.count(number, step) if x % m == found[name])
            step *= m
            reached.append(number or step)
        draft.note(f"""
            find pair = {reached[1]}: least number with the first two remainders; least solution of the first two
            find triple = {reached[2]}: least number with the first three remainders; least solution of the first three
            find period = {period}: product of the divisors; period of all remainders
            find answer = {reached[-1]}: answer; number; n; smallest positive number; smallest number
            step No two of the divisors have a common factor, so the remainders repeat every {period}.
                :: Eq(period, {period})
            step The least positive number with the first two remainders is {reached[1]}.
                :: And(Eq(Mod(pair, {moduli[0]}), r_{moduli[0]}), Eq(Mod(pair, {moduli[1]}), r_{moduli[1]}))
            step With the third it is {reached[2]}.
                :: And(Eq(Mod(triple, {moduli[0] * moduli[1]}), Mod(pair, {moduli[0] * moduli[1]})), Eq(Mod(triple,
                    {moduli[2]}), r_{moduli[2]}))
            step With all of them it is {reached[-1]}.
                :: And({", ".join(f"Eq(Mod(answer, {m}), r_{m})" for m in moduli)}, Le(answer, period), Ge(answer, 1))
        """)

    parameters = {"moduli": moduli, "remainders": names, "low": 0, "limit": period, "least": True}
    ranges = {name: (0, m - 1) for name, m in zip(names, moduli, strict=True)}
    phrases = {f"r({m})": (f"remainder on division by {m}", f"remainder modulo {m}") for m in moduli}
    return Setting(text, parameters, ranges, derive, phrases=phrases)


def _divisors(rng: Rng, difficulty: int) -> Setting:
    """A number known by hidden exponents of its primes."""
    primes = (2, 3, 5, 7) if difficulty <= 2 else (2, 3, 5, 7, 11)
    most = between(rng, 18, 30)
    names = [f"e({p})" for p in primes]
    product = " * ".join(f"{p}^e({p})" for p in primes)
    question = one_of(
        rng,
        """
            How many ordered pairs (x, y) of positive whole numbers have the least common multiple n?
            Two lamps start together and flash at regular intervals of x and y seconds, positive whole numbers; they
                next flash together after exactly n seconds. How many pairs (x, y) are possible? (Order counts.)
        """,
    )
    text = f"n = {product}, where {listed(names)} are hidden. {question}"

    def derive(draft: Draft, found: Values) -> None:
        for p, name in zip(primes, names, strict=True):
            draft.note(f"""
                find ways_{p} = {2 * found[name] + 1}: number of pairs of exponents of {p}; ways for the prime {p}
                step The larger exponent of {p} is e({p}), the other at most that: {2 * found[name] + 1} ways.
                    :: Eq(ways_{p}, 2*e_{p} + 1)
            """)
        answer = math.prod(2 * value + 1 for value in found.values())
        draft.note(f"""
            find answer = {answer}: answer; number of pairs; pairs
            step The primes are independent of each other. :: Eq(answer, {"*".join(f"ways_{p}" for p in primes)})
        """)

    phrases = {f"e({p})": (f"exponent of {p}", f"exponent of the prime {p}") for p in primes}
    return Setting(text, {"exponents": names}, dict.fromkeys(names, (0, most)), derive, phrases=phrases)


def _count_pairs(given: Mapping[str, Any]) -> int:
    """Try all pairs of exponents, prime by prime."""
    tried = (itertools.product(range(e + 1), repeat=2) for e in given["exponents"])
    return math.prod(sum(max(x, y) == e for x, y in pairs) for e, pairs in zip(given["exponents"], tried, strict=True))


def _zeros(rng: Rng, difficulty: int) -> Setting:
    """The zeros at the end of a product whose first and last factor are hidden."""
    base = pick(rng, (10, 12, 14, 15, 18, 20, 24))
    span = 2 ** (8 + difficulty)
    numerals = "the usual decimal way" if base == 10 else f"base {base} (with the digits 0 to {base - 1})"
    text = f"""All whole numbers from low to high, both included, are multiplied, and the product is written in
        {numerals}. The numbers low and high are hidden. How many zeros stand at the end of the product, after its last
        other digit?"""

    def exponent(prime: int, found: Values) -> int:
        def of_factorial(n: int) -> int:
            return sum(n // prime**k for k in range(1, 14))

        return of_factorial(found["high"]) - of_factorial(found["low"] - 1)

    def derive(draft: Draft, found: Values) -> None:
        parts = []
        for prime, power in prime_factors(base):
            times = exponent(prime, found)
            parts.append(f"full_{prime}")
            draft.note(f"""
                find v_{prime} = {times}: exponent of {prime} in the product; how often {prime} divides the product
                find full_{prime} = {times // power}: zeros that the factor {prime} allows; full groups of {prime}
                step The prime {prime} divides the product {times} times, by counting multiples of its powers.
                    :: Eq(v_{prime}, multiplicity({prime}, factorial(high)) - multiplicity({prime}, factorial(low - 1)))
                step It allows {times // power} zeros. :: Eq(full_{prime}, floor(v_{prime}/{power}))
            """)
        answer = min(exponent(prime, found) // power for prime, power in prime_factors(base))
        least = f"Min({', '.join(parts)})" if len(parts) > 1 else parts[0]
        draft.note(f"""
            find answer = {answer}: answer; number of zeros; zeros
            step The prime that allows the fewest zeros decides. :: Eq(answer, {least})
        """)

    parameters = {"kind": "range", "base": base, "n": "high", "low": "low", "wanted": 0}
    ranges = {"low": (1, span), "high": (span + 1, 3 * span)}
    phrases = {"low": ("first factor", "smallest factor"), "high": ("last factor", "largest factor")}
    return Setting(text, parameters, ranges, derive, phrases=phrases)


def _towers(rng: Rng, difficulty: int) -> Setting:
    """The last digits of a sum of two powers, all of whose parts are hidden."""
    digits = 2 if difficulty <= 2 else 3
    modulus = 10**digits
    text = f"""The whole numbers a, b, c and d are hidden. What is the remainder of a^b + c^d on division by {modulus}?
        (Here x^y means x to the power of y.)"""

    def residue(base: int, exponent: int) -> int:
        found = 1
        for _ in range(exponent):
            found = found * base % modulus
        return found

    def derive(draft: Draft, found: Values) -> None:
        first, second = residue(found["a"], found["b"]), residue(found["c"], found["d"])
        draft.note(f"""
            find first = {first}: remainder of a^b; remainder of the first power
            find second = {second}: remainder of c^d; remainder of the second power
            find answer = {(first + second) % modulus}: answer; remainder of the sum; remainder
            step a^b leaves {first}. :: Eq(first, Mod(a**b, {modulus}))
            step c^d leaves {second}. :: Eq(second, Mod(c**d, {modulus}))
            step Their sum leaves {(first + second) % modulus}. :: Eq(answer, Mod(first + second, {modulus}))
        """)

    parameters = {"parts": [["a", "b", 1], ["c", "d", 1]], "digits": digits}
    ranges = {"a": (2, 99), "b": (40, 295), "c": (2, 99), "d": (40, 295)}
    phrases = {"a": ("first base",), "b": ("first exponent",), "c": ("second base",), "d": ("second exponent",)}
    return Setting(text, parameters, ranges, derive, phrases=phrases)


HIDDEN: Mapping[str, HiddenPart] = {
    "remainders": HiddenPart(_remainders, by(Remainders(), 2)),
    "divisors": HiddenPart(_divisors, _count_pairs),
    "zeros": HiddenPart(_zeros, by(Zeros(), 2)),
    "towers": HiddenPart(_towers, by(Towers(), 5)),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
