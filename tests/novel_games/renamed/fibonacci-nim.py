"""fibonacci-nim"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """A well of 17 buckets; draw at most twice what was drawn before."""

    def __init__(self):
        self.action_space = Discrete(17)
        self.observation_space = Box(0, 40, shape=(3,), dtype=np.float32)
        self._fill()

    def _fill(self):
        self.water = 17
        self.cap = 16
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._fill()
        return self._obs(), {}

    def _obs(self):
        return np.array([self.water, min(self.cap, self.water), self.current_player], dtype=np.float32)

    def valid_moves(self):
        # action a draws a + 1 buckets
        return list(range(min(self.cap, self.water)))

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        drawn = action + 1
        self.water -= drawn
        self.cap = 2 * drawn
        mover, self.current_player = self.current_player, 1 - self.current_player
        done = self.water == 0
        return self._obs(), int(done), done, False, ({"winner": mover} if done else {})

    def render(self):
        return f"{self.water} buckets left, draw up to {min(self.cap, self.water)}"
