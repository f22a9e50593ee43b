import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIDE = 6
COLUMNS = "abcdef"
NUMBERS = (
    4, 7, 2, 8, 5, 3,
    6, 3, 5, 1, 7, 4,
    2, 8, 4, 6, 3, 9,
    9, 3, 6, 4, 8, 2,
    4, 7, 1, 5, 3, 6,
    3, 5, 8, 2, 7, 4,
)
START = (7, 28)
WAYS = (
    ("north", -1, 0), ("northeast", -1, 1), ("east", 0, 1), ("southeast", 1, 1),
    ("south", 1, 0), ("southwest", 1, -1), ("west", 0, -1), ("northwest", -1, -1),
)
BORROW = 16
UNDO = 17
LOAN = 7
NUISANCE = 2
YOUNG_TURNS = 4
LENGTH = 16
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(18)
        self.observation_space = Box(low=-10.0, high=500.0, shape=(49,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.alive = [True] * (SIDE * SIDE)
        self.pos = list(START)
        self.debts = [0, 0]
        self.turns = [0, 0]
        self.last = [None, None]
        self.undo_left = [True, True]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = [NUMBERS[i] if self.alive[i] else 0 for i in range(SIDE * SIDE)]
        values += list(self.pos) + list(self.debts) + list(self.turns)
        values += [1 if left else 0 for left in self.undo_left]
        for last in self.last:
            values += [-1, 0] if last is None else list(last)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _target(self, action):
        name, down, right = WAYS[action // 2]
        length = action % 2 + 1
        row, col = divmod(self.pos[self.current_player], SIDE)
        row += down * length
        col += right * length
        if 0 <= row < SIDE and 0 <= col < SIDE:
            return row * SIDE + col
        return None

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for action in range(16):
            if action % 2 == 1 and self.turns[me] >= YOUNG_TURNS:
                continue
            target = self._target(action)
            if target is None or not self.alive[target] or target == self.pos[1 - me]:
                continue
            moves.append(action)
        moves.append(BORROW)
        if self.undo_left[me] and self.last[me] is not None:
            moves.append(UNDO)
        return moves

    def _apply(self, action):
        me = self.current_player
        other = 1 - me
        if action == BORROW:
            self.debts[me] += LOAN
            self.last[me] = None
        elif action == UNDO:
            source, paid = self.last[me]
            self.alive[self.pos[me]] = False
            self.alive[source] = True
            self.pos[me] = source
            self.debts[me] -= paid
            self.last[me] = None
            self.undo_left[me] = False
        else:
            target = self._target(action)
            paid = NUMBERS[target]
            self.debts[me] += paid
            self.alive[self.pos[me]] = False
            self.last[me] = (self.pos[me], paid)
            self.pos[me] = target
            row, col = divmod(target, SIDE)
            other_row, other_col = divmod(self.pos[other], SIDE)
            if max(abs(row - other_row), abs(col - other_col)) == 1:
                self.debts[other] += NUISANCE
        self.turns[me] += 1
        self.current_player = other
        if sum(self.turns) == LENGTH:
            self.done = True
            self.winner = 0 if self.debts[0] < self.debts[1] else 1

    def _crack_cells(self):
        if self.done or sum(self.turns) % 2 == 1:
            return []
        return [i for i in range(SIDE * SIDE) if self.alive[i] and i not in self.pos]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        self._apply(action)
        cells = self._crack_cells()
        if cells:
            self.alive[cells[int(self.np_random.integers(len(cells)))]] = False
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        base = self.clone()
        if action not in self.valid_moves():
            base.step(action)
            return [(1.0, base)]
        base._apply(action)
        cells = base._crack_cells()
        if not cells:
            return [(1.0, base)]
        outcomes = []
        for cell in cells:
            child = base.clone()
            child.alive[cell] = False
            outcomes.append((1.0 / len(cells), child))
        return outcomes

    def render(self):
        lines = ["*: " + " ".join(COLUMNS)]
        for row in range(SIDE):
            marks = []
            for col in range(SIDE):
                cell = row * SIDE + col
                if cell == self.pos[0]:
                    marks.append("A")
                elif cell == self.pos[1]:
                    marks.append("B")
                elif self.alive[cell]:
                    marks.append(str(NUMBERS[cell]))
                else:
                    marks.append(".")
            lines.append("%d: %s" % (row + 1, " ".join(marks)))
        lines.append("debts: first %d, second %d" % (self.debts[0], self.debts[1]))
        lines.append("turns taken: first %d, second %d" % (self.turns[0], self.turns[1]))
        for player in (0, 1):
            if not self.undo_left[player]:
                text = "used"
            elif self.last[player] is None:
                text = "not now"
            else:
                source, paid = self.last[player]
                text = "back to %s%d, debt %d less" % (COLUMNS[source % SIDE], source // SIDE + 1, paid)
            lines.append("undo of %s: %s" % (NAMES[player], text))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == BORROW:
            return "borrow"
        if action == UNDO:
            return "undo"
        return "%s %d" % (WAYS[action // 2][0], action % 2 + 1)

    def clone(self):
        other = copy.copy(self)
        other.alive = list(self.alive)
        other.pos = list(self.pos)
        other.debts = list(self.debts)
        other.turns = list(self.turns)
        other.last = list(self.last)
        other.undo_left = list(self.undo_left)
        other.np_random = copy.deepcopy(self.np_random)
        return other

    def key(self):
        return (tuple(self.alive), tuple(self.pos), tuple(self.debts), tuple(self.turns),
                tuple(self.last), tuple(self.undo_left), self.current_player, self.done, self.winner)

    def view(self, player):
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(value) for value in self._obs()],
            "log": ["nothing is hidden"],
            "alive": [bool(value) for value in self.alive],
            "pos": [int(value) for value in self.pos],
            "debts": [int(value) for value in self.debts],
            "turns": [int(value) for value in self.turns],
            "last": [None if last is None else [int(last[0]), int(last[1])] for last in self.last],
            "undo_left": [bool(value) for value in self.undo_left],
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.alive = list(view["alive"])
        self.pos = list(view["pos"])
        self.debts = list(view["debts"])
        self.turns = list(view["turns"])
        self.last = [None if last is None else (last[0], last[1]) for last in view["last"]]
        self.undo_left = list(view["undo_left"])
        self.current_player = view["current_player"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.np_random = rng
