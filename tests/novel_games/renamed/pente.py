"""pente"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

W = 7
DIRS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


class CustomEnv(gymnasium.Env):
    """Beads on a cloth: line up five, or pinch away five pairs."""

    def __init__(self):
        self.action_space = Discrete(W * W)
        self.observation_space = Box(-1, 10, shape=(W * W + 3,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.concatenate([self.cloth.ravel(), self.pairs, [self.current_player]]).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.cloth = np.zeros((W, W), dtype=int)
        self.pairs = [0, 0]
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.cloth.ravel() == 0)]

    def _at(self, r, c):
        return int(self.cloth[r, c]) if 0 <= r < W and 0 <= c < W else 9

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        r, c = divmod(int(action), W)
        v = 1 - 2 * me
        self.cloth[r, c] = v
        for a, b in DIRS:
            if [self._at(r + k * a, c + k * b) for k in (1, 2, 3)] == [-v, -v, v]:
                self.cloth[r + a, c + b] = self.cloth[r + 2 * a, c + 2 * b] = 0
                self.pairs[me] += 1
        won = self.pairs[me] >= 5
        for a, b in ((0, 1), (1, 0), (1, 1), (1, -1)):
            n = 1
            for s in (1, -1):
                k = 1
                while self._at(r + s * k * a, c + s * k * b) == v:
                    k += 1
                n += k - 1
            won = won or n >= 5
        if won:
            return self._obs(), 1, True, False, {"winner": me}
        if self.cloth.all():
            return self._obs(), 0, True, False, {"winner": None}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.cloth) + "\npairs %s" % self.pairs
