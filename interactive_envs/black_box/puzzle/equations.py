"""Hidden equations: what is one, how they are drawn, how guesses are marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from interactive_envs.black_box.base import Trial
from interactive_envs.black_box.puzzle.base import COUNTS, LONGEST, MARKS, Puzzle, counted, marks_text, unreadable
from interactive_envs.parsing import Unreadable

_FORM = re.compile("([1-9][0-9]*(?:[-+*/][1-9][0-9]*)+)=(0|[1-9][0-9]*)")
_GAPS = re.compile(r"[\s\"'`]+")


def value_of(expression: str) -> Fraction:
    """The exact value of positive numbers joined by + - * /, with * and / first.

    >>> value_of("7-3/4*2")
    Fraction(11, 2)
    """
    total = Fraction(0)
    for sign, product in re.findall(r"(^|[-+])([0-9*/]+)", expression):
        value = Fraction(1)
        for operator, number in re.findall(r"(^|[*/])([0-9]+)", product):
            value = value / int(number) if operator == "/" else value * int(number)
        total += -value if sign == "-" else value
    return total


def problem_of(text: str, length: int) -> str:
    """Why a text is no equation of a length, as the end of a sentence; empty where it is one."""
    if len(text) != length:
        return f"has {len(text)} characters, not {length}"
    found = _FORM.fullmatch(text)
    if found is None:
        return "is not positive numbers joined by + - * or /, then = and a number, none with a leading zero"
    return "" if value_of(found[1]) == int(found[2]) else "is not true"


def example(length: int) -> str:
    """An equation of a length, at least 6, the same for all puzzles.

    >>> example(7), example(8)
    ('11+1=12', '99+1=100')
    """
    width = (length - 3) // 2
    if length % 2:
        return f"{'1' * width}+1={'1' * (width - 1)}2"
    return f"{'9' * width}+1=1{'0' * width}"


@dataclass(frozen=True, kw_only=True)
class Equation(Puzzle):
    """A true equation.

    Attributes:
        length: its characters.
    """

    kind: ClassVar[str] = "equation"
    length: int

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on the length."""
        return f"<query>{example(self.length)}</query>", f"<answer>{example(self.length)}</answer>"

    def introduction(self) -> str:
        """Equations and marks."""
        return (
            f"A true equation of exactly {self.length} characters is hidden. On the left are at least two positive "
            "whole numbers joined by + - * or /, then comes =, and on the right one whole number, 0 or more. No number "
            "has leading zeros. * and / come before + and -; otherwise calculate from left to right; intermediate "
            "results may be fractions. A query must be such an equation too, e.g. "
            f"<query>{example(self.length)}</query>. Each character is marked: {MARKS}{COUNTS if self.partial else ''}"
        )

    def examination(self) -> str:
        """The equation."""
        return f"Give the hidden equation, e.g. <answer>{example(self.length)}</answer>. Every character must be right."

    def draw(self, rng: np.random.Generator) -> Any:
        """Numbers and operators at random, again until the value fits; the example is never hidden."""
        for _ in range(20_000):
            text = _try(rng, self.length)
            if text and text != example(self.length):
                return text
        raise AssertionError("no equation")  # one in about thirty tries is one

    def any_query(self, rng: np.random.Generator) -> str:
        """Any equation."""
        return f"<query>{self.draw(rng)}</query>"

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """An equation of the length."""
        text = _GAPS.sub("", body) if len(body) <= LONGEST else ""
        problem = problem_of(text, self.length)
        return unreadable(body, f"that {problem}.") if problem else text

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """The marks; partial: their numbers."""
        marks = marks_text(hidden, query)
        return counted(marks) if self.partial else marks

    def say(self, fact: Any) -> str:
        """The marks, or their numbers."""
        return f"{fact[0]} A, {fact[1]} M" if self.partial else str(fact)

    def question(self, trial: Trial, argument: Any) -> str:
        """Which equation."""
        return "Which equation is hidden?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """An equation of the length."""
        return self.read_query("", body, None)


def _try(rng: np.random.Generator, length: int) -> str | None:
    """A true equation, or nothing."""
    right = 1 + int(rng.integers(min(4, length - 4)))
    left = length - 1 - right
    count = 1 + int(rng.integers(max(1, left // 3)))
    # Operators: inner places, no two side by side.
    places = sorted(rng.choice(left - 1 - count, count, replace=False) + 1) if left - 1 - count >= count else []
    operators = [int(place) + i for i, place in enumerate(places)]
    drawn = rng.random(left)
    signs = []
    for i, part in enumerate(drawn.tolist()):
        if i in operators:
            signs.append("+-*/"[int(4 * part)])
        else:
            begins = i == 0 or i - 1 in operators
            signs.append(str(1 + int(9 * part) if begins else int(10 * part)))
    text = "".join(signs)
    if not operators:
        return None
    value = value_of(text)
    if value.denominator != 1 or value < 0 or len(str(value)) != right:
        return None
    return f"{text}={value}"
