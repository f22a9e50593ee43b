import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
N = 7
VALUES = 6
COPIES = 4
SHRINK = {16: 1, 30: 2}
LAST_MOVE = 48
DROP = N * N * VALUES


def family(value):
    return (value - 1) % 3


def beats(value, other):
    return value > other or (value == 1 and other == 6)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(DROP + VALUES)
        self.observation_space = Box(low=0.0, high=48.0, shape=(64,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = [0] * (N * N)
        self.value = [0] * (N * N)
        self.stock = [[COPIES] * VALUES, [COPIES] * VALUES]
        self.last = 0
        self.margin = 0
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _inside(self, cell):
        row, col = divmod(cell, N)
        low, high = self.margin, N - 1 - self.margin
        return low <= row <= high and low <= col <= high

    def _obs(self):
        values = []
        for cell in range(N * N):
            if not self._inside(cell):
                values.append(13)
            elif self.owner[cell] == 0:
                values.append(0)
            else:
                values.append(self.value[cell] + (6 if self.owner[cell] == 2 else 0))
        values += self.stock[0] + self.stock[1]
        values += [self.last, self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _usable(self):
        held = [v for v in range(1, VALUES + 1) if self.stock[self.current_player][v - 1] > 0]
        if self.last:
            free = [v for v in held if family(v) != family(self.last)]
            if free:
                return free
        return held

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player + 1
        usable = self._usable()
        moves = []
        for cell in range(N * N):
            if not self._inside(cell) or self.owner[cell] == me:
                continue
            for v in usable:
                if self.owner[cell] == 0 or beats(v, self.value[cell]):
                    moves.append(cell * VALUES + v - 1)
        for v in usable:
            moves.append(DROP + v - 1)
        return moves

    def _joined(self, player):
        me = player + 1
        low, high = self.margin, N - 1 - self.margin
        todo = []
        for k in range(low, high + 1):
            cell = k * N + low if player == 0 else low * N + k
            if self.owner[cell] == me:
                todo.append(cell)
        seen = set(todo)
        while todo:
            cell = todo.pop()
            row, col = divmod(cell, N)
            if (col if player == 0 else row) == high:
                return True
            for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                if low <= r <= high and low <= c <= high:
                    other = r * N + c
                    if other not in seen and self.owner[other] == me:
                        seen.add(other)
                        todo.append(other)
        return False

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action >= DROP:
            v = action - DROP + 1
        else:
            cell, v = divmod(action, VALUES)
            v += 1
            self.owner[cell] = p + 1
            self.value[cell] = v
        self.stock[p][v - 1] -= 1
        self.last = v
        self.moves += 1
        if self.moves in SHRINK:
            self.margin = SHRINK[self.moves]
            for cell in range(N * N):
                if not self._inside(cell):
                    self.owner[cell] = 0
                    self.value[cell] = 0
        self.current_player = 1 - p
        if self._joined(0):
            self.done = True
            self.winner = 0
        elif self._joined(1):
            self.done = True
            self.winner = 1
        elif self.moves >= LAST_MOVE:
            self.done = True
            self.winner = 0 if self._sum(0) > self._sum(1) else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _sum(self, player):
        return sum(v for o, v in zip(self.owner, self.value) if o == player + 1)

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        for row in range(N - 1, -1, -1):
            line = str(row + 1)
            for col in range(N):
                cell = row * N + col
                if not self._inside(cell):
                    text = "#"
                elif self.owner[cell] == 0:
                    text = "."
                else:
                    text = "FS"[self.owner[cell] - 1] + str(self.value[cell])
                line += " " + text.rjust(2)
            lines.append(line)
        lines.append("-" + "".join("  " + c for c in "abcdefg"))
        for p in (0, 1):
            held = " ".join(str(v + 1) + "x" + str(self.stock[p][v]) for v in range(VALUES))
            lines.append(NAMES[p] + " has: " + held)
        lines.append("last number: " + (str(self.last) if self.last else "none"))
        lines.append("moves made: " + str(self.moves))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= DROP:
            return "drop " + str(action - DROP + 1)
        cell, v = divmod(action, VALUES)
        row, col = divmod(cell, N)
        return str(v + 1) + " at " + "abcdefg"[col] + str(row + 1)

    def clone(self):
        other = copy.copy(self)
        other.owner = list(self.owner)
        other.value = list(self.value)
        other.stock = [list(self.stock[0]), list(self.stock[1])]
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.moves,
            self.last,
            tuple(self.owner),
            tuple(self.value),
            tuple(self.stock[0]),
            tuple(self.stock[1]),
        )
