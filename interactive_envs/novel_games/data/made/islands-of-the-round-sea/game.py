import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = 3
COLS = 5
CELLS = ROWS * COLS
WAIT = CELLS
MAJORITY = 8
LAST_MOVE = 40
START_COINS = 2
MOST_COINS = 9
START_COLUMN = 2
RAID_COST = 3
COLUMNS = "abcde"
NAMES = ("first", "second")
MARKS = {-1: ".", 0: "F", 1: "S"}


def _neighbours():
    found = []
    for cell in range(CELLS):
        row, col = divmod(cell, COLS)
        found.append(
            (
                ((row + 1) % ROWS) * COLS + col,
                ((row - 1) % ROWS) * COLS + col,
                row * COLS + (col + 1) % COLS,
                row * COLS + (col - 1) % COLS,
            )
        )
    return found


NEIGHBOURS = _neighbours()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CELLS + 1)
        self.observation_space = Box(low=0.0, high=50.0, shape=(21,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.owner = [-1] * CELLS
        self.coins = [START_COINS, START_COINS]
        self.column = START_COLUMN
        self.pending = None
        self.moves = 0
        self.log = []
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(0), {}

    def _observation(self, player):
        values = [o + 1 for o in self.owner]
        values += list(self.coins)
        values.append(self.column)
        values.append(self.moves)
        values.append(self.current_player)
        if player == 0 and self.pending is not None:
            values.append(self.pending + 1)
        else:
            values.append(0)
        return np.array(values, dtype=np.float32)

    def _count(self, player):
        return self.owner.count(player)

    def _behind(self, player):
        return self._count(player) < self._count(1 - player)

    def _touching(self, cell, player):
        return sum(1 for n in NEIGHBOURS[cell] if self.owner[n] == player)

    def _cost(self, player, cell):
        holder = self.owner[cell]
        if holder == -1:
            cost = 1 + self._touching(cell, 1 - player)
        elif holder == 1 - player and self._behind(player):
            cost = RAID_COST
        else:
            return None
        if cell % COLS == self.column:
            cost -= 1
        return cost

    def _moves_of(self, player):
        moves = []
        for cell in range(CELLS):
            cost = self._cost(player, cell)
            if cost is not None and cost <= self.coins[player]:
                moves.append(cell)
        moves.append(WAIT)
        return moves

    def valid_moves(self):
        if self.over:
            return []
        return self._moves_of(self.current_player)

    def _tie(self, action):
        if self.pending != action or action == WAIT:
            return False
        return self._touching(action, 0) == self._touching(action, 1)

    def _resolve(self, action, tie_to):
        choices = (self.pending, action)
        gets = [choices[0] != WAIT, choices[1] != WAIT]
        costs = [0, 0]
        for player in range(2):
            if gets[player]:
                costs[player] = self._cost(player, choices[player])
        if choices[0] == choices[1] and gets[0]:
            near = [self._touching(action, 0), self._touching(action, 1)]
            if near[0] > near[1]:
                lucky = 0
            elif near[1] > near[0]:
                lucky = 1
            else:
                lucky = tie_to
            gets[1 - lucky] = False
        for player in range(2):
            if gets[player]:
                self.coins[player] -= costs[player]
                self.owner[choices[player]] = player
            income = 2 if choices[player] == WAIT else 1
            self.coins[player] = min(MOST_COINS, self.coins[player] + income)
        flips = []
        for cell in range(CELLS):
            holder = self.owner[cell]
            if holder >= 0 and self._touching(cell, 1 - holder) >= 3:
                flips.append(cell)
        for cell in flips:
            self.owner[cell] = 1 - self.owner[cell]
        self.pending = None
        self.moves += 1
        self.log.append(
            "round %d: first %s, second %s"
            % (self.moves // 2, self.move_name(choices[0]), self.move_name(choices[1]))
        )
        counts = [self._count(0), self._count(1)]
        if counts[0] >= MAJORITY:
            self.over = True
            self.winner = 0
        elif counts[1] >= MAJORITY:
            self.over = True
            self.winner = 1
        elif self.moves >= LAST_MOVE:
            self.over = True
            if counts[0] != counts[1]:
                self.winner = 0 if counts[0] > counts[1] else 1
            elif self.coins[0] != self.coins[1]:
                self.winner = 0 if self.coins[0] > self.coins[1] else 1
            else:
                self.winner = 1
        self.current_player = 0

    def _roll_to(self, column):
        self.column = column
        self.log.append("cheap column: " + COLUMNS[column])

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over:
            return self._observation(player), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._observation(player), -10.0, True, False, {"winner": self.winner}
        if player == 0:
            self.pending = action
            self.moves += 1
            self.current_player = 1
            return self._observation(1), 0.0, False, False, {}
        tie_to = 0
        if self._tie(action):
            tie_to = int(self.np_random.integers(2))
        self._resolve(action, tie_to)
        if self.over:
            reward = 1.0 if self.winner == 1 else 0.0
            return self._observation(0), reward, True, False, {"winner": self.winner}
        self._roll_to(int(self.np_random.integers(COLS)))
        return self._observation(0), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if self.current_player == 0:
            after = self.clone()
            after.step(action)
            return [(1.0, after)]
        ties = (0, 1) if self._tie(action) else (0,)
        outcomes = []
        for tie_to in ties:
            after = self.clone()
            after._resolve(action, tie_to)
            share = 1.0 / len(ties)
            if after.over:
                outcomes.append((share, after))
                continue
            for column in range(COLS):
                rolled = after.clone()
                rolled._roll_to(column)
                outcomes.append((share / COLS, rolled))
        return outcomes

    def _text(self, player):
        lines = ["columns: " + " ".join(COLUMNS)]
        for row in range(ROWS):
            cells = self.owner[row * COLS:(row + 1) * COLS]
            lines.append("row %d: %s" % (row + 1, " ".join(MARKS[o] for o in cells)))
        lines.append("cells: first %d, second %d" % (self._count(0), self._count(1)))
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        lines.append("cheap column: " + COLUMNS[self.column])
        if self._behind(0):
            behind = "first"
        elif self._behind(1):
            behind = "second"
        else:
            behind = "nobody"
        lines.append("behind: " + behind)
        lines.append("moves made: %d of %d" % (self.moves, LAST_MOVE))
        if player == 0 and self.pending is not None:
            lines.append("chosen: " + self.move_name(self.pending))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action == WAIT:
            return "wait"
        return "take %s%d" % (COLUMNS[action % COLS], action // COLS + 1)

    def view(self, player):
        player = int(player)
        own = None
        if player == 0 and self.pending is not None:
            own = int(self.pending)
        return {
            "player": player,
            "board": self._text(player),
            "observation": [float(v) for v in self._observation(player)],
            "log": list(self.log),
            "state": {
                "owner": list(self.owner),
                "coins": list(self.coins),
                "column": int(self.column),
                "moves": int(self.moves),
                "current": int(self.current_player),
                "chosen": self.pending is not None,
                "own": own,
                "over": bool(self.over),
                "winner": self.winner,
            },
        }

    def resample(self, view, rng):
        state = view["state"]
        self.owner = list(state["owner"])
        self.coins = list(state["coins"])
        self.column = state["column"]
        self.moves = state["moves"]
        self.current_player = state["current"]
        self.over = state["over"]
        self.winner = state["winner"]
        self.log = list(view["log"])
        self.pending = None
        if state["chosen"]:
            if state["own"] is not None:
                self.pending = state["own"]
            else:
                options = self._moves_of(0)
                self.pending = options[int(rng.integers(len(options)))]

    def clone(self):
        other = copy.copy(self)
        other.owner = list(self.owner)
        other.coins = list(self.coins)
        other.log = list(self.log)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.owner),
            tuple(self.coins),
            self.column,
            self.pending,
            self.moves,
            self.over,
        )
