import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOWNS = "ABCDEFGHIJKL"
ROADS = ("ABCD", "EFGH", "IJKL", "AEI", "BFJ", "CGK", "DHL", "AFK", "BGL", "DGJ", "CFI")
PROVINCES = (("Amber", "ABF"), ("Birch", "CDH"), ("Coral", "EIJ"), ("Dusk", "GKL"))
DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
OFFSETS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
START = ("AEJ", "LHC")
LAST_MOVE = 20
NAMES = ("first", "second")


def _network():
    ways = {}
    for road in ROADS:
        for one, two in zip(road, road[1:]):
            a = TOWNS.index(one)
            b = TOWNS.index(two)
            offset = (b // 4 - a // 4, b % 4 - a % 4)
            d = OFFSETS.index(offset)
            ways[(a, d)] = b
            ways[(b, (d + 4) % 8)] = a
    return ways


WAYS = _network()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(24)
        self.observation_space = Box(-1.0, 100.0, shape=(28,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.pos = [[TOWNS.index(t) for t in row] for row in START]
        self.wounds = [[0, 0, 0], [0, 0, 0]]
        self.flag = [0] * 12
        self.last = [-1, -1]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _occupied(self):
        return set(p for row in self.pos for p in row if p >= 0)

    def _slide(self, town, direction):
        taken = self._occupied()
        here = town
        while True:
            ahead = WAYS.get((here, direction), -1)
            if ahead < 0 or ahead in taken:
                return here, ahead
            here = ahead

    def _moves_of(self, player):
        moves = []
        taken = self._occupied()
        for rider in range(3):
            town = self.pos[player][rider]
            if town < 0:
                continue
            for d in range(8):
                ahead = WAYS.get((town, d), -1)
                if ahead >= 0 and ahead not in taken:
                    moves.append(rider * 8 + d)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def _province(self, player):
        return any(all(self.flag[TOWNS.index(t)] == player + 1 for t in towns)
                   for _, towns in PROVINCES)

    def _score(self, player):
        score = self.flag.count(player + 1)
        if self.last[player] >= 0 and self.flag[self.last[player]] == player + 1:
            score += 1
        return score

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        enemy = 1 - player
        rider, direction = divmod(action, 8)
        stop, ahead = self._slide(self.pos[player][rider], direction)
        self.pos[player][rider] = stop
        self.flag[stop] = player + 1
        self.last[player] = stop
        if ahead >= 0 and ahead in self.pos[enemy]:
            struck = self.pos[enemy].index(ahead)
            self.flag[ahead] = 0
            self.wounds[enemy][struck] += 1
            if self.wounds[enemy][struck] == 2:
                self.pos[enemy][struck] = -1
        self.count += 1
        if max(self.pos[enemy]) < 0:
            self.done = True
            self.winner = player
        elif self._province(enemy):
            self.done = True
            self.winner = enemy
        elif self.count == LAST_MOVE:
            self.done = True
            self.winner = 0 if self._score(0) > self._score(1) else 1
        elif not self._moves_of(enemy):
            self.done = True
            self.winner = player
        else:
            self.current_player = enemy
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        values = self.pos[0] + self.pos[1] + self.wounds[0] + self.wounds[1]
        values = values + self.flag + self.last + [self.count, self.current_player]
        return np.array(values, dtype=np.float32)

    def render(self):
        lines = []
        for row, name in enumerate(("north", "middle", "south")):
            cells = [TOWNS[i] + "-12"[self.flag[i]] for i in range(4 * row, 4 * row + 4)]
            lines.append("%s: %s" % (name, " ".join(cells)))
        for player in (0, 1):
            parts = []
            for rider in range(3):
                town = self.pos[player][rider]
                if town < 0:
                    parts.append("%d out" % (rider + 1))
                else:
                    state = "wounded" if self.wounds[player][rider] else "fresh"
                    parts.append("%d %s %s" % (rider + 1, TOWNS[town], state))
            lines.append("%s riders: %s" % (NAMES[player], ", ".join(parts)))
        last = ["none" if t < 0 else TOWNS[t] for t in self.last]
        lines.append("last taken: first %s second %s" % tuple(last))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        rider, direction = divmod(int(action), 8)
        return "rider %d %s" % (rider + 1, DIRECTIONS[direction])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.pos = [list(row) for row in self.pos]
        other.wounds = [list(row) for row in self.wounds]
        other.flag = list(self.flag)
        other.last = list(self.last)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), tuple(self.wounds[0]), tuple(self.wounds[1]),
                tuple(self.flag), tuple(self.last), self.count, self.current_player,
                self.done, self.winner)
