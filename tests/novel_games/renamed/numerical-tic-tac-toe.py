"""numerical-tic-tac-toe"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Coal sacks of different weight on a 3 by 3 raft; a full row of 15 balances it."""

    def __init__(self):
        self.action_space = Discrete(81)
        self.observation_space = Box(0, 9, shape=(10,), dtype=np.float32)
        self.raft = np.zeros((3, 3), dtype=np.int8)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.raft = np.zeros((3, 3), dtype=np.int8)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.append(self.raft.ravel(), self.current_player).astype(np.float32)

    def valid_moves(self):
        # action = place * 9 + weight - 1
        mine = range(1, 10, 2) if self.current_player == 0 else range(2, 10, 2)
        left = [w for w in mine if w not in self.raft]
        return [int(p) * 9 + w - 1 for p in np.flatnonzero(self.raft.ravel() == 0) for w in left]

    def _balanced(self):
        m = self.raft
        rows = list(m) + list(m.T) + [m.diagonal(), np.fliplr(m).diagonal()]
        return any(row.all() and row.sum() == 15 for row in rows)

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        place, w = divmod(a, 9)
        self.raft[place // 3, place % 3] = w + 1
        if self._balanced():
            return self._obs(), 1, True, False, {"winner": mover}
        if self.raft.all():
            return self._obs(), 0, True, False, {"winner": None}
        self.current_player = 1 - mover
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join(str(v) if v else "." for v in row) for row in self.raft)
