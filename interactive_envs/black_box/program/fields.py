"""Programs in numbers: inputs, places to look at, and values of several types."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import As, Choice, Decimal, Form, Listed, OneOf, Several, Whole, text
from interactive_envs.black_box.program.boxes import ASKED_VISITS, ASSIGN, LOOK
from interactive_envs.black_box.program.code import MOST_VISITS, show
from interactive_envs.black_box.program.random import GREATEST

QUESTIONS = 6
"""Values that an item asks for at most."""
VARIABLES = 5
"""Of a checkpoint, at most."""
LONGEST = 21
"""Elements of a list and characters of a text in a value."""
PAIRS = 10
"""Elements of a list of pairs."""
LARGEST = 10**16 - 1
"""Of a number, without its sign."""
ELEMENT = 999
"""Of a number in a list, without its sign."""
LETTERS = f"{string.ascii_lowercase}{string.digits}#.-"
_KINDS = ("int", "float", "str", "list")


def fields(public: Any, partial: bool, generated: bool) -> Fields:
    """Inputs, places, and values of every type that a program of the package has; generated ones know whole numbers."""
    if generated:
        return _fields(public, partial, Whole(-GREATEST, GREATEST))
    number = Whole(-ELEMENT, ELEMENT, 1)
    plain = (Whole(-LARGEST, LARGEST), _half(), text(LETTERS, 0, LONGEST))
    pairs = Listed(Several((number, number)), 0, PAIRS)
    lists = (Listed(number, 0, LONGEST), Listed(Choice(tuple(LETTERS)), 0, LONGEST), pairs)
    return _fields(public, partial, OneOf((*plain, *lists)))


def _half() -> Form:
    """Numbers with one decimal, as floats: of two equal numbers the whole one comes first."""
    return As(Decimal(-ELEMENT * 100, ELEMENT * 100, 1), float, _float)


def _float(value: Any) -> float:
    if not isinstance(value, float) or round(value, 1) != value:
        raise TypeError("it is no number with one decimal")
    return value


def _fields(public: Any, partial: bool, value: Form) -> Fields:
    inputs, checkpoints = public
    name, checkpoint = Choice(tuple(string.ascii_lowercase)), Whole(1, checkpoints)
    given = Several(tuple(map(_input, inputs)))
    variable: Form = value if partial else Several((name, Choice(_KINDS), value))
    visits = Several((Choice((None,)) if partial else Whole(0, MOST_VISITS),))
    fact = OneOf((_tagged("values", Listed(variable, 0, VARIABLES)), _tagged("visits", visits)))
    asked = Several((checkpoint, Whole(1, ASKED_VISITS), Whole(1, VARIABLES) if partial else name))
    return Fields(
        queries={ASSIGN: given, LOOK: Several((checkpoint, Whole(1, ASKED_VISITS)))},
        fact=fact,
        answer=As(Several((value,) * QUESTIONS), tuple, _filled),
        item=Several((given, Listed(asked, 1, QUESTIONS))),
        write=lambda tag, query: _assigned(inputs, query) if tag == ASSIGN else "{}, {}".format(*query),
        write_answer=lambda item, values: show(values[: len(item[1])]),
        parted=lambda query: (query[0], query[1] if query[0] == ASSIGN else query[1:]),
        legal=lambda tag, seen: tag == ASSIGN or seen is not None,
        about=_about(inputs, checkpoints),
    )


def _same(value: Any) -> Any:
    return value


def _filled(values: Any) -> tuple[Any, ...]:
    """As many values as an item may ask for: 0 for those that it does not."""
    return (*values, *((0,) * (QUESTIONS - len(values))))


def _tagged(tag: str, form: Form) -> Form:
    """Facts that begin with a tag."""

    def parted(fact: Any) -> Any:
        if fact[0] != tag:
            raise TypeError(f"it does not begin with {tag}")
        return tuple(fact[1:])

    return As(form, lambda rest: (tag, *rest), parted)


def _input(one: Any) -> Form:
    """An input as the box tells of it; 0 where it is not legal is the greatest number."""
    _, kind, least, most, shortest, longest, letters, zero = one
    if kind == "str":
        return text(letters, shortest, longest)
    number: Form = Whole(least, most)
    if not zero:
        number = As(number, lambda value: value or most, _same)
    return Listed(number, shortest, longest) if kind == "list" else number


def _assigned(inputs: Any, values: Sequence[Any]) -> str:
    return "; ".join(f"{one[0]} = {show(value)}" for one, value in zip(inputs, values, strict=True))


def _about(inputs: Any, checkpoints: int) -> tuple[float, ...]:
    """How many checkpoints, and of up to three inputs the name and whether it is a list."""
    rows = [(string.ascii_lowercase.find(one[0]) / 25, float(one[1] == "list"), 1.0) for one in inputs]
    rows += [(0.0, 0.0, 0.0)] * (3 - len(rows))
    return (checkpoints / 8, *(number for row in rows[:3] for number in row))


def widest(level: int) -> tuple[Any, ...]:
    """What the generated programs of a level that have most of everything tell of themselves."""
    number, numbers = ("int", -20, 20, 0, 0, "", True), ("list", -20, 20, 3, 6, "", True)
    checkpoints = 4 if level == 5 else 3
    some = tuple((name, *number) for name in ("abc" if level == 2 else "ab"))
    if level < 3:
        return ((some, checkpoints),)
    return (some, checkpoints), ((some[0], ("x", *numbers)), checkpoints)


NUMBERS = Numbers(fields, widest)
