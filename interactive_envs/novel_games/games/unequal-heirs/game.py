"""Unequal Heirs: walls cut plots in two; the smaller part goes to the cutter, the larger to the other player."""

import gymnasium
import numpy as np

COLS, ROWS = 7, 5
AREA = COLS * ROWS
SMALL = 3
LETTERS = "abcdefg"
ABOVE = AREA
WIDTH = 2 * AREA + (COLS - 1) * ROWS + COLS * (ROWS - 1)


def _cuts(top, left, high, wide):
    """Return action -> the two parts for each wall through a plot."""
    if high * wide <= SMALL:
        return {}
    found = {}
    for c in range(left + 1, left + wide):
        found[top * COLS + c] = ((top, left, high, c - left), (top, c, high, left + wide - c))
    for r in range(top + 1, top + high):
        found[ABOVE + r * COLS + left] = ((top, left, r - top, wide), (r, left, top + high - r, wide))
    return found


def _picture(top, left, high, wide):
    """Return the cells of a plot, and its walls on the right and below, as places of the observation."""
    cells = [r * COLS + c for r in range(top, top + high) for c in range(left, left + wide)]
    right, below = left + wide - 1, top + high - 1
    walls = []
    if right < COLS - 1:
        walls += [2 * AREA + r * (COLS - 1) + right for r in range(top, top + high)]
    if below < ROWS - 1:
        walls += [2 * AREA + (COLS - 1) * ROWS + below * COLS + c for c in range(left, left + wide)]
    return cells, [AREA + i for i in cells], walls


PLOTS = [
    (r, c, h, w)
    for r in range(ROWS)
    for c in range(COLS)
    for h in range(1, ROWS - r + 1)
    for w in range(1, COLS - c + 1)
]
CUTS = {plot: _cuts(*plot) for plot in PLOTS}
PICTURE = {plot: _picture(*plot) for plot in PLOTS}
SHAPE = {plot: min(plot[2:]) * 8 + max(plot[2:]) for plot in PLOTS}


class CustomEnv(gymnasium.Env):
    """Two players cut one field into plots; more cells win."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(2 * AREA)
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        whole = (0, 0, ROWS, COLS)
        self.plots = {whole: None}
        self.cuts = dict.fromkeys(CUTS[whole], whole)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        on = []
        for plot, owner in self.plots.items():
            mine, other, walls = PICTURE[plot]
            on += walls
            if owner is not None:
                on += mine if owner == me else other
        seen = bytearray(WIDTH)
        for i in on:
            seen[i] = 1
        return np.frombuffer(seen, np.uint8).astype(np.float32)

    def valid_moves(self):
        """List the walls that may be built."""
        return sorted(self.cuts)

    def step(self, action):
        """Build a wall through a plot."""
        plot = self.cuts.get(action)
        if plot is None:
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        one, two = CUTS[plot][action]
        size_one, size_two = one[2] * one[3], two[2] * two[3]
        plots = self.plots.copy()
        del plots[plot]
        plots[one] = me if size_one <= size_two else 1 - me
        plots[two] = me if size_two <= size_one else 1 - me
        self.plots = plots
        self.cuts = {a: p for a, p in self.cuts.items() if p != plot}
        for part in (one, two):
            for a in CUTS[part]:
                self.cuts[a] = part
        self.current_player = 1 - me
        if self.cuts:
            return self._obs(), 0, False, False, {}
        winner = int(2 * self._cells(0) < AREA)
        return self._obs(), 1 if winner == me else -1, True, False, {"winner": winner}

    def _cells(self, player):
        return sum(plot[2] * plot[3] for plot, owner in self.plots.items() if owner == player)

    def render(self):
        """Draw the field with its walls and owners."""
        at = {}
        for plot, owner in self.plots.items():
            for i in PICTURE[plot][0]:
                at[i] = (plot, "FS"[owner] if owner is not None else ".")
        rows = ["    " + "   ".join(LETTERS)]
        for r in range(ROWS):
            edge, line = "  +", f"{r + 1} |"
            for c in range(COLS):
                plot, letter = at[r * COLS + c]
                edge += ("---" if r == 0 or at[r * COLS + c - COLS][0] != plot else "   ") + "+"
                line += f" {letter} " + ("|" if c == COLS - 1 or at[r * COLS + c + 1][0] != plot else " ")
            rows += [edge, line]
        rows.append("  +" + "---+" * COLS)
        rows.append(f"cells: first {self._cells(0)}, second {self._cells(1)}")
        rows.append(("first", "second")[self.current_player] + " to move" if self.cuts else "over")
        return "\n".join(rows)

    def move_name(self, action):
        """Name a wall by the cell beside it."""
        side, i = ("above", action - ABOVE) if action >= ABOVE else ("left of", action)
        return f"cut {side} {LETTERS[i % COLS]}{i // COLS + 1}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        twin.cuts = self.cuts.copy()
        return twin

    def key(self):
        """Return the shapes that can be cut with their owners; final plots matter only by their cells."""
        live = tuple(sorted([(SHAPE[p], -1 if o is None else o) for p, o in self.plots.items() if p[2] * p[3] > SMALL]))
        return (live, self._cells(0), self.current_player)
