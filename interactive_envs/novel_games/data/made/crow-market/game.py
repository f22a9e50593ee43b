import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROW = (3, 1, 4, 2, 1, 3, 2, 4, 2, 1, 4, 3)
SIZE = 12
VALUES = 4
HAND = 4
COINS = (2, 3)
RATE = 2
LOW = 1
HIGH = 4
CROWS = (2, 8)
LIMIT = 30
EARN = SIZE * VALUES
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(EARN + 1)
        self.observation_space = Box(0.0, 1.0, shape=(50,), dtype=np.float32)
        self._start()

    def _start(self):
        self.row = list(ROW)
        # hands[player][value] counts the cards of that value; index 0 is not used
        self.hands = [[0, 1, 1, 1, 1], [0, 1, 1, 1, 1]]
        self.coins = [COINS[0], COINS[1]]
        self.rate = RATE
        self.crows = [CROWS[0], CROWS[1]]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = [v / VALUES for v in self.row]
        values += [1.0 if p == self.crows[0] else 0.0 for p in range(SIZE)]
        values += [1.0 if p == self.crows[1] else 0.0 for p in range(SIZE)]
        for hand in self.hands:
            values += [n / HAND for n in hand[1:]]
        values += [min(c, 60) / 60 for c in self.coins]
        values.append(self.rate / HIGH)
        values.append(self.moves / LIMIT)
        values.append(float(self.current_player))
        values.append(self.moves % 2 / 1.0)
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        if self.coins[me] >= self.rate:
            for p in range(SIZE):
                if p in self.crows:
                    continue
                for v in range(1, VALUES + 1):
                    if self.hands[me][v] > 0 and self.row[p] != v:
                        moves.append(p * VALUES + v - 1)
        moves.append(EARN)
        return moves

    def _decide_by_cards(self):
        first = max(self.hands[0])
        second = max(self.hands[1])
        if first != second:
            return 0 if first > second else 1
        if self.coins[0] != self.coins[1]:
            return 0 if self.coins[0] > self.coins[1] else 1
        return 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        if action == EARN:
            self.coins[me] += self.rate
            self.rate = max(LOW, self.rate - 1)
        else:
            place = action // VALUES
            given = action % VALUES + 1
            bought = self.row[place]
            self.coins[me] -= self.rate
            self.rate = min(HIGH, self.rate + 1)
            self.row[place] = given
            self.hands[me][given] -= 1
            self.hands[me][bought] += 1
        self.moves += 1
        if max(self.hands[me]) == HAND:
            self.done = True
            self.winner = me
        else:
            if me == 1:
                self.crows[0] = (self.crows[0] + self.rate) % SIZE
                self.crows[1] = (self.crows[1] - 1) % SIZE
            if self.moves >= LIMIT:
                self.done = True
                self.winner = self._decide_by_cards()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def _cards(self, player):
        cards = []
        for v in range(1, VALUES + 1):
            cards += [str(v)] * self.hands[player][v]
        return " ".join(cards)

    def render(self):
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            f"moves made: {self.moves} of {LIMIT}",
            "row: " + " ".join(str(v) for v in self.row),
            f"crows: grey {self.crows[0] + 1}, black {self.crows[1] + 1}",
            f"rate: {self.rate}",
            f"hand of first: {self._cards(0)}; coins {self.coins[0]}",
            f"hand of second: {self._cards(1)}; coins {self.coins[1]}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        action = int(action)
        if action == EARN:
            return "earn"
        return f"buy place {action // VALUES + 1} giving {action % VALUES + 1}"

    def clone(self):
        other = CustomEnv()
        other.row = list(self.row)
        other.hands = [list(h) for h in self.hands]
        other.coins = list(self.coins)
        other.rate = self.rate
        other.crows = list(self.crows)
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.row), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.coins), self.rate, tuple(self.crows), self.moves,
                self.current_player, self.done)
