"""``determinant``: determinants of tables whose entries follow a rule."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from interactive_envs.mathematics.generators.base import Generator, Problem
from interactive_envs.mathematics.generators.draft import Draft, Rng, between, one_of, pick
from interactive_envs.mathematics.generators.wording import signed


class Determinant(Generator):
    """Determinants of tables whose entries follow a rule."""

    name = "determinant"
    field = "linear algebra"

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
