"""``zeros``: zeros at the end of factorials and their kin, in several bases."""

from __future__ import annotations

import itertools

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import prime_factors


class Zeros(Generator):
    """Zeros at the end of factorials and their kin, in several bases."""

    name = "zeros"
    field = "number theory"

    _people = ("The Oruvai", "The islanders of Tesk", "The clockmakers of Brae", "The Umari", "The engineers of Lune")

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: a factorial; 2: a product from m to n; 3: another base; 4: many factorials; 5: the factorial is sought."""
        base = 10 if difficulty <= 2 else pick(rng, (12, 18, 20, 24, 45))
        if difficulty == 4:
            base = pick(rng, (6, 14, 15, 21, 12, 18))
        factors = prime_factors(base)
        low, wanted = 0, 0
        if difficulty in (1, 3):
            n = between(rng, 300, 2400)
        elif difficulty == 2:
            low, n = between(rng, 300, 700), between(rng, 1400, 2600)
        elif difficulty == 4:
            n = between(rng, 60, 160)
        else:
            wanted = between(rng, 60, 300)
            n = next(k for k in itertools.count(1) if _ends(k, factors, 0) >= wanted)
        kind = ("factorial", "range", "factorial", "pile", "inverse")[difficulty - 1]
        draft = Draft(self, difficulty, kind=kind, base=base, n=n if kind != "inverse" else 0, low=low, wanted=wanted)
        people = pick(rng, self._people)
        lead = where = ""
        hint, plain = "", " in the usual decimal way"
        if base != 10:
            lead = f"""{people} write numbers in base {base}: they use {base} different digits, and the last place
                counts ones, the one before it {base}s, then {base * base}s, and so on. """
            where, plain, hint = " in that base", "", " (Write your answer in the usual decimal way.)"
        heir = pick(rng, ("A clerk", "A schoolchild", "An old machine"))
        ask = "How many zeros stand at the end of it, after its last other digit?" + hint
        text = {
            "factorial": f"""{lead}{heir} multiplies all the whole numbers from 1 to {n} and writes the
                product{plain}{where}. {ask}""",
            "range": f"""{heir} multiplies all the whole numbers from {low} to {n}, both included, and writes the
                product{plain}. {ask}""",
            "pile": f"""{lead}{heir} works out 1!, 2!, 3! and so on up to {n}!, where k! is the product of all the whole
                numbers from 1 to k, multiplies all these {n} numbers together and writes the result{where}. {ask}""",
            "inverse": f"""{lead}{heir} multiplies 1, 2, 3 and so on, writes each product{where}, and stops as soon as a
                product ends in at least {wanted} zeros. What is the last number by which the product was multiplied?
                (Write it in the usual decimal way.)""",
        }[kind]
        draft.give(
            "base",
            base,
            "base",
            "number base",
            "base of the number system",
            "base of the system",
            "number of different digits",
        )
        claim = " * ".join(f"{p}**{e}" for p, e in factors)
        draft.step(
            f"{base} is {' times '.join(str(p) if e == 1 else f'{p}^{e}' for p, e in factors)}.", f"Eq(base, {claim})"
        )
        if kind == "inverse":
            return self._inverse(draft, text, factors, n, wanted)
        draft.give(
            "n",
            n,
            "largest factor",
            "last number multiplied" if kind != "pile" else "number of factorials",
            "largest number",
            "last factor",
            "last number",
            "upper bound",
        )
        if low:
            draft.give(
                "low",
                low,
                "smallest factor",
                "first number multiplied",
                "smallest number",
                "first factor",
                "first number",
                "lower bound",
            )
        totals = []
        for prime, exponent in factors:
            powers = [prime**k for k in range(1, 20) if prime**k <= n]
            if kind == "pile":
                value = sum(sum(j // q for j in range(1, n + 1)) for q in powers)
            else:
                value = sum(n // q - max(low - 1, 0) // q for q in powers)
            totals.append((prime, exponent, value))
            words = (f"exponent of {prime}", f"number of factors {prime}", f"power of {prime} in product")
            draft.find(
                f"v_{prime}",
                value,
                *words,
                f"multiplicity of {prime}",
                f"factors {prime} in the product",
                f"number of {prime}s",
                f"exponent of {prime} in the product",
            )
            if kind == "factorial":
                draft.note(f"""
                    step {prime} divides the product {value} times.
                        :: Eq(v_{prime}, {" + ".join(f"floor(n/{q})" for q in powers)})
                    step {powers[-1]} is the last power of {prime} that matters.
                        :: And(Le({powers[-1]}, n), Gt({powers[-1] * prime}, n))
                """)
            elif kind == "range":
                total = " + ".join(f"floor(n/{q}) - floor((low - 1)/{q})" for q in powers)
                draft.note(f"""
                    step {prime} divides {n}! exactly {sum(n // q for q in powers)} times.
                        :: Eq({sum(n // q for q in powers)}, {" + ".join(f"floor(n/{q})" for q in powers)})
                    step Without the factors below {low}, {prime} divides the product {value} times.
                        :: Eq(v_{prime}, {total})
                """)
            else:
                parts = []
                for q in powers:
                    times = n // q
                    draft.aside(f"{q} divides {times} of the numbers from 1 to {n}.", f"Eq(floor(n/{q}), {times})")
                    # a multiple c*q of q is in the n + 1 - c*q factorials from its own on
                    parts.append(f"{times}*(n + 1) - {q}*{times}*({times} + 1)/2")
                draft.step(
                    f"A number k is a factor in n + 1 - k of the factorials; so {prime} divides the result {value} "
                    "times.",
                    f"Eq(v_{prime}, {' + '.join(parts)})",
                )
        for prime, exponent, value in totals:
            draft.note(f"""
                find full_{prime} = {value // exponent}: zeros allowed by {prime}; number of complete powers
                    {prime}^{exponent}; zeros that {prime} allows; number of zeros allowed by {prime}; number of
                    complete powers of {prime}
                step That is enough for {value // exponent} zeros. :: Eq(full_{prime}, floor(v_{prime}/{exponent}))
            """)
        draft.find(
            "answer",
            min(v // e for _, e, v in totals),
            "answer",
            "number of zeros",
            "zeros at end",
            "number of zeros at the end",
            "number of zeros at end",
            "trailing zeros",
            "number of trailing zeros",
            "zeros",
            "final zeros",
            "count of zeros",
        )
        draft.step(
            "The scarcer prime decides.", f"Eq(answer, Min({', '.join(f'full_{prime}' for prime, _ in factors)}))"
        )
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Divide the number itself by the base as long as that goes."""
        known = problem.parameters
        base = known["base"]
        if known["kind"] == "inverse":
            product, target = 1, base ** known["wanted"]
            for n in itertools.count(1):
                product *= n
                if product % target == 0:
                    return n
        number, product = 1, 1
        for k in range(max(1, known["low"]), known["n"] + 1):
            product *= k
            number = number * product if known["kind"] == "pile" else product
        zeros = 0
        while number % base**64 == 0:
            number, zeros = number // base**64, zeros + 64
        while number % base == 0:
            number, zeros = number // base, zeros + 1
        return zeros

    def _inverse(self, draft: Draft, text: str, factors: list[tuple[int, int]], n: int, wanted: int) -> Problem:
        draft.give(
            "wanted",
            wanted,
            "number of zeros wanted",
            "zeros needed",
            "wanted zeros",
            "number of zeros needed",
            "least number of zeros",
            "required number of zeros",
            "zeros wanted",
        )
        needs = []
        for prime, exponent in factors:
            needed = wanted * exponent
            first = next(k for k in itertools.count(prime, prime) if _exponent(k, prime) >= needed)
            powers = [prime**k for k in range(1, 20) if prime**k <= first]
            needs.append(first)
            draft.note(f"""
                find need_{prime} = {needed}: number of factors {prime} needed; exponent of {prime} needed; number of
                    factors {prime} wanted; factors {prime} needed; multiplicity of {prime} needed; needed exponent of
                    {prime}
                find first_{prime} = {first}: first number with enough factors {prime}; bound from {prime}; first number
                    with enough {prime}s; smallest number with enough factors {prime}; number needed for {prime}
                step {needed} factors {prime} are needed. :: Eq(need_{prime}, {exponent}*wanted)
                step {first}! has at least as many.
                    :: Ge({" + ".join(f"floor(first_{prime}/{q})" for q in powers)}, need_{prime})
                step {first - 1}! has fewer.
                    :: Lt({" + ".join(f"floor((first_{prime} - 1)/{q})" for q in powers)}, need_{prime})
            """)
        draft.find(
            "answer",
            n,
            "answer",
            "last number multiplied",
            "number at which it stops",
            "last number",
            "last factor",
            "last multiplier",
            "number at which the machine stops",
            "last number by which it was multiplied",
            "final number",
        )
        names = ", ".join(f"first_{prime}" for prime, _ in factors)
        draft.step("The later of the two decides.", f"Eq(answer, Max({names}))")
        return draft.problem(text)


def _exponent(n: int, prime: int) -> int:
    """Return how often a prime divides n!."""
    return sum(n // prime**k for k in range(1, 20))


def _ends(n: int, factors: list[tuple[int, int]], low: int) -> int:
    """Zeros at the end of n!/low! in the base with these factors."""
    return min((_exponent(n, p) - _exponent(low, p)) // e for p, e in factors)
