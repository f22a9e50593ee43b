import gymnasium
import numpy as np
from gymnasium import spaces

START = ((0, 2, 3, 1), (2, 0, 1, 2), (3, 1, 0, 2), (1, 2, 2, 0))
NAMES = ("first", "second")
LEAP = 16


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(17)
        self.observation_space = spaces.Box(0.0, 100.0, shape=(21,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.table = [list(r) for r in START]
        self.raider = (0, 0)
        self.kept = [0, 0]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        vals = [x for r in self.table for x in r]
        vals += [self.raider[0], self.raider[1], self.kept[0], self.kept[1], self.current_player]
        return np.array(vals, dtype=np.float32)

    def _legal(self, action):
        me = self.current_player
        r, c = self.raider
        if action == LEAP:
            return self.kept[me] < self.kept[1 - me] and self.table[3 - r][3 - c] > 0
        if action < 8:
            if me != 0:
                return False
            col = action // 2
            return col != c and self.table[r][col] > 0
        if me != 1:
            return False
        row = (action - 8) // 2
        return row != r and self.table[row][c] > 0

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(17) if self._legal(a)]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 17) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        r, c = self.raider
        if action == LEAP:
            r, c = 3 - r, 3 - c
            self.table[r][c] -= 1
            self.kept[me] += 1
        else:
            if action < 8:
                c = action // 2
                dr, dc = 0, (-1 if action % 2 == 0 else 1)
            else:
                r = (action - 8) // 2
                dr, dc = (-1 if action % 2 == 0 else 1), 0
            left = self.table[r][c]
            self.table[r][c] = 0
            while left > 0:
                nr, nc = r + dr, c + dc
                if not (0 <= nr < 4 and 0 <= nc < 4):
                    self.kept[me] += left
                    left = 0
                    break
                r, c = nr, nc
                if left == 1:
                    self.kept[me] += 1
                else:
                    self.table[r][c] += 1
                left -= 1
        self.raider = (r, c)
        self.current_player = 1 - me
        reward = 0.0
        info = {}
        if not self.valid_moves():
            self.done = True
            self.winner = me
            reward = 1.0
            info = {"winner": me}
        return self._obs(), reward, self.done, False, info

    def render(self):
        lines = []
        for r in range(4):
            cells = []
            for c in range(4):
                s = str(self.table[r][c])
                if (r, c) == self.raider:
                    s = "[" + s + "]"
                cells.append(s)
            lines.append("row " + str(r + 1) + ": " + " ".join(cells))
        lines.append("kept: first " + str(self.kept[0]) + ", second " + str(self.kept[1]))
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == LEAP:
            return "leap"
        if action < 8:
            return "column " + str(action // 2 + 1) + " " + ("left", "right")[action % 2]
        return "row " + str((action - 8) // 2 + 1) + " " + ("up", "down")[action % 2]

    def clone(self):
        new = CustomEnv()
        new.table = [list(r) for r in self.table]
        new.raider = self.raider
        new.kept = list(self.kept)
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(tuple(r) for r in self.table), self.raider,
                tuple(self.kept), self.done, self.winner)
