"""memory"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Twelve boxes hide six kinds of gloves, two of each. Open one, then another; equal ones are kept."""

    def __init__(self):
        self.action_space = Discrete(12)
        self.observation_space = Box(-1, 7, shape=(16,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.gloves = [int(x) // 2 for x in self.np_random.permutation(12)]
        self.gone = [False] * 12
        self.opened = None
        self.glimpse = []  # boxes opened last, still in sight
        self.kept = [0, 0]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.zeros(16, dtype=np.float32)  # 0 closed, -1 gone, 1..6 in sight
        for i in range(12):
            if self.gone[i]:
                o[i] = -1
            elif i in self.glimpse:
                o[i] = self.gloves[i] + 1
        o[12:14] = self.kept
        o[14] = 0 if self.opened is None else 1
        o[15] = self.current_player
        return o

    def valid_moves(self):
        return [i for i in range(12) if not self.gone[i] and i != self.opened]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if self.opened is None:
            self.opened = action
            self.glimpse = [action]
            return self._obs(), 0, False, False, {}
        other, self.opened = self.opened, None
        self.glimpse = [other, action]
        if self.gloves[other] == self.gloves[action]:
            self.gone[other] = self.gone[action] = True
            self.kept[me] += 1
            if all(self.gone):
                a, b = self.kept
                winner = None if a == b else 0 if a > b else 1
                return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}
        else:
            self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        t = ["-" if self.gone[i] else "ABCDEF"[self.gloves[i]] if i in self.glimpse else "?" for i in range(12)]
        return "\n".join(" ".join(t[r : r + 4]) for r in (0, 4, 8)) + f"\nkept {self.kept}"
