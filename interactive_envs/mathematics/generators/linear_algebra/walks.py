"""``walks``: how many ways there are to go from place to place in so many steps; the eigenvalues tell."""

from __future__ import annotations

import itertools
import math
from typing import Any, TypeAlias

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, pick, pick_some
from interactive_envs.mathematics.generators.wording import signed, table

Vector: TypeAlias = tuple[int, ...]


class Walks(Generator):
    """How many ways there are to go from place to place in so many steps; the eigenvalues tell."""

    name = "walks"
    field = "linear algebra"

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: everybody to everybody; 2: two sides; 3: teams; 4: flips; 5: rows and columns."""
        ask = [self._all, self._sides, self._teams, self._flips, self._board][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Step after step over all places."""
        given = problem.parameters
        sizes, steps = given["sizes"], given["steps"]
        places = (
            list(itertools.product(*map(range, sizes)))
            if problem.difficulty != 2
            else [(side, i) for side in (0, 1) for i in range(sizes[side])]
        )

        def linked(p: Vector, q: Vector) -> bool:
            match problem.difficulty:
                case 2 | 3:
                    return p[0] != q[0]
                case _:
                    return sum(x != y for x, y in zip(p, q, strict=True)) == 1

        table = np.array([[int(linked(p, q)) for q in places] for p in places], dtype=object)
        ways = np.array([int(p == places[0]) for p in places], dtype=object)
        for _ in range(steps):
            ways = ways @ table
        goals = [tuple(goal) for goal in given["goals"]]
        return sum(int(ways[places.index(goal)]) for goal in goals)

    def _all(self, rng: Rng, difficulty: int) -> Problem | None:
        size, steps = between(rng, 4, 9), between(rng, 4, 8)
        other = ((size - 1) ** steps - (-1) ** steps) // size
        home = other + (-1) ** steps
        draft = Draft(self, difficulty, sizes=[size], steps=steps, goals=[[1]])
        people, passes, anna, ben = self._passes(rng)
        draft.note(f"""
            give size = {size}: number of {people}; {people}; total number of {people}; {people} in all; how many
                {people}
            give steps = {steps}: number of passes; passes; total number of passes; passes in all; length of the
                sequence
            find all = {(size - 1) ** steps}: number of all sequences; all sequences; total number of sequences; number
                of sequences without condition; sequences in all; number of possible sequences
            find small = -1: small eigenvalue; other eigenvalue; repeated eigenvalue; smaller eigenvalue; negative
                eigenvalue
            find large = {size - 1}: large eigenvalue; possible receivers of a pass; largest eigenvalue; larger
                eigenvalue; number of possible receivers; receivers of a pass; choices for each pass
            find home = {home}: sequences that end with the starter; sequences back to the start; number of sequences
                that end with the starter; number of sequences back to the start; sequences that return to the start;
                closed sequences
            find answer = {other}: answer; number of sequences; number of ways; number of possible ways; number of
                different ways; ways; number of such sequences
            step Each pass can go to {size - 1}. :: Eq(large, size - 1)
            step So there are {(size - 1) ** steps} sequences in all. :: Eq(all, large**steps)
            step The table of who can pass to whom is all ones minus the identity; besides size - 1 it has the
                eigenvalue -1. :: Eq(small, size - (size - 1) - 2)
            step Sequences to a given other one and back to the starter differ by (-1)^steps.
                :: Eq(home - answer, small**steps)
            step The starter's and all others' sequences make up all. :: Eq(home + (size - 1)*answer, all)
            step So the answer is {other}. :: Eq(answer, (all - small**steps)/size)
        """)
        text = f"""{size} {people}, {anna} and {ben} among them, {passes}. Nobody passes to themselves. It starts with
            {anna}. In how many ways can {steps} passes follow each other such that the last one goes to {ben}? (Two
            ways differ if some pass goes to a different person.)"""
        return draft.problem(text)

    def _sides(self, rng: Rng, difficulty: int) -> Problem | None:
        a, b, half = between(rng, 3, 7), between(rng, 3, 7), between(rng, 2, 4)
        steps = 2 * half
        if a == b:
            return None
        one = b**half * a ** (half - 1)
        answer = (a - 1) * one
        draft = Draft(self, difficulty, sizes=[a, b], steps=steps, goals=[[0, i] for i in range(1, a)])
        people, passes, anna, _ = self._passes(rng)
        draft.note(f"""
            give a = {a}: size of the first team; members of the first team; red team; size of the red team; number of
                members of the red team; number in the red team; members of the red team; first team
            give b = {b}: size of the second team; members of the second team; blue team; size of the blue team; number
                of members of the blue team; number in the blue team; members of the blue team; second team
            give steps = {steps}: number of passes; passes; total number of passes; passes in all; length of the
                sequence
            find half = {half}: number of double passes; half the number of passes; number of pairs of passes; double
                passes; half of the passes
            find double = {b}: ways for a double pass between two given members of the first team; entry of the squared
                table; number of ways for a double pass; ways for two passes between two given members of the first team
            find large = {a * b}: eigenvalue of the squared table; eigenvalue; product of the team sizes; largest
                eigenvalue of the squared table; product of the sizes
            find all = {(a * b) ** half}: number of all sequences; all sequences; total number of sequences; number of
                sequences without condition; sequences in all; number of possible sequences
            find one = {one}: sequences to a given member of the first team; sequences back to the starter; number of
                sequences back to the starter; sequences that end with the starter; sequences to one member of the first
                team
            find answer = {answer}: answer; number of sequences; number of ways; number of possible ways; number of
                different ways; ways; number of such sequences
            step The passes come in {half} pairs, there and back. :: Eq(half, steps/2)
            step Between any two of the first team there are {b} ways for a pair. :: Eq(double, b)
            step From a given one a pair goes on in {a * b} ways. :: Eq(large, a*double)
            step In all there are {(a * b) ** half} sequences. :: Eq(all, large**half)
            step They end with each member of the first team equally often. :: Eq(one, all/a)
            step All but those that end with the starter: {answer}. :: Eq(answer, all - one)
        """)
        text = f"""{a + b} {people} form two teams: {a} are in the red team, {anna} among them, and {b} in the blue
            team. They {passes.removesuffix(" to each other")}, but only ever to members of the other team. It starts
            with {anna}. In how many ways can {steps} passes follow each other such that it is not with {anna} in the
            end? (Two ways differ if some pass goes to a different person.)"""
        return draft.problem(text)

    def _teams(self, rng: Rng, difficulty: int) -> Problem | None:
        teams, size, steps = between(rng, 3, 7), between(rng, 2, 5), between(rng, 4, 8)
        degree = size * (teams - 1)
        lead, rest = degree**steps, (-size) ** steps
        home = (lead + (teams - 1) * rest) // teams
        answer = home // size
        draft = Draft(self, difficulty, sizes=[teams, size], steps=steps, goals=[[0, 1]])
        people, passes, anna, ben = self._passes(rng)
        draft.note(f"""
            give teams = {teams}: number of teams; teams; total number of teams; teams in all; how many teams
            give size = {size}: size of a team; members of a team; team size; number of members of a team; members per
                team; players per team; size of each team
            give steps = {steps}: number of passes; passes; total number of passes; passes in all; length of the
                sequence
            find degree = {degree}: possible receivers of a pass; largest eigenvalue; large eigenvalue; number of
                possible receivers; receivers of a pass; choices for each pass; members of the other teams
            find small = {-size}: negative eigenvalue; smallest eigenvalue; small eigenvalue; least eigenvalue; minus
                the size of a team
            find all = {lead}: number of all sequences; all sequences; total number of sequences; number of sequences
                without condition; sequences in all; number of possible sequences
            find differ = {rest}: difference of home and another team; power of the negative eigenvalue; home minus
                away; difference of both kinds of sequences; power of the smallest eigenvalue
            find home = {home}: sequences that end in the starting team; sequences back to the first team; number of
                sequences that end in the starting team; sequences back to the starting team; home sequences
            find away = {(lead - rest) // teams}: sequences that end in a given other team; sequences to another team;
                number of sequences to another team; sequences that end in another team; away sequences
            find answer = {answer}: answer; number of sequences; number of ways; number of possible ways; number of
                different ways; ways; number of such sequences
            step A pass can go to {degree} people. :: Eq(degree, size*(teams - 1))
            step So there are {lead} sequences. :: Eq(all, degree**steps)
            step Between teams, each pass takes the difference of two teams' numbers to {-size} times itself.
                :: Eq(small, -size)
            step After all passes the difference of {anna}'s team and another is {rest}. :: Eq(differ, small**steps)
            step So the numbers of home and one other team differ by that. :: Eq(home - away, differ)
            step Home and all other teams make up all. :: Eq(home + (teams - 1)*away, all)
            step Hence {home} sequences end in {anna}'s team. :: Eq(home, (all + (teams - 1)*differ)/teams)
            step By symmetry each member gets the same share: {answer}. :: Eq(answer, home/size)
        """)
        text = f"""{teams * size} {people} form {teams} teams of {size}; {anna} and {ben} are in the same team. They
            {passes.removesuffix(" to each other")}, but only ever to members of other teams. It starts with {anna}. In
            how many ways can {steps} passes follow each other such that the last one goes to {ben}? (Two ways differ if
            some pass goes to a different person.)"""
        return draft.problem(text)

    def _flips(self, rng: Rng, difficulty: int) -> Problem | None:
        size, far = between(rng, 4, 7), between(rng, 1, 4)
        steps = far + 2 * between(rng, 1, 3)
        if far >= size or not 5 <= steps <= 9:
            return None
        coefficients = [
            sum((-1) ** i * math.comb(far, i) * math.comb(size - far, k - i) for i in range(k + 1))
            for k in range(size + 1)
        ]
        total = sum(c * (size - 2 * k) ** steps for k, c in enumerate(coefficients))
        answer = total // 2**size
        if answer < 20:
            return None
        draft = Draft(self, difficulty, sizes=[2] * size, steps=steps, goals=[[1] * far + [0] * (size - far)])
        settings = table("""
            coins | heads | tails | turns over
            switches | on | off | moves
            cards | face up | face down | turns over
        """)
        thing, up, down, flip = pick(rng, settings)
        powers = " + ".join(f"{signed(c)}*{signed(size - 2 * k)}**steps" for k, c in enumerate(coefficients) if c)
        draft.note(f"""
            give size = {size}: number of {thing}; {thing}; total number of {thing}; {thing} in all; how many {thing}
            give far = {far}: number of {thing} that end {up}; {thing} that are {up} in the end; {thing} that end {up};
                number of {thing} that are {up}; number of {thing} {up} in the end
            give steps = {steps}: number of moves; moves; total number of moves; moves in all; length of the sequence
            find states = {2**size}: number of states; states; number of positions; number of all states; number of
                possible states; positions; number of possible positions
            find lead = {size**steps}: number of all sequences; all sequences; total number of sequences; number of
                sequences without condition; sequences in all; number of possible sequences
            find second = {size - 2}: second eigenvalue; second largest eigenvalue; next eigenvalue; size minus two
            find weight = {coefficients[1]}: weight of the second eigenvalue; coefficient of x; coefficient of the
                second eigenvalue; second weight; krawtchouk number
            find total = {total}: weighted sum of the powers of the eigenvalues; weighted sum; sum of the weighted
                powers; sum over the eigenvalues; sum before the division
            find answer = {answer}: answer; number of sequences; number of ways; ways; number of such sequences;
                sequences that lead there; number of sequences that lead there
            step There are {2**size} states. :: Eq(states, 2**size)
            step In all there are {size}^{steps} sequences. :: Eq(lead, size**steps)
            step The moves' eigenvalues are {size} - 2k for k = 0, ..., {size}; the second is {size - 2}.
                :: Eq(second, size - 2)
            step Its weight for {far} changed ones is the coefficient of x in (1 - x)^{far} (1 + x)^{size - far}.
                :: Eq(weight, (size - far) - far)
            step Weighted with all these coefficients the powers sum to {total}. :: Eq(total, {powers})
            step Divided by the number of states: {answer}. :: Eq(answer, total/states)
        """)
        which = "the first" if far == 1 else f"the first {far}"
        text = f"""{size} numbered {thing} are all {down}. In each move somebody {flip} exactly one of them. How many
            sequences of {steps} moves lead to the position in which exactly {which} {"is" if far == 1 else "are"} {up}
            and all others {down}? (A sequence says for each of the {steps} moves, in order, which one is moved; the
            same one may be moved several times.)"""
        return draft.problem(text)

    def _board(self, rng: Rng, difficulty: int) -> Problem | None:
        rows, columns, steps = between(rng, 3, 8), between(rng, 3, 8), between(rng, 4, 6)
        if rows == columns or 2 in (rows, columns):
            return None
        same_row = bool(rng.integers(2))
        sign = rows - 1 if same_row else -1
        lead, by_row = (rows + columns - 2) ** steps, sign * (columns - 2) ** steps
        by_column, both = -((rows - 2) ** steps), -sign * (-2) ** steps
        total = lead + by_row + by_column + both
        answer = total // (rows * columns)
        goal = [0, 1] if same_row else [1, 1]
        draft = Draft(self, difficulty, sizes=[rows, columns], steps=steps, goals=[goal])
        settings = table("""
            A rook stands in a corner of a board of {r} rows and {c} columns that is otherwise empty. In a move it
                goes to any other square of its row or of its column, no matter how far | square | another given square
                of the same row | a given square that is neither in the same row nor in the same column
            A lock has a left dial with {r} symbols and a right dial with {c} symbols. In a move exactly one dial is
                turned, to any symbol other than the present one | position | a given position in which the left dial is
                as at the beginning but the right dial is not | a given position in which both dials differ from the
                beginning
            Rooms form a block of {r} floors with {c} rooms each, one above the other. In a move a guest changes to
                any other room on the same floor or to any other room in the same vertical stack | room | another given
                room on the floor of the first one | a given room that is neither on the first one's floor nor in its
                stack
        """)
        opening, place, near, far = pick(rng, settings)
        sign_claim = "(rows - 1)" if same_row else "(-1)"
        draft.note(f"""
            give rows = {rows}: number of rows; size of the first coordinate; rows; number of rows of the board; number
                of values of the first coordinate
            give columns = {columns}: number of columns; size of the second coordinate; columns; number of columns of
                the board; number of values of the second coordinate
            give steps = {steps}: number of moves; moves; total number of moves; moves in all; length of the sequence
            find places = {rows * columns}: number of places; number of states; number of squares; squares; places;
                number of squares of the board
            find degree = {rows + columns - 2}: moves from a place; largest eigenvalue; possible moves; number of
                possible moves; number of moves from a place; choices for each move
            find lead = {lead}: number of all sequences; all sequences; total number of sequences; number of sequences
                without condition; sequences in all; number of possible sequences
            find by_row = {by_row}: contribution of the eigenvalue columns - 2; contribution of {columns - 2}; part of
                the eigenvalue columns - 2; term of the eigenvalue columns - 2
            find by_column = {by_column}: contribution of the eigenvalue rows - 2; contribution of {rows - 2}; part of
                the eigenvalue rows - 2; term of the eigenvalue rows - 2
            find both = {both}: contribution of the eigenvalue -2; contribution of -2; part of the eigenvalue -2; term
                of the eigenvalue -2
            find total = {total}: sum of the contributions; sum of all four contributions; sum of the four
                contributions; total of the contributions; sum before the division
            find answer = {answer}: answer; number of sequences; number of ways; ways; number of such sequences;
                sequences that lead there; number of sequences that lead there
            step There are {rows * columns} places. :: Eq(places, rows*columns)
            step From each there are {rows + columns - 2} moves. :: Eq(degree, (rows - 1) + (columns - 1))
            step The moves' table is a sum of one for rows and one for columns; their eigenvalues add up. First the
                largest. :: Eq(lead, degree**steps)
            step -1 from the rows and {columns - 1} from the columns make {columns - 2}.
                :: Eq(by_row, {sign_claim}*(columns - 2)**steps)
            step {rows - 1} from the rows and -1 from the columns make {rows - 2}.
                :: Eq(by_column, (-1)*(rows - 2)**steps)
            step -1 from both make -2. :: Eq(both, {sign_claim}*(-1)*(-2)**steps)
            step The contributions sum to {total}. :: Eq(total, lead + by_row + by_column + both)
            step Divided by the number of places: {answer}. :: Eq(answer, total/places)
        """)
        text = f"""{opening.format(r=rows, c=columns)}. How many sequences of exactly {steps} moves lead from the start
            to {near if same_row else far}? (Two sequences differ if after some move the {place}s differ; places may be
            visited more than once, the target too.)"""
        return draft.problem(text)

    @staticmethod
    def _passes(rng: Rng) -> tuple[str, str, str, str]:
        settings = table("""
            players | pass a ball to each other
            clerks | pass a file to each other
            children | pass a secret note to each other
        """)
        people, passes = pick(rng, settings)
        anna, ben = pick_some(rng, ["Anna", "Ben", "Carla", "David", "Emil", "Farida", "Gil", "Hana", "Ivo", "Jana"], 2)
        return people, passes, anna, ben
