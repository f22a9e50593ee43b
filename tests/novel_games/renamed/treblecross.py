"""treblecross"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Lay stepping stones; three in sequence cross the brook."""

    N = 11

    def __init__(self):
        self.action_space = Discrete(self.N)
        self.observation_space = Box(0, 1, shape=(self.N + 1,), dtype=np.float32)
        self.stones = [0] * self.N
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.stones = [0] * self.N
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.stones + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [i for i, s in enumerate(self.stones) if s == 0]

    def step(self, action):
        i = int(action)
        if i not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        self.stones[i] = 1
        if any(sum(self.stones[k : k + 3]) == 3 for k in range(self.N - 2)):
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player = 1 - self.current_player
        return self._obs(), 0, False, False, {}

    def render(self):
        return "".join("o" if s else "~" for s in self.stones)
