import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
CARDS = 4
MOVES = 16
NAMES = ("first", "second")
COLUMNS = "ABCDE"


def _make_lines():
    lines = []
    for r in range(SIZE):
        lines.append(("row %d from left" % (r + 1), [r * SIZE + c for c in range(SIZE)]))
    for r in range(SIZE):
        lines.append(("row %d from right" % (r + 1), [r * SIZE + c for c in reversed(range(SIZE))]))
    for c in range(SIZE):
        lines.append(("column %s from top" % COLUMNS[c], [r * SIZE + c for r in range(SIZE)]))
    for c in range(SIZE):
        lines.append(("column %s from bottom" % COLUMNS[c], [r * SIZE + c for r in reversed(range(SIZE))]))
    return lines


LINES = _make_lines()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CARDS * len(LINES))
        self.observation_space = Box(low=-1.0, high=500.0, shape=(33,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.board = [0] * (SIZE * SIZE)
        self.cards = [-1] * CARDS  # -1: both may use it, 0 or 1: only that player
        self.debt = [0, 0]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.board) + list(self.cards) + list(self.debt)
        values += [self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        result = []
        for card in range(CARDS):
            if self.cards[card] in (-1, self.current_player):
                for line in range(len(LINES)):
                    result.append(card * len(LINES) + line)
        return result

    def move_name(self, action):
        card, line = divmod(int(action), len(LINES))
        return "card %d %s" % (card + 1, LINES[line][0])

    def _largest(self, mark):
        seen = set()
        best = 0
        for start in range(SIZE * SIZE):
            if self.board[start] != mark or start in seen:
                continue
            seen.add(start)
            stack = [start]
            size = 0
            while stack:
                cell = stack.pop()
                size += 1
                r, c = divmod(cell, SIZE)
                for nr, nc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                    if 0 <= nr < SIZE and 0 <= nc < SIZE:
                        other = nr * SIZE + nc
                        if self.board[other] == mark and other not in seen:
                            seen.add(other)
                            stack.append(other)
            best = max(best, size)
        return best

    def _apply(self, action):
        player = self.current_player
        mark = player + 1
        card, line = divmod(action, len(LINES))
        number = card + 1
        cells = LINES[line][1]
        old = [self.board[i] for i in cells]
        new = [0] * SIZE
        new[number - 1] = mark
        front = number - 1
        for place in range(SIZE):
            if old[place]:
                target = max(place, front + 1)
                if target < SIZE:
                    new[target] = old[place]
                front = target
        for place in range(SIZE):
            self.board[cells[place]] = new[place]
        self.cards[card] = 1 - player
        self.debt[player] += number
        self.debt[1 - player] += self._largest(mark)
        self.moves += 1
        if self.moves >= MOVES:
            self.done = True
            self.winner = 0 if self.debt[0] < self.debt[1] else 1
        else:
            self.current_player = 1 - player

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def render(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        else:
            head = "move %d of %d, %s to move" % (self.moves + 1, MOVES, NAMES[self.current_player])
        lines = [head, "columns: A B C D E"]
        for r in range(SIZE):
            row = " ".join(".XO"[self.board[r * SIZE + c]] for c in range(SIZE))
            lines.append("row %d: %s" % (r + 1, row))
        words = []
        for card in range(CARDS):
            owner = self.cards[card]
            words.append("%d %s" % (card + 1, "both" if owner < 0 else NAMES[owner]))
        lines.append("cards: " + ", ".join(words))
        lines.append("debt: first %d, second %d" % (self.debt[0], self.debt[1]))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.board = list(self.board)
        other.cards = list(self.cards)
        other.debt = list(self.debt)
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.board),
            tuple(self.cards),
            tuple(self.debt),
            self.moves,
            self.done,
            self.winner,
        )
