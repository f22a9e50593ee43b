import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = (1, 2, 3, 4, 6)
COLS = "abc"
NAMES = ("first", "second")
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("up", "right", "down", "left")
PREPARE = 6
TOTAL = 10


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(20)
        self.observation_space = Box(0.0, 100.0, shape=(23,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.cells = [0] * 9
        self.hands = [[True] * 5, [True] * 5]
        self.walker = 4
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [float(x) for x in self.cells]
        data += [1.0 if x else 0.0 for x in self.hands[0]]
        data += [1.0 if x else 0.0 for x in self.hands[1]]
        data += [float(self.walker // 3), float(self.walker % 3), float(self.current_player), float(self.count)]
        return np.array(data, dtype=np.float32)

    def _sums(self, player):
        c = self.cells
        if player == 0:
            return [c[0] + c[1] + c[2], c[3] + c[4] + c[5], c[6] + c[7] + c[8]]
        return [c[0] + c[3] + c[6], c[1] + c[4] + c[7], c[2] + c[5] + c[8]]

    def _spread(self, player):
        s = self._sums(player)
        return max(s) - min(s)

    def valid_moves(self):
        if self.done:
            return []
        hand = self.hands[self.current_player]
        return [i * 4 + d for i in range(5) if hand[i] for d in range(4)]

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        i, d = divmod(action, 4)
        r, c = divmod(self.walker, 3)
        r = (r + DIRS[d][0]) % 3
        c = (c + DIRS[d][1]) % 3
        self.walker = r * 3 + c
        self.cells[self.walker] += CARDS[i]
        self.hands[player][i] = False
        self.count += 1
        self.current_player = 1 - player
        if self.count > PREPARE:
            if self._spread(player) == 0:
                self.done = True
                self.winner = player
            elif self._spread(1 - player) == 0:
                self.done = True
                self.winner = 1 - player
        if not self.done and self.count == TOTAL:
            self.done = True
            self.winner = 0 if self._spread(0) <= self._spread(1) else 1
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        rows = self._sums(0)
        columns = self._sums(1)
        lines = ["columns: a b c"]
        for r in range(3):
            cells = " ".join(str(self.cells[r * 3 + c]) for c in range(3))
            lines.append("row %d: %s = %d" % (r + 1, cells, rows[r]))
        lines.append("sums down: " + " ".join(str(x) for x in columns))
        lines.append("walker: %s%d" % (COLS[self.walker % 3], self.walker // 3 + 1))
        for p in (0, 1):
            held = [str(CARDS[i]) for i in range(5) if self.hands[p][i]]
            lines.append("%s holds: %s" % (NAMES[p], " ".join(held) if held else "nothing"))
        lines.append("cards played: %d" % self.count)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        i, d = divmod(int(action), 4)
        return "play %d %s" % (CARDS[i], DIR_NAMES[d])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        other.hands = [list(self.hands[0]), list(self.hands[1])]
        return other

    def key(self):
        return (tuple(self.cells), tuple(self.hands[0]), tuple(self.hands[1]), self.walker,
                self.count, self.current_player, self.done, self.winner)
