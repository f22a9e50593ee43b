"""``remainders``: a number known by what is left over; the last level wants two of three remainders at least."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import ORDINALS, counted, table


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
        story = f"Somebody counts {everything}, but forgets the number. This is still known: {'; '.join(clauses)}."
        if difficulty <= 2:
            text = f"{story} What is the smallest positive number of {thing}s for which all this is true?"
        elif difficulty == 3:
            text = f"{story} There were at least {low} and at most {limit} {thing}s. How many were there?"
        elif difficulty == 4:
            text = f"""{story} The number was at least 1 and at most {limit}. How many different numbers of {thing}s
                agree with all this?"""
        else:
            story = "; ".join(f"({i}) {clause}" for i, clause in enumerate(clauses, start=1))
            text = f"""Three helpers each say one thing about {everything}: {story}. It turns out that at least two of
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
            """Return the least number that meets the chosen conditions, and how many do."""
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
    """Return the least positive number with given remainders, as (modulus, remainder)."""
    return next(n for n in itertools.count(1) if all(n % m == r for m, r in conditions))
