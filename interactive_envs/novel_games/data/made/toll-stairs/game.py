import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOP = 14
RANKS = ("low", "middle", "high")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(9)
        self.observation_space = Box(0.0, 200.0, shape=(11,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.pos = [[0, 0, 0], [0, 0, 0]]     # sorted, 0 is the ground
        self.stock = [2, 2]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _long(self):
        return (self.count // 4) % 2 == 1

    def _climbs(self):
        return (2, 3) if self._long() else (1, 2)

    def _cost(self, player, start, goal):
        if goal <= 4:
            toll = 0
        elif goal <= 9:
            toll = 2
        else:
            toll = 4
        passed = sum(1 for p in self.pos[1 - player] if start < p < goal)
        return max(0, toll - passed)

    def _moves_of(self, player):
        taken = set(p for row in self.pos for p in row if p > 0)
        climbs = self._climbs()
        mine = self.pos[player]
        moves = []
        for rank in range(3):
            if rank > 0 and mine[rank] == 0:
                continue
            for climb in climbs:
                goal = mine[rank] + climb
                if goal > TOP or goal in taken:
                    continue
                if self._cost(player, mine[rank], goal) <= self.stock[player]:
                    moves.append(3 * rank + climb - 1)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        rank, climb = divmod(action, 3)
        start = self.pos[player][rank]
        goal = start + climb + 1
        self.stock[player] += 1 - self._cost(player, start, goal)
        self.pos[player][rank] = goal
        self.pos[player].sort()
        self.count += 1
        if self._moves_of(1 - player):
            self.current_player = 1 - player
        else:
            self.done = True
            self.winner = player
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        values = self.pos[0] + self.pos[1] + self.stock
        values = values + [self.count, self.current_player, 1 if self._long() else 0]
        return np.array(values, dtype=np.float32)

    def render(self):
        stairs = ["."] * TOP
        for player in (0, 1):
            for p in self.pos[player]:
                if p > 0:
                    stairs[p - 1] = "FS"[player]
        return "\n".join([
            "stairs: " + " ".join(stairs),
            "ground: first %d second %d" % (self.pos[0].count(0), self.pos[1].count(0)),
            "stock: first %d second %d" % tuple(self.stock),
            "climbs: %d or %d" % self._climbs(),
            "moves made: %d" % self.count,
            "to move: " + NAMES[self.current_player],
        ])

    def move_name(self, action):
        rank, climb = divmod(int(action), 3)
        return "%s %d" % (RANKS[rank], climb + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.pos = [list(row) for row in self.pos]
        other.stock = list(self.stock)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), tuple(self.stock), self.count % 8,
                self.current_player, self.done, self.winner)
