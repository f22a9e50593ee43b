import gymnasium
import numpy as np
from gymnasium import spaces

ROWS = 6
NUMBERS = ((10,), (4, 17), (15, 7, 2), (6, 19, 12, 9), (20, 1, 14, 3, 16), (8, 13, 5, 21, 11, 18))
CELLS = tuple((r, i) for r in range(ROWS) for i in range(r + 1))
COUNT = len(CELLS)
INDEX = {c: k for k, c in enumerate(CELLS)}
VALUE = tuple(NUMBERS[r][i] for r, i in CELLS)
NEAR = tuple(
    tuple(INDEX[n] for n in ((r, i - 1), (r, i + 1), (r - 1, i - 1), (r - 1, i), (r + 1, i), (r + 1, i + 1))
          if n in INDEX)
    for r, i in CELLS)
LOCKED_ABOVE = 16
UNDO = COUNT
LETTERS = "abcdef"
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(COUNT + 1)
        self.observation_space = spaces.Box(-1.0, 100.0, shape=(88,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.owner = [-1] * COUNT
        self.locked = [v > LOCKED_ABOVE for v in VALUE]
        self.undo_left = [True, True]
        self.barred = -1
        self.before = None
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _usable_before(self):
        if self.done or not self._can_undo():
            return None
        return self.before

    def _obs(self):
        vals = list(self.owner) + [1 if x else 0 for x in self.locked]
        vals += [1 if u else 0 for u in self.undo_left] + [self.barred]
        b = self._usable_before()
        if b is None:
            vals += [-1] * (2 * COUNT)
        else:
            vals += list(b[0]) + [1 if x else 0 for x in b[1]]
        vals.append(self.current_player)
        return np.array(vals, dtype=np.float32)

    def _open(self, owner, locked):
        return [k for k in range(COUNT) if owner[k] < 0 and not locked[k]]

    def _can_undo(self):
        if not self.undo_left[self.current_player] or self.before is None:
            return False
        return len(self._open(self.before[0], self.before[1])) >= 2

    def _legal(self, action):
        if action == UNDO:
            return self._can_undo()
        return self.owner[action] < 0 and not self.locked[action] and action != self.barred

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(COUNT + 1) if self._legal(a)]

    def _score(self):
        a, b = self.owner.count(0), self.owner.count(1)
        if a != b:
            return 0 if a > b else 1
        a = sum(VALUE[k] for k in range(COUNT) if self.owner[k] == 0)
        b = sum(VALUE[k] for k in range(COUNT) if self.owner[k] == 1)
        return 0 if a > b else 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action <= COUNT) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            owner, locked, old = self.before
            self.owner = list(owner)
            self.locked = list(locked)
            self.barred = old
            self.before = None
            self.undo_left[me] = False
            self.current_player = 1 - me
            return self._obs(), 0.0, False, False, {}
        self.before = (tuple(self.owner), tuple(self.locked), action)
        self.owner[action] = me
        for k in NEAR[action]:
            lower = VALUE[k] < VALUE[action]
            if self.owner[k] < 0:
                self.locked[k] = lower
            elif self.owner[k] == 1 - me and lower:
                self.owner[k] = me
        self.barred = -1
        self.current_player = 1 - me
        if not self._open(self.owner, self.locked):
            self.done = True
            self.winner = self._score()
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _cell_name(self, k):
        r, i = CELLS[k]
        return str(r + 1) + LETTERS[i]

    def render(self):
        lines = []
        for r in range(ROWS):
            words = []
            for i in range(r + 1):
                k = INDEX[(r, i)]
                if self.owner[k] >= 0:
                    words.append("AB"[self.owner[k]] + str(VALUE[k]))
                elif self.locked[k]:
                    words.append("(" + str(VALUE[k]) + ")")
                else:
                    words.append(str(VALUE[k]))
            lines.append("row " + str(r + 1) + ": " + " ".join(words))
        lines.append("owned: first " + str(self.owner.count(0)) + ", second " + str(self.owner.count(1)))
        yes = ["yes" if u else "no" for u in self.undo_left]
        lines.append("undo left: first " + yes[0] + ", second " + yes[1])
        lines.append("barred: " + ("nothing" if self.barred < 0 else self._cell_name(self.barred)))
        b = self._usable_before()
        lines.append("undo would take back: " + ("nothing" if b is None else self.move_name(b[2])))
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        return "claim " + self._cell_name(action)

    def clone(self):
        new = CustomEnv()
        new.owner = list(self.owner)
        new.locked = list(self.locked)
        new.undo_left = list(self.undo_left)
        new.barred = self.barred
        new.before = self.before
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(self.owner), tuple(self.locked), tuple(self.undo_left),
                self.barred, self._usable_before(), self.done, self.winner)
