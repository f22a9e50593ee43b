"""pig"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

GOAL = 30


class CustomEnv(gymnasium.Env):
    """Fishing: cast again (0) or bring the net home (1); a storm on a one empties the net."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 1000, shape=(4,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.home = [0, 0]
        self.net = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.home + [self.net, self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if action == 0:
            die = int(self.np_random.integers(1, 7))
            if die == 1:
                self.net = 0
                self.current_player = 1 - me
            else:
                self.net += die
            return self._obs(), 0, False, False, {"die": die}
        self.home[me] += self.net
        self.net = 0
        self.current_player = 1 - me
        if self.home[me] >= GOAL:
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"home {self.home[0]} : {self.home[1]}, net {self.net}, player {self.current_player}"
