"""konane"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

H, W = 4, 6
N = H * W


class CustomEnv(gymnasium.Env):
    """Goats leap over rival goats in a straight line, once or more. action = start * 24 + landing"""

    def __init__(self):
        self.action_space = Discrete(N * N)
        self.observation_space = Box(-1, 1, shape=(N + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.rock.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.rock = np.array([[1 if (r + c) % 2 == 0 else -1 for c in range(W)] for r in range(H)])
        self.rock[1, 2] = self.rock[1, 3] = 0
        self.current_player = 0
        return self._obs(), {}

    def _leaps(self):
        v = 1 - 2 * self.current_player
        found = {}
        for r, c in zip(*np.nonzero(self.rock == v)):
            for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                y, x, eaten = int(r), int(c), []
                while (
                    0 <= y + 2 * a < H
                    and 0 <= x + 2 * b < W
                    and self.rock[y + a, x + b] == -v
                    and self.rock[y + 2 * a, x + 2 * b] == 0
                ):
                    eaten = eaten + [(y + a, x + b)]
                    y, x = y + 2 * a, x + 2 * b
                    found[(int(r) * W + int(c)) * N + y * W + x] = eaten
        return found

    def valid_moves(self):
        return sorted(self._leaps())

    def step(self, action):
        me = self.current_player
        leaps = self._leaps()
        if action not in leaps:
            return self._obs(), -10, True, False, {"winner": 1 - me}
        start, end = divmod(int(action), N)
        for q in leaps[action]:
            self.rock[q] = 0
        self.rock[divmod(start, W)] = 0
        self.rock[divmod(end, W)] = 1 - 2 * me
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.rock)
