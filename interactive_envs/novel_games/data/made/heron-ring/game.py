import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 3
CARDS = (2, 7, 6, 9, 5, 1, 4, 3, 8)
GOAL = 23
MAJORITY = 3
SIDES = 4
HERON_START = 4
NAMES = ("first", "second")


def step_right(cell):
    r, c = divmod(cell, SIZE)
    return r * SIZE + (c + 1) % SIZE


def step_down(cell):
    r, c = divmod(cell, SIZE)
    return ((r + 1) % SIZE) * SIZE + c


LINES = []
for _cell in range(SIZE * SIZE):
    LINES.append((_cell, step_right(_cell)))
    LINES.append((_cell, step_down(_cell)))
LINES = tuple(LINES)


def line_name(line):
    a, b = LINES[line]
    low, high = sorted((CARDS[a], CARDS[b]))
    return str(low) + "-" + str(high)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(len(LINES))
        self.observation_space = Box(-1.0, 100.0, shape=(37,), dtype=np.float32)
        self._start()

    def _start(self):
        self.line = [None] * len(LINES)
        self.card = [None] * len(CARDS)
        self.heron = HERON_START
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        values = []
        for owner in self.line + self.card:
            values.append(0 if owner is None else (1 if owner == p else -1))
        for cell in range(len(CARDS)):
            values.append(1 if cell == self.heron else 0)
        values.append(p)
        return np.array([float(v) for v in values], dtype=np.float32)

    def _points(self, player):
        return sum(v for v, owner in zip(CARDS, self.card) if owner == player)

    def _owners(self, cell):
        found = []
        for i, ends in enumerate(LINES):
            if cell in ends and self.line[i] is not None:
                found.append(self.line[i])
        return found

    def valid_moves(self):
        if self.done:
            return []
        free = [i for i in range(len(LINES)) if self.line[i] is None]
        away = [i for i in free if self.heron not in LINES[i]]
        return away if away else free

    def step(self, action):
        action = int(action)
        p = self.current_player
        q = 1 - p
        if action not in self.valid_moves():
            self.done = True
            self.winner = q
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        self.line[action] = p
        for cell in LINES[action]:
            if self.card[cell] is None:
                owners = self._owners(cell)
                if owners.count(p) >= MAJORITY or len(owners) == SIDES:
                    self.card[cell] = p
        self.moves += 1
        self.current_player = q
        if self._points(p) >= GOAL:
            self.done = True
            self.winner = p
            return self._obs(), 1.0, True, False, {"winner": p}
        if self.moves % 2 == 0:
            if len(self._owners(self.heron)) % 2 == 0:
                self.heron = step_right(self.heron)
            else:
                self.heron = step_down(self.heron)
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(SIZE):
            parts = []
            for c in range(SIZE):
                cell = r * SIZE + c
                text = str(CARDS[cell])
                if self.card[cell] is not None:
                    text += "AB"[self.card[cell]]
                parts.append(text)
            lines.append("row " + str(r + 1) + ": " + " ".join(parts))
        for player in (0, 1):
            names = [line_name(i) for i in range(len(LINES)) if self.line[i] == player]
            lines.append(NAMES[player] + " has: " + (" ".join(names) if names else "none"))
        lines.append("heron: card " + str(CARDS[self.heron]))
        lines.append("points: first " + str(self._points(0)) + " second " + str(self._points(1)))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        return line_name(int(action))

    def clone(self):
        other = CustomEnv()
        other.line = list(self.line)
        other.card = list(self.card)
        other.heron = self.heron
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.line), tuple(self.card), self.heron, self.moves,
                self.current_player, self.done, self.winner)
