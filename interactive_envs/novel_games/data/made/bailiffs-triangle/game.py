import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
KINDS = ("1", "2", "3", "4", "5", "echo")
ECHO = 5
COPIES = 2
PLACEMENTS = 20
CELLS = [(r, i) for r in range(5) for i in range(r + 1)]
INDEX = {cell: k for k, cell in enumerate(CELLS)}
CELL_NAMES = ["abcde"[r] + str(i + 1) for r, i in CELLS]


def _near(cell):
    r, i = cell
    around = [(r, i - 1), (r, i + 1), (r - 1, i - 1), (r - 1, i), (r + 1, i), (r + 1, i + 1)]
    return [INDEX[c] for c in around if c in INDEX]


REACH = [[k] + _near(cell) for k, cell in enumerate(CELLS)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(21)
        self.observation_space = Box(-1.0, 200.0, shape=(48,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.cards = [[-1] * 15, [-1] * 15]
        self.hands = [[COPIES] * 6, [COPIES] * 6]
        self.debts = [1, 0]
        self.named = -1
        self.placed = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        if self.named < 0:
            return [k for k in range(6) if self.hands[1 - me][k] > 0]
        return [6 + c for c in range(15) if self.cards[me][c] < 0]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        you = 1 - me
        if self.named < 0:
            self.hands[you][action] -= 1
            self.named = action
            self.current_player = you
            return self._obs(), 0.0, False, False, {}
        cell = action - 6
        if self.named == ECHO:
            value = max(0, self.cards[you][cell])
        else:
            value = self.named + 1
        self.cards[me][cell] = value
        for other in REACH[cell]:
            facing = self.cards[you][other]
            if facing < 0:
                continue
            if facing < value:
                self.debts[you] += 1
            elif facing > value:
                self.debts[me] += 1
        self.named = -1
        self.placed += 1
        if self.placed == PLACEMENTS:
            self.done = True
            self.winner = 0 if self.debts[0] < self.debts[1] else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _obs(self):
        me = self.current_player
        you = 1 - me
        out = list(self.cards[me]) + list(self.cards[you])
        out += list(self.hands[me]) + list(self.hands[you])
        out += [self.debts[me], self.debts[you], self.named, self.placed, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        def show(value):
            return "-" if value < 0 else str(value)

        lines = []
        for r in range(5):
            cells = []
            for i in range(r + 1):
                k = INDEX[(r, i)]
                cells.append(show(self.cards[0][k]) + "/" + show(self.cards[1][k]))
            lines.append("abcde"[r] + ": " + " ".join(cells))
        for p in (0, 1):
            hand = " ".join("%s:%d" % (KINDS[k], self.hands[p][k]) for k in range(6))
            lines.append("hand of %s: %s" % (NAMES[p], hand))
        lines.append("debts: first %d, second %d" % (self.debts[0], self.debts[1]))
        if self.done:
            lines.append("to move: nobody")
        elif self.named < 0:
            lines.append("to move: %s, who names a card" % NAMES[self.current_player])
        else:
            lines.append("to move: %s, who places %s" % (NAMES[self.current_player], KINDS[self.named]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 6:
            return "name " + KINDS[action]
        return "place " + CELL_NAMES[action - 6]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cards = [list(self.cards[0]), list(self.cards[1])]
        other.hands = [list(self.hands[0]), list(self.hands[1])]
        other.debts = list(self.debts)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.cards[0]),
            tuple(self.cards[1]),
            tuple(self.hands[0]),
            tuple(self.hands[1]),
            tuple(self.debts),
            self.named,
            self.placed,
            self.done,
            self.winner,
        )
