"""battleship"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

N = 4
LENGTHS = (3, 2)


class CustomEnv(gymnasium.Env):
    """Both dig for buried beams in the other's field, one hole a turn. Action = square."""

    def __init__(self):
        self.action_space = Discrete(N * N)
        self.observation_space = Box(-1, 2, shape=(2 * N * N + 1,), dtype=np.float32)
        self.current_player = 0

    def _bury(self):
        field = np.zeros((N, N), dtype=bool)
        for length in LENGTHS:
            while True:
                if self.np_random.integers(2):
                    r, c = self.np_random.integers(N), self.np_random.integers(N - length + 1)
                    part = field[r : r + 1, c : c + length]
                else:
                    r, c = self.np_random.integers(N - length + 1), self.np_random.integers(N)
                    part = field[r : r + length, c : c + 1]
                if not part.any():
                    part[...] = True
                    break
        return field.flatten()

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.beams = [self._bury(), self._bury()]  # beams[p] lie in p's own field
        self.holes = [np.zeros(N * N, dtype=bool), np.zeros(N * N, dtype=bool)]  # holes[p] dug BY p
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        p, q = self.current_player, 1 - self.current_player
        away = np.where(self.holes[p], np.where(self.beams[q], 1, -1), 0)
        mine = self.beams[p].astype(int) + np.where(self.holes[q], np.where(self.beams[p], 1, -1), 0)
        return np.concatenate([away, mine, [p]]).astype(np.float32)

    def valid_moves(self):
        return [i for i in range(N * N) if not self.holes[self.current_player][i]]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.holes[me][action] = True
        hit = bool(self.beams[1 - me][action])
        done = not (self.beams[1 - me] & ~self.holes[me]).any()
        self.current_player = 1 - me
        if done:
            return self._obs(), 1, True, False, {"winner": me}
        return self._obs(), 0, False, False, {"hit": hit}

    def render(self):
        out = []
        for p in (0, 1):
            ch = ["?" if not self.holes[p][i] else "x" if self.beams[1 - p][i] else "." for i in range(N * N)]
            out.append(f"dug by {p}:\n" + "\n".join("".join(ch[r * N : r * N + N]) for r in range(N)))
        return "\n".join(out)
