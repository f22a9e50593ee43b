"""``counters``: page numbers and counters, some of which shun a digit or a pair of digits."""

from __future__ import annotations

import itertools
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import value_of_digits
from interactive_envs.mathematics.generators.wording import ORDINALS, table


class Counters(Generator):
    """Page numbers and counters, some of which shun a digit or a pair of digits."""

    name = "counters"
    field = "encodings"

    _pages = table("""
        {name} numbers the pages of a chronicle 1, 2, 3 and so on, in decimal and without leading zeros | pages | page
        {name} paints the house numbers 1, 2, 3 and so on along a very long street, without leading zeros | houses |
            house
        {name} stamps the tickets of a fair 1, 2, 3 and so on, without leading zeros | tickets | ticket
    """)
    _shy = table("""
        The odometer of {name}'s car counts whole kilometres | kilometres | odometer
        The turnstile of {name}'s museum counts visitors | visitors | turnstile
        The counter on {name}'s loom counts rows | rows | counter
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: digits of pages; 2: pages of digits; 3: a missing digit; 4: digits without one; 5: a missing pair."""
        name = pick(rng, NAMES)
        if difficulty <= 2:
            return self._digits(rng, difficulty, name)
        digit = between(rng, 1, 8)
        opening, unit, device = pick(rng, self._shy)
        if difficulty == 4:
            return self._labels(rng, digit, name)
        shown = [between(rng, 1, 9)] + [between(rng, 0, 9) for _ in range(4)]
        number = value_of_digits(shown)
        if difficulty == 3:
            if digit in shown:
                return None
            text = f"""{opening.format(name=name)}, but it avoids the digit {digit}: in every place it jumps from
                {digit - 1} straight to {digit + 1}. It started at 0, is right apart from that, and now shows {number}.
                How many {unit} were there really?"""
            draft = Draft(self, 3, digit=str(digit), shown=number, start=0)
            values = [d - (d > digit) for d in shown]
            draft.give(
                "shown",
                number,
                "reading",
                f"number on {device}",
                "number shown",
                "shown number",
                "displayed number",
                f"reading of the {device}",
                "number that is shown",
            )
            draft.find(
                "base",
                9,
                "number of digits used",
                "base",
                "base of the counter",
                "number base",
                "number of different digits",
                "digits used",
            )
            draft.step(f"The {device} uses nine different digits, so it counts in base nine.", "Eq(base, 10 - 1)")
            for i, (d, v) in enumerate(zip(shown, values, strict=True)):
                place = ORDINALS[i]
                draft.find(
                    f"d_{i + 1}",
                    v,
                    f"value of {place} digit",
                    f"{place} digit in base nine",
                    f"{place} digit's value",
                    f"digit value at {place} place",
                    f"{place} digit after mending",
                )
                draft.step(f"The {place} digit {d} stands for {v}.", f"Eq(d_{i + 1}, {d}{' - 1' if d > digit else ''})")
            total = sum(v * 9 ** (4 - i) for i, v in enumerate(values))
            draft.find(
                "answer",
                total,
                "answer",
                "true count",
                f"number of {unit}",
                "true number",
                f"real number of {unit}",
                f"true number of {unit}",
                "real count",
                f"actual number of {unit}",
                "real number",
                "correct count",
            )
            draft.step("Read in base nine.", f"Eq(answer, {' + '.join(f'd_{i + 1}*base**{4 - i}' for i in range(5))})")
            return draft.problem(text)
        return self._pairs(rng, opening.format(name=name), unit, device, number)

    def confirm(self, problem: Problem) -> int:
        """Count one by one."""
        known = problem.parameters
        if problem.difficulty <= 2:
            used = 0
            for n in itertools.count(1):
                used += len(str(n))
                if n == known.get("last"):
                    return used
                if used >= known.get("used", math.inf):
                    return n
        if problem.difficulty == 4:
            labels = (str(n) for n in itertools.count(1) if known["digit"] not in str(n))
            return sum(len(label) for label in itertools.islice(labels, known["count"]))
        return sum(known["digit"] not in str(n) for n in range(known["start"] + 1, known["shown"] + 1))

    def _digits(self, rng: Rng, difficulty: int, name: str) -> Problem:
        opening, many, one = pick(rng, self._pages)
        last = between(rng, 1100, 9800)
        used = 9 + 180 + 2700 + 4 * (last - 999)
        text = opening.format(name=name)
        draft = Draft(self, difficulty, **({"last": last} if difficulty == 1 else {"used": used}))
        draft.note(f"""
            find ones = 9: {many} with one digit; digits used for one-digit numbers; number of one-digit numbers;
                one-digit numbers; digits for numbers from 1 to 9; digits of one-digit numbers
            find twos = 180: digits used for two-digit numbers; digits for numbers from 10 to 99; digits of two-digit
                numbers; digits for two-digit numbers; digits in two-digit numbers
            find threes = 2700: digits used for three-digit numbers; digits for numbers from 100 to 999; digits of
                three-digit numbers; digits for three-digit numbers; digits in three-digit numbers
            find sub = 2889: digits used up to 999; digits for numbers below 1000; digits up to 999; digits used below
                1000; digits of all numbers up to 999
            find fours = {last - 999}: count of four-digit numbers; {many} with four digits; four-digit numbers; number
                of four-digit numbers; numbers with four digits; number of {many} with four digits
            step The numbers from 1 to 9 take 9 digits. :: Eq(ones, 9)
            step Those from 10 to 99 take 180. :: Eq(twos, 2*90)
            step Those from 100 to 999 take 2700. :: Eq(threes, 3*900)
            step Up to 999 that makes 2889. :: Eq(sub, ones + twos + threes)
        """)
        if difficulty == 1:
            text += f". There are {last} {many}. How many digits are written in all?"
            draft.note(f"""
                give last = {last}: number of {many}; last {one}; total number of {many}; {many} in all; last number;
                    largest number
                find answer = {used}: answer; number of digits; digits in all; total number of digits; digits written;
                    number of digits written; digits in total; all digits; digits
                step {last - 999} numbers have four digits. :: Eq(fours, last - 999)
                step Add their digits. :: Eq(answer, sub + 4*fours)
            """)
        else:
            text += f". In all, {used} digits are written. How many {many} are there?"
            draft.note(f"""
                give used = {used}: number of digits; digits in all; total number of digits; digits written; number of
                    digits written; digits in total; all digits
                find answer = {last}: answer; number of {many}; last {one}; total number of {many}; {many} in all; last
                    number; largest number; number on the last {one}
                step The other digits belong to four-digit numbers. :: Eq(fours, (used - sub)/4)
                step Count on from 999. :: Eq(answer, 999 + fours)
            """)
        return draft.problem(text)

    def _labels(self, rng: Rng, digit: int, name: str) -> Problem:
        hotel = pick(rng, ("rooms of a hotel", "boats of a harbour", "lockers of a station", "pews of a cathedral"))
        thing = hotel.split()[0]
        count = between(rng, 800, 5000)
        text = f"""{name} numbers the {count} {hotel} with whole numbers in rising order from 1 on, but leaves out every
            number in which the digit {digit} occurs. Each of the {count} {thing} gets one number, without leading
            zeros. How many digits are painted in all?"""
        draft = Draft(self, 4, digit=str(digit), count=count)
        draft.give(
            "count",
            count,
            f"number of {thing}",
            thing,
            f"total number of {thing}",
            f"{thing} in all",
            f"how many {thing}",
        )
        sizes: list[int] = []
        left = count
        while left:
            sizes.append(min(left, 8 * 9 ** len(sizes)))
            left -= sizes[-1]
        used = sum(k * size for k, size in enumerate(sizes, start=1))
        words = ("one", "two", "three", "four", "five")
        draft.note(f"""
            find first = 8: choices for first digit; digits allowed in first place; choices for the first digit; number
                of first digits allowed; allowed first digits
            find next = 9: choices for other digits; digits allowed in other places; choices for the other digits;
                number of other digits allowed; allowed other digits
            step A first digit is neither 0 nor {digit}: 8 choices. :: Eq(first, 10 - 2)
            step Any other digit is not {digit}: 9 choices. :: Eq(next, 10 - 1)
        """)
        for k, size in enumerate(sizes, start=1):
            draft.find(
                f"n_{k}",
                size,
                f"numbers with {words[k - 1]} digits",
                f"{words[k - 1]}-digit numbers used",
                f"number of numbers with {words[k - 1]} digits",
                f"number of {words[k - 1]}-digit numbers",
                f"{words[k - 1]}-digit numbers",
            )
            if k < len(sizes):
                draft.step(f"{size} numbers have {words[k - 1]} digits.", f"Eq(n_{k}, first*next**{k - 1})")
            else:
                before = " - ".join(f"n_{j}" for j in range(1, k))
                draft.step(f"The other {size} have {words[k - 1]} digits.", f"Eq(n_{k}, count - {before})")
        draft.step("There are more than enough of these.", f"Le(n_{len(sizes)}, first*next**{len(sizes) - 1})")
        draft.find(
            "answer",
            used,
            "answer",
            "number of digits",
            "digits in all",
            "total number of digits",
            "digits painted",
            "number of digits painted",
            "digits in total",
            "painted digits",
            "all digits",
            "digits",
        )
        draft.step("Add up the digits.", f"Eq(answer, {' + '.join(f'{k}*n_{k}' for k in range(1, len(sizes) + 1))})")
        return draft.problem(text)

    def _pairs(self, rng: Rng, opening: str, unit: str, device: str, number: int) -> Problem | None:
        first = between(rng, 1, 8)
        second = between(rng, 0, 9)
        pair = f"{first}{second}"
        if first == second or pair in str(number) or number < 20_000:
            return None
        around = [d for d in "3614" if d not in pair]
        text = f"""{opening}, but it jumps over every number in whose decimal writing (without leading zeros) the digits
            {first} and {second} stand directly one behind the other in this order, as {pair} in
            {around[0]}{pair}{around[1]}. It started at 0, shows the next number that is left at every count, and now
            shows {number}. How many {unit} were there really?"""
        draft = Draft(self, 5, digit=pair, shown=number, start=0)
        draft.give(
            "shown",
            number,
            "reading",
            f"number on {device}",
            "number shown",
            "shown number",
            "displayed number",
            f"reading of the {device}",
            "number that is shown",
        )
        free = [1, 10]
        while len(free) < 6:
            free.append(10 * free[-1] - free[-2])
        for k in (2, 3, 4):
            draft.find(
                f"g_{k}",
                free[k],
                f"sequences of {k} digits without pair",
                f"blocks of {k} digits allowed",
                f"allowed blocks of {k} digits",
                f"blocks of {k} digits without pair",
                f"number of sequences of {k} digits without pair",
            )
        draft.note(f"""
            step Of the blocks of two digits (leading zeros allowed) one is forbidden: {free[2]} are left.
                :: Eq(g_2, 10**2 - 1)
            step A digit in front of an allowed block spoils it only if it is the first of the pair and the block begins
                with the second; so g(3) = {free[3]}. :: Eq(g_3, 10*g_2 - 10)
            step In the same way g(4) = {free[4]}. :: Eq(g_4, 10*g_3 - g_2)
        """)
        # numbers below the reading that share its first digits and then have a smaller one
        shown = str(number)
        terms, total = [], 0
        sizes = ["1", "10", "g_2", "g_3", "g_4"]
        for i, digit in enumerate(map(int, shown)):
            place, rest = ORDINALS[i], len(shown) - i - 1
            # the pair's first digit directly before bars its second one; in this place it spoils what follows
            barred = i > 0 and int(shown[i - 1]) == first and second < digit
            spoilt = first < digit and rest > 0
            part = (digit - barred) * free[rest] - (free[rest - 1] if spoilt else 0)
            claim = f"{digit - barred}*{sizes[rest]}" + (f" - {sizes[rest - 1]}" if spoilt else "")
            total += part
            terms.append(f"part_{i + 1}")
            draft.note(f"""
                find part_{i + 1} = {part}: numbers with smaller {place} digit; share of {place} digit; contribution of
                    {place} digit; number of numbers with smaller {place} digit; count for {place} digit
                step With the digits before as in the reading and a smaller {place} digit there are {part} allowed
                    numbers. :: Eq(part_{i + 1}, {claim})
            """)
        draft.note(f"""
            find answer = {total}: answer; true count; number of {unit}; true number; real number of {unit}; true number
                of {unit}; real count; actual number of {unit}; real number; correct count
            step These include 0, at which it started, but not the reading itself; so their number is the count.
                :: Eq(answer, {" + ".join(terms)})
        """)
        return draft.problem(text)
