import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

BOUGHS = "ABCDE"
SIZE = 5
CUT = 25
FATAL = 3
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(30)
        self.observation_space = Box(0.0, 100.0, shape=(45,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.leaf = [2] * 25            # 2 green, 1 dry, 0 gone
        self.gone = [0] * SIZE          # 1 where the bough is cut
        self.taken = [[0] * SIZE, [0] * SIZE]
        self.cuts = [1, 1]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _wind(self):
        return (self.count // 4) % 2 == 1

    def valid_moves(self):
        if self.done:
            return []
        moves = [i for i in range(25) if self.leaf[i] > 0]
        if self.cuts[self.current_player]:
            for b in range(SIZE):
                if not self.gone[b] and self.leaf[b * SIZE:(b + 1) * SIZE].count(0) >= 2:
                    moves.append(CUT + b)
        return moves

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        if action >= CUT:
            b = action - CUT
            self.gone[b] = 1
            self.cuts[player] = 0
            for i in range(b * SIZE, (b + 1) * SIZE):
                self.leaf[i] = 0
        else:
            b, place = divmod(action, SIZE)
            self.leaf[action] -= 1
            if self.leaf[action] == 0:
                self.taken[player][b] += 1
            if self._wind() and place < SIZE - 1 and self.leaf[action + 1] == 2:
                self.leaf[action + 1] = 1
            if self.taken[player][b] >= FATAL:
                self.done = True
                self.winner = 1 - player
        self.count += 1
        if not self.done:
            self.current_player = 1 - player
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        values = self.leaf + self.gone + self.taken[0] + self.taken[1] + self.cuts
        values = values + [self.count, self.current_player, 1 if self._wind() else 0]
        return np.array(values, dtype=np.float32)

    def render(self):
        lines = []
        for b in range(SIZE):
            if self.gone[b]:
                lines.append("%s: cut" % BOUGHS[b])
            else:
                row = " ".join("-dg"[v] for v in self.leaf[b * SIZE:(b + 1) * SIZE])
                lines.append("%s: %s taken first %d second %d" % (
                    BOUGHS[b], row, self.taken[0][b], self.taken[1][b]))
        lines.append("season: " + ("wind" if self._wind() else "sun"))
        lines.append("cuts left: first %d second %d" % tuple(self.cuts))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= CUT:
            return "cut %s" % BOUGHS[action - CUT]
        return "age %s%d" % (BOUGHS[action // SIZE], action % SIZE + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.leaf = list(self.leaf)
        other.gone = list(self.gone)
        other.taken = [list(row) for row in self.taken]
        other.cuts = list(self.cuts)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.leaf), tuple(self.gone), tuple(self.taken[0]), tuple(self.taken[1]),
                tuple(self.cuts), self.count % 8, self.current_player, self.done, self.winner)
