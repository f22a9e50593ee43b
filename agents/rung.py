"""The opponents that come with a generated game: the rungs of its ladder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.folder import MOST_BYTES
from interactive_envs.novel_games.rules import find_folder
from interactive_envs.system.files import read_json

LADDER = "ladder.json"
"""In a game's folder: ``rungs``, the weakest first, and ``opponent``, the rung that a model meets."""

RUNG = re.compile(r"(random|minimax|mcts|(ppo|mcts):\{folder\}/[\w-]+\.npz)(\?[\w.=&-]*)?")
"""What a rung may be: a folder may come from anybody, and other specs name any code."""
_REMEDY = "ibench train, then ibench games ladder make one"


class RungAgent(Agent):
    """An opponent that comes with the game: ``rung:1`` is the weakest, ``rung`` alone the one that models meet.

    Args:
        target: its level, from 1; None for the game's chosen opponent.

    Raises:
        ConfigError: the game has no ladder, or no such rung.
    """

    name = "rung"
    family: ClassVar[str | None] = "generated"

    def __init__(self, target: str | None = None) -> None:
        if target is not None and not target.isdecimal():
            raise ConfigError(f"a rung is a whole number from 1, got {target!r}; write rung:1, or rung alone")
        self._level = None if target is None else int(target)
        self._player: Agent | None = None

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Take the rung of the game that the View names."""
        if info is None:
            raise ConfigError("rung needs the environment's info of reset")
        self.close()
        self._player = resolve_agent(rung_spec(info["view"].game, self._level), "ibench/Game-v1")()
        self._player.reset(seed=seed, info=info)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The rung's move."""
        if self._player is None:
            raise ConfigError("rung was not reset")
        return self._player.act(observation, info)

    def close(self) -> None:
        """Close the rung's player."""
        if self._player is not None:
            self._player.close()


def rung_spec(game: str, level: int | None) -> str:
    """The spec of a rung of a game.

    Args:
        game: name or path.
        level: from 1, the weakest; None for the chosen opponent.

    Raises:
        ConfigError: there is none.
    """
    known = find_folder(game)
    folder, ladder = known.path, read_ladder(known.path)
    if ladder.get("sha256") != known.code_sha256:
        raise ConfigError(f"the ladder of {folder.name} was made for other code of the game; {_REMEDY}")
    rungs = ladder["rungs"]
    level = ladder["opponent"]["level"] if level is None else level
    if level is None:
        raise ConfigError(f"no rung of {folder.name} is beaten clearly, so none was chosen; name one, e.g. rung:1")
    if not 1 <= level <= len(rungs):
        raise ConfigError(f"{folder.name} has rungs 1 to {len(rungs)}, got {level}")
    return placed(str(rungs[level - 1]["agent"]), folder)


def placed(agent: str, folder: Path) -> str:
    """A rung's spec, with the folder that its checkpoint lies in."""
    # Options begin at a spec's last question mark, and a folder's name may hold one.
    end = "" if "?" in agent or "{folder}" not in agent else "?"
    return f"{agent}{end}".replace("{folder}", str(folder))


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
        raise ConfigError(f"{folder.name} has no ladder yet; {_REMEDY}") from None
    except (KeyError, OSError, TypeError, ValueError) as error:
        raise ConfigError(f"{folder.name}/{LADDER} cannot be read: {error}; ibench games ladder writes one") from error
    return dict(ladder)
