import gymnasium
import numpy as np
from gymnasium import spaces

RING = 18
WELLS = (0, 9)
PHASE = 4                    # the wind turns after every fourth move
LIMIT = 40                   # moves of both players together
EMPTY = 0
# 1 guard of first, 2 king of first, 3 guard of second, 4 king of second
SETUP = {2: 1, 3: 1, 4: 2, 5: 1, 6: 1, 11: 3, 12: 3, 13: 4, 14: 3, 15: 3}
MARKS = ".fFsS"
WAYS = (1, -1)               # clockwise, counter-clockwise
WAY_NAMES = ("cw", "ccw")
NAMES = ("first", "second")


def side_of(piece):
    return 0 if piece <= 2 else 1


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2 * RING)
        self.observation_space = spaces.Box(
            low=-2.0, high=50.0, shape=(RING + 3,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.cells = [SETUP.get(i, EMPTY) for i in range(RING)]
        self.moves = 0
        self.last_loss = -1      # whose piece fell last
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        return np.array(self.cells + [self.moves, self.last_loss, self.current_player],
                        dtype=np.float32)

    def _wind(self):
        return (self.moves // PHASE) % 2

    @staticmethod
    def _target(cell, step):
        target = (cell + step) % RING
        if target in WELLS:
            target = (target + step) % RING
        return target

    def _count(self, player):
        return sum(1 for v in self.cells if v != EMPTY and side_of(v) == player)

    def valid_moves(self):
        if self.done:
            return []
        wind = self._wind()
        found = []
        for cell in range(RING):
            piece = self.cells[cell]
            if piece == EMPTY or side_of(piece) != self.current_player:
                continue
            for way in (0, 1):
                if way == wind or self.cells[self._target(cell, WAYS[way])] == EMPTY:
                    found.append(2 * cell + way)
        return found

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        cell, way = divmod(action, 2)
        step = WAYS[way]
        carried = self.cells[cell]
        self.cells[cell] = EMPTY
        at = self._target(cell, step)
        # each piece of the line moves on until one finds an empty cell or meets a well
        while carried != EMPTY and at not in WELLS:
            carried, self.cells[at] = self.cells[at], carried
            at = (at + step) % RING
        self.moves += 1
        if carried != EMPTY:
            self.last_loss = side_of(carried)
            if carried in (2, 4):
                self.done = True
                self.winner = 1 - side_of(carried)
        if not self.done and self.moves == LIMIT:
            self.done = True
            mine, yours = self._count(0), self._count(1)
            if mine != yours:
                self.winner = 0 if mine > yours else 1
            else:
                self.winner = 0 if self.last_loss == 1 else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        shown = []
        for i in range(RING):
            shown.append("#" if i in WELLS else MARKS[self.cells[i]])
        half = RING // 2
        fallen = "nobody" if self.last_loss < 0 else NAMES[self.last_loss]
        return "\n".join([
            "00-08: " + " ".join(shown[:half]),
            "09-17: " + " ".join(shown[half:]),
            "pieces: first %d, second %d" % (self._count(0), self._count(1)),
            "last loss: " + fallen,
            "wind: " + ("clockwise" if self._wind() == 0 else "counter-clockwise"),
            "moves made: %d" % self.moves,
            "to move: " + ("nobody" if self.done else NAMES[self.current_player]),
        ])

    def move_name(self, action):
        cell, way = divmod(int(action), 2)
        return "%d %s" % (cell, WAY_NAMES[way])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cells = list(self.cells)
        return other

    def key(self):
        return (tuple(self.cells), self.moves, self.last_loss, self.current_player,
                self.done, self.winner)
