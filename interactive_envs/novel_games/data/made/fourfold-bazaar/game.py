import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
SIZE = 5
GOODS = "ABCD"
PILES = 4
TOP = 12
TRADES = 22
START_TOKENS = (6, 8, 16, 18)
START_PILES = (1, 4, 8, 12)
DIRECTIONS = (("up", -1, 0), ("right", 0, 1), ("down", 1, 0), ("left", 0, -1))
SLIDES = 16
PRICE = [(r + 2 * c) % 5 + 1 for r in range(SIZE) for c in range(SIZE)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(SLIDES + 32)
        self.observation_space = spaces.Box(low=-1.0, high=100.0, shape=(21,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.tokens = list(START_TOKENS)
        self.piles = [list(START_PILES), list(START_PILES)]
        self.opening = True
        self.slid = -1
        self.trades = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        me = self.current_player
        numbers = list(self.tokens)
        numbers.extend(PRICE[t] for t in self.tokens)
        numbers.extend(self.piles[me])
        numbers.extend(self.piles[1 - me])
        numbers.extend([1 if self.slid >= 0 else 0, self.slid, self.trades, 1 if self.opening else 0, me])
        return np.array(numbers, dtype=np.float32)

    def _landing(self, good, direction):
        _, dr, dc = DIRECTIONS[direction]
        row, column = divmod(self.tokens[good], SIZE)
        while True:
            r, c = row + dr, column + dc
            if not (0 <= r < SIZE and 0 <= c < SIZE) or r * SIZE + c in self.tokens:
                return row * SIZE + column
            row, column = r, c

    def valid_moves(self):
        if self.done:
            return []
        moves = []
        if self.slid < 0:
            for good in range(4):
                for direction in range(4):
                    if self._landing(good, direction) != self.tokens[good]:
                        moves.append(good * 4 + direction)
            return moves
        mine = self.piles[self.current_player]
        for good in range(4):
            if good == self.slid:
                continue
            price = PRICE[self.tokens[good]]
            for pile in range(PILES):
                if mine[pile] + price <= TOP:
                    moves.append(SLIDES + good * 8 + pile * 2)
                if mine[pile] - price >= 0:
                    moves.append(SLIDES + good * 8 + pile * 2 + 1)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        if action < SLIDES:
            good, direction = divmod(action, 4)
            self.tokens[good] = self._landing(good, direction)
            if self.opening:
                self.opening = False
                self.current_player = 1 - me
            else:
                self.slid = good
            return self._observe(), 0.0, False, False, {}
        good, rest = divmod(action - SLIDES, 8)
        pile, sign = divmod(rest, 2)
        price = PRICE[self.tokens[good]]
        self.piles[me][pile] += price if sign == 0 else -price
        self.trades += 1
        self.slid = -1
        if min(self.piles[me]) == max(self.piles[me]):
            self.done = True
            self.winner = me
        elif self.trades == TRADES:
            self.done = True
            spread = [max(p) - min(p) for p in self.piles]
            self.winner = 0 if spread[0] < spread[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e"]
        for row in range(SIZE):
            marks = []
            for column in range(SIZE):
                cell = row * SIZE + column
                letter = GOODS[self.tokens.index(cell)] if cell in self.tokens else "."
                marks.append(str(PRICE[cell]) + letter)
            lines.append("row %d: %s" % (row + 1, " ".join(marks)))
        lines.append("prices: " + ", ".join("%s %d" % (GOODS[g], PRICE[self.tokens[g]]) for g in range(4)))
        lines.append("first piles: " + " ".join(str(x) for x in self.piles[0]))
        lines.append("second piles: " + " ".join(str(x) for x in self.piles[1]))
        lines.append("trades left: %d" % (TRADES - self.trades))
        if self.slid < 0:
            lines.append("to move: %s, slide" % NAMES[self.current_player])
        else:
            lines.append("to move: %s, trade, not %s" % (NAMES[self.current_player], GOODS[self.slid]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < SLIDES:
            good, direction = divmod(action, 4)
            return "slide %s %s" % (GOODS[good], DIRECTIONS[direction][0])
        good, rest = divmod(action - SLIDES, 8)
        pile, sign = divmod(rest, 2)
        if sign == 0:
            return "add %s to pile %d" % (GOODS[good], pile + 1)
        return "take %s from pile %d" % (GOODS[good], pile + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tokens = list(self.tokens)
        other.piles = [list(p) for p in self.piles]
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.tokens),
            tuple(tuple(p) for p in self.piles),
            self.opening,
            self.slid,
            self.trades,
            self.done,
            self.winner,
        )
