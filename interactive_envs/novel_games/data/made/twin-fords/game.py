import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = 5
COLS = 3
HALF = ROWS * COLS
CELLS = 2 * HALF
KINDS = ("step", "slant left", "slant right", "side left", "side right", "shift")
CARD_OF = ("step", "slant", "slant", "side", "side", "shift")
CARDS = ("step", "slant", "shift", "step", "slant", "side")
CODES = {"step": 0, "slant": 1, "shift": 2, "side": 3}
OPEN = 3
WAIT = len(KINDS) * CELLS
CAP = 60
NAMES = ("first", "second")


def _cell_name(cell):
    half, rest = divmod(cell, HALF)
    row, col = divmod(rest, COLS)
    return "LR"[half] + "abc"[col] + str(row + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(WAIT + 1)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(38,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.board = [0] * CELLS
        for half in (0, 1):
            for col in range(COLS):
                self.board[half * HALF + col] = 1
                self.board[half * HALF + (ROWS - 1) * COLS + col] = 2
        self.row = list(CARDS)
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.board) + [CODES[card] for card in self.row]
        values += [self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def _open_count(self, player):
        own = self.board.count(player + 1)
        other = self.board.count(2 - player)
        return OPEN + 1 if own < other else OPEN

    def _target(self, player, kind, cell):
        half, rest = divmod(cell, HALF)
        row, col = divmod(rest, COLS)
        ahead = 1 if player == 0 else -1
        if kind == 0:
            row += ahead
        elif kind == 1:
            row += ahead
            col -= 1
        elif kind == 2:
            row += ahead
            col += 1
        elif kind == 3:
            col -= 1
        elif kind == 4:
            col += 1
        else:
            half = 1 - half
        if not (0 <= row < ROWS and 0 <= col < COLS):
            return None
        return half * HALF + row * COLS + col

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        own = player + 1
        foe = 2 - player
        cards = set(self.row[: self._open_count(player)])
        result = []
        for kind in range(len(KINDS)):
            if CARD_OF[kind] not in cards:
                continue
            for cell in range(CELLS):
                if self.board[cell] != own:
                    continue
                target = self._target(player, kind, cell)
                if target is None or self.board[target] == own:
                    continue
                if self.board[target] == foe and self.board[(target + HALF) % CELLS] == foe:
                    continue
                result.append(kind * CELLS + cell)
        if not result:
            result.append(WAIT)
        return result

    def move_name(self, action):
        action = int(action)
        if action == WAIT:
            return "wait"
        kind, cell = divmod(action, CELLS)
        return KINDS[kind] + " " + _cell_name(cell)

    def _advance(self, player):
        total = 0
        for cell in range(CELLS):
            if self.board[cell] == player + 1:
                row = (cell % HALF) // COLS
                total += row if player == 0 else ROWS - 1 - row
        return total

    def _apply(self, action):
        player = self.current_player
        own = player + 1
        foe = 2 - player
        crossed = False
        if action == WAIT:
            self.row.append(self.row.pop(0))
        else:
            kind, cell = divmod(action, CELLS)
            target = self._target(player, kind, cell)
            self.board[cell] = 0
            self.board[target] = own
            place = self.row.index(CARD_OF[kind])
            self.row.append(self.row.pop(place))
            goal = ROWS - 1 if player == 0 else 0
            crossed = (target % HALF) // COLS == goal
        self.moves += 1
        if crossed or foe not in self.board:
            # the pieces of a player never start on his own goal row
            self.done = True
            self.winner = player
        elif self.moves >= CAP:
            self.done = True
            mine = (self.board.count(1), self._advance(0))
            yours = (self.board.count(2), self._advance(1))
            self.winner = 0 if mine > yours else 1
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
            head = "move %d, %s to move" % (self.moves + 1, NAMES[self.current_player])
        lines = [head, "columns: a b c | a b c"]
        for row in range(ROWS - 1, -1, -1):
            parts = []
            for half in (0, 1):
                start = half * HALF + row * COLS
                parts.append(" ".join(".XO"[self.board[start + col]] for col in range(COLS)))
            lines.append("%d: %s | %s" % (row + 1, parts[0], parts[1]))
        count = self._open_count(self.current_player)
        lines.append("open: " + " ".join(self.row[:count]))
        lines.append("closed: " + " ".join(self.row[count:]))
        lines.append("pieces: first %d, second %d" % (self.board.count(1), self.board.count(2)))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.board = list(self.board)
        other.row = list(self.row)
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.board),
            tuple(self.row),
            self.moves,
            self.done,
            self.winner,
        )
