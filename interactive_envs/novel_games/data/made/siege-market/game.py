import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
WARES = ("iron", "wool", "salt")
PRICES = (3, 4, 5)
TOLL = (0, 1, 2, 1, 0)
TOP = 4
TARGET = 40
STRIKE = 2
PASSING = 5
DROP = 2
LOWEST = 1
HIGHEST = 7


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(15)
        self.observation_space = Box(-1.0, 100.0, shape=(17,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.prices = list(PRICES)
        self.heights = [0] * 5
        self.tops = [-1] * 5
        self.sums = [0, 2]
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        return [5 * w + s for w in range(3) for s in range(5) if self.heights[s] < TOP]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        you = 1 - me
        w, s = divmod(action, 5)
        if self.tops[s] == you:
            self.sums[you] = max(0, self.sums[you] - STRIKE)
        self.heights[s] += 1
        self.tops[s] = me
        gain = self.prices[w] + self.heights[s] - TOLL[s]
        if self.sums[me] + gain > TARGET:
            self.sums[me] = max(0, self.sums[me] - PASSING)
        else:
            self.sums[me] += gain
        for k in range(3):
            if k == w:
                self.prices[k] = max(LOWEST, self.prices[k] - DROP)
            else:
                self.prices[k] = min(HIGHEST, self.prices[k] + 1)
        if self.sums[me] == TARGET:
            self.done = True
            self.winner = me
        elif all(h == TOP for h in self.heights):
            self.done = True
            self.winner = 0 if self.sums[0] > self.sums[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = you
        return self._obs(), 0.0, False, False, {}

    def _obs(self):
        me = self.current_player
        out = list(self.heights)
        out += [0 if t < 0 else (1 if t == me else 2) for t in self.tops]
        out += list(self.prices)
        out += [self.sums[me], self.sums[1 - me], me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = ["prices: " + ", ".join("%s %d" % (WARES[k], self.prices[k]) for k in range(3))]
        for s in range(5):
            top = "-" if self.tops[s] < 0 else NAMES[self.tops[s]]
            lines.append("site %d: height %d, top %s, toll %d" % (s + 1, self.heights[s], top, TOLL[s]))
        lines.append("sums: first %d, second %d" % (self.sums[0], self.sums[1]))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        w, s = divmod(int(action), 5)
        return "%s at %d" % (WARES[w], s + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.prices = list(self.prices)
        other.heights = list(self.heights)
        other.tops = list(self.tops)
        other.sums = list(self.sums)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.prices),
            tuple(self.heights),
            tuple(self.tops),
            tuple(self.sums),
            self.done,
            self.winner,
        )
