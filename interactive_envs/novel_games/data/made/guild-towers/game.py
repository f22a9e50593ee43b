import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
GUILDS = "RGB"
SITES = 3
TOWERS = 9
HEIGHT = 3
START_PRICE = 2
MIN_PRICE = 1
MAX_PRICE = 6
START_COINS = (4, 6)
LAST_MOVE = 40


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(TOWERS + 3)
        self.observation_space = Box(low=0.0, high=255.0, shape=(34,), dtype=np.float32)
        self._start()

    def _start(self):
        self.towers = [() for _ in range(TOWERS)]
        self.prices = [START_PRICE] * 3
        self.coins = list(START_COINS)
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = []
        for tower in self.towers:
            values += [level + 1 for level in tower] + [0] * (HEIGHT - len(tower))
        values += self.prices + self.coins + [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        coins = self.coins[self.current_player]
        moves = []
        for t in range(TOWERS):
            if len(self.towers[t]) < HEIGHT and self.prices[t // SITES] <= coins:
                moves.append(t)
        return moves + [TOWERS, TOWERS + 1, TOWERS + 2]

    def _holds(self, player, t):
        return len(self.towers[t]) > 0 and self.towers[t][-1] == player

    def _count(self, player):
        return sum(1 for t in range(TOWERS) if self._holds(player, t))

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action < TOWERS:
            g = action // SITES
            self.coins[p] -= self.prices[g]
            self.prices[g] = min(MAX_PRICE, self.prices[g] + 1)
            self.towers[action] = self.towers[action] + (p,)
            if all(self._holds(p, g * SITES + k) for k in range(SITES)):
                self.done = True
                self.winner = p
        else:
            g = action - TOWERS
            self.coins[p] += self.prices[g]
            self.prices[g] = max(MIN_PRICE, self.prices[g] - 1)
        self.moves += 1
        self.current_player = 1 - p
        if not self.done:
            full = all(len(tower) == HEIGHT for tower in self.towers)
            if full or self.moves >= LAST_MOVE:
                self.done = True
                self.winner = 0 if self._count(0) > self._count(1) else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _tower_name(self, t):
        return GUILDS[t // SITES] + str(t % SITES + 1)

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        prices = ", ".join(GUILDS[g] + " " + str(self.prices[g]) for g in range(3))
        lines.append("prices: " + prices)
        lines.append("coins: first " + str(self.coins[0]) + ", second " + str(self.coins[1]))
        for t in range(TOWERS):
            levels = " ".join("FS"[level] for level in self.towers[t]) or "empty"
            lines.append(self._tower_name(t) + ": " + levels)
        lines.append("held: first " + str(self._count(0)) + ", second " + str(self._count(1)))
        lines.append("moves made: " + str(self.moves))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < TOWERS:
            return "build " + self._tower_name(action)
        return "earn " + GUILDS[action - TOWERS]

    def clone(self):
        other = copy.copy(self)
        other.towers = list(self.towers)
        other.prices = list(self.prices)
        other.coins = list(self.coins)
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.moves,
            tuple(self.towers),
            tuple(self.prices),
            tuple(self.coins),
        )
