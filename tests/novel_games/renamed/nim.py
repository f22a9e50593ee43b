"""nim"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two lamplighters put out lamps on three streets; one street per turn."""

    START = (2, 4, 6)
    WIDTH = 6

    def __init__(self):
        self.action_space = Discrete(len(self.START) * self.WIDTH)
        self.observation_space = Box(0, 10, shape=(4,), dtype=np.float32)
        self.lamps = list(self.START)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lamps = list(self.START)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.lamps + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        # action = street * 6 + (lamps put out - 1)
        return [s * self.WIDTH + k for s, n in enumerate(self.lamps) for k in range(n)]

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - self.current_player}
        street, k = divmod(action, self.WIDTH)
        self.lamps[street] -= k + 1
        if sum(self.lamps) == 0:
            return self._obs(), 1, True, False, {"winner": self.current_player}
        self.current_player = 1 - self.current_player
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(f"street {i}: " + "*" * n for i, n in enumerate(self.lamps))
