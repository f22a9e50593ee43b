"""What puzzles have in common: one hidden thing a trial, questions about it, and an answer that names it.

A class of puzzles is one kind; its fields are sizes that the rules tell anyway, so that ``public`` is all of them.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import AnswerBox, Observations, Trial
from interactive_envs.parsing import Unreadable

LONGEST = 6_000
"""Texts longer than this are not read: the longest legal query has about 2,000 characters."""
_GAPS = re.compile(r"[\s,;:=()\[\]{}<>\"'`*|/]+")


@dataclass(frozen=True, kw_only=True)
class Puzzle(AnswerBox, ABC):
    """A puzzle: each item is a trial with something of its own hidden.

    The memory of a trial is the number of queries so far.
    """

    trial_per_item: ClassVar[bool] = True
    kind: ClassVar[str]
    """What the class is called in ``public``."""

    @property
    def public(self) -> Any:
        """The kind and its sizes, see :func:`interactive_envs.black_box.puzzle.boxes.from_public`."""
        return (self.kind, *(getattr(self, name) for name in sizes(type(self))))

    @property
    def every(self) -> int:
        """Every how-manyth reply is kept back, 0 for none."""
        return 0

    # What is drawn.

    def trials(self, rng: np.random.Generator, count: int) -> tuple[Trial, ...]:
        """Something hidden for each item."""
        return tuple(Trial(self.draw(rng)) for _ in range(count))

    @abstractmethod
    def draw(self, rng: np.random.Generator) -> Any:
        """What one trial hides."""

    def answer_of(self, hidden: Any) -> Any:
        """The right answer."""
        return hidden

    # Exploration.

    def begin(self, trial: Trial) -> Any:
        """No queries yet."""
        return 0

    def reply(self, trial: Trial, memory: Any, query: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """The fact, None where it is kept back, and the number of queries so far."""
        kept_back = self.every and (memory + 1) % self.every == 0
        return None if kept_back else self.fact(trial.hidden, memory, query, rng), memory + 1

    @abstractmethod
    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """The fact that answers a query after ``asked`` earlier ones."""

    def tell(self, query: Any, fact: Any) -> str:
        """A fact in words."""
        return "This reply is withheld." if fact is None else self.say(fact)

    @abstractmethod
    def say(self, fact: Any) -> str:
        """A fact that was not kept back, in words."""

    @property
    def withholding(self) -> str:
        """For the introduction: which replies are kept back."""
        if not self.every:
            return ""
        order = {2: "second", 3: "third"}[self.every]
        return (
            f" Every {order} reply is withheld (to queries {self.every}, {2 * self.every}, {3 * self.every} and so "
            "on): such a query uses a turn, but you learn nothing."
        )

    def reveal(self, trial: Trial) -> str:
        """The right answer."""
        return f"Hidden: {self.show_answer(self.value(trial, None))}."

    # The test.

    def value(self, trial: Trial, argument: Any) -> Any:
        """The right answer."""
        return self.answer_of(trial.hidden)


@dataclass(frozen=True, kw_only=True)
class Listed(Puzzle, ABC):
    """A puzzle whose hidden things are few enough to be listed, all equally probable."""

    equally_probable: ClassVar[bool] = True

    @abstractmethod
    def hypotheses(self) -> NDArray[Any]:
        """Everything that may be hidden, one row each; computed once for each size."""

    @abstractmethod
    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """The replies of some rows to a query, as numbers."""

    @abstractmethod
    def code(self, fact: Any) -> int:
        """The number of a fact that was not kept back."""

    @abstractmethod
    def answer_at(self, row: Any) -> Any:
        """What a row stands for."""

    def draw(self, rng: np.random.Generator) -> Any:
        """Any of them."""
        rows = self.hypotheses()
        return self.answer_at(rows[int(rng.integers(len(rows)))])

    def agreeing(self, observations: Observations, rows: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the rows that agree with the observations."""
        rows = self.hypotheses() if rows is None else rows
        for query, fact in observations:
            if fact is not None:
                rows = rows[self.codes(rows, query) == self.code(fact)]
        return rows

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """How many hidden things agree."""
        return len(self.agreeing(observations))


@functools.cache
def sizes(kind: type[Puzzle]) -> tuple[str, ...]:
    """The fields of a class of puzzles but for ``partial``."""
    return tuple(field.name for field in dataclasses.fields(kind) if field.name != "partial")


# Reading.


def given(body: str) -> str:
    """What was given, for reasons."""
    return repr(body[:40])


def tokens(body: str, dropped: Collection[str] = ()) -> list[str] | None:
    """The words of a text in small letters without brackets, commas and the like; None for what is far off.

    Args:
        body: any text.
        dropped: words that mean nothing here.
    """
    if len(body) > LONGEST or not body.isascii():
        return None
    found = [word.rstrip(".") for word in _GAPS.split(body.lower())]
    return [word for word in found if word and word not in dropped]


def integers(body: str, dropped: Collection[str] = ()) -> list[int] | None:
    """The whole numbers of a text that has nothing else; None for any other."""
    found = tokens(body, dropped)
    if found is None or not all(re.fullmatch(r"[+-]?[0-9]{1,6}", word) for word in found):
        return None
    return [int(word) for word in found]


def unreadable(body: str, legal: str) -> Unreadable:
    """Says what was given and what would be legal."""
    return Unreadable(f"I read {given(body)}; {legal}")


def cell_of(body: str, width: int, height: int) -> tuple[int, int] | Unreadable:
    """A cell (x, y) of a grid, from 1."""
    found = integers(body, ("x", "y", "cell"))
    if found is None or len(found) != 2 or not (1 <= found[0] <= width and 1 <= found[1] <= height):
        return unreadable(body, f"write a cell x y with x from 1 to {width} and y from 1 to {height}.")
    return found[0], found[1]


def cells(width: int, height: int) -> tuple[str, ...]:
    """All cells as text actions, row by row."""
    return tuple(f"<query>{x} {y}</query>" for y in range(1, height + 1) for x in range(1, width + 1))


# Marks of words, codes and equations.


def marks(rows: NDArray[np.uint8], query: NDArray[np.uint8]) -> NDArray[Any]:
    """How a guess is marked for each hidden row: 2 in its place, 1 elsewhere, 0 not, of shape (rows, length).

    A hidden letter serves one letter of the guess: first those in their places, then the others from left to right.
    """
    exact = rows == query
    found: NDArray[Any] = 2 * exact.astype(np.int64)
    for letter in set(query.tolist()):
        spare = ((rows == letter) & ~exact).sum(axis=1)
        for place in np.flatnonzero(query == letter):
            here = ~exact[:, place] & (spare > 0)
            found[here, place] = 1
            spare = spare - here
    return found


def marks_codes(found: NDArray[np.int64], counted: bool) -> NDArray[Any]:
    """Marks as one number a row: all of them, or how many are in place and how many elsewhere."""
    if counted:
        return np.asarray((found == 2).sum(axis=1) * 100 + (found == 1).sum(axis=1))
    return np.asarray(found @ (3 ** np.arange(found.shape[1], dtype=np.int64)))


def marks_text(hidden: str, guess: str) -> str:
    """The marks of one guess as letters A, M and X."""
    return "".join("XMA"[mark] for mark in marks(letters(hidden)[None], letters(guess))[0])


def marks_code(fact: Any) -> int:
    """The number of marks: a text of A, M and X, or the pair of the numbers of A and of M."""
    if isinstance(fact, str):
        return sum("XMA".index(mark) * 3**place for place, mark in enumerate(fact))
    return int(fact[0]) * 100 + int(fact[1])


def counted(text: str) -> tuple[int, int]:
    """How many marks are A, and how many M."""
    return text.count("A"), text.count("M")


def letters(text: str) -> NDArray[np.uint8]:
    """A text's characters as numbers."""
    return np.frombuffer(text.encode("ascii"), np.uint8)


def text_of(row: NDArray[np.uint8]) -> str:
    """The text of characters given as numbers."""
    return bytes(row.tolist()).decode("ascii")


MARKS = (
    "A if it is in its place, M if it is hidden in another place, X if it is not hidden. Each hidden character is used "
    "for one of yours only: first for one in its place, then for others from left to right. For example, if 22335 "
    "were hidden, 52322 would be marked MAAMX."
)
COUNTS = " The reply gives only how many A and how many M there are, not where."
