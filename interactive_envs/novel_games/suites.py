"""The suites of generated games: all that luck does not decide, those of a set, and those that luck decides."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.folder import LUCK, SETS
from interactive_envs.reporting.suites import Choice, Suite, choose_cells

PLAYS = 15
"""Episodes a cell: 30 of every game, half of them from each seat."""


def games_suite(of: Sequence[str], per_cell: int | None = None, opponents: str = "rung", seed: int = 0) -> Choice:
    """Choose games of the package, each from both seats.

    Args:
        of: their sets, out of ``games-v0``, ``games-v1`` and ``luck``.
        per_cell: games a category, chosen by :func:`~interactive_envs.reporting.suites.choose_cells`; None for all.
        opponents: a spec for the other seat; ``rung`` is the opponent that comes with the game.
        seed: another number is another choice.

    Returns:
        Ids with their arguments, by category, id and seat.

    Raises:
        ConfigError: ``per_cell`` is out of range.
    """
    if per_cell is not None and per_cell < 1:
        raise ConfigError(f"a suite needs at least 1 game a category, got {per_cell}")
    games = (
        (entry["tags"]["category"], env_id)
        for env_id, entry in catalog.load()["units"].items()
        if entry["family"] == "generated" and entry["tags"].get("set") in of
    )
    return [
        (env_id, {"seat": seat, "opponents": opponents})
        for _, ids in choose_cells(games, per_cell, seed)
        for env_id in ids
        for seat in range(2)
    ]


def _suite(name: str, *of: str) -> Suite:
    fixed = f"the games of the suite {name} have no levels"
    return Suite(functools.partial(games_suite, of), fixed=fixed, episodes=PLAYS)


GAMES = _suite("games", *SETS)
GAMES_V0 = _suite("games-v0", "games-v0")
GAMES_V1 = _suite("games-v1", "games-v1")
LUCKY = _suite("luck", LUCK)
