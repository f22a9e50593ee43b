"""silver-dollar"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Four barges on a canal of twelve berths drift left."""

    N = 12
    BARGES = (2, 5, 6, 10)

    def __init__(self):
        self.action_space = Discrete(len(self.BARGES) * self.N)
        self.observation_space = Box(0, 1, shape=(self.N + 1,), dtype=np.float32)
        self.at = list(self.BARGES)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.at = list(self.BARGES)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        out = np.zeros(self.N + 1, dtype=np.float32)
        out[self.at] = 1
        out[-1] = self.current_player
        return out

    def valid_moves(self):
        # action = barge * 12 + target berth; barges keep their order
        moves = []
        for b, here in enumerate(self.at):
            stop = self.at[b - 1] if b else -1
            moves += [b * self.N + t for t in range(stop + 1, here)]
        return moves

    def step(self, action):
        action, mover = int(action), self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        b, t = divmod(action, self.N)
        self.at[b] = t
        self.current_player = 1 - mover
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": mover}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "".join("B" if i in self.at else "~" for i in range(self.N))
