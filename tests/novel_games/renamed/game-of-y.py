"""game-of-y"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

SIDE = 5
CELLS = [(r, c) for r in range(SIDE) for c in range(r + 1)]
WHERE = {p: i for i, p in enumerate(CELLS)}
NEAR = [
    [WHERE[(r + a, c + b)] for a, b in ((0, 1), (0, -1), (1, 0), (1, 1), (-1, 0), (-1, -1)) if (r + a, c + b) in WHERE]
    for r, c in CELLS
]


class CustomEnv(gymnasium.Env):
    """Lanterns hung in a triangular garden; a glowing chain must touch all three hedges."""

    def __init__(self):
        self.action_space = Discrete(len(CELLS))
        self.observation_space = Box(-1, 1, shape=(len(CELLS) + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.lamps + [self.current_player], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lamps = [0] * len(CELLS)
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [i for i, v in enumerate(self.lamps) if v == 0]

    def _touches_all(self, start):
        colour = self.lamps[start]
        chain, todo = {start}, [start]
        while todo:
            for j in NEAR[todo.pop()]:
                if self.lamps[j] == colour and j not in chain:
                    chain.add(j)
                    todo.append(j)
        pts = [CELLS[i] for i in chain]
        return any(c == 0 for r, c in pts) and any(c == r for r, c in pts) and any(r == SIDE - 1 for r, c in pts)

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.lamps[action] = 1 if me == 0 else -1
        if self._touches_all(int(action)):
            return self._obs(), 1, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(
            " " * (SIDE - r) + " ".join("b.a"[self.lamps[WHERE[(r, c)]] + 1] for c in range(r + 1)) for r in range(SIDE)
        )
