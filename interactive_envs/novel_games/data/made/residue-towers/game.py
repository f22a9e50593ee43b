import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

# Each stack from the top to the bottom: suit and value.
STACKS = (
    (("S", 4), ("S", 7), ("M", 3), ("T", 8)),
    (("S", 2), ("S", 9), ("T", 5), ("M", 6)),
    (("M", 5), ("S", 3), ("T", 2), ("M", 9)),
    (("M", 8), ("S", 6), ("T", 7), ("T", 4)),
    (("T", 6), ("S", 5), ("M", 4), ("M", 2)),
    (("T", 3), ("S", 8), ("M", 7), ("T", 9)),
)
MOD = 11
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(12)
        self.observation_space = Box(low=-1.0, high=500.0, shape=(12,), dtype=np.float32)
        self._start()

    def _start(self):
        self.taken = [0] * 6
        self.register = 1
        self.scores = [0, 0]
        self.last = ()
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self):
        suits = ["SMT".index(s) for s in self.last]
        while len(suits) < 2:
            suits.insert(0, -1)
        data = list(self.taken) + [self.register] + self.scores + suits + [self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _completes(self, suit):
        return len(self.last) == 2 and self.last[0] == suit and self.last[1] == suit

    def valid_moves(self):
        if self.done:
            return []
        able = []
        good = []
        for s in range(6):
            if self.taken[s] >= 4:
                continue
            able += [2 * s, 2 * s + 1]
            if not self._completes(STACKS[s][self.taken[s]][0]):
                good += [2 * s, 2 * s + 1]
        return good if good else able

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        s = action // 2
        suit, value = STACKS[s][self.taken[s]]
        lost = self._completes(suit)
        self.taken[s] += 1
        if action % 2 == 0:
            self.register = (self.register + value) % MOD
        else:
            self.register = (self.register * value) % MOD
        gain = self.register
        if self.taken[s] == 4:
            gain *= 2
        self.scores[p] += gain
        self.last = (self.last + (suit,))[-2:]
        self.current_player = 1 - p
        if lost:
            self.done = True
            self.winner = 1 - p
        elif sum(self.taken) == 24:
            self.done = True
            self.winner = 0 if self.scores[0] > self.scores[1] else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for s in range(6):
            cards = [a + str(b) for a, b in STACKS[s][self.taken[s]:]]
            lines.append("stack %s: %s" % ("abcdef"[s], " ".join(cards) if cards else "empty"))
        lines.append("register: %d" % self.register)
        lines.append("last suits: " + (" ".join(self.last) if self.last else "none"))
        lines.append("scores: first %d second %d" % (self.scores[0], self.scores[1]))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "%s %s" % (("add", "multiply")[action % 2], "abcdef"[action // 2])

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.taken = list(self.taken)
        e.scores = list(self.scores)
        return e

    def key(self):
        return (tuple(self.taken), self.register, tuple(self.scores), self.last,
                self.current_player, self.done, self.winner)
