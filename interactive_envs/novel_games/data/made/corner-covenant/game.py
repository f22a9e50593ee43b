import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIDE = 8
CELLS = [(r, c) for r in range(1, SIDE + 1) for c in range(1, r + 1)]
INDEX = {cell: i for i, cell in enumerate(CELLS)}
COUNT = len(CELLS)
STEPS = ((0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1))
NEAR = [
    [INDEX[(r + a, c + b)] for a, b in STEPS if (r + a, c + b) in INDEX]
    for r, c in CELLS
]
COST = [1 + min(c - 1, r - c, SIDE - r) for r, c in CELLS]
CORNERS = (INDEX[(1, 1)], INDEX[(SIDE, 1)], INDEX[(SIDE, SIDE)])
PURSE = 24
SIGNS = ".fFsS"
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(COUNT)
        self.observation_space = Box(0.0, 100.0, shape=(COUNT + 3,), dtype=np.float32)
        self._start()

    def _start(self):
        self.board = [0] * COUNT
        self.purse = [PURSE, PURSE]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = self.board + self.purse + [self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        coins = self.purse[self.current_player]
        return [i for i in range(COUNT) if self.board[i] == 0 and COST[i] <= coins]

    def _group(self, start, p):
        kinds = (2 * p + 1, 2 * p + 2)
        seen = {start}
        stack = [start]
        while stack:
            cell = stack.pop()
            for n in NEAR[cell]:
                if n not in seen and self.board[n] in kinds:
                    seen.add(n)
                    stack.append(n)
        return seen

    def _joined(self, p):
        kinds = (2 * p + 1, 2 * p + 2)
        mine = [x for x in CORNERS if self.board[x] in kinds]
        if len(mine) < 2:
            return False
        for corner in mine[:-1]:
            group = self._group(corner, p)
            if sum(1 for x in mine if x in group) >= 2:
                return True
        return False

    def _largest(self, p):
        kinds = (2 * p + 1, 2 * p + 2)
        seen = set()
        best = 0
        for i in range(COUNT):
            if self.board[i] in kinds and i not in seen:
                group = self._group(i, p)
                seen |= group
                best = max(best, len(group))
        return best

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        own_loose = 2 * p + 1
        own_set = 2 * p + 2
        enemy_loose = 2 * (1 - p) + 1
        self.purse[p] -= COST[action]
        self.board[action] = own_loose
        for n in NEAR[action]:
            if self.board[n] == own_loose or self.board[n] == enemy_loose:
                self.board[n] = own_set
        self.current_player = 1 - p
        if self._joined(p):
            self.done = True
            self.winner = p
        elif not self.valid_moves():
            self.done = True
            self.winner = self._count()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _count(self):
        size = [self._largest(0), self._largest(1)]
        if size[0] != size[1]:
            return 0 if size[0] > size[1] else 1
        if self.purse[0] != self.purse[1]:
            return 0 if self.purse[0] > self.purse[1] else 1
        return 1

    def render(self):
        lines = []
        for r in range(1, SIDE + 1):
            parts = [SIGNS[self.board[INDEX[(r, c)]]] for c in range(1, r + 1)]
            lines.append("row %d: %s" % (r, " ".join(parts)))
        lines.append("coins: first %d, second %d" % tuple(self.purse))
        lines.append("largest group: first %d, second %d" % (self._largest(0), self._largest(1)))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return "place %d-%d" % CELLS[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.board = list(self.board)
        other.purse = list(self.purse)
        return other

    def key(self):
        return (
            tuple(self.board),
            tuple(self.purse),
            self.current_player,
            self.done,
            self.winner,
        )
