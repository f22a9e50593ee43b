import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NUMBERS = 8
COPIES = 2
REGIONS = ("hill", "ford", "wood")
LEAD = 25
LAST_MOVE = NUMBERS * COPIES * 2
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(NUMBERS * 3)
        self.observation_space = Box(low=0.0, high=150.0, shape=(32,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.hands = [[COPIES] * NUMBERS, [COPIES] * NUMBERS]
        # lines[region][player] holds the standing numbers in the order of play
        self.lines = [[[], []] for _ in range(3)]
        self.won = [None, None, None]
        self.moves = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _total(self, region, player):
        line = self.lines[region][player]
        if not line:
            return 0
        return sum(line) + line[-1]

    def _observation(self):
        values = list(self.hands[0]) + list(self.hands[1])
        for region in range(3):
            for player in range(2):
                values.append(self._total(region, player))
        for region in range(3):
            for player in range(2):
                line = self.lines[region][player]
                values.append(line[-1] if line else 0)
        for region in range(3):
            values.append(0 if self.won[region] is None else self.won[region] + 1)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        hand = self.hands[self.current_player]
        moves = []
        for number in range(NUMBERS):
            if hand[number] > 0:
                for region in range(3):
                    if self.won[region] is None:
                        moves.append(number * 3 + region)
        return moves

    def step(self, action):
        action = int(action)
        player = self.current_player
        other = 1 - player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = other
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        index, region = divmod(action, 3)
        number = index + 1
        self.hands[player][index] -= 1
        enemy = self.lines[region][other]
        if enemy and (number - enemy[-1]) % NUMBERS in (1, 2):
            enemy.pop()
        self.lines[region][player].append(number)
        self.moves += 1
        lead = self._total(region, player) - self._total(region, other)
        if lead >= LEAD:
            self.won[region] = player
        elif lead <= -LEAD:
            self.won[region] = other
        if self.moves >= LAST_MOVE:
            for r in range(3):
                if self.won[r] is None:
                    self.won[r] = 0 if self._total(r, 0) >= self._total(r, 1) else 1
        for side in range(2):
            if self.won.count(side) >= 2:
                self.over = True
                self.winner = side
        self.current_player = other
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for region in range(3):
            parts = []
            for player in range(2):
                line = self.lines[region][player]
                text = " ".join(str(n) for n in line) if line else "-"
                parts.append(
                    "%s %s (%d)" % (NAMES[player], text, self._total(region, player))
                )
            lines.append("%s: %s" % (REGIONS[region], ", ".join(parts)))
        states = []
        for region in range(3):
            holder = self.won[region]
            states.append(
                REGIONS[region] + " " + ("open" if holder is None else NAMES[holder])
            )
        lines.append("won: " + ", ".join(states))
        for player in range(2):
            cards = []
            for index in range(NUMBERS):
                cards += [str(index + 1)] * self.hands[player][index]
            text = " ".join(cards) if cards else "none"
            lines.append("%s holds: %s" % (NAMES[player], text))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        index, region = divmod(int(action), 3)
        return "%s %d" % (REGIONS[region], index + 1)

    def clone(self):
        other = copy.copy(self)
        other.hands = [list(h) for h in self.hands]
        other.lines = [[list(line) for line in region] for region in self.lines]
        other.won = list(self.won)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(h) for h in self.hands),
            tuple(tuple(tuple(line) for line in region) for region in self.lines),
            tuple(self.won),
            self.over,
        )
