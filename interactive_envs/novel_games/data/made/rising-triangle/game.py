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
EDGES = [(i, j) for i in range(15) for j in NEAR[i] if i < j]
START = [7, 13, 6, 8, 5, 12, 3, 11, 4, 9, 10, 2, 1, 15, 14]
LENGTH = 24


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(30)
        self.observation_space = Box(0.0, 30.0, shape=(48,), dtype=np.float32)
        self._start()

    def _start(self):
        self.cells = list(START)
        self.user = [-1] * 30
        self.last = -1
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
        values = list(self.cells)
        values += [0 if user < 0 else (1 if user == me else 2) for user in self.user]
        values += [self.turn, me, self.last + 1]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        me = self.current_player
        return [edge for edge in range(30) if self.user[edge] != me and edge != self.last]

    def _chain(self, player):
        place = {number: cell for cell, number in enumerate(self.cells)}
        best = {}
        for number in range(1 + player, 16, 2):
            top = (1, number)
            for other in NEAR[place[number]]:
                low = self.cells[other]
                if low < number and low % 2 == number % 2:
                    length, total = best[low]
                    top = max(top, (length + 1, total + number))
            best[number] = top
        return max(best.values())

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        i, j = EDGES[action]
        self.cells[i], self.cells[j] = self.cells[j], self.cells[i]
        self.user[action] = me
        self.last = action
        self.turn += 1
        self.current_player = 1 - me
        if self.turn == LENGTH:
            self.over = True
            self.winner = 0 if self._chain(0) > self._chain(1) else 1
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for row in range(5):
            numbers = [str(self.cells[INDEX[(row, col)]]) for col in range(row + 1)]
            lines.append("abcde"[row] + ": " + " ".join(numbers))
        one = self._chain(0)
        two = self._chain(1)
        lines.append(
            "chains: first " + str(one[0]) + " total " + str(one[1])
            + ", second " + str(two[0]) + " total " + str(two[1])
        )
        for side in range(2):
            used = [self._edge(edge) for edge in range(30) if self.user[edge] == side]
            lines.append("closed to " + SEATS[side] + ": " + (" ".join(used) if used else "none"))
        lines.append("just used: " + (self._edge(self.last) if self.last >= 0 else "none"))
        lines.append("moves made: " + str(self.turn) + " of 24")
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def _edge(self, edge):
        i, j = EDGES[edge]
        return NAMES[i] + "-" + NAMES[j]

    def move_name(self, action):
        return "swap " + self._edge(int(action))

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        other.user = list(self.user)
        return other

    def key(self):
        return (self.current_player, self.turn, self.last, tuple(self.cells), tuple(self.user), self.over, self.winner)
