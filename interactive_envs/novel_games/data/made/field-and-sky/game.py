import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

REGIONS = "abc"
FIELD = 4
SKY = 3
CAP = 9
TURN_COST = 3
LAST_MOVE = 36
RAISE = 12
TURN = 21
GATHER = 33
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(34)
        self.observation_space = Box(0.0, 100.0, shape=(29,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.field = [0] * 12
        self.sky = [0] * 9
        self.owner = [0, 0, 0]
        self.stock = [3, 4]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _harvest(self):
        return (self.count // 4) % 2 == 1

    def _over(self, cell):
        region, column = divmod(cell, FIELD)
        return [region * SKY + s for s in (column - 1, column) if 0 <= s < SKY]

    def _below(self, cell):
        region, column = divmod(cell, SKY)
        return [region * FIELD + column, region * FIELD + column + 1]

    def _cost(self, action):
        mine = self.current_player + 1
        enemy = 3 - mine
        if action < RAISE:
            return 1 + sum(1 for s in self._over(action) if self.sky[s] == enemy)
        if action < TURN:
            return 3 - sum(1 for f in self._below(action - RAISE) if self.field[f] == mine)
        if action < GATHER:
            return TURN_COST
        return 0

    def valid_moves(self):
        if self.done:
            return []
        mine = self.current_player + 1
        enemy = 3 - mine
        money = self.stock[self.current_player]
        moves = []
        for cell in range(12):
            if self.field[cell] == 0 and self._cost(cell) <= money:
                moves.append(cell)
        for cell in range(9):
            if self.sky[cell] == 0 and self._cost(RAISE + cell) <= money:
                moves.append(RAISE + cell)
        if self._harvest() and money >= TURN_COST:
            for cell in range(12):
                if self.field[cell] != enemy or self.owner[cell // FIELD]:
                    continue
                if any(self.sky[s] == mine for s in self._over(cell)):
                    moves.append(TURN + cell)
        moves.append(GATHER)
        return moves

    def _stones(self, region, side):
        return (self.field[region * FIELD:(region + 1) * FIELD].count(side)
                + self.sky[region * SKY:(region + 1) * SKY].count(side))

    def _close(self):
        for region in range(3):
            if self.owner[region] == 0 and self._stones(region, 0) == 0:
                one = self._stones(region, 1)
                self.owner[region] = 1 if one >= 4 else 2

    def _final(self):
        won = [0, 0]
        total = [0, 0]
        for region in range(3):
            one = self._stones(region, 1)
            two = self._stones(region, 2)
            total[0] += one
            total[1] += two
            if self.owner[region]:
                won[self.owner[region] - 1] += 1
            elif one > two:
                won[0] += 1
            elif two > one:
                won[1] += 1
        if won[0] != won[1]:
            return 0 if won[0] > won[1] else 1
        return 0 if total[0] > total[1] else 1

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        gain = 1 - self._cost(action)
        if action < RAISE:
            self.field[action] = player + 1
        elif action < TURN:
            self.sky[action - RAISE] = player + 1
        elif action < GATHER:
            self.field[action - TURN] = player + 1
        else:
            gain = 2
        self.stock[player] = min(CAP, self.stock[player] + gain)
        self.count += 1
        self._close()
        if self.owner.count(1) >= 2:
            self.done = True
            self.winner = 0
        elif self.owner.count(2) >= 2:
            self.done = True
            self.winner = 1
        elif self.count == LAST_MOVE:
            self.done = True
            self.winner = self._final()
        else:
            self.current_player = 1 - player
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        values = self.field + self.sky + self.owner + self.stock
        values = values + [self.count, self.current_player, 1 if self._harvest() else 0]
        return np.array(values, dtype=np.float32)

    def render(self):
        marks = ".12"
        lines = ["season: " + ("harvest" if self._harvest() else "sowing")]
        for region in range(3):
            field = self.field[region * FIELD:(region + 1) * FIELD]
            sky = self.sky[region * SKY:(region + 1) * SKY]
            owner = ("none", "first", "second")[self.owner[region]]
            lines.append("%s: field %s sky %s owner %s" % (
                REGIONS[region], " ".join(marks[v] for v in field),
                " ".join(marks[v] for v in sky), owner))
        lines.append("stock: first %d second %d" % tuple(self.stock))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < RAISE:
            return "plant %s%d" % (REGIONS[action // FIELD], action % FIELD + 1)
        if action < TURN:
            cell = action - RAISE
            return "raise %s%d" % (REGIONS[cell // SKY], cell % SKY + 1)
        if action < GATHER:
            cell = action - TURN
            return "turn %s%d" % (REGIONS[cell // FIELD], cell % FIELD + 1)
        return "gather"

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.field = list(self.field)
        other.sky = list(self.sky)
        other.owner = list(self.owner)
        other.stock = list(self.stock)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.field), tuple(self.sky), tuple(self.owner), tuple(self.stock),
                self.count, self.current_player, self.done, self.winner)
