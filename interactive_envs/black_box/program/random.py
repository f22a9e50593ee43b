"""Random programs: a small grammar, an interpreter that leaves a trace, and the same program as Python source.

An expression is a number, a name or an operation on two; a statement assigns, branches, loops or is a checkpoint. All
is kept as nested tuples, so that a program is a hashable value:

- expressions: ``7``, ``"a"``, ``("+", left, right)`` with ``+ - * // % min max``; ``//`` and ``%`` as in Python, and by
  numbers from 2 on only; ``("len", "x")``, ``("sum", "x")``, ``("at", "x", n)`` for the element n of a list;
- statements: ``("set", name, expression)``, ``("if", (comparison, left, right), then, otherwise)``,
  ``("for", name, count, body)`` from 1 to the count, ``("each", name, "x", body)``, ``("check", number, names)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from interactive_envs.black_box.program.code import Code, Input

Expression = Any
Statement = tuple[Any, ...]
Block = tuple[Statement, ...]

VISITS = 60
"""Visits of a run at most."""
GREATEST = 10**9
"""The greatest absolute value."""
_TRIES = 300
_SAMPLES = 16
_STEPS = 2_000
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "min": min,
    "max": max,
}
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "==": lambda left, right: left == right,
}


class _TooMuch(Exception):  # noqa: N818 - it never leaves this module
    """A run is too long or its values are too great."""


@dataclass(frozen=True)
class Program:
    """A random program; it is called as the fixed ones are.

    Attributes:
        inputs: the names of its inputs.
        body: its statements.
    """

    inputs: tuple[str, ...]
    body: Block

    def __hash__(self) -> int:
        return self._hash

    def __call__(self, trace: Callable[..., None], **inputs: Any) -> None:
        """Run it."""
        ProgramRun(trace, inputs).block(self.body)

    @cached_property
    def source(self) -> str:
        """The program in Python; ``trace`` is what its checkpoints call."""
        head = f"def program(trace, {', '.join(self.inputs)}):"
        return "\n".join([head, *_lines(self.body, 1)]) + "\n"

    @cached_property
    def _hash(self) -> int:
        return hash((self.inputs, self.body))


class ProgramRun:
    """One run: the variables, and what has been done so far."""

    def __init__(self, trace: Callable[..., None], inputs: Mapping[str, Any]) -> None:
        self.trace = trace
        self.names: dict[str, Any] = dict(inputs)
        self.steps = 0
        self.taken: set[int] = set()

    def block(self, block: Block) -> None:
        """Run statements in order."""
        for statement in block:
            self.do(statement)

    def do(self, statement: Statement) -> None:
        """Run one statement."""
        self.steps += 1
        if self.steps > _STEPS:
            raise _TooMuch
        kind = statement[0]
        if kind == "set":
            value = self.value(statement[2])
            if abs(value) > GREATEST:
                raise _TooMuch
            self.names[statement[1]] = value
        elif kind == "if":
            test, left, right = statement[1]
            held = _COMPARISONS[test](self.value(left), self.value(right))
            branch = statement[2] if held else statement[3]
            self.taken.add(2 * id(statement) + held)
            self.block(branch)
        elif kind == "check":
            self.trace(statement[1], **{name: self.names[name] for name in statement[2]})
        else:
            _, name, over, body = statement
            values = range(1, self.value(over) + 1) if kind == "for" else self.names[over]
            for value in values:
                self.names[name] = value
                self.block(body)

    def value(self, expression: Expression) -> int:
        """What an expression comes to now."""
        if isinstance(expression, int):
            return expression
        if isinstance(expression, str):
            found: int = self.names[expression]
            return found
        operation, left = expression[:2]
        if operation == "len":
            return len(self.names[left])
        if operation == "sum":
            return sum(self.names[left])
        if operation == "at":
            element: int = self.names[left][expression[2]]
            return element
        return _OPERATIONS[operation](self.value(left), self.value(expression[2]))


def generate(rng: np.random.Generator, level: int) -> Code:
    """A random program.

    Level 1 has three assignments, level 2 five, level 3 a loop, level 4 a loop with more before and after it, level 5
    a loop and a branch. Every checkpoint is reached, both branches are taken, every input matters,
    something changes from visit to visit, and no checkpoint shows only what the inputs say or what is always the same.
    """
    for _ in range(_TRIES):
        code = _Writer(rng, level).code()
        if is_worthwhile(code, rng):
            return code
    return simple_program(rng, level)


class _Writer:
    """Writes a program that may still be no good."""

    def __init__(self, rng: np.random.Generator, level: int) -> None:
        self.rng = rng
        self.level = level
        self.numbers = ["a", "b", "c"] if level == 2 else ["a", "b"]
        self.list = "x" if level >= 3 and rng.random() < 0.5 else ""
        if self.list:
            self.numbers = self.numbers[:1]
        self.free = list("pqrstuvw")
        self.made: list[str] = []
        self.loops = list("ijk")
        self.checks = 0

    def code(self) -> Code:
        """The whole."""
        body = getattr(self, f"_level_{self.level}")()
        inputs = [Input(name, "int", -20, 20) for name in self.numbers]
        if self.list:
            inputs.append(Input(self.list, "list", -20, 20, 3, 6))
        return Code(tuple(inputs), self.checks, Program(tuple(one.name for one in inputs), tuple(body)))

    def _level_1(self) -> list[Statement]:
        return [self._new(1), self._check(), self._new(1), self._new(2), self._check()]

    def _level_2(self) -> list[Statement]:
        start = [self._new(1), self._new(1), self._check()]
        return [*start, self._new(2), self._new(1), self._check(), self._new(2), self._check()]

    def _level_3(self) -> list[Statement]:
        return [self._new(1), self._check(), self._loop(self._step), self._new(1), self._check()]

    def _level_4(self) -> list[Statement]:
        start = [self._new(1), self._new(1), self._check()]
        return [*start, self._loop(self._step), self._new(2), self._check()]

    def _level_5(self) -> list[Statement]:
        start = [self._new(1), self._check(), self._loop(self._step), self._new(1), self._check()]
        return [*start, self._branch(), self._check()]

    def _step(self, loop: str) -> list[Statement]:
        return [self._again(loop), self._check(loop)]

    def _new(self, depth: int) -> Statement:
        """Assigns a new variable."""
        expression = self._expression(depth, self._names())
        name = self.free.pop(0)
        self.made.append(name)
        return "set", name, expression

    def _again(self, loop: str = "") -> Statement:
        """Assigns a variable again, from itself and something else."""
        name = self._pick(self.made)
        others = [other for other in self._names() if other != name] + [loop] * 2 * bool(loop)
        operation = self._pick(["+", "+", "-", "-", "max", "min", "*"] if loop else ["+", "-", "*", "max", "min"])
        if operation == "*":
            return "set", name, ("%", ("*", name, self._number(2, 5)), self._pick([97, 101, 50, 64]))
        other = self._pick(others) if self.rng.random() < 0.5 else self._expression(1, others)
        return "set", name, (operation, name, other)

    def _branch(self) -> Statement:
        names = self._names()
        left = self._pick([*self.made, *names])
        if self.rng.random() < 0.4:
            test = ("==", ("%", left, self._pick([2, 2, 3])), 0)
        else:
            right = self._pick([name for name in names if name != left]) if self.rng.random() < 0.5 else 0
            test = (self._pick(["<", ">"]), left, right or self._number(-4, 8))
        other = () if self.rng.random() < 0.3 else (self._again(),)
        return "if", test, (self._again(),), other

    def _loop(self, body: Callable[[str], Sequence[Statement]]) -> Statement:
        name = self.loops.pop(0)
        if self.list and self.rng.random() < 0.7:
            return "each", name, self.list, tuple(body(name))
        count: Expression = ("+", ("%", self._pick(self._names()), self._number(3, 5)), self._number(1, 2))
        return "for", name, count, tuple(body(name))

    def _check(self, *loops: str) -> Statement:
        self.checks += 1
        return "check", self.checks, (*loops, *self.made)

    def _names(self) -> list[str]:
        return [*self.numbers, *self.made]

    def _expression(self, depth: int, names: Sequence[str]) -> Expression:
        operation = self._pick(["+", "-", "*", "+", "-", "*", "//", "%", "min", "max"])
        if operation in ("//", "%"):
            return operation, self._part(depth - 1, names, number=False), self._number(2, 9)
        left = self._part(depth - 1, names, number=False)
        return operation, left, self._part(0 if operation == "*" else depth - 1, names, number=True, other=left)

    def _part(self, depth: int, names: Sequence[str], *, number: bool, other: Expression = None) -> Expression:
        if depth and self.rng.random() < 0.7:
            return self._expression(depth, names)
        if number and self.rng.random() < 0.3:
            return self._number(2, 9)
        if self.list and self.rng.random() < 0.25:
            return self._pick([("len", self.list), ("sum", self.list), ("at", self.list, 0), ("at", self.list, -1)])
        return self._pick([name for name in names if name != other] or [self._number(2, 9)])

    def _number(self, least: int, most: int) -> int:
        return int(self.rng.integers(least, most + 1))

    def _pick(self, options: Sequence[Any]) -> Any:
        return options[int(self.rng.integers(len(options)))]


def is_worthwhile(code: Code, rng: np.random.Generator) -> bool:
    """Whether a program is worth finding out; see :func:`generate`."""
    program = cast("Program", code.run)  # a drawn one
    seen: list[dict[int, list[tuple[int, ...]]]] = []
    taken: list[set[int]] = []
    samples = [code.sample(rng) for _ in range(_SAMPLES)]
    for sample in samples:
        run = _traced(program, sample)
        if run is None:
            return False
        seen.append(run[0])
        taken.append(run[1])
    branches = {2 * id(one) + held for one in _statements(program.body) if one[0] == "if" for held in (0, 1)}
    if any(sum(branch in one for one in taken) < _SAMPLES // 8 for branch in branches):
        return False
    loops = {one[1] for one in _statements(program.body) if one[0] in ("for", "each")}
    for one in _statements(program.body):
        if one[0] == "check" and not _telling(one[1], one[2], loops, samples, seen):
            return False
    for place in range(len(code.inputs)):
        changed = 0
        for sample, before in zip(samples[:6], seen[:6], strict=True):
            other = (*sample[:place], code.inputs[place].draw(rng), *sample[place + 1 :])
            run = _traced(program, other)
            if run is None:
                return False
            changed += run[0] != before
        if changed < 3:
            return False
    return True


def _telling(
    checkpoint: int, names: Sequence[str], loops: set[str], samples: Sequence[Any], seen: Sequence[Any]
) -> bool:
    """Whether a checkpoint is reached in every run, and shows something of its own that depends on the inputs."""
    if not all(run.get(checkpoint) for run in seen):
        return False
    own = [place for place, name in enumerate(names) if name not in loops]
    often = [run[checkpoint] for run in seen if len(run[checkpoint]) > 1]
    if sum(any(visits[0][place] != visits[-1][place] for place in own) for visits in often) < len(often) * 0.75:
        return False
    for place in own:
        firsts = [run[checkpoint][0][place] for run in seen]
        copied = any(list(column) == firsts for column in zip(*samples, strict=True))
        if not copied and len(set(firsts)) >= 6 and max(map(firsts.count, firsts)) <= len(firsts) // 3:
            return True
    return False


def _traced(program: Program, sample: tuple[Any, ...]) -> tuple[dict[int, list[tuple[int, ...]]], set[int]] | None:
    """The visits of a run by checkpoint, and the branches taken; None where it is too long or too great."""
    visits: dict[int, list[tuple[int, ...]]] = {}
    count = 0

    def note(checkpoint: int, **values: int) -> None:
        nonlocal count
        count += 1
        if count > VISITS:
            raise _TooMuch
        visits.setdefault(checkpoint, []).append(tuple(values.values()))

    run = ProgramRun(note, dict(zip(program.inputs, sample, strict=True)))
    try:
        run.block(program.body)
    except _TooMuch:
        return None
    return visits, run.taken


def _statements(block: Block) -> list[Statement]:
    """All statements, those inside others too."""
    found: list[Statement] = []
    for one in block:
        found.append(one)
        inner = {"if": one[2:], "for": one[3:], "each": one[3:]}.get(one[0], ())
        for part in inner:
            found += _statements(part)
    return found


def simple_program(rng: np.random.Generator, level: int) -> Code:
    """A program that is certainly good, for the case that none is found: a sum in a loop of as many parts as levels."""
    k, m = int(rng.integers(2, 8)), int(rng.integers(2, 8))
    body: list[Statement] = [("set", "p", ("+", ("*", "a", k), "b")), ("check", 1, ("p",))]
    inner: list[Statement] = [("set", "p", ("-", ("*", "a", "i"), "p"))]
    if level > 2:
        inner.append(("if", ("<", "p", "b"), (("set", "p", ("+", "p", m)),), ()))
    inner.append(("check", 2, ("i", "p")))
    if level > 1:
        body.append(("for", "i", ("+", ("%", "b", 4), 2), tuple(inner)))
    body += [("set", "q", ("+", ("//", "p", m), "a")), ("check", 3 if level > 1 else 2, ("p", "q"))]
    inputs = (Input("a", "int", -20, 20), Input("b", "int", -20, 20))
    return Code(inputs, 3 if level > 1 else 2, Program(("a", "b"), tuple(body)))


# Source.


def _lines(block: Block, depth: int) -> list[str]:
    pad, lines = "    " * depth, []
    for one in block:
        kind = one[0]
        if kind == "set":
            lines.append(f"{pad}{one[1]} = {_text(one[2])}")
        elif kind == "check":
            lines.append(f"{pad}trace({one[1]}, {', '.join(f'{name}={name}' for name in one[2])})")
        elif kind == "if":
            test, left, right = one[1]
            lines += [f"{pad}if {_text(left)} {test} {_text(right)}:", *_lines(one[2], depth + 1)]
            lines += [f"{pad}else:", *_lines(one[3], depth + 1)] if one[3] else []
        else:
            over = f"range(1, {_text(one[2])} + 1)" if kind == "for" else one[2]
            lines += [f"{pad}for {one[1]} in {over}:", *_lines(one[3], depth + 1)]
    return lines


def _text(expression: Expression) -> str:
    if not isinstance(expression, tuple):
        return str(expression)
    operation, left = expression[:2]
    if operation in ("len", "sum"):
        return f"{operation}({left})"
    if operation == "at":
        return f"{left}[{expression[2]}]"
    parts = [_text(part) for part in expression[1:]]
    if operation in ("min", "max"):
        return f"{operation}({', '.join(parts)})"
    return f"({parts[0]} {operation} {parts[1]})"
