"""mu-torere"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

HUB = 8
LIMIT = 60


class CustomEnv(gymnasium.Env):
    """Crabs on an eight-armed star with a hub in the middle. action = place the crab leaves (it goes to the free one)"""

    def __init__(self):
        self.action_space = Discrete(9)
        self.observation_space = Box(-1, LIMIT, shape=(11,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.star + [self.current_player, self.clock], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.star = [1] * 4 + [-1] * 4 + [0]
        self.clock = 0
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        v = 1 - 2 * self.current_player
        s = self.star
        free = s.index(0)
        if free == HUB:
            return [i for i in range(8) if s[i] == v and -v in (s[(i + 1) % 8], s[(i - 1) % 8])]
        return [i for i in sorted({(free + 1) % 8, (free - 1) % 8, HUB}) if s[i] == v]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        free = self.star.index(0)
        self.star[free], self.star[action] = self.star[action], 0
        self.clock += 1
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        if self.clock >= LIMIT:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        t = ["o.x"[v + 1] for v in self.star]
        return "  {7} {0}\n{6}     {1}\n   {8}\n{5}     {2}\n  {4} {3}".format(*t)
