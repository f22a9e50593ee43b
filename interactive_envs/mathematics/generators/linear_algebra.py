"""Linear algebra: determinants with a pattern, lamps over two elements, nearest points, walks, nets of resistors."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import EXPRESSION, Draft, Rng, between, one_of, pick, pick_some
from interactive_envs.mathematics.generators.probability import solve
from interactive_envs.mathematics.generators.wording import counted, listed, root, signed, table

FIELD = "linear algebra"
Vector: TypeAlias = tuple[int, ...]


class Determinant(Generator):
    """Determinants of tables whose entries follow a rule."""

    name = "determinant"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1, 2: two values; 3: three diagonals; 4: ones and a diagonal; 5: greatest common divisors."""
        ask = [self._two, self._two, self._band, self._ones, self._divisors][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """Elimination on the whole table, without fractions."""
        given = problem.parameters
        size = given["size"]
        places = range(1, size + 1)
        match problem.difficulty:
            case 1 | 2:
                table = [[given["a"] if i == j else given["b"] for j in places] for i in places]
            case 3:
                near = {0: given["a"], 1: given["b"], -1: given["c"]}
                table = [[near.get(j - i, 0) for j in places] for i in places]
            case 4:
                table = [[1 + (given["c"] * i * (i + 1) if i == j else 0) for j in places] for i in places]
            case _:
                divisors = [d for d in range(1, given["n"] + 1) if given["n"] % d == 0]
                table = [[given["c"] * math.gcd(d, e) ** given["power"] for e in divisors] for d in divisors]
        return _determinant(table)

    def _two(self, rng: Rng, difficulty: int) -> Problem | None:
        size = 3 if difficulty == 1 else between(rng, 5, 9)
        a, b = between(rng, -4, 12), between(rng, -5, 9)
        gap, total = a - b, a + (size - 1) * b
        if 0 in (a, b, gap, total) or (abs(gap) == 1 and difficulty > 1):
            return None
        answer = gap ** (size - 1) * total
        draft = Draft(self, difficulty, size=size, a=a, b=b)
        draft.note(f"""
            give size = {size}: size; number of rows; number of columns; order; dimension; number of rows and columns;
                size of the matrix; size of the table; order of the matrix
            give a = {a}: diagonal entry; entry on the diagonal; diagonal element; number on the diagonal; value on the
                diagonal; main diagonal entry
            give b = {b}: other entry; entry off the diagonal; off-diagonal entry; off-diagonal element; number off the
                diagonal; entry in the other places
            find gap = {gap}: small eigenvalue; repeated eigenvalue; difference of the entries; a - b; diagonal entry
                minus other entry; difference of diagonal and other entry; multiple eigenvalue
            find total = {total}: row sum; sum of a row; large eigenvalue; sum of each row; row total; simple
                eigenvalue; eigenvalue of the vector of ones
            find times = {size - 1}: multiplicity of the repeated eigenvalue; multiplicity; number of repeated
                eigenvalues; number of equal eigenvalues; multiplicity of the small eigenvalue
            find power = {gap ** (size - 1)}: power of the small eigenvalue; product of the repeated eigenvalues; power
                of the repeated eigenvalue; power of the difference; small eigenvalue to its multiplicity
            find answer = {answer}: answer; determinant; det; determinant of the matrix; determinant of the table; value
                of the determinant; determinant of the coefficients
            step Every row sums to {total}, an eigenvalue with the vector of ones. :: Eq(total, a + (size - 1)*b)
            step A difference of two unit vectors is multiplied by {gap}. :: Eq(gap, a - b)
            step There are {size - 1} independent such differences. :: Eq(times, size - 1)
            step Their eigenvalues multiply to {gap ** (size - 1)}. :: Eq(power, gap**times)
            step The determinant is the product of all eigenvalues, {answer}. :: Eq(answer, power*total)
        """)
        rule = f"""has {a} in every place of the diagonal from the upper left to the lower right, and {b} in all other
            places"""
        return draft.problem(self._scene(rng, size, rule))

    def _band(self, rng: Rng, difficulty: int) -> Problem | None:
        size, s, t = between(rng, 5, 9), between(rng, 1, 6), pick(rng, [-4, -3, -2, -1, 1, 2, 3, 4, 5])
        a, product = s + t, s * t
        splits = [b for b in range(1, abs(product) + 1) if product % b == 0]
        b = pick(rng, splits)
        c = product // b
        if s <= abs(t) or a == 0:
            return None
        values = [1, a]
        while len(values) <= size:
            values.append(a * values[-1] - product * values[-2])
        answer = values[size]
        draft = Draft(self, difficulty, size=size, a=a, b=b, c=c)
        draft.note(f"""
            give size = {size}: size; number of rows; number of columns; order; dimension; number of rows and columns;
                size of the matrix; size of the table; order of the matrix
            give a = {a}: diagonal entry; entry on the diagonal; diagonal element; number on the diagonal; value on the
                diagonal; main diagonal entry
            find product = {product}: product of the neighbours; product of the entries above and below the diagonal;
                product of the off-diagonal entries; product of the entries beside the diagonal; product of the two
                other entries
            find second = {values[2]}: determinant of size 2; determinant of the 2 by 2 table; second determinant;
                determinant for size 2; two by two determinant; d(2)
            find third = {values[3]}: determinant of size 3; determinant of the 3 by 3 table; third determinant;
                determinant for size 3; three by three determinant; d(3)
            find s = {s}: larger root; larger root of the characteristic equation; greater root; larger solution of the
                characteristic equation; first root
            find t = {t}: smaller root; smaller root of the characteristic equation; lesser root; smaller solution of
                the characteristic equation; second root
            find answer = {answer}: answer; determinant; det; determinant of size {size}; determinant of the matrix;
                determinant of the table; value of the determinant; determinant of the coefficients
            step Expanding along the last row: D(n) = {a} D(n - 1) - {signed(product)} D(n - 2).
                :: Eq(product, {b}*{signed(c)})
            step D(2) = {values[2]}. :: Eq(second, a**2 - product)
            step D(3) = {values[3]}. :: Eq(third, a*second - product*a)
            step x^2 = {a}x - {signed(product)} has the roots {s} and {t}. :: And(Eq(s + t, a), Eq(s*t, product))
            step D(n) = (s^(n + 1) - t^(n + 1))/(s - t); this is right for n = 2. :: Eq(second, (s**3 - t**3)/(s - t))
            step For n = {size} this is {answer}. :: Eq(answer, (s**(size + 1) - t**(size + 1))/(s - t))
        """)
        rule = f"""has {a} in every place of the diagonal from the upper left to the lower right, {b} in every place
            directly to the right of a place of the diagonal, {c} in every place directly to the left of one, and 0
            elsewhere"""
        return draft.problem(self._scene(rng, size, rule))

    def _ones(self, rng: Rng, difficulty: int) -> Problem | None:
        size, c = between(rng, 4, 7), between(rng, 1, 20)
        product = c**size * math.factorial(size) * math.factorial(size + 1)
        share = Fraction(size, c * (size + 1))
        answer = product * (1 + share)
        draft = Draft(self, difficulty, size=size, c=c)
        draft.note(f"""
            give size = {size}: size; number of rows; number of columns; order; dimension; number of rows and columns;
                size of the matrix; size of the table; order of the matrix
            give c = {c}: factor on the diagonal; factor of i(i + 1); coefficient of i(i + 1); factor before i(i + 1);
                multiplier
            find last = {c * size * (size + 1)}: last diagonal number; number added to the last diagonal one; last added
                number; largest added number; last number added
            find product = {product}: product of the added numbers; determinant without the ones; product of the
                diagonal numbers; determinant of the diagonal part; product of the numbers added on the diagonal
            find telescope = {Fraction(size, size + 1)}: sum of 1/(i(i + 1)); telescoping sum; telescoped sum; sum of
                the unit fractions; sum of the reciprocals of i(i + 1)
            find share = {share}: sum of the reciprocals; sum of the reciprocals of the added numbers; sum of the
                inverses; sum of the inverses of the added numbers; trace of the inverse
            find factor = {1 + share}: correcting factor; one plus the sum of the reciprocals; correction factor; factor
                for the ones; 1 plus the sum of the reciprocals
            find answer = {answer}: answer; determinant; det; determinant of the matrix; determinant of the table; value
                of the determinant; determinant of the coefficients
            step The table is all ones plus a diagonal whose last number is {c * size * (size + 1)}.
                :: Eq(last, c*size*(size + 1))
            step The diagonal alone has the determinant {product}.
                :: Eq(product, c**size*factorial(size)*factorial(size + 1))
            step 1/(i(i + 1)) sums to {Fraction(size, size + 1)}. :: Eq(telescope, 1 - 1/(size + 1))
            step So the reciprocals of the diagonal sum to {share}. :: Eq(share, telescope/c)
            step Adding a matrix of rank one multiplies by 1 plus this sum, {1 + share}. :: Eq(factor, 1 + share)
            step The determinant is {answer}. :: Eq(answer, product*factor)
        """)
        many = "" if c == 1 else f"{c} times "
        rule = f"""has 1 + {many}i(i + 1) in the place where row i meets column i (i = 1, ..., {size}), and 1 in all
            other places"""
        return draft.problem(self._scene(rng, size, rule))

    def _divisors(self, rng: Rng, difficulty: int) -> Problem | None:
        n, power, c = between(rng, 8, 90), between(rng, 1, 2), between(rng, 1, 6)
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        if not 4 <= len(divisors) <= (9 if power == 1 else 6):
            return None
        primes = [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]

        def own(d: int) -> int:
            """Jordan's totient."""
            top = Fraction(d**power)
            for p in primes:
                top *= 1 - Fraction(1, p**power) if d % p == 0 else 1
            return int(top)

        totients = {d: own(d) for d in divisors}
        plain = math.prod(totients.values())
        size = len(divisors)
        answer = c**size * plain
        draft = Draft(self, difficulty, n=n, power=power, c=c, size=size)
        what = "gcd" if power == 1 else "gcd^2"
        draft.note(f"""
            give n = {n}: number whose divisors are taken; number with the divisors; given number; largest
                divisor
            find size = {size}: number of divisors; size; number of rows; divisor count; order; dimension; number of
                columns; number of rows and columns; size of the matrix
            find top = {totients[n]}: last own share; g({n}); totient of {n}; euler's phi of {n}; phi({n}); own share of
                {n}
            find one = 1: first own share; g(1); totient of 1; phi(1); own share of 1
            find prime = {totients[primes[0]]}: own share of the least prime; g({primes[0]}); totient of {primes[0]};
                phi({primes[0]}); own share of {primes[0]}
            find plain = {plain}: product of the own shares; determinant without the factor; product of the totients;
                product of all own shares; determinant of the greatest common divisors
            find scale = {c**size}: factor in front of the determinant; factor from all rows; power of the factor;
                scaling factor; factor to the number of divisors
            find answer = {answer}: answer; determinant; det; determinant of the matrix; determinant of the table; value
                of the determinant; determinant of the coefficients
            step {n} has {size} divisors. :: Eq(size, divisor_count(n))
            step Write d^{power} as the sum of g(e) over the divisors e of d; then g(1) = 1. :: Eq(one, 1)
            step For the prime {primes[0]}: g = {totients[primes[0]]}. :: Eq(prime, {primes[0]}**{power} - one)
            step In general g(d) is d^{power} times the product of 1 - 1/p^{power}; g({n}) = {totients[n]}.
                :: Eq(top, n**{power}*{"*".join(f"(1 - 1/{p}**{power})" for p in primes)})
            step The sum over common divisors makes the table of {what} a product L G L^T with L triangular, ones on its
                diagonal, and G the diagonal of the g(d).
                :: Eq({n}**{power}, {" + ".join(str(g) for g in totients.values())})
            step So its determinant is the product of all g(d), {plain}.
                :: Eq(plain, {"*".join(str(g) for g in totients.values())})
            step The common factor contributes {c}^{size} = {c**size}. :: Eq(scale, {c}**size)
            step The determinant is {answer}. :: Eq(answer, scale*plain)
        """)
        entry = (
            "the greatest common divisor of d and e"
            if power == 1
            else "the square of the greatest common divisor of d and e"
        )
        entry = entry if c == 1 else f"{c} times {entry}"
        rule = f"""has a row and a column for each positive divisor of {n} (1 and {n} included, in increasing order);
            where the row of d meets the column of e stands {entry}"""
        return draft.problem(self._scene(rng, 0, rule))

    @staticmethod
    def _scene(rng: Rng, size: int, rule: str) -> str:
        shape = f"square table with {size} rows and {size} columns" if size else "square table"
        matrix = f"{size} by {size} matrix" if size else "matrix"
        rule = " ".join(rule.split())
        wordings = f"""
            A {shape} {rule}. What is its determinant?
            A {matrix} {rule}. What is the determinant of this matrix?
            Linear equations are written down whose {matrix} of coefficients {rule}. To see whether they have exactly
                one solution, somebody computes the determinant of these coefficients. What is it?
        """
        return one_of(rng, wordings)


def _determinant(table: list[list[int]]) -> int:
    """Bareiss' elimination."""
    rows, sign, before = [row[:] for row in table], 1, 1
    for k in range(len(rows) - 1):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


class Lamps(Generator):
    """Switches that change several lamps at once, and the patterns that they can reach."""

    name = "lamps"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: neighbours; 2: every other lamp; 3: rows and columns; 4: threes on a ring; 5: with a fixed corner."""
        ask = [self._pairs, self._apart, self._grid, self._ring, self._grid][difficulty - 1]
        return ask(rng, difficulty)

    def confirm(self, problem: Problem) -> Any:
        """All patterns that sums of switches make."""
        given = problem.parameters
        reached = np.zeros(1, dtype=np.int64)
        for switch in given["switches"]:
            mask = sum(1 << lamp for lamp in switch)
            if mask not in reached:
                reached = np.concatenate([reached, reached ^ mask])
        lit = sum((reached >> lamp) & 1 for lamp in range(given["lamps"]))
        good = lit == given["lit"]
        if given.get("corner"):
            good &= (reached & 1) == 1
        return int(good.sum())

    def _pairs(self, rng: Rng, difficulty: int) -> Problem | None:
        lamps = between(rng, 8, 20)
        lit = 2 * between(rng, 1, lamps // 2 - 1)
        answer = math.comb(lamps, lit)
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=[[i, i + 1] for i in range(lamps - 1)])
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find switches = {lamps - 1}: number of switches; switches; switches in all; total number of switches; number
                of pairs of neighbours
            find reachable = {2 ** (lamps - 1)}: number of reachable patterns; reachable patterns; number of patterns
                that can be reached; patterns that can be reached; all reachable patterns
            find even = {2 ** (lamps - 1)}: number of patterns with an even number lit; even patterns; number of even
                patterns; patterns with an even number of lit lamps; patterns with an even number lit
            find answer = {answer}: answer; number of such patterns; number of patterns; number of different patterns;
                number of patterns with {lit} lit lamps; patterns with exactly {lit} lit lamps; number of reachable
                patterns with exactly {lit} lit lamps; asked number
            step There are {lamps - 1} switches. :: Eq(switches, lamps - 1)
            step Each changes two lamps, so the number of lit lamps stays even. :: Eq(Mod(lit, 2), 0)
            step The switches are independent: different choices give different patterns. :: Eq(reachable, 2**switches)
            step As many patterns have an even number of lit lamps, so these are exactly the reachable ones.
                :: And(Eq(even, 2**lamps/2), Eq(reachable, even))
            step Hence every choice of {lit} lamps counts: {answer}. :: Eq(answer, binomial(lamps, lit))
        """)
        rule = f"""{lamps} lamps hang in a row. For any two lamps that hang next to each other there is a switch that
            changes just these two"""
        return self._finish(draft, rng, rule, lit)

    def _apart(self, rng: Rng, difficulty: int) -> Problem | None:
        lamps = between(rng, 9, 20)
        lit = 2 * between(rng, 2, lamps // 2 - 1)
        odd, even = (lamps + 1) // 2, lamps // 2
        parts = [(i, math.comb(odd, i) * math.comb(even, lit - i)) for i in range(0, lit + 1, 2)]
        parts = [(i, value) for i, value in parts if value]
        answer = sum(value for _, value in parts)
        if not 2 <= len(parts) <= 6:
            return None
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=[[i, i + 2] for i in range(lamps - 2)])
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find odd = {odd}: lamps in odd places; number of odd places; odd places; number of lamps in odd places; odd
                lamps
            find even = {even}: lamps in even places; number of even places; even places; number of lamps in even
                places; even lamps
        """)
        draft.note(f"""
            step {odd} lamps are in odd places. :: Eq(odd, ceiling(lamps/2))
            step {even} are in even places. :: Eq(even, lamps - odd)
            step Both kinds form a row of their own, and in each the number of lit lamps stays even.
                :: Eq((odd - 1) + (even - 1), lamps - 2)
        """)
        for i, value in parts:
            draft.note(f"""
                find part{i} = {value}: patterns with {i} lit in odd places; contribution of {i} lit odd ones; number of
                    patterns with {i} lit in odd places; patterns with {i} lit odd lamps; ways with {i} lit in odd
                    places
                step With {i} lit in odd places there are {value} patterns.
                    :: Eq(part{i}, binomial(odd, {i})*binomial(even, lit - {i}))
            """)
        draft.find(
            "answer",
            answer,
            "answer",
            "number of such patterns",
            "number of patterns",
            "number of different patterns",
            f"number of patterns with {lit} lit lamps",
            f"patterns with exactly {lit} lit lamps",
            f"number of reachable patterns with exactly {lit} lit lamps",
            "asked number",
        )
        draft.step(f"Together {answer}.", f"Eq(answer, {' + '.join(f'part{i}' for i, _ in parts)})")
        rule = f"""{lamps} lamps hang in a row. For any two lamps with exactly one lamp between them there is a switch
            that changes just these two (not the one between)"""
        return self._finish(draft, rng, rule, lit)

    def _grid(self, rng: Rng, difficulty: int) -> Problem | None:
        rows, columns = between(rng, 3, 10), between(rng, 3, 10)
        corner = difficulty == 5
        # the patterns with i rows and j columns changed; each pattern comes from two choices
        lit_by = {(i, j): i * (columns - j) + j * (rows - i) for i in range(rows + 1) for j in range(columns + 1)}
        lit = pick(rng, sorted(set(lit_by.values()) - {0, rows * columns}))
        pairs = [pair for pair, value in lit_by.items() if value == lit]
        if rows == columns or rows * columns > 60 or not 4 <= len(pairs) <= 8:
            return None

        def ways(i: int, j: int) -> int:
            if not corner:
                return math.comb(rows, i) * math.comb(columns, j)
            # the corner is lit if just one of its row and its column is changed
            only_row = math.comb(rows - 1, i - 1) * math.comb(columns - 1, j) if i else 0
            only_column = math.comb(rows - 1, i) * math.comb(columns - 1, j - 1) if j else 0
            return only_row + only_column

        found = {pair: ways(*pair) for pair in pairs}
        total = sum(found.values())
        answer = total // 2
        if answer < 10:
            return None
        switches = [[r * columns + c for c in range(columns)] for r in range(rows)]
        switches += [[r * columns + c for r in range(rows)] for c in range(columns)]
        draft = Draft(self, difficulty, lamps=rows * columns, lit=lit, switches=switches, corner=corner)
        i, j = pairs[0]
        draft.note(f"""
            give rows = {rows}: number of rows; rows; row count; number of rows of lamps; lamps in a column
            give columns = {columns}: number of columns; columns; column count; number of columns of lamps; lamps in a
                row
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find choices = {2 ** (rows + columns)}: number of choices of switches; sets of switches; number of sets of
                switches; all choices of switches; ways to choose switches
            find patterns = {2 ** (rows + columns - 1)}: number of reachable patterns; reachable patterns; number of
                patterns that can be reached; patterns that can be reached; all reachable patterns
            find pairs = {len(pairs)}: number of pairs (i, j); solutions of the equation; number of pairs; number of
                solutions; solutions; number of solutions of the equation
            find total = {total}: number of sets of switches that work; choices that work; sets of switches that work;
                number of choices that work; number of good choices; favourable choices
            find answer = {answer}: answer; number of such patterns; number of patterns; number of different patterns;
                number of patterns with {lit} lit lamps; patterns with exactly {lit} lit lamps; number of reachable
                patterns with exactly {lit} lit lamps; asked number
            step Only whether a switch is used an odd number of times matters. :: Eq(choices, 2**(rows + columns))
            step A choice and its complement give the same pattern, and no others do. :: Eq(patterns, choices/2)
            step With i rows and j columns, i({columns} - j) + j({rows} - i) lamps are lit, for instance i = {i}, j =
                {j}. :: Eq({i}*(columns - {j}) + {j}*(rows - {i}), lit)
            step That equals {lit} for {len(pairs)} pairs: {", ".join(map(str, pairs))}. :: Eq(pairs, {len(pairs)})
        """)
        said = f"The pair (i, j) stands for binomial({rows}, i) binomial({columns}, j) choices."
        claim = f"binomial(rows, {i})*binomial(columns, {j})"
        if corner:
            said = (
                "The corner is lit if just one of its row and its column is used; its row and column are taken apart."
            )
            claim = self._corner_claim(i, j)
        draft.note(f"""
            step {said} :: Eq({found[pairs[0]]}, {claim})
            step Together these are {total} choices. :: Eq(total, {" + ".join(map(str, found.values()))})
            step Each pattern is counted twice: {answer}. :: Eq(answer, total/2)
        """)
        rule = f"""Lamps are arranged in {rows} rows and {columns} columns, one in every place. Each row has a switch
            that changes all lamps of this row, and each column has a switch that changes all lamps of this column"""
        return self._finish(draft, rng, rule, lit, ", among them the one in the upper left corner," if corner else "")

    @staticmethod
    def _corner_claim(i: int, j: int) -> str:
        row = f"binomial(rows - 1, {i - 1})*binomial(columns - 1, {j})" if i else "0"
        column = f"binomial(rows - 1, {i})*binomial(columns - 1, {j - 1})" if j else "0"
        return f"{row} + {column}"

    def _ring(self, rng: Rng, difficulty: int) -> Problem | None:
        third = between(rng, 4, 7)
        lamps = 3 * third
        lit = between(rng, 3, lamps - 3)
        triples = [
            t for t in itertools.product(range(third + 1), repeat=3) if sum(t) == lit and len({x % 2 for x in t}) == 1
        ]
        answer = sum(math.prod(math.comb(third, x) for x in t) for t in triples)
        kinds = sorted({tuple(sorted(t)) for t in triples})
        if not 2 <= len(kinds) <= 6:
            return None
        switches = [[i, (i + 1) % lamps, (i + 2) % lamps] for i in range(lamps)]
        draft = Draft(self, difficulty, lamps=lamps, lit=lit, switches=switches)
        draft.note(f"""
            give lamps = {lamps}: number of lamps; lamps; total number of lamps; lamps in all; lamps in the circle
            give lit = {lit}: number of lamps that are to be lit; lit lamps; number of lit lamps; lamps that are lit;
                lamps lit; exact number of lit lamps
            find third = {third}: lamps of one class; size of a class; lamps with the same remainder modulo 3; class
                size; lamps in one class; lamps per class; size of one class
            find rank = {lamps - 2}: rank; number of independent switches; rank of the switches; rank of the system;
                dimension of the reachable patterns
            find reachable = {2 ** (lamps - 2)}: number of reachable patterns; reachable patterns; number of patterns
                that can be reached; patterns that can be reached; all reachable patterns
            step Colour the lamps around the ring with 3 colours in turn; each colour has {third} lamps.
                :: Eq(3*third, lamps)
            step Every switch changes one lamp of each colour, so the three numbers of lit lamps stay equal modulo 2.
                :: Le(rank, lamps - 2)
            step These two conditions are all: the rank is {lamps - 2}. :: Eq(rank, lamps - 2)
            step So a pattern is reachable if the three numbers are all even or all odd. :: Eq(reachable, 2**rank)
        """)
        for x, y, z in kinds:
            orders = len(set(itertools.permutations((x, y, z))))
            value = orders * math.prod(math.comb(third, v) for v in (x, y, z))
            draft.note(f"""
                find part{x}{y}{z} = {value}: patterns with {x}, {y} and {z} lit in the classes in some order;
                    contribution of {x}, {y}, {z}; patterns with {x}, {y} and {z} lit; patterns of the kind {x}, {y},
                    {z}
                step {x}, {y} and {z} lit, in {counted(orders, "order")}.
                    :: Eq(part{x}{y}{z}, {orders}*binomial(third, {x})*binomial(third, {y})*binomial(third, {z}))
            """)
        draft.find(
            "answer",
            answer,
            "answer",
            "number of such patterns",
            "number of patterns",
            "number of different patterns",
            f"number of patterns with {lit} lit lamps",
            f"patterns with exactly {lit} lit lamps",
            f"number of reachable patterns with exactly {lit} lit lamps",
            "asked number",
        )
        draft.step(f"Together {answer}.", f"Eq(answer, {' + '.join(f'part{x}{y}{z}' for x, y, z in kinds)})")
        rule = f"""{lamps} lamps stand in a circle. For any three lamps in a row on the circle there is a switch that
            changes just these three"""
        return self._finish(draft, rng, rule, lit)

    @staticmethod
    def _finish(draft: Draft, rng: Rng, rule: str, lit: int, among: str = "") -> Problem:
        """The problem in terms of lamps, or of other things with two states."""
        text = f"""{rule}: what was off is lit afterwards, and the other way round. At first all are off, and the
            switches may be used in any order and as often as one likes. Two patterns are the same if the same lamps are
            lit. How many different patterns with exactly {lit} lit lamps{among} can be reached?"""
        words = pick(rng, WORDS)
        problem = draft.problem(_swapped(text, words))
        return dataclasses.replace(
            problem,
            quantities=tuple(
                dataclasses.replace(item, phrases=tuple(_swapped(phrase, words) for phrase in item.phrases))
                for item in problem.quantities
            ),
            facts=tuple(dataclasses.replace(fact, text=_swapped(fact.text, words)) for fact in problem.facts),
        )


LAMP_WORDS = ("lamps", "lamp", "lit", "off", "switches", "switch", "hang", "stand")
WORDS = [
    dict(zip(LAMP_WORDS, row, strict=True))
    for row in table("""
        lamps | lamp | lit | off | switches | switch | hang | stand
        signs | sign | red | green | levers | lever | hang | stand
        tiles | tile | black | white | buttons | button | lie | lie
    """)
]
"""What lamps and their switches are called instead."""


def _swapped(text: str, words: Mapping[str, str]) -> str:
    """A text with other words, capitals kept."""

    def swap(match: re.Match[str]) -> str:
        found = match.group()
        new = words.get(found.lower(), found)
        return new.capitalize() if found[0].isupper() and new != found else new

    return re.sub(r"[A-Za-z]+", swap, text)


class Nearest(Generator):
    """Distances between points, lines and planes."""

    name = "nearest"
    field = FIELD

    def draw(self, rng: Rng, difficulty: int) -> Problem | None:
        """1: line in a plane; 2: plane; 3: line in space; 4: two lines; 5: where the shortest link begins."""
        size = 2 if difficulty == 1 else 3
        reach = 9 if difficulty < 4 else 7
        points = [tuple(between(rng, -reach, reach) for _ in range(size)) for _ in range(4)]
        if len(set(points)) < 4:
            return None
        ask = [self._line, self._plane, self._line, self._skew, self._link][difficulty - 1]
        draft = Draft(self, difficulty, points=[list(point) for point in points])
        return ask(rng, draft, *points)

    def confirm(self, problem: Problem) -> Any:
        """Normal equations where the derivation multiplies vectors, and the other way round."""
        import sympy

        a, b, c, d = (tuple(map(Fraction, point)) for point in problem.parameters["points"])
        u = _minus(b, a)
        match problem.difficulty:
            case 1 | 3:
                w = _minus(c, a)
                if problem.difficulty == 1:
                    t = _dot(w, u) / _dot(u, u)
                    rest = tuple(x - t * y for x, y in zip(w, u, strict=True))
                    square = _dot(rest, rest)
                else:
                    normal = _cross(u, w)
                    square = _dot(normal, normal) / _dot(u, u)
            case 5:
                v, w = _minus(d, c), _minus(c, a)
                normal = _cross(u, v)
                s = _dot(_cross(w, v), normal) / _dot(normal, normal)
                square = s**2 * _dot(u, u)
            case _:
                v, w = (_minus(c, a), _minus(d, a)) if problem.difficulty == 2 else (_minus(d, c), _minus(c, a))
                s, t = solve([[_dot(u, u), _dot(u, v)], [_dot(u, v), _dot(v, v)]], [_dot(w, u), _dot(w, v)])
                rest = tuple(z - s * x - t * y for x, y, z in zip(u, v, w, strict=True))
                square = _dot(rest, rest)
        return sympy.sqrt(sympy.Rational(square.numerator, square.denominator))

    def _line(self, rng: Rng, draft: Draft, a: Vector, b: Vector, p: Vector, unused: Vector) -> Problem | None:
        u, w = _minus(b, a), _minus(p, a)
        uu, uw, ww = _dot(u, u), _dot(u, w), _dot(w, w)
        area2 = uu * ww - uw**2
        flat = len(a) == 2
        if not area2 or uw == 0 or math.gcd(*u) > 1 or (not flat and uu > 120):
            return None
        square, part = Fraction(area2, uu), Fraction(uw, uu)
        axes = "xyz"[: len(a)]
        for axis, value in zip(axes, u, strict=True):
            draft.find(
                f"u{axis}",
                value,
                f"{axis} component of the direction",
                f"{axis} difference of a and b",
                f"{axis} component of ab",
                f"{axis} coordinate of ab",
                f"{axis} coordinate of the direction",
                f"{axis} component of the direction vector",
            )
        differences = [f"Eq(u{x}, {signed(q)} - {signed(r)})" for x, q, r in zip(axes, b, a, strict=True)]
        draft.note(f"""
            find uu = {uu}: square of the direction; square of ab; squared length of ab; ab squared; square of the
                length of ab; squared distance of a and b; dot product of ab with itself
            step The direction of the line is {u}. :: And({", ".join(differences)})
            step Its square is {uu}. :: Eq(uu, {" + ".join(f"u{axis}**2" for axis in axes)})
        """)
        settings = """
            cable | drone | m
            tunnel | sensor | m
            beam of light | balloon | m
        """
        where = "In space"
        if flat:
            where = "On a map"
            settings = """
                road | farm | km
                railway line | village | km
                pipe | valve | m
            """
            cross = u[0] * w[1] - u[1] * w[0]
            draft.note(f"""
                find cross = {cross}: cross product; determinant of the two vectors; cross product of ab and ap;
                    determinant of ab and ap; determinant
                step From A to P it is {w}; the cross product is {cross}.
                    :: Eq(cross, ux*{signed(w[1])} - uy*{signed(w[0])})
                step The distance is the parallelogram's area over its side. :: Eq(square, cross**2/uu)
            """)
        else:
            product = " + ".join(f"u{axis}*{signed(x)}" for axis, x in zip(axes, w, strict=True))
            draft.note(f"""
                find uw = {uw}: scalar product with the direction; dot product of ab and ap; scalar product of ab and
                    ap; inner product of ab and ap; dot product; scalar product
                find ww = {ww}: square of ap; squared length of ap; ap squared; square of the length of ap; squared
                    distance of a and p
                find part = {part}: parameter of the foot; share of ab at the foot; parameter; parameter of the nearest
                    point; parameter on the line; share of ab
                step From A to P it is {w}, with the square {ww}. :: Eq(ww, {" + ".join(f"{signed(x)}**2" for x in w)})
                step The scalar product is {uw}. :: Eq(uw, {product})
                step So the foot lies at the share {part} of AB. :: Eq(part, uw/uu)
                step By Pythagoras the square of the distance is {square}. :: Eq(square, ww - uw**2/uu)
            """)
        draft.note(f"""
            find square = {square}: square of the distance; distance squared; squared distance; square of the answer;
                square of the distance from the line
            find answer = {root(square)}: answer; distance; shortest distance; distance of p from the line; distance
                from p to the line; distance from the line; distance to the nearest point; minimal distance; smallest
                distance
            step The distance is its root. :: Eq(answer**2, square)
        """)
        road, place, unit = pick(rng, table(settings))
        text = f"""{where}, with coordinates in {unit}, an endlessly long straight {road} runs through the points A =
            {a} and B = {b}. A {place} is at P = {p}. How far, in {unit}, is it from the nearest point of the {road}?
            Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _plane(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, p: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(c, a), _minus(p, a)
        if not self._normal(draft, u, v, w, ("ab", "ac", "ap")):
            return None
        what, place = pick(rng, [("sail", "lamp"), ("sheet of glass", "camera"), ("roof", "bird")])
        text = f"""In space, with coordinates in metres, a flat {what} lies in the plane through A = {a}, B = {b} and C
            = {c}. A {place} is at P = {p}. How far, in metres, is P from that plane, thought of as extending endlessly?
            Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    def _skew(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, d: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(d, c), _minus(c, a)
        if not self._normal(draft, u, v, w, ("ab", "cd", "ac")):
            return None
        text = f"""{self._two_lines(rng, a, b, c, d)} How close, in metres, do the two lines come to each other? Give an
            exact expression."""
        return draft.problem(text, form=EXPRESSION)

    @staticmethod
    def _normal(draft: Draft, u: Vector, v: Vector, w: Vector, names: tuple[str, str, str]) -> bool:
        """The derivation by a normal vector; false where it is too easy or too ugly."""
        normal = _cross(u, v)
        nn, volume = _dot(normal, normal), _dot(normal, w)
        square = Fraction(volume**2, nn)
        if not volume or 0 in normal or square.denominator > 3000 or math.gcd(*normal) == 1:
            return False
        one, two, three = names
        draft.note(f"""
            find nx = {normal[0]}: x component of the normal; x component of the cross product of {one} and {two}; x
                coordinate of the normal; x component of the normal vector; first component of the normal
            find ny = {normal[1]}: y component of the normal; y component of the cross product of {one} and {two}; y
                coordinate of the normal; y component of the normal vector; second component of the normal
            find nz = {normal[2]}: z component of the normal; z component of the cross product of {one} and {two}; z
                coordinate of the normal; z component of the normal vector; third component of the normal
            find nn = {nn}: square of the normal; squared length of the normal; square of the length of the normal;
                normal squared; squared length of the normal vector
            find volume = {volume}: scalar triple product; scalar product of the normal and {three}; triple product;
                mixed product; dot product of the normal and {three}; scalar product with the normal; determinant of the
                three vectors
            find square = {square}: square of the distance; distance squared; squared distance; square of the answer;
                distance's square
            find answer = {root(square)}: answer; distance; shortest distance; distance of p from the plane; distance
                from p to the plane; distance from the plane; distance between the lines; distance of the two lines;
                minimal distance; smallest distance
            step {one.upper()} = {u} and {two.upper()} = {v} have a cross product with x component {normal[0]}.
                :: Eq(nx, {signed(u[1])}*{signed(v[2])} - {signed(u[2])}*{signed(v[1])})
            step Its y component is {normal[1]}.
                :: Eq(ny, {signed(u[2])}*{signed(v[0])} - {signed(u[0])}*{signed(v[2])})
            step Its z component is {normal[2]}.
                :: Eq(nz, {signed(u[0])}*{signed(v[1])} - {signed(u[1])}*{signed(v[0])})
            step The square of its length is {nn}. :: Eq(nn, nx**2 + ny**2 + nz**2)
            step The scalar product with {three.upper()} = {w} is {volume}.
                :: Eq(volume, nx*{signed(w[0])} + ny*{signed(w[1])} + nz*{signed(w[2])})
            step The square of the distance is {square}. :: Eq(square, volume**2/nn)
            step The distance is its root. :: Eq(answer**2, square)
        """)
        return True

    def _link(self, rng: Rng, draft: Draft, a: Vector, b: Vector, c: Vector, d: Vector) -> Problem | None:
        u, v, w = _minus(b, a), _minus(d, c), _minus(c, a)
        uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
        det = uu * vv - uv**2
        if not det or not uv or not _dot(_cross(u, v), w):
            return None
        s, t = Fraction(uw * vv - vw * uv, det), Fraction(uw * uv - vw * uu, det)
        square = s**2 * uu
        if not s or not t or square.denominator > 3000 or abs(s) == 1:
            return None
        draft.note(f"""
            find uu = {uu}: square of ab; squared length of ab; ab squared; square of the length of ab; dot product of
                ab with itself; scalar product of ab with itself
            find uv = {uv}: scalar product of ab and cd; dot product of ab and cd; inner product of ab and cd; dot
                product of the directions; scalar product of the directions
            find vv = {vv}: square of cd; squared length of cd; cd squared; square of the length of cd; dot product of
                cd with itself; scalar product of cd with itself
            find uw = {uw}: scalar product of ab and ac; dot product of ab and ac; inner product of ab and ac; dot
                product of ac and ab; scalar product of ac and ab
            find vw = {vw}: scalar product of cd and ac; dot product of cd and ac; inner product of cd and ac; dot
                product of ac and cd; scalar product of ac and cd
            find det = {det}: determinant; determinant of the two equations; determinant of the system; determinant of
                the equations; gram determinant
            find s = {s}: parameter on the first line; share of ab; parameter of q; parameter on ab; first parameter;
                share of ab at q
            find t = {t}: parameter on the second line; share of cd; second parameter; parameter on cd; parameter of the
                link's other end
            find square = {square}: square of the distance from a; distance squared; squared distance; square of the
                distance; aq squared; squared length of aq; square of aq
            find answer = {root(square)}: answer; distance from a; distance; aq; length of aq; distance of q from a;
                distance from a to q; distance between a and q; qa
            step AB = {u} has the square {uu}, CD = {v} the square {vv}.
                :: And(Eq(uu, {" + ".join(f"{signed(x)}**2" for x in u)}), Eq(vv,
                    {" + ".join(f"{signed(x)}**2" for x in v)}))
            step Their scalar product is {uv}. :: Eq(uv, {_products(u, v)})
            step With AC = {w} the scalar products are {uw} and {vw}.
                :: And(Eq(uw, {_products(u, w)}), Eq(vw, {_products(v, w)}))
            step The link from A + s AB to C + t CD is perpendicular to AB ... :: Eq(s*uu - t*uv, uw)
            step ... and to CD. :: Eq(s*uv - t*vv, vw)
            step The determinant of these equations is {det}, up to the sign. :: Eq(det, uu*vv - uv**2)
            step So s = {s}. :: Eq(s, (uw*vv - vw*uv)/det)
            step The link begins at s times the length of AB from A, with the square {square}. :: Eq(square, s**2*uu)
            step The distance is its root. :: Eq(answer**2, square)
        """)
        text = f"""{self._two_lines(rng, a, b, c, d)} The shortest straight link between the two lines begins in a point
            Q of the first line. How far, in metres, is Q from A? Give an exact expression."""
        return draft.problem(text, form=EXPRESSION)

    @staticmethod
    def _two_lines(rng: Rng, a: Vector, b: Vector, c: Vector, d: Vector) -> str:
        what = pick(rng, ["pipes", "cables", "tunnels"])
        return f"""Two endlessly long straight {what} are planned in space, with coordinates in metres; their thickness
            does not matter. The first runs through A = {a} and B = {b}, the second through C = {c} and D = {d}."""


def _minus(p: Any, q: Any) -> Any:
    return tuple(x - y for x, y in zip(p, q, strict=True))


def _dot(p: Any, q: Any) -> Any:
    return sum(x * y for x, y in zip(p, q, strict=True))


def _cross(p: Any, q: Any) -> Any:
    return (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])


def _products(p: Vector, q: Vector) -> str:
    return " + ".join(f"{signed(x)}*{signed(y)}" for x, y in zip(p, q, strict=True))


class Walks(Generator):
    """How many ways there are to go from place to place in so many steps; the eigenvalues tell."""

    name = "walks"
    field = FIELD

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


class Resistors(Generator):
    """Nets of resistors between two terminals."""

    name = "resistors"
    field = FIELD

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
            said = f"Balance of currents gives the next potential, {potentials[k]}."
            draft.step(said, f"Eq(x{k}, (2 + ratio)*x{k - 1} - {previous})")
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


GENERATORS: Sequence[Generator] = (Determinant(), Lamps(), Nearest(), Walks(), Resistors())
