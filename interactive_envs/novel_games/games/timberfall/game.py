"""Timberfall: trees are planted, grown and felled, and a falling trunk roots wherever it lands."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 4
CELLS = SIZE * SIZE
TALL = 4
TURNS = 50
GOAL = 8
ACTIONS = 5 * CELLS
NAMES = [f"{'abcd'[c % SIZE]}{c // SIZE + 1}" for c in range(CELLS)]
HEADINGS = (("north", 0, 1), ("east", 1, 0), ("south", 0, -1), ("west", -1, 0))


def _line(cell, dx, dy):
    out = []
    x, y = cell % SIZE + dx, cell // SIZE + dy
    while 0 <= x < SIZE and 0 <= y < SIZE:
        out.append(y * SIZE + x)
        x, y = x + dx, y + dy
    return out


LINES = {CELLS + 4 * c + i: _line(c, dx, dy) for c in range(CELLS) for i, (_, dx, dy) in enumerate(HEADINGS)}
FELLS = [[CELLS + 4 * c + i for i in range(4) if LINES[CELLS + 4 * c + i]] for c in range(CELLS)]
WIDTH = 2 * CELLS + 2


class CustomEnv(gymnasium.Env):
    """The wood is a list of heights: positive for trees of the first player, negative for the second's."""

    def __init__(self):
        self.action_space = Discrete(ACTIONS)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.wood = [0] * CELLS
        self.played = 0
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def step(self, action):
        """Plays a move for the player whose turn it is."""
        action = int(action)
        if action not in self.valid_moves():
            return self._observe(), -10, True, False, {"illegal": True}
        player = self.current_player
        sign = 1 - 2 * player
        wood = self.wood
        if action < CELLS:
            wood[action] += sign
        else:
            cell = (action - CELLS) // 4
            height = abs(wood[cell])
            wood[cell] = 0
            for to in LINES[action][:height]:
                if wood[to] == -sign:
                    wood[to] = sign
                elif wood[to] != TALL * sign:
                    wood[to] += sign
        self.played += 1
        self.current_player = 1 - player
        if sum(h * sign > 0 for h in wood) >= GOAL:
            winner = player
        elif self.played < TURNS:
            return self._observe(), 0, False, False, {}
        else:
            trees = sum((h > 0) - (h < 0) for h in wood)
            winner = 0 if (trees, sum(wood)) > (0, 0) else 1
        self.over = True
        return self._observe(), 1 if winner == player else -1, True, False, {"winner": winner}

    def valid_moves(self):
        """The legal action indices, ascending."""
        if self.over:
            return []
        sign = 1 - 2 * self.current_player
        grows, fells = [], []
        for cell, height in enumerate(self.wood):
            height *= sign
            if 0 <= height < TALL:
                grows.append(cell)
            if height > 1:
                fells += FELLS[cell]
        return grows + fells

    def move_name(self, action):
        """The move in words."""
        if action < CELLS:
            return f"{'grow' if self.wood[action] else 'plant'} {NAMES[action]}"
        cell, heading = divmod(action - CELLS, 4)
        return f"fell {NAMES[cell]} {HEADINGS[heading][0]}"

    def render(self):
        """The wood as text, row 4 on top."""
        lines = []
        for row in range(SIZE - 1, -1, -1):
            marks = [
                f"{'+' if h > 0 else '-'}{abs(h)}" if h else " ." for h in self.wood[row * SIZE : row * SIZE + SIZE]
            ]
            lines.append(f"{row + 1} " + " ".join(marks))
        lines.append("   a  b  c  d")
        trees = [sum(h * sign > 0 for h in self.wood) for sign in (1, -1)]
        lines.append(f"trees: first {trees[0]}, second {trees[1]}; moves left {TURNS - self.played}")
        return "\n".join(lines)

    def _observe(self):
        sign = 1 - 2 * self.current_player
        cells = [h * sign / TALL if h * sign > 0 else 0.0 for h in self.wood]
        cells += [-h * sign / TALL if h * sign < 0 else 0.0 for h in self.wood]
        cells += [(TURNS - self.played) / TURNS, self.current_player]
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.wood = self.wood.copy()
        return new

    def key(self):
        """The complete state."""
        return self.played, *self.wood
