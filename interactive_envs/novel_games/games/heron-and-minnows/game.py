"""Heron and Minnows: four forward-swimming minnows against one hungry heron on a five by five pond."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
CELLS = SIZE * SIZE
NEEDED = 3
START = (0, 1, 3, 4)
HERON = 12
REEDS = frozenset((6, 8, 16, 18))
DRIFT = (-1, 0, 1)
NAMES = [f"{'abcde'[c % SIZE]}{c // SIZE + 1}" for c in range(CELLS)]


def _swim(cell, drift):
    column = cell % SIZE + drift
    return cell + SIZE + drift if 0 <= column < SIZE and cell < CELLS - SIZE else None


def _flight(cell):
    out = []
    for to in range(CELLS):
        across, up = abs(to % SIZE - cell % SIZE), abs(to // SIZE - cell // SIZE)
        if to not in REEDS and to != cell and (across in (0, up) or up == 0) and max(across, up) <= 2:
            out.append(to)
    return out


def _sweep(cell, to):
    middle = (cell + to) // 2
    passes = abs(to - cell) in (2, 2 * SIZE - 2, 2 * SIZE, 2 * SIZE + 2) and middle not in REEDS
    return 1 << to | (1 << middle if passes else 0)


SWIMS = [[(3 * c + d + 1, _swim(c, d)) for d in DRIFT if _swim(c, d) is not None] for c in range(CELLS)]
FLIGHTS = [[3 * CELLS + to for to in _flight(c)] for c in range(CELLS)]
SWEEPS = [{to - 3 * CELLS: _sweep(c, to - 3 * CELLS) for to in FLIGHTS[c]} for c in range(CELLS)]
ACTIONS = 4 * CELLS
WIDTH = 2 * CELLS + 12


class CustomEnv(gymnasium.Env):
    """The first player swims minnows to the far bank, the second hunts them with the heron."""

    def __init__(self):
        self.action_space = Discrete(ACTIONS)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.minnows = 0
        for cell in START:
            self.minnows |= 1 << cell
        self.heron = HERON
        self.home = 0
        self.eaten = 0
        self.full = 0
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
        if player == 0:
            cell = action // 3
            to = cell + SIZE + action % 3 - 1
            self.minnows ^= 1 << cell
            if to >= CELLS - SIZE:
                self.home += 1
            else:
                self.minnows |= 1 << to
            if self.full:
                self.full = 0
            else:
                self.current_player = 1
        else:
            to = action - 3 * CELLS
            caught = self.minnows & SWEEPS[self.heron][to]
            self.heron = to
            if caught:
                self.minnows ^= caught
                self.eaten += caught.bit_count()
                self.full = 1
            self.current_player = 0
        if self.home == NEEDED or self.eaten > len(START) - NEEDED:
            self.over = True
            return self._observe(), 1, True, False, {"winner": player}
        return self._observe(), 0, False, False, {}

    def valid_moves(self):
        """The legal action indices, ascending."""
        if self.over:
            return []
        if self.current_player:
            return FLIGHTS[self.heron].copy()
        taken = self.minnows | 1 << self.heron
        bits = self.minnows
        out = []
        while bits:
            low = bits & -bits
            out += [action for action, to in SWIMS[low.bit_length() - 1] if not taken >> to & 1]
            bits ^= low
        return out

    def move_name(self, action):
        """The move in words."""
        if action >= 3 * CELLS:
            return f"fly to {NAMES[action - 3 * CELLS]}"
        cell = action // 3
        to = _swim(cell, action % 3 - 1)
        return f"{NAMES[cell]} to {NAMES[to]}" if to is not None else f"{NAMES[cell]} off the pond"

    def render(self):
        """The pond as text, the far bank on top."""
        lines = []
        for row in range(SIZE - 1, -1, -1):
            cells = range(row * SIZE, row * SIZE + SIZE)
            lines.append(f"{row + 1} " + " ".join(self._mark(c) for c in cells))
        lines.append("  a b c d e")
        lines.append(f"home {self.home}, eaten {self.eaten}, heron {'full' if self.full else 'hungry'}")
        return "\n".join(lines)

    def _mark(self, cell):
        if cell == self.heron:
            return "H"
        if self.minnows >> cell & 1:
            return "M" if cell in REEDS else "m"
        return '"' if cell in REEDS else "."

    def _observe(self):
        cells = [0.0] * WIDTH
        bits = self.minnows
        while bits:
            low = bits & -bits
            cells[low.bit_length() - 1] = 1.0
            bits ^= low
        cells[CELLS + self.heron] = 1.0
        cells[2 * CELLS + self.home] = 1.0
        cells[2 * CELLS + 4 + self.eaten] = 1.0
        cells[2 * CELLS + 9] = float(self.full)
        cells[2 * CELLS + 10 + self.current_player] = 1.0
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        return new

    def key(self):
        """The complete state."""
        return self.minnows, self.heron, self.home, self.eaten, self.full, self.current_player
