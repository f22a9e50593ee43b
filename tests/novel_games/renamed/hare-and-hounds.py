"""hare-and-hounds"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

POINTS = ["a", "b1", "b2", "b3", "c1", "c2", "c3", "d1", "d2", "d3", "e"]
LINES = [
    "a b1",
    "a b2",
    "a b3",
    "e d1",
    "e d2",
    "e d3",
    "b1 b2",
    "b2 b3",
    "c1 c2",
    "c2 c3",
    "d1 d2",
    "d2 d3",
    "b1 c1",
    "c1 d1",
    "b2 c2",
    "c2 d2",
    "b3 c3",
    "c3 d3",
    "b1 c2",
    "b3 c2",
    "d1 c2",
    "d3 c2",
]
COL = ["abcde".index(p[0]) for p in POINTS]
LINKS = [set() for _ in POINTS]
for _l in LINES:
    _x, _y = (POINTS.index(q) for q in _l.split())
    LINKS[_x].add(_y)
    LINKS[_y].add(_x)


class CustomEnv(gymnasium.Env):
    """Three lamplighters walk east and try to corner a ghost that drifts freely."""

    def __init__(self):
        self.action_space = Discrete(121)
        self.observation_space = Box(-1, 1, shape=(12,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lamps = {POINTS.index(p) for p in ("b1", "a", "b3")}
        self.ghost = POINTS.index("e")
        self.turns = 0
        self.current_player = 0
        return self._state(), {}

    def _state(self):
        s = np.zeros(12, dtype=np.float32)
        for p in self.lamps:
            s[p] = 1
        s[self.ghost] = -1
        s[11] = self.current_player
        return s

    def valid_moves(self):
        starts = sorted(self.lamps) if self.current_player == 0 else [self.ghost]
        res = []
        for p in starts:
            for q in sorted(LINKS[p]):
                if q in self.lamps or q == self.ghost:
                    continue
                if self.current_player == 0 and COL[q] < COL[p]:
                    continue
                res.append(p * 11 + q)
        return res

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if action not in self.valid_moves():
            return self._state(), -10, True, False, {"winner": 1 - mover}
        p, q = divmod(action, 11)
        if mover == 0:
            self.lamps.remove(p)
            self.lamps.add(q)
        else:
            self.ghost = q
        self.turns += 1
        self.current_player = 1 - mover
        winner, over = None, False
        if all(COL[self.ghost] <= COL[x] for x in self.lamps):
            winner, over = 1, True
        elif not self.valid_moves():
            winner, over = mover, True
        elif self.turns >= 60:
            over = True
        info = {"winner": winner} if over else {}
        return self._state(), int(over and winner == mover), over, False, info

    def render(self):
        ch = ["L" if i in self.lamps else "G" if i == self.ghost else "o" for i in range(11)]
        return f"   {ch[1]}-{ch[4]}-{ch[7]}\n {ch[0]}-{ch[2]}-{ch[5]}-{ch[8]}-{ch[10]}\n   {ch[3]}-{ch[6]}-{ch[9]}"
