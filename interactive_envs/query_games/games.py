"""Every query game, by its name ``structure/mode/name``."""

from __future__ import annotations

import functools
import importlib

from interactive_envs.dialogue.task import Vocabulary
from interactive_envs.errors import UnknownNameError
from interactive_envs.query_games.base import Game, Structure
from interactive_envs.specs import own_object

STRUCTURES = ("set", "sequence", "tree", "graph")
MODES = ("deductive", "inductive", "abductive")


@functools.cache
def structure(name: str) -> Structure:
    """A structure; only its own module is imported.

    Raises:
        UnknownNameError: there is no such structure.
    """
    if name not in STRUCTURES:
        raise UnknownNameError("structure", name, STRUCTURES)
    found: Structure = importlib.import_module(f"interactive_envs.query_games.structures.{name}").STRUCTURE
    return found


def words(name: str) -> Vocabulary:
    """A structure's own words."""
    return structure(name).words


def every() -> dict[str, Game]:
    """All games by name, structure by structure."""
    return {f"{name}/{game.mode}/{game.name}": game for name in STRUCTURES for game in structure(name).games.values()}


def find(name: str) -> Game:
    """A game by its name.

    Args:
        name: ``structure/mode/name``, or ``module:NAME`` for a :class:`Game` of the user's own.

    Raises:
        UnknownNameError: there is no such game.
        ConfigError: the user's own cannot be imported.
    """
    if ":" in name:
        return own_object("query game", name, Game)
    first, _, rest = name.partition("/")
    games = structure(first).games
    mode, _, last = rest.partition("/")
    if last not in games or games[last].mode != mode:
        raise UnknownNameError("query game", name, [f"{first}/{game.mode}/{key}" for key, game in games.items()])
    return games[last]
