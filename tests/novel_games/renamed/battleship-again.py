"""battleship-again"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

W = 5
ROOT_SIZES = [3, 2, 2]


class CustomEnv(gymnasium.Env):
    """Dogs sniff for straight truffle roots under the other's meadow; a find lets you sniff again."""

    def __init__(self):
        self.action_space = Discrete(W * W)
        self.observation_space = Box(-2, 2, shape=(51,), dtype=np.float32)
        self.current_player = 0

    def _grow(self):
        taken = set()
        for size in ROOT_SIZES:
            options = []
            for r in range(W):
                for c in range(W):
                    for dr, dc in ((0, 1), (1, 0)):
                        cells = [(r + i * dr, c + i * dc) for i in range(size)]
                        if cells[-1][0] < W and cells[-1][1] < W and not taken.intersection(cells):
                            options.append(cells)
            taken.update(options[int(self.np_random.integers(len(options)))])
        return {r * W + c for r, c in taken}

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.roots = [self._grow(), self._grow()]
        self.tried = [set(), set()]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        o = np.zeros(51, dtype=np.float32)
        for i in self.tried[p]:
            o[i] = 1 if i in self.roots[1 - p] else -1
        for i in range(25):
            o[25 + i] = 1 if i in self.roots[p] else -1 if i in self.tried[1 - p] else 0
            if i in self.roots[p] and i in self.tried[1 - p]:
                o[25 + i] = 2
        o[50] = p
        return o

    def valid_moves(self):
        return [i for i in range(25) if i not in self.tried[self.current_player]]

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - p}
        self.tried[p].add(action)
        found = action in self.roots[1 - p]
        if self.roots[1 - p] <= self.tried[p]:
            return self._obs(), 1, True, False, {"winner": p}
        if not found:
            self.current_player = 1 - p
        return self._obs(), 0, False, False, {"found": found}

    def render(self):
        lines = []
        for r in range(W):
            lines.append(
                "   ".join(
                    "".join(
                        "?" if r * W + c not in self.tried[p] else "T" if r * W + c in self.roots[1 - p] else "."
                        for c in range(W)
                    )
                    for p in (0, 1)
                )
            )
        return "\n".join(lines)
