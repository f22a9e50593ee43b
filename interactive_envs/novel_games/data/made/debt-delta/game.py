import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = "ABCDE"
SIDE = 5
CELLS = 15
CHARGE = (0, 1, 1, 2, 5, 2, 1, 5, 5, 1, 0, 1, 2, 1, 0)
ORDER = (0, 1, 1, 0, 0, 1, 1, 0, 0, 1)
FALL = 2
SETTLE_GAIN = 3
NAMES = ("first", "second")


def _index(row, col):
    return row * (row + 1) // 2 + col


def _label(row, col):
    return ROWS[row] + str(col + 1)


def _build():
    lines = []
    for row in range(1, SIDE):
        lines.append([(row, col) for col in range(row + 1)])
    for col in range(SIDE - 1):
        lines.append([(row, col) for row in range(col, SIDE)])
    for shift in range(SIDE - 1):
        lines.append([(row, row - shift) for row in range(shift, SIDE)])
    pushes = []
    labels = []
    for line in lines:
        for way in (line, line[::-1]):
            pushes.append([_index(row, col) for row, col in way])
            labels.append("%s to %s" % (_label(*way[0]), _label(*way[-1])))
    return pushes, labels


PUSHES, LABELS = _build()
SETTLE = len(PUSHES)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(SETTLE + 1)
        self.observation_space = Box(low=-200.0, high=200.0, shape=(CELLS + 4,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.cells = [-1] * CELLS
        self.cells[_index(3, 1)] = 0
        self.cells[_index(3, 2)] = 1
        self.ledger = [0, 0]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.cells) + list(self.ledger) + [self.count, self.current_player]
        return np.array(values, dtype=np.float32)

    def _debt(self, player):
        other = 1 - player
        return self.ledger[player] + sum(CHARGE[i] for i in range(CELLS) if self.cells[i] == other)

    def valid_moves(self):
        if self.done:
            return []
        moves = list(range(SETTLE))
        me = self.current_player
        if self._debt(me) > self._debt(1 - me):
            moves.append(SETTLE)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        if action == SETTLE:
            self.ledger[me] -= SETTLE_GAIN
        else:
            carried = me
            for cell in PUSHES[action]:
                carried, self.cells[cell] = self.cells[cell], carried
                if carried == -1:
                    break
            if carried != -1:
                self.ledger[carried] += FALL
        self.count += 1
        if self.count == len(ORDER):
            self.done = True
            self.winner = 0 if self._debt(0) <= self._debt(1) else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = ORDER[self.count]
        return self._obs(), 0.0, False, False, {}

    def render(self):
        marks = {-1: ".", 0: "X", 1: "O"}
        lines = []
        for row in range(SIDE):
            lines.append(ROWS[row] + ": " + " ".join(
                marks[self.cells[_index(row, col)]] for col in range(row + 1)))
        lines.append("charges: A 0 / B 1 1 / C 2 5 2 / D 1 5 5 1 / E 0 1 2 1 0")
        lines.append("debts: first %d, second %d" % (self._debt(0), self._debt(1)))
        lines.append("moves left: %d" % (len(ORDER) - self.count))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == SETTLE:
            return "settle"
        return LABELS[action]

    def clone(self):
        other = copy.copy(self)
        other.cells = list(self.cells)
        other.ledger = list(self.ledger)
        return other

    def key(self):
        return (tuple(self.cells), tuple(self.ledger), self.count,
                self.current_player, self.done, self.winner)
