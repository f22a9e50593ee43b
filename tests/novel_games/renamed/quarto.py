"""quarto"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


LANES = [[4 * r + c for c in range(4)] for r in range(4)]
LANES += [[4 * r + c for r in range(4)] for c in range(4)]
LANES += [[0, 5, 10, 15], [3, 6, 9, 12]]


class CustomEnv(gymnasium.Env):
    """Sixteen vases (size, colour, shape, glaze) on sixteen shelves; the rival hands you yours."""

    def __init__(self):
        self.action_space = Discrete(32)  # 0..15: shelf, 16..31: hand over vase a - 16
        self.observation_space = Box(-1, 15, shape=(18,), dtype=np.float32)
        self._clear()

    def _clear(self):
        self.shelf = [-1] * 16
        self.handed = -1  # vase to be put down, -1 while one is to be chosen
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._clear()
        return self._obs(), {}

    def _obs(self):
        return np.array(self.shelf + [self.handed, self.current_player], dtype=np.float32)

    def valid_moves(self):
        if self.handed >= 0:
            return [i for i in range(16) if self.shelf[i] < 0]
        return [16 + v for v in range(16) if v not in self.shelf]

    def _alike(self):
        for lane in LANES:
            vases = [self.shelf[i] for i in lane]
            if min(vases) < 0:
                continue
            ones, zeros = 15, 15
            for v in vases:
                ones &= v
                zeros &= ~v
            if ones or zeros:
                return True
        return False

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        if self.handed < 0:
            self.handed = a - 16
            self.current_player = 1 - mover
            return self._obs(), 0, False, False, {}
        self.shelf[a] = self.handed
        self.handed = -1
        if self._alike():
            return self._obs(), 1, True, False, {"winner": mover}
        if min(self.shelf) >= 0:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        names = [format(v, "04b") if v >= 0 else "----" for v in self.shelf]
        rows = [" ".join(names[4 * r : 4 * r + 4]) for r in range(4)]
        return "\n".join(rows) + (f"\nin hand {self.handed:04b}" if self.handed >= 0 else "")
