import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
NUMBERS = [5, 2, 7, 3, 6, 1, 4, 8, 4, 6, 2, 5, 1, 7, 3, 8]
GATES = (3, 7, 11, 15)
PIECES = ((0, 5, 10), (2, 8, 13))
REST = 32
LENGTH = 12


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(33)
        self.observation_space = Box(0.0, 500.0, shape=(36,), dtype=np.float32)
        self._start()

    def _start(self):
        self.numbers = list(NUMBERS)
        self.ring = [0] * 16
        for player in range(2):
            for cell in PIECES[player]:
                self.ring[cell] = player + 1
        self.debt = [0, 0]
        self.turn = 0
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        me = self.current_player
        values = list(self.numbers)
        values += [0 if piece == 0 else (1 if piece == me + 1 else 2) for piece in self.ring]
        values += [self.debt[me], self.debt[1 - me], self.turn, me]
        return np.array(values, dtype=np.float32)

    def _slide(self, cell, way):
        step = 1 if way == 0 else -1
        here = cell
        while True:
            there = (here + step) % 16
            if self.ring[there]:
                return here
            here = there
            if here in GATES:
                return here

    def valid_moves(self):
        if self.over:
            return []
        mine = self.current_player + 1
        moves = []
        for cell in range(16):
            if self.ring[cell] != mine:
                continue
            for way in range(2):
                step = 1 if way == 0 else -1
                if self.ring[(cell + step) % 16] == 0:
                    moves.append(cell * 2 + way)
        return moves if moves else [REST]

    def _gift(self):
        return (self.turn // 4) % 2 == 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        if action == REST:
            self.debt[me] += 3
        else:
            cell, way = divmod(action, 2)
            target = self._slide(cell, way)
            self.ring[cell] = 0
            self.ring[target] = me + 1
            payer = 1 - me if self._gift() else me
            self.debt[payer] += self.numbers[target]
            self.numbers[target] += 2
        self.turn += 1
        self.current_player = 1 - me
        if self.turn == LENGTH:
            self.over = True
            self.winner = 0 if self.debt[0] < self.debt[1] else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = [
            "cells: " + " ".join(str(cell + 1) for cell in range(16)),
            "numbers: " + " ".join(str(number) for number in self.numbers),
            "pieces: " + " ".join(".FS"[piece] for piece in self.ring),
            "gates: 4 8 12 16",
            "debt: first " + str(self.debt[0]) + ", second " + str(self.debt[1]),
            "moves made: " + str(self.turn) + " of 12",
        ]
        if self.over:
            lines.append("rule: none")
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("rule: " + ("gift" if self._gift() else "toll"))
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == REST:
            return "rest"
        cell, way = divmod(action, 2)
        return "slide " + str(cell + 1) + (" forward" if way == 0 else " back")

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.numbers = list(self.numbers)
        other.ring = list(self.ring)
        other.debt = list(self.debt)
        return other

    def key(self):
        return (
            self.current_player, self.turn, tuple(self.numbers), tuple(self.ring), tuple(self.debt),
            self.over, self.winner,
        )
