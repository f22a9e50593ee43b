"""Suites: which environments a run of many plays, by a fixed choice."""

from __future__ import annotations

import itertools
import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.query_games.base import LEVELS

PER_CELL = 5
"""Games a structure and mode."""


def query_suite(
    per_cell: int = PER_CELL, difficulties: Sequence[int] = LEVELS, seed: int = 0
) -> list[tuple[str, dict[str, Any]]]:
    """The query suite: of every structure and mode the same number of games, each at every difficulty.

    A game's place is the CRC-32 of ``"<seed> <id>"``; of each structure and mode the first ``per_cell`` are taken, all
    where there are fewer. So the choice depends on the names alone, never on their order in the catalog, and a smaller
    suite is part of a larger one.

    Args:
        per_cell: games a structure and mode.
        difficulties: levels, 1 to 5.
        seed: another number is another choice.

    Returns:
        Ids with their arguments, sorted by structure, mode, id and difficulty.

    Raises:
        ConfigError: a number is out of range.
    """
    if per_cell < 1:
        raise ConfigError(f"a suite needs at least 1 game a cell, got {per_cell}")
    levels = sorted(set(difficulties))
    if not levels or not set(levels) <= set(LEVELS):
        raise ConfigError(f"difficulties are whole numbers from 1 to 5, got {list(difficulties)}")
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for env_id, entry in catalog.read()["units"].items():
        if entry["family"] == "query-games":
            cells[entry["tags"]["structure"], entry["tags"]["mode"]].append(env_id)

    def place(env_id: str) -> tuple[int, str]:
        return zlib.crc32(f"{seed} {env_id}".encode()), env_id

    chosen = [env_id for _, ids in sorted(cells.items()) for env_id in sorted(sorted(ids, key=place)[:per_cell])]
    return [(env_id, {"difficulty": level}) for env_id, level in itertools.product(chosen, levels)]


def read_difficulties(text: str) -> tuple[int, ...]:
    """Levels as they are written at the command line.

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
