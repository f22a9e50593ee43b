"""goofspiel"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Four lots are auctioned one by one; each bidder has paddles 1 to 4, each used once. Action = paddle - 1."""

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 10, shape=(16,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lots = [int(x) + 1 for x in self.np_random.permutation(4)]
        self.round = 0
        self.paddles = [{1, 2, 3, 4}, {1, 2, 3, 4}]
        self.points = [0, 0]
        self.sealed = None
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.zeros(16, dtype=np.float32)
        for i in range(min(self.round + 1, 4)):
            o[i] = self.lots[i]
        for p in (0, 1):
            for k in self.paddles[p]:
                o[4 + 4 * p + k - 1] = 1
        if self.sealed is not None:  # the second must not see what was sealed
            o[4 + self.sealed - 1] = 1
        o[12:14] = self.points
        o[14] = self.round
        o[15] = self.current_player
        return o

    def valid_moves(self):
        return [k - 1 for k in sorted(self.paddles[self.current_player])]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        bid = action + 1
        self.paddles[me].remove(bid)
        self.current_player = 1 - me
        if me == 0:
            self.sealed = bid
            return self._obs(), 0, False, False, {}
        if bid != self.sealed:
            self.points[1 if bid > self.sealed else 0] += self.lots[self.round]
        self.sealed = None
        self.round += 1
        if self.round == 4:
            a, b = self.points
            w = None if a == b else 0 if a > b else 1
            return self._obs(), 1 if w == me else 0, True, False, {"winner": w}
        return self._obs(), 0, False, False, {}

    def render(self):
        lot = self.lots[self.round] if self.round < 4 else "-"
        return f"lot {lot}, points {self.points}, player {self.current_player}"
