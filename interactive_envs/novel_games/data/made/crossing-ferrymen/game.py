import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
MIDDLE = 2
REST = 2
MIDDLE_REST = 3
LAST_MOVE = 30
FIRST_START = (1, 7, 3)
SECOND_START = (5, 11, 15)
NAMES = ("first", "second")
SIGNS = (".", "A", "B")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(6 * SIZE)
        self.observation_space = Box(-1.0, 100.0, shape=(39,), dtype=np.float32)
        self._start()

    def _start(self):
        self.board = [0] * (SIZE * SIZE)
        for cell in FIRST_START:
            self.board[cell] = 1
        for cell in SECOND_START:
            self.board[cell] = 2
        self.mark_row = 0
        self.mark_col = 0
        self.rest = [[0] * SIZE, [0] * SIZE]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = list(self.board) + [self.mark_row, self.mark_col]
        values += self.rest[0] + self.rest[1]
        values += [self.moves, self.current_player]
        return np.array([float(v) for v in values], dtype=np.float32)

    def _parts(self, action):
        player, left = divmod(action, 3 * SIZE)
        line, mode = divmod(left, 3)
        return player, line, mode

    def _cells(self, action):
        player, line, mode = self._parts(action)
        if player == 0:
            r, c = self.mark_row, line
        else:
            r, c = line, self.mark_col
        change = (0, -1, 1)[mode]
        if player == 0:
            r2, c2 = r + change, c
        else:
            r2, c2 = r, c + change
        if not (0 <= r2 < SIZE and 0 <= c2 < SIZE):
            return r, c, None
        return r, c, r2 * SIZE + c2

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        for action in range(3 * SIZE * p, 3 * SIZE * (p + 1)):
            player, line, mode = self._parts(action)
            if self.rest[p][line] > 0:
                continue
            if mode > 0:
                r, c, partner = self._cells(action)
                if partner is None:
                    continue
                if self.board[r * SIZE + c] == self.board[partner]:
                    continue
            moves.append(action)
        return moves

    def _progress(self, player):
        total = 0
        for cell in range(SIZE * SIZE):
            if self.board[cell] == player + 1:
                r, c = divmod(cell, SIZE)
                total += (r if player == 0 else c) + 1
        return total

    def _across(self, player):
        for i in range(SIZE):
            cell = (SIZE - 1) * SIZE + i if player == 0 else i * SIZE + SIZE - 1
            if self.board[cell] == player + 1:
                return True
        return False

    def step(self, action):
        action = int(action)
        p = self.current_player
        q = 1 - p
        if action not in self.valid_moves():
            self.done = True
            self.winner = q
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player, line, mode = self._parts(action)
        r, c, partner = self._cells(action)
        here = r * SIZE + c
        if mode > 0:
            self.board[here], self.board[partner] = self.board[partner], self.board[here]
        self.mark_row = r
        self.mark_col = c
        for i in range(SIZE):
            if self.rest[p][i] > 0:
                self.rest[p][i] -= 1
        self.rest[p][line] = MIDDLE_REST if line == MIDDLE else REST
        self.moves += 1
        self.current_player = q
        if self._across(p):
            self.done = True
            self.winner = p
        elif self.moves >= LAST_MOVE:
            self.done = True
            self.winner = 0 if self._progress(0) > self._progress(1) else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _closed_text(self, player):
        names = [str(i + 1) for i in range(SIZE) if self.rest[player][i] > 0]
        return " ".join(names) if names else "none"

    def render(self):
        lines = []
        for r in range(SIZE):
            parts = []
            for c in range(SIZE):
                sign = SIGNS[self.board[r * SIZE + c]]
                if r == self.mark_row and c == self.mark_col:
                    sign = "[" + sign + "]"
                parts.append(sign)
            lines.append("row " + str(r + 1) + ": " + " ".join(parts))
        lines.append("closed columns: " + self._closed_text(0))
        lines.append("closed rows: " + self._closed_text(1))
        lines.append("moves made: " + str(self.moves) + " of " + str(LAST_MOVE))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        player, line, mode = self._parts(int(action))
        if player == 0:
            return "column " + str(line + 1) + " " + ("hold", "up", "down")[mode]
        return "row " + str(line + 1) + " " + ("hold", "left", "right")[mode]

    def clone(self):
        other = CustomEnv()
        other.board = list(self.board)
        other.mark_row = self.mark_row
        other.mark_col = self.mark_col
        other.rest = [list(self.rest[0]), list(self.rest[1])]
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.board), self.mark_row, self.mark_col,
                tuple(self.rest[0]), tuple(self.rest[1]), self.moves,
                self.current_player, self.done, self.winner)
