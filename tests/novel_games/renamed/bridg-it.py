"""bridg-it"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 9
# Posts of player 0 are at (odd, even): 4 rows of 5; posts of player 1 at (even, odd): 5 rows of 4.
# Every crossing point inside (both odd or both even) holds at most one rope, of either player.
POINTS = [(r, c) for r in range(1, SIZE - 1) for c in range(1, SIZE - 1) if (r + c) % 2 == 0]


class CustomEnv(gymnasium.Env):
    """Ropes between posts: player 0 ties west to east, player 1 north to south."""

    def __init__(self):
        self.action_space = Discrete(len(POINTS))
        self.observation_space = Box(-1, 1, shape=(len(POINTS) + 1,), dtype=np.float32)
        self.reset()

    def _obs(self):
        v = [self.ropes.get(p, 0) for p in POINTS]
        return np.array(v + [self.current_player], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.ropes = {}
        self.current_player = 0
        return self._obs(), {}

    def valid_moves(self):
        return [i for i, p in enumerate(POINTS) if p not in self.ropes]

    def _tied(self, who):
        mark = 1 - 2 * who
        if who == 0:
            todo = [(r, 0) for r in range(1, SIZE, 2)]
        else:
            todo = [(0, c) for c in range(1, SIZE, 2)]
        seen = set(todo)
        while todo:
            r, c = todo.pop()
            if (c if who == 0 else r) == SIZE - 1:
                return True
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                nxt = (r + 2 * dr, c + 2 * dc)
                if self.ropes.get((r + dr, c + dc)) == mark and nxt not in seen:
                    seen.add(nxt)
                    todo.append(nxt)
        return False

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        self.ropes[POINTS[action]] = 1 - 2 * me
        if self._tied(me):
            return self._obs(), 1, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._obs(), 0, False, False, {}

    def render(self):
        rows = []
        for r in range(SIZE):
            s = ""
            for c in range(SIZE):
                if (r + c) % 2:
                    s += "x" if r % 2 else "o"
                else:
                    v = self.ropes.get((r, c), 0)
                    flat = (v == 1) == (r % 2 == 1)
                    s += " " if v == 0 else ("-" if flat else "|")
            rows.append(s)
        return "\n".join(rows)
