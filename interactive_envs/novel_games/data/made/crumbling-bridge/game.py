import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NUMBERS = (6, 4, 5, 3, 4, 2, 3, 2, 4, 3, 5, 4, 6)
SIZE = 13
START = 6
TARGET = 40
PENALTY = 15
COAL = (2, 3)
RATE = 2
LOW = 1
HIGH = 4
CRUMBLE = 6
SMALLEST = 3
LIMIT = 60
SELL = 6
BUY = 7
NAMES = ("first", "second")
STEPS = (-1, -2, -3, 1, 2, 3)


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(8)
        self.observation_space = Box(0.0, 1.0, shape=(SIZE + 12,), dtype=np.float32)
        self._start()

    def _start(self):
        self.numbers = list(NUMBERS)
        self.lo = 0
        self.hi = SIZE - 1
        self.places = [START, START]
        self.sums = [0, 0]
        self.coal = [COAL[0], COAL[1]]
        self.rate = RATE
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = []
        for i in range(SIZE):
            values.append(self.numbers[i] / 6 if self.lo <= i <= self.hi else 0.0)
        values += [p / (SIZE - 1) for p in self.places]
        values += [s / TARGET for s in self.sums]
        values += [min(c, 40) / 40 for c in self.coal]
        values.append(self.rate / HIGH)
        values.append(self.lo / SIZE)
        values.append(self.hi / SIZE)
        values.append((self.moves % CRUMBLE) / CRUMBLE)
        values.append(self.moves / LIMIT)
        values.append(float(self.current_player))
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for i, step in enumerate(STEPS):
            target = self.places[me] + step
            if self.lo <= target <= self.hi and self.coal[me] >= abs(step) - 1:
                moves.append(i)
        if self.coal[me] >= 1:
            moves.append(SELL)
        if self.sums[me] >= self.rate:
            moves.append(BUY)
        return moves

    def _decide_by_sum(self):
        if self.sums[0] != self.sums[1]:
            return 0 if self.sums[0] > self.sums[1] else 1
        if self.coal[0] != self.coal[1]:
            return 0 if self.coal[0] > self.coal[1] else 1
        return 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        other = 1 - me
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = other
            return self._observe(), -10.0, True, False, {"winner": other}
        if action == SELL:
            self.coal[me] -= 1
            self.sums[me] += self.rate
            self.rate = max(LOW, self.rate - 1)
        elif action == BUY:
            self.sums[me] -= self.rate
            self.coal[me] += 1
            self.rate = min(HIGH, self.rate + 1)
        else:
            step = STEPS[action]
            target = self.places[me] + step
            self.coal[me] -= abs(step) - 1
            self.places[me] = target
            value = self.numbers[target]
            self.sums[me] += value
            if self.places[other] == target:
                self.sums[other] += value
            self.numbers[target] = max(1, value - 1)
        for player in (0, 1):
            if self.sums[player] > TARGET:
                self.sums[player] -= PENALTY
        self.moves += 1
        if self.sums[me] == TARGET:
            self.done = True
            self.winner = me
        elif self.sums[other] == TARGET:
            self.done = True
            self.winner = other
        else:
            if self.moves % CRUMBLE == 0 and self.hi - self.lo + 1 > SMALLEST:
                self.lo += 1
                self.hi -= 1
                self.places = [min(max(p, self.lo), self.hi) for p in self.places]
            if self.moves >= LIMIT:
                self.done = True
                self.winner = self._decide_by_sum()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = other
        return self._observe(), 0.0, False, False, {}

    def render(self):
        numbers = " ".join(str(self.numbers[i]) if self.lo <= i <= self.hi else "-"
                           for i in range(SIZE))
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            f"moves made: {self.moves} of {LIMIT}",
            f"bridge: {numbers}",
            f"places: first {self.places[0] + 1}, second {self.places[1] + 1}",
            f"sums: first {self.sums[0]}, second {self.sums[1]}",
            f"coal: first {self.coal[0]}, second {self.coal[1]}",
            f"rate: {self.rate}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        action = int(action)
        if action == SELL:
            return "sell"
        if action == BUY:
            return "buy"
        step = STEPS[action]
        return f"left {-step}" if step < 0 else f"right {step}"

    def clone(self):
        other = CustomEnv()
        other.numbers = list(self.numbers)
        other.lo = self.lo
        other.hi = self.hi
        other.places = list(self.places)
        other.sums = list(self.sums)
        other.coal = list(self.coal)
        other.rate = self.rate
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.numbers), self.lo, self.hi, tuple(self.places),
                tuple(self.sums), tuple(self.coal), self.rate, self.moves,
                self.current_player, self.done)
