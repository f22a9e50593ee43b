import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

COLUMNS = 5
START = (1, 6, 3, 7, 2)
PUSHES = (3, 4)
TOP = 9
LIMIT = 60
SHIFTS = (1, 2, 3)
KINDS = ("up", "down", "give", "take")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(len(SHIFTS) * len(KINDS))
        self.observation_space = Box(0.0, 1.0, shape=(24,), dtype=np.float32)
        self._start()

    def _start(self):
        self.numbers = [list(START), list(START)]
        self.needle = 0
        self.drifter = 2
        self.pushes = [PUSHES[0], PUSHES[1]]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = [n / TOP for row in self.numbers for n in row]
        values += [1.0 if c == self.needle else 0.0 for c in range(COLUMNS)]
        values += [1.0 if c == self.drifter else 0.0 for c in range(COLUMNS)]
        values += [p / 4 for p in self.pushes]
        values.append(self.moves / LIMIT)
        values.append(float(self.current_player))
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for i, shift in enumerate(SHIFTS):
            c = (self.needle + shift) % COLUMNS
            own = self.numbers[me][c]
            other = self.numbers[1 - me][c]
            base = i * len(KINDS)
            if own < TOP:
                moves.append(base)
            if own > 0:
                moves.append(base + 1)
            if self.pushes[me] > 0:
                if own > 0 and other < TOP:
                    moves.append(base + 2)
                if own < TOP and other > 0:
                    moves.append(base + 3)
        return moves

    def _decide_by_spread(self):
        first = max(self.numbers[0]) - min(self.numbers[0])
        second = max(self.numbers[1]) - min(self.numbers[1])
        if first != second:
            return 0 if first < second else 1
        if self.pushes[0] != self.pushes[1]:
            return 0 if self.pushes[0] > self.pushes[1] else 1
        return 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        shift = SHIFTS[action // len(KINDS)]
        kind = KINDS[action % len(KINDS)]
        self.needle = (self.needle + shift) % COLUMNS
        c = self.needle
        mine = self.numbers[me]
        theirs = self.numbers[1 - me]
        if kind == "up":
            mine[c] += 1
        elif kind == "down":
            mine[c] -= 1
        elif kind == "give":
            mine[c] -= 1
            theirs[c] += 1
            self.pushes[me] -= 1
        else:
            mine[c] += 1
            theirs[c] -= 1
            self.pushes[me] -= 1
        self.moves += 1
        if len(set(mine)) == 1:
            self.done = True
            self.winner = me
        else:
            if me == 1:
                self._drift()
            if self.moves >= LIMIT:
                self.done = True
                self.winner = self._decide_by_spread()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def _drift(self):
        self.drifter = (self.drifter + 1) % COLUMNS
        c = self.drifter
        if self.numbers[0][c] > self.numbers[1][c]:
            self.numbers[0][c] -= 1
        elif self.numbers[1][c] > self.numbers[0][c]:
            self.numbers[1][c] -= 1

    def render(self):
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            f"moves made: {self.moves} of {LIMIT}",
            "numbers of first: " + " ".join(str(n) for n in self.numbers[0]),
            "numbers of second: " + " ".join(str(n) for n in self.numbers[1]),
            f"needle: {self.needle + 1}",
            f"drifter: {self.drifter + 1}",
            f"pushes: first {self.pushes[0]}, second {self.pushes[1]}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        action = int(action)
        return f"step {SHIFTS[action // len(KINDS)]} {KINDS[action % len(KINDS)]}"

    def clone(self):
        other = CustomEnv()
        other.numbers = [list(row) for row in self.numbers]
        other.needle = self.needle
        other.drifter = self.drifter
        other.pushes = list(self.pushes)
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.numbers[0]), tuple(self.numbers[1]), self.needle,
                self.drifter, tuple(self.pushes), self.moves,
                self.current_player, self.done)
