"""kalah"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

P, SEEDS = 4, 3
# bowls: 0..3 cups of player 0, 4 his jar, 5..8 cups of player 1, 9 her jar; cup i faces cup 8 - i
JAR = (P, 2 * P + 1)


class CustomEnv(gymnasium.Env):
    """Sharing out beans among cups and two jars. action = which own cup, counted towards the own jar"""

    def __init__(self):
        self.action_space = Discrete(P)
        self.observation_space = Box(0, 2 * P * SEEDS, shape=(2 * P + 3,), dtype=np.float32)
        self.reset()

    def _obs(self):
        return np.array(self.bowls + [self.current_player], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.bowls = ([SEEDS] * P + [0]) * 2
        self.current_player = 0
        return self._obs(), {}

    def _cups(self, who):
        return range(who * (P + 1), who * (P + 1) + P)

    def valid_moves(self):
        return [k for k, i in enumerate(self._cups(self.current_player)) if self.bowls[i] > 0]

    def step(self, action):
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        b = self.bowls
        i = self._cups(me)[int(action)]
        hand, b[i] = b[i], 0
        while hand:
            i = (i + 1) % len(b)
            if i == JAR[1 - me]:
                continue
            b[i] += 1
            hand -= 1
        if i in self._cups(me) and b[i] == 1:
            b[JAR[me]] += 1 + b[2 * P - i]
            b[i] = b[2 * P - i] = 0
        if i != JAR[me]:
            self.current_player = 1 - me
        if any(sum(b[j] for j in self._cups(p)) == 0 for p in (0, 1)):
            for p in (0, 1):
                for j in self._cups(p):
                    b[JAR[p]] += b[j]
                    b[j] = 0
            a, c = b[JAR[0]], b[JAR[1]]
            w = None if a == c else (0 if a > c else 1)
            return self._obs(), int(w == me), True, False, {"winner": w}
        return self._obs(), 0, False, False, {}

    def render(self):
        b = self.bowls
        return "    %s\n%2d %s %2d\n    %s" % (
            " ".join("%2d" % b[i] for i in range(2 * P, P, -1)),
            b[JAR[1]],
            "   " * P,
            b[JAR[0]],
            " ".join("%2d" % v for v in b[:P]),
        )
