import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CELLS = 8
TOP = 5
START = (5, 6)
INCOME = 2
DIVISOR = 3
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(TOP + CELLS)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(13,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.river = [0] * CELLS
        self.coins = list(START)
        self.last = -1
        self.held = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.river) + list(self.coins)
        values += [self.last, self.held, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        if self.held == 0:
            return [n - 1 for n in range(1, TOP + 1) if n <= self.coins[self.current_player]]
        free = [c for c in range(CELLS) if not self.river[c]]
        near = free
        if self.last >= 0:
            near = [c for c in free if abs(c - self.last) <= self.held]
            if not near:
                near = free
        return [TOP + c for c in near]

    def move_name(self, action):
        action = int(action)
        if action < TOP:
            return "pay %d" % (action + 1)
        return "cell %d" % (action - TOP + 1)

    def _pattern(self):
        for c in range(CELLS - 2):
            three = self.river[c : c + 3]
            if 0 not in three and sum(three) % DIVISOR == 0:
                return True
        return False

    def _apply(self, action):
        player = self.current_player
        if self.held == 0:
            self.held = action + 1
            self.coins[player] -= self.held
            return
        cell = action - TOP
        self.river[cell] = self.held
        self.held = 0
        self.last = cell
        for c in range(CELLS - 2, -1, -1):
            if self.river[c] and not self.river[c + 1]:
                self.river[c + 1] = self.river[c]
                self.river[c] = 0
                if self.last == c:
                    self.last = c + 1
        self.coins[player] += INCOME
        if self._pattern():
            self.done = True
            self.winner = 1 - player
        elif 0 not in self.river:
            self.done = True
            self.winner = 0 if self.coins[0] > self.coins[1] else 1
        else:
            self.current_player = 1 - player

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def render(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        elif self.held:
            head = "%s to move, places a stone" % NAMES[self.current_player]
        else:
            head = "%s to move, pays for a stone" % NAMES[self.current_player]
        lines = [head]
        lines.append("cells: 1 2 3 4 5 6 7 8")
        lines.append("river: " + " ".join(str(x) if x else "." for x in self.river))
        lines.append("last stone: " + ("none" if self.last < 0 else "cell %d" % (self.last + 1)))
        lines.append("in hand: " + (str(self.held) if self.held else "nothing"))
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.river = list(self.river)
        other.coins = list(self.coins)
        other.last = self.last
        other.held = self.held
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.river),
            tuple(self.coins),
            self.last,
            self.held,
            self.done,
            self.winner,
        )
