"""nine-holes"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
LIMIT = 60


class CustomEnv(gymnasium.Env):
    """Three marbles each and nine hollows: set in, then lift to any empty hollow.
    action: 0..8 sets a new one, 9 + 9 * from + to moves one."""

    def __init__(self):
        self.action_space = Discrete(90)
        self.observation_space = Box(-1, LIMIT, shape=(11,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.hollows + [self.current_player, self.count], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.hollows = [0] * 9
        self.count = 0
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        s = self.hollows
        if self.count < 6:
            return [i for i in range(9) if s[i] == 0]
        v = 1 - 2 * self.current_player
        return [9 + 9 * a + b for a in range(9) if s[a] == v for b in range(9) if s[b] == 0]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        v = 1 - 2 * me
        if action < 9:
            self.hollows[action] = v
        else:
            a, b = divmod(int(action) - 9, 9)
            self.hollows[a], self.hollows[b] = 0, v
        self.count += 1
        self.current_player = 1 - me
        if any(all(self.hollows[i] == v for i in row) for row in ROWS) or not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        if self.count >= LIMIT:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        t = ["o.x"[v + 1] for v in self.hollows]
        return "\n".join(" ".join(t[i : i + 3]) for i in (0, 3, 6))
