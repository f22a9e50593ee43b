"""Problems on remainders, powers, factorials, divisors and coins."""

from __future__ import annotations

import itertools
import math

import numpy as np

from interactive_envs.mathematics.base import Generator, Problem
from interactive_envs.mathematics.draft import Draft, between, fill, pick, pick_some

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Remainders(Generator):
    """A number known by what is left over; the last level wants two of three remainders at least."""

    name = "remainders"
    field = "number theory"

    _settings = (
        {
            "all": "the dancers of a festival",
            "things": "dancers",
            "put": "line up in rows of {m}",
            "left": "{r} dancers are left over",
            "none": "nobody is left over",
            "one": "1 dancer is left over",
        },
        {
            "all": "the rolls that a bakery has baked",
            "things": "rolls",
            "put": "are packed into bags of {m}",
            "left": "{r} rolls are left over",
            "none": "no roll is left over",
            "one": "1 roll is left over",
        },
        {
            "all": "the books of a school library",
            "things": "books",
            "put": "are put on shelves of {m}",
            "left": "{r} books are left over",
            "none": "no book is left over",
            "one": "1 book is left over",
        },
        {
            "all": "the beads in a jar",
            "things": "beads",
            "put": "are threaded on strings of {m}",
            "left": "{r} beads are left over",
            "none": "no bead is left over",
            "one": "1 bead is left over",
        },
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: two remainders; 2: three; 3: within bounds; 4: divisors with common factors; 5: two of three are true."""
        words = pick(rng, self._settings)
        if difficulty <= 3:
            moduli = pick_some(rng, (7, 8, 9, 11, 13, 15, 17, 19), 2 if difficulty == 1 else 3)
        elif difficulty == 4:
            moduli = [*pick_some(rng, (12, 18, 20, 28, 30, 42), 2), pick(rng, (11, 13, 17))]
        else:
            moduli = pick_some(rng, (5, 7, 8, 9, 11, 13), 3)
        period = math.lcm(*moduli)
        if difficulty != 4 and period != math.prod(moduli):
            return None
        secret = between(rng, max(moduli) + 1, period - 1)
        remainders = [secret % m for m in moduli]
        low, limit = 0, period
        if difficulty == 3:
            low = period * between(rng, 2, 5) + between(rng, 1, period - 1)
            limit = low + period - 1
        elif difficulty >= 4:
            limit = period * (between(rng, 2, 4) if difficulty == 5 else between(rng, 14, 97)) + between(
                rng, 50, period - 1
            )
        draft = Draft(
            self, difficulty, moduli=moduli, remainders=remainders, low=low, limit=limit, least=difficulty <= 3
        )
        for ordinal, m in zip(ORDINALS, moduli, strict=False):
            draft.give(f"m_{ordinal}", m, f"{ordinal} divisor", f"{ordinal} group size", f"{ordinal} modulus")
        clauses = [self._clause(words, m, r) for m, r in zip(moduli, remainders, strict=True)]
        listed = "; ".join(f"if they {clause}" for clause in clauses)
        if difficulty == 5:
            return self._two_of_three(draft, words, moduli, remainders, limit, clauses)
        said = fill("Somebody counts {all}, but forgets the number.", words)
        said += f" This is still known: {listed}."
        if difficulty <= 2:
            text = fill(
                "{said} What is the smallest positive number of {things} for which all this is true?",
                {
                    **words,
                    "said": said,
                },
            )
        elif difficulty == 3:
            text = fill(
                "{said} There were at least {low} and at most {limit} {things}. How many were there?",
                {**words, "said": said, "low": low, "limit": limit},
            )
        else:
            text = fill(
                "{said} The number was at least 1 and at most {limit}. "
                "How many different numbers of {things} agree with all this?",
                {**words, "said": said, "limit": limit},
            )
        return self._all_true(draft, text, moduli, remainders, low, limit)

    def confirm(self, problem: Problem) -> int:
        """Count up from one."""
        known = problem.parameters
        pairs = list(zip(known["moduli"], known["remainders"], strict=True))
        wanted = 2 if problem.difficulty == 5 else len(pairs)
        numbers = np.arange(max(1, known["low"]), known["limit"] + 1)
        agreeing = numbers[sum((numbers % m == r).astype(int) for m, r in pairs) >= wanted]
        return int(agreeing[0] if known["least"] else len(agreeing))

    def _clause(self, words: dict[str, str], m: int, r: int) -> str:
        left = words["none"] if r == 0 else words["one"] if r == 1 else words["left"].format(r=r)
        return f"{words['put'].format(m=m)}, {left}"

    def _all_true(
        self, draft: Draft, text: str, moduli: list[int], remainders: list[int], low: int, limit: int
    ) -> Problem:
        pair = math.lcm(*moduli[:2])
        period = math.lcm(*moduli)
        first = next(n for n in range(1, pair + 1) if n % moduli[0] == remainders[0] and n % moduli[1] == remainders[1])
        least = next(n for n in range(first, period + 1, pair) if n % moduli[-1] == remainders[-1])
        draft.find("pair_period", pair, "period of first two conditions", "lcm of first two divisors")
        if len(moduli) == 2:
            full = (least - remainders[0]) // moduli[0]
            draft.find("full", full, "number of full first groups", "quotient by first divisor")
            draft.find("answer", least, "answer", "number", "smallest number", "total")
            draft.step(f"The number is {moduli[0]} k + {remainders[0]}.", f"Eq(answer, m_first*full + {remainders[0]})")
            draft.step("The two divisors have no common factor.", "Eq(gcd(m_first, m_second), 1)")
            draft.step(f"So the conditions repeat every {pair}.", "Eq(pair_period, m_first*m_second)")
            draft.step(
                "k is fixed by the second condition.",
                f"Eq(Mod(m_first*full + {remainders[0]}, m_second), {remainders[1]})",
            )
            draft.step("k is smaller than the second divisor.", "And(Ge(full, 0), Lt(full, m_second))")
            draft.step(f"The smallest number is {least}.", "And(Ge(answer, 1), Le(answer, pair_period))")
            draft.aside("The number meets the first condition.", f"Eq(Mod(answer, m_first), {remainders[0]})")
            return draft.problem(text)
        draft.find("pair_least", first, "smallest number for first two conditions", "solution of first two conditions")
        draft.find("period", period, "period of all conditions", "lcm of all divisors")
        draft.find("jumps", (least - first) // pair, "number of periods added", "multiples of pair period added")
        draft.step(f"The first two conditions together repeat every {pair}.", "Eq(pair_period, lcm(m_first, m_second))")
        draft.step(
            f"The smallest positive number that meets them is {first}.",
            f"And(Eq(Mod(pair_least, m_first), {remainders[0]}), Eq(Mod(pair_least, m_second), {remainders[1]}))",
        )
        draft.step("It is not larger than that period.", "And(Ge(pair_least, 1), Le(pair_least, pair_period))")
        draft.step(f"All three conditions repeat every {period}.", "Eq(period, lcm(pair_period, m_third))")
        draft.step(
            "Adding that period until the third condition holds gives the smallest solution.",
            f"Eq(Mod(pair_least + jumps*pair_period, m_third), {remainders[2]})",
        )
        if limit == period:
            draft.find("answer", least, "answer", "number", "smallest number", "total")
            draft.step(f"The smallest number is {least}.", "Eq(answer, pair_least + jumps*pair_period)")
            return draft.problem(text)
        draft.find("least", least, "smallest number for all conditions", "smallest positive solution")
        draft.step(f"That is {least}.", "Eq(least, pair_least + jumps*pair_period)")
        draft.give("limit", limit, "upper bound", "limit")
        if low:
            rounds = -(-(low - least) // period)
            draft.give("low", low, "lower bound", "least possible number told")
            draft.find("rounds", rounds, "number of full periods added", "full periods below lower bound")
            draft.find("answer", least + rounds * period, "answer", "number", "total")
            draft.step("The bounds are one period apart.", "Eq(limit - low + 1, period)")
            draft.step("Add the period until the bounds are met.", "Eq(answer, least + rounds*period)")
            draft.step("The answer lies within the bounds.", "And(Ge(answer, low), Le(answer, limit))")
        else:
            draft.find("answer", (limit - least) // period + 1, "answer", "count", "number of possible numbers")
            draft.find("last", limit - (limit - least) % period, "largest possible number", "last solution")
            draft.step("The last solution is within the bound.", "And(Le(last, limit), Gt(last + period, limit))")
            draft.step("Count from the smallest to the last.", "Eq(answer, (last - least)/period + 1)")
        return draft.problem(text)

    def _two_of_three(
        self,
        draft: Draft,
        words: dict[str, str],
        moduli: list[int],
        remainders: list[int],
        limit: int,
        clauses: list[str],
    ) -> Problem:
        listed = "; ".join(f"({i}) if they {clause}" for i, clause in enumerate(clauses, start=1))
        text = fill(
            "Three helpers each say one thing about {all}: {listed}. It turns out that at least two of the three "
            "statements are true. The number of {things} is at least 1 and at most {limit}. "
            "How many different numbers of {things} are possible?",
            {**words, "listed": listed, "limit": limit},
        )
        conditions = list(zip(moduli, remainders, strict=True))
        counts = {}
        for i, j in itertools.combinations(range(3), 2):
            product = moduli[i] * moduli[j]
            (m, r), (n, s) = conditions[i], conditions[j]
            first = next(x for x in range(1, product + 1) if x % m == r and x % n == s)
            counts[i, j] = (limit - first) // product + 1 if first <= limit else 0
            names = f"{ORDINALS[i]} and {ORDINALS[j]}"
            a, b = ORDINALS[i], ORDINALS[j]
            draft.find(f"least_{i + 1}{j + 1}", first, f"smallest number for {names}", f"least solution of {names}")
            draft.find(f"count_{i + 1}{j + 1}", counts[i, j], f"count for {names}", f"how many meet {names}")
            draft.step(
                f"Statements {i + 1} and {j + 1} are both true first at {first}.",
                f"And(Eq(Mod(least_{i + 1}{j + 1}, m_{a}), {r}), Eq(Mod(least_{i + 1}{j + 1}, m_{b}), {s}))",
            )
            draft.step(
                f"So they are both true for {counts[i, j]} numbers.",
                f"Eq(count_{i + 1}{j + 1}, floor(({limit} - least_{i + 1}{j + 1})/(m_{a}*m_{b})) + 1)",
            )
        period = math.prod(moduli)
        first = next(x for x in range(1, period + 1) if all(x % m == r for m, r in conditions))
        every = (limit - first) // period + 1 if first <= limit else 0
        draft.find("least_123", first, "smallest number for all three", "least solution of all three")
        draft.find("count_123", every, "count for all three", "how many meet all three")
        draft.find("answer", sum(counts.values()) - 2 * every, "answer", "number of possible numbers")
        draft.step(
            f"All three are true first at {first}.",
            "And("
            + ", ".join(f"Eq(Mod(least_123, m_{o}), {r})" for o, r in zip(ORDINALS, remainders, strict=False))
            + ")",
        )
        draft.step(
            f"So all three are true for {every} numbers.",
            f"Eq(count_123, floor(({limit} - least_123)/(m_first*m_second*m_third)) + 1)",
        )
        draft.step(
            "Each of these was counted three times and is wanted once.",
            "Eq(answer, count_12 + count_13 + count_23 - 2*count_123)",
        )
        return draft.problem(text)


class Towers(Generator):
    """The last digits of powers and of towers of powers."""

    name = "towers"
    field = "number theory"

    _settings = (
        "A counter shows 1. Each tick multiplies the number that it holds by {a}. {ticks} Its display has room for "
        "the last {digits} digits only. Which number is in the display after the last tick?",
        "A legend tells of a king who put 1 grain into a chest and then, night after night, multiplied what was in it "
        "by {a}. {nights} A scribe wrote down the last {digits} digits of the final number of grains. Which number "
        "did the scribe write?",
        "A computer stores 1 and runs a loop whose body multiplies the stored number by {a}. {runs} It then prints "
        "only the last {digits} digits of what is stored. Which number does it print?",
    )
    _times = (
        "It ticks exactly {times} times.",
        "He did so on exactly {times} nights.",
        "The body runs exactly {times} times.",
    )
    _sums = (
        "Two counters show 1. Each tick multiplies the first by {a} and each tock multiplies the second by {c}. There "
        "are exactly {times} ticks and exactly {others} tocks. Then the two numbers are added. Which number do the "
        "last {digits} digits of the sum form?",
        "Two chests hold 1 grain each. On {times} nights a king multiplies what is in the first by {a}; on {others} "
        "nights he multiplies what is in the second by {c}. Then he pours the chests together. Which number do the "
        "last {digits} digits of the total number of grains form?",
        "A program multiplies one store, which begins as 1, by {a}, exactly {times} times, and another, which also "
        "begins as 1, by {c}, exactly {others} times. It prints the last {digits} digits of the sum of the two. Which "
        "number does it print?",
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: a power; 2: of an even number; 3: a tower; 4: a tower on an even number; 5: the sum of two towers."""
        digits = 2 if difficulty <= 2 else 3
        modulus = 10**digits
        setting = between(rng, 0, 2)
        odd = pick(rng, (3, 7, 13, 17, 23, 27, 33, 37, 43, 47, 53))
        even = pick(rng, (2, 4, 6, 8, 12, 14, 18, 22, 34))
        height, top = pick(rng, (3, 7, 9, 11, 13)), between(rng, 12, 60)
        lower, upper = pick(rng, (3, 7, 9, 11, 13)), between(rng, 61, 99)
        draft_parts: list[tuple[int, int, int]]
        if difficulty <= 2:
            draft_parts = [(odd if difficulty == 1 else even, between(rng, 1000, 9999), 1)]
        elif difficulty <= 4:
            draft_parts = [(odd if difficulty == 3 else even, height, top)]
        else:
            draft_parts = [(odd, height, top), (even, lower, upper)]
        draft = Draft(self, difficulty, parts=[list(part) for part in draft_parts], digits=digits)
        draft.find("modulus", modulus, "modulus", "power of ten")
        residues = [
            self._derive(draft, i, part, digits, short=len(draft_parts) > 1) for i, part in enumerate(draft_parts)
        ]
        written = [f"{b}" if c == 1 else f"{b}^{c}" for _, b, c in draft_parts]
        if difficulty <= 4:
            times = self._times[setting].format(times=written[0])
            text = self._settings[setting].format(
                a=draft_parts[0][0], digits=digits, ticks=times, nights=times, runs=times
            )
            found = residues[0]
            draft.find("answer", found, "answer", "last digits", "number formed by last digits")
            draft.step(f"The last digits are {found}.", "Eq(Mod(answer, modulus), Mod(residue_a, modulus))")
        else:
            text = self._sums[setting].format(a=odd, c=even, times=written[0], others=written[1], digits=digits)
            found = sum(residues) % modulus
            draft.find("answer", found, "answer", "last digits of sum", "number formed by last digits")
            draft.step("Add the two and keep the last digits.", "Eq(answer, Mod(residue_a + residue_c, modulus))")
        if found < modulus // 10:
            return None
        if difficulty >= 3:
            text += " (Here x^y means x to the power of y.)"
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Fast exponentiation."""
        modulus: int = 10 ** problem.parameters["digits"]
        return int(sum(pow(a, b**c, modulus) for a, b, c in problem.parameters["parts"]) % modulus)

    def _derive(self, draft: Draft, index: int, part: tuple[int, int, int], digits: int, *, short: bool) -> int:
        base, lower, upper = part
        which = "ac"[index]
        label = ("first ", "second ")[index] if short else ""
        modulus = 10**digits
        odd_part = modulus if base % 2 else 5**digits
        period = next(k for k in range(1, odd_part) if pow(base, k, odd_part) == 1)
        rest = pow(lower, upper, period)
        on_odd = pow(base, rest, odd_part)
        residue = next(x for x in range(on_odd, modulus, odd_part) if base % 2 or x % 2**digits == 0)
        draft.give(f"base_{which}", base, f"{label}factor", f"{label}base", f"{label}multiplier")
        if not short:
            draft.give("lower_a", lower, "base of exponent", "exponent's base")
            if upper > 1:
                draft.give("upper_a", upper, "exponent of exponent", "top exponent")
        draft.find(f"period_{which}", period, f"{label}period", f"{label}cycle length", f"{label}order")
        draft.find(f"rest_{which}", rest, f"{label}reduced exponent", f"{label}exponent modulo period")
        draft.find(f"residue_{which}", residue, f"{label}power modulo {modulus}", f"{label}power's last digits")
        if base % 2:
            draft.step(
                f"{base} has no factor in common with {modulus}, so its powers run in a cycle.",
                f"Eq(gcd(base_{which}, modulus), 1)",
            )
        else:
            draft.find(f"odd_{which}", odd_part, f"{label}odd part of modulus", f"{label}power of five")
            draft.find(f"on_odd_{which}", on_odd, f"{label}power modulo {odd_part}", f"{label}power modulo odd part")
            draft.step(
                f"{modulus} is {2**digits} times {odd_part}; the two are looked at apart.",
                f"Eq(modulus, {2**digits}*odd_{which})",
            )
            if not short:
                draft.step(
                    f"{base} is even and the exponent at least {digits}, so {2**digits} divides the power.",
                    f"Eq(Mod(base_{which}**{digits}, {2**digits}), 0)",
                )
        cycle = f"odd_{which}" if base % 2 == 0 else "modulus"
        draft.step(
            f"The powers of {base} modulo {odd_part} repeat with period {period}.",
            f"Eq(Mod(base_{which}**period_{which}, {cycle}), 1)",
        )
        if not short:
            draft.step("No smaller period will do.", f"Eq(n_order(base_{which}, {cycle}), period_{which})")
        exponent = f"{lower}**{upper}"
        draft.step(
            f"The exponent leaves {rest} when divided by {period}.",
            f"Eq(Mod({exponent}, period_{which}), rest_{which})",
        )
        if base % 2:
            draft.step(
                f"So the power leaves {residue} when divided by {modulus}.",
                f"Eq(Mod(base_{which}**rest_{which}, modulus), residue_{which})",
            )
        else:
            draft.step(
                f"So the power leaves {on_odd} when divided by {odd_part}.",
                f"Eq(Mod(base_{which}**rest_{which}, odd_{which}), on_odd_{which})",
            )
            draft.step(
                f"The only number below {modulus} that fits both is {residue}.",
                f"And(Eq(Mod(residue_{which}, {2**digits}), 0), Eq(Mod(residue_{which}, odd_{which}), on_odd_{which}))",
            )
        return residue


class Zeros(Generator):
    """Zeros at the end of factorials and their kin, in several bases."""

    name = "zeros"
    field = "number theory"

    _people = ("The Oruvai", "The islanders of Tesk", "The clockmakers of Brae", "The Umari", "The engineers of Lune")

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: a factorial; 2: a product from m to n; 3: another base; 4: many factorials; 5: the factorial is sought."""
        base = 10 if difficulty <= 2 else pick(rng, (12, 18, 20, 24, 45))
        if difficulty == 4:
            base = pick(rng, (6, 14, 15, 21, 12, 18))
        factors = _factors(base)
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
        lead = (
            ""
            if base == 10
            else f"{people} write numbers in base {base}: they use {base} different digits, and the last place counts "
            f"ones, the one before it {base}s, then {base * base}s, and so on. "
        )
        heir = pick(rng, ("A clerk", "A schoolchild", "An old machine"))
        ends = "How many zeros stand at the end of it, after its last other digit?"
        where = "" if base == 10 else " in that base"
        plain = " in the usual decimal way" if base == 10 else ""
        if kind == "factorial":
            text = f"{lead}{heir} multiplies all the whole numbers from 1 to {n} and writes the product{plain}{where}."
        elif kind == "range":
            text = f"{heir} multiplies all the whole numbers from {low} to {n}, both included, and writes the "
            text += f"product{plain}."
        elif kind == "pile":
            text = f"{lead}{heir} works out 1!, 2!, 3! and so on up to {n}!, where k! is the product of all the whole "
            text += f"numbers from 1 to k, multiplies all these {n} numbers together and writes the result{where}."
        else:
            text = f"{lead}{heir} multiplies 1, 2, 3 and so on, writes each product{where}, and stops as soon as a "
            text += f"product ends in at least {wanted} zeros. What is the last number by which the product was "
            text += "multiplied? (Write it in the usual decimal way.)"
        if kind != "inverse":
            text = f"{text} {ends}" + ("" if base == 10 else " (Write your answer in the usual decimal way.)")
        draft.give("base", base, "base", "number base")
        claim = " * ".join(f"{p}**{e}" for p, e in factors)
        draft.step(
            f"{base} is {' times '.join(str(p) if e == 1 else f'{p}^{e}' for p, e in factors)}.", f"Eq(base, {claim})"
        )
        if kind == "inverse":
            return self._inverse(draft, text, factors, n, wanted)
        draft.give("n", n, "largest factor", "last number multiplied" if kind != "pile" else "number of factorials")
        if low:
            draft.give("low", low, "smallest factor", "first number multiplied")
        totals = []
        for prime, exponent in factors:
            powers = [prime**k for k in range(1, 20) if prime**k <= n]
            if kind == "pile":
                value = sum(sum(j // q for j in range(1, n + 1)) for q in powers)
            else:
                value = sum(n // q - max(low - 1, 0) // q for q in powers)
            totals.append((prime, exponent, value))
            draft.find(
                f"v_{prime}",
                value,
                f"exponent of {prime}",
                f"number of factors {prime}",
                f"power of {prime} in product",
            )
            if kind == "factorial":
                total = " + ".join(f"floor(n/{q})" for q in powers)
                draft.step(f"{prime} divides the product {value} times.", f"Eq(v_{prime}, {total})")
                draft.step(
                    f"{powers[-1]} is the last power of {prime} that matters.",
                    f"And(Le({powers[-1]}, n), Gt({powers[-1] * prime}, n))",
                )
            elif kind == "range":
                total = " + ".join(f"floor(n/{q}) - floor((low - 1)/{q})" for q in powers)
                draft.step(
                    f"{prime} divides {n}! exactly {sum(n // q for q in powers)} times.",
                    f"Eq({sum(n // q for q in powers)}, {' + '.join(f'floor(n/{q})' for q in powers)})",
                )
                draft.step(
                    f"Without the factors below {low}, {prime} divides the product {value} times.",
                    f"Eq(v_{prime}, {total})",
                )
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
            draft.find(
                f"full_{prime}",
                value // exponent,
                f"zeros allowed by {prime}",
                f"number of complete powers {prime}^{exponent}",
            )
            draft.step(
                f"That is enough for {value // exponent} zeros.", f"Eq(full_{prime}, floor(v_{prime}/{exponent}))"
            )
        draft.find("answer", min(v // e for _, e, v in totals), "answer", "number of zeros", "zeros at end")
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
        draft.give("wanted", wanted, "number of zeros wanted", "zeros needed")
        needs = []
        for prime, exponent in factors:
            needed = wanted * exponent
            first = next(k for k in itertools.count(prime, prime) if _exponent(k, prime) >= needed)
            powers = [prime**k for k in range(1, 20) if prime**k <= first]
            needs.append(first)
            draft.find(f"need_{prime}", needed, f"number of factors {prime} needed", f"exponent of {prime} needed")
            draft.find(f"first_{prime}", first, f"first number with enough factors {prime}", f"bound from {prime}")
            draft.step(f"{needed} factors {prime} are needed.", f"Eq(need_{prime}, {exponent}*wanted)")
            draft.step(
                f"{first}! has at least as many.",
                f"Ge({' + '.join(f'floor(first_{prime}/{q})' for q in powers)}, need_{prime})",
            )
            draft.step(
                f"{first - 1}! has fewer.",
                f"Lt({' + '.join(f'floor((first_{prime} - 1)/{q})' for q in powers)}, need_{prime})",
            )
        draft.find("answer", n, "answer", "last number multiplied", "number at which it stops")
        names = ", ".join(f"first_{prime}" for prime, _ in factors)
        draft.step("The later of the two decides.", f"Eq(answer, Max({names}))")
        return draft.problem(text)


class Divisors(Generator):
    """Divisors with conditions, then pairs and triples with a given least common multiple."""

    name = "divisors"
    field = "number theory"

    _rows = (
        "{n} tiles are to be laid as one full rectangle of rows and columns (a single row or a single column is a "
        "rectangle too, and swapping the number of rows and the number of columns makes another way unless they are "
        "equal). "
        "{wish}{question}",
        "A florist has {n} tulips and ties bunches that all have the same number of tulips, using up all of them (a "
        "single bunch is allowed, and so are bunches of one tulip). {wish}{question}",
        "A parade of {n} soldiers marches in rows of equal length, with nobody left out (one row is allowed, and so "
        "are rows of one soldier). {wish}{question}",
    )
    _counts = (
        "In how many ways can this be done?",
        "How many sizes of bunches are possible?",
        "How many row lengths are possible?",
    )
    _nouns = ("the number of tiles in a row", "the number of tulips in a bunch", "the number of soldiers in a row")
    _cycles = (
        ("lighthouses", "flashes", "seconds", "flash together"),
        ("bells", "rings", "minutes", "ring together"),
        ("sprinklers", "starts", "minutes", "start together"),
        ("buses", "leaves", "minutes", "leave together"),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
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

    def _single(
        self, rng: np.random.Generator, difficulty: int, primes: list[int], exponents: list[int], n: int
    ) -> Problem | None:
        shape = dict(zip(primes, exponents, strict=True))
        of, no = 1, 0
        if difficulty >= 2:
            of = math.prod(pick_some(rng, primes, 1 if difficulty == 2 else 2))
            if difficulty == 3:
                no = of * pick(rng, primes)
        if no and (n % no != 0 or _count(n // of) - _count(n // no) < 10):
            return None
        which = between(rng, 0, 2)
        noun = self._nouns[which]
        wish = ""
        if difficulty == 2:
            wish = f"Besides, {noun} must be a multiple of {of}. "
        elif difficulty == 3:
            wish = f"Besides, {noun} must be a multiple of {of} but not a multiple of {no}. "
        question = f"Add up all the values that {noun} can have (each value once): what is the sum?"
        text = self._rows[which].format(n=n, wish=wish, question=self._counts[which] if difficulty == 1 else question)
        draft = Draft(self, difficulty, n=n, of=of, no=no)
        draft.give("n", n, "total", "number of items", "number to be divided")
        for p, e in shape.items():
            draft.find(f"e_{p}", e, f"exponent of {p}", f"power of {p}")
        product = " * ".join(f"{p}**e_{p}" for p in primes)
        draft.step(f"{n} is {' times '.join(f'{p}^{e}' for p, e in shape.items())}.", f"Eq(n, {product})")
        if difficulty == 1:
            all_count = math.prod(e + 1 for e in exponents)
            draft.find("answer", all_count, "answer", "number of divisors", "number of ways", "number of sizes")
            draft.step("Each divisor is one way.", "Eq(answer, divisor_count(n))")
            for p in primes:
                draft.step(
                    f"A divisor has {shape[p] + 1} choices for its exponent of {p}.", f"Eq(Mod(answer, e_{p} + 1), 0)"
                )
            draft.step("The choices multiply.", f"Eq(answer, {' * '.join(f'(e_{p} + 1)' for p in primes)})")
            return draft.problem(text)
        rest = n // of
        total = _sum(rest)
        draft.give("of", of, "required factor", "number it must be a multiple of")
        draft.find("rest", rest, "cofactor", "total divided by required factor")
        draft.find("divisor_sum", total, "sum of divisors of cofactor", "sum of divisors of rest")
        draft.find("multiples", of * total, "sum of divisors with required factor", "sum of multiples")
        draft.step("What is wanted must divide the total.", "Eq(Mod(n, of), 0)")
        draft.step(f"The possible values are {of} times the divisors of {rest}.", "Eq(rest*of, n)")
        sums = " * ".join(f"{p ** (e + 1) - 1}/{p - 1}" for p, e in _factors(rest))
        draft.step(f"The divisors of {rest} add up to {total}.", f"Eq(divisor_sum, {sums})")
        draft.step(f"So the multiples of {of} add up to {of * total}.", "Eq(multiples, of*divisor_sum)")
        if difficulty == 2:
            draft.find("answer", of * total, "answer", "sum")
            draft.step("This is the sum asked for.", "Eq(answer, multiples)")
            return draft.problem(text)
        bad = no * _sum(n // no)
        draft.give("no", no, "forbidden factor", "number it must not be a multiple of")
        draft.find("bad", bad, "sum of forbidden divisors", "sum of divisors with forbidden factor")
        draft.find("answer", of * total - bad, "answer", "sum")
        draft.step(f"Those that are multiples of {no} add up to {bad}.", "Eq(bad, no*divisor_sigma(n/no))")
        draft.step("These are taken away.", "Eq(answer, multiples - bad)")
        return draft.problem(text)

    def _together(
        self, rng: np.random.Generator, difficulty: int, primes: list[int], exponents: list[int], n: int
    ) -> Problem | None:
        things, does, unit, together = pick(rng, self._cycles)
        shape = dict(zip(primes, exponents, strict=True))
        count = difficulty - 2
        common = 1
        if difficulty == 5:
            common = math.prod(p ** between(rng, 0, e) for p, e in shape.items())
            if common == 1 or _count(n // common) > 27 or _count(n // common) < 6:
                return None
        number, names = {2: ("Two", "A and B"), 3: ("Three", "A, B and C")}[count]
        text = (
            f"{number} {things}, {names}, {together} at noon. From then on each {does} at regular intervals of its "
            f"own, "
            f"a whole number of {unit}. The next time that {'both' if count == 2 else 'all three'} {together} is "
            f"exactly {n} {unit} after "
            "noon. "
        )
        if difficulty == 5:
            text += f"The largest whole number of {unit} that divides all three intervals is {common}. "
        text += (
            f"How many combinations of intervals are possible? (Two combinations differ if at least one of the "
            f"{things} "
            "has different intervals in them; the intervals may be equal to each other.)"
        )
        draft = Draft(self, difficulty, n=n, common=common)
        draft.give("n", n, "time until all meet", "least common multiple", "lcm of intervals")
        if common > 1:
            draft.give("common", common, "greatest common divisor", "gcd of intervals")
        product = " * ".join(f"{p}**e_{p}" for p in primes)
        total = 1
        for p, e in shape.items():
            draft.find(f"e_{p}", e, f"exponent of {p}", f"power of {p} in time")
        draft.step(f"{n} is {' times '.join(f'{p}^{e}' for p, e in shape.items())}.", f"Eq(n, {product})")
        draft.step(
            "The least common multiple has, for each prime, the largest exponent among the intervals, so the primes "
            "can be treated one by one.",
            f"Eq(divisor_count(n), {' * '.join(f'(e_{p} + 1)' for p in primes)})",
        )
        if common > 1:
            lows = {p: _valuation(common, p) for p in primes}
            draft.step(
                f"The greatest common divisor is {' times '.join(f'{p}^{f}' for p, f in lows.items())}, the smallest "
                "exponents.",
                f"Eq(common, {' * '.join(f'{p}**{f}' for p, f in lows.items())})",
            )
        for p, e in shape.items():
            if count == 2:
                ways = 2 * e + 1
                claim = f"Eq(ways_{p}, (e_{p} + 1)**2 - e_{p}**2)"
                said = f"For {p} there are {ways} pairs of exponents of which the larger is {e}."
            else:
                gap = e - _valuation(common, p)
                ways = (gap + 1) ** 3 - 2 * gap**3 + (gap - 1) ** 3 if gap else 1
                claim = f"Eq(ways_{p}, {gap + 1}**3 - 2*{gap}**3 + {gap - 1}**3)" if gap else f"Eq(ways_{p}, 1)"
                said = f"For {p} there are {ways} triples with smallest exponent {e - gap} and largest {e}."
            draft.find(f"ways_{p}", ways, f"ways for {p}", f"choices of exponents of {p}")
            draft.step(said, claim)
            total *= ways
        draft.find("answer", total, "answer", "number of combinations", "possible combinations")
        draft.step("The choices multiply.", f"Eq(answer, {' * '.join(f'ways_{p}' for p in primes)})")
        return draft.problem(text)


class Coins(Generator):
    """Amounts that cannot be made of two or three sizes, and ways to make one that can."""

    name = "coins"
    field = "number theory"

    _settings = (
        ("A country has coins of {sizes} crowns and no other money.", "crowns", "coins", "pay", "paid"),
        (
            "A post office sells stamps of {sizes} cents and no others.",
            "cents",
            "stamps",
            "put together",
            "put together",
        ),
        (
            "A builder has planks of {sizes} centimetres, as many as needed, and never cuts one.",
            *("centimetres", "planks", "lay end to end", "laid end to end"),
        ),
        ("A game awards {sizes} points at a time and nothing else.", "points", "awards", "reach", "reached"),
    )

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: largest gap; 2: number of gaps; 3: ways to pay; 4: largest gap of three sizes; 5: their number of gaps."""
        a, b = sorted(pick_some(rng, range(5, 24), 2))
        if math.gcd(a, b) != 1 or b - a < 2:
            return None
        sizes = [a, b]
        d = c = total = 0
        if difficulty >= 4:
            d = pick(rng, (2, 3, 4, 5))
            c = between(rng, 11, 40)
            sizes = sorted((d * a, d * b, c))
            if math.gcd(c, d) != 1 or len(set(sizes)) < 3 or not _payable(c, (a, b)):
                return None
        opening, unit, things, do, done = pick(rng, self._settings)
        listed = f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}"
        free = f"Any number of {things} of each size may be used, also none of a size."
        text = f"{opening.format(sizes=listed)} {free} "
        draft = Draft(self, difficulty, sizes=sizes, total=0)
        draft.give("a" if not d else "da", sizes[0] if not d else d * a, "first size", "first coin")
        draft.give("b" if not d else "db", sizes[1] if not d else d * b, "second size", "second coin")
        if difficulty == 1:
            text += f"Which is the largest whole number of {unit} that cannot be {done}?"
        elif difficulty in (2, 5):
            text += f"How many positive whole numbers of {unit} cannot be {done}?"
        elif difficulty == 4:
            text += f"Which is the largest whole number of {unit} that cannot be {done}?"
        else:
            total = a * b * between(rng, 9, 80) + between(rng, 1, a * b - 1)
            text += f"In how many ways can one {do} exactly {total} {unit}? (Only how many {things} of each size are "
            text += "used matters, not their order.)"
            return self._ways(draft, text, a, b, total, things)
        if d:
            return self._three(draft, text, a, b, c, d, largest=difficulty == 4)
        draft.step(f"{a} and {b} have no common factor.", "Eq(gcd(a, b), 1)")
        draft.find("classes", a, "number of remainder classes", "classes of remainders by first size")
        draft.step(f"Sort the amounts by their remainder by {a}.", "Eq(classes, a)")
        draft.step(
            f"The multiples 0, {b}, … , {a - 1} times {b} have all {a} different remainders.",
            f"Eq({len({j * b % a for j in range(a)})}, classes)",
        )
        draft.find("largest", a * b - a - b, "largest impossible amount", "frobenius number")
        draft.find("top", (a - 1) * b, "largest starting amount", "latest first possible amount of a class")
        draft.step(f"A class begins at the latest with {(a - 1) * b}, the last of these.", "Eq(top, (a - 1)*b)")
        draft.step(f"So the largest impossible amount is {a * b - a - b}.", "Eq(largest, top - a)")
        if difficulty == 1:
            draft.find("answer", a * b - a - b, "answer", "largest amount that cannot be made")
            draft.step("This is asked for.", "Eq(answer, a*b - a - b)")
            return draft.problem(text)
        draft.find("answer", (a - 1) * (b - 1) // 2, "answer", "number of impossible amounts")
        draft.find("conductor", (a - 1) * (b - 1), "first amount from which all are possible", "conductor")
        draft.step("From the next amount on all are possible.", "Eq(conductor, largest + 1)")
        draft.step(
            f"Of x and {a * b - a - b} - x exactly one is possible, so half of the amounts below are not.",
            "Eq(answer, conductor/2)",
        )
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Fill a table of amounts."""
        sizes, total = problem.parameters["sizes"], problem.parameters["total"]
        # beyond the product of the two smallest coprime sums nothing is missing; a table far longer is still short
        length = total + 1 if total else 6000
        ways = [1] + [0] * (length - 1)
        for size in sizes:
            for amount in range(size, length):
                ways[amount] += ways[amount - size]
        if total:
            return int(ways[total])
        missing = [amount for amount in range(length) if ways[amount] == 0]
        return missing[-1] if problem.difficulty in (1, 4) else len(missing)

    def _ways(self, draft: Draft, text: str, a: int, b: int, total: int, things: str) -> Problem | None:
        draft = Draft(self, 3, sizes=[a, b], total=total)
        least = next(y for y in range(a) if (total - b * y) % a == 0)
        most = (total - b * least) // a
        count = (total // b - least) // a + 1
        last = least + (count - 1) * a
        draft.give("a", a, "first size", "smaller size")
        draft.give("b", b, "second size", "larger size")
        draft.give("total", total, "total", "amount")
        draft.find("least", least, f"smallest number of large {things}", "least number of larger size")
        draft.find("most", most, f"largest number of small {things}", "most of smaller size")
        draft.find("last", last, f"largest number of large {things}", "most of larger size")
        draft.find("answer", count, "answer", "number of ways")
        draft.step(
            f"{a} x + {b} y = {total} is to be solved in whole numbers from 0 on.", "Eq(a*most + b*least, total)"
        )
        draft.step(f"{a} and {b} have no common factor.", "Eq(gcd(a, b), 1)")
        draft.step(
            f"So y is fixed but for multiples of {a}; the smallest is {least}.", "Eq(Mod(b*least, a), Mod(total, a))"
        )
        draft.step("It is smaller than the first size.", "And(Ge(least, 0), Lt(least, a))")
        draft.step(f"The largest y is {last}.", "And(Le(b*last, total), Gt(b*(last + a), total))")
        draft.step(f"From {least} to {last} in steps of {a} there are {count}.", "Eq(answer, (last - least)/a + 1)")
        return draft.problem(text)

    def _three(self, draft: Draft, text: str, a: int, b: int, c: int, d: int, *, largest: bool) -> Problem:
        draft.give("c", c, "odd one out", "third size")
        draft.find("d", d, "common factor", "common factor of two sizes")
        draft.find("a", a, "first size without common factor", "first reduced size")
        draft.find("b", b, "second size without common factor", "second reduced size")
        pair = a * b - a - b
        draft.step(f"{d * a} and {d * b} have the common factor {d}.", "Eq(gcd(da, db), d)")
        draft.step(f"{c} has no factor in common with {d}.", "Eq(gcd(c, d), 1)")
        draft.step(f"Without {d} the two sizes are {a} and {b}.", "And(Eq(da, d*a), Eq(db, d*b))")
        draft.find("pair_largest", pair, "largest impossible amount of reduced sizes", "frobenius number of pair")
        draft.step(f"Of {a} and {b} the largest impossible amount is {pair}.", "Eq(pair_largest, a*b - a - b)")
        x = next(x for x in range(c // a + 1) if (c - a * x) % b == 0)
        y = (c - a * x) // b
        draft.step(
            f"{d} of size {c} are worth as much as {x} of {d * a} and {y} of {d * b}, so more than {d - 1} of size "
            f"{c} are "
            "never needed.",
            f"Eq(d*c, {x}*da + {y}*db)",
        )
        draft.find("uses", d - 1, "largest number of third size needed", "most of third size that matter")
        draft.step(
            f"The remainder by {d} of an amount fixes how many of size {c} are used, from 0 to {d - 1}.",
            "Eq(uses, d - 1)",
        )
        if largest:
            draft.find("answer", d * pair + (d - 1) * c, "answer", "largest amount that cannot be made")
            draft.step(
                f"The worst remainder needs {d - 1} of size {c} and lacks {d} times {pair} beyond them.",
                "Eq(answer, d*pair_largest + uses*c)",
            )
            return draft.problem(text)
        gaps = (a - 1) * (b - 1) // 2
        draft.find("gaps", gaps, "number of impossible amounts of reduced sizes", "impossible amounts of pair")
        draft.find("extra", (d - 1) * (c - 1) // 2, "amounts missing below multiples of third size", "extra gaps")
        draft.find("answer", d * gaps + (d - 1) * (c - 1) // 2, "answer", "number of impossible amounts")
        draft.step(f"{a} and {b} miss {gaps} amounts.", "Eq(gaps, (a - 1)*(b - 1)/2)")
        draft.step(
            f"In each of the {d} classes of remainders by {d} as many are missing above the multiple of {c} that opens "
            "the class.",
            "Eq(answer - extra, d*gaps)",
        )
        draft.step(
            f"Below these multiples 0, {c}, … , {(d - 1) * c} their classes miss {(d - 1) * (c - 1) // 2} more.",
            f"Eq(extra, {' + '.join(f'floor({j}*c/d)' for j in range(1, d))})",
        )
        draft.step("Together.", "Eq(answer, d*gaps + extra)")
        return draft.problem(text)


def _factors(number: int) -> list[tuple[int, int]]:
    """Prime factors with exponents."""
    return [(p, _valuation(number, p)) for p in (2, 3, 5, 7, 11, 13) if number % p == 0]


def _valuation(number: int, prime: int) -> int:
    """How often a prime divides a number."""
    times = 0
    while number % prime == 0:
        number, times = number // prime, times + 1
    return times


def _exponent(n: int, prime: int) -> int:
    """How often a prime divides n!."""
    return sum(n // prime**k for k in range(1, 20))


def _ends(n: int, factors: list[tuple[int, int]], low: int) -> int:
    """Zeros at the end of n!/low! in the base with these factors."""
    return min((_exponent(n, p) - _exponent(low, p)) // e for p, e in factors)


def _count(number: int) -> int:
    """Number of divisors."""
    return math.prod(exponent + 1 for _, exponent in _factors(number))


def _sum(number: int) -> int:
    """Sum of divisors."""
    return math.prod((p ** (e + 1) - 1) // (p - 1) for p, e in _factors(number))


def _payable(amount: int, sizes: tuple[int, int]) -> bool:
    """Whether an amount can be made of two sizes."""
    return any((amount - sizes[0] * x) % sizes[1] == 0 for x in range(amount // sizes[0] + 1))


GENERATORS: tuple[Generator, ...] = (Remainders(), Towers(), Zeros(), Divisors(), Coins())
