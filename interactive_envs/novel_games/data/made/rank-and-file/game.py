import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
REGIONS = ("west", "centre", "east")
REGION = (0, 0, 1, 1, 1, 2, 2)
ATTACKER = (0, 1, 0, 1, 1, 0)
ROUNDS = 6
TABLE = (
    (5, 9, 2, 7, 4, 8, 1),
    (8, 3, 6, 1, 9, 2, 5),
    (2, 7, 9, 4, 1, 5, 8),
    (6, 1, 4, 8, 3, 9, 2),
    (9, 4, 1, 5, 7, 3, 6),
    (1, 8, 5, 2, 6, 4, 9),
    (4, 6, 8, 3, 2, 7, 1),
)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(56)
        self.observation_space = Box(-1.0, 100.0, shape=(82,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.round = 0
        self.rows = [True] * 7
        self.cols = [True] * 7
        self.power = [[0, 0, 0], [0, 0, 0]]
        self.row = -1
        self.line = None
        self.limit = -1
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        if self.line is not None:
            return [49 + c for c in range(7) if self.cols[c]]
        swaps = [0]
        for s in range(1, 7):
            if self.limit < 0 or (REGION[s - 1] != self.limit and REGION[s] != self.limit):
                swaps.append(s)
        return [7 * r + s for r in range(7) if self.rows[r] for s in swaps]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if self.line is None:
            r, s = action // 7, action % 7
            line = list(TABLE[r])
            if s:
                line[s - 1], line[s] = line[s], line[s - 1]
            self.row = r
            self.rows[r] = False
            self.line = tuple(line)
            self.limit = -1
            self.current_player = 1 - me
            return self._obs(), 0.0, False, False, {}
        c = action - 49
        self.cols[c] = False
        self.power[1 - me][REGION[c]] += self.line[c]
        self.row = -1
        self.line = None
        self.round += 1
        if self.round == ROUNDS:
            self.done = True
            self.winner = self._judge()
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = ATTACKER[self.round]
        self.limit = REGION[c] if self.current_player == me else -1
        return self._obs(), 0.0, False, False, {}

    def _judge(self):
        one, two = self.power
        held = [sum(1 for k in range(3) if one[k] > two[k]), sum(1 for k in range(3) if two[k] > one[k])]
        if held[0] != held[1]:
            return 0 if held[0] > held[1] else 1
        return 0 if sum(one) > sum(two) else 1

    def _obs(self):
        me = self.current_player
        out = []
        for r in range(7):
            out += list(TABLE[r]) if self.rows[r] else [0] * 7
        out += [1 if x else 0 for x in self.rows]
        out += [1 if x else 0 for x in self.cols]
        out += list(self.line) if self.line is not None else [0] * 7
        out += list(self.power[me]) + list(self.power[1 - me])
        out += [self.round, self.row, self.limit, me, 1 if self.line is not None else 0, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = ["round: %d of %d" % (min(self.round + 1, ROUNDS), ROUNDS)]
        lines.append("columns left: " + " ".join(str(c + 1) for c in range(7) if self.cols[c]))
        for r in range(7):
            text = " ".join(str(v) for v in TABLE[r]) if self.rows[r] else "fought"
            lines.append("row %d: %s" % (r + 1, text))
        if self.line is None:
            lines.append("attack: none")
        else:
            lines.append("attack: row %d as %s" % (self.row + 1, " ".join(str(v) for v in self.line)))
        lines.append("no swap in: " + ("-" if self.limit < 0 else REGIONS[self.limit]))
        for p in (0, 1):
            lines.append("power of %s: west %d, centre %d, east %d" % ((NAMES[p],) + tuple(self.power[p])))
        if self.done:
            lines.append("to move: nobody")
        elif self.line is None:
            lines.append("to move: %s, who attacks" % NAMES[self.current_player])
        else:
            lines.append("to move: %s, who meets the attack" % NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= 49:
            return "meet %d" % (action - 48)
        r, s = action // 7, action % 7
        if s == 0:
            return "attack %d" % (r + 1)
        return "attack %d swap %d-%d" % (r + 1, s, s + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.rows = list(self.rows)
        other.cols = list(self.cols)
        other.power = [list(self.power[0]), list(self.power[1])]
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            self.round,
            tuple(self.rows),
            tuple(self.cols),
            tuple(self.power[0]),
            tuple(self.power[1]),
            self.row,
            self.line,
            self.limit,
            self.done,
            self.winner,
        )
