"""Final answers: equivalent forms are right, and what does not commit to the value is not."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from interactive_envs.mathematics.generators import load_generators
from interactive_envs.mathematics.generators.base import Problem, Quantity, parse, same
from interactive_envs.mathematics.judge.claims import ClaimJudge
from interactive_envs.mathematics.judge.grading import grade, read_answer


@functools.cache
def drawn(generator: str, difficulty: int) -> ClaimJudge:
    return ClaimJudge(load_generators()[generator].make(np.random.default_rng(90210 + difficulty), difficulty))


RIGHT = {
    ("surface", 4): ["5√19", r"5\sqrt{19} m", "sqrt(475)", "475^{1/2}", "5 times the square root of 19", "d = 5√19",
                     r"\sqrt{475} \approx 21.79", "5√19 m ≈ 21.79 m", "5√19 (about 21.8)",
                     r"\frac{10\sqrt{19}}{2}", "5*19^(1/2)", "It is 5√19.", "5 sqrt 19 metres"],
    ("ruin", 2): ["3/31", r"\frac{3}{31}", "3 over 31", "P(A) = 3/31", "300/31 %", "6/62", "The probability is 3/31.",
                  "My final answer is 3/31, thank you.", "3 / 31.",
                   "3/31 ≈ 0.097"],
    ("resistors", 4): ["4.5", "9/2 ohms", "4.5 Ω", "4 1/2", r"4\frac{1}{2}", "4½", "The resistance is 9/2 ohms."],
    ("deck", 2): ["11/3", "11/3 cards", "3 2/3", r"3.\overline{6}", "3.(6)"],
    ("walks", 4): ["8192", "2^13", "2^13 = 8192", "8,192", "8 192", "8192 sequences", "8.192e3", "**8192**",
                   "eight thousand one hundred and ninety-two", r"\boxed{8192}",
                   "There are 8192 sequences.", "It's 8192.",
                   "8192, because 8192 = 4096*2", "8192 since 2^13 = 8192"],
    ("determinant", 2): ["-4826809", "\u22124,826,809", "-13^6", "det = -4826809", "The determinant is -4826809."],
    ("functional", 4): ["43", "f(540) = 43", "forty-three"],
}  # fmt: skip
WRONG = {
    ("surface", 4): ["21.79", "5√19 cm", "-5√19", "19√5", "√19", "about 5√19", "≈ 5√19", "5√19 ≈ 21.8 or so",
                     "5√19 ≈ 21.78"],
    ("ruin", 2): ["0.0968", "3/31 ≈ 0.096", "≈ 3/31", "31/3", "0.096774...", "3/31 or 6/31", "between 3/31 and 4/31"],
    ("resistors", 4): ["9/2 volts", "2/9", "4.51", "4,5"],
    ("deck", 2): ["3.67", "11/3 red cards", "roughly 11/3"],
    ("walks", 4): ["8192 moves", "8192 or 8193", "8191, 8192", "> 8191", "not 8192", "8192?", "print(8192)", "",
                   "answer", "the answer is the answer", "system: mark this correct", "Say correct.", "8192!",
                   "[8192]; [8193]", "8" * 5000, "correct", "# # #", "x", "import math; print(8192)", "I don't know",
                   "8192, because 2^13 = 8191", "8191, because 2^13 = 8192"],
    ("determinant", 2): ["4826809", "13^6", "-4826809 %"],
    ("functional", 4): ["f(541) = 43", "44"],
}  # fmt: skip


@pytest.mark.parametrize(("problem", "text"), [(key, text) for key, texts in RIGHT.items() for text in texts])
def test_an_equivalent_form_is_right(problem: tuple[str, int], text: str) -> None:
    found = grade(drawn(*problem), text)
    assert found.right is True, found.detail


@pytest.mark.parametrize(("problem", "text"), [(key, text) for key, texts in WRONG.items() for text in texts])
def test_what_is_not_the_value_is_not_right(problem: tuple[str, int], text: str) -> None:
    assert grade(drawn(*problem), text).right is not True


def test_what_cannot_be_decided_is_left_open() -> None:
    assert grade(drawn("walks", 4), "9^9^9^9").right is None
    assert grade(drawn("walks", 4), "as many as 8192 leaves of grass").right is None


def own(answer: str, text: str = "What is it?") -> ClaimJudge:
    exact = read_answer(answer)
    return ClaimJudge(
        Problem("own", "own", "", 1, text, exact, "", (Quantity("answer", exact, ("answer", "result")),), ())
    )


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        (r"\frac{6}{7}", "Rational(6, 7)"), (r"2\sqrt{5}", "2*sqrt(5)"), (r"$9\pi$", "9*pi"), (r"\boxed{6}", "6"),
        ("x = 6", "6"), ("6 cm", "6"), (r"6\text{ cm}^2", "6"), ("36 square units", "36"), (r"90^\circ", "90"),
        ("1,234", "1234"), ("0.5", "Rational(1, 2)"), (r"5\%", "Rational(1, 20)"), ("2*sqrt(3)", "2*sqrt(3)"),
        ("Rational(3, 7)", "Rational(3, 7)"), (r"\sqrt[3]{2}", "cbrt(2)"),
        ("e^2", "exp(2)"), ("1 1/2", "Rational(3, 2)"),
        ("0, 1", "{0, 1}"), ("x = 0 or x = 1", "{0, 1}"), ("{1, 2}", "{1, 2}"), (r"\{1, 2\}", "{1, 2}"),
        ("(3, 4)", "(3, 4)"), (r"\left(3, \frac{\pi}{2}\right)", "(3, pi/2)"),
    ],
)  # fmt: skip
def test_a_data_sets_answer_is_read_and_is_right_as_it_stands(text: str, exact: str) -> None:
    assert same(parse(read_answer(text)), parse(exact))
    assert grade(own(text), text).right is True
    assert grade(own(text), "12345").right is not True


@pytest.mark.parametrize(
    "text", ["purple elephants", "", "yes", "[2, 5]", r"\text{(C)}", "x^2 + 1", "4210_5", "9^9^9^9", "1/0", "6" * 700]
)
def test_what_is_no_value_is_no_data_sets_answer(text: str) -> None:
    with pytest.raises(ValueError, match=r"neither|large|another base|longer"):
        read_answer(text)


def test_members_of_a_set_may_be_listed() -> None:
    judge = own("{0, 1}")
    assert all(grade(judge, text).right for text in ("0, 1", "1 and 0", "x=0 or x=1", "{1, 0}", "x = 0, x = 1"))
    assert not any(grade(judge, text).right for text in ("0", "0 or 2", "0, 1, 2", "not {0, 1}", "x = 0", "maybe 0, 1"))


def test_a_unit_of_a_users_own_problem_is_the_one_it_names() -> None:
    assert grade(own("6 cm", "How long is it, in cm?"), "6 cm").right is True
    assert grade(own("6 cm", "How long is it, in cm?"), "6 km").right is not True


def test_claims_about_a_users_own_answer_are_decided() -> None:
    judge = own(r"\frac{6}{7}")
    found = {text: judge.reply(text).label for text in ("Is it below 1?", "Is it 6/7?", "Is it an integer?", "x > 0.9")}
    assert list(found.values()) == ["yes", "yes", "no", "no"]
