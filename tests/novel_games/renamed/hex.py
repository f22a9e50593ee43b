"""hex"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

N = 4


class CustomEnv(gymnasium.Env):
    """Planks on a slanted honeycomb: player 0 bridges top-bottom, player 1 left-right."""

    def __init__(self):
        self.action_space = Discrete(N * N)
        self.observation_space = Box(-1, 1, shape=(N * N + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.comb.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.comb = np.zeros((N, N), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [int(i) for i in np.flatnonzero(self.comb.ravel() == 0)]

    def _bridged(self, who):
        mark = 1 - 2 * who
        g = self.comb if who == 0 else self.comb.T  # the honeycomb is symmetric under transposition
        todo = [(0, c) for c in range(N) if g[0, c] == mark]
        seen = set(todo)
        while todo:
            r, c = todo.pop()
            if r == N - 1:
                return True
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
                q = (r + dr, c + dc)
                if 0 <= q[0] < N and 0 <= q[1] < N and g[q] == mark and q not in seen:
                    seen.add(q)
                    todo.append(q)
        return False

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.comb[divmod(int(action), N)] = 1 - 2 * me
        if self._bridged(me):
            return self._obs(), 1, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" " * r + " ".join("o.x"[v + 1] for v in self.comb[r]) for r in range(N))
