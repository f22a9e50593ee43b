import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
COLUMNS = 3
ROWS = 7
CELLS = COLUMNS * ROWS
REST = CELLS * 4
LIMIT = 48
PURSE = 6
DIRECTIONS = (("north", 1, 0), ("east", 0, 1), ("south", -1, 0), ("west", 0, -1))
START = (
    (1, 2, 1),
    (1, 0, 1),
    (0, 0, 0),
    (0, 0, 0),
    (0, 0, 0),
    (-1, 0, -1),
    (-1, -2, -1),
)
MARKS = {0: ".", 1: "f", 2: "F", -1: "s", -2: "S"}


def cell_name(cell):
    return "abc"[cell % COLUMNS] + str(cell // COLUMNS + 1)


def height(cell):
    row = cell // COLUMNS
    return min(row + 1, ROWS - row)


def target(cell, direction):
    row, column = divmod(cell, COLUMNS)
    row += DIRECTIONS[direction][1]
    column += DIRECTIONS[direction][2]
    if 0 <= row < ROWS and 0 <= column < COLUMNS:
        return row * COLUMNS + column
    return -1


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(REST + 1)
        self.observation_space = spaces.Box(low=-10.0, high=100.0, shape=(28,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.board = [x for row in START for x in row]
        self.coins = [2, 3]
        self.taken = [0, 0]
        self.last = -1
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        numbers = list(self.board)
        numbers.extend(self.coins)
        numbers.extend(self.taken)
        numbers.extend([self.last, self.moves, self.current_player])
        return np.array(numbers, dtype=np.float32)

    def _owner(self, piece):
        if piece == 0:
            return -1
        return 0 if piece > 0 else 1

    def _cost(self, cell, goal):
        cost = 2 if height(goal) > height(cell) else 1
        if self.board[goal] != 0:
            cost += 1
        return cost

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for cell in range(CELLS):
            if self._owner(self.board[cell]) != me:
                continue
            for direction in range(4):
                goal = target(cell, direction)
                if goal < 0 or self._owner(self.board[goal]) == me:
                    continue
                if self._cost(cell, goal) <= self.coins[me]:
                    moves.append(cell * 4 + direction)
        moves.append(REST)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        if action == REST:
            gain = 2
        else:
            gain = 1
            cell, direction = divmod(action, 4)
            goal = target(cell, direction)
            self.coins[me] -= self._cost(cell, goal)
            prey = self.board[goal]
            self.board[goal] = self.board[cell]
            self.board[cell] = 0
            if abs(prey) == 2:
                self.done = True
                self.winner = me
            elif prey != 0:
                self.taken[me] += 1
                self.last = me
        self.coins[me] = min(PURSE, self.coins[me] + gain)
        self.moves += 1
        if not self.done and self.moves == LIMIT:
            self.done = True
            self.winner = self._judge()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def _scores(self):
        return [self.taken[p] + (1 if self.last == p else 0) for p in (0, 1)]

    def _heights(self):
        total = [0, 0]
        for cell in range(CELLS):
            if self.board[cell] != 0:
                total[self._owner(self.board[cell])] += height(cell)
        return total

    def _judge(self):
        scores = self._scores()
        if scores[0] != scores[1]:
            return 0 if scores[0] > scores[1] else 1
        total = self._heights()
        return 0 if total[0] > total[1] else 1

    def render(self):
        lines = ["columns: a b c"]
        for row in range(ROWS - 1, -1, -1):
            marks = " ".join(MARKS[self.board[row * COLUMNS + c]] for c in range(COLUMNS))
            lines.append("row %d, height %d: %s" % (row + 1, height(row * COLUMNS), marks))
        scores = self._scores()
        total = self._heights()
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        lines.append("score: first %d, second %d" % (scores[0], scores[1]))
        lines.append("heights: first %d, second %d" % (total[0], total[1]))
        lines.append("moves left: %d" % (LIMIT - self.moves))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == REST:
            return "rest"
        cell, direction = divmod(action, 4)
        goal = target(cell, direction)
        if goal < 0:
            return "%s off %s" % (cell_name(cell), DIRECTIONS[direction][0])
        return "%s to %s" % (cell_name(cell), cell_name(goal))

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.board = list(self.board)
        other.coins = list(self.coins)
        other.taken = list(self.taken)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.board),
            tuple(self.coins),
            tuple(self.taken),
            self.last,
            self.moves,
            self.done,
            self.winner,
        )
