"""sim"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete
from itertools import combinations

PAIRS = list(combinations(range(6), 2))


class CustomEnv(gymnasium.Env):
    """Six villages, fifteen roads. Whoever owns all roads among three villages loses."""

    def __init__(self):
        self.action_space = Discrete(15)
        self.observation_space = Box(0, 2, shape=(16,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.roads + [self.current_player], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.roads = [0] * 15
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [i for i in range(15) if self.roads[i] == 0]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.roads[action] = me + 1
        own = {PAIRS[i] for i in range(15) if self.roads[i] == me + 1}
        for a, b, c in combinations(range(6), 3):
            if (a, b) in own and (a, c) in own and (b, c) in own:
                return self._obs(), 0, True, False, {"winner": 1 - me}
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return " ".join("%d-%d:%s" % (PAIRS[i] + (".AB"[self.roads[i]],)) for i in range(15))
