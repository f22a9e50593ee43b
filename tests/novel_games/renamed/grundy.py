"""grundy"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Ropes are cut into two unequal lengths."""

    LENGTH = 13

    def __init__(self):
        self.action_space = Discrete((self.LENGTH + 1) * 7)
        self.observation_space = Box(0, 13, shape=(self.LENGTH + 1,), dtype=np.float32)
        self._start()

    def _start(self):
        self.ropes = [0] * (self.LENGTH + 1)  # ropes[n] = how many of length n
        self.ropes[self.LENGTH] = 1
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        out = np.array(self.ropes, dtype=np.float32)
        out[0] = self.current_player
        return out

    def valid_moves(self):
        # action = length * 7 + shorter part
        return [n * 7 + s for n in range(3, self.LENGTH + 1) if self.ropes[n] for s in range(1, (n + 1) // 2)]

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        n, s = divmod(action, 7)
        self.ropes[n] -= 1
        self.ropes[s] += 1
        self.ropes[n - s] += 1
        self.current_player = 1 - mover
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        return " ".join("-" * n for n in range(self.LENGTH, 0, -1) for _ in range(self.ropes[n]))
