"""blotto"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

SPREADS = [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]


class CustomEnv(gymnasium.Env):
    """Six gardeners are sent to three plots, both sides at once; more plots win."""

    def __init__(self):
        self.action_space = Discrete(len(SPREADS))
        self.observation_space = Box(0, 6, shape=(7,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.sent = [None, None]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.zeros(7, dtype=np.float32)
        if self.sent[1] is not None:
            o[:6] = self.sent[0] + self.sent[1]
        o[6] = self.current_player
        return o

    def valid_moves(self):
        return list(range(len(SPREADS)))

    def step(self, action):
        action = int(action)
        me = self.current_player
        if not 0 <= action < len(SPREADS):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.sent[me] = SPREADS[action]
        self.current_player = 1 - me
        if me == 0:
            return self._obs(), 0, False, False, {}
        balance = sum((x > y) - (x < y) for x, y in zip(*self.sent))
        winner = None if balance == 0 else 0 if balance > 0 else 1
        return self._obs(), 1 if winner == 1 else 0, True, False, {"winner": winner}

    def render(self):
        return f"plots: {self.sent[0] if self.sent[1] else '?'} against {self.sent[1] or '?'}"
