import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 6
CELLS = SIZE * SIZE
MOD = 5
SAFE_NUMBERS = 6
GOODS = ("salt", "silk", "tin")
START_PRICES = (1, 2, 3)
UNDO = CELLS * 3
COLUMNS = "abcdef"
NAMES = ("first", "second")


def _triples():
    found = [[] for _ in range(CELLS)]
    for row in range(SIZE):
        for start in range(SIZE - 2):
            across = [row * SIZE + start + i for i in range(3)]
            upright = [(start + i) * SIZE + row for i in range(3)]
            for triple in (across, upright):
                for cell in triple:
                    found[cell].append(tuple(c for c in triple if c != cell))
    return found


TRIPLES = _triples()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CELLS * 3 + 1)
        self.observation_space = Box(low=0.0, high=40.0, shape=(43,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.board = [-1] * CELLS
        self.prices = list(START_PRICES)
        self.undos = [1, 1]
        self.before = None
        self.barred = None
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = [v + 1 for v in self.board]
        values += list(self.prices)
        values += list(self.undos)
        values.append(0 if self.barred is None else self.barred + 1)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _completes(self, cell, value):
        board = self.board
        for one, two in TRIPLES[cell]:
            if board[one] >= 0 and board[two] >= 0:
                if (board[one] + board[two] + value) % MOD == 0:
                    return True
        return False

    def _filled(self):
        return sum(1 for v in self.board if v >= 0)

    def _may_undo(self):
        return self.undos[self.current_player] > 0 and self.before is not None

    def valid_moves(self):
        if self.over:
            return []
        early = self._filled() < SAFE_NUMBERS
        moves = []
        for cell in range(CELLS):
            if self.board[cell] >= 0 or cell == self.barred:
                continue
            for good in range(3):
                if early and self._completes(cell, self.prices[good]):
                    continue
                moves.append(cell * 3 + good)
        if self._may_undo():
            moves.append(UNDO)
        return moves

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            cell, prices = self.before
            self.undos[player] -= 1
            self.board[cell] = -1
            self.prices = list(prices)
            self.barred = cell
            self.before = None
        else:
            cell, good = divmod(action, 3)
            value = self.prices[good]
            bad = self._completes(cell, value)
            self.before = (cell, tuple(self.prices))
            self.barred = None
            self.board[cell] = value
            for g in range(3):
                if g == good:
                    self.prices[g] = self.prices[g] * 2 % MOD
                else:
                    self.prices[g] = (self.prices[g] + 1) % MOD
            if bad:
                self.over = True
                self.winner = 1 - player
            elif self._filled() == CELLS:
                self.over = True
                self.winner = player
        self.current_player = 1 - player
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    @staticmethod
    def _cell_name(cell):
        return COLUMNS[cell % SIZE] + str(cell // SIZE + 1)

    def render(self):
        lines = []
        lines.append(
            "market: salt %d, silk %d, tin %d"
            % (self.prices[0], self.prices[1], self.prices[2])
        )
        lines.append("columns: " + " ".join(COLUMNS))
        for row in range(SIZE):
            cells = self.board[row * SIZE:(row + 1) * SIZE]
            text = " ".join("." if v < 0 else str(v) for v in cells)
            lines.append("row %d: %s" % (row + 1, text))
        lines.append("undo left: first %d, second %d" % (self.undos[0], self.undos[1]))
        barred = "none" if self.barred is None else self._cell_name(self.barred)
        lines.append("barred cell: " + barred)
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        cell, good = divmod(action, 3)
        return GOODS[good] + " " + self._cell_name(cell)

    def clone(self):
        other = copy.copy(self)
        other.board = list(self.board)
        other.prices = list(self.prices)
        other.undos = list(self.undos)
        return other

    def key(self):
        history = self.before if self._may_undo() else None
        return (
            self.current_player,
            tuple(self.board),
            tuple(self.prices),
            tuple(self.undos),
            history,
            self.barred,
            self.over,
        )
