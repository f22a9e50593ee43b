"""order-and-chaos"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """A tiler wants four equal tiles in line; the saboteur wants none on the 5 by 5 wall."""

    S, RUN = 5, 4

    def __init__(self):
        self.cells = self.S * self.S
        self.action_space = Discrete(2 * self.cells)
        self.observation_space = Box(-1, 1, shape=(self.cells + 1,), dtype=np.float32)
        self.wall = np.zeros((self.S, self.S), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.wall = np.zeros((self.S, self.S), dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.wall.ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        # first 25 actions: light tile, next 25: dark tile
        free = [int(i) for i in np.flatnonzero(self.wall.ravel() == 0)]
        return free + [i + self.cells for i in free]

    def _pattern(self):
        for r in range(self.S):
            for c in range(self.S):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    er, ec = r + dr * (self.RUN - 1), c + dc * (self.RUN - 1)
                    if er < self.S and 0 <= ec < self.S:
                        if abs(sum(int(self.wall[r + k * dr, c + k * dc]) for k in range(self.RUN))) == self.RUN:
                            return True
        return False

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        tile, cell = divmod(a, self.cells)
        self.wall[cell // self.S, cell % self.S] = -1 if tile else 1
        winner = 0 if self._pattern() else 1 if self.wall.all() else None
        self.current_player = 1 - mover
        if winner is not None:
            return self._obs(), int(winner == mover), True, False, {"winner": winner}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join("".join({0: ".", 1: "l", -1: "D"}[int(v)] for v in row) for row in self.wall)
