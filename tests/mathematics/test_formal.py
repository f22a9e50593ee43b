"""Formal claims: what is one, what it is worth, and that a second computation agrees."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from interactive_envs.mathematics import formal, problems
from interactive_envs.mathematics.formal import Formal, key, names_of
from interactive_envs.mathematics.generators import hidden
from interactive_envs.mathematics.generators.base import Problem, identifier, parse, values
from interactive_envs.parsing import Unreadable

BAGS = hidden.make("bags", np.random.default_rng(8255), 5)
"""white 14, 7, 14; black 13, 6, 12 in drawers 1, 2, 3; black(1) and black(2) may be asked for."""

NAMES = "The names are: white(1), black(1), white(2), black(2), white(3), black(3)."


def said(text: str, problem: Problem = BAGS) -> str:
    """The reply to a formal message, or why it is none."""
    found = formal.read(problem, text)
    return found.reply if isinstance(found, Formal) else found.reason if isinstance(found, Unreadable) else "a sentence"


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("black(1) = ?", "black(1) = 13"),
        ("black(2)=?", "black(2) = 6"),
        ("What is black(1)?", "black(1) = 13"),
        ("what is the value of Black[ 1 ]?", "black(1) = 13"),
        ("black(1)", "black(1) = 13"),
        ("white(1) = 14", "yes"),
        ("white(1) = 14?", "yes"),
        ("Is white(1) = 14?", "yes"),
        ("It is true that white(1) < 14.", "no"),
        ("white_1 == 14", "yes"),
        ("white(1) != white(3)", "no"),
        ("white(1) ≥ 14", "yes"),
        ("5 < white(2) <= 7 < white(1)", "yes"),
        ("5 < white(2) <= 7 > white(1)", "no"),
        ("white(1) mod 4 = 2", "yes"),
        ("(white(1) + black(1)) mod 5 = 2 and not white(2) = 8", "yes"),
        ("white(1) = 1 or white(2) = 7", "yes"),
        ("white(1) = 1, white(2) = 7", "no"),
        ("not (white(1) = 1 or white(2) = 7)", "no"),
        ("2*(white(1) - 4) = 20", "yes"),
        ("-white(1) + 2^3 = -6", "yes"),
        ("-2^2 + white(2) = 3", "yes"),
        ("white(1)/black(1) = 14/13", "yes"),
        ("0.5*white(1) = 7", "yes"),
        ("7 divides white(1)", "yes"),
        ("2 white(1) + 3black(1) = 67", "yes"),
        ("2^2 white(1) = 56", "The formula cannot be read from 'white ( 1 ) = 56' on."),
        ("6/2 white(1) = 42", "The formula cannot be read from 'white ( 1 ) = 42' on."),
        ("2 (white(1)) = 3", "The formula cannot be read from '( white ( 1 ) ) = 3' on."),
        ("white(1) divides 7", "no"),
        ("gcd(white(1), white(2)) = 7 and lcm(white(1), black(1)) = 182", "yes"),
        ("max(white(1), white(2), white(3)) = 14 and min(black(2), 9) = 6", "yes"),
        ("abs(white(2) - white(1)) = 7 and floor(white(1)/4) = 3", "yes"),
        ("P(white white | drawer 1) = 7/27", "yes"),
        ("p(white white|drawer 2) < 7/27", "no"),
        ("white(1)/(white(2) - 7) = 1", "undefined"),
        ("2^(9^9^9) > white(1)", "undefined"),
        ("white(1) mod (1/2) = 0", "undefined"),
        ("2^(1/2) < white(1)", "undefined"),
        ("gcd(white(1)/4, 2) = 1", "undefined"),
        ("white(1) = ?", "The value of white(1) cannot be asked for. Test claims about it, such as white(1) < 11."),
        ("black(1) + black(2) = ?", "Only a single hidden number can be asked for: black(1), black(2)."),
        (
            "white(4) = 3",
            f"The problem has no number named white(4). {NAMES}",
        ),
        ("x = 3", f"The problem has no number named x. {NAMES}"),
        ("white(1) = 9 mod 4", "Write a remainder on the left: n mod 4 = 1."),
        ("white(1) >", "The formula ends too early."),
        ("white(1) = (3", "A bracket is not closed."),
        ("white(1) = 3)", "The formula cannot be read from ')' on."),
        ("white(1) = * 3", "The formula cannot be read from '* 3' on."),
        ("white(1) = 3 and", "The formula ends too early."),
        ("gcd(white(1) = 3", "A bracket is not closed."),
        ("abs(white(1), 2) = 3", "abs has another number of arguments."),
        (f"{'(' * 60}white(1){')' * 60} = 3", "The formula has too many brackets."),
        ("2 + 2 = 4", "a sentence"),
        ("white(1) is even", "a sentence"),
        ("white(1) = 3 socks", "a sentence"),
        ("The first drawer holds 14 white socks.", "a sentence"),
        ("Is it even?", "a sentence"),
        ("what is the total?", "a sentence"),
    ],
)
def test_a_formal_message_is_decided_or_refused_with_a_reason(text: str, reply: str) -> None:
    assert said(text) == reply


@pytest.mark.parametrize("text", ["answer < 1/2", "What is the answer?", "2*answer + white(1) = 5", "answer/0 = 1"])
def test_what_names_the_answer_is_said_to(text: str) -> None:
    found = formal.read(BAGS, text)
    assert isinstance(found, Formal)
    assert found.kind == "answer"


def test_an_unknown_name_of_a_problem_told_in_full_is_left_to_the_reader_of_sentences() -> None:
    told = next(problem for problem in problems.fixed() if problem.id == "number-theory-dancers")
    assert formal.read(told, "27^L <= 7^10000") is None
    assert said("m_first mod 4 = 1", told) == "yes"


SIGNS = {"+": "+", "-": "-", "*": "*", "/": "/"}
RELATIONS = {"=": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}


def draw_sum(rng: np.random.Generator, names: list[str], depth: int = 2) -> tuple[str, str]:
    """A formula as the player writes it, and as the language of facts does."""
    kind = int(rng.integers(7 if depth else 2))
    if kind == 0:
        number = str(int(rng.integers(0, 30)))
        return number, number
    if kind == 1:
        name = names[int(rng.integers(len(names)))]
        return name, identifier(name)
    (left, first), (right, second) = (draw_sum(rng, names, depth - 1) for _ in range(2))
    if kind == 2:
        return f"(({left}) mod 7)", f"Mod({first}, 7)"
    if kind == 3:
        power = int(rng.integers(0, 4))
        return f"({left})^{power}", f"({first})**{power}"
    if kind == 4:
        function = ("min", "max")[int(rng.integers(2))]
        return f"{function}({left}, {right})", f"{function.capitalize()}({first}, {second})"
    sign = list(SIGNS)[int(rng.integers(4))]
    return f"({left}) {sign} ({right})", f"({first}) {SIGNS[sign]} ({second})"


@pytest.mark.parametrize("name", sorted(hidden.load_hidden()))
def test_every_formal_claim_is_decided_as_a_second_computation_does(name: str) -> None:
    """Claims are drawn by a grammar of our own, and decided by sympy on the same instance."""
    rng = np.random.default_rng(5)
    problem = hidden.make(name, rng, 3)
    names, known = [each.name for each in problem.hidden], values(problem)
    decided = 0
    for _ in range(40):
        (left, first), (right, second) = draw_sum(rng, names), draw_sum(rng, names)
        sign = list(RELATIONS)[int(rng.integers(6))]
        found = formal.read(problem, f"{left} {sign} {right}")
        if found is None:  # plain arithmetic
            assert not any(re.search(rf"(?<!\w){re.escape(each)}(?!\w)", f"{left} {right}") for each in names), (
                left,
                right,
            )
            continue
        assert isinstance(found, Formal), (left, sign, right, found)
        if found.reply == "undefined":
            continue
        truth = bool(parse(f"{RELATIONS[sign]}({first}, {second})", known))
        assert found.reply == ("yes" if truth else "no"), (left, sign, right)
        decided += 1
    assert decided >= 20


@pytest.mark.parametrize("name", sorted(hidden.load_hidden()))
def test_every_hidden_number_is_found_by_its_name(name: str) -> None:
    problem = hidden.make(name, np.random.default_rng(6), 4)
    for each in problem.hidden:
        assert said(f"{each.name} = {each.value}", problem) == "yes"
        assert said(f"{identifier(each.name)} > {each.value}", problem) == "no"
        reply = said(f"{each.name} = ?", problem)
        assert reply == f"{each.name} = {each.value}" if each.askable else "cannot be asked for" in reply


def test_every_name_has_one_meaning() -> None:
    for problem in (*problems.fixed(), *problems.fixed(hidden=True)):
        meant: dict[str, Any] = {}
        for quantity in problem.quantities:
            for name in {key(name) for name in (quantity.name, *quantity.phrases)} & names_of(problem).values.keys():
                assert meant.setdefault(name, quantity.name) == quantity.name, (problem.id, name)


def test_the_spelled_sentence_has_words_for_names() -> None:
    assert (
        formal.spelled(BAGS, "Is White( 1 ) twice black[2], or white(12)?") == "Is white_1 twice black_2, or white(12)?"
    )


def test_values_of_names_are_exact() -> None:
    found = names_of(BAGS)
    assert found.values["p(whitewhite|drawer1)"] == Fraction(7, 27)
    assert found.answer == Fraction(650, 2027)
    assert all(re.fullmatch(r"[\w(),|]+", name) for name in found.values)
