"""rock-paper-scissors"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Each shows fire (0), water (1) or grass (2): water douses fire, grass drinks water, fire burns grass."""

    def __init__(self):
        self.action_space = Discrete(3)
        self.observation_space = Box(-1, 3, shape=(5,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.score = [0, 0]
        self.hidden = None
        self.shown = (-1, -1)
        self.acts = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array([*self.score, *self.shown, self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1, 2]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1, 2):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.acts += 1
        self.current_player = 1 - me
        if me == 0:
            self.hidden = action
        else:
            self.shown = (self.hidden, action)
            diff = (self.hidden - action) % 3
            if diff:
                self.score[0 if diff == 1 else 1] += 1
            for p in (0, 1):
                if self.score[p] == 3:
                    return self._obs(), int(p == me), True, False, {"winner": p}
        if self.acts >= 100:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"score {self.score[0]}:{self.score[1]} last {self.shown}"
