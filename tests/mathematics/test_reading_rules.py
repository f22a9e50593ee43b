"""Each rule by which claims are read, on a text of its own."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

import interactive_envs.mathematics
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge import notation
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import UnreadableError
from interactive_envs.mathematics.judge.reading import (
    comparisons,
    described,
    functions,
    lists,
    optimum,
    parts,
    predicates,
    read,
    remainders,
    sentences,
    several,
    values,
    verbs,
)
from interactive_envs.mathematics.judge.reading.grammar import ENGLISH
from interactive_envs.mathematics.judge.reading.reader import NO_OTHER, Reader, SpanRule, SubjectRule

DATA = Path(interactive_envs.mathematics.__file__).parent / "data"
CHEST = "number-theory-grain-in-the-chest"

SPANS: list[tuple[SpanRule, str, str, str]] = [
    (sentences.opening, CHEST, "is it true that the answer is odd", "Eq(Mod(answer, 2), 1)"),
    (sentences.by_reason, CHEST, "by Fermat, the answer is odd", "Eq(Mod(answer, 2), 1)"),
    (sentences.denial, CHEST, "it is not true that the answer is odd", "Not(Eq(Mod(answer, 2), 1))"),
    (sentences.closing, "encodings-three-smears", "there are 7 solutions in all", "Eq(solutions, 7)"),
    (sentences.chain, CHEST, "500 < answer <= 600", "And(Lt(500, answer), Le(answer, 600))"),
    (remainders.congruence, CHEST, "answer ≡ 4 (mod 100)", "Eq(Mod(answer - (4), 100), 0)"),
    (
        sentences.described_again,
        "encodings-two-checks",
        "211 + 9 = 220, a multiple of 11",
        "And(Eq(211 + 9, 220), Divides(11, 220))",
    ),
    (sentences.adds_up, "algebra-three-sums", "the cubes sum to 83", "Eq(cubes, 83)"),
    (
        remainders.so_often,
        "number-theory-oruvai-factorial",
        "3 divides 941! fewer than 400 times",
        "Lt(multiplicity(3, factorial(941)), 400)",
    ),
    (
        sentences.either,
        CHEST,
        "either the answer is 703 or the answer is 704",
        "Or(Eq(answer, 703), Eq(answer, 704))",
    ),
    (sentences.is_either, CHEST, "is the answer even or odd", "Or(Eq(Mod(answer, 2), 0), Eq(Mod(answer, 2), 1))"),
    (sentences.question, CHEST, "isn't the answer 704", "Not(Eq(answer, 704))"),
    (sentences.statement, CHEST, "the answer does not exceed 700", "Not(Gt(answer, 700))"),
    (
        remainders.dividing,
        "number-theory-dancers",
        "dividing the number of dancers by 77 leaves 2 over",
        "Eq(Mod(answer, 77), 2)",
    ),
    (
        remainders.when_divided,
        CHEST,
        "when the answer is divided by 10, the remainder is 4",
        "Eq(Mod(answer, 10), 4)",
    ),
    (
        sentences.operation,
        CHEST,
        "if you subtract 4 from the answer you get 700",
        "Eq((answer) - (4), 700)",
    ),
    (several.differ, CHEST, "the answer differs from 700 by 4", "Eq(Abs(answer - (700)), 4)"),
    (optimum.enough, "encodings-flags", "4034 flags would be too few", "Gt(answer, 4034)"),
    (optimum.must, "geometry-beetle-and-crumb", "the beetle must go more than 18 cm", "Gt(answer, 18)"),
    (optimum.place, "encodings-patient-lock", "is LBMLN among the first 4000", "Le(answer, 4000)"),
    (
        optimum.after_steps,
        "algebra-growing-debt",
        "after 9 hours the debt is still below 96 coins",
        "Lt(start*factor**(9), 96)",
    ),
    (
        described.called_count,
        "combinatorics-singers-at-table",
        "there are 2^2 places for singers",
        "Eq(gaps, (2)**(2))",
    ),
    (described.unconditioned, "combinatorics-votes", "without a limit there are 660 ways", "Eq(all, 660)"),
    (
        described.portion,
        "combinatorics-timid-robot",
        "more than half of the ways without condition are ways that break the rule",
        "Gt(crossing, 1*(all)/2)",
    ),
    (described.owns, "geometry-enlarged-plot", "the smaller polygon has the area 40", "Eq(area, 40)"),
    (described.counted, "probability-first-red-card", "there are at least 6 gaps", "Ge(gaps, 6)"),
    (values.called, "geometry-prolonged-bisector", "the last digit of the distance from b to c", "Mod(Abs(a), 10)"),
    (values.no_value, CHEST, "5 < 6", NO_OTHER),
    (values.formula, "probability-drifting-robot", "q/p", "ratio"),
    (values.numeral, CHEST, "2^3 * 5!", "(2)**(3)*(factorial(5))"),
    (values.one, CHEST, "one", "1"),
    (values.with_unit, "geometry-beetle-and-crumb", "18 cm long", "18"),
    (
        values.coordinates,
        "linear-algebra-balloon-and-beam",
        "the direction vector (-3, 3, 5)",
        "((-3), 3, 5)",
    ),
    (values.last_digits, CHEST, "the last two digits", "Mod(answer, 100)"),
    (values.own_digit_sum, "algebra-growing-debt", "its digit sum", "digit_sum(answer)"),
    (functions.of_modulus, CHEST, "the inverse of 8 modulo 125", "Mod(1/(8), 125)"),
    (functions.of_formula, CHEST, "the last two digits of 3^8", "Mod(Abs((3)**(8)), 100)"),
    (values.result, CHEST, "the product 5 * 7", "5*(7)"),
    (values.exactly, CHEST, "exactly half of the answer", "(answer)/2"),
    (values.mixed, CHEST, "the answer minus 4", "(answer) - (4)"),
    (functions.function, CHEST, "twice the answer", "2*(answer)"),
    (values.postfix, CHEST, "the answer squared", "(answer)**2"),
    (values.named, CHEST, "the reduced exponent", "rest_a"),
    (functions.of_two, CHEST, "the sum of the answer and 3", "(answer) + (3)"),
    (functions.square_of, CHEST, "the squared answer", "(answer)**2"),
    (functions.of_one, CHEST, "the square root of the answer", "sqrt(answer)"),
    (functions.remainder_of, CHEST, "the remainder of the answer divided by 10", "Mod(answer, 10)"),
    (functions.number_of, CHEST, "the number of divisors of the answer", "divisor_count(answer)"),
    (functions.multiplicity_of, CHEST, "the exponent of 2 in the answer", "multiplicity(2, answer)"),
    (functions.share_of, CHEST, "two thirds of the answer", "2*(answer)/3"),
]
"""Rules of spans, each with a problem, a text and what the rule reads."""

SUBJECTS: list[tuple[SubjectRule, str, str]] = [
    (remainders.modular, "5 mod 100", "Eq(Mod(answer - (5), 100), 0)"),
    (comparisons.or_more, "704 or more", "Ge(answer, 704)"),
    (predicates.digit, "a 4", "Eq(answer, 4)"),
    (predicates.negated, "not even", "Not(Eq(Mod(answer, 2), 0))"),
    (predicates.half_formula, "+ 5", NO_OTHER),
    (predicates.simple, "a perfect square", "issquare(answer)"),
    (comparisons.compared, "at least 700", "Ge(answer, 700)"),
    (predicates.related, "exactly divisible by 11", "Divides(11, answer)"),
    (predicates.alternatives, "either even or 5", "Or(Eq(Mod(answer, 2), 0), Eq(answer, 5))"),
    (predicates.equal, "the period", "Eq(answer, period_a)"),
    (comparisons.approximate, "about 703.9", "Lt(Abs(answer - Rational(7039, 10)), Rational(1, 10))"),
    (comparisons.sign_of_relation, "> 700", "Gt(answer, 700)"),
    (comparisons.equal_chain, "64 * 11 = 704", "And(Eq(answer, 64*(11)), Eq(64*(11), 704))"),
    (comparisons.comparative, "less than 50", "Lt(answer, 50)"),
    (comparisons.between, "strictly between 3 and 7", "And(Gt(answer, 3), Lt(answer, 7))"),
    (comparisons.larger_by, "larger than the period by 654", "Eq(answer, period_a + (654))"),
    (comparisons.by_so_much, "twice as large as 352", "Eq(answer, 2*(352))"),
    (predicates.member, "one of 702, 703 and 704", "Contains(answer, {702, 703, 704})"),
    (predicates.related_to, "a divisor of 1408", "Divides(answer, 1408)"),
    (predicates.congruent_to, "congruent to 4 modulo 100", "Eq(Mod(answer - (4), 100), 0)"),
    (predicates.kind_with_more, "an even number below 900", "And(Eq(Mod(answer, 2), 0), Lt(answer, 900))"),
    (predicates.conjunction, "divisible by 11 and by 3", "Both(Divides(11, answer), Divides(3, answer))"),
    (predicates.number_of_digits, "a three-digit number", "Eq(digits(answer), 3)"),
    (predicates.powers, "a power of 2 times a power of 11", "madeof(answer, 2, 11)"),
    (verbs.divides, "divides 1408", "Divides(answer, 1408)"),
    (verbs.exceeds, "exceeds the period by 654", "Eq(answer, period_a + (654))"),
    (verbs.equals, "equal 704", "Eq(answer, 704)"),
    (verbs.lies, "lies between 5 and 6", "And(Ge(answer, 5), Le(answer, 6))"),
    (verbs.leaves, "leaves remainder 4 when divided by 10", "Eq(Mod(answer, 10), 4)"),
    (verbs.has, "has exactly 3 digits", "Eq(digits(answer), 3)"),
    (verbs.ends_in, "ends in 04", "Eq(Mod(Abs(answer), 100), 4)"),
    (verbs.goes_into, "goes into 1408 without remainder", "Divides(answer, 1408)"),
    (verbs.contains, "contains the prime factor 11", "Divides(11, answer)"),
    (verbs.has_digits, "at least 3 digits", "Ge(digits(answer), 3)"),
    (verbs.has_divisors, "14 divisors", "Eq(divisor_count(answer), 14)"),
    (verbs.has_prime_factors, "two distinct prime factors", "Eq(size(primes(answer)), 2)"),
    (verbs.has_property, "the digit sum 11", "Eq(digit_sum(answer), 11)"),
    (verbs.has_nothing_in_common, "no common factor with 15", "coprime(answer, 15)"),
    (verbs.has_factor_in_common, "a factor greater than 1 in common with 10", "Not(coprime(answer, 10))"),
]
"""Rules of what is said of the answer to ``CHEST``, each with a text and what the rule reads."""


@functools.cache
def names(problem: str) -> Names:
    records = [record for path in DATA.glob("problems_*.json") for record in json.loads(path.read_text("utf-8"))]
    return Names(Problem.from_json(next(record for record in records if record["id"] == problem)))


def reader(text: str, problem: str = CHEST) -> Reader:
    return Reader(ENGLISH, names(problem), notation.tokens(text))


def whole(text: str, problem: str = CHEST) -> tuple[Reader, int, int]:
    made = reader(text, problem)
    return made, 0, len(made.tokens)


@pytest.mark.parametrize(("rule", "problem", "text", "found"), SPANS, ids=[rule.__name__ for rule, *_ in SPANS])
def test_a_rule_reads_a_span(rule: SpanRule, problem: str, text: str, found: str) -> None:
    assert rule(*whole(text, problem)) == found


@pytest.mark.parametrize(("rule", "text", "found"), SUBJECTS, ids=[rule.__name__ for rule, *_ in SUBJECTS])
def test_a_rule_reads_what_is_said_of_a_subject(rule: SubjectRule, text: str, found: str) -> None:
    made, start, end = whole(text)
    assert rule(made, "answer", start, end) == found


def test_every_rule_has_a_text() -> None:
    tested = {rule for rule, *_ in SPANS} | {rule for rule, *_ in SUBJECTS}
    groups = (functions.FUNCTIONS, comparisons.COMPARISONS, predicates.RELATED, verbs.HAS)
    listed = {*ENGLISH.claims, *ENGLISH.values, *ENGLISH.predicates, *ENGLISH.verbs.values()}
    assert listed.union(*groups) - tested == {verbs.has_quantity}  # tested below, on a problem of its own


def test_a_subject_has_what_the_problem_calls_its_own() -> None:
    made, start, end = whole("the smallest solution 5", "number-theory-bead-jar")
    assert verbs.has_quantity(made, "period", start, end) == "Eq(least, 5)"


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        (several.all_are, "are coprime", "coprime(4, 9)"),
        (several.all_are, "aren't equal", "Not(Eq(4, 9))"),
        (several.all_are, "are both even", "And(Eq(Mod(4, 2), 0), Eq(Mod(9, 2), 0))"),
        (several.share, "no common factor", "coprime(4, 9)"),
        (several.share, "a common factor greater than 1", "Not(coprime(4, 9))"),
        (several.share, "the factor 5", "And(Divides(5, 4), Divides(5, 9))"),
        (several.share, "gcd 1", "Eq(gcd(4, 9), 1)"),
        (several.share, "the sum 13", "Eq((4) + (9), 13)"),
        (several.make_together, "multiply to 36", "Eq((4) * (9), 36)"),
    ],
)
def test_what_is_said_of_several(rule: functools.partial[str | None], text: str, found: str) -> None:
    made, start, end = whole(text)
    assert rule(made, ["4", "9"], start, end) == found


def test_values_in_a_row() -> None:
    assert lists.list_members(*whole("3, 5 and the answer")) == ["3", "5", "answer"]
    assert lists.list_members(*whole("both 3 and 5")) == ["3", "5"]
    assert lists.list_members(*whole("3")) is None
    assert lists.read_set(*whole("{702, 703}")) == ["702", "703"]
    made = reader("3 and 5 both")
    assert lists.list_members(made, 0, 3) == lists.list_members(made, 3, 4) == ["3", "5"]


@pytest.mark.parametrize(
    ("text", "rest"),
    [("a remainder of 3", "3"), ("3 left over", "3"), ("no remainder", "0"), ("the window", None)],
)
def test_the_value_of_a_remainder(text: str, rest: str | None) -> None:
    assert remainders.rest(*whole(text)) == rest


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("The answer is 704. The period is 50.", ["Eq(answer, 704)", "Eq(period_a, 50)"]),
        ("The answer is 704, and it is even.", ["Eq(answer, 704)", "Eq(Mod(answer, 2), 0)"]),
        ("The answer is even and the period is 50.", ["Eq(Mod(answer, 2), 0)", "Eq(period_a, 50)"]),
        ("The answer is even and prime.", ["Eq(Mod(answer, 2), 0)", "isprime(answer)"]),
        ("64 divides 704 and so does 11.", ["Divides(64, 704)", "Divides(11, 704)"]),
        ("The answer is 704, so it is even.", ["Eq(answer, 704)", "Eq(Mod(answer, 2), 0)"]),
        ("The period is 50, and the reduced exponent 41.", ["Eq(period_a, 50)", "Eq(rest_a, 41)"]),
    ],
)
def test_a_text_is_cut_into_claims(text: str, relations: list[str]) -> None:
    assert [part.relation for part in read(names(CHEST), text)] == relations


def test_a_reason_that_is_not_read_is_kept_in_mind() -> None:
    assert read(names(CHEST), "The answer is 705, because frogs sing.") == [parts.Part("Eq(answer, 705)", True, True)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing is said"),
        ("1 = 1. 2 = 2. 3 = 3. 4 = 4.", "more than 3 claims"),
        ("The answer is 704. The result is 704.", "read as the same"),
        ("Frogs sing.", "not understood: frogs sing"),
    ],
)
def test_what_is_not_read_says_why(text: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        read(names(CHEST), text)


def test_a_text_made_to_be_slow_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interactive_envs.mathematics.judge.reading.reader.MOST_STEPS", 5)
    with pytest.raises(UnreadableError, match="too complicated"):
        read(names(CHEST), "The sum of the period and the reduced exponent is 91.")
