"""``threshold``: the first step at which a linear process passes a bound."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick
from interactive_envs.mathematics.generators.exact import least_passing
from interactive_envs.mathematics.generators.wording import table


class Stock(NamedTuple):
    """Something that loses a share at every step and gets an amount."""

    vessel: str
    unit: str
    content: str
    time: str
    loss: str
    gain: str
    adding: str
    stop: str


STOCKS = [
    Stock(*row)
    for row in table("""
        lake | fish | fish | year | % of the fish in the lake are caught | young fish are put in | fish are put into the
            | no more fish are put in
        vat | millilitres | millilitres of dye | hour | % of the dye in the vat decays | millilitres are poured in |
            millilitres are poured into the | nothing is poured in any more
        chest | coins | coins | month | % of the coins in the chest are spent | coins are paid in | coins are paid into
            the | nothing is paid in any more
    """)
]


class Threshold(Generator):
    """The first step at which a linear process passes a bound."""

    name = "threshold"
    field = "algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: growth; 2: decay to a limit; 3: a race of two; 4: two vessels in exchange; 5: two phases."""
        ask = [self._growth, self._limit, self._race, self._exchange, self._phases][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Step by step in fractions."""
        given = problem.parameters
        keep, gain = Fraction(given["keep"]), Fraction(given.get("gain", 0))
        first, bound, steps = Fraction(given["start"]), Fraction(given.get("bound", 0)), 0
        match problem.difficulty:
            case 1:
                while first <= bound:
                    first, steps = first * keep, steps + 1
            case 2:
                rising = first < bound
                while first <= bound if rising else first >= bound:
                    first, steps = first * keep + gain, steps + 1
            case 3:
                second = Fraction(given["start2"])
                while second <= first:
                    first, second, steps = first * keep + gain, second * keep + given["gain2"], steps + 1
            case 4:
                second, back = Fraction(given["start2"]), Fraction(given["back"])
                while second <= bound:
                    flow = first * (1 - keep) - second * back
                    first, second, steps = first - flow, second + flow, steps + 1
            case _:
                while steps < given["phase"]:
                    first, steps = first * keep + gain, steps + 1
                while first >= bound:
                    first, steps = first * keep, steps + 1
        return steps

    def _growth(self, rng: Rng, difficulty: int) -> Problem | None:
        rate, start, times = between(rng, 4, 30), between(rng, 20, 400), between(rng, 4, 60)
        keep, bound = 1 + Fraction(rate, 100), start * times
        steps = least_passing(lambda n: start * keep**n > bound)
        draft = Draft(self, difficulty, keep=str(keep), start=start, bound=bound)
        settings = table("""
            A colony of bacteria | cells
            A debt | coins
            A pond's carpet | duckweeds
        """)
        who, many = pick(rng, settings)
        draft.note(f"""
            give start = {start}: {many} at the beginning; initial number; starting number; initial number of {many};
                number of {many} at the beginning; {many} at the start; starting amount; initial size
            give bound = {bound}: bound; threshold; number to exceed; number of {many} to exceed; target; target number;
                limit
            find factor = {keep}: growth factor; factor an hour; hourly factor; hourly growth factor; growth factor per
                hour; factor per hour; multiplier
            find ratio = {times}: ratio of the bound to the start; bound divided by the start; needed factor; target
                divided by the start; factor by which it must grow; required growth factor; ratio
            find answer = {steps}: answer; number of hours; hours needed; number of whole hours; number of full hours;
                time in hours; time
            step Every hour multiplies the number by {keep}. :: Eq(factor, 1 + {Fraction(rate, 100)})
            step The bound is {times} times the start. :: Eq(bound, ratio*start)
            step After n hours the number is start*factor^n, so factor^n > ratio. :: Gt(factor**answer, ratio)
            step After {steps - 1} hours it is still not enough. :: Le(start*factor**(answer - 1), bound)
            step After {steps} hours it is enough. :: Gt(start*factor**answer, bound)
        """)
        text = f"""{who} grows by exactly {rate} % every hour, compared with the hour before; fractions are kept and
            nothing is rounded. It starts with {start} {many}. After how many whole hours are there more than {bound}
            {many} for the first time?"""
        return draft.problem(text)

    def _limit(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p, gain = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10, 12]), 12 * between(rng, 4, 40)
        keep = 1 - Fraction(p, 100)
        limit = gain / (1 - keep)
        start = between(rng, 1, 40) * 50
        part = pick(rng, [Fraction(1, 4), Fraction(1, 10), Fraction(1, 20), Fraction(1, 15)])
        bound = math.floor(limit + (start - limit) * part)
        if abs(start - limit) < 300 or limit.denominator > 1 or bound in (start, limit):
            return None
        rising = start < limit
        steps = least_passing(
            lambda n: (limit + (start - limit) * keep**n > bound) == rising and _at(limit, start, keep, n) != bound
        )
        if not 9 <= steps <= 200:
            return None
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, bound=bound)
        self._give(draft, stock, keep, start, gain, bound)
        draft.find(
            "limit",
            limit,
            "limit",
            "long-run number",
            "fixed point",
            "equilibrium",
            "long-run amount",
            "long-term number",
            "steady state",
            "limiting value",
            f"long-run number of {stock.unit}",
        )
        draft.find(
            "gap",
            start - limit,
            "difference of the start from the limit",
            "initial gap",
            "start minus limit",
            "initial difference from the limit",
            "difference from the limit at the beginning",
            "start less the limit",
        )
        draft.find(
            "answer",
            steps,
            "answer",
            f"number of {stock.time}s",
            f"{stock.time}s needed",
            f"number of whole {stock.time}s",
            f"time in {stock.time}s",
            "number of steps",
            "time",
        )
        self._steps_to_limit(draft, stock, keep, limit, start)
        sign, other = (">", "<=") if rising else ("<", ">=")
        yes, no = ("Gt", "Le") if rising else ("Lt", "Ge")
        draft.step(
            f"Asked is the least n with limit + gap*keep^n {sign} {bound}.", f"{yes}(limit + gap*keep**answer, bound)"
        )
        draft.step(f"For n = {steps - 1} it is still {other} {bound}.", f"{no}(limit + gap*keep**(answer - 1), bound)")
        ask = f"{'more' if rising else 'fewer' if stock.unit != 'millilitres' else 'less'} than {bound}"
        text = f"""{self._text(stock, p, gain, start)} After how many {stock.time}s are there {ask} {stock.unit} for the
            first time?"""
        return draft.problem(text)

    def _race(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])
        keep = 1 - Fraction(p, 100)
        gain, more = 6 * between(rng, 4, 30), between(rng, 4, 30)
        start, less = between(rng, 20, 80) * 50, between(rng, 5, 39) * 40
        gap, limit = Fraction(less - start), more / (1 - keep)
        if gap >= 0:
            return None
        steps = least_passing(lambda n: limit + (gap - limit) * keep**n > 0)
        if not 9 <= steps <= 200 or limit + (gap - limit) * keep ** (steps - 1) == 0:
            return None
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, start2=less, gain2=gain + more)
        time = stock.time
        draft.note(f"""
            give loss = {Fraction(p, 100)}: share that is lost; lost share; loss a {time}; loss rate; fraction lost;
                share lost every {time}; rate of loss
            give gain1 = {gain}: amount added in the first; gain of the first; {stock.unit} added to the first
                {stock.vessel}; gain of the first {stock.vessel}; first gain; smaller gain
            give gain2 = {gain + more}: amount added in the second; gain of the second; {stock.unit} added to the second
                {stock.vessel}; gain of the second {stock.vessel}; second gain; larger gain
            find keep = {keep}: share that is left; factor; factor a {time}; remaining share; remaining fraction;
                fraction that is left; factor per {time}; share kept
            find gap = {gap}: difference at the beginning; initial difference; second minus first at the beginning;
                difference of the {stock.vessel}s at the beginning; second minus first at the start; starting difference
            find more = {more}: difference of the gains; extra gain of the second; difference of the amounts added;
                extra amount added to the second; extra {stock.unit} in the second {stock.vessel}; second gain minus
                first gain
            find limit = {limit}: limit of the difference; long-run difference; limit; limiting difference; long-term
                difference; steady difference
            find answer = {steps}: answer; number of {time}s; {time}s needed; number of whole {time}s; time in {time}s;
                number of steps; time
            step The difference second minus first begins with {gap}. :: Eq(gap, {less} - {start})
            step Every {time} it is multiplied by {keep} ... :: Eq(keep, 1 - loss)
            step ... and grows by {more}. :: Eq(more, gain2 - gain1)
            step It tends to more/loss = {limit}. :: Eq(limit, limit*keep + more)
            step After n steps it is limit + (gap - limit)*keep^n, which must be positive.
                :: Gt(limit + (gap - limit)*keep**answer, 0)
            step For n = {steps - 1} it is still not positive. :: Le(limit + (gap - limit)*keep**(answer - 1), 0)
        """)
        vessel = stock.vessel
        text = f"""There are two {vessel}s. At the beginning the first {vessel} holds {start} {stock.unit} and the
            second {less}. Every {time} two things happen, in this order: {p} {stock.loss}, the same share in both
            {vessel}s, and then {gain} {stock.adding} first {vessel} and {gain + more} {stock.adding} second. Fractions
            are kept and nothing is rounded. We look at the end of each {time}. After how many {time}s does the second
            {vessel} hold more than the first for the first time?"""
        return draft.problem(text)

    def _exchange(self, rng: Rng, difficulty: int) -> Problem | None:
        there, back = between(rng, 1, 8), between(rng, 1, 6)
        start, start2 = between(rng, 10, 60) * 100, between(rng, 0, 8) * 50
        a, b = Fraction(there, 100), Fraction(back, 100)
        total = start + start2
        limit, keep = total * a / (a + b), 1 - a - b
        part = Fraction(pick(rng, [1, 2, 3, 5, 8]), 50)
        bound = math.floor(limit + (start2 - limit) * part)
        if limit - start2 < 300 or bound >= limit - 1:
            return None
        steps = least_passing(lambda n: limit + (start2 - limit) * keep**n > bound)
        if not 9 <= steps <= 200 or _at(limit, start2, keep, steps - 1) == bound:
            return None
        draft = Draft(self, difficulty, keep=str(1 - a), back=str(b), start=start, start2=start2, bound=bound)
        settings = table("""
            tank A | tank B | litres | minute | of the water in {0} flows to {1}
            the old town | the new town | residents | year | of the residents of {0} move to {1}
            the north garage | the south garage | bicycles | day | of the bicycles in {0} are ridden to {1}
        """)
        first, second, unit, time, move = pick(rng, settings)
        draft.note(f"""
            give start = {start2}: {f"{unit} in {second} at the beginning".lower()}; initial number in the second;
                initial number of {unit} in {second.lower()}; {unit} in {second.lower()} at the start; starting number
                in {second.lower()}
            give bound = {bound}: bound; threshold; number to exceed; number of {unit} to exceed; target; target number
            find total = {total}: total number of {unit}; {unit} in both together; total; sum of both; {unit} in total;
                all {unit}; combined number of {unit}; total amount
            find limit = {limit}: limit; long-run number in the second; equilibrium; fixed point; long-run number in
                {second.lower()}; long-run number of {unit} in {second.lower()}; steady state; limiting number;
                long-term number
            find keep = {keep}: factor of the gap; factor; factor a {time}; remaining share of the gap; factor per
                {time}; shrinking factor; factor by which the gap shrinks
            find gap = {start2 - limit}: initial gap; start minus limit; difference of the start from the limit; initial
                difference from the limit; difference from the limit at the start; start less the limit
            find answer = {steps}: answer; number of {time}s; {time}s needed; number of whole {time}s; time in {time}s;
                number of steps; time
            step Together they always hold {total}. :: Eq(total, {start} + start)
            step Each {time} y becomes (1 - {b}) y + {a} (total - y), so gaps shrink by the factor {keep}.
                :: Eq(keep, 1 - {a} - {b})
            step At rest {a} (total - y) = {b} y, so y = {limit}. :: Eq({a}*(total - limit), {b}*limit)
            step The gap at the beginning is {start2 - limit}. :: Eq(gap, start - limit)
            step Asked is the least n with limit + gap*keep^n > {bound}. :: Gt(limit + gap*keep**answer, bound)
            step For n = {steps - 1} it is still at most {bound}. :: Le(limit + gap*keep**(answer - 1), bound)
        """)
        one, other = move.format(first, second), move.format(second, first)
        text = f"""At the beginning there are {start} {unit} in {first} and {start2} in {second}. Every {time}, at the
            same moment, {there} % {one} and {back} % {other}; both shares are of what was there before the exchange.
            Nothing else comes or goes, fractions are kept and nothing is rounded. After how many {time}s are there more
            than {bound} {unit} in {second} for the first time?"""
        return draft.problem(text)

    def _phases(self, rng: Rng, difficulty: int) -> Problem | None:
        stock, p, gain = pick(rng, STOCKS), pick(rng, [1, 2, 3, 4, 5, 6, 8, 10, 12]), 12 * between(rng, 10, 50)
        keep = 1 - Fraction(p, 100)
        limit, phase, start = gain / (1 - keep), between(rng, 5, 12), between(rng, 1, 12) * 20
        peak = _at(limit, start, keep, phase)
        bound = between(rng, 2, 20) * 10
        if limit.denominator > 1 or peak < 3 * bound or start >= limit:
            return None
        more = least_passing(lambda n: peak * keep**n < bound)
        if phase + more > 200 or peak * keep ** (more - 1) == bound:
            return None
        time, unit = stock.time, stock.unit
        draft = Draft(self, difficulty, keep=str(keep), gain=gain, start=start, bound=bound, phase=phase)
        self._give(draft, stock, keep, start, gain, bound)
        draft.note(f"""
            give phase = {phase}: {time}s of the first phase; length of the first phase; number of {time}s of the first
                phase; {time}s before the change; duration of the first phase; {time}s of adding
            find limit = {limit}: limit; long-run number; fixed point; equilibrium; long-run amount; long-term number;
                steady state; limiting value; long-run number of {unit}
            find gap = {start - limit}: difference of the start from the limit; initial gap; start minus limit; initial
                difference from the limit; difference from the limit at the beginning; start less the limit
            find peak = {peak}: number at the end of the first phase; peak; number after {phase} {time}s; amount at the
                end of the first phase; amount at the change; {unit} after {phase} {time}s; number of {unit} at the
                change; largest amount; maximum
            find more = {more}: {time}s of the second phase; length of the second phase; further steps; {time}s after
                the change; number of {time}s after the change; duration of the second phase; further {time}s
            find answer = {phase + more}: answer; number of {time}s in all; total {time}s; number of {time}s; {time}s in
                all; {time}s needed; total number of {time}s; total time; {time}s from the beginning
        """)
        self._steps_to_limit(draft, stock, keep, limit, start)
        draft.note(f"""
            step After {phase} {time}s it is limit + gap*keep^{phase}, about {float(peak):.3f}.
                :: Eq(peak, limit + gap*keep**phase)
            step From then on every {time} only multiplies it by {keep}. :: Lt(peak*keep**more, bound)
            step After {more - 1} further {time}s it is still at least {bound}. :: Ge(peak*keep**(more - 1), bound)
            step In all these are {phase + more} {time}s. :: Eq(answer, phase + more)
        """)
        text = f"""{self._text(stock, p, gain, start)} This goes on for {phase} {time}s. From then on {stock.stop}, but
            still {p} {stock.loss} every {time}. Counted from the very beginning, after how many {time}s in all does the
            {stock.vessel} hold under {bound} {unit} for the first time after the change?"""
        return draft.problem(text)

    @staticmethod
    def _give(draft: Draft, stock: Stock, keep: Fraction, start: int, gain: int, bound: int) -> None:
        draft.note(f"""
            give loss = {1 - keep}: share that is lost; lost share; loss a {stock.time}; loss rate; fraction lost; share
                lost every {stock.time}; rate of loss; share lost per {stock.time}
            give start = {start}: {stock.unit} at the beginning; initial number; starting number; initial number of
                {stock.unit}; number of {stock.unit} at the beginning; {stock.unit} at the start; initial amount;
                starting amount
            give gain = {gain}: {stock.unit} added every {stock.time}; amount added; gain; {stock.unit} added each
                {stock.time}; {stock.unit} added per {stock.time}; amount added every {stock.time}; number of
                {stock.unit} added
            give bound = {bound}: bound; threshold; number of {stock.unit} to pass; target; target number
            find keep = {keep}: share that is left; factor; factor a {stock.time}; remaining share; remaining fraction;
                fraction that is left; factor per {stock.time}; share kept; share that stays
        """)

    @staticmethod
    def _steps_to_limit(draft: Draft, stock: Stock, keep: Fraction, limit: Fraction, start: int) -> None:
        draft.note(f"""
            step Every {stock.time} x becomes {keep} x plus the gain. :: Eq(keep, 1 - loss)
            step The number that reproduces itself is gain/loss = {limit}. :: Eq(limit, keep*limit + gain)
            step At the beginning the gap to it is {start - limit}. :: Eq(gap, start - limit)
            step After one step the gap has shrunk by the factor keep. :: Eq(keep*start + gain - limit, keep*gap)
        """)

    @staticmethod
    def _text(stock: Stock, p: int, gain: int, start: int) -> str:
        return f"""The {stock.vessel} holds {start} {stock.content} at the beginning. Every {stock.time} two things
            happen, in this order: {p} {stock.loss}, and then {gain} {stock.gain}. Fractions are kept, nothing is
            rounded, and we look at the end of each {stock.time}."""


def _at(limit: Fraction, start: Fraction | int, keep: Fraction, n: int) -> Fraction:
    return limit + (start - limit) * keep**n
