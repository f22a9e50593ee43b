"""turning-turtles"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Seven shutters; close an open one, and flip one further left if you like."""

    N = 7

    def __init__(self):
        self.action_space = Discrete(self.N * self.N)
        self.observation_space = Box(0, 1, shape=(self.N + 1,), dtype=np.float32)
        self._open()

    def _open(self):
        self.shutters = [0, 1, 1, 0, 1, 0, 1]  # 1 = open
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._open()
        return self._obs(), {}

    def _obs(self):
        return np.array(self.shutters + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        # action = i * 7 + j: close i; j < i is flipped too; j == i means nothing else
        return [i * self.N + j for i in range(self.N) if self.shutters[i] for j in range(i + 1)]

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        i, j = divmod(action, self.N)
        self.shutters[i] = 0
        if j < i:
            self.shutters[j] ^= 1
        if not any(self.shutters):
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player ^= 1
        return self._obs(), 0, False, False, {}

    def render(self):
        return " ".join("[ ]" if s else "[#]" for s in self.shutters)
