import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

PLACES = "abcdef"
START = ((8, 8, 8, 8, 8, 7), (8, 8, 8, 8, 8, 8))
NAMES = ("first", "second")
UNDO = 36
FALLEN = 3


def force(value):
    if value >= 6:
        return 1
    if value >= 3:
        return 2
    return 3


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(37)
        self.observation_space = Box(-1.0, 100.0, shape=(33,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.numbers = [list(START[0]), list(START[1])]
        self.rest = [-1, -1]
        self.undo_left = [1, 1]
        self.last = None
        self.barred = -1
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        mine = self.numbers[me]
        yours = self.numbers[1 - me]
        moves = []
        for i in range(6):
            if mine[i] == 0 or i == self.rest[me]:
                continue
            for j in range(6):
                if yours[j] > 0 and 6 * i + j != self.barred:
                    moves.append(6 * i + j)
        if self.undo_left[me] and self.last is not None:
            moves.append(UNDO)
        return moves

    def _strike(self, me, i, j):
        left = force(self.numbers[me][i])
        line = self.numbers[1 - me]
        while left > 0 and j < 6:
            hit = min(left, line[j])
            line[j] -= hit
            left -= hit
            j += 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            one, two, rest, struck = self.last
            self.numbers = [list(one), list(two)]
            self.rest = list(rest)
            self.barred = struck
            self.last = None
            self.undo_left[me] = 0
        else:
            self.last = (tuple(self.numbers[0]), tuple(self.numbers[1]), tuple(self.rest), action)
            self.barred = -1
            self._strike(me, action // 6, action % 6)
            self.rest[me] = action // 6
            if sum(1 for v in self.numbers[1 - me] if v == 0) >= FALLEN:
                self.done = True
                self.winner = me
        if self.done:
            return self._obs(), 1.0, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._obs(), 0.0, False, False, {}

    def _obs(self):
        me = self.current_player
        out = list(self.numbers[me]) + list(self.numbers[1 - me])
        out += [self.rest[me], self.rest[1 - me]]
        out += [self.undo_left[me], self.undo_left[1 - me]]
        out += [self.barred, me, 1 if self.last is not None else 0]
        if self.last is None:
            out += [-1] * 14
        else:
            out += list(self.last[me]) + list(self.last[1 - me])
            out += [self.last[2][me], self.last[2][1 - me]]
        return np.array(out, dtype=np.float32)

    def render(self):
        def place(k):
            return "-" if k < 0 else PLACES[k]

        lines = ["places: " + " ".join(PLACES)]
        for p in (0, 1):
            lines.append("numbers of %s: %s" % (NAMES[p], " ".join(str(v) for v in self.numbers[p])))
        lines.append("resting: first %s, second %s" % (place(self.rest[0]), place(self.rest[1])))
        lines.append("undo left: first %d, second %d" % (self.undo_left[0], self.undo_left[1]))
        lines.append("barred: " + ("-" if self.barred < 0 else self.move_name(self.barred)))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        return "%s strikes %s" % (PLACES[action // 6], PLACES[action % 6])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.numbers = [list(self.numbers[0]), list(self.numbers[1])]
        other.rest = list(self.rest)
        other.undo_left = list(self.undo_left)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.numbers[0]),
            tuple(self.numbers[1]),
            tuple(self.rest),
            tuple(self.undo_left),
            self.last,
            self.barred,
            self.done,
            self.winner,
        )
