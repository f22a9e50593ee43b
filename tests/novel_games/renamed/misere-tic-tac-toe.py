"""misere-tic-tac-toe"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete


class CustomEnv(gymnasium.Env):
    """Cats and dogs on 4 by 4 cushions; three own animals in line start a fight."""

    S = 4

    def __init__(self):
        s = self.S
        self.triples = []
        for r in range(s):
            for c in range(s):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if r + 2 * dr < s and 0 <= c + 2 * dc < s:
                        self.triples.append([(r + k * dr) * s + c + k * dc for k in range(3)])
        self.action_space = Discrete(s * s)
        self.observation_space = Box(-1, 1, shape=(s * s + 1,), dtype=np.float32)
        self.cushions = [0] * (s * s)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.cushions = [0] * (self.S * self.S)
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.cushions + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [i for i, v in enumerate(self.cushions) if v == 0]

    def step(self, action):
        a, mover = int(action), self.current_player
        if a not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - mover}
        animal = 1 if mover == 0 else -1
        self.cushions[a] = animal
        self.current_player = 1 - mover
        if any(all(self.cushions[i] == animal for i in t) for t in self.triples):
            return self._obs(), 0, True, False, {"winner": 1 - mover}
        if 0 not in self.cushions:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        s = self.S
        return "\n".join(
            "".join({0: "_", 1: "c", -1: "d"}[v] for v in self.cushions[r * s : r * s + s]) for r in range(s)
        )
