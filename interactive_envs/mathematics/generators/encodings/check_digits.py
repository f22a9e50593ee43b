"""``check-digits``: numbers that carry their own check: what was smeared, misread or is to be added."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.exact import sum_of_products, value_of_digits
from interactive_envs.mathematics.generators.wording import ORDINALS, weighted_sum


class CheckDigits(Generator):
    """Numbers that carry their own check: what was smeared, misread or is to be added."""

    name = "check-digits"
    field = "encodings"

    _things = (
        ("library", "card number"),
        ("railway", "ticket number"),
        ("museum", "inventory number"),
        ("hospital", "sample number"),
        ("mint", "serial number"),
    )

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: to be added; 2: two smeared digits; 3: one wrong digit; 4: two checks, two smeared digits; 5: three."""
        where, thing = pick(rng, self._things)
        if difficulty == 1:
            return self._append(rng, where, thing)
        if difficulty == 2:
            return self._smeared(rng, where, thing)
        if difficulty == 3:
            return self._misread(rng, where, thing)
        return self._two_checks(rng, difficulty, where, thing)

    def confirm(self, problem: Problem) -> int | None:
        """Try all digits."""
        known = problem.parameters
        modulus, digits, checks = known["modulus"], known["digits"], known["checks"]

        def valid(code: list[int]) -> bool:
            return all(sum_of_products(weights, code) % modulus == 0 for weights in checks)

        if problem.difficulty == 3:
            changed = [[*digits[:i], x, *digits[i + 1 :]] for i, d in enumerate(digits) for x in range(10) if x != d]
            return max(value_of_digits(code) for code in changed if valid(code))
        if problem.difficulty == 1:
            number = value_of_digits(digits)
            return next(x for x in range(100) if (100 * number + x) % modulus == 0)
        places = known["places"]
        guesses = itertools.product(range(10), repeat=len(places))
        found = [value_of_digits(guess) for guess in guesses if valid(_filled(digits, places, guess))]
        return max(found) if problem.difficulty == 5 or len(found) == 1 else None

    def _append(self, rng: Rng, where: str, thing: str) -> Problem | None:
        modulus = pick(rng, (71, 73, 79, 83, 89, 97))
        digits = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(5)]
        number = value_of_digits(digits)
        rest = 100 * number % modulus
        if rest == 0 or modulus - rest < 10 or modulus - rest + modulus <= 99:
            return None
        text = f"""A {where} makes each {thing} from six digits by writing two check digits behind them, so that the
            number with all eight digits is a multiple of {modulus}. The six digits are {number}. Which two-digit number
            do the check digits form?"""
        draft = Draft(self, 1, modulus=modulus, digits=digits, checks=[])
        draft.note(f"""
            give number = {number}: six digits; number without check digits; number before the check digits; six-digit
                number; number formed by the six digits; given digits
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            find shifted = {100 * number}: number with two zeros behind; hundredfold number; hundred times the number;
                number times 100; number followed by two zeros
            find rest = {rest}: remainder of hundredfold number; remainder; remainder of the hundredfold; remainder of
                the number with two zeros; remainder modulo {modulus}
            find quotient = {100 * number // modulus}: quotient; quotient of hundredfold number; whole quotient; integer
                quotient; quotient of the number with two zeros
            find answer = {modulus - rest}: answer; check digits; number of check digits formed; two-digit number;
                number formed by the check digits; two check digits; number of the check digits; asked digits
            step Two more digits make a hundred times as much. :: Eq(shifted, 100*number)
            step Divide by {modulus}. :: Eq(shifted, quotient*modulus + rest)
            step The remainder is {rest}. :: Eq(Mod(shifted, modulus), rest)
            step The check digits make up what is missing to the next multiple. :: Eq(answer, modulus - rest)
            step Only one such number has two digits. :: And(Lt(answer, 100), Ge(answer + modulus, 100))
            step The number is then a multiple. :: Eq(Mod(shifted + answer, modulus), 0)
        """)
        return draft.problem(text)

    def _smeared(self, rng: Rng, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (101, 103, 107, 109)), 7
        weights = [between(rng, 2, 40) for _ in range(length)]
        digits = self._valid(rng, modulus, [weights])
        places = sorted(pick_some(rng, range(length), 2))
        if digits is None or digits[places[0]] == 0 or len(set(weights)) < length:
            return None
        known = sum(w * d for i, (w, d) in enumerate(zip(weights, digits, strict=True)) if i not in places)
        u, v = weights[places[0]], weights[places[1]]
        need = -known % modulus
        if sum((u * x + v * y) % modulus == need for x in range(10) for y in range(10)) != 1:
            return None
        text = f"""{_article(thing)} of a {where} has {length} digits. It is valid if the following sum is a multiple of
            {modulus}: {_weighted(weights)}. On one label two digits are smeared; it reads {_written(digits, places)},
            where each ? is a smeared digit. The number is valid. Which two-digit number do the smeared digits form, in
            the order in which they stand?"""
        draft = Draft(self, 2, modulus=modulus, digits=_filled(digits, places, (0, 0)), places=places, checks=[weights])
        x, y = digits[places[0]], digits[places[1]]
        terms = [f"{w}*{d}" for i, (w, d) in enumerate(zip(weights, digits, strict=True)) if i not in places]
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            give u = {u}: weight of first smeared digit; first weight; weight of the first smeared digit; weight of
                first missing digit; factor of first smeared digit
            give v = {v}: weight of second smeared digit; second weight; weight of the second smeared digit; weight of
                second missing digit; factor of second smeared digit
            find known = {known}: sum of readable digits; known part of sum; known sum; weighted sum of readable digits;
                sum of known digits; sum of the known part
            find need = {need}: remainder needed; remainder that smeared digits must give; needed remainder; missing
                remainder; remainder of the smeared part
            find x = {x}: first smeared digit; first missing digit; first unknown digit; first unreadable digit; first
                digit of the answer
            find y = {y}: second smeared digit; second missing digit; second unknown digit; second unreadable digit;
                second digit of the answer
            find answer = {10 * x + y}: answer; number formed by smeared digits; two-digit number; smeared digits; two
                smeared digits; missing digits; number formed by missing digits; number of the smeared digits
            step The readable digits give {known}. :: Eq(known, {" + ".join(terms)})
            step So the others must leave {need} by {modulus}. :: Eq(Mod(known + need, modulus), 0)
            step {u} x + {v} y leaves {need}. :: Eq(Mod(u*x + v*y, modulus), need)
            step Among the digits only {x} and {y} do. :: And(Le(x, 9), Le(y, 9), Ge(x, 0), Ge(y, 0))
            step Written one behind the other. :: Eq(answer, 10*x + y)
        """)
        return draft.problem(text)

    def _misread(self, rng: Rng, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 6
        weights = pick_some(rng, range(1, modulus), length)
        read = [between(rng, 1, 9) for _ in range(length)]
        total = sum_of_products(weights, read)
        rest = total % modulus
        if rest == 0:
            return None
        number = value_of_digits(read)
        fitting = []
        for i, (w, d) in enumerate(zip(weights, read, strict=True)):
            fitting += [(i, x) for x in range(10) if (total + w * (x - d)) % modulus == 0]
        candidates = {i: number + (x - read[i]) * 10 ** (length - 1 - i) for i, x in fitting}
        if len(candidates) < 3 or max(candidates.values()) < number:
            return None
        text = f"""{_article(thing)} of a {where} has {length} digits (the first may be 0, too). It is valid if the
            following sum is a multiple of {modulus}: {_weighted(weights)}. A clerk who got exactly one digit of a valid
            number wrong has written {number}. What is the largest number that the valid one can be?"""
        draft = Draft(self, 3, modulus=modulus, digits=read, checks=[weights])
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            give number = {number}: number written; wrong number; written number; clerk's number; number that was
                written; false number; invalid number
            find total = {total}: weighted sum; sum of number written; checksum; check sum; weighted digit sum; sum of
                the written number
            find rest = {rest}: remainder of weighted sum; remainder; remainder of the checksum; remainder of the sum;
                remainder of sum of number written
            step The number as written has the sum {total}. :: Eq(total, {weighted_sum(weights, read)})
            step It leaves {rest} by {modulus}, so the change must take that away. :: Eq(Mod(total, modulus), rest)
        """)
        for i, x in fitting:
            ordinal = ORDINALS[i]
            draft.note(f"""
                find try_{i + 1} = {candidates[i]}: number if {ordinal} digit is wrong; candidate for {ordinal} digit;
                    number with another {ordinal} digit; largest number if {ordinal} digit is wrong; valid number with
                    another {ordinal} digit
                step If the {ordinal} digit is wrong, it must be {x}: {candidates[i]}.
                    :: And(Eq(Mod(rest + {weights[i]}*({x} - {read[i]}), modulus), 0), Eq(try_{i + 1}, number + ({x} -
                        {read[i]})*{10 ** (length - 1 - i)}))
            """)
        draft.find(
            "answer",
            max(candidates.values()),
            "answer",
            "largest valid number",
            "true number",
            "largest number",
            "largest possible number",
            "valid number",
            "correct number",
            "right number",
            "largest number that the valid one can be",
        )
        draft.step("The largest of these.", f"Eq(answer, Max({', '.join(f'try_{i + 1}' for i in candidates)}))")
        draft.step("It is larger than what was written.", "Gt(answer, number)")
        return draft.problem(text)

    def _two_checks(self, rng: Rng, difficulty: int, where: str, thing: str) -> Problem | None:
        modulus, length = pick(rng, (11, 13)), 8
        count = difficulty - 2
        ones, rising = [1] * length, list(range(1, length + 1))
        digits = self._valid(rng, modulus, [ones, rising])
        places = sorted(pick_some(rng, range(length), count))
        if digits is None or digits[places[0]] == 0:
            return None
        solutions = []
        for guess in itertools.product(range(10), repeat=count):
            code = _filled(digits, places, guess)
            if all(sum_of_products(check, code) % modulus == 0 for check in (ones, rising)):
                solutions.append(guess)
        if count == 3 and not 3 <= len(solutions) <= 12:
            return None
        best = max(solutions)
        readable = [(i, d) for i, d in enumerate(digits) if i not in places]
        plain, graded = sum(d for _, d in readable), sum((i + 1) * d for i, d in readable)
        which = "Which two-digit number do the smeared digits form"
        if count == 3:
            which = "Which is the largest three-digit number that the smeared digits can form"
        text = f"""{_article(thing)} of a {where} has {length} digits. It is valid if two sums are both multiples of
            {modulus}: the sum of its digits, and the sum of the first digit, twice the second, three times the third
            and so on up to {length} times the last. On one label {"two" if count == 2 else "three"} digits are smeared;
            it reads {_written(digits, places)}, where each ? is a smeared digit. The number is valid. {which}, in the
            order in which they stand?"""
        shown = _filled(digits, places, [0] * count)
        draft = Draft(self, difficulty, modulus=modulus, digits=shown, places=places, checks=[ones, rising])
        draft.note(f"""
            give modulus = {modulus}: modulus; divisor; number it must be a multiple of; required divisor
            find plain = {plain}: sum of readable digits; plain sum of readable digits; known sum of digits; first known
                sum; sum of known digits
            find graded = {graded}: weighted sum of readable digits; second sum of readable digits; known weighted sum;
                second known sum; weighted sum of known digits
            find a = {-plain % modulus}: remainder needed in first sum; what first sum lacks; missing part of first sum;
                needed remainder of first sum; remainder of smeared digits
            find b = {-graded % modulus}: remainder needed in second sum; what second sum lacks; missing part of second
                sum; needed remainder of second sum; weighted remainder of smeared digits
            step The readable digits add up to {plain}. :: Eq(plain, {" + ".join(str(d) for _, d in readable)})
            step Weighted by their places they give {graded}.
                :: Eq(graded, {" + ".join(f"{i + 1}*{d}" for i, d in readable)})
            step The smeared digits must leave {-plain % modulus} in the first sum. :: Eq(Mod(plain + a, modulus), 0)
            step And {-graded % modulus} in the second. :: Eq(Mod(graded + b, modulus), 0)
        """)
        names = "xyz"[:count]
        for name, digit, ordinal in zip(names, best, ORDINALS, strict=False):
            draft.find(
                name,
                digit,
                f"{ordinal} smeared digit",
                f"{ordinal} missing digit",
                f"{ordinal} unknown digit",
                f"{ordinal} unreadable digit",
                f"{ordinal} digit of the answer",
            )
        i = places[0] + 1
        gaps = [place + 1 - i for place in places[1:]]
        combined = " + ".join(f"{gap}*{name}" for gap, name in zip(gaps, names[1:], strict=True))
        draft.note(f"""
            step Take {i} times the first condition from the second: the first smeared digit drops out.
                :: Eq(Mod({combined}, modulus), Mod(b - {i}*a, modulus))
        """)
        if count == 2:
            draft.note(f"""
                step {modulus} is prime, so this fixes the second smeared digit. :: Eq(gcd({gaps[0]}, modulus), 1)
                step The first condition then fixes the other. :: Eq(Mod(x + y, modulus), a)
                find answer = {10 * best[0] + best[1]}: answer; number formed by smeared digits; two-digit number;
                    smeared digits; two smeared digits; missing digits; number formed by missing digits; number of the
                    smeared digits
                step Written one behind the other. :: Eq(answer, 10*x + y)
            """)
            return draft.problem(text)
        draft.note(f"""
            find solutions = {len(solutions)}: number of solutions; number of ways to fill gaps; solutions; number of
                possible fillings; number of ways to fill the gaps; number of possible digits
            step Each choice of the last smeared digit fixes the other two; {len(solutions)} of the choices give digits.
                :: And(Le(solutions, 10), Ge(solutions, 1))
            step All three fit the first condition. :: Eq(Mod(x + y + z, modulus), a)
            find answer = {100 * best[0] + 10 * best[1] + best[2]}: answer; largest number; largest possible number;
                largest three-digit number; three-digit number; largest number formed by smeared digits; largest number
                that the smeared digits can form; smeared digits; greatest number
            step The largest of them. :: Eq(answer, 100*x + 10*y + z)
        """)
        for digit in range(best[0] + 1, 10):
            draft.aside(f"The first smeared digit is not {digit}.", f"Ne(x, {digit})")
        return draft.problem(text)

    @staticmethod
    def _valid(rng: Rng, modulus: int, checks: list[list[int]]) -> list[int] | None:
        for _ in range(2000):
            digits = [int(d) for d in rng.integers(0, 10, len(checks[0]))]
            if all(sum_of_products(check, digits) % modulus == 0 for check in checks):
                return digits
        return None


def _weighted(weights: list[int]) -> str:
    """Return a weighted sum in words."""
    return " + ".join(f"{w} times the {n} digit" for w, n in zip(weights, ORDINALS, strict=False))


def _article(thing: str) -> str:
    """Return the thing with a capital indefinite article."""
    return f"An {thing}" if thing[0] in "aeiou" else f"A {thing}"


def _written(digits: list[int], places: list[int]) -> str:
    """Return a number with some digits unreadable."""
    return "".join("?" if i in places else str(d) for i, d in enumerate(digits))


def _filled(digits: list[int], places: list[int], guess: Sequence[int]) -> list[int]:
    """Return the digits with others at some places."""
    others = dict(zip(places, guess, strict=True))
    return [others.get(i, d) for i, d in enumerate(digits)]
