"""atari-go"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

S = 5


def around(r, c):
    return [(y, x) for y, x in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)) if 0 <= y < S and 0 <= x < S]


class CustomEnv(gymnasium.Env):
    """Islands of ice: the first to choke a rival island wins."""

    def __init__(self):
        self.action_space = Discrete(S * S)
        self.observation_space = Box(-1, 1, shape=(S * S + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.ice.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.ice = np.zeros((S, S), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def _choked(self, start):
        colour, seen, todo = self.ice[start], {start}, [start]
        while todo:
            for q in around(*todo.pop()):
                if self.ice[q] == 0:
                    return False
                if self.ice[q] == colour and q not in seen:
                    seen.add(q)
                    todo.append(q)
        return True

    def _takes(self, p, v):
        return any(self.ice[q] == -v and self._choked(q) for q in around(*p))

    def _allowed(self, p):
        v = 1 - 2 * self.current_player
        self.ice[p] = v
        ok = self._takes(p, v) or not self._choked(p)
        self.ice[p] = 0
        return ok

    def valid_moves(self):
        return [r * S + c for r in range(S) for c in range(S) if self.ice[r, c] == 0 and self._allowed((r, c))]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        p = divmod(int(action), S)
        self.ice[p] = 1 - 2 * me
        if self._takes(p, 1 - 2 * me):
            return self._obs(), 1, True, False, {"winner": me}
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.ice)
