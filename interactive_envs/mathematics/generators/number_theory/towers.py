"""``towers``: the last digits of powers and of towers of powers."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import entries


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
