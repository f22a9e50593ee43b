import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 7
TABLE = (
    (3, 5, 2, 6, 1, 4, 3),
    (5, 4, 6, 3, 5, 2, 4),
    (2, 6, 3, 5, 4, 6, 1),
    (6, 3, 5, 4, 2, 5, 6),
    (1, 5, 4, 2, 6, 3, 5),
    (4, 2, 6, 5, 3, 1, 4),
    (3, 4, 1, 6, 5, 4, 2),
)
LETTERS = "ABCDEFG"
START = 3 * SIZE + 3
FUEL = 8
UNDO = 14
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(15)
        self.observation_space = Box(-1.0, 1000.0, shape=(60,), dtype=np.float32)
        self._start()

    def _start(self):
        self.closed = [False] * (SIZE * SIZE)
        self.closed[START] = True
        self.pos = START
        self.fuel = [FUEL, FUEL]
        self.undo_left = [True, True]
        self.prev = None
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = [int(x) for x in self.closed]
        values += list(divmod(self.pos, SIZE))
        values += self.fuel + [int(x) for x in self.undo_left]
        values += [self.turn, self.current_player]
        if self.prev is None:
            values += [0, -1, -1]
        else:
            values += [1, self.prev[0], self.prev[1]]
        return np.array(values, dtype=np.float32)

    def _toll(self):
        return 2 + self.turn // 8

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        if self.fuel[p] < self._toll():
            return []
        row, col = divmod(self.pos, SIZE)
        if p == 0:
            moves = [c for c in range(SIZE) if not self.closed[row * SIZE + c]]
        else:
            moves = [SIZE + r for r in range(SIZE) if not self.closed[r * SIZE + col]]
        if self.undo_left[p] and self.prev is not None:
            moves.append(UNDO)
        return moves

    def _apply(self, action, luck):
        p = self.current_player
        line = NAMES[p] + ": " + self.move_name(action)
        if action != UNDO:
            line += ", chance part %d" % luck
        self.log.append(line)
        before = self.fuel[p]
        self.fuel[p] -= self._toll()
        if action == UNDO:
            pos, fuel = self.prev
            self.pos = pos
            self.fuel[1 - p] = fuel
            self.undo_left[p] = False
            self.prev = None
        else:
            row, col = divmod(self.pos, SIZE)
            if action < SIZE:
                col = action
            else:
                row = action - SIZE
            self.prev = (self.pos, before)
            self.pos = row * SIZE + col
            self.closed[self.pos] = True
            self.fuel[p] += TABLE[row][col] + luck
        self.turn += 1
        self.current_player = 1 - p
        if not self.valid_moves():
            self.done = True
            self.winner = p

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        luck = 0
        if action != UNDO:
            luck = int(self.np_random.integers(3)) - 1
        self._apply(action, luck)
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            other = self.clone()
            other.step(action)
            return [(1.0, other)]
        if action == UNDO:
            other = self.clone()
            other._apply(action, 0)
            return [(1.0, other)]
        result = []
        for luck in (-1, 0, 1):
            other = self.clone()
            other._apply(action, luck)
            result.append((1.0 / 3.0, other))
        return result

    def render(self):
        lines = ["columns: 1 2 3 4 5 6 7"]
        for r in range(SIZE):
            parts = []
            for c in range(SIZE):
                i = r * SIZE + c
                if i == self.pos:
                    parts.append("*")
                elif self.closed[i]:
                    parts.append("-")
                else:
                    parts.append(str(TABLE[r][c]))
            lines.append("%s: %s" % (LETTERS[r], " ".join(parts)))
        for p in range(2):
            lines.append("fuel of %s: %d" % (NAMES[p], self.fuel[p]))
        words = ["yes" if x else "no" for x in self.undo_left]
        lines.append("undo left: first %s, second %s" % (words[0], words[1]))
        can = "no" if self.prev is None else "yes"
        lines.append("last turn was a step: %s" % can)
        if self.prev is not None:
            row, col = divmod(self.prev[0], SIZE)
            lines.append("before it: token at %s%d, fuel %d" % (LETTERS[row], col + 1, self.prev[1]))
        lines.append("turns made: %d" % self.turn)
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("toll: %d" % self._toll())
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        if action < SIZE:
            return "column %d" % (action + 1)
        return "row %s" % LETTERS[action - SIZE]

    def view(self, player):
        # nothing is hidden, so both players see the whole position
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs()],
            "log": list(self.log),
            "closed": [int(x) for x in self.closed],
            "pos": int(self.pos),
            "fuel": [int(x) for x in self.fuel],
            "undo_left": [int(x) for x in self.undo_left],
            "prev": None if self.prev is None else [int(x) for x in self.prev],
            "turn": int(self.turn),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.closed = [bool(x) for x in view["closed"]]
        self.pos = int(view["pos"])
        self.fuel = [int(x) for x in view["fuel"]]
        self.undo_left = [bool(x) for x in view["undo_left"]]
        self.prev = None if view["prev"] is None else tuple(int(x) for x in view["prev"])
        self.turn = int(view["turn"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        # only the chance parts to come are unknown
        self.np_random = rng

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.log = list(self.log)
        other.closed = list(self.closed)
        other.fuel = list(self.fuel)
        other.undo_left = list(self.undo_left)
        if self.__dict__.get("_np_random") is not None:
            other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            tuple(self.closed),
            self.pos,
            tuple(self.fuel),
            tuple(self.undo_left),
            self.prev,
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
