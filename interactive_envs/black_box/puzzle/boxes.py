"""Puzzles: six things hidden one after the other, each with its own exploration.

Source: ORACLE, interactive puzzle inference. The rules of each kind are given in full; only what is hidden is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from interactive_envs.black_box.base import Entry, Family
from interactive_envs.black_box.puzzle.base import Puzzle, sizes
from interactive_envs.black_box.puzzle.coins import Coins
from interactive_envs.black_box.puzzle.equations import Equation
from interactive_envs.black_box.puzzle.made import MadePuzzle
from interactive_envs.black_box.puzzle.things import Arms, Grid, Integer, Nuts, Ships
from interactive_envs.black_box.puzzle.words import Digits, Words

KINDS: Mapping[str, type[Puzzle]] = {
    kind.kind: kind for kind in (Arms, Coins, Digits, Equation, Grid, Integer, MadePuzzle, Nuts, Ships, Words)
}
"""Every kind of puzzle by its name in ``public``."""


def from_public(public: Any, partial: bool) -> Puzzle:
    """The puzzle that tells this of itself: nothing else is needed to make it."""
    kind = KINDS[public[0]]
    return kind(**dict(zip(sizes(kind), public[1:], strict=True)), partial=partial)


BOXES: dict[str, Entry] = {
    "bandit": Entry(
        "easy",
        lambda: Arms(chances=(0.7, 0.2, 0.1)),
        "Three machines pay with probability 0.7, 0.2 and 0.1: which is the best?",
    ),
    "heavy-coin": Entry(
        "easy",
        lambda: Coins(coins=100, sought="heavy", sides=False, lies=True),
        "One of 100 coins is heavier; the balance tells whether it balances, and lies once in each ten weighings.",
    ),
    "number": Entry("easy", lambda: Integer(largest=100, close=15), "An integer from 0 to 100, by near and far."),
    "line": Entry("easy", lambda: Grid(width=9, height=9), "A whole row or column of a 9 by 9 grid, by hits."),
    "wordle": Entry("easy", lambda: Words(length=8), "An 8-letter word, by marks of guesses."),
    "battleship": Entry(
        "hard",
        lambda: Ships(width=7, height=7, lengths=(5, 4, 3, 1, 1)),
        "Ships of 5, 4 and 3 cells and two of one cell in a 7 by 7 grid, none touching another.",
        setting="15@1",
    ),
    "heavy-light": Entry(
        "hard",
        lambda: Coins(coins=152, sought="both"),
        "One of 152 coins is heavier and one as much lighter; the balance tells the heavier side.",
    ),
    "nerdle": Entry("hard", lambda: Equation(length=15), "A true equation of 15 characters, by marks of guesses."),
    "nuts-and-bolts": Entry(
        "hard",
        lambda: Nuts(count=8, pairs=3),
        "Which of 8 bolts each of 8 nuts fits, three comparisons a query.",
    ),
    "quordle": Entry("hard", lambda: Words(length=8, count=4), "Four 8-letter words at once, by marks of guesses."),
    "wordle-hard": Entry("hard", lambda: Words(length=11), "An 11-letter word, by marks of guesses."),
}
"""ORACLE's boxes."""


def _about(rng: np.random.Generator, middle: int, spread: float = 0.15) -> int:
    """A whole number near another."""
    reach = int(middle * spread)
    return middle + int(rng.integers(-reach, reach + 1))


Maker = Callable[[np.random.Generator], Puzzle]

RANDOM: Mapping[str, tuple[Maker, Maker, Maker, Maker, Maker]] = {
    "arms": (
        lambda rng: Arms(chances=(0.95, 0.05)),
        lambda rng: Arms(chances=(0.9, 0.1, 0.05)),
        lambda rng: Arms(chances=(0.85, 0.1, 0.05)),
        lambda rng: Arms(chances=(0.8, 0.2, 0.1, 0.05)),
        lambda rng: Arms(chances=(0.75, 0.25, 0.2, 0.15)),
    ),
    "coins": (
        lambda rng: Coins(coins=_about(rng, 20)),
        lambda rng: Coins(coins=_about(rng, 100)),
        lambda rng: Coins(coins=_about(rng, 100), sought="odd"),
        lambda rng: Coins(coins=_about(rng, 60), sides=False, lies=True),
        lambda rng: Coins(coins=_about(rng, 120), sought="both"),
    ),
    "integer": (
        lambda rng: Integer(largest=_about(rng, 30)),
        lambda rng: Integer(largest=_about(rng, 60)),
        lambda rng: Integer(largest=_about(rng, 80), close=_about(rng, 12)),
        lambda rng: Integer(largest=_about(rng, 180), close=_about(rng, 25)),
        lambda rng: Integer(largest=_about(rng, 400), close=_about(rng, 60)),
    ),
    "code": (
        lambda rng: Digits(length=3, distinct=True),
        lambda rng: Digits(length=3, distinct=False),
        lambda rng: Digits(length=4, distinct=True),
        lambda rng: Digits(length=4, distinct=False),
        lambda rng: Digits(length=5, distinct=bool(rng.integers(2))),
    ),
    "words": (
        lambda rng: Words(length=8),
        lambda rng: Words(length=5),
        lambda rng: Words(length=8, count=2),
        lambda rng: Words(length=5, count=2),
        lambda rng: Words(length=5, count=int(rng.integers(3, 5))),
    ),
    "equation": (
        lambda rng: Equation(length=6),
        lambda rng: Equation(length=7),
        lambda rng: Equation(length=8),
        lambda rng: Equation(length=10),
        lambda rng: Equation(length=12),
    ),
    "grid": (
        lambda rng: Grid(width=_about(rng, 5, 0.2), height=_about(rng, 5, 0.2)),
        lambda rng: Grid(width=_about(rng, 8), height=_about(rng, 8)),
        lambda rng: Grid(width=5, height=5, sides=(2, 3)),
        lambda rng: Grid(width=6, height=6, sides=(2, 4)),
        lambda rng: Grid(width=8, height=8, sides=(2, 5)),
    ),
    "ships": (
        lambda rng: Ships(width=4, height=4, lengths=(3,)),
        lambda rng: Ships(width=5, height=5, lengths=(4,)),
        lambda rng: Ships(width=5, height=5, lengths=(3,)),
        lambda rng: Ships(width=5, height=5, lengths=(4, 3)),
        lambda rng: Ships(width=6, height=6, lengths=(4, 3)),
    ),
    "nuts": (
        lambda rng: Nuts(count=4, pairs=2),
        lambda rng: Nuts(count=5, pairs=2),
        lambda rng: Nuts(count=6, pairs=2),
        lambda rng: Nuts(count=8, pairs=2),
        lambda rng: Nuts(count=7, pairs=1),
    ),
}
"""Random puzzles of each kind at levels 1 to 5."""


def generate(rng: np.random.Generator, level: int) -> Puzzle:
    """A puzzle of any kind at a level from 1 to 5."""
    kinds = sorted(RANDOM)
    return RANDOM[kinds[int(rng.integers(len(kinds)))]][level - 1](rng)


FAMILY = Family(
    name="puzzle",
    boxes=BOXES,
    generate=generate,
    hides="how replies are spread over places, sides or sizes; where a reply is one bit, every second or third of them",
    section="interactive puzzle inference",
    no_code="what is hidden is drawn anew for every item, so there is no function to write",
    levels=("5@1", "5@1", "6@1", "7@1", "8@1"),
    with_code=("heavy-coin", "battleship", "heavy-light", "nerdle", "random"),
)
