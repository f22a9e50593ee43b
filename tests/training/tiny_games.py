"""Tiny games for the tests of training."""

from __future__ import annotations

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.search.batch import Batch
from interactive_envs.training.arena import Arena

TAKE = """
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    # Nine counters, take one to three; whoever takes the last wins. After a take of two the same player goes on.
    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 1, (10,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.left, self.current_player = 9, 0
        return self.seen(), {}

    def seen(self):
        return np.eye(10, dtype=np.float32)[self.left]

    def valid_moves(self):
        return [take for take in (1, 2, 3) if take <= self.left]

    def step(self, action):
        self.left -= action
        if not self.left:
            return self.seen(), 1, True, False, {"winner": self.current_player}
        if action != 2:
            self.current_player = 1 - self.current_player
        return self.seen(), 0, False, False, {}

    def render(self):
        return str(self.left)
"""

DICE = """
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    # A die is shown to each player in turn, who says "high" or "low" before the next: six rounds, most points win.
    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 1, (6,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.current_player, self.points, self.round = 0, [0, 0], 0
        self.die = int(self.np_random.integers(6))
        return self.seen(), {}

    def seen(self):
        return np.eye(6, dtype=np.float32)[self.die]

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        die = int(self.np_random.integers(6))
        self.points[self.current_player] += (die > self.die) == bool(action)
        self.die, self.round = die, self.round + 1
        self.current_player = self.round % 2
        if self.round < 6:
            return self.seen(), 0, False, False, {}
        first, second = self.points
        return self.seen(), 0, True, False, {"winner": None if first == second else int(second > first)}

    def render(self):
        return str(self.die)
"""


def take(games: int) -> Arena:
    return Batch(Program(TAKE), games)


def dice(games: int) -> Arena:
    return Batch(Program(DICE), games)


def broken(games: int) -> Arena:
    return Batch(Program(TAKE.replace("return [take for take in (1, 2, 3) if take <= self.left]", "return []")), games)
