"""Hidden parts of combinatorics: limits of shares, closed crossings, numbers of colours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

from interactive_envs.mathematics.generators.combinatorics.paths import Paths
from interactive_envs.mathematics.generators.combinatorics.pavings import Pavings
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import listed, table

_SHARERS = table("""
    coins | grandchild | grandchildren
    packets | route | routes
    eggs | basket | baskets
""")


def _shares(rng: Rng, difficulty: int) -> Setting:
    """Equal things shared out, with a hidden limit for each who gets some."""
    many = 4 if difficulty <= 2 else 6
    total = 6 * many - between(rng, 2, 8)
    things, one, all_ = pick(rng, _SHARERS)
    names = [f"c({k})" for k in range(1, many + 1)]
    text = f"""{total} equal {things} are shared out among {many} {all_}, numbered from 1 to {many}; all {things} are
        given. The {one} number k gets at most c(k) of them, perhaps none. The limits {listed(names)} are hidden. In
        how many ways can the {things} be shared out? (The {all_} are different, the {things} are not.)"""

    def spread(left: int) -> int:
        return math.comb(left + many - 1, many - 1) if left >= 0 else 0

    def derive(draft: Draft, found: Values) -> None:
        limits = [value + 1 for value in found.values()]
        sums = [
            sum(spread(total - sum(chosen)) for chosen in itertools.combinations(limits, size))
            for size in range(many + 1)
        ]
        answer = sum((-1) ** size * each for size, each in enumerate(sums))
        draft.note(f"""
            find all = {sums[0]}: number of ways without limits; ways without any limit
            find over_1 = {sums[1]}: sum over single broken limits; ways with one limit broken
            find over_2 = {sums[2]}: sum over pairs of broken limits; ways with two limits broken
            find over_3 = {sums[3]}: sum over triples of broken limits; ways with three limits broken
            find more = {sum((-1) ** size * each for size, each in enumerate(sums) if size > 3)}: alternating sum over
                four or more broken limits; rest of the alternating sum
            find answer = {answer}: answer; number of ways; ways
            step Without limits there are {sums[0]} ways. :: Eq(all, binomial({total + many - 1}, {many - 1}))
            step Who breaks the limit c(k) takes c(k) + 1 beforehand; over the single ones that is {sums[1]}.
                :: Eq(over_1, {" + ".join(_spread(total, [name], many) for name in names)})
            step The alternating sum over broken limits counts what is allowed.
                :: Eq(answer, all - over_1 + over_2 - over_3 + more)
        """)

    def fits(found: Values) -> bool:
        return sum(found.values()) >= total + 3

    phrases = {name: (f"limit of {one} {k}", f"limit of {one} number {k}") for k, name in enumerate(names, 1)}
    ranges = dict.fromkeys(names, (2, 17))
    return Setting(text, {"total": total, "caps": names}, ranges, derive, fits=fits, phrases=phrases)


def _spread(total: int, names: list[str], many: int) -> str:
    """Return how many ways are left when the limits named are broken, as a claim's text; none for too few things."""
    taken = " - ".join(f"(c_{name[2:-1]} + 1)" for name in names)
    return f"binomial(Max({total} - {taken} + {many - 1}, 0), {many - 1})"


def _count_shares(given: Mapping[str, Any]) -> int:
    """One after the other, remembering only how much is given."""
    ways = {0: 1}
    for cap in given["caps"]:
        following: dict[int, int] = {}
        for done, count in ways.items():
            for share in range(cap + 1):
                following[done + share] = following.get(done + share, 0) + count
        ways = following
    return ways.get(given["total"], 0)


def _paths(rng: Rng, difficulty: int) -> Setting:
    """Ways through a grid of streets with hidden closed crossings."""
    size = 9
    closed = 3 if difficulty <= 2 else 4
    names = [(f"x({k})", f"y({k})") for k in range(1, closed + 1)]
    text = f"""A taxi drives from the crossing A of a city with square blocks to the crossing B, which lies {size} steps
        further east and {size} steps further north. With each step it drives to the next crossing, either one east or
        one north. {closed} crossings are closed, so no way may pass them: number k lies x(k) steps east and y(k) steps
        north of A. All x(k) and y(k) are hidden; two closed crossings may be the same. How many different ways can the
        taxi take?"""

    def derive(draft: Draft, found: Values) -> None:
        spots = sorted({(found[x], found[y]) for x, y in names})
        ends = [*spots, (size, size)]
        free: dict[tuple[int, int], int] = {}
        for x, y in ends:
            before = [(p, q) for p, q in free if p <= x and q <= y]
            free[x, y] = math.comb(x + y, x) - sum(free[p, q] * math.comb(x - p + y - q, x - p) for p, q in before)
        blocked = [free[p, q] * math.comb(2 * size - p - q, size - p) for p, q in spots]
        draft.note(f"""
            find all = {math.comb(2 * size, size)}: number of ways without closed crossings; all ways
            find blocked = {sum(blocked)}: number of ways that pass a closed crossing; blocked ways
            find answer = {free[size, size]}: answer; number of ways; ways
            step Without closed crossings there are {math.comb(2 * size, size)} ways.
                :: Eq(all, binomial({2 * size}, {size}))
            step Sorted by the first closed crossing that they meet, {sum(blocked)} ways are blocked.
                :: Eq(blocked, {" + ".join(map(str, blocked))})
            step The others are allowed. :: Eq(answer, all - blocked)
        """)

    parameters = {"a": size, "b": size, "through": [], "closed": [list(pair) for pair in names], "below": False}
    ranges = {name: (1, 8) for pair in names for name in pair}
    return Setting(text, parameters, ranges, derive)


def _pavings(rng: Rng, difficulty: int) -> Setting:
    """A strip covered by pieces that come in hidden numbers of colours."""
    longest = 3 if difficulty <= 2 else 4
    length = between(rng, 6, 9)
    names = [f"c({k})" for k in range(1, longest + 1)]
    text = f"""A ribbon of length {length} is covered by stripes across its whole width, one after the other without
        gaps and without overlap. There are stripes of length k in c(k) different colours for k = 1 to {longest}, as
        many as needed. The numbers {listed(names)} are hidden. How many different coverings of the ribbon are there?
        (Two coverings differ if the lengths or the colours differ somewhere, read from beginning to end.)"""

    def derive(draft: Draft, found: Values) -> None:
        colours = list(found.values())
        ways = [1]
        for n in range(1, length + 1):
            ways.append(sum(c * ways[n - k] for k, c in enumerate(colours, 1) if k <= n))
        claim = " + ".join(f"c_{k}*f_{length - k}" for k in range(1, longest + 1))
        for n in range(2, length):
            draft.find(f"f_{n}", ways[n], f"number of coverings of length {n}", f"coverings of a ribbon of length {n}")
        draft.note(f"""
            find answer = {ways[length]}: answer; number of coverings; coverings; number of coverings of length {length}
            step The last stripe has some length k and leaves a covering of the rest. :: Eq(answer, {claim})
            step The short ribbons come first: length 2 has {ways[2]} coverings. :: Eq({ways[2]}, c_1**2 + c_2)
            step Step by step up to {length} that makes {ways[length]}. :: Eq(answer, {ways[length]})
        """)

    parameters = {"kind": "strip", "n": length, "colours": names}
    phrases = {
        name: (f"number of colours of length {k}", f"number of colours of stripes of length {k}")
        for k, name in enumerate(names, 1)
    }
    return Setting(text, parameters, dict.fromkeys(names, (1, 64)), derive, phrases=phrases)


HIDDEN: Mapping[str, HiddenPart] = {
    "shares": HiddenPart(_shares, _count_shares),
    "paths": HiddenPart(_paths, by(Paths(), 4)),
    "pavings": HiddenPart(_pavings, by(Pavings(), 2)),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
