import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
GATHER = 25
STOCK, CAP = 2, 9
PLACE, STRIKE = 1, 2
SEASON = 4
LIMIT = 48
STEPS = (
    ((0, 1), (0, -1), (1, 0), (-1, 0)),
    ((1, 1), (1, -1), (-1, 1), (-1, -1)),
)
SEASONS = ("straight", "slanting")
# cell index is 5 * row + column
RELICS = {"S": (0, 4, 17), "M": (2, 11, 13), "T": (7, 20, 24)}
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(26)
        self.observation_space = Box(0.0, 60.0, shape=(29,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.grid = [0] * 25
        self.grid[10] = 1
        self.grid[14] = 2
        self.stock = [STOCK, STOCK]
        self.moves = 0
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = list(self.grid) + [self.current_player] + self.stock + [self.moves]
        return np.array(values, dtype=np.float32)

    def _season(self):
        return self.moves // SEASON % 2

    def _near(self, cell, mark):
        """How many soldiers of that mark stand next to the cell."""
        r, c = divmod(cell, SIZE)
        count = 0
        for dr, dc in STEPS[self._season()]:
            a, b = r + dr, c + dc
            if 0 <= a < SIZE and 0 <= b < SIZE and self.grid[a * SIZE + b] == mark:
                count += 1
        return count

    def _cost(self, cell):
        """What it costs to take the cell, or None where it is forbidden."""
        own = self.current_player + 1
        if self.grid[cell] == own or self._near(cell, own) == 0:
            return None
        if self.grid[cell] == 0:
            return PLACE
        return STRIKE + self._near(cell, 3 - own)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for cell in range(25):
            cost = self._cost(cell)
            if cost is not None and cost <= self.stock[self.current_player]:
                moves.append(cell)
        return moves + [GATHER]

    def _held(self, player):
        return sum(
            1 for cells in RELICS.values() for x in cells if self.grid[x] == player + 1
        )

    def _by_count(self):
        relics = [self._held(0), self._held(1)]
        if relics[0] != relics[1]:
            return 0 if relics[0] > relics[1] else 1
        return 0 if self.grid.count(1) > self.grid.count(2) else 1

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        if action == GATHER:
            self.stock[p] = min(CAP, self.stock[p] + 1)
        else:
            self.stock[p] -= self._cost(action)
            self.grid[action] = p + 1
        self.moves += 1
        winner = None
        if any(all(self.grid[x] == p + 1 for x in c) for c in RELICS.values()):
            winner = p
        elif self.grid.count(2 - p) == 0:
            winner = p
        elif self.moves >= LIMIT:
            winner = self._by_count()
        self.current_player = 1 - p
        if winner is None:
            self.stock[1 - p] = min(CAP, self.stock[1 - p] + 1)
            return self._obs(), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == p else 0.0
        return self._obs(), reward, True, False, {"winner": winner}

    def render(self):
        signs = {}
        for sign, cells in RELICS.items():
            for x in cells:
                signs[x] = sign
        lines = ["columns: a b c d e"]
        for r in range(SIZE):
            row = [
                ".12"[self.grid[r * SIZE + c]] + signs.get(r * SIZE + c, ".")
                for c in range(SIZE)
            ]
            lines.append("row %d: %s" % (r + 1, " ".join(row)))
        lines.append("stock: first %d, second %d" % (self.stock[0], self.stock[1]))
        lines.append(
            "season: %s, moves left in it: %d"
            % (SEASONS[self._season()], SEASON - self.moves % SEASON)
        )
        lines.append("moves made: %d" % self.moves)
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == GATHER:
            return "gather"
        return "go %s%d" % ("abcde"[action % SIZE], action // SIZE + 1)

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            tuple(self.grid),
            tuple(self.stock),
            self.moves,
            self.over,
        )
