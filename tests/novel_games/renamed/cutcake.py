"""cutcake"""

from collections import Counter
import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

HIGH, WIDE = 4, 5


class CustomEnv(gymnasium.Env):
    """Glass panes are scored up-down by the first, across by the second. Action = (h-1, w-1, part-1)."""

    def __init__(self):
        self.action_space = Discrete(HIGH * WIDE * 2)
        self.observation_space = Box(0, 20, shape=(HIGH * WIDE + 1,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.panes = Counter({(HIGH, WIDE): 1})
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.zeros(HIGH * WIDE + 1, dtype=np.float32)
        for (h, w), n in self.panes.items():
            o[(h - 1) * WIDE + w - 1] = n
        o[-1] = self.current_player
        return o

    def valid_moves(self):
        acts = []
        for (h, w), n in sorted(self.panes.items()):
            length = w if self.current_player == 0 else h
            if n > 0:
                acts += [((h - 1) * WIDE + w - 1) * 2 + k - 1 for k in range(1, length // 2 + 1)]
        return acts

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        size, k = divmod(action, 2)
        h, w, k = size // WIDE + 1, size % WIDE + 1, k + 1
        self.panes[(h, w)] -= 1
        for piece in [(h, k), (h, w - k)] if me == 0 else [(k, w), (h - k, w)]:
            self.panes[piece] += 1
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "  ".join(f"{h}x{w}:{n}" for (h, w), n in sorted(self.panes.items()) if n)
