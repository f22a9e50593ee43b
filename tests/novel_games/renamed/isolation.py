"""isolation"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

H, W = 4, 5
N = H * W


class CustomEnv(gymnasium.Env):
    """Penguins on a floe: waddle to a neighbouring tile (0..19), then sink any free tile (20..39)."""

    def __init__(self):
        self.action_space = Discrete(2 * N)
        self.observation_space = Box(0, 3, shape=(N + 2,), dtype=np.float32)
        self.reset()

    def _obs(self):
        m = self.sunk.astype(int)
        m[self.bird[0]], m[self.bird[1]] = 2, 3
        return np.concatenate([m.ravel(), [self.current_player, self.sinking]]).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.sunk = np.zeros((H, W), dtype=bool)
        self.bird = [(1, 0), (1, W - 1)]
        self.sinking = False
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        free = [(r, c) for r in range(H) for c in range(W) if not self.sunk[r, c] and (r, c) not in self.bird]
        if self.sinking:
            return [N + r * W + c for r, c in free]
        y, x = self.bird[self.current_player]
        return [r * W + c for r, c in free if abs(r - y) <= 1 and abs(c - x) <= 1]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if not self.sinking:
            self.bird[me] = divmod(int(action), W)
            self.sinking = True
            return self._obs(), 0, False, False, {}
        self.sunk[divmod(int(action) - N, W)] = True
        self.sinking = False
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        m = self._obs()[:N].astype(int).reshape(H, W)
        return "\n".join(" ".join(".~AB"[v] for v in row) for row in m)
