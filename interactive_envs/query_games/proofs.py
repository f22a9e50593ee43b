"""What was proved of every query game at every level, as committed with the package; budgets come from here.

``python -m tools.proofs`` (or ``make proofs``) computes it again.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games, proving
from interactive_envs.query_games.base import Game
from interactive_envs.query_games.proving import Proof

FOLDER = Path(__file__).parent / "data"


@functools.cache
def of_structure(name: str) -> dict[str, tuple[Proof, ...]]:
    """The proofs of a structure's games, levels 1 to 5 of each, by ``mode/name``."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    fields = content["fields"]
    return {
        game: tuple(Proof(**dict(zip(fields, row, strict=True))) for row in rows)
        for game, rows in content["games"].items()
    }


def of_game(name: str, difficulty: int) -> Proof:
    """What was proved of a game ``structure/mode/name`` or ``made/NAME`` at a level; a folder's is proved now.

    Raises:
        ConfigError: it was not proved yet.
    """
    if name.startswith("/"):
        return _prove(games.find(name), difficulty)
    if ":" in name:
        raise ConfigError(f"the query game {name} is not of this package and has no proof; give its budget as a number")
    structure, _, rest = name.partition("/")
    found = of_structure(structure).get(rest)
    if found is None:
        raise ConfigError(f"the query game {name!r} is not proved; run: make proofs")
    return found[difficulty - 1]


@functools.lru_cache(maxsize=64)
def _prove(game: Game, difficulty: int) -> Proof:
    return proving.prove(game.level(difficulty))
