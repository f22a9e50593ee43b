import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

STEPS = "abcdefghijk"
SIZE = 11
HEAPS = (2, 2, 3, 3, 4, 5, 4, 3, 3, 2, 2)
TOLLS = (0, 0, 1, 1, 2, 3, 2, 1, 1, 0, 0)
START = (0, -1, -1, 0, 1, -1, 0, 1, -1, -1, 1)
LEAD = 15
BONUS = 2
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(SIZE * SIZE)
        self.observation_space = Box(low=-500.0, high=500.0, shape=(2 * SIZE + 3,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.heaps = list(HEAPS)
        self.stand = list(START)
        self.points = [0, BONUS]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.heaps) + list(self.stand) + list(self.points) + [self.current_player]
        return np.array(values, dtype=np.float32)

    def _targets(self, source):
        found = []
        for way in (1, -1):
            free = 0
            place = source + way
            while 0 <= place < SIZE and free < 2:
                if self.stand[place] == -1:
                    free += 1
                    if self.heaps[place] > 0:
                        found.append(place)
                place += way
        return found

    def _moves(self, player):
        moves = []
        for source in range(SIZE):
            if self.stand[source] == player:
                for target in self._targets(source):
                    moves.append(source * SIZE + target)
        return sorted(moves)

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        me = self.current_player
        other = 1 - me
        if action not in self.valid_moves():
            self.done = True
            self.winner = other
            return self._obs(), -10.0, True, False, {"winner": other}
        source, target = divmod(action, SIZE)
        low, high = min(source, target), max(source, target)
        jumped = sum(1 for place in range(low + 1, high) if self.stand[place] == other)
        self.points[me] += self.heaps[target] - TOLLS[source] + jumped
        self.points[other] -= jumped
        self.heaps[target] -= 1
        self.stand[source] = -1
        self.stand[target] = me
        self.current_player = other
        gap = self.points[0] - self.points[1]
        if abs(gap) >= LEAD:
            self.done = True
        elif not self._moves(other):
            self.points[me] += sum(self.heaps)
            self.heaps = [0] * SIZE
            gap = self.points[0] - self.points[1]
            self.done = True
        if self.done:
            self.winner = 0 if gap > 0 else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        marks = {-1: ".", 0: "1", 1: "2"}
        return "\n".join([
            "steps: " + " ".join(STEPS),
            "stand: " + " ".join(marks[owner] for owner in self.stand),
            "heaps: " + " ".join(str(heap) for heap in self.heaps),
            "tolls: " + " ".join(str(toll) for toll in TOLLS),
            "points: first %d, second %d" % (self.points[0], self.points[1]),
            "to move: " + NAMES[self.current_player],
        ])

    def move_name(self, action):
        source, target = divmod(int(action), SIZE)
        return "%s to %s" % (STEPS[source], STEPS[target])

    def clone(self):
        other = copy.copy(self)
        other.heaps = list(self.heaps)
        other.stand = list(self.stand)
        other.points = list(self.points)
        return other

    def key(self):
        return (tuple(self.heaps), tuple(self.stand), tuple(self.points),
                self.current_player, self.done, self.winner)
