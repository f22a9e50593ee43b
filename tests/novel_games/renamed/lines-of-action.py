"""lines-of-action"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

K = 6
DIRS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def inside(r, c):
    return 0 <= r < K and 0 <= c < K


class CustomEnv(gymnasium.Env):
    """Gather the whole flock into one group. Action = square * 8 + direction."""

    def __init__(self):
        self.action_space = Discrete(K * K * 8)
        self.observation_space = Box(-1, 1, shape=(K * K + 1,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.field = np.full((K, K), -1)
        for i in range(1, K - 1):
            self.field[0, i] = self.field[K - 1, i] = 0
            self.field[i, 0] = self.field[i, K - 1] = 1
        self.current_player = 0
        self.ply = 0
        return self._obs(), {}

    def _obs(self):
        o = np.where(self.field < 0, 0, 1 - 2 * self.field).flatten()
        return np.append(o, self.current_player).astype(np.float32)

    def _target(self, r, c, d):
        dr, dc = DIRS[d]
        n = 1
        for s in (1, -1):
            a, b = r + s * dr, c + s * dc
            while inside(a, b):
                n += self.field[a, b] >= 0
                a, b = a + s * dr, b + s * dc
        who = self.field[r, c]
        for i in range(1, n):
            a, b = r + i * dr, c + i * dc
            if not inside(a, b) or self.field[a, b] == 1 - who:
                return None
        a, b = r + n * dr, c + n * dc
        return (a, b) if inside(a, b) and self.field[a, b] != who else None

    def valid_moves(self):
        return [
            (r * K + c) * 8 + d
            for r in range(K)
            for c in range(K)
            if self.field[r, c] == self.current_player
            for d in range(8)
            if self._target(r, c, d) is not None
        ]

    def _gathered(self, p):
        own = {(r, c) for r in range(K) for c in range(K) if self.field[r, c] == p}
        todo = [own.pop()]
        while todo:
            r, c = todo.pop()
            for dr, dc in DIRS:
                if (r + dr, c + dc) in own:
                    own.remove((r + dr, c + dc))
                    todo.append((r + dr, c + dc))
        return not own

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        sq, d = divmod(action, 8)
        r, c = divmod(sq, K)
        a, b = self._target(r, c, d)
        self.field[r, c] = -1
        self.field[a, b] = me
        self.ply += 1
        self.current_player = 1 - me
        if self._gathered(me):
            return self._obs(), 1, True, False, {"winner": me}
        if self._gathered(1 - me):
            return self._obs(), 0, True, False, {"winner": 1 - me}
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        if self.ply >= 100:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join(".#o"[v + 1] for v in row) for row in self.field)
