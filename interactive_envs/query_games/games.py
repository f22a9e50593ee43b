"""Every query game, by its name ``structure/mode/name``."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Mapping
from typing import Any

from interactive_envs.dialogue.task import Vocabulary
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.query_games import made
from interactive_envs.query_games.base import Game, Structure
from interactive_envs.specs import own_object

STRUCTURES = ("set", "sequence", "tree", "graph")
MODES = ("deductive", "inductive", "abductive")
MADE = "made"
"""What the names of games that came out of the generation begin with."""


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
        name: ``structure/mode/name``; ``made/NAME`` or the absolute path of a folder, see
            :mod:`interactive_envs.query_games.made`; or ``module:NAME`` for a :class:`Game` of the user's own.

    Raises:
        UnknownNameError: there is no such game.
        ConfigError: the user's own cannot be imported.
    """
    first, _, rest = name.partition("/")
    if first in ("", MADE):
        return made.find(name if not first else rest)
    if ":" in name:
        return own_object("query game", name, Game)
    games = structure(first).games
    mode, _, last = rest.partition("/")
    if last not in games or games[last].mode != mode:
        raise UnknownNameError("query game", name, [f"{first}/{game.mode}/{key}" for key, game in games.items()])
    return games[last]


def name_in(arguments: Mapping[str, Any]) -> str:
    """The name of the game that an environment's arguments ask for: their ``game``, or that of their ``path``.

    Raises:
        ConfigError: the path is no text.
    """
    return str(arguments["game"]) if "game" in arguments else name_of_path(arguments.get("path"))


def name_of_path(path: Any) -> str:
    """The name of a made game by its own name in the package, or by the path of its folder; None for the first.

    Raises:
        ConfigError: it is no text.
    """
    if path is not None and not isinstance(path, str):
        raise ConfigError(f"path must be the name of a made game or of a folder, got {path!r}")
    own = made.names()
    name = own[0] if path is None else path
    return f"{MADE}/{name}" if name in own else os.path.abspath(name)
