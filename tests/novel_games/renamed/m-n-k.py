"""m-n-k"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two florists set tulips and roses in a bed of 4 by 5; four of a kind in line."""

    R, C, LINE = 4, 5, 4

    def __init__(self):
        self.action_space = Discrete(self.R * self.C)
        self.observation_space = Box(-1, 1, shape=(self.R * self.C + 1,), dtype=np.float32)
        self.bed = np.full((self.R, self.C), -1, dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.bed = np.full((self.R, self.C), -1, dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.bed.ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.bed.ravel() == -1)]

    def _in_line(self, r, c):
        who = self.bed[r, c]
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            n = 1
            for s in (1, -1):
                y, x = r + s * dr, c + s * dc
                while 0 <= y < self.R and 0 <= x < self.C and self.bed[y, x] == who:
                    n += 1
                    y, x = y + s * dr, x + s * dc
            if n >= self.LINE:
                return True
        return False

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        r, c = divmod(a, self.C)
        self.bed[r, c] = mover
        self.current_player = 1 - mover
        if self._in_line(r, c):
            return self._obs(), 1, True, False, {"winner": mover}
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("TR."[v] for v in row) for row in self.bed)
