"""notakto"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class CustomEnv(gymnasium.Env):
    """Two trays of nine eggs; a tray with three cracked in line is thrown out."""

    def __init__(self):
        self.action_space = Discrete(18)
        self.observation_space = Box(0, 1, shape=(19,), dtype=np.float32)
        self.cracked = np.zeros((2, 9), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.cracked = np.zeros((2, 9), dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.cracked.ravel(), self.current_player).astype(np.float32)

    def _usable(self, t):
        return not any(all(self.cracked[t, e] for e in row) for row in ROWS)

    def valid_moves(self):
        return [t * 9 + e for t in (0, 1) if self._usable(t) for e in range(9) if not self.cracked[t, e]]

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        self.cracked[a // 9, a % 9] = 1
        self.current_player = 1 - mover
        if not self._usable(0) and not self._usable(1):
            return self._obs(), 0, True, False, {"winner": 1 - mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        out = []
        for r in range(3):
            out.append(
                "  ".join("".join("x" if v else "0" for v in self.cracked[t, 3 * r : 3 * r + 3]) for t in (0, 1))
            )
        return "\n".join(out)
