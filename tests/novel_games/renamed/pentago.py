"""pentago"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Plant a flower, then turn one of four flower beds; five flowers in a row win.

    0..35 plant, 36..43 turn bed (k // 2) to the left (even) or right (odd).
    """

    def __init__(self):
        self.action_space = Discrete(44)
        self.observation_space = Box(-1, 1, shape=(38,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.garden = np.zeros((6, 6), dtype=int)
        self.turning = False
        self.current_player = 0
        return self._look(), {}

    def _look(self):
        g = self.garden.flatten()
        g = np.where(g == 2, -1, g)
        return np.concatenate([g, [self.turning, self.current_player]]).astype(np.float32)

    def valid_moves(self):
        if self.turning:
            return list(range(36, 44))
        return [int(i) for i in np.flatnonzero(self.garden.flatten() == 0)]

    def _has_row(self, p):
        g = self.garden == p + 1
        for r in range(6):
            for c in range(6):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    er, ec = r + 4 * dr, c + 4 * dc
                    if er < 6 and 0 <= ec < 6 and all(g[r + i * dr, c + i * dc] for i in range(5)):
                        return True
        return False

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            return self._look(), -10, True, False, {"winner": 1 - p}
        if not self.turning:
            self.garden[action // 6, action % 6] = p + 1
            if self._has_row(p):
                return self._look(), 1, True, False, {"winner": p}
            self.turning = True
            return self._look(), 0, False, False, {}
        bed, way = divmod(action - 36, 2)
        r, c = 3 * (bed // 2), 3 * (bed % 2)
        self.garden[r : r + 3, c : c + 3] = np.rot90(self.garden[r : r + 3, c : c + 3], 1 if way == 0 else -1).copy()
        self.turning = False
        self.current_player = 1 - p
        mine, other = self._has_row(p), self._has_row(1 - p)
        if mine and not other:
            return self._look(), 1, True, False, {"winner": p}
        if other and not mine:
            return self._look(), 0, True, False, {"winner": 1 - p}
        if (mine and other) or (self.garden > 0).all():
            return self._look(), 0, True, False, {"winner": None}
        return self._look(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join(".RB"[v] for v in row) for row in self.garden)
