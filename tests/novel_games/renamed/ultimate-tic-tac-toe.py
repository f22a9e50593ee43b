"""ultimate-tic-tac-toe"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


TRIOS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class CustomEnv(gymnasium.Env):
    """Nine villages of nine houses; the house number names the next village."""

    def __init__(self):
        self.action_space = Discrete(81)
        self.observation_space = Box(-1, 9, shape=(92,), dtype=np.float32)
        self._clear()

    def _clear(self):
        self.houses = [[0] * 9 for _ in range(9)]
        self.owner = [0] * 9
        self.goal = 9  # 9 = free choice
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._clear()
        return self._obs(), {}

    def _obs(self):
        flat = [h for v in self.houses for h in v]
        return np.array(flat + self.owner + [self.goal, self.current_player], dtype=np.float32)

    def _open(self, v):
        return self.owner[v] == 0 and 0 in self.houses[v]

    def valid_moves(self):
        where = range(9) if self.goal == 9 else [self.goal]
        return [v * 9 + h for v in where if self._open(v) for h in range(9) if self.houses[v][h] == 0]

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        flag = 1 - 2 * mover
        v, h = divmod(a, 9)
        self.houses[v][h] = flag
        if any(all(self.houses[v][i] == flag for i in t) for t in TRIOS):
            self.owner[v] = flag
        self.goal = h if self._open(h) else 9
        self.current_player = 1 - mover
        if any(all(self.owner[i] == flag for i in t) for t in TRIOS):
            return self._obs(), 1, True, False, {"winner": mover}
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        sign = {0: ".", 1: "N", -1: "S"}
        rows = []
        for y in range(9):
            rows.append(
                " ".join("".join(sign[self.houses[y // 3 * 3 + b][y % 3 * 3 + x]] for x in range(3)) for b in range(3))
            )
        return "\n".join(rows) + f"\nnext village: {'any' if self.goal == 9 else self.goal}"
