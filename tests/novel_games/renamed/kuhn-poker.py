"""kuhn-poker"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Three crowns, each player holds one; actions 0 (stay quiet) and 1 (add a coin)."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(-1, 2, shape=(5,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        deal = self.np_random.permutation(3)
        self.crowns = [int(deal[0]), int(deal[1])]
        self.said = []
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        h = self.said + [-1] * (3 - len(self.said))
        return np.array([self.crowns[self.current_player]] + h + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.said.append(action)
        self.current_player = 1 - me
        s = tuple(self.said)
        if s in ((1, 0), (0, 1, 0)):
            winner = 1 - me
        elif s in ((0, 0), (1, 1), (0, 1, 1)):
            winner = 0 if self.crowns[0] > self.crowns[1] else 1
        else:
            return self._obs(), 0, False, False, {}
        return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}

    def render(self):
        return f"crowns {self.crowns}, said {self.said}"
