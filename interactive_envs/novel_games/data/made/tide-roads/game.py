import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 6
CELLS = SIZE * SIZE
COINS = 5
INCOME = 2
PRICES = (1, 2, 3)
RISE = 2
DROP = 1
LOW = 1
HIGH = 7
PERIOD = 4
STARTS = (7, 28)
KINDS = ("walk", "cut", "leap")
NAMES = ("first", "second")


def cell_name(cell):
    return "abcdef"[cell % SIZE] + str(cell // SIZE + 1)


def kind_of(a, b):
    dr = abs(a // SIZE - b // SIZE)
    dc = abs(a % SIZE - b % SIZE)
    if dr + dc == 1:
        return 0
    if dr == 1 and dc == 1:
        return 1
    if sorted((dr, dc)) == [1, 2]:
        return 2
    return None


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CELLS)
        self.observation_space = Box(-1.0, 500.0, shape=(116,), dtype=np.float32)
        self._start()

    def _start(self):
        self.flooded = [0] * CELLS
        self.place = list(STARTS)
        self.price = list(PRICES)
        self.coins = [COINS, COINS]
        self.barred = None
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        mine = [0] * CELLS
        other = [0] * CELLS
        mine[self.place[p]] = 1
        other[self.place[1 - p]] = 1
        values = list(self.flooded) + mine + other + list(self.price)
        values += [self.coins[p], self.coins[1 - p]]
        values.append(-1 if self.barred is None else self.barred)
        values += [self.moves % (2 * PERIOD), p]
        return np.array([float(v) for v in values], dtype=np.float32)

    def _tide(self):
        return (self.moves // PERIOD) % 2 == 0

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        for cell in range(CELLS):
            kind = kind_of(self.place[p], cell)
            if kind is None or kind == self.barred:
                continue
            if self.flooded[cell] or cell == self.place[1 - p]:
                continue
            if self.price[kind] <= self.coins[p]:
                moves.append(cell)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        old = self.place[p]
        kind = kind_of(old, action)
        self.coins[p] += INCOME - self.price[kind]
        for k in range(3):
            if k == kind:
                self.price[k] = min(HIGH, self.price[k] + RISE)
            else:
                self.price[k] = max(LOW, self.price[k] - DROP)
        if self._tide():
            self.flooded[old] = 1
        self.place[p] = action
        self.barred = kind
        self.moves += 1
        self.current_player = 1 - p
        if not self.valid_moves():
            self.done = True
            self.winner = p
            return self._obs(), 1.0, True, False, {"winner": p}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e f"]
        for r in range(SIZE):
            parts = []
            for c in range(SIZE):
                cell = r * SIZE + c
                if cell == self.place[0]:
                    parts.append("A")
                elif cell == self.place[1]:
                    parts.append("B")
                elif self.flooded[cell]:
                    parts.append("~")
                else:
                    parts.append(".")
            lines.append("row " + str(r + 1) + ": " + " ".join(parts))
        lines.append("prices: " + " ".join(KINDS[k] + " " + str(self.price[k]) for k in range(3)))
        lines.append("coins: first " + str(self.coins[0]) + " second " + str(self.coins[1]))
        lines.append("forbidden: " + ("none" if self.barred is None else KINDS[self.barred]))
        lines.append("water: " + ("tide" if self._tide() else "ebb"))
        lines.append("moves made: " + str(self.moves))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        return "go " + cell_name(int(action))

    def clone(self):
        other = CustomEnv()
        other.flooded = list(self.flooded)
        other.place = list(self.place)
        other.price = list(self.price)
        other.coins = list(self.coins)
        other.barred = self.barred
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.flooded), tuple(self.place), tuple(self.price), tuple(self.coins),
                self.barred, self.moves % (2 * PERIOD), self.current_player,
                self.done, self.winner)
