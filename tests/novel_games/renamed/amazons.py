"""amazons"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

RAYS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


class CustomEnv(gymnasium.Env):
    """Two cranes on 16 squares. Slide the crane, then drop a crate from there. Action = target square."""

    def __init__(self):
        self.action_space = Discrete(16)
        self.observation_space = Box(-1, 2, shape=(18,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.cranes = [(0, 1), (3, 2)]
        self.crates = set()
        self.dropping = False
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        g = np.zeros((4, 4), dtype=np.float32)
        for x in self.crates:
            g[x] = 2
        g[self.cranes[0]] = 1
        g[self.cranes[1]] = -1
        return np.append(g.flatten(), [self.dropping, self.current_player]).astype(np.float32)

    def valid_moves(self):
        r0, c0 = self.cranes[self.current_player]
        acts = []
        for dr, dc in RAYS:
            r, c = r0 + dr, c0 + dc
            while 0 <= r < 4 and 0 <= c < 4 and (r, c) not in self.crates and (r, c) not in self.cranes:
                acts.append(r * 4 + c)
                r, c = r + dr, c + dc
        return sorted(acts)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        spot = divmod(action, 4)
        if not self.dropping:
            self.cranes[me] = spot
            self.dropping = True
            return self._obs(), 0, False, False, {}
        self.crates.add(spot)
        self.dropping = False
        self.current_player = 1 - me
        if not self.valid_moves():
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(
            "".join(
                "A"
                if (r, c) == self.cranes[0]
                else "B"
                if (r, c) == self.cranes[1]
                else "#"
                if (r, c) in self.crates
                else "."
                for c in range(4)
            )
            for r in range(4)
        )
