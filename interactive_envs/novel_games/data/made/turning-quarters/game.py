import copy
import itertools

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

N = 4
CELLS = N * N
COLS = "abcd"
NAMES = ("first", "second")
TOKENS = (".", "F", "S", "N")
TURNS = ("cw", "ccw", "still")
NEUTRAL = 3
NEUTRAL_VALUE = 2
LIMIT = 10


def cell_name(cell):
    return COLS[cell % N] + str(cell // N + 1)


def quarter(cell):
    r = cell // N // 2 * 2
    c = cell % N // 2 * 2
    return (r * N + c, r * N + c + 1, (r + 1) * N + c + 1, (r + 1) * N + c)


def _fresh_seed(rng):
    if hasattr(rng, "integers"):
        return int(rng.integers(0, 2 ** 31 - 1))
    return int(rng.randrange(2 ** 31 - 1))


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(240)
        self.observation_space = Box(0.0, 20.0, shape=(2 * CELLS + 12,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.owner = [0] * CELLS
        self.value = [0] * CELLS
        for cell in (0, 3, 12, 15):
            self.owner[cell] = NEUTRAL
            self.value[cell] = NEUTRAL_VALUE
        self.hands = [[True] * 5, [True] * 5]
        self.count = 0
        self.log = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [float(x) for x in self.owner] + [float(x) for x in self.value]
        data += [1.0 if x else 0.0 for x in self.hands[0]]
        data += [1.0 if x else 0.0 for x in self.hands[1]]
        data += [float(self.current_player), float(self.count)]
        return np.array(data, dtype=np.float32)

    def _owned(self, player):
        return sum(1 for x in self.owner if x == player + 1)

    def _total(self, player):
        return sum(self.value[i] for i in range(CELLS) if self.owner[i] == player + 1)

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        turns = 3 if self._owned(player) < self._owned(1 - player) else 2
        moves = []
        for k in range(5):
            if not self.hands[player][k]:
                continue
            for cell in range(CELLS):
                if self.owner[cell] == 0:
                    for t in range(turns):
                        moves.append(k * 48 + cell * 3 + t)
        return moves

    def _place(self, action):
        """Put the card, turn the quarter, and say which cells are surely taken and which in doubt."""
        player = self.current_player
        self.log.append(NAMES[player] + ": " + self.move_name(action))
        k, rest = divmod(action, 48)
        cell, t = divmod(rest, 3)
        self.hands[player][k] = False
        self.owner[cell] = player + 1
        self.value[cell] = k + 1
        ring = quarter(cell)
        spot = ring.index(cell)
        if t < 2:
            owners = [self.owner[x] for x in ring]
            values = [self.value[x] for x in ring]
            move = 1 if t == 0 else -1
            for i in range(4):
                to = ring[(i + move) % 4]
                self.owner[to] = owners[i]
                self.value[to] = values[i]
            cell = ring[(spot + move) % 4]
        sure = []
        doubt = []
        r, c = divmod(cell, N)
        for r1, c1 in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)):
            if not (0 <= r1 < N and 0 <= c1 < N):
                continue
            other = r1 * N + c1
            if self.owner[other] in (0, player + 1):
                continue
            difference = (k + 1) - self.value[other]
            if difference >= 2:
                sure.append(other)
            elif difference >= 0:
                doubt.append(other)
        return sure, doubt

    def _finish(self, sure, doubt, hits):
        player = self.current_player
        taken = list(sure)
        for cell, hit in zip(doubt, hits):
            if hit:
                taken.append(cell)
        for cell in taken:
            self.owner[cell] = player + 1
        if taken:
            self.log.append("taken over: " + " ".join(cell_name(cell) for cell in taken))
        self.count += 1
        self.current_player = 1 - player
        if self.count == LIMIT:
            self.done = True
            a = (self._owned(0), self._total(0))
            b = (self._owned(1), self._total(1))
            self.winner = 0 if a >= b else 1

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        sure, doubt = self._place(action)
        hits = [int(self.np_random.integers(0, 2)) == 1 for _ in doubt]
        self._finish(sure, doubt, hits)
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        trial = self.clone()
        _, open_cells = trial._place(action)
        found = []
        for hits in itertools.product((True, False), repeat=len(open_cells)):
            other = self.clone()
            sure, doubt = other._place(action)
            other._finish(sure, doubt, hits)
            found.append((0.5 ** len(open_cells), other))
        return found

    def render(self):
        lines = ["columns: " + " ".join(COLS)]
        for r in range(N):
            marks = []
            for c in range(N):
                cell = r * N + c
                if self.owner[cell] == 0:
                    marks.append("..")
                else:
                    marks.append(TOKENS[self.owner[cell]] + str(self.value[cell]))
            lines.append("row %d: %s" % (r + 1, " ".join(marks)))
        lines.append("owned: first %d, second %d" % (self._owned(0), self._owned(1)))
        lines.append("totals: first %d, second %d" % (self._total(0), self._total(1)))
        for p in (0, 1):
            held = [str(k + 1) for k in range(5) if self.hands[p][k]]
            lines.append("%s holds: %s" % (NAMES[p], " ".join(held) if held else "nothing"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        k, rest = divmod(int(action), 48)
        cell, t = divmod(rest, 3)
        return "play %d at %s %s" % (k + 1, cell_name(cell), TURNS[t])

    def view(self, player):
        """Everything lies open: both players see the whole position, but no coin that is still to be tossed."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs()],
            "log": list(self.log),
            "owner": list(self.owner),
            "value": list(self.value),
            "hands": [list(self.hands[0]), list(self.hands[1])],
            "count": self.count,
            "to_move": self.current_player,
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        # only the coins to come are unknown: they are drawn anew
        super().reset(seed=_fresh_seed(rng))
        self.owner = list(view["owner"])
        self.value = list(view["value"])
        self.hands = [list(view["hands"][0]), list(view["hands"][1])]
        self.count = view["count"]
        self.log = list(view["log"])
        self.current_player = view["to_move"]
        self.done = view["done"]
        self.winner = view["winner"]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.owner = list(self.owner)
        other.value = list(self.value)
        other.hands = [list(self.hands[0]), list(self.hands[1])]
        other.log = list(self.log)
        if "_np_random" in self.__dict__:
            other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.owner), tuple(self.value), tuple(self.hands[0]), tuple(self.hands[1]),
                self.count, self.current_player, self.done, self.winner)
