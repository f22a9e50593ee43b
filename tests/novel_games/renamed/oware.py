"""oware"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

P, SEEDS, LIMIT = 4, 3, 80
N = 2 * P


class CustomEnv(gymnasium.Env):
    """Berries in eight nests, 0..3 of player 0 and 4..7 of player 1. action = nest number"""

    def __init__(self):
        self.action_space = Discrete(N)
        self.observation_space = Box(0, LIMIT, shape=(N + 4,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.nests + self.basket + [self.current_player, self.turns], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.nests = [SEEDS] * N
        self.basket = [0, 0]
        self.turns = 0
        self.current_player = 0
        return self._obs(), {}

    def _own(self, who):
        return range(who * P, who * P + P)

    def _sum(self, nests, who):
        return sum(nests[i] for i in self._own(who))

    def _spread(self, start):
        nests = list(self.nests)
        hand, nests[start] = nests[start], 0
        i = start
        while hand:
            i = (i + 1) % N
            if i != start:
                nests[i] += 1
                hand -= 1
        return nests, i

    def valid_moves(self):
        me = self.current_player
        moves = [i for i in self._own(me) if self.nests[i] > 0]
        if self._sum(self.nests, 1 - me) == 0:
            giving = [i for i in moves if self._sum(self._spread(i)[0], 1 - me) > 0]
            return giving or moves
        return moves

    def _finish(self, me):
        a, b = self.basket
        w = None if a == b else (0 if a > b else 1)
        return self._obs(), int(w == me), True, False, {"winner": w}

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.nests, i = self._spread(int(action))
        left, gain = list(self.nests), 0
        while i in self._own(1 - me) and left[i] in (2, 3):
            gain += left[i]
            left[i] = 0
            i -= 1
        if gain and self._sum(left, 1 - me) > 0:
            self.nests = left
            self.basket[me] += gain
        self.turns += 1
        self.current_player = 1 - me
        if self.basket[me] > P * SEEDS:
            return self._finish(me)
        if not self.valid_moves():
            for p in (0, 1):
                self.basket[p] += self._sum(self.nests, p)
            self.nests = [0] * N
            return self._finish(me)
        if self.turns >= LIMIT:
            return self._finish(me)
        return self._obs(), 0, False, False, {}

    def render(self):
        return "%s  (%d)\n%s  (%d)" % (self.nests[: P - 1 : -1], self.basket[1], self.nests[:P], self.basket[0])
