"""Hidden parts of algebra: values of a polynomial, its coefficients, a function with a rule for sums."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from interactive_envs.mathematics.generators.algebra.functional import Functional
from interactive_envs.mathematics.generators.algebra.interpolation import Interpolation
from interactive_envs.mathematics.generators.algebra.roots import Roots
from interactive_envs.mathematics.generators.draft import Draft, Rng, between
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import listed

_SUMS = ("sum of the roots", "sum of the squares of the roots", "sum of the cubes of the roots")
"""Other names of the first sums of powers."""


def _interpolation(rng: Rng, difficulty: int) -> Setting:
    """A polynomial with hidden values."""
    degree = between(rng, 3, 4) + (difficulty > 2)
    at = degree + between(rng, 1, 3)
    names = [f"f({k})" for k in range(degree + 1)]
    text = f"""f is a polynomial of degree at most {degree}. Its values {listed(names)} are hidden. What is f({at})?"""

    def derive(draft: Draft, found: Values) -> None:
        row = list(found.values())
        tops = []
        while row:
            tops.append(row[0])
            row = [b - a for a, b in itertools.pairwise(row)]
        answer = sum(math.comb(at, k) * top for k, top in enumerate(tops))
        for k, top in enumerate(tops[1:], 1):
            draft.find(f"top_{k}", top, f"first difference of order {k}", f"difference number {k} at 0")
            claim = " + ".join(f"{(-1) ** (k - i) * math.comb(k, i)}*f_{i}" for i in range(k + 1))
            draft.step(f"The first difference of order {k} is {top}.", f"Eq(top_{k}, {claim})")
        claim = " + ".join(["f_0", *(f"{math.comb(at, k)}*top_{k}" for k in range(1, degree + 1))])
        draft.note(f"""
            find answer = {answer}: answer; f({at}); value at {at}
            step Newton's formula takes them to {at}. :: Eq(answer, {claim})
        """)

    parameters = {"points": [[k, name] for k, name in enumerate(names)], "at": at}
    phrases = {name: (f"value of f at {k}",) for k, name in enumerate(names)}
    return Setting(text, parameters, dict.fromkeys(names, (-20, 20)), derive, phrases=phrases)


def _roots(rng: Rng, difficulty: int) -> Setting:
    """A sum of powers of the roots of a polynomial with hidden coefficients."""
    degree = 3 if difficulty <= 2 else 4
    power = 3 if difficulty == 1 else 5
    bound = 60 if degree == 3 else 30
    names = [f"c({k})" for k in range(1, degree + 1)]
    terms = " + ".join([f"x^{degree}", *(f"c({k}) x^{degree - k}" for k in range(1, degree)), f"c({degree})"])
    text = f"""The polynomial {terms} has {degree} roots, which need not be real; a multiple root is counted as often as
        it occurs. The coefficients {listed(names)} are hidden. What is the sum of the roots' powers with the exponent
        {power}? (Each root is raised to the power of {power}, and the results are added.)"""

    def derive(draft: Draft, found: Values) -> None:
        coefficients = list(found.values())
        sums = [0]
        for k in range(1, power + 1):
            more = sum(coefficients[i - 1] * sums[k - i] for i in range(1, k) if i <= degree)
            sums.append(-more - (k * coefficients[k - 1] if k <= degree else 0))
        draft.find("product", (-1) ** degree * coefficients[-1], "product of the roots", "product of all roots")
        for k in range(1, power):
            called = (f"sum of the powers with exponent {k}", f"power sum {k}", *_SUMS[k - 1 : k])
            draft.find(f"sum_{k}", sums[k], *called)
            draft.step(f"The sum of the powers with exponent {k} is {sums[k]}.", f"Eq(sum_{k}, {newton(k)})")
        draft.note(f"""
            find answer = {sums[power]}: answer; sum of the powers with exponent {power}; power sum {power}; sum of the
                {"cubes" if power == 3 else "fifth powers"} of the roots
            step Newton's identities give the next one, too. :: Eq(answer, {newton(power)})
        """)

    def newton(k: int) -> str:
        """The identity for a power sum, as a claim's text."""
        more = [f"c_{i}*sum_{k - i}" for i in range(1, k) if i <= degree]
        return f"-({' + '.join([*more, *([f'{k}*c_{k}'] if k <= degree else [])])})"

    parameters = {"coefficients": [1, *names], "level": 3 if power == 5 else 1, "shift": 0}
    return Setting(text, parameters, dict.fromkeys(names, (-bound, bound)), derive)


def _functional(rng: Rng, difficulty: int) -> Setting:
    """A function with a rule for sums and hidden numbers in it."""
    at = between(rng, 11, 30)
    most = 40 * difficulty
    text = f"""A function f is defined for all positive whole numbers and satisfies f(x + y) = f(x) + f(y) + m x y + c
        for all of them. The numbers f(1), m and c are hidden. What is f({at})?"""

    def derive(draft: Draft, found: Values) -> None:
        one, m, c = found["f(1)"], found["m"], found["c"]
        pairs = at * (at - 1) // 2
        for k in range(2, 10):
            value = k * one + (k - 1) * c + m * k * (k - 1) // 2
            draft.find(f"f_{k}", value, f"f({k})", f"value at {k}", f"value of f at {k}")
        draft.note(f"""
            find pairs = {pairs}: sum of the numbers from 1 to {at - 1}; number of pairs below {at}
            find mixed = {m * pairs}: share of m; part of the answer with m
            find answer = {at * one + (at - 1) * c + m * pairs}: answer; f({at}); value at {at}
            step With x = y = 1 the rule says f(2) = {2 * one + m + c}. :: Eq(f_2, 2*f_1 + m + c)
            step From k to k + 1 the rule adds f(1) + m k + c; the k add up to {pairs}.
                :: Eq(pairs, {at}*{at - 1}/2)
            step So m contributes {m * pairs}. :: Eq(mixed, m*pairs)
            step Adding up from 1 to {at} gives the answer. :: Eq(answer, {at}*f_1 + {at - 1}*c + mixed)
        """)

    parameters = {"one": "f(1)", "constant": "c", "mixed": "m", "at": at}
    return Setting(text, parameters, dict.fromkeys(("f(1)", "m", "c"), (1, most)), derive)


HIDDEN: Mapping[str, HiddenPart] = {
    "interpolation": HiddenPart(_interpolation, by(Interpolation(), 1)),
    "roots": HiddenPart(_roots, by(Roots(), 3)),
    "functional": HiddenPart(_functional, by(Functional(), 1)),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
