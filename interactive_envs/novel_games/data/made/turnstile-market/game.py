import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 5
CELLS = 25
NAMES = ("first", "second")
COLUMNS = "abcde"
COLOURS = "ABCDE"
ROWS = ("ABCDE",
        "CDEAB",
        "EABCD",
        "BCDEA",
        "DEABC")
START = [COLOURS.index(x) for row in ROWS for x in row]
LINES = [[r * SIDE + c for c in range(SIDE)] for r in range(SIDE)]
LINES += [[r * SIDE + c for r in range(SIDE)] for c in range(SIDE)]
SAVE = 10
PURSE = 12
CAP = 48


def _line_name(line):
    if line < 5:
        return "row " + str(line + 1)
    return "column " + COLUMNS[line - 5]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(11)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(54,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.grid = list(START)
        self.lock = [-1] * 10
        self.price = [3] * 5
        self.coins = [3, 4]
        self.have = [[0] * 5, [0] * 5]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.grid) + list(self.lock) + list(self.price) + list(self.coins)
        values += list(self.have[0]) + list(self.have[1])
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _end_cell(self, line):
        for cell in LINES[line]:
            if self.grid[cell] >= 0:
                return cell
        return -1

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        moves = []
        for line in range(10):
            if self.lock[line] == player:
                continue
            cell = self._end_cell(line)
            if cell >= 0 and self.price[self.grid[cell]] <= self.coins[player]:
                moves.append(line)
        moves.append(SAVE)
        return moves

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == SAVE:
            self.coins[mover] += 2
        else:
            cell = self._end_cell(action)
            colour = self.grid[cell]
            self.grid[cell] = -1
            self.coins[mover] -= self.price[colour]
            self.have[mover][colour] += 1
            self.lock[action] = mover
            self.price[colour] = min(6, self.price[colour] + 1)
            after = (colour + 1) % 5
            self.price[after] = max(1, self.price[after] - 1)
            if self.have[mover][colour] >= 3:
                self.done = True
                self.winner = mover
        self.coins[mover] = min(PURSE, self.coins[mover] + 1)
        self.moves += 1
        if not self.done and self.moves >= CAP:
            self.done = True
            mine = (sum(self.have[0]), self.coins[0])
            yours = (sum(self.have[1]), self.coins[1])
            self.winner = 0 if mine > yours else 1
        if self.done:
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: a b c d e"]
        for r in range(SIDE):
            parts = []
            for c in range(SIDE):
                colour = self.grid[r * SIDE + c]
                parts.append(COLOURS[colour] if colour >= 0 else ".")
            lines.append(str(r + 1) + ": " + " ".join(parts))
        lines.append("prices: " + ", ".join(COLOURS[i] + " " + str(self.price[i]) for i in range(5)))
        lines.append("coins: first " + str(self.coins[0]) + ", second " + str(self.coins[1]))
        for who in (0, 1):
            parts = []
            for colour in range(5):
                parts += [COLOURS[colour]] * self.have[who][colour]
            lines.append(NAMES[who] + " holds: " + (" ".join(parts) or "-"))
        for who in (0, 1):
            parts = [_line_name(line) for line in range(10) if self.lock[line] == who]
            lines.append("locked for " + NAMES[who] + ": " + (", ".join(parts) or "-"))
        lines.append("moves made: " + str(self.moves) + " of " + str(CAP))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == SAVE:
            return "save"
        return _line_name(action)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.grid = list(self.grid)
        other.lock = list(self.lock)
        other.price = list(self.price)
        other.coins = list(self.coins)
        other.have = [list(self.have[0]), list(self.have[1])]
        return other

    def key(self):
        return (tuple(self.grid), tuple(self.lock), tuple(self.price), tuple(self.coins),
                tuple(self.have[0]), tuple(self.have[1]), self.moves, self.current_player,
                self.done, self.winner)
