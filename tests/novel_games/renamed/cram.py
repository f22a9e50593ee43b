"""cram"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Mattresses are laid in a 4 by 4 dormitory, either way round."""

    S = 4

    def __init__(self):
        s = self.S
        self.spots = [(r * s + c, r * s + c + 1) for r in range(s) for c in range(s - 1)]
        self.spots += [(r * s + c, r * s + c + s) for r in range(s - 1) for c in range(s)]
        self.action_space = Discrete(len(self.spots))
        self.observation_space = Box(0, 1, shape=(s * s + 1,), dtype=np.float32)
        self.floor = [0] * (s * s)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.floor = [0] * (self.S * self.S)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.floor + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [i for i, (a, b) in enumerate(self.spots) if not self.floor[a] and not self.floor[b]]

    def step(self, action):
        mover = self.current_player
        if int(action) not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        for cell in self.spots[int(action)]:
            self.floor[cell] = 1
        self.current_player = 1 - mover
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        s = self.S
        return "\n".join("".join("#" if x else "." for x in self.floor[r * s : r * s + s]) for r in range(s))
