import gymnasium
import numpy as np
from gymnasium import spaces

ROWS = 4
COLS = 5
SIZE = ROWS * COLS           # 20 cells on each of the two boards
CELLS = 2 * SIZE
TARGET = 50
FALL = 40                    # where the score lands after passing the target
TWIN = 2                     # points for an opposing stone on the twin cell
START = (0, 1)
PHASE = 4                    # after every fourth move the neighbours change
STRAIGHT = ((0, 1), (0, -1), (1, 0), (-1, 0))
SLANT = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SIDES = ("left", "right")
NAMES = ("first", "second")
MARKS = {-1: ".", 0: "X", 1: "O"}


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(CELLS)
        self.observation_space = spaces.Box(
            low=-2.0, high=100.0, shape=(CELLS + 5,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.cells = [-1] * CELLS
        self.score = list(START)
        self.ban = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _slant(self):
        return (self.moves // PHASE) % 2 == 1

    def _observe(self):
        out = np.zeros(CELLS + 5, dtype=np.float32)
        out[:CELLS] = self.cells
        out[CELLS:] = [self.score[0], self.score[1], self.ban, self.moves, self.current_player]
        return out

    def _gain(self, action, player):
        board, cell = divmod(action, SIZE)
        row, col = divmod(cell, COLS)
        total = 1
        for dr, dc in (SLANT if self._slant() else STRAIGHT):
            r, c = row + dr, col + dc
            if 0 <= r < ROWS and 0 <= c < COLS:
                if self.cells[board * SIZE + r * COLS + c] == player:
                    total += 1
        if self.cells[(1 - board) * SIZE + cell] == 1 - player:
            total += TWIN
        return total

    def valid_moves(self):
        if self.done:
            return []
        empty = [a for a in range(CELLS) if self.cells[a] == -1]
        allowed = [a for a in empty if (a % SIZE) // COLS != self.ban]
        return allowed if allowed else empty

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        total = self.score[me] + self._gain(action, me)
        self.cells[action] = me
        self.ban = (action % SIZE) // COLS
        self.moves += 1
        if total > TARGET:
            total = FALL
        self.score[me] = total
        if total == TARGET:
            self.done = True
            self.winner = me
        elif self.moves == CELLS:
            self.done = True
            self.winner = 0 if self.score[0] > self.score[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e | a b c d e"]
        for row in range(ROWS):
            halves = []
            for board in (0, 1):
                at = board * SIZE + row * COLS
                halves.append(" ".join(MARKS[v] for v in self.cells[at:at + COLS]))
            lines.append("row %d: %s | %s" % (row + 1, halves[0], halves[1]))
        lines.append("score: first %d, second %d" % (self.score[0], self.score[1]))
        lines.append("neighbours: " + ("slant" if self._slant() else "straight"))
        lines.append("forbidden row: " + ("none" if self.ban < 0 else str(self.ban + 1)))
        lines.append("moves made: %d" % self.moves)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        board, cell = divmod(int(action), SIZE)
        row, col = divmod(cell, COLS)
        return "%s %s%d" % (SIDES[board], "abcde"[col], row + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        other.score = list(self.score)
        return other

    def key(self):
        return (tuple(self.cells), tuple(self.score), self.ban, self.moves,
                self.current_player, self.done, self.winner)
