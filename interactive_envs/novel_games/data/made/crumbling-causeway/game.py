import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = "ABCDEFGHI"
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(54)
        self.observation_space = Box(-100.0, 100.0, shape=(16,), dtype=np.float32)
        self._start()

    def _start(self):
        self.bowls = (3,) * 9
        self.lo = 0
        self.hi = 8
        self.score = (0, 0)
        self.last = (-1, 0)
        self.current_player = 0
        self.over = False
        self.winner = None
        self.log = ()

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        out = [b if self.lo <= i <= self.hi else -1 for i, b in enumerate(self.bowls)]
        out += [self.score[p], self.score[1 - p]]
        out += [0 if self.last[0] < 0 else 1 if self.last[0] == p else -1, self.last[1]]
        out += [self.lo, self.hi, p]
        return np.array(out, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for i in range(self.lo, self.hi + 1):
            for side in range(2):
                for k in range(1, min(3, self.bowls[i]) + 1):
                    moves.append(i * 6 + side * 3 + k - 1)
        return moves

    def _count(self):
        total = list(self.score)
        who, many = self.last
        self.over = True
        if who < 0:
            self.winner = None
            return
        total[who] += many
        if total[0] == total[1]:
            self.winner = 1 - who
        else:
            self.winner = 0 if total[0] > total[1] else 1

    def _move(self, action):
        """Plays the sowing. True when a coin must say which end falls."""
        player = self.current_player
        i, side, k = action // 6, (action % 6) // 3, action % 3 + 1
        d = -1 if side == 0 else 1
        bowls = list(self.bowls)
        bowls[i] -= k
        taken = 0
        for n in range(1, k + 1):
            at = i + d * n
            if self.lo <= at <= self.hi:
                bowls[at] += 1
            else:
                taken += 1
        self.bowls = tuple(bowls)
        if taken:
            score = list(self.score)
            score[player] += taken
            self.score = tuple(score)
            self.last = (player, taken)
        self.log += ("%s: %s, %d taken" % (SEAT[player], self.move_name(action), taken),)
        alive = self.bowls[self.lo:self.hi + 1]
        self.current_player = 1 - player
        if sum(alive) == 0:
            self._count()
        elif len(set(alive)) == 1:
            self.over = True
            self.winner = player
        elif player == 1:
            if alive[0] == alive[-1]:
                return True
            self._fall(0 if alive[0] < alive[-1] else 1)
        return False

    def _fall(self, side):
        bowls = list(self.bowls)
        if side == 0:
            self.log += ("bowl %s falls" % NAMES[self.lo],)
            bowls[self.lo] = 0
            self.lo += 1
        else:
            self.log += ("bowl %s falls" % NAMES[self.hi],)
            bowls[self.hi] = 0
            self.hi -= 1
        self.bowls = tuple(bowls)
        if self.lo == self.hi or sum(self.bowls) == 0:
            self._count()

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if self._move(action):
            self._fall(int(self.np_random.integers(2)))
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        one = self.clone()
        if action not in self.valid_moves():
            one.step(action)
            return [(1.0, one)]
        if not one._move(action):
            return [(1.0, one)]
        two = one.clone()
        one._fall(0)
        two._fall(1)
        return [(0.5, one), (0.5, two)]

    def view(self, player):
        """Nothing is hidden: both players see the whole position."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._obs()],
            "log": list(self.log),
            "bowls": [int(b) for b in self.bowls],
            "lo": int(self.lo),
            "hi": int(self.hi),
            "score": [int(s) for s in self.score],
            "last": [int(v) for v in self.last],
            "current_player": int(self.current_player),
            "over": bool(self.over),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        """Takes the position from the view. Coins to come are drawn from rng."""
        self.bowls = tuple(int(b) for b in view["bowls"])
        self.lo = int(view["lo"])
        self.hi = int(view["hi"])
        self.score = tuple(int(s) for s in view["score"])
        self.last = tuple(int(v) for v in view["last"])
        self.current_player = int(view["current_player"])
        self.over = bool(view["over"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = tuple(str(line) for line in view["log"])
        self.np_random = rng

    def render(self):
        lines = ["bowls: " + " ".join("%s%d" % (NAMES[i], self.bowls[i])
                                      for i in range(self.lo, self.hi + 1))]
        lines.append("taken: first %d, second %d" % self.score)
        if self.last[0] < 0:
            lines.append("taken last: none")
        else:
            lines.append("taken last: %d by %s" % (self.last[1], SEAT[self.last[0]]))
        lines.append("to move: " + SEAT[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "%s %s %d" % (NAMES[action // 6], "left" if action % 6 < 3 else "right",
                             action % 3 + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (self.bowls, self.lo, self.hi, self.score, self.last,
                self.current_player, self.over, self.winner)
