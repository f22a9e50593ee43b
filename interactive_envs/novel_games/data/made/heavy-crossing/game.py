import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = 7
LIMIT = 4
GOAL = 6
LETTERS = "ABCDE"
WEIGHTS = (1, 2, 3, 2, 1)
START_ROWS = (3, 4, 5, 6, 7)
WAYS = ("ahead", "up", "down")
DELTAS = ((0, 1), (-1, 0), (1, 1))
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(30)
        self.observation_space = Box(low=0.0, high=20.0, shape=(23,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        # a place is (row, file), the file counted from the owner's own side
        self.places = [[(row, 1) for row in START_ROWS] for _ in range(2)]
        self.across = [0, 0]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = []
        for player in range(2):
            for place in self.places[player]:
                if place is None:
                    values.extend((0, 0))
                else:
                    values.extend(place)
        values.extend(self.across)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    @staticmethod
    def _cell(player, row, file):
        if player == 0:
            return (row, file)
        return (row, row + 1 - file)

    def _loads(self):
        loads = {}
        for player in range(2):
            for piece in range(5):
                place = self.places[player][piece]
                if place is not None:
                    cell = self._cell(player, place[0], place[1])
                    loads[cell] = loads.get(cell, 0) + WEIGHTS[piece]
        return loads

    def _target(self, player, action, loads):
        piece, rest = divmod(action, 6)
        jump, way = divmod(rest, 3)
        place = self.places[player][piece]
        if place is None:
            return None
        row, file = place
        down, along = DELTAS[way]
        length = 1 + jump
        new_row = row + down * length
        new_file = file + along * length
        if new_row < 1 or new_row > ROWS or new_file > new_row:
            return None
        if jump:
            middle = self._cell(player, row + down, file + along)
            if loads.get(middle, 0) < WEIGHTS[piece]:
                return None
        landing = self._cell(player, new_row, new_file)
        if loads.get(landing, 0) + WEIGHTS[piece] > LIMIT:
            return None
        return (new_row, new_file)

    def valid_moves(self):
        if self.over:
            return []
        loads = self._loads()
        player = self.current_player
        return [a for a in range(30) if self._target(player, a, loads) is not None]

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        piece = action // 6
        target = self._target(player, action, self._loads())
        if target[0] == target[1]:
            self.places[player][piece] = None
            self.across[player] += WEIGHTS[piece]
        else:
            self.places[player][piece] = target
        if self.across[player] >= GOAL:
            self.over = True
            self.winner = player
        self.current_player = 1 - player
        if not self.over and not self.valid_moves():
            self.over = True
            self.winner = player
        if self.over:
            return self._observation(), 1.0, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        standing = {}
        for player in range(2):
            for piece in range(5):
                place = self.places[player][piece]
                if place is not None:
                    cell = self._cell(player, place[0], place[1])
                    letter = LETTERS[piece] if player == 0 else LETTERS[piece].lower()
                    standing[cell] = standing.get(cell, "") + letter
        lines = []
        for row in range(1, ROWS + 1):
            cells = [standing.get((row, column), ".") for column in range(1, row + 1)]
            lines.append("row %d: %s" % (row, " ".join(cells)))
        lines.append("across: first %d, second %d" % (self.across[0], self.across[1]))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        piece, rest = divmod(int(action), 6)
        jump, way = divmod(rest, 3)
        if jump:
            return LETTERS[piece] + " jump " + WAYS[way]
        return LETTERS[piece] + " " + WAYS[way]

    def clone(self):
        other = copy.copy(self)
        other.places = [list(places) for places in self.places]
        other.across = list(self.across)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.places[0]),
            tuple(self.places[1]),
            tuple(self.across),
            self.over,
        )
