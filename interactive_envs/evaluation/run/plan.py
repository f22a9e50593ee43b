"""Suites: which environments a run of many plays, by a fixed choice."""

from __future__ import annotations

import itertools
import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.env import read_setting
from interactive_envs.errors import ConfigError
from interactive_envs.query_games.base import LEVELS

PER_CELL = 5
"""Games a structure and mode."""
BASELINE = "12@1"
"""The setting of the boxes that qualify."""
PLAYS = 15
"""Episodes a cell of the games suite: 30 of every game, half of them from each seat."""
GAME_SETTINGS = {"10@1": "1@1", "20@2": "2@1"}
"""What a setting is for black boxes that are played: a turn is a whole game."""


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
    for env_id, entry in catalog.load()["units"].items():
        if entry["family"] == "query-games":
            cells[entry["tags"]["structure"], entry["tags"]["mode"]].append(env_id)
    chosen = [
        env_id
        for _, ids in sorted(cells.items())
        for env_id in sorted(sorted(ids, key=lambda name: _place(seed, name))[:per_cell])
    ]
    return [(env_id, {"difficulty": level}) for env_id, level in itertools.product(chosen, levels)]


def black_box_suite(
    per_cell: int | None = None,
    settings: Sequence[str] = ("10@1",),
    difficulties: Sequence[int] = (),
    seed: int = 0,
) -> list[tuple[str, dict[str, Any]]]:
    """The black-box suite: the fixed boxes of every family and grade, or generated ones, at each setting.

    A family that is played has ORACLE's shorter settings: 1@1 for 10@1 and 2@1 for 20@2.

    Args:
        per_cell: boxes a family and grade, chosen as by :func:`query_suite`; None for all.
        settings: turn@shot.
        difficulties: levels of generated boxes; none for the fixed boxes.
        seed: another number is another choice.

    Returns:
        Ids with their arguments, by family, grade, id, level and setting; without the three that qualify.

    Raises:
        ConfigError: a number is out of range, or a setting is none.
    """
    if per_cell is not None and per_cell < 1:
        raise ConfigError(f"a suite needs at least 1 box a cell, got {per_cell}")
    if not set(difficulties) <= set(LEVELS):
        raise ConfigError(f"difficulties are whole numbers from 1 to 5, got {list(difficulties)}")
    for setting in settings:
        read_setting(setting)
    if len({setting_of("strategy", setting) for setting in settings}) < len(settings):
        raise ConfigError(
            f"settings {', '.join(settings)} are the same for games, 1@1 for 10@1 and 2@1 for 20@2; give one"
        )
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for env_id, entry in catalog.load()["units"].items():
        wanted = ("generated",) if difficulties else ("easy", "hard")
        if env_id.startswith("ibench/BlackBox-") and entry["tags"]["grade"] in wanted:
            cells[entry["tags"]["family"], entry["tags"]["grade"]].append(env_id)
    levels: list[dict[str, Any]] = [{"difficulty": level} for level in sorted(set(difficulties))] or [{}]
    return [
        (env_id, level | {"setting": setting_of(family, setting)})
        for (family, _), ids in sorted(cells.items())
        for env_id in sorted(sorted(ids, key=lambda name: _place(seed, name))[:per_cell])
        for level, setting in itertools.product(levels, settings)
    ]


def qualification_suite() -> list[tuple[str, dict[str, Any]]]:
    """ORACLE's three baseline boxes at 12@1, ten items in all; a player qualifies with 80 % over three runs of them."""
    units = catalog.load()["units"].items()
    return [(env_id, {"setting": BASELINE}) for env_id, entry in units if entry["tags"].get("grade") == "baseline"]


def games_suite(
    per_cell: int | None = None, opponents: str = "rung", seed: int = 0
) -> list[tuple[str, dict[str, Any]]]:
    """The games suite: every game of the package from both seats.

    Args:
        per_cell: games a category, chosen as by :func:`query_suite`; None for all.
        opponents: a spec for the other seat; ``rung`` is the opponent that comes with the game.
        seed: another number is another choice.

    Returns:
        Ids with their arguments, by category, id and seat.

    Raises:
        ConfigError: ``per_cell`` is out of range.
    """
    if per_cell is not None and per_cell < 1:
        raise ConfigError(f"a suite needs at least 1 game a category, got {per_cell}")
    cells: dict[str, list[str]] = defaultdict(list)
    for env_id, entry in catalog.load()["units"].items():
        if entry["family"] == "generated" and "category" in entry["tags"]:
            cells[entry["tags"]["category"]].append(env_id)
    return [
        (env_id, {"seat": seat, "opponents": opponents})
        for _, ids in sorted(cells.items())
        for env_id in sorted(sorted(ids, key=lambda name: _place(seed, name))[:per_cell])
        for seat in range(2)
    ]


def setting_of(family: str, setting: str) -> str:
    """A setting, or for a family that is played the one that stands for it."""
    return GAME_SETTINGS.get(setting, setting) if boxes.family(family).played else setting


def _place(seed: int, env_id: str) -> tuple[int, str]:
    return zlib.crc32(f"{seed} {env_id}".encode()), env_id


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
