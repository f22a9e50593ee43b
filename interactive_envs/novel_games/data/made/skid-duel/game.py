import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

VAL = (
    (3, 5, 2, 4, 3),
    (4, 2, 3, 2, 5),
    (2, 4, 0, 4, 2),
    (5, 2, 3, 2, 4),
    (3, 4, 2, 5, 3),
)
ROCK = (2, 2)
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("north", "east", "south", "west")
TARGET = 18
FALL = 9
RAM = 2
CAP = 30
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(12)
        self.observation_space = Box(low=0.0, high=100.0, shape=(24,), dtype=np.float32)
        self._start()

    def _start(self):
        self.pos = [[(4, 0), (4, 1), (4, 2)], [(0, 4), (0, 3), (0, 2)]]
        self.sums = [0, 2]
        self.closed = [[0, 0, 0, 0], [0, 0, 0, 0]]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self):
        data = []
        for p in (0, 1):
            for r, c in self.pos[p]:
                data += [r, c]
        data += self.sums + self.closed[0] + self.closed[1] + [self.moves, self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _owner(self, cell):
        for p in (0, 1):
            if cell in self.pos[p]:
                return p
        return None

    def _slide(self, p, piece, d):
        """Returns (end cell, owner of the piece that stopped the slide or None)."""
        r, c = self.pos[p][piece]
        dr, dc = DIRS[d]
        while True:
            nr, nc = r + dr, c + dc
            if not (0 <= nr < 5 and 0 <= nc < 5) or (nr, nc) == ROCK:
                return (r, c), None
            who = self._owner((nr, nc))
            if who is not None:
                return (r, c), who
            r, c = nr, nc

    def _moves_of(self, p):
        able = []
        for piece in range(3):
            for d in range(4):
                end, _ = self._slide(p, piece, d)
                if end != self.pos[p][piece]:
                    able.append(piece * 4 + d)
        allowed = [a for a in able if not self.closed[p][a % 4]]
        return allowed if allowed else able

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        o = 1 - p
        piece, d = action // 4, action % 4
        end, who = self._slide(p, piece, d)
        self.pos[p][piece] = end
        self.sums[p] += VAL[end[0]][end[1]]
        if who == o:
            self.sums[o] = max(0, self.sums[o] - RAM)
        self.closed[p][d] = 1
        self.closed[o][d] = 0
        self.moves += 1
        self.current_player = o
        if self.sums[p] == TARGET:
            self.done = True
            self.winner = p
        else:
            if self.sums[p] > TARGET:
                self.sums[p] = FALL
            if self.moves >= CAP:
                self.done = True
                self.winner = 0 if self.sums[0] > self.sums[1] else 1
            elif not self._moves_of(o):
                self.done = True
                self.winner = p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        letters = {}
        for i in range(3):
            letters[self.pos[0][i]] = "ABC"[i]
            letters[self.pos[1][i]] = "abc"[i]
        lines = []
        for r in range(5):
            parts = []
            for c in range(5):
                if (r, c) == ROCK:
                    parts.append("#")
                else:
                    parts.append(str(VAL[r][c]) + letters.get((r, c), ""))
            lines.append("r%d: %s" % (r + 1, " ".join(parts)))
        lines.append("sums: first %d second %d" % (self.sums[0], self.sums[1]))
        for p in (0, 1):
            names = [DIR_NAMES[d] for d in range(4) if self.closed[p][d]]
            lines.append("closed to %s: %s" % (NAMES[p], " ".join(names) if names else "none"))
        lines.append("moves made: %d" % self.moves)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "%s %s" % ("ABC"[action // 4], DIR_NAMES[action % 4])

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.pos = [list(q) for q in self.pos]
        e.sums = list(self.sums)
        e.closed = [list(q) for q in self.closed]
        return e

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), tuple(self.sums), tuple(self.closed[0]),
                tuple(self.closed[1]), self.moves, self.current_player, self.done, self.winner)
