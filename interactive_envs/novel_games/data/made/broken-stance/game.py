import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROW = (2, 5, 1, 4, 3, 1, 5, 2, 4, 1, 3, 5, 2, 1, 4, 3)
START = (3, 5, 6, 8, 9)
NAMES = "ABCDEFGHIJ"
FOLD_LEFT = 20
FOLD_RIGHT = 21
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(22)
        self.observation_space = Box(-100.0, 100.0, shape=(28,), dtype=np.float32)
        self._start()

    def _start(self):
        self.row = ROW
        self.shields = START + START
        self.last = -1
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        own = self.shields[5 * p:5 * p + 5]
        oth = self.shields[5 - 5 * p:10 - 5 * p]
        out = list(own) + list(oth) + list(self.row) + [0] * (16 - len(self.row))
        out.append(p)
        if self.last < 0:
            out.append(-1)
        else:
            out.append((self.last - 5 * p) % 10)
        return np.array(out, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = [s for s in range(10) if s != self.last]
        if len(self.row) > 1:
            moves += [10 + s for s in range(10) if s != self.last]
            moves += [FOLD_LEFT, FOLD_RIGHT]
        return moves

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == FOLD_LEFT:
            self.row = self.row[:1] + self.row[2:]
            self.last = -1
        elif action == FOLD_RIGHT:
            self.row = self.row[:-2] + self.row[-1:]
            self.last = -1
        else:
            if action < 10:
                card, rest = self.row[0], self.row[1:]
            else:
                card, rest = self.row[-1], self.row[:-1]
            if not rest:
                card *= 2
            s = action % 10
            shields = list(self.shields)
            shields[s] = abs(shields[s] - card)
            self.shields = tuple(shields)
            self.row = rest
            self.last = s
        one, two = self.shields[:5], self.shields[5:]
        if len(set(one)) == 1:
            self.over, self.winner = True, 1
        elif len(set(two)) == 1:
            self.over, self.winner = True, 0
        elif not self.row:
            k1, k2 = (sum(one), max(one)), (sum(two), max(two))
            self.over = True
            self.winner = None if k1 == k2 else 0 if k1 > k2 else 1
        self.current_player = 1 - player
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["row: " + " ".join(str(c) for c in self.row)]
        for p in range(2):
            lines.append("%s: %s" % (SEAT[p], " ".join(
                "%s%d" % (NAMES[5 * p + i], self.shields[5 * p + i]) for i in range(5))))
        lines.append("struck last: " + (NAMES[self.last] if self.last >= 0 else "none"))
        lines.append("to move: " + SEAT[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == FOLD_LEFT:
            return "fold left"
        if action == FOLD_RIGHT:
            return "fold right"
        return "%s at %s" % ("left" if action < 10 else "right", NAMES[action % 10])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.row, self.shields, self.last, self.current_player, self.over, self.winner)
