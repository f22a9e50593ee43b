"""prisoners-dilemma"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

GAIN = {(0, 0): (3, 3), (0, 1): (0, 5), (1, 0): (5, 0), (1, 1): (1, 1)}
YEARS = 7


class CustomEnv(gymnasium.Env):
    """Two neighbours share a well for seven years: 0 = share the water, 1 = drain it."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(-1, 40, shape=(2 * YEARS + 3,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.years = []
        self.harvest = [0, 0]
        self.secret = None
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.full(2 * YEARS + 3, -1, dtype=np.float32)
        for i, pair in enumerate(self.years):
            o[2 * i : 2 * i + 2] = pair
        o[-3:] = self.harvest + [self.current_player]
        return o

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.current_player = 1 - me
        if me == 0:
            self.secret = action
            return self._obs(), 0, False, False, {}
        pair = (self.secret, action)
        self.years.append(pair)
        for p in (0, 1):
            self.harvest[p] += GAIN[pair][p]
        if len(self.years) == YEARS:
            a, b = self.harvest
            winner = None if a == b else 0 if a > b else 1
            return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"year {len(self.years)} harvest {self.harvest} " + str(self.years)
