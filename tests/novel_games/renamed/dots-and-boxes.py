"""dots-and-boxes"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

ROWS, COLS = 2, 3
NH = (ROWS + 1) * COLS  # horizontal fences come first
NV = ROWS * (COLS + 1)


def sides(r, c):
    return (r * COLS + c, (r + 1) * COLS + c, NH + r * (COLS + 1) + c, NH + r * (COLS + 1) + c + 1)


class CustomEnv(gymnasium.Env):
    """Farmers raise fences; who closes a field owns it and builds again."""

    def __init__(self):
        self.action_space = Discrete(NH + NV)
        self.observation_space = Box(-1, 1, shape=(NH + NV + ROWS * COLS + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        f = np.where(self.fields < 0, 0, 1 - 2 * self.fields).ravel()
        return np.concatenate([self.fences, f, [self.current_player]]).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.fences = np.zeros(NH + NV, dtype=int)
        self.fields = -np.ones((ROWS, COLS), dtype=int)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [i for i in range(NH + NV) if not self.fences[i]]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.fences[action] = 1
        closed = False
        for r in range(ROWS):
            for c in range(COLS):
                if self.fields[r, c] < 0 and all(self.fences[s] for s in sides(r, c)):
                    self.fields[r, c] = me
                    closed = True
        if self.fences.all():
            a, b = int((self.fields == 0).sum()), int((self.fields == 1).sum())
            w = None if a == b else (0 if a > b else 1)
            return self._obs(), int(w == me), True, False, {"winner": w}
        if not closed:
            self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        out = []
        for r in range(ROWS + 1):
            out.append("+" + "".join(("--" if self.fences[r * COLS + c] else "  ") + "+" for c in range(COLS)))
            if r < ROWS:
                line = ""
                for c in range(COLS + 1):
                    line += "|" if self.fences[NH + r * (COLS + 1) + c] else " "
                    if c < COLS:
                        line += " AB"[self.fields[r, c] + 1] + " "
                out.append(line)
        return "\n".join(out)
