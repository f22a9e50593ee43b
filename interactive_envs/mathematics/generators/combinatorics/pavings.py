"""``pavings``: strips and rings paved with stones of several lengths and colours."""

from __future__ import annotations

import functools
import itertools
import math

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import NAMES, Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import counted, listed, table


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
                condition = "has a joint or a piece of length 2 in the middle"
            else:
                same = colours[0] * ways[half] + colours[2] * ways[half - 1]
                claim = f"c_1*f_{half} + c_3*f_{half - 1}"
                condition = "has a piece of length 1 or 3 in the middle"
            draft.note(f"""
                find palindromes = {same}: symmetric coverings; coverings equal to their own reverse; number of
                    symmetric coverings; palindromes; number of palindromes; palindromic coverings; symmetrical
                    coverings
                find answer = {(ways[n] + same) // 2}: answer; number of coverings; number of different coverings;
                    number of coverings of the {whole}; number of ways; number of possible coverings; different
                    coverings; coverings of the {whole}
                step A covering that equals its own reverse {condition}. :: Eq(palindromes, {claim})
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


@functools.cache
def _compositions(n: int, largest: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to write n as a sum of parts from 1 to largest, in order."""
    if n == 0:
        return ((),)
    return tuple((*rest, i) for i in range(1, min(n, largest) + 1) for rest in _compositions(n - i, largest))


def _coverings(n: int, colours: tuple[int, ...]) -> list[tuple[tuple[int, int], ...]]:
    """Return all coverings of a strip as sequences of (length, colour)."""
    found: list[tuple[tuple[int, int], ...]] = []
    for lengths in _compositions(n, len(colours)):
        found += itertools.product(*([(i, shade) for shade in range(colours[i - 1])] for i in lengths))
    return found
