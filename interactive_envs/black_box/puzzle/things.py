"""Puzzles of things to try, compare or place: machines, integers, lines and ships, nuts and bolts."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Trial
from interactive_envs.black_box.puzzle.base import (
    LONGEST,
    Listed,
    Puzzle,
    cell_of,
    cells,
    integers,
    tokens,
    unreadable,
)
from interactive_envs.parsing import Unreadable

ARMS = "ABCDEFGH"


@dataclass(frozen=True, kw_only=True)
class Arms(Puzzle):
    """Machines that pay with different probabilities.

    Attributes:
        chances: the probabilities, the greatest first and greater than the others.
    """

    kind: ClassVar[str] = "machines"

    @property
    def examples(self) -> tuple[str, ...]:
        """A query and an answer."""
        return ("<query>A</query>", "<answer>B</answer>")

    chances: tuple[float, ...]

    @property
    def every(self) -> int:
        """Every other reward is kept back."""
        return 2 if self.partial else 0

    def introduction(self) -> str:
        """Machines and chances."""
        names, chances = ", ".join(self._names), ", ".join(f"{chance:g}" for chance in self.chances)
        return (
            f"There are {len(self.chances)} machines, {names}. Each time one is played it pays 1 or 0, independently "
            f"of all other plays. Their probabilities of paying 1 are {chances}; which machine has which is hidden, "
            "and every order is equally likely. A query plays one machine once: <query>A</query>. The reply is what "
            f"it pays.{self.withholding}"
        )

    def examination(self) -> str:
        """The best one."""
        return f"Name the machine that pays with probability {self.chances[0]:g}, e.g. <answer>B</answer>."

    def draw(self, rng: np.random.Generator) -> Any:
        """The chances in some order."""
        return tuple(self.chances[i] for i in rng.permutation(len(self.chances)))

    def answer_of(self, hidden: Any) -> Any:
        """The best one's name."""
        return ARMS[hidden.index(self.chances[0])]

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """A machine."""
        found = tokens(body, ("machine", "bandit", "arm", "play")) or []
        if len(found) != 1 or found[0].upper() not in list(self._names):
            return unreadable(body, f"name one machine: {', '.join(self._names)}.")
        return found[0].upper()

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """1 or 0."""
        return int(rng.random() < hidden[ARMS.index(query)])

    def say(self, fact: Any) -> str:
        """The reward."""
        return f"Reward: {fact}"

    def question(self, trial: Trial, argument: Any) -> str:
        """Which one."""
        return "Which machine is the best?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """A machine."""
        return self.read_query("", body, None)

    @property
    def queries(self) -> Sequence[str] | None:
        """The machines."""
        return tuple(f"<query>{name}</query>" for name in self._names)

    @property
    def answers(self) -> Sequence[str] | None:
        """The machines."""
        return tuple(f"<answer>{name}</answer>" for name in self._names)

    @property
    def turn_size(self) -> int:
        """Which machine, whether the reward was given, the reward."""
        return len(self.chances) + 2

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """See :attr:`turn_size`."""
        return [*(float(name == query) for name in self._names), float(fact is not None), float(fact or 0)]

    @property
    def _names(self) -> str:
        return ARMS[: len(self.chances)]


@dataclass(frozen=True, kw_only=True)
class Integer(Listed):
    """A whole number.

    Attributes:
        largest: it is one from 0 to this.
        close: replies say whether it is at most so far away; 0: they say whether it is higher or lower.
    """

    kind: ClassVar[str] = "integer"

    @property
    def examples(self) -> tuple[str, ...]:
        """A query and an answer."""
        return ("<query>7</query>", "<answer>7</answer>")

    largest: int
    close: int = 0

    @property
    def every(self) -> int:
        """Every third reply is kept back."""
        return 3 if self.partial else 0

    def introduction(self) -> str:
        """What is compared."""
        if self.close:
            reply = (
                f"Close if your integer is at most {self.close} away from the hidden one (or equal to it), Far if it "
                f"is more than {self.close} away"
            )
        else:
            reply = (
                "Higher if the hidden integer is greater than yours, Lower if it is less, Equal if they are equal; "
                "Equal does not end your turns"
            )
        return (
            f"An integer from 0 to {self.largest} is hidden. A query is an integer in this range, such as "
            f"<query>7</query>. The reply is {reply}.{self.withholding}"
        )

    def examination(self) -> str:
        """The integer."""
        return "Give the hidden integer, e.g. <answer>7</answer>."

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """An integer in range."""
        found = integers(body, ("number", "integer"))
        if found is None or len(found) != 1 or not 0 <= found[0] <= self.largest:
            return unreadable(body, f"write one integer from 0 to {self.largest}.")
        return found[0]

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """Close or Far; Higher, Lower or Equal."""
        if self.close:
            return "Close" if abs(hidden - query) <= self.close else "Far"
        return "Higher" if hidden > query else "Lower" if hidden < query else "Equal"

    def say(self, fact: Any) -> str:
        """The word itself."""
        return f"{fact}."

    def question(self, trial: Trial, argument: Any) -> str:
        """Which one."""
        return "Which integer is hidden?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """An integer in range."""
        return self.read_query("", body, None)

    def hypotheses(self) -> NDArray[Any]:
        """All integers in range."""
        return np.arange(self.largest + 1)

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """1 for Close; 1, 0, -1 for Higher, Equal, Lower."""
        if self.close:
            return np.asarray(np.abs(rows - query) <= self.close, np.int64)
        return np.asarray(np.sign(rows - query))

    def code(self, fact: Any) -> int:
        """The same of a fact."""
        return {"Close": 1, "Far": 0, "Higher": 1, "Equal": 0, "Lower": -1}[fact]

    def answer_at(self, row: Any) -> Any:
        """The integer."""
        return int(row)

    @property
    def queries(self) -> Sequence[str] | None:
        """All integers in range."""
        return tuple(f"<query>{value}</query>" for value in range(self.largest + 1))

    @property
    def answers(self) -> Sequence[str] | None:
        """All integers in range."""
        return tuple(f"<answer>{value}</answer>" for value in range(self.largest + 1))

    @property
    def turn_size(self) -> int:
        """The query, whether there was a reply, Close or Higher, Lower."""
        return 4

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """See :attr:`turn_size`."""
        return [
            query / self.largest,
            float(fact is not None),
            float(fact in ("Close", "Higher")),
            float(fact == "Lower"),
        ]


@dataclass(frozen=True, kw_only=True)
class Grid(Listed):
    """A rectangle of cells in a grid: a whole row or column, or any one.

    Attributes:
        width: columns; x goes from 1 on the left.
        height: rows; y goes from 1 at the top.
        sides: the least and the greatest side of the rectangle in cells; None for a whole row or column.
    """

    kind: ClassVar[str] = "grid"
    width: int
    height: int
    sides: tuple[int, int] | None = None

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on what is hidden."""
        return "<query>1 2</query>", "<answer>row 2</answer>" if self.sides is None else "<answer>1 2 1 2</answer>"

    @property
    def every(self) -> int:
        """Every third reply is kept back."""
        return 3 if self.partial else 0

    def introduction(self) -> str:
        """The grid and what hides in it."""
        what = "a whole row or a whole column"
        if self.sides is not None:
            what = f"a rectangle of cells with sides of {self.sides[0]} to {self.sides[1]} cells"
        return (
            f"In a grid of {self.width} columns and {self.height} rows, {what} is hidden. The cell x y is in column x, "
            "counted from 1 on the left, and in row y, counted from 1 at the top. A query is a cell, such as "
            f"<query>1 2</query> for the first cell of row 2. The reply is hit or miss.{self.withholding}"
        )

    def examination(self) -> str:
        """Which row, column or rectangle."""
        if self.sides is None:
            return "Name the row or the column, e.g. <answer>row 2</answer> or <answer>column 5</answer>."
        return (
            "Give two opposite corners of the rectangle as x y x y, e.g. <answer>1 2 3 5</answer> for columns 1 to 3 "
            "of rows 2 to 5."
        )

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """A cell."""
        return cell_of(body, self.width, self.height)

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """Hit or miss."""
        x1, y1, x2, y2 = self._corners(hidden)
        return "hit" if x1 <= query[0] <= x2 and y1 <= query[1] <= y2 else "miss"

    def say(self, fact: Any) -> str:
        """The word itself."""
        return f"{fact.capitalize()}."

    def question(self, trial: Trial, argument: Any) -> str:
        """Which row, column or rectangle."""
        return "Which row or column is hidden?" if self.sides is None else "Which rectangle is hidden?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """The pair of ``row`` or ``column`` and its number, or the corners in order."""
        if self.sides is None:
            found = tokens(body) or []
            sides = {"row": self.height, "column": self.width, "col": self.width}
            legal = len(found) == 2 and found[0] in sides and re.fullmatch("[0-9]{1,6}", found[1])
            if legal and 1 <= int(found[1]) <= sides[found[0]]:
                return ("row" if found[0] == "row" else "column", int(found[1]))
            return unreadable(body, f"write row and 1 to {self.height}, or column and 1 to {self.width}.")
        numbers = integers(body, ("x", "y", "to"))
        if numbers is not None and len(numbers) == 4:
            x1, x2 = sorted(numbers[::2])
            y1, y2 = sorted(numbers[1::2])
            if x1 >= 1 and y1 >= 1 and x2 <= self.width and y2 <= self.height:
                return (x1, y1, x2, y2)
        return unreadable(body, f"write x y x y with x from 1 to {self.width} and y from 1 to {self.height}.")

    def show_answer(self, truth: Any) -> str:
        """As a player writes it."""
        return " ".join(map(str, truth))

    def hypotheses(self) -> NDArray[Any]:
        """Corners x1, y1, x2, y2 of all rectangles."""
        return _rectangles(self.width, self.height, self.sides)

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """1 for a hit."""
        (x, y), (x1, y1, x2, y2) = query, rows.T
        return np.asarray((x1 <= x) & (x <= x2) & (y1 <= y) & (y <= y2), np.int64)

    def code(self, fact: Any) -> int:
        """The same of a fact."""
        return int(fact == "hit")

    def answer_at(self, row: Any) -> Any:
        """A row, a column, corners."""
        x1, y1, x2, y2 = map(int, row)
        if self.sides is not None:
            return (x1, y1, x2, y2)
        return ("row", y1) if y1 == y2 and (x1, x2) == (1, self.width) else ("column", x1)

    def _corners(self, hidden: Any) -> tuple[int, int, int, int]:
        if self.sides is not None:
            x1, y1, x2, y2 = hidden
            return x1, y1, x2, y2
        line, number = hidden
        return (1, number, self.width, number) if line == "row" else (number, 1, number, self.height)

    @property
    def queries(self) -> Sequence[str] | None:
        """All cells."""
        return cells(self.width, self.height)

    @property
    def answers(self) -> Sequence[str] | None:
        """All rows, columns, rectangles."""
        return tuple(f"<answer>{self.show_answer(self.answer_at(row))}</answer>" for row in self.hypotheses())

    @property
    def turn_size(self) -> int:
        """Column, row, whether there was a reply, a hit."""
        return 4

    def encode_turn(self, query: Any, fact: Any) -> Sequence[float]:
        """See :attr:`turn_size`."""
        return [query[0] / self.width, query[1] / self.height, float(fact is not None), float(fact == "hit")]


@functools.cache
def _rectangles(width: int, height: int, sides: tuple[int, int] | None) -> NDArray[np.int64]:
    if sides is None:
        rows = [(1, y, width, y) for y in range(1, height + 1)]
        return np.array([*rows, *((x, 1, x, height) for x in range(1, width + 1))])
    lengths = range(sides[0] - 1, sides[1])
    spans = [[(a, a + n) for n in lengths for a in range(1, side - n + 1)] for side in (width, height)]
    return np.array([(x1, y1, x2, y2) for (x1, x2), (y1, y2) in itertools.product(*spans)])


@dataclass(frozen=True, kw_only=True)
class Ships(Listed):
    """Ships in a grid: straight, none touching another, not even at a corner.

    Attributes:
        width: columns, at most 8.
        height: rows, at most 8.
        lengths: of the ships in cells, the longest first.
    """

    kind: ClassVar[str] = "ships"
    partial_marks: ClassVar[bool] = True
    width: int
    height: int
    lengths: tuple[int, ...]

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on the size."""
        empty = " ".join(["0" * self.width] * self.height)
        return "<query>1 2</query>", f"<answer>{empty}</answer>"

    @property
    def every(self) -> int:
        """Every third reply is kept back."""
        return 3 if self.partial else 0

    def introduction(self) -> str:
        """The grid and the ships."""
        lengths = " and ".join(filter(None, (", ".join(map(str, self.lengths[:-1])), str(self.lengths[-1]))))
        grid = f"in a grid of {self.width} columns and {self.height} rows"
        if len(self.lengths) == 1:
            what = (
                f"A ship of {lengths} cells is hidden {grid}. It occupies neighbouring cells of one row or one column."
            )
        else:
            what = (
                f"Ships of {lengths} cells are hidden {grid}. Each occupies neighbouring cells of one row or one "
                "column. No two ships share a cell or touch, not even at a corner."
            )
        return (
            f"{what} The cell x y is in column x, counted from 1 on the left, and in row y, counted from 1 at the top. "
            "A query is a cell, such as "
            f"<query>1 2</query> for the first cell of row 2. The reply is hit or miss.{self.withholding}"
        )

    def examination(self) -> str:
        """The grid."""
        shown = " ".join(["1" + "0" * (self.width - 1), *["0" * self.width] * (self.height - 1)])
        return (
            f"Give the whole grid, row by row from the top, 1 for a cell of a ship and 0 for any other: {self.height} "
            f"rows of {self.width} digits, e.g. <answer>{shown}</answer>. The mark is the number of ship cells that "
            "you find less the number of other cells that you take for ship cells, divided by the number of ship "
            "cells; it is never less than 0."
        )

    def draw(self, rng: np.random.Generator) -> Any:
        """Any placement: ships put down independently, all again until none touches another."""
        kinds = [_places(self.width, self.height, length) for length in self.lengths]
        for _ in range(1_000):
            picks = [rng.integers(len(places), size=256) for places, _ in kinds]
            whole, halo = np.zeros(256, np.uint64), np.zeros(256, np.uint64)
            good = np.ones(256, bool)
            for (places, halos), pick in zip(kinds, picks, strict=True):
                good &= (places[pick] & halo) == 0
                whole, halo = whole | places[pick], halo | halos[pick]
            if good.any():
                return self.answer_at(whole[int(good.argmax())])
        return super().draw(rng)  # so crowded that the list is short

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """A cell."""
        return cell_of(body, self.width, self.height)

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """Hit or miss."""
        return "hit" if hidden[query[1] - 1][query[0] - 1] == "1" else "miss"

    def say(self, fact: Any) -> str:
        """The word itself."""
        return f"{fact.capitalize()}."

    def question(self, trial: Trial, argument: Any) -> str:
        """The grid."""
        return "Where are the ships?" if len(self.lengths) > 1 else "Where is the ship?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """Rows of 0 and 1."""
        found = "".join(tokens(body) or ()) if len(body) <= LONGEST else ""
        if not re.fullmatch(rf"[01]{{{self.width * self.height}}}", found):
            return unreadable(body, f"write {self.height} rows of {self.width} digits, each 0 or 1.")
        return tuple(found[i : i + self.width] for i in range(0, len(found), self.width))

    def mark(self, truth: Any, answer: Any) -> float:
        """Ship cells found less cells wrongly taken for some, as a part of all ship cells, at least 0."""
        pairs = list(zip("".join(truth), "".join(answer), strict=True))
        return max(0, pairs.count(("1", "1")) - pairs.count(("0", "1"))) / sum(self.lengths)

    def show_answer(self, truth: Any) -> str:
        """The rows."""
        return " ".join(truth)

    def hypotheses(self) -> NDArray[Any]:
        """All placements, each the number whose bit ``width * (y - 1) + x - 1`` is set for a cell of a ship."""
        return _placements(self.width, self.height, self.lengths)

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """1 for a hit."""
        bit = np.uint64(self.width * (query[1] - 1) + query[0] - 1)
        return ((rows >> bit) & np.uint64(1)).astype(np.int64)

    def code(self, fact: Any) -> int:
        """The same of a fact."""
        return int(fact == "hit")

    def answer_at(self, row: Any) -> Any:
        """The rows of the grid."""
        bits = [str(int(row) >> i & 1) for i in range(self.width * self.height)]
        return tuple("".join(bits[i : i + self.width]) for i in range(0, len(bits), self.width))

    @property
    def queries(self) -> Sequence[str] | None:
        """All cells."""
        return cells(self.width, self.height)


@functools.cache
def _places(width: int, height: int, length: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """All places of a ship, and of each the cells where no other may be: itself and its neighbours."""
    found = []
    for y, x in itertools.product(range(height), range(width)):
        for right, down in ((1, 0), (0, 1))[: 1 if length == 1 else 2]:
            x2, y2 = x + right * (length - 1), y + down * (length - 1)
            if x2 < width and y2 < height:
                found.append((_bits(width, height, x, y, x2, y2), _bits(width, height, x - 1, y - 1, x2 + 1, y2 + 1)))
    both = np.array(found, np.uint64)
    return both[:, 0], both[:, 1]


def _bits(width: int, height: int, x1: int, y1: int, x2: int, y2: int) -> int:
    columns, rows = range(max(0, x1), min(width - 1, x2) + 1), range(max(0, y1), min(height - 1, y2) + 1)
    return sum(1 << (width * y + x) for y in rows for x in columns)


@functools.lru_cache(maxsize=4)
def _placements(width: int, height: int, lengths: tuple[int, ...]) -> NDArray[np.uint64]:
    whole, halo = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    last, before = np.zeros(1, np.int16), 0
    for length in lengths:
        places, halos = _places(width, height, length)
        parts = []
        for number, (place, around) in enumerate(zip(places, halos, strict=True)):
            fits = (halo & place) == 0
            if length == before:  # equal ships: in order, so that each placement is listed once
                fits &= last < number
            parts.append((whole[fits] | place, halo[fits] | around, np.full(int(fits.sum()), number, np.int16)))
        whole, halo, last = (np.concatenate(column) for column in zip(*parts, strict=True))
        before = length
    whole.flags.writeable = False
    return whole


@dataclass(frozen=True, kw_only=True)
class Nuts(Listed):
    """Nuts and the bolts they fit, compared a few at a time.

    Attributes:
        count: nuts, and bolts.
        pairs: comparisons a query.
    """

    kind: ClassVar[str] = "nuts"
    count: int
    pairs: int

    @property
    def examples(self) -> tuple[str, ...]:
        """They depend on the sizes."""
        return f"<query>{self._shown}</query>", f"<answer>{' '.join(map(str, range(1, self.count + 1)))}</answer>"

    def introduction(self) -> str:
        """Nuts and bolts."""
        reply = "whether the nut fits the bolt" if self.partial else "whether the nut is too small, too large, or fits"
        each = "one comparison" if self.pairs == 1 else f"{self.pairs} comparisons, each"
        order = "" if self.pairs == 1 else ", for each comparison in order"
        return (
            f"There are {self.count} bolts, numbered 1 to {self.count} from the thinnest to the thickest, and "
            f"{self.count} nuts, numbered 1 to {self.count} in an unknown order. Each nut fits exactly one bolt, and "
            f"each bolt exactly one nut. A query is {each} of a nut with a bolt, written nut-bolt: "
            f"<query>{self._shown}</query>. A nut or bolt may be used more than once. The reply says {reply}{order}."
        )

    def examination(self) -> str:
        """The bolt of each nut."""
        shown = " ".join(str(number) for number in range(self.count, 0, -1))
        return f"For nut 1, nut 2 and so on give the bolt it fits, e.g. <answer>{shown}</answer>. All must be right."

    def any_query(self, rng: np.random.Generator) -> str:
        """Any nuts with any bolts."""
        drawn = rng.integers(1, self.count + 1, size=(self.pairs, 2))
        return f"<query>{', '.join(f'{nut}-{bolt}' for nut, bolt in drawn.tolist())}</query>"

    def draw(self, rng: np.random.Generator) -> Any:
        """A permutation."""
        return tuple(int(bolt) + 1 for bolt in rng.permutation(self.count))

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """Pairs of a nut and a bolt."""
        text = re.sub(r"(?<=[0-9])\s*-\s*(?=[A-Za-z0-9])", " ", body[:LONGEST]) + body[LONGEST:]
        found = integers(text, ("nut", "nuts", "bolt", "bolts", "with"))
        if found is None or len(found) != 2 * self.pairs or not all(1 <= one <= self.count for one in found):
            many = "one comparison" if self.pairs == 1 else f"{self.pairs} comparisons"
            return unreadable(body, f"write {many} nut-bolt with numbers from 1 to {self.count}.")
        return tuple(zip(found[::2], found[1::2], strict=True))

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """A word for each pair."""
        found = []
        for nut, bolt in query:
            size = hidden[nut - 1]
            found.append("fits" if size == bolt else "no" if self.partial else "small" if size < bolt else "large")
        return tuple(found)

    def say(self, fact: Any) -> str:
        """The words."""
        words = {"small": "too small", "large": "too large", "fits": "fits", "no": "does not fit"}
        return ", ".join(words[one] for one in fact) + "."

    def show_query(self, query: Any) -> str:
        """Pairs."""
        return ", ".join(f"{nut}-{bolt}" for nut, bolt in query)

    def question(self, trial: Trial, argument: Any) -> str:
        """All pairs."""
        return "Which bolt does each nut fit?"

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """A permutation."""
        found = integers(body)
        if found is None or sorted(found) != list(range(1, self.count + 1)):
            return unreadable(body, f"write each number from 1 to {self.count} once, in the order of the nuts.")
        return tuple(found)

    def show_answer(self, truth: Any) -> str:
        """The bolts in the order of the nuts."""
        return " ".join(map(str, truth))

    def hypotheses(self) -> NDArray[Any]:
        """All permutations: the bolt of each nut."""
        return _permutations(self.count)

    def codes(self, rows: NDArray[Any], query: Any) -> NDArray[Any]:
        """Per pair 0 small, 1 fits, 2 large, in base 3; partial: 1 fits, 0 not."""
        found = np.zeros(len(rows), np.int64)
        for nut, bolt in query:
            sign = np.sign(rows[:, nut - 1] - bolt)
            found = found * 3 + (sign == 0 if self.partial else sign + 1)
        return found

    def code(self, fact: Any) -> int:
        """The same of a fact."""
        found = 0
        for one in fact:
            found = found * 3 + {"small": 0, "no": 0, "fits": 1, "large": 2}[one]
        return found

    def answer_at(self, row: Any) -> Any:
        """The permutation."""
        return tuple(map(int, row))

    @property
    def _shown(self) -> str:
        return ", ".join(f"{nut}-{nut % self.count + 1}" for nut in range(1, self.pairs + 1))


@functools.cache
def _permutations(count: int) -> NDArray[np.int8]:
    flat = np.fromiter(itertools.chain.from_iterable(itertools.permutations(range(1, count + 1))), np.int8)
    return flat.reshape(-1, count)
