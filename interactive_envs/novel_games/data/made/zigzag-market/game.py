import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOP = 7
COINS = (5, 6)
RATE = 3
RATE_LOW = 1
RATE_HIGH = 6
FEE = 2
MARKET = 3
UNDO = 3 * TOP
CAP = 60
NAMES = ("first", "second")


def _cards(counts):
    words = []
    for i in range(TOP):
        words += [str(i + 1)] * counts[i]
    return " ".join(words) if words else "empty"


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(UNDO + 1)
        self.observation_space = Box(low=-1.0, high=500.0, shape=(33,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.hands = [[1] * TOP, [1] * TOP]
        self.market = [0] * TOP
        self.row = []
        self.rate = RATE
        self.coins = list(COINS)
        self.undone = [0, 0]
        self.last_play = 0
        self.banned = 0
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        tail = ([0, 0, 0] + self.row)[-3:]
        values = self.hands[0] + self.hands[1] + self.market + tail
        values = values + [self.rate] + self.coins + self.undone
        values = values + [self.last_play, self.banned, self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def _runs(self, number):
        if len(self.row) < 2:
            return False
        a, b = self.row[-2], self.row[-1]
        return a < b < number or a > b > number

    def _legal(self, player):
        result = []
        for i in range(TOP):
            number = i + 1
            if self.hands[player][i] and number != self.banned and not self._runs(number):
                result.append(i)
        if sum(self.market) < MARKET:
            for i in range(TOP):
                if self.hands[player][i]:
                    result.append(TOP + i)
        if self.coins[player] >= self.rate + FEE:
            for i in range(TOP):
                if self.market[i]:
                    result.append(2 * TOP + i)
        if self.last_play and not self.undone[player]:
            result.append(UNDO)
        return result

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        kind, i = divmod(action, TOP)
        return "%s %d" % (("play", "sell", "buy")[kind], i + 1)

    def _apply(self, action):
        player = self.current_player
        taken_back = self.last_play
        self.last_play = 0
        self.banned = 0
        if action == UNDO:
            self.row.pop()
            self.hands[1 - player][taken_back - 1] += 1
            self.undone[player] = 1
            self.banned = taken_back
        else:
            kind, i = divmod(action, TOP)
            if kind == 0:
                self.hands[player][i] -= 1
                self.row.append(i + 1)
                self.last_play = i + 1
            elif kind == 1:
                self.hands[player][i] -= 1
                self.market[i] += 1
                self.coins[player] += self.rate
                self.rate = max(RATE_LOW, self.rate - 1)
            else:
                self.market[i] -= 1
                self.hands[player][i] += 1
                self.coins[player] -= self.rate + FEE
                self.rate = min(RATE_HIGH, self.rate + 1)
        self.moves += 1
        if not self._legal(1 - player):
            self.done = True
            self.winner = player
        elif self.moves >= CAP:
            self.done = True
            self.winner = 0 if self.coins[0] > self.coins[1] else 1
        else:
            self.current_player = 1 - player

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def render(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        else:
            head = "move %d, %s to move" % (self.moves + 1, NAMES[self.current_player])
        lines = [head]
        lines.append("row: " + (" ".join(str(x) for x in self.row) if self.row else "empty"))
        for p in (0, 1):
            lines.append("hand %s: %s" % (NAMES[p], _cards(self.hands[p])))
        lines.append("market: " + _cards(self.market))
        lines.append("rate: %d, sell for %d, buy for %d" % (self.rate, self.rate, self.rate + FEE))
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        words = ["used" if x else "ready" for x in self.undone]
        lines.append("undo: first %s, second %s" % (words[0], words[1]))
        lines.append("just played: " + (str(self.last_play) if self.last_play else "nothing"))
        lines.append("banned: " + (str(self.banned) if self.banned else "nothing"))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.hands = [list(x) for x in self.hands]
        other.market = list(self.market)
        other.row = list(self.row)
        other.rate = self.rate
        other.coins = list(self.coins)
        other.undone = list(self.undone)
        other.last_play = self.last_play
        other.banned = self.banned
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(map(tuple, self.hands)),
            tuple(self.market),
            tuple(self.row),
            self.rate,
            tuple(self.coins),
            tuple(self.undone),
            self.last_play,
            self.banned,
            self.moves,
            self.done,
            self.winner,
        )
