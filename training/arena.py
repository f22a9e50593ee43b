"""Many games stepped together: arrays in, arrays out, so that nobody else needs to know where and how the games run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import Match
from interactive_envs.multiplayer.play import action_mask
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.novel_games.search.batch import OVER, ArrayBatch, Batch
from interactive_envs.seeds import GameSeeds


class Arena(Protocol):
    """Games of one kind, side by side; each row of the arrays is one game.

    The arrays are read between calls and changed by nobody but the arena. Equal seeds and actions give equal games,
    whatever the other rows hold.

    Attributes:
        seats: seats of a game.
        observations: what the acting seat knows, (games, inputs) float32 in [0, 1].
        masks: what the acting seat may play, (games, actions) bool.
        seat: who acts, (games,); ``OVER`` when nobody does.
        scores: what each seat has been paid since the start, (games, seats), about -1 to 1.
    """

    seats: int
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    seat: NDArray[np.int64]
    scores: NDArray[np.float32]

    def start(self, rows: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Restart these games."""
        ...

    def play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Play a legal action in each of these games, none of which is over."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


Source = str | Path | Callable[[int], Arena]
"""An environment's id, a game of the package, a game folder, or what makes an arena of so many games."""


def open_arena(source: Source, games: int) -> Arena:
    """The arena of a game.

    The code of a game folder from elsewhere runs in the sandbox, all games in one process of it.

    Args:
        source: an id with a numeric twin, the name of a generated game of the package, the path of a game folder, or
            a function that makes an arena.
        games: how many are stepped together.

    Raises:
        ConfigError: there is no such game, or it has no numeric twin.
    """
    if not isinstance(source, str | Path):
        return source(games)
    if generated := generated_game(source):
        program = generated.program
        if not isinstance(program, Program):
            return program.batch(games)
        batched = generated.folder.batched
        return ArrayBatch(program, batched, games) if batched else Batch(program, games)
    env: Any = gym.make(f"interactive_envs:{source}", disable_env_checker=True).unwrapped
    most = max(abs(bound) for bound in env.unit.reward_range)
    if isinstance(env, SeatGame):
        lockstep: Arena | None = env.side_by_side(games, most=most)
        return lockstep or MatchArena(env.game, games, most=most)

    def numeric() -> gym.Env[Any, Any]:
        return gym.make(f"interactive_envs:{source}", view="numeric", disable_env_checker=True)

    return SoloArena(numeric, games, most=most)


def generated_game(source: str | Path) -> GeneratedGame | None:
    """The generated game behind a name, a path or an id, None where an id is another environment's."""
    if not str(source).startswith("ibench/"):
        return GeneratedGame(str(source))
    unit = catalog.entry(str(source))
    return GeneratedGame(unit["arguments"]["path"]) if unit["family"] == "generated" and unit["arguments"] else None


class _OneByOne(ABC):
    """An arena of games whose own step is what takes the time.

    Args:
        games: how many.
        seats: of each.
        inputs: numbers in an observation.
        actions: how many there are.
    """

    def __init__(self, games: int, seats: int, inputs: int, actions: int) -> None:
        self.seats = seats
        self.observations = np.zeros((games, inputs), np.float32)
        self.masks = np.zeros((games, actions), np.bool_)
        self.seat = np.full(games, OVER)
        self.scores = np.zeros((games, seats), np.float32)

    def start(self, rows: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Restart these games."""
        for row, seed in zip(rows.tolist(), seeds.tolist(), strict=True):
            self._begin(row, seed)

    def play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Play a legal action in each of these games."""
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            self._play(row, action)

    def close(self) -> None:  # noqa: B027  most hold nothing
        """Give back what is held."""

    @abstractmethod
    def _begin(self, row: int, seed: int) -> None: ...

    @abstractmethod
    def _play(self, row: int, action: int) -> None: ...


class MatchArena(_OneByOne):
    """Games of several seats as their numeric twins; see :class:`Arena`.

    Args:
        game: the pure rules, with a numeric twin.
        games: how many are stepped together.
        most: what pays 1: the largest reward, so that scores stay about -1 to 1.

    Raises:
        ConfigError: the game has no numeric twin.
    """

    def __init__(self, game: Game[Any], games: int, *, most: float = 1.0) -> None:
        if game.numeric_shape is None or game.numeric_actions is None:
            raise ConfigError(f"{type(game).__name__} has no numeric view, which training needs")
        super().__init__(games, game.seats, int(np.prod(game.numeric_shape)), game.numeric_actions)
        self._game, self._most = game, most
        self._matches = [Match(game) for _ in range(games)]

    def _begin(self, row: int, seed: int) -> None:
        self._matches[row].begin(GameSeeds(seed))
        self._show(row)

    def _play(self, row: int, action: int) -> None:
        match = self._matches[row]
        match.act(self._game.decode(match.view(int(self.seat[row])), action))
        self._show(row)

    def _show(self, row: int) -> None:
        match, seat = self._matches[row], self._matches[row].to_move
        self.scores[row] = np.asarray(self._game.returns(match.state)) / self._most
        self.seat[row] = OVER if seat is None else seat
        if seat is not None:
            view = match.view(seat)
            self.observations[row] = self._game.encode(view).ravel()
            self.masks[row] = action_mask(self._game, view)


class SoloArena(_OneByOne):
    """Numeric twins for one player; see :class:`Arena`.

    Args:
        make: makes one such environment.
        games: how many are stepped together.
        most: what pays 1.
    """

    def __init__(self, make: Callable[[], gym.Env[Any, Any]], games: int, *, most: float = 1.0) -> None:
        self._envs: list[Any] = [make() for _ in range(games)]
        env = self._envs[0]
        if not isinstance(env.action_space, gym.spaces.Discrete):
            raise ConfigError("its actions are rows of numbers, and this trains on single ones; use MaskablePPO on it")
        super().__init__(games, 1, int(np.prod(env.observation_space.shape)), int(env.action_space.n))
        self._most = most

    def close(self) -> None:
        """Close the environments."""
        for env in self._envs:
            env.close()

    def _begin(self, row: int, seed: int) -> None:
        observation, info = self._envs[row].reset(seed=seed)
        self.scores[row] = 0
        self._show(row, observation, info, False)

    def _play(self, row: int, action: int) -> None:
        observation, reward, terminated, truncated, info = self._envs[row].step(action)
        self.scores[row] += reward / self._most
        self._show(row, observation, info, terminated or truncated)

    def _show(self, row: int, observation: Any, info: dict[str, Any], over: bool) -> None:
        self.observations[row] = observation.ravel()
        self.masks[row] = info["action_mask"]
        self.seat[row] = OVER if over else 0
