"""tug-of-war"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Two mills push a barge with loads of wood, named in secret; burnt wood is gone. Action = load."""

    def __init__(self):
        self.action_space = Discrete(13)
        self.observation_space = Box(-3, 12, shape=(6,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.wood = [12, 12]
        self.barge = 0
        self.pending = None
        self.shown = [0, 0]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.wood + [self.barge] + self.shown + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return list(range(self.wood[self.current_player] + 1))

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.current_player = 1 - me
        if me == 0:
            self.pending = action
            return self._obs(), 0, False, False, {}
        self.shown = [self.pending, action]
        self.wood[0] -= self.pending
        self.wood[1] -= action
        self.barge += (self.pending > action) - (self.pending < action)
        if abs(self.barge) == 3 or self.wood == [0, 0]:
            winner = None if self.barge == 0 else 0 if self.barge > 0 else 1
            return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "".join("B" if x == self.barge else "-" for x in range(-3, 4)) + f"  wood {self.wood}"
