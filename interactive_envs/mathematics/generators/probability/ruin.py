"""``ruin``: a walk on a row of places until it reaches an end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import solve


class Ruin(Generator):
    """A walk on a row of places until it reaches an end."""

    name = "ruin"
    field = "probability"

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
