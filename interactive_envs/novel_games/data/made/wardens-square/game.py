import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TABLE = ((2, 7, 4, 9, 6),
         (7, 3, 8, 1, 5),
         (4, 8, 5, 6, 2),
         (9, 1, 6, 2, 7),
         (6, 5, 2, 7, 4))
RING = ((1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (2, 1))
TARGET = 40
COST = 10
SEATS = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(10)
        self.observation_space = Box(0.0, 50.0, shape=(31,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.cells = [list(row) for row in TABLE]
        self.stone = (2, 2)
        self.warden = 0
        self.sums = [0, 3]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        values = [n for row in self.cells for n in row]
        values += [self.stone[0], self.stone[1], self.warden]
        values += [self.sums[p], self.sums[1 - p], p]
        return np.array(values, dtype=np.float32)

    def _goal(self, action):
        if action < 5:
            return (self.stone[0], action)
        return (action - 5, self.stone[1])

    def valid_moves(self):
        if self.over:
            return []
        start = 0 if self.current_player == 0 else 5
        moves = []
        for action in range(start, start + 5):
            goal = self._goal(action)
            if goal != self.stone and goal != RING[self.warden]:
                moves.append(action)
        return moves

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        r, c = self._goal(action)
        number = self.cells[r][c]
        self.cells[r][c] = number % 9 + 1
        self.stone = (r, c)
        if self.sums[mover] + number > TARGET:
            self.sums[mover] -= COST
        else:
            self.sums[mover] += number
        if self.sums[mover] == TARGET:
            self.over = True
            self.winner = mover
            return self._obs(), 1.0, True, False, {"winner": mover}
        if mover == 1:
            self.warden = (self.warden + 1) % 8
            if RING[self.warden] == self.stone:
                self.warden = (self.warden + 1) % 8
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(5):
            lines.append("row %d: %s" % (r + 1, " ".join(str(n) for n in self.cells[r])))
        lines.append("stone: row %d, column %d" % (self.stone[0] + 1, self.stone[1] + 1))
        w = RING[self.warden]
        lines.append("warden: row %d, column %d" % (w[0] + 1, w[1] + 1))
        lines.append("first: %d" % self.sums[0])
        lines.append("second: %d" % self.sums[1])
        lines.append("to move: " + ("nobody" if self.over else SEATS[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 5:
            return "column %d" % (action + 1)
        return "row %d" % (action - 4)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = [list(row) for row in self.cells]
        other.sums = list(self.sums)
        return other

    def key(self):
        return (self.current_player, tuple(tuple(r) for r in self.cells), self.stone,
                self.warden, tuple(self.sums), self.over, self.winner)
