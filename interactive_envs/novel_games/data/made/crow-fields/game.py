import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
COLUMNS = "ABCDEF"
ROUNDS = 6
OLDEST = 5
TABLE = (
    (4, 2, 1, 5, 3, 1),
    (4, 2, 2, 3, 2, 5),
    (1, 3, 4, 1, 2, 4),
    (1, 5, 3, 2, 5, 1),
    (3, 5, 3, 2, 2, 1),
    (2, 2, 4, 5, 3, 1),
    (1, 1, 2, 3, 4, 4),
)
CROWS = ((0, 0), (2, 3), (5, 4))


def owner(r, c):
    return (r + c) % 2


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(19)
        self.observation_space = Box(-1.0, 100.0, shape=(65,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.round = 0
        self.table = [list(row) for row in TABLE]
        self.rows = [True] * 7
        self.row = -1
        self.crows = list(CROWS)
        self.points = [[0, 0, 0], [0, 0, 0]]
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        if self.row < 0:
            return [r for r in range(7) if self.rows[r]]
        free = [c for c in range(6) if (self.row, c) not in self.crows]
        return [7 + c for c in free] + [13 + c for c in free]

    def _play(self, action, factor):
        me = self.current_player
        line = NAMES[me] + ": " + self.move_name(action)
        if action >= 13:
            line += ", double" if factor == 2 else ", nothing"
        self.log.append(line)
        if self.row < 0:
            self.row = action
            self.current_player = 1 - me
            return
        c = (action - 7) % 6
        r = self.row
        self.points[owner(r, c)][c // 2] += factor * self.table[r][c]
        self.rows[r] = False
        self.row = -1
        for k in range(7):
            if self.rows[k]:
                self.table[k][c] = 1 if self.table[k][c] == OLDEST else self.table[k][c] + 1
        moved = []
        for a, b in self.crows:
            if a < 6:
                moved.append((a + 1, b))
            else:
                moved.append((0, b + 1 if b % 2 == 0 else b - 1))
        self.crows = moved
        self.round += 1
        if self.round == ROUNDS:
            self.done = True
            self.winner = self._judge()
        # the player who chose the column chooses the next row

    def _judge(self):
        one, two = self.points
        held = [sum(1 for k in range(3) if one[k] > two[k]), sum(1 for k in range(3) if two[k] > one[k])]
        if held[0] != held[1]:
            return 0 if held[0] > held[1] else 1
        return 0 if sum(one) > sum(two) else 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        factor = 1
        if action >= 13:
            factor = 2 * int(self.np_random.integers(0, 2))
        self._play(action, factor)
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action < 13 or action not in self.valid_moves():
            env = self.clone()
            env.step(action)
            return [(1.0, env)]
        out = []
        for factor in (2, 0):
            env = self.clone()
            env._play(action, factor)
            out.append((0.5, env))
        return out

    def _obs(self):
        me = self.current_player
        out = []
        for r in range(7):
            out += list(self.table[r]) if self.rows[r] else [0] * 6
        out += [1 if x else 0 for x in self.rows]
        for a, b in self.crows:
            out += [a, b]
        out += list(self.points[me]) + list(self.points[1 - me])
        out += [self.row, self.round, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = ["round: %d of %d" % (min(self.round + 1, ROUNDS), ROUNDS)]
        lines.append("columns: " + " ".join(COLUMNS))
        for r in range(7):
            if not self.rows[r]:
                lines.append("row %d: fought" % (r + 1))
                continue
            cells = []
            for c in range(6):
                mark = "*" if (r, c) in self.crows else ""
                cells.append("fs"[owner(r, c)] + str(self.table[r][c]) + mark)
            lines.append("row %d: %s" % (r + 1, " ".join(cells)))
        lines.append("crows: " + " ".join(COLUMNS[b] + str(a + 1) for a, b in self.crows))
        for p in (0, 1):
            lines.append("points of %s: west %d, middle %d, east %d" % ((NAMES[p],) + tuple(self.points[p])))
        lines.append("chosen row: " + ("-" if self.row < 0 else str(self.row + 1)))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 7:
            return "row %d" % (action + 1)
        if action < 13:
            return "steady " + COLUMNS[action - 7]
        return "bold " + COLUMNS[action - 13]

    def view(self, player):
        # nothing is hidden, so both players see the whole position
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs()],
            "log": list(self.log),
            "round": int(self.round),
            "table": [[int(x) for x in row] for row in self.table],
            "rows": [int(x) for x in self.rows],
            "row": int(self.row),
            "crows": [[int(a), int(b)] for a, b in self.crows],
            "points": [[int(x) for x in side] for side in self.points],
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.round = int(view["round"])
        self.table = [[int(x) for x in row] for row in view["table"]]
        self.rows = [bool(x) for x in view["rows"]]
        self.row = int(view["row"])
        self.crows = [(int(a), int(b)) for a, b in view["crows"]]
        self.points = [[int(x) for x in side] for side in view["points"]]
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        # only the coins to come are unknown
        self.np_random = rng

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.log = list(self.log)
        other.table = [list(row) for row in self.table]
        other.rows = list(self.rows)
        other.crows = list(self.crows)
        other.points = [list(self.points[0]), list(self.points[1])]
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        rows = tuple(tuple(self.table[r]) if self.rows[r] else None for r in range(7))
        return (
            self.current_player,
            self.round,
            rows,
            self.row,
            tuple(self.crows),
            tuple(self.points[0]),
            tuple(self.points[1]),
            self.done,
            self.winner,
        )
