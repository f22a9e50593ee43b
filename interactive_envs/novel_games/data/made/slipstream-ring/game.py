import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CELLS = 20
HALF = 10
FUEL, COINS, TANK = 3, 3, 12
RATE, RATE_LOW, RATE_HIGH = 4, 2, 6
WELL, WELL_FUEL = 4, 2
MINT, MINT_COINS = 7, 1
ROUNDS = 15
TRADE, REST = 4, 5
MOVES = ("run 1", "run 2", "run 3", "run 4", "trade", "rest")
CARDS = ("1", "2", "3", "4", "trade")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(6)
        self.observation_space = Box(0.0, 60.0, shape=(21,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.round = 1
        self.rate = RATE
        self.gone = [0, 0]
        self.fuel = [FUEL, FUEL]
        self.coins = [COINS, COINS]
        self.ready = [[True] * 5, [True] * 5]
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
        values = [self.current_player, player, self.round, self.rate]
        values += self.gone + self.fuel + self.coins
        values += [int(x) for x in self.ready[0] + self.ready[1]]
        values.append(own)
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        moves = []
        for a in range(4):
            if self.ready[player][a] and self.fuel[player] >= a + 1:
                moves.append(a)
        if self.ready[player][TRADE] and self.coins[player] >= 1:
            moves.append(TRADE)
        return moves + [REST]

    def valid_moves(self):
        if self.over:
            return []
        return self._legal(self.current_player)

    def _best(self):
        for pair in (self.gone, self.fuel, self.coins):
            if pair[0] != pair[1]:
                return 0 if pair[0] > pair[1] else 1
        return 0 if self.round % 2 == 1 else 1

    def _resolve(self, choice):
        number = [0, 0]
        trades = 0
        for p in range(2):
            if choice[p] == REST:
                self.fuel[p] = min(TANK, self.fuel[p] + 1)
            elif choice[p] == TRADE:
                self.coins[p] -= 1
                self.fuel[p] = min(TANK, self.fuel[p] + self.rate)
                trades += 1
            else:
                number[p] = choice[p] + 1
                self.fuel[p] -= number[p]
        if number[0] > 0 and number[1] > 0:
            if number[0] == number[1]:
                number = [0, 0]
            elif abs(number[0] - number[1]) == 1:
                number = [number[1], number[0]]
        for p in range(2):
            if number[p] > 0:
                self.gone[p] += number[p]
                if self.gone[p] == WELL:
                    self.fuel[p] = min(TANK, self.fuel[p] + WELL_FUEL)
                if self.gone[p] == MINT:
                    self.coins[p] += MINT_COINS
        for p in range(2):
            if choice[p] != REST:
                self.ready[p][choice[p]] = False
        for p in range(2):
            if choice[p] != REST:
                self.ready[1 - p][choice[p]] = True
        if trades:
            self.rate = max(RATE_LOW, self.rate - trades)
        else:
            self.rate = min(RATE_HIGH, self.rate + 1)
        self.log.append(
            "round %d: first %s, second %s"
            % (self.round, MOVES[choice[0]], MOVES[choice[1]])
        )
        if max(self.gone) >= HALF or self.round >= ROUNDS:
            return self._best()
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
        lines = ["round: %d" % self.round, "rate: %d" % self.rate]
        for p in range(2):
            cell = (HALF * p + self.gone[p]) % CELLS
            cards = " ".join(CARDS[i] for i in range(5) if self.ready[p][i])
            lines.append(
                "%s: cell %d, gone %d, fuel %d, coins %d, ready %s"
                % (
                    NAMES[p],
                    cell,
                    self.gone[p],
                    self.fuel[p],
                    self.coins[p],
                    cards,
                )
            )
        if self.log:
            lines.append("last " + self.log[-1])
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
            self.round,
            self.rate,
            tuple(self.gone),
            tuple(self.fuel),
            tuple(self.coins),
            tuple(self.ready[0]),
            tuple(self.ready[1]),
            self.pending,
            self.over,
        )

    def view(self, player):
        log = list(self.log)
        own = None
        if player == 0 and self.pending is not None:
            own = self.pending
            log.append("round %d: you have chosen %s" % (self.round, MOVES[own]))
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs(player)],
            "log": log,
            "past": list(self.log),
            "own": own,
            "mover": int(self.current_player),
            "round": int(self.round),
            "rate": int(self.rate),
            "gone": list(self.gone),
            "fuel": list(self.fuel),
            "coins": list(self.coins),
            "ready": [list(self.ready[0]), list(self.ready[1])],
            "over": bool(self.over),
        }

    def resample(self, view, rng):
        self.current_player = view["mover"]
        self.round = view["round"]
        self.rate = view["rate"]
        self.gone = list(view["gone"])
        self.fuel = list(view["fuel"])
        self.coins = list(view["coins"])
        self.ready = [list(view["ready"][0]), list(view["ready"][1])]
        self.log = list(view["past"])
        self.over = view["over"]
        self.pending = None
        if self.current_player == 1 and not self.over:
            if view["player"] == 0:
                self.pending = view["own"]
            else:
                self.pending = int(rng.choice(self._legal(0)))
