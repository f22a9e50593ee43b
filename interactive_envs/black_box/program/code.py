"""What a program with checkpoints is made of: its inputs, what it does, and the trace that it leaves.

A program is a plain function ``run(trace, **inputs)`` that calls ``trace(1, d=d, x=x)`` where checkpoint 1 stands: the
program runs once on given inputs, and all that can be asked about it is read off the trace.

Values are whole numbers, floats, texts and lists of such; in traces lists are tuples.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

MOST_VISITS = 1_000
"""Visits of a run, all checkpoints together; no declared program comes near."""
LONGEST = 4_000
"""Characters that are read at all."""
_DIGITS = 30
_COMPARED = 40
_DEPTH = 3
_PART = re.compile(
    r"""\s+|"[^"]*"|'[^']*'|[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[\[\](),;=:]"""
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

Values = tuple[tuple[str, Any], ...]
"""Variables by name, in order."""
Trace = tuple[tuple[int, Values], ...]
"""The visits of a run in order: a checkpoint, and the variables there."""
Run = Callable[..., object]


@dataclass(frozen=True)
class Input:
    """An input of a program.

    Attributes:
        name: its name.
        kind: ``int``, ``list`` (of whole numbers) or ``str`` (of lower-case letters).
        least: the least number, or element.
        most: the greatest one.
        shortest: least length of a list or text.
        longest: greatest length.
        letters: those of a text.
        zero: whether the number 0 is legal.
    """

    name: str
    kind: Literal["int", "list", "str"] = "int"
    least: int = 0
    most: int = 0
    shortest: int = 0
    longest: int = 0
    letters: str = ""
    zero: bool = True

    @property
    def public(self) -> tuple[Any, ...]:
        """All of it as a JSON value, in the order of the fields."""
        return (
            self.name,
            self.kind,
            self.least,
            self.most,
            self.shortest,
            self.longest,
            self.letters,
            self.zero,
        )

    @property
    def legal(self) -> str:
        """What is legal, in words."""
        length = f"{self.shortest} to {self.longest}"
        if self.kind == "str":
            return f"a text of {length} letters from {self.letters[0]} to {self.letters[-1]}"
        bounds = f"from {self.least} to {self.most}"
        if self.kind == "list":
            return f"a list of {length} whole numbers {bounds}"
        return f"a whole number {bounds}{'' if self.zero else ' but not 0'}"

    def read(self, value: Any) -> Any | None:
        """A value that was read, as this input has it; None where it is not legal."""
        if self.kind == "str":
            lengths = isinstance(value, str) and self.shortest <= len(value) <= self.longest
            return value if lengths and set(value) <= set(self.letters) else None
        if self.kind == "int":
            number = _whole(value)
            return number if number is not None and self._holds(number) else None
        if isinstance(value, (int, float)):
            value = (value,)
        if not isinstance(value, tuple) or not self.shortest <= len(value) <= self.longest:
            return None
        numbers = tuple(map(_whole, value))
        return numbers if all(number is not None and self._holds(number) for number in numbers) else None

    def draw(self, rng: np.random.Generator) -> Any:
        """A legal value."""
        if self.kind == "int":
            number = int(rng.integers(self.least, self.most + 1))
            return number if number or self.zero else self.most
        length = int(rng.integers(max(self.shortest, (self.longest + 1) // 2), self.longest + 1))
        if self.kind == "list":
            return tuple(map(int, rng.integers(self.least, self.most + 1, length)))
        return "".join(self.letters[index] for index in rng.integers(len(self.letters), size=length))

    def _holds(self, number: int) -> bool:
        return self.least <= number <= self.most and (self.zero or number != 0)


@dataclass(frozen=True)
class Code:
    """A program.

    Attributes:
        inputs: its inputs, in order.
        checkpoints: how many it has, numbered from 1.
        run: what it does.
        draw: draws inputs that show what it does, by default each at random.
    """

    inputs: tuple[Input, ...]
    checkpoints: int
    run: Run
    draw: Callable[[np.random.Generator], tuple[Any, ...]] | None = None

    def sample(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """Legal inputs."""
        return tuple(one.draw(rng) for one in self.inputs) if self.draw is None else self.draw(rng)

    def visits(self, inputs: tuple[Any, ...]) -> Mapping[int, tuple[Values, ...]]:
        """The variables at each visit of each checkpoint, for inputs in order."""
        return _visits(self, inputs)

    @property
    def usual(self) -> Mapping[tuple[int, int, int], Any]:
        """What is most often found at a checkpoint, visit and place (from 0), over a few inputs."""
        return _usual(self)


def trace_of(code: Code, inputs: tuple[Any, ...]) -> Trace:
    """Run a program once.

    Raises:
        RuntimeError: it passes more than ``MOST_VISITS`` checkpoints.
    """
    trace: list[tuple[int, Values]] = []

    def note(checkpoint: int, **variables: Any) -> None:
        if len(trace) == MOST_VISITS:
            raise RuntimeError(f"a program passed more than {MOST_VISITS} checkpoints")
        trace.append((checkpoint, tuple((name, frozen(value)) for name, value in variables.items())))

    given = {one.name: list(v) if isinstance(v, tuple) else v for one, v in zip(code.inputs, inputs, strict=True)}
    code.run(note, **given)
    return tuple(trace)


@functools.lru_cache(maxsize=1024)
def _visits(code: Code, inputs: tuple[Any, ...]) -> Mapping[int, tuple[Values, ...]]:
    found: dict[int, list[Values]] = {number: [] for number in range(1, code.checkpoints + 1)}
    for checkpoint, values in trace_of(code, inputs):
        found[checkpoint].append(values)
    return {number: tuple(visits) for number, visits in found.items()}


@functools.lru_cache(maxsize=256)
def _usual(code: Code) -> Mapping[tuple[int, int, int], Any]:
    rng = np.random.default_rng(0)
    found: dict[tuple[int, int, int], Counter[Any]] = defaultdict(Counter)
    for _ in range(12):
        for checkpoint, visits in code.visits(code.sample(rng)).items():
            for visit, values in enumerate(visits[:_COMPARED], 1):
                for place, (_, value) in enumerate(values):
                    found[checkpoint, visit, place][value] += 1
    return {where: counts.most_common(1)[0][0] for where, counts in found.items()}


def frozen(value: Any) -> Any:
    """A value with tuples for lists."""
    return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value


def thawed(value: Any) -> Any:
    """A value with lists for tuples, as JSON has it."""
    return list(map(thawed, value)) if isinstance(value, tuple) else value


def show(value: Any) -> str:
    """A value as a player reads and writes it: JSON."""
    return json.dumps(thawed(value))


def kind_of(value: Any) -> str:
    """The word for a value's type."""
    return "list" if isinstance(value, tuple) else type(value).__name__


def same(truth: Any, value: Any) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true or "1" are not."""
    if isinstance(truth, tuple):
        if not isinstance(value, (list, tuple)) or len(truth) != len(value):
            return False
        return all(same(one, other) for one, other in zip(truth, value, strict=True))
    if isinstance(truth, str):
        return isinstance(value, str) and truth == value
    return isinstance(value, (int, float)) and not isinstance(value, bool) and bool(truth == value)


# Reading.


def read_values(text: str) -> list[Any] | None:
    """Values side by side, e.g. ``1, "ab", [2 3]``; commas are optional, a word is a text. None for anything else."""
    parts = _parts(text)
    if parts is None or any(part in "=:" for part in parts):
        return None
    return _values([part for part in parts if part != ";"])


def read_inputs(text: str, inputs: Sequence[Input]) -> tuple[Any, ...] | str:
    """Inputs by name (``a = 3; x = [1, 2]``) or all in order, each legal; or what is wrong, to end a sentence."""
    parts = _parts(text)
    if parts is None:
        return "it holds more than names, numbers, texts and lists"
    names = [one.name for one in inputs]
    if not any(part in "=:" for part in parts):
        values = _values([part for part in parts if part != ";"])
        if values is not None and len(inputs) == 1 and len(values) != 1:
            values = [tuple(values)]
        if values is None or len(values) != len(inputs):
            return f"it does not give {' and '.join(names)}"
        given = dict(zip(names, values, strict=True))
    else:
        read = _assignments(parts)
        if isinstance(read, str):
            return read
        given = read
    known = {one.name.lower(): one for one in inputs}
    found: dict[str, Any] = {}
    for name, value in given.items():
        one = known.get(name.lower())
        if one is None:
            return f"there is no input {name[:20]}"
        if one.name in found:
            return f"it gives {one.name} twice"
        legal = one.read(value)
        if legal is None:
            return f"{one.name} is {one.legal}"
        found[one.name] = legal
    missing = [name for name in names if name not in found]
    return f"it does not give {' and '.join(missing)}" if missing else tuple(found[name] for name in names)


def _assignments(parts: list[str]) -> dict[str, Any] | str:
    """``name = value`` pairs, with or without something between them."""
    starts = [place - 1 for place, part in enumerate(parts) if part in "=:"]
    found: dict[str, Any] = {}
    if starts[0] != 0:
        return "it does not begin with a name and ="
    for start, end in zip(starts, [*starts[1:], len(parts)], strict=True):
        name = parts[start]
        if end < start + 2 or not _WORD.fullmatch(name):
            return "it holds a = without a name before it"
        values = _values([part for part in parts[start + 2 : end] if part != ";"])
        if not values:
            return f"it gives no readable value for {name[:20]}"
        if name in found:
            return f"it gives {name[:20]} twice"
        found[name] = values[0] if len(values) == 1 else tuple(values)
    return found


def _parts(text: str) -> list[str] | None:
    """What a text is made of, None where something else is in it. Linear time."""
    text = text.replace("\N{MINUS SIGN}", "-")
    if len(text) > LONGEST:
        return None
    found, place = [], 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None:
            return None
        if not match[0].isspace():
            found.append(match[0])
        place = match.end()
    return found


def _values(parts: Sequence[str]) -> list[Any] | None:
    """Values of parts without names, None where brackets do not match or a number is out of bounds."""
    stack: list[list[Any]] = [[]]
    closing: list[str] = []
    for part in parts:
        if part in "[(":
            if len(stack) > _DEPTH:
                return None
            stack.append([])
            closing.append("]" if part == "[" else ")")
        elif part in "])":
            if not closing or closing.pop() != part:
                return None
            inner = tuple(stack.pop())
            stack[-1].append(inner)
        elif part != ",":
            value = _atom(part)
            if value is None:
                return None
            stack[-1].append(value)
    return stack[0] if not closing else None


def _atom(part: str) -> Any | None:
    if part[0] in "\"'":
        return part[1:-1]
    if _WORD.fullmatch(part):
        return part
    if len(part) > _DIGITS:
        return None
    if re.fullmatch(r"[-+]?[0-9]+", part):
        return int(part)
    number = float(part)
    return number if abs(number) < 1e300 else None


def _whole(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value if isinstance(value, int) else None
