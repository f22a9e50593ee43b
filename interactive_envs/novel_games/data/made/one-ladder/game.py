import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
# each bough: twig, its leaf, other twig, its leaf
TREE = (
    (7, 18, 12, 3),
    (21, 5, 10, 16),
    (2, 24, 14, 9),
    (19, 8, 4, 13),
    (11, 22, 17, 1),
    (6, 15, 20, 23),
)
WHERE = {}
for _b in range(6):
    for _k in range(4):
        WHERE[TREE[_b][_k]] = (_b, _k)
START = 5
STEPS = 3
CAP = 12


def pattern(numbers):
    sums = set()
    for i in range(len(numbers)):
        for j in range(i):
            total = numbers[i] + numbers[j]
            if total in sums:
                return True
            sums.add(total)
    return False


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(24)
        self.observation_space = Box(-1.0, 100.0, shape=(78,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.tree = [[True] * 4 for _ in range(6)]
        self.ladder = START
        self.taken = [[], []]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _reachable(self):
        order = [(self.ladder + d) % 6 for d in range(1, 7)]
        return [b for b in order if any(self.tree[b])][:STEPS]

    def valid_moves(self):
        if self.done:
            return []
        out = []
        for b in self._reachable():
            for k in range(4):
                if self.tree[b][k]:
                    out.append(TREE[b][k] - 1)
        return sorted(out)

    def _score(self, player):
        taken = self.taken[player]
        if not taken:
            return 0
        return sum(taken) + taken[-1]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        number = action + 1
        b, k = WHERE[number]
        self.ladder = b
        self.tree[b][k] = False
        if k % 2 == 0:
            self.tree[b][k + 1] = False
        self.taken[me].append(number)
        self.moves += 1
        if pattern(self.taken[me]):
            self.done = True
            self.winner = 1 - me
        elif self.moves == CAP:
            self.done = True
            self.winner = 0 if self._score(0) >= self._score(1) else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._obs(), 0.0, False, False, {}

    def _obs(self):
        me = self.current_player
        out = []
        for b in range(6):
            out += [1 if x else 0 for x in self.tree[b]]
        for p in (me, 1 - me):
            out += [1 if n in self.taken[p] else 0 for n in range(1, 25)]
        for p in (me, 1 - me):
            out.append(self.taken[p][-1] if self.taken[p] else 0)
        out += [self.ladder, self.moves, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = []
        for b in range(6):
            t = [str(TREE[b][k]) if self.tree[b][k] else "-" for k in range(4)]
            lines.append("bough %d: [%s %s] [%s %s]" % (b + 1, t[0], t[1], t[2], t[3]))
        lines.append("ladder: bough %d" % (self.ladder + 1))
        for p in (0, 1):
            held = " ".join(str(v) for v in self.taken[p]) if self.taken[p] else "nothing"
            lines.append("%s holds: %s" % (NAMES[p], held))
        lines.append("score: first %d, second %d" % (self._score(0), self._score(1)))
        lines.append("moves made: %d of %d" % (self.moves, CAP))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        return "cut %d" % (int(action) + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tree = [list(b) for b in self.tree]
        other.taken = [list(self.taken[0]), list(self.taken[1])]
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        last = tuple(t[-1] if t else 0 for t in self.taken)
        return (
            self.current_player,
            tuple(tuple(b) for b in self.tree),
            self.ladder,
            tuple(sorted(self.taken[0])),
            tuple(sorted(self.taken[1])),
            last,
            self.moves,
            self.done,
            self.winner,
        )
