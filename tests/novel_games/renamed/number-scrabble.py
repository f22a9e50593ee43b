"""number-scrabble"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


from itertools import combinations


class CustomEnv(gymnasium.Env):
    """Eleven parcels weighing 1 to 11; load three that weigh 17 together."""

    TOP, LOAD = 11, 17

    def __init__(self):
        self.action_space = Discrete(self.TOP)
        self.observation_space = Box(-1, 1, shape=(self.TOP + 1,), dtype=np.float32)
        self.carts = ([], [])
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.carts = ([], [])
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        out = np.zeros(self.TOP + 1, dtype=np.float32)
        for w in self.carts[0]:
            out[w - 1] = 1
        for w in self.carts[1]:
            out[w - 1] = -1
        out[-1] = self.current_player
        return out

    def valid_moves(self):
        # action a loads the parcel of weight a + 1
        taken = self.carts[0] + self.carts[1]
        return [w - 1 for w in range(1, self.TOP + 1) if w not in taken]

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        self.carts[mover].append(a + 1)
        self.current_player = 1 - mover
        if any(sum(t) == self.LOAD for t in combinations(self.carts[mover], 3)):
            return self._obs(), 1, True, False, {"winner": mover}
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        free = [a + 1 for a in self.valid_moves()]
        return f"cart 0: {sorted(self.carts[0])}\ncart 1: {sorted(self.carts[1])}\nfloor: {free}"
