"""Self-play as a Stable-Baselines3 ``VecEnv``: one seat of each game learns, networks from a pool play the others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.search.batch import OVER
from interactive_envs.novel_games.search.network import Network, sample_masked
from interactive_envs.training.arena import Arena

RANDOM = -1
"""The opponent that plays any legal move; every other one is its place in the pool."""
MEMORY = 0.02
"""Weight of the newest game in the running score against an opponent."""
LEAST = 0.1
"""What a prioritised draw adds to the share of games lost, so that no opponent is forgotten."""
MAX_ROUNDS = 100_000
"""Moves of others, one a game, after which the learner will never have anything to decide."""


class SelfPlay(VecEnv):
    """Games in which the learner's seat and opponent are drawn for every episode.

    Works with ``sb3_contrib.MaskablePPO`` as any ``VecEnv`` with ``action_masks``. Observations and masks are always of
    games in which the learner is to act; the reward is what its seat was paid since its last action. Everything random
    comes from ``seed``.

    Args:
        arena: the games.
        seed: decides seats, opponents, their moves and the games' own seeds.
        prioritised: draw opponents that the learner beats rarely more often, instead of all alike.

    Attributes:
        pool: opponents to draw from; while it is empty, opponents are random.
        epsilon: probability that an opponent's move is random.
    """

    def __init__(self, arena: Arena, *, seed: int, prioritised: bool = False) -> None:
        self.arena, self.prioritised = arena, prioritised
        self.pool: list[Network] = []
        self.epsilon = 0.0
        self.render_mode = None
        games, self._inputs = arena.observations.shape
        self._rows = np.arange(games)
        self._rng = np.random.default_rng(seed)
        self._me = np.zeros(games, np.int64)
        self._against = np.full(games, RANDOM)
        self._paid = np.zeros(games, np.float32)
        self._scores = np.zeros(0)
        # what brings every game back: its seed and its moves so far
        self._started = np.zeros(games, np.int64)
        self._turns = np.zeros(games, np.int64)
        self._moves = np.zeros((games, 64), np.int32)
        super().__init__(games, Box(0, 1, (self._inputs,), np.float32), Discrete(arena.masks.shape[1]))

    def reset(self) -> NDArray[np.float32]:
        """Restart every game."""
        self._deal(self._rows)
        self._to_learner()
        return self._observed()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learner's actions, one a game."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play them, and everybody else's until the learner is to act again in every game."""
        return self.advance(self._actions)

    def advance(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Both halves of a step at once; arrays have a row a game."""
        paid = self._paid
        self._play(self._rows, actions)
        ended = self._to_learner()
        observations = self._observed()
        rewards = self._paid - paid
        done = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, (score, turns, last) in ended.items():
            done[row], rewards[row] = True, score - paid[row]
            infos[row] = {"episode": {"r": score, "l": turns, "t": 0.0}, "terminal_observation": last}
        return observations, rewards, done, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner may play, (games, actions)."""
        return self.arena.masks.copy()

    def state(self) -> dict[str, Any]:
        """All that :meth:`restore` needs, arrays and texts; asked between steps. The pool is not part of it."""
        return {
            "rng": json.dumps(self._rng.bit_generator.state),
            "me": self._me,
            "against": self._against,
            "standing": self._scores,
            "started": self._started,
            "turns": self._turns,
            "moves": self._moves[:, : self._turns.max()],
        }

    def restore(self, state: dict[str, Any]) -> NDArray[np.float32]:
        """Go on from a state, with the same pool: every game is replayed to where it was."""
        self._rng.bit_generator.state = json.loads(state["rng"])
        self._me, self._against = state["me"].copy(), state["against"].copy()
        self._started, self._scores = state["started"].copy(), state["standing"].copy()
        self._turns[:] = 0
        self.arena.start(self._rows, self._started)
        for turn in range(state["moves"].shape[1]):
            rows = np.flatnonzero(state["turns"] > turn)
            self._play(rows, state["moves"][rows, turn])
        return self._observed()

    def close(self) -> None:
        """Close the arena."""
        self.arena.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once a game."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set it, for all games."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """A row a game of what a method gives."""
        every = getattr(self, method_name)(*method_args, **method_kwargs)
        return [every[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is."""
        return [False] * len(list(self._get_indices(indices)))

    def _observed(self) -> NDArray[np.float32]:
        self._paid = self.arena.scores[self._rows, self._me]
        return self.arena.observations.copy()

    def _deal(self, rows: NDArray[np.int64]) -> None:
        count = len(rows)
        self._me[rows] = self._rng.integers(self.arena.seats, size=count)
        self._against[rows] = self.draw_opponents(count)
        self._started[rows] = self._rng.integers(2**31, size=count)
        self._turns[rows] = 0
        self.arena.start(rows, self._started[rows])

    def draw_opponents(self, count: int) -> Any:
        """Whom the learner meets in so many new games: places in the pool, or :data:`RANDOM` while it is empty."""
        if not self.pool:
            return RANDOM
        if not self.prioritised:
            return self._rng.integers(len(self.pool), size=count)
        new = len(self.pool) - len(self._scores)
        self._scores = np.append(self._scores, [0.5] * new)
        weights = 1 + LEAST - self._scores
        return self._rng.choice(len(self.pool), size=count, p=weights / weights.sum())

    def _play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        turns = self._turns[rows]
        if turns.max() == self._moves.shape[1]:
            self._moves = np.pad(self._moves, ((0, 0), (0, self._moves.shape[1])))
        self._moves[rows, turns] = actions
        self._turns[rows] = turns + 1
        self.arena.play(rows, actions)

    def _to_learner(self) -> dict[int, tuple[float, int, NDArray[np.float32]]]:
        """Let others act and games restart until the learner is to act in all.

        Returns:
            Of the games that ended: the learner's score, the moves of all seats, the last observation.

        Raises:
            ConfigError: the learner never has anything to decide.
        """
        arena, ended = self.arena, {}
        for _ in range(MAX_ROUNDS):
            over = np.flatnonzero(arena.seat == OVER)
            for row in over.tolist():
                if row not in ended:  # else the game that came after was over before the learner could act
                    score = float(arena.scores[row, self._me[row]])
                    ended[row] = score, int(self._turns[row]), arena.observations[row].copy()
                    self._remember(int(self._against[row]), (score + 1) / 2)
            if len(over):
                self._deal(over)
            rows = np.flatnonzero(arena.seat != self._me)
            if not len(rows):
                return ended
            rows = rows[arena.seat[rows] != OVER]
            if len(rows):
                self._play(rows, self._answers(rows))
        raise ConfigError(f"the learner had nothing to decide in {MAX_ROUNDS} moves of others")

    def _remember(self, opponent: int, score: float) -> None:
        if 0 <= opponent < len(self._scores):
            self._scores[opponent] += MEMORY * (min(max(score, 0), 1) - self._scores[opponent])

    def _answers(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        at_random = self._rng.random(len(rows)) < self.epsilon
        players = np.where(at_random, RANDOM, self._against[rows])
        return answers(self.arena, rows, self.pool, players, self._rng)


def answers(
    arena: Arena,
    rows: NDArray[np.int64],
    networks: Sequence[Network],
    players: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """An action in each of these games, drawn from the policy of a network.

    Args:
        arena: the games.
        rows: which of them.
        networks: who may play.
        players: the place of the network in each of these games, or ``RANDOM``.
        rng: decides.
    """
    masks = arena.masks[rows]
    logits = np.zeros(masks.shape, np.float32)
    for player in np.unique(players).tolist():
        if player != RANDOM:
            its = np.flatnonzero(players == player)
            logits[its] = networks[player].logits(arena.observations[rows[its]])
    return np.asarray(sample_masked(logits, masks, rng.random(len(rows))))


def duel(arena: Arena, first: Network | None, second: Network | None, games: int, seed: int) -> float:
    """The mean score of the first of two players, 0 to 1, a draw ½, each of them in seat 0 in half of the games.

    Args:
        arena: games of two seats.
        first: a network, None plays at random.
        second: as well.
        games: how many are played, rounded up to whole arenas.
        seed: decides everything random.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(arena.seat))
    networks = [network for network in (first, second) if network is not None]
    players = [RANDOM if first is None else 0, RANDOM if second is None else len(networks) - 1]
    scores: list[NDArray[np.float32]] = []
    while sum(map(len, scores)) < games:
        mine = (rows + len(scores)) % 2
        arena.start(rows, rng.integers(2**31, size=len(rows)))
        while len(left := np.flatnonzero(arena.seat != OVER)):
            others = (arena.seat[left] != mine[left]).astype(np.int64)
            arena.play(left, answers(arena, left, networks, np.array(players)[others], rng))
        scores.append(arena.scores[rows, mine].copy())
    return float((np.concatenate(scores).mean() + 1) / 2)
