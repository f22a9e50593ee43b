import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
CELLS = [(r, c) for r in range(5) for c in range(r + 1)]
INDEX = {cell: i for i, cell in enumerate(CELLS)}
NAMES = ["abcde"[r] + str(c + 1) for r, c in CELLS]
WAYS = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)]
NEAR = [
    sorted(INDEX[(r + dr, c + dc)] for dr, dc in WAYS if (r + dr, c + dc) in INDEX)
    for r, c in CELLS
]
STRIKES = [(i, j) for i in range(15) for j in NEAR[i]]
LENGTH = 16


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(90)
        self.observation_space = Box(0.0, 20.0, shape=(122,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = [0] * 15
        self.rank = [0] * 15
        self.user = [-1] * 90
        self.turn = 0
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        me = self.current_player
        values = [0 if owner == 0 else (1 if owner == me + 1 else 2) for owner in self.owner]
        values += self.rank
        values += [0 if user < 0 else (1 if user == me else 2) for user in self.user]
        values += [self.turn, me]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        me = self.current_player
        mine = me + 1
        moves = []
        for cell in range(15):
            if self.owner[cell] == 0 and self.user[cell] != me:
                moves.append(cell)
        for cell in range(15):
            if self.owner[cell] == mine and self.rank[cell] == 1 and self.user[15 + cell] != me:
                moves.append(15 + cell)
        for k, (i, j) in enumerate(STRIKES):
            if (
                self.owner[i] == mine
                and self.owner[j] == 3 - mine
                and self.rank[i] >= self.rank[j]
                and self.user[30 + k] != me
            ):
                moves.append(30 + k)
        return moves

    def _chain(self, player):
        mark = player + 1
        seen = set()
        best = 0
        for start in range(15):
            if self.owner[start] != mark or start in seen:
                continue
            seen.add(start)
            stack = [start]
            size = 0
            while stack:
                cell = stack.pop()
                size += 1
                for other in NEAR[cell]:
                    if self.owner[other] == mark and other not in seen:
                        seen.add(other)
                        stack.append(other)
            best = max(best, size)
        return best

    def _ranks(self, player):
        return sum(self.rank[cell] for cell in range(15) if self.owner[cell] == player + 1)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        if action < 15:
            self.owner[action] = me + 1
            self.rank[action] = 1
        elif action < 30:
            self.rank[action - 15] = 2
        else:
            i, j = STRIKES[action - 30]
            self.owner[j] = me + 1
            self.rank[j] = 1
            self.rank[i] -= 1
            if self.rank[i] == 0:
                self.owner[i] = 0
        self.user[action] = me
        self.turn += 1
        self.current_player = 1 - me
        if self.turn == LENGTH:
            one = (self._chain(0), self._ranks(0))
            two = (self._chain(1), self._ranks(1))
            self.over = True
            self.winner = 0 if one >= two else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for row in range(5):
            parts = []
            for col in range(row + 1):
                cell = INDEX[(row, col)]
                if self.owner[cell]:
                    parts.append(" FS"[self.owner[cell]] + str(self.rank[cell]))
                else:
                    parts.append("..")
            lines.append("abcde"[row] + ": " + " ".join(parts))
        lines.append("chains: first " + str(self._chain(0)) + ", second " + str(self._chain(1)))
        lines.append("ranks: first " + str(self._ranks(0)) + ", second " + str(self._ranks(1)))
        for side in range(2):
            used = [self.move_name(action) for action in range(90) if self.user[action] == side]
            lines.append("closed to " + SEATS[side] + ": " + (", ".join(used) if used else "none"))
        lines.append("moves made: " + str(self.turn) + " of 16")
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 15:
            return "recruit " + NAMES[action]
        if action < 30:
            return "train " + NAMES[action - 15]
        i, j = STRIKES[action - 30]
        return "strike " + NAMES[i] + " to " + NAMES[j]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.owner = list(self.owner)
        other.rank = list(self.rank)
        other.user = list(self.user)
        return other

    def key(self):
        return (
            self.current_player, self.turn, tuple(self.owner), tuple(self.rank), tuple(self.user),
            self.over, self.winner,
        )
