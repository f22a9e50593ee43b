"""The opponents that come with a generated game: the rungs of its ladder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.ladder import REMEDY, read_ladder
from interactive_envs.novel_games.rules import find_folder

ROLLOUT = "rollout"


class RungAgent(Agent):
    """An opponent that comes with the game: ``rung:1`` is the weakest, ``rung`` alone the one that models meet.

    Args:
        target: its level, from 1; None for the game's chosen opponent; ``rollout`` for that one's network in gg-bench's
            search, which is whom the paper's models meet.

    Raises:
        ConfigError: the game has no ladder, or no such rung.
    """

    name = "rung"
    family: ClassVar[str | None] = "generated"

    def __init__(self, target: str | None = None) -> None:
        self._searches = target == ROLLOUT
        if target is not None and not target.isdecimal() and not self._searches:
            raise ConfigError(
                f"a rung is a whole number from 1, got {target!r}; write rung:1, rung:rollout, or rung alone"
            )
        self._level = None if target is None or self._searches else int(target)
        self._player: Agent | None = None

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Take the rung of the game that the View names."""
        if info is None:
            raise ConfigError("rung needs the environment's info of reset")
        self.close()
        spec = rung_spec(info["view"].game, self._level)
        self._player = resolve_agent(searching(spec) if self._searches else spec, "ibench/Game-v1")()
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
        raise ConfigError(f"the ladder of {folder.name} was made for other code of the game; {REMEDY}")
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


def searching(spec: str) -> str:
    """The spec of gg-bench's search (100 rollouts a move) with the network of a rung; as it is where it has none.

    >>> searching("ppo:games/a/checkpoint-1.npz?temperature=1")
    'mcts:games/a/checkpoint-1.npz?mode=rollout&simulations=100'
    """
    path = spec.rpartition("?")[0].partition(":")[2]
    return f"mcts:{path}?mode=rollout&simulations=100" if path else spec
