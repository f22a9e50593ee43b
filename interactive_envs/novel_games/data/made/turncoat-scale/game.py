import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
N = 4
VALUES = 8


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(N * N * VALUES)
        self.observation_space = Box(low=0.0, high=16.0, shape=(50,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = [0] * (N * N)
        self.value = [0] * (N * N)
        self.cards = [[True] * VALUES, [True] * VALUES]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = list(self.owner) + list(self.value)
        for p in (0, 1):
            values += [1 if held else 0 for held in self.cards[p]]
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _low_rules(self):
        return (self.moves // 4) % 2 == 1

    def valid_moves(self):
        if self.done:
            return []
        held = self.cards[self.current_player]
        moves = []
        for cell in range(N * N):
            if self.owner[cell] == 0:
                for v in range(VALUES):
                    if held[v]:
                        moves.append(cell * VALUES + v)
        return moves

    def _joined(self, player):
        me = player + 1
        todo = []
        for k in range(N):
            cell = k * N if player == 0 else k
            if self.owner[cell] == me:
                todo.append(cell)
        seen = set(todo)
        while todo:
            cell = todo.pop()
            row, col = divmod(cell, N)
            if (col if player == 0 else row) == N - 1:
                return True
            for r in (row - 1, row, row + 1):
                for c in (col - 1, col, col + 1):
                    if 0 <= r < N and 0 <= c < N:
                        other = r * N + c
                        if other not in seen and self.owner[other] == me:
                            seen.add(other)
                            todo.append(other)
        return False

    def _sum(self, player):
        return sum(v for o, v in zip(self.owner, self.value) if o == player + 1)

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        cell, index = divmod(action, VALUES)
        v = index + 1
        low = self._low_rules()
        self.cards[p][index] = False
        self.owner[cell] = p + 1
        self.value[cell] = v
        row, col = divmod(cell, N)
        for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if 0 <= r < N and 0 <= c < N:
                other = r * N + c
                if self.owner[other] == 2 - p:
                    w = self.value[other]
                    if (v < w) if low else (v > w):
                        self.owner[other] = p + 1
        self.moves += 1
        self.current_player = 1 - p
        if self._joined(p):
            self.done = True
            self.winner = p
        elif self.moves == N * N:
            self.done = True
            self.winner = 0 if self._sum(0) > self._sum(1) else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        for row in range(N - 1, -1, -1):
            line = str(row + 1)
            for col in range(N):
                cell = row * N + col
                if self.owner[cell]:
                    text = "FS"[self.owner[cell] - 1] + str(self.value[cell])
                else:
                    text = "."
                line += " " + text.rjust(2)
            lines.append(line)
        lines.append("-" + "".join("  " + c for c in "abcd"))
        lines.append("rule: " + ("low beats high" if self._low_rules() else "high beats low"))
        lines.append("scale: first " + str(self._sum(0)) + ", second " + str(self._sum(1)))
        for p in (0, 1):
            held = " ".join(str(k + 1) for k in range(VALUES) if self.cards[p][k])
            lines.append("cards of " + NAMES[p] + ": " + (held or "none"))
        lines.append("moves made: " + str(self.moves))
        return "\n".join(lines)

    def move_name(self, action):
        cell, index = divmod(int(action), VALUES)
        row, col = divmod(cell, N)
        return str(index + 1) + " at " + "abcd"[col] + str(row + 1)

    def clone(self):
        other = copy.copy(self)
        other.owner = list(self.owner)
        other.value = list(self.value)
        other.cards = [list(self.cards[0]), list(self.cards[1])]
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.moves,
            tuple(self.owner),
            tuple(self.value),
            tuple(self.cards[0]),
            tuple(self.cards[1]),
        )
