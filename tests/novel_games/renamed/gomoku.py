"""gomoku"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 8


class CustomEnv(gymnasium.Env):
    """Stars in a square sky; a constellation of five or more in line wins."""

    def __init__(self):
        self.action_space = Discrete(SIZE * SIZE)
        self.observation_space = Box(-1, 1, shape=(SIZE * SIZE + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.sky.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.sky = np.zeros((SIZE, SIZE), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.sky.ravel() == 0)]

    def _ray(self, y, x, dy, dx):
        v, n = self.sky[y, x], 0
        y, x = y + dy, x + dx
        while 0 <= y < SIZE and 0 <= x < SIZE and self.sky[y, x] == v:
            n, y, x = n + 1, y + dy, x + dx
        return n

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        y, x = int(action) // SIZE, int(action) % SIZE
        self.sky[y, x] = 1 if me == 0 else -1
        if any(1 + self._ray(y, x, a, b) + self._ray(y, x, -a, -b) >= 5 for a, b in ((0, 1), (1, 0), (1, 1), (1, -1))):
            return self._obs(), 1, True, False, {"winner": me}
        if np.all(self.sky != 0):
            return self._obs(), 0, True, False, {"winner": None}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join({0: ".", 1: "*", -1: "+"}[int(v)] for v in row) for row in self.sky)
