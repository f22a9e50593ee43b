"""connect6"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

W = 7
NEED = 6


class CustomEnv(gymnasium.Env):
    """Planting flowers: one at the very first turn, two in every later turn; six in a line wins."""

    def __init__(self):
        self.action_space = Discrete(W * W)
        self.observation_space = Box(-1, 2, shape=(W * W + 2,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.concatenate([self.bed.ravel(), [self.current_player, self.left]]).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.bed = np.zeros((W, W), dtype=int)
        self.current_player = 0
        self.left = 1
        return self._obs(), {}

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.bed.ravel() == 0)]

    def _line(self, r, c):
        v = self.bed[r, c]
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            n = 1
            for s in (1, -1):
                y, x = r + s * dr, c + s * dc
                while 0 <= y < W and 0 <= x < W and self.bed[y, x] == v:
                    n += 1
                    y, x = y + s * dr, x + s * dc
            if n >= NEED:
                return True
        return False

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        r, c = divmod(int(action), W)
        self.bed[r, c] = 1 - 2 * me
        if self._line(r, c):
            return self._obs(), 1, True, False, {"winner": me}
        if self.bed.all():
            return self._obs(), 0, True, False, {"winner": None}
        self.left -= 1
        if self.left == 0:
            self.current_player, self.left = 1 - me, 2
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.bed)
