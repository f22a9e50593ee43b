import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LETTERS = ("West", "A", "B", "C", "D", "E", "East")
BASE = (1, 2, 3, 3, 2, 1)
GOODS = ("grain", "silver")
SEATS = ("first", "second")
GO1, GO2, ENTER, SELL_SILVER, SELL_GRAIN, WORK = range(6)
NAMES = ("go 1", "go 2", "enter", "sell silver", "sell grain", "work")


def _sides(layer):
    return (0,) if layer in (0, 6) else (0, 1)


def _roads():
    roads = []
    for gap in range(6):
        for low in _sides(gap):
            for high in _sides(gap + 1):
                if gap == 0:
                    good = high
                elif gap == 5:
                    good = low
                else:
                    good = 0 if low == high else 1
                roads.append((gap, low, high, good))
    return roads


ROADS = _roads()
INDEX = {(g, a, b): i for i, (g, a, b, _) in enumerate(ROADS)}


def _town(layer, side):
    return LETTERS[layer] if layer in (0, 6) else "%s%d" % (LETTERS[layer], side + 1)


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(6)
        self.observation_space = Box(0.0, 100.0, shape=(len(ROADS) + 16,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.place = [(0, 0), (6, 0)]
        self.goods = [[4, 4], [4, 5]]
        self.left = [[3, 3, 2], [3, 3, 2]]
        self.rate = 2
        self.tolls = [BASE[g] for g, _, _, _ in ROADS]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        values = list(self.tolls) + [self.rate, p]
        for q in (p, 1 - p):
            values += list(self.place[q]) + self.goods[q] + self.left[q]
        return np.array(values, dtype=np.float32)

    def _road(self, action):
        p = self.current_player
        layer, side = self.place[p]
        target = layer + 1 if p == 0 else layer - 1
        last = target in (0, 6)
        if last != (action == ENTER):
            return None
        goal = 0 if last else action
        if p == 0:
            return INDEX[(layer, side, goal)], (target, goal)
        return INDEX[(target, goal, side)], (target, goal)

    def valid_moves(self):
        if self.over:
            return []
        p = self.current_player
        moves = []
        for action in (GO1, GO2, ENTER):
            found = self._road(action)
            if found is not None:
                i = found[0]
                if self.goods[p][ROADS[i][3]] >= self.tolls[i]:
                    moves.append(action)
        if self.left[p][0] > 0 and self.goods[p][1] >= 1:
            moves.append(SELL_SILVER)
        if self.left[p][1] > 0 and self.goods[p][0] >= 1:
            moves.append(SELL_GRAIN)
        if self.left[p][2] > 0:
            moves.append(WORK)
        return moves

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        goods = self.goods[mover]
        if action <= ENTER:
            i, place = self._road(action)
            goods[ROADS[i][3]] -= self.tolls[i]
            self.tolls[i] += 1
            self.place[mover] = place
            if action == ENTER:
                self.over = True
        elif action == SELL_SILVER:
            goods[1] -= 1
            goods[0] += self.rate
            self.rate = max(1, self.rate - 1)
            self.left[mover][0] -= 1
        elif action == SELL_GRAIN:
            goods[0] -= 1
            goods[1] += 5 - self.rate
            self.rate = min(4, self.rate + 1)
            self.left[mover][1] -= 1
        else:
            goods[0] += 1
            goods[1] += 1
            self.left[mover][2] -= 1
        if not self.over:
            self.current_player = 1 - mover
            if self.valid_moves():
                return self._obs(), 0.0, False, False, {}
            self.over = True
        self.winner = mover
        return self._obs(), 1.0, True, False, {"winner": mover}

    def render(self):
        lines = []
        for gap in range(6):
            parts = []
            for i, (g, a, b, good) in enumerate(ROADS):
                if g == gap:
                    parts.append("%s-%s %d %s" % (_town(g, a), _town(g + 1, b), self.tolls[i], GOODS[good]))
            lines.append("roads: " + ", ".join(parts))
        lines.append("rate: 1 silver for %d grain, 1 grain for %d silver" % (self.rate, 5 - self.rate))
        for p in range(2):
            lines.append("%s: %s, grain %d, silver %d" % (
                SEATS[p], _town(*self.place[p]), self.goods[p][0], self.goods[p][1]))
            lines.append("%s may still: sell silver %d, sell grain %d, work %d" % (
                SEATS[p], self.left[p][0], self.left[p][1], self.left[p][2]))
        lines.append("to move: " + ("nobody" if self.over else SEATS[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        return NAMES[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.place = list(self.place)
        other.goods = [list(g) for g in self.goods]
        other.left = [list(n) for n in self.left]
        other.tolls = list(self.tolls)
        return other

    def key(self):
        return (self.current_player, tuple(self.place), tuple(self.goods[0]), tuple(self.goods[1]),
                tuple(self.left[0]), tuple(self.left[1]), self.rate, tuple(self.tolls),
                self.over, self.winner)
