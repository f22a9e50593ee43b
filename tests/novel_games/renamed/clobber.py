"""clobber"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

H, W = 4, 5
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class CustomEnv(gymnasium.Env):
    """Frogs on lily pads; every hop must land on a neighbouring enemy frog. action = pad * 4 + direction"""

    def __init__(self):
        self.action_space = Discrete(H * W * 4)
        self.observation_space = Box(-1, 1, shape=(H * W + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.pond.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.pond = np.array([[1 if (r + c) % 2 == 0 else -1 for c in range(W)] for r in range(H)])
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        out = []
        for r in range(H):
            for c in range(W):
                if self.pond[r, c] == v:
                    for d, (a, b) in enumerate(STEPS):
                        if 0 <= r + a < H and 0 <= c + b < W and self.pond[r + a, c + b] == -v:
                            out.append((r * W + c) * 4 + d)
        return out

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        r, c = divmod(int(action) // 4, W)
        a, b = STEPS[int(action) % 4]
        self.pond[r + a, c + b] = self.pond[r, c]
        self.pond[r, c] = 0
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.pond)
