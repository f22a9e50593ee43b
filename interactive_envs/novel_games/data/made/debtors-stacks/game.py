import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

# Each stack from the top to the bottom.
STACKS = ((4, -6, 3), (-5, 7, -2), (6, -3, 5))
LIMITS = (6, 3, 2)  # take, give, flip
MAX_BID = 8
RUIN = 40
YIELD = 9
TOP = 10
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(20)
        self.observation_space = Box(low=-100.0, high=100.0, shape=(22,), dtype=np.float32)
        self._start()

    def _start(self):
        self.stacks = [list(s) for s in STACKS]
        self.debts = [0, 0]
        self.left = [list(LIMITS), list(LIMITS)]
        self.round = 1
        self.phase = 0  # 0 bid, 1 answer, 2 act
        self.bid = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _opener(self):
        return (self.round - 1) % 2

    def _obs(self):
        data = []
        for s in self.stacks:
            data += s + [0] * (3 - len(s))
        data += self.debts + self.left[0] + self.left[1]
        data += [self.round, self.phase, self.bid, self.current_player, self._opener()]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        if self.phase == 0:
            return list(range(MAX_BID + 1))
        if self.phase == 1:
            return [YIELD, TOP]
        p = self.current_player
        out = []
        for kind in range(3):
            if self.left[p][kind] > 0:
                out += [11 + 3 * kind + s for s in range(3) if self.stacks[s]]
        return out

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        if self.phase == 0:
            self.bid = action
            self.phase = 1
            self.current_player = 1 - p
        elif self.phase == 1:
            if action == YIELD:
                actor = 1 - p
                self.debts[actor] += self.bid
            else:
                actor = p
                self.debts[actor] += self.bid + 1
            self.phase = 2
            self.bid = 0
            self.current_player = actor
            self._ruin()
        else:
            kind = (action - 11) // 3
            s = (action - 11) % 3
            self.left[p][kind] -= 1
            if kind == 0:
                self.debts[p] += self.stacks[s].pop(0)
            elif kind == 1:
                self.debts[1 - p] += self.stacks[s].pop(0)
            else:
                self.stacks[s][0] = -self.stacks[s][0]
            self._ruin()
            if not self.done and not any(self.stacks):
                self.done = True
                if self.debts[0] != self.debts[1]:
                    self.winner = 0 if self.debts[0] < self.debts[1] else 1
                else:
                    self.winner = 1 - p
            if not self.done:
                self.round += 1
                self.phase = 0
                self.current_player = self._opener()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _ruin(self):
        for q in (0, 1):
            if self.debts[q] >= RUIN:
                self.done = True
                self.winner = 1 - q

    def render(self):
        lines = []
        for s in range(3):
            cards = ["%+d" % v for v in self.stacks[s]]
            lines.append("stack %s: %s" % ("ABC"[s], " ".join(cards) if cards else "empty"))
        lines.append("debts: first %d second %d" % (self.debts[0], self.debts[1]))
        for p in (0, 1):
            lines.append("%s left: take %d give %d flip %d"
                         % (NAMES[p], self.left[p][0], self.left[p][1], self.left[p][2]))
        lines.append("round: %d opened by %s" % (self.round, NAMES[self._opener()]))
        if self.phase == 0:
            lines.append("phase: bid")
        elif self.phase == 1:
            lines.append("phase: answer to the bid %d" % self.bid)
        else:
            lines.append("phase: act")
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action <= MAX_BID:
            return "bid %d" % action
        if action == YIELD:
            return "yield"
        if action == TOP:
            return "top"
        word = ("take", "give", "flip")[(action - 11) // 3]
        return "%s %s" % (word, "ABC"[(action - 11) % 3])

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.stacks = [list(s) for s in self.stacks]
        e.debts = list(self.debts)
        e.left = [list(x) for x in self.left]
        return e

    def key(self):
        return (tuple(tuple(s) for s in self.stacks), tuple(self.debts), tuple(self.left[0]),
                tuple(self.left[1]), self.round, self.phase, self.bid, self.current_player,
                self.done, self.winner)
