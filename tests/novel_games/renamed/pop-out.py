"""pop-out"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Five tubes of marbles, four high; drop one in, or let an own one out below."""

    HIGH, TUBES = 4, 5

    def __init__(self):
        self.action_space = Discrete(2 * self.TUBES)
        self.observation_space = Box(-1, 1, shape=(self.HIGH * self.TUBES + 1,), dtype=np.float32)
        self.tubes = [[] for _ in range(self.TUBES)]
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.tubes = [[] for _ in range(self.TUBES)]
        self.current_player = 0
        return self._obs(), {}

    def _grid(self):
        g = np.full((self.HIGH, self.TUBES), -1, dtype=np.int8)
        for x, tube in enumerate(self.tubes):
            for y, m in enumerate(tube):
                g[y, x] = m
        return g

    def _obs(self):
        return np.append(self._grid().ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        # 0..4: drop into a tube; 5..9: release the lowest marble of a tube
        drop = [x for x, t in enumerate(self.tubes) if len(t) < self.HIGH]
        release = [x + self.TUBES for x, t in enumerate(self.tubes) if t and t[0] == self.current_player]
        return drop + release

    def _line(self, who):
        own = self._grid() == who
        for y in range(self.HIGH):
            for x in range(self.TUBES):
                for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if y + 3 * dy < self.HIGH and 0 <= x + 3 * dx < self.TUBES:
                        if all(own[y + k * dy, x + k * dx] for k in range(4)):
                            return True
        return False

    def step(self, action):
        a, mover = int(action), self.current_player
        other = 1 - mover
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": other}
        if a < self.TUBES:
            self.tubes[a].append(mover)
        else:
            self.tubes[a - self.TUBES].pop(0)
        self.current_player = other
        if self._line(mover):
            return self._obs(), 1, True, False, {"winner": mover}
        if self._line(other):
            return self._obs(), 0, True, False, {"winner": other}
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join("rg."[v] for v in row) for row in self._grid()[::-1])
