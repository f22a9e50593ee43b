"""``shares``: equal things shared out among different people, with least and largest shares."""

from __future__ import annotations

import itertools
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick


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
