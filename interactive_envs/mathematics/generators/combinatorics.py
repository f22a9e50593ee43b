"""Problems on arrangements, shares, paths, pavings and necklaces."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import ORDINALS, counted, listed, table


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


class Shares(Generator):
    """Equal things shared out among different people, with least and largest shares."""

    name = "shares"
    field = "combinatorics"

    _settings = (
        ("A grandmother hands out {n} equal coins to {k} grandchildren", "grandchild", "coins"),
        ("A farmer puts {n} equal eggs into {k} baskets of different colours", "basket", "eggs"),
        ("A club spreads {n} equal votes over {k} candidates", "candidate", "votes"),
        ("A network sends {n} equal packets over {k} different routes", "route", "packets"),
    )

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: free; 2: least shares; 3: largest shares; 4: odd shares with a limit; 5: one gets more than another."""
        k = 4 if difficulty >= 3 else between(rng, 3, 5)
        n = between(rng, 11, 24)
        opening, who, what = pick(rng, self._settings)
        least, cap, odd = 0, n, False
        if difficulty == 2:
            least = between(rng, 2, 3)
            n += k * least
            cap = n
        elif difficulty == 3:
            cap = between(rng, n // 3, n // 2)
        elif difficulty == 4:
            n = 2 * between(rng, 11, 24)
            cap = 2 * between(rng, n // 6, n // 4 - 1) + 1
            odd = True
        elif difficulty == 5:
            cap = between(rng, n // 3, n // 2)
        text = f"{opening.format(n=n, k=k)}, all of them. "
        draft = Draft(self, difficulty, n=n, k=k, least=least, cap=cap, odd=odd, more=difficulty == 5)
        draft.give("n", n, f"number of {what}", what, f"total number of {what}", f"{what} in all", f"all {what}")
        draft.give(
            "k", k, f"number of {who}s", f"{who}s", f"total number of {who}s", f"{who}s in all", f"how many {who}s"
        )
        if difficulty == 1:
            text += f"A {who} may get none. "
        elif difficulty == 2:
            text += f"Every {who} gets at least {least}. "
        elif difficulty == 4:
            text += f"Every {who} gets an odd number of {what}, and nobody gets more than {cap}. "
        else:
            text += f"A {who} may get none, but none gets more than {cap}. "
        if difficulty == 5:
            text += f"The first {who} gets more than the second. "
        text = text.replace("nobody gets", "none gets")
        text += f"""In how many ways is that possible? (The {who}s are different, the {what} are not: only how many each
            gets matters.)"""
        free = n - k * least
        if odd:
            free = (n - k) // 2
            limit = (cap - 1) // 2
            draft.note(f"""
                give cap = {cap}: largest share; upper limit; maximum; most that one may get; largest number allowed;
                    limit for each; limit
                find units = {free}: pairs to share; pairs of {what} left; number of pairs to share; number of pairs;
                    pairs; pairs left
                step Give every {who} one first: {n - k} are left. :: Eq(n - k, {n - k})
                step The rest goes out in pairs: {free} of them. :: Eq(units, (n - k)/2)
                find limit = {limit}: largest number of pairs; pairs allowed each; most pairs; largest number of pairs
                    for each; pairs that each may get
                step Nobody may get more than {limit} pairs. :: Eq(cap, 2*limit + 1)
            """)
        else:
            limit = cap
            if least:
                draft.give(
                    "least",
                    least,
                    "smallest share",
                    "least share",
                    "minimum",
                    "least number for each",
                    "least that each gets",
                    "lower limit",
                )
                draft.step(f"Give every {who} {least} first.", f"Eq(k*least, {k * least})")
            draft.find(
                "units",
                free,
                f"number of {what} to share freely",
                f"{what} left to share",
                f"number of {what} left",
                f"remaining {what}",
                f"{what} to share",
                f"free {what}",
            )
            draft.step(f"{free} {what} are to be shared freely.", "Eq(units, n - k*least)" if least else "Eq(units, n)")
        draft.find(
            "bars",
            k - 1,
            "number of bars",
            "separators",
            "bars",
            "number of separators",
            "dividers",
            "number of dividers",
        )
        draft.find(
            "all",
            math.comb(free + k - 1, k - 1),
            "number of shares without upper limit",
            "unlimited ways",
            "number of ways without upper limit",
            "ways without limit",
            "number of unlimited ways",
            "number of all shares",
        )
        draft.step(f"Write the shares as a row of {free} things and {k - 1} bars.", "Eq(bars, k - 1)")
        if difficulty <= 2:
            draft.note(f"""
                find symbols = {free + k - 1}: length of row; things and bars together; number of places in row; row
                    length; symbols; number of symbols
                step The row has {free + k - 1} places. :: Eq(symbols, units + bars)
                step Choose the places of the bars. :: Eq(all, binomial(symbols, bars))
                find answer = {math.comb(free + k - 1, k - 1)}: answer; number of ways; number of distributions; number
                    of different ways; number of possible ways; number of possibilities; distributions
                step That is all that is asked. :: Eq(answer, all)
                aside Another way to write it. :: Eq(answer, binomial(symbols, units))
            """)
            return draft.problem(text)
        draft.step("Without an upper limit count the places of the bars.", "Eq(all, binomial(units + bars, bars))")
        if not odd:
            draft.give(
                "limit",
                limit,
                "largest share",
                "upper limit",
                "maximum",
                "most that one may get",
                "largest number allowed",
                "limit for each",
                "limit",
            )
        total, names = 0, []
        for j in range(k + 1):
            rest = free - j * (limit + 1)
            if rest < 0:
                break
            term = math.comb(k, j) * math.comb(rest + k - 1, k - 1)
            total += (-1) ** j * term
            if j:
                draft.find(
                    f"over_{j}",
                    term,
                    f"sum for {j} over limit",
                    f"inclusion-exclusion term {j}",
                    f"term for {j} over limit",
                    f"ways with {j} over limit",
                    f"term {j} of inclusion and exclusion",
                )
                draft.step(
                    f"With {j} {who}{'s' if j > 1 else ''} above the limit, {rest} remain free; over all choices "
                    f"{term}.",
                    f"Eq(over_{j}, binomial(k, {j})*binomial(units - {j}*(limit + 1) + bars, bars))",
                )
            names.append(f"{'-' if j % 2 else '+'} over_{j}" if j else "all")
        if len(names) == 1 or total < 20:
            return None
        if difficulty <= 4:
            draft.find(
                "answer",
                total,
                "answer",
                "number of ways",
                "number of distributions",
                "number of different ways",
                "number of possible ways",
                "number of possibilities",
                "distributions",
            )
            draft.step("Inclusion and exclusion.", f"Eq(answer, {' '.join(names)})")
            return draft.problem(text)
        ties = [
            max(0, min(n - 2 * e, cap) - max(0, n - 2 * e - cap) + 1)
            for e in range(cap + 1)
            if 0 <= n - 2 * e <= 2 * cap
        ]
        draft.note(f"""
            find limited = {total}: number of shares within limit; ways within limit; number of ways within limit;
                shares within limit; ways that keep limit
            step Inclusion and exclusion gives the ways within the limit. :: Eq(limited, {" ".join(names)})
            find ties = {sum(ties)}: number of ties; ways in which first and second get same; ties; number of ways in
                which first and second get same; equal ways; number of equal ways
            step Count the ways in which the first two get the same, share by share.
                :: Eq(ties, {" + ".join(map(str, ties))})
            find answer = {(total - sum(ties)) // 2}: answer; number of ways; number of distributions; number of
                different ways; number of possible ways; number of possibilities; distributions
            step In half of the other ways the first has more. :: Eq(answer, (limited - ties)/2)
        """)
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """Try all shares of all but the last."""
        known = problem.parameters
        n, cap = known["n"], known["cap"]
        shares = range(known["least"] or int(known["odd"]), cap + 1, 2 if known["odd"] else 1)
        if not known["more"]:
            ways = {0: 1}
            for _ in range(known["k"]):
                following: dict[int, int] = {}
                for given, count in ways.items():
                    for share in shares:
                        if given + share <= n:
                            following[given + share] = following.get(given + share, 0) + count
                ways = following
            return ways.get(n, 0)
        tried = itertools.product(shares, repeat=known["k"] - 1)
        return sum(first > second and 0 <= n - first - second - third <= cap for first, second, third in tried)


class Paths(Generator):
    """Shortest ways through a grid of streets, past open, closed and forbidden corners."""

    name = "paths"
    field = "combinatorics"

    _settings = table("""
        A taxi drives from the crossing A of a city with square blocks | crossing | drives | the taxi
        A robot runs along the aisles of a warehouse that form a square grid, from the corner A | corner | runs | the
            robot
        An ant walks along the threads of a square net, from the knot A | knot | walks | the ant
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: the first steps are told; 2: through a place; 3: around one; 4: around two; 5: below the diagonal."""
        a, b = between(rng, 5, 9), between(rng, 4, 8)
        if difficulty == 5 and b > a:
            a, b = b, a
        opening, place, moves, who = pick(rng, self._settings)
        text = f"""{opening} to the {place} B, which lies {a} steps further east and {b} steps further north. With each
            step it {moves} to the next {place}, either one east or one north. """
        everything = math.comb(a + b, a)
        question = f"How many different ways can {who} take?"
        if difficulty == 1:
            first = between(rng, 2, 3)
            text += f"The first {first} steps are all to the east. "
            draft = self._begin(1, a, b, through=[[first, 0]])
            rest = a - first
            draft.note(f"""
                give first = {first}: number of first steps; steps given at start; first steps; given steps; number of
                    given steps; steps told
                find east = {rest}: remaining steps east; eastward steps left; steps east left; remaining eastward
                    steps; east steps left
                find length = {rest + b}: remaining steps; steps left; number of remaining steps; number of steps left;
                    total remaining steps
                find answer = {math.comb(rest + b, b)}: answer; number of ways; number of different ways; number of
                    paths; number of routes; number of possible ways; paths; routes
                step Nothing is to be chosen at first. :: Eq(binomial(first, first), 1)
                step {rest} steps east are left. :: Eq(east, a - first)
                step So {rest + b} steps are left. :: Eq(length, east + b)
                step Choose which of them go north. :: Eq(answer, binomial(length, b))
                step Choosing those to the east gives the same. :: Eq(answer, binomial(length, east))
            """)
            return draft.problem(text + question)
        if difficulty == 5:
            return self._below(rng, text, place, question, a, b)
        count = 1 if difficulty <= 3 else 2
        spots = sorted((between(rng, 1, a - 1), between(rng, 1, b - 1)) for _ in range(count))
        if len(set(spots)) < count or (count == 2 and spots[0][1] > spots[1][1]):
            return None
        placed = [f"the {place} {p} east and {q} north of A" for p, q in spots]
        corners = [list(spot) for spot in spots]
        draft = self._begin(difficulty, a, b, **{"through" if difficulty == 2 else "closed": corners})
        draft.note(f"""
            find all = {everything}: number of ways without condition; all ways; total number of ways; number of all
                ways; unrestricted ways; all paths; number of ways in all
            step Every way has {a + b} steps, of which {a} go east. :: Eq(all, binomial(a + b, a))
        """)
        through = []
        for label, (p, q) in zip(ORDINALS, spots, strict=False):
            name = label if count == 2 else "special"
            before, after = math.comb(p + q, p), math.comb(a + b - p - q, a - p)
            through.append(before * after)
            key = label[0]
            draft.note(f"""
                find to_{key} = {before}: ways to {name} {place}; ways from a to {name} {place}; number of ways to
                    {name} {place}; paths to {name} {place}; routes to {name} {place}
                find from_{key} = {after}: ways from {name} {place}; ways from {name} {place} to b; number of ways from
                    {name} {place}; paths from {name} {place}; routes from {name} {place}
                find via_{key} = {before * after}: ways through {name} {place}; ways via {name} {place}; number of ways
                    through {name} {place}; paths through {name} {place}; routes through {name} {place}
                step {before} ways lead from A to the {name} {place}. :: Eq(to_{key}, binomial({p + q}, {p}))
                step {after} ways lead from there to B. :: Eq(from_{key}, binomial(a + b - {p + q}, a - {p}))
                step So {before * after} ways pass it. :: Eq(via_{key}, to_{key}*from_{key})
            """)
        if difficulty == 2:
            text += f"On the way it must pass {placed[0]}. "
            draft.find(
                "answer",
                through[0],
                "answer",
                "number of ways",
                "number of different ways",
                "number of paths",
                "number of routes",
                "number of possible ways",
                "paths",
                "routes",
            )
            draft.step("These are the ways asked for.", "Eq(answer, via_f)")
        elif difficulty == 3:
            text += f"T{placed[0][1:]} is closed, so no way may pass it. "
            draft.find(
                "answer",
                everything - through[0],
                "answer",
                "number of ways",
                "number of different ways",
                "number of paths",
                "number of routes",
                "number of possible ways",
                "paths",
                "routes",
            )
            draft.step("They are taken away from all ways.", "Eq(answer, all - via_f)")
        else:
            (p, q), (r, s) = spots
            middle = math.comb(r - p + s - q, r - p)
            both = math.comb(p + q, p) * middle * math.comb(a + b - r - s, a - r)
            text += f"Two places are closed, so no way may pass them: {placed[0]}, and {placed[1]}. "
            draft.note(f"""
                find both = {both}: ways through both; ways via both closed places; number of ways through both; paths
                    through both; ways through both places; ways through both closed places
                step {both} ways pass both, {middle} ways leading from one to the other.
                    :: Eq(both, to_f*binomial({r - p + s - q}, {r - p})*from_s)
                find answer = {everything - sum(through) + both}: answer; number of ways; number of different ways;
                    number of paths; number of routes; number of possible ways; paths; routes
                step Ways through both were taken away twice. :: Eq(answer, all - via_f - via_s + both)
            """)
        return draft.problem(text + question)

    def confirm(self, problem: Problem) -> int:
        """Add up ways corner by corner."""
        known = problem.parameters
        closed = {tuple(spot) for spot in known["closed"]}
        through = [tuple(spot) for spot in known["through"]]

        def blocked(x: int, y: int) -> bool:
            missed = any((x > p and y < q) or (x < p and y > q) for p, q in through)
            return (x, y) in closed or (known["below"] and y > x) or missed

        ways = {(0, 0): 1}
        for x in range(known["a"] + 1):
            for y in range(known["b"] + 1):
                if (x, y) != (0, 0):
                    ways[x, y] = 0 if blocked(x, y) else ways.get((x - 1, y), 0) + ways.get((x, y - 1), 0)
        return int(ways[known["a"], known["b"]])

    def _begin(self, difficulty: int, a: int, b: int, **conditions: Any) -> Draft:
        draft = Draft(self, difficulty, **{"a": a, "b": b, "through": [], "closed": [], "below": False, **conditions})
        draft.give(
            "a",
            a,
            "steps east",
            "eastward steps",
            "number of steps east",
            "number of eastward steps",
            "steps to the east",
            "east steps",
        )
        draft.give(
            "b",
            b,
            "steps north",
            "northward steps",
            "number of steps north",
            "number of northward steps",
            "steps to the north",
            "north steps",
        )
        return draft

    def _below(self, rng: Rng, text: str, place: str, question: str, a: int, b: int) -> Problem | None:
        p = between(rng, 2, a - 1)
        q = between(rng, 1, min(p, b - 1))
        if a < b or q >= b:
            return None
        text += f"""At no moment may it have made more steps north than east. Besides, the {place} {p} east and {q}
            north of A is closed, so no way may pass it. """
        draft = self._begin(5, a, b, closed=[[p, q]], below=True)
        everything, crossing = math.comb(a + b, b), math.comb(a + b, b - 1)
        before = math.comb(p + q, q) - math.comb(p + q, q - 1)
        # a reflected start lies one step north-west of the diagonal's mirror image of the closed place
        u, v = a - p, b - q
        shift = p - q + 1
        after = math.comb(u + v, v) - (math.comb(u + v, v - shift) if v >= shift else 0)
        reflected = f" - binomial({u + v}, {v - shift})" if v >= shift else ""
        draft.note(f"""
            find all = {everything}: number of ways without condition; all ways; total number of ways; number of all
                ways; unrestricted ways; all paths; number of ways in all
            find crossing = {crossing}: ways that break rule; ways that get above diagonal; number of ways that break
                rule; bad ways; forbidden ways; ways that cross diagonal
            find good = {everything - crossing}: ways that keep rule; ways that stay below diagonal; number of ways that
                keep rule; good ways; allowed ways; number of good ways
            find to_spot = {before}: good ways to closed {place}; ways from a to closed {place}; number of good ways to
                closed {place}; ways to closed {place}; paths to closed {place}
            find from_spot = {after}: good ways from closed {place}; ways from closed {place} to b; number of good ways
                from closed {place}; ways from closed {place}; paths from closed {place}
            find via = {before * after}: good ways through closed {place}; ways via closed {place}; number of good ways
                through closed {place}; ways through closed {place}; paths through closed {place}
            find answer = {everything - crossing - before * after}: answer; number of ways; number of different ways;
                number of paths; number of routes; number of possible ways; paths; routes
            step Without any rule there are {everything} ways. :: Eq(all, binomial(a + b, b))
            step Reflect the ways that break the rule at the line y = x + 1: {crossing}.
                :: Eq(crossing, binomial(a + b, b - 1))
            step The others keep it. :: Eq(good, all - crossing)
            step By the same argument {before} ways keep it up to the closed {place}.
                :: Eq(to_spot, binomial({p + q}, {q}) - binomial({p + q}, {q - 1}))
            step And {after} from there to B. :: Eq(from_spot, binomial({u + v}, {v}){reflected})
            step So {before * after} of the good ways pass it. :: Eq(via, to_spot*from_spot)
            step They are taken away. :: Eq(answer, good - via)
        """)
        return draft.problem(text + question)


class Pavings(Generator):
    """Strips and rings paved with stones of several lengths and colours."""

    name = "pavings"
    field = "combinatorics"

    _settings = table("""
        A garden path of length {n} is paved for {name} | slabs | path
        {name} lays one row of bricks along a wall of length {n} | bricks | row
        {name} fills a shelf of length {n} with one row of boxes | boxes | shelf
        {name} covers a ribbon of length {n} by stripes across its whole width | stripes | ribbon
    """)
    _rings = table("""
        {name} completely covers the edge of a round fountain, which is divided into {n} numbered fields | stones |
            edge
        {name} completely covers the rim of a clock face, which is divided into {n} numbered fields | tiles | rim
        {name} completely covers a ring of {n} numbered seats | cushions | ring
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: two lengths; 2: three; 3: no two long ones together; 4: a ring; 5: a strip that can be turned round."""
        kind = ("strip", "strip", "apart", "ring", "turned")[difficulty - 1]
        colours = [between(rng, 1, 3), between(rng, 1, 3)]
        if difficulty in (2, 5):
            colours.append(between(rng, 1, 2))
        if colours == [1, 1]:
            return None
        n = between(rng, 6, 8) if difficulty == 5 else between(rng, 7, 11)
        opening, things, whole = pick(rng, self._rings if kind == "ring" else self._settings)
        lengths = [f"length {i} in {counted(c, 'colour', 'different colours')}" for i, c in enumerate(colours, start=1)]
        opening = opening.format(n=n, name=pick(rng, NAMES))
        rule = "to be put one after the other without gaps and without overlap."
        if kind == "apart":
            rule += f" Two {things} of length 2 may never be next to each other."
        differ = """differ somewhere, read from beginning to end; a covering and the same one read backwards are
            different, unless they are equal"""
        if kind == "turned":
            differ = f"""differ somewhere; but the {whole} can be turned round, so a covering and the same one read
                backwards count as one"""
        many = "as many as needed,"
        if kind == "ring":
            many = "as many as needed;"
            rule = "one of length 2 covers two neighbouring places, and the last place is a neighbour of the first."
            differ = "differ at some place; as the places are numbered, rotated coverings are different"
        text = f"""{opening}. There are {things} of {listed(lengths)}, {many} {rule} How many different coverings of the
            {whole} are there? (Two coverings differ if the lengths or the colours {differ}.)"""
        draft = Draft(self, difficulty, kind=kind, n=n, colours=colours)
        for i, c in enumerate(colours, start=1):
            draft.give(
                f"c_{i}",
                c,
                f"colours of length {i}",
                f"number of colours for length {i}",
                f"colours for length {i}",
                f"number of colours of length {i}",
                f"colours of {things} of length {i}",
                f"kinds of length {i}",
            )
        draft.give(
            "n",
            n,
            "length",
            "total length",
            f"length of the {whole}",
            "number of places",
            "number of fields",
            "whole length",
        )
        if kind == "apart":
            return self._apart(draft, text, n, colours)
        ways = [1]
        for k in range(1, n + 1):
            ways.append(sum(c * ways[k - i] for i, c in enumerate(colours, start=1) if i <= k))
        half = n // 2
        wanted = {"ring": (n - 2, n), "turned": (half - 1, half, n)}.get(kind, (n,))
        shown = sorted({1, 2, 3, n - 1, n - 2, *wanted} if kind != "turned" else {2, 3, *wanted})
        for k in shown:
            draft.find(
                f"f_{k}",
                ways[k],
                f"coverings of length {k}",
                f"number of ways for length {k}",
                f"f({k})",
                f"coverings for length {k}",
                f"number of coverings of length {k}",
                f"ways to cover length {k}",
                f"ways for length {k}",
            )
        draft.step("Let f(k) be the number of coverings of a strip of length k.", "Ge(f_2, 1)")
        if 1 in shown:
            draft.step(f"f(1) = {ways[1]}.", "Eq(f_1, c_1)")
        draft.step(f"f(2) = {ways[2]}.", "Eq(f_2, c_1**2 + c_2)")
        last = " + ".join(f"c_{i}*{ways[3 - i]}" for i in range(1, len(colours) + 1))
        draft.step(
            f"The last piece has one of the lengths, so f(k) follows from the values before it; f(3) = {ways[3]}.",
            f"Eq(f_3, {last})",
        )
        rule = " + ".join(f"c_{i}*{ways[n - i]}" for i in range(1, len(colours) + 1))
        draft.step(f"Going on like this, f({n}) = {ways[n]}.", f"Eq(f_{n}, {rule})")
        if kind == "strip":
            draft.step("Each piece adds at least one way.", f"Gt(f_{n}, f_{n - 1})")
            draft.find(
                "answer",
                ways[n],
                "answer",
                "number of coverings",
                "number of different coverings",
                f"number of coverings of the {whole}",
                "number of ways",
                "number of possible coverings",
                "different coverings",
                f"coverings of the {whole}",
            )
            draft.step("This is the number asked for.", f"Eq(answer, f_{n})")
        elif kind == "ring":
            draft.note(f"""
                step If no stone lies across the seam, there are f({n}) ways. :: Gt(f_{n}, f_{n - 2})
                step If one does, it has {colours[1]} colours and a strip of length {n - 2} is left.
                    :: Eq(answer - f_{n}, c_2*f_{n - 2})
                find answer = {ways[n] + colours[1] * ways[n - 2]}: answer; number of coverings; number of different
                    coverings; number of coverings of the {whole}; number of ways; number of possible coverings;
                    different coverings; coverings of the {whole}
                step Together. :: Eq(answer, f_{n} + c_2*f_{n - 2})
            """)
        else:
            if n % 2 == 0:
                same = ways[half] + colours[1] * ways[half - 1]
                claim = f"f_{half} + c_2*f_{half - 1}"
                said = "has a joint or a piece of length 2 in the middle"
            else:
                same = colours[0] * ways[half] + colours[2] * ways[half - 1]
                claim = f"c_1*f_{half} + c_3*f_{half - 1}"
                said = "has a piece of length 1 or 3 in the middle"
            draft.note(f"""
                find palindromes = {same}: symmetric coverings; coverings equal to their own reverse; number of
                    symmetric coverings; palindromes; number of palindromes; palindromic coverings; symmetrical
                    coverings
                find answer = {(ways[n] + same) // 2}: answer; number of coverings; number of different coverings;
                    number of coverings of the {whole}; number of ways; number of possible coverings; different
                    coverings; coverings of the {whole}
                step A covering that equals its own reverse {said}. :: Eq(palindromes, {claim})
                step All others are counted twice. :: Eq(answer, (f_{n} + palindromes)/2)
            """)
        if ways[n] > 9_000 and kind == "turned":
            return None
        return draft.problem(text)

    def confirm(self, problem: Problem) -> int:
        """List the coverings."""
        known = problem.parameters
        n, colours, kind = known["n"], known["colours"], known["kind"]
        if kind == "turned":
            found = set()
            for covering in _coverings(n, tuple(colours)):
                found.add(min(covering, covering[::-1]))
            return len(found)
        if kind == "ring":
            # the first field is the first of its stone, or the second field of a long one
            closed = sum(math.prod(colours[i - 1] for i in lengths) for lengths in _compositions(n, 2))
            across = sum(
                math.prod(colours[i - 1] for i in lengths) for lengths in _compositions(n, 2) if lengths[-1] == 2
            )
            return int(closed + across)
        total: int = 0
        for lengths in _compositions(n, len(colours)):
            if kind == "strip" or (2, 2) not in itertools.pairwise(lengths):
                total += math.prod(colours[i - 1] for i in lengths)
        return total

    def _apart(self, draft: Draft, text: str, n: int, colours: list[int]) -> Problem:
        c_1, c_2 = colours
        short, long = [1], [0]
        for k in range(1, n + 1):
            short.append(c_1 * (short[k - 1] + long[k - 1]))
            long.append(c_2 * short[k - 2] if k >= 2 else 0)
        for k in (2, 3, n - 1, n):
            draft.find(
                f"f_{k}",
                short[k] + long[k],
                f"coverings of length {k}",
                f"number of ways for length {k}",
                f"f({k})",
                f"coverings for length {k}",
                f"number of coverings of length {k}",
                f"ways to cover length {k}",
                f"ways for length {k}",
            )
        f = [s + t for s, t in zip(short, long, strict=True)]
        draft.note(f"""
            find short = {short[n]}: coverings that end with length 1; coverings ending short; number of coverings that
                end with length 1; coverings with length 1 at the end; number of coverings ending short
            find long = {long[n]}: coverings that end with length 2; coverings ending long; number of coverings that end
                with length 2; coverings with length 2 at the end; number of coverings ending long
            find answer = {short[n] + long[n]}: answer; number of coverings; number of different coverings; number of
                ways; number of possible coverings; different coverings
            step Let f(k) be the number of coverings of length k; f(2) = {f[2]}. :: Eq(f_2, c_1**2 + c_2)
            step Before a piece of length 2 stands one of length 1, or nothing; so f(k) = c_1 f(k - 1) + c_1 c_2 f(k -
                3) for k above 3, and f(3) = {f[3]}. :: Eq(f_3, c_1*f_2 + c_1*c_2)
            step Going on, f({n - 1}) = {f[n - 1]}. :: Eq(f_{n - 1}, c_1*{f[n - 2]} + c_1*c_2*{f[n - 4]})
            step {short[n]} coverings end with length 1. :: Eq(short, c_1*f_{n - 1})
            step {long[n]} end with length 2. :: Eq(long, c_1*c_2*{f[n - 3]})
            step Together these are all. :: Eq(answer, short + long)
            aside The answer continues the sequence. :: Eq(answer, f_{n})
        """)
        return draft.problem(text)


class Necklaces(Generator):
    """Colourings of a ring up to rotation and reflection, counted by what leaves them as they are."""

    name = "necklaces"
    field = "combinatorics"

    _turning = (
        ("{name} builds a carousel with {n} cabins at equal distances on a circle, each painted", "cabins", "carousel"),
        ("{name} cuts a round cake into {n} equal slices, each iced", "slices", "cake"),
        ("{name} makes a wheel of fortune with {n} equal sectors, each painted", "sectors", "wheel"),
    )
    _flipping = (
        ("{name} makes a bracelet of {n} equally spaced beads on a closed thread, each bead dyed", "beads", "bracelet"),
        ("{name} makes a ring of {n} equal glass pieces, each piece stained", "pieces", "ring"),
        ("{name} closes a chain of {n} equal links to a ring, each link enamelled", "links", "chain"),
    )

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: rotations, prime; 2: rotations; 3: also reflections; 4: neighbours differ; 5: both."""
        flips, proper = difficulty in (3, 5), difficulty >= 4
        n = pick(rng, {1: (5, 7), 2: (6, 8, 9), 3: (5, 6, 7, 8), 4: (6, 8, 9, 10), 5: (5, 6, 7, 8)}[difficulty])
        c = between(rng, 3, 9) if proper else between(rng, 2, 8)
        if c**n > 120_000:
            return None
        opening, things, whole = pick(rng, self._flipping if flips else self._turning)
        text = f"{opening.format(n=n, name=pick(rng, NAMES))} in one of {c} colours; not all colours need occur. "
        if proper:
            text += f"Neighbouring {things} must have different colours. "
        if flips:
            text += f"""The {whole} can be rotated and also turned over, so colourings that become equal in this way
                count as one. """
        else:
            text += f"""The {whole} can be rotated, but not turned over: colourings that become equal by a rotation
                count as one, mirror images as different unless a rotation makes them equal. """
        text += "How many different colourings are there?"
        draft = Draft(self, difficulty, n=n, c=c, flips=flips, proper=proper)
        moves = n * (2 if flips else 1)
        draft.note(f"""
            give n = {n}: number of {things}; {things}; number of places; total number of {things}; {things} in all;
                places; length of the ring
            give c = {c}: number of colours; colours; number of different colours; number of available colours;
                available colours; how many colours
            find moves = {moves}: number of symmetries; size of group; symmetries; group size; order of group; number of
                motions; size of symmetry group
            step There are {moves} motions, {n} of them rotations (with the one that moves nothing).
                :: Eq(moves, {"2*n" if flips else "n"})
        """)
        total, names = 0, []
        for cycles in sorted((d for d in range(1, n + 1) if n % d == 0), reverse=True):
            rotations = sum(math.gcd(k, n) == cycles for k in range(n))
            names.append(f"{rotations}*fix_{cycles}")
            if proper:
                count = (c - 1) ** cycles + (-1) ** cycles * (c - 1)
                claim = f"(c - 1)**{cycles} + (-1)**{cycles}*(c - 1)"
                why = f"a ring of {cycles} with neighbours different" if cycles > 1 else "neighbours would be equal"
            else:
                count, claim, why = c**cycles, f"c**{cycles}", f"{cycles} free choices"
            total += rotations * count
            draft.note(f"""
                find fix_{cycles} = {count}: colourings fixed by rotations with {cycles} cycles; colourings of {cycles}
                    cycles; fixed colourings with {cycles} cycles; number of colourings with {cycles} cycles; colourings
                    with {cycles} cycles
                step {rotations} of the rotations {"has" if rotations == 1 else "have"} {cycles} cycles and leave
                    {count} colourings as they are: {why}. :: Eq(fix_{cycles}, {claim})
            """)
        draft.note(f"""
            find turns = {total}: sum over rotations; total fixed by rotations; sum of colourings fixed by rotations;
                rotation sum; sum of fixed colourings over rotations
            step Sum over the rotations. :: Eq(turns, {" + ".join(names)})
            aside The rotations are all counted. :: Eq(n, {" + ".join(name.split("*")[0] for name in names)})
        """)
        if flips:
            if n % 2 and proper:
                axes, claim = 0, "Eq(flips, 0)"
                said = f"Each axis passes between two neighbouring {things}, which would have to be equal"
            elif n % 2:
                axes = n * c ** ((n + 1) // 2)
                claim, said = "Eq(flips, n*c**((n + 1)/2))", f"Each of the {n} axes goes through one of the {things}"
            elif proper:
                axes = n // 2 * c * (c - 1) ** (n // 2)
                claim = "Eq(flips, n/2*c*(c - 1)**(n/2))"
                said = f"Only the {n // 2} axes through two {things} leave any colouring; others make neighbours equal"
            else:
                axes = n // 2 * (c ** (n // 2) + c ** (n // 2 + 1))
                claim = "Eq(flips, n/2*c**(n/2) + n/2*c**(n/2 + 1))"
                said = f"Half of the axes go through two {things}, half through none"
            total += axes
            draft.find(
                "flips",
                axes,
                "sum over reflections",
                "total fixed by reflections",
                "sum of colourings fixed by reflections",
                "reflection sum",
                "sum of fixed colourings over reflections",
            )
            draft.step(f"{said}: {axes} in all.", claim)
        fixed = "(turns + flips)" if flips else "turns"
        draft.step("The number of colourings is the average.", f"Eq(answer, {fixed}/moves)")
        if len(names) < 3 and not flips:
            draft.step("It is a whole number.", "Eq(Mod(turns, moves), 0)")
        draft.find(
            "answer",
            total // moves,
            "answer",
            "number of colourings",
            "number of different colourings",
            "number of orbits",
            "different colourings",
            "orbits",
            "number of ways",
            "number of possible colourings",
        )
        return draft.problem(text) if total // moves >= 20 else None

    def confirm(self, problem: Problem) -> int:
        """Number all colourings and count those that are the smallest of their kind."""
        known = problem.parameters
        n, c = known["n"], known["c"]
        codes = np.arange(c**n)
        places = np.stack([codes // c**i % c for i in range(n)])
        if known["proper"]:
            places = places[:, (places != np.roll(places, 1, axis=0)).all(axis=0)]
        weights = c ** np.arange(n)
        forms = [places, places[::-1]] if known["flips"] else [places]
        images = [weights @ np.roll(form, k, axis=0) for form in forms for k in range(n)]
        return len(np.unique(np.min(images, axis=0)))


@functools.cache
def _compositions(n: int, largest: int) -> tuple[tuple[int, ...], ...]:
    """All ways to write n as a sum of parts from 1 to largest, in order."""
    if n == 0:
        return ((),)
    return tuple((*rest, i) for i in range(1, min(n, largest) + 1) for rest in _compositions(n - i, largest))


def _coverings(n: int, colours: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    """All coverings of a strip as sequences of (length, colour)."""
    found: list[tuple[tuple[int, int], ...]] = []
    for lengths in _compositions(n, len(colours)):
        found += itertools.product(*([(i, shade) for shade in range(colours[i - 1])] for i in lengths))
    return found


GENERATORS: tuple[Generator, ...] = (Rows(), Shares(), Paths(), Pavings(), Necklaces())
