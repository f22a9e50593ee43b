"""kayles"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Ten candles in a line; blow out one, or two side by side."""

    N = 10

    def __init__(self):
        self.action_space = Discrete(2 * self.N - 1)
        self.observation_space = Box(0, 1, shape=(self.N + 1,), dtype=np.float32)
        self.candles = np.ones(self.N, dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.candles = np.ones(self.N, dtype=np.float32)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.candles, np.float32(self.current_player)).astype(np.float32)

    def _span(self, a):
        # 0..9: single candle; 10..18: the pair a-10, a-9
        return [a] if a < self.N else [a - self.N, a - self.N + 1]

    def valid_moves(self):
        return [a for a in range(2 * self.N - 1) if all(self.candles[i] for i in self._span(a))]

    def step(self, action):
        a = int(action)
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        for i in self._span(a):
            self.candles[i] = 0
        if not self.candles.any():
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player = 1 - self.current_player
        return self._obs(), 0, False, False, {}

    def render(self):
        return "".join("i" if c else "_" for c in self.candles)
