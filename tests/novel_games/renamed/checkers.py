"""checkers"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

S = 6
D4 = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class CustomEnv(gymnasium.Env):
    """Frogs on a pond of dark lily pads. Action = pad * 4 + direction; a hop over a rival is taken when there is one."""

    def __init__(self):
        self.action_space = Discrete(S * S * 4)
        self.observation_space = Box(-2, 2, shape=(S * S + 2,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.pads = np.zeros((S, S), dtype=int)  # 1, 2 small and big frog of the first, -1, -2 of the second
        for r in range(S):
            for c in range(S):
                if (r + c) % 2 == 1:
                    if r < 2:
                        self.pads[r, c] = -1
                    elif r >= S - 2:
                        self.pads[r, c] = 1
        self.current_player = 0
        self.hopping = None
        self.actions_done = 0
        return self._obs(), {}

    def _obs(self):
        h = -1 if self.hopping is None else (self.hopping[0] * S + self.hopping[1]) / 36
        return np.append(self.pads.flatten(), [h, self.current_player]).astype(np.float32)

    def _ways(self, r, c, hop):
        sign = 1 if self.current_player == 0 else -1
        v = self.pads[r, c] * sign
        res = []
        if v <= 0:
            return res
        for d, (dr, dc) in enumerate(D4):
            if v == 1 and dr != -sign:
                continue
            k = 2 if hop else 1
            a, b = r + k * dr, c + k * dc
            if not (0 <= a < S and 0 <= b < S) or self.pads[a, b] != 0:
                continue
            if hop and self.pads[r + dr, c + dc] * sign >= 0:
                continue
            res.append((r * S + c) * 4 + d)
        return res

    def valid_moves(self):
        if self.hopping is not None:
            return self._ways(*self.hopping, True)
        spots = [(r, c) for r in range(S) for c in range(S)]
        hops = [a for r, c in spots for a in self._ways(r, c, True)]
        return hops or [a for r, c in spots for a in self._ways(r, c, False)]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        pad, d = divmod(action, 4)
        r, c = divmod(pad, S)
        dr, dc = D4[d]
        a, b = r + dr, c + dc
        hop = self.pads[a, b] != 0
        if hop:
            self.pads[a, b] = 0
            a, b = a + dr, b + dc
        piece = self.pads[r, c]
        self.pads[r, c] = 0
        grown = abs(piece) == 1 and a == (0 if me == 0 else S - 1)
        self.pads[a, b] = piece * 2 if grown else piece
        self.actions_done += 1
        self.hopping = None
        if hop and not grown and self._ways(a, b, True):
            self.hopping = (a, b)
        else:
            self.current_player = 1 - me
            if not self.valid_moves():
                return self._obs(), 1, True, False, {"winner": me}
        if self.actions_done >= 80:
            return self._obs(), 0, True, False, {"winner": None}
        return self._obs(), 0, False, False, {}

    def render(self):
        return "\n".join(" ".join({0: ".", 1: "f", 2: "F", -1: "t", -2: "T"}[int(v)] for v in row) for row in self.pads)
