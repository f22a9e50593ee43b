import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LIMBS = "ABC"
THICK_LIMB = 8
THICK_TWIG = 4
FEW = 3
DROP = 24
# crows of the first and of the second player on each of the nine twigs
NESTS = ((2, 0), (0, 2), (1, 1), (0, 2), (2, 0), (1, 1), (1, 1), (1, 1), (1, 1))
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(25)
        self.observation_space = Box(0.0, 100.0, shape=(17,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.limb = [THICK_LIMB] * 3
        self.twig = [THICK_TWIG] * 9
        self.saw = 0          # 0 root, 1 to 3 limbs, 4 to 12 twig ends
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _crows(self, player):
        return sum(NESTS[t][player] for t in range(9) if self.twig[t] > 0)

    def _touching(self):
        if self.saw == 0:
            return [b for b in range(3) if self.limb[b] > 0]
        if self.saw <= 3:
            limb = self.saw - 1
            return [limb] + [3 + t for t in range(3 * limb, 3 * limb + 3) if self.twig[t] > 0]
        return [3 + self.saw - 4]

    def _limb_of_saw(self):
        if self.saw == 0:
            return -1
        if self.saw <= 3:
            return self.saw - 1
        return (self.saw - 4) // 3

    def valid_moves(self):
        if self.done:
            return []
        touching = self._touching()
        moves = list(touching) + [12 + b for b in touching]
        player = self.current_player
        if self.saw != 0 and self._crows(player) < self._crows(1 - player):
            if self.limb[self._limb_of_saw()] >= 3:
                moves.append(DROP)
        return moves

    def _lose(self, player):
        self.done = True
        self.winner = 1 - player

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        self.count += 1
        bare = False
        if action == DROP:
            self.limb[self._limb_of_saw()] -= 2
            self.saw = 0
        else:
            branch = action % 12
            cross = action >= 12
            if branch < 3:
                self.limb[branch] -= 1
                if self.limb[branch] == 0:
                    for t in range(3 * branch, 3 * branch + 3):
                        self.twig[t] = 0
                    self.saw = 0
                elif cross:
                    self.saw = branch + 1 if self.saw == 0 else 0
            else:
                t = branch - 3
                limb = t // 3
                self.twig[t] -= 1
                if self.twig[t] == 0:
                    self.saw = limb + 1
                    bare = sum(self.twig[3 * limb:3 * limb + 3]) == 0
                elif cross:
                    self.saw = limb + 1 if self.saw >= 4 else 4 + t
        if bare:
            self._lose(player)
        elif self._crows(player) <= FEW:
            self._lose(player)
        elif self._crows(1 - player) <= FEW:
            self._lose(1 - player)
        else:
            self.current_player = 1 - player
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        values = self.limb + self.twig + [self.saw, self._crows(0), self._crows(1),
                                          self.count, self.current_player]
        return np.array(values, dtype=np.float32)

    def _place(self):
        if self.saw == 0:
            return "root"
        if self.saw <= 3:
            return LIMBS[self.saw - 1]
        t = self.saw - 4
        return "%s%d" % (LIMBS[t // 3], t % 3 + 1)

    def render(self):
        lines = []
        for b in range(3):
            twigs = self.twig[3 * b:3 * b + 3]
            lines.append("%s: limb %d twigs %d %d %d" % (LIMBS[b], self.limb[b], *twigs))
        for b in range(3):
            nests = []
            for t in range(3 * b, 3 * b + 3):
                pair = NESTS[t] if self.twig[t] > 0 else (0, 0)
                nests.append("%d-%d" % pair)
            lines.append("nests %s: %s" % (LIMBS[b], " ".join(nests)))
        lines.append("crows: first %d second %d" % (self._crows(0), self._crows(1)))
        lines.append("saw: at " + self._place())
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == DROP:
            return "drop"
        branch = action % 12
        verb = "cross" if action >= 12 else "saw"
        if branch < 3:
            return "%s %s" % (verb, LIMBS[branch])
        t = branch - 3
        return "%s %s%d" % (verb, LIMBS[t // 3], t % 3 + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.limb = list(self.limb)
        other.twig = list(self.twig)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.limb), tuple(self.twig), self.saw, self.current_player,
                self.done, self.winner)
