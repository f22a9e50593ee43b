"""``occupancy``: things fall into places independently: how many places stay empty, how many get one."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.wording import counted, table


class Occupancy(Generator):
    """Things fall into places independently: how many places stay empty, how many get one."""

    name = "occupancy"
    field = "probability"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: empty places; 2: places with exactly k; 3: variance; 4: exactly j empty; 5: variance of those with one."""
        n, m = between(rng, 4, 9), between(rng, 3, 9)
        if m**n > (10**8 if difficulty < 3 or difficulty == 4 else 10**6):
            return None
        k = between(rng, 1, 3) if difficulty == 2 else (1 if difficulty == 5 else 0)
        empty = between(rng, 1, max(1, min(m - 2, 3))) if difficulty == 4 else 0
        if difficulty == 4 and m - empty > n:
            return None
        settings = table("""
            people | person | floors | floor | {n} people enter a lift on the ground floor. Each has chosen one of the
                {m} higher floors
            letters | letter | pigeonholes | pigeonhole | {n} different letters are put into {m} numbered
                pigeonholes. Each goes into one of them
            guests | guest | tables | table | {n} guests sit down at {m} numbered tables with plenty of room. Each
                chooses a table
        """)
        things, thing, places, place, how = pick(rng, settings)
        draft = Draft(self, difficulty, things=n, places=m, exactly=k, empty=empty)
        draft.give(
            "n", n, f"number of {things}", things, f"total number of {things}", f"{things} in all", f"how many {things}"
        )
        draft.give(
            "m", m, f"number of {places}", places, f"total number of {places}", f"{places} in all", f"how many {places}"
        )
        if difficulty == 4:
            ask = self._exactly(draft, n, m, empty, places)
        else:
            mean, other = self._moments(draft, n, m, k, place, places, difficulty)
            who = f"with exactly {counted(k, thing, things)}"
            if k == 0:
                who = "that stay empty" if things == "letters" else "that nobody chose"
            if difficulty <= 2:
                ask = f"What is the expected number of {places} {who}?"
                draft.find(
                    "answer",
                    mean,
                    "answer",
                    f"expected number of such {places}",
                    "expected number",
                    "expected value",
                    "expectation",
                    "mean",
                    f"expected number of {places} {who}",
                    f"average number of such {places}",
                    f"mean number of such {places}",
                )
                draft.step(f"There are {m} {places}, so the expected number is {mean}.", "Eq(answer, m*chance)")
            else:
                answer = other + mean - mean**2
                ask = f"Let X be the number of {places} {who}. What is the variance of X?"
                draft.find(
                    "answer",
                    answer,
                    "answer",
                    "variance",
                    "variance of x",
                    "var(x)",
                    "variance of the number",
                    "x's variance",
                    f"variance of the number of {places}",
                    f"variance of the number of such {places}",
                )
                draft.step(f"The variance is {answer}.", "Eq(answer, pairs + mean - mean**2)")
        text = f"""{how.format(n=n, m=m)}, each {place} with the same probability and independently of the others. {ask}
            Give an exact fraction in lowest terms."""
        return draft.problem(text, form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """Return the exact distribution, place after place."""
        given = problem.parameters
        n, m, k = given["things"], given["places"], given["exactly"]
        # ways[i][x]: i things in the places so far, x of which hold exactly k
        ways = {(0, 0): 1}
        for _ in range(m):
            more: dict[tuple[int, int], int] = {}
            for (used, x), count in ways.items():
                for here in range(n - used + 1):
                    key = (used + here, x + (here == k))
                    more[key] = more.get(key, 0) + count * math.comb(n - used, here)
            ways = more
        chances = {x: Fraction(count, m**n) for (used, x), count in ways.items() if used == n}
        mean = sum((x * p for x, p in chances.items()), Fraction(0))
        match problem.difficulty:
            case 1 | 2:
                return mean
            case 4:
                return chances[given["empty"]]
            case _:
                return sum((x * x * p for x, p in chances.items()), Fraction(0)) - mean**2

    @staticmethod
    def _moments(
        draft: Draft, n: int, m: int, k: int, place: str, places: str, difficulty: int
    ) -> tuple[Fraction, Fraction]:
        """Return the mean, and the mean of X(X - 1)."""
        ways, hit = math.comb(n, k), Fraction(1, m)
        chance = Fraction(ways * (m - 1) ** (n - k), m**n)
        mean = m * chance
        state = "empty" if k == 0 else f"with exactly {k}"
        draft.note(f"""
            find hit = {hit}: probability of a given {place} for one; chance to get a given {place}; probability that
                one chooses a given {place}; chance that one gets a given {place}; probability to get a given {place}
            find miss = {1 - hit}: probability to miss a given {place}; chance not to get a given {place}; probability
                that one misses a given {place}; chance to miss a given {place}; probability not to get a given {place}
            find ways = {ways}: ways to choose who is there; number of choices of who is there; number of ways to choose
                who is there; ways to choose them; binomial coefficient
            find chance = {chance}: probability that a given {place} is {state}; chance of one {place}; chance that a
                given {place} is {state}; probability that one {place} is {state}; probability that a {place} is
                {state}; probability of one {place}
            step One of them gets a given {place} with probability 1/{m}. :: Eq(hit, 1/m)
            step It misses it with probability {1 - hit}. :: Eq(miss, 1 - hit)
            step There are {ways} ways to choose the {k} that get it. :: Eq(ways, binomial(n, {k}))
            step So a given {place} is {state} with probability {chance}. :: Eq(chance, ways*hit**{k}*miss**(n - {k}))
        """)
        if difficulty <= 2:
            return mean, Fraction(0)
        pair = Fraction(ways * math.comb(n - k, k) * (m - 2) ** (n - 2 * k), m**n)
        pairs = m * (m - 1) * pair
        draft.note(f"""
            find mean = {mean}: expected number of such {places}; mean of x; expected value of x; mean; expectation of
                x; e(x); mean number of such {places}; average number of such {places}; expected number of {places}
            find both = {pair}: probability that two given {places} are both {state}; chance of two {places}; chance
                that two given {places} are both {state}; probability that two {places} are both {state}; probability of
                two {places}
            find pairs = {pairs}: expected value of x(x - 1); expected number of ordered pairs of such {places}; e(x(x -
                1)); second factorial moment; factorial moment; expectation of x(x - 1)
            step The mean is {mean}. :: Eq(mean, m*chance)
            step Two given {places} are both {state} with probability {pair}.
                :: Eq(both, ways*binomial(n - {k}, {k})*hit**{2 * k}*(1 - 2*hit)**(n - {2 * k}))
            step Over all ordered pairs, E[X(X - 1)] = {pairs}. :: Eq(pairs, m*(m - 1)*both)
        """)
        return mean, pairs

    @staticmethod
    def _exactly(draft: Draft, n: int, m: int, empty: int, places: str) -> str:
        full = m - empty
        onto = sum((-1) ** i * math.comb(full, i) * (full - i) ** n for i in range(full + 1))
        favourable = math.comb(m, empty) * onto
        total = " + ".join(f"(-1)**{i}*binomial(full, {i})*(full - {i})**n" for i in range(full))
        draft.note(f"""
            give empty = {empty}: number of empty {places}; {places} that stay empty; empty {places}; unused {places};
                number of unused {places}; how many {places} stay empty
            find full = {full}: number of {places} in use; {places} that are used; used {places}; number of used
                {places}; occupied {places}; number of occupied {places}
            find choices = {math.comb(m, empty)}: ways to choose the empty {places}; number of choices of the empty
                ones; choices of the empty {places}; number of ways to choose the empty {places}; ways to choose the
                empty ones
            find onto = {onto}: ways to use all of {full} {places}; number of surjections; onto functions; number of
                onto functions; surjections; ways to use all the others; ways to fill the others
            find favourable = {favourable}: favourable ways; number of favourable outcomes; number of favourable ways;
                favourable outcomes; number of favourable cases; favourable cases
            find all = {m**n}: all ways; total number of outcomes; number of outcomes; total number of ways; number of
                possible outcomes; possible outcomes; all outcomes; number of all outcomes
            find answer = {Fraction(favourable, m**n)}: answer; asked probability; probability; chance; probability of
                exactly {empty} empty {places}; probability that exactly {empty} {places} stay empty; chance of exactly
                {empty} empty {places}
            step There are {m}^{n} outcomes. :: Eq(all, m**n)
            step {full} {places} must be used. :: Eq(full, m - empty)
            step The empty ones can be chosen in {math.comb(m, empty)} ways. :: Eq(choices, binomial(m, empty))
            step By inclusion and exclusion {onto} ways use all the others. :: Eq(onto, {total})
            step Together there are {favourable} ways. :: Eq(favourable, choices*onto)
            step The probability is {Fraction(favourable, m**n)}. :: Eq(answer, favourable/all)
        """)
        one = f"is exactly 1 {places[:-1]}" if empty == 1 else f"are exactly {empty} {places}"
        without = "that nobody chose" if places != "pigeonholes" else f"that {'stays' if empty == 1 else 'stay'} empty"
        return f"What is the probability that there {one} {without}?"
