import gymnasium
import numpy as np
from gymnasium import spaces

LAYOUT = [
    ["A3", "G1", "A5", "G2", "A1", "G1"],
    ["G2", "A2", "G1", "A4", "G1", "A3"],
    ["A4", "A1", "G2", "G1", "A5", "G2"],
    ["G1", "A3", "A2", "G2", "A4", "G1"],
    ["A2", "G2", "G1", "A5", "G1", "A4"],
    ["G1", "A1", "G2", "A3", "A2", "G2"],
]
N = 6
PRICE = 3                    # price of a gem at the start
LOWEST = 1
HIGHEST = 5
LOT = 2                      # gems that change hands in one trade
TRADES = 4                   # trades of each player
WORTH = 3                    # worth of a gem at the end
LAST = 2                     # the last card counts twice
BUY = 2 * N
SELL = 2 * N + 1
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2 * N + 2)
        self.observation_space = spaces.Box(
            low=-10.0, high=500.0, shape=(N * N + 8,), dtype=np.float32)
        self._begin()

    def _begin(self):
        # left and right mark the cards still lying in each row: left <= i < right
        self.left = [0] * N
        self.right = [N] * N
        self.price = PRICE
        self.coins = [0, 0]
        self.gems = [0, 0]
        self.trades = [TRADES, TRADES]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        out = []
        for r in range(N):
            for i in range(N):
                if self.left[r] <= i < self.right[r]:
                    card = LAYOUT[r][i]
                    value = int(card[1])
                    out.append(value if card[0] == "A" else -value)
                else:
                    out.append(0)
        out += [self.price, self.coins[0], self.coins[1], self.gems[0], self.gems[1],
                self.trades[0], self.trades[1], self.current_player]
        return np.array(out, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        found = []
        for r in range(N):
            if self.right[r] > self.left[r]:
                found.append(r)
        for r in range(N):
            if self.right[r] - self.left[r] >= 2:
                found.append(N + r)
        if self.trades[me] > 0:
            if self.coins[me] >= LOT * self.price:
                found.append(BUY)
            if self.gems[me] >= LOT:
                found.append(SELL)
        return found

    def _total(self, player):
        return self.coins[player] + WORTH * self.gems[player]

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        if action == BUY:
            self.coins[me] -= LOT * self.price
            self.gems[me] += LOT
            self.trades[me] -= 1
            self.price = min(HIGHEST, self.price + 1)
        elif action == SELL:
            self.gems[me] -= LOT
            self.coins[me] += LOT * self.price
            self.trades[me] -= 1
            self.price = max(LOWEST, self.price - 1)
        else:
            side, r = divmod(action, N)
            if side == 0:
                card = LAYOUT[r][self.left[r]]
                self.left[r] += 1
            else:
                self.right[r] -= 1
                card = LAYOUT[r][self.right[r]]
            over = all(self.left[i] == self.right[i] for i in range(N))
            value = int(card[1]) * (LAST if over else 1)
            if card[0] == "A":
                self.coins[me] += value
                self.price = min(HIGHEST, self.price + 1)
            else:
                self.gems[me] += value
                self.price = max(LOWEST, self.price - 1)
            if over:
                self.done = True
                mine, yours = self._total(me), self._total(1 - me)
                self.winner = me if mine > yours else 1 - me
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(N):
            cards = LAYOUT[r][self.left[r]:self.right[r]]
            lines.append("row %d: %s" % (r + 1, " ".join(cards) if cards else "empty"))
        lines.append("price of a gem: %d" % self.price)
        for p in (0, 1):
            lines.append("%s: coins %d, gems %d, trades %d" % (
                NAMES[p], self.coins[p], self.gems[p], self.trades[p]))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == BUY:
            return "buy"
        if action == SELL:
            return "sell"
        side, r = divmod(action, N)
        return "%s %d" % ("left" if side == 0 else "right", r + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.left = list(self.left)
        other.right = list(self.right)
        other.coins = list(self.coins)
        other.gems = list(self.gems)
        other.trades = list(self.trades)
        return other

    def key(self):
        return (tuple(self.left), tuple(self.right), self.price, tuple(self.coins),
                tuple(self.gems), tuple(self.trades), self.current_player,
                self.done, self.winner)
