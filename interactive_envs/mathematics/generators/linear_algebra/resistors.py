"""``resistors``: nets of resistors between two terminals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.exact import solve
from interactive_envs.mathematics.generators.wording import counted, listed


class Resistors(Generator):
    """Nets of resistors between two terminals."""

    name = "resistors"
    field = "linear algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: a ring; 2: a ladder; 3: a bridge; 4: every pair of two sides; 5: a wheel."""
        ask = [self._ring, self._ladder, self._bridge, self._sides, self._wheel][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Kirchhoff's equations for all nodes."""
        given = problem.parameters
        size = 1 + max(max(edge[:2]) for edge in given["edges"])
        matrix = [[Fraction(0)] * size for _ in range(size)]
        for i, j, resistance in given["edges"]:
            flow = 1 / Fraction(resistance)
            for p, q in ((i, j), (j, i)):
                matrix[p][p] += flow
                matrix[p][q] -= flow
        start, end = given["terminals"]
        kept = [i for i in range(size) if i != end]
        potentials = solve([[matrix[i][j] for j in kept] for i in kept], [Fraction(int(i == start)) for i in kept])
        return potentials[kept.index(start)]

    def _ring(self, rng: Rng, difficulty: int) -> Problem | None:
        size = between(rng, 4, 6)
        values = [between(rng, 1, 20) for _ in range(size)]
        far = between(rng, 2, size - 2)
        left, right = sum(values[:far]), sum(values[far:])
        answer = Fraction(left * right, left + right)
        if answer.denominator == 1:
            return None
        edges = [[i, (i + 1) % size, str(r)] for i, r in enumerate(values)]
        draft = Draft(self, difficulty, edges=edges, terminals=[0, far])
        draft.note(f"""
            find left = {left}: resistance of the first way; resistance one way around; first branch; resistance of the
                first branch; first way; left branch; sum of the resistances of the first way
            find right = {right}: resistance of the second way; resistance the other way around; second branch;
                resistance of the second branch; second way; right branch; sum of the resistances of the second way
            find flow = {1 / answer}: total conductance; sum of the reciprocals; conductance; total conductance of both
                ways; sum of the conductances; sum of both conductances
            find around = {left + right}: resistance all the way around; sum of all resistances; resistance of the whole
                ring; ring resistance; sum of the resistances; total of all resistors
            find answer = {answer}: answer; resistance; total resistance; equivalent resistance; replacement resistance;
                effective resistance; resistance of the net; resistance between the terminals; overall resistance
            step One way around the resistors in series have {left} ohms.
                :: Eq(left, {" + ".join(map(str, values[:far]))})
            step The other way around they have {right} ohms. :: Eq(right, {" + ".join(map(str, values[far:]))})
            step Both ways are parallel, so their conductances add up. :: Eq(flow, 1/left + 1/right)
            step All around there are {left + right} ohms. :: Eq(around, left + right)
            step So the resistance is {answer} ohms. :: And(Eq(answer, 1/flow), Eq(answer, left*right/around))
        """)
        names = "ABCDEF"[:size]
        links = ", ".join(f"{names[i]}{names[(i + 1) % size]} of {counted(r, 'ohm')}" for i, r in enumerate(values))
        return draft.problem(
            f"{self._nodes(rng, names)} in a ring, with the resistors {links}. {self._ask(rng, 'A', names[far])}",
            form="a fraction",
        )

    def _ladder(self, rng: Rng, difficulty: int) -> Problem | None:
        rungs, side, rung = between(rng, 3, 5), between(rng, 1, 9), between(rng, 1, 9)
        totals = [Fraction(2 * side + rung)]
        while len(totals) < rungs:
            totals.append(2 * side + rung * totals[-1] / (rung + totals[-1]))
        # nodes 0 .. rungs above and rungs + 1 .. below
        edges = []
        for k in range(rungs):
            below = rungs + 1 + k
            edges += [[k, k + 1, str(side)], [below, below + 1, str(side)], [k + 1, below + 1, str(rung)]]
        draft = Draft(self, difficulty, edges=edges, terminals=[0, rungs + 1])
        draft.note(f"""
            give side = {side}: resistance of a rail piece; rail piece; resistance of a piece of a rail; piece of a
                rail; resistance of one rail piece; resistance of each rail piece; rail resistance
            give rung = {rung}: resistance of a rung; rung; resistance of one rung; resistance of each rung; rung
                resistance
            give rungs = {rungs}: number of rungs; rungs; rungs in all; total number of rungs; pieces of each rail;
                number of pieces of each rail
            step Seen from the far end, one rung is in series with two rail pieces. :: Eq(r1, 2*side + rung)
        """)
        words = ["one rung", "two rungs", "three rungs", "four rungs", "five rungs"]
        for k, value in enumerate(totals[:-1]):
            draft.find(
                f"r{k + 1}",
                value,
                f"resistance with {words[k]}",
                f"r{k + 1}",
                f"resistance of the ladder with {words[k]}",
                f"resistance after {words[k]}",
                f"total of {words[k]}",
            )
        last = f"resistance with {words[rungs - 1]}"
        draft.find(
            "answer",
            totals[-1],
            last,
            "answer",
            "resistance",
            "total resistance",
            "equivalent resistance",
            "replacement resistance",
            "effective resistance",
            "resistance of the ladder",
            "resistance between the terminals",
            "overall resistance",
        )
        for k in range(1, rungs):
            name, before = ("answer" if k == rungs - 1 else f"r{k + 1}"), f"r{k}"
            parallel = totals[k] - 2 * side
            draft.note(f"""
                step The next rung is parallel to that: {parallel} ohms.
                    :: Eq({parallel}, rung*{before}/(rung + {before}))
                step Two more rail pieces: {totals[k]} ohms. :: Eq({name}, 2*side + rung*{before}/(rung + {before}))
            """)
        if totals[-1].denominator == 1:
            return None
        end = pick(rng, ["workshop", "laboratory", "classroom"])
        text = f"""In a {end} a ladder is soldered from resistors. Its two rails run side by side; each rail consists of
            {rungs} pieces of {counted(side, "ohm")} one after the other. There are {rungs} rungs of
            {counted(rung, "ohm")} each: the k-th rung joins the end of the k-th piece of one rail with the end of the
            k-th piece of the other, so the last rung joins the rails' far ends, and there is no rung at the near ends.
            The near ends of both rails are the terminals. What is the resistance between the terminals, in ohms?"""
        return draft.problem(text, form="a fraction")

    def _bridge(self, rng: Rng, difficulty: int) -> Problem | None:
        a, b, c, d, e = (between(rng, 1, 9) for _ in range(5))
        if a * d == b * c:
            return None
        # A-C a, A-D b, C-B c, D-B d, C-D e; potentials x of C and y of D with A at 1 and B at 0
        xx, yy, link = (
            Fraction(1, a) + Fraction(1, c) + Fraction(1, e),
            Fraction(1, b) + Fraction(1, d) + Fraction(1, e),
            Fraction(1, e),
        )
        det = xx * yy - link**2
        x = (Fraction(1, a) * yy + link * Fraction(1, b)) / det
        y = (Fraction(1, b) * xx + link * Fraction(1, a)) / det
        current = (1 - x) / a + (1 - y) / b
        answer = 1 / current
        if answer.denominator == 1:
            return None
        draft = Draft(
            self,
            difficulty,
            edges=[[0, 2, str(a)], [0, 3, str(b)], [2, 1, str(c)], [3, 1, str(d)], [2, 3, str(e)]],
            terminals=[0, 1],
        )
        draft.note(f"""
            find sum_c = {xx}: sum of the conductances at c; conductance at c; conductance sum at c; total conductance
                at c; sum of the conductances of c
            find sum_d = {yy}: sum of the conductances at d; conductance at d; conductance sum at d; total conductance
                at d; sum of the conductances of d
            find det = {det}: determinant; determinant of the two equations; determinant of the system; determinant of
                the equations
            find x = {x}: potential of c; voltage of c; potential at c; voltage at c; volts at c
            find y = {y}: potential of d; voltage of d; potential at d; voltage at d; volts at d
            find current = {current}: current; total current; conductance between a and b; current from a; current
                through the net; conductance; total conductance
            find answer = {answer}: answer; resistance; total resistance; equivalent resistance; replacement resistance;
                effective resistance; resistance of the net; resistance between a and b; overall resistance
            step Put 1 volt on A and 0 on B; the currents at C and D balance. At C the conductances sum to {xx}.
                :: Eq(sum_c, Rational(1, {a}) + Rational(1, {c}) + Rational(1, {e}))
            step At D they sum to {yy}. :: Eq(sum_d, Rational(1, {b}) + Rational(1, {d}) + Rational(1, {e}))
            step Balance at C. :: Eq(sum_c*x, Rational(1, {a}) + y/{e})
            step Balance at D. :: Eq(sum_d*y, Rational(1, {b}) + x/{e})
            step The determinant of both equations is {det}. :: Eq(det, sum_c*sum_d - Rational(1, {e})**2)
            step C is at {x} volts and D at {y}.
                :: And(Eq(x, (sum_d/{a} + Rational(1, {e * b}))/det), Eq(y, (sum_c/{b} + Rational(1, {e * a}))/det))
            step From A flow {current} amperes. :: Eq(current, (1 - x)/{a} + (1 - y)/{b})
            step So the resistance is {answer} ohms. :: Eq(answer, 1/current)
        """)
        links = listed(
            [f"{pair} of {counted(r, 'ohm')}" for pair, r in (("AC", a), ("AD", b), ("CB", c), ("DB", d), ("CD", e))]
        )
        return draft.problem(
            f"{self._nodes(rng, 'ABCD')} by five resistors: {links}. {self._ask(rng, 'A', 'B')}", form="a fraction"
        )

    def _sides(self, rng: Rng, difficulty: int) -> Problem | None:
        a, b, r = between(rng, 3, 7), between(rng, 3, 7), between(rng, 1, 12)
        edges = [[i, a + j, str(r)] for i in range(a) for j in range(b)]
        first, middle, last = Fraction(r, b - 1), Fraction(r, (a - 1) * (b - 1)), Fraction(r, a - 1)
        way = first + middle + last
        answer = r * way / (r + way)
        if answer.denominator == 1:
            return None
        draft = Draft(self, difficulty, edges=edges, terminals=[0, a])
        draft.note(f"""
            give a = {a}: number of left nodes; left nodes; number of points on the left; points on the left; number on
                the left; screws on the left; clamps on the left; solder points on the left
            give b = {b}: number of right nodes; right nodes; number of points on the right; points on the right; number
                on the right; screws on the right; clamps on the right; solder points on the right
            give r = {r}: one resistance; resistance of a resistor; resistance of one resistor; resistance of each
                resistor; each resistance; single resistance; direct resistance
            find first = {first}: resistance from the start to the other right nodes; first bundle; resistance of the
                first bundle; first parallel bundle
            find middle = {middle}: resistance between the other right and the other left nodes; middle bundle;
                resistance of the middle bundle; second bundle; middle parallel bundle
            find last = {last}: resistance from the other left nodes to the end; last bundle; resistance of the last
                bundle; third bundle; last parallel bundle
            find way = {way}: resistance of the way around; series of the three bundles; way around; sum of the three
                bundles; resistance of the detour; series resistance
            find answer = {answer}: answer; resistance; total resistance; equivalent resistance; replacement resistance;
                effective resistance; resistance of the net; resistance between the terminals; overall resistance
            step By symmetry the other {b - 1} right nodes have one potential; towards them go {b - 1} parallel
                resistors. :: Eq(first, r/(b - 1))
            step The other {a - 1} left nodes have one potential too; from them the terminal is reached by {a - 1}
                resistors. :: Eq(last, r/(a - 1))
            step Between both groups are {(a - 1) * (b - 1)} resistors. :: Eq(middle, r/((a - 1)*(b - 1)))
            step In series these have {way} ohms. :: Eq(way, first + middle + last)
            step The direct resistor is parallel to this way. :: Eq(1/answer, 1/r + 1/way)
            step So the resistance is {answer} ohms. :: Eq(answer, r*(a + b - 1)/(a*b))
        """)
        what = pick(rng, ["screws", "solder points", "clamps"])
        text = f"""On a board there are {a} {what} on the left and {b} on the right. Each left one is joined with each
            right one by a resistor of {counted(r, "ohm")}; there are no other resistors. What is the resistance, in
            ohms, between one of the left ones and one of the right ones?"""
        return draft.problem(text, form="a fraction")

    def _wheel(self, rng: Rng, difficulty: int) -> Problem | None:
        half, rim, spoke = between(rng, 2, 4), between(rng, 1, 6), between(rng, 1, 6)
        size = 2 * half
        ratio = Fraction(rim, spoke)
        potentials = [Fraction(1), 1 + ratio / 2]
        while len(potentials) <= half:
            potentials.append((2 + ratio) * potentials[-1] - potentials[-2])
        top, before = potentials[half], potentials[half - 1]
        current = top / spoke + 2 * (top - before) / rim
        answer = top / current
        if answer.denominator == 1:
            return None
        edges = [[i, (i + 1) % size, str(rim)] for i in range(size)] + [[i, size, str(spoke)] for i in range(size)]
        draft = Draft(self, difficulty, edges=edges, terminals=[0, size])
        draft.note(f"""
            give rim = {rim}: resistance of a rim piece; rim resistance; rim piece; resistance of one rim piece;
                resistance of each rim piece; resistance of the rim pieces
            give spoke = {spoke}: resistance of a spoke; spoke resistance; spoke; resistance of one spoke; resistance of
                each spoke; resistance of the spokes
            give size = {size}: number of spokes; spokes; number of rim pieces; number of outer ends; outer ends; rim
                pieces; total number of spokes
            find ratio = {ratio}: ratio of rim and spoke; rim resistance over spoke resistance; quotient of rim and
                spoke; rim over spoke; rim divided by spoke
        """)
        for k, value in enumerate(potentials[1:], 1):
            draft.find(
                f"x{k}",
                value,
                f"potential {counted(k, 'step')} from the opposite end",
                f"x{k}",
                f"potential after {counted(k, 'step')}",
                f"voltage {counted(k, 'step')} from the opposite end",
            )
        draft.note(f"""
            find spoke_current = {top / spoke}: current through the terminal's spoke; direct current; current through
                its own spoke; current of the terminal's spoke; spoke current
            find rim_current = {2 * (top - before) / rim}: current into the rim; current through both rim pieces; rim
                current; current through the rim; current of both rim pieces
            find current = {current}: current; total current; sum of the currents; current in all; current that flows in
            find answer = {answer}: answer; resistance; total resistance; equivalent resistance; replacement resistance;
                effective resistance; resistance of the net; resistance between the hub and an outer end; overall
                resistance
            step Rim over spoke is {ratio}. :: Eq(ratio, rim/spoke)
            step Put the hub at 0 and the end opposite to the terminal at 1. There both neighbours are equal by
                symmetry, so the next is {potentials[1]}. :: Eq(x1, 1 + ratio/2)
        """)
        for k in range(2, half + 1):
            previous = "1" if k == 2 else f"x{k - 2}"
            reason = f"Balance of currents gives the next potential, {potentials[k]}."
            draft.step(reason, f"Eq(x{k}, (2 + ratio)*x{k - 1} - {previous})")
        previous = "1" if half == 1 else f"x{half - 1}"
        draft.note(f"""
            step The terminal's own spoke carries its potential over the spoke's resistance.
                :: Eq(spoke_current, x{half}/spoke)
            step Two rim pieces leave it. :: Eq(rim_current, 2*(x{half} - {previous})/rim)
            step Together {current} amperes flow. :: Eq(current, spoke_current + rim_current)
            step The resistance is {answer} ohms. :: Eq(answer, x{half}/current)
        """)
        thing = pick(rng, ["wheel", "spider's web of wire", "star-shaped antenna"])
        text = f"""A {thing} has a hub and {size} spokes, each a resistor of {counted(spoke, "ohm")} from the hub to its
            own outer end. Neighbouring outer ends are joined by rim pieces of {counted(rim, "ohm")} each, so that the
            {size} rim pieces form a closed ring. What is the resistance, in ohms, between the hub and one outer end?"""
        return draft.problem(text, form="a fraction")

    @staticmethod
    def _nodes(rng: Rng, names: str) -> str:
        what = pick(rng, ["Terminals", "Solder points", "Screws", "Clamps"])
        return f"{what} {listed(list(names))} are joined"

    @staticmethod
    def _ask(rng: Rng, start: str, end: str) -> str:
        wordings = f"""
            What is the resistance between {start} and {end}, in ohms?
            What does an ohmmeter show, in ohms, when it is put to {start} and {end}?
            What single resistor, in ohms, could replace the whole net between {start} and {end}?
        """
        return one_of(rng, wordings)
