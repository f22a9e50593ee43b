"""undercut"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

ENOUGH = 20


class CustomEnv(gymnasium.Env):
    """Two merchants name a price of 1 to 5 (action + 1); being exactly one cheaper takes both purses."""

    def __init__(self):
        self.action_space = Discrete(5)
        self.observation_space = Box(0, 1000, shape=(5,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.purse = [0, 0]
        self.named = [0, 0]
        self.whisper = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.purse + self.named + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1, 2, 3, 4]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if not 0 <= action < 5:
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.current_player = 1 - me
        if me == 0:
            self.whisper = action + 1
            return self._obs(), 0, False, False, {}
        a, b = self.whisper, action + 1
        self.named = [a, b]
        if a == b - 1:
            self.purse[0] += a + b
        elif b == a - 1:
            self.purse[1] += a + b
        else:
            self.purse[0] += a
            self.purse[1] += b
        x, y = self.purse
        if max(x, y) >= ENOUGH and x != y:
            winner = 0 if x > y else 1
            return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"purses {self.purse}, last prices {self.named}"
