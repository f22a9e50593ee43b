"""chomp"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """A meadow is mown; the bottom left patch hides a wasp nest."""

    R, C = 4, 5

    def __init__(self):
        self.action_space = Discrete(self.R * self.C)
        self.observation_space = Box(0, 1, shape=(self.R * self.C + 1,), dtype=np.float32)
        self.grass = np.ones((self.R, self.C), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.grass = np.ones((self.R, self.C), dtype=np.int8)  # row 0 is the bottom
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.grass.ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.grass)]

    def step(self, action):
        a = int(action)
        other = 1 - self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": other}
        r, c = divmod(a, self.C)
        self.grass[r:, c:] = 0
        self.current_player = other
        if a == 0:
            return self._obs(), 0, True, False, {"winner": other}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join('"' if g else " " for g in row) for row in self.grass[::-1])
