import copy

import gymnasium
import numpy as np
from gymnasium import spaces

PLAYERS = ("first", "second")
SUITS = ("red", "green", "blue")
ROWS, COLS = 6, 4
CELLS = ROWS * COLS
LAYOUT = (
    ("R1", "G8", "B3", "R6"),
    ("G5", "B2", "R7", "G4"),
    ("B8", "R4", "G1", "B6"),
    ("R3", "G6", "B5", "R8"),
    ("G2", "B7", "R2", "G7"),
    ("B1", "R5", "G3", "B4"),
)
ROUNDS = 10
RUIN = 25


def _code(text):
    return "RGB".index(text[0]) * 8 + int(text[1])


def _swaps():
    pairs = []
    for r in range(ROWS):
        for c in range(COLS - 1):
            pairs.append((r * COLS + c, r * COLS + c + 1))
    for r in range(ROWS - 1):
        for c in range(COLS):
            pairs.append((r * COLS + c, (r + 1) * COLS + c))
    return tuple(pairs)


SWAPS = _swaps()
KEEP = len(SWAPS)          # 38
ROW0 = KEEP + 1            # 39
COL0 = ROW0 + ROWS         # 45
STAGES = ("swap", "row", "column")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(COL0 + COLS)
        self.observation_space = spaces.Box(low=-1.0, high=50.0, shape=(35,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.table = [_code(text) for line in LAYOUT for text in line]   # 0 is no card
        self.bailiff = 0
        self.debts = [[0, 0, 0], [0, 0, 0]]
        self.round = 1
        self.stage = 0
        self.row = -1
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        values = list(self.table) + [self.bailiff, self.stage, self.row]
        values += list(self.debts[0]) + list(self.debts[1])
        values += [self.round, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        if self.stage == 0:
            moves = [i for i, (a, b) in enumerate(SWAPS) if self.table[a] and self.table[b]]
            moves.append(KEEP)
            return moves
        if self.stage == 1:
            return [
                ROW0 + r
                for r in range(ROWS)
                if any(self.table[r * COLS + c] for c in range(COLS))
            ]
        return [COL0 + c for c in range(COLS) if self.table[self.row * COLS + c]]

    def _play(self, action):
        player = self.current_player
        self.current_player = 1 - player
        if self.stage == 0:
            if action != KEEP:
                a, b = SWAPS[action]
                self.table[a], self.table[b] = self.table[b], self.table[a]
            self.stage = 1
            return
        if self.stage == 1:
            self.row = action - ROW0
            self.stage = 2
            return
        col = action - COL0
        cell = self.row * COLS + col
        suit, face = divmod(self.table[cell] - 1, 8)
        face += 1
        self.table[cell] = 0
        value = 2 * face if col == self.bailiff else face
        debtor = 1 - player
        self.debts[debtor][suit] = abs(self.debts[debtor][suit] - value)
        self.bailiff = (self.bailiff + face) % COLS
        self.stage = 0
        self.row = -1
        totals = [sum(self.debts[0]), sum(self.debts[1])]
        if totals[debtor] >= RUIN:
            self.done = True
            self.winner = player
        elif self.round == ROUNDS:
            self.done = True
            self.winner = 0 if totals[0] < totals[1] else 1
        else:
            self.round += 1

    def step(self, action):
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        self._play(action)
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def _card(self, cell):
        code = self.table[cell]
        if code == 0:
            return "--"
        suit, face = divmod(code - 1, 8)
        return "RGB"[suit] + str(face + 1)

    def render(self):
        lines = ["round: %d of %d" % (self.round, ROUNDS)]
        for r in range(ROWS):
            cards = " ".join(self._card(r * COLS + c) for c in range(COLS))
            lines.append("row %d: %s" % (r + 1, cards))
        lines.append("bailiff: column %d" % (self.bailiff + 1))
        for p in (0, 1):
            d = self.debts[p]
            lines.append(
                "debt of %s: red %d, green %d, blue %d, total %d"
                % (PLAYERS[p], d[0], d[1], d[2], sum(d))
            )
        if self.done:
            lines.append("winner: " + PLAYERS[self.winner])
        else:
            lines.append("debtor: " + PLAYERS[self.round % 2])
            lines.append("to choose: " + STAGES[self.stage])
            if self.row >= 0:
                lines.append("chosen row: %d" % (self.row + 1))
            lines.append("to move: " + PLAYERS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < KEEP:
            a, b = SWAPS[action]
            return "swap r%dc%d r%dc%d" % (
                a // COLS + 1, a % COLS + 1, b // COLS + 1, b % COLS + 1
            )
        if action == KEEP:
            return "keep"
        if action < COL0:
            return "row %d" % (action - ROW0 + 1)
        return "column %d" % (action - COL0 + 1)

    def clone(self):
        env = CustomEnv()
        env.table = list(self.table)
        env.bailiff = self.bailiff
        env.debts = [list(d) for d in self.debts]
        env.round = self.round
        env.stage = self.stage
        env.row = self.row
        env.current_player = self.current_player
        env.done = self.done
        env.winner = self.winner
        env.np_random = copy.deepcopy(self.np_random)
        return env

    def key(self):
        return (
            tuple(self.table),
            self.bailiff,
            tuple(self.debts[0]),
            tuple(self.debts[1]),
            self.round,
            self.stage,
            self.row,
            self.current_player,
            self.done,
            self.winner,
        )
