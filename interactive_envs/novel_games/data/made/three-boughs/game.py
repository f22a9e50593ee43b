import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
BOUGHS = "ABC"
PARTS = ("", "1", "2", "1a", "1b", "2a", "2b")
CHILDREN = ((1, 2), (3, 4), (5, 6), (), (), (), ())
SIBLING = (-1, 2, 1, 4, 3, 6, 5)
START = (
    (6, 3, 7, 1, 5, 5, 9),
    (2, 4, 8, 9, 1, 1, 5),
    (8, 7, 4, 5, 9, 9, 1),
)
NEEDED = 4
CAP = 14


def family(numbers):
    have = set(numbers)
    return any(n + 1 in have and n + 2 in have for n in have)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(21)
        self.observation_space = Box(-1.0, 100.0, shape=(44,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.tree = [list(b) for b in START]
        self.closed = [[False] * 3, [False] * 3]
        self.holds = [[], []]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _cuttable(self, b):
        tree = self.tree[b]
        return [
            7 * b + k
            for k in range(7)
            if tree[k] > 0 and all(tree[child] == 0 for child in CHILDREN[k])
        ]

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        out = []
        for b in range(3):
            if not self.closed[me][b]:
                out += self._cuttable(b)
        if not out:
            for b in range(3):
                out += self._cuttable(b)
        return out

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        b, k = divmod(action, 7)
        tree = self.tree[b]
        self.holds[me].append(tree[k])
        tree[k] = 0
        twin = SIBLING[k]
        if twin >= 0 and tree[twin] > 0:
            tree[twin] += 1
        self.closed[me][b] = True
        self.closed[1 - me][b] = False
        self.moves += 1
        if len(self.holds[me]) >= NEEDED and family(self.holds[me]):
            self.done = True
            self.winner = me
        elif self.moves == CAP:
            self.done = True
            self.winner = 0 if sum(self.holds[0]) >= sum(self.holds[1]) else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._obs(), 0.0, False, False, {}

    def _obs(self):
        me = self.current_player
        out = []
        for b in self.tree:
            out += list(b)
        for p in (me, 1 - me):
            out += list(self.holds[p]) + [0] * (7 - len(self.holds[p]))
        for p in (me, 1 - me):
            out += [1 if x else 0 for x in self.closed[p]]
        out += [self.moves, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = []
        for b in range(3):
            t = ["-" if v == 0 else str(v) for v in self.tree[b]]
            lines.append("bough %s: %s [%s: %s %s] [%s: %s %s]" % (BOUGHS[b], t[0], t[1], t[3], t[4], t[2], t[5], t[6]))
        for p in (0, 1):
            held = " ".join(str(v) for v in self.holds[p]) if self.holds[p] else "nothing"
            lines.append("%s holds: %s" % (NAMES[p], held))
        for p in (0, 1):
            shut = " ".join(BOUGHS[b] for b in range(3) if self.closed[p][b])
            lines.append("closed to %s: %s" % (NAMES[p], shut if shut else "none"))
        lines.append("moves made: %d of %d" % (self.moves, CAP))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        b, k = divmod(int(action), 7)
        return "cut " + BOUGHS[b] + PARTS[k]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tree = [list(b) for b in self.tree]
        other.closed = [list(self.closed[0]), list(self.closed[1])]
        other.holds = [list(self.holds[0]), list(self.holds[1])]
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(b) for b in self.tree),
            tuple(self.closed[0]),
            tuple(self.closed[1]),
            tuple(sorted(self.holds[0])),
            tuple(sorted(self.holds[1])),
            self.moves,
            self.done,
            self.winner,
        )
