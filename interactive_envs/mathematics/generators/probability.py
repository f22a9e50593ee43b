"""Probability: walks between ends, waiting for patterns, hidden bags, full and empty boxes, order of cards."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import ORDINALS, counted, listed, ordinal, table

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

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
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
        draft.note(f"""
            give size = {size}: number of the last place; upper end; highest place; highest number; upper boundary; top
                end; last place
            give start = {start}: starting place; place of the start; start; starting point; starting position; starting
                number; initial place
            give p = {p}: probability of a step up; chance to go up; probability of a jump up; probability of moving up;
                chance of a step up; chance of a jump up; probability to go up; up probability; probability of the next
                higher
            give q = {q}: probability of a step down; chance to go down; probability of a jump down; probability of
                moving down; chance of a step down; chance of a jump down; probability to go down; down probability;
                probability of the next lower
        """)
        if difficulty == 5:
            return self._wall(rng, draft, p, q, size, start)
        if difficulty == 1:
            draft.note(f"""
                find low = {start}: distance from the lower end; places to the lower end; distance from 0; distance to
                    the lower end; steps down to the lower end
                find high = {size - start}: distance from the upper end; places to the upper end; distance to the upper
                    end; steps up to the upper end; distance from {size}
                find curvature = -2: second difference of the expected duration; second difference; second difference of
                    the expected number; constant second difference
                find answer = {start * (size - start)}: answer; expected number of steps; expected duration; expected
                    number of jumps; average number of jumps; mean number of jumps; mean duration; expected time;
                    expected number of seconds
                step With t(k) the expected number of steps from k, t(k) = 1 + (t(k - 1) + t(k + 1))/2. :: Eq(p + q, 1)
                step So t has the constant second difference -2. :: Eq(curvature, -1/p)
                step At both ends t is 0, so t(k) = k(n - k). :: Eq(curvature, -2)
                step The lower end is {start} places away. :: Eq(low, start)
                step The upper end is {size - start} places away. :: Eq(high, size - start)
                step The expected number is {start * (size - start)}. :: Eq(answer, low*high)
            """)
            ask = "What is the expected number of jumps until it stops?"
            return draft.problem(f"{self._scene(rng, size, start, p, q, r)} {ask}")
        top, bottom = 1 - ratio**start, 1 - ratio**size
        chance = top / bottom
        draft.note(f"""
            find ratio = {ratio}: ratio of down to up; q/p; ratio q/p; quotient of down and up; down probability over up
                probability; q over p
            find top = {top}: one minus the power of the ratio at the start; numerator; numerator of the chance; one
                minus the ratio to the power of the start
            find bottom = {bottom}: one minus the power of the ratio at the end; denominator; denominator of the chance;
                one minus the ratio to the power of the size
            find chance = {chance}: probability of reaching the upper end; chance to reach the upper end; probability of
                the upper end; probability of ending at the upper end; chance of ending at the upper end; probability of
                reaching {size}; chance of reaching {size}; probability to stop at {size}
            step With h(k) the chance to end at the top from k: (p + q) h(k) = p h(k + 1) + q h(k - 1).
                :: Eq(p + q, {1 - r})
            step So the differences of h shrink or grow by the factor q/p = {ratio}. :: Eq(ratio, q/p)
            step Up to the start they sum to a multiple of {top}. :: Eq(top, 1 - ratio**start)
            step Up to the upper end they sum to the same multiple of {bottom}. :: Eq(bottom, 1 - ratio**size)
            step The chance is the quotient, {chance}. :: Eq(chance, top/bottom)
        """)
        if difficulty == 2:
            draft.find(
                "answer",
                chance,
                "answer",
                "asked probability",
                "probability",
                f"probability that it stops at {size}",
                f"probability that it stops at number {size}",
                f"chance that it stops at {size}",
                "asked chance",
            )
            draft.step("That is the answer.", "Eq(answer, chance)")
            ask = f"What is the probability that it stops at number {size} and not at number 0?"
            return draft.problem(f"{self._scene(rng, size, start, p, q, r)} {ask}", form="a fraction")
        drift, travel = p - q, size * chance - start
        answer = travel / drift
        if answer.denominator == 1:
            return None
        draft.note(f"""
            find drift = {drift}: drift; mean change in one step; expected change in a step; average change in one step;
                mean step; expected step; drift per step; mean displacement per step
            find travel = {travel}: expected total change; expected change of the place; expected displacement; mean
                total change; average total change; expected total displacement; expected net change
            find answer = {answer}: answer; expected number of steps; expected duration; expected number of
                {"seconds" if difficulty == 4 else "jumps"}; average number of
                {"seconds" if difficulty == 4 else "jumps"}; mean number of {"seconds" if difficulty == 4 else "jumps"};
                mean duration; expected time
            step A step changes the place by {drift} on average. :: Eq(drift, p - q)
            step In all the place changes by {travel} on average. :: Eq(travel, size*chance - start)
            step By Wald's identity the expected number of steps is the quotient, {answer}. :: Eq(travel, drift*answer)
        """)
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

    def _wall(self, rng: Rng, draft: Draft, p: Fraction, q: Fraction, size: int, start: int) -> Problem | None:
        ratio, gap = q / p, p - q
        step = [1 / p]
        while len(step) < size:
            step.append(1 / p + ratio * step[-1])
        answer = sum(step[start:], Fraction(0))
        if answer.denominator == 1 and abs(answer) < 30:
            return None
        constant = 1 / gap
        lead = 1 / p - constant
        draft.note(f"""
            find ratio = {ratio}: ratio of down to up; q/p; ratio q/p; quotient of down and up; down probability over up
                probability; q over p
            find first = {1 / p}: expected time from 0 to 1; expected seconds from place 0 to place 1; expected time for
                the first place; expected number of seconds from 0 to 1; mean time from 0 to 1
            find second = {step[1]}: expected time from 1 to 2; expected seconds from place 1 to place 2; expected time
                for the second place; expected number of seconds from 1 to 2; mean time from 1 to 2
            find constant = {constant}: fixed point of the recursion; constant part; fixed point; fixed point of the
                expected times; constant
            find lead = {lead}: difference of the first time from the fixed point; varying part; first time minus the
                fixed point; factor of the power
            find last = {step[-1]}: expected time for the last place; expected time from {size - 1} to {size}; expected
                time of the last step up; mean time from {size - 1} to {size}
            find answer = {answer}: answer; expected number of seconds; expected duration; expected time; mean time;
                mean number of seconds; average number of seconds; expected time to reach {size}; expected number of
                moves
            step From 0 a success of chance p is needed: {1 / p} seconds. :: Eq(first, 1/p)
            step With d(k) the expected time from k to k + 1: d(k) = 1 + q (d(k - 1) + d(k)).
                :: Eq(second, 1 + q*(first + second))
            step So d(k) = 1/p + (q/p) d(k - 1) with q/p = {ratio}. :: Eq(second, 1/p + ratio*first)
            step The fixed point of this is {constant}. :: Eq(constant, 1/p + ratio*constant)
            step d(k) = constant + lead*ratio^k. :: Eq(lead, first - constant)
            step The last place takes {step[-1]} seconds. :: Eq(last, constant + lead*ratio**(size - 1))
            step Summed from the start to the last place: {answer}.
                :: Eq(answer, (size - start)*constant + lead*(ratio**start - ratio**size)/(1 - ratio))
        """)
        who, place = pick(rng, [("A frog", "stone"), ("A robot", "cell"), ("A counter", "square")])
        text = f"""{who} stands on {place} {start} of a row of {place}s with the numbers 0 to {size}. Every second it
            moves to the {place} with the next higher number with probability {p} and to the one with the next lower
            number with probability {q}, independently of all before. On {place} 0 there is a wall below: there a move
            down leaves it on {place} 0 for that second. What is the expected number of seconds until it reaches {place}
            {size} for the first time?"""
        return draft.problem(text, form="a fraction or whole number")

    @staticmethod
    def _scene(rng: Rng, size: int, start: int, p: Fraction, q: Fraction, r: Fraction) -> str:
        who, place = pick(rng, [("A frog", "stone"), ("A robot", "cell"), ("A counter", "square"), ("A flea", "tile")])
        rest = f" and stays where it is with probability {r}" if r else ""
        middle = "," if r else " and"
        return f"""{who} is on {place} {start} of a row of {place}s that are numbered from 0 to {size}. Every second it
            jumps to the next higher {place} with probability {p}{middle} to the next lower {place} with probability
            {q}{rest}, independently of all before. It stops as soon as it is on {place} 0 or on {place} {size}."""


UNEQUAL = {
    2: ((1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)),
    3: ((1, 2, 3), (1, 1, 2), (1, 2, 2), (2, 1, 1)),
    4: ((1, 1, 1, 3), (1, 1, 2, 2), (1, 2, 3, 4)),
}
"""How unequal the chances of so many letters can be."""


class Pattern(Generator):
    """Waiting until a pattern appears in a sequence of letters."""

    name = "pattern"
    field = FIELD

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


class Bags(Generator):
    """What was drawn tells which bag it came from."""

    name = "bags"
    field = FIELD

    _settings = table("""
        red | blue | ball | bag
        white | black | sock | drawer
        ripe | unripe | plum | basket
    """)

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
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
        colour, other, thing, holder = pick(rng, self._settings)
        for i, (red, blue) in enumerate(bags):
            which = f"{ORDINALS[i]} {holder}"
            draft.note(f"""
                find like{i + 1} = {likelihoods[i]}: chance of the drawn {thing}s from the {which}; likelihood of the
                    {which}; probability of the draws from the {which}; chance of the draws from the {which};
                    probability of the draws given the {which}; conditional probability for the {which}; probability of
                    the drawn {thing}s from the {which}
                step From the {which} the draws have the probability {likelihoods[i]}.
                    :: Eq(like{i + 1}, binomial({red}, {red_draws})*binomial({blue},
                        {draws - red_draws})/binomial({red + blue}, {draws}))
            """)
        for i in range(many):
            what = f"joint probability of the {ORDINALS[i]} {holder}"
            draft.find(
                f"joint{i + 1}",
                joint[i],
                f"{what} and the draws",
                what,
                f"probability of the {ORDINALS[i]} {holder} and the draws",
                f"probability of both the {ORDINALS[i]} {holder} and the draws",
                f"product for the {ORDINALS[i]} {holder}",
            )
            if many == 2:
                said = f"Together with the choice of the {ORDINALS[i]} {holder} that is {joint[i]}."
                draft.step(said, f"Eq(joint{i + 1}, like{i + 1}/2)")
        if many == 3:
            claims = ", ".join(f"Eq(joint{i + 1}, like{i + 1}*{weights[i]}/{total})" for i in range(many))
            draft.step("Each is multiplied by the chance of its choice.", f"And({claims})")
        draft.note(f"""
            find seen = {seen}: probability of what was drawn; total probability of the drawn {thing}s; total
                probability; probability of the draws; chance of the draws; overall probability of the draws;
                probability of the evidence; denominator
            step In all the draws have the probability {seen}.
                :: Eq(seen, {" + ".join(f"joint{i + 1}" for i in range(many))})
        """)
        if difficulty <= 2:
            answer = joint[0] / seen
            ask = f"What is the probability that the chosen {holder} is the first one?"
            draft.note(f"""
                find answer = {answer}: answer; probability of the first {holder} given the draws; asked probability;
                    posterior probability; posterior of the first {holder}; probability that the chosen {holder} is the
                    first; probability that it is the first {holder}; chance of the first {holder} given the draws;
                    conditional probability of the first {holder}; chance that it is the first {holder}
                step The share of the first {holder} is {answer}. :: Eq(answer, joint1/seen)
            """)
        else:
            nexts = [Fraction(max(bag[0] - red_draws, 0), sum(bag) - draws) for bag in bags]
            both = sum((j * n for j, n in zip(joint, nexts, strict=True)), Fraction(0))
            answer = both / seen
            products = " + ".join(f"joint{i + 1}*{nexts[i]}" for i in range(many))
            draft.note(f"""
                find both = {both}: probability of the draws and a {colour} {thing} next; joint probability with the
                    next; probability of the draws and then {colour}; joint probability of the draws and the next;
                    numerator
                find answer = {answer}: answer; probability that the next is {colour}; asked probability; probability of
                    {colour} next; probability that the next {thing} is {colour}; chance that the next is {colour};
                    probability that the further {thing} is {colour}; probability of another {colour} {thing};
                    conditional probability
                step Then another {colour} one: with the shares {", ".join(map(str, nexts))} this is {both}.
                    :: Eq(both, {products})
                step The quotient is {answer}. :: Eq(answer, both/seen)
            """)
            ask = f"""From the same {holder}, one further {thing} is drawn. What is the probability that it is
                {colour}?"""
        if answer.denominator < 12:
            return None
        contents = listed(
            [f"the {ORDINALS[i]} holds {r} {colour} and {b} {other} {thing}s" for i, (r, b) in enumerate(bags)]
        )
        choice = "each with the same probability"
        if difficulty == 4:
            choice = listed([f"the {ORDINALS[i]} with probability {Fraction(w, total)}" for i, w in enumerate(weights)])
        if draws == 1:
            drawn = f"one {thing} is drawn from it at random. It is {colour}."
        elif difficulty == 4:
            drawn = f"""three {thing}s are drawn from it at random, one after another and without putting any back. Two
                of them are {colour} and one is {other}; in which order they came was not noted."""
        else:
            drawn = f"""two {thing}s are drawn from it at random, one after another and without putting any back. Both
                are {colour}."""
        text = f"""Of {["two", "three"][many - 2]} {holder}s {contents}. One of them is chosen at random, {choice}, and
            {drawn} {ask}"""
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

    def _moved(self, rng: Rng, difficulty: int) -> Problem | None:
        first, second = [between(rng, 3, 7), between(rng, 2, 6)], [between(rng, 1, 5), between(rng, 2, 6)]
        all1, all2 = sum(first), sum(second) + 2
        moved = [Fraction(math.comb(first[0], i) * math.comb(first[1], 2 - i), math.comb(all1, 2)) for i in range(3)]
        drawn = [Fraction(math.comb(second[0] + i, 2), math.comb(all2, 2)) for i in range(3)]
        seen = sum((m * d for m, d in zip(moved, drawn, strict=True)), Fraction(0))
        answer = moved[2] * drawn[2] / seen
        if answer.denominator < 12:
            return None
        colour, other, thing, holder = pick(rng, self._settings)
        draft = Draft(self, difficulty, first=first, second=second)
        words = ["none", "one", "two"]
        for i, word in enumerate(words):
            draft.note(f"""
                find moved{i} = {moved[i]}: probability that {word} of the moved are {colour}; prior of {word}; chance
                    that {word} of the moved are {colour}; probability of {word} {colour} moved; prior probability of
                    {word}; probability that {word} of the moved {thing}s is {colour}
                step With probability {moved[i]} {word} of the moved {thing}s is {colour}.
                    :: Eq(moved{i}, binomial({first[0]}, {i})*binomial({first[1]}, {2 - i})/binomial({all1}, 2))
            """)
        for i, word in enumerate(words):
            draft.find(
                f"drawn{i}",
                drawn[i],
                f"chance of two {colour} after {word} moved",
                f"likelihood of {word}",
                f"probability of two {colour} after {word} moved",
                f"chance of drawing two {colour} after {word} moved",
                f"probability of drawing two {colour} after {word} moved",
                f"likelihood after {word} moved",
            )
        claims = ", ".join(f"Eq(drawn{i}, binomial({second[0] + i}, 2)/binomial({all2}, 2))" for i in range(3))
        draft.note(f"""
            find seen = {seen}: probability of drawing two {colour}; total probability; total probability of two
                {colour}; probability that both drawn are {colour}; probability that both drawn {thing}s are {colour};
                probability of the draws; denominator
            find joint = {moved[2] * drawn[2]}: probability of two {colour} moved and two drawn; joint probability;
                probability that both moved and both drawn are {colour}; joint probability of the move and the draws;
                numerator
            find answer = {answer}: answer; asked probability; probability that both moved were {colour}; posterior
                probability; conditional probability; probability that both moved {thing}s are {colour}; probability
                that both {thing}s that were moved are {colour}; chance that both moved were {colour}
            step Then the chances of drawing two {colour} ones are {listed([str(d) for d in drawn])}. :: And({claims})
            step In all that happens with probability {seen}. :: Eq(seen, moved0*drawn0 + moved1*drawn1 + moved2*drawn2)
            step With two {colour} ones moved it is {moved[2] * drawn[2]}. :: Eq(joint, moved2*drawn2)
            step The share is {answer}. :: Eq(answer, joint/seen)
        """)
        text = f"""A first {holder} holds {first[0]} {colour} and {first[1]} {other} {thing}s, a second {holder}
            {second[0]} {colour} and {second[1]} {other} ones. Two {thing}s are taken from the first {holder} at random
            and put into the second without being looked at. Then two {thing}s are drawn from the second {holder} at
            random, without putting one back; both are {colour}. What is the probability that both {thing}s that were
            moved are {colour}?"""
        return draft.problem(text, form="a fraction")


class Occupancy(Generator):
    """Things fall into places independently: how many places stay empty, how many get one."""

    name = "occupancy"
    field = FIELD

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


class Deck(Generator):
    """How far down a shuffled pile certain cards lie."""

    name = "deck"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: the first; 2: the k-th; 3: both kinds seen; 4: all three kinds seen; 5: two of three kinds seen."""
        kinds = [1, 1, 2, 3, 3][difficulty - 1]
        special = [between(rng, 2, 6) for _ in range(kinds)]
        if kinds > 1 and len(set(special)) < kinds:
            return None
        total = sum(special) + between(rng, 5, 18)
        rank = between(rng, 2, special[0]) if difficulty == 2 else 1
        settings = table("""
            red | green | blue | card | pile of cards
            copper | silver | gold | coin | roll of coins
            mint | lemon | cherry | sweet | tube of sweets
        """)
        *names, thing, pile = pick(rng, settings)
        draft = Draft(self, difficulty, special=special, total=total, rank=rank)
        draft.give(
            "total",
            total,
            f"number of {thing}s",
            f"{thing}s in all",
            f"total number of {thing}s",
            f"{thing}s in total",
            f"all {thing}s",
            f"size of the {pile.split()[0]}",
        )
        for name, count in zip(names, special, strict=False):
            draft.give(
                name,
                count,
                f"number of {name} {thing}s",
                f"{name} {thing}s",
                f"number of {name} ones",
                f"{name} ones",
                f"total number of {name} {thing}s",
            )
        contents = listed([f"{special[i]} are {names[i]}" for i in range(kinds)])
        scene = f"""A well-mixed {pile} consists of {total} {thing}s, of which {contents}; the others are of no
            interest. One {thing} after another is taken from the top."""
        if difficulty <= 2:
            name, others, gaps = names[0], total - special[0], special[0] + 1
            answer = Fraction(total + 1, gaps) * rank
            if answer.denominator == 1:
                return None
            which = "first" if rank == 1 else ordinal(rank)
            draft.note(f"""
                find gaps = {gaps}: number of gaps; gaps between the {name} ones and the ends; gaps; gaps between the
                    {name} ones; number of gaps between the {name} ones
                find others = {others}: {thing}s that are not {name}; number of other {thing}s; other {thing}s;
                    remaining {thing}s; number of {thing}s that are not {name}; {thing}s of no interest
                find length = {Fraction(others, gaps)}: expected length of a gap; others in one gap on average; average
                    length of a gap; mean gap; average gap; expected gap; mean length of a gap
            """)
            if difficulty == 2:
                draft.give(
                    "rank",
                    rank,
                    f"which of the {name} ones",
                    "rank",
                    f"number of the {name} one",
                    f"rank of the {name} one",
                    f"wanted number of {name} ones",
                )
            draft.note(f"""
                find answer = {answer}: answer; expected number of {thing}s taken; expected position; expected number of
                    {thing}s; average number of {thing}s taken; mean number of {thing}s taken; expected number of draws;
                    average position; expected position of the {which} {name} {thing}; expected place; expected number
                    taken
                step {others} are not {name}. :: Eq(others, total - {name})
                step The {name} ones leave {gaps} gaps: before, between and after them. :: Eq(gaps, {name} + 1)
                step By symmetry each gap is equally long on average. :: Eq(length*gaps, others)
                step So on average a gap holds {Fraction(others, gaps)}. :: Eq(length, others/gaps)
                step The {which} {name} one is preceded by {counted(rank, "gap")}: {answer}.
                    :: Eq(answer, {rank}*(length + 1))
            """)
            ask = f"""What is the expected number of {thing}s taken until the {which} {name} one appears, that one
                included?"""
            return draft.problem(f"{scene} {ask}", form="a fraction")
        groups = [g for size in range(1, kinds + 1) for g in itertools.combinations(range(kinds), size)]
        meets = {g: Fraction(total + 1, sum(special[i] for i in g) + 1) for g in groups}
        keys = {g: "_".join(names[i] for i in g) + "_first" for g in groups}
        for g in groups:
            label, both = (word.join(names[i] for i in g) for word in (" or ", " + "))
            said = f"The first {label} one is on average at {meets[g]}."
            if g == groups[0]:
                said = f"Among {total} the first of s marked ones is on average at ({total} + 1)/(s + 1)."
            draft.note(f"""
                find {keys[g]} = {meets[g]}: expected position of the first {label}; expected number taken until the
                    first {label}; average position of the first {label}; expected place of the first {label}; expected
                    position of the first {label} {thing}; mean position of the first {label}
                step {said} :: Eq({keys[g]}, (total + 1)/({both} + 1))
            """)
        factors = {3: {1: 1, 2: -1}, 4: {1: 1, 2: -1, 3: 1}, 5: {2: 1, 3: -2}}[difficulty]
        answer = sum((factors.get(len(g), 0) * value for g, value in meets.items()), Fraction(0))
        parts = [f"{factors[len(g)]}*{keys[g]}" for g in groups if len(g) in factors]
        reason = {
            3: "The later of two is the sum of both less the earlier.",
            4: "The latest of three is the sum of the three less the earlier ones of pairs plus the earliest.",
            5: "The middle of three is the sum of the earlier ones of pairs less twice the earliest.",
        }[difficulty]
        if answer.denominator == 1:
            return None
        draft.find(
            "answer",
            answer,
            "answer",
            f"expected number of {thing}s taken",
            "expected position",
            f"expected number of {thing}s",
            f"average number of {thing}s taken",
            f"mean number of {thing}s taken",
            "expected number of draws",
            "average position",
            "expected place",
            "expected number taken",
        )
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
