"""breakthrough"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

N = 5


class CustomEnv(gymnasium.Env):
    """Two crowds of runners. Player 0 runs down from the top, player 1 up. action = (row, col, sidestep)"""

    def __init__(self):
        self.action_space = Discrete(N * N * 3)
        self.observation_space = Box(-1, 1, shape=(N * N + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.field.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.field = np.zeros((N, N), dtype=int)
        self.field[:2], self.field[-2:] = 1, -1
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 if self.current_player == 0 else -1
        out = []
        for r, c in np.argwhere(self.field == v):
            for k in (-1, 0, 1):
                y, x = r + v, c + k
                if 0 <= y < N and 0 <= x < N:
                    there = self.field[y, x]
                    if there == 0 or (there == -v and k != 0):
                        out.append(int((r * N + c) * 3 + k + 1))
        return out

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        v = 1 if me == 0 else -1
        r, c, k = int(action) // (3 * N), int(action) // 3 % N, int(action) % 3 - 1
        self.field[r, c] = 0
        self.field[r + v, c + k] = v
        home = r + v == (N - 1 if me == 0 else 0)
        if home or not (self.field == -v).any():
            return self._obs(), 1, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("^.v"[v + 1] for v in row) for row in self.field)
