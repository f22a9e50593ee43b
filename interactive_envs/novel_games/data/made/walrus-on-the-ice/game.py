import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ICE = (("F", 3), ("S", 2), ("F", 4), ("S", 1), ("F", 5),
       ("F", 2), ("S", 3), ("F", 4), ("S", 2), ("F", 3))
SIZE = 10
WALRUS = 4
BITE = 2
RATE = 2
LOW = 1
HIGH = 3
LEFT_1, LEFT_2, RIGHT_1, RIGHT_2, SELL = range(5)
MOVE_NAMES = ("left 1", "left 2", "right 1", "right 2", "sell")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(5)
        self.observation_space = Box(0.0, 1.0, shape=(3 * SIZE + 7,), dtype=np.float32)
        self._start()

    def _start(self):
        self.amounts = [amount for _, amount in ICE]
        self.lo = 0
        self.hi = SIZE - 1
        self.walrus = WALRUS
        self.fish = [0, 0]
        self.shells = [0, 0]
        self.rate = RATE
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = []
        for i in range(SIZE):
            here = self.lo <= i <= self.hi
            kind = ICE[i][0]
            values.append(self.amounts[i] / 5 if here and kind == "F" else 0.0)
            values.append(self.amounts[i] / 5 if here and kind == "S" else 0.0)
            values.append(1.0 if here and i == self.walrus else 0.0)
        values += [min(n, 60) / 60 for n in self.fish]
        values += [n / 10 for n in self.shells]
        values.append(self.rate / HIGH)
        values.append((self.hi - self.lo + 1) / SIZE)
        values.append(float(self.current_player))
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        size = self.hi - self.lo + 1
        moves = [LEFT_1]
        two = size >= 2 and self.shells[me] >= 1
        if two:
            moves.append(LEFT_2)
        moves.append(RIGHT_1)
        if two:
            moves.append(RIGHT_2)
        if self.shells[me] >= 1:
            moves.append(SELL)
        return moves

    def _taken(self, action):
        if action in (LEFT_1, RIGHT_1):
            return 1
        if action in (LEFT_2, RIGHT_2):
            return 2
        return 0

    def _needs_coin(self, action):
        left = self.hi - self.lo + 1 - self._taken(action)
        return self.current_player == 1 and left > 0

    def _gain(self, player, cell):
        if ICE[cell][0] == "F":
            self.fish[player] += self.amounts[cell]
        else:
            self.shells[player] += self.amounts[cell]

    def _apply(self, action, coin):
        me = self.current_player
        count = self._taken(action)
        self.log.append(f"{NAMES[me]}: {MOVE_NAMES[action]}")
        if action == SELL:
            self.fish[me] += self.shells[me] * self.rate
            self.shells[me] = 0
            self.rate = max(LOW, self.rate - 1)
        else:
            if count == 2:
                self.shells[me] -= 1
            for _ in range(count):
                if action in (LEFT_1, LEFT_2):
                    self._gain(me, self.lo)
                    self.lo += 1
                else:
                    self._gain(me, self.hi)
                    self.hi -= 1
        self.moves += 1
        if self.lo > self.hi:
            self.done = True
            if self.fish[0] != self.fish[1]:
                self.winner = 0 if self.fish[0] > self.fish[1] else 1
            elif self.shells[0] != self.shells[1]:
                self.winner = 0 if self.shells[0] > self.shells[1] else 1
            else:
                self.winner = 1
            return
        self.walrus = min(max(self.walrus, self.lo), self.hi)
        if me == 1:
            self.walrus += 1
            if self.walrus > self.hi:
                self.walrus = self.lo
            self.amounts[self.walrus] = max(0, self.amounts[self.walrus] - BITE)
            if coin == 1:
                self.rate = min(HIGH, self.rate + 1)
            else:
                self.rate = max(LOW, self.rate - 1)
            self.log.append(f"the walrus eats on cell {self.walrus + 1}, the rate is now {self.rate}")
        self.current_player = 1 - me

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        coin = int(self.np_random.integers(2)) if self._needs_coin(action) else 0
        self._apply(action, coin)
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            env = self.clone()
            env.step(action)
            return [(1.0, env)]
        if self._needs_coin(action):
            outcomes = []
            for coin in (0, 1):
                env = self.clone()
                env._apply(action, coin)
                outcomes.append((0.5, env))
            return outcomes
        env = self.clone()
        env._apply(action, 0)
        return [(1.0, env)]

    def view(self, player):
        """Nothing is hidden: both players see the whole position."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._observe()],
            "log": list(self.log),
            "amounts": [int(n) for n in self.amounts],
            "lo": int(self.lo),
            "hi": int(self.hi),
            "walrus": int(self.walrus),
            "fish": [int(n) for n in self.fish],
            "shells": [int(n) for n in self.shells],
            "rate": int(self.rate),
            "moves": int(self.moves),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        """Takes the position from the view. Coins to come are drawn from rng."""
        self.amounts = [int(n) for n in view["amounts"]]
        self.lo = int(view["lo"])
        self.hi = int(view["hi"])
        self.walrus = int(view["walrus"])
        self.fish = [int(n) for n in view["fish"]]
        self.shells = [int(n) for n in view["shells"]]
        self.rate = int(view["rate"])
        self.moves = int(view["moves"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        self.np_random = rng

    def render(self):
        cells = " ".join(f"{i + 1}:{ICE[i][0]}{self.amounts[i]}"
                         for i in range(self.lo, self.hi + 1)) or "empty"
        walrus = str(self.walrus + 1) if self.lo <= self.hi else "gone"
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            f"moves made: {self.moves}",
            f"ice: {cells}",
            f"walrus: {walrus}",
            f"rate: {self.rate}",
            f"fish: first {self.fish[0]}, second {self.fish[1]}",
            f"shells: first {self.shells[0]}, second {self.shells[1]}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        return MOVE_NAMES[int(action)]

    def clone(self):
        other = CustomEnv()
        other.np_random = copy.deepcopy(self.np_random)
        other.amounts = list(self.amounts)
        other.lo = self.lo
        other.hi = self.hi
        other.walrus = self.walrus
        other.fish = list(self.fish)
        other.shells = list(self.shells)
        other.rate = self.rate
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        other.log = list(self.log)
        return other

    def key(self):
        live = tuple(self.amounts[self.lo:self.hi + 1])
        return (live, self.lo, self.hi, self.walrus, tuple(self.fish),
                tuple(self.shells), self.rate, self.moves,
                self.current_player, self.done)
