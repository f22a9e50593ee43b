"""Probability: walks between ends, waiting for patterns, hidden bags, full and empty boxes, order of cards."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from interactive_envs.mathematics.base import Generator, Problem
from interactive_envs.mathematics.draft import Draft, between, pick
from interactive_envs.mathematics.wording import counted, listed, ordinal

FIELD = "probability"


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """The solution of linear equations with exactly one."""
    rows = [[*map(Fraction, row), Fraction(value)] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = next(j for j in range(i, size) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


class Ruin(Generator):
    """A walk on a row of places until it reaches an end."""

    name = "ruin"
    field = FIELD

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: fair, duration; 2: biased, chance; 3: biased, duration; 4: with pauses; 5: with a wall."""
        up, down = pick(rng, [(2, 1), (3, 1), (3, 2), (1, 2), (2, 3), (1, 3)])
        still = 0
        if difficulty == 1:
            up = down = 1
        if difficulty == 4:
            still = between(rng, 1, 4)
        whole = up + down + still
        p, q, r = Fraction(up, whole), Fraction(down, whole), Fraction(still, whole)
        size = between(rng, 9, 25) if difficulty == 1 else between(rng, 5, 8)
        start = between(rng, 2, size - 2) if difficulty < 5 else between(rng, 1, size - 3)
        ratio = q / p
        draft = Draft(self, difficulty, up=str(p), down=str(q), size=size, start=start)
        draft.give("size", size, "number of the last place", "upper end")
        draft.give("start", start, "starting place", "place of the start")
        draft.give("p", p, "probability of a step up", "chance to go up")
        draft.give("q", q, "probability of a step down", "chance to go down")
        if difficulty == 5:
            return self._wall(rng, draft, p, q, size, start)
        if difficulty == 1:
            draft.find("low", start, "distance from the lower end", "places to the lower end")
            draft.find("high", size - start, "distance from the upper end", "places to the upper end")
            draft.find("curvature", -2, "second difference of the expected duration", "second difference")
            draft.find("answer", start * (size - start), "answer", "expected number of steps", "expected duration")
            draft.step(
                "With t(k) the expected number of steps from k, t(k) = 1 + (t(k - 1) + t(k + 1))/2.", "Eq(p + q, 1)"
            )
            draft.step("So t has the constant second difference -2.", "Eq(curvature, -1/p)")
            draft.step("At both ends t is 0, so t(k) = k(n - k).", "Eq(curvature, -2)")
            draft.step(f"The lower end is {start} places away.", "Eq(low, start)")
            draft.step(f"The upper end is {size - start} places away.", "Eq(high, size - start)")
            draft.step(f"The expected number is {start * (size - start)}.", "Eq(answer, low*high)")
            ask = "What is the expected number of jumps until it stops?"
            return draft.problem(f"{self._scene(rng, size, start, p, q, r)} {ask}")
        top, bottom = 1 - ratio**start, 1 - ratio**size
        chance = top / bottom
        draft.find("ratio", ratio, "ratio of down to up", "q/p", "ratio q/p")
        draft.find("top", top, "one minus the power of the ratio at the start", "numerator")
        draft.find("bottom", bottom, "one minus the power of the ratio at the end", "denominator")
        draft.find("chance", chance, "probability of reaching the upper end", "chance to reach the upper end")
        draft.step(
            "With h(k) the chance to end at the top from k: (p + q) h(k) = p h(k + 1) + q h(k - 1).",
            f"Eq(p + q, {1 - r})",
        )
        draft.step(f"So the differences of h shrink or grow by the factor q/p = {ratio}.", "Eq(ratio, q/p)")
        draft.step(f"Up to the start they sum to a multiple of {top}.", "Eq(top, 1 - ratio**start)")
        draft.step(f"Up to the upper end they sum to the same multiple of {bottom}.", "Eq(bottom, 1 - ratio**size)")
        draft.step(f"The chance is the quotient, {chance}.", "Eq(chance, top/bottom)")
        if difficulty == 2:
            draft.find("answer", chance, "answer", "asked probability")
            draft.step("That is the answer.", "Eq(answer, chance)")
            ask = f"What is the probability that it stops at number {size} and not at number 0?"
            return draft.problem(f"{self._scene(rng, size, start, p, q, r)} {ask}", form="a fraction")
        drift, travel = p - q, size * chance - start
        answer = travel / drift
        if answer.denominator == 1:
            return None
        draft.find("drift", drift, "drift", "mean change in one step", "expected change in a step")
        draft.find("travel", travel, "expected total change", "expected change of the place", "expected displacement")
        draft.find("answer", answer, "answer", "expected number of steps", "expected duration")
        draft.step(f"A step changes the place by {drift} on average.", "Eq(drift, p - q)")
        draft.step(f"In all the place changes by {travel} on average.", "Eq(travel, size*chance - start)")
        draft.step(
            f"By Wald's identity the expected number of steps is the quotient, {answer}.", "Eq(travel, drift*answer)"
        )
        ask = "What is the expected number of jumps until it stops?"
        if difficulty == 4:
            ask = "What is the expected number of seconds until it stops?"
        return draft.problem(f"{self._scene(rng, size, start, p, q, r)} {ask}", form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """Linear equations, one for each place."""
        given = problem.parameters
        p, q, size = Fraction(given["up"]), Fraction(given["down"]), given["size"]
        wall = problem.difficulty == 5
        matrix = [[Fraction(int(i == j)) for j in range(size + 1)] for i in range(size + 1)]
        right = [Fraction(0)] * (size + 1)
        for k in range(0 if wall else 1, size):
            matrix[k][k] = p + q
            matrix[k][k + 1] -= p
            if k:
                matrix[k][k - 1] -= q
            else:
                matrix[0][0] = p
            right[k] = Fraction(0 if problem.difficulty == 2 else 1)
        if problem.difficulty == 2:
            right[size] = Fraction(1)
        return solve(matrix, right)[given["start"]]

    def _wall(
        self, rng: np.random.Generator, draft: Draft, p: Fraction, q: Fraction, size: int, start: int
    ) -> Problem | None:
        ratio, gap = q / p, p - q
        step = [1 / p]
        while len(step) < size:
            step.append(1 / p + ratio * step[-1])
        answer = sum(step[start:], Fraction(0))
        if answer.denominator == 1 and abs(answer) < 30:
            return None
        constant = 1 / gap
        lead = 1 / p - constant
        draft.find("ratio", ratio, "ratio of down to up", "q/p", "ratio q/p")
        draft.find("first", 1 / p, "expected time from 0 to 1", "expected seconds from place 0 to place 1")
        draft.find("second", step[1], "expected time from 1 to 2", "expected seconds from place 1 to place 2")
        draft.find("constant", constant, "fixed point of the recursion", "constant part")
        draft.find("lead", lead, "difference of the first time from the fixed point", "varying part")
        draft.find("last", step[-1], "expected time for the last place", f"expected time from {size - 1} to {size}")
        draft.find("answer", answer, "answer", "expected number of seconds", "expected duration")
        draft.step(f"From 0 a success of chance p is needed: {1 / p} seconds.", "Eq(first, 1/p)")
        draft.step(
            "With d(k) the expected time from k to k + 1: d(k) = 1 + q (d(k - 1) + d(k)).",
            "Eq(second, 1 + q*(first + second))",
        )
        draft.step(f"So d(k) = 1/p + (q/p) d(k - 1) with q/p = {ratio}.", "Eq(second, 1/p + ratio*first)")
        draft.step(f"The fixed point of this is {constant}.", "Eq(constant, 1/p + ratio*constant)")
        draft.step("d(k) = constant + lead*ratio^k.", "Eq(lead, first - constant)")
        draft.step(f"The last place takes {step[-1]} seconds.", "Eq(last, constant + lead*ratio**(size - 1))")
        draft.step(
            f"Summed from the start to the last place: {answer}.",
            "Eq(answer, (size - start)*constant + lead*(ratio**start - ratio**size)/(1 - ratio))",
        )
        who, place = pick(rng, [("A frog", "stone"), ("A robot", "cell"), ("A counter", "square")])
        text = (
            f"{who} stands on {place} {start} of a row of {place}s with the numbers 0 to {size}. Every second it "
            f"moves to the {place} "
            f"with the next higher number with probability {p} and to the one with the next lower number with "
            f"probability {q}, "
            f"independently of all before. On {place} 0 there is a wall below: there a move down leaves it on "
            f"{place} 0 for "
            f"that second. What is the expected number of seconds until it reaches {place} {size} for the first time?"
        )
        return draft.problem(text, form="a fraction or whole number")

    @staticmethod
    def _scene(rng: np.random.Generator, size: int, start: int, p: Fraction, q: Fraction, r: Fraction) -> str:
        who, place = pick(rng, [("A frog", "stone"), ("A robot", "cell"), ("A counter", "square"), ("A flea", "tile")])
        rest = f" and stays where it is with probability {r}" if r else ""
        middle = "," if r else " and"
        return (
            f"{who} is on {place} {start} of a row of {place}s that are numbered from 0 to {size}. Every second it "
            "jumps to the "
            f"next higher {place} with probability {p}{middle} to the next lower {place} with probability {q}{rest}, "
            f"independently of all before. It stops as soon as it is on {place} 0 or on {place} {size}."
        )


UNEQUAL = {
    3: tuple(
        tuple(Fraction(part, sum(parts)) for part in parts) for parts in ((1, 2, 3), (1, 1, 2), (1, 2, 2), (2, 1, 1))
    ),
    4: tuple(
        tuple(Fraction(part, sum(parts)) for part in parts) for parts in ((1, 1, 1, 3), (1, 1, 2, 2), (1, 2, 3, 4))
    ),
}
"""Chances of three or four letters."""


class Pattern(Generator):
    """Waiting until a pattern appears in a sequence of letters."""

    name = "pattern"
    field = FIELD

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: short and fair; 2: long and fair; 3: biased; 4: either of two; 5: which comes first, biased."""
        letters = between(rng, 2, 4) if difficulty < 5 else 2
        names = pick(rng, ["ABCD", "RBGY", "XYZW", "NESW"])[:letters]
        chances = dict.fromkeys(names, Fraction(1, letters))
        if difficulty == 3 and letters > 2:
            chances = dict(zip(names, pick(rng, UNEQUAL[letters]), strict=True))
        elif difficulty in (3, 5):
            share = pick(
                rng, [Fraction(1, 3), Fraction(2, 3), Fraction(1, 4), Fraction(3, 4), Fraction(2, 5), Fraction(3, 5)]
            )
            chances = dict(zip(names, (share, 1 - share), strict=True))
        long = between(rng, 6, 9) - letters
        length = {1: between(rng, 3, 4), 2: long, 3: 4, 4: between(rng, 3, 5), 5: between(rng, 3, 4)}[difficulty]
        words = ["".join(pick(rng, names) for _ in range(length)) for _ in range(2 if difficulty >= 4 else 1)]
        if any(len(set(word)) < 2 for word in words) or len(set(words)) < len(words):
            return None
        if difficulty < 4:
            return self._wait(rng, difficulty, words[0], chances)
        return self._two(rng, difficulty, words[0], words[1], chances)

    def confirm(self, problem: Problem) -> Any:
        """The chain of how much of a pattern has just been seen."""
        given = problem.parameters
        words, chances = given["words"], {letter: Fraction(p) for letter, p in given["chances"].items()}
        states = sorted({word[:i] for word in words for i in range(len(word))})
        index = {state: i for i, state in enumerate(states)}
        matrix = [[Fraction(int(i == j)) for j in range(len(states))] for i in range(len(states))]
        race = problem.difficulty == 5
        right = [Fraction(0 if race else 1) for _ in states]
        for state, i in index.items():
            for letter, p in chances.items():
                seen = state + letter
                if seen in words or any(seen.endswith(word) for word in words):
                    right[i] += p * int(race and seen.endswith(words[0]))
                    continue
                while seen not in index:
                    seen = seen[1:]
                matrix[i][index[seen]] -= p
        return solve(matrix, right)[index[""]]

    def _wait(
        self, rng: np.random.Generator, difficulty: int, word: str, chances: Mapping[str, Fraction]
    ) -> Problem | None:
        borders = [i for i in range(1, len(word) + 1) if word[:i] == word[-i:]]
        values = [1 / math.prod(chances[letter] for letter in word[:i]) for i in borders]
        answer = sum(values, Fraction(0))
        if (difficulty > 1 and len(borders) < 2) or len(borders) > 4:
            return None
        draft = Draft(self, difficulty, words=[word], chances={k: str(v) for k, v in chances.items()})
        draft.give("length", len(word), "length of the pattern", "number of letters of the pattern")
        for letter, p in chances.items():
            draft.give(f"p_{letter.lower()}", p, f"probability of {letter.lower()}", f"chance of {letter.lower()}")
        draft.find("borders", len(borders), "number of beginnings that are also ends", "number of borders")
        for i, value in zip(borders, values, strict=True):
            name = f"part{i}"
            draft.find(name, value, f"reciprocal probability of the first {i}", f"contribution of length {i}")
        draft.find("answer", answer, "answer", "expected number of letters", "expected waiting time")
        draft.step(
            "Before each letter a gambler bets 1 coin on the first letter, then all on the next, in a fair game.",
            f"Eq({' + '.join(f'p_{letter.lower()}' for letter in chances)}, 1)",
        )
        draft.step(
            f"When the pattern appears, gamblers still win whose bets are a beginning that is also an end: lengths "
            f"{listed([str(i) for i in borders])}.",
            f"Eq(borders, {len(borders)})",
        )
        for i, value in zip(borders, values, strict=True):
            product = "*".join(f"p_{letter.lower()}" for letter in word[:i])
            draft.step(
                f"The one with the first {i} {'letter' if i == 1 else 'letters'} ({word[:i]}) holds {value}.",
                f"Eq(part{i}, 1/({product}))",
            )
        if len(borders) < 3:
            draft.step("No other beginning is also an end.", f"And(Eq(length, {len(word)}), Le(borders, length))")
        total = " + ".join(f"part{i}" for i in borders)
        draft.step(
            f"The game is fair, so the coins paid in are the coins held: {answer} letters on average.",
            f"Eq(answer, {total})",
        )
        if len(borders) == 1:
            draft.step("Here only the whole pattern counts.", f"Eq(answer, part{len(word)})")
        text = (
            f"{self._source(rng, chances)} What is the expected number of letters written until {word} has just "
            "appeared for the "
            "first time as a block of consecutive letters, its own letters counted?"
        )
        return draft.problem(text, form="a fraction or whole number")

    def _two(
        self, rng: np.random.Generator, difficulty: int, first: str, second: str, chances: Mapping[str, Fraction]
    ) -> Problem | None:
        def overlap(ends: str, begins: str) -> Fraction:
            """How well the end of one word serves as the beginning of another."""
            found = [i for i in range(1, len(ends) + 1) if ends[-i:] == begins[:i]]
            return sum((1 / math.prod((chances[c] for c in begins[:i]), start=Fraction(1)) for i in found), Fraction(0))

        aa, ab, ba, bb = overlap(first, first), overlap(first, second), overlap(second, first), overlap(second, second)
        odds1, odds2 = bb - ba, aa - ab
        if not ab + ba or odds1 == odds2:
            return None
        chance = odds1 / (odds1 + odds2)
        wait = chance * aa + (1 - chance) * ba
        answer = wait if difficulty == 4 else chance
        if answer.denominator < (3 if difficulty == 4 else 12):
            return None
        a, b = first.lower(), second.lower()
        draft = Draft(self, difficulty, words=[first, second], chances={k: str(v) for k, v in chances.items()})
        draft.find("aa", aa, f"overlap of {a} with itself", f"{a} on {a}")
        draft.find("ab", ab, f"overlap of the end of {a} with the beginning of {b}", f"{a} on {b}")
        draft.find("ba", ba, f"overlap of the end of {b} with the beginning of {a}", f"{b} on {a}")
        draft.find("bb", bb, f"overlap of {b} with itself", f"{b} on {b}")
        draft.find("odds1", odds1, f"odds for {a}", f"weight of {a}")
        draft.find("odds2", odds2, f"odds for {b}", f"weight of {b}")
        draft.step(
            f"{first} on {first}: the reciprocal probabilities of its beginnings that are also ends sum to {aa}.",
            f"Eq(aa, {aa})",
        )
        draft.step(f"End of {first}, beginning of {second}: {ab}.", f"Eq(ab, {ab})")
        draft.step(f"End of {second}, beginning of {first}: {ba}.", f"Eq(ba, {ba})")
        draft.step(f"{second} on {second}: {bb}.", f"Eq(bb, {bb})")
        draft.step(
            "Gamblers who bet on the first word, and others on the second, pay the same until the end: with x the "
            "chance that the first comes first, x aa + (1 - x) ba = x ab + (1 - x) bb.",
            "Eq(odds1*aa + odds2*ba, odds1*ab + odds2*bb)",
        )
        draft.step(
            f"So the odds are (bb - ba) : (aa - ab) = {odds1} : {odds2}.", "And(Eq(odds1, bb - ba), Eq(odds2, aa - ab))"
        )
        source = self._source(rng, chances)
        if difficulty == 5:
            draft.find("answer", chance, "answer", f"probability that {a} comes first", "asked probability")
            draft.step(f"The chance is {chance}.", "Eq(answer, odds1/(odds1 + odds2))")
            ask = (
                f"The writing ends as soon as {first} or {second} has appeared as a block of consecutive letters. "
                "What is the "
                f"probability that it is {first} that has appeared?"
            )
            return draft.problem(f"{source} {ask}", form="a fraction")
        draft.find("chance", chance, f"probability that {a} comes first", f"chance of {a}")
        draft.find("answer", wait, "answer", "expected number of letters", "expected waiting time")
        draft.step(f"The chance of the first is {chance}.", "Eq(chance, odds1/(odds1 + odds2))")
        draft.step(
            f"Both sides of that equation are the expected number: {wait}.", "Eq(answer, chance*aa + (1 - chance)*ba)"
        )
        ask = (
            f"What is the expected number of letters written until {first} or {second}, whichever is earlier, has "
            "appeared as a "
            "block of consecutive letters, its own letters counted?"
        )
        return draft.problem(f"{source} {ask}", form="a fraction")

    @staticmethod
    def _source(rng: np.random.Generator, chances: Mapping[str, Fraction]) -> str:
        shares = ", ".join(f"{letter} with probability {p}" for letter, p in chances.items())
        how = pick(
            rng,
            [
                "Someone spins a wheel with lettered sectors again and again and writes down one letter after each "
                "spin",
                "A machine prints one letter after another on a strip of paper",
                "Someone draws from a bag, notes one letter for what was drawn, puts it back, and goes on like this",
            ],
        )
        return f"{how}: {shares}, independently each time."


class Bags(Generator):
    """What was drawn tells which bag it came from."""

    name = "bags"
    field = FIELD

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: which bag; 2: after two draws; 3: the next draw; 4: unequal chances; 5: an unseen move."""
        if difficulty == 5:
            return self._moved(rng, difficulty)
        many = 2 if difficulty <= 2 else 3
        draws = [1, 2, 2, 3][difficulty - 1]
        bags = [[between(rng, 2, 7), between(rng, 2, 7)] for _ in range(many)]
        weights = [1] * many
        if difficulty == 4:
            weights = pick(rng, [[1, 2, 3], [3, 2, 1], [1, 1, 4], [2, 1, 3], [3, 1, 2]])
        if len({Fraction(r, r + b) for r, b in bags}) < many or any(sum(bag) <= draws for bag in bags):
            return None
        # on level 4 two red and one blue, in any order
        red_draws = 2 if difficulty == 4 else draws
        total = sum(weights)

        def chance(bag: list[int], red: int, all_: int) -> Fraction:
            return Fraction(math.comb(bag[0], red) * math.comb(bag[1], all_ - red), math.comb(sum(bag), all_))

        likelihoods = [chance(bag, red_draws, draws) for bag in bags]
        joint = [Fraction(w, total) * like for w, like in zip(weights, likelihoods, strict=True)]
        seen = sum(joint, Fraction(0))
        draft = Draft(self, difficulty, bags=bags, weights=weights, draws=draws, red=red_draws)
        words = ["first", "second", "third"]
        colours, thing, holder = pick(
            rng,
            [
                (("red", "blue"), "ball", "bag"),
                (("white", "black"), "sock", "drawer"),
                (("ripe", "unripe"), "plum", "basket"),
            ],
        )
        for i in range(many):
            draft.find(
                f"like{i + 1}",
                likelihoods[i],
                f"chance of the drawn {thing}s from the {words[i]} {holder}",
                f"likelihood of the {words[i]} {holder}",
            )
        for i in range(many):
            draft.find(
                f"joint{i + 1}",
                joint[i],
                f"joint probability of the {words[i]} {holder} and the draws",
                f"joint probability of the {words[i]} {holder}",
            )
        draft.find("seen", seen, "probability of what was drawn", f"total probability of the drawn {thing}s")
        for i in range(many):
            red, blue = bags[i]
            claim = (
                f"binomial({red}, {red_draws})*binomial({blue}, {draws - red_draws})/binomial({red + blue}, {draws})"
            )
            draft.step(
                f"From the {words[i]} {holder} the draws have the probability {likelihoods[i]}.",
                f"Eq(like{i + 1}, {claim})",
            )
        if many == 2:
            for i in range(many):
                draft.step(
                    f"Together with the choice of the {words[i]} {holder} that is {joint[i]}.",
                    f"Eq(joint{i + 1}, like{i + 1}/2)",
                )
        else:
            draft.step(
                "Each is multiplied by the chance of its choice.",
                f"And({', '.join(f'Eq(joint{i + 1}, like{i + 1}*{weights[i]}/{total})' for i in range(many))})",
            )
        draft.step(
            f"In all the draws have the probability {seen}.",
            f"Eq(seen, {' + '.join(f'joint{i + 1}' for i in range(many))})",
        )
        if difficulty <= 2:
            answer = joint[0] / seen
            ask = f"What is the probability that the chosen {holder} is the first one?"
            draft.find(
                "answer", answer, "answer", f"probability of the first {holder} given the draws", "asked probability"
            )
            draft.step(f"The share of the first {holder} is {answer}.", "Eq(answer, joint1/seen)")
        else:
            nexts = [
                Fraction(bag[0] - red_draws, sum(bag) - draws) if bag[0] >= red_draws else Fraction(0) for bag in bags
            ]
            both = sum((j * n for j, n in zip(joint, nexts, strict=True)), Fraction(0))
            answer = both / seen
            draft.find(
                "both",
                both,
                f"probability of the draws and a {colours[0]} {thing} next",
                "joint probability with the next",
            )
            draft.find("answer", answer, "answer", f"probability that the next is {colours[0]}", "asked probability")
            products = " + ".join(f"joint{i + 1}*{nexts[i]}" for i in range(many))
            draft.step(
                f"Then another {colours[0]} one: with the shares {', '.join(map(str, nexts))} this is {both}.",
                f"Eq(both, {products})",
            )
            draft.step(f"The quotient is {answer}.", "Eq(answer, both/seen)")
            ask = (
                f"From the same {holder}, one further {thing} is drawn. What is the probability that it is "
                f"{colours[0]}?"
            )
        if answer.denominator < 12:
            return None
        contents = listed(
            [f"the {words[i]} holds {r} {colours[0]} and {b} {colours[1]} {thing}s" for i, (r, b) in enumerate(bags)]
        )
        if difficulty == 4:
            odds = listed([f"the {words[i]} with probability {Fraction(w, total)}" for i, w in enumerate(weights)])
            choice = f"One of them is chosen at random, {odds}"
        else:
            choice = "One of them is chosen at random, each with the same probability"
        if draws == 1:
            drawn = f"one {thing} is drawn from it at random. It is {colours[0]}."
        elif difficulty == 4:
            drawn = (
                f"three {thing}s are drawn from it at random, one after another and without putting any back. Two of "
                "them are "
                f"{colours[0]} and one is {colours[1]}; in which order they came was not noted."
            )
        else:
            drawn = (
                f"two {thing}s are drawn from it at random, one after another and without putting any back. Both are "
                f"{colours[0]}."
            )
        text = f"Of {['two', 'three'][many - 2]} {holder}s {contents}. {choice}, and {drawn} {ask}"
        return draft.problem(text, form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """Every single ball is told apart and every way to draw counted."""
        given = problem.parameters
        hit = seen = Fraction(0)
        if problem.difficulty == 5:
            first, second = ([1] * r + [0] * b for r, b in (given["first"], given["second"]))
            for moved in itertools.combinations(range(len(first)), 2):
                full = second + [first[i] for i in moved]
                both = sum(full[i] and full[j] for i, j in itertools.combinations(range(len(full)), 2))
                seen += both
                hit += both * all(first[i] for i in moved)
            return hit / seen
        draws, red = given["draws"], given["red"]
        further = problem.difficulty >= 3
        for number, (bag, weight) in enumerate(zip(given["bags"], given["weights"], strict=True)):
            balls = [1] * bag[0] + [0] * bag[1]
            ways = Fraction(weight, math.perm(len(balls), draws + further))
            for drawn in itertools.permutations(balls, draws + further):
                if sum(drawn[:draws]) == red:
                    seen += ways
                    hit += ways * (drawn[-1] if further else number == 0)
        return hit / seen

    def _moved(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        first, second = [between(rng, 3, 7), between(rng, 2, 6)], [between(rng, 1, 5), between(rng, 2, 6)]
        all1, all2 = sum(first), sum(second) + 2
        moved = [Fraction(math.comb(first[0], i) * math.comb(first[1], 2 - i), math.comb(all1, 2)) for i in range(3)]
        drawn = [Fraction(math.comb(second[0] + i, 2), math.comb(all2, 2)) for i in range(3)]
        seen = sum((m * d for m, d in zip(moved, drawn, strict=True)), Fraction(0))
        answer = moved[2] * drawn[2] / seen
        if answer.denominator < 12:
            return None
        colours, thing, holder = pick(
            rng, [("red", "ball", "bag"), ("white", "sock", "drawer"), ("ripe", "plum", "basket")]
        )
        other = {"red": "blue", "white": "black", "ripe": "unripe"}[colours]
        draft = Draft(self, difficulty, first=first, second=second)
        words = ["none", "one", "two"]
        for i in range(3):
            draft.find(
                f"moved{i}", moved[i], f"probability that {words[i]} of the moved are {colours}", f"prior of {words[i]}"
            )
        for i in range(3):
            draft.find(
                f"drawn{i}", drawn[i], f"chance of two {colours} after {words[i]} moved", f"likelihood of {words[i]}"
            )
        draft.find("seen", seen, f"probability of drawing two {colours}", "total probability")
        draft.find(
            "joint", moved[2] * drawn[2], f"probability of two {colours} moved and two drawn", "joint probability"
        )
        draft.find("answer", answer, "answer", "asked probability", f"probability that both moved were {colours}")
        for i in range(3):
            draft.step(
                f"With probability {moved[i]} {words[i]} of the moved {thing}s is {colours}.",
                f"Eq(moved{i}, binomial({first[0]}, {i})*binomial({first[1]}, {2 - i})/binomial({all1}, 2))",
            )
        draft.step(
            f"Then the chances of drawing two {colours} ones are {listed([str(d) for d in drawn])}.",
            f"And({', '.join(f'Eq(drawn{i}, binomial({second[0] + i}, 2)/binomial({all2}, 2))' for i in range(3))})",
        )
        draft.step(
            f"In all that happens with probability {seen}.", "Eq(seen, moved0*drawn0 + moved1*drawn1 + moved2*drawn2)"
        )
        draft.step(f"With two {colours} ones moved it is {moved[2] * drawn[2]}.", "Eq(joint, moved2*drawn2)")
        draft.step(f"The share is {answer}.", "Eq(answer, joint/seen)")
        text = (
            f"A first {holder} holds {first[0]} {colours} and {first[1]} {other} {thing}s, a second {holder} "
            f"{second[0]} {colours} and "
            f"{second[1]} {other} ones. Two {thing}s are taken from the first {holder} at random and put into the "
            "second without "
            f"being looked at. Then two {thing}s are drawn from the second {holder} at random, without putting one "
            "back; both "
            f"are {colours}. What is the probability that both {thing}s that were moved are {colours}?"
        )
        return draft.problem(text, form="a fraction")


class Occupancy(Generator):
    """Things fall into places independently: how many places stay empty, how many get one."""

    name = "occupancy"
    field = FIELD

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: empty places; 2: places with exactly k; 3: variance; 4: exactly j empty; 5: variance of those with one."""
        n, m = between(rng, 4, 9), between(rng, 3, 9)
        if m**n > (10**8 if difficulty < 3 or difficulty == 4 else 10**6):
            return None
        k = between(rng, 1, 3) if difficulty == 2 else (1 if difficulty == 5 else 0)
        empty = between(rng, 1, max(1, min(m - 2, 3))) if difficulty == 4 else 0
        if difficulty == 4 and m - empty > n:
            return None
        things, thing, places, place, how = pick(
            rng,
            [
                (
                    "people",
                    "person",
                    "floors",
                    "floor",
                    "{n} people enter a lift on the ground floor. Each has chosen one of the {m} higher floors",
                ),
                (
                    "letters",
                    "letter",
                    "pigeonholes",
                    "pigeonhole",
                    "{n} different letters are put into {m} numbered pigeonholes. Each goes into one of them",
                ),
                (
                    "guests",
                    "guest",
                    "tables",
                    "table",
                    "{n} guests sit down at {m} numbered tables with plenty of room. Each chooses a table",
                ),
            ],
        )
        draft = Draft(self, difficulty, things=n, places=m, exactly=k, empty=empty)
        draft.give("n", n, f"number of {things}", things)
        draft.give("m", m, f"number of {places}", places)
        if difficulty == 4:
            ask, form = self._exactly(draft, n, m, empty, places), "a fraction"
        else:
            mean, other = self._moments(draft, n, m, k, place, places, difficulty)
            word = {0: "that nobody chose" if things != "letters" else "that stay empty"}.get(k)
            who = word or f"with exactly {counted(k, thing, things)}"
            if difficulty <= 2:
                ask = f"What is the expected number of {places} {who}?"
                draft.find("answer", mean, "answer", f"expected number of such {places}")
                draft.step(f"There are {m} {places}, so the expected number is {mean}.", "Eq(answer, m*chance)")
            else:
                answer = other + mean - mean**2
                ask = f"Let X be the number of {places} {who}. What is the variance of X?"
                draft.find("answer", answer, "answer", "variance", "variance of x")
                draft.step(f"The variance is {answer}.", "Eq(answer, pairs + mean - mean**2)")
            form = "a fraction"
        text = (
            f"{how.format(n=n, m=m)}, each {place} with the same probability and independently of the others. {ask} "
            "Give an exact "
            "fraction in lowest terms."
        )
        return draft.problem(text, form=form)

    def confirm(self, problem: Problem) -> Any:
        """The exact distribution, place after place."""
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
        """The mean, and the mean of X(X - 1)."""
        chance = Fraction(math.comb(n, k) * (m - 1) ** (n - k), m**n)
        mean = m * chance
        state = "empty" if k == 0 else f"with exactly {k}"
        draft.find("hit", Fraction(1, m), f"probability of a given {place} for one", f"chance to get a given {place}")
        draft.find(
            "miss", 1 - Fraction(1, m), f"probability to miss a given {place}", f"chance not to get a given {place}"
        )
        draft.find("ways", math.comb(n, k), "ways to choose who is there", "number of choices of who is there")
        draft.find("chance", chance, f"probability that a given {place} is {state}", f"chance of one {place}")
        draft.step(f"One of them gets a given {place} with probability 1/{m}.", "Eq(hit, 1/m)")
        draft.step(f"It misses it with probability {1 - Fraction(1, m)}.", "Eq(miss, 1 - hit)")
        draft.step(f"There are {math.comb(n, k)} ways to choose the {k} that get it.", f"Eq(ways, binomial(n, {k}))")
        draft.step(
            f"So a given {place} is {state} with probability {chance}.", f"Eq(chance, ways*hit**{k}*miss**(n - {k}))"
        )
        if difficulty <= 2:
            return mean, Fraction(0)
        pair = Fraction(math.comb(n, k) * math.comb(n - k, k) * (m - 2) ** (n - 2 * k), m**n)
        draft.find("mean", mean, f"expected number of such {places}", "mean of x", "expected value of x")
        draft.find("both", pair, f"probability that two given {places} are both {state}", f"chance of two {places}")
        draft.find(
            "pairs",
            m * (m - 1) * pair,
            "expected value of x(x - 1)",
            f"expected number of ordered pairs of such {places}",
        )
        draft.step(f"The mean is {mean}.", "Eq(mean, m*chance)")
        draft.step(
            f"Two given {places} are both {state} with probability {pair}.",
            f"Eq(both, ways*binomial(n - {k}, {k})*hit**{2 * k}*(1 - 2*hit)**(n - {2 * k}))",
        )
        draft.step(f"Over all ordered pairs, E[X(X - 1)] = {m * (m - 1) * pair}.", "Eq(pairs, m*(m - 1)*both)")
        return mean, m * (m - 1) * pair

    @staticmethod
    def _exactly(draft: Draft, n: int, m: int, empty: int, places: str) -> str:
        full = m - empty
        onto = sum((-1) ** i * math.comb(full, i) * (full - i) ** n for i in range(full + 1))
        favourable = math.comb(m, empty) * onto
        draft.give("empty", empty, f"number of empty {places}", f"{places} that stay empty")
        draft.find("full", full, f"number of {places} in use", f"{places} that are used")
        draft.find(
            "choices", math.comb(m, empty), f"ways to choose the empty {places}", "number of choices of the empty ones"
        )
        draft.find("onto", onto, f"ways to use all of {full} {places}", "number of surjections", "onto functions")
        draft.find("favourable", favourable, "favourable ways", "number of favourable outcomes")
        draft.find("all", m**n, "all ways", "total number of outcomes", "number of outcomes")
        draft.find("answer", Fraction(favourable, m**n), "answer", "asked probability")
        draft.step(f"There are {m}^{n} outcomes.", "Eq(all, m**n)")
        draft.step(f"{full} {places} must be used.", "Eq(full, m - empty)")
        draft.step(f"The empty ones can be chosen in {math.comb(m, empty)} ways.", "Eq(choices, binomial(m, empty))")
        total = " + ".join(f"(-1)**{i}*binomial(full, {i})*(full - {i})**n" for i in range(full))
        draft.step(f"By inclusion and exclusion {onto} ways use all the others.", f"Eq(onto, {total})")
        draft.step(f"Together there are {favourable} ways.", "Eq(favourable, choices*onto)")
        draft.step(f"The probability is {Fraction(favourable, m**n)}.", "Eq(answer, favourable/all)")
        one = f"is exactly 1 {places[:-1]}" if empty == 1 else f"are exactly {empty} {places}"
        without = "that nobody chose" if places != "pigeonholes" else f"that {'stays' if empty == 1 else 'stay'} empty"
        return f"What is the probability that there {one} {without}?"


class Deck(Generator):
    """How far down a shuffled pile certain cards lie."""

    name = "deck"
    field = FIELD

    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """1: the first; 2: the k-th; 3: both kinds seen; 4: all three kinds seen; 5: two of three kinds seen."""
        kinds = [1, 1, 2, 3, 3][difficulty - 1]
        special = [between(rng, 2, 6) for _ in range(kinds)]
        if kinds > 1 and len(set(special)) < kinds:
            return None
        total = sum(special) + between(rng, 5, 18)
        rank = between(rng, 2, special[0]) if difficulty == 2 else 1
        names, thing, pile = pick(
            rng,
            [
                (("red", "green", "blue"), "card", "pile of cards"),
                (("copper", "silver", "gold"), "coin", "roll of coins"),
                (("mint", "lemon", "cherry"), "sweet", "tube of sweets"),
            ],
        )
        draft = Draft(self, difficulty, special=special, total=total, rank=rank)
        draft.give("total", total, f"number of {thing}s", f"{thing}s in all")
        for name, count in zip(names, special, strict=False):
            draft.give(name, count, f"number of {name} {thing}s", f"{name} {thing}s")
        first = {names[i]: Fraction(total + 1, special[i] + 1) for i in range(kinds)}
        contents = listed([f"{special[i]} are {names[i]}" for i in range(kinds)])
        scene = (
            f"A well-mixed {pile} consists of {total} {thing}s, of which {contents}; the others are of no interest. "
            "One "
            f"{thing} after another is taken from the top."
        )
        if difficulty <= 2:
            name = names[0]
            answer = first[name] * rank
            if answer.denominator == 1:
                return None
            draft.find("gaps", special[0] + 1, "number of gaps", f"gaps between the {name} ones and the ends")
            draft.find("others", total - special[0], f"{thing}s that are not {name}", f"number of other {thing}s")
            draft.find(
                "length",
                Fraction(total - special[0], special[0] + 1),
                "expected length of a gap",
                "others in one gap on average",
            )
            if difficulty == 2:
                draft.give("rank", rank, f"which of the {name} ones", "rank")
            draft.find("answer", answer, "answer", f"expected number of {thing}s taken", "expected position")
            draft.step(f"{total - special[0]} are not {name}.", f"Eq(others, total - {name})")
            draft.step(
                f"The {name} ones leave {special[0] + 1} gaps: before, between and after them.", f"Eq(gaps, {name} + 1)"
            )
            draft.step("By symmetry each gap is equally long on average.", "Eq(length*gaps, others)")
            draft.step(
                f"So on average a gap holds {Fraction(total - special[0], special[0] + 1)}.", "Eq(length, others/gaps)"
            )
            which = "first" if rank == 1 else ordinal(rank)
            draft.step(
                f"The {which} {name} one is preceded by {counted(rank, 'gap')}: {answer}.",
                f"Eq(answer, {rank}*(length + 1))",
            )
            ask = (
                f"What is the expected number of {thing}s taken until the {which} {name} one appears, that one "
                "included?"
            )
            return draft.problem(f"{scene} {ask}", form="a fraction")
        groups = [g for size in range(1, kinds + 1) for g in itertools.combinations(range(kinds), size)]
        meets = {g: Fraction(total + 1, sum(special[i] for i in g) + 1) for g in groups}
        for g in groups:
            label = " or ".join(names[i] for i in g)
            draft.find(
                "_".join(names[i] for i in g) + "_first",
                meets[g],
                f"expected position of the first {label}",
                f"expected number taken until the first {label}",
            )
        draft.step(
            f"Among {total} the first of s marked ones is on average at ({total} + 1)/(s + 1).",
            f"Eq({names[0]}_first, (total + 1)/({names[0]} + 1))",
        )
        for g in groups[1:]:
            label = " or ".join(names[i] for i in g)
            both = " + ".join(names[i] for i in g)
            draft.step(
                f"The first {label} one is on average at {meets[g]}.",
                f"Eq({'_'.join(names[i] for i in g)}_first, (total + 1)/({both} + 1))",
            )
        factors = {3: {1: 1, 2: -1}, 4: {1: 1, 2: -1, 3: 1}, 5: {2: 1, 3: -2}}[difficulty]
        answer = sum((factors.get(len(g), 0) * value for g, value in meets.items()), Fraction(0))
        parts = [f"{factors[len(g)]}*{'_'.join(names[i] for i in g)}_first" for g in groups if len(g) in factors]
        reason = {
            3: "The later of two is the sum of both less the earlier.",
            4: "The latest of three is the sum of the three less the earlier ones of pairs plus the earliest.",
            5: "The middle of three is the sum of the earlier ones of pairs less twice the earliest.",
        }[difficulty]
        if answer.denominator == 1:
            return None
        draft.find("answer", answer, "answer", f"expected number of {thing}s taken", "expected position")
        draft.step(reason, f"Eq(answer, {' + '.join(parts)})")
        draft.step(f"That gives {answer}.", f"Eq(answer, {answer})")
        shown = listed(names[:kinds])
        until = {
            3: f"at least one {names[0]} and at least one {names[1]} one have appeared",
            4: f"at least one of each of the kinds {shown} has appeared",
            5: f"at least two of the three kinds {shown} have appeared",
        }[difficulty]
        ask = f"What is the expected number of {thing}s taken until {until}, the last one taken included?"
        return draft.problem(f"{scene} {ask}", form="a fraction")

    def confirm(self, problem: Problem) -> Any:
        """The sum over all n of the chance that n cards are not yet enough."""
        given = problem.parameters
        special, total = given["special"], given["total"]
        blank = total - sum(special)
        enough: Callable[[tuple[int, ...]], bool] = {
            1: lambda seen: seen[0] >= 1,
            2: lambda seen: seen[0] >= given["rank"],
            3: all,
            4: all,
            5: lambda seen: sum(map(bool, seen)) >= 2,
        }[problem.difficulty]
        expected = Fraction(0)
        for seen in itertools.product(*(range(count + 1) for count in special)):
            if enough(seen):
                continue
            ways = math.prod(math.comb(count, x) for count, x in zip(special, seen, strict=True))
            for n in range(sum(seen), min(sum(seen) + blank, total) + 1):
                expected += Fraction(ways * math.comb(blank, n - sum(seen)), math.comb(total, n))
        return expected


GENERATORS: Sequence[Generator] = (Ruin(), Pattern(), Bags(), Occupancy(), Deck())
