"""Relations at their edges: less or equal holds where both are equal, less does not."""

from __future__ import annotations

import pytest
import sympy

from interactive_envs.mathematics.judge.deciding import decide
from interactive_envs.mathematics.judge.notation import UnreadableError

HOLDS = {"Eq": (0,), "Ne": (-1, 1), "Lt": (-1,), "Le": (-1, 0), "Gt": (1,), "Ge": (0, 1)}
"""By relation, the differences of left and right at which it holds."""


@pytest.mark.parametrize("difference", [-1, 0, 1])
@pytest.mark.parametrize("relation", HOLDS)
def test_a_relation_holds_on_its_side_and_at_its_edge(relation: str, difference: int) -> None:
    values = {"answer": sympy.Integer(7 + difference)}
    assert decide(f"{relation}(answer, 7)", values) is (difference in HOLDS[relation])


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Eq(digit_sum(answer), 9)", True),  # 3 + 6 + 0
        ("Eq(digit_sum(answer), 8)", False),
        ("Eq(reversed_digits(answer), 63)", True),
        ("Eq(digit(answer, 1), 0)", True),
        ("Eq(size(primes(answer)), 3)", True),  # 2, 3 and 5
        ("Contains(5, primes(answer))", True),
        ("Contains(7, primes(answer))", False),
        ("madeof(answer, 2, 3, 5)", True),
        ("madeof(answer, 2, 3)", False),
        ("Divides(24, answer)", True),
        ("Divides(7, answer)", False),
        ("coprime(answer, 77)", True),
        ("coprime(answer, 33)", False),
    ],
)
def test_a_claim_about_digits_and_primes_of_360_is_decided_as_by_hand(claim: str, truth: bool) -> None:
    assert decide(claim, {"answer": sympy.Integer(360)}) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("isprime(answer)", False),
        ("iscomposite(answer)", True),
        ("isprime(answer - 1)", True),  # 359
        ("issquare(answer + 1)", True),  # 19 squared
        ("iscube(answer - 17)", True),  # 7 cubed
        ("ispowerof(answer - 104, 2)", True),  # 256
        ("ispowerof(answer, 2)", False),
        ("ispalindrome(answer + 3)", True),
        ("isinteger(answer / 7)", False),
        ("isrational(answer / 7)", True),
        ("isreal(sqrt(answer))", True),
        ("Eq(numerator(answer / 7), 360)", True),
        ("Eq(denominator(answer / 64), 8)", True),
        ("Eq(gcd(answer, 84, 30), 6)", True),
        ("Eq(lcm(answer, 7), 2520)", True),
        ("Eq(totient(answer), 96)", True),  # 360 · 1/2 · 2/3 · 4/5
        ("Eq(divisor_count(answer), 24)", True),  # 4 · 3 · 2
        ("Eq(Mod(answer**100, 7), 4)", True),  # 360 leaves 3, 3**6 leaves 1, 100 leaves 4 of 6, 3**4 is 81
        ("Eq(floor(sqrt(answer)), 18)", True),
    ],
)
def test_a_claim_about_divisors_and_powers_of_360_is_decided_as_by_hand(claim: str, truth: bool) -> None:
    assert decide(claim, {"answer": sympy.Integer(360)}) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("And(Gt(answer, 300), Lt(answer, 400))", True),
        ("Or(Gt(answer, 400), Lt(answer, 100))", False),
        ("Not(Eq(answer, 361))", True),
        ("Gt(2**answer, 10**108)", True),  # 360 log 2 is 108.37
        ("Lt(2**answer, 10**108)", False),
        ("Eq(dot((1, 2), (3, 4)), 11)", True),
        ("Eq(cross((1, 0, 0), (0, 1, 0)), (0, 0, 1))", True),
        ("Eq(Abs((3, 4)), 5)", True),
        ("Eq((1, 2) + (3, 4), (4, 6))", True),
        ("Eq(component((5, 6), 2), 6)", True),
    ],
)
def test_a_claim_of_sizes_logic_and_vectors_is_decided_as_by_hand(claim: str, truth: bool) -> None:
    assert decide(claim, {"answer": sympy.Integer(360)}) is truth


@pytest.mark.parametrize(
    "claim",
    ["answer", "Eq(answer)", "nonsense(answer)", "Eq((1, 2) + (1, 2, 3), 0)", "Contains(1, answer)", "Eq(log(0), 1)"],
)
def test_what_says_nothing_is_not_read(claim: str) -> None:
    with pytest.raises(UnreadableError):
        decide(claim, {"answer": sympy.Integer(360)})
