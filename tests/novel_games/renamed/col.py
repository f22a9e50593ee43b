"""col"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

H, W = 4, 4


class CustomEnv(gymnasium.Env):
    """Painting tiles: two tiles of one paint must never share an edge. Who is stuck loses."""

    def __init__(self):
        self.action_space = Discrete(H * W)
        self.observation_space = Box(-1, 1, shape=(H * W + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.tiles.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.tiles = np.zeros((H, W), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        out = []
        for r in range(H):
            for c in range(W):
                if self.tiles[r, c] != 0:
                    continue
                near = [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
                if not any(0 <= y < H and 0 <= x < W and self.tiles[y, x] == v for y, x in near):
                    out.append(r * W + c)
        return out

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.tiles[divmod(int(action), W)] = 1 - 2 * me
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("r.b"[v + 1] for v in row) for row in self.tiles)
