"""blackjack-turns"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

CAPACITY = 21


class CustomEnv(gymnasium.Env):
    """Load the cart in turn: 0 = load a sack, 1 = lock the cart."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 40, shape=(5,), dtype=np.float32)
        self.current_player = 0

    def _sack(self):
        return int(self.np_random.integers(1, 11))

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.carts = [self._sack() + self._sack() for _ in range(2)]
        self.locked = [False, False]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.carts + self.locked + [self.current_player], dtype=np.float32)

    def valid_moves(self):
        return [0, 1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        other = 1 - me
        if action not in (0, 1):
            return self._obs(), -10, True, False, {"winner": other}
        if action == 0:
            self.carts[me] += self._sack()
            if self.carts[me] > CAPACITY:
                return self._obs(), 0, True, False, {"winner": other}
        else:
            self.locked[me] = True
        if all(self.locked):
            gap = self.carts[me] - self.carts[other]
            winner = None if gap == 0 else me if gap > 0 else other
            return self._obs(), 1 if winner == me else 0, True, False, {"winner": winner}
        if not self.locked[other]:
            self.current_player = other
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(f"cart {i}: {self.carts[i]}{' locked' if self.locked[i] else ''}" for i in (0, 1))
