"""nogo"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

S = 4


class CustomEnv(gymnasium.Env):
    """Campers on a meadow: every camp, own or foreign, must keep a breath of free grass."""

    def __init__(self):
        self.action_space = Discrete(S * S)
        self.observation_space = Box(-1, 1, shape=(S * S + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.append(self.tents.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.tents = np.zeros((S, S), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def _breathes(self, start):
        seen, todo = {start}, [start]
        while todo:
            r, c = todo.pop()
            for q in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= q[0] < S and 0 <= q[1] < S and q not in seen:
                    if self.tents[q] == 0:
                        return True
                    if self.tents[q] == self.tents[start]:
                        seen.add(q)
                        todo.append(q)
        return False

    def _fine(self, p):
        self.tents[p] = 1 - 2 * self.current_player
        ok = all(self._breathes((r, c)) for r in range(S) for c in range(S) if self.tents[r, c] != 0)
        self.tents[p] = 0
        return ok

    def valid_moves(self):
        return [r * S + c for r in range(S) for c in range(S) if self.tents[r, c] == 0 and self._fine((r, c))]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.tents[divmod(int(action), S)] = 1 - 2 * me
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join("o.x"[v + 1] for v in row) for row in self.tents)
