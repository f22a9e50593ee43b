import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
SIZE = 7
USES = 3
DIRS = (("up", 0, 1), ("right", 1, 0), ("down", 0, -1), ("left", -1, 0))
COLOURS = "ABCDE"
LAYOUT = (
    ". . . E . . .",
    "C . . . D . .",
    "D . A . . . B",
    ". B . E . A .",
    "A . . . B . C",
    ". . C . . . D",
    ". . . E . . .",
)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(8)
        self.observation_space = Box(low=0.0, high=9.0, shape=(96,), dtype=np.float32)
        self._start()

    def _start(self):
        self.jewels = [0] * (SIZE * SIZE)
        for i, line in enumerate(LAYOUT):
            row = SIZE - 1 - i
            for col, mark in enumerate(line.split()):
                if mark != ".":
                    self.jewels[row * SIZE + col] = COLOURS.index(mark) + 1
        self.birds = [[(1, 0), (5, 0)], [(5, 6), (1, 6)]]
        self.left = [[USES] * 8, [USES] * 8]
        self.hoards = [[], []]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        cells = list(self.jewels)
        code = 6
        for p in (0, 1):
            for x, y in self.birds[p]:
                cells[y * SIZE + x] = code
                code += 1
        values = cells + self.left[0] + self.left[1]
        for p in (0, 1):
            values += self.hoards[p] + [0] * (15 - len(self.hoards[p]))
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _slide(self, player, bird, d):
        dx, dy = DIRS[d][1], DIRS[d][2]
        x, y = self.birds[player][bird]
        moved = 0
        bump = False
        while True:
            nx, ny = x + dx, y + dy
            if not (0 <= nx < SIZE and 0 <= ny < SIZE):
                break
            if (nx, ny) in self.birds[1 - player]:
                bump = True
                break
            if (nx, ny) in self.birds[player]:
                break
            x, y = nx, ny
            moved += 1
            if self.jewels[y * SIZE + x]:
                break
        return x, y, moved, bump

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        for action in range(8):
            if self.left[p][action] > 0:
                if self._slide(p, action // 4, action % 4)[2] > 0:
                    moves.append(action)
        return moves

    def _has_set(self, player):
        hoard = self.hoards[player]
        return any(hoard.count(k) == 3 for k in range(1, 6))

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        bird, d = divmod(action, 4)
        x, y, _, bump = self._slide(p, bird, d)
        self.birds[p][bird] = (x, y)
        self.left[p][action] -= 1
        jewel = self.jewels[y * SIZE + x]
        if jewel:
            self.jewels[y * SIZE + x] = 0
            self.hoards[p].append(jewel)
        elif bump and self.hoards[1 - p]:
            self.hoards[p].append(self.hoards[1 - p].pop())
        q = 1 - p
        self.current_player = q
        if self._has_set(q):
            self.done = True
            self.winner = q
        elif not self.valid_moves():
            self.done = True
            if self._has_set(p):
                self.winner = p
            elif len(self.hoards[0]) > len(self.hoards[1]):
                self.winner = 0
            else:
                self.winner = 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        cells = [COLOURS[j - 1] if j else "." for j in self.jewels]
        for p in (0, 1):
            for i, (x, y) in enumerate(self.birds[p]):
                cells[y * SIZE + x] = "FS"[p] + str(i + 1)
        for row in range(SIZE - 1, -1, -1):
            line = str(row + 1)
            for col in range(SIZE):
                line += " " + cells[row * SIZE + col].rjust(2)
            lines.append(line)
        lines.append("-" + "".join("  " + c for c in "abcdefg"))
        for p in (0, 1):
            held = " ".join(COLOURS[j - 1] for j in self.hoards[p]) or "none"
            lines.append(NAMES[p] + " holds: " + held)
        for p in (0, 1):
            parts = []
            for b in (0, 1):
                part = "bird " + str(b + 1)
                for d in range(4):
                    part += " " + DIRS[d][0] + " " + str(self.left[p][b * 4 + d])
                parts.append(part)
            lines.append(NAMES[p] + " has left: " + ", ".join(parts))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "bird " + str(action // 4 + 1) + " " + DIRS[action % 4][0]

    def clone(self):
        other = copy.copy(self)
        other.jewels = list(self.jewels)
        other.birds = [list(self.birds[0]), list(self.birds[1])]
        other.left = [list(self.left[0]), list(self.left[1])]
        other.hoards = [list(self.hoards[0]), list(self.hoards[1])]
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            tuple(self.jewels),
            tuple(self.birds[0]),
            tuple(self.birds[1]),
            tuple(self.left[0]),
            tuple(self.left[1]),
            tuple(self.hoards[0]),
            tuple(self.hoards[1]),
        )
