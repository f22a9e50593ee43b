"""othello"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

S = 6
RAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


class CustomEnv(gymnasium.Env):
    """Pancakes with a dark and a pale side; outflanked rows are turned over."""

    def __init__(self):
        self.action_space = Discrete(S * S)
        self.observation_space = Box(-1, 1, shape=(S * S + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.pan.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.pan = np.zeros((S, S), dtype=int)
        h = S // 2
        self.pan[h - 1, h - 1] = self.pan[h, h] = -1
        self.pan[h - 1, h] = self.pan[h, h - 1] = 1
        self.current_player = 0
        return self._obs(), {}

    def _turned(self, r, c, v):
        got = []
        if self.pan[r, c] != 0:
            return got
        for a, b in RAYS:
            run, y, x = [], r + a, c + b
            while 0 <= y < S and 0 <= x < S and self.pan[y, x] == -v:
                run.append((y, x))
                y, x = y + a, x + b
            if run and 0 <= y < S and 0 <= x < S and self.pan[y, x] == v:
                got += run
        return got

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        return [r * S + c for r in range(S) for c in range(S) if self._turned(r, c, v)]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        r, c = divmod(int(action), S)
        v = 1 - 2 * me
        for q in self._turned(r, c, v):
            self.pan[q] = v
        self.pan[r, c] = v
        self.current_player = 1 - me
        if not self.valid_moves():
            self.current_player = me
            if not self.valid_moves():
                total = int(self.pan.sum())
                w = None if total == 0 else (0 if total > 0 else 1)
                return self._obs(), int(w == me), True, False, {"winner": w}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.pan)
