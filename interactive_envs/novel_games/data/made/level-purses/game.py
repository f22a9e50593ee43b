import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

PRICES = (4, 2, 5, 3, 6, 1)
COLOURS = ("red", "green", "blue")
PURSE = (3, 2, 1)
NAMES = ("first", "second")
TURNS = ("", " and turn near", " and turn far")
LIMIT = 12
GOAL = 8
TOP = 6
DROP = 3


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(18)
        self.observation_space = Box(0.0, 100.0, shape=(26,), dtype=np.float32)
        self._start()

    def _start(self):
        self.prices = list(PRICES)
        self.purses = [list(PURSE), list(PURSE)]
        self.closed = [[False] * 6, [False] * 6]
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = list(self.prices) + self.purses[0] + self.purses[1]
        values += [int(x) for x in self.closed[0]] + [int(x) for x in self.closed[1]]
        values += [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        shut = self.closed[self.current_player]
        return [s * 3 + t for s in range(6) if not shut[s] for t in range(3)]

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        stall, turn = divmod(action, 3)
        a = self.prices
        self.purses[p][stall % 3] += a[stall]
        a[stall] = max(1, a[stall] - DROP)
        for n in ((stall - 1) % 6, (stall + 1) % 6):
            a[n] = min(TOP, a[n] + 1)
        if turn == 1:
            a[0], a[1], a[2] = a[2], a[0], a[1]
        elif turn == 2:
            a[3], a[4], a[5] = a[5], a[3], a[4]
        self.closed[p][stall] = True
        self.closed[1 - p][stall] = False
        self.turn += 1
        mine = self.purses[p]
        if mine[0] == mine[1] == mine[2] and mine[0] >= GOAL:
            self.done = True
            self.winner = p
        elif self.turn >= LIMIT:
            self.done = True
            self.winner = self._count()
        self.current_player = 1 - p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _count(self):
        gaps = [max(x) - min(x) for x in self.purses]
        if gaps[0] != gaps[1]:
            return 0 if gaps[0] < gaps[1] else 1
        sums = [sum(x) for x in self.purses]
        if sums[0] != sums[1]:
            return 0 if sums[0] > sums[1] else 1
        return 1

    def render(self):
        lines = ["prices: " + " ".join(str(x) for x in self.prices)]
        lines.append("colours: " + " ".join(COLOURS[s % 3] for s in range(6)))
        for p in range(2):
            parts = ["%s %d" % (COLOURS[i], self.purses[p][i]) for i in range(3)]
            lines.append(NAMES[p] + ": " + " ".join(parts))
        for p in range(2):
            shut = [str(s + 1) for s in range(6) if self.closed[p][s]]
            lines.append("closed to " + NAMES[p] + ": " + (" ".join(shut) if shut else "none"))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        stall, turn = divmod(int(action), 3)
        return "sell at %d%s" % (stall + 1, TURNS[turn])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.prices = list(self.prices)
        other.purses = [list(x) for x in self.purses]
        other.closed = [list(x) for x in self.closed]
        return other

    def key(self):
        return (
            tuple(self.prices),
            tuple(self.purses[0]),
            tuple(self.purses[1]),
            tuple(self.closed[0]),
            tuple(self.closed[1]),
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
