"""joust"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

S = 5
HOPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


class CustomEnv(gymnasium.Env):
    """Two hares hop over thin ice, in bent leaps; what was trodden on is gone. action = landing cell"""

    def __init__(self):
        self.action_space = Discrete(S * S)
        self.observation_space = Box(0, 3, shape=(S * S + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        m = self.gone.astype(int)
        m[self.hare[0]], m[self.hare[1]] = 2, 3
        return np.append(m.ravel(), self.current_player).astype(np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.hare = [(0, 0), (S - 1, S - 1)]
        self.gone = np.zeros((S, S), dtype=bool)
        for p in self.hare:
            self.gone[p] = True
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        r, c = self.hare[self.current_player]
        return [
            y * S + x for y, x in ((r + a, c + b) for a, b in HOPS) if 0 <= y < S and 0 <= x < S and not self.gone[y, x]
        ]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.hare[me] = divmod(int(action), S)
        self.gone[self.hare[me]] = True
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        m = self._obs()[:-1].astype(int).reshape(S, S)
        return "\n".join(" ".join(".#AB"[v] for v in row) for row in m)
