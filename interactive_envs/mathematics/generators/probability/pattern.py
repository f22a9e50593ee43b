"""``pattern``: waiting until a pattern appears in a sequence of letters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.exact import solve
from interactive_envs.mathematics.generators.wording import counted, listed

UNEQUAL = {
    2: ((1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)),
    3: ((1, 2, 3), (1, 1, 2), (1, 2, 2), (2, 1, 1)),
    4: ((1, 1, 1, 3), (1, 1, 2, 2), (1, 2, 3, 4)),
}
"""How unequal the chances of so many letters can be."""


class Pattern(Generator):
    """Waiting until a pattern appears in a sequence of letters."""

    name = "pattern"
    field = "probability"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: short and fair; 2: long and fair; 3: biased; 4: either of two; 5: which comes first, biased."""
        letters = between(rng, 2, 4) if difficulty < 5 else 2
        names = pick(rng, ["ABCD", "RBGY", "XYZW", "NESW"])[:letters]
        chances = dict.fromkeys(names, Fraction(1, letters))
        if difficulty in (3, 5):
            parts = pick(rng, UNEQUAL[letters])
            chances = {name: Fraction(part, sum(parts)) for name, part in zip(names, parts, strict=True)}
        long = between(rng, 6, 9) - letters
        length = {1: between(rng, 3, 4), 2: long, 3: 4, 4: between(rng, 3, 5), 5: between(rng, 3, 4)}[difficulty]
        words = ["".join(pick(rng, names) for _ in range(length)) for _ in range(2 if difficulty >= 4 else 1)]
        if any(len(set(word)) < 2 for word in words) or len(set(words)) < len(words):
            return None
        if difficulty < 4:
            return self._wait(rng, difficulty, words[0], chances)
        return self._two(rng, difficulty, words[0], words[1], chances)

    def confirm(self, problem: Problem) -> Any:
        """Return the chain of how much of a pattern has just been seen."""
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

    def _wait(self, rng: Rng, difficulty: int, word: str, chances: Mapping[str, Fraction]) -> Problem | None:
        borders = [i for i in range(1, len(word) + 1) if word[:i] == word[-i:]]
        values = [1 / math.prod(chances[letter] for letter in word[:i]) for i in borders]
        answer = sum(values, Fraction(0))
        if (difficulty > 1 and len(borders) < 2) or len(borders) > 4:
            return None
        draft = Draft(self, difficulty, words=[word], chances={k: str(v) for k, v in chances.items()})
        draft.give(
            "length",
            len(word),
            "length of the pattern",
            "number of letters of the pattern",
            "pattern length",
            "number of letters in the pattern",
            "letters of the pattern",
            "length of the word",
        )
        for letter, p in chances.items():
            draft.give(
                f"p_{letter.lower()}",
                p,
                f"probability of {letter.lower()}",
                f"chance of {letter.lower()}",
                f"p({letter.lower()})",
                f"probability of the letter {letter.lower()}",
                f"chance of the letter {letter.lower()}",
                f"probability that a letter is {letter.lower()}",
            )
        draft.note(f"""
            find borders = {len(borders)}: number of beginnings that are also ends; number of borders; number of
                overlaps; number of self-overlaps; number of overlaps of the pattern with itself; borders
            step Before each letter a gambler bets 1 coin on the first letter, then all on the next, in a fair game.
                :: Eq({" + ".join(f"p_{letter.lower()}" for letter in chances)}, 1)
            step When the pattern appears, gamblers still win whose bets are a beginning that is also an end: lengths
                {listed([str(i) for i in borders])}. :: Eq(borders, {len(borders)})
        """)
        for i, value in zip(borders, values, strict=True):
            product = "*".join(f"p_{letter.lower()}" for letter in word[:i])
            draft.note(f"""
                find part{i} = {value}: reciprocal probability of the first {i}; contribution of length {i}; inverse
                    probability of the first {i}; term of length {i}; holding after {i} letters; inverse probability of
                    the first {i} letters
                step The one with the first {counted(i, "letter")} ({word[:i]}) holds {value}.
                    :: Eq(part{i}, 1/({product}))
            """)
        if len(borders) < 3:
            draft.step("No other beginning is also an end.", f"And(Eq(length, {len(word)}), Le(borders, length))")
        draft.note(f"""
            find answer = {answer}: answer; expected number of letters; expected waiting time; expected number of
                letters written; average number of letters; mean number of letters; mean waiting time; expected time;
                average waiting time; expected length
            step The game is fair, so the coins paid in are the coins held: {answer} letters on average.
                :: Eq(answer, {" + ".join(f"part{i}" for i in borders)})
        """)
        if len(borders) == 1:
            draft.step("Here only the whole pattern counts.", f"Eq(answer, part{len(word)})")
        text = f"""{self._source(rng, chances)} What is the expected number of letters written until {word} has just
            appeared for the first time as a block of consecutive letters, its own letters counted?"""
        return draft.problem(text, form="a fraction or whole number")

    def _two(
        self, rng: Rng, difficulty: int, first: str, second: str, chances: Mapping[str, Fraction]
    ) -> Problem | None:
        def overlap(ends: str, begins: str) -> Fraction:
            """Return how well the end of one word serves as the beginning of another."""
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
        draft.note(f"""
            find aa = {aa}: overlap of {a} with itself; {a} on {a}; autocorrelation of {a}; {a} with itself;
                self-overlap of {a}
            find ab = {ab}: overlap of the end of {a} with the beginning of {b}; {a} on {b}; correlation of {a} with
                {b}; overlap of {a} with {b}; {a} with {b}
            find ba = {ba}: overlap of the end of {b} with the beginning of {a}; {b} on {a}; correlation of {b} with
                {a}; overlap of {b} with {a}; {b} with {a}
            find bb = {bb}: overlap of {b} with itself; {b} on {b}; autocorrelation of {b}; {b} with itself;
                self-overlap of {b}
            find odds1 = {odds1}: odds for {a}; weight of {a}; odds of {a}; {a}'s part of the odds; odds number of {a}
            find odds2 = {odds2}: odds for {b}; weight of {b}; odds of {b}; {b}'s part of the odds; odds number of {b}
            step {first} on {first}: the reciprocal probabilities of its beginnings that are also ends sum to {aa}.
                :: Eq(aa, {aa})
            step End of {first}, beginning of {second}: {ab}. :: Eq(ab, {ab})
            step End of {second}, beginning of {first}: {ba}. :: Eq(ba, {ba})
            step {second} on {second}: {bb}. :: Eq(bb, {bb})
            step Gamblers who bet on the first word, and others on the second, pay the same until the end: with x the
                chance that the first comes first, x aa + (1 - x) ba = x ab + (1 - x) bb.
                :: Eq(odds1*aa + odds2*ba, odds1*ab + odds2*bb)
            step So the odds are (bb - ba) : (aa - ab) = {odds1} : {odds2}.
                :: And(Eq(odds1, bb - ba), Eq(odds2, aa - ab))
        """)
        source = self._source(rng, chances)
        if difficulty == 5:
            draft.find(
                "answer",
                chance,
                "answer",
                f"probability that {a} comes first",
                "asked probability",
                "probability",
                f"probability of {a}",
                f"probability that it is {a}",
                f"probability that {a} is first",
                f"chance that {a} comes first",
                f"chance of {a}",
                f"probability that {a} has appeared",
            )
            draft.step(f"The chance is {chance}.", "Eq(answer, odds1/(odds1 + odds2))")
            ask = f"""The writing ends as soon as {first} or {second} has appeared as a block of consecutive letters.
                What is the probability that it is {first} that has appeared?"""
            return draft.problem(f"{source} {ask}", form="a fraction")
        draft.note(f"""
            find chance = {chance}: probability that {a} comes first; chance of {a}; probability that {a} is first;
                probability of {a}; chance that {a} comes first; probability that {a} is earlier
            find answer = {wait}: answer; expected number of letters; expected waiting time; expected number of letters
                written; average number of letters; mean number of letters; mean waiting time; expected time; average
                waiting time; expected length
            step The chance of the first is {chance}. :: Eq(chance, odds1/(odds1 + odds2))
            step Both sides of that equation are the expected number: {wait}. :: Eq(answer, chance*aa + (1 - chance)*ba)
        """)
        ask = f"""What is the expected number of letters written until {first} or {second}, whichever is earlier, has
            appeared as a block of consecutive letters, its own letters counted?"""
        return draft.problem(f"{source} {ask}", form="a fraction")

    @staticmethod
    def _source(rng: Rng, chances: Mapping[str, Fraction]) -> str:
        shares = ", ".join(f"{letter} with probability {p}" for letter, p in chances.items())
        wordings = """
            Someone spins a wheel with lettered sectors again and again and writes down one letter after each spin
            A machine prints one letter after another on a strip of paper
            Someone draws from a bag, notes one letter for what was drawn, puts it back, and goes on like this
        """
        how = one_of(rng, wordings)
        return f"{how}: {shares}, independently each time."
