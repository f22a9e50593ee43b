import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = ("plus1", "plus3", "plus5", "times2", "times3")
ADD = (1, 3, 5, 0, 0)
MUL = (1, 1, 1, 2, 3)
LETTERS = "ABCDE"
START = (2, 5, 6, 9, 10)
MOD = 11
PRICE, LOW, HIGH = 3, 2, 6
COINS, INCOME, PURSE = 4, 2, 12
ROUNDS = 25
SAVE = 25
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(26)
        self.observation_space = Box(0.0, 60.0, shape=(21,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.round = 1
        self.prices = [PRICE] * 5
        self.coins = [COINS, COINS]
        self.dials = [list(START), list(START)]
        self.pending = None
        self.log = []
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(self.current_player), {}

    def _obs(self, player):
        own = 0
        if player == 0 and self.pending is not None:
            own = self.pending + 1
        values = [self.current_player, player, self.round]
        values += self.coins + self.prices + self.dials[0] + self.dials[1]
        values.append(own)
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        moves = [
            a for a in range(SAVE) if self.prices[a // 5] <= self.coins[player]
        ]
        return moves + [SAVE]

    def valid_moves(self):
        if self.over:
            return []
        return self._legal(self.current_player)

    @staticmethod
    def _group(dials):
        return max(dials.count(v) for v in dials)

    def _by_coins(self):
        if self.coins[0] != self.coins[1]:
            return 0 if self.coins[0] > self.coins[1] else 1
        return 0 if self.round % 2 == 1 else 1

    def _resolve(self, choice):
        bought = [0] * 5
        for p in range(2):
            if choice[p] == SAVE:
                self.coins[p] = min(PURSE, self.coins[p] + INCOME)
            else:
                card = choice[p] // 5
                self.coins[p] -= self.prices[card]
                bought[card] += 1
        for p in range(2):
            if choice[p] == SAVE:
                continue
            card, dial = divmod(choice[p], 5)
            owner = 1 - p if bought[card] == 2 else p
            value = self.dials[owner][dial]
            self.dials[owner][dial] = (value * MUL[card] + ADD[card]) % MOD
        for card in range(5):
            if bought[card]:
                self.prices[card] = min(HIGH, self.prices[card] + bought[card])
            else:
                self.prices[card] = max(LOW, self.prices[card] - 1)
        self.log.append(
            "round %d: first %s, second %s"
            % (self.round, self.move_name(choice[0]), self.move_name(choice[1]))
        )
        groups = [self._group(d) for d in self.dials]
        if groups[0] == 5 and groups[1] == 5:
            return self._by_coins()
        if groups[0] == 5:
            return 0
        if groups[1] == 5:
            return 1
        if self.round >= ROUNDS:
            if groups[0] != groups[1]:
                return 0 if groups[0] > groups[1] else 1
            return self._by_coins()
        return None

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(player), -10.0, True, False, {"winner": 1 - player}
        if player == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(1), 0.0, False, False, {}
        choice = (self.pending, action)
        self.pending = None
        self.current_player = 0
        winner = self._resolve(choice)
        if winner is None:
            self.round += 1
            return self._obs(0), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == player else 0.0
        return self._obs(0), reward, True, False, {"winner": winner}

    def render(self):
        lines = ["round: %d" % self.round]
        lines.append(
            "prices: "
            + ", ".join("%s %d" % (CARDS[i], self.prices[i]) for i in range(5))
        )
        for p in range(2):
            dials = ", ".join(
                "%s %d" % (LETTERS[i], self.dials[p][i]) for i in range(5)
            )
            lines.append("%s: %s, coins %d" % (NAMES[p], dials, self.coins[p]))
        if self.log:
            lines.append("last " + self.log[-1])
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == SAVE:
            return "save"
        card, dial = divmod(action, 5)
        return "%s %s" % (CARDS[card], LETTERS[dial])

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            self.round,
            tuple(self.prices),
            tuple(self.coins),
            tuple(self.dials[0]),
            tuple(self.dials[1]),
            self.pending,
            self.over,
        )

    def view(self, player):
        log = list(self.log)
        own = None
        if player == 0 and self.pending is not None:
            own = self.pending
            log.append(
                "round %d: you have chosen %s" % (self.round, self.move_name(own))
            )
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs(player)],
            "log": log,
            "past": list(self.log),
            "own": own,
            "mover": int(self.current_player),
            "round": int(self.round),
            "prices": list(self.prices),
            "coins": list(self.coins),
            "dials": [list(self.dials[0]), list(self.dials[1])],
            "over": bool(self.over),
        }

    def resample(self, view, rng):
        self.current_player = view["mover"]
        self.round = view["round"]
        self.prices = list(view["prices"])
        self.coins = list(view["coins"])
        self.dials = [list(view["dials"][0]), list(view["dials"][1])]
        self.log = list(view["past"])
        self.over = view["over"]
        self.pending = None
        if self.current_player == 1 and not self.over:
            if view["player"] == 0:
                self.pending = view["own"]
            else:
                self.pending = int(rng.choice(self._legal(0)))
