"""hexapawn"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

H, W = 4, 3


class CustomEnv(gymnasium.Env):
    """Snails creep ahead, bite diagonally. Player 0 starts at the bottom. action = cell * 3 + (left, straight, right)"""

    def __init__(self):
        self.action_space = Discrete(H * W * 3)
        self.observation_space = Box(-1, 1, shape=(H * W + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.lawn.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lawn = np.zeros((H, W), dtype=int)
        self.lawn[0], self.lawn[H - 1] = -1, 1
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        out = []
        for r in range(H):
            for c in range(W):
                y = r - v
                if self.lawn[r, c] != v or not 0 <= y < H:
                    continue
                for k in (0, 1, 2):
                    x = c + k - 1
                    if 0 <= x < W and self.lawn[y, x] == (0 if k == 1 else -v):
                        out.append((r * W + c) * 3 + k)
        return out

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        cell, k = divmod(int(action), 3)
        r, c = divmod(cell, W)
        v = 1 - 2 * me
        self.lawn[r, c] = 0
        self.lawn[r - v, c + k - 1] = v
        self.current_player = 1 - me
        if r - v == (0 if me == 0 else H - 1) or not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.lawn)
