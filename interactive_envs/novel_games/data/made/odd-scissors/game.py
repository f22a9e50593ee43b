import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

START = (1, 2, 3, 1, 2, 3, 3, 2, 1, 3, 2, 1)
CELLS = 12
MAX_RUN = 2
LEFT, RIGHT, UNDO = 11, 12, 13
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(14)
        self.observation_space = Box(0.0, 20.0, shape=(19,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.tiles = list(START)
        self.lo = 0
        self.hi = CELLS - 1
        self.run = 0
        self.last = -1
        self.used = [False, False]
        self.prev = None
        self.banned = -1
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = [
            self.tiles[i] if self.lo <= i <= self.hi else 0 for i in range(CELLS)
        ]
        values += [
            self.current_player,
            self.run,
            self.last + 1,
            int(self.used[0]),
            int(self.used[1]),
            self.banned + 1,
            0 if self.prev is None else 1,
        ]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        if self.run < MAX_RUN:
            for i in range(self.lo, self.hi):
                if self.tiles[i] != self.tiles[i + 1] and i != self.last:
                    moves.append(i)
        moves += [LEFT, RIGHT]
        if self.prev is not None and not self.used[self.current_player]:
            moves.append(UNDO)
        return [m for m in moves if m != self.banned]

    def _equal(self, player):
        return (
            len({self.tiles[i] for i in range(self.lo, self.hi + 1) if i % 2 == player})
            <= 1
        )

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(), -10.0, True, False, {"winner": 1 - player}
        self.current_player = 1 - player
        if action == UNDO:
            tiles, self.lo, self.hi, self.run, self.last, done = self.prev
            self.tiles = list(tiles)
            self.banned = done
            self.prev = None
            self.used[player] = True
            return self._obs(), 0.0, False, False, {}
        self.prev = (tuple(self.tiles), self.lo, self.hi, self.run, self.last, action)
        self.banned = -1
        if action == LEFT:
            self.lo += 1
            self.run = 0
            self.last = -1
        elif action == RIGHT:
            self.hi -= 1
            self.run = 0
            self.last = -1
        else:
            t = self.tiles
            t[action], t[action + 1] = t[action + 1], t[action]
            self.run += 1
            self.last = action
        winner = None
        if self._equal(player):
            winner = player
        elif self._equal(1 - player):
            winner = 1 - player
        if winner is None:
            return self._obs(), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == player else 0.0
        return self._obs(), reward, True, False, {"winner": winner}

    def render(self):
        row = [
            str(self.tiles[i]) if self.lo <= i <= self.hi else "-"
            for i in range(CELLS)
        ]
        words = ["used" if u else "ready" for u in self.used]
        lines = [
            "row: " + " ".join(row),
            "swaps in a row: %d" % self.run,
            "undo: first %s, second %s" % (words[0], words[1]),
        ]
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == LEFT:
            return "cut left"
        if action == RIGHT:
            return "cut right"
        if action == UNDO:
            return "undo"
        return "swap %d %d" % (action + 1, action + 2)

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            tuple(self.tiles),
            self.lo,
            self.hi,
            self.run,
            self.last,
            tuple(self.used),
            self.prev,
            self.banned,
            self.over,
        )
