"""dawsons-kayles"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Eleven benches along a path; carry off two neighbouring benches at a time."""

    N = 11

    def __init__(self):
        self.action_space = Discrete(self.N - 1)
        self.observation_space = Box(0, 1, shape=(self.N + 1,), dtype=np.float32)
        self.there = [True] * self.N
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.there = [True] * self.N
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.there + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [i for i in range(self.N - 1) if self.there[i] and self.there[i + 1]]

    def step(self, action):
        i, mover = int(action), self.current_player
        if i not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        self.there[i] = self.there[i + 1] = False
        self.current_player = 1 - mover
        if self.valid_moves():
            return self._obs(), 0, False, False, {}
        return self._obs(), 1, True, False, {"winner": mover}

    def render(self):
        return "".join("H" if t else "." for t in self.there)
