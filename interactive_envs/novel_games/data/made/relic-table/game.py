import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 6
CELLS = 36
NAMES = ("first", "second")
COLUMNS = "abcdef"
COLOURS = "RGB"
COST = (2, 3, 4, 4, 3, 2)
WORK = 12
CAP = 60
ROWS = ("R1 G1 R2 B3 R3 G3",
        "G1 G2 B1 R2 R1 R3",
        "R2 B1 B3 G3 B2 G2",
        "B3 R2 G3 R1 G1 B2",
        "R3 R1 B2 G1 G2 B1",
        "G3 R3 G2 B2 B1 B3")
TYPES = [c + n for c in COLOURS for n in "123"]
START = [TYPES.index(name) for row in ROWS for name in row.split()]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(22)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(62,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.table = list(START)
        self.marker = 14
        self.coins = [3, 4]
        self.rate = [2, 2, 2]
        self.have = [[0] * 9, [0] * 9]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.table) + [self.marker] + list(self.coins) + list(self.rate)
        values += list(self.have[0]) + list(self.have[1])
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        row, col = divmod(self.marker, SIDE)
        here = col if player == 0 else row
        moves = []
        for line in range(SIDE):
            if line != here and COST[line] <= self.coins[player]:
                moves.append(player * 6 + line)
        if self.coins[player] <= 6:
            moves.append(WORK)
        for kind in range(9):
            if self.have[player][kind] > 0:
                moves.append(13 + kind)
        return moves

    def _complete(self, player, colour):
        have = self.have[player]
        return have[colour * 3] > 0 and have[colour * 3 + 1] > 0 and have[colour * 3 + 2] > 0

    def _kinds(self, player):
        return sum(1 for n in self.have[player] if n > 0)

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action < 12:
            line = action % 6
            row, col = divmod(self.marker, SIDE)
            if mover == 0:
                col = line
            else:
                row = line
            self.coins[mover] -= COST[line]
            self.marker = row * SIDE + col
            kind = self.table[self.marker]
            if kind >= 0:
                self.table[self.marker] = -1
                self.have[mover][kind] += 1
                colour = kind // 3
                self.rate[colour] = min(5, self.rate[colour] + 1)
                if self._complete(mover, colour):
                    self.done = True
                    self.winner = mover
        elif action == WORK:
            self.coins[mover] = min(9, self.coins[mover] + 2)
        else:
            kind = action - 13
            colour = kind // 3
            self.have[mover][kind] -= 1
            self.coins[mover] = min(9, self.coins[mover] + self.rate[colour])
            self.rate[colour] = max(1, self.rate[colour] - 1)
        self.moves += 1
        if not self.done and self.moves >= CAP:
            self.done = True
            mine = (self._kinds(0), self.coins[0])
            yours = (self._kinds(1), self.coins[1])
            self.winner = 0 if mine > yours else 1
        if self.done:
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e f"]
        for r in range(SIDE):
            parts = []
            for c in range(SIDE):
                kind = self.table[r * SIDE + c]
                parts.append(TYPES[kind] if kind >= 0 else "--")
            lines.append(str(r + 1) + ": " + " ".join(parts))
        lines.append("marker: " + COLUMNS[self.marker % SIDE] + str(self.marker // SIDE + 1))
        lines.append("coins: first " + str(self.coins[0]) + ", second " + str(self.coins[1]))
        lines.append("rates: " + ", ".join(COLOURS[i] + " " + str(self.rate[i]) for i in range(3)))
        for who in (0, 1):
            parts = []
            for kind in range(9):
                parts += [TYPES[kind]] * self.have[who][kind]
            lines.append(NAMES[who] + " holds: " + (" ".join(parts) or "-"))
        lines.append("moves made: " + str(self.moves) + " of " + str(CAP))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 6:
            return "column " + COLUMNS[action]
        if action < 12:
            return "row " + str(action - 5)
        if action == WORK:
            return "work"
        return "sell " + TYPES[action - 13]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.table = list(self.table)
        other.coins = list(self.coins)
        other.rate = list(self.rate)
        other.have = [list(self.have[0]), list(self.have[1])]
        return other

    def key(self):
        return (tuple(self.table), self.marker, tuple(self.coins), tuple(self.rate),
                tuple(self.have[0]), tuple(self.have[1]), self.moves, self.current_player,
                self.done, self.winner)
