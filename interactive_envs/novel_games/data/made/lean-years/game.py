import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

PILE = 18
FOOD = (6, 5)
COINS = 4
RATE, RATE_LOW, RATE_HIGH = 2, 1, 5
MOST = 4
YEARS = 6
NAMES = ("first", "second")
MOVES = ("take A", "take B", "take C", "buy", "sell", "glean")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(6)
        self.observation_space = Box(0.0, 200.0, shape=(10,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.piles = [PILE, PILE, PILE]
        self.food = list(FOOD)
        self.coins = [COINS, COINS]
        self.rate = RATE
        self.moves = 0
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = [self.current_player, self.moves, self.rate]
        values += self.piles + self.food + self.coins
        return np.array(values, dtype=np.float32)

    def _round(self):
        return self.moves // 2 + 1

    def _upkeep(self):
        return 1 + (self._round() - 1) // YEARS

    def valid_moves(self):
        if self.over:
            return []
        p = self.current_player
        moves = [i for i in range(3) if self.piles[i] > 0]
        if self.coins[p] >= 1:
            moves.append(3)
        if self.food[p] - self.rate >= self._upkeep():
            moves.append(4)
        filled = sum(1 for x in self.piles if x > 0)
        if self.food[p] < self.food[1 - p] and filled >= 2:
            moves.append(5)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        upkeep = self._upkeep()
        if action < 3:
            gap = self.piles[action] - min(self.piles)
            amount = max(1, min(MOST, gap))
            self.piles[action] -= amount
            self.food[p] += amount
        elif action == 3:
            self.coins[p] -= 1
            self.food[p] += self.rate
            self.rate = max(RATE_LOW, self.rate - 1)
        elif action == 4:
            self.coins[p] += 1
            self.food[p] -= self.rate
            self.rate = min(RATE_HIGH, self.rate + 1)
        else:
            order = sorted(range(3), key=lambda i: (-self.piles[i], i))
            for i in order[:2]:
                self.piles[i] -= 1
            self.food[p] += 2
        winner = None
        if self.food[p] < upkeep:
            winner = 1 - p
        else:
            self.food[p] -= upkeep
        self.moves += 1
        self.current_player = 1 - p
        if winner is None and not self.valid_moves():
            winner = p
        if winner is None:
            return self._obs(), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == p else 0.0
        return self._obs(), reward, True, False, {"winner": winner}

    def render(self):
        lines = [
            "piles: A %d, B %d, C %d" % tuple(self.piles),
            "rate: %d" % self.rate,
            "round: %d, upkeep: %d" % (self._round(), self._upkeep()),
        ]
        for p in range(2):
            lines.append(
                "%s: food %d, coins %d" % (NAMES[p], self.food[p], self.coins[p])
            )
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return MOVES[int(action)]

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            tuple(self.piles),
            tuple(self.food),
            tuple(self.coins),
            self.rate,
            self.moves,
            self.over,
        )
