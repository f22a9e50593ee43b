"""wythoff"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """A ferry at (6, 9) sails west, south, or south-west to the harbour at (0, 0)."""

    X, Y = 6, 9

    def __init__(self):
        self.action_space = Discrete((self.X + 1) * (self.Y + 1))
        self.observation_space = Box(0, 9, shape=(3,), dtype=np.float32)
        self.x, self.y = self.X, self.Y
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.y = self.X, self.Y
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array([self.x, self.y, self.current_player], dtype=np.float32)

    def valid_moves(self):
        # action = target point x * 10 + y
        goals = [(i, self.y) for i in range(self.x)]
        goals += [(self.x, j) for j in range(self.y)]
        goals += [(self.x - d, self.y - d) for d in range(1, min(self.x, self.y) + 1)]
        return sorted(i * (self.Y + 1) + j for i, j in goals)

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        self.x, self.y = divmod(action, self.Y + 1)
        if self.x == 0 and self.y == 0:
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player ^= 1
        return self._obs(), 0, False, False, {}

    def render(self):
        rows = []
        for j in range(self.Y, -1, -1):
            rows.append("".join("F" if (i, j) == (self.x, self.y) else "." for i in range(self.X + 1)))
        return "\n".join(rows)
