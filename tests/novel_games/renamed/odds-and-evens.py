"""odds-and-evens"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Both lay out one or two shells (action 0 or 1) under a cloth; the count decides who takes a feather."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 4, shape=(5,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.feathers = [0, 0]
        self.cloth = 0
        self.last = [0, 0]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.feathers + self.last + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        shells = action + 1
        self.current_player = 1 - me
        if me == 0:
            self.cloth = shells
            return self._obs(), 0, False, False, {}
        self.last = [self.cloth, shells]
        taker = (self.cloth + shells) % 2
        self.feathers[taker] += 1
        if self.feathers[taker] == 4:
            return self._obs(), 1 if taker == me else 0, True, False, {"winner": taker}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"feathers {self.feathers}, last shells {self.last}"
