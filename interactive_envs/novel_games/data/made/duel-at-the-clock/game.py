import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
CARDS = (3, 5, 1, 4, 6, 2, 4, 1)
HOURS = len(CARDS)
TARGET = 25
COST = 12
STRIKES = 3
LAST_MOVE = 56


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(6)
        self.observation_space = Box(-1.0, 100.0, shape=(17,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.cards = list(CARDS)
        self.hand = HOURS - 1
        self.bank = [0, 0]
        self.last = [1, 2]
        self.strikes = [STRIKES, STRIKES]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.cards + [self.hand] + self.bank + self.last + self.strikes
        values = values + [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _total(self, player):
        return self.bank[player] + 2 * self.last[player]

    def _moves(self, player):
        if self.strikes[player] > 0:
            return [0, 1, 2, 3, 4, 5]
        return [0, 1, 2]

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done or action not in self._moves(player):
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        hour = (self.hand + action % 3 + 1) % HOURS
        value = self.cards[hour]
        self.hand = hour
        self.moves += 1
        if action < 3:
            self.cards[hour] = self.last[player]
            self.bank[player] += self.last[player]
            self.last[player] = value
            total = self._total(player)
            if total == TARGET:
                self.done = True
                self.winner = player
                return self._observe(), 1, True, False, {"winner": player}
            if total > TARGET:
                self.bank[player] = max(0, self.bank[player] - COST)
        else:
            self.strikes[player] -= 1
            foe = 1 - player
            self.bank[foe] = max(0, self.bank[foe] - value)
        if self.moves >= LAST_MOVE:
            self.done = True
            if self._total(0) > self._total(1):
                self.winner = 0
            elif self._total(1) > self._total(0):
                self.winner = 1
            reward = 1 if self.winner == player else 0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - player
        return self._observe(), 0, False, False, {}

    def render(self):
        row = [self.cards[(self.hand + k) % HOURS] for k in (1, 2, 3)]
        lines = ["clock: %s" % " ".join(str(card) for card in self.cards)]
        lines.append("hand: hour %d" % (self.hand + 1))
        lines.append("open row: %s" % " ".join(str(card) for card in row))
        for player in range(2):
            lines.append("%s: bank %d, last %d, total %d, strikes %d" % (
                SEATS[player], self.bank[player], self.last[player],
                self._total(player), self.strikes[player]))
        lines.append("moves: %d" % self.moves)
        if self.done:
            if self.winner is None:
                lines.append("game over: a draw")
            else:
                lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "%s %d" % ("take" if action < 3 else "strike", action % 3 + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cards = list(self.cards)
        other.bank = list(self.bank)
        other.last = list(self.last)
        other.strikes = list(self.strikes)
        return other

    def key(self):
        return (tuple(self.cards), self.hand, tuple(self.bank), tuple(self.last),
                tuple(self.strikes), self.moves, self.current_player, self.done,
                self.winner)
