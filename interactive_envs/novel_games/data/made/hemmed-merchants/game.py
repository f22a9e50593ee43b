import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
CELLS = SIZE * SIZE
COINS = 28
TOP = 9
LEFT_RISE = 2
NAMES = ("first", "second")
ORTHO = ((-1, 0), (0, -1), (0, 1), (1, 0))
ROUND = ORTHO + ((-1, -1), (-1, 1), (1, -1), (1, 1))


def cell_name(cell):
    return "abcde"[cell % SIZE] + str(cell // SIZE + 1)


def around(cell, steps):
    r, c = divmod(cell, SIZE)
    found = []
    for dr, dc in steps:
        if 0 <= r + dr < SIZE and 0 <= c + dc < SIZE:
            found.append((r + dr) * SIZE + c + dc)
    return sorted(found)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(2 * CELLS)
        self.observation_space = Box(-1.0, 100.0, shape=(78,), dtype=np.float32)
        self._start()

    def _start(self):
        self.price = []
        for r in range(SIZE):
            for c in range(SIZE):
                self.price.append(1 + min(r, c, SIZE - 1 - r, SIZE - 1 - c))
        self.place = [10, 14]
        self.coins = [COINS, COINS]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        mine = [0.0] * CELLS
        other = [0.0] * CELLS
        mine[self.place[p]] = 1.0
        other[self.place[1 - p]] = 1.0
        tail = [float(self.coins[p]), float(self.coins[1 - p]), float(p)]
        return np.array([float(x) for x in self.price] + mine + other + tail, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        for cell in around(self.place[p], ROUND):
            if cell != self.place[1 - p] and self.price[cell] <= self.coins[p]:
                moves.append(2 * cell)
                moves.append(2 * cell + 1)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        cell, cheap = divmod(action, 2)
        old = self.place[p]
        self.coins[p] -= self.price[cell]
        self.place[p] = cell
        self.price[old] = min(TOP, self.price[old] + LEFT_RISE)
        change = -1 if cheap else 1
        for near in around(cell, ORTHO):
            self.price[near] = max(1, min(TOP, self.price[near] + change))
        self.current_player = 1 - p
        if not self.valid_moves():
            self.done = True
            self.winner = p
            return self._obs(), 1.0, True, False, {"winner": p}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e"]
        for r in range(SIZE):
            parts = []
            for c in range(SIZE):
                cell = r * SIZE + c
                text = str(self.price[cell])
                if cell == self.place[0]:
                    text += "A"
                if cell == self.place[1]:
                    text += "B"
                parts.append(text)
            lines.append("row " + str(r + 1) + ": " + " ".join(parts))
        lines.append("coins: first " + str(self.coins[0]) + " second " + str(self.coins[1]))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        cell, cheap = divmod(int(action), 2)
        return cell_name(cell) + (" cheap" if cheap else " dear")

    def clone(self):
        other = CustomEnv()
        other.price = list(self.price)
        other.place = list(self.place)
        other.coins = list(self.coins)
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.price), tuple(self.place), tuple(self.coins),
                self.current_player, self.done, self.winner)
