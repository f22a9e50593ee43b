"""qubic"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete
from itertools import product

LINES = set()
for p in product(range(3), repeat=3):
    for d in product((-1, 0, 1), repeat=3):
        pts = [tuple(p[i] + k * d[i] for i in range(3)) for k in range(3)]
        if any(d) and all(0 <= x < 3 for q in pts for x in q):
            LINES.add(frozenset(9 * z + 3 * y + x for z, y, x in pts))
LINES = [sorted(l) for l in LINES]  # 49 of them


class CustomEnv(gymnasium.Env):
    """Crates stowed in a cubic hold; three of a mark in a straight row wins."""

    def __init__(self):
        self.action_space = Discrete(27)
        self.observation_space = Box(-1, 1, shape=(28,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.hold, self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.hold = np.zeros(27, dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [i for i in range(27) if self.hold[i] == 0]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        v = 1 - 2 * me
        self.hold[action] = v
        if any(all(self.hold[i] == v for i in l) for l in LINES if action in l):
            return self._obs(), 1, True, False, {"winner": me}
        if self.hold.all():
            return self._obs(), 0, True, False, {"winner": None}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        h = self.hold.reshape(3, 3, 3)
        return "\n".join("  ".join("".join("o.x"[v + 1] for v in h[z, y]) for z in range(3)) for y in range(3))
