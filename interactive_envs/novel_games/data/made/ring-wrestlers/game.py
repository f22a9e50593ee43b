import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

DIRS = ((-1, 0), (1, 0), (0, -1), (0, 1))
WAYS = ("up", "down", "left", "right")
OPS = ("add", "double")
UNDO = 8
LENGTH = 32
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(9)
        self.observation_space = Box(-100.0, 100.0, shape=(47,), dtype=np.float32)
        self._start()

    def _start(self):
        self.grid = tuple((r + 2 * c) % 5 for r in range(4) for c in range(4))
        self.at = (0, 10)
        self.hits = (0, 0)
        self.prev = None
        self.last_action = -1
        self.banned = -1
        self.undo_left = (True, True)
        self.moves = 0
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        out = list(self.grid)
        out += [self.at[p], self.at[1 - p], self.hits[p], self.hits[1 - p]]
        out += [1 if self.undo_left[p] else 0, 1 if self.undo_left[1 - p] else 0]
        out += [self.moves, p, self.banned]
        if self.prev is None:
            out += [-1] * 22
        else:
            grid, at, hits = self.prev
            out += list(grid) + [at[p], at[1 - p], hits[p], hits[1 - p], self.last_action, 1]
        return np.array(out, dtype=np.float32)

    def _target(self, player, way):
        r, c = divmod(self.at[player], 4)
        dr, dc = DIRS[way]
        return ((r + dr) % 4) * 4 + (c + dc) % 4

    def valid_moves(self):
        if self.over:
            return []
        p = self.current_player
        moves = []
        for a in range(8):
            if a != self.banned and self._target(p, a // 2) != self.at[1 - p]:
                moves.append(a)
        if self.undo_left[p] and self.prev is not None:
            moves.append(UNDO)
        return moves

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            self.grid, self.at, self.hits = self.prev
            self.prev = None
            self.banned = self.last_action
            self.last_action = -1
            left = list(self.undo_left)
            left[player] = False
            self.undo_left = tuple(left)
        else:
            self.prev = (self.grid, self.at, self.hits)
            self.last_action = action
            self.banned = -1
            cell = self._target(player, action // 2)
            at = list(self.at)
            at[player] = cell
            self.at = tuple(at)
            grid = list(self.grid)
            grid[cell] = (grid[cell] + 1) % 5 if action % 2 == 0 else (grid[cell] * 2) % 5
            self.grid = tuple(grid)
            r, c = divmod(cell, 4)
            r2, c2 = divmod(self.at[1 - player], 4)
            if (r == r2 or c == c2) and grid[cell] == grid[self.at[1 - player]]:
                hits = list(self.hits)
                hits[player] += 1
                self.hits = tuple(hits)
            row = [grid[r * 4 + k] for k in range(4)]
            col = [grid[k * 4 + c] for k in range(4)]
            if len(set(row)) == 1 or len(set(col)) == 1:
                self.over = True
                self.winner = player
        self.moves += 1
        if not self.over and self.moves == LENGTH:
            one = (self.hits[0], self.grid[self.at[0]])
            two = (self.hits[1], self.grid[self.at[1]])
            self.over = True
            self.winner = 0 if one > two else 1
        self.current_player = 1 - player
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(4):
            cells = []
            for c in range(4):
                i = r * 4 + c
                mark = "F" if self.at[0] == i else "S" if self.at[1] == i else ""
                cells.append("%d%s" % (self.grid[i], mark))
            lines.append("row %d: %s" % (r + 1, " ".join(cells)))
        lines.append("hits: first %d, second %d" % self.hits)
        lines.append("undo: first %s, second %s" % tuple(
            "left" if u else "used" for u in self.undo_left))
        lines.append("last move: " + (
            self.move_name(self.last_action) if self.last_action >= 0 else "none to undo"))
        lines.append("banned: " + (self.move_name(self.banned) if self.banned >= 0 else "none"))
        lines.append("moves made: %d of %d" % (self.moves, LENGTH))
        lines.append("to move: " + SEAT[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        return "%s %s" % (WAYS[action // 2], OPS[action % 2])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.grid, self.at, self.hits, self.prev, self.last_action, self.banned,
                self.undo_left, self.moves, self.current_player, self.over, self.winner)
