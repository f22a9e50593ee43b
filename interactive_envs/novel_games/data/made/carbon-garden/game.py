import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
N = 5
FULL = 3
DIRS = (
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
)
HEDGES = (10, 12, 14)


def build_neighbours():
    table = []
    for cell in range(N * N):
        row, col = divmod(cell, N)
        line = []
        for _, dx, dy in DIRS:
            c, r = col + dx, row + dy
            line.append(r * N + c if 0 <= r < N and 0 <= c < N else -1)
        table.append(tuple(line))
    return tuple(table)


NEXT = build_neighbours()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(64)
        self.observation_space = Box(low=0.0, high=24.0, shape=(53,), dtype=np.float32)
        self._start()

    def _start(self):
        self.tops = []
        for cell in range(N * N):
            row, col = divmod(cell, N)
            self.tops.append(1 + col % 2 + 2 * (row % 2))
        self.heights = [FULL if cell in HEDGES else 1 for cell in range(N * N)]
        self.pawns = [2, 22]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = self.tops + self.heights + self.pawns + [self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        here = self.pawns[self.current_player]
        moves = []
        for s in range(8):
            there = NEXT[here][s]
            if there < 0 or self.heights[there] >= FULL:
                continue
            if self.tops[there] == self.tops[here]:
                continue
            for k in range(8):
                target = NEXT[there][k]
                if target >= 0 and self.heights[target] < FULL:
                    moves.append(s * 8 + k)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        s, k = divmod(action, 8)
        there = NEXT[self.pawns[p]][s]
        target = NEXT[there][k]
        self.pawns[p] = there
        self.tops[target] = self.tops[there]
        self.heights[target] += 1
        self.current_player = 1 - p
        if not self.valid_moves():
            self.done = True
            self.winner = p
            return self._obs(), 1.0, True, False, {"winner": p}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        for row in range(N - 1, -1, -1):
            parts = [str(row + 1)]
            for col in range(N):
                cell = row * N + col
                both = (self.pawns[0] == cell, self.pawns[1] == cell)
                if both[0] and both[1]:
                    who = "B"
                elif both[0]:
                    who = "F"
                elif both[1]:
                    who = "S"
                else:
                    who = "."
                parts.append(str(self.tops[cell]) + "-+#"[self.heights[cell] - 1] + who)
            lines.append(" ".join(parts))
        lines.append("x a   b   c   d   e")
        return "\n".join(lines)

    def move_name(self, action):
        s, k = divmod(int(action), 8)
        return "step " + DIRS[s][0] + " lay " + DIRS[k][0]

    def clone(self):
        other = copy.copy(self)
        other.tops = list(self.tops)
        other.heights = list(self.heights)
        other.pawns = list(self.pawns)
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            tuple(self.tops),
            tuple(self.heights),
            tuple(self.pawns),
        )
