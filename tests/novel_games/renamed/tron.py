"""tron"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two snails; nobody crosses a trail. Actions: 0 north, 1 east, 2 south, 3 west."""

    WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 4, shape=(26,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.trail = np.zeros((5, 5), dtype=int)
        self.snails = [(0, 0), (4, 4)]
        self.trail[0, 0] = 1
        self.trail[4, 4] = 2
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        g = self.trail.copy()
        for s in self.snails:
            g[s] += 2
        return np.append(g.flatten(), self.current_player).astype(np.float32)

    def valid_moves(self):
        r, c = self.snails[self.current_player]
        return [
            i
            for i, (a, b) in enumerate(self.WAYS)
            if 0 <= r + a < 5 and 0 <= c + b < 5 and self.trail[r + a, c + b] == 0
        ]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        r, c = self.snails[me]
        self.snails[me] = (r + self.WAYS[action][0], c + self.WAYS[action][1])
        self.trail[self.snails[me]] = me + 1
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        rows = [[".ab"[v] for v in row] for row in self.trail]
        for i, (r, c) in enumerate(self.snails):
            rows[r][c] = "AB"[i]
        return "\n".join("".join(x) for x in rows)
