import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
NAMES = "abcde"
BOUGHS = (
    (6, 2, 4, 1, 5, 3),
    (5, 3, 1, 6, 2, 4),
    (3, 6, 2, 5, 4, 1),
    (4, 1, 5, 3, 6, 2),
    (2, 5, 6, 4, 1, 3),
)
LENGTH = 6
INCOME = 3
EXTRA = 2
CAP = 9
RESTS = 2
RUIN = 15
REST = 10


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(11)
        self.observation_space = Box(-1.0, 60.0, shape=(12,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.gone = [0] * 5
        self.stock = [0, 0]
        self.debt = [0, 0]
        self.rests = [RESTS, RESTS]
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.gone + self.stock + self.debt + self.rests + [self.current_player]
        return np.array(values, dtype=np.float32)

    def _moves(self):
        left = [bough for bough in range(5) if self.gone[bough] < LENGTH]
        moves = list(left) + [5 + bough for bough in left]
        if self.rests[self.current_player] > 0:
            moves.append(REST)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves()

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done or action not in self._moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        die = 0
        if 5 <= action < REST:
            die = int(self.np_random.integers(1, 7))
        return self._apply(action, die)

    def _apply(self, action, die):
        player = self.current_player
        foe = 1 - player
        line = "%s: %s" % (SEATS[player], self.move_name(action))
        if action == REST:
            self.rests[player] -= 1
            self.stock[player] = min(CAP, self.stock[player] + INCOME + EXTRA)
        else:
            bough = action % 5
            price = die if action >= 5 else BOUGHS[bough][self.gone[bough]]
            if action >= 5:
                line += ", the die shows %d" % die
            self.gone[bough] += 1
            if self.gone[bough] == LENGTH:
                price *= 2
            coins = min(CAP, self.stock[player] + INCOME)
            if price > coins:
                self.debt[player] += price - coins
                coins = price
            self.stock[player] = coins - price
        self.log.append(line)
        if self.debt[player] >= RUIN:
            self.done = True
            self.winner = foe
            return self._observe(), 0, True, False, {"winner": foe}
        if all(count == LENGTH for count in self.gone):
            self.done = True
            mine = (self.debt[player], -self.stock[player])
            theirs = (self.debt[foe], -self.stock[foe])
            if mine < theirs:
                self.winner = player
            elif theirs < mine:
                self.winner = foe
            reward = 1 if self.winner == player else 0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = foe
        return self._observe(), 0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action in self.valid_moves() and 5 <= action < REST:
            result = []
            for die in range(1, 7):
                other = self.clone()
                other._apply(action, die)
                result.append((1.0 / 6.0, other))
            return result
        other = self.clone()
        other.step(action)
        return [(1.0, other)]

    def view(self, player):
        """Nothing is hidden: both players see the whole position."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._observe()],
            "log": list(self.log),
            "gone": [int(v) for v in self.gone],
            "stock": [int(v) for v in self.stock],
            "debt": [int(v) for v in self.debt],
            "rests": [int(v) for v in self.rests],
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        """Takes the position from the view. Dice to come are drawn from rng."""
        self.gone = [int(v) for v in view["gone"]]
        self.stock = [int(v) for v in view["stock"]]
        self.debt = [int(v) for v in view["debt"]]
        self.rests = [int(v) for v in view["rests"]]
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        self.np_random = rng

    def render(self):
        lines = []
        for bough in range(5):
            rest = BOUGHS[bough][self.gone[bough]:]
            lines.append("bough %s: %s" % (
                NAMES[bough], " ".join(str(price) for price in rest) or "bare"))
        lines.append("stock: first %d, second %d" % tuple(self.stock))
        lines.append("debt: first %d, second %d" % tuple(self.debt))
        lines.append("rests: first %d, second %d" % tuple(self.rests))
        if self.done:
            if self.winner is None:
                lines.append("game over: a draw")
            else:
                lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == REST:
            return "rest"
        return "%s %s" % ("cut" if action < 5 else "gamble", NAMES[action % 5])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.gone = list(self.gone)
        other.stock = list(self.stock)
        other.debt = list(self.debt)
        other.rests = list(self.rests)
        other.log = list(self.log)
        if self._np_random is not None:
            other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.gone), tuple(self.stock), tuple(self.debt),
                tuple(self.rests), self.current_player, self.done, self.winner)
