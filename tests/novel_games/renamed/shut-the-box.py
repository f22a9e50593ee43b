"""shut-the-box"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

WEIGHT = [sum(i + 1 for i in range(6) if m >> i & 1) for m in range(64)]


class CustomEnv(gymnasium.Env):
    """Put out candles 1 to 6 so that they add up to two dice. Action = bit mask of candles to put out."""

    def __init__(self):
        self.action_space = Discrete(64)
        self.observation_space = Box(0, 12, shape=(15,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lit = [63, 63]
        self.current_player = 0
        self.over = False
        self._throw()
        return self._obs(), {}

    def _throw(self):
        """Throw until somebody can act or both are through."""
        while True:
            self.dice = [int(x) for x in self.np_random.integers(1, 7, size=2)]
            if self.valid_moves():
                return
            if self.current_player == 1:
                self.over = True
                return
            self.current_player = 1

    def _obs(self):
        bits = [self.lit[p] >> i & 1 for p in (0, 1) for i in range(6)]
        return np.array(bits + self.dice + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        own, need = self.lit[self.current_player], sum(self.dice)
        return [m for m in range(1, 64) if m & ~own == 0 and WEIGHT[m] == need]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.lit[me] &= ~action
        self._throw()  # with no candle lit nothing can fit, so the turn ends as well
        if not self.over:
            return self._obs(), 0, False, False, {}
        a, b = WEIGHT[self.lit[0]], WEIGHT[self.lit[1]]
        winner = None if a == b else 0 if a < b else 1
        return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}

    def render(self):
        rows = ["".join(str(i + 1) if self.lit[p] >> i & 1 else "." for i in range(6)) for p in (0, 1)]
        return "\n".join(rows) + f"\ndice {self.dice}, player {self.current_player}"
