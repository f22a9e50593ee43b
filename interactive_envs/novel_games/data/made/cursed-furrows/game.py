import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
SIZE = 4
CELLS = SIZE * SIZE
KINDS = ("rows", "columns", "falling diagonals", "rising diagonals")
DROP = 4
SOW = DROP + CELLS
TURNS = 12
DIRECTIONS = (("north", -1, 0), ("east", 0, 1), ("south", 1, 0), ("west", 0, -1))
START = ((0, 1, 6, 7), (8, 9, 14))


def cell_name(cell):
    return "abcd"[cell % SIZE] + str(cell // SIZE + 1)


def make_lines():
    rows = [[r * SIZE + c for c in range(SIZE)] for r in range(SIZE)]
    columns = [[r * SIZE + c for r in range(SIZE)] for c in range(SIZE)]
    falling = [[r * SIZE + (k + r) % SIZE for r in range(SIZE)] for k in range(SIZE)]
    rising = [[r * SIZE + (k - r) % SIZE for r in range(SIZE)] for k in range(SIZE)]
    return (rows, columns, falling, rising)


LINES = make_lines()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(SOW + CELLS * 4)
        self.observation_space = spaces.Box(low=-1.0, high=100.0, shape=(46,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.owner = [-1] * CELLS
        self.count = [0] * CELLS
        for player in (0, 1):
            for cell in START[player]:
                self.owner[cell] = player
                self.count[cell] = 1
        self.curse = [-1, -1]
        self.known = [-1, -1]
        self.safe = [[False] * 4, [False] * 4]
        self.dropped = -1
        self.turns = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(0), {}

    def _observe(self, player):
        foe = 1 - player
        numbers = []
        for i in range(CELLS):
            numbers.append(0 if self.owner[i] < 0 else (1 if self.owner[i] == player else -1))
        numbers.extend(self.count)
        numbers.append(self.curse[player])
        numbers.append(self.known[foe])
        numbers.extend(1 if x else 0 for x in self.safe[player])
        numbers.extend(1 if x else 0 for x in self.safe[foe])
        numbers.append(self._phase())
        numbers.append(self.dropped)
        numbers.append(self.turns)
        numbers.append(player)
        return np.array(numbers, dtype=np.float32)

    def _phase(self):
        if self.curse[self.current_player] < 0:
            return 0
        return 1 if self.dropped < 0 else 2

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        phase = self._phase()
        if phase == 0:
            return list(range(4))
        if phase == 1:
            return [DROP + i for i in range(CELLS) if self.owner[i] != 1 - me]
        row, column = divmod(self.dropped, SIZE)
        moves = []
        for cell in range(CELLS):
            if self.owner[cell] == me and (cell // SIZE == row or cell % SIZE == column):
                moves.extend(SOW + cell * 4 + d for d in range(4))
        return moves

    def _tokens(self, player):
        return sum(self.count[i] for i in range(CELLS) if self.owner[i] == player)

    def _sow(self, cell, direction):
        me = self.current_player
        _, dr, dc = DIRECTIONS[direction]
        amount = self.count[cell]
        self.count[cell] = 0
        self.owner[cell] = -1
        row, column = divmod(cell, SIZE)
        for _ in range(amount):
            row = (row + dr) % SIZE
            column = (column + dc) % SIZE
            i = row * SIZE + column
            if self.owner[i] == 1 - me:
                if self.count[i] == 1:
                    self.owner[i] = me
            else:
                self.owner[i] = me
                self.count[i] += 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        foe = 1 - me
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = foe
            return self._observe(me), -10.0, True, False, {"winner": self.winner}
        if action < DROP:
            self.curse[me] = action
            self.log.append(NAMES[me] + " lays a curse")
            self.current_player = foe
            return self._observe(foe), 0.0, False, False, {}
        self.log.append(NAMES[me] + ": " + self.move_name(action))
        if action < SOW:
            cell = action - DROP
            self.owner[cell] = me
            self.count[cell] += 1
            self.dropped = cell
            return self._observe(me), 0.0, False, False, {}
        cell, direction = divmod(action - SOW, 4)
        self._sow(cell, direction)
        self.dropped = -1
        self.turns += 1
        complete = [
            kind for kind in range(4) if any(all(self.owner[i] == me for i in line) for line in LINES[kind])
        ]
        if self.curse[foe] in complete:
            self.done = True
            self.winner = foe
            self.known[foe] = self.curse[foe]
            self.log.append("%s falls to the curse on %s" % (NAMES[me], KINDS[self.curse[foe]]))
        else:
            for kind in complete:
                if not self.safe[me][kind]:
                    self.safe[me][kind] = True
                    self.log.append("%s may complete %s" % (NAMES[me], KINDS[kind]))
            if self.turns == TURNS:
                self.done = True
                self.winner = 0 if self._tokens(0) > self._tokens(1) else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(me), reward, True, False, {"winner": self.winner}
        self.current_player = foe
        return self._observe(foe), 0.0, False, False, {}

    def _safe_text(self, player):
        return ", ".join(KINDS[k] for k in range(4) if self.safe[player][k]) or "none"

    def _text(self, player):
        lines = ["columns: a b c d"]
        for row in range(SIZE):
            marks = []
            for column in range(SIZE):
                i = row * SIZE + column
                marks.append(".." if self.owner[i] < 0 else "FS"[self.owner[i]] + str(self.count[i]))
            lines.append("row %d: %s" % (row + 1, " ".join(marks)))
        lines.append("tokens: first %d, second %d" % (self._tokens(0), self._tokens(1)))
        lines.append("your curse: " + (KINDS[self.curse[player]] if self.curse[player] >= 0 else "none yet"))
        lines.append("safe for first: " + self._safe_text(0))
        lines.append("safe for second: " + self._safe_text(1))
        lines.append("turns left: %d" % (TURNS - self.turns))
        lines.append("dropped on: " + (cell_name(self.dropped) if self.dropped >= 0 else "nothing yet"))
        what = ("curse", "drop", "sow")[self._phase()]
        lines.append("to move: %s, %s" % (NAMES[self.current_player], what))
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action < DROP:
            return "curse " + KINDS[action]
        if action < SOW:
            return "drop " + cell_name(action - DROP)
        cell, direction = divmod(action - SOW, 4)
        return "sow %s %s" % (cell_name(cell), DIRECTIONS[direction][0])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.owner = list(self.owner)
        other.count = list(self.count)
        other.curse = list(self.curse)
        other.known = list(self.known)
        other.safe = [list(x) for x in self.safe]
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.owner),
            tuple(self.count),
            tuple(self.curse),
            tuple(self.known),
            tuple(tuple(x) for x in self.safe),
            self.dropped,
            self.turns,
            self.done,
            self.winner,
        )

    def view(self, player):
        return {
            "player": player,
            "board": self._text(player),
            "observation": self._observe(player).tolist(),
            "log": list(self.log),
            "turn": self.current_player,
            "owner": list(self.owner),
            "count": list(self.count),
            "curse": self.curse[player],
            "foe_cursed": self.curse[1 - player] >= 0,
            "known": list(self.known),
            "safe": [list(x) for x in self.safe],
            "dropped": self.dropped,
            "turns": self.turns,
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        me = view["player"]
        foe = 1 - me
        self.np_random = rng
        self.current_player = view["turn"]
        self.owner = list(view["owner"])
        self.count = list(view["count"])
        self.known = list(view["known"])
        self.safe = [list(x) for x in view["safe"]]
        self.dropped = view["dropped"]
        self.turns = view["turns"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.log = list(view["log"])
        self.curse = [-1, -1]
        self.curse[me] = view["curse"]
        if self.known[foe] >= 0:
            self.curse[foe] = self.known[foe]
        elif view["foe_cursed"]:
            options = [k for k in range(4) if not self.safe[me][k]]
            self.curse[foe] = options[int(rng.integers(len(options)))]
