"""slimetrail"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

EIGHT = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


class CustomEnv(gymnasium.Env):
    """One shared lantern is carried over ice that breaks behind it. Action = direction 0..7."""

    def __init__(self):
        self.action_space = Discrete(8)
        self.observation_space = Box(-1, 1, shape=(26,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.broken = np.zeros((5, 5), dtype=bool)
        self.lantern = (2, 2)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = -self.broken.astype(np.float32)
        o[self.lantern] = 1
        return np.append(o.flatten(), self.current_player).astype(np.float32)

    def valid_moves(self):
        r, c = self.lantern
        return [
            k
            for k, (dr, dc) in enumerate(EIGHT)
            if 0 <= r + dr < 5 and 0 <= c + dc < 5 and not self.broken[r + dr, c + dc]
        ]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.broken[self.lantern] = True
        self.lantern = (self.lantern[0] + EIGHT[action][0], self.lantern[1] + EIGHT[action][1])
        self.current_player = 1 - me
        winner = None
        if self.lantern == (4, 0):
            winner = 0
        elif self.lantern == (0, 4):
            winner = 1
        elif not self.valid_moves():
            winner = me
        if winner is None:
            return self._obs(), 0, False, False, {}
        return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}

    def render(self):
        return "\n".join(
            "".join("*" if (r, c) == self.lantern else "~" if self.broken[r, c] else "." for c in range(5))
            for r in range(5)
        )
