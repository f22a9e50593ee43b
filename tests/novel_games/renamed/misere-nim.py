"""misere-nim"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Four barrels of apples; the last apple is rotten."""

    def __init__(self):
        self.full = np.array([1, 3, 4, 5])
        self.action_space = Discrete(4 * 5)
        self.observation_space = Box(0.0, 5.0, shape=(5,), dtype=np.float32)
        self.barrels = self.full.copy()
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.barrels = self.full.copy()
        self.current_player = 0
        return self.look(), {}

    def look(self):
        return np.append(self.barrels, self.current_player).astype(np.float32)

    def valid_moves(self):
        # action = (apples - 1) * 4 + barrel
        return [a for a in range(20) if self.barrels[a % 4] > a // 4]

    def step(self, action):
        a = int(action)
        me = self.current_player
        if a not in self.valid_moves():
            return self.look(), -10, True, False, {"winner": 1 - me}
        self.barrels[a % 4] -= a // 4 + 1
        self.current_player = 1 - me
        if not self.barrels.any():
            # the mover ate the rotten one
            return self.look(), 0, True, False, {"winner": 1 - me}
        return self.look(), 0, False, False, {}

    def render(self):
        return "  ".join(f"[{'o' * int(b):5}]" for b in self.barrels)
