"""pong-hau-ki"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

# 0 top left, 1 top right, 2 bottom left, 3 bottom right, 4 centre
JOINED = {0: (2, 4), 1: (3, 4), 2: (0, 3, 4), 3: (1, 2, 4), 4: (0, 1, 2, 3)}
LIMIT = 60


class CustomEnv(gymnasium.Env):
    """Boats around a pond: sail to the one free pier. action = pier to leave from"""

    def __init__(self):
        self.action_space = Discrete(5)
        self.observation_space = Box(-1, LIMIT, shape=(7,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.piers + [self.current_player, self.clock], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.piers = [1, 1, -1, -1, 0]
        self.clock = 0
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        return [i for i in JOINED[self.piers.index(0)] if self.piers[i] == v]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        free = self.piers.index(0)
        self.piers[free], self.piers[action] = self.piers[action], 0
        self.clock += 1
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        if self.clock >= LIMIT:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "{0}   {1}\n|\\ /|\n| {4} |\n|/ \\|\n{2}---{3}".format(*["o.x"[v + 1] for v in self.piers])
