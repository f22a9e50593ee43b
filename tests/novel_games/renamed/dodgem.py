"""dodgem"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

N = 4
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class CustomEnv(gymnasium.Env):
    """Two fleets of boats try to sail off the pond, one to the east, one to the north."""

    def __init__(self):
        self.action_space = Discrete(N * N * 4)
        self.observation_space = Box(-1, 1, shape=(N * N + 1,), dtype=np.float32)
        self.current_player = 0
        self.pond = np.zeros((N, N), dtype=int)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.pond = np.zeros((N, N), dtype=int)
        self.pond[0:3, 0] = 1
        self.pond[3, 1:4] = 2
        self.current_player = 0
        self.count = 0
        return self._obs(), {}

    def _obs(self):
        flat = self.pond.flatten()
        o = np.where(flat == 1, 1, np.where(flat == 2, -1, 0))
        return np.append(o, self.current_player).astype(np.float32)

    def _moves(self, p):
        dirs = (0, 1, 2) if p == 0 else (0, 1, 3)
        out = []
        for r in range(N):
            for c in range(N):
                if self.pond[r, c] != p + 1:
                    continue
                for d in dirs:
                    a, b = r + STEPS[d][0], c + STEPS[d][1]
                    if 0 <= a < N and 0 <= b < N:
                        ok = self.pond[a, b] == 0
                    else:
                        ok = (p == 0 and d == 1) or (p == 1 and d == 0)
                    if ok:
                        out.append((r * N + c) * 4 + d)
        return out

    def valid_moves(self):
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        cell, d = divmod(action, 4)
        r, c = divmod(cell, N)
        self.pond[r, c] = 0
        a, b = r + STEPS[d][0], c + STEPS[d][1]
        if 0 <= a < N and 0 <= b < N:
            self.pond[a, b] = me + 1
        self.count += 1
        self.current_player = 1 - me
        if not (self.pond == me + 1).any():
            return self._obs(), 1, True, False, {"winner": me}
        if not self._moves(1 - me):  # a fully blocked fleet is declared the victor
            return self._obs(), 0, True, False, {"winner": 1 - me}
        if self.count >= 100:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join(".>^"[v] for v in row) for row in self.pond)
