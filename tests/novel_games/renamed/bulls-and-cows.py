"""bulls-and-cows"""

from itertools import permutations
import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

CODES = list(permutations((1, 2, 3, 4, 5), 3))


class CustomEnv(gymnasium.Env):
    """Each has a lock with three different numbers; in turn try to open the other's. Action = index into CODES."""

    def __init__(self):
        self.action_space = Discrete(len(CODES))
        self.observation_space = Box(-1, 15, shape=(len(CODES) + 4,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.locks = [CODES[int(self.np_random.integers(len(CODES)))] for _ in range(2)]
        self.tries = [{}, {}]
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        o = np.full(len(CODES) + 4, -1, dtype=np.float32)
        for k, (right, loose) in self.tries[p].items():
            o[k] = 4 * right + loose
        o[-4:-1] = self.locks[p]
        o[-1] = p
        return o

    def valid_moves(self):
        return list(range(len(CODES)))

    def step(self, action):
        action = int(action)
        me = self.current_player
        if not 0 <= action < len(CODES):
            return self._obs(), -10, True, False, {"winner": 1 - me}
        code, lock = CODES[action], self.locks[1 - me]
        right = sum(x == y for x, y in zip(code, lock))
        loose = len(set(code) & set(lock)) - right
        self.tries[me][action] = (right, loose)
        self.current_player = 1 - me
        if right == 3:
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {"answer": (right, loose)}

    def render(self):
        return "\n".join(
            f"player {p}: "
            + ", ".join("".join(map(str, CODES[k])) + f"={a}+{b}" for k, (a, b) in self.tries[p].items())
            for p in (0, 1)
        )
