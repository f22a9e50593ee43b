import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CELLS = 16
HALF = 8
VALUES = (3, 1, 4, 2, 5, 1, 3, 2, 3, 1, 4, 2, 5, 1, 3, 2)
SHIFTS = (1, 2, 3, 4, -1, -2, -3, -4)
LABELS = ("forward 1", "forward 2", "forward 3", "forward 4", "back 1", "back 2", "back 3", "back 4")
TARGET = 25
PENALTY = 5
BLOW = 5
LOOT = 2
BONUS = 2
LIMIT = 50
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(8)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(14,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.pos = [0, HALF]
        self.tally = [0, BONUS]
        self.last_user = [-1] * 8
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.pos) + list(self.tally) + list(self.last_user) + [self.count, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(8) if self.last_user[a] != self.current_player]

    def step(self, action):
        action = int(action)
        me = self.current_player
        other = 1 - me
        if action not in self.valid_moves():
            self.done = True
            self.winner = other
            return self._obs(), -10.0, True, False, {"winner": other}
        self.last_user[action] = me
        place = (self.pos[me] + SHIFTS[action]) % CELLS
        self.pos[me] = place
        if place == self.pos[other]:
            gain = LOOT
            self.tally[other] = max(0, self.tally[other] - BLOW)
            self.pos[other] = (place + HALF) % CELLS
        else:
            gain = VALUES[place]
        if self.tally[me] + gain > TARGET:
            self.tally[me] = max(0, self.tally[me] - PENALTY)
        else:
            self.tally[me] += gain
        self.count += 1
        self.current_player = other
        if self.tally[me] == TARGET:
            self.done = True
            self.winner = me
        elif self.count == LIMIT:
            self.done = True
            self.winner = 0 if self.tally[0] > self.tally[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        marks = ["."] * CELLS
        marks[self.pos[0]] = "A"
        marks[self.pos[1]] = "B"
        lines = [
            "values: " + " ".join(str(value) for value in VALUES),
            "stands: " + " ".join(marks),
            "tally: first %d, second %d" % (self.tally[0], self.tally[1]),
        ]
        for player in (0, 1):
            locked = [LABELS[a] for a in range(8) if self.last_user[a] == player]
            lines.append("locked for %s: %s" % (NAMES[player], ", ".join(locked) if locked else "none"))
        lines.append("moves made: %d of %d" % (self.count, LIMIT))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return LABELS[int(action)]

    def clone(self):
        other = copy.copy(self)
        other.pos = list(self.pos)
        other.tally = list(self.tally)
        other.last_user = list(self.last_user)
        return other

    def key(self):
        return (tuple(self.pos), tuple(self.tally), tuple(self.last_user), self.count,
                self.current_player, self.done, self.winner)
