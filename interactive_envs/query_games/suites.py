"""The suite of query games."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.query_games.base import LEVELS
from interactive_envs.reporting.suites import Choice, Suite, choose_cells

PER_CELL = 5
"""Games a structure and mode."""


def query_suite(per_cell: int = PER_CELL, difficulties: Sequence[int] = LEVELS, seed: int = 0) -> Choice:
    """Choose of every structure and mode the same number of games, each at every difficulty.

    Args:
        per_cell: games a structure and mode, chosen by :func:`~interactive_envs.reporting.suites.choose_cells`.
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
    games = (
        ((entry["tags"]["structure"], entry["tags"]["mode"]), env_id)
        for env_id, entry in catalog.load()["units"].items()
        if entry["family"] == "query-games" and "structure" in entry["tags"]
    )
    chosen = [env_id for _, ids in choose_cells(games, per_cell, seed) for env_id in ids]
    return [(env_id, {"difficulty": level}) for env_id, level in itertools.product(chosen, levels)]


QUERY = Suite(query_suite)
