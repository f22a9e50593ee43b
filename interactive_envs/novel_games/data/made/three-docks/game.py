import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LANES = 3
COLS = 5
LETTERS = "ABC"
SUPPLY = 8
NEED = 2
LIMIT = 40
STEER = ((0, 1), (1, 0), (1, 2), (2, 1))
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(46)
        self.observation_space = Box(0.0, 100.0, shape=(25,), dtype=np.float32)
        self._start()

    def _start(self):
        self.grid = [[0] * COLS for _ in range(LANES)]
        self.supply = [SUPPLY, SUPPLY]
        self.docks = [[0] * LANES, [0] * LANES]
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = []
        for lane in self.grid:
            values += lane
        values += self.supply + self.docks[0] + self.docks[1]
        values += [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    def _lane(self):
        return (self.turn // 4) % 3

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        own = p + 1
        g = self.grid
        moves = []
        if self.supply[p] > 0:
            for lane in range(LANES):
                if g[lane][0] == 0:
                    moves.append(lane)
        for lane in range(LANES):
            for col in range(COLS):
                if g[lane][col] == own:
                    if col == COLS - 1 or g[lane][col + 1] == 0:
                        moves.append(3 + lane * COLS + col)
        for k, (a, b) in enumerate(STEER):
            for col in range(COLS):
                if g[a][col] == own and g[b][col] == 0:
                    moves.append(18 + k * COLS + col)
        for pair in range(2):
            for col in range(COLS - 1):
                block = (g[pair][col], g[pair][col + 1], g[pair + 1][col], g[pair + 1][col + 1])
                if any(block):
                    moves.append(38 + pair * 4 + col)
        return moves

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        own = p + 1
        g = self.grid
        if action < 3:
            g[action][0] = own
            self.supply[p] -= 1
        elif action < 18:
            lane, col = divmod(action - 3, COLS)
            g[lane][col] = 0
            if col == COLS - 1:
                self.docks[p][lane] += 1
            else:
                g[lane][col + 1] = own
        elif action < 38:
            k, col = divmod(action - 18, COLS)
            a, b = STEER[k]
            g[a][col] = 0
            g[b][col] = own
        else:
            pair, col = divmod(action - 38, 4)
            a = g[pair][col]
            b = g[pair][col + 1]
            c = g[pair + 1][col + 1]
            d = g[pair + 1][col]
            g[pair][col + 1] = a
            g[pair + 1][col + 1] = b
            g[pair + 1][col] = c
            g[pair][col] = d
        lane = self._lane()
        last = g[lane][COLS - 1]
        if last:
            self.docks[last - 1][lane] += 1
        g[lane] = [0] + g[lane][:-1]
        self.turn += 1
        level = [min(x) == max(x) and min(x) >= NEED for x in self.docks]
        self.current_player = 1 - p
        if level[p]:
            self.done = True
            self.winner = p
        elif level[1 - p]:
            self.done = True
            self.winner = 1 - p
        elif self.turn >= LIMIT or not self.valid_moves():
            self.done = True
            self.winner = self._count()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _count(self):
        low = [min(x) for x in self.docks]
        if low[0] != low[1]:
            return 0 if low[0] > low[1] else 1
        total = [sum(x) for x in self.docks]
        if total[0] != total[1]:
            return 0 if total[0] > total[1] else 1
        far = [0, 0]
        for lane in self.grid:
            for col, boat in enumerate(lane):
                if boat:
                    far[boat - 1] += col + 1
        if far[0] != far[1]:
            return 0 if far[0] > far[1] else 1
        return 1

    def render(self):
        lines = ["columns: 1 2 3 4 5"]
        for lane in range(LANES):
            lines.append("lane %s: %s" % (LETTERS[lane], " ".join(".fs"[x] for x in self.grid[lane])))
        for p in range(2):
            d = self.docks[p]
            lines.append("docks of %s: A %d B %d C %d" % (NAMES[p], d[0], d[1], d[2]))
        lines.append("boats to launch: first %d, second %d" % tuple(self.supply))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("current in lane: " + LETTERS[self._lane()])
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 3:
            return "launch " + LETTERS[action]
        if action < 18:
            lane, col = divmod(action - 3, COLS)
            return "paddle %s%d" % (LETTERS[lane], col + 1)
        if action < 38:
            k, col = divmod(action - 18, COLS)
            a, b = STEER[k]
            return "steer %s%d to %s" % (LETTERS[a], col + 1, LETTERS[b])
        pair, col = divmod(action - 38, 4)
        return "turn %s%s%d" % (LETTERS[pair], LETTERS[pair + 1], col + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.grid = [list(x) for x in self.grid]
        other.supply = list(self.supply)
        other.docks = [list(x) for x in self.docks]
        return other

    def key(self):
        return (
            tuple(tuple(x) for x in self.grid),
            tuple(self.supply),
            tuple(self.docks[0]),
            tuple(self.docks[1]),
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
