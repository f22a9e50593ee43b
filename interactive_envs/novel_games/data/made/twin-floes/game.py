import copy

import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
FLOES = "LR"
SIZE = 4
CELLS = SIZE * SIZE
THICK = 2
STAMP = 16
UNDO = 32
START = ((1, 14), (14, 1))
DIRECTIONS = (
    ("north", -1, 0),
    ("north-east", -1, 1),
    ("east", 0, 1),
    ("south-east", 1, 1),
    ("south", 1, 0),
    ("south-west", 1, -1),
    ("west", 0, -1),
    ("north-west", -1, -1),
)


def target(cell, direction):
    row, column = divmod(cell, SIZE)
    row += DIRECTIONS[direction][1]
    column += DIRECTIONS[direction][2]
    if 0 <= row < SIZE and 0 <= column < SIZE:
        return row * SIZE + column
    return -1


TARGET = [[target(c, d) for d in range(8)] for c in range(CELLS)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(UNDO + 2)
        self.observation_space = spaces.Box(low=-1.0, high=100.0, shape=(43,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.thick = [[THICK] * CELLS, [THICK] * CELLS]
        self.pos = [list(x) for x in START]
        self.last = [[-1, -1], [-1, -1]]
        self.undo = [1, 1]
        self.log = []
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        numbers = self.thick[0] + self.thick[1]
        numbers = numbers + self.pos[0] + self.pos[1] + self.last[0] + self.last[1]
        numbers = numbers + self.undo + [self.current_player]
        return np.array(numbers, dtype=np.float32)

    def _free(self, floe, cell):
        return cell >= 0 and self.thick[floe][cell] > 0 and cell not in self.pos[floe]

    def _enclosed(self, player):
        for floe in (0, 1):
            here = self.pos[floe][player]
            if not any(self._free(floe, cell) for cell in TARGET[here]):
                return True
        return False

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for floe in (0, 1):
            here = self.pos[floe][me]
            for direction in range(8):
                if self._free(floe, TARGET[here][direction]):
                    moves.append(floe * 8 + direction)
                    moves.append(STAMP + floe * 8 + direction)
            back = self.last[floe][me]
            if self.undo[me] and back >= 0 and back not in self.pos[floe]:
                moves.append(UNDO + floe)
        return moves

    def _stamped(self, action):
        floe, direction = divmod(action - STAMP, 8)
        return floe, TARGET[self.pos[floe][self.current_player]][direction]

    def _needs_coin(self, action):
        if action < STAMP or action >= UNDO:
            return False
        floe, cell = self._stamped(action)
        return self._free(1 - floe, cell)

    def _apply(self, action, heads):
        me = self.current_player
        name = self.move_name(action)
        if action < STAMP:
            floe, direction = divmod(action, 8)
            here = self.pos[floe][me]
            self.thick[floe][here] -= 1
            self.last[floe][me] = here
            self.pos[floe][me] = TARGET[here][direction]
        elif action < UNDO:
            floe, cell = self._stamped(action)
            self.thick[floe][cell] -= 1
            if heads:
                self.thick[1 - floe][cell] -= 1
                name += ", and the twin cracks too"
        else:
            floe = action - UNDO
            back = self.last[floe][me]
            self.thick[floe][back] += 1
            self.pos[floe][me] = back
            self.last[floe][me] = -1
            self.undo[me] = 0
        self.log.append(NAMES[me] + ": " + name)
        if self._enclosed(1 - me):
            self.done = True
            self.winner = me
        else:
            self.current_player = 1 - me

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        heads = False
        if self._needs_coin(action):
            heads = int(self.np_random.integers(2)) == 1
        self._apply(action, heads)
        if self.done:
            return self._observe(), 1.0, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            other = self.clone()
            other.step(action)
            return [(1.0, other)]
        if not self._needs_coin(action):
            other = self.clone()
            other._apply(action, False)
            return [(1.0, other)]
        outcomes = []
        for heads in (False, True):
            other = self.clone()
            other._apply(action, heads)
            outcomes.append((0.5, other))
        return outcomes

    def render(self):
        lines = ["columns: a b c d | a b c d"]
        for row in range(SIZE):
            parts = []
            for floe in (0, 1):
                marks = [FLOES[floe]]
                for column in range(SIZE):
                    cell = row * SIZE + column
                    letter = "."
                    if cell in self.pos[floe]:
                        letter = "FS"[self.pos[floe].index(cell)]
                    marks.append(str(self.thick[floe][cell]) + letter)
                parts.append(" ".join(marks))
            lines.append("row %d: %s" % (row + 1, " | ".join(parts)))
        lines.append("undo left: first %d, second %d" % (self.undo[0], self.undo[1]))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= UNDO:
            return "undo " + FLOES[action - UNDO]
        verb = "walk"
        if action >= STAMP:
            verb = "stamp"
            action -= STAMP
        floe, direction = divmod(action, 8)
        return "%s %s %s" % (verb, FLOES[floe], DIRECTIONS[direction][0])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = copy.deepcopy(self._np_random)
        other.thick = [list(x) for x in self.thick]
        other.pos = [list(x) for x in self.pos]
        other.last = [list(x) for x in self.last]
        other.undo = list(self.undo)
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(x) for x in self.thick),
            tuple(tuple(x) for x in self.pos),
            tuple(tuple(x) for x in self.last),
            tuple(self.undo),
            self.done,
            self.winner,
        )

    def view(self, player):
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe().tolist(),
            "log": list(self.log),
            "turn": self.current_player,
            "thick": [list(x) for x in self.thick],
            "pos": [list(x) for x in self.pos],
            "last": [list(x) for x in self.last],
            "undo": list(self.undo),
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.np_random = rng
        self.current_player = view["turn"]
        self.thick = [list(x) for x in view["thick"]]
        self.pos = [list(x) for x in view["pos"]]
        self.last = [list(x) for x in view["last"]]
        self.undo = list(view["undo"])
        self.log = list(view["log"])
        self.done = view["done"]
        self.winner = view["winner"]
