"""Finite sets of values, each value a row of choices: what a ``MultiDiscrete`` action says, and what an array tells.

A form has a size for each of its places. Every row of numbers below the sizes means a value (:meth:`Form.value`), so
that no action is without a meaning; several rows may mean the same one, of which :meth:`Form.row` gives one.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Row = tuple[int, ...]


class Form(ABC):
    """A finite set of values."""

    @property
    @abstractmethod
    def sizes(self) -> Row:
        """How many choices each place has, at least one."""

    @abstractmethod
    def value(self, row: Sequence[int]) -> Any:
        """What a row means; every row within the sizes means something."""

    @abstractmethod
    def row(self, value: Any) -> Row:
        """A row that means a value.

        Raises:
            ValueError: the value is not in the set.
        """

    def features(self, value: Any) -> list[float]:
        """A value as numbers from 0 to 1, one a place, different for different values of the set."""
        return [place / max(1, size - 1) for place, size in zip(self.row(value), self.sizes, strict=True)]


@dataclass(frozen=True)
class Choice(Form):
    """One of some values."""

    values: tuple[Hashable, ...]

    @property
    def sizes(self) -> Row:
        """One place."""
        return (len(self.values),)

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {value: place for place, value in enumerate(self.values)}

    def value(self, row: Sequence[int]) -> Any:
        """The value in this place."""
        return self.values[row[0]]

    def row(self, value: Any) -> Row:
        """Its place."""
        if value not in self._places:
            raise ValueError(f"{value!r} is none of {len(self.values)} values")
        return (self._places[value],)


@dataclass(frozen=True)
class Whole(Form):
    """A whole number, digit by digit where there are more than ``most_choices``.

    Attributes:
        least: the least one.
        most: the greatest one.
        most_choices: of a single place.
    """

    least: int
    most: int
    most_choices: int = 200

    @cached_property
    def sizes(self) -> Row:
        """One place, or a sign where there are negative ones, and a place for each digit, the highest first."""
        if self.most - self.least < self.most_choices:
            return (self.most - self.least + 1,)
        digits = len(str(max(abs(self.least), abs(self.most))))
        return (*((2,) if self.least < 0 else ()), *((10,) * digits))

    def value(self, row: Sequence[int]) -> int:
        """The number, the nearest one within the bounds."""
        if len(self.sizes) == 1 and self.sizes[0] == self.most - self.least + 1:
            return self.least + row[0]
        digits = row[1:] if self.least < 0 else row
        number = int("".join(map(str, digits)))
        return min(self.most, max(self.least, -number if self.least < 0 and row[0] else number))

    def row(self, value: Any) -> Row:
        """Its digits."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise ValueError(f"{value!r} is no whole number from {self.least} to {self.most}")
        if len(self.sizes) == 1 and self.sizes[0] == self.most - self.least + 1:
            return (value - self.least,)
        sign = (int(value < 0),) if self.least < 0 else ()
        digits = len(self.sizes) - len(sign)
        return (*sign, *map(int, f"{abs(value):0{digits}d}"))


@dataclass(frozen=True)
class Decimal(Form):
    """A number with so many decimals, digit by digit."""

    least: float
    most: float
    decimals: int

    @cached_property
    def _whole(self) -> Whole:
        scale: int = 10**self.decimals
        return Whole(math.ceil(self.least * scale - 1e-6), math.floor(self.most * scale + 1e-6), most_choices=1)

    @property
    def sizes(self) -> Row:
        """A sign where there are negative ones, and the digits."""
        return self._whole.sizes

    def value(self, row: Sequence[int]) -> float:
        """The number, the nearest one within the bounds."""
        return float(self._whole.value(row) / 10**self.decimals)

    def row(self, value: Any) -> Row:
        """Its digits, rounded."""
        return self._whole.row(round(float(value) * 10**self.decimals))


@dataclass(frozen=True)
class Several(Form):
    """A value of each of some forms: a tuple."""

    forms: tuple[Form, ...]

    @cached_property
    def sizes(self) -> Row:
        """Those of the forms, one after the other."""
        return tuple(itertools.chain.from_iterable(form.sizes for form in self.forms))

    def value(self, row: Sequence[int]) -> Any:
        """A tuple."""
        rest = iter(row)
        return tuple(form.value(tuple(itertools.islice(rest, len(form.sizes)))) for form in self.forms)

    def row(self, value: Any) -> Row:
        """The rows of the parts."""
        if not isinstance(value, tuple | list) or len(value) != len(self.forms):
            raise ValueError(f"{value!r} has not {len(self.forms)} parts")
        pairs = zip(self.forms, value, strict=True)
        return tuple(itertools.chain.from_iterable(form.row(part) for form, part in pairs))


@dataclass(frozen=True)
class Listed(Form):
    """A tuple of values of one form, of any length within bounds; what lies behind the length is 0."""

    form: Form
    shortest: int
    longest: int

    @cached_property
    def sizes(self) -> Row:
        """The length, and the longest list's elements."""
        return (self.longest - self.shortest + 1, *(self.form.sizes * self.longest))

    def value(self, row: Sequence[int]) -> Any:
        """A tuple."""
        width = len(self.form.sizes)
        starts = range(1, 1 + width * (self.shortest + row[0]), width)
        return tuple(self.form.value(row[start : start + width]) for start in starts)

    def row(self, value: Any) -> Row:
        """Its length and elements."""
        if not isinstance(value, tuple | list) or not self.shortest <= len(value) <= self.longest:
            raise ValueError(f"{value!r} is no list of {self.shortest} to {self.longest}")
        parts = itertools.chain.from_iterable(map(self.form.row, value))
        row = (len(value) - self.shortest, *parts)
        return row + (0,) * (len(self.sizes) - len(row))


@dataclass(frozen=True)
class Order(Form):
    """A permutation of some values: each place chooses among those that are left."""

    values: tuple[Hashable, ...]

    @property
    def sizes(self) -> Row:
        """One choice fewer at each place; the last has one."""
        return tuple(range(len(self.values), 0, -1))

    def value(self, row: Sequence[int]) -> Any:
        """A tuple of all values."""
        left = list(self.values)
        return tuple(left.pop(place) for place in row)

    def row(self, value: Any) -> Row:
        """The choices."""
        if not isinstance(value, tuple | list) or sorted(value) != sorted(self.values):  # type: ignore[type-var]
            raise ValueError(f"{value!r} is no order of the {len(self.values)} values")
        left, row = list(self.values), []
        for one in value:
            row.append(left.index(one))
            left.remove(one)
        return tuple(row)


@dataclass(frozen=True)
class OneOf(Form):
    """A value of one of some forms: which, then its row; all forms have the same places.

    Attributes:
        forms: in order; a value is of the first that has it.
    """

    forms: tuple[Form, ...]

    @cached_property
    def sizes(self) -> Row:
        """Which one, and of each place the largest size."""
        columns = itertools.zip_longest(*(form.sizes for form in self.forms), fillvalue=1)
        return (len(self.forms), *map(max, columns))

    def value(self, row: Sequence[int]) -> Any:
        """The value of the form that the first place names; a number above its size counts from 0 again."""
        form = self.forms[row[0]]
        return form.value(tuple(place % size for place, size in zip(row[1:], form.sizes, strict=False)))

    def row(self, value: Any) -> Row:
        """Of the first form that has it."""
        for which, form in enumerate(self.forms):
            try:
                found = (which, *form.row(value))
            except ValueError:
                continue
            return found + (0,) * (len(self.sizes) - len(found))
        raise ValueError(f"{value!r} is of none of {len(self.forms)} forms")


@dataclass(frozen=True)
class As(Form):
    """A form whose values are written otherwise, such as a text for the tuple of its letters.

    Attributes:
        form: the form.
        made: from its value to the one that is meant.
        parted: the other way; it may raise ValueError or TypeError.
    """

    form: Form
    made: Callable[[Any], Any] = field(compare=False)
    parted: Callable[[Any], Any] = field(compare=False)

    @property
    def sizes(self) -> Row:
        """Those of the form."""
        return self.form.sizes

    def value(self, row: Sequence[int]) -> Any:
        """What the form's value means."""
        return self.made(self.form.value(row))

    def row(self, value: Any) -> Row:
        """The row of what it was made of."""
        try:
            return self.form.row(self.parted(value))
        except TypeError as error:
            raise ValueError(f"{value!r}: {error}") from error


def text(letters: str, shortest: int, longest: int) -> Form:
    """A text of these letters."""
    return As(Listed(Choice(tuple(letters)), shortest, longest), "".join, _letters)


def word(letters: str, length: int) -> Form:
    """A text of one length."""
    return As(Several((Choice(tuple(letters)),) * length), "".join, _letters)


def _letters(given: Any) -> tuple[str, ...]:
    if not isinstance(given, str):
        raise TypeError("it is no text")
    return tuple(given)


NOTHING = Several(())
"""The form of the empty tuple alone, which takes no place."""
