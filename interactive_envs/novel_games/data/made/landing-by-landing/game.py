import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

STEPS = 12
ROOM = 2
OPEN = 5
LONG = 7
ROW = (6, 2, 9, 11, 4, 7, 1, 10, 5, 12, 3, 8, 7, 10, 2, 5, 12, 9, 6, 1, 8, 3, 11, 4)
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(STEPS * 3)
        self.observation_space = Box(low=0.0, high=20.0, shape=(51,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.row = list(ROW)
        # pieces[player][step], step 1 to 12, index 0 unused
        self.pieces = [[0] * (STEPS + 1), [0] * (STEPS + 1)]
        self.last = [0, 0]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = list(self.pieces[0][1:]) + list(self.pieces[1][1:])
        values += list(self.last)
        values += list(self.row) + [0] * (len(ROW) - len(self.row))
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _has_room(self, step):
        if step > STEPS:
            return False
        return self.pieces[0][step] + self.pieces[1][step] < ROOM

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for number in sorted(set(self.row[:OPEN])):
            base = (number - 1) * 3
            here = self._has_room(number)
            above = self._has_room(number + 1)
            if here:
                moves.append(base)
            if above:
                moves.append(base + 1)
            if not here and not above:
                moves.append(base + 2)
        return moves

    def _chains(self, player):
        chains = []
        current = []
        for step in range(1, STEPS + 1):
            if self.pieces[player][step] > 0:
                current.append(step)
            elif current:
                chains.append(current)
                current = []
        if current:
            chains.append(current)
        return chains

    def _longest(self, player):
        return max([len(chain) for chain in self._chains(player)] + [0])

    def _worth(self, player):
        best = 0
        for chain in self._chains(player):
            worth = sum(self.pieces[player][step] for step in chain)
            if self.last[player] in chain:
                worth += 1
            best = max(best, worth)
        return best

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        number = action // 3 + 1
        kind = action % 3
        self.row.remove(number)
        if kind < 2:
            step = number + kind
            self.pieces[player][step] += 1
            self.last[player] = step
        if self._longest(player) >= LONG:
            self.over = True
            self.winner = player
        elif not self.row:
            self.over = True
            self.winner = 0 if self._worth(0) >= self._worth(1) else 1
        self.current_player = 1 - player
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for step in range(STEPS, 0, -1):
            text = "X" * self.pieces[0][step] + "O" * self.pieces[1][step]
            lines.append("step %d: %s" % (step, text if text else "-"))
        text = " ".join(str(n) for n in self.row[:OPEN])
        if len(self.row) > OPEN:
            text += " | " + " ".join(str(n) for n in self.row[OPEN:])
        lines.append("row: " + (text if text else "empty"))
        lines.append(
            "longest chain: first %d, second %d" % (self._longest(0), self._longest(1))
        )
        last = ["none" if step == 0 else str(step) for step in self.last]
        lines.append("placed last: first %s, second %s" % (last[0], last[1]))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        number = action // 3 + 1
        kind = action % 3
        if kind == 0:
            return "take %d" % number
        if kind == 1:
            return "take %d up" % number
        return "throw %d" % number

    def clone(self):
        other = copy.copy(self)
        other.row = list(self.row)
        other.pieces = [list(p) for p in self.pieces]
        other.last = list(self.last)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.row),
            tuple(self.pieces[0]),
            tuple(self.pieces[1]),
            tuple(self.last),
            self.over,
        )
