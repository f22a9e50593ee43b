"""The rows of a run as columns of numbers: some 60 bytes an episode, where objects take 600."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from interactive_envs.reporting.records import ROW_FIELDS, ROW_KINDS, EpisodeRow

_CHUNK = 1 << 14
_NAMED = frozenset(name for name, kind in zip(ROW_FIELDS, ROW_KINDS, strict=True) if kind[:3] in ("str", "boo"))
"""Fields of which each value is kept once, and a number of it for each row."""


class Rows(Sequence[EpisodeRow]):
    """Rows sorted by cell, case and epoch; one is made when it is asked for.

    Args:
        rows: in any order.
    """

    _read = staticmethod(attrgetter(*ROW_FIELDS))

    def __init__(self, rows: Iterable[EpisodeRow]) -> None:
        numbers: dict[str, dict[Any, int]] = {name: {} for name in _NAMED}
        chunks: list[list[NDArray[Any]]] = []
        read = map(self._read, rows)
        while chunk := list(itertools.islice(read, _CHUNK)):
            chunks.append(
                [_packed(numbers.get(name), kind, values) for name, kind, values in _fields(zip(*chunk, strict=True))]
            )
        empty = [[_packed(numbers.get(name), kind, ()) for name, kind, _ in _fields(ROW_FIELDS)]]
        columns = [np.concatenate(parts) for parts in zip(*(chunks or empty), strict=True)]
        del chunks
        self._columns = dict(zip(ROW_FIELDS, columns, strict=True))
        self._values = {name: list(found) for name, found in numbers.items()}
        order = np.lexsort([self._columns[name] for name in ("epoch", "case_index", "cell")])
        for name in ROW_FIELDS:
            self._columns[name] = self._columns[name][order]

    def part(self, cell: int) -> Rows:
        """The rows of one cell."""
        first, last = (int(np.searchsorted(self._columns["cell"], cell, side)) for side in ("left", "right"))
        part = object.__new__(Rows)
        part._columns = {name: column[first:last] for name, column in self._columns.items()}
        part._values = self._values
        return part

    def column(self, name: str) -> NDArray[Any]:
        """The numbers of a field; NaN where there is none."""
        return self._columns[name]

    def equal(self, name: str, value: Any) -> NDArray[np.bool_]:
        """Where a field that is no number has a value."""
        values = self._values[name]
        number = values.index(value) if value in values else -1
        found: NDArray[np.bool_] = self._columns[name] == number
        return found

    def values(self, name: str) -> tuple[list[Any], NDArray[Any]]:
        """The values of a field that is no number, each once, and for each row the place of its own."""
        return self._values[name], self._columns[name]

    def rows_at(self, places: Iterable[int]) -> list[EpisodeRow]:
        """Some of the rows."""
        return [self[int(place)] for place in places]

    def __len__(self) -> int:
        return len(self._columns["cell"])

    @overload
    def __getitem__(self, place: int) -> EpisodeRow: ...
    @overload
    def __getitem__(self, place: slice) -> list[EpisodeRow]: ...
    def __getitem__(self, place: int | slice) -> EpisodeRow | list[EpisodeRow]:
        if isinstance(place, slice):
            return list(self._made(place))
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return next(self._made(slice(place, place + 1 or None)))

    def __iter__(self) -> Iterator[EpisodeRow]:
        for begin in range(0, len(self), _CHUNK):
            yield from self._made(slice(begin, begin + _CHUNK))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(EpisodeRow.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def _made(self, places: slice) -> Iterator[EpisodeRow]:
        columns = []
        for name, kind, column in _fields(self._columns.values()):
            read = column[places].tolist()
            if name in self._values:
                values = self._values[name]
                read = [values[number] for number in read]
            elif kind == "float | None":
                read = [None if value != value else value for value in read]
            columns.append(read)
        return map(EpisodeRow, *columns)


def _fields(values: Iterable[Any]) -> Iterator[tuple[str, str, Any]]:
    return zip(ROW_FIELDS, ROW_KINDS, values, strict=True)


def _packed(numbers: dict[Any, int] | None, kind: str, values: Sequence[Any]) -> NDArray[Any]:
    """A column in as few bytes as hold its values."""
    if kind.startswith("float"):
        return np.array([np.nan if value is None else value for value in values], float)
    if numbers is not None:
        values = [numbers.setdefault(value, len(numbers)) for value in values]
    whole = np.array(values, np.int64)
    return whole.astype(np.min_scalar_type(int(whole.max()) if whole.size else 0))
