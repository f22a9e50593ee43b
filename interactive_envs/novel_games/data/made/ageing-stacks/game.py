import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
STACKS = "ABCDEF"
START = ((4, 5, 3), (5, 6, 1), (6, 4, 2), (4, 7, 3), (7, 5, 1), (5, 6, 2))
HOLD = (1, 2, 2, 3)
OLDEST = 7
GROWN = 4
CAP = 32
SHOWN = 6


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(84)
        self.observation_space = Box(-1.0, 100.0, shape=(53,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.stacks = [list(s) for s in START]
        self.holds = [list(HOLD), list(HOLD)]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        hold = self.holds[self.current_player]
        out = []
        for s in range(6):
            if not self.stacks[s]:
                continue
            for v in sorted(set(hold + [self.stacks[s][-1]])):
                out.append((s * 7 + v - 1) * 2)
                out.append((s * 7 + v - 1) * 2 + 1)
        return out

    @staticmethod
    def _parts(action):
        side = action % 2
        s, v = divmod(action // 2, 7)
        t = (s + 5) % 6 if side == 0 else (s + 1) % 6
        return s, v + 1, t

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        s, v, t = self._parts(action)
        hold = self.holds[me]
        hold.append(self.stacks[s].pop())
        hold.remove(v)
        hold.sort()
        if v < OLDEST:
            self.stacks[t].append(v + 1)
        self.moves += 1
        if any(hold.count(n) >= 3 for n in range(GROWN, OLDEST + 1)):
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
        for s in self.stacks:
            top = s[::-1][:SHOWN]
            out += [len(s)] + top + [0] * (SHOWN - len(top))
        out += list(self.holds[me]) + list(self.holds[1 - me])
        out += [self.moves, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = []
        for k in range(6):
            tiles = " ".join(str(v) for v in self.stacks[k]) if self.stacks[k] else "empty"
            lines.append("%s: %s" % (STACKS[k], tiles))
        for p in (0, 1):
            lines.append("%s holds: %s" % (NAMES[p], " ".join(str(v) for v in self.holds[p])))
        lines.append("moves made: %d of %d" % (self.moves, CAP))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        s, v, t = self._parts(int(action))
        return "take %s put %d on %s" % (STACKS[s], v, STACKS[t])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.stacks = [list(s) for s in self.stacks]
        other.holds = [list(self.holds[0]), list(self.holds[1])]
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(s) for s in self.stacks),
            tuple(self.holds[0]),
            tuple(self.holds[1]),
            self.moves,
            self.done,
            self.winner,
        )
