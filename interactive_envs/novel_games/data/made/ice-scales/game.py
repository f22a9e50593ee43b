import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

N = 6
COLS = "abcdef"
NAMES = ("first", "second")
LETTERS = "FS"
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("up", "right", "down", "left")
START = (
    (4 * N + 1, 4 * N + 4, 5 * N + 2, 5 * N + 3),
    (1 * N + 4, 1 * N + 1, 0 * N + 3, 0 * N + 2),
)
UNDO = 16
OPENING = 6
LIMIT = 24


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(17)
        self.observation_space = Box(-1.0, 200.0, shape=(18,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.pos = [list(START[0]), list(START[1])]
        self.pans = [0, 0]
        self.undo = [True, True]
        self.last = None
        self.banned = None
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [float(x) for x in self.pos[0]] + [float(x) for x in self.pos[1]]
        data += [float(self.pans[0]), float(self.pans[1])]
        data += [1.0 if self.undo[0] else 0.0, 1.0 if self.undo[1] else 0.0]
        if self.last is None:
            data += [-1.0, -1.0, -1.0]
        else:
            data += [float(x) for x in self.last]
        data += [-1.0 if self.banned is None else float(self.banned), float(self.count), float(self.current_player)]
        return np.array(data, dtype=np.float32)

    def _slide(self, cell, d):
        occupied = set(self.pos[0]) | set(self.pos[1])
        r, c = divmod(cell, N)
        length = 0
        while True:
            r1, c1 = r + DIRS[d][0], c + DIRS[d][1]
            if not (0 <= r1 < N and 0 <= c1 < N) or r1 * N + c1 in occupied:
                return r * N + c, length
            r, c = r1, c1
            length += 1

    def _slides(self, player):
        found = []
        for i in range(4):
            for d in range(4):
                if self._slide(self.pos[player][i], d)[1] > 0:
                    found.append(i * 4 + d)
        return found

    def _can_undo(self, player):
        if not self.undo[player] or self.last is None:
            return False
        action, start, _ = self.last
        other = 1 - player
        piece = action // 4
        now = self.pos[other][piece]
        self.pos[other][piece] = start
        ok = any(a != action for a in self._slides(other))
        self.pos[other][piece] = now
        return ok

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        moves = [a for a in self._slides(player) if a != self.banned]
        if self._can_undo(player):
            moves.append(UNDO)
        return moves

    def _encloses(self, player):
        own = set(self.pos[player])
        other = set(self.pos[1 - player])
        for cell in self.pos[1 - player]:
            r, c = divmod(cell, N)
            guards = 0
            closed = True
            for dr, dc in DIRS:
                r1, c1 = r + dr, c + dc
                if not (0 <= r1 < N and 0 <= c1 < N):
                    continue
                near = r1 * N + c1
                if near in own:
                    guards += 1
                elif near not in other:
                    closed = False
                    break
            if closed and guards >= 2:
                return True
        return False

    def _weigh(self):
        self.done = True
        if self.pans[0] != self.pans[1]:
            self.winner = 0 if self.pans[0] > self.pans[1] else 1
        elif self.undo[0] != self.undo[1]:
            self.winner = 0 if self.undo[0] else 1
        else:
            self.winner = 0

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        other = 1 - player
        self.count += 1
        if action == UNDO:
            back, start, length = self.last
            self.pos[other][back // 4] = start
            self.pans[other] -= length
            self.undo[player] = False
            self.banned = back
            self.last = None
        else:
            piece, d = divmod(action, 4)
            start = self.pos[player][piece]
            dest, length = self._slide(start, d)
            self.pos[player][piece] = dest
            self.pans[player] += length
            self.last = (action, start, length)
            self.banned = None
            if self.count > OPENING and self._encloses(player):
                self.done = True
                self.winner = player
            elif not self._slides(other):
                self.done = True
                self.winner = player
        self.current_player = other
        if not self.done and self.count == LIMIT:
            self._weigh()
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: " + " ".join(COLS)]
        for r in range(N):
            marks = []
            for c in range(N):
                cell = r * N + c
                mark = ".."
                for p in (0, 1):
                    if cell in self.pos[p]:
                        mark = LETTERS[p] + str(self.pos[p].index(cell) + 1)
                marks.append(mark)
            lines.append("row %d: %s" % (r + 1, " ".join(marks)))
        lines.append("pans: first %d, second %d" % (self.pans[0], self.pans[1]))
        lines.append("undo: first %s, second %s" % tuple("yes" if x else "no" for x in self.undo))
        lines.append("forbidden: " + ("nothing" if self.banned is None else self.move_name(self.banned)))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        return "slide %d %s" % (action // 4 + 1, DIR_NAMES[action % 4])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.pos = [list(self.pos[0]), list(self.pos[1])]
        other.pans = list(self.pans)
        other.undo = list(self.undo)
        return other

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), tuple(self.pans), tuple(self.undo), self.last,
                self.banned, self.count, self.current_player, self.done, self.winner)
