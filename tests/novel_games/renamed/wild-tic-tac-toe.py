"""wild-tic-tac-toe"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Nine plates; either cook may serve soup or salad on any empty plate."""

    def __init__(self):
        self.action_space = Discrete(18)
        self.observation_space = Box(0, 2, shape=(10,), dtype=np.float32)
        self.plates = np.zeros((3, 3), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.plates = np.zeros((3, 3), dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.plates.ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        # action = plate * 2 + dish (0 soup, 1 salad)
        return [a for a in range(18) if self.plates[a // 6, a // 2 % 3] == 0]

    def _same(self):
        p = self.plates
        rows = list(p) + list(p.T) + [p.diagonal(), p[:, ::-1].diagonal()]
        return any(row[0] != 0 and (row == row[0]).all() for row in rows)

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        self.plates[a // 6, a // 2 % 3] = a % 2 + 1
        if self._same():
            return self._obs(), 1, True, False, {"winner": mover}
        if self.plates.all():
            return self._obs(), 0, True, False, {"winner": None}
        self.current_player = 1 - mover
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join(".us"[v] for v in row) for row in self.plates)
