"""Players of generated games that search: Monte Carlo tree search, with or without a trained network, and minimax."""

from __future__ import annotations

import zlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.agents.policy import load_network
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.host.sandboxed import RemoteProgram
from interactive_envs.novel_games.rules import program_of
from interactive_envs.novel_games.search.chances import search_of
from interactive_envs.novel_games.search.trees import Minimax, Settings


class _Searcher(Agent):
    """Asks a search for each move; it begins with the first View, which names the game."""

    family: ClassVar[str | None] = "generated"
    reads_text = False

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the search and forget the last game's tree."""
        own = zlib.crc32(type(self).name.encode())
        self._random = np.random.default_rng(None if seed is None else [seed, own])
        self._search: Any = None

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The move that the search chose."""
        view = info["view"]
        if self._search is None:
            try:
                self._search = self._begin(view.game)
            except ValueError as error:
                raise ConfigError(f"{self.name} cannot play this game: {error}") from error
        chosen = self._search.choose(view.as_table(), int(self._random.integers(2**31)))
        return str(view.text(chosen["action"]))

    @abstractmethod
    def _begin(self, game: str) -> Any:
        """A search for the game of this name or path."""


class MCTSAgent(_Searcher):
    """Monte Carlo tree search with a network's priors and values, or the paper's rollouts.

    Args:
        target: path of a checkpoint (npz); without one, equal priors and random playouts.
        simulations: a move; by default 200, or with ``time`` as many as it allows.
        mode: ``puct``, or ``rollout`` for gg-bench's search, whose rollouts are drawn from the policy.
        time: CPU seconds a move, after which no further simulation begins.
        temperature: 0 plays the most visited move, 1 draws by visits.
        leaves: states that the network judges together, with ``puct``; more are faster, and a little less careful.
        explore: share of the priors of the moves at hand that is spread evenly, with ``puct``.
        chance: ``drawn`` anew for each simulation, or ``listed``, for games without secrets that list what it may
            bring: each move is worth the mean over all its outcomes, and the one that is worth most is played.

    Raises:
        ConfigError: an option is out of range, or the file is no checkpoint.
    """

    name = "mcts"

    def __init__(
        self,
        target: str | None = None,
        simulations: int | None = None,
        mode: str = "puct",
        time: float | None = None,
        temperature: float = 0.0,
        leaves: int = 1,
        explore: float = 0.0,
        chance: str = "drawn",
    ) -> None:
        self.network = load_network(target) if target is not None else None
        try:
            self.settings = Settings(
                simulations, mode, time, leaves=leaves, temperature=temperature, explore=explore, chance=chance
            )
        except ValueError as error:
            raise ConfigError(str(error)) from error
        self.reset()

    @property
    def repeats(self) -> bool:
        """Whether its simulations alone are limited: a clock goes on as the machine is busy."""
        return self.settings.time is None

    def _begin(self, game: str) -> Any:
        program = program_of(game)
        if isinstance(program, RemoteProgram):
            return program.search(self.settings, self.network)
        return search_of(program, self.settings, self.network)


class MinimaxAgent(_Searcher):
    """Looks at all moves, one ply deeper each time, until its nodes are spent: exact for small games.

    Args:
        nodes: states looked at for one move; by default 100,000, or 5,000 where the game has no ``clone()``.
        time: CPU seconds a move, after which the best move so far is played; None for no limit.
    """

    name = "minimax"

    def __init__(self, nodes: int | None = None, time: float | None = None) -> None:
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ConfigError(f"nodes must be a whole number, at least 1, got {nodes!r}")
        if time is not None and (isinstance(time, bool) or not isinstance(time, int | float) or not time > 0):
            raise ConfigError(f"time must be CPU seconds, more than 0, got {time!r}")
        self._nodes, self._time = nodes, time
        self.reset()

    @property
    def repeats(self) -> bool:
        """Whether its nodes alone are limited."""
        return self._time is None

    def _begin(self, game: str) -> Any:
        program = program_of(game)
        return (
            program.search(None, None, self._nodes, self._time)
            if isinstance(program, RemoteProgram)
            else Minimax(program, self._nodes, self._time)
        )
