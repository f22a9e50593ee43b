"""teeko"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

W = 5
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def _patterns():
    shapes = []
    for r in range(W):
        for c in range(W):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + dr * i, c + dc * i) for i in range(4)]
                if all(0 <= a < W and 0 <= b < W for a, b in cells):
                    shapes.append([a * W + b for a, b in cells])
            if r < W - 1 and c < W - 1:
                k = r * W + c
                shapes.append([k, k + 1, k + W, k + W + 1])
    return shapes


PATTERNS = _patterns()


class CustomEnv(gymnasium.Env):
    """Four pebbles each; first dropped, then slid, until they form a line or a block."""

    def __init__(self):
        self.action_space = Discrete(25 + 25 * 8)
        self.observation_space = Box(-1, 1, shape=(26,), dtype=np.float32)
        self.current_player = 0
        self.tray = [-1] * 25

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.tray = [-1] * 25
        self.n = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = [0 if x < 0 else 1 - 2 * x for x in self.tray]
        return np.array(o + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        if self.n < 8:
            return [i for i in range(25) if self.tray[i] < 0]
        acts = []
        for i in range(25):
            if self.tray[i] == self.current_player:
                for d, (dr, dc) in enumerate(AROUND):
                    r, c = i // W + dr, i % W + dc
                    if 0 <= r < W and 0 <= c < W and self.tray[r * W + c] < 0:
                        acts.append(25 + i * 8 + d)
        return acts

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if action < 25:
            self.tray[action] = me
        else:
            i, d = divmod(action - 25, 8)
            self.tray[i] = -1
            self.tray[(i // W + AROUND[d][0]) * W + i % W + AROUND[d][1]] = me
        self.n += 1
        self.current_player = 1 - me
        if any(all(self.tray[i] == me for i in p) for p in PATTERNS):
            return self._obs(), 1, True, False, {"winner": me}
        if self.n >= 80:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join(".XO"[self.tray[r * W + c] + 1] for c in range(W)) for r in range(W))
