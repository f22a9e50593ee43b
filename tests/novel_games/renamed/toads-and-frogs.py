"""toads-and-frogs"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Carts on a narrow lane: red ones roll right, blue ones roll left."""

    LANE = (1, 1, 0, 1, 0, -1, 0, -1, -1)

    def __init__(self):
        self.action_space = Discrete(len(self.LANE))
        self.observation_space = Box(-1, 1, shape=(len(self.LANE) + 1,), dtype=np.float32)
        self.lane = list(self.LANE)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lane = list(self.LANE)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.lane + [self.current_player], dtype=np.float32)

    def _target(self, i):
        d = 1 if self.current_player == 0 else -1
        if self.lane[i] != d:
            return None
        inside = range(len(self.lane))
        if i + d in inside and self.lane[i + d] == 0:
            return i + d
        if i + 2 * d in inside and self.lane[i + d] == -d and self.lane[i + 2 * d] == 0:
            return i + 2 * d
        return None

    def valid_moves(self):
        return [i for i in range(len(self.lane)) if self._target(i) is not None]

    def step(self, action):
        i, mover = int(action), self.current_player
        if i not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        t = self._target(i)
        self.lane[t], self.lane[i] = self.lane[i], 0
        self.current_player = 1 - mover
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "".join({1: ">", -1: "<", 0: "."}[v] for v in self.lane)
