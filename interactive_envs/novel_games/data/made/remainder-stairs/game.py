import gymnasium
import numpy as np
from gymnasium import spaces

SIDE = 5
CELLS = SIDE * SIDE          # 25, which is also the modulus
START = 24                   # where the marker begins
USES = 2                     # uses of each action for each player
ACTIONS = (("plus", 1), ("plus", 2), ("plus", 4), ("plus", 5),
           ("plus", 7), ("plus", 9), ("times", 2), ("times", 3))
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
NAMES = ("first", "second")
MARKS = ("XX", "OO")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = spaces.Box(
            low=-1.0, high=30.0, shape=(CELLS + 2 * len(ACTIONS) + 2,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.cells = [-1] * CELLS
        self.marker = START
        self.uses = [[USES] * len(ACTIONS), [USES] * len(ACTIONS)]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        return np.array(self.cells + self.uses[0] + self.uses[1]
                        + [self.marker, self.current_player], dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        mine = self.uses[self.current_player]
        return [a for a in range(len(ACTIONS)) if mine[a] > 0]

    def _landing(self, action):
        kind, number = ACTIONS[action]
        if kind == "plus":
            cell = (self.marker + number) % CELLS
        else:
            cell = (self.marker * number) % CELLS
        while self.cells[cell] != -1:
            cell = (cell + 1) % CELLS
        return cell

    def _joined(self, player):
        # first joins column 1 with column 5, second joins step 1 with step 5
        if player == 0:
            todo = [r * SIDE for r in range(SIDE) if self.cells[r * SIDE] == 0]
        else:
            todo = [c for c in range(SIDE) if self.cells[c] == 1]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            row, col = divmod(cell, SIDE)
            if (col if player == 0 else row) == SIDE - 1:
                return True
            for dr, dc in AROUND:
                r, c = row + dr, col + dc
                if 0 <= r < SIDE and 0 <= c < SIDE:
                    near = r * SIDE + c
                    if near not in seen and self.cells[near] == player:
                        seen.add(near)
                        todo.append(near)
        return False

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        cell = self._landing(action)
        self.uses[me][action] -= 1
        self.cells[cell] = me
        self.marker = cell
        if self._joined(me):
            self.done = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(SIDE):
            shown = []
            for c in range(SIDE):
                cell = r * SIDE + c
                value = self.cells[cell]
                shown.append("%02d" % cell if value == -1 else MARKS[value])
            lines.append("step %d: %s" % (r + 1, " ".join(shown)))
        lines.append("marker: %d" % self.marker)
        for p in (0, 1):
            left = ["%s x%d" % (self.move_name(a), self.uses[p][a]) for a in range(len(ACTIONS))]
            lines.append("%s has: %s" % (NAMES[p], ", ".join(left)))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        kind, number = ACTIONS[int(action)]
        return "%s %d" % (kind, number)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        other.uses = [list(self.uses[0]), list(self.uses[1])]
        return other

    def key(self):
        return (tuple(self.cells), self.marker, tuple(self.uses[0]), tuple(self.uses[1]),
                self.current_player, self.done, self.winner)
