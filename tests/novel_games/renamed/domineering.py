"""domineering"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two gardeners plant hedges: one north-south, the other east-west."""

    R, C = 4, 5

    def __init__(self):
        self.action_space = Discrete(self.R * self.C)
        self.observation_space = Box(0, 2, shape=(self.R * self.C + 1,), dtype=np.float32)
        self.plot = np.zeros((self.R, self.C), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.plot = np.zeros((self.R, self.C), dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.plot.ravel(), self.current_player).astype(np.float32)

    def _cells(self, a):
        # the action names the top (player 0) or left (player 1) end of the hedge
        r, c = divmod(a, self.C)
        return [(r, c), (r + 1, c) if self.current_player == 0 else (r, c + 1)]

    def _free(self, a):
        return all(r < self.R and c < self.C and self.plot[r, c] == 0 for r, c in self._cells(a))

    def valid_moves(self):
        return [a for a in range(self.R * self.C) if self._free(a)]

    def step(self, action):
        mover = self.current_player
        if int(action) not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        for r, c in self._cells(int(action)):
            self.plot[r, c] = mover + 1
        self.current_player = 1 - mover
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join(".|-"[v] for v in row) for row in self.plot)
