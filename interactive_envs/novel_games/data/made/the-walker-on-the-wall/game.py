import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

COLUMNS = 10
LEVELS = 4
STEEP = 2
LONG = 6
CARDS = (1, 3, 2, 4, 1, 2, 3, 1, 4, 2)
START_WALKER = 4
SWAPS = 2
NAMES = ("first", "second")
MARKS = "XO"


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(COLUMNS + COLUMNS - 1)
        self.observation_space = Box(low=0.0, high=10.0, shape=(54,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.towers = [[] for _ in range(COLUMNS)]
        self.cards = list(CARDS)
        self.walker = START_WALKER
        self.swaps = [SWAPS, SWAPS]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = []
        for tower in self.towers:
            values += [block + 1 for block in tower]
            values += [0] * (LEVELS - len(tower))
        values += list(self.cards)
        values.append(self.walker)
        values += list(self.swaps)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _can_build(self, column):
        if column == self.walker:
            return False
        height = len(self.towers[column]) + 1
        if height > LEVELS:
            return False
        for side in (column - 1, column + 1):
            if 0 <= side < COLUMNS and height > len(self.towers[side]) + STEEP:
                return False
        return True

    def _builds(self):
        return [c for c in range(COLUMNS) if self._can_build(c)]

    def valid_moves(self):
        if self.over:
            return []
        moves = self._builds()
        if self.swaps[self.current_player] > 0:
            moves += list(range(COLUMNS, COLUMNS * 2 - 1))
        return moves

    def _longest(self, player):
        best = 0
        run = 0
        for tower in self.towers:
            if tower and tower[-1] == player:
                run += 1
                best = max(best, run)
            else:
                run = 0
        return best

    def _tops(self, player):
        return sum(1 for tower in self.towers if tower and tower[-1] == player)

    def _final(self):
        chains = (self._longest(0), self._longest(1))
        if chains[0] != chains[1]:
            return 0 if chains[0] > chains[1] else 1
        return 0 if self._tops(0) > self._tops(1) else 1

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action < COLUMNS:
            self.towers[action].append(player)
            if self._longest(player) >= LONG:
                self.over = True
                self.winner = player
        else:
            left = action - COLUMNS
            cards = self.cards
            cards[left], cards[left + 1] = cards[left + 1], cards[left]
            self.swaps[player] -= 1
        if not self.over:
            if player == 1:
                self.walker = (self.walker + self.cards[self.walker]) % COLUMNS
            if not self._builds():
                self.over = True
                self.winner = self._final()
        self.current_player = 1 - player
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for level in range(LEVELS, 0, -1):
            row = []
            for tower in self.towers:
                row.append(MARKS[tower[level - 1]] if len(tower) >= level else ".")
            lines.append("level %d: %s" % (level, " ".join(row)))
        lines.append("cards: " + " ".join(str(c) for c in self.cards))
        lines.append("walker: column %d" % (self.walker + 1))
        lines.append(
            "longest chain: first %d, second %d" % (self._longest(0), self._longest(1))
        )
        lines.append("swaps left: first %d, second %d" % (self.swaps[0], self.swaps[1]))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < COLUMNS:
            return "build %d" % (action + 1)
        left = action - COLUMNS + 1
        return "swap %d %d" % (left, left + 1)

    def clone(self):
        other = copy.copy(self)
        other.towers = [list(t) for t in self.towers]
        other.cards = list(self.cards)
        other.swaps = list(self.swaps)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(t) for t in self.towers),
            tuple(self.cards),
            self.walker,
            tuple(self.swaps),
            self.over,
        )
