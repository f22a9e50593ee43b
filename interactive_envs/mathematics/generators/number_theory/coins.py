"""``coins``: amounts that cannot be made of two or three sizes, and ways to make one that can."""

from __future__ import annotations

import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import listed, table


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


def _payable(amount: int, sizes: tuple[int, int]) -> bool:
    """Return whether an amount can be made of two sizes."""
    return any((amount - sizes[0] * x) % sizes[1] == 0 for x in range(amount // sizes[0] + 1))
