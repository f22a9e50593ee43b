import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

N = 6
CELLS = N * N
COLS = "abcdef"
NAMES = ("first", "second")
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("up", "right", "down", "left")
COINS = 10
BUY = 11
SELL = 12
STEP = 13
SINK = 17
NOTHING = 53
OFFERING, ANSWERING, STEPPING, SINKING = 0, 1, 2, 3
PHASES = ("offer", "answer", "step", "sink")


def cell_name(cell):
    return COLS[cell % N] + str(cell // N + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(54)
        self.observation_space = Box(0.0, 100.0, shape=(CELLS + 9,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.sunk = [False] * CELLS
        self.pos = [1 * N + 1, 4 * N + 4]
        self.coins = [COINS, COINS]
        self.phase = OFFERING
        self.offerer = 0
        self.price = 0
        self.actor = 0
        self.left = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [1.0 if x else 0.0 for x in self.sunk]
        data += [float(self.pos[0]), float(self.pos[1]), float(self.coins[0]), float(self.coins[1]),
                 float(self.phase), float(self.offerer), float(self.price), float(self.left),
                 float(self.current_player)]
        return np.array(data, dtype=np.float32)

    def _free(self, cell):
        return not self.sunk[cell] and cell not in self.pos

    def _steps(self, player):
        r, c = divmod(self.pos[player], N)
        found = []
        for d in range(4):
            r1, c1 = r + DIRS[d][0], c + DIRS[d][1]
            if 0 <= r1 < N and 0 <= c1 < N and self._free(r1 * N + c1):
                found.append(d)
        return found

    def valid_moves(self):
        if self.done:
            return []
        if self.phase == OFFERING:
            return list(range(min(self.coins) + 1))
        if self.phase == ANSWERING:
            return [BUY, SELL]
        if self.phase == STEPPING:
            return [STEP + d for d in self._steps(self.current_player)]
        r, c = divmod(self.left, N)
        found = [SINK + x for x in range(CELLS) if (x // N == r or x % N == c) and self._free(x)]
        return found if found else [NOTHING]

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if self.phase == OFFERING:
            self.price = action
            self.phase = ANSWERING
            self.current_player = 1 - player
        elif self.phase == ANSWERING:
            self.actor = player if action == BUY else 1 - player
            self.coins[self.actor] -= self.price
            self.coins[1 - self.actor] += self.price
            self.phase = STEPPING
            self.current_player = self.actor
        elif self.phase == STEPPING:
            r, c = divmod(self.pos[player], N)
            d = action - STEP
            self.left = self.pos[player]
            self.sunk[self.left] = True
            self.pos[player] = (r + DIRS[d][0]) * N + c + DIRS[d][1]
            self.phase = SINKING
        else:
            if action != NOTHING:
                self.sunk[action - SINK] = True
            if not self._steps(1 - player):
                self.done = True
                self.winner = player
            elif not self._steps(player):
                self.done = True
                self.winner = 1 - player
            else:
                self.offerer = 1 - self.offerer
                self.phase = OFFERING
                self.price = 0
                self.left = 0
                self.actor = 0
                self.current_player = self.offerer
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: " + " ".join(COLS)]
        for r in range(N):
            marks = []
            for c in range(N):
                cell = r * N + c
                if cell == self.pos[0]:
                    marks.append("F")
                elif cell == self.pos[1]:
                    marks.append("S")
                else:
                    marks.append("#" if self.sunk[cell] else ".")
            lines.append("row %d: %s" % (r + 1, " ".join(marks)))
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        lines.append("offer: " + ("none" if self.phase == OFFERING else "%d by %s" % (self.price, NAMES[self.offerer])))
        if self.phase == SINKING and not self.done:
            lines.append("just left: " + cell_name(self.left))
        else:
            lines.append("just left: none")
        if self.done:
            lines.append("to move: nobody")
        else:
            lines.append("to move: %s, %s" % (NAMES[self.current_player], PHASES[self.phase]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < BUY:
            return "offer %d" % action
        if action == BUY:
            return "buy"
        if action == SELL:
            return "sell"
        if action < SINK:
            return "step " + DIR_NAMES[action - STEP]
        if action < NOTHING:
            return "sink " + cell_name(action - SINK)
        return "sink nothing"

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.sunk = list(self.sunk)
        other.pos = list(self.pos)
        other.coins = list(self.coins)
        return other

    def key(self):
        return (tuple(self.sunk), tuple(self.pos), tuple(self.coins), self.phase, self.offerer,
                self.price, self.actor, self.left, self.current_player, self.done, self.winner)
