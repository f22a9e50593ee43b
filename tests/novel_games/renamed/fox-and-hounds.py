"""fox-and-hounds"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 6
DIAG = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class CustomEnv(gymnasium.Env):
    """A lone smuggler tries to slip past three guards to the top row."""

    def __init__(self):
        self.action_space = Discrete(36 * 4)
        self.observation_space = Box(-1, 1, shape=(37,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.smuggler = (5, 2)
        self.guards = [(0, 1), (0, 3), (0, 5)]
        self.current_player = 0
        return self._view(), {}

    def _view(self):
        v = np.zeros(37, dtype=np.float32)
        v[self.smuggler[0] * SIZE + self.smuggler[1]] = 1
        for r, c in self.guards:
            v[r * SIZE + c] = -1
        v[36] = self.current_player
        return v

    def _options(self, who):
        pieces = [self.smuggler] if who == 0 else self.guards
        found = []
        for r, c in pieces:
            for k, (dr, dc) in enumerate(DIAG):
                if who == 1 and dr < 0:
                    continue
                t = (r + dr, c + dc)
                if not (0 <= t[0] < SIZE and 0 <= t[1] < SIZE):
                    continue
                if t == self.smuggler or t in self.guards:
                    continue
                found.append((r * SIZE + c) * 4 + k)
        return found

    def valid_moves(self):
        return self._options(self.current_player)

    def step(self, action):
        action = int(action)
        who = self.current_player
        if action not in self.valid_moves():
            return self._view(), -10, True, False, {"winner": 1 - who}
        sq, k = divmod(action, 4)
        r, c = divmod(sq, SIZE)
        t = (r + DIAG[k][0], c + DIAG[k][1])
        if who == 0:
            self.smuggler = t
        else:
            self.guards[self.guards.index((r, c))] = t
        self.current_player = 1 - who
        if (who == 0 and t[0] == 0) or not self._options(1 - who):
            return self._view(), 1, True, False, {"winner": who}
        return self._view(), 0, False, False, {}

    def render(self):
        g = [["." if (r + c) % 2 else " " for c in range(SIZE)] for r in range(SIZE)]
        g[self.smuggler[0]][self.smuggler[1]] = "S"
        for r, c in self.guards:
            g[r][c] = "G"
        return "\n".join("".join(x) for x in g)
