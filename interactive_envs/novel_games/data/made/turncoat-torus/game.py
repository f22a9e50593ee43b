import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIDE = 7
CELLS = 49
COLUMNS = "abcdefg"
ROCKS = (0, 9, 26, 29)
ROCK = 2
EMPTY = -1
CROWD = 2
LEAD = 12
NAMES = ("first", "second")


def _around(cell):
    row, col = divmod(cell, SIDE)
    return (
        ((row - 1) % SIDE) * SIDE + col,
        ((row + 1) % SIDE) * SIDE + col,
        row * SIDE + (col - 1) % SIDE,
        row * SIDE + (col + 1) % SIDE,
    )


AROUND = [_around(cell) for cell in range(CELLS)]


def _label(cell):
    return "%s%d" % (COLUMNS[cell % SIDE], cell // SIDE + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(CELLS)
        self.observation_space = Box(low=-2.0, high=100.0, shape=(CELLS + 3,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.cells = [EMPTY] * CELLS
        for rock in ROCKS:
            self.cells[rock] = ROCK
        self.count = 0
        self.anchor = -1
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.cells) + [self.count, self.anchor, self.current_player]
        return np.array(values, dtype=np.float32)

    def _moves(self):
        other = 1 - self.current_player
        moves = []
        for cell in range(CELLS):
            if self.cells[cell] != EMPTY:
                continue
            if self.anchor >= 0:
                if cell // SIDE == self.anchor // SIDE or cell % SIDE == self.anchor % SIDE:
                    continue
            enemies = sum(1 for near in AROUND[cell] if self.cells[near] == other)
            if enemies < CROWD:
                moves.append(cell)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves()

    def step(self, action):
        action = int(action)
        me = self.current_player
        other = 1 - me
        if action not in self.valid_moves():
            self.done = True
            self.winner = other
            return self._obs(), -10.0, True, False, {"winner": other}
        self.cells[action] = me
        for near in AROUND[action]:
            if self.cells[near] == other:
                self.cells[near] = me
        self.count += 1
        self.anchor = action if self.count % 2 == 0 else -1
        self.current_player = ((self.count + 1) // 2) % 2
        gap = self.cells.count(0) - self.cells.count(1)
        if abs(gap) >= LEAD:
            self.done = True
            self.winner = 0 if gap > 0 else 1
        elif not self._moves():
            self.done = True
            self.winner = 1 - self.current_player
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        marks = {EMPTY: ".", 0: "X", 1: "O", ROCK: "#"}
        lines = ["*: " + " ".join(COLUMNS)]
        for row in range(SIDE):
            lines.append("%d: %s" % (row + 1, " ".join(
                marks[self.cells[row * SIDE + col]] for col in range(SIDE))))
        lines.append("pieces: first %d, second %d" % (self.cells.count(0), self.cells.count(1)))
        if self.anchor >= 0:
            lines.append("second placement of the turn: not in row %d, not in column %s"
                         % (self.anchor // SIDE + 1, COLUMNS[self.anchor % SIDE]))
        else:
            lines.append("first placement of the turn")
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return _label(int(action))

    def clone(self):
        other = copy.copy(self)
        other.cells = list(self.cells)
        return other

    def key(self):
        return (tuple(self.cells), self.count, self.anchor, self.current_player, self.done, self.winner)
