"""gobblet-gobblers"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class CustomEnv(gymnasium.Env):
    """Nesting buckets on nine spots. 0..26 set a new bucket (size*9+spot), 27.. carry (from*9+to)."""

    def __init__(self):
        self.action_space = Discrete(27 + 81)
        self.observation_space = Box(-1, 2, shape=(34,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.spots = [[] for _ in range(9)]  # stacks of (size, owner)
        self.store = [[2, 2, 2], [2, 2, 2]]
        self.moves_made = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        layers = np.zeros((3, 9))
        for i, stack in enumerate(self.spots):
            for size, owner in stack:
                layers[size, i] = 1 if owner == 0 else -1
        return np.concatenate([layers.flatten(), self.store[0], self.store[1], [self.current_player]]).astype(
            np.float32
        )

    def _fits(self, size, spot):
        return not self.spots[spot] or self.spots[spot][-1][0] < size

    def valid_moves(self):
        p = self.current_player
        acts = [s * 9 + t for s in range(3) if self.store[p][s] for t in range(9) if self._fits(s, t)]
        for f in range(9):
            if self.spots[f] and self.spots[f][-1][1] == p:
                size = self.spots[f][-1][0]
                acts += [27 + f * 9 + t for t in range(9) if t != f and self._fits(size, t)]
        return acts

    def _line(self, p):
        top = [s[-1][1] if s else None for s in self.spots]
        return any(all(top[i] == p for i in row) for row in ROWS)

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - p}
        if action < 27:
            size, spot = divmod(action, 9)
            self.store[p][size] -= 1
            self.spots[spot].append((size, p))
        else:
            f, t = divmod(action - 27, 9)
            self.spots[t].append(self.spots[f].pop())
        self.moves_made += 1
        self.current_player = 1 - p
        if self._line(1 - p):
            return self._obs(), 0, True, False, {"winner": 1 - p}
        if self._line(p):
            return self._obs(), 1, True, False, {"winner": p}
        if self.moves_made >= 60:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        cell = [("abc"[s[-1][0]] if s[-1][1] == 0 else "ABC"[s[-1][0]]) if s else "." for s in self.spots]
        return "\n".join(" ".join(cell[r * 3 : r * 3 + 3]) for r in range(3))
