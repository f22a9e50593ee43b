import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

COST = (1, 1, 1, 2, 2, 3, 4, 3, 2, 2, 1, 1, 1)  # price of entering place 0..12
GATHER = 78
CAP = 80
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(79)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(21,), dtype=np.float32)
        self._start()

    def _start(self):
        self.pos = [[0, 0, 0], [12, 12, 12]]
        self.hands = [[1] * 6, [1] * 6]
        self.ban = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self):
        data = (self.pos[0] + self.pos[1] + self.hands[0] + self.hands[1]
                + [self.ban, self.moves, self.current_player])
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _target(self, p, stair, n):
        d = 1 if p == 0 else -1
        goal = 12 if p == 0 else 0
        left = n
        x = stair
        while x != goal:
            c = COST[x + d]
            if c > left:
                break
            left -= c
            x += d
        return x

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        goal = 12 if p == 0 else 0
        out = []
        for n in range(1, 7):
            if not self.hands[p][n - 1] or n % 3 == self.ban:
                continue
            if self.moves == 0 and n > 3:
                continue
            for stair in sorted(set(self.pos[p])):
                if stair != goal and self._target(p, stair, n) != stair:
                    out.append((n - 1) * 13 + stair)
        if sum(self.hands[p]) < 6:
            out.append(GATHER)
        return out

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        o = 1 - p
        goal = 12 if p == 0 else 0
        if action == GATHER:
            self.hands[p] = [1] * 6
            self.ban = -1
        else:
            n = action // 13 + 1
            stair = action % 13
            x = self._target(p, stair, n)
            self.pos[p].remove(stair)
            self.pos[p].append(x)
            self.pos[p].sort()
            self.hands[p][n - 1] = 0
            self.ban = n % 3
            if x == goal:
                self.done = True
                self.winner = p
            else:
                foot = 12 if o == 1 else 0
                self.pos[o] = sorted(foot if q == x else q for q in self.pos[o])
        self.moves += 1
        if not self.done and self.moves >= CAP:
            a = sum(self.pos[0])
            b = sum(12 - q for q in self.pos[1])
            self.done = True
            self.winner = 0 if a > b else 1
        self.current_player = o
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        parts = []
        for s in range(1, 12):
            text = "F" * self.pos[0].count(s) + "S" * self.pos[1].count(s)
            parts.append(text or ".")
        lines = ["stairs: " + " ".join(parts)]
        lines.append("costs: " + " ".join(str(c) for c in COST[1:12]))
        lines.append("feet: first %d second %d" % (self.pos[0].count(0), self.pos[1].count(12)))
        for p in (0, 1):
            cards = [str(n) for n in range(1, 7) if self.hands[p][n - 1]]
            lines.append("%s hand: %s" % (NAMES[p], " ".join(cards) if cards else "empty"))
        if self.ban < 0:
            lines.append("banned: none")
        else:
            lines.append("banned: " + " ".join(str(n) for n in range(1, 7) if n % 3 == self.ban))
        lines.append("moves made: %d" % self.moves)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == GATHER:
            return "gather"
        return "play %d from %d" % (action // 13 + 1, action % 13)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.pos = [list(q) for q in self.pos]
        e.hands = [list(h) for h in self.hands]
        return e

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), tuple(self.hands[0]), tuple(self.hands[1]),
                self.ban, self.moves, self.current_player, self.done, self.winner)
