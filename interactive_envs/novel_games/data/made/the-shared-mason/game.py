import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = 10
DIRS = (
    ("E", 0, 1),
    ("W", 0, -1),
    ("NE", -1, 0),
    ("NW", -1, -1),
    ("SE", 1, 1),
    ("SW", 1, 0),
)
CELLS = [(r, c) for r in range(ROWS) for c in range(r + 1)]
NAMES = ("first", "second")


def on_board(cell):
    return 0 <= cell[0] < ROWS and 0 <= cell[1] <= cell[0]


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(12)
        self.observation_space = Box(0.0, 4.0, shape=(68,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        # 0 and 1 are the pawns, 2 is the mason
        self.at = [(7, 1), (7, 6), (4, 2)]
        self.walls = set()
        self.ready = [[True] * 6, [True] * 6]
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = []
        for cell in CELLS:
            if cell in self.walls:
                values.append(1)
            elif cell in self.at:
                values.append(2 + self.at.index(cell))
            else:
                values.append(0)
        values += [int(x) for x in self.ready[0] + self.ready[1]]
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _free(self, cell):
        return on_board(cell) and cell not in self.walls and cell not in self.at

    def _goal(self, action):
        way, mason = divmod(action, 2)
        who = 2 if mason else self.current_player
        r, c = self.at[who]
        return who, (r + DIRS[way][1], c + DIRS[way][2])

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for action in range(12):
            if not self.ready[self.current_player][action // 2]:
                continue
            if self._free(self._goal(action)[1]):
                moves.append(action)
        return moves

    def _enclosed(self, player):
        r, c = self.at[player]
        return not any(self._free((r + dr, c + dc)) for _, dr, dc in DIRS)

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(), -10.0, True, False, {"winner": 1 - player}
        foe = 1 - player
        who, cell = self._goal(action)
        self.walls.add(self.at[who])
        self.at[who] = cell
        way = action // 2
        self.ready[player][way] = False
        self.ready[foe][way] = True
        self.current_player = foe
        winner = None
        if self._enclosed(foe):
            winner = player
        elif self._enclosed(player):
            winner = foe
        elif not self.valid_moves():
            winner = player
        if winner is None:
            return self._obs(), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == player else 0.0
        return self._obs(), reward, True, False, {"winner": winner}

    def _show(self, cell):
        if cell in self.walls:
            return "#"
        if cell in self.at:
            return "FSM"[self.at.index(cell)]
        return "."

    def render(self):
        lines = []
        for r in range(ROWS):
            cells = " ".join(self._show((r, c)) for c in range(r + 1))
            lines.append("row %d: %s" % (r + 1, cells))
        for p in range(2):
            names = [DIRS[d][0] for d in range(6) if self.ready[p][d]]
            lines.append("ready %s: %s" % (NAMES[p], " ".join(names)))
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        way, mason = divmod(int(action), 2)
        return DIRS[way][0] + (" mason" if mason else " pawn")

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            tuple(self.at),
            frozenset(self.walls),
            tuple(self.ready[0]),
            tuple(self.ready[1]),
            self.over,
        )
