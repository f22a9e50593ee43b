"""Puzzles of letters and digits: hidden words, hidden codes."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Observations, Trial
from interactive_envs.black_box.puzzle.base import (
    COUNTS,
    LONGEST,
    MARKS,
    Listed,
    Puzzle,
    counted,
    letters,
    marks,
    marks_code,
    marks_codes,
    marks_text,
    text_of,
    tokens,
    unreadable,
)
from interactive_envs.parsing import Unreadable

LENGTHS = (5, 8, 11)
"""Of words there are lists of."""
SHOWN = "ABCDEFGHIJKLMNO"
"""Examples of queries come from here: no word, and no secret."""


@functools.cache
def words(length: int) -> NDArray[np.uint8]:
    """The words of a length, capital letters as numbers of shape (words, length)."""
    text = files("interactive_envs.black_box").joinpath("data", "words.txt").read_text(encoding="ascii")
    found = [word for line in text.splitlines() if not line.startswith("#") for word in line.split()]
    listed = np.array([list(word.upper().encode()) for word in found if len(word) == length], np.uint8)
    listed.flags.writeable = False
    return listed


@dataclass(frozen=True, kw_only=True)
class Words(Puzzle):
    """Common English words, different ones; a query is marked against each.

    Attributes:
        length: letters of each, one of ``LENGTHS``.
        count: how many.
    """

    kind: ClassVar[str] = "words"
    length: int
    count: int = 1

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on the length."""
        shown = SHOWN[: self.length]
        return f"<query>{shown}</query>", f"<answer>{' '.join([shown] * self.count)}</answer>"

    def introduction(self) -> str:
        """Words and marks."""
        what = (
            f"A common English word of {self.length} letters is hidden."
            if self.count == 1
            else f"{self.count} different common English words of {self.length} letters are hidden, in a fixed order."
        )
        each = "" if self.count == 1 else " Your query is marked against each of them, in order: 1, 2 and so on."
        return (
            f"{what} A query is any {self.length} letters, whether or not they form a word, e.g. "
            f"<query>{SHOWN[: self.length]}</query>."
            f"{each} Each letter is marked: {MARKS}{COUNTS if self.partial else ''}"
        )

    def examination(self) -> str:
        """The words."""
        what = "Give the word" if self.count == 1 else f"Give the {self.count} words in order"
        shown = " ".join(SHOWN[i : i + self.length] for i in range(self.count))
        right = "" if self.count == 1 else " All words must be right."
        return f"{what}, e.g. <answer>{shown}</answer>. Upper and lower case do not matter.{right}"

    def draw(self, rng: np.random.Generator) -> Any:
        """Different words from the list."""
        listed = words(self.length)
        return tuple(text_of(listed[i]) for i in rng.choice(len(listed), self.count, replace=False))

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Any letters, in capitals."""
        found = re.sub(r"[\s,.\"'`]+", "", body) if len(body) <= LONGEST else ""
        if not re.fullmatch(rf"[A-Za-z]{{{self.length}}}", found):
            return unreadable(body, f"write exactly {self.length} letters from A to Z.")
        return found.upper()

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """The marks for each hidden word."""
        marked = [marks_text(word, query) for word in hidden]
        return tuple(map(counted, marked)) if self.partial else tuple(marked)

    def say(self, fact: Any) -> str:
        """Marks, or their numbers."""
        marked = [f"{one[0]} A, {one[1]} M" if self.partial else one for one in fact]
        return marked[0] if self.count == 1 else "; ".join(f"{number}: {one}" for number, one in enumerate(marked, 1))

    def any_query(self, rng: np.random.Generator) -> str:
        """A word from the list."""
        listed = words(self.length)
        return f"<query>{text_of(listed[int(rng.integers(len(listed)))])}</query>"

    def question(self, trial: Trial, argument: Any) -> str:
        """Which words."""
        return "Which word is hidden?" if self.count == 1 else f"Which {self.count} words are hidden?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """The words, in capitals."""
        found = tokens(body, ("and",)) or []
        if self.count == 1:
            found = ["".join(found)]
        if len(found) != self.count or not all(re.fullmatch(rf"[a-z]{{{self.length}}}", word) for word in found):
            many = "one word" if self.count == 1 else f"{self.count} words"
            return unreadable(body, f"write {many} of {self.length} letters.")
        return tuple(word.upper() for word in found)

    def show_answer(self, truth: Any) -> str:
        """The words."""
        return " ".join(truth)

    # Menus: of queries there is no end worth listing, but the list's words are a good menu.

    @property
    def queries(self) -> Sequence[str] | None:
        """The list's words, where one is hidden."""
        return _menu(self.length, "query") if self.count == 1 else None

    @property
    def n_queries(self) -> int | None:
        """Any letters are a query."""
        return int(26**self.length)

    @property
    def answers(self) -> Sequence[str] | None:
        """The list's words, where one is hidden."""
        return _menu(self.length, "answer") if self.count == 1 else None

    @property
    def turn_size(self) -> int:
        """A letter of the query, A, M for each place; partial: the letters, then the numbers of A and of M."""
        return self.length + 2 * self.count if self.partial else self.length * (1 + 2 * self.count)

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """See :attr:`turn_size`."""
        asked = [(ord(letter) - ord("A")) / 25 for letter in query]
        if fact is None:
            return [*asked, *([0.0] * (self.turn_size - len(asked)))]
        if self.partial:
            return [*asked, *(number / self.length for one in fact for number in one)]
        return [*asked, *(float(mark == kind) for one in fact for mark in one for kind in "AM")]

    # Hypotheses: each word by itself, and how many ways there are to choose different ones.

    def boards(self, observations: Observations) -> list[NDArray[Any]]:
        """For each hidden word, the numbers of those in the list that agree with the observations."""
        listed = words(self.length)
        return [self.agreeing(listed, observations, board) for board in range(self.count)]

    def agreeing(self, listed: NDArray[np.uint8], observations: Observations, board: int) -> NDArray[Any]:
        """Numbers of rows that agree with the observations of one hidden word."""
        kept = np.arange(len(listed))
        for query, fact in observations:
            kept = kept[self.codes(listed[kept], query) == marks_code(fact[board])]
        return kept

    def codes(self, rows: NDArray[np.uint8], query: str) -> NDArray[Any]:
        """The marks of a query for some words, as numbers."""
        return marks_codes(marks(rows, letters(query)), self.partial)

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """Sequences of different words that agree."""
        return different(self.boards(observations))


def different(boards: Sequence[NDArray[np.intp]]) -> int:
    """How many sequences of different members there are, one of each set: inclusion and exclusion over partitions."""
    sets = [frozenset(board.tolist()) for board in boards]
    total = 0
    for blocks in _partitions(len(sets)):
        term = 1
        for block in blocks:
            # A block of b equal members counts with the sign and number of the cyclic orders of b.
            sign = (-1) ** (len(block) - 1)
            for factor in range(2, len(block)):
                sign *= factor
            term *= sign * len(frozenset.intersection(*(sets[i] for i in block)))
        total += term
    return total


def _partitions(count: int) -> Iterator[list[list[int]]]:
    if count == 0:
        yield []
        return
    for blocks in _partitions(count - 1):
        for i, block in enumerate(blocks):
            yield [*blocks[:i], [*block, count - 1], *blocks[i + 1 :]]
        yield [*blocks, [count - 1]]


@functools.cache
def _menu(length: int, tag: str) -> tuple[str, ...]:
    return tuple(f"<{tag}>{text_of(row)}</{tag}>" for row in words(length))


@dataclass(frozen=True, kw_only=True)
class Digits(Listed):
    """A hidden code of digits.

    Attributes:
        length: digits.
        distinct: no digit occurs twice in it.
    """

    kind: ClassVar[str] = "code"
    length: int
    distinct: bool

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on the length."""
        return f"<query>{'9876543210'[: self.length]}</query>", f"<answer>{'9876543210'[: self.length]}</answer>"

    def introduction(self) -> str:
        """Digits and marks."""
        distinct = "all different" if self.distinct else "which may repeat"
        reply = (
            "how many of its digits occur in the code, in the same place or in another"
            if self.partial
            else "how many of its digits are in the right place (bulls), and how many others occur elsewhere (cows)"
        )
        return (
            f"A code of {self.length} digits from 0 to 9, {distinct}, is hidden; it may begin with 0. A query is any "
            f"{self.length} digits, such as <query>{'9876543210'[: self.length]}</query>. The reply says {reply}. "
            "Each digit of the code is used for one of yours only."
        )

    def any_query(self, rng: np.random.Generator) -> str:
        """Any digits."""
        return f"<query>{''.join(map(str, rng.integers(10, size=self.length)))}</query>"

    def examination(self) -> str:
        """The code."""
        return f"Give the code, e.g. <answer>{'9876543210'[: self.length]}</answer>."

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Any digits."""
        found = "".join(tokens(body) or ())
        if not re.fullmatch(rf"[0-9]{{{self.length}}}", found):
            return unreadable(body, f"write exactly {self.length} digits.")
        return found

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """The numbers of bulls and cows; partial: their sum."""
        bulls, cows = counted(marks_text(hidden, query))
        return bulls + cows if self.partial else (bulls, cows)

    def say(self, fact: Any) -> str:
        """Bulls and cows, or how many in all."""
        return f"{fact} in all" if self.partial else f"bulls {fact[0]}, cows {fact[1]}"

    def question(self, trial: Trial, argument: Any) -> str:
        """Which code."""
        return "Which code is hidden?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """Any digits."""
        return self.read_query("", body, None)

    def hypotheses(self) -> NDArray[Any]:
        """All codes, characters as numbers."""
        return _codes(self.length, self.distinct)

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """A hundred times the bulls and the cows, or their sum."""
        found = marks(rows, letters(query))
        return (found > 0).sum(axis=1) if self.partial else marks_codes(found, True)

    def code(self, fact: Any) -> int:
        """The same of a fact."""
        return int(fact) if self.partial else marks_code(fact)

    def answer_at(self, row: Any) -> Any:
        """The code's text."""
        return text_of(row)


@functools.cache
def _codes(length: int, distinct: bool) -> NDArray[np.uint8]:
    several = itertools.permutations(range(10), length) if distinct else itertools.product(range(10), repeat=length)
    flat = np.fromiter(itertools.chain.from_iterable(several), np.uint8)
    return (flat + ord("0")).astype(np.uint8).reshape(-1, length)
