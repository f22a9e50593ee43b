"""einstein"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

TRIANGLE = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
MARCH = [(0, 1), (1, 0), (1, 1)]


class CustomEnv(gymnasium.Env):
    """Numbered beetles crawl to the far corner, the die says which. Action = (number - 1) * 3 + way."""

    def __init__(self):
        self.action_space = Discrete(18)
        self.observation_space = Box(-6, 6, shape=(27,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.beetles = [{}, {}]
        for p in (0, 1):
            for n, k in enumerate(self.np_random.permutation(6)):
                r, c = TRIANGLE[int(k)]
                self.beetles[p][n] = (r, c) if p == 0 else (4 - r, 4 - c)
        self.current_player = 0
        self._roll()
        return self._obs(), {}

    def _roll(self):
        self.die = int(self.np_random.integers(6))

    def _obs(self):
        g = np.zeros((5, 5), dtype=np.float32)
        for p in (0, 1):
            for n, sq in self.beetles[p].items():
                g[sq] = (n + 1) * (1 - 2 * p)
        return np.append(g.flatten(), [self.die + 1, self.current_player]).astype(np.float32)

    def valid_moves(self):
        own = self.beetles[self.current_player]
        if self.die in own:
            pick = [self.die]
        else:
            low = [n for n in own if n < self.die]
            high = [n for n in own if n > self.die]
            pick = ([max(low)] if low else []) + ([min(high)] if high else [])
        s = 1 if self.current_player == 0 else -1
        return [
            n * 3 + w
            for n in pick
            for w, (dr, dc) in enumerate(MARCH)
            if 0 <= own[n][0] + s * dr < 5 and 0 <= own[n][1] + s * dc < 5
        ]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        n, w = divmod(action, 3)
        s = 1 if me == 0 else -1
        r, c = self.beetles[me][n]
        goal = (r + s * MARCH[w][0], c + s * MARCH[w][1])
        for p in (0, 1):
            self.beetles[p] = {k: sq for k, sq in self.beetles[p].items() if sq != goal}
        self.beetles[me][n] = goal
        self.current_player = 1 - me
        self._roll()
        if goal == ((4, 4) if me == 0 else (0, 0)) or not self.beetles[1 - me]:
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        g = [[" ."] * 5 for _ in range(5)]
        for p in (0, 1):
            for n, (r, c) in self.beetles[p].items():
                g[r][c] = "ab"[p] + str(n + 1)
        return "\n".join(" ".join(x) for x in g) + f"\ndie {self.die + 1}"
