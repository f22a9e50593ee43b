import gymnasium
import numpy as np
from gymnasium import spaces

N = 6
TAKES = 5                    # takes of each player, so ten moves in all
LAST = 2                     # the last take of each player counts twice
START_ROW = 2                # row 3, counted from nought
START_COL = 4                # column 5
TABLE = [
    [14, 27, 3, 31, 9, 20],
    [35, 6, 22, 11, 28, 2],
    [8, 17, 30, 1, 24, 13],
    [25, 33, 12, 19, 5, 36],
    [4, 10, 29, 34, 15, 21],
    [32, 23, 7, 16, 26, 18],
]
TURNS = (0, 1, -1)
ROW_TURNS = ("still", "right", "left")
COL_TURNS = ("still", "down", "up")
NAMES = ("first", "second")
LINES = N * len(TURNS)       # 18 actions for rows, 18 for columns


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2 * LINES)
        self.observation_space = spaces.Box(
            low=0.0, high=400.0, shape=(N * N + 6,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.table = [list(row) for row in TABLE]
        self.row = START_ROW
        self.col = START_COL
        self.points = [0, 0]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        flat = [v for row in self.table for v in row]
        return np.array(flat + [self.row, self.col, self.points[0], self.points[1],
                                self.moves, self.current_player], dtype=np.float32)

    @staticmethod
    def _parts(action):
        side, rest = divmod(int(action), LINES)
        line, turn = divmod(rest, len(TURNS))
        return side, line, turn

    def valid_moves(self):
        if self.done:
            return []
        here = self.row if self.current_player == 0 else self.col
        base = self.current_player * LINES
        found = []
        for rest in range(LINES):
            if rest // len(TURNS) != here:
                found.append(base + rest)
        return found

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        side, line, turn = self._parts(action)
        shift = TURNS[turn]
        if side == 0:
            old = list(self.table[line])
            for i in range(N):
                self.table[line][(i + shift) % N] = old[i]
            self.row = line
        else:
            old = [self.table[i][line] for i in range(N)]
            for i in range(N):
                self.table[(i + shift) % N][line] = old[i]
            self.col = line
        taken = self.table[self.row][self.col]
        self.table[self.row][self.col] = 0
        if self.moves // 2 == TAKES - 1:
            taken *= LAST
        self.points[me] += taken
        self.moves += 1
        if self.moves == 2 * TAKES:
            self.done = True
            self.winner = 0 if self.points[0] > self.points[1] else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for i in range(N):
            lines.append("row %d: " % (i + 1) + " ".join("%02d" % v for v in self.table[i]))
        lines.append("crossing: row %d, column %d" % (self.row + 1, self.col + 1))
        lines.append("points: first %d, second %d" % (self.points[0], self.points[1]))
        lines.append("takes left: first %d, second %d" % (
            TAKES - (self.moves + 1) // 2, TAKES - self.moves // 2))
        if self.done:
            lines.append("to move: nobody")
        elif self.current_player == 0:
            lines.append("to move: first, who chooses a row")
        else:
            lines.append("to move: second, who chooses a column")
        return "\n".join(lines)

    def move_name(self, action):
        side, line, turn = self._parts(action)
        if side == 0:
            return "row %d %s" % (line + 1, ROW_TURNS[turn])
        return "column %d %s" % (line + 1, COL_TURNS[turn])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.table = [list(row) for row in self.table]
        other.points = list(self.points)
        return other

    def key(self):
        return (tuple(v for row in self.table for v in row), self.row, self.col,
                tuple(self.points), self.moves, self.current_player, self.done, self.winner)
