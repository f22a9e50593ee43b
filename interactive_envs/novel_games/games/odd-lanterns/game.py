"""Odd Lanterns: light of one's own colour cancels in pairs, light of both colours belongs to nobody."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
CELLS = SIZE * SIZE
LAMPS = 7
FULL = (1 << CELLS) - 1
SHAPES = {"lantern": ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)), "star": ((0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))}
NAMES = [f"{'abcde'[c % SIZE]}{c // SIZE + 1}" for c in range(CELLS)]


def _glow(cell, shape):
    mask = 0
    for dx, dy in shape:
        x, y = cell % SIZE + dx, cell // SIZE + dy
        if 0 <= x < SIZE and 0 <= y < SIZE:
            mask |= 1 << y * SIZE + x
    return mask


GLOWS = [_glow(c, shape) for shape in SHAPES.values() for c in range(CELLS)]
TITLES = [f"{name} {NAMES[c]}" for name in SHAPES for c in range(CELLS)]
WIDTH = 3 * CELLS + 2 * (LAMPS + 1) + 1


class CustomEnv(gymnasium.Env):
    """Players place lamps in turn; whoever owns more cells at the end wins, the second player on a tie."""

    def __init__(self):
        self.action_space = Discrete(2 * CELLS)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.taken = 0
        self.light = [0, 0]
        self.left = [LAMPS, LAMPS]
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
        player = self.current_player
        if self.over or not 0 <= action < 2 * CELLS or not self._free(player) >> action % CELLS & 1:
            return self._observe(), -10, True, False, {"illegal": True}
        self.taken |= 1 << action % CELLS
        self.light[player] ^= GLOWS[action]
        self.left[player] -= 1
        for candidate in (1 - player, player):
            if self.left[candidate] and self._free(candidate):
                self.current_player = candidate
                return self._observe(), 0, False, False, {}
        self.over = True
        winner = 0 if self._owned(0).bit_count() > self._owned(1).bit_count() else 1
        return self._observe(), 1 if winner == player else -1, True, False, {"winner": winner}

    def _owned(self, player):
        return self.light[player] & ~self.light[1 - player]

    def _free(self, player):
        return FULL & ~self.taken & ~self._owned(1 - player)

    def valid_moves(self):
        """The legal action indices, ascending."""
        if self.over:
            return []
        free = self._free(self.current_player)
        cells = [c for c in range(CELLS) if free >> c & 1]
        return cells + [c + CELLS for c in cells]

    def move_name(self, action):
        """The move in words."""
        return TITLES[action]

    def render(self):
        """The board as text, row 5 on top."""
        one, two = self.light
        lines = []
        for row in range(SIZE - 1, -1, -1):
            text = [str(row + 1)]
            for c in range(row * SIZE, row * SIZE + SIZE):
                mark = ".FSx"[(one >> c & 1) + 2 * (two >> c & 1)]
                text.append(mark + ("*" if self.taken >> c & 1 else "-"))
            lines.append(" ".join(text))
        lines.append("  a  b  c  d  e")
        counts = [self._owned(p).bit_count() for p in (0, 1)]
        lines.append(f"cells: first {counts[0]}, second {counts[1]}; lamps left: {self.left[0]}, {self.left[1]}")
        return "\n".join(lines)

    def _observe(self):
        me = self.current_player
        mine, other, taken = self.light[me], self.light[1 - me], self.taken
        cells = [0.0] * WIDTH
        for c in range(CELLS):
            cells[c] = mine >> c & 1
            cells[CELLS + c] = other >> c & 1
            cells[2 * CELLS + c] = taken >> c & 1
        cells[3 * CELLS + self.left[me]] = 1
        cells[3 * CELLS + LAMPS + 1 + self.left[1 - me]] = 1
        cells[-1] = me
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.light = self.light.copy()
        new.left = self.left.copy()
        return new

    def key(self):
        """The complete state."""
        return self.taken, *self.light, *self.left, self.current_player
