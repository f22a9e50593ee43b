import gymnasium
import numpy as np
from gymnasium import spaces

N = 5
CELLS = N * N
BREATH = 16                  # breath of each player at the start
PRIZE = 3                    # breath for each opposing stone pushed off
COST = (1, 2, 3)             # outer ring, middle ring, centre
WAYS = ((1, 0), (-1, 0), (0, -1), (0, 1))
WAY_NAMES = ("up", "down", "left", "right")
NAMES = ("first", "second")
MARKS = {-1: ".", 0: "X", 1: "O"}


def inside(row, col):
    return 0 <= row < N and 0 <= col < N


def cost_of(cell):
    row, col = divmod(cell, N)
    return COST[min(row, col, N - 1 - row, N - 1 - col)]


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(CELLS * len(WAYS))
        self.observation_space = spaces.Box(
            low=-1.0, high=100.0, shape=(CELLS + 3,), dtype=np.float32)
        self._begin()

    def _begin(self):
        # cell 0 is a1, cell 4 is e1, cell 24 is e5
        self.cells = [-1] * CELLS
        for col in range(N):
            self.cells[col] = 0
            self.cells[(N - 1) * N + col] = 1
        self.breath = [BREATH, BREATH]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        return np.array(self.cells + self.breath + [self.current_player], dtype=np.float32)

    def _moves_of(self, player):
        found = []
        for cell in range(CELLS):
            if self.cells[cell] != player or cost_of(cell) > self.breath[player]:
                continue
            row, col = divmod(cell, N)
            for way, (dr, dc) in enumerate(WAYS):
                if inside(row + dr, col + dc):
                    found.append(cell * len(WAYS) + way)
        return found

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        foe = 1 - me
        cell, way = divmod(action, len(WAYS))
        dr, dc = WAYS[way]
        row, col = divmod(cell, N)
        self.breath[me] -= cost_of(cell)
        carried = self.cells[cell]
        self.cells[cell] = -1
        row, col = row + dr, col + dc
        # each stone in the line moves on by one cell until one finds an empty cell or falls
        while carried != -1 and inside(row, col):
            at = row * N + col
            carried, self.cells[at] = self.cells[at], carried
            row, col = row + dr, col + dc
        if carried == foe:
            self.breath[me] += PRIZE
        if not self._moves_of(foe):
            self.done = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        self.current_player = foe
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for row in range(N - 1, -1, -1):
            shown = [MARKS[v] for v in self.cells[row * N:row * N + N]]
            lines.append("row %d: %s" % (row + 1, " ".join(shown)))
        lines.append("cols : a b c d e")
        lines.append("breath: first %d, second %d" % (self.breath[0], self.breath[1]))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        cell, way = divmod(int(action), len(WAYS))
        row, col = divmod(cell, N)
        return "%s%d %s" % ("abcde"[col], row + 1, WAY_NAMES[way])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        other.breath = list(self.breath)
        return other

    def key(self):
        return (tuple(self.cells), tuple(self.breath), self.current_player,
                self.done, self.winner)
