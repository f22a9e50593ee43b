"""liars-dice"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

DOUBT = 16


class CustomEnv(gymnasium.Env):
    """Claims about marbles of four colours in two closed bags. Claim k = (count k//4+1, colour k%4+1); 16 = doubt."""

    def __init__(self):
        self.action_space = Discrete(17)
        self.observation_space = Box(-1, 16, shape=(20,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.bags = [sorted(int(x) for x in self.np_random.integers(1, 5, size=2)) for _ in range(2)]
        self.claims = []
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        o = np.zeros(20, dtype=np.float32)
        for k in self.claims:
            o[k] = 1
        o[16:18] = self.bags[self.current_player]
        o[18] = self.claims[-1] if self.claims else -1
        o[19] = self.current_player
        return o

    def valid_moves(self):
        if not self.claims:
            return list(range(16))
        return list(range(self.claims[-1] + 1, 16)) + [DOUBT]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.current_player = 1 - me
        if action < DOUBT:
            self.claims.append(action)
            return self._obs(), 0, False, False, {}
        count, colour = self.claims[-1] // 4 + 1, self.claims[-1] % 4 + 1
        true = (self.bags[0] + self.bags[1]).count(colour) >= count
        winner = 1 - me if true else me
        return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}

    def render(self):
        return f"bags {self.bags}, claims " + " ".join(f"{k // 4 + 1}x{k % 4 + 1}" for k in self.claims)
