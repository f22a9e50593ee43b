"""connect-four"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Six grain silos, five sacks high; four own sacks in line win."""

    HIGH, SILOS = 5, 6

    def __init__(self):
        self.action_space = Discrete(self.SILOS)
        self.observation_space = Box(-1, 1, shape=(self.HIGH * self.SILOS + 1,), dtype=np.float32)
        self.silos = [[] for _ in range(self.SILOS)]
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.silos = [[] for _ in range(self.SILOS)]
        self.current_player = 0
        return self._obs(), {}

    def _at(self, x, y):
        if 0 <= x < self.SILOS and 0 <= y < len(self.silos[x]):
            return self.silos[x][y]
        return -1

    def _obs(self):
        flat = [self._at(x, y) for y in range(self.HIGH) for x in range(self.SILOS)]
        return np.array(flat + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [x for x in range(self.SILOS) if len(self.silos[x]) < self.HIGH]

    def _won(self, x, y, who):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            best = run = 0
            for k in range(-3, 4):
                run = run + 1 if self._at(x + k * dx, y + k * dy) == who else 0
                best = max(best, run)
            if best >= 4:
                return True
        return False

    def step(self, action):
        x, mover = int(action), self.current_player
        if x not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        self.silos[x].append(mover)
        self.current_player = 1 - mover
        if self._won(x, len(self.silos[x]) - 1, mover):
            return self._obs(), 1, True, False, {"winner": mover}
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(
            "".join("ab."[self._at(x, y)] for x in range(self.SILOS)) for y in range(self.HIGH - 1, -1, -1)
        )
