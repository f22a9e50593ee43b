"""Problems on remainders, powers, factorials, divisors and coins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import ORDINALS, counted, entries, listed, table


class Remainders(Generator):
    """A number known by what is left over; the last level wants two of three remainders at least."""

    name = "remainders"
    field = "number theory"

    _settings = table("""
        the dancers of a festival | dancer | line up in rows of | nobody
        the rolls that a bakery has baked | roll | are packed into bags of | no roll
        the books of a school library | book | are put on shelves of | no book
        the beads in a jar | bead | are threaded on strings of | no bead
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: two remainders; 2: three; 3: within bounds; 4: divisors with common factors; 5: two of three are true."""
        everything, thing, put, nobody = pick(rng, self._settings)
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
        low, limit, least = 0, period, difficulty <= 3
        if difficulty == 3:
            low = period * between(rng, 2, 5) + between(rng, 1, period - 1)
            limit = low + period - 1
        elif difficulty >= 4:
            periods = between(rng, 2, 4) if difficulty == 5 else between(rng, 14, 97)
            limit = period * periods + between(rng, 50, period - 1)
        draft = Draft(self, difficulty, moduli=moduli, remainders=remainders, low=low, limit=limit, least=least)
        for ordinal, m in zip(ORDINALS, moduli, strict=False):
            draft.give(
                f"m_{ordinal}",
                m,
                f"{ordinal} divisor",
                f"{ordinal} group size",
                f"{ordinal} modulus",
                f"{ordinal} size",
                f"{ordinal} group",
                f"size of the {ordinal} groups",
                f"{ordinal} number told",
            )
        conditions = list(zip(moduli, remainders, strict=True))
        clauses = [
            f"if they {put} {m}, {counted(r, thing) if r else nobody} {'is' if r <= 1 else 'are'} left over"
            for m, r in conditions
        ]
        said = f"Somebody counts {everything}, but forgets the number. This is still known: {'; '.join(clauses)}."
        if difficulty <= 2:
            text = f"{said} What is the smallest positive number of {thing}s for which all this is true?"
        elif difficulty == 3:
            text = f"{said} There were at least {low} and at most {limit} {thing}s. How many were there?"
        elif difficulty == 4:
            text = f"""{said} The number was at least 1 and at most {limit}. How many different numbers of {thing}s
                agree with all this?"""
        else:
            said = "; ".join(f"({i}) {clause}" for i, clause in enumerate(clauses, start=1))
            text = f"""Three helpers each say one thing about {everything}: {said}. It turns out that at least two of
                the three statements are true. The number of {thing}s is at least 1 and at most {limit}. How many
                different numbers of {thing}s are possible?"""
            return self._two_of_three(draft, text, conditions, limit)
        return self._all_true(draft, text, conditions, low, limit)

    def confirm(self, problem: Problem) -> int:
        """Count up from one."""
        known = problem.parameters
        pairs = list(zip(known["moduli"], known["remainders"], strict=True))
        wanted = 2 if problem.difficulty == 5 else len(pairs)
        numbers = np.arange(max(1, known["low"]), known["limit"] + 1)
        agreeing = numbers[sum((numbers % m == r).astype(int) for m, r in pairs) >= wanted]
        return int(agreeing[0] if known["least"] else len(agreeing))

    def _all_true(self, draft: Draft, text: str, conditions: list[tuple[int, int]], low: int, limit: int) -> Problem:
        moduli, remainders = zip(*conditions, strict=True)
        pair, period = math.lcm(*moduli[:2]), math.lcm(*moduli)
        first, least = _least_common(conditions[:2]), _least_common(conditions)
        draft.find(
            "pair_period",
            pair,
            "period of first two conditions",
            "lcm of first two divisors",
            "period of the first two",
            "least common multiple of first two divisors",
            "common period of the first two",
            "pair period",
        )
        if len(moduli) == 2:
            full = (least - remainders[0]) // moduli[0]
            draft.note(f"""
                find full = {full}: number of full first groups; quotient by first divisor; quotient; number of full
                    groups; k; full groups
                find answer = {least}: answer; number; smallest number; total; smallest positive number; smallest
                    possible number; least number; number of dancers; number of rolls; number of books; number of beads
                step The number is {moduli[0]} k + {remainders[0]}. :: Eq(answer, m_first*full + {remainders[0]})
                step The two divisors have no common factor. :: Eq(gcd(m_first, m_second), 1)
                step So the conditions repeat every {pair}. :: Eq(pair_period, m_first*m_second)
                step k is fixed by the second condition.
                    :: Eq(Mod(m_first*full + {remainders[0]}, m_second), {remainders[1]})
                step k is smaller than the second divisor. :: And(Ge(full, 0), Lt(full, m_second))
                step The smallest number is {least}. :: And(Ge(answer, 1), Le(answer, pair_period))
                aside The number meets the first condition. :: Eq(Mod(answer, m_first), {remainders[0]})
            """)
            return draft.problem(text)
        draft.note(f"""
            find pair_least = {first}: smallest number for first two conditions; solution of first two conditions;
                smallest solution of the first two; least number for first two conditions; smallest number for the first
                two; first common number
            find period = {period}: period of all conditions; lcm of all divisors; common period; least common multiple
                of all divisors; full period; period of all three conditions; lcm of the three divisors
            find jumps = {(least - first) // pair}: number of periods added; multiples of pair period added; number of
                jumps; jumps; how often the period is added; number of pair periods added
            step The first two conditions together repeat every {pair}. :: Eq(pair_period, lcm(m_first, m_second))
            step The smallest positive number that meets them is {first}.
                :: And(Eq(Mod(pair_least, m_first), {remainders[0]}), Eq(Mod(pair_least, m_second), {remainders[1]}))
            step It is not larger than that period. :: And(Ge(pair_least, 1), Le(pair_least, pair_period))
            step All three conditions repeat every {period}. :: Eq(period, lcm(pair_period, m_third))
            step Adding that period until the third condition holds gives the smallest solution.
                :: Eq(Mod(pair_least + jumps*pair_period, m_third), {remainders[2]})
        """)
        if limit == period:
            draft.find(
                "answer",
                least,
                "answer",
                "number",
                "smallest number",
                "total",
                "smallest positive number",
                "smallest possible number",
                "least number",
                "number of dancers",
                "number of rolls",
                "number of books",
                "number of beads",
            )
            draft.step(f"The smallest number is {least}.", "Eq(answer, pair_least + jumps*pair_period)")
            return draft.problem(text)
        draft.find(
            "least",
            least,
            "smallest number for all conditions",
            "smallest positive solution",
            "least solution",
            "smallest solution",
            "least number for all conditions",
            "first solution",
        )
        draft.step(f"That is {least}.", "Eq(least, pair_least + jumps*pair_period)")
        draft.give(
            "limit", limit, "upper bound", "limit", "largest number allowed", "maximum", "highest possible number told"
        )
        if low:
            rounds = -(-(low - least) // period)
            draft.note(f"""
                give low = {low}: lower bound; least possible number told; smallest number allowed; minimum; lower limit
                find rounds = {rounds}: number of full periods added; full periods below lower bound; number of full
                    periods; periods added; number of periods; full periods
                find answer = {least + rounds * period}: answer; number; total; number of dancers; number of rolls;
                    number of books; number of beads; how many there were; number counted
                step The bounds are one period apart. :: Eq(limit - low + 1, period)
                step Add the period until the bounds are met. :: Eq(answer, least + rounds*period)
                step The answer lies within the bounds. :: And(Ge(answer, low), Le(answer, limit))
            """)
        else:
            draft.note(f"""
                find answer = {(limit - least) // period + 1}: answer; count; number of possible numbers; number of
                    different numbers; how many numbers; possible numbers; number of solutions; number of numbers that
                    agree; number of possibilities
                find last = {limit - (limit - least) % period}: largest possible number; last solution; largest number
                    that agrees; largest solution; greatest possible number
                step The last solution is within the bound. :: And(Le(last, limit), Gt(last + period, limit))
                step Count from the smallest to the last. :: Eq(answer, (last - least)/period + 1)
            """)
        return draft.problem(text)

    def _two_of_three(self, draft: Draft, text: str, conditions: list[tuple[int, int]], limit: int) -> Problem:
        def count(chosen: Sequence[tuple[int, int]]) -> tuple[int, int]:
            """The least number that meets the chosen conditions, and how many do."""
            first = _least_common(chosen)
            return first, (limit - first) // math.prod(m for m, _ in chosen) + 1 if first <= limit else 0

        total = 0
        for i, j in itertools.combinations(range(3), 2):
            a, b, key = ORDINALS[i], ORDINALS[j], f"{i + 1}{j + 1}"
            first, number = count((conditions[i], conditions[j]))
            total += number
            draft.note(f"""
                find least_{key} = {first}: smallest number for {a} and {b}; least solution of {a} and {b}; first number
                    for {a} and {b}; least number for {a} and {b}; smallest number for which {a} and {b} are true
                find count_{key} = {number}: count for {a} and {b}; how many meet {a} and {b}; number of numbers for {a}
                    and {b}; number for which {a} and {b} are true; how many numbers meet {a} and {b}
                step Statements {i + 1} and {j + 1} are both true first at {first}.
                    :: And(Eq(Mod(least_{key}, m_{a}), {conditions[i][1]}), Eq(Mod(least_{key}, m_{b}),
                        {conditions[j][1]}))
                step So they are both true for {number} numbers.
                    :: Eq(count_{key}, floor(({limit} - least_{key})/(m_{a}*m_{b})) + 1)
            """)
        first, number = count(conditions)
        claims = [f"Eq(Mod(least_123, m_{o}), {r})" for o, (_, r) in zip(ORDINALS, conditions, strict=False)]
        draft.note(f"""
            find least_123 = {first}: smallest number for all three; least solution of all three; first number for all
                three; least number for all three; smallest number for which all three are true
            find count_123 = {number}: count for all three; how many meet all three; number of numbers for all three;
                number for which all three are true; how many numbers meet all three
            find answer = {total - 2 * number}: answer; number of possible numbers; number of different numbers; how
                many numbers; possible numbers; count; number of numbers that are possible; number of possibilities
            step All three are true first at {first}. :: And({", ".join(claims)})
            step So all three are true for {number} numbers.
                :: Eq(count_123, floor(({limit} - least_123)/(m_first*m_second*m_third)) + 1)
            step Each of these was counted three times and is wanted once.
                :: Eq(answer, count_12 + count_13 + count_23 - 2*count_123)
        """)
        return draft.problem(text)


def _least_common(conditions: Sequence[tuple[int, int]]) -> int:
    """The least positive number with given remainders, as (modulus, remainder)."""
    return next(n for n in itertools.count(1) if all(n % m == r for m, r in conditions))


class Towers(Generator):
    """The last digits of powers and of towers of powers."""

    name = "towers"
    field = "number theory"

    _settings = entries("""
        A counter shows 1. Each tick multiplies the number that it holds by {a}. It ticks exactly {times} times. Its
            display has room for the last {digits} digits only. Which number is in the display after the last tick?
        A legend tells of a king who put 1 grain into a chest and then, night after night, multiplied what was in it by
            {a}. He did so on exactly {times} nights. A scribe wrote down the last {digits} digits of the final
            number of grains. Which number did the scribe write?
        A computer stores 1 and runs a loop whose body multiplies the stored number by {a}. The body runs exactly
            {times} times. It then prints only the last {digits} digits of what is stored. Which number does it
            print?
    """)
    _sums = entries("""
        Two counters show 1. Each tick multiplies the first by {a} and each tock multiplies the second by {c}. There
            are exactly {times} ticks and exactly {others} tocks. Then the two numbers are added. Which number do
            the last {digits} digits of the sum form?
        Two chests hold 1 grain each. On {times} nights a king multiplies what is in the first by {a}; on {others}
            nights he multiplies what is in the second by {c}. Then he pours the chests together. Which number do the
            last {digits} digits of the total number of grains form?
        A program multiplies one store, which begins as 1, by {a}, exactly {times} times, and another, which also
            begins as 1, by {c}, exactly {others} times. It prints the last {digits} digits of the sum of the two.
            Which number does it print?
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: a power; 2: of an even number; 3: a tower; 4: a tower on an even number; 5: the sum of two towers."""
        digits = 2 if difficulty <= 2 else 3
        modulus = 10**digits
        setting = between(rng, 0, 2)
        odd = pick(rng, (3, 7, 13, 17, 23, 27, 33, 37, 43, 47, 53))
        even = pick(rng, (2, 4, 6, 8, 12, 14, 18, 22, 34))
        height, top = pick(rng, (3, 7, 9, 11, 13)), between(rng, 12, 60)
        lower, upper = pick(rng, (3, 7, 9, 11, 13)), between(rng, 61, 99)
        base = odd if difficulty % 2 else even
        towers = [(base, height, top)]
        if difficulty <= 2:
            towers = [(base, between(rng, 1000, 9999), 1)]
        elif difficulty == 5:
            towers.append((even, lower, upper))
        draft = Draft(self, difficulty, parts=[list(tower) for tower in towers], digits=digits)
        draft.find(
            "modulus",
            modulus,
            "modulus",
            "power of ten",
            "divisor",
            "ten to the number of digits",
            "base of the remainder",
        )
        residues = [self._derive(draft, i, tower, digits, short=difficulty == 5) for i, tower in enumerate(towers)]
        found = sum(residues) % modulus
        times = [f"{b}" if c == 1 else f"{b}^{c}" for _, b, c in towers]
        if difficulty <= 4:
            text = self._settings[setting].format(a=base, digits=digits, times=times[0])
            draft.find(
                "answer",
                found,
                "answer",
                "last digits",
                "number formed by last digits",
                "number in the display",
                "number the scribe wrote",
                "printed number",
                "displayed number",
                "number in display",
                f"last {digits} digits",
                "final digits",
                "number it prints",
            )
            draft.step(f"The last digits are {found}.", "Eq(Mod(answer, modulus), Mod(residue_a, modulus))")
        else:
            text = self._sums[setting].format(a=odd, c=even, times=times[0], others=times[1], digits=digits)
            draft.find(
                "answer",
                found,
                "answer",
                "last digits of sum",
                "number formed by last digits",
                "number it prints",
                "printed number",
                f"last {digits} digits",
                "final digits",
                f"last {digits} digits of the sum",
                "number formed by the last digits of the sum",
            )
            draft.step("Add the two and keep the last digits.", "Eq(answer, Mod(residue_a + residue_c, modulus))")
        if difficulty >= 3:
            text += " (Here x^y means x to the power of y.)"
        return draft.problem(text) if found >= modulus // 10 else None

    def confirm(self, problem: Problem) -> int:
        """Fast exponentiation."""
        modulus: int = 10 ** problem.parameters["digits"]
        return int(sum(pow(a, b**c, modulus) for a, b, c in problem.parameters["parts"]) % modulus)

    def _derive(self, draft: Draft, index: int, tower: tuple[int, int, int], digits: int, *, short: bool) -> int:
        base, lower, upper = tower
        key, label = "ac"[index], ("first ", "second ")[index] if short else ""
        modulus, twos = 10**digits, 2**digits
        coprime = base % 2 == 1
        odd_part = modulus if coprime else 5**digits
        period = next(k for k in range(1, odd_part) if pow(base, k, odd_part) == 1)
        rest = pow(lower, upper, period)
        on_odd = pow(base, rest, odd_part)
        residue = next(x for x in range(on_odd, modulus, odd_part) if coprime or x % twos == 0)
        draft.give(
            f"base_{key}",
            base,
            f"{label}factor",
            f"{label}base",
            f"{label}multiplier",
            f"{label}base of the power",
            f"{label}number multiplied by",
            f"{label}number it is multiplied by",
        )
        if not short:
            draft.give(
                "lower_a",
                lower,
                "base of exponent",
                "exponent's base",
                "base of the exponent",
                "lower base",
                "base of the number of times",
            )
            if upper > 1:
                draft.give(
                    "upper_a",
                    upper,
                    "exponent of exponent",
                    "top exponent",
                    "exponent of the exponent",
                    "upper exponent",
                    "exponent of the number of times",
                )
        draft.note(f"""
            find period_{key} = {period}: {label}period; {label}cycle length; {label}order; {label}length of the cycle;
                {label}length of the period; {label}multiplicative order; {label}order of the factor
            find rest_{key} = {rest}: {label}reduced exponent; {label}exponent modulo period; {label}remainder of the
                exponent; {label}reduced number of times; {label}exponent's remainder
            find residue_{key} = {residue}: {label}power modulo {modulus}; {label}power's last digits; {label}remainder
                of the power; {label}power's remainder; {label}last digits of the power
        """)
        if coprime:
            cycle = "modulus"
            draft.note(f"""
                step {base} has no factor in common with {modulus}, so its powers run in a cycle.
                    :: Eq(gcd(base_{key}, modulus), 1)
            """)
        else:
            cycle = f"odd_{key}"
            draft.note(f"""
                find odd_{key} = {odd_part}: {label}odd part of modulus; {label}power of five; {label}odd modulus;
                    {label}odd factor of the modulus; {label}power of 5
                find on_odd_{key} = {on_odd}: {label}power modulo {odd_part}; {label}power modulo odd part;
                    {label}remainder modulo {odd_part}; {label}remainder modulo the odd part
                step {modulus} is {twos} times {odd_part}; the two are looked at apart. :: Eq(modulus, {twos}*odd_{key})
            """)
            if not short:
                draft.note(f"""
                    step {base} is even and the exponent at least {digits}, so {twos} divides the power.
                        :: Eq(Mod(base_{key}**{digits}, {twos}), 0)
                """)
        draft.note(f"""
            step The powers of {base} modulo {odd_part} repeat with period {period}.
                :: Eq(Mod(base_{key}**period_{key}, {cycle}), 1)
        """)
        if not short:
            draft.step("No smaller period will do.", f"Eq(n_order(base_{key}, {cycle}), period_{key})")
        draft.note(f"""
            step The exponent leaves {rest} when divided by {period}.
                :: Eq(Mod({lower}**{upper}, period_{key}), rest_{key})
            step So the power leaves {on_odd} when divided by {odd_part}.
                :: Eq(Mod(base_{key}**rest_{key}, {cycle}), {"residue" if coprime else "on_odd"}_{key})
        """)
        if not coprime:
            draft.note(f"""
                step The only number below {modulus} that fits both is {residue}.
                    :: And(Eq(Mod(residue_{key}, {twos}), 0), Eq(Mod(residue_{key}, odd_{key}), on_odd_{key}))
            """)
        return residue


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
        sums = " * ".join(f"{p ** (e + 1) - 1}/{p - 1}" for p, e in _factors(rest))
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
            lows = {p: _valuation(common, p) for p in primes}
            draft.note(f"""
                step The greatest common divisor is {_product(lows, "^", " times ")}, the smallest exponents.
                    :: Eq(common, {_product(lows, "**", " * ")})
            """)
        total = 1
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
            draft.step(said, claim)
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


class Coins(Generator):
    """Amounts that cannot be made of two or three sizes, and ways to make one that can."""

    name = "coins"
    field = "number theory"

    _settings = table("""
        A country has coins of {sizes} crowns and no other money. | crowns | coins | pay | paid
        A post office sells stamps of {sizes} cents and no others. | cents | stamps | put together | put together
        A builder has planks of {sizes} centimetres, as many as needed, and never cuts one. | centimetres | planks |
            lay end to end | laid end to end
        A game awards {sizes} points at a time and nothing else. | points | awards | reach | reached
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: largest gap; 2: number of gaps; 3: ways to pay; 4: largest gap of three sizes; 5: their number of gaps."""
        a, b = sorted(pick_some(rng, range(5, 24), 2))
        if math.gcd(a, b) != 1 or b - a < 2:
            return None
        sizes = [a, b]
        d = c = 0
        if difficulty >= 4:
            d = pick(rng, (2, 3, 4, 5))
            c = between(rng, 11, 40)
            sizes = sorted((d * a, d * b, c))
            if math.gcd(c, d) != 1 or len(set(sizes)) < 3 or not _payable(c, (a, b)):
                return None
        opening, unit, things, do, done = pick(rng, self._settings)
        text = f"""{opening.format(sizes=listed([str(size) for size in sizes]))} Any number of {things} of each size may
            be used, also none of a size. """
        if difficulty == 3:
            total = a * b * between(rng, 9, 80) + between(rng, 1, a * b - 1)
            text += f"""In how many ways can one {do} exactly {total} {unit}? (Only how many {things} of each size are
                used matters, not their order.)"""
            return self._ways(text, a, b, total, things)
        if difficulty in (1, 4):
            text += f"Which is the largest whole number of {unit} that cannot be {done}?"
        else:
            text += f"How many positive whole numbers of {unit} cannot be {done}?"
        draft = Draft(self, difficulty, sizes=sizes, total=0)
        draft.give(
            "da" if d else "a",
            d * a if d else a,
            "first size",
            "first coin",
            "size of the first coin",
            "first stamp",
            "first plank",
            "first award",
            "first number",
        )
        draft.give(
            "db" if d else "b",
            d * b if d else b,
            "second size",
            "second coin",
            "size of the second coin",
            "second stamp",
            "second plank",
            "second award",
            "second number",
        )
        if d:
            return self._three(draft, text, a, b, c, d, largest=difficulty == 4)
        draft.note(f"""
            step {a} and {b} have no common factor. :: Eq(gcd(a, b), 1)
            find classes = {a}: number of remainder classes; classes of remainders by first size; number of remainders;
                number of classes; remainder classes; classes
            step Sort the amounts by their remainder by {a}. :: Eq(classes, a)
            step The multiples 0, {b}, … , {a - 1} times {b} have all {a} different remainders.
                :: Eq({len({j * b % a for j in range(a)})}, classes)
            find largest = {a * b - a - b}: largest impossible amount; frobenius number; largest amount that is
                impossible; largest non-representable amount; largest gap
            find top = {(a - 1) * b}: largest starting amount; latest first possible amount of a class; latest starting
                amount; largest first amount of a class; largest first possible amount
            step A class begins at the latest with {(a - 1) * b}, the last of these. :: Eq(top, (a - 1)*b)
            step So the largest impossible amount is {a * b - a - b}. :: Eq(largest, top - a)
        """)
        if difficulty == 1:
            draft.find(
                "answer",
                a * b - a - b,
                "answer",
                "largest amount that cannot be made",
                f"largest amount that cannot be {done}",
                f"largest number that cannot be {done}",
                f"largest number of {unit} that cannot be {done}",
                f"largest whole number of {unit}",
                f"largest number of {unit}",
                "largest amount",
            )
            draft.step("This is asked for.", "Eq(answer, a*b - a - b)")
            return draft.problem(text)
        draft.note(f"""
            find answer = {(a - 1) * (b - 1) // 2}: answer; number of impossible amounts; number of amounts that cannot
                be {done}; how many amounts cannot be {done}; number of {unit} that cannot be {done}; number of gaps;
                number of numbers that cannot be {done}; impossible amounts
            find conductor = {(a - 1) * (b - 1)}: first amount from which all are possible; conductor; amount from which
                all are possible; smallest amount from which all are possible; largest impossible amount plus one
            step From the next amount on all are possible. :: Eq(conductor, largest + 1)
            step Of x and {a * b - a - b} - x exactly one is possible, so half of the amounts below are not.
                :: Eq(answer, conductor/2)
        """)
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

    def _ways(self, text: str, a: int, b: int, total: int, things: str) -> Problem:
        draft = Draft(self, 3, sizes=[a, b], total=total)
        least = next(y for y in range(a) if (total - b * y) % a == 0)
        most = (total - b * least) // a
        count = (total // b - least) // a + 1
        last = least + (count - 1) * a
        draft.note(f"""
            give a = {a}: first size; smaller size; small size; first coin; smaller coin; smaller number
            give b = {b}: second size; larger size; large size; second coin; larger coin; larger number
            give total = {total}: total; amount; amount to be paid; total amount; sum to be paid; whole amount; exact
                amount
            find least = {least}: smallest number of large {things}; least number of larger size; least number of large
                {things}; fewest large {things}; least number of {things} of the larger size
            find most = {most}: largest number of small {things}; most of smaller size; most small {things}; greatest
                number of small {things}; largest number of {things} of the smaller size
            find last = {last}: largest number of large {things}; most of larger size; most large {things}; greatest
                number of large {things}; largest number of {things} of the larger size
            find answer = {count}: answer; number of ways; ways; number of different ways; number of possible ways;
                number of possibilities; number of ways to pay; how many ways
            step {a} x + {b} y = {total} is to be solved in whole numbers from 0 on. :: Eq(a*most + b*least, total)
            step {a} and {b} have no common factor. :: Eq(gcd(a, b), 1)
            step So y is fixed but for multiples of {a}; the smallest is {least}. :: Eq(Mod(b*least, a), Mod(total, a))
            step It is smaller than the first size. :: And(Ge(least, 0), Lt(least, a))
            step The largest y is {last}. :: And(Le(b*last, total), Gt(b*(last + a), total))
            step From {least} to {last} in steps of {a} there are {count}. :: Eq(answer, (last - least)/a + 1)
        """)
        return draft.problem(text)

    def _three(self, draft: Draft, text: str, a: int, b: int, c: int, d: int, *, largest: bool) -> Problem:
        pair = a * b - a - b
        x = next(x for x in range(c // a + 1) if (c - a * x) % b == 0)
        y = (c - a * x) // b
        draft.note(f"""
            give c = {c}: odd one out; third size; third coin; third number; third stamp; third plank; third award
            find d = {d}: common factor; common factor of two sizes; common divisor of two sizes; gcd of two sizes; gcd
                of first two sizes; greatest common divisor; common divisor
            find a = {a}: first size without common factor; first reduced size; reduced first size; first size over the
                common factor; first size divided by common factor
            find b = {b}: second size without common factor; second reduced size; reduced second size; second size over
                the common factor; second size divided by common factor
            step {d * a} and {d * b} have the common factor {d}. :: Eq(gcd(da, db), d)
            step {c} has no factor in common with {d}. :: Eq(gcd(c, d), 1)
            step Without {d} the two sizes are {a} and {b}. :: And(Eq(da, d*a), Eq(db, d*b))
            find pair_largest = {pair}: largest impossible amount of reduced sizes; frobenius number of pair; largest
                impossible amount of the pair; frobenius number of the pair; largest impossible amount of the reduced
                sizes
            step Of {a} and {b} the largest impossible amount is {pair}. :: Eq(pair_largest, a*b - a - b)
            step {d} of size {c} are worth as much as {x} of {d * a} and {y} of {d * b}, so more than {d - 1} of size
                {c} are never needed. :: Eq(d*c, {x}*da + {y}*db)
            find uses = {d - 1}: largest number of third size needed; most of third size that matter; largest useful
                number of the third size; most of the third size; third sizes needed at most
            step The remainder by {d} of an amount fixes how many of size {c} are used, from 0 to {d - 1}.
                :: Eq(uses, d - 1)
        """)
        if largest:
            draft.find(
                "answer",
                d * pair + (d - 1) * c,
                "answer",
                "largest amount that cannot be made",
                "largest amount that cannot be paid",
                "largest impossible amount",
                "largest amount",
                "largest number that cannot be made",
                "largest number that cannot be paid",
                "frobenius number",
                "frobenius number of all three",
            )
            draft.step(
                f"The worst remainder needs {d - 1} of size {c} and lacks {d} times {pair} beyond them.",
                "Eq(answer, d*pair_largest + uses*c)",
            )
            return draft.problem(text)
        gaps = (a - 1) * (b - 1) // 2
        draft.note(f"""
            find gaps = {gaps}: number of impossible amounts of reduced sizes; impossible amounts of pair; number of
                impossible amounts of the pair; impossible amounts of the reduced sizes; gaps of the pair
            find extra = {(d - 1) * (c - 1) // 2}: amounts missing below multiples of third size; extra gaps; further
                impossible amounts; additional gaps; additional impossible amounts
            find answer = {d * gaps + (d - 1) * (c - 1) // 2}: answer; number of impossible amounts; number of amounts
                that cannot be made; number of amounts that cannot be paid; how many amounts cannot be paid; number of
                gaps; impossible amounts; number of numbers that cannot be made
            step {a} and {b} miss {gaps} amounts. :: Eq(gaps, (a - 1)*(b - 1)/2)
            step In each of the {d} classes of remainders by {d} as many are missing above the multiple of {c} that
                opens the class. :: Eq(answer - extra, d*gaps)
            step Below these multiples 0, {c}, … , {(d - 1) * c} their classes miss {(d - 1) * (c - 1) // 2} more.
                :: Eq(extra, {" + ".join(f"floor({j}*c/d)" for j in range(1, d))})
            step Together. :: Eq(answer, d*gaps + extra)
        """)
        return draft.problem(text)


def _factors(number: int) -> list[tuple[int, int]]:
    """Prime factors with exponents."""
    return [(p, _valuation(number, p)) for p in (2, 3, 5, 7, 11, 13) if number % p == 0]


def _product(exponents: Mapping[int, int], power: str, times: str) -> str:
    """A product of powers in words or in a claim."""
    return times.join(f"{p}{power}{e}" for p, e in exponents.items())


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
