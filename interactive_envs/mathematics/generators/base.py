"""What a mathematical problem is made of: a text, an answer, named quantities and a derivation a machine can check.

Values and claims are written in a small part of sympy's language. They are read by walking Python's syntax tree with
a closed list of names: nothing is ever passed to ``eval``.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

LEVELS = (1, 2, 3, 4, 5)
ANSWER = "answer"
"""The name of the quantity that is asked for."""
TRIES = 400
PRECISIONS = (30, 80, 240)
"""Digits, tried in turn, by which two numbers are distinguished."""

_RELATIONS = ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")
_FUNCTIONS = (
    *("Rational", "Integer", "sqrt", "cbrt", "root", "exp", "log", "floor", "ceiling", "Abs", "sign", "Min", "Max"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "re", "im", "Mod", "gcd", "lcm", "factorial", "binomial"),
    *("fibonacci", "totient", "divisor_count", "divisor_sigma", "isprime", "multiplicity", "n_order"),
    *("And", "Or", "Not", "Contains", "Matrix", "det"),
)
_CONSTANTS = ("pi", "E", "I", "oo")


@dataclass(frozen=True)
class Quantity:
    """A number (a finite set, a tuple) that a solver would name on the way.

    Attributes:
        name: an identifier, unique in the problem.
        value: exact sympy text without free names: ``27``, ``sqrt(2)``, ``Rational(3, 7)``, ``{2, 3}``, ``(3, 4)``.
        phrases: what a player may call it, at least two, lower case, without article.
        told: whether the problem's text gives it away.
    """

    name: str
    value: str
    phrases: tuple[str, ...]
    told: bool = False


@dataclass(frozen=True)
class Fact:
    """One sentence about a problem, for people and for machines.

    Attributes:
        text: the sentence.
        claim: a relation, or and/or of relations, over the names of quantities: ``Le(27**L, 7**10000)``.
        step: whether it is part of the derivation, in order.
    """

    text: str
    claim: str
    step: bool = True


@dataclass(frozen=True)
class Hidden:
    """A whole number that a problem's text names and does not tell.

    Attributes:
        name: as claims write it: ``f(3)``, ``A(2,1)``, ``n``.
        low: the least that it can be; the player is told.
        high: the most that it can be.
        value: what it is.
        askable: whether its value may be asked; about the others only claims are answered.
    """

    name: str
    low: int
    high: int
    value: int
    askable: bool = True


@dataclass(frozen=True)
class Problem:
    """A problem with its answer and everything its derivation names.

    Attributes:
        id: unique.
        generator: who made it.
        field: ``number theory``, ``combinatorics`` and so on.
        difficulty: 1 to 5.
        text: what the player reads.
        answer: exact sympy text, the value of the quantity ``answer``.
        answer_form: ``a whole number``, ``a fraction``, ``a set``.
        quantities: one of them is called ``answer``.
        facts: the derivation, and other facts that bear on it.
        notes: for people.
        parameters: JSON values from which ``Generator.confirm`` finds the answer again.
        hidden: the numbers that the player must find by asking; empty where the text tells everything.
        setting: ``parameters`` with the names of hidden numbers in place of their values.
    """

    id: str
    generator: str
    field: str
    difficulty: int
    text: str
    answer: str
    answer_form: str
    quantities: tuple[Quantity, ...]
    facts: tuple[Fact, ...]
    notes: str = ""
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    hidden: tuple[Hidden, ...] = ()
    setting: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, Any]:
        """As JSON values; without ``hidden`` and ``setting`` where the text tells everything."""
        return {
            key: value for key, value in dataclasses.asdict(self).items() if value or key not in ("hidden", "setting")
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Back from JSON values."""
        quantities = tuple(Quantity(**{**item, "phrases": tuple(item["phrases"])}) for item in record["quantities"])
        facts = tuple(Fact(**item) for item in record["facts"])
        hidden = tuple(Hidden(**item) for item in record.get("hidden", ()))
        return cls(**{**record, "quantities": quantities, "facts": facts, "hidden": hidden})


class Generator(ABC):
    """Draws problems of one idea.

    Subclasses write ``draw``; ``make`` draws until the text does not give the answer away.

    Attributes:
        name: unique among all generators.
        field: of its problems.
    """

    name: ClassVar[str]
    field: ClassVar[str]

    def make(self, rng: np.random.Generator, difficulty: int) -> Problem:
        """Return a problem of a difficulty from 1 to 5."""
        if difficulty not in LEVELS:
            raise ValueError(f"difficulty must be 1 to 5, got {difficulty}")
        for _ in range(TRIES):
            problem = self.draw(rng, difficulty)
            if problem is not None and not gives_away(problem.text, problem.answer):
                return problem
        raise ValueError(f"{self.name} found no problem of difficulty {difficulty} in {TRIES} tries")

    @abstractmethod
    def draw(self, rng: np.random.Generator, difficulty: int) -> Problem | None:
        """Return one try; None where the drawn parameters make no good problem."""

    @abstractmethod
    def confirm(self, problem: Problem) -> Any:
        """Return the answer found by another route, from ``problem.parameters`` alone."""


def identifier(name: str) -> str:
    """Return a hidden number's name as one word: ``f_3`` for ``f(3)``; ``f_m1`` for ``f(-1)``."""
    return re.sub(r"\W+", "_", name.replace("-", "m")).strip("_")


def gives_away(text: str, answer: str) -> bool:
    """Return whether an answer stands in a text; a fraction also as ``3/7``."""
    fraction = re.fullmatch(r"Rational\((-?\d+), (\d+)\)", answer)
    if fraction and gives_away(text, f"{fraction[1]}/{fraction[2]}"):
        return True
    return re.search(rf"(?<![\w.]){re.escape(answer)}(?!\w|\.\d)", text) is not None


def values(problem: Problem) -> dict[str, Any]:
    """Return the quantities' values as sympy objects, by name."""
    return {quantity.name: parse(quantity.value) for quantity in problem.quantities}


def holds(problem: Problem, claim: str) -> bool:
    """Return whether a claim over a problem's quantities is true; exact."""
    found = parse(claim, values(problem))
    if found not in (True, False):
        raise ValueError(f"not a claim: {claim}")
    return bool(found)


def parse(text: str, names: Mapping[str, Any] | None = None) -> Any:
    """Return the sympy object that a text stands for; relations come out as true or false.

    Raises:
        ValueError: the text uses anything but numbers, ``names`` and the closed list of functions.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"unreadable: {text[:80]}") from error
    return _walk(tree.body, names or {})


def same(first: Any, second: Any) -> bool:
    """Return whether two sympy objects (or Python numbers, tuples, sets) are equal in value."""
    import sympy

    first, second = sympy.sympify(first), sympy.sympify(second)
    if isinstance(first, sympy.Tuple) and isinstance(second, sympy.Tuple):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, sympy.FiniteSet) and isinstance(second, sympy.FiniteSet):
        return all(any(same(a, b) for b in second) for a in first) and all(
            any(same(a, b) for b in first) for a in second
        )
    if not (isinstance(first, sympy.Expr) and isinstance(second, sympy.Expr)):
        return bool(first == second)
    return compare(first, second) == 0


@functools.cache
def _namespace() -> dict[str, Any]:
    import sympy

    known = {name: getattr(sympy, name) for name in (*_FUNCTIONS, *_CONSTANTS)}
    # Contains on a set of roots must not stay unevaluated
    return {**known, "Contains": lambda item, members: any(same(item, member) for member in members)}


def _walk(node: ast.expr, names: Mapping[str, Any]) -> Any:
    import sympy

    match node:
        case ast.Constant(value=bool() as value):
            return sympy.true if value else sympy.false
        case ast.Constant(value=int() as value):
            return sympy.Integer(value)
        case ast.Name(id=name):
            if name in names:
                return names[name]
            if name in _CONSTANTS:
                return _namespace()[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_walk(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _operate(op, _walk(left, names), _walk(right, names))
        case ast.Set(elts=items):
            return sympy.FiniteSet(*(_walk(item, names) for item in items))
        case ast.Tuple(elts=items):
            return sympy.Tuple(*(_walk(item, names) for item in items))
        case ast.List(elts=items):
            return [_walk(item, names) for item in items]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            found = [_walk(arg, names) for arg in args]
            if name in _RELATIONS and len(found) == 2:
                return sympy.true if _relates(name, *found) else sympy.false
            if name in _FUNCTIONS:
                return sympy.sympify(_namespace()[name](*found))
    raise ValueError(f"not allowed: {ast.unparse(node)[:80]}")


def _operate(op: ast.operator, left: Any, right: Any) -> Any:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.Pow():
            return left**right
        case ast.Mod():
            return left % right
    raise ValueError(f"not allowed: {type(op).__name__}")


def _relates(name: str, first: Any, second: Any) -> bool:
    if name in ("Eq", "Ne"):
        return same(first, second) == (name == "Eq")
    order = compare(first, second)
    return {"Lt": order < 0, "Le": order <= 0, "Gt": order > 0, "Ge": order >= 0}[name]


def compare(first: Any, second: Any) -> int:
    """Return minus one, zero or one; two complex numbers are equal or compare as 1."""
    import sympy

    if first == second:
        return 0
    if first.is_Rational and second.is_Rational:
        return 1 if first > second else -1
    for digits in PRECISIONS:
        a, b = first.evalf(digits), second.evalf(digits)
        gap = a - b
        if abs(gap) > max(1, abs(a)) * sympy.Float(10, digits) ** -(digits // 2):
            return 1 if not gap.is_real or gap > 0 else -1
    if sympy.simplify(first - second) == 0 or (first - second).equals(0):
        return 0
    raise ValueError(f"undecided between {first.evalf(6)} and {second.evalf(6)}")
