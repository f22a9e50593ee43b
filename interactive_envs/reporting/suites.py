"""Suites: which environments a run of many plays, by a fixed choice.

A family names its own on its card. A suite is a function that returns ids with their arguments, and takes by keyword
what ``ibench run`` lets people choose: some of ``per_cell``, ``difficulties``, ``settings`` and ``seed``.
"""

from __future__ import annotations

import inspect
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from interactive_envs.errors import ConfigError

Choice: TypeAlias = list[tuple[str, dict[str, Any]]]
"""Environment ids with their arguments."""


@dataclass(frozen=True)
class Suite:
    """A fixed choice of environments.

    Attributes:
        choose: makes the choice; its keywords are what may be chosen of it.
        fixed: why other things may not be, as a sentence begins that ends with what to leave out.
        episodes: a cell, where nobody says how many and the environments have no fixed list of cases.
    """

    choose: Callable[..., Choice]
    fixed: str = ""
    episodes: int | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """What may be chosen of it."""
        return tuple(inspect.signature(self.choose).parameters)


def choose_cells(ids: Iterable[tuple[Hashable, str]], per_cell: int | None, seed: int) -> list[tuple[Any, list[str]]]:
    """Choose the same number of ids from every cell.

    An id's place is the CRC-32 of ``"<seed> <id>"``; of each cell the first ``per_cell`` are taken, all where there are
    fewer. So the choice depends on the names alone, never on their order in the catalog, and a smaller suite is part of
    a larger one.

    Args:
        ids: each with its cell, such as a structure and mode.
        per_cell: how many; None for all.
        seed: another number is another choice.

    Returns:
        The cells in order, each with its ids in order.
    """
    cells: dict[Any, list[str]] = defaultdict(list)
    for cell, env_id in ids:
        cells[cell].append(env_id)

    def place(env_id: str) -> tuple[int, str]:
        return zlib.crc32(f"{seed} {env_id}".encode()), env_id

    return [(cell, sorted(sorted(found, key=place)[:per_cell])) for cell, found in sorted(cells.items())]


def read_difficulties(text: str) -> tuple[int, ...]:
    """Read levels as they are written at the command line.

    Raises:
        ConfigError: they are written otherwise.

    >>> read_difficulties("3"), read_difficulties("1-3"), read_difficulties("1,3,5")
    ((3,), (1, 2, 3), (1, 3, 5))
    """
    if not re.fullmatch(r"[1-5](-[1-5])?(,[1-5](-[1-5])?)*", text):
        raise ConfigError(f"difficulty {text!r} is not written like 3, 1-5 or 1,3,5")
    ends = [[int(end) for end in part.split("-")] for part in text.split(",")]
    if any(part[0] > part[-1] for part in ends):
        raise ConfigError(f"difficulty {text!r} is not written like 3, 1-5 or 1,3,5")
    return tuple(sorted({level for part in ends for level in range(part[0], part[-1] + 1)}))
