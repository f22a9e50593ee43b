import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CELLS = [(r, c) for r in range(5) for c in range(r + 1)]
INDEX = {cell: i for i, cell in enumerate(CELLS)}
NAMES = ["abcde"[r] + str(c + 1) for r, c in CELLS]
WAYS = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)]
NEXT = [[INDEX.get((r + dr, c + dc), -1) for dr, dc in WAYS] for r, c in CELLS]
INNER = {(2, 1), (3, 1), (3, 2)}
STARTS = (("c1", "e2"), ("c3", "e4"))
SEATS = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(360)
        self.observation_space = Box(0.0, 4.0, shape=(46,), dtype=np.float32)
        self._start()

    def _start(self):
        self.height = [3 if cell in INNER else 2 for cell in CELLS]
        self.piles = [[0] * 15, [0] * 15]
        for player in range(2):
            for name in STARTS[player]:
                self.piles[player][NAMES.index(name)] = 2
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        me = self.current_player
        values = self.height + self.piles[me] + self.piles[1 - me] + [me]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        mine = self.piles[self.current_player]
        for cell in range(15):
            if mine[cell] == 0:
                continue
            for way in range(6):
                target = NEXT[cell][way]
                if target >= 0 and self.height[target] > 0:
                    for amount in range(1, mine[cell] + 1):
                        moves.append((cell * 6 + way) * 4 + amount - 1)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        place, amount = divmod(action, 4)
        amount += 1
        cell, way = divmod(place, 6)
        target = NEXT[cell][way]
        self.piles[me][cell] -= amount
        self.piles[me][target] += amount
        self.height[cell] -= 1
        if self.height[cell] == 0:
            self.piles[0][cell] = 0
            self.piles[1][cell] = 0
        self.current_player = 1 - me
        if not self.valid_moves():
            self.over = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for row in range(5):
            parts = []
            for col in range(row + 1):
                cell = INDEX[(row, col)]
                if self.height[cell] == 0:
                    parts.append(NAMES[cell] + "[-]")
                    continue
                text = str(self.height[cell])
                if self.piles[0][cell]:
                    text += " F" + str(self.piles[0][cell])
                if self.piles[1][cell]:
                    text += " S" + str(self.piles[1][cell])
                parts.append(NAMES[cell] + "[" + text + "]")
            lines.append("abcde"[row] + ": " + " ".join(parts))
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        place, amount = divmod(int(action), 4)
        cell, way = divmod(place, 6)
        target = NEXT[cell][way]
        start = "move " + str(amount + 1) + " from " + NAMES[cell]
        if target < 0:
            return start + " over the edge, way " + str(way)
        return start + " to " + NAMES[target]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.height = list(self.height)
        other.piles = [list(pile) for pile in self.piles]
        return other

    def key(self):
        return (self.current_player, tuple(self.height), tuple(self.piles[0]), tuple(self.piles[1]), self.over, self.winner)
