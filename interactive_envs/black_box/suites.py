"""The suites of black boxes: boxes of every family and grade, and ORACLE's test for qualification."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.black_box import families as boxes
from interactive_envs.black_box.base import LEVELS
from interactive_envs.black_box.env import read_setting
from interactive_envs.black_box.families import BASELINE
from interactive_envs.errors import ConfigError
from interactive_envs.reporting.suites import Choice, Suite, choose_cells

GAME_SETTINGS = {"10@1": "1@1", "20@2": "2@1"}
"""What a setting is for black boxes that are played: a turn is a whole game."""


def black_box_suite(
    per_cell: int | None = None,
    settings: Sequence[str] = (),
    difficulties: Sequence[int] = (),
    seed: int = 0,
) -> Choice:
    """Choose the fixed boxes of every family and grade, or generated ones, at each setting.

    A family that is played has ORACLE's shorter settings: 1@1 for 10@1 and 2@1 for 20@2.

    Args:
        per_cell: boxes a family and grade, chosen by :func:`~interactive_envs.reporting.suites.choose_cells`; None for
            all.
        settings: turn@shot; none for the own setting of each box, of generated ones that of the level.
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
    wanted = ("generated",) if difficulties else ("easy", "hard")
    named = (
        ((entry["tags"]["family"], entry["tags"]["grade"]), env_id)
        for env_id, entry in catalog.load()["units"].items()
        if entry["family"] in catalog.family("black-box").units and entry["tags"]["grade"] in wanted
    )
    levels: list[dict[str, Any]] = [{"difficulty": level} for level in sorted(set(difficulties))] or [{}]
    return [
        (env_id, level | ({} if setting is None else {"setting": setting_of(family, setting)}))
        for (family, _), ids in choose_cells(named, per_cell, seed)
        for env_id in ids
        for level, setting in itertools.product(levels, settings or (None,))
    ]


def qualification_suite() -> Choice:
    """Choose ORACLE's baseline boxes at 12@1; over 80 % of their items in three runs qualify a player."""
    units = catalog.load()["units"].items()
    return [(env_id, {"setting": BASELINE}) for env_id, entry in units if entry["tags"].get("grade") == "baseline"]


def setting_of(family: str, setting: str) -> str:
    """Return a setting, or for a family that is played the one that stands for it."""
    return GAME_SETTINGS.get(setting, setting) if boxes.family(family).played else setting


BLACK_BOX = Suite(black_box_suite)
QUALIFICATION = Suite(qualification_suite, fixed="the suite qualification is always the same three boxes")
