import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
NAMES = ["abcdef"[cell % 6] + str(cell // 6 + 1) for cell in range(18)]
WAYS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
LIMIT = 3


def _side(cell):
    return 0 if cell % 6 < 3 else 1


def _line(cell, way):
    row, col = divmod(cell, 6)
    dr, dc = STEPS[way]
    cells = []
    row += dr
    col += dc
    while 0 <= row < 3 and 0 <= col < 6:
        cells.append(row * 6 + col)
        row += dr
        col += dc
    return cells


LINES = [[_line(cell, way) for way in range(4)] for cell in range(18)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(72)
        self.observation_space = Box(0.0, 40.0, shape=(37,), dtype=np.float32)
        self._start()

    def _start(self):
        self.tokens = [2] * 18
        self.lifts = [0] * 18
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = self.tokens + self.lifts + [self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for cell in range(18):
            count = self.tokens[cell]
            if _side(cell) != self.current_player or count == 0 or self.lifts[cell] >= LIMIT:
                continue
            for way in range(4):
                if count <= len(LINES[cell][way]):
                    moves.append(cell * 4 + way)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        cell, way = divmod(action, 4)
        count = self.tokens[cell]
        self.tokens[cell] = 0
        self.lifts[cell] += 1
        for target in LINES[cell][way][:count]:
            if _side(target) != me and self.tokens[target] > 0:
                self.tokens[target] -= 1
            else:
                self.tokens[target] += 1
        self.current_player = 1 - me
        if not self.valid_moves():
            self.over = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        return self._observe(), 0.0, False, False, {}

    def _rows(self, values):
        lines = []
        for row in range(3):
            left = " ".join(str(value) for value in values[row * 6:row * 6 + 3])
            right = " ".join(str(value) for value in values[row * 6 + 3:row * 6 + 6])
            lines.append(str(row + 1) + ": " + left + " | " + right)
        return lines

    def render(self):
        lines = ["columns: a b c | d e f"]
        lines += ["tokens " + line for line in self._rows(self.tokens)]
        lines += ["lifts " + line for line in self._rows(self.lifts)]
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        cell, way = divmod(int(action), 4)
        return "sow " + NAMES[cell] + " " + WAYS[way]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tokens = list(self.tokens)
        other.lifts = list(self.lifts)
        return other

    def key(self):
        return (self.current_player, tuple(self.tokens), tuple(self.lifts), self.over, self.winner)
