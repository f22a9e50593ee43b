"""Puzzles in numbers: what is asked and answered, place by place."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np

from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import As, Choice, Form, Order, Several, Whole, word
from interactive_envs.black_box.puzzle.base import Puzzle, sizes
from interactive_envs.black_box.puzzle.boxes import KINDS, RANDOM, from_public
from interactive_envs.black_box.puzzle.coins import Coins
from interactive_envs.black_box.puzzle.equations import Equation, problem_of
from interactive_envs.black_box.puzzle.things import ARMS, Arms, Grid, Integer, Nuts, Ships
from interactive_envs.black_box.puzzle.words import Digits, Words

Parts = tuple[Form, Form, Form]
"""The forms of queries, facts and answers."""
SIGNS = "0123456789+-*/="


def fields(public: Any, partial: bool, generated: bool) -> Fields:
    """By the kind of puzzle."""
    box = from_public(public, partial)
    query, fact, answer = next(make for kind, make in _PARTS.items() if isinstance(box, kind))(box)
    return Fields(
        queries={"query": query},
        fact=fact,
        answer=answer,
        write=lambda tag, value: box.show_query(value),
        write_answer=lambda item, value: box.show_answer(value),
        about=_about(box),
    )


def widest(level: int) -> tuple[Any, ...]:
    """What the greatest generated puzzle of each kind tells of itself."""
    most: Any = _Most()
    return tuple(makers[level - 1](most).public for makers in RANDOM.values())


class _Most:
    """Draws the greatest number."""

    def integers(self, low: int, high: int | None = None) -> int:
        """One below the end."""
        return (low if high is None else high) - 1


def _words(box: Any) -> Parts:
    letters = word(string.ascii_uppercase, box.length)
    return letters, Several((_marks(box, box.length),) * box.count), Several((letters,) * box.count)


def _digits(box: Any) -> Parts:
    code = word(string.digits, box.length)
    number = Whole(0, box.length)
    return code, number if box.partial else Several((number, number)), code


def _marks(box: Any, length: int) -> Form:
    """A mark for each place, or how many A and M there are."""
    return Several((Whole(0, length),) * 2) if box.partial else word("XMA", length)


def _equation(box: Any) -> Parts:
    """Signs that are no equation stand for one that is drawn by them, so that every action is legal."""
    signs = word(SIGNS, box.length)
    legal = As(signs, lambda text: _true(box, text), str)
    return legal, _marks(box, box.length), legal


def _true(box: Any, text: str) -> str:
    if not problem_of(text, box.length):
        return text
    return str(box.draw(np.random.default_rng([*text.encode("ascii")])))


def _coins(box: Any) -> Parts:
    """Each coin lies aside, left or right. Of the fuller side as many as are too many, the last ones, lie aside."""
    coin = Whole(1, box.coins, box.coins + 1)
    answers: dict[str, Form] = {
        "heavy": coin,
        "odd": Several((coin, Choice(("heavy", "light")))),
        # The second is counted among the others.
        "both": As(Several((coin, Whole(1, box.coins - 1, box.coins))), _apart, _nearer),
    }
    query = As(Several((Choice((0, 1, 2)),) * box.coins), _balanced, lambda sides: _placed(sides, box.coins))
    return query, Choice(("Left", "Right", "Equal") if box.sided else ("Balance", "Imbalance")), answers[box.sought]


def _balanced(sides: Any) -> Any:
    left, right = ([coin for coin, side in enumerate(sides, 1) if side == which] for which in (1, 2))
    count = min(len(left), len(right))
    return (tuple(left[:count]), tuple(right[:count])) if count else ((1,), (2,))


def _placed(sides: Any, coins: int) -> tuple[int, ...]:
    left, right = map(set, sides)
    return tuple(1 if coin in left else 2 if coin in right else 0 for coin in range(1, coins + 1))


def _apart(pair: Any) -> Any:
    first, second = pair
    return first, second + (second >= first)


def _nearer(pair: Any) -> Any:
    first, second = pair
    return first, second - (second > first)


def _nuts(box: Any) -> Parts:
    number = Whole(1, box.count)
    words = ("fits", "no") if box.partial else ("small", "large", "fits")
    pair = Several((number, number))
    order = Order(tuple(range(1, box.count + 1)))
    return Several((pair,) * box.pairs), Several((Choice(words),) * box.pairs), order


def _arms(box: Any) -> Parts:
    names = Choice(tuple(ARMS[: len(box.chances)]))
    return names, Whole(0, 1), names


def _integer(box: Any) -> Parts:
    number = Whole(0, box.largest, box.largest + 2)
    return number, Choice(("Close", "Far") if box.close else ("Higher", "Lower", "Equal")), number


def _cells(box: Any) -> tuple[Form, Form]:
    return Several((Whole(1, box.width), Whole(1, box.height))), Choice(("hit", "miss"))


def _grid(box: Any) -> Parts:
    rows = tuple(box.answer_at(row) for row in box.hypotheses())
    return *_cells(box), Choice(rows)


def _ships(box: Any) -> Parts:
    return *_cells(box), Several((word("01", box.width),) * box.height)


_PARTS: dict[type[Puzzle], Callable[[Any], Parts]] = {
    Arms: _arms,
    Coins: _coins,
    Digits: _digits,
    Equation: _equation,
    Grid: _grid,
    Integer: _integer,
    Nuts: _nuts,
    Ships: _ships,
    Words: _words,
}


def _about(box: Puzzle) -> tuple[float, ...]:
    """Which kind, and its sizes; a place for each of up to eight numbers."""
    kinds = [*KINDS]
    which = [float(kind == box.kind) for kind in kinds]
    flat: list[float] = []
    for name in sizes(type(box)):
        value = getattr(box, name)
        several = value if isinstance(value, tuple) else (value,)
        flat += [float(isinstance(value, tuple) and bool(value))] if isinstance(value, tuple) or value is None else []
        flat += [_number(one) for one in several if one is not None]
    return tuple([*which, *flat, *([0.0] * 8)][: len(which) + 8])


def _number(value: Any) -> float:
    if isinstance(value, str):
        return ("heavy", "odd", "both").index(value) / 2
    return float(value) if isinstance(value, float) else min(1.0, float(value) / 500)


NUMBERS = Numbers(fields, widest)
