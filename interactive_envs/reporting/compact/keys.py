"""Which episodes there are, a bit each."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, Protocol


class KeySet(Protocol):
    """What identifies records, each once."""

    def add(self, key: Any, /) -> None:
        """Add one."""

    def __contains__(self, key: Any, /) -> bool: ...


class Keys(Container[tuple[int, int, int]]):
    """Keys of episodes, which take a bit each where the cases of a cell are many."""

    _BLOCK = 1024

    def __init__(self, keys: Iterable[tuple[int, int, int]] = ()) -> None:
        self._blocks: dict[tuple[int, int, int], int] = {}
        for key in keys:
            self.add(key)

    def add(self, key: tuple[int, int, int], /) -> None:
        """Add one."""
        block, bit = self._place(key)
        self._blocks[block] = self._blocks.get(block, 0) | bit

    def __contains__(self, key: Any, /) -> bool:
        block, bit = self._place(key)
        return bool(self._blocks.get(block, 0) & bit)

    def __len__(self) -> int:
        return sum(map(int.bit_count, self._blocks.values()))

    def _place(self, key: tuple[int, int, int]) -> tuple[tuple[int, int, int], int]:
        cell, case_index, epoch = key
        block, bit = divmod(case_index, self._BLOCK)
        return (cell, epoch, block), 1 << bit
