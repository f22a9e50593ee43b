"""blackjack-duel"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

LIMIT = 21


class CustomEnv(gymnasium.Env):
    """Fill the barrel: pour (0) or stop (1); the first pours all, then the second."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 40, shape=(3,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.barrels = [self._jug() + self._jug(), self._jug() + self._jug()]
        self.current_player = 0
        return self._obs(), {}

    def _jug(self):
        return int(self.np_random.integers(1, 11))

    def _obs(self):
        return np.array(self.barrels + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1]

    def _end(self, me, winner):
        return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if action == 0:
            self.barrels[me] += self._jug()
            if self.barrels[me] > LIMIT:
                return self._end(me, 1 - me)
        elif me == 0:
            self.current_player = 1
        else:
            a, b = self.barrels
            return self._end(me, None if a == b else 0 if a > b else 1)
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"barrels {self.barrels[0]} / {self.barrels[1]} of {LIMIT}, player {self.current_player}"
