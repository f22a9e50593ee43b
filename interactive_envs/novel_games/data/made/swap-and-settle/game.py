import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROW = [5, 3, 7, 4, 6, 5]
CARDS = [3, 4, 5, 6]
GOAL = 17
COST = 4
NAMES = ["first", "second"]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(13)
        self.observation_space = Box(-1.0, 20.0, shape=(19,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.row = list(ROW)
        self.hands = [[1, 1, 1, 1], [1, 1, 1, 1]]
        self.totals = [0, 0]
        self.pair = -1        # the pair swapped in this turn, -1 before the swap
        self.barred = -1      # the pair the opponent swapped in his last turn
        self.current_player = 0
        self.done = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        values = self.row + self.hands[me] + self.hands[1 - me]
        values += [self.totals[me], self.totals[1 - me], self.pair, self.barred, me]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        if self.pair < 0:
            return [i for i in range(5) if i != self.barred]
        hand = self.hands[self.current_player]
        return [5 + side * 4 + k for side in range(2) for k in range(4) if hand[k]]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        if self.pair < 0:
            i = action
            self.row[i], self.row[i + 1] = self.row[i + 1], self.row[i]
            self.pair = i
            return self._obs(), 0.0, False, False, {}
        side, k = divmod(action - 5, 4)
        slot = self.pair + side
        number = self.row[slot]
        self.row[slot] = CARDS[k]
        self.hands[me][k] = 0
        total = self.totals[me] + number
        if total > GOAL:
            total = max(0, self.totals[me] - COST)
        self.totals[me] = total
        self.barred = self.pair
        self.pair = -1
        winner = None
        if total == GOAL:
            self.done = True
            winner = me
        elif sum(self.hands[0]) + sum(self.hands[1]) == 0:
            self.done = True
            winner = 0 if self.totals[0] > self.totals[1] else 1
        if self.done:
            return self._obs(), (1.0 if winner == me else 0.0), True, False, {"winner": winner}
        self.current_player = 1 - me
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["row: " + " ".join(str(v) for v in self.row)]
        for p in range(2):
            cards = " ".join(str(CARDS[k]) for k in range(4) if self.hands[p][k]) or "none"
            lines.append(NAMES[p] + ": total " + str(self.totals[p]) + ", cards " + cards)
        if self.pair >= 0:
            lines.append("now: take from places " + str(self.pair + 1) + " and " + str(self.pair + 2))
        elif self.barred >= 0:
            lines.append("now: swap, but not " + str(self.barred + 1) + "-" + str(self.barred + 2))
        else:
            lines.append("now: swap")
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 5:
            return "swap " + str(action + 1) + "-" + str(action + 2)
        side, k = divmod(action - 5, 4)
        return "take " + ("left" if side == 0 else "right") + " leave " + str(CARDS[k])

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (tuple(self.row), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.totals), self.pair, self.barred, self.current_player, self.done)
