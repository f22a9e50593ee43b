"""The ladder of a game: which opponents come with it, how strong they are, and which of them a model meets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.folder import MOST_BYTES
from interactive_envs.system.files import read_json

LADDER = "ladder.json"
"""In a game's folder: ``rungs``, the weakest first, and ``opponent``, the rung that a model meets."""
BEATABLE = 0.8
"""Win rate whose 95 % lower bound some player must exceed against the opponent that models meet."""
RUNG = re.compile(r"(random|minimax|mcts|(ppo|mcts):\{folder\}/[\w-]+\.npz)(\?[\w.=&-]*)?")
"""What a rung may be: a folder may come from anybody, and other specs name any code."""
REMEDY = "ibench train, then ibench games ladder make one"


def decided_by_luck(folder: Path) -> bool:
    """Whether nobody beats a trained rung of a game clearly, so that a score against it would measure luck."""
    ladder = read_ladder(folder)
    opponent = ladder["opponent"]
    level = opponent["level"]
    return level is None or ladder["rungs"][level - 1]["agent"] == "random" or opponent["low"] <= BEATABLE


def read_ladder(folder: Path) -> dict[str, Any]:
    """The ladder of a game folder.

    Raises:
        ConfigError: it has none that can be read.
    """
    try:
        ladder = read_json(folder / LADDER, largest=MOST_BYTES)
        if not all(RUNG.fullmatch(rung["agent"]) for rung in ladder["rungs"]):
            raise ValueError("a rung is random, minimax, or ppo or mcts with a checkpoint {folder}/NAME.npz")
        level = ladder["opponent"]["level"]
        if level is not None and type(level) is not int:
            raise ValueError(f"the opponent's level is {level!r}")
    except FileNotFoundError:
        raise ConfigError(f"{folder.name} has no ladder yet; {REMEDY}") from None
    except (KeyError, OSError, TypeError, ValueError) as error:
        raise ConfigError(f"{folder.name}/{LADDER} cannot be read: {error}; ibench games ladder writes one") from error
    return dict(ladder)
