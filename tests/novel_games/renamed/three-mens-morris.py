"""three-mens-morris"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
PATHS = {
    0: (1, 3, 4),
    1: (0, 2, 4),
    2: (1, 4, 5),
    3: (0, 4, 6),
    4: (0, 1, 2, 3, 5, 6, 7, 8),
    5: (2, 4, 8),
    6: (3, 4, 7),
    7: (4, 6, 8),
    8: (4, 5, 7),
}
LIMIT = 60


class CustomEnv(gymnasium.Env):
    """Three shepherds each on nine hills: set out, then walk along the paths.
    action: 0..8 sets a new one, 9 + 9 * from + to moves one."""

    def __init__(self):
        self.action_space = Discrete(90)
        self.observation_space = Box(-1, LIMIT, shape=(11,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.hills + [self.current_player, self.count], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.hills = [0] * 9
        self.count = 0
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        s = self.hills
        if self.count < 6:
            return [i for i in range(9) if s[i] == 0]
        v = 1 - 2 * self.current_player
        return [9 + 9 * a + b for a in range(9) if s[a] == v for b in PATHS[a] if s[b] == 0]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        v = 1 - 2 * me
        if action < 9:
            self.hills[action] = v
        else:
            a, b = divmod(int(action) - 9, 9)
            self.hills[a], self.hills[b] = 0, v
        self.count += 1
        self.current_player = 1 - me
        if any(all(self.hills[i] == v for i in row) for row in ROWS) or not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        if self.count >= LIMIT:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        t = ["o.x"[v + 1] for v in self.hills]
        return "\n".join(" ".join(t[i : i + 3]) for i in (0, 3, 6))
