"""``rows``: different things in a row or a circle, of which some want or shun each other's company."""

from __future__ import annotations

import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import table


class Rows(Generator):
    """Different things in a row or a circle, of which some want or shun each other's company."""

    name = "rows"
    field = "combinatorics"

    _rows = table("""
        {name}, a librarian, puts {n} different books on a shelf, side by side | books | novel | atlas | novels |
            atlases
        {name}, a gardener, plants {n} different shrubs in one row | shrubs | rose | fern | roses | ferns
        {name}, a photographer, lines up {n} people from left to right | people | singer | dancer | singers |
            dancers
        {name}, a curator, hangs {n} different pictures side by side | pictures | portrait | map | portraits | maps
    """)
    _rings = table("""
        At a feast of {name}'s, {n} people sit down on {n} chairs around a round table | singer | dancer | singers
            | dancers
        In {name}'s garden {n} different lanterns are hung evenly around a hoop | red lantern | blue lantern | red
            ones | blue ones
        In {name}'s workshop {n} different horses are mounted evenly on a carousel | white horse | black horse |
            whites | blacks
    """)
    _pairs = table("""
        At a feast of {name}'s, {n} people sit down on {n} chairs around a round table | Among them are {c}
            couples{rest} | couple
        In {name}'s theatre {n} different masks are hung evenly around a hoop | Among them are {c} pairs of
            brothers{rest} | pair
        In {name}'s workshop {n} different horses are mounted evenly on a carousel | Among them are {c} pairs of
            rivals{rest} | pair
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: a block; 2: a block and guarded ends; 3: apart; 4: apart in a ring; 5: pairs apart in a ring."""
        red = between(rng, 2, 3) if difficulty == 1 else between(rng, 3, 5)
        n = min(11, red + between(rng, 4, 7))
        if difficulty == 5:
            return self._apart_in_pairs(rng)
        if difficulty >= 3 and red > n - red:
            return None
        if difficulty == 4:
            return self._apart_in_ring(rng, n, red)
        blue = n - red
        opening, things, one, other, ones, others = pick(rng, self._rows)
        draft = Draft(self, difficulty, kind=("block", "block", "apart")[difficulty - 1], n=n, red=red)
        draft.give(
            "n",
            n,
            "number of things",
            f"number of {things}",
            things,
            f"total number of {things}",
            f"{things} in all",
            f"all {things}",
            "total number",
        )
        draft.give(
            "red", red, f"number of {ones}", ones, f"total number of {ones}", f"{ones} in all", "size of the block"
        )
        draft.give(
            "blue",
            blue,
            f"number of {others}",
            others,
            f"total number of {others}",
            f"{others} in all",
            f"how many {others}",
        )
        text = f"{opening.format(n=n, name=pick(rng, NAMES))}: {red} {ones} and {blue} {others}. "
        if difficulty <= 2:
            text += f"The {red} {ones} must stand next to each other, without any {other} between them"
            draft.note(f"""
                find units = {blue + 1}: number of units; things to arrange with block as one; units; number of things
                    with block as one; number of blocks and single things
                find inner = {math.factorial(red)}: orders within block; orders of {ones}; ways to order {ones}; ways to
                    order the block; arrangements of {ones}; number of orders of {ones}
                find outer = {math.factorial(blue + 1)}: orders of units; orders of block and rest; ways to order units;
                    ways to arrange units; number of orders of units; arrangements of units
                find joint = {math.factorial(blue + 1) * math.factorial(red)}: orders with block together; orders with
                    block; number of orders with block together; orders with all {ones} together; ways with block
                    together
                step There are {red} {ones} and {blue} {others}. :: Eq(n, red + blue)
                step Take the {ones} as one block: {blue + 1} units. :: Eq(units, blue + 1)
                step The units can be ordered in {blue + 1}! ways. :: Eq(outer, factorial(units))
                step The block can be ordered inside in {red}! ways. :: Eq(inner, factorial(red))
                step Both choices are free of each other. :: Eq(joint, outer*inner)
            """)
        if difficulty == 1:
            text += ". "
            draft.find(
                "answer",
                math.factorial(blue + 1) * math.factorial(red),
                "answer",
                "number of orders",
                "number of possible orders",
                "number of ways",
                "number of arrangements",
                "possible orders",
                "arrangements",
                "number of different orders",
            )
            draft.step("Nothing else is asked.", "Eq(answer, joint)")
        elif difficulty == 2:
            text += f", and one particular {other}, the oldest, may stand neither first nor last. "
            bad = 2 * math.factorial(blue) * math.factorial(red)
            draft.note(f"""
                find bad = {bad}: forbidden orders; orders with oldest {other} at an end; bad orders; number of
                    forbidden orders; orders to be subtracted; number of bad orders
                find answer = {math.factorial(blue + 1) * math.factorial(red) - bad}: answer; number of orders; number
                    of possible orders; number of ways; number of arrangements; possible orders; arrangements; number of
                    different orders
                step With the oldest {other} at an end {blue} units are left. :: Eq(bad, 2*factorial(blue)*inner)
                step These are taken away. :: Eq(answer, joint - bad)
            """)
        else:
            text += f"No two {ones} may stand next to each other. "
            draft.note(f"""
                find outer = {math.factorial(blue)}: orders of {others}; ways to order {others}; arrangements of
                    {others}; number of orders of {others}; permutations of {others}
                find gaps = {blue + 1}: number of gaps; gaps; gaps between {others}; places for {ones}; number of gaps
                    between {others}
                find chosen = {math.comb(blue + 1, red)}: choices of gaps; ways to choose gaps; number of choices of
                    gaps; number of ways to choose gaps; choices of places for {ones}
                find inner = {math.factorial(red)}: orders of {ones}; ways to order {ones}; arrangements of {ones};
                    number of orders of {ones}; permutations of {ones}
                find answer = {math.factorial(blue) * math.perm(blue + 1, red)}: answer; number of orders; number of
                    possible orders; number of ways; number of arrangements; possible orders; arrangements; number of
                    different orders
                step There are {blue} {others}, the rest. :: Eq(blue, n - red)
                step The {others} can be ordered in {blue}! ways. :: Eq(outer, factorial(blue))
                step They leave gaps between them and at both ends. :: Eq(gaps, blue + 1)
                step Each gap takes at most one {one}: choose {red} of the gaps. :: Eq(chosen, binomial(gaps, red))
                step The {ones} can be ordered in {red}! ways. :: Eq(inner, factorial(red))
                step All three choices are free. :: Eq(answer, outer*chosen*inner)
            """)
        draft.aside("All orders without a condition.", f"Lt(answer, {math.factorial(n)})")
        text += f"""In how many orders is that possible? (All {n} are different from each other, so which one stands
            where matters; an order and its mirror image are different.)"""
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Build all orders, one thing after the other, remembering only which are used and which was last."""
        known = problem.parameters
        n, red, kind = int(known["n"]), int(known.get("red", 0)), str(known["kind"])
        guarded = kind == "block" and problem.difficulty == 2

        def allowed(used: int, last: int, following: int) -> bool:
            if kind == "block":
                begun = used & ((1 << red) - 1)
                done = begun == (1 << red) - 1
                return last >= red or done or following < red
            if kind == "pairs":
                return last // 2 != following // 2 or max(last, following) >= 2 * int(known["pairs"])
            return last >= red or following >= red

        ring = kind in ("ring", "pairs")
        firsts = [n - 1] if ring else [i for i in range(n) if not (guarded and i == n - 1)]
        ways = {(1 << first, first): 1 for first in firsts}
        for size in range(2, n + 1):
            following: dict[tuple[int, int], int] = {}
            for (used, last), count in ways.items():
                for thing in range(n):
                    blocked = used >> thing & 1 or (guarded and size == n and thing == n - 1)
                    if not blocked and allowed(used, last, thing):
                        key = used | 1 << thing, thing
                        following[key] = following.get(key, 0) + count
            ways = following
        return sum(count for (used, last), count in ways.items() if not ring or allowed(used, last, n - 1))

    def _apart_in_ring(self, rng: Rng, n: int, red: int) -> Problem:
        blue = n - red
        opening, one, _, ones, others = pick(rng, self._rings)
        draft = Draft(self, 4, kind="ring", n=n, red=red)
        text = f"""{opening.format(n=n, name=pick(rng, NAMES))}. There are {red} of one kind ({ones}) and {blue} of the
            other ({others}). No {one} may be next to another {one}. In how many ways can this be done? (All {n} can be
            told apart. Two ways that differ only by a rotation are the same; two that are mirror images of each other
            are different unless a rotation makes them equal.)"""
        draft.note(f"""
            give n = {n}: number of places; total number; number of chairs; number of people; number of lanterns; number
                of horses; places; total
            give red = {red}: number of {ones}; {ones}; total number of {ones}; {ones} in all; how many {ones}
            give blue = {blue}: number of {others}; {others}; total number of {others}; {others} in all; how many
                {others}
            find outer = {math.factorial(blue - 1)}: circular orders of {others}; ways to place {others}; orders of
                {others}; ways to order {others}; arrangements of {others}
            find gaps = {blue}: number of gaps; gaps; gaps between {others}; places for {ones}; number of gaps between
                {others}
            find chosen = {math.comb(blue, red)}: choices of gaps; ways to choose gaps; number of choices of gaps;
                number of ways to choose gaps; choices of places for {ones}
            find inner = {math.factorial(red)}: orders of {ones}; ways to order {ones}; arrangements of {ones}; number
                of orders of {ones}; permutations of {ones}
            find answer = {math.factorial(blue - 1) * math.perm(blue, red)}: answer; number of ways; number of different
                ways; number of possible ways; number of arrangements; arrangements; number of orders
            step There are {blue} {others}. :: Eq(blue, n - red)
            step Around a circle the {others} have {blue - 1}! orders, as one of them may be kept in place.
                :: Eq(outer, factorial(blue - 1))
            step They leave {blue} gaps, as the circle closes. :: Eq(gaps, blue)
            step Each gap takes at most one {one}. :: Eq(chosen, binomial(gaps, red))
            step The {ones} can be put into these gaps in {red}! orders. :: Eq(inner, factorial(red))
            step The three choices multiply. :: Eq(answer, outer*chosen*inner)
            aside Without the condition there are more. :: Lt(answer, factorial(n - 1))
        """)
        return draft.problem(text)

    def _apart_in_pairs(self, rng: Rng) -> Problem:
        couples, singles = between(rng, 3, 4), between(rng, 0, 4)
        n = 2 * couples + singles
        opening, among, pair = pick(rng, self._pairs)
        rest = f"; the other {singles} belong to none" if singles > 1 else "; one other belongs to none" * singles
        text = f"""{opening.format(n=n, name=pick(rng, NAMES))}. {among.format(c=couples, rest=rest)}. The two of a
            {pair} must never be next to each other. In how many ways can this be done? (All {n} can be told apart. Two
            ways that differ only by a rotation are the same; mirror images are different.)"""
        draft = Draft(self, 5, kind="pairs", n=n, pairs=couples)
        draft.note(f"""
            give n = {n}: number of places; total number; number of chairs; number of people; number of lanterns; number
                of horses; number of masks; places; total
            give pairs = {couples}: number of pairs; number of couples; pairs; couples; how many pairs; total number of
                pairs; total number of couples
            find all = {math.factorial(n - 1)}: circular orders without condition; all ways; number of circular orders
                without condition; all circular orders; total number of circular orders; number of all ways; number of
                ways without condition
            step Without the condition there are {n - 1}! ways. :: Eq(all, factorial(n - 1))
        """)
        total, names = math.factorial(n - 1), "all"
        for j in range(1, couples + 1):
            count = math.comb(couples, j) * 2**j * math.factorial(n - 1 - j)
            draft.find(
                f"s_{j}",
                count,
                f"sum for {j} pairs together",
                f"inclusion-exclusion term {j}",
                f"term for {j} pairs together",
                f"ways with {j} pairs together",
                f"term for {j} pairs",
            )
            draft.step(
                f"For each choice of {j} {'pair' if j == 1 else 'pairs'} kept together there are {n - j} units and 2 "
                f"orders inside each {pair}; summed over the choices that is {count}.",
                f"Eq(s_{j}, binomial(pairs, {j})*2**{j}*factorial(n - 1 - {j}))",
            )
            total += (-1) ** j * count
            names += f" {'-' if j % 2 else '+'} s_{j}"
        draft.find(
            "answer",
            total,
            "answer",
            "number of ways",
            "number of different ways",
            "number of possible ways",
            "number of arrangements",
            "arrangements",
            "number of orders",
        )
        draft.step("Inclusion and exclusion with alternating signs gives the answer.", f"Eq(answer, {names})")
        draft.aside("A bound that stops after the first term is below.", "Ge(answer, all - s_1)")
        return draft.problem(text)
