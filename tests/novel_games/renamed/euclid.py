"""euclid"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two tanks; drain the fuller one by whole fillings of the other."""

    def __init__(self):
        self.action_space = Discrete(55)
        self.observation_space = Box(0, 55, shape=(3,), dtype=np.float32)
        self.tanks = [55, 17]
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.tanks = [55, 17]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.tanks + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        # action a drains (a + 1) fillings
        lo, hi = min(self.tanks), max(self.tanks)
        return list(range(hi // lo)) if lo else []

    def step(self, action):
        a = int(action)
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        big = 0 if self.tanks[0] >= self.tanks[1] else 1
        self.tanks[big] -= (a + 1) * self.tanks[1 - big]
        if self.tanks[big] == 0:
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player = 1 - self.current_player
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"tank A {self.tanks[0]} | tank B {self.tanks[1]}"
