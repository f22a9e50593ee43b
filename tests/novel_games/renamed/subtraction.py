"""subtraction"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """A staircase of 23 steps; walk down one to four; reach the floor."""

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 23, shape=(2,), dtype=np.float32)
        self.height = 23
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.height = 23
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array([self.height, self.current_player], dtype=np.float32)

    def valid_moves(self):
        return list(range(min(4, self.height)))

    def step(self, action):
        if int(action) not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        self.height -= int(action) + 1
        mover = self.current_player
        self.current_player = 1 - mover
        if self.height == 0:
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"height {self.height}, walker {self.current_player}"
